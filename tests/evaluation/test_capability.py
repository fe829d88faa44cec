from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import GraphError
from kinegraph.evaluation.capabilities import DIRECTIONS, RADII, Capability, about, capability, text, to_goal, turned
from kinegraph.graph import build
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.editing.editor import repath


@pytest.fixture(scope="module")
def judged(strolling: MotionGraph) -> Capability:
    return capability(strolling, samples=3)


@pytest.mark.parametrize("degrees", [*DIRECTIONS, 10, -170])
def test_the_ideal_way_turns_on_its_circle_and_ends_at_the_goal(degrees: int) -> None:
    angle = np.radians(degrees)
    way = to_goal(angle, 4.0, 0.9)
    assert way.points[0] == pytest.approx([0.0, 0.0])
    assert way.points[-1] == pytest.approx([4.0 * np.sin(angle), 4.0 * np.cos(angle)])
    assert way.heading(0.0) == pytest.approx(0.0, abs=0.05)
    bend = way.curvature(np.linspace(0.15, way.length - 0.15, 200))
    assert np.abs(bend).max() < 1.02 / 0.9
    # never the other way round: to the left for goals on the left
    assert (bend * np.sign(degrees or 1)).min() > -1e-3
    # the longest way is the one to a goal behind: more than half a circle, and a tangent as long as the goal is far
    behind = 4.0 + 0.9 * (np.pi + 2 * np.arctan(0.9 / 4.0))
    assert 4.0 - 1e-9 <= way.length <= behind
    assert bool(behind - way.length < 1e-3) == (abs(degrees) == 180)


def test_the_way_straight_ahead_is_straight() -> None:
    assert to_goal(0.0, 4.0, 0.9).length == pytest.approx(4.0)


def test_left_and_right_are_mirror_images() -> None:
    for one, two in ((to_goal(2.0, 4.0, 0.9), to_goal(-2.0, 4.0, 0.9)), (about(1.0, 1.0), about(1.0, -1.0))):
        assert one.points * [-1.0, 1.0] == pytest.approx(two.points)
        assert one.points[-1, 0] > 0  # left is +X


def test_a_goal_inside_the_turning_circle_is_refused() -> None:
    with pytest.raises(GraphError, match="inside one"):
        to_goal(np.pi / 2, 1.0, 0.9)


def test_turning_about_comes_back() -> None:
    way = about(0.8, 1.0)
    assert way.points[-1] == pytest.approx([1.6, 0.0])
    assert abs(way.heading(way.length)) == pytest.approx(np.pi, abs=1e-3)


def test_who_stands_does_not_turn_about() -> None:
    """To stay at the beginning is to keep closely to any way; it is no turn in 0 s on the tightest circle."""
    made = capability(build([samples.make("stand").motion]), samples=1)
    assert made.left is None
    assert made.right is None
    assert any("not even on a circle" in line for line in text(made))


def test_who_can_stand_turns_about_as_the_clips_do() -> None:
    """Its clips turn to the left, on a circle of 2 m, at 1.1 m/s."""
    made = capability(build([samples.make(name).motion for name in ("walk", "walk_left_medium", "stand")]), samples=1)
    assert made.left is not None
    assert made.left.radius_m == 2.0
    assert made.left.seconds == pytest.approx(2 * np.pi / 1.1, rel=0.1)
    assert made.left.across_m == pytest.approx(4.0, abs=0.3)
    assert made.right is None


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_turn_is_a_turn_of_the_body_to_the_end_of_the_way(side: float) -> None:
    walk = samples.make("walk").motion
    there = repath(walk, about(1.5, side), cycle=True).motion
    turn = turned(there, 1.5, side)
    assert turn is not None
    assert turn.seconds == pytest.approx(1.5 * np.pi / (5.33 / walk.seconds), rel=0.05)
    # the same way, but facing where it did at first: out forwards, and back in steps backwards
    assert turned(repath(walk, about(1.5, side), cycle=True, absolute=True).motion, 1.5, side) is None
    # not to the end, the other way round, and on another circle
    assert turned(there[: len(there) // 2], 1.5, side) is None
    assert turned(there, 1.5, -side) is None
    assert turned(there, 1.0, side) is None


def test_figures_of_built_in_walks(judged: Capability) -> None:
    assert judged.starts == 3
    assert 0 <= judged.reached <= judged.near <= 1
    assert judged.near > 0.3
    assert set(judged.directions) == set(DIRECTIONS)
    assert np.mean(list(judged.directions.values())) == pytest.approx(judged.reached)
    assert judged.detour is not None
    assert judged.detour > 0.9
    for turn in (judged.left, judged.right):
        assert turn is not None
        assert turn.radius_m in RADII
        assert turn.deviation_cm < 5.0
        assert turn.seconds > 0
        assert turn.across_m > 1.5 * turn.radius_m


def test_the_same_seed_gives_the_same_figures(strolling: MotionGraph, judged: Capability) -> None:
    assert capability(strolling, samples=3) == judged
    assert capability(strolling, samples=3, label="walk").label == "walk"


def test_plain_figures_and_lines(judged: Capability) -> None:
    figures = judged.to_dict()
    assert json.loads(json.dumps(figures)) == figures
    lines = text(judged)
    assert any("turns about to the left" in line for line in lines)
    assert any("comes to the end and faces back" in line for line in lines)
    assert not any("None" in line for line in lines)


def test_progress_rises_to_all(strolling: MotionGraph) -> None:
    seen: list[tuple[int, int]] = []
    capability(strolling, samples=1, watch=lambda _, done, total: seen.append((done, total)))
    assert all(a[0] < b[0] for a, b in pairwise(seen))
    assert seen[-1][0] == seen[-1][1]


def test_bad_wishes(strolling: MotionGraph) -> None:
    with pytest.raises(GraphError, match="at least one start"):
        capability(strolling, samples=0)
    with pytest.raises(GraphError, match="wlak"):
        capability(strolling, label="wlak")


def test_captured_walks_go_where_they_should(walking: MotionGraph) -> None:
    """With mirrored copies a graph is as able to the left as to the right, and straight ahead is easiest."""
    made = capability(walking, samples=4)
    assert made.directions[0] >= made.reached
    assert made.near > 0.5
    assert made.left is not None
    assert made.right is not None
    assert abs(RADII.index(made.left.radius_m) - RADII.index(made.right.radius_m)) <= 2
