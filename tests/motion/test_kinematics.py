"""Forward kinematics against the textbook: one frame, one joint, one 4 × 4 matrix at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from scipy.spatial.transform import Rotation

from kinegraph.arrays import Array
from kinegraph.motion import Motion, Skeleton, kinematics, rotation
from tests.strategies import generators, motions, random_quaternions, skeletons


def world(motion: Motion, frame: int, joint: int) -> Array:
    """The joint's 4 × 4 matrix by recursion to the root."""
    matrix = np.eye(4)
    matrix[:3, :3] = Rotation.from_quat(motion.rotations[frame, joint], scalar_first=True).as_matrix()
    if joint == 0:
        matrix[:3, 3] = motion.root[frame]
        return matrix
    offsets = motion.skeleton.offsets if motion.translations is None else motion.translations[frame]
    matrix[:3, 3] = offsets[joint]
    return world(motion, frame, int(motion.skeleton.parents[joint])) @ matrix


def shifts(motion: Motion, frame: int) -> Array | None:
    return None if motion.translations is None else motion.translations[frame]


@given(motions())
def test_forward_as_by_matrices(motion: Motion) -> None:
    for frame in range(len(motion)):
        for joint in range(len(motion.skeleton)):
            matrix = world(motion, frame, joint)
            np.testing.assert_allclose(motion.positions[frame, joint], matrix[:3, 3], atol=1e-10)
            np.testing.assert_allclose(
                rotation.to_matrix(motion.orientations[frame, joint]), matrix[:3, :3], atol=1e-10
            )
            there = kinematics.from_root(motion.skeleton, joint, motion.rotations[frame], shifts(motion, frame))
            np.testing.assert_allclose(motion.root[frame] + there, matrix[:3, 3], atol=1e-10)
        for tip, parent in enumerate(motion.skeleton.tip_parents):
            at = world(motion, frame, int(parent)) @ [*motion.skeleton.tip_offsets[tip], 1.0]
            np.testing.assert_allclose(motion.tips[frame, tip], at[:3], atol=1e-10)


@given(motions())
def test_local_inverts_forward(motion: Motion) -> None:
    back = kinematics.local(motion.skeleton, motion.orientations)
    np.testing.assert_allclose(rotation.angle_between(back, motion.rotations), 0, atol=1e-7)
    _, orientations = kinematics.forward(motion.skeleton, motion.root, back)
    np.testing.assert_allclose(rotation.angle_between(orientations, motion.orientations), 0, atol=1e-7)


@given(motions(stretching=False))
def test_bones_keep_their_length(motion: Motion) -> None:
    parents = motion.skeleton.parents[1:]
    bones = motion.positions[:, 1:] - motion.positions[:, parents]
    lengths = np.linalg.norm(motion.skeleton.offsets[1:], axis=-1)
    np.testing.assert_allclose(np.linalg.norm(bones, axis=-1), np.broadcast_to(lengths, bones.shape[:2]), atol=1e-10)


@given(skeletons(), generators())
def test_any_leading_shape(skeleton: Skeleton, random: np.random.Generator) -> None:
    root, q = random.normal(size=(2, 3, 3)), random_quaternions(random, 2, 3, len(skeleton))
    positions, orientations = kinematics.forward(skeleton, root, q)
    tips = kinematics.tips(skeleton, positions, orientations)
    assert tips.shape == (2, 3, len(skeleton.tip_parents), 3)
    one_position, one_orientation = kinematics.forward(skeleton, root[1, 2], q[1, 2])
    np.testing.assert_array_equal(positions[1, 2], one_position)
    np.testing.assert_array_equal(orientations[1, 2], one_orientation)
    np.testing.assert_array_equal(
        kinematics.local(skeleton, orientations)[1, 2], kinematics.local(skeleton, one_orientation)
    )


@given(skeletons())
def test_the_rest_pose(skeleton: Skeleton) -> None:
    positions, _ = kinematics.forward(skeleton, np.zeros(3), rotation.identity(len(skeleton)))
    np.testing.assert_allclose(positions, skeleton.rest, atol=1e-12)


def test_input_is_not_written_to() -> None:
    skeleton = Skeleton(("a", "b"), [-1, 0], np.ones((2, 3)))
    q = random_quaternions(np.random.default_rng(0), 3, 2)
    before = q.copy()
    _, orientations = kinematics.forward(skeleton, np.zeros((3, 3)), q)
    kept = orientations.copy()
    kinematics.local(skeleton, orientations)
    np.testing.assert_array_equal(q, before)
    np.testing.assert_array_equal(orientations, kept)
