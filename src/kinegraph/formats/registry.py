"""Which module reads and writes which suffix. A new format is one module with ``read`` and ``write``, and one line here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from kinegraph.errors import FormatError
from kinegraph.formats.options import PLAIN, ReadOptions
from kinegraph.formats.raw import RawMotion, finish
from kinegraph.motion import Motion

# imported on use: a command that reads a BVH need not load what writes glTF
_BOTH: Mapping[str, str] = {
    ".bvh": "bvh", ".amc": "amc", ".npz": "npz", ".glb": "gltf", ".gltf": "gltf", ".fbx": "fbx",
}  # fmt: skip
_WRITTEN: Mapping[str, str] = {**_BOTH, ".usda": "usd", ".usdc": "usd", ".csv": "csv"}


class Format(Protocol):
    """What a format's module offers; some only write."""

    def read(self, path: str | PathLike[str], options: ReadOptions) -> RawMotion:
        """The file's motion in its own unit and axes."""

    def write(self, motion: Motion, path: str | PathLike[str], **options: Any) -> None:
        """Write the motion, whole or not at all."""


def suffixes() -> tuple[str, ...]:
    """The suffixes that can be read."""
    return tuple(_BOTH)


def written_suffixes() -> tuple[str, ...]:
    """The suffixes that can be written: those that can be read, and some more."""
    return tuple(_WRITTEN)


def format_of(path: str | PathLike[str], *, writing: bool = False) -> Format:
    """The module that reads, or writes, files of a path's suffix."""
    path = Path(path)
    suffix = path.suffix.lower()
    known = _WRITTEN if writing else _BOTH
    if suffix not in known:
        if path.is_dir():
            raise FormatError("this is a folder: expected a motion file", path)
        if suffix in _WRITTEN:
            raise FormatError(f"{suffix} files are written, not read: read one of {', '.join(known)}", path)
        hint = " (an ASF is a skeleton: give its AMC)" if suffix == ".asf" else ""
        raise FormatError(f"unknown suffix {path.suffix!r}: expected one of {', '.join(known)}{hint}", path)
    return cast(Format, import_module(f"kinegraph.formats.{known[suffix]}"))


def load(
    path: str | PathLike[str],
    *,
    units: str | float = "auto",
    up: str = "y",
    fps: float | None = None,
    skeleton: str | PathLike[str] | None = None,
    trim_tpose: bool = True,
    roles: Mapping[str, str] | None = None,
    skin: str | None = None,
    animation: str | None = None,
) -> Motion:
    """Read a motion from a file, by its suffix.

    units: unit of length in the file: ``"auto"`` (what the file says, else guessed from the body's height), a name such as ``"cm"``,
    or metres per unit. up: the file's vertical axis, ``"y"`` or ``"z"``. fps: the rate, over whatever the file says. skeleton: the
    ASF of an AMC, where it does not stand beside it. trim_tpose: leave out a T-pose that was put before the capture. roles: body
    role → joint name, where the name tables do not know. skin, animation: names of the character and of the clip that are meant, where
    a glTF file holds several; by default the one that moves, and the first. What the reader had to assume or mend stands in
    ``motion.notices``.
    """
    asf = None if skeleton is None else Path(skeleton)
    return read(path, ReadOptions(units, up, fps, asf, trim_tpose, dict(roles or {}), skin, animation))


def read(path: str | PathLike[str], options: ReadOptions = PLAIN) -> Motion:
    """As `load`, with the options all in one."""
    path = Path(path)
    # numbers without measure are refused once all are read: no warning need tell of them before
    with np.errstate(over="ignore", invalid="ignore"):
        return finish(format_of(path).read(path, options), options, path)


def save(
    motion: Motion,
    path: str | PathLike[str],
    *,
    fps: float | None = None,
    in_place: bool = False,
    t_pose: bool = False,
    rigid: bool = False,
    **options: Any,
) -> None:
    """Write a motion to a file, by its suffix; the file appears whole or not at all.

    fps: resample it first. in_place: on the spot. t_pose: with a T-pose before it, as game engines like it. rigid: bones that change
    length get their mean length. Options are those of the format's ``write``: ``units`` and ``order`` for BVH, ``skeleton`` for AMC.
    """
    module = format_of(path, writing=True)
    if fps is not None or in_place or t_pose or rigid:
        from kinegraph.formats.writing import prepared

        motion = prepared(motion, fps=fps, in_place=in_place, t_pose=t_pose, rigid=rigid)
    try:
        module.write(motion, path, **options)
    except TypeError as error:
        unknown = re.search(r"unexpected keyword argument '(\w+)'", str(error))
        if unknown is None:
            raise
        raise FormatError(f"{Path(path).suffix} files do not take {unknown[1]}", path) from error
