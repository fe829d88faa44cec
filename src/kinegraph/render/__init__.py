"""Pictures of motions, with no screen: a strip of poses as PNG, a film as GIF or MP4.

A small software renderer: the body is a mannequin of rounded cones, left limbs orange and right limbs blue. Needs the extra
``kinegraph[render]``.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import replacing
from kinegraph.motion import Motion
from kinegraph.render.camera import VIEWS
from kinegraph.render.film import Progress, film
from kinegraph.render.strip import LAYOUTS, strip

__all__ = ["LAYOUTS", "VIEWS", "Progress", "film", "render", "strip"]


def render(motion: Motion, path: str | PathLike[str], **options: Any) -> None:
    """Write a picture of a motion: ``.png`` is a `strip` of poses, ``.gif`` and ``.mp4`` are a `film`; options are theirs.

    The file appears only when it is whole.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix in _SHAPES:
        _check_options(options, suffix, target)
    if suffix == ".png":
        progress: Progress | None = options.pop("progress", None)
        picture = strip(motion, **options)
        with replacing(target) as temporary:
            picture.save(temporary, format="PNG", optimize=True)
        if progress is not None:
            progress(1, 1)
    elif suffix in (".gif", ".mp4"):
        film(motion, target, **options)
    else:
        raise FormatError(
            f"cannot draw a motion as {suffix or 'a file without a suffix'}: "
            "write .png (a strip of poses), .gif or .mp4 (a film)",
            target,
        )


# what only a strip, and what only a film can make use of; and height over width, where only one of the two is given
_STRIP_ONLY, _FILM_ONLY = ("poses", "frames", "layout"), ("fps", "follow")
_SHAPES = {".png": 1 / 4, ".gif": 3 / 4, ".mp4": 3 / 4}


def _check_options(options: dict[str, Any], suffix: str, target: Path) -> None:
    """Refuse what the picture cannot use, and keep its shape where only its width or its height is asked for."""
    idle = _FILM_ONLY if suffix == ".png" else _STRIP_ONLY
    for name in idle:
        if name in options:
            kind = "a film (.gif, .mp4)" if suffix == ".png" else "a strip of poses (.png)"
            raise FormatError(f"{name} is for {kind}", target)
    if ("width" in options) != ("height" in options):
        if "width" in options:
            options["height"] = max(16, round(options["width"] * _SHAPES[suffix]))
        else:
            options["width"] = max(16, round(options["height"] / _SHAPES[suffix]))
