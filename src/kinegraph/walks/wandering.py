"""Random walks of any length: uniform at every choice point, or from a pool of the best transitions (Manchester 2019,
4.7.1).

The graph has no dead ends, nor has the part of it that a label keeps to, so a walk goes on for as long as is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Bools, Ints
from kinegraph.errors import GraphError
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.walks.begin import Start, over_origin, start_nodes
from kinegraph.walks.choice import component

GAP = 0.3
POOL = 0.05  # Manchester's share of the valid transitions
# A pool is never smaller, as far as there are transitions: always the one best would soon go round in a circle.
FEWEST = 3


def wander(
    graph: MotionGraph,
    seconds: float,
    *,
    seed: int = 0,
    start: Start | None = None,
    label: str | None = None,
    pool: float | None = None,
    gap: float = GAP,
) -> Walk:
    """A random walk of exactly ``round(seconds · fps)`` frames, at least one, that sets out from the origin, facing +Z.

    start: a clip's name, a clip's name and a frame, or a label (see `start_nodes`); anywhere unless given. label: keep
    to frames that bear it. pool: None chooses uniformly among the edges that leave a node, original motion being one of
    them. A share between 0 and 1 (`POOL` is Manchester's) chooses among the best so many of the transitions that lie
    ahead, in the stretch that is being played, and plays on until the chosen one. gap: seconds of untouched motion at
    the beginning and between transitions, wherever the graph leaves a choice; 0 takes transitions as they come.

    The same graph, seed and wishes give the same walk.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> kg.walks.wander(graph, 20, seed=3).seconds
    20.0
    """
    frames = _frames(graph, seconds)
    if not 0 <= gap < math.inf:
        raise GraphError(f"the gap between transitions must be seconds, 0 or more, got {gap}")
    if pool is not None and not 0 < pool <= 1:
        raise GraphError(f"the pool is a share of the transitions, above 0 and at most 1, got {pool}")
    rng = np.random.default_rng(seed)
    part = LabelledPart.of(graph, label, round(gap * graph.fps))
    nodes = np.flatnonzero(part.nodes).astype(np.int32)
    if start is not None:
        nodes = start_nodes(graph, start, within=None if label is None else part.nodes)
    first = int(nodes[rng.integers(len(nodes))])
    steps = _uniform(part, first, rng) if pool is None else _pooled(part, first, rng, pool)
    edges: list[int] = []
    total = 0
    length = graph.edges.length.tolist()
    while total < frames:
        edge = next(steps)
        edges.append(edge)
        total += length[edge]
    return Walk(graph, np.array(edges, np.int32), over_origin(graph, first), frames)


@dataclass(frozen=True, eq=False)
class LabelledPart:
    """The part of a graph that a walk keeps to, in tables that answer what leaves a node without a search."""

    graph: MotionGraph
    nodes: Bools
    """``(N,)``: which nodes belong to it."""
    edges: Bools
    """``(E,)``: which edges belong to it."""
    gap: int
    """Frames of original motion between transitions."""
    transitions: Ints
    """Its transitions, in the order of their sources."""
    first: Ints
    """``(N + 1,)``: entries ``first[n]`` … ``first[n + 1]``−1 of ``transitions`` leave node n."""
    along: list[int]
    """By node: the original edge that leaves it, or −1."""
    ahead: Ints
    """By node: frames of original motion that follow."""
    last: Ints
    """By node: the node at which that motion ends."""
    roomy: Bools
    """``(E,)``: edges behind which at least ``gap`` frames of original motion follow."""

    @classmethod
    def of(cls, graph: MotionGraph, label: str | None, gap: int) -> LabelledPart:
        """The whole graph, or the part that keeps to a label. gap: frames between transitions."""
        nodes, edges = np.ones(len(graph), bool), np.ones(len(graph.edges), bool)
        if label is not None:
            inside = component(graph, label)
            nodes, edges = np.zeros(len(graph), bool), np.zeros(len(graph.edges), bool)
            nodes[inside.nodes] = True
            edges[inside.edges] = True
        own = graph.edges
        plain = np.flatnonzero(edges & (own.kind == EdgeKind.ORIGINAL))
        transitions = np.flatnonzero(edges & (own.kind != EdgeKind.ORIGINAL)).astype(np.int32)
        first = np.searchsorted(own.source[transitions], np.arange(len(graph) + 1)).astype(np.int32)
        along = np.full(len(graph), -1)
        along[own.source[plain]] = plain
        # original motion leads to later nodes only: from the back, what lies ahead of the next node is known
        ahead, last = np.zeros(len(graph), np.int32), np.arange(len(graph), dtype=np.int32)
        for edge in plain[::-1].tolist():
            source, target = own.source[edge], own.target[edge]
            ahead[source] = own.length[edge] + ahead[target]
            last[source] = last[target]
        return cls(graph, nodes, edges, gap, transitions, first, along.tolist(), ahead, last, ahead[own.target] >= gap)

    def leaving(self, first: int, last: int) -> Ints:
        """The transitions that leave nodes ``first`` … ``last``."""
        return self.transitions[self.first[first] : self.first[last + 1]]

    def lost(self, node: int) -> GraphError:
        """What to say where nothing leads on; a pruned graph has no such place."""
        clip, frame = self.graph.clips[self.graph.node_clip[node]].name, self.graph.node_frame[node]
        return GraphError(
            f"nothing leads on from frame {frame} of clip {clip!r}: this graph has dead ends, build it anew"
        )


def _frames(graph: MotionGraph, seconds: float) -> int:
    if not 0 < seconds < math.inf:
        raise GraphError(f"a walk lasts a positive number of seconds, got {seconds}")
    return max(1, round(seconds * graph.fps))


def _uniform(part: LabelledPart, node: int, rng: np.random.Generator) -> Iterator[int]:
    """Edges without end: any of those that leave a node, each as likely as the others, once the gap is over."""
    target, length = part.graph.edges.target.tolist(), part.graph.edges.length.tolist()
    kind = part.graph.edges.kind.tolist()
    ways: dict[int, list[int]] = {}
    since = 0
    while True:
        edge = part.along[node]
        if edge < 0 or since >= part.gap:
            if node not in ways:
                ways[node] = _ways(part, node)
            edge = ways[node][rng.integers(len(ways[node]))]
        since = 0 if kind[edge] else since + length[edge]
        node = target[edge]
        yield edge


def _ways(part: LabelledPart, node: int) -> list[int]:
    """The edges that leave a node; without those that would make the next transition follow too soon, where others
    remain.
    """
    transitions = part.leaving(node, node)
    onwards = [part.along[node]] if part.along[node] >= 0 else []
    ways: list[int] = onwards + transitions[part.roomy[transitions]].tolist() or transitions.tolist()
    if not ways:
        raise part.lost(node)
    return ways


def _pooled(part: LabelledPart, node: int, rng: np.random.Generator, pool: float) -> Iterator[int]:
    """Edges without end: of the transitions ahead one of the best, after the original motion that leads to it."""
    source, target = part.graph.edges.source.tolist(), part.graph.edges.target.tolist()
    pools: dict[int, list[int]] = {}
    while True:
        if node not in pools:
            pools[node] = best_ahead(part, node, pool).tolist()
        chosen = pools[node][rng.integers(len(pools[node]))]
        while node != source[chosen]:
            yield part.along[node]
            node = target[part.along[node]]
        yield chosen
        node = target[chosen]


def best_ahead(part: LabelledPart, node: int, pool: float) -> Ints:
    """The cheapest share ``pool`` of the valid transitions, at least `FEWEST` of them, cheapest first.

    Valid are those that leave the stretch of original motion from ``node`` on, as in Manchester's clips; where there
    are such, those of them that keep the gap before and behind them, else before them, else behind them.
    """
    ahead = part.leaving(node, int(part.last[node]))
    if not len(ahead):
        raise part.lost(node)
    edges = part.graph.edges
    late = part.ahead[node] - part.ahead[edges.source[ahead]] >= part.gap
    roomy = part.roomy[ahead]
    wishes = (late & roomy, late, roomy, np.ones(len(ahead), bool))
    valid = ahead[next(wish for wish in wishes if wish.any())]
    cheapest = valid[np.argsort(edges.cost[valid], kind="stable")]
    best: Ints = cheapest[: max(FEWEST, math.ceil(pool * len(valid)))]
    return best
