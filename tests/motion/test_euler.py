"""All twelve orders against SciPy, in gimbal lock and close to it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from kinegraph.arrays import Array
from kinegraph.errors import MotionError
from kinegraph.motion import euler, rotation
from tests.strategies import random_quaternions, unit_quaternions

orders = pytest.mark.parametrize("order", euler.ORDERS)


def locks(order: str) -> tuple[float, float]:
    """The middle angles of gimbal lock."""
    return (0.0, np.pi) if order[0] == order[2] else (-np.pi / 2, np.pi / 2)


def test_all_twelve_orders_are_there() -> None:
    letters = "xyz"
    assert set(euler.ORDERS) == {a + b + c for a in letters for b in letters for c in letters if a != b != c}


@orders
class TestEveryOrder:
    def test_to_quaternion_as_scipy(self, order: str) -> None:
        angles = np.random.default_rng(0).uniform(-7, 7, (100, 3))
        expected = Rotation.from_euler(order.upper(), angles).as_quat(scalar_first=True)
        np.testing.assert_allclose(rotation.angle_between(euler.to_quaternion(angles, order), expected), 0, atol=1e-12)

    def test_is_intrinsic(self, order: str) -> None:
        a, b, c = (rotation.from_axis_angle(np.eye(3)["xyz".index(axis)], 0.3 + i) for i, axis in enumerate(order))
        expected = rotation.multiply(rotation.multiply(a, b), c)
        np.testing.assert_allclose(euler.to_quaternion([0.3, 1.3, 2.3], order), expected, atol=1e-12)

    def test_from_quaternion_as_scipy(self, order: str) -> None:
        q = random_quaternions(np.random.default_rng(1), 200)
        expected = Rotation.from_quat(q, scalar_first=True).as_euler(order.upper())
        turns = (euler.from_quaternion(q, order) - expected) / (2 * np.pi)
        np.testing.assert_allclose(turns, turns.round(), atol=1e-9)
        assert np.all(turns[:, 1].round() == 0)

    def test_ranges(self, order: str) -> None:
        angles = euler.from_quaternion(random_quaternions(np.random.default_rng(2), 300), order)
        low, high = locks(order)
        assert np.all((low <= angles[:, 1]) & (angles[:, 1] <= high))
        assert np.all(np.abs(angles) <= np.pi + 1e-12)

    def test_there_and_back(self, order: str) -> None:
        random = np.random.default_rng(3)
        low, high = locks(order)
        angles = np.stack(
            [random.uniform(-3.1, 3.1, 50), random.uniform(low + 0.05, high - 0.05, 50), random.uniform(-3.1, 3.1, 50)],
            -1,
        )
        np.testing.assert_allclose(euler.from_quaternion(euler.to_quaternion(angles, order), order), angles, atol=1e-12)

    @pytest.mark.parametrize("off", [0.0, 1e-15, 1e-12, 1e-10, 1e-9, 2e-9, 3e-9, 1e-8, 1e-7, 1e-5])
    @pytest.mark.parametrize("end", [0, 1])
    def test_lock_and_near_it(self, order: str, off: float, end: int) -> None:
        middle = locks(order)[end] + (off if end == 0 else -off)
        first, last = np.meshgrid(np.linspace(-3, 3, 7), np.linspace(-3, 3, 7))
        q = euler.to_quaternion(np.stack([first, np.full_like(first, middle), last], -1), order)
        angles = euler.from_quaternion(q, order)
        assert np.isfinite(angles).all()
        assert np.max(rotation.angle_between(euler.to_quaternion(angles, order), q)) < 1e-7
        np.testing.assert_allclose(angles[..., 1], middle, atol=1e-7)
        if off < 1e-10:
            np.testing.assert_array_equal(angles[..., 2], 0.0)
        with warnings.catch_warnings():  # SciPy warns of the lock
            warnings.simplefilter("ignore")
            ours = Rotation.from_euler(order.upper(), angles.reshape(-1, 3))
        assert np.max((ours.inv() * Rotation.from_quat(q.reshape(-1, 4), scalar_first=True)).magnitude()) < 1e-7

    def test_blind_to_signs(self, order: str) -> None:
        q = random_quaternions(np.random.default_rng(4), 50)
        turns = (euler.from_quaternion(q, order) - euler.from_quaternion(-q, order)) / (2 * np.pi)
        np.testing.assert_allclose(turns, turns.round(), atol=1e-12)

    def test_capital_letters(self, order: str) -> None:
        angles = [0.1, 0.2, 0.3]
        np.testing.assert_array_equal(euler.to_quaternion(angles, order.upper()), euler.to_quaternion(angles, order))
        q = rotation.exp([0.4, 0.2, -0.1])
        np.testing.assert_array_equal(euler.from_quaternion(q, order.upper()), euler.from_quaternion(q, order))


@given(unit_quaternions(), st.sampled_from(euler.ORDERS), st.sampled_from(euler.ORDERS))
def test_convert_keeps_the_rotation(q: Array, source: str, target: str) -> None:
    there = euler.convert(euler.from_quaternion(q, source), source, target)
    assert rotation.angle_between(euler.to_quaternion(there, target), q) < 1e-7


@pytest.mark.parametrize("order", ["xxy", "zyy", "abc", "xy", "xyzx", ""])
def test_what_is_no_order(order: str) -> None:
    for function in (euler.to_quaternion, euler.from_quaternion):
        with pytest.raises(MotionError, match="Euler order"):
            function([1.0, 0.0, 0.0, 0.0][: 3 if function is euler.to_quaternion else 4], order)


def test_shapes() -> None:
    assert euler.to_quaternion(np.zeros((2, 5, 3)), "zyx").shape == (2, 5, 4)
    assert euler.from_quaternion(rotation.identity(2, 5), "zxz").shape == (2, 5, 3)
    assert euler.from_quaternion(rotation.IDENTITY, "xyz").shape == (3,)


def test_unroll_takes_out_full_turns_only() -> None:
    true = np.linspace(0, 20, 200)[:, None] * [1.0, -0.5, 0.1]
    wrapped = (true + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(euler.unroll(wrapped), true, atol=1e-9)
    np.testing.assert_allclose(euler.unroll(wrapped.T, axis=1), true.T, atol=1e-9)


def test_the_quick_cosine_is_as_good_as_the_slow() -> None:
    half = np.concatenate([np.linspace(-np.pi / 2, np.pi / 2, 100_001), np.pi / 2 - np.logspace(-16, -1, 200)])
    sine, cosine = euler.sine_and_cosine(half)
    np.testing.assert_array_equal(sine, np.sin(half))
    assert np.abs(cosine - np.cos(half)).max() < 2e-8
    inner = np.abs(half) < np.pi / 2 - 1e-3
    assert np.abs(cosine - np.cos(half))[inner].max() < 1e-12
    beyond = np.linspace(-7.0, 7.0, 1001)
    np.testing.assert_array_equal(euler.sine_and_cosine(beyond)[1], np.cos(beyond))
