"""Where experiments find the CMU clips that they are repeated on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError
from kinegraph.formats.registry import load
from kinegraph.motion.clip import Motion


class AbsentClipError(FormatError):
    """A clip that an experiment needs is not in the folder."""


class Clips:
    """A folder of CMU clips: ``acclaim/16/16_15.amc`` with ``16.asf`` beside it, ``bvh/02_05.bvh``, ``labeled/walk_16_15.amc``.

    It remembers which of them were asked for.
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self.used: list[str] = []

    def file(self, *parts: str) -> Path:
        """A file of the folder, or an error that says which one is missing."""
        path = self.folder.joinpath(*parts)
        if not path.is_file():
            raise AbsentClipError(
                "this clip is needed and is not there: get it from mocap.cs.cmu.edu, and lay it out as acclaim/16/16_15.amc "
                "(with 16.asf), bvh/02_05.bvh and labeled/walk_16_15.amc",
                path,
            )
        if path.suffix != ".asf" and path.stem not in self.used:
            self.used.append(path.stem)
        return path

    def acclaim(self, name: str, **options: Any) -> Motion:
        """A clip of ``acclaim/``, such as ``16_15``, on its subject's own skeleton."""
        subject = name.partition("_")[0]
        self.asf(subject)
        return load(self.file("acclaim", subject, f"{name}.amc"), **options)

    def labeled(self, name: str, **options: Any) -> Motion:
        """A clip of ``labeled/`` on the skeleton of subject 16, as the Manchester dissertation plays all of them."""
        return load(self.file("labeled", f"{name}.amc"), skeleton=self.asf("16"), **options)

    def bvh(self, name: str, **options: Any) -> Motion:
        """A clip of ``bvh/``."""
        return load(self.file("bvh", f"{name}.bvh"), **options)

    def asf(self, subject: str) -> Path:
        """The skeleton of a subject."""
        return self.file("acclaim", subject, f"{subject}.asf")
