"""Transitions that an earlier graph of the same clips has are laid as they are there."""

from __future__ import annotations

import numpy as np

import kinegraph as kg
from kinegraph import samples
from kinegraph.graph.making.alignments import Alignments
from kinegraph.graph.making.prepare import clouds_of
from kinegraph.graph.making.transitions import Transitions
from kinegraph.graph.model import EdgeKind, MotionGraph


def _graph() -> MotionGraph:
    return kg.graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])


def _transitions(graph: MotionGraph) -> tuple[Transitions, np.ndarray]:
    edges = graph.edges
    chosen = np.flatnonzero(edges.kind == EdgeKind.TRANSITION)
    a, b = edges.source[chosen], edges.target[chosen]
    frame, length = graph.node_frame.astype(np.int64), edges.length[chosen].astype(np.int64)
    clip = graph.node_clip.astype(np.int64)
    return Transitions(clip[a], frame[a], clip[b], frame[b], length, edges.cost[chosen]), chosen


def test_what_is_looked_up_is_what_is_worked_out() -> None:
    graph = _graph()
    taken, chosen = _transitions(graph)
    clouds = clouds_of(graph.clips, graph.record.parameters)
    fresh = Alignments(clouds, graph.clips).of(taken, taken.length)
    known = Alignments(clouds, graph.clips, graph).of(taken, taken.length)
    assert len(taken) > 50
    assert fresh.tobytes() == known.tobytes()
    assert known[1].tolist() == graph.edges.angle[chosen].tolist()


def test_clips_are_told_by_their_names() -> None:
    graph = _graph()
    parameters = graph.record.parameters
    fewer = kg.graph.remove(graph, ["walk"])
    taken, chosen = _transitions(fewer)
    # one clip less, so that the others have other numbers; two transitions that the old graph does not have
    moved = Transitions(
        taken.source_clip, taken.source.copy(), taken.target_clip, taken.target, taken.length, taken.cost
    )
    moved.source[:2] += 1
    clouds = clouds_of(fewer.clips, parameters)
    known = Alignments(clouds, fewer.clips, graph).of(moved, moved.length)
    assert known.tobytes() == Alignments(clouds, fewer.clips).of(moved, moved.length).tobytes()
    assert known[0, 2:].tolist() == fewer.edges.cost[chosen][2:].tolist()
