"""What is asked of a path search: the path, and how it is to be followed. Checked before any search begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from kinegraph.errors import GraphError
from kinegraph.paths.path import Path
from kinegraph.walks.begin import Start

SEARCHES = ("fast", "exact")
MEASURES = ("progress", "arc")


@dataclass(frozen=True)
class Section:
    """From ``first`` to ``last`` metres along the path, the motion bears ``label``."""

    first: float
    last: float
    label: str


@dataclass(frozen=True)
class Disc:
    """A round obstacle: no root may come within ``radius`` metres of ``(x, z)``."""

    x: float
    z: float
    radius: float


@dataclass(frozen=True)
class Box:
    """An obstacle with sides along the axes, from ``(x, z)`` to ``(x + width, z + depth)``."""

    x: float
    z: float
    width: float
    depth: float


@dataclass(frozen=True)
class Request:
    """A path to be followed.

    search: ``fast`` (a beam) or ``exact`` (branch and bound within the horizon). horizon: seconds looked ahead before
    the first ``keep`` of them are settled; 6 for fast, 10 where there are sections, 2 for exact. width: walks kept at a
    time by ``fast``. price: what a transition costs, for each square metre of its cost, where a frame (of 1/30 s) costs
    its squared deviation in square metres. gap: seconds between the end of a transition and the next, where there is
    another way on. least: metres a second that count as progress even where there is less, so that nobody stands still
    for ever (Dirican's γ). measure: to which point of the path a frame belongs, see `course`.

    start: a clip, a clip and a frame, or a label to begin with; the best place of all unless given. heading: radians in
    which the body faces at first. label: for the whole path. sections: for parts of it, without holes or overlaps.
    zone: metres before and after the border of two sections within which the motion may be anything, to get from the
    one to the other, and never more than half of a section. prefer: clip → margin in centimetres: as long as keeping to
    that clip costs no more than that, root mean square over the horizon, it is kept to (Dirican 4.2.1). obstacles:
    discs and boxes; clearance: metres that the root keeps from them. speed: metres a second that are wished for.
    end_heading: radians in which the body is to face at the end. limit: seconds that the walk may take.
    """

    path: Path
    search: str = "fast"
    horizon: float | None = None
    keep: float = 1.0
    width: int = 300
    price: float = 45.0
    gap: float = 0.2
    least: float = 0.6
    measure: str = "progress"
    start: Start | None = None
    heading: float | None = None
    label: str | None = None
    sections: Sequence[Section] = ()
    zone: float = 2.5
    prefer: Mapping[str, float] = field(default_factory=dict)
    obstacles: Sequence[Disc | Box] = ()
    clearance: float = 0.3
    speed: float | None = None
    end_heading: float | None = None
    limit: float | None = None

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise GraphError(f"unknown search {self.search!r}: expected {' or '.join(SEARCHES)}")
        if self.measure not in MEASURES:
            raise GraphError(f"unknown measure {self.measure!r}: expected {' or '.join(MEASURES)}")
        for name, value, least in (
            ("horizon", self.horizon, 0.1), ("keep", self.keep, 0.05), ("width", self.width, 1), ("price", self.price, 0.0),
            ("gap", self.gap, 0.0), ("least", self.least, 0.01), ("zone", self.zone, 0.0), ("clearance", self.clearance, 0.0),
            ("speed", self.speed, 0.01), ("limit", self.limit, 0.1),
        ):  # fmt: skip
            if value is not None and not least <= value < np.inf:
                raise GraphError(f"{name} must be a number of at least {least:g}, got {value:g}")
        if int(self.width) != self.width:
            raise GraphError(f"width must be a whole number, got {self.width:g}")
        for name, angle in (("heading", self.heading), ("end_heading", self.end_heading)):
            if angle is not None and not np.isfinite(angle):
                raise GraphError(f"{name} must be a number, got {angle}")
        if self.keep > self.seen:
            raise GraphError(f"keep ({self.keep:g} s) must not be longer than the horizon ({self.seen:g} s)")
        for name, margin in self.prefer.items():
            if not 0 <= margin < np.inf:
                raise GraphError(f"the margin of {name!r} must be 0 cm or more, got {margin:g}")
        if self.label is not None and self.sections:
            raise GraphError("give a label for the whole path, or sections with labels, not both")
        object.__setattr__(self, "sections", _checked_sections(self.sections, self.path.length))
        for thing in self.obstacles:
            sizes = (thing.radius,) if isinstance(thing, Disc) else (thing.width, thing.depth)
            if not all(np.isfinite([thing.x, thing.z])) or not all(0 < size < np.inf for size in sizes):
                raise GraphError(f"an obstacle needs a place and a size above 0, got {thing}")

    @property
    def seen(self) -> float:
        """Seconds of the horizon."""
        if self.horizon is not None:
            return self.horizon
        if self.search == "exact":
            return 2.0
        # the few ways from one label to another must be seen from afar
        return 10.0 if self.sections else 6.0


def parse_sections(text: str, length: float) -> list[Section]:
    """Sections from ``0-5:walk,5-12:run,12-:sneak``; an open end is the path's.

    >>> parse_sections("0-5:walk,5-:run", 12.0)
    [Section(first=0.0, last=5.0, label='walk'), Section(first=5.0, last=12.0, label='run')]
    """
    found = []
    for part in text.split(","):
        span, colon, label = part.partition(":")
        first, dash, last = span.partition("-")
        try:
            ends = float(first or 0.0), float(last) if last.strip() else length
        except ValueError:
            ends = (np.nan, np.nan)
        if not (colon and dash and label.strip()) or np.isnan(ends).any():
            raise GraphError(f"cannot understand section {part!r}: expected metres and a label, such as 0-5:walk")
        found.append(Section(*ends, label.strip()))
    return found


def _checked_sections(given: Sequence[Section], length: float) -> tuple[Section, ...]:
    sections = sorted(given, key=lambda section: section.first)
    for section in sections:
        if not section.first < section.last:
            raise GraphError(f"section {section.first:g}-{section.last:g}:{section.label} has no length")
    for one, two in pairwise(sections):
        if two.first > one.last + 1e-6:
            raise GraphError(f"between {one.last:g} and {two.first:g} m no section says which label: close the hole")
        if two.first < one.last - 1e-6:
            raise GraphError(f"sections {one.label!r} and {two.label!r} overlap from {two.first:g} to {one.last:g} m")
    if sections and sections[0].first > 1e-6:
        raise GraphError(f"before {sections[0].first:g} m no section says which label: begin at 0")
    if sections and sections[-1].last < length - 0.01:
        raise GraphError(f"after {sections[-1].last:g} m no section says which label: the path is {length:.2f} m long")
    return tuple(sections)
