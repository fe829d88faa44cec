"""Ways between a motion graph and a strike: the cheapest transitions to it and from it.

The strike's windows are compared with those of all clips by the graph's own distance and alignment. A transition that costs more than the
graph's threshold is a bridge, which is blended for longer, as in `graph.bridges`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.floor import FloorTransform
from kinegraph.similarity.clouds import Cloud, cloud, cloud_matrix, mass_weights
from kinegraph.similarity.exact import alignments
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.strikes.joining.clip import StrikeClip

# So many of the ways in and of the ways out are kept, none dearer than so many times the cheapest unless it is ordinary, and so
# many for one clip.
_FEW, _DEARER, _PER_CLIP = 4, 1.25, 2
# Metres of transition cost that a second of holding the ready pose is worth.
_SECOND = 0.01


@dataclass(frozen=True)
class Way:
    """A transition to the strike or from it: ``length`` frames from ``frame`` of clip ``source`` to ``arrival`` of clip ``target``.

    Frames are as in `graph.model`. Those of the strike count from its ready pose; while that pose is held before it, they are negative.
    """

    source: str
    frame: int
    target: str
    arrival: int
    length: int
    cost: float
    """Distance of the windows, in metres."""
    bridge: bool
    """Whether that is above the graph's threshold, which makes the blend longer."""
    alignment: FloorTransform
    """Lays the motion of ``target`` on that of ``source``."""


@dataclass(frozen=True)
class _Pair:
    """A window of a clip of the graph and one of the strike: a possible transition, made longer by ``grow`` frames at either end."""

    clip: int
    frame: int
    strike_frame: int
    length: int
    grow: int
    cost: float


def ways(graph: MotionGraph, strike: StrikeClip, limit: float) -> tuple[list[Way], list[Way]]:
    """The best few ways to the strike and from it, cheapest first; none costs more than ``limit`` metres."""
    skeleton, parameters = graph.skeleton, graph.record.parameters
    matrix = cloud_matrix(skeleton, mass_weights(skeleton, parameters.weights), parameters.along)
    clouds = [cloud(clip.motion, matrix, clip.sound) for clip in (*graph.clips, strike.clip)]
    into: list[_Pair] = []
    out: list[_Pair] = []
    for number, clip in enumerate(graph.clips):
        nodes = graph.node_frame[graph.node_clip == number]
        length = min(clip.window, strike.clip.window)
        if not len(nodes) or len(clip) < length:
            continue
        distance = distance_matrix(clouds[number], clouds[-1], length)
        distance[~np.lib.stride_tricks.sliding_window_view(clip.sound, length).all(axis=1)] = np.inf
        frame, strike_frame = np.ogrid[: distance.shape[0], : distance.shape[1]]
        grow = np.where(distance <= graph.record.report.threshold, 0, length // 2)
        source, arrival = frame - grow, strike_frame + length + grow
        able = (source >= nodes[0]) & (source <= nodes[-1]) & (frame + length + grow <= len(clip))
        able &= (strike_frame >= grow) & (arrival <= strike.latest)
        wait = (strike.latest - arrival) / graph.fps
        into += _cheapest(number, length, distance, np.where(able, wait, np.inf), grow)
        source, arrival = strike_frame - grow, frame + length + grow
        able = (frame >= grow) & (arrival <= nodes[-1]) & (source >= strike.earliest)
        able &= strike_frame + length + grow <= len(strike.clip)
        wait = (source - strike.earliest) / graph.fps
        out += _cheapest(number, length, distance, np.where(able, wait, np.inf), grow)
    best = _best(into, graph, limit, "into the strike"), _best(out, graph, limit, "out of the strike")
    return _aligned(best[0], graph, strike, clouds, True), _aligned(best[1], graph, strike, clouds, False)


def _cheapest(clip: int, length: int, distance: Array, wait: Array, grow: Array) -> list[_Pair]:
    """The best places of a clip, a window apart. distance: ``(n, m)`` of its windows and the strike's; wait: ``(n, m)`` seconds, infinite
    where there can be no transition; grow: ``(n, m)``, by how much each would be longer at either end.
    """
    price = distance + _SECOND * wait
    rows = np.arange(len(price))
    column = np.argmin(price, axis=1)
    left = price[rows, column]
    found: list[_Pair] = []
    while len(found) < _PER_CLIP and np.isfinite(left).any():
        row = int(np.argmin(left))
        at = int(column[row])
        found.append(_Pair(clip, row, at, length, int(grow[row, at]), float(distance[row, at])))
        left = np.where(np.abs(rows - row) < length, np.inf, left)
    return found


def _best(pairs: list[_Pair], graph: MotionGraph, limit: float, where: str) -> list[_Pair]:
    """The few cheapest; a `GraphError` where there are none, or none that is cheap enough."""
    if not pairs:
        raise GraphError(f"no clip of this graph is long enough for a transition {where}: add longer ones")
    pairs = sorted(pairs, key=lambda pair: pair.cost)
    cheapest = pairs[0]
    if cheapest.cost > limit:
        raise GraphError(
            f"the cheapest transition {where} is from or to clip {graph.clips[cheapest.clip].name!r} at frame {cheapest.frame} and costs "
            f"{100 * cheapest.cost:.1f} cm, more than the {100 * limit:.1f} cm allowed: allow more (limit), or add clips to the graph in "
            "which the body stands as it does before a strike"
        )
    fair = min(limit, max(_DEARER * cheapest.cost, graph.record.report.threshold))
    return [pair for pair in pairs if pair.cost <= fair][:_FEW]


def _aligned(
    pairs: list[_Pair], graph: MotionGraph, strike: StrikeClip, clouds: Sequence[Cloud], into: bool
) -> list[Way]:
    """The pairs as transitions, which lie on one another as their windows do."""
    ways = []
    for pair in pairs:
        name = graph.clips[pair.clip].name, strike.clip.name
        place = pair.frame, pair.strike_frame
        a, b = (0, 1) if into else (1, 0)
        both = clouds[pair.clip], clouds[-1]
        one = (np.array([value]) for value in (0, place[a], 1, place[b], pair.length))
        cost, angle, x, z = (float(value[0]) for value in alignments([both[a], both[b]], *one))
        ways.append(
            Way(
                source=name[a],
                frame=place[a] - pair.grow,
                target=name[b],
                arrival=place[b] + pair.length + pair.grow,
                length=pair.length + 2 * pair.grow,
                cost=cost,
                bridge=pair.cost > graph.record.report.threshold,
                alignment=FloorTransform(angle, x, z),
            )
        )
    return ways
