"""What is asked of a path search: the path, and how it is to be followed. Checked before any search begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from kinegraph.errors import GraphError
from kinegraph.paths.path import Path
from kinegraph.paths.reading import as_path
from kinegraph.walks.begin import Start
from kinegraph.wishes import check, wish

SEARCHES = ("fast", "exact")
MEASURES = ("progress", "arc")
FACINGS = ("along", "any")
# seconds that anybody may be asked to stand, and metres that two stops are apart at least
LONGEST_PAUSE, APART = 600.0, 0.5

LONGEST = 5000.0
"""Metres of a path: its walk lasts an hour, and its frames fit into memory."""


@dataclass(frozen=True)
class Section:
    """From ``first`` to ``last`` metres along the path, the motion bears ``label``."""

    first: float
    last: float
    label: str


@dataclass(frozen=True)
class Pause:
    """At ``at`` metres along the path, the walker comes to rest and stands for ``seconds``."""

    at: float
    seconds: float


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
    """A path to be followed, and how. Checked when it is made: a search never begins with what cannot be."""

    path: Path = wish(
        "line:8, circle:3, eight:3, square:6, wave:12,1.5, drawn:60; points 'x,z x,z …' in metres; or a file: .json, .csv, .svg.",
        form="path",
        metavar="PATH",
    )
    label: str | None = wish(
        "Keep to this label all the way; several are said walk+happy, walk|run, !run.", default=None
    )
    sections: Sequence[Section] = wish(
        "Labels by metres along the path, without holes or overlaps: 0-5:walk,5-12:run,12-:walk.",
        default=(),
        form="sections",
        metavar="TEXT",
    )
    zone: float | None = wish(
        "Metres before and after a border of sections in which anything may be played, at most half of a section.",
        default=None,
        unit="m",
        least=0.0,
        served=(0.0, 100.0),
        usual="as few as the clips need to change over",
    )
    pause: Sequence[Pause] = wish(
        "Stand still: metres along the path and for how many seconds, 5:2,9:1.5.",
        default=(),
        form="pauses",
        metavar="M:S",
    )
    # as long as keeping to the clip costs no more than that, root mean square over the horizon (Dirican 4.2.1)
    prefer: Mapping[str, float] = wish(
        "Keep to a clip as long as it costs no more than that many cm.",
        factory=dict,
        unit="cm",
        form="margins",
        metavar="CLIP=CM",
        served=(0.0, 10_000.0),
    )
    avoid: Sequence[str] = wish(
        "Transitions that are taken only where there is hardly another way on: clip:frame>clip:frame, as results tell them.",
        default=(),
        form="names",
        metavar="TEXT",
    )
    obstacles: Sequence[Disc | Box] = wish("What nobody may walk through.", default=(), form="obstacles")
    clearance: float = wish(
        "Metres that the root keeps from obstacles.", default=0.3, unit="m", least=0.0, served=(0.0, 100.0)
    )
    start: Start | None = wish(
        "Clip or label to begin with; CLIP@FRAME for a frame of a clip.",
        default=None,
        metavar="NAME",
        usual="the best place of all",
    )
    heading: float | None = wish(
        "Degrees the body faces at first: 0 is +Z, 90 to the left, +X.", default=None, unit="°", form="degrees"
    )
    facing: str = wish(
        "Face along the path, or as a label that is asked for does; or any way.", default="along", choices=FACINGS
    )
    end_heading: float | None = wish("Degrees it is to face at the end.", default=None, unit="°", form="degrees")
    speed: float | None = wish(
        "Metres a second that are wished for.", default=None, unit="m/s", least=0.01, served=(0.05, 20.0)
    )
    limit: float | None = wish(
        "Seconds that the walk may take.", default=None, unit="s", least=0.1, served=(0.1, 3600.0)
    )
    search: str = wish(
        "fast, or exact: branch and bound, the best there is within each horizon.", default="fast", choices=SEARCHES
    )
    horizon: float | None = wish(
        "Seconds looked ahead.",
        default=None,
        unit="s",
        least=0.1,
        served=(1.0, 30.0),
        usual="fast 6, with sections 10; exact 2",
    )
    keep: float = wish(
        "Seconds of them that are settled at a time.", default=1.0, unit="s", least=0.05, served=(0.05, 30.0)
    )
    width: int = wish("Fast: walks kept at a time.", default=300, least=1, served=(1, 3000))
    # for each square metre of its cost, where a frame (of 1/30 s) costs its squared deviation in square metres
    price: float = wish(
        "What transitions cost against deviation; more, and there are fewer.",
        default=45.0,
        least=0.0,
        served=(0.0, 1e6),
    )
    gap: float = wish(
        "Seconds of untouched motion between transitions, where there is another way on.",
        default=0.2,
        unit="s",
        least=0.0,
        served=(0.0, 30.0),
    )
    bend: float = wish(
        "How far clips may be bent to keep to the path: 0 not at all, 1 as far as a body bears.",
        default=1.0,
        least=0.0,
        most=1.0,
    )
    # so that nobody stands still for ever (Dirican's γ)
    least: float = wish(
        "Metres a second that count as progress even where there is less.",
        default=0.6,
        unit="m/s",
        least=0.01,
        served=(0.05, 20.0),
    )
    measure: str = wish(
        "To which point of the path a frame belongs: by progress along it, or by arc length as in the thesis.",
        default="progress",
        choices=MEASURES,
    )

    def __post_init__(self) -> None:
        put = partial(object.__setattr__, self)
        put("path", _on_floor(self.path))
        if isinstance(self.sections, str):
            put("sections", parse_sections(self.sections, self.path.length))
        if isinstance(self.pause, str):
            put("pause", parse_pauses(self.pause))
        if isinstance(self.avoid, str):
            put("avoid", [one.strip() for one in self.avoid.split(",")])
        check(self, GraphError)
        if self.path.length > LONGEST:
            raise GraphError(
                f"the path is {self.path.length:,.0f} m long: at most {LONGEST:,.0f} m are followed at once; cut it into pieces"
            )
        if self.keep > self.seen:
            raise GraphError(f"keep ({self.keep:g} s) must not be longer than the horizon ({self.seen:g} s)")
        for name, margin in self.prefer.items():
            if not 0 <= margin < np.inf:
                raise GraphError(f"the margin of {name!r} must be 0 cm or more, got {margin:g}")
        if self.label is not None and self.sections:
            raise GraphError("give a label for the whole path, or sections with labels, not both")
        put("sections", _checked_sections(self.sections, self.path.length))
        put("pause", _checked_pauses(self.pause, self.path.length))
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
        return 10.0 if self.sections or self.pause else 6.0


def _on_floor(path: Path | str) -> Path:
    """The path without heights: a graph's clips are on the level."""
    found = as_path(path)
    return found if found.heights is None else Path(found.points, name=found.name)


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


