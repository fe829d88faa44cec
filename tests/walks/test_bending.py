"""Clips are bent onto the path: within what a body bears, and only as far as captured turns do not do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.blending.playing import play
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.graph import Parameters, build
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import bent, carrying, track_of
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import shape
from kinegraph.walks.following import follow
from kinegraph.walks.performing import perform

THERE_AND_BACK = Path([[0, 0], [0, 6], [0, 0]])


@pytest.fixture(scope="module")
def straight() -> MotionGraph:
    """One straight walk and its mirrored copy."""
    return build([samples.make("walk").motion], Parameters(mirror=True))


@pytest.mark.parametrize("name", ["line:6", "circle:3", "eight:3", "square:5", "wave:12,1.5", "drawn:20,7", "spiral:4"])
def test_one_straight_walk_follows_any_path(straight: MotionGraph, name: str) -> None:
    path = shape(name)
    walk = follow(straight, path).walk
    course = track_of(play(walk).motion)
    away, along = path.track(course)
    assert np.linalg.norm(course[-1] - path.points[-1]) < 0.15
    assert along[-1] > 0.98 * path.length
    assert 100 * away.mean() < 8
    finished = perform(walk, onto=path)
    quality = evaluate(finished.motion, path=path, finished=finished)
    assert quality.deviation_cm is not None
    assert quality.deviation_cm.mean < 3
    assert quality.knee_speed is not None
    assert quality.knee_speed.source_p999 is not None
    assert quality.knee_speed.worst <= 1.001 * quality.knee_speed.source_p999
    # footsteps are moved as wholes, and held
    assert finished.feet is not None
    assert finished.feet.after.slides.overall[1] < 1e-3


def test_without_bending_a_straight_walk_cannot_turn(straight: MotionGraph) -> None:
    found = follow(straight, shape("circle:3"), bend=0.0).walk
    assert found.turns is None
    assert found.pace is None
    assert np.linalg.norm(track_of(play(found).motion)[-1]) > 3


def test_captured_turns_come_cheaper_than_bent_ones(straight: MotionGraph, gaits: MotionGraph) -> None:
    path = shape("circle:2")
    needed, spared = (np.abs(follow(graph, path, label="walk").walk.turns).sum() for graph in (straight, gaits))
    assert needed > np.radians(300)
    assert spared < 0.5 * needed


def test_nothing_is_bent_by_more_than_a_body_bears(straight: MotionGraph) -> None:
    for path in (THERE_AND_BACK, shape("zigzag:2")):
        walk = follow(straight, path).walk
        assert walk.turns is not None
        assert walk.pace is not None
        rate = np.abs(walk.turns) * straight.fps * walk.pace
        # the limit is that of the pace expected of the path; how slow it gets is told by the walk
        assert rate.max() < 1.2 * 3.2
        assert 0.55 < walk.pace.min() < 0.9
        assert walk.pace.max() <= 1.0


def test_half_of_it_bends_less(straight: MotionGraph) -> None:
    whole, half = (np.abs(follow(straight, shape("square:5"), bend=share).walk.turns).max() for share in (1.0, 0.3))
    assert half < 0.75 * whole


def test_a_slower_walk_knows_where_each_frame_came_from(straight: MotionGraph) -> None:
    walk = follow(straight, shape("circle:1")).walk
    made = play(walk)
    assert len(made) == len(walk.moments) > walk.frames
    assert walk.seconds == len(made) / straight.fps
    for values in (made.contacts, made.clip, made.frame, made.weight, made.edge):
        assert len(values) == len(made)
    for told in made.transitions:
        inside = made.blended[told.first : told.first + told.length]
        assert inside.mean() > 0.8
    assert sum(told.length for told in made.transitions) == pytest.approx(
        int(made.blended.sum()), abs=2 * len(made.transitions)
    )


def test_who_is_in_a_hurry_does_not_slow_down(straight: MotionGraph) -> None:
    slow = follow(straight, shape("circle:1")).walk
    assert slow.pace is not None
    limit = slow.seconds - 0.3
    quick = follow(straight, shape("circle:1"), limit=limit).walk
    assert quick.pace is None
    assert quick.seconds <= limit


def test_a_motion_is_bent_about_where_it_walks() -> None:
    walk = samples.make("walk").motion
    turns = np.full(len(walk), np.radians(0.3))
    curved = bent(walk, turns)
    assert np.allclose(bent(walk, np.zeros(len(walk))).root, walk.root)
    steps = [np.linalg.norm(np.diff(track_of(one), axis=0), axis=1).sum() for one in (walk, curved)]
    assert steps[1] == pytest.approx(steps[0], rel=0.02)
    turned = curved.heading() - walk.heading()
    assert np.allclose(turned, np.concatenate([[0.0], np.cumsum(turns)[:-1]]), atol=1e-9)
    source, target = carrying(walk, curved)
    assert np.allclose(target.heading - source.heading, turned, atol=1e-9)


# -- paths that retrace themselves ------------------------------------------------------------------------------------


def _teardrop(width: float) -> Array:
    """There and back along a line of 6 m, with a turn that swings out by ``width`` metres."""
    angle = np.linspace(0, np.pi, 40)
    turn = np.stack([width * (1 - np.cos(angle)) / 2, 5 + width * np.sin(angle)], axis=-1)
    there = np.stack([np.zeros(120), np.linspace(0, 5, 120)], axis=-1)
    back = np.stack([np.linspace(width, 0, 120), np.linspace(5, 0, 120)], axis=-1)
    return np.concatenate([there, turn[1:], back[1:]])


@pytest.mark.parametrize("width", [0.05, 0.4, 1.0])
def test_a_walker_who_comes_back_is_on_the_way_back(width: float) -> None:
    away, along = THERE_AND_BACK.track(_teardrop(width))
    assert along[-1] == pytest.approx(12, abs=0.01)
    # it never came to the very end of the line
    assert away.max() < 1.05
    assert along[100] < 6 < along[-100]


def test_who_does_not_come_back_has_done_half_of_it() -> None:
    there = np.stack([np.zeros(200), np.linspace(0, 6, 200)], axis=-1)
    _, along = THERE_AND_BACK.track(there)
    assert along[-1] == pytest.approx(6, abs=0.35)


def test_a_line_there_and_back_is_walked_there_and_back(gaits: MotionGraph, straight: MotionGraph) -> None:
    for graph, most in ((gaits, 8.0), (straight, 8.0)):
        made = kg.follow(graph, THERE_AND_BACK, label="walk", warp=True)
        assert made.reached
        assert made.quality["finished_path"] > 0.97
        assert made.quality["deviation_cm"]["mean"] < most
        assert made.quality["walked_m"] > 11


# -- which way a body faces -------------------------------------------------------------------------------------------


def _backwards(motion: Motion) -> Motion:
    """The same steps, walked backwards."""
    return replace(motion, root=motion.root[::-1], rotations=motion.rotations[::-1], name="back")


def _faced_away(motion: Motion) -> float:
    """The share of frames that face more than 45° away from where the body goes."""
    way = np.gradient(track_of(motion), axis=0)
    angle = motion.heading() - np.arctan2(way[:, 0], way[:, 1])
    return float((np.cos(angle) < np.cos(np.pi / 4)).mean())


@pytest.fixture(scope="module")
def both_ways() -> MotionGraph:
    """A walk, and the same backwards, which keeps to any path just as well."""
    walk = samples.make("walk").motion
    return build([walk, _backwards(walk)], Parameters(mirror=True))


def test_a_body_that_goes_backwards_is_said_to(both_ways: MotionGraph) -> None:
    assert both_ways.clip("back").labelled("backward").mean() > 0.9
    assert not both_ways.clip("walk").labelled("backward").any()


@pytest.mark.parametrize("name", ["line:8", "wave:8,1", "circle:2"])
def test_a_walk_faces_along_its_path(both_ways: MotionGraph, name: str) -> None:
    assert _faced_away(play(follow(both_ways, shape(name)).walk).motion) < 0.01


def test_it_faces_as_a_label_that_is_asked_for_does(both_ways: MotionGraph) -> None:
    made = play(follow(both_ways, shape("wave:8,1"), label="backward").walk)
    assert _faced_away(made.motion) > 0.99
    assert 100 * shape("wave:8,1").track(track_of(made.motion))[0].mean() < 8


# -- what was wished for and missed -----------------------------------------------------------------------------------


@pytest.mark.parametrize("warp", [False, True])
def test_the_finished_motion_keeps_clear_of_obstacles(gaits: MotionGraph, warp: bool) -> None:
    made = kg.follow(gaits, "line:10", label="walk", obstacles=[kg.walks.Disc(0.1, 5, 0.8)], warp=warp)
    assert made.reached
    # off the path, but not off the way around
    assert not any("off the path" in sentence for sentence in made.warnings)
    for role in ("hips", "chest", "left_shoulder", "right_shoulder"):
        x, _, z = made.motion.position(role).T
        assert np.hypot(x - 0.1, z - 5).min() > 0.8
    root = np.hypot(made.motion.root[:, 0] - 0.1, made.motion.root[:, 2] - 5)
    assert root.min() > 0.8 + 0.2


def test_missed_wishes_are_told_with_their_figures(straight: MotionGraph) -> None:
    made = kg.follow(straight, "line:6", end_heading=np.pi / 2, speed=0.5)
    assert made.reached
    told = " ".join(made.notices)
    assert "90° was asked for" in told
    assert "0.50 m/s was asked for" in told
    assert "m/s, and" in told
    assert not any("asked for" in notice for notice in kg.follow(straight, "line:6", end_heading=0.0).notices)


def test_a_time_that_nobody_can_keep_is_refused_before_the_search(straight: MotionGraph) -> None:
    with pytest.raises(kg.errors.Unsatisfied, match=r"it takes 1\d\.\d s at least, and 3 s were allowed"):
        kg.follow(straight, "line:16", limit=3)
    with pytest.raises(kg.errors.Unsatisfied, match="within 6 s") as caught:
        kg.follow(straight, "circle:1.1", label="walk", limit=6, bend=0.0)
    assert "allow more time" in str(caught.value)
