"""Walking, running, sneaking, standing: speeds, turns, smoothness, anatomy."""

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.motion.angles import beyond_limits

STEADY = ("walk_slow", "walk", "walk_fast", "run", "sneak")
TURNS = tuple(f"walk_{side}_{how}" for side in ("left", "right") for how in ("gentle", "medium", "tight"))


@pytest.mark.parametrize("name", STEADY)
def test_speed_is_the_nominal_one_along_z(name):
    sample = samples.make(name)
    motion = sample.motion
    gone = motion.root[-1] - motion.root[0]
    assert gone[2] * motion.fps / (len(motion) - 1) == pytest.approx(sample.speed, rel=0.01)
    assert abs(gone[0]) < 0.02
    assert np.ptp(motion.speed()) < 0.35


def test_speeds_are_in_order():
    assert [samples.make(name).speed for name in ("sneak", "walk_slow", "walk", "walk_fast", "run")] == sorted(
        samples.make(name).speed for name in STEADY
    )


@pytest.mark.parametrize("name", TURNS)
def test_turn_follows_its_radius(name):
    sample = samples.make(name)
    motion = sample.motion
    seconds = (len(motion) - 1) / motion.fps
    nominal = sample.speed / sample.turn_radius * seconds
    assert motion.heading()[-1] - motion.heading()[0] == pytest.approx(nominal, abs=np.radians(3))
    # the path's centre is at x = radius: positive, to the left, for a left turn
    away = np.linalg.norm(motion.root[:, [0, 2]] - [sample.turn_radius, 0.0], axis=-1)
    assert np.abs(away - abs(sample.turn_radius)).max() < 0.1


@pytest.mark.parametrize("name", [*STEADY, *TURNS])
def test_last_pose_is_the_first_one_further_on(name):
    motion = samples.make(name).motion
    first, last = motion[:1].at_origin(), motion[-1:].at_origin()
    assert np.abs(first.positions - last.positions).max() < 1e-6


@pytest.mark.parametrize("name", samples.names())
def test_no_joint_leaves_the_human_range(name):
    assert beyond_limits(samples.make(name).motion) == {}


@pytest.mark.parametrize("name", samples.names())
def test_no_joint_jolts(name):
    """Accelerations stay at those people reach; a jump of 1 cm between two frames would be 36 m/s² more, at every joint below it."""
    motion = samples.make(name).motion
    acceleration = np.linalg.norm(np.diff(motion.positions, 2, axis=0), axis=-1) * motion.fps**2
    bar = {"stand": 1.0, "walk": 80.0, "sneak": 50.0, "run": 140.0, "jump": 250.0, "punch": 220.0, "kick": 260.0}
    assert acceleration.max() < bar[samples.make(name).label]
    # changes of acceleration from frame to frame: a kink in a curve shows here first
    jolt = np.abs(np.diff(acceleration, axis=0)).max()
    assert jolt < 0.6 * bar[samples.make(name).label]


@pytest.mark.parametrize("name", samples.names())
def test_knees_are_never_locked_and_point_forward(name):
    motion = samples.make(name).motion
    leg = motion.skeleton.leg_length
    for side in ("left", "right"):
        hip, knee, ankle = (motion.position(f"{side}_{part}") for part in ("hip", "knee", "ankle"))
        stretch = np.linalg.norm(ankle - hip, axis=-1) / leg
        assert stretch.max() < 0.9985
        line = hip + (ankle - hip) * 0.5
        toe = motion.position(f"{side}_toe") - ankle
        forward = motion.facing() + toe
        if motion.name.startswith(("walk", "run", "sneak")):
            assert (np.einsum("fi,fi->f", knee - line, forward) > 0).all()


def test_arms_swing_against_the_legs():
    motion = samples.make("walk").motion
    ahead = {
        part: (motion.position(f"left_{part}") - motion.position(f"right_{part}"))[:, 2] for part in ("wrist", "ankle")
    }
    assert np.corrcoef(ahead["wrist"], ahead["ankle"])[0, 1] < -0.9


def test_start_and_stop_join_standing_and_walking():
    stand, start, stop = (samples.make(name).motion for name in ("stand", "start", "stop"))
    assert start.speed()[:20].max() < 0.05
    assert start.speed()[-1] == pytest.approx(samples.make("start").speed, abs=0.2)
    assert stop.speed()[0] == pytest.approx(samples.make("stop").speed, abs=0.2)
    assert stop.speed()[-10:].max() < 0.05
    still = stand[:1].at_origin().positions
    assert np.abs(start[:1].at_origin().positions - still).max() < 0.03
    assert np.abs(stop[-1:].at_origin().positions - still).max() < 0.03


def test_standing_is_alive_but_stays():
    motion = samples.make("stand").motion
    travelled = np.abs(np.diff(motion.position("head"), axis=0)).sum()
    assert travelled > 0.01
    assert np.linalg.norm(motion.root - motion.root[0], axis=-1).max() < 0.03


def test_running_leaves_the_floor_and_walking_does_not():
    assert not samples.make("run").contacts.any(axis=1).all()
    assert samples.make("walk").contacts.any(axis=1).all()


def test_sneaking_is_lower_than_walking():
    assert samples.make("sneak").motion.root[:, 1].max() < samples.make("walk").motion.root[:, 1].min() - 0.05
