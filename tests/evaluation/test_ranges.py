"""How far joints go beyond their clips: nothing within, so many degrees outside, and what lies between two poses is within."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.blending import play
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.ranges import ranges_of_graph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.ranges import ranges_of
from kinegraph.motion.skeleton import Skeleton
from kinegraph.walks.wandering import wander

WALK = samples.make("walk").motion
BODY = WALK.skeleton
ARM = BODY.joint("left_shoulder")


def turned(motion: Motion, joint: int, turn: Array, frames: slice = slice(None)) -> Motion:
    """A motion with one joint turned further, in its parent's frame, in some frames."""
    rotations = motion.rotations.copy()
    rotations[frames, joint] = rotation.multiply(turn, rotations[frames, joint])
    return replace(motion, rotations=rotations)


def about(axis: list[float], degrees: float) -> Array:
    return rotation.from_axis_angle(axis, np.deg2rad(degrees))


def test_the_clips_themselves_are_within(strolling: MotionGraph) -> None:
    ranges = ranges_of_graph(strolling)
    assert ranges_of_graph(strolling) is ranges
    for clip in strolling.clips:
        assert ranges.beyond(clip.motion).shape == (len(clip), len(BODY))
        assert ranges.worst(clip.motion).degrees == 0


def test_where_the_motion_stands_and_faces_does_not_matter(strolling: MotionGraph) -> None:
    placed = play(wander(strolling, 30.0, seed=2, gap=0.3)).motion
    ranges = ranges_of_graph(strolling)
    assert ranges.worst(placed).degrees < 3


@pytest.mark.parametrize("degrees", [20.0, 45.0, 90.0])
def test_a_raised_arm_is_told_with_its_frame_and_by_how_much(degrees: float) -> None:
    """Sideways, where an arm of a walk never goes: from the clip's own range on every degree counts."""
    raised = turned(WALK, ARM, about([0.0, 0.0, 1.0], degrees), slice(40, 41))
    worst = ranges_of([WALK]).worst(raised)
    assert (worst.joint, worst.frame) == (BODY.names[ARM], 40)
    assert degrees - 12 < worst.degrees < degrees + 1
    assert str(worst).startswith(f"{BODY.names[ARM]} ")


def test_an_arm_over_the_head_is_told_even_if_its_own_rotation_is_not_strange() -> None:
    """Collar and arm each turned as they are in some clip, but never both at once: the hand is where it never was."""
    axis = [0.0, 0.0, 1.0]
    collar = BODY.joint("left_collar")
    raised, dropped = turned(WALK, collar, about(axis, 90.0)), turned(WALK, ARM, about(axis, 90.0))
    counter = turned(raised, ARM, about(axis, -90.0)), turned(dropped, collar, about(axis, -90.0))
    ranges = ranges_of([WALK, *counter])
    both = turned(turned(WALK, collar, about(axis, 60.0)), ARM, about(axis, 60.0))
    beyond = ranges.beyond(both)
    assert beyond[:, ARM].min() > 90  # of the 120° by which it is raised
    assert beyond[:, collar].max() == 0


def test_a_forearm_rolled_about_itself_is_told_though_nothing_moves() -> None:
    elbow = BODY.joint("left_elbow")
    bone = BODY.offsets[BODY.children[elbow][0]]
    rotations = WALK.rotations.copy()
    rotations[:, elbow] = rotation.multiply(rotations[:, elbow], rotation.from_axis_angle(bone, np.deg2rad(70.0)))
    rolled = replace(WALK, rotations=rotations)
    np.testing.assert_allclose(rolled.position("left_wrist"), WALK.position("left_wrist"), atol=1e-9)
    assert 60 < ranges_of([WALK]).beyond(rolled)[:, elbow].max() < 75


def test_what_lies_between_two_clips_is_within() -> None:
    """Arms held 80° apart: halfway there is no frame of either, but nothing strange."""
    wide = turned(WALK, ARM, about([0.0, 0.0, 1.0], 80.0))
    between = turned(WALK, ARM, about([0.0, 0.0, 1.0], 40.0))
    assert ranges_of([WALK, wide]).worst(between).degrees < 3
    assert ranges_of([WALK]).worst(between).degrees > 25


def test_only_the_frames_that_are_asked_about() -> None:
    raised = turned(WALK, ARM, about([0.0, 0.0, 1.0], 60.0), slice(40, 50))
    frames = np.ones(len(WALK), bool)
    frames[40:50] = False
    ranges = ranges_of([WALK])
    assert ranges.worst(raised).degrees > 40
    assert ranges.worst(raised, frames).degrees == 0


def test_frames_that_the_capture_lost_make_no_range() -> None:
    raised = turned(WALK, ARM, about([0.0, 0.0, 1.0], 60.0), slice(40, 50))
    sound = np.ones(len(WALK), bool)
    sound[40:50] = False
    assert ranges_of([raised], [sound]).worst(raised).degrees > 40
    assert ranges_of([raised]).worst(raised).degrees == 0


def test_a_skeleton_without_roles_is_told_by_its_rotations() -> None:
    bare = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.array([[0.0, 0, 0], [0, 1, 0], [0, 1, 0]]))
    swing = rotation.from_axis_angle([1.0, 0.0, 0.0], np.linspace(-0.5, 0.5, 20))
    rotations = np.stack([swing, swing, rotation.identity(20)], axis=1)
    motion = Motion(bare, np.zeros((20, 3)), rotations, 30.0)
    further = turned(motion, 1, about([1.0, 0.0, 0.0], 30.0))
    worst = ranges_of([motion]).worst(further)
    assert (worst.joint, worst.frame) == ("b", 19)
    assert worst.degrees == pytest.approx(30, abs=1.5)
