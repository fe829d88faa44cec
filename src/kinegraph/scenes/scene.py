"""A scene: what happens where and when. The same whether it is a TOML or JSON file or put together in Python."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from kinegraph.errors import GraphError
from kinegraph.paths.path import Path
from kinegraph.walks.request import Box, Disc

LONGEST = 600.0
"""Seconds that a scene lasts at most."""
# seconds by which two keys must lie apart
_APART = 0.1
# metres and radians by which two keys at one moment may differ and still say the same
_SAME_PLACE, _SAME_WAY = 0.01, math.radians(1.0)


@dataclass(frozen=True)
class Label:
    """From ``first`` to ``last`` seconds the motion bears a label, or several as `kinegraph.graph.expressions` has it; or does not."""

    name: str
    first: float
    last: float
    must: bool = True
    """False: it must not be borne."""
    weight: float = 1.0
    """How much a frame matters that is not as asked, against the usual."""
    may: bool = False
    """It is as good as what other labels ask for then; by itself it asks for nothing."""

    @property
    def asked(self) -> str:
        """What is asked of labels, as a text."""
        return self.name if self.must else f"!({self.name})"


@dataclass(frozen=True)
class Key:
    """At a time the root is at a place; with a heading, the body faces there."""

    time: float | None
    """Seconds; None for whenever it suits, or within the window."""
    at: tuple[float, float]
    """x and z in metres."""
    heading: float | None = None
    """Radians: 0 is +Z, π/2 is +X."""
    window: tuple[float, float] | None = None
    """Seconds between which it may be met."""
    hard: bool = True
    """Whether the finished motion is bent so that it is met; else it only draws the search."""
    weight: float = 1.0


@dataclass(frozen=True)
class Wait:
    """From ``first`` to ``last`` seconds the body stands."""

    first: float
    last: float
    weight: float = 1.0


@dataclass(frozen=True)
class PoseAt:
    """At a time a frame of a clip is shown."""

    clip: str
    frame: int
    time: float
    weight: float = 1.0


@dataclass(frozen=True)
class StrikeAt:
    """At a time a hand or foot hits a target, by a strike of a space."""

    time: float
    """Seconds."""
    target: tuple[float, float, float]
    """x, y and z in metres, in the world."""
    by: str | None = None
    """The name of a space, or a file that holds one; None for the only one there is."""


@dataclass(frozen=True)
class Pin:
    """From ``first`` to ``last`` seconds a clip is played."""

    clip: str
    first: float
    last: float
    weight: float = 1.0


@dataclass(frozen=True)
class Along:
    """From ``first`` to ``last`` seconds somebody goes along a path, evenly."""

    path: Path
    first: float
    last: float
    hard: bool = True
    """Whether its ends are met as keys are; else it only draws."""
    weight: float = 1.0


@dataclass(frozen=True)
class Scene:
    """What happens where and when; checked when it is made.

    >>> Scene(20, labels=(Label("walk", 0, 12),), keys=(Key(6, (2.0, 4.0), math.radians(90)),)).seconds
    20.0
    >>> Scene(20, keys=(Key(25, (2.0, 4.0)),))
    Traceback (most recent call last):
    kinegraph.errors.GraphError: key 1 is at 25 s, and the scene lasts 20 s: give it an earlier time, or the scene more seconds
    """

    seconds: float
    labels: tuple[Label, ...] = ()
    keys: tuple[Key, ...] = ()
    """In order of time."""
    waits: tuple[Wait, ...] = ()
    poses: tuple[PoseAt, ...] = ()
    strikes: tuple[StrikeAt, ...] = ()
    """In order of time."""
    obstacles: tuple[Disc | Box, ...] = ()
    clearance: float = 0.3
    """Metres that the root keeps away from obstacles."""
    speed: float | None = None
    """Metres a second that are wished for where nothing else says how fast."""
    without: tuple[str, ...] = ()
    """Clips that are not to be used; and transitions, each as ``clip:frame>clip:frame``."""
    pins: tuple[Pin, ...] = ()
    paths: tuple[Along, ...] = ()
    """In order of time."""
    loop: bool = False
    """Whether the end is the beginning."""
    name: str = ""
    ground: str | None = None
    """What it happens on, by name and numbers (``hill:2,10``) or as a height field's file; None for a flat floor."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not (isinstance(self.seconds, int | float) and math.isfinite(self.seconds) and self.seconds > 0):
            raise GraphError(f"a scene lasts more than 0 seconds, got {self.seconds!r}: say seconds = 20")
        if self.seconds > LONGEST:
            raise GraphError(
                f"a scene of {self.seconds:g} s is too long: {LONGEST:g} s is the most; make several scenes of it, "
                "each of which begins where the last ended"
            )
        put(self, "seconds", float(self.seconds))
        for name in ("labels", "keys", "waits", "poses", "strikes", "obstacles", "without", "pins", "paths"):
            put(self, name, tuple(getattr(self, name)))
        if self.speed is not None and not 0 < self.speed < math.inf:
            raise GraphError(f"speed: metres a second above 0, got {self.speed:g}")
        if not 0 <= self.clearance < math.inf:
            raise GraphError(f"clearance: metres, 0 or more, got {self.clearance:g}")
        put(self, "labels", tuple(self._span(f"label {n} ({one.name!r})", one) for n, one in enumerate(self.labels, 1)))
        put(self, "waits", tuple(self._span(f"wait {n}", one) for n, one in enumerate(self.waits, 1)))
        put(self, "pins", tuple(self._span(f"clip {n} ({one.clip!r})", one) for n, one in enumerate(self.pins, 1)))
        put(self, "paths", tuple(self._span(f"path {n}", one) for n, one in enumerate(self.paths, 1)))
        spans: tuple[tuple[str, tuple[Label | Wait | Pin | Along, ...]], ...] = (
            ("label", self.labels), ("wait", self.waits), ("clip", self.pins), ("path", self.paths),
        )  # fmt: skip
        for kind, some in spans:
            for number, one in enumerate(some, 1):
                _weighs(f"{kind} {number}", one.weight)
        for number, pose in enumerate(self.poses, 1):
            self._moment(f"pose {number}", pose.time)
            _weighs(f"pose {number}", pose.weight)
        self._check_obstacles()
        for number, key in enumerate(self.keys, 1):
            self._check_key(number, key)
        self._check_order()
        self._check_strikes()
        if self.loop and self.strikes:
            raise GraphError("a scene that loops cannot strike as well: leave out loop, or the strikes")
        if self.ground is not None and (self.loop or self.strikes):
            raise GraphError(
                f"ground: a scene that {'loops' if self.loop else 'strikes'} is made on a flat floor only: leave out the ground, or "
                f"{'loop' if self.loop else 'the strikes'}"
            )
        self._check_paths()

    @property
    def demands(self) -> tuple[Label, ...]:
        """What is asked of labels, once what may be is as good as what must: intervals are cut where that changes.

        >>> [(one.asked, one.first) for one in Scene(9, (Label("walk", 0, 9), Label("wave", 3, 5, may=True))).demands]
        [('walk', 0), ('(walk)|(wave)', 3), ('walk', 5)]
        """
        others = [one for one in self.labels if one.may]
        found = []
        for label in self.labels:
            cuts = sorted({end for one in others for end in (one.first, one.last) if label.first < end < label.last})
            for first, last in pairwise([label.first, *cuts, label.last] if not label.may else []):
                also = [one.asked for one in others if one.first <= first and last <= one.last]
                name = "|".join(f"({text})" for text in (label.asked, *also)) if also else label.name
                found.append(replace(label, name=name, first=first, last=last, must=label.must or bool(also)))
        return tuple(found)

    def _span(self, what: str, one: _Spanning) -> _Spanning:
        if not (math.isfinite(one.first) and one.first >= 0) or math.isnan(one.last) or one.last <= one.first:
            raise GraphError(
                f"{what} goes from {one.first:g} to {one.last:g} s: it must begin at 0 or later, and end after that"
            )
        if one.first >= self.seconds:
            raise GraphError(
                f"{what} begins at {one.first:g} s, and the scene lasts {self.seconds:g} s: let it begin earlier"
            )
        if one.last > self.seconds + 1e-9 and math.isfinite(one.last):
            raise GraphError(
                f"{what} ends at {one.last:g} s, and the scene lasts {self.seconds:g} s: let it end by then, or give the "
                "scene more seconds"
            )
        return replace(one, last=min(one.last, self.seconds))

    def _moment(self, what: str, time: float) -> None:
        if not (math.isfinite(time) and time >= 0):
            raise GraphError(f"{what} is at {time:g} s: times count from 0")
        if time > self.seconds + 1e-9:
            raise GraphError(
                f"{what} is at {time:g} s, and the scene lasts {self.seconds:g} s: give it an earlier time, or the scene "
                "more seconds"
            )

    def _check_key(self, number: int, key: Key) -> None:
        what = f"key {number}"
        if len(key.at) != 2 or not all(math.isfinite(value) and abs(value) < 1e5 for value in key.at):
            raise GraphError(f"{what}: at = [x, z] in metres, got {list(key.at)}")
        if key.heading is not None and not math.isfinite(key.heading):
            raise GraphError(f"{what}: a heading is a number of degrees, got {key.heading}")
        _weighs(what, key.weight)
        if key.time is not None:
            self._moment(what, key.time)
        if key.window is not None:
            first, last = key.window
            if not (0 <= first < last <= self.seconds + 1e-9):
                raise GraphError(
                    f"{what}: its window goes from {first:g} to {last:g} s; it must lie within the {self.seconds:g} s of "
                    "the scene, and end after it begins"
                )
            if key.time is not None and not first <= key.time <= last:
                raise GraphError(
                    f"{what} is at {key.time:g} s, which is not in its window from {first:g} to {last:g} s: leave one out"
                )
        for number, thing in enumerate(self.obstacles, 1):
            if inside(thing, *key.at, self.clearance):
                raise GraphError(
                    f"{what} is at ({key.at[0]:g}, {key.at[1]:g}), where nobody can be: obstacle {number} (at {thing.x:g}, {thing.z:g}) "
                    f"keeps the root {self.clearance:g} m away; move the key or the obstacle, or ask for less clearance"
                )

    def _check_order(self) -> None:
        timed = [(number, key) for number, key in enumerate(self.keys, 1) if key.time is not None]
        for (one, early), (two, late) in pairwise(timed):
            assert early.time is not None
            assert late.time is not None
            if late.time < early.time:
                raise GraphError(
                    f"key {two} is at {late.time:g} s, before key {one} at {early.time:g} s: put keys in order of time"
                )
            if late.time - early.time < _APART:
                if _differ(early, late):
                    raise GraphError(
                        f"keys {one} and {two} contradict each other: at {early.time:g} s they ask for "
                        f"({early.at[0]:g}, {early.at[1]:g}) and ({late.at[0]:g}, {late.at[1]:g}), or for two headings; keep one "
                        "of them, or give the other another time"
                    )
                raise GraphError(f"keys {one} and {two} say the same at {early.time:g} s: leave one out")

    def _check_strikes(self) -> None:
        for number, one in enumerate(self.strikes, 1):
            what = f"strike {number}"
            self._moment(what, one.time)
            if len(one.target) != 3 or not all(math.isfinite(value) and abs(value) < 1e5 for value in one.target):
                raise GraphError(f"{what}: target = [x, y, z] in metres, got {list(one.target)}")
        for number, (one, two) in enumerate(pairwise(self.strikes), 1):
            if two.time <= one.time:
                raise GraphError(
                    f"strike {number + 1} is at {two.time:g} s, and strike {number} at {one.time:g} s: put strikes in order of time"
                )

    def _check_paths(self) -> None:
        for number, (one, two) in enumerate(pairwise(self.paths), 1):
            if two.first < one.last:
                raise GraphError(
                    f"path {number + 1} begins at {two.first:g} s, before path {number} ends at {one.last:g} s: put one after "
                    "the other"
                )
        for number, path in enumerate(self.paths, 1):
            for other, key in enumerate(self.keys, 1):
                if key.time is None or not path.first - _APART < key.time < path.last + _APART:
                    continue
                raise GraphError(
                    f"key {other} is at {key.time:g} s, while path {number} is followed from {path.first:g} to {path.last:g} s: "
                    "the path says already where to be; leave one out"
                )

    def _check_obstacles(self) -> None:
        for number, thing in enumerate(self.obstacles, 1):
            sizes = (thing.radius,) if isinstance(thing, Disc) else (thing.width, thing.depth)
            if not all(map(math.isfinite, (thing.x, thing.z))) or not all(0 < size < math.inf for size in sizes):
                raise GraphError(f"obstacle {number} needs a place and a size above 0, got {thing}")


_Spanning = TypeVar("_Spanning", Label, Wait, Pin, Along)


def inside(thing: Disc | Box, x: float, z: float, clearance: float = 0.0) -> bool:
    """Whether a place is within an obstacle, or nearer to it than the clearance.

    >>> inside(Disc(0, 0, 1), 1.2, 0), inside(Disc(0, 0, 1), 1.2, 0, clearance=0.3), inside(Box(0, 0, 2, 1), 1.5, 0.5)
    (False, True, True)
    """
    if isinstance(thing, Disc):
        return math.hypot(x - thing.x, z - thing.z) < thing.radius + clearance
    return (
        thing.x - clearance < x < thing.x + thing.width + clearance
        and thing.z - clearance < z < thing.z + thing.depth + clearance
    )


def _differ(one: Key, two: Key) -> bool:
    apart = math.dist(one.at, two.at) > _SAME_PLACE
    if one.heading is None or two.heading is None:
        return apart
    return apart or abs(math.remainder(one.heading - two.heading, 2 * math.pi)) > _SAME_WAY


def _weighs(what: str, weight: float) -> None:
    if not 0 < weight < math.inf:
        raise GraphError(f"{what}: a weight is a number above 0, got {weight:g}")
