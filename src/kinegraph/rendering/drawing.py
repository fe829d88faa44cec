"""`render`: a motion as a picture, a film or a page, by the suffix of the file."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.motion import Motion
from kinegraph.rendering.films import film
from kinegraph.rendering.strips import strip
from kinegraph.watch import Watch, Watcher


def render(motion: Motion, path: str | PathLike[str], *, watch: Watcher = None, **options: Any) -> None:
    """Write a picture of a motion: ``.png`` is a `strip` of poses, ``.gif`` and ``.mp4`` are a `film`, ``.html`` is a page that plays it.

    Options are those of `strip`, of `film` and of `kinegraph.player.write`. The file appears only when it is whole.
    watch: told of the stage "draw", for a film after each of its frames.
    """
    target, watch = Path(path), Watch.of(watch)
    suffix = target.suffix.lower()
    if suffix in _IDLE:
        _check_options(options, suffix, target)
    if suffix == ".png":
        picture = strip(motion, **options)
        with replacing(target) as temporary:
            picture.save(temporary, format="PNG", optimize=True)
        watch.tell("draw", 1, 1)
    elif suffix in (".gif", ".mp4"):
        film(motion, target, watch=watch, **options)
    elif suffix == ".html":
        from kinegraph import player  # which draws nothing itself

        player.write(motion, target, **options)
        watch.tell("draw", 1, 1)
    else:
        raise FormatError(
            f"cannot draw a motion as {suffix or 'a file without a suffix'}: "
            "write .png (a strip of poses), .gif or .mp4 (a film), or .html (a page that plays it)",
            target,
        )


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
    for name, kind in _IDLE[suffix].items():
        if name in options:
            raise FormatError(f"{name} is for {kind}", target)
    if ("width" in options) != ("height" in options):
        if "width" in options:
            options["height"] = max(16, round(options["width"] * _SHAPES[suffix]))
        else:
            options["width"] = max(16, round(options["height"] / _SHAPES[suffix]))
