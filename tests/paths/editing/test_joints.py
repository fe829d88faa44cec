"""Joints without the body about them are where the whole body has them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.motion.clip import Motion
from kinegraph.paths.editing.joints import between, facing

WALK = samples.make("walk_left_tight").motion
PAIRS = [
    ("right_ankle", "left_ankle"),
    ("left_shoulder", "right_shoulder"),
    ("hips", "head"),
    ("left_wrist", "left_shoulder"),
    ("chest", "chest"),
]


def stretched(motion: Motion) -> Motion:
    """The motion with bones that change their length from frame to frame."""
    swing = 1 + 0.1 * np.sin(np.arange(len(motion)))
    return replace(motion, translations=swing[:, None, None] * motion.skeleton.offsets)


@pytest.mark.parametrize("motion", [WALK, stretched(WALK)], ids=["rigid", "stretched"])
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_between_two_joints(motion: Motion, one: str, other: str) -> None:
    apart = motion.position(other) - motion.position(one)
    assert between(motion, one, other) == pytest.approx(apart, abs=1e-12)


def test_facing_is_the_heading_but_for_whole_turns() -> None:
    turn = facing(WALK) - WALK.heading()
    assert np.abs(np.mod(turn + np.pi, 2 * np.pi) - np.pi).max() < 1e-12


def test_facing_without_shoulders() -> None:
    names = tuple(f"joint{number}" for number in range(len(WALK.skeleton)))
    roles = {role: names[WALK.skeleton.joint(role)] for role in ("left_hip", "right_hip")}
    bare = replace(WALK, skeleton=replace(WALK.skeleton, names=names).with_roles(roles))
    assert not bare.skeleton.has_roles("left_shoulder", "right_shoulder")
    assert np.cos(facing(bare) - bare.heading()).min() > 1 - 1e-12
