"""Walks that visit clips or labels in a given order (Manchester 2019, 4.7.2), the cheapest there is: found, not tried
for.

A walk fulfils its steps one after another: the first is done at the end of the first ``stay`` seconds on end that bear
its name, the next at the end of the first such stretch after that, and so on. What is played in between is free but has
its price:

price = Σ cost² over all transitions + second² · seconds

in square metres: of two ways that cost the same on average, the one with the better worst transition wins, and a second
more is worth a transition of ``second`` metres less.

The search is Dijkstra's over (node, progress), where progress is the number of steps done and the frames stayed in the
one at hand. More progress at no higher price can only help: whatever frames follow, they end every step no later. So a
node need be left again only with more progress than ever before, and the search stays small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Ints, Longs
from kinegraph.errors import GraphError
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.walks.begin import Start, over_origin, start_nodes
from kinegraph.walks.choice import edge_frames, frame_starts, played, resolve

STAY = 1.0
SECOND = 0.01


def sequence(
    graph: MotionGraph,
    steps: Sequence[str],
    *,
    stay: float | Sequence[float] = STAY,
    start: Start | None = None,
    either_side: bool = False,
    second: float = SECOND,
) -> Walk:
    """The cheapest walk that visits ``steps``, each a label or a clip's name, in their order. It sets out from the
    origin, facing +Z.

    stay: seconds on end that each step lasts at least (one frame at the least), for all or one for each. start: as in
    `wander`; anywhere unless given, which means where the first step begins, since all that comes before it has its
    price. either_side: whether mirrored copies count as what they were made from; on the way from step to step they are
    played all the same. second: metres of transition cost that a second is worth; above 0. The walk ends with the last
    step's stay, if need be within an edge.

    A transition bears a name only if both clips do at that frame, so the way over from one step to the next counts for
    neither. A `GraphError` says which step has no way through, and why.

    >>> import kinegraph as kg
    >>> names = ("walk", "walk_left_medium", "walk_right_medium")
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in names])
    >>> walk = kg.walks.sequence(graph, ["turn_left", "turn_right"], stay=2)
    >>> round(walk.seconds, 1)
    4.4
    """
    bears, least = _wishes(graph, steps, stay, either_side)
    if not 0 < second < math.inf:
        raise GraphError(f"what a second is worth must be a positive cost in metres, got {second}")
    starts = np.arange(len(graph), dtype=np.int32) if start is None else start_nodes(graph, start)
    edges, frames, done = _cheapest(graph, bears, least, starts, second)
    if not frames:
        said = _hindrance(graph, steps, bears, least, done)
        if not either_side and _cheapest(graph, *_wishes(graph, steps, stay, True), starts, second)[1]:
            said = f"{said.partition(': ')[0]} but by mirrored copies, which show the other side; let either side do (--either-side)"
        raise GraphError(said)
    return Walk(graph, edges, over_origin(graph, int(graph.edges.source[edges[0]])), frames)


@dataclass(frozen=True)
class Visited:
    """A step of a sequence, as a walk fulfils it."""

    name: str
    """The label, or the clip's name, that was asked for."""
    first: int
    """The frame of the walk at which it is reached."""
    last: int
    """The frame of the walk at which it is left, or at which the next step is reached."""
    clip: str
    """The clip that is played when it is reached."""
    clip_frame: int
    """The frame of that clip."""


def visited(
    walk: Walk, steps: Sequence[str], *, stay: float | Sequence[float] = STAY, either_side: bool = False
) -> tuple[Visited, ...]:
    """When, where and for how long a walk is in each of its steps; as in `sequence`.

    >>> import kinegraph as kg
    >>> names = ("walk", "walk_left_medium", "walk_right_medium")
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in names])
    >>> walk = kg.walks.sequence(graph, ["turn_left", "turn_right"], stay=2)
    >>> [(one.name, one.first, one.clip) for one in visited(walk, ["turn_left", "turn_right"], stay=2)]
    [('turn_left', 0, 'walk_left_medium'), ('turn_right', 71, 'walk_right_medium')]
    """
    graph = walk.graph
    found = stays(walk, steps, stay=stay, either_side=either_side)
    bears = _wishes(graph, steps, stay, either_side)[0]
    left, right = played(walk)
    begins = frame_starts(graph)
    ends = [*(first for first, _ in found[1:]), walk.frames]
    told = []
    for step, held, (first, last), end in zip(steps, bears, found, ends, strict=False):
        gone = np.flatnonzero(~(held[left[last:end]] & held[right[last:end]]))
        clip = int(np.searchsorted(begins, left[first], side="right")) - 1
        until = last + int(gone[0]) if len(gone) else end
        told.append(Visited(step, first, until, graph.clips[clip].name, int(left[first] - begins[clip])))
    return tuple(told)


