"""The guide of a scene: a curve over the floor through all keys, and how far along it somebody is to be at every moment.

Between two keys it is chosen among many ways (cubic curves, arcs with a straight line between, both with a swerve) that
whose length suits the time, and that bends gently.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array
from kinegraph.paths.path import Path
from kinegraph.walks.detour import detour

STEP = 0.02
"""Metres from one point of a guide to the next."""
# points of a way that is looked at
_POINTS = 65
# of cubic curves: lengths of their tangents, as shares of the distance; of arcs: their radii in metres
_TANGENTS, _RADII = (0.6, 1.0, 1.4, 2.0, 3.0), (0.5, 0.8, 1.2, 2.0, 3.0, 4.5)
# swerves to the side, as shares of the distance that time allows beyond the shortest way
_SWERVES = (0.0, 0.25, -0.25, 0.45, -0.45, 0.7, -0.7)
# what it costs to be too slow or too fast for the clips (by the square of the share), to bend (by the square of the
# curvature times metres), and to bend tighter than this radius
_OFF_PACE, _BENDING, _TOO_TIGHT, _TIGHTEST = 60.0, 0.25, 6.0, 0.6
# what it costs to be off the usual pace, and to be so by more than can be made up for by playing clips slower or faster: who is asked
# to run for a while and has little way to go runs a bow
_UNUSUAL, _STRANGE, _PLAYED = 3.0, 12.0, 0.2
# and to be slower than usual at most, where somebody may stand
_IDLE = 1.0
# curvatures, 1/m, of what leads to the first key and away from the last, in the order in which they are tried
_LEADS = (0.0, 0.15, -0.15, 0.3, -0.3, 0.5, -0.5, 0.8, -0.8)
# times as far as usual that the guide goes on after the last key
_BEYOND = 1.3
# metres: who has to go so far to be back where he was goes round a circle
_ROUND = 2.0
# metres: keys nearer than this are one place
_ONE_PLACE = 0.05


class Hit(NamedTuple):
    """Where a hand or foot is to be when the guide goes through an anchor."""

    x: float
    z: float
    heading: float | None
    """Of the body, in radians."""
    left: float
    """Metres to the left of the root, by where the body faces, at which the hand or foot then is."""
    ahead: float
    """And ahead of it."""


@dataclass(frozen=True)
class Anchor:
    """A place that the guide goes through."""

    frame: int
    """The moment at which it is to be there."""
    x: float
    z: float
    heading: float | None
    free: float = 0.1
    """Metres by which it may be missed for nothing, since the finish makes up for them."""
    weight: float = 1.0
    """How much it matters."""
    hit: Hit | None = None
    """For a strike: what is to be where, instead of the root."""


@dataclass(frozen=True, eq=False)
class Pacing:
    """Metres that can be gone by every moment 0 … T, ``(T + 1,)`` each: at least, as usual, and at most."""

    low: Array
    usual: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Guide:
    """Where to be, and when."""

    points: Array
    """``(M, 2)``: the curve."""
    step: float
    """Metres from one point to the next."""
    due: Array
    """``(T + 1,)``: metres along it at every moment."""
    arcs: Array
    """``(K,)``: metres along it of each anchor."""


def make_guide(
    anchors: Sequence[Anchor], pacing: Pacing, discs: Array, boxes: Array, given: Mapping[int, Array] | None = None
) -> Guide:
    """The guide through anchors, in order of time. given: the points ``(P, 2)`` between an anchor, by its number, and the next, where these
    are asked for; they are gone along evenly.
    """
    given = given or {}
    last = len(pacing.usual) - 1
    if not anchors:
        anchors = [Anchor(0, 0.0, 0.0, 0.0)]
    ways = _directions(anchors)
    first, final = anchors[0], anchors[-1]
    # who begins before the first key does so as far away as suits his speed, and who goes on after the last as far
    legs = [_lead(first, ways[0], float(pacing.high[first.frame]), -1.0, discs, boxes)]
    for number, (one, two) in enumerate(pairwise(anchors)):
        spent = [float(part[two.frame] - part[one.frame]) for part in (pacing.low, pacing.usual, pacing.high)]
        if number in given:
            legs.append(given[number])
        else:
            around = len(anchors) == 2
            legs.append(_leg(one, two, ways[number], ways[number + 1], spent, discs, boxes, around))
    legs.append(
        _lead(final, ways[-1], _BEYOND * float(pacing.usual[last] - pacing.usual[final.frame]), 1.0, discs, boxes)
    )
    lengths = [float(np.hypot(*np.diff(leg, axis=0).T).sum()) for leg in legs]
    arcs = np.cumsum(lengths)[:-1]
    before, after = (
        float(pacing.usual[end] - pacing.usual[start]) for start, end in ((0, first.frame), (final.frame, last))
    )
    due = _due(
        [one.frame for one in anchors], [arcs[0] - before, *arcs.tolist(), arcs[-1] + after], pacing.usual, given
    )
    # a little further, lest its end be passed
    beyond = 1.0
    whole = np.concatenate([leg if n == 0 else leg[1:] for n, leg in enumerate(legs)])
    path = Path(np.vstack([whole, whole[-1] + beyond * _unit(whole[-1] - whole[-2])]))
    count = max(2, int(np.ceil(path.length / STEP)))
    step = path.length / count
    return Guide(path.at(np.arange(count + 1) * step), step, due, np.asarray(arcs))


def closing(anchors: Sequence[Anchor], pacing: Pacing, discs: Array, boxes: Array) -> Anchor:
    """Where a loop through anchors begins, and so ends: at the first, if that is at once; else on the way from the last to it."""
    last = len(pacing.usual) - 1
    if not anchors:
        return Anchor(0, 0.0, 0.0, 0.0)
    ways = _directions([*anchors[-1:], *anchors, *anchors[:1]])[1:-1]
    for one, way in zip(anchors, ways, strict=True):
        if one.frame in (0, last):
            return Anchor(0, one.x, one.z, way)
    first, final = anchors[0], anchors[-1]
    spent = [
        float(part[last] - part[final.frame] + part[first.frame]) for part in (pacing.low, pacing.usual, pacing.high)
    ]
    leg = _leg(final, first, ways[-1], ways[0], spent, discs, boxes)
    metres = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(leg, axis=0).T))])
    before = float(pacing.usual[last] - pacing.usual[final.frame])
    at = metres[-1] * before / max(spent[1], 1e-6)
    (x, z), (ax, az), (bx, bz) = (
        [float(np.interp(one, metres, leg[:, k])) for k in (0, 1)] for one in (at, at - 0.1, at + 0.1)
    )
    return Anchor(0, x, z, math.atan2(bx - ax, bz - az))


def _unit(vector: Array) -> Array:
    return np.asarray(vector / max(float(np.hypot(*vector)), 1e-12))


def _directions(anchors: Sequence[Anchor]) -> list[float]:
    """The way to go at each anchor: as its body is to face, else from the anchor before to the one after."""
    found: list[float] = []
    for number, one in enumerate(anchors):
        if one.heading is not None:
            found.append(one.heading)
            continue
        apart = [k for k, other in enumerate(anchors) if math.hypot(other.x - one.x, other.z - one.z) > _ONE_PLACE]
        before = [k for k in apart if k < number][-1:] or [number]
        after = [k for k in apart if k > number][:1] or [number]
        start, end = anchors[before[0]], anchors[after[0]]
        if before[0] == after[0]:
            found.append(found[-1] if found else 0.0)
        else:
            found.append(math.atan2(end.x - start.x, end.z - start.z))
    return found


def _due(frames: list[int], arcs: list[float], usual: Array, given: Mapping[int, Array]) -> Array:
    """Metres along the guide at every moment: between anchors as fast and as slow as what is asked for is."""
    ends = [0, *frames, len(usual) - 1]
    due = np.empty(len(usual))
    for number, (first, last) in enumerate(pairwise(ends)):
        gone = usual[first : last + 1] - usual[first]
        even = number - 1 in given or gone[-1] <= 1e-6
        share = np.linspace(0.0, 1.0, last - first + 1) if even else gone / gone[-1]
        due[first : last + 1] = arcs[number] + share * (arcs[number + 1] - arcs[number])
    return due


def _lead(one: Anchor, way: float, metres: float, sign: float, discs: Array, boxes: Array) -> Array:
    """The way to the first anchor (sign −1) or from the last one, as straight as obstacles allow."""
    metres = max(metres, 1e-3)
    s = np.linspace(0.0, metres, max(2, int(metres / STEP) + 1))
    chosen: Array | None = None
    for bend in _LEADS:
        angles = way + sign * bend * s
        steps = np.stack([np.sin(angles), np.cos(angles)], axis=-1) * sign * (s[1] - s[0])
        points = np.array([one.x, one.z]) + np.concatenate([np.zeros((1, 2)), np.cumsum(steps[:-1], axis=0)])
        if chosen is None or not _hits(points, discs, boxes):
            chosen = points
        if not _hits(chosen, discs, boxes):
            break
    assert chosen is not None
    return chosen[::-1] if sign < 0 else chosen


def _hits(points: Array, discs: Array, boxes: Array) -> bool:
    hit = any((np.hypot(points[:, 0] - x, points[:, 1] - z) < radius).any() for x, z, radius in discs)
    return hit or any(
        ((points[:, 0] > a) & (points[:, 0] < c) & (points[:, 1] > b) & (points[:, 1] < d)).any()
        for a, b, c, d in boxes
    )


def _leg(
    one: Anchor,
    two: Anchor,
    begins: float,
    ends: float,
    spent: list[float],
    discs: Array,
    boxes: Array,
    around: bool = False,
) -> Array:
    """The way from one anchor to the next. spent: metres that can be gone in the time, at least, as usual, at most. around: whether it may
    go round a circle where both are one place.
    """
    start, end = np.array([one.x, one.z]), np.array([two.x, two.z])
    chord = float(np.hypot(*(end - start)))
    low, usual, high = spent
    if chord < _ONE_PLACE and low < _ONE_PLACE and not around:
        return np.stack([start, end + 1e-6])
    ways = _cubics(start, end, begins, ends, max(chord, 0.3)) + _arcs(start, end, begins, ends)
    if chord < _ONE_PLACE and (around or low > _ROUND):
        ways += _rounds(start, end, begins, usual)
    if len(ways) == 0:
        return np.stack([start, end])
    every = np.stack(ways)
    lacking = low if low < _ONE_PLACE else max(low, (1.0 - _PLAYED) * usual)
    if chord < lacking:
        every = _swerved(every, 0.5 * math.sqrt(max(lacking * lacking - chord * chord, 0.0)))
    steps = np.diff(every, axis=1)
    metres = np.maximum(np.hypot(steps[..., 0], steps[..., 1]), 1e-9)
    length = metres.sum(axis=1)
    heading = np.unwrap(np.arctan2(steps[..., 0], steps[..., 1]), axis=1)
    # a way whose first piece does not go as it should turns there
    turns = np.concatenate(
        [_wrapped(heading[:, :1] - begins), np.diff(heading, axis=1), _wrapped(ends - heading[:, -1:])], axis=1
    )
    apart = np.concatenate([metres[:, :1], 0.5 * (metres[:, 1:] + metres[:, :-1]), metres[:, -1:]], axis=1)
    bend = np.abs(turns) / apart
    cost = _BENDING * (bend**2 * apart).sum(axis=1)
    cost += _TOO_TIGHT * (np.maximum(bend - 1.0 / _TIGHTEST, 0.0) * apart).sum(axis=1)
    cost += _OFF_PACE * (np.maximum(length / max(high, 0.1) - 1.0, 0.0) ** 2 + np.maximum(low / length - 1.0, 0.0) ** 2)
    unusual = np.abs(np.log(length / max(usual, 0.1)))
    if low > _ONE_PLACE:
        cost += _UNUSUAL * unusual**2 + _STRANGE * np.maximum(unusual - _PLAYED, 0.0) ** 2
    else:
        cost += np.where(length < usual, np.minimum(_UNUSUAL * unusual**2, _IDLE), _UNUSUAL * unusual**2)
    if len(discs) + len(boxes):
        cost += [0.5 * _hits(way, discs, boxes) for way in every]
    best: Array = every[int(np.argmin(cost))]
    if _hits(best, discs, boxes):
        best = np.asarray(detour(Path(best), discs, boxes).points)
    return best


def _wrapped(angle: Array) -> Array:
    return np.asarray((angle + np.pi) % (2 * np.pi) - np.pi)


def _cubics(start: Array, end: Array, begins: float, ends: float, chord: float) -> list[Array]:
    t = np.linspace(0.0, 1.0, _POINTS)[:, None]
    out, into = (np.array([math.sin(angle), math.cos(angle)]) for angle in (begins, ends))
    found = []
    for pull, push in product(_TANGENTS, repeat=2):
        a, b = pull * chord * out, push * chord * into
        found.append(
            (2 * t**3 - 3 * t**2 + 1) * start
            + (t**3 - 2 * t**2 + t) * a
            + (3 * t**2 - 2 * t**3) * end
            + (t**3 - t**2) * b
        )
    return found


def _arcs(start: Array, end: Array, begins: float, ends: float) -> list[Array]:
    """An arc, a straight line, an arc (Dubins), for each radius and each way to turn."""
    found = []
    for radius, first, second in product(_RADII, (1, -1), (1, -1)):
        # centres lie to the side to which it turns: +1 turns towards growing angles
        one = start + first * radius * np.array([math.cos(begins), -math.sin(begins)])
        two = end + second * radius * np.array([math.cos(ends), -math.sin(ends)])
        between = two - one
        apart = float(np.hypot(*between))
        line = math.atan2(between[0], between[1])
        if first == second:
            along = line
        elif apart < 2 * radius:
            continue
        else:
            along = line + first * math.asin(2 * radius / apart)
        turn, last = (first * (along - begins)) % (2 * math.pi), (second * (ends - along)) % (2 * math.pi)
        straight = apart if first == second else math.sqrt(max(apart * apart - 4 * radius * radius, 0.0))
        whole = radius * (turn + last) + straight
        s = np.linspace(0.0, whole, _POINTS)
        a, b = radius * turn, radius * turn + straight
        angle = begins + first * np.minimum(s, a) / radius + second * np.maximum(s - b, 0.0) / radius
        middle = 0.5 * (angle[1:] + angle[:-1])
        steps = np.stack([np.sin(middle), np.cos(middle)], axis=-1) * (whole / (_POINTS - 1))
        points = start + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
        points += np.linspace(0.0, 1.0, _POINTS)[:, None] * (end - points[-1])
        found.append(points)
    return found


def _rounds(start: Array, end: Array, begins: float, metres: float) -> list[Array]:
    """Once round a circle, to either side, for who has to be back where he was."""
    t = np.linspace(0.0, 1.0, _POINTS)
    found = []
    for side in (1, -1):
        angle = begins + side * 2 * np.pi * t
        middle = 0.5 * (angle[1:] + angle[:-1])
        steps = np.stack([np.sin(middle), np.cos(middle)], axis=-1) * (metres / (_POINTS - 1))
        points = start + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
        found.append(points + t[:, None] * (end - points[-1]))
    return found


def _swerved(ways: Array, room: float) -> Array:
    """The ways ``(n, P, 2)``, and each with swerves to both sides, which make it longer."""
    t = np.linspace(0.0, 1.0, ways.shape[1])
    steps = np.gradient(ways, axis=1)
    length = np.maximum(np.hypot(steps[..., 0], steps[..., 1]), 1e-9)[..., None]
    left = np.stack([steps[..., 1], -steps[..., 0]], axis=-1) / length
    bump = (np.sin(np.pi * t) ** 2)[None, :, None]
    return np.concatenate([ways + share * 2.0 * room * bump * left for share in _SWERVES])
