"""The solver of scenes: a draft at once by a narrow search, then better ones by wider searches, until told to stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.errors import Unsatisfied
from kinegraph.motion.floor import FloorTransform
from kinegraph.scenes.clock import grow, make_held, replay, seed
from kinegraph.scenes.plan import ScenePlan, sharper
from kinegraph.walks.steering import laid_rows
from kinegraph.walks.tables import AHEAD, AHEAD_X, AHEAD_Z, REACH, STEADY_X, onward, spell
from kinegraph.watch import Watch, Watcher

DRAFT, FINAL = 24, 400
"""Walks that are kept at a time, for a draft and at last."""
# so many times more walks than are kept may wait for a moment
_CROWD = 3
# walks kept at one node at one moment
_PER_NODE = 2
# radians to both sides of the guide's own direction in which a walk may begin
_TURNED = (0.0, -0.25, 0.25)
# what labels may cost more than at least from where a walk begins
_DEBT = 0.5
# moments after which it is asked whether to go on
_ASK = 60
# seconds that a walk goes on beyond its end, since the finish may play it faster
_BEYOND = 2.0


@dataclass(frozen=True, eq=False)
class SolvedScene:
    """A way through the graph that a search has found for a scene."""

    edges: Longs
    """``(n,)``"""
    start: FloorTransform
    turns: Array
    """``(F,)``: radians by which each frame turns all that comes after it."""
    rates: Array
    """``(F,)``: how fast each is played."""
    cost: float
    bound: float
    """What labels, speeds, bends and transitions alone cost at least, for clips that are played as captured."""
    width: int
    """Walks that were kept at a time."""

    @property
    def gap(self) -> float:
        """By which share of its cost it may be worse than the best there is."""
        return 0.0 if self.cost <= 0 else max(self.cost - self.bound, 0.0) / self.cost


def solve_on(plan: ScenePlan, widths: tuple[int, ...] = (DRAFT, FINAL), watch: Watcher = None) -> Iterator[SolvedScene]:
    """Better and better ways, one for each width; the last is the best. watch: asked again and again whether to go on.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make("walk").motion])
    >>> plan = kg.scenes.make_plan(graph, kg.scenes.Scene(3.0, keys=(kg.scenes.Key(2.0, (1.0, 2.0)),)))
    >>> [found.cost >= found.bound for found in kg.scenes.solve_on(plan, (5, 50))]
    [True, True]
    """
    watch = Watch.of(watch)
    best: SolvedScene | None = None
    for width in widths:
        if width > DRAFT:
            plan = sharper(plan)
            watch.check()
        found = _search(plan, width, watch)
        if found is not None and (best is None or found.cost < best.cost):
            best = found
        if best is not None:
            yield best
    if best is None:
        raise _stuck(plan)


def solve(plan: ScenePlan, widths: tuple[int, ...] = (DRAFT, FINAL), watch: Watcher = None) -> SolvedScene:
    """The best of `solve_on`.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make("walk").motion])
    >>> plan = kg.scenes.make_plan(graph, kg.scenes.Scene(3.0, keys=(kg.scenes.Key(2.0, (1.0, 2.0)),)))
    >>> kg.scenes.solve(plan, (5, 50)).cost <= kg.scenes.solve(plan, (5,)).cost
    True
    """
    for found in solve_on(plan, widths, watch):
        best = found
    return best


def _stuck(plan: ScenePlan) -> Unsatisfied:
    cures = ["keep more walks (a greater width)"]
    if plan.scene.obstacles:
        cures.insert(0, "leave more room between the obstacles, or put keys on the way around them")
    if plan.scene.without:
        cures.insert(0, "allow more clips")
    return Unsatisfied(f"no way through the graph was found for this scene: {', or '.join(cures)}")


@dataclass(frozen=True, eq=False)
class Starts:
    """Where walks may begin."""

    nodes: Longs
    """``(n,)``"""
    angles: Array
    """``(n,)``: by how much their clips are turned."""
    places: Array
    """``(n, 4)``: where they then lie: cosine, sine, x, z."""
    along: Array
    """``(n,)``: metres along the guide."""
    time: float = 0.0
    """The moment at which they begin."""
    rate: float = 1.0
    """How fast clips are played then."""
    key: int = 0
    """The next key."""


def _search(plan: ScenePlan, width: int, watch: Watch) -> SolvedScene | None:
    starts = _starts(plan)
    found = search(plan, starts, width, watch)
    if found is None:
        return None
    edges, first, cost = found
    start = FloorTransform(float(starts.angles[first]), *starts.places[first, 2:].tolist())
    way = np.array(_carried_on(plan, edges), np.int64)
    trail = replayed(plan, way, start, float(starts.along[first]))
    return SolvedScene(way, start, trail[:, 0], trail[:, 1], cost, plan.least, width)


def search(plan: ScenePlan, starts: Starts, width: int, watch: Watch) -> tuple[list[int], int, float] | None:
    """The edges of the best walk, the number of its start, and its cost; None where there is none."""
    held, clock, prices = plan.graph_tables, plan.clock, plan.prices
    last, since = len(clock.moments) - 1, int(starts.time)
    slots = int(held.length.max() / clock.slowest) + 3
    past = 4 * width + (last - since + 1) * width
    state = make_held(len(held.row), slots, max(_CROWD * width, 64), past, clock.length + 1.0)
    seed(held, clock, prices, state, starts.nodes, starts.places, starts.along, starts.time, starts.rate, starts.key)
    for begin in range(since, last + 1, _ASK):
        watch.tell("search", begin - since, last - since)
        grow(held, clock, prices, state, begin, min(begin + _ASK, last + 1), width, _PER_NODE)
    if not np.isfinite(state.best[0]):
        return None
    edges = [int(state.numbers[2])]
    walk = int(state.numbers[1])
    while walk >= 0:
        parent, edge = state.past[walk].tolist()
        if edge >= 0:
            edges.append(edge)
        walk = parent
    return edges[::-1], -1 - walk, float(state.best[0])


def _starts(plan: ScenePlan) -> Starts:
    """Where walks of a scene may begin."""
    held, clock, graph = plan.graph_tables, plan.clock, plan.graph
    debt = clock.foresight[0]
    nodes = np.flatnonzero(debt <= debt.min() + _DEBT).astype(np.int64)
    row = held.row[nodes]
    ahead = np.minimum(row + round(AHEAD * graph.fps), held.end[nodes] - 1)
    gone = held.track[ahead, :2] - held.track[row, :2]
    distance = np.linalg.norm(gone, axis=1)
    going = np.where(distance > 0.1, np.arctan2(gone[:, 0], gone[:, 1]), held.heading[row])
    found = []
    for along in _beginnings(plan, held.steer[row, REACH] * graph.fps / spell(graph.fps)):
        here, there = (
            clock.line[np.minimum((place / clock.step).astype(np.int64), len(clock.line) - 1), :2]
            for place in (along, along + np.maximum(distance, 0.3))
        )
        way = np.arctan2(*(there - here).T) - going
        tried = [way + turned for turned in _TURNED]
        if plan.anchors and plan.anchors[0].frame == 0 and plan.anchors[0].heading is not None:
            tried = [way, plan.anchors[0].heading - held.heading[row]]
        found += [(nodes, angle, here, along) for angle in tried]
    nodes, angles, here, along = (np.concatenate(part) for part in zip(*found, strict=True))
    cosine, sine = np.cos(angles), np.sin(angles)
    x, z, _ = held.track[held.row[nodes]].T
    places = np.stack([cosine, sine, here[:, 0] - cosine * x - sine * z, here[:, 1] - cosine * z + sine * x], axis=1)
    return Starts(nodes, angles, places, along)


def _beginnings(plan: ScenePlan, speed: Array) -> list[Array]:
    """Metres along the guide ``(n,)`` at which who begins at a speed of ``speed (n,)`` m/s may: at the first key, if that is at
    once; else as far before it as he gets by then, or as far as is usual.
    """
    arc = float(plan.guide.arcs[0])
    if not plan.anchors or plan.anchors[0].frame == 0:
        return [np.full(len(speed), arc)]
    seconds = plan.anchors[0].frame / plan.graph.fps
    usual = arc - float(plan.guide.due[0])
    return [np.full(len(speed), max(arc - usual, 0.0)), np.clip(arc - speed * seconds, 0.0, arc)]


def _carried_on(plan: ScenePlan, edges: list[int]) -> list[int]:
    """The edges, and what follows them for a while: by what labels ask for at the end, else by the cheapest transition."""
    held, need = plan.graph_tables, int(plan.asked.need[-1])
    sums = plan.asked.lack[need]
    more, frames = [*edges], 0
    while frames < _BEYOND * plan.graph.fps:
        node = int(held.target[more[-1]])
        onward = [
            edge for edge in range(int(held.first[node]), int(held.first[node + 1])) if not plan.asked.barred[edge]
        ]
        if not onward:
            break

        def cost(edge: int) -> float:
            begin, length = int(held.begin[edge]), int(held.length[edge])
            return float(sums[begin : begin + length].sum()) + 45.0 * float(held.cost[edge]) ** 2

        more.append(min(onward, key=cost))
        frames += int(held.length[more[-1]])
    return more


def replayed(
    plan: ScenePlan,
    edges: Longs,
    start: FloorTransform,
    along: float,
    time: float = 0.0,
    rate: float = 1.0,
    key: int = 0,
) -> Array:
    """Turn, rate and time ``(F, 3)`` of each frame of a way that begins ``along`` metres along the guide; the rest as in `Starts`."""
    track, steer, lengths = laid_rows(plan.graph_tables, edges, start)
    begins = plan.graph_tables.begin[edges]
    begun = along, time, rate, key
    # as the search saw it, and knowing what comes next: mostly the latter is better
    plain, cost = replay(track, steer, plan.clock, plan.prices, begins, lengths, *begun)
    steer[:, [AHEAD_X, AHEAD_Z, REACH]] = onward(steer[:, STEADY_X : STEADY_X + 2], spell(plan.graph.fps))
    known, less = replay(track, steer, plan.clock, plan.prices, begins, lengths, *begun)
    return known if less <= cost else plain
