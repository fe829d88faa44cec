"""`render`: a motion as a picture, a film or a page, by the suffix of the file."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError
from kinegraph.formats.format import of_suffix
from kinegraph.motion import Motion
from kinegraph.rendering.pictures import PICTURES
from kinegraph.watch import Watcher


def render(motion: Motion, path: str | PathLike[str], *, watch: Watcher = None, **options: Any) -> None:
    """Write a picture of a motion: ``.png`` is a `strip` of poses, ``.gif`` and ``.mp4`` are a `film`, ``.html`` is a page that plays it.

    Options are those of `strip`, of `film` and of `kinegraph.player.write`. The file appears only when it is complete.
    watch: told of the stage "draw", for a film after each of its frames.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walk.png")
    >>> kg.render(kg.samples.make("walk").motion, file, poses=5, width=400)
    >>> file.read_bytes()[1:4]
    b'PNG'
    """
    target = Path(path)
    suffix = target.suffix.lower()
    picture = of_suffix(suffix, PICTURES)
    if picture is None:
        quick_first = sorted(PICTURES.values(), key=lambda one: one.slow)
        known = [f"{each} ({one.title(each)})" for one in quick_first for each in one.suffixes]
        raise FormatError(
            f"cannot draw a motion as {suffix or 'a file without a suffix'}: write one of {', '.join(known)}", target
        )
    _check_options(options, suffix, target)
    picture.write(motion, target, watch=watch, **options)


# options that some suffixes cannot make use of, and what they are for; height over width, where only one of the two is given
_STRIP, _FILM, _PICTURE = "a strip of poses (.png)", "a film (.gif, .mp4)", "a picture or a film (.png, .gif, .mp4)"
_STRIP_ONLY = {"poses": _STRIP, "frames": _STRIP, "layout": _STRIP}
_IDLE: Mapping[str, Mapping[str, str]] = {
    ".png": {"fps": _FILM, "follow": _FILM},
    ".gif": _STRIP_ONLY,
    ".mp4": _STRIP_ONLY,
    ".html": {**_STRIP_ONLY, "follow": _FILM, "width": _PICTURE, "height": _PICTURE, "view": _PICTURE},
}
_SHAPES = {".png": 1 / 4, ".gif": 3 / 4, ".mp4": 3 / 4}


def _check_options(options: dict[str, Any], suffix: str, target: Path) -> None:
    """Refuse what the picture cannot use, and keep its shape where only its width or its height is asked for."""
    for name, kind in _IDLE.get(suffix, {}).items():
        if name in options:
            raise FormatError(f"{name} is for {kind}", target)
    if suffix in _SHAPES and ("width" in options) != ("height" in options):
        if "width" in options:
            options["height"] = max(16, round(options["width"] * _SHAPES[suffix]))
        else:
            options["width"] = max(16, round(options["height"] / _SHAPES[suffix]))
