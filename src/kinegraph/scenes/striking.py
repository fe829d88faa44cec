"""The strikes of a scene: each becomes a clip of the graph, in memory, with ways into it and out of it, and a key where it hits.

A search then finds its way through them as through all other clips. That the hit is at its moment is asked of the clock, as a pose is;
that it is at its place, of a key that holds for the hand or foot instead of the root, from whichever direction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import SpaceError, Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.openings import BLEND, laid
from kinegraph.people.spaces import Given, Spaces
from kinegraph.people.stances import stances
from kinegraph.scenes.approach import STEP, Blow, Spot, stand_for
from kinegraph.scenes.entries import entries
from kinegraph.scenes.scene import Key, Scene, StrikeAt, inside
from kinegraph.strikes.joining.clip import StrikeClip, aimed
from kinegraph.strikes.joining.splice import with_clips
from kinegraph.strikes.joining.ways import Way
from kinegraph.strikes.space import Reach, Space
from kinegraph.walks.choice import frame_starts
from kinegraph.walks.tables import FACING_X, FACING_Z, tables

Avoided = tuple[tuple[int, float], ...]
"""Strikes by their number in the scene, and how their spaces lay, in radians, when they could not be struck."""
HIT = 0.01
"""Metres within which a target is hit."""
# seconds of a transition from one strike to the next: at least, and as long as is usual
_QUICK, _USUAL = 0.25, BLEND
# what it costs a frame, in those without their label, not to strike when it is time, or to strike when it is not; and how much
# more the moment of the hit matters
_LACKS, _HITS = 8.0, 12.0
# frames by which the hit may be off before it is none at all
_NEAR = 8
# how much a hit matters against a key
_WEIGHT = 2.0


@dataclass(frozen=True)
class StrikeKey(Key):
    """A key that holds for the hand or foot at the hit."""

    left: float = 0.0
    """Metres to the left of the root, by where the body faces, at which the hit is."""
    ahead: float = 0.0
    """And ahead of it."""
    faces: float = 0.0
    """Radians: where the body faces at the hit, if it comes from where it seems best."""
    towards: float = 0.0
    """Radians: where it faced before, and came from."""
    number: int = 0
    """Which strike of the scene."""

    @property
    def root(self) -> tuple[float, float]:
        """Where the root then is."""
        sine, cosine = math.sin(self.faces), math.cos(self.faces)
        return (
            self.at[0] - self.ahead * sine - self.left * cosine,
            self.at[1] - self.ahead * cosine + self.left * sine,
        )


@dataclass(frozen=True, eq=False)
class PlannedStrike:
    """A strike of a scene as a clip."""

    asked: StrikeAt
    space: Space
    clip: StrikeClip
    reach: Reach
    moment: int
    """The frame of the motion at which it hits."""
    place: FloorTransform
    """Where the space lies, if it is struck from where that seems best."""
    linked: bool
    """Whether it follows the strike before it without the graph between."""


@dataclass(frozen=True, eq=False)
class StruckGraph:
    """A graph with the strikes of a scene in it."""

    graph: MotionGraph
    strikes: tuple[PlannedStrike, ...]

    def frames(self) -> Bools:
        """``(F,)``, over all clips laid in a row: which are of strikes."""
        found = np.zeros(int(frame_starts(self.graph)[-1]), bool)
        for one in self.strikes:
            found[self._rows(one)] = True
        return found

    def _rows(self, one: PlannedStrike) -> slice:
        first = int(frame_starts(self.graph)[self.graph.clip_index[one.clip.clip.name]])
        return slice(first, first + len(one.clip.clip))

    def wishes(self, frames: int) -> tuple[list[tuple[Array, Bools]], list[tuple[Array, Bools]]]:
        """What is asked of frames of clips ``(F,)``, 0 where it is so, and at which of the moments 0 … ``frames``: that strikes be in
        time; and that they be at no other time.
        """
        count = int(frame_starts(self.graph)[-1])
        time, rows = np.arange(frames + 1), np.arange(count)
        when: list[tuple[Array, Bools]] = []
        never: list[tuple[Array, Bools]] = []
        for one in self.strikes:
            own, strike, m = self._rows(one), one.clip, one.moment
            other = np.full(count, _LACKS)
            other[own] = 0.0
            when.append((other, (time >= m + strike.latest - strike.hit) & (time < m + strike.earliest - strike.hit)))
            for shift in (-1, 0, 1):
                away = np.minimum(np.abs(rows - own.start - strike.hit - shift) / _NEAR, 1.0)
                when.append((_HITS * away, time == m + shift))
            early, late = m - strike.hit - _NEAR, m + len(strike.clip) - strike.hit + _NEAR
            never.append((_LACKS - other, (time < early) | (time > late)))
        return when, never

    def keys(self) -> tuple[StrikeKey, ...]:
        """Where the hits are to be."""
        held, starts = tables(self.graph), frame_starts(self.graph)
        found = []
        for number, one in enumerate(self.strikes):
            strike = one.clip
            row = int(starts[self.graph.clip_index[strike.clip.name]]) + strike.hit
            x, _, z = strike.clip.motion.positions[strike.hit, strike.end] - np.array(
                [held.track[row, 0], 0.0, held.track[row, 1]]
            )
            sine, cosine = held.steer[row, FACING_X], held.steer[row, FACING_Z]
            faces = one.place.angle + math.atan2(sine, cosine)
            ready = one.place.angle + float(strike.clip.motion[strike.held : strike.held + 1].heading()[0])
            # a chain hits all its targets from one side only
            chained = one.linked or (number + 1 < len(self.strikes) and self.strikes[number + 1].linked)
            found.append(
                StrikeKey(
                    one.asked.time,
                    (one.asked.target[0], one.asked.target[2]),
                    faces if chained else None,
                    None,
                    True,
                    _WEIGHT,
                    float(x * cosine - z * sine),
                    float(x * sine + z * cosine),
                    faces,
                    ready,
                    number,
                )
            )
        return tuple(found)


def spaces_of(scene: Scene, given: Given | Spaces | None) -> tuple[Space, ...]:
    """The space of each strike of a scene, out of those ``given`` or from the files that are named."""
    known = given if isinstance(given, Spaces) else Spaces(given)
    files: dict[str, Spaces] = {}
    found = []
    for number, one in enumerate(scene.strikes, 1):
        try:
            found.append(_space(one.by, known, files))
        except SpaceError as error:
            raise SpaceError(f"strike {number}: {error}") from None
    return tuple(found)


def _space(by: str | None, known: Spaces, files: dict[str, Spaces]) -> Space:
    if by is None:
        if len(known.names) == 1:
            return known[known.names[0]]
        there = f"there are {', '.join(map(repr, known.names))}" if known.names else "the graph's file holds none"
        raise SpaceError(f'say by which space, by = "right punch"; {there}')
    if by in known.names:
        return known[by]
    file, _, name = by.rpartition(":") if ".mog:" in by else (by, "", "")
    if Path(file).suffix == ".mog":
        inside = files.setdefault(file, Spaces(file))
        if not name and len(inside.names) != 1:
            raise SpaceError(
                f"{file} holds {', '.join(map(repr, inside.names)) or 'no space'}: say which, as in {file}:NAME"
            )
        return inside[name or inside.names[0]]
    return known[by]


@lru_cache(maxsize=4)
def strikes_in(
    graph: MotionGraph, scene: Scene, spaces: tuple[Space, ...], fastest: float, avoided: Avoided = ()
) -> StruckGraph:
    """The graph with the strikes of a scene in it, or why they cannot be: `Unsatisfied`. fastest: m/s of the fastest clips.
    avoided: stances that did not do. Kept for those used last, since variations of a scene have the same.
    """
    fps = graph.fps
    blows = [_blow(number, one, space) for number, (one, space) in enumerate(zip(scene.strikes, spaces, strict=True))]
    planned: list[PlannedStrike] = []
    ways: list[Way] = []
    number = 0
    while number < len(blows):
        came = _spot_before(scene, number, planned)
        tried = [angle for which, angle in avoided if which == number]
        chain, places = _chain(graph, scene, spaces, blows, number, came, fastest, tried)
        for k, place in enumerate(places):
            _stands_free(scene, number + k, place)
            one = _as_clip(graph, scene.strikes[number + k], spaces[number + k], place, number + k, k > 0)
            if k:
                ways.append(_link(planned[-1], one, number + k, fps))
            planned.append(one)
        _in_time(planned, number, fastest, fps)
        number += chain
    numbered = [(n, one.clip) for n, one in enumerate(planned)]
    enter = [numbered[n] for n, one in enumerate(planned) if not one.linked]
    leave = [numbered[n] for n in range(len(planned)) if n + 1 == len(planned) or not planned[n + 1].linked]
    ways += entries(graph, enter, leave)
    # who strikes at once begins in the ready pose
    points = [(one.clip.clip.name, frame) for one in planned[:1] for frame in range(0, one.clip.held + 1, 3)]
    return StruckGraph(with_clips(graph, [one.clip.clip for one in planned], ways, points), tuple(planned))


def _blow(number: int, asked: StrikeAt, space: Space) -> Blow:
    from kinegraph.strikes import told

    try:
        return Blow(stances(space, asked.target), math.radians(told.facing_degrees(space)))
    except SpaceError as error:
        raise Unsatisfied(f"strike {number + 1} (at {asked.time:g} s) is out of reach: {error}") from None


def _stands_free(scene: Scene, number: int, place: FloorTransform) -> None:
    """Refuse a target to which all stances lie in obstacles."""
    for other, thing in enumerate(scene.obstacles, 1):
        if inside(thing, place.x, place.z, scene.clearance):
            raise Unsatisfied(
                f"strike {number + 1} (at {scene.strikes[number].time:g} s) is out of reach: wherever it could be struck from, "
                f"obstacle {other} (at {thing.x:g}, {thing.z:g}) keeps the body {scene.clearance:g} m away; move one of them, or ask "
                "for less clearance"
            )


def _spot_before(scene: Scene, number: int, planned: Sequence[PlannedStrike]) -> Spot | None:
    """Where somebody is last before a strike."""
    time = scene.strikes[number].time
    spots: list[tuple[float, Spot]] = [
        (key.time, Spot(*key.at, key.heading, time - key.time))
        for key in scene.keys
        if key.time is not None and key.time < time
    ]
    for one in planned[-1:]:
        then = one.asked.time
        spots.append((then, Spot(one.place.x, one.place.z, one.place.angle, time - then)))
    return max(spots, key=lambda one: one[0])[1] if spots else None


def _spot_after(scene: Scene, number: int) -> Spot | None:
    """Where somebody is next after a strike."""
    time = scene.strikes[number].time
    spots = [
        (key.time, Spot(*key.at, key.heading, key.time - time))
        for key in scene.keys
        if key.time is not None and key.time > time
    ]
    for one in scene.strikes[number + 1 : number + 2]:
        spots.append((one.time, Spot(one.target[0], one.target[2], None, one.time - time)))
    return min(spots, key=lambda one: one[0])[1] if spots else None


def _chain(
    graph: MotionGraph,
    scene: Scene,
    spaces: Sequence[Space],
    blows: Sequence[Blow],
    first: int,
    came: Spot | None,
    fastest: float,
    avoided: Sequence[float],
) -> tuple[int, list[FloorTransform]]:
    """How many strikes from ``first`` on are thrown in a chain, and where the space of each lies."""
    count = 1
    while first + count < len(blows) and _soon(graph, scene, spaces, first + count):
        count += 1
    while True:
        between = [_settled(spaces[n - 1], spaces[n], graph) for n in range(first + 1, first + count)]
        places, apart = stand_for(
            blows[first : first + count], between, scene, came, _spot_after(scene, first + count - 1), fastest, avoided
        )
        if apart <= STEP or count == 1:
            return count, places
        count -= 1


def _lengths(space: Space) -> tuple[float, float]:
    """Seconds from the ready pose to the hit, and from there back, of the slowest strikes of a space."""
    times = space.examples.times
    return float(-times[:, 0].min()), float(times[:, -1].max())


def _soon(graph: MotionGraph, scene: Scene, spaces: Sequence[Space], number: int) -> bool:
    """Whether a strike follows that before it too soon to walk in between."""
    gap = scene.strikes[number].time - scene.strikes[number - 1].time
    back, way = _lengths(spaces[number - 1])[1], _lengths(spaces[number])[0]
    window = graph.record.parameters.window
    # what is held before and after a strike is as long as this, and more than that nobody stands and waits
    return gap <= back + way + 2.0 * window + 0.5


@lru_cache(maxsize=16)
def _settled(one: Space, two: Space, graph: MotionGraph) -> FloorTransform:
    """How the space of a strike lies on that of the strike before it, for somebody who stays where he is."""
    if one is two:
        return FloorTransform()
    ready = []
    for space in (one, two):
        reach = aimed(space, space.region.corners.mean(axis=0), graph)
        ready.append(reach.motion[:2])
    return laid(*ready)[1]


def _as_clip(
    graph: MotionGraph, asked: StrikeAt, space: Space, place: FloorTransform, number: int, linked: bool
) -> PlannedStrike:
    from kinegraph.strikes import told

    local = place.inverse().apply(np.array(asked.target))
    reach = aimed(space, local, graph)
    if reach.miss > HIT:
        raise Unsatisfied(
            f"strike {number + 1} (at {asked.time:g} s) is out of reach: {space.name!r} misses {told.point(asked.target)} by "
            f"{100 * reach.miss:.0f} cm from where it would be struck"
        )
    name = f"{space.name} {number + 1} at {told.point(asked.target)}"
    reach = replace(reach, motion=reach.motion.renamed(name))
    strike = StrikeClip.of(reach, space, graph)
    return PlannedStrike(asked, space, strike, reach, round(asked.time * graph.fps), place, linked)


def _link(one: PlannedStrike, two: PlannedStrike, number: int, fps: float) -> Way:
    """The transition from a strike to the next, timed so that both hits are when they should be."""
    a, b = one.clip, two.clip
    gap = two.moment - one.moment
    least = (a.earliest - a.hit) + round(_QUICK * fps) + (b.hit - b.latest)
    if gap < least:
        raise Unsatisfied(
            f"strike {number + 1} (at {two.asked.time:g} s) comes {gap / fps:.2f} s after the strike before it: from one hit to the next "
            f"it takes at least {least / fps:.2f} s"
        )
    length = round(_USUAL * fps)
    # leave when it is over, arrive in the ready pose; sooner and later as time allows
    leave, arrive = max(a.earliest, len(a.clip) - a.held - length), b.held
    spare = gap - ((leave - a.hit) + length + (b.hit - arrive))
    for _ in range(10 * length):
        if spare == 0:
            break
        if spare < 0:
            if arrive < b.latest and (leave <= a.earliest or spare % 2):
                arrive, spare = arrive + 1, spare + 1
            elif leave > a.earliest:
                leave, spare = leave - 1, spare + 1
            else:
                length, spare = length - 1, spare + 1
        elif leave + length < len(a.clip) and (arrive <= length or spare % 2):
            leave, spare = leave + 1, spare - 1
        elif arrive > length:
            arrive, spare = arrive - 1, spare - 1
        else:
            break
    lies = one.place.inverse() @ two.place
    cost, _ = laid(a.clip.motion[leave : leave + length], b.clip.motion[arrive - length : arrive])
    return Way(a.clip.name, leave, b.clip.name, arrive, length, cost, True, lies)


def _in_time(planned: Sequence[PlannedStrike], first: int, fastest: float, fps: float) -> None:
    """Refuse strikes that come too soon after the beginning or after the strike before them."""
    one = planned[first]
    strike = one.clip
    if first == 0:
        least = strike.hit - strike.held
        if one.moment < least:
            raise Unsatisfied(
                f"strike 1 is at {one.asked.time:g} s, and takes {least / fps:.2f} s from its ready pose to the hit: let it be later"
            )
        return
    before = planned[first - 1]
    far = math.hypot(one.place.x - before.place.x, one.place.z - before.place.z)
    blends = (before.clip.earliest - before.clip.hit) / fps + (strike.hit - strike.latest) / fps + 2.0 * BLEND
    least_seconds = blends + max(far - 1.0, 0.0) / fastest
    seconds = (one.moment - before.moment) / fps
    if seconds < least_seconds:
        raise Unsatisfied(
            f"strike {first + 1} (at {one.asked.time:g} s) is {far:.1f} m from where strike {first} is struck from, {seconds:.1f} s "
            f"before: to get there takes {least_seconds:.1f} s; let it be later, or nearer"
        )
