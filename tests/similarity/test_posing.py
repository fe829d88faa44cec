"""Joints placed by compiled code are where the ordinary way places them, to the last bit."""

from __future__ import annotations

import numpy as np

from kinegraph import samples
from kinegraph.motion import kinematics
from kinegraph.motion.clip import Motion
from kinegraph.similarity.posing import places


def test_the_same_bits() -> None:
    walk = samples.make("walk_left_medium").motion
    turns = np.random.default_rng(3).normal(size=walk.rotations.shape)
    wild = Motion(walk.skeleton, walk.root, turns / np.linalg.norm(turns, axis=-1, keepdims=True), walk.fps)
    for motion in (walk[:], wild):
        assert "_world" not in vars(motion)
        expected, _ = kinematics.forward(motion.skeleton, motion.root, motion.rotations)
        assert places(motion).tobytes() == expected.tobytes()


def test_known_places_are_not_worked_out_again() -> None:
    walk = samples.make("walk").motion[:]
    assert places(walk) is not walk.positions
    assert places(walk) is walk.positions
