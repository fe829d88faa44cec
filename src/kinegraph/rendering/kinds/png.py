"""A strip of poses, as a PNG."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinegraph.formats.atomic import replacing
from kinegraph.formats.format import Format, Need
from kinegraph.rendering.pictures import PICTURES
from kinegraph.watch import Watch, Watcher

if TYPE_CHECKING:
    from kinegraph.motion import Motion


def write(motion: Motion, path: str | PathLike[str], *, watch: Watcher = None, **options: Any) -> None:
    """Write a strip of poses; options are those of `strip`."""
    from kinegraph.rendering.strips import strip

    picture = strip(motion, **options)
    with replacing(Path(path)) as temporary:
        picture.save(temporary, format="PNG", optimize=True)
    Watch.of(watch).tell("draw", 1, 1)


PICTURES.register(
    Format(
        name="PNG",
        suffixes=(".png",),
        use="Poses for print.",
        help="A strip of poses, for print and reports.",
        codec=__name__,
        reads=False,
        options=("poses", "frames", "layout", "width", "height", "view", "marks"),
        titles={".png": "picture of poses"},
        needs=Need.extra("render", "PIL"),
        shown=11,
    ),
    place=4,
)
