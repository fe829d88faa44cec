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
