from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import GraphError
from kinegraph.graph import Parameters, build
from kinegraph.graph.model import EdgeKind, Edges, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.walks.choice import frames_bearing, played
from kinegraph.walks.wandering import FEWEST, LabelledPart, best_ahead, wander
from tests.graph.made import made_graph


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    names = ("walk", "walk_left_medium", "walk_right_medium", "run", "stand")
    return build([samples.make(name).motion for name in names], Parameters(mirror=True))


def _transitions(walk: Walk) -> np.ndarray:
    """Places in the walk of its blends."""
    return np.flatnonzero(walk.graph.edges.kind[walk.edges] != EdgeKind.ORIGINAL)


@pytest.mark.parametrize("seconds", [0.001, 1 / 30, 1.0, 7.77, 60.0])
@pytest.mark.parametrize("pool", [None, 0.05, 1.0])
def test_length_is_exact(graph: MotionGraph, seconds: float, pool: float | None) -> None:
    walk = wander(graph, seconds, pool=pool)
    assert walk.frames == max(1, round(seconds * 30))


def test_same_seed_same_walk(graph: MotionGraph) -> None:
    for pool in (None, 0.3):
        walks = [wander(graph, 30, seed=seed, pool=pool) for seed in (3, 3, 4)]
        np.testing.assert_array_equal(walks[0].edges, walks[1].edges)
        assert walks[0].start == walks[1].start
        assert walks[0].edges.tolist() != walks[2].edges.tolist()


def test_sets_out_from_the_origin_facing_z(graph: MotionGraph) -> None:
    for seed in range(5):
        walk = wander(graph, 1, seed=seed)
        node = graph.edges.source[walk.edges[0]]
        frame = int(graph.node_frame[node])
        posed = graph.clips[graph.node_clip[node]].motion.place(walk.start)[frame : frame + 1]
        np.testing.assert_allclose(posed.root[0, [0, 2]], 0, atol=1e-9)
        np.testing.assert_allclose(posed.heading(), 0, atol=1e-9)


def test_without_gap_every_edge_of_a_node_is_as_likely(graph: MotionGraph) -> None:
    # hours: the rarest node is met once in one, or not at all, by the last digit of the machine's numbers
    edges = np.concatenate([wander(graph, 3600, seed=seed, gap=0).edges for seed in range(6)])
    visits = np.bincount(graph.edges.source[edges], minlength=len(graph))
    assert (visits > 0).all()  # it gets everywhere
    node = int(np.argmax(visits * (np.diff(graph.first) > 1)))
    ways = graph.out(node)
    counts = np.array([np.count_nonzero(edges == edge) for edge in ways])
    expected = visits[node] / len(ways)
    assert (np.abs(counts - expected) < 5 * math.sqrt(expected)).all()


@pytest.mark.parametrize("pool", [None, 0.05])
def test_gap_is_kept_wherever_original_motion_goes_on(graph: MotionGraph, pool: float | None) -> None:
    last = np.array([graph.node_frame[graph.node_clip == c].max() for c in range(len(graph.clips))])
    for seed in range(5):
        walk = wander(graph, 120, seed=seed, pool=pool, gap=0.3)
        places = _transitions(walk)
        since = walk.begins[places] - np.concatenate([[0], walk.begins[places[:-1] + 1]])
        began = graph.edges.source[walk.edges[np.concatenate([[0], places[:-1] + 1])]]
        ahead = last[graph.node_clip[began]] - graph.node_frame[began]
        assert (since >= np.minimum(9, ahead)).all()
        assert (since < 30).any()


def test_gap_makes_transitions_fewer(graph: MotionGraph) -> None:
    counts = [wander(graph, 300, gap=gap).transitions for gap in (0, 0.3)]
    assert counts[1] < 0.8 * counts[0]


@pytest.mark.parametrize("pool", [0.05, 0.3])
@pytest.mark.parametrize("gap", [0.0, 0.3])
def test_pool_takes_the_best_of_those_ahead(graph: MotionGraph, pool: float, gap: float) -> None:
    edges = graph.edges
    walk = wander(graph, 300, pool=pool, gap=gap, seed=5)
    begin = 0
    for place in _transitions(walk).tolist():
        # worked out anew from the clip alone: where the stretch began, and all transitions from there on
        node, chosen = int(edges.source[walk.edges[begin]]), int(walk.edges[place])
        clip, frame = graph.node_clip[node], graph.node_frame[node]
        of_clip = (graph.node_clip[edges.source] == clip) & (edges.kind != EdgeKind.ORIGINAL)
        wait = graph.node_frame[edges.source] - frame
        after = np.array([graph.node_frame[graph.node_clip == c].max() for c in range(len(graph.clips))])
        room = after[graph.node_clip[edges.target]] - graph.node_frame[edges.target]
        late, roomy, ahead = wait >= round(30 * gap), room >= round(30 * gap), of_clip & (wait >= 0)
        valid = next(v for v in (ahead & late & roomy, ahead & late, ahead & roomy, ahead) if v.any())
        assert valid[chosen]
        cheaper = np.count_nonzero(valid & (edges.cost < edges.cost[chosen]))
        assert cheaper < max(FEWEST, math.ceil(pool * np.count_nonzero(valid)))
        begin = place + 1


