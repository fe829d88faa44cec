from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import load, samples
from kinegraph.arrays import Array
from kinegraph.errors import RoleError
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.tpose import with_t_pose


def direction(motion: Motion, above: str, below: str) -> Array:
    along = motion.position(below)[0] - motion.position(above)[0]
    unit: Array = along / np.linalg.norm(along)
    return unit


def check(motion: Motion) -> None:
    made = with_t_pose(motion)
    assert len(made) == len(motion) + 1
    np.testing.assert_array_equal(made.rotations[1:], motion.rotations)
    for side, out in (("left", 1.0), ("right", -1.0)):
        for above, below in (("shoulder", "elbow"), ("elbow", "wrist")):
            np.testing.assert_allclose(direction(made, f"{side}_{above}", f"{side}_{below}"), [out, 0, 0], atol=1e-6)
        for above, below in (("hip", "knee"), ("knee", "ankle")):
            np.testing.assert_allclose(direction(made, f"{side}_{above}", f"{side}_{below}"), [0, -1, 0], atol=1e-6)
        toes = direction(made, f"{side}_ankle", f"{side}_toe")
        assert toes[2] > 0.5
        assert abs(toes[0]) < 1e-6
    assert made.position("head")[0, 1] > made.position("hips")[0, 1] + 0.3
    # it stands where the motion does, as low as the motion's feet are at their lowest
    np.testing.assert_allclose(made.root[0, [0, 2]], motion.root[0, [0, 2]])
    feet = ("left_ankle", "right_ankle", "left_toe", "right_toe")
    lowest = min(float(made.position(role)[1:, 1].min()) for role in feet)
    assert min(float(made.position(role)[0, 1]) for role in feet) == pytest.approx(lowest, abs=1e-9)


def test_the_performer_stands_in_a_t() -> None:
    check(samples.make("walk").motion)


@pytest.mark.parametrize("file", ["bvh/16_15.bvh", "acclaim/16/16_15.amc", "bvh/143_04.bvh"])
def test_captured_bodies_stand_in_a_t(cmu: Path, file: str) -> None:
    check(load(cmu / file))


def test_a_skeleton_whose_rest_pose_lies_stands_up() -> None:
    motion = samples.make("walk").motion
    skeleton = motion.skeleton
    # the same body with its rest pose on its back
    turn = rotation.from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2)
    offsets = rotation.rotate(np.broadcast_to(turn, (len(skeleton), 4)), skeleton.offsets)
    tips = rotation.rotate(np.broadcast_to(turn, (len(skeleton.tip_offsets), 4)), skeleton.tip_offsets)
    lying = replace(skeleton, offsets=offsets, tip_offsets=tips)
    check(Motion(lying, motion.root, motion.rotations, motion.fps))


def test_without_legs_there_is_no_t() -> None:
    motion = samples.make("walk").motion
    names = tuple(f"j{n}" for n in range(len(motion.skeleton)))
    with pytest.raises(RoleError, match="a T-pose needs"):
        with_t_pose(Motion(replace(motion.skeleton, names=names), motion.root, motion.rotations, motion.fps))


def test_bones_that_change_have_their_own_length_in_it() -> None:
    motion = samples.make("walk").motion
    offsets = np.broadcast_to(motion.skeleton.offsets, (len(motion), len(motion.skeleton), 3))
    made = with_t_pose(replace(motion, translations=offsets * 1.02))
    assert made.translations is not None
    np.testing.assert_allclose(made.translations[0, 1:], motion.skeleton.offsets[1:])


def test_in_place_stays_over_its_first_place() -> None:
    motion = samples.make("walk").motion
    still = motion.in_place()
    np.testing.assert_array_equal(still.root[:, [0, 2]], np.repeat(motion.root[:1, [0, 2]], len(motion), axis=0))
    np.testing.assert_array_equal(still.root[:, 1], motion.root[:, 1])
    np.testing.assert_array_equal(still.rotations, motion.rotations)
