from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

import kinegraph as kg
from kinegraph import samples
from kinegraph.errors import GraphError
from kinegraph.graph import Parameters, build
from kinegraph.graph.model import EdgeKind, Edges, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.walks.choice import played, resolve
from kinegraph.walks.cover import FEWEST, pooled
from kinegraph.walks.part import LabelledPart
from kinegraph.walks.wandering import staying, wander
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


def _shares(walk: Walk) -> tuple[np.ndarray, np.ndarray]:
    """By clip: its share of the walk, where two are blended by halves, and its share of the graph's frames."""
    graph, edges = walk.graph, walk.graph.edges
    begins = np.cumsum([0, *map(len, graph.clips)])
    counts = [
        np.bincount(np.searchsorted(begins, side, side="right") - 1, minlength=len(graph.clips))
        for side in played(walk)
    ]
    plain = edges.kind == EdgeKind.ORIGINAL
    own = np.bincount(graph.node_clip[edges.source[plain]], edges.length[plain], minlength=len(graph.clips))
    return sum(counts) / (2 * walk.frames), own / own.sum()


def _all_seen_evenly(walk: Walk) -> None:
    """Every clip is visited, and the one that has most of the walk has no more than three times its share."""
    of_walk, of_graph = _shares(walk)
    assert (of_walk[of_graph > 0] > 0).all()
    most = int(np.argmax(of_walk))
    assert of_walk[most] <= 3 * of_graph[most], (walk.graph.clips[most].name, of_walk[most], of_graph[most])


@pytest.fixture(scope="module", params=[False, True], ids=["as they are", "with mirrored copies"])
def all_samples(request: pytest.FixtureRequest) -> MotionGraph:
    return build([sample.motion for sample in samples.all_samples()], Parameters(mirror=request.param))


@pytest.mark.parametrize("pool", [None, 0.05])
def test_ten_minutes_see_every_sample_evenly(all_samples: MotionGraph, pool: float | None) -> None:
    for seed in range(3):
        _all_seen_evenly(wander(all_samples, 600, seed=seed, pool=pool))


def test_ten_minutes_see_every_real_clip_evenly(cmu: Path) -> None:
    graph = build([cmu / "acclaim" / "16"], Parameters(mirror=True))
    for seed in range(2):
        _all_seen_evenly(wander(graph, 600, seed=seed))


def test_frames_of_a_clip_are_seen_evenly_too(all_samples: MotionGraph) -> None:
    walk = wander(all_samples, 1200, seed=1)
    edges = all_samples.edges
    plain = np.flatnonzero(edges.kind == EdgeKind.ORIGINAL)
    plays = np.bincount(walk.edges, minlength=len(edges))[plain]
    # what is left of an end that only transitions lead over is not played as such
    assert edges.length[plain][plays > 0].sum() > 0.9 * edges.length[plain].sum()


def test_a_longer_walk_begins_as_a_shorter_one(graph: MotionGraph) -> None:
    short, long = (wander(graph, seconds, seed=8).edges for seconds in (20, 90))
    np.testing.assert_array_equal(short, long[: len(short)])


@pytest.mark.parametrize("pool", [None, 0.05])
def test_the_gap_is_kept(graph: MotionGraph, pool: float | None) -> None:
    last = np.array([graph.node_frame[graph.node_clip == c].max() for c in range(len(graph.clips))])
    kept = []
    for seed in range(5):
        walk = wander(graph, 120, seed=seed, pool=pool, gap=0.3)
        places = _transitions(walk)
        since = walk.begins[places] - np.concatenate([[0], walk.begins[places[:-1] + 1]])
        began = graph.edges.source[walk.edges[np.concatenate([[0], places[:-1] + 1])]]
        ahead = last[graph.node_clip[began]] - graph.node_frame[began]
        kept.append(since >= np.minimum(9, ahead))
    # it is broken only to come to clips that cannot be reached otherwise
    assert np.concatenate(kept).mean() > 0.97


def test_without_a_gap_transitions_follow_each_other_sooner(graph: MotionGraph) -> None:
    shortest = []
    for gap in (0, 0.3):
        walk = wander(graph, 300, gap=gap)
        places = _transitions(walk)
        shortest.append(np.percentile(walk.begins[places[1:]] - walk.begins[places[:-1] + 1], 10))
    assert shortest[0] < 9 <= shortest[1]


