from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from kinegraph.graph.making.confined import confined
from kinegraph.graph.model import Clip, EdgeKind, Edges, LabelSpan, MotionGraph
from tests.graph.made import made_graph
from tests.strategies import generators


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return made_graph(("run", "stand", "walk"))


def plays(graph: MotionGraph, edge: int) -> list[tuple[int, range]]:
    """The clips and frames that an edge plays."""
    edges = graph.edges
    source, target, length = int(edges.source[edge]), int(edges.target[edge]), int(edges.length[edge])
    start = int(graph.node_frame[source])
    played = [(int(graph.node_clip[source]), range(start, start + length))]
    if edges.kind[edge] != EdgeKind.ORIGINAL:
        end = int(graph.node_frame[target])
        played.append((int(graph.node_clip[target]), range(end - length, end)))
    return played


def bears(graph: MotionGraph, edge: int, label: str) -> bool:
    """Whether every frame that an edge plays bears the label."""
    masks = [clip.labelled(label) for clip in graph.clips]
    return all(masks[clip][frame] for clip, frames in plays(graph, edge) for frame in frames)


def strong_parts(count: int, pairs: list[tuple[int, int]]) -> list[set[int]]:
    """Strongly connected components of a small graph, by reachability alone."""
    ways = np.eye(count, dtype=bool)
    for source, target in pairs:
        ways[source, target] = True
    for _ in range(count.bit_length() + 1):
        ways = (ways.astype(np.float32) @ ways.astype(np.float32)) > 0
    together = ways & ways.T
    return [set(np.flatnonzero(row).tolist()) for row in np.unique(together, axis=0)]


def check_label(graph: MotionGraph, label: str) -> None:
    """The component of a label is what brute force finds, or there is none."""
    allowed = [edge for edge in range(len(graph.edges)) if bears(graph, edge, label)]
    pairs = [(int(graph.edges.source[edge]), int(graph.edges.target[edge])) for edge in allowed]
    parts = strong_parts(len(graph), pairs)
    largest = max(map(len, parts))
    found = confined(graph).get(label)
    if largest < 2:
        assert found is None
        return
    assert found is not None
    nodes = set(found.nodes.tolist())
    assert nodes == min((part for part in parts if len(part) == largest), key=min)
    assert found.edges.tolist() == [
        edge for edge, (source, target) in zip(allowed, pairs, strict=True) if source in nodes and target in nodes
    ]


def _with_spans(graph: MotionGraph, spans: dict[int, list[LabelSpan]]) -> MotionGraph:
    clips: list[Clip] = [replace(clip, spans=tuple(spans.get(n, ()))) for n, clip in enumerate(graph.clips)]
    return replace(graph, clips=tuple(clips))


def test_each_clip_of_one_label_is_its_own_loop(graph: MotionGraph) -> None:
    for label in ("run", "stand", "walk"):
        check_label(graph, label)
        part = confined(graph)[label]
        assert {graph.clips[clip].name for clip in graph.node_clip[part.nodes]} == {label}


@given(generators())
def test_any_spans(random: np.random.Generator) -> None:
    graph = made_graph(("run", "walk"), 60)
    spans: dict[int, list[LabelSpan]] = {}
    for clip in range(2):
        for _ in range(int(random.integers(0, 4))):
            first = int(random.integers(0, 50))
            spans.setdefault(clip, []).append(LabelSpan("go", first, int(random.integers(first + 1, 61))))
    check_label(_with_spans(graph, spans), "go")


def test_a_transition_must_bear_the_label_in_both_clips_to_its_last_frame(graph: MotionGraph) -> None:
    length = len(graph.clips[0])
    every = _with_spans(graph, {0: [LabelSpan("go", 0, length)]})
    assert "go" in confined(every)
    nodes = graph.node_frame[graph.node_clip == 0]
    end = int(nodes.max()) + 10  # the loop's transition plays up to here
    assert "go" in confined(_with_spans(graph, {0: [LabelSpan("go", 0, end)]}))
    assert "go" not in confined(_with_spans(graph, {0: [LabelSpan("go", 0, end - 1)]}))
    # the first node is entered by a blend of the window before it
    start = int(nodes.min()) - 10
    assert "go" in confined(_with_spans(graph, {0: [LabelSpan("go", start, length)]}))
    assert "go" not in confined(_with_spans(graph, {0: [LabelSpan("go", start + 1, length)]}))


def test_no_edges_no_components(graph: MotionGraph) -> None:
    none = np.zeros(0)
    assert confined(replace(graph, edges=Edges(*([none] * 8)))) == {}
