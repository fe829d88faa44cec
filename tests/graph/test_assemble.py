"""Graphs of built-in clips, checked against first principles."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.errors import GraphError
from kinegraph.graph.making.assemble import _ordered
from kinegraph.graph.making.builder import build, rechoose
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.transitions import transitions_from
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.graph.store.files import digest
from kinegraph.similarity.candidates import Candidates
from kinegraph.similarity.matrix import distance_matrix
from tests.similarity.reference import apart, brute_force, cloud_of, direct, explicit_points, window_points

FAMILY = ("run", "sneak", "stand", "start", "stop", "walk", "walk_fast", "walk_left_medium", "walk_right_tight")


def reached(count: int, pairs: Sequence[tuple[int, int]], start: int = 0) -> set[int]:
    """Every node that can be reached from one of them."""
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in pairs:
        after[source].append(target)
    seen, waiting = {start}, deque([start])
    while waiting:
        for node in after[waiting.popleft()]:
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen


def core(graph: MotionGraph, edge: int) -> tuple[int, int, int, int, int]:
    """Clip and window of the source, clip and window of the target, and the frames that were compared, of a transition."""
    edges = graph.edges
    a, b = (int(graph.node_clip[node]) for node in (edges.source[edge], edges.target[edge]))
    window = min(graph.clips[a].window, graph.clips[b].window)
    length = int(edges.length[edge])
    grow = (length - window) // 2
    first = int(graph.node_frame[edges.source[edge]]) + grow
    second = int(graph.node_frame[edges.target[edge]]) - length + grow
    return a, first, b, second, window


def shared_labels(graph: MotionGraph, edge: int) -> set[str]:
    """The labels that all frames of a transition bear, in both clips."""
    length = int(graph.edges.length[edge])
    (a, first), (b, last) = (
        (graph.clips[graph.node_clip[node]], int(graph.node_frame[node]))
        for node in (graph.edges.source[edge], graph.edges.target[edge])
    )
    return {
        span.label
        for span in a.spans
        if a.labelled(span.label)[first : first + length].all() and b.labelled(span.label)[last - length : last].all()
    }


def check_structure(graph: MotionGraph) -> None:
    """Nodes and edges are in order and in their clips, and every node leads to every other."""
    nodes = list(zip(graph.node_clip.tolist(), graph.node_frame.tolist(), strict=True))
    assert nodes == sorted(set(nodes))
    for clip, frame in nodes:
        assert 0 <= frame < len(graph.clips[clip])
    edges = graph.edges
    pairs = list(zip(edges.source.tolist(), edges.target.tolist(), strict=True))
    assert edges.source.tolist() == sorted(edges.source.tolist())
    for node in range(len(graph)):
        assert all(edges.source[edge] == node for edge in graph.out(node))
        assert len(graph.out(node)) > 0
    originals = [pair for pair, kind in zip(pairs, edges.kind, strict=True) if kind == EdgeKind.ORIGINAL]
    neighbours = [(n, n + 1) for n in range(len(nodes) - 1) if nodes[n][0] == nodes[n + 1][0]]
    assert sorted(originals) == neighbours
    for edge, (source, target) in enumerate(pairs):
        (a, s), (b, t), length = nodes[source], nodes[target], int(edges.length[edge])
        assert length > 0
        if edges.kind[edge] == EdgeKind.ORIGINAL:
            assert t - s == length
            assert not any((edges.cost[edge], edges.angle[edge], edges.x[edge], edges.z[edge]))
            continue
        assert s + length <= len(graph.clips[a])
        assert t - length >= 0
        window = min(graph.clips[a].window, graph.clips[b].window)
        assert length == window if edges.kind[edge] == EdgeKind.TRANSITION else window <= length <= 2 * window
    backwards = [(target, source) for source, target in pairs]
    assert len(reached(len(graph), pairs)) == len(reached(len(graph), backwards)) == len(graph) > 0


def check_costs(graph: MotionGraph, most: int = 60) -> None:
    """Costs are those of the direct formula, the alignment attains them, and they come from the candidates."""
    moving = np.flatnonzero(graph.edges.kind != EdgeKind.ORIGINAL)
    for edge in np.random.default_rng(0).permutation(moving)[:most].tolist():
        a, first, b, second, window = core(graph, edge)
        one, two = graph.clips[a].motion, graph.clips[b].motion
        cost = float(graph.edges.cost[edge])
        # squares are rounded to 2⁻⁴⁰ m²: where there is no distance that is up to 0.7 µm
        assert cost == pytest.approx(direct(one, first, two, second, window)[0], abs=7e-7)
        points, shares = explicit_points(one)
        ours, weights = window_points(points, shares, first, window)
        theirs, _ = window_points(explicit_points(two)[0], shares, second, window)
        assert apart(ours, theirs, weights, graph.edges.alignment(edge)) == pytest.approx(cost, abs=7e-7)
    known = {
        (names, int(i), int(j)): float(cost)
        for names, minima in graph.record.candidates.items()
        for i, j, cost in zip(minima.first, minima.second, minima.cost, strict=True)
    }
    for edge in moving.tolist():
        a, first, b, second, window = core(graph, edge)
        assert graph.clips[a].sound[first : first + window].all()
        assert graph.clips[b].sound[second : second + window].all()
        place = (a, first, b, second) if (a, first) <= (b, second) else (b, second, a, first)
        names = (graph.clips[place[0]].name, graph.clips[place[2]].name)
        assert known[names, place[1], place[3]] == pytest.approx(graph.edges.cost[edge], abs=1e-7)


def check_report(graph: MotionGraph) -> None:
    """The report counts what the graph holds."""
    report = graph.record.report
    assert report.frames == sum(map(len, graph.clips))
    assert report.candidates == sum(map(len, graph.record.candidates.values()))
    kept = 0
    for n, clip in enumerate(graph.clips):
        frames = graph.node_frame[graph.node_clip == n]
        if len(frames):
            inner = [f for f in range(frames.min(), frames.max() + 1) if clip.window <= f <= len(clip) - clip.window]
            kept += len(inner)
    assert report.kept == kept <= report.attainable
    assert sorted(name for group in report.groups for name in group.clips) == sorted(clip.name for clip in graph.clips)
    owner = {name: n for n, group in enumerate(report.groups) for name in group.clips}
    for edge in np.flatnonzero(graph.edges.kind == EdgeKind.TRANSITION).tolist():
        a, _, b, _, _ = core(graph, edge)
        limits = [report.groups[owner[graph.clips[clip].name]].threshold for clip in (a, b)]
        if graph.edges.cost[edge] > min(limits) + 1e-9:
            # only what a label needs, within it, and not far above the threshold
            assert graph.edges.cost[edge] <= 1.5 * min(limits) + 1e-9
            assert shared_labels(graph, edge)
    for names in (loss.clip for loss in report.losses):
        assert names in graph.clip_index


def wander(graph: MotionGraph, edges: Array | None, steps: int, seed: int) -> None:
    """A random walk, on some of the edges only: there is always one to go on with."""
    random = np.random.default_rng(seed)
    allowed = np.ones(len(graph.edges), bool)
    if edges is not None:
        allowed[:] = False
        allowed[edges] = True
    ways = [[edge for edge in graph.out(node) if allowed[edge]] for node in range(len(graph))]
    node = int(graph.edges.source[np.flatnonzero(allowed)[0]])
    for _ in range(steps):
        node = int(graph.edges.target[ways[node][random.integers(len(ways[node]))]])


def check_labels(graph: MotionGraph) -> None:
    """A walk that is confined to a label plays nothing else, and never ends."""
    for label, part in graph.labels.items():
        masks = [clip.labelled(label) for clip in graph.clips]
        assert np.array_equal(np.unique(graph.edges.source[part.edges]), part.nodes)
        assert np.array_equal(np.unique(graph.edges.target[part.edges]), part.nodes)
        for edge in part.edges.tolist():
            s, t, length = (
                int(values[edge]) for values in (graph.edges.source, graph.edges.target, graph.edges.length)
            )
            start, end = int(graph.node_frame[s]), int(graph.node_frame[t])
            assert masks[graph.node_clip[s]][start : start + length].all()
            if graph.edges.kind[edge] != EdgeKind.ORIGINAL:
                assert masks[graph.node_clip[t]][end - length : end].all()
        wander(graph, part.edges, 10_000, 1)


def check_all(graph: MotionGraph) -> None:
    """Everything above."""
    check_structure(graph)
    check_costs(graph)
    check_report(graph)
    check_labels(graph)


@pytest.fixture(scope="module")
def family() -> MotionGraph:
    return build([samples.make(name).motion for name in FAMILY])


def test_a_family_of_walks_runs_and_stops(family: MotionGraph) -> None:
    check_all(family)
    assert family.record.report.kept >= 0.9 * family.record.report.attainable
    assert {"walk", "run", "stand"} <= set(family.labels)
    used = {int(clip) for clip in family.node_clip}
    lost = {family.clip_index[loss.clip] for loss in family.record.report.losses if loss.frames == loss.of}
    assert used | lost == set(range(len(FAMILY)))


def test_candidates_are_complete(family: MotionGraph) -> None:
    """Every pair of clips, and of each pair every minimum below the ceiling."""
    names = [clip.name for clip in family.clips]
    assert list(family.record.candidates) == list(combinations_with_replacement(names, 2))
    for a, b in (("run", "walk"), ("stop", "walk"), ("walk_fast", "walk_fast"), ("sneak", "stand")):
        one = cloud_of(family.clip(a).motion)
        two = one if a == b else cloud_of(family.clip(b).motion)
        minima = family.record.candidates[a, b]
        assert minima.window == min(family.clip(a).window, family.clip(b).window)
        found = brute_force(distance_matrix(one, two, minima.window), 0.2, minima.window, same=a == b)
        places = set(zip(minima.first.tolist(), minima.second.tolist(), strict=True))
        assert found.sure <= places <= found.sure | found.perhaps


def test_only_what_pruning_takes_is_missing(family: MotionGraph) -> None:
    """All moves below the thresholds between kept frames are in the graph: none is thinned beyond its neighbours."""
    number = family.clip_index
    moves = transitions_from(
        Candidates.of({(number[a], number[b]): minima for (a, b), minima in family.record.candidates.items()}),
        [*map(len, family.clips)],
    )
    limit = np.zeros(len(family.clips))
    for group in family.record.report.groups:
        limit[[number[name] for name in group.clips]] = group.threshold
    span = {
        clip: (int(frames.min()), int(frames.max()))
        for clip in range(len(family.clips))
        if len(frames := family.node_frame[family.node_clip == clip])
    }
    expected = set()
    for a, s, b, t, length, cost in zip(*vars(moves).values(), strict=True):
        inside = all(c in span and span[c][0] <= f <= span[c][1] for c, f in ((a, s), (b, t)))
        if inside and cost <= min(limit[a], limit[b]):
            expected.add((int(a), int(s), int(b), int(t), int(length)))
    edges = family.edges
    made = {
        (*place(family, edges.source[n]), *place(family, edges.target[n]), int(edges.length[n]))
        for n in np.flatnonzero(edges.kind == EdgeKind.TRANSITION)
    }
    assert made == expected


def place(graph: MotionGraph, node: int) -> tuple[int, int]:
    """Clip and frame of a node."""
    return int(graph.node_clip[node]), int(graph.node_frame[node])


def test_a_given_threshold_is_kept_by_all_and_nothing_is_bridged(family: MotionGraph) -> None:
    for threshold in (0.02, 0.05, 0.11):
        made = rechoose(family, Parameters(threshold=threshold))
        check_structure(made)
        check_report(made)
        moving = made.edges.kind != EdgeKind.ORIGINAL
        assert made.edges.cost[moving].max() <= threshold
        assert not (made.edges.kind == EdgeKind.BRIDGE).any()
        assert made.record.report.meetings == ()
        assert made.record.report.threshold == threshold


def test_rechoosing_is_building_anew() -> None:
    motions = [samples.make(name).motion for name in ("walk", "walk_left_tight", "run")]
    first = build(motions)
    for parameters in (Parameters(threshold=0.07), Parameters(share=0.6), Parameters(bridges=False)):
        assert digest(rechoose(first, parameters)) == digest(build(motions, parameters))
    assert digest(rechoose(rechoose(first, Parameters(threshold=0.03)), Parameters())) == digest(first)


def test_what_was_compared_cannot_be_rechosen(family: MotionGraph) -> None:
    for parameters in (Parameters(window=0.5), Parameters(along=1), Parameters(fps=25.0), Parameters(mirror=True)):
        with pytest.raises(GraphError, match="build the graph anew"):
            rechoose(family, parameters)
    with pytest.raises(GraphError, match="20 cm only"):
        rechoose(family, Parameters(threshold=0.3))


def test_no_cycle_names_a_threshold_that_works() -> None:
    motions = [samples.make(name).motion for name in ("jump", "kick_low_left", "punch_low_left")]
    with pytest.raises(GraphError, match="leaves no cycle") as caught:
        build(motions, Parameters(threshold=0.0001))
    said = re.search(r"([\d.]+) cm would", str(caught.value))
    assert said
    works = float(said.group(1)) / 100
    check_structure(build(motions, Parameters(threshold=works)))
    if works > 0.001:
        with pytest.raises(GraphError, match="leaves no cycle"):
            build(motions, Parameters(threshold=works - 0.0006))


def test_clips_that_never_lead_back_are_refused() -> None:
    with pytest.raises(GraphError, match="do not meet in a way that leads back"):
        build([samples.make("jump").motion[60:110]], Parameters(ceiling=0.01))


def test_unlike_clips_are_bridged_or_left_out() -> None:
    names = ("walk", "walk_fast", "walk_left_medium", "walk_right_medium", "kick_low_left", "kick_low_right")
    motions = [samples.make(name).motion for name in names]
    joined = build(motions)
    check_all(joined)
    assert {int(clip) for clip in joined.node_clip} == set(range(6))
    bridges = joined.edges.kind == EdgeKind.BRIDGE
    assert bridges.any()
    assert joined.edges.length[bridges].max() > max(clip.window for clip in joined.clips)
    # without bridges there is one threshold for all, high enough for the share
    alone = build(motions, Parameters(bridges=False))
    check_all(alone)
    assert not (alone.edges.kind == EdgeKind.BRIDGE).any()
    assert len(alone.record.report.groups) == 1
    assert alone.record.report.kept >= 0.9 * alone.record.report.attainable
    assert alone.record.report.threshold > joined.record.report.groups[0].threshold
    # and a strict one leaves clips out, and says what they need
    strict = rechoose(joined, Parameters(threshold=joined.record.report.groups[0].threshold))
    check_all(strict)
    left_out = {loss.clip: loss.needs for loss in strict.record.report.losses if loss.frames == loss.of}
    assert left_out.keys() >= {"kick_low_left", "kick_low_right"}
    for name, needs in left_out.items():
        assert needs is not None
        # and that is what it takes
        there = rechoose(joined, Parameters(threshold=needs + 1e-9))
        assert there.clip_index[name] in there.node_clip
        short = rechoose(joined, Parameters(threshold=needs - 0.0005))
        assert short.clip_index[name] not in short.node_clip


@pytest.mark.parametrize(("nodes", "longest"), [(5, 3), (300, 90), (2_000_000_000, 2_000_000_000)])
def test_edges_are_ordered_by_source_kind_target_and_length(nodes: int, longest: int) -> None:
    """Also where many are alike in all four, and where no single number could tell all of them apart."""
    random = np.random.default_rng(nodes)
    source, target = random.integers(0, nodes, (2, 2000))
    kind, length = random.integers(0, len(EdgeKind), 2000).astype(np.uint8), random.integers(1, longest, 2000)
    rows = list(zip(source.tolist(), kind.tolist(), target.tolist(), length.tolist(), range(2000), strict=True))
    assert _ordered(nodes, source, kind, target, length).tolist() == [row[-1] for row in sorted(rows)]