def test_a_whole_pool_uses_more_than_the_best(graph: MotionGraph) -> None:
    costs = []
    for pool in (0.05, 1.0):
        walk = wander(graph, 600, pool=pool)
        costs.append(graph.edges.cost[walk.edges[_transitions(walk)]].mean())
    assert costs[0] < 0.9 * costs[1]


@pytest.mark.parametrize("pool", [None, 0.05])
def test_every_frame_bears_the_label(graph: MotionGraph, pool: float | None) -> None:
    assert {"run", "walk"} <= set(graph.labels)
    for label in graph.labels:
        bears = frames_bearing(graph, label)
        walk = wander(graph, 60, label=label, pool=pool, seed=2)
        left, right = played(walk)
        assert walk.frames == 1800
        assert bears[left].all()
        assert bears[right].all()
        assert np.isin(walk.edges, graph.labels[label].edges).all()


def test_starts(graph: MotionGraph) -> None:
    def first(walk: Walk) -> tuple[str, int]:
        node = graph.edges.source[walk.edges[0]]
        return graph.clips[graph.node_clip[node]].name, int(graph.node_frame[node])

    own = graph.node_frame[graph.node_clip == graph.clip_index["walk_left_medium"]].tolist()
    assert first(wander(graph, 1, start="walk_left_medium")) == ("walk_left_medium", own[0])
    assert first(wander(graph, 1, start=("walk_left_medium", own[1] + 1))) == ("walk_left_medium", own[2])
    assert first(wander(graph, 1, start=("walk_left_medium", own[2]))) == ("walk_left_medium", own[2])
    last = len(graph.clip("walk_left_medium")) - 1
    assert first(wander(graph, 1, start=("walk_left_medium", last))) == ("walk_left_medium", own[-1])
    bears = frames_bearing(graph, "run")
    begun = [wander(graph, 1, start="run", seed=seed) for seed in range(20)]
    assert all(bears[played(walk)[0][0]] for walk in begun)
    assert len({first(walk) for walk in begun}) > 3
    assert first(wander(graph, 1, start="clip:run"))[0] == "run"


def test_start_within_a_label(graph: MotionGraph) -> None:
    walk = wander(graph, 10, start="walk_left_medium", label="walk")
    assert graph.node_clip[graph.edges.source[walk.edges[0]]] == graph.clip_index["walk_left_medium"]
    with pytest.raises(GraphError, match="no choice point of it is in the part that this walk keeps to"):
        wander(graph, 10, start="clip:run", label="walk")


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"start": "walk_lft_medium"}, "did you mean .*'walk_left_medium'"),
        ({"start": ("Stnd", 3)}, "no clip 'Stnd' .*'stand'"),
        ({"start": ("walk", 100000)}, "no frame 100000: it has frames 0 to"),
        ({"start": "qqqqqqq"}, "it has .* and [0-9]+ more"),
        ({"label": "wlk"}, "no label 'wlk' .*'walk'"),
        ({"pool": 0.0}, "share"),
        ({"pool": 1.5}, "share"),
        ({"gap": -1.0}, "gap"),
        ({"gap": math.nan}, "gap"),
    ],
)
def test_wishes_that_cannot_be_fulfilled(graph: MotionGraph, wishes: dict, said: str) -> None:
    with pytest.raises(GraphError, match=said):
        wander(graph, 1, **wishes)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf])
def test_seconds_must_be_sensible(graph: MotionGraph, seconds: float) -> None:
    with pytest.raises(GraphError, match="seconds"):
        wander(graph, seconds)


def test_a_label_without_a_cycle() -> None:
    graph = made_graph()
    with pytest.raises(GraphError, match="no walk can keep to 'run'"):
        wander(replace(graph, labels={}), 1, label="run")


def test_dead_ends_are_told() -> None:
    graph = made_graph(("walk",))
    loop = graph.edges.kind == EdgeKind.ORIGINAL
    dead = replace(graph, edges=Edges(**{name: values[loop] for name, values in vars(graph.edges).items()}))
    for pool in (None, 0.5):
        with pytest.raises(GraphError, match=r"nothing leads on from frame [0-9]+ of clip 'walk'"):
            wander(dead, 600, pool=pool)


def test_best_ahead_on_a_graph_made_by_hand() -> None:
    graph = made_graph()
    part = LabelledPart.of(graph, None, 0)
    # all nodes of a clip lead to its last only, from which two transitions leave
    found = best_ahead(part, 0, 0.05)
    assert sorted(graph.edges.source[found].tolist()) == [int(part.last[0])] * 2
    assert (np.diff(graph.edges.cost[found]) >= 0).all()


def test_twenty_long_walks_of_real_motion(cmu: Path) -> None:
    paths = [cmu / "acclaim" / "16" / f"16_{n}.amc" for n in (15, 17, 19, 45)]
    graph = build(paths, Parameters())
    for seed in range(20):
        walk = wander(graph, 600, seed=seed, pool=(None, 0.05)[seed % 2])
        assert walk.frames == 18_000
        last = walk.placements[-1]
        assert np.isfinite([last.angle, last.x, last.z]).all()
