from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.graph import build as build_graph
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.strikes.builder import build
from kinegraph.strikes.joining.clip import StrikeClip, aimed
from kinegraph.strikes.joining.splice import spliced
from kinegraph.strikes.joining.ways import Way, ways
from kinegraph.walks.ordering import sequence
from kinegraph.walks.wandering import wander


@pytest.fixture(scope="module")
def walks() -> MotionGraph:
    return build_graph([samples.make(name).motion for name in ("stand", "start", "walk", "stop")])


@pytest.fixture(scope="module")
def strike(walks: MotionGraph) -> StrikeClip:
    takes = [samples.make(name).motion for name in samples.names() if name.startswith("punch")]
    space = build(takes, "punch")
    return StrikeClip.of(aimed(space, (0.05, 1.3), walks), space, walks)


@pytest.fixture(scope="module")
def both(walks: MotionGraph, strike: StrikeClip) -> tuple[list[Way], list[Way]]:
    return ways(walks, strike, 0.2)


@pytest.fixture(scope="module")
def fuller(walks: MotionGraph, strike: StrikeClip, both: tuple[list[Way], list[Way]]) -> MotionGraph:
    return spliced(walks, strike.clip, [*both[0], *both[1]], (walks.clips[0].name, 0))


def test_what_is_held_leads_into_the_strike_without_a_jump(strike: StrikeClip) -> None:
    places = strike.clip.motion.positions
    speed = np.linalg.norm(np.diff(places, axis=0), axis=-1).max(axis=1) * strike.clip.motion.fps
    assert speed[: strike.held // 2].max() < 0.02
    change = np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max(axis=1) * strike.clip.motion.fps
    edges = [strike.held - 1, len(places) - strike.held - 2]
    assert change[edges].max() < change.max()


def test_ways_leave_the_hit_alone_and_are_the_best(
    walks: MotionGraph, strike: StrikeClip, both: tuple[list[Way], list[Way]]
) -> None:
    into, out = both
    for way in into:
        nodes = walks.node_frame[walks.node_clip == walks.clip_index[way.source]]
        assert nodes[0] <= way.frame <= nodes[-1]
        assert way.arrival <= strike.latest < strike.hit
    for way in out:
        nodes = walks.node_frame[walks.node_clip == walks.clip_index[way.target]]
        assert 0 < way.arrival <= nodes[-1]
        assert way.frame >= strike.earliest > strike.hit
    for some in both:
        costs = [way.cost for way in some]
        assert costs == sorted(costs)
        assert all(way.bridge == (way.cost > walks.record.report.threshold) for way in some)


def test_the_middle_of_a_way_is_where_the_windows_are_alike(
    walks: MotionGraph, strike: StrikeClip, both: tuple[list[Way], list[Way]]
) -> None:
    skeleton = walks.skeleton
    matrix = cloud_matrix(skeleton, mass_weights(skeleton))
    for way in (*both[0], *both[1]):
        a, b = (strike.clip if name == strike.clip.name else walks.clip(name) for name in (way.source, way.target))
        grow = way.length // 4 if way.bridge else 0  # a bridge is half a window longer at either side
        distance = distance_matrix(cloud(a.motion, matrix), cloud(b.motion, matrix), way.length - 2 * grow)
        assert distance[way.frame + grow, way.arrival - way.length + grow] == pytest.approx(way.cost, abs=1e-6)
        middle = way.length // 2
        there = way.alignment.apply(b.motion.root[way.arrival - way.length + middle])
        assert np.hypot(*(a.motion.root[way.frame + middle] - there)[[0, 2]]) < 0.15


def test_the_spliced_graph_keeps_what_it_had(walks: MotionGraph, fuller: MotionGraph) -> None:
    def moving(graph: MotionGraph) -> set[tuple[str, int, str, int, int, float]]:
        own = graph.edges
        return {
            (
                graph.clips[graph.node_clip[own.source[e]]].name,
                int(graph.node_frame[own.source[e]]),
                graph.clips[graph.node_clip[own.target[e]]].name,
                int(graph.node_frame[own.target[e]]),
                int(own.length[e]),
                float(own.cost[e]),
            )
            for e in np.flatnonzero(own.kind != EdgeKind.ORIGINAL)
        }

    assert moving(walks) < moving(fuller)
    assert [clip.name for clip in fuller.clips] == sorted(clip.name for clip in fuller.clips)


def test_any_walk_can_strike_in_the_spliced_graph(fuller: MotionGraph, strike: StrikeClip) -> None:
    name = strike.clip.name
    hit = (fuller.clip_index[name], strike.hit)
    found = sequence(fuller, ["walk", name, "walk"], stay=[1.0, 0.3, 1.0])
    number, frame = fuller.node_clip, fuller.node_frame
    played = {
        (int(number[s]), int(frame[s]) + n)
        for s, length in zip(fuller.edges.source[found.edges], fuller.edges.length[found.edges], strict=True)
        for n in range(int(length))
    }
    assert hit in played
    assert wander(fuller, 60.0, seed=1).frames == 1800  # no dead end anywhere


def test_a_graph_with_a_strike_in_it_has_no_record(fuller: MotionGraph) -> None:
    assert fuller.making is None
