"""Standing: the frames in which a point of a foot can be held still, out of those in which contacts say that it stands.

Contacts are generous, so that they do not flicker: they begin before a foot has come to rest and last until it is centimetres high. They
may also be wrong: carried through a blend, they may say that a foot stands while it swings.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.contacts import steady
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans

Span = tuple[int, int]

# Seconds: what stands for less is noise, and so is a gap that lasts less.
SHORTEST = 0.07
# Seconds for which a runner's foot must stand, and leg lengths per second from which on a body runs (about 2 m/s).
_RUNNING_SHORTEST, _RUNNING = 0.05, 2.2
# How far, in leg lengths, a point may stray from its place: 12 cm of a grown-up. Who goes further did not stand.
_FURTHEST = 0.14
# Leg lengths per second, on average over a span: what goes faster does not stand.
_FASTEST = 0.7
# Seconds that are let go about the fastest moment of a span that strays too far.
_LOOSENED = 0.2
# Leg lengths (6 mm) over the height at which it stands, and leg lengths per second beside the velocity at which it mostly goes: a
# point that is as high, or as fast, at an end of its span is leaving, or not there yet.
_LIFTED, _LEAVING = 0.007, 0.25
# By how much both may be exceeded, in turn, until enough of the span is left: a runner's foot hardly stands at all.
_EASE = (1.0, 1.5, 2.0, 3.0, 4.0)
# Metres per second below which one frame is as steady as another.
_STEADY = 0.05


def standing(
    points: Array, velocities: Array, down: Bools, alone: Bools, motion: Motion
) -> tuple[list[Span], list[Span]]:
    """Spans in which a point at ``points (F, 3)`` with ``velocities (F, 3)`` stands, and spans in which ``down (F,)`` is wrong to say so.

    alone: the frames ``(F,)`` in which it is the only point that is down.

    Gaps of a few frames are closed and spans of a few frames dropped. At the ends of a span, frames in which the point is still coming
    down or already going up are left out: holding it there would tie the foot to the floor while the leg swings. If the point moves too
    far in a span, its fastest moments are given up until the rest can be held.
    """
    kept: list[Span] = []
    loose = np.zeros(len(down), np.bool_)
    whole = _claimed(down, motion)
    waiting = list(whole)
    leg = motion.skeleton.leg_length
    speed = rotation.length(velocities)
    while waiting:
        span = waiting.pop()
        if not _worthwhile(span, motion):
            # what was cut off by an end of the clip claims little: that is nothing to report
            loose[slice(*span)] = span not in whole
            continue
        first, last = _borne(_settled(points, velocities, speed, span, motion), span, alone)
        here, pace = points[first:last], speed[first:last]
        if rotation.length(here - place(here, pace)).max() > _FURTHEST * leg:
            fastest, reach = first + int(pace.argmax()), max(round(0.5 * _LOOSENED * motion.fps), 1)
            before, after = max(first, fastest - reach), min(last, fastest + reach + 1)
            loose[before:after] = True
            waiting += [part for part in ((first, before), (after, last)) if part[1] > part[0]]
        elif pace.mean() > _FASTEST * leg:
            loose[first:last] = True
        else:
            kept.append((first, last))
    return sorted(kept), spans(loose) if loose.any() else []


def place(points: Array, speed: Array) -> Array:
    """Mean ``(3,)`` of points ``(N, 3)``; those with little speed ``(N,)`` count most."""
    weight = _steadiness(speed)
    mean: Array = weight @ points / weight.sum()
    return mean


def middle(values: Array) -> Array:
    """Median ``(…)`` of ``values (N, …)``, as `np.median` gives it; for a few values in a fifth of its time."""
    ranked = np.sort(values, axis=0)
    median: Array = 0.5 * (ranked[(len(values) - 1) // 2] + ranked[len(values) // 2])
    return median


def _claimed(down: Bools, motion: Motion) -> list[Span]:
    """Spans in which ``down (F,)`` says that a point stands, without those, and without gaps, that last too short a while."""
    edges = [int(edge) + 1 for edge in (down[1:] != down[:-1]).nonzero()[0]]
    if not all(_lasts(run, motion.fps) for run in pairwise(edges)):
        closed = spans(steady(down, _RUNNING_SHORTEST * motion.fps, SHORTEST * motion.fps))
        # what the ends of the clip cut off is judged later, by what is left of it
        return [run for run in closed if run[0] == 0 or run[1] == len(down) or _worthwhile(run, motion)]
    return [run for run in pairwise([0, *edges, len(down)]) if down[run[0]]]


def _lasts(span: Span, fps: float, seconds: float = SHORTEST) -> bool:
    return span[1] - span[0] >= seconds * fps - 1e-6


def _worthwhile(span: Span, motion: Motion) -> bool:
    """Whether a point stands for long enough in a span. For runners, less is enough."""
    if _lasts(span, motion.fps) or not _lasts(span, motion.fps, _RUNNING_SHORTEST):
        return _lasts(span, motion.fps)
    first, last = span[0], span[1] - 1
    x, _, z = motion.root[last] - motion.root[first]
    pace = math.hypot(x, z) * motion.fps / max(last - first, 1)
    return pace > _RUNNING * motion.skeleton.leg_length


def _settled(points: Array, velocities: Array, speed: Array, span: Span, motion: Motion) -> Span:
    """A span without the frames at its ends in which the point is on its way. A foot that skates all the while is not."""
    first, last = span
    leg = motion.skeleton.leg_length
    height, moving = points[first:last, 1], velocities[first:last]
    order = height.argsort()
    share = _steadiness(speed[first:last])[order].cumsum()
    over = height - height[order[share.searchsorted(0.5 * share[-1])]]
    beside = rotation.length(moving - middle(moving))
    unrest = np.maximum(over / (_LIFTED * leg), beside / (_LEAVING * leg))
    for ease in _EASE:
        at = (unrest < ease).nonzero()[0]
        if len(at) and _lasts((int(at[0]), int(at[-1]) + 1), motion.fps):
            return first + int(at[0]), first + int(at[-1]) + 1
    return span


def _borne(settled: Span, span: Span, alone: Bools) -> Span:
    """A ``settled`` span with those frames of its whole span in which the point bears the body ``alone (F,)`` between others that help.

    Where feet float, they creep and rise while they stand. But what bears a body alone cannot be on its way, unless the body flies next.
    """
    first, last = span
    bearing, helped = alone[first:last].nonzero()[0], (~alone[first:last]).nonzero()[0]
    if not len(bearing) or not len(helped):
        return settled
    begin, end = bearing[bearing > helped[0]][:1], bearing[bearing < helped[-1]][-1:]
    return min([settled[0], *(first + begin).tolist()]), max([settled[1], *(first + end + 1).tolist()])


def _steadiness(speed: Array) -> Array:
    """How much frames of some speed ``(N,)`` count."""
    weight: Array = 1.0 / (speed * speed + _STEADY**2)
    return weight
