from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.arrays import Array
from kinegraph.blending.kinds.inertial import Inertial, decayed
from kinegraph.blending.stretch import Stretch
from kinegraph.motion import rotation
from tests.blending.made import BODY, stretch, wave


def curve(offset: float, velocity: float, duration: float, times: Array) -> Array:
    return decayed(np.array(offset), np.array(velocity), duration, times)


def test_an_offset_that_stands_still_dies_like_a_smoother_step() -> None:
    t = np.linspace(0, 1, 11)
    np.testing.assert_allclose(curve(2.0, 0.0, 3.0, 3 * t), 2 * (1 - t**3 * (10 - 15 * t + 6 * t * t)), atol=1e-12)


def test_the_fastest_fall_that_does_not_overshoot() -> None:
    """Bollo: the time is cut to −5 x₀ / v₀, where the quintic is x₀ (1 − t/T)⁵."""
    t = np.linspace(0, 4, 41)
    np.testing.assert_allclose(curve(0.2, -1.0, 4.0, t), 0.2 * np.clip(1 - t, 0, None) ** 5, atol=1e-12)


@given(st.floats(0, 3), st.floats(-20, 20), st.floats(0.05, 2))
def test_value_and_velocity_at_the_start_and_rest_at_the_end(offset: float, velocity: float, duration: float) -> None:
    whole = min(duration, -5 * offset / velocity) if velocity < 0 else duration
    if whole < 1e-3:
        return
    step = 1e-4 * whole
    near = curve(offset, velocity, duration, np.array([0.0, step]))
    scale = offset + abs(velocity) * whole
    assert near[0] == pytest.approx(offset, abs=1e-12)
    assert (near[1] - near[0]) / step == pytest.approx(velocity, abs=1e-2 * scale / whole)
    end = curve(offset, velocity, duration, whole - step * np.array([2.0, 1.0, 0.0]))
    # a triple root: value, velocity and acceleration are all 0
    assert np.max(np.abs(end)) < 1e-9 * scale + 1e-12
    assert curve(offset, velocity, duration, np.array([duration, 2 * duration])) == pytest.approx(
        0, abs=1e-9 * scale + 1e-12
    )


@given(st.floats(0, 3), st.floats(-20, 20), st.floats(0.05, 2))
def test_no_overshoot(offset: float, velocity: float, duration: float) -> None:
    left = curve(offset, velocity, duration, np.linspace(0, duration, 200))
    assert left.min() >= -1e-9 * (offset + abs(velocity) * duration)
    if velocity <= 0:
        assert np.all(np.diff(left) <= 1e-9)  # and never away from where it goes
    else:
        assert left.max() <= offset + 0.2 * velocity * duration


def test_what_the_outgoing_motion_does_after_the_switch_does_not_matter() -> None:
    one, two = stretch(wave(1), 8), stretch(wave(2), 8)
    other = Stretch(BODY, one.root.copy(), one.rotations.copy(), 30.0)
    other.root[2:] += 5.0
    other.rotations[2:] = rotation.IDENTITY
    for left, right in zip(Inertial().mix(one, two), Inertial().mix(other, two), strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_constant_offset_decays_along_itself() -> None:
    """The root goes straight home, a joint turns about one axis."""
    two = stretch(wave(2), 8)
    shift, turn = np.array([0.3, 0.0, -0.4]), rotation.from_axis_angle([0.0, 1.0, 1.0], 0.8)
    one = Stretch(BODY, two.root + shift, rotation.multiply(turn, two.rotations), 30.0)
    root, rotations = Inertial().mix(one, two)
    left = 1 - Inertial().weights(BODY, 8)[:, :1]
    np.testing.assert_allclose(root - two.root[1:-1], left * shift, atol=1e-12)
    apart = rotation.log(rotation.multiply(rotations, rotation.inverse(two.rotations[1:-1])))
    np.testing.assert_allclose(apart, np.broadcast_to(left[:, None] * rotation.log(turn), apart.shape), atol=1e-12)


def test_velocity_across_the_offset_is_kept_too() -> None:
    """A magnitude alone would lose it: the offset points along x, its velocity along z."""
    still = stretch(wave(2), 400, 1200.0)
    seconds = np.arange(402)[:, None] / 1200.0
    one = Stretch(BODY, still.root + [0.1, 0.0, 0.0] + seconds * [0.0, 0.0, 0.5], still.rotations, 1200.0)
    offset = Inertial().mix(one, still)[0] - still.root[1:-1]
    assert (offset[1, 2] - offset[0, 2]) * 1200.0 == pytest.approx(0.5, rel=1e-2)
    assert abs(offset[-1, 2]) < 1e-6


def test_a_turn_that_grows_is_braked_before_it_is_far() -> None:
    """A knee that stretches by 9° a frame where the other motion's bends by 9°: it would go on until it is straight."""
    steps = np.deg2rad(9.0) * np.arange(22)
    knee = BODY.joint("left_knee")
    still = rotation.identity(22, len(BODY))
    one, two = still.copy(), still.copy()
    one[:, knee] = rotation.from_axis_angle([1.0, 0.0, 0.0], 1.0 - steps)
    two[:, knee] = rotation.from_axis_angle([1.0, 0.0, 0.0], 1.2 + np.minimum(steps, 0.3))
    made = Inertial().mix(*(Stretch(BODY, np.zeros((22, 3)), turns, 30.0) for turns in (one, two)))[1]
    bend = rotation.log(made[:, knee])[:, 0]
    assert bend.min() > 0.5
