"""Floor transforms are a group, and act as one."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given

from kinegraph.motion import FloorTransform, rotation
from tests.strategies import floor_transforms, generators

POINTS = np.random.default_rng(0).normal(size=(4, 5, 3)) * 3


@given(floor_transforms())
def test_is_the_turn_and_then_the_shift(transform: FloorTransform) -> None:
    expected = rotation.rotate(transform.rotation, POINTS) + np.array([transform.x, 0, transform.z])
    np.testing.assert_allclose(transform.apply(POINTS), expected, atol=1e-12)


@given(floor_transforms(), floor_transforms())
def test_composes(a: FloorTransform, b: FloorTransform) -> None:
    np.testing.assert_allclose((a @ b).apply(POINTS), a.apply(b.apply(POINTS)), atol=1e-10)
    both = rotation.multiply(a.rotation, b.rotation)
    np.testing.assert_allclose(rotation.angle_between((a @ b).rotation, both), 0, atol=1e-7)


@given(floor_transforms())
def test_inverts(transform: FloorTransform) -> None:
    for there_and_back in (transform @ transform.inverse(), transform.inverse() @ transform):
        np.testing.assert_allclose(there_and_back.apply(POINTS), POINTS, atol=1e-10)


@given(floor_transforms(), floor_transforms(), floor_transforms())
def test_is_associative(a: FloorTransform, b: FloorTransform, c: FloorTransform) -> None:
    np.testing.assert_allclose(((a @ b) @ c).apply(POINTS), (a @ (b @ c)).apply(POINTS), atol=1e-9)


@given(floor_transforms(), generators())
def test_keeps_heights_and_distances(transform: FloorTransform, random: np.random.Generator) -> None:
    a, b = random.normal(size=(2, 20, 3))
    np.testing.assert_array_equal(transform.apply(a)[:, 1], a[:, 1])
    moved = np.linalg.norm(transform.apply(a) - transform.apply(b), axis=-1)
    np.testing.assert_allclose(moved, np.linalg.norm(a - b, axis=-1), atol=1e-12)


def test_a_quarter_turn_takes_forward_to_the_left() -> None:
    quarter = FloorTransform(np.pi / 2, 1.0, 2.0)
    np.testing.assert_allclose(quarter.apply([0, 7, 1]), [2, 7, 2], atol=1e-12)
    np.testing.assert_allclose(quarter.apply([1, 7, 0]), [1, 7, 1], atol=1e-12)


def test_is_a_value() -> None:
    assert FloorTransform(1, 2, 3) == FloorTransform(1.0, 2.0, 3.0)
    assert FloorTransform() == FloorTransform(0, 0, 0)
    with pytest.raises(FrozenInstanceError):
        FloorTransform().x = 1.0  # type: ignore[misc]


def test_the_points_given_are_not_changed() -> None:
    points = np.ones((2, 3))
    FloorTransform(1.0, 5.0, 5.0).apply(points)
    np.testing.assert_array_equal(points, 1.0)
    assert FloorTransform(0.0, 0.5, 0.0).apply([[1, 2, 3]]).tolist() == [[1.5, 2.0, 3.0]]
