from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import load, samples
from kinegraph.errors import GraphError, SpaceError
from kinegraph.evaluation.usual import usual_of_graph, velocity_jumps
from kinegraph.feet.slide import slides
from kinegraph.graph import Parameters
from kinegraph.graph import build as build_graph
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.retargeting import retarget
from kinegraph.strikes.builder import build
from kinegraph.strikes.joining.join import Joined, joined
from kinegraph.strikes.space import Space

WALKS = ("stand", "start", "walk", "walk_left_medium", "stop")
TARGETS = {"punch": (0.05, 1.3), "kick": (0.0, 0.8)}


@pytest.fixture(scope="module")
def walks() -> MotionGraph:
    return build_graph([samples.make(name).motion for name in WALKS], Parameters(mirror=True))


def made(kind: str) -> Space:
    takes = [samples.make(name).motion for name in samples.names() if name.startswith(kind)]
    return build(takes, "punch" if kind == "punch" else "kick")


@pytest.fixture(scope="module")
def spaces() -> dict[str, Space]:
    return {kind: made(kind) for kind in TARGETS}


@pytest.fixture(scope="module")
def every(walks: MotionGraph, spaces: dict[str, Space]) -> list[tuple[str, Joined]]:
    return [(kind, joined(spaces[kind], TARGETS[kind], walks, seed=seed)) for kind in TARGETS for seed in (0, 1)]


def transitions(one: Joined) -> list[tuple[int, int]]:
    """Frames ``first`` … ``last``−1 of the way into the strike and of the way out."""
    told = one.finished.performance.transitions
    into = max((t for t in told if t.first < one.hit_frame), key=lambda t: t.first)
    out = min((t for t in told if t.first > one.hit_frame), key=lambda t: t.first)
    return [(t.first, t.first + t.length) for t in (into, out)]


def test_it_hits_the_target_where_the_strike_was_laid(every: list[tuple[str, Joined]]) -> None:
    for kind, one in every:
        hit = one.motion.position("right_wrist" if kind == "punch" else "right_ankle")[one.hit_frame]
        asked = np.array([*TARGETS[kind], one.reach.hit[2]])
        assert np.linalg.norm(one.placement.inverse().apply(hit) - asked) < 1e-3
        np.testing.assert_allclose(one.target, one.placement.apply(asked), atol=1e-9)
        assert one.miss < 1e-3


def test_around_the_hit_every_joint_is_the_strikes_own(every: list[tuple[str, Joined]]) -> None:
    for _, one in every:
        first, last = one.untouched
        assert first < one.hit_frame < last - 1
        assert last - first > 0.25 * one.motion.fps
        began = one.hit_frame - one.reach.hit_frame
        own = one.reach.motion.place(one.placement)
        inside = range(max(first, began), min(last, began + len(own)))
        played = one.motion.positions[inside.start : inside.stop]
        np.testing.assert_allclose(played, own.positions[inside.start - began : inside.stop - began], atol=1e-7)


def test_no_joint_jumps_where_walk_and_strike_meet(every: list[tuple[str, Joined]], walks: MotionGraph) -> None:
    usual = usual_of_graph(walks).velocity_jump
    assert usual is not None
    for _, one in every:
        jumps = velocity_jumps(one.motion)
        for first, last in transitions(one):
            assert jumps[first - 2 : last].max() < 1.5 * usual


def test_feet_stand_still_and_step_one_after_the_other(every: list[tuple[str, Joined]]) -> None:
    for _, one in every:
        report = one.finished.feet
        assert report is not None
        assert slides(one.motion, report.plants).furthest.max() < 1e-3
        for first, last in transitions(one):
            down = one.contacts[first:last]
            left, right = down[:, :2].any(axis=1), down[:, 2:].any(axis=1)
            # where a foot lands is where the next motion has it: for some of the time it is on its way
            assert not left.all()
            assert not right.all()
            assert np.count_nonzero(~left & ~right) <= 3


def test_walks_last_as_long_as_asked(walks: MotionGraph, spaces: dict[str, Space]) -> None:
    for before, after in ((0.0, 0.0), (0.5, 2.0), (4.0, 1.0)):
        one = joined(spaces["punch"], TARGETS["punch"], walks, before=before, after=after, seed=3)
        (first, _), (_, last) = transitions(one)
        assert first == round(before * walks.fps)
        assert len(one.motion) - last == round(after * walks.fps)


def test_only_the_strikes_own_transitions_are_dear(every: list[tuple[str, Joined]], walks: MotionGraph) -> None:
    for _, one in every:
        costs = sorted(told.cost for told in one.finished.performance.transitions)
        assert costs[-2:] == sorted([one.entered.cost, one.left.cost])
        assert one.entered.bridge
        assert one.left.bridge
        assert max(costs[:-2]) <= walks.edges.cost.max()


