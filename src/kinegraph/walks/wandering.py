"""Random walks of any length that see all of a graph, evenly; or that keep to the best transitions (Manchester 2019,
4.7.1).

The graph has no dead ends, nor has the part of it that a label keeps to, so a walk goes on for as long as is asked.
"""

from __future__ import annotations

import math

import numpy as np

from kinegraph.errors import GraphError
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.walks.begin import Start, over_origin, start_nodes
from kinegraph.walks.cover import Cover
from kinegraph.walks.part import LabelledPart
from kinegraph.watch import Watch, Watcher

GAP = 0.3
POOL = 0.05  # Manchester's share of the valid transitions


def wander(
    graph: MotionGraph,
    seconds: float,
    *,
    seed: int = 0,
    start: Start | None = None,
    label: str | None = None,
    pool: float | None = None,
    gap: float = GAP,
    within: bool = False,
    watch: Watcher = None,
) -> Walk:
    """A random walk of exactly ``round(seconds · fps)`` frames, at least one, that sets out from the origin, facing +Z.

    Every clip gets about as much of the walk as it has of the graph's frames, and of a clip what was played least comes
    first (`kinegraph.walks.cover` says how).

    start: a clip's name, a clip's name and a frame, or a label (see `start_nodes`); anywhere unless given. label: keep
    to frames that bear it. pool: a share between 0 and 1 (`POOL` is Manchester's); of the transitions that a clip still
    has ahead, only the best so many are taken. gap: seconds of untouched motion at the beginning and between
    transitions; 0 takes transitions as they come. within: whether transitions may lead from a clip into itself, as into
    any other. What is not wished for (a transition outside of the pool, within a clip, before the gap is over) is done
    only where nothing else leads on, or to clips that would else not be seen. watch: asked at every edge whether to go on.

    The same graph, seed and wishes give the same walk, and a longer one begins as a shorter one does.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> kg.walks.wander(graph, 20, seed=3).seconds
    20.0
    """
    watch = Watch.of(watch)
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
    steps = Cover(part, rng, pool=pool, within=within).steps(first)
    edges: list[int] = []
    total = 0
    length = graph.edges.length.tolist()
    while total < frames:
        watch.check()
        edge = next(steps)
        edges.append(edge)
        total += length[edge]
    return Walk(graph, np.array(edges, np.int32), over_origin(graph, first), frames)


def staying(walk: Walk) -> int:
    """How many transitions of a walk lead from a clip into itself."""
    graph, edges = walk.graph, walk.graph.edges
    taken = walk.edges[edges.kind[walk.edges] != EdgeKind.ORIGINAL]
    return int(np.count_nonzero(graph.node_clip[edges.source[taken]] == graph.node_clip[edges.target[taken]]))


def _frames(graph: MotionGraph, seconds: float) -> int:
    if not 0 < seconds < math.inf:
        raise GraphError(f"a walk lasts a positive number of seconds, got {seconds}")
    return max(1, round(seconds * graph.fps))
