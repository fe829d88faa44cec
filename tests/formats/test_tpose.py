"""Poses put before a capture are found, and nothing else is taken for one."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.formats.tpose import leading_poses
from kinegraph.motion import rotation

WALK = samples.make("walk").motion


def with_poses(*poses: Array) -> tuple[Array, Array]:
    """Root and rotations of a walk behind some poses ``(J, 4)``."""
    rotations = np.concatenate([np.stack(poses), WALK.rotations])
    root = np.concatenate([np.tile(WALK.root[0], (len(poses), 1)), WALK.root])
    return root, rotations


def rest() -> Array:
    return rotation.identity(len(WALK.skeleton))


def turned_t() -> Array:
    """A T-pose that is not the rest pose: every joint is turned, and its children are turned back by as much."""
    pose = rest()
    pose[0] = rotation.about_y(1.0)
    roll = rotation.from_axis_angle([1.0, 0.0, 0.0], 0.3)
    for side in ("left", "right"):
        for part in ("shoulder", "elbow", "wrist"):
            pose[WALK.skeleton.joint(f"{side}_{part}")] = roll
        for part in ("hip", "knee", "ankle"):
            pose[WALK.skeleton.joint(f"{side}_{part}")] = rotation.about_y(0.2)
    return pose


def test_the_rest_pose_before_a_capture() -> None:
    assert leading_poses(WALK.skeleton, *with_poses(rest())) == 1


def test_a_t_pose_in_which_joints_are_turned() -> None:
    pose = turned_t()
    pose[1:, :] = np.where(pose[1:] == rotation.IDENTITY, rotation.exp([1e-4, 0.0, 0.0]), pose[1:])
    assert leading_poses(WALK.skeleton, *with_poses(pose)) == 1


@pytest.mark.parametrize("count", [1, 7])
def test_blank_frames_behind_it(count: int) -> None:
    root, rotations = with_poses(rest(), *[rest()] * count)
    root[1 : 1 + count] = 0.0
    assert leading_poses(WALK.skeleton, root, rotations) == 1 + count


@pytest.mark.parametrize("name", samples.names())
def test_captures_that_begin_like_any_other(name: str) -> None:
    motion = samples.make(name).motion
    assert leading_poses(motion.skeleton, motion.root, motion.rotations) == 0


def test_a_capture_that_really_begins_in_a_t_pose() -> None:
    """The performer stands in a T-pose and moves out of it as people do."""
    share = np.linspace(0.0, 1.0, 120) ** 2
    rotations = rotation.slerp(rest(), WALK.rotations[0], share[:, None])
    root = np.tile(WALK.root[0], (len(share), 1))
    assert leading_poses(WALK.skeleton, root, rotations) == 0


def test_an_odd_first_frame_that_is_no_t_pose() -> None:
    pose = WALK.rotations[40].copy()
    pose[WALK.skeleton.joint("left_elbow")] = rotation.from_axis_angle([0, 1, 0], -2.0)
    assert leading_poses(WALK.skeleton, *with_poses(pose)) == 0


def test_too_short_to_tell() -> None:
    assert leading_poses(WALK.skeleton, WALK.root[:2], WALK.rotations[:2]) == 0
