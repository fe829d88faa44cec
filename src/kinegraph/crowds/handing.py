"""People handed on: all of them in one file, in a folder, or as a film, each in a colour of their group."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from kinegraph.errors import FormatError
from kinegraph.formats.atomic import made_folder
from kinegraph.formats.together import holding_people, save_together
from kinegraph.motion import Motion
from kinegraph.watch import Watch, Watcher

Colour = tuple[float, float, float]

TRACKS = "tracks.csv"
"""The file beside the bodies in a folder: where everybody is, and when."""
# hue of the first group, and how far on the next one is: a golden section, so that no two come near
_HUE, _NEXT = 0.02, 0.618
# how much people of one group differ: in hue, and from the darkest to the lightest
_VARY, _DARK, _LIGHT = 0.035, 0.35, 0.85


def check_target(path: str | PathLike[str]) -> None:
    """Refuse what people cannot be written to, before anything is worked out."""
    target = Path(path)
    if target.suffix:
        missing = holding_people(target).missing()
        if missing:
            raise FormatError(missing, target)
        if target.is_dir():
            raise FormatError("this is a folder: give the name of a file", target)
    elif target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FormatError("exists already: give a folder that is new or empty", target)
    if not target.parent.is_dir():
        raise FormatError(f"there is no folder {target.parent}: make it first", target)


def save_people(
    motions: Iterable[Motion],
    path: str | PathLike[str],
    *,
    starts: Sequence[int],
    write_tracks: Callable[[Path], None],
    colours: Sequence[Colour] | None = None,
    count: int | None = None,
    watch: Watcher = None,
) -> Path:
    """Write people to a file that holds people, or to a folder: a BVH each, and their tracks.

    count: how many there are, for the watch, which is told as the stage "write".
    """
    target, watching = Path(path), Watch.of(watch)
    check_target(target)

    def told() -> Iterator[Motion]:
        for number, motion in enumerate(motions):
            watching.tell("write", number, count)
            yield motion

    save_together(told(), target, starts=starts, colours=colours)
    if not target.suffix:
        write_tracks(made_folder(target) / TRACKS)
    return target


def colours_of(groups: Sequence[int], seed: int = 0) -> list[Colour]:
    """A colour for each person, linear red, green and blue: groups differ in hue, and people of a group a little.

    >>> colours = colours_of([0, 0, 1])
    >>> len(colours), colours[0] != colours[1]
    (3, True)
    """
    random = np.random.default_rng(seed)
    found = []
    for group in groups:
        hue = (_HUE + _NEXT * group + random.normal(0.0, _VARY)) % 1.0
        red, green, blue = colorsys.hsv_to_rgb(hue, random.uniform(0.55, 0.85), random.uniform(_DARK, _LIGHT))
        found.append((red**2.2, green**2.2, blue**2.2))
    return found