def _in_the_pool(graph: MotionGraph, pool: float | None) -> np.ndarray:
    """Transitions to other clips, of a pool only the best of those ahead; worked out anew, one by one."""
    edges = graph.edges
    away = (edges.kind != EdgeKind.ORIGINAL) & (graph.node_clip[edges.source] != graph.node_clip[edges.target])
    if pool is None:
        return away
    clip, frame = graph.node_clip[edges.source], graph.node_frame[edges.source]
    found = np.zeros(len(edges), bool)
    for edge in np.flatnonzero(away).tolist():
        ahead = away & (clip == clip[edge]) & (frame >= frame[edge])
        cheaper = np.count_nonzero(ahead & (edges.cost < edges.cost[edge]))
        found[edge] = cheaper < max(FEWEST, math.ceil(pool * np.count_nonzero(ahead)))
    return found


@pytest.mark.parametrize("pool", [None, 0.05, 0.3])
def test_what_is_not_wished_for_is_done_only_where_nothing_else_leads(graph: MotionGraph, pool: float | None) -> None:
    edges, wished = graph.edges, _in_the_pool(graph, pool)
    open_ = wished | (edges.kind == EdgeKind.ORIGINAL)
    # behind a transition the walk goes on in the same stretch until the gap is over
    landing = edges.target.copy()
    for edge in np.flatnonzero(edges.kind != EdgeKind.ORIGINAL).tolist():
        node = int(edges.target[edge])
        own = np.flatnonzero(graph.node_clip == graph.node_clip[node])
        later = own[graph.node_frame[own] >= graph.node_frame[node] + 9]
        landing[edge] = later[0] if len(later) else own[-1]
    ways = csr_array((np.ones(open_.sum()), (edges.source[open_], landing[open_])), shape=2 * (len(graph),))
    part = connected_components(ways, connection="strong")[1]
    for seed in range(3):
        walk = wander(graph, 300, seed=seed, pool=pool)
        taken = walk.edges[_transitions(walk)]
        others = taken[~wished[taken]]
        assert len(others) < 0.3 * len(taken)
        assert (part[edges.source[others]] != part[landing[others]]).all()


@pytest.mark.parametrize("pool", [None, 0.05])
def test_transitions_lead_to_other_clips_unless_wished(graph: MotionGraph, pool: float | None) -> None:
    walk = wander(graph, 300, seed=1, pool=pool)
    assert staying(walk) < 0.05 * walk.transitions
    assert staying(wander(graph, 300, seed=1, pool=pool, within=True)) > staying(walk)


def test_a_part_of_a_single_clip_goes_round_in_it() -> None:
    alone = build([samples.make("walk").motion], Parameters())
    walk = wander(alone, 60)
    assert staying(walk) == walk.transitions > 5
    made = kg.wander(alone, 20)
    assert any("stay within a clip" in sentence for sentence in made.notices)
    assert not kg.wander(alone, 20, within=True).notices


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
        bears = resolve(graph, label).frames
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
    bears = resolve(graph, "run").frames
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


def test_a_pool_on_a_graph_made_by_hand() -> None:
    graph = made_graph()
    part = LabelledPart.of(graph, None, 0)
    source, target = (graph.node_clip[ends[part.transitions]] for ends in (graph.edges.source, graph.edges.target))
    # from no clip do more than three transitions lead to others: all of these are in it, and none that leads back
    assert pooled(part, 0.05, within=False).tolist() == (source != target).tolist()
    assert pooled(part, 0.05, within=True).all()


def test_twenty_long_walks_of_real_motion(cmu: Path) -> None:
    paths = [cmu / "acclaim" / "16" / f"16_{n}.amc" for n in (15, 17, 19, 45)]
    graph = build(paths, Parameters())
    for seed in range(20):
        walk = wander(graph, 600, seed=seed, pool=(None, 0.05)[seed % 2])
        assert walk.frames == 18_000
        last = walk.placements[-1]
        assert np.isfinite([last.angle, last.x, last.z]).all()
