"""A page that plays the motion."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.formats.format import Format, Need
from kinegraph.rendering.pictures import PICTURES
from kinegraph.watch import Watch, Watcher

if TYPE_CHECKING:
    from kinegraph.motion import Motion


def write(motion: Motion, path: str | PathLike[str], *, watch: Watcher = None, **options: Any) -> None:
    """Write the page; options are those of `kinegraph.player.write`."""
    from kinegraph import player

    player.write(motion, path, **options)
    Watch.of(watch).tell("draw", 1, 1)


def _missing() -> str | None:
    from kinegraph.player import page

    return None if page.is_built() else page.NOT_BUILT


PICTURES.register(
    Format(
        name="Player",
        suffixes=(".html",),
        use="A page that plays it.",
        help="One page that plays the motion in any browser, with no network.",
        codec=__name__,
        reads=False,
        options=("fps", "title", "mesh"),
        titles={".html": "HTML player"},
        needs=Need("the player's script", _missing),
        shown=8,
    ),
    place=1,
)
