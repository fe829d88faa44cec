"""A strike added to a motion graph, and a walk that leads to it and on from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kinegraph.graph.making.confined import confined
from kinegraph.graph.model import Clip, EdgeKind, Edges, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.strikes.joining.ways import Way
from kinegraph.walks.begin import over_origin
from kinegraph.walks.wandering import GAP, wander

Place = tuple[str, int]


def led(graph: MotionGraph, way: Way, frames: int, rng: np.random.Generator) -> tuple[Place, list[Way]]:
    """The start and the transitions of a random walk that arrives at the source of ``way`` after so many frames.

    It is found backwards: at every choice point, uniformly among the edges that lead there, with a gap between transitions as in
    `wander`. It is only shorter if its first clip has no more frames.
    """
    own, gap = graph.edges, round(GAP * graph.fps)
    coming = np.argsort(own.target, kind="stable")
    first = np.searchsorted(own.target[coming], np.arange(len(graph) + 1))
    behind = graph.node_frame - graph.node_frame[np.searchsorted(graph.node_clip, graph.node_clip)]
    calm = (own.kind == EdgeKind.ORIGINAL) | (behind[own.source] >= gap)
    nodes = np.flatnonzero(graph.node_clip == graph.clip_index[way.source])
    node = int(nodes[np.searchsorted(graph.node_frame[nodes], way.frame, side="right") - 1])
    since = way.frame - int(graph.node_frame[node])
    left = frames - since
    taken: list[Way] = []
    while left > 0:
        able = coming[first[node] : first[node + 1]]
        plain = own.kind[able] == EdgeKind.ORIGINAL
        wishes = plain & (since < gap), calm[able] & (plain | (own.length[able] <= left)), plain
        able = next((able[wish] for wish in wishes if wish.any()), able[:0])
        if not len(able):
            break
        edge = int(able[rng.integers(len(able))])
        if own.kind[edge] == EdgeKind.ORIGINAL:
            since += int(own.length[edge])
            if own.length[edge] >= left:
                break
        else:
            since = 0
            taken.append(way_of(graph, edge))
        left -= int(own.length[edge])
        node = int(own.source[edge])
    clip, frame = graph.clips[graph.node_clip[node]].name, int(graph.node_frame[node])
    return (clip, max(0, frame - left)), taken[::-1]


def going_on(graph: MotionGraph, way: Way, frames: int, seed: int) -> list[Way]:
    """The transitions of a random walk of so many frames that begins at the target of ``way``."""
    nodes = graph.node_frame[graph.node_clip == graph.clip_index[way.target]]
    frames -= int(nodes[nodes >= way.arrival][0]) - way.arrival
    if frames <= 0:
        return []
    walk = wander(graph, frames / graph.fps, seed=seed, start=(way.target, way.arrival))
    return [way_of(graph, edge) for edge in walk.edges.tolist() if graph.edges.kind[edge] != EdgeKind.ORIGINAL]


def way_of(graph: MotionGraph, edge: int) -> Way:
    """A transition of a graph."""
    own = graph.edges
    ends = [
        (graph.clips[graph.node_clip[node]].name, int(graph.node_frame[node]))
        for node in (own.source[edge], own.target[edge])
    ]
    bridge = bool(own.kind[edge] == EdgeKind.BRIDGE)
    return Way(*ends[0], *ends[1], int(own.length[edge]), float(own.cost[edge]), bridge, own.alignment(edge))


def spliced(graph: MotionGraph, clip: Clip, ways: Sequence[Way], start: Place) -> MotionGraph:
    """The graph with one more clip, transitions to and from it, and a choice point at ``start``; everything else stays."""
    made = with_clips(graph, [clip], ways, [start])
    return replace(made, labels=confined(made))


def with_clips(graph: MotionGraph, more: Sequence[Clip], ways: Sequence[Way], places: Sequence[Place]) -> MotionGraph:
    """The same with several clips and choice points at several ``places``, and without a word on where a walk can keep to a label."""
    clips = tuple(sorted((*graph.clips, *more), key=lambda one: one.name))
    number = {one.name: index for index, one in enumerate(clips)}
    starts = np.concatenate([[0], np.cumsum([len(one) for one in clips])])
    old = starts[np.array([number[one.name] for one in graph.clips])[graph.node_clip]] + graph.node_frame
    source = np.array([starts[number[way.source]] + way.frame for way in ways])
    target = np.array([starts[number[way.target]] + way.arrival for way in ways])
    points = [starts[number[name]] + frame for name, frame in places]
    nodes = np.unique(np.concatenate([old, source, target, points]))
    node_clip = (np.searchsorted(starts, nodes, side="right") - 1).astype(np.int32)
    tails = np.flatnonzero(node_clip[1:] == node_clip[:-1])
    own = graph.edges
    blended = own.kind != EdgeKind.ORIGINAL
    fresh = {
        "kind": np.array([EdgeKind.BRIDGE if way.bridge else EdgeKind.TRANSITION for way in ways], np.uint8),
        "length": np.array([way.length for way in ways]),
        "cost": np.array([way.cost for way in ways]),
        "angle": np.array([way.alignment.angle for way in ways]),
        "x": np.array([way.alignment.x for way in ways]),
        "z": np.array([way.alignment.z for way in ways]),
    }
    plain = {name: np.zeros(len(tails)) for name in fresh}
    plain["length"] = np.diff(nodes)[tails]
    columns = {name: np.concatenate([plain[name], getattr(own, name)[blended], fresh[name]]) for name in fresh}
    columns["source"] = np.concatenate(
        [tails, np.searchsorted(nodes, np.concatenate([old[own.source[blended]], source]))]
    )
    columns["target"] = np.concatenate(
        [tails + 1, np.searchsorted(nodes, np.concatenate([old[own.target[blended]], target]))]
    )
    order = np.lexsort((columns["length"], columns["target"], columns["kind"], columns["source"]))
    edges = Edges(**{name: values[order] for name, values in columns.items()})
    # no record: nobody has built this graph from its clips
    return MotionGraph(clips, node_clip, nodes - starts[node_clip], edges, {})


def laid(graph: MotionGraph, start: Place, ways: Sequence[Way], later: Sequence[Way], frames: int) -> Walk:
    """The walk from ``start`` along ``ways``, and then for so many frames along ``later`` ones."""
    own = graph.edges
    node = _node(graph, *start)
    edges: list[int] = []
    for way in (*ways, *later):
        source, target = _node(graph, way.source, way.frame), _node(graph, way.target, way.arrival)
        while node != source:
            edges.append(graph.out(node)[0])  # original motion comes first
            node += 1
        edges.append(
            next(e for e in graph.out(node) if own.target[e] == target and own.length[e] == way.length and own.kind[e])
        )
        node = target
        if way is ways[-1]:
            frames += int(own.length[edges].sum())
    while own.length[edges].sum() < frames:
        edges.append(graph.out(node)[0])
        node += 1
    return Walk(graph, np.array(edges, np.int32), over_origin(graph, _node(graph, *start)), frames)


def _node(graph: MotionGraph, clip: str, frame: int) -> int:
    return int(np.flatnonzero((graph.node_clip == graph.clip_index[clip]) & (graph.node_frame == frame))[0])