def stays(
    walk: Walk, steps: Sequence[str], *, stay: float | Sequence[float] = STAY, either_side: bool = False
) -> tuple[tuple[int, int], ...]:
    """For each step that a walk fulfils, the frames ``first`` … ``last``−1 of the walk with which it does so first; as
    in `sequence`.
    """
    bears, least = _wishes(walk.graph, steps, stay, either_side)
    left, right = played(walk)
    found: list[tuple[int, int]] = []
    stayed = 0
    for frame in range(walk.frames):
        if len(found) == len(steps):
            break
        held = bears[len(found)]
        stayed = stayed + 1 if held[left[frame]] and held[right[frame]] else 0
        if stayed == least[len(found)]:
            found.append((frame + 1 - stayed, frame + 1))
            stayed = 0
    return tuple(found)


def price(walk: Walk, *, second: float = SECOND) -> float:
    """What a walk costs, in square metres: what `sequence` makes least."""
    return float(np.square(walk.graph.edges.cost[walk.edges]).sum()) + second**2 * walk.seconds


def _wishes(
    graph: MotionGraph, steps: Sequence[str], stay: float | Sequence[float], either_side: bool
) -> tuple[NDArray[np.bool_], Longs]:
    """``(K, F)``: which frames bear each step's name, and ``(K,)``: how many on end it needs."""
    if isinstance(steps, str) or not len(steps):
        raise GraphError("a sequence needs at least one step: a list of labels or names of clips")
    seconds = np.broadcast_to(np.asarray(stay, np.float64), len(steps)) if np.ndim(stay) == 0 else np.asarray(stay)
    if len(seconds) != len(steps):
        raise GraphError(f"{len(steps)} steps, but {len(seconds)} stays: give one for all, or one for each")
    if not (np.isfinite(seconds).all() and (seconds >= 0).all()):
        raise GraphError(f"a stay must be seconds, 0 or more, got {stay}")
    bears = np.stack([resolve(graph, step, either_side=either_side).frames for step in steps])
    return bears, np.maximum(1, np.rint(seconds * graph.fps)).astype(np.int64)


def _cheapest(
    graph: MotionGraph, bears: NDArray[np.bool_], least: Longs, starts: Ints, second: float
) -> tuple[Ints, int, int]:
    """The edges of the cheapest walk, its frames (none if there is no walk), and the steps that are done."""
    from kinegraph.walks.stages import cheapest

    own = graph.edges
    left, right = edge_frames(graph)
    prices = np.where(own.kind != EdgeKind.ORIGINAL, np.square(own.cost), 0.0)
    found: Any = cheapest(
        graph.first, own.target, own.length, prices, left, right, second**2 / graph.fps, bears, least, starts
    )
    return found[0], int(found[1]), int(found[2])


def _hindrance(graph: MotionGraph, steps: Sequence[str], bears: NDArray[np.bool_], least: Longs, done: int) -> str:
    """Why the step ``done`` cannot be fulfilled after those before it."""
    from kinegraph.walks.stages import longest

    step, wanted = steps[done], int(least[done])
    before = f"from {steps[done - 1]!r} to {step!r}" if done else f"to {step!r}"
    left, right = edge_frames(graph)
    most = int(longest(graph.first, graph.edges.target, graph.edges.length, left, right, bears[done], wanted))
    if not most:
        return f"{before} there is no way: no frame of {step!r} is left in this graph; build it with a higher threshold"
    if most < wanted:
        return (
            f"{before} there is no way: {step!r} lasts {most / graph.fps:.2f} s on end at most, "
            f"{wanted / graph.fps:.2f} s are asked for; ask for a shorter stay"
        )
    return f"{before} there is no way: this graph falls into parts that do not lead to each other; build it anew"