def test_the_same_seed_gives_the_same_motion(walks: MotionGraph, spaces: dict[str, Space]) -> None:
    first, again, other = (joined(spaces["punch"], TARGETS["punch"], walks, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(first.motion.root, again.motion.root)
    assert np.array_equal(first.motion.rotations, again.motion.rotations)
    assert not np.array_equal(first.motion.root, other.motion.root)


def test_the_graph_stays_as_it_was(walks: MotionGraph, spaces: dict[str, Space]) -> None:
    before = len(walks.clips), len(walks), len(walks.edges)
    one = joined(spaces["punch"], TARGETS["punch"], walks)
    assert (len(walks.clips), len(walks), len(walks.edges)) == before
    assert len(one.finished.performance.walk.graph.clips) == before[0] + 1


def test_on_another_body_it_hits_what_was_asked_for(spaces: dict[str, Space]) -> None:
    tall = samples.make("walk").motion.skeleton
    tall = replace(tall, offsets=1.12 * tall.offsets, tip_offsets=1.12 * tall.tip_offsets)
    graph = build_graph([retarget(samples.make(name).motion, tall) for name in ("stand", "start", "walk", "stop")])
    one = joined(spaces["punch"], TARGETS["punch"], graph)
    assert one.motion.skeleton == tall
    hit = one.placement.inverse().apply(one.motion.position("right_wrist")[one.hit_frame])
    np.testing.assert_allclose(hit[:2], TARGETS["punch"], atol=1e-3)


def test_a_limit_that_is_too_low_is_told_what_it_would_take(walks: MotionGraph, spaces: dict[str, Space]) -> None:
    with pytest.raises(GraphError, match=r"into the strike .* costs \d+\.\d cm, more than the 3\.0 cm allowed"):
        joined(spaces["punch"], TARGETS["punch"], walks, limit=0.03)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"before": -1.0}, "the walk before a strike"),
        ({"after": float("nan")}, "the walk after a strike"),
        ({"limit": 0.0}, "positive number of metres"),
        ({"blend": "magic"}, "no blend is called"),
    ],
)
def test_senseless_wishes_are_refused(
    wish: dict[str, float], words: str, walks: MotionGraph, spaces: dict[str, Space]
) -> None:
    with pytest.raises(GraphError, match=words):
        joined(spaces["punch"], TARGETS["punch"], walks, **wish)  # type: ignore[arg-type]


def test_a_target_that_is_no_place_is_refused(walks: MotionGraph, spaces: dict[str, Space]) -> None:
    with pytest.raises(SpaceError, match="finite"):
        joined(spaces["punch"], (0.0, float("nan")), walks)


def test_a_captured_punch_between_captured_walks_of_another(cmu: Path) -> None:
    space = build([load(cmu / "bvh" / "02_05.bvh")], "punch")
    graph = build_graph([cmu / "bvh" / f"16_{number}.bvh" for number in (15, 17, 19)], Parameters(mirror=True))
    usual = usual_of_graph(graph).velocity_jump
    assert usual is not None
    one = joined(space, space.examples.hits.mean(axis=0)[:2], graph)
    assert one.miss < 1e-3
    jumps = velocity_jumps(one.motion)
    for first, last in transitions(one):
        assert jumps[first - 2 : last].max() < 1.5 * usual
    assert one.finished.feet is not None
    assert slides(one.motion, one.finished.feet.plants).furthest.max() < 0.01


def test_a_label_keeps_the_walks_to_its_clips(spaces: dict[str, Space]) -> None:
    """In a graph that holds punches too, the nearest way into a punch is another punch; who wants a walk says so."""
    names = (*WALKS, "punch_middle_centre", "punch_low_left")
    graph = build_graph([samples.make(name).motion for name in names])
    one = joined(spaces["punch"], TARGETS["punch"], graph, label="walk")
    played = {clip.name for clip in one.finished.performance.walk.graph.clips}
    assert not {"punch_middle_centre", "punch_low_left", "stand"} & played
    assert {one.entered.source, one.left.target} <= {"start", "walk", "walk_left_medium", "stop"}
    with pytest.raises(GraphError, match="no label 'swim' in this graph; it has"):
        joined(spaces["punch"], TARGETS["punch"], graph, label="swim")
    # of several labels, clips count as wholes
    for text in ("walk+!punch", "not punch and not stand"):
        one = joined(spaces["punch"], TARGETS["punch"], graph, label=text)
        own = [clip for clip in one.finished.performance.walk.graph.clips if clip.name in graph.clip_index]
        assert own
        assert not any(clip.labelled("punch").any() for clip in own)
    with pytest.raises(GraphError, match="no clip of this graph is"):
        joined(spaces["punch"], TARGETS["punch"], graph, label="punch+start")