def parse_pauses(text: str) -> list[Pause]:
    """Pauses from ``5:2,9:1.5``: metres along the path, and seconds.

    >>> parse_pauses("5:2,9:1.5")
    [Pause(at=5.0, seconds=2.0), Pause(at=9.0, seconds=1.5)]
    """
    found = []
    for part in text.split(","):
        at, _, seconds = part.partition(":")
        try:
            found.append(Pause(float(at), float(seconds)))
        except ValueError:
            raise GraphError(f"cannot understand pause {part!r}: expected metres and seconds, such as 5:2") from None
    return found


def _checked_pauses(given: Sequence[Pause], length: float) -> tuple[Pause, ...]:
    pauses = sorted(given, key=lambda pause: pause.at)
    for pause in pauses:
        if not 0 < pause.seconds <= LONGEST_PAUSE:
            raise GraphError(
                f"a pause lasts more than 0 and at most {LONGEST_PAUSE:g} seconds, got {pause.seconds:g} at {pause.at:g} m"
            )
        if not 0 <= pause.at <= length + 0.01:
            raise GraphError(f"a pause at {pause.at:g} m is not on the path, which is {length:.2f} m long")
    for one, two in pairwise(pauses):
        if two.at - one.at < APART:
            raise GraphError(f"pauses at {one.at:g} and {two.at:g} m are less than {APART:g} m apart: make them one")
    return tuple(pauses)


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
