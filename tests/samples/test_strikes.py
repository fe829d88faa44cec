"""Punches and kicks reach their targets and come back to where they began."""

import numpy as np
import pytest

from kinegraph import samples

PUNCHES = tuple(name for name in samples.names() if name.startswith("punch"))
KICKS = tuple(name for name in samples.names() if name.startswith("kick"))
STRIKES = (*PUNCHES, *KICKS)


def striking(sample):
    return sample.motion.position("right_wrist" if sample.label == "punch" else "right_ankle")


@pytest.mark.parametrize("name", STRIKES)
def test_target_is_met_at_the_hit(name):
    """Measured: below 1e-12 m; the bar is 1 mm."""
    sample = samples.make(name)
    ready = sample.motion.at_origin()
    at = ready.position("right_wrist" if sample.label == "punch" else "right_ankle")
    assert np.linalg.norm(at[sample.hit_frame] - sample.target) < 1e-9


@pytest.mark.parametrize("name", STRIKES)
def test_first_and_last_pose_are_the_same_in_place(name):
    motion = samples.make(name).motion
    assert np.abs(motion.positions[0] - motion.positions[-1]).max() < 1e-12


def test_all_strikes_share_one_ready_pose_at_the_origin():
    ready = samples.make(STRIKES[0]).motion
    assert ready.root[0, [0, 2]] == pytest.approx([0, 0], abs=1e-12)
    assert ready.heading()[0] == pytest.approx(0, abs=1e-12)
    for name in STRIKES[1:]:
        assert np.abs(samples.make(name).motion.positions[0] - ready.positions[0]).max() < 1e-9


@pytest.mark.parametrize("name", STRIKES)
def test_the_hit_is_where_the_limb_is_furthest_from_its_guard(name):
    sample = samples.make(name)
    away = np.linalg.norm(striking(sample) - striking(sample)[0], axis=-1)
    assert abs(int(np.argmax(away)) - sample.hit_frame) <= 2


def test_punches_form_a_grid():
    targets = np.array([samples.make(name).target for name in PUNCHES])
    assert len(np.unique(targets[:, 0].round(6))) == 3
    assert len(np.unique(targets[:, 1].round(6))) == 3
    assert len(np.unique(targets, axis=0)) == 9


def test_kicks_differ_in_height_and_side():
    targets = np.array([samples.make(name).target for name in KICKS])
    assert np.ptp(targets[:, 0]) > 0.5
    assert np.ptp(targets[:, 1]) > 0.7


@pytest.mark.parametrize("name", KICKS)
def test_the_standing_foot_stays_flat_throughout(name):
    sample = samples.make(name)
    assert sample.contacts[:, :2].all()
    assert not sample.contacts[sample.hit_frame, 2:].any()


@pytest.mark.parametrize("name", PUNCHES)
def test_the_hips_and_chest_turn_into_the_punch(name):
    sample = samples.make(name)
    across = sample.motion.position("left_shoulder") - sample.motion.position("right_shoulder")
    yaw = np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))
    assert yaw[sample.hit_frame] - yaw[0] > 0.4
    assert sample.contacts[:, 3].all()
