"""How the bodies of a graph answer a stick, measured: how slowly they walk, how far they get until they stand, how soon they set out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.crowds.outlook import Response
from kinegraph.crowds.sight import Sight
from kinegraph.graph.model import MotionGraph
from kinegraph.people.steered import People

# m/s that are asked for to learn the gaits of a graph, people for each, and seconds before and while it is measured
_ASKED, _WALKERS, _BEFORE, _MEASURED = np.arange(0.5, 2.51, 0.1), 2, 3.0, 4.0
# what it costs to ask for another speed than is wanted, m/s for each m/s; and by how many m/s that must be better
_OTHERWISE, _BETTER = 0.5, 0.1
# people who try it, and m/s at which they usually walk
_TRIES, _USUAL = 24, 1.3
# m/s of a slow walk that is asked for; m/s above which one walks, and below which one stands, as shares of what was asked for
_SLOW, _WALKS, _STANDS = 0.8, 0.85, 0.1
# metres from hips to neck over the floor, in all but so many frames of a hundred, that upright people have too
_UPRIGHT, _MOSTLY = 0.05, 75
# seconds that people walk, slow down, stop and set out again
_LONG, _CHANGE = 4.0, 3.0


@lru_cache(maxsize=4)
def measured(graph: MotionGraph) -> Response:
    """How bodies on a graph answer, by two dozen people who walk, slow down, stop and set out again; remembered for the next call."""
    fps = graph.fps
    ahead = (0.0, _USUAL)
    walks, slows, stops = (
        _tried(graph, [(_LONG, ahead), (_CHANGE, stick)]) for stick in ((_USUAL, 0.0), (0.0, _SLOW), (0.0, 0.0))
    )
    starts = _tried(graph, [(_CHANGE, ahead)])
    first = round(_LONG * fps)
    # by their medians: a few have just begun a step that nothing stops
    turned = np.unwrap(np.arctan2(walks[1][first:, :, 0], walks[1][first:, :, 1]), axis=0)
    turned = np.abs(turned - turned[0])
    soon = np.median(_until(turned > 0.8 * np.pi / 2, fps))
    speed = np.hypot(slows[1][..., 0], slows[1][..., 1])
    least = float(np.median(speed[first + round(fps) : first + round(2 * fps)]))
    speed = np.hypot(stops[1][first:, :, 0], stops[1][first:, :, 1])
    stop = float(np.median(_until(speed < _STANDS * _USUAL, fps)))
    way = stops[0][first:] - stops[0][first]
    stop_way = float(np.median(np.hypot(way[-1, :, 0], way[-1, :, 1])))
    speed = np.hypot(starts[1][..., 0], starts[1][..., 1])
    reached = _until(speed > _WALKS * _USUAL, fps)
    start = float(np.median(reached))
    way = starts[0] - starts[0][0]
    at = np.minimum((reached * fps).astype(np.int64), len(way) - 1)
    gone = way[at, np.arange(_TRIES)]
    return Response(
        float(np.clip(least, 0.4, 1.2)),
        float(np.clip(0.8 * np.pi / 2 / max(soon - 0.05, 0.1), 1.0, 5.0)),
        float(np.clip(stop, 0.3, 3.0)),
        float(np.clip(stop_way, 0.1, 3.0)),
        float(np.clip(start, 0.3, 3.0)),
        float(np.clip(np.median(np.hypot(gone[:, 0], gone[:, 1])), 0.1, 2.5)),
    )


@lru_cache(maxsize=4)
def leaning(graph: MotionGraph) -> float:
    """Metres that people of a graph need more than upright ones, since they lean forward; remembered for the next call.

    >>> import kinegraph as kg
    >>> leaning(kg.build([kg.samples.make("walk").motion]))
    0.0
    """
    roles = graph.skeleton.roles
    if "neck" not in roles:
        return 0.0
    ahead = []
    for clip in graph.clips:
        way = clip.motion.positions[:, roles["neck"]] - clip.motion.positions[:, roles.get("hips", 0)]
        ahead.append(np.hypot(way[:, 0], way[:, 2]))
    return float(max(np.percentile(np.concatenate(ahead), _MOSTLY) - _UPRIGHT, 0.0))


@dataclass(frozen=True, eq=False)
class Gaits:
    """How fast people on a graph go when they are asked for a speed. Clips are played a little faster or slower, and between two gaits
    there may be speeds that nobody has: who would like 1.1 m/s may go at 0.6 if they are asked for it, and at 1.1 if asked for 1.25.
    """

    asked: Array
    """``(K,)``: m/s that were asked for."""
    got: Array
    """``(K,)``: m/s that came of it."""

    def for_speed(self, wanted: Array) -> Array:
        """``(N,)``: what to ask for so that people go at speeds ``wanted (N,)``: that itself, unless it is far off and another is not."""
        wanted = np.asarray(wanted, np.float64)
        itself = np.interp(wanted, self.asked, self.got)
        cost = np.abs(self.got - wanted[:, None]) + _OTHERWISE * np.abs(self.asked - wanted[:, None])
        other = cost.argmin(axis=1)
        better = cost[np.arange(len(wanted)), other] < np.abs(itself - wanted) - _BETTER
        ask: Array = np.where(better, self.asked[other], wanted)
        return ask

    def reached(self, wanted: Array) -> Array:
        """``(N,)``: how fast people go who would like to go at speeds ``wanted (N,)``."""
        reached: Array = np.interp(self.for_speed(wanted), self.asked, self.got)
        return reached


@lru_cache(maxsize=4)
def gaits(graph: MotionGraph) -> Gaits:
    """The gaits of a graph, by people who walk straight on for a while; remembered for the next call.

    >>> import kinegraph as kg
    >>> walk = kg.build([kg.samples.make(name).motion for name in ("stand", "start", "walk", "stop")])
    >>> bool(gaits(walk).got[-1] < 2.0)    # nobody runs there
    True
    """
    asked = np.tile(_ASKED, _WALKERS)
    people = People(graph, len(asked), feet=False, seed=1)
    sight, first = Sight(people), np.zeros((len(asked), 2))
    for frame in range(round((_BEFORE + _MEASURED) * graph.fps)):
        if frame == round(_BEFORE * graph.fps):
            sight.look()
            first = sight.place.copy()
        people.step(np.stack([np.zeros(len(asked)), asked], axis=-1))
    sight.look()
    gone = np.hypot(*(sight.place - first).T) / _MEASURED
    return Gaits(_ASKED, gone.reshape(_WALKERS, -1).mean(axis=0))


def _tried(graph: MotionGraph, sticks: list[tuple[float, tuple[float, float]]]) -> tuple[Array, Array]:
    """Places and velocities ``(F, N, 2)`` of people who hold sticks, for so many seconds each."""
    people = People(graph, _TRIES, feet=False, seed=1)
    sight = Sight(people)
    places, velocities = [], []
    for seconds, stick in sticks:
        for _ in range(round(seconds * graph.fps)):
            people.step(stick)
            sight.look()
            places.append(sight.place.copy())
            velocities.append(sight.velocity.copy())
    return np.array(places), np.array(velocities)


def _until(there: Bools, fps: float) -> Array:
    """Seconds ``(N,)`` until something ``(F, N)`` is so for the first time; all of them where it never is."""
    seconds: Array = np.where(there.any(axis=0), there.argmax(axis=0), len(there)) / fps
    return seconds
