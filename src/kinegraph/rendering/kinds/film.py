"""Films of a motion: GIF and MP4."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.formats.format import Format, Need
from kinegraph.rendering.pictures import PICTURES

if TYPE_CHECKING:
    from kinegraph.motion import Motion

_OPTIONS = ("fps", "width", "height", "view", "follow")


def write(motion: Motion, path: str | PathLike[str], **options: Any) -> None:
    """Write a film; options are those of `film`."""
    from kinegraph.rendering.films import film

    film(motion, path, **options)


PICTURES.register(
    Format(
        name="GIF",
        suffixes=(".gif",),
        use="A film for any page.",
        help="A film that plays anywhere, also where no films are allowed.",
        codec=__name__,
        reads=False,
        options=_OPTIONS,
        titles={".gif": "GIF film"},
        slow=True,
        needs=Need.extra("render", "PIL"),
        shown=10,
    ),
    place=2,
)
PICTURES.register(
    Format(
        name="MP4",
        suffixes=(".mp4",),
        use="A film for slides.",
        help="A film for slides and messages.",
        codec=__name__,
        reads=False,
        options=_OPTIONS,
        titles={".mp4": "MP4 film"},
        slow=True,
        needs=Need.extra("render", "imageio_ffmpeg"),
        shown=9,
    ),
    place=3,
)
