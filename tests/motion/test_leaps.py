"""Leaps are found where a capture lost a limb, and nowhere in what a body can do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.motion import rotation
from kinegraph.motion.leaps import leaps


@pytest.mark.parametrize("name", ["walk", "run", "jump", "punch_high_left", "kick_high_centre"])
def test_a_clean_motion_has_none(name: str) -> None:
    assert leaps(samples.make(name).motion) == []
    assert leaps(samples.make(name).motion.resample(30)) == []


def test_a_lost_frame_is_two_leaps() -> None:
    walk = samples.make("walk").motion.resample(120)
    joint = walk.skeleton.joint("left_elbow")
    rotations = walk.rotations.copy()
    rotations[50, joint] = rotation.multiply(rotations[50, joint], rotation.from_axis_angle([1, 2, 3], 1.5))
    found = leaps(replace(walk, rotations=rotations))
    assert [(leap.frame, leap.joint) for leap in found] == [(49, joint), (50, joint)]
    assert all(abs(leap.angle - 1.5) < 0.1 for leap in found)


def test_sign_flips_and_single_frames_are_none() -> None:
    walk = samples.make("walk").motion
    flipped = walk.rotations * np.where(np.arange(len(walk)) % 2, -1.0, 1.0)[:, None, None]
    assert leaps(replace(walk, rotations=flipped)) == []
    assert leaps(walk[:1]) == []


def test_the_arm_that_a_real_capture_lost(cmu: Path) -> None:
    """In 16_15 the left arm is unknown in the first frames and then leaps into place."""
    motion = kg.load(cmu / "acclaim" / "16" / "16_15.amc")
    found = leaps(motion)
    assert found
    assert {motion.skeleton.names[leap.joint][0] for leap in found} == {"l"}
    assert max(leap.frame for leap in found) < 5
    assert leaps(kg.load(cmu / "acclaim" / "02" / "02_01.amc")) == []
