"""Single pairs of windows: the distance, and the transform that attains it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.motion import FloorTransform, Motion, Skeleton
from kinegraph.similarity.clouds import cloud, cloud_matrix
from kinegraph.similarity.exact import alignments
from tests.similarity.reference import apart, cloud_of, direct, explicit_points, window_points
from tests.strategies import floor_transforms, generators


def _aligned(a: Motion, i: int, b: Motion, j: int, window: int, along: int = 0) -> tuple[float, FloorTransform]:
    clouds = [cloud_of(a, along), cloud_of(b, along)]
    one = np.array([0]), np.array([i]), np.array([1]), np.array([j]), np.array([window])
    distance, angle, x, z = alignments(clouds, *one)
    return float(distance[0]), FloorTransform(float(angle[0]), float(x[0]), float(z[0]))


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2 * np.pi) - np.pi)


@pytest.mark.parametrize("window", [2, 6, 10, 41])
@pytest.mark.parametrize("along", [0, 3])
def test_alignments_equal_the_direct_formula_on_real_clips(slow: dict[str, Motion], window: int, along: int) -> None:
    random = np.random.default_rng(window)
    names = [name for name in slow if len(slow[name]) >= window]
    clouds = [cloud_of(slow[name], along) for name in names]
    picks = []
    for _ in range(25):
        a, b = random.integers(len(names), size=2)
        i, j = (int(random.integers(len(clouds[c]) - window + 1)) for c in (a, b))
        picks.append((a, i, b, j, window))
    distance, angle, x, z = found = alignments(clouds, *np.array(picks).T)
    # held a few at a time
    assert np.array_equal(found, alignments(clouds, *np.array(picks).T, most=300))
    for n, (a, i, b, j, _) in enumerate(picks):
        expected, transform = direct(slow[names[a]], i, slow[names[b]], j, window, along)
        if (a, i) != (b, j):
            assert distance[n] == pytest.approx(expected, abs=1e-9)
        assert _wrapped(angle[n] - transform.angle) == pytest.approx(0, abs=1e-7)
        assert (x[n], z[n]) == pytest.approx((transform.x, transform.z), abs=1e-6)


@given(
    st.integers(0, 100),
    st.integers(0, 100),
    st.floats(-0.3, 0.3),
    st.floats(-0.3, 0.3),
    st.floats(-0.3, 0.3),
    generators(),
)
def test_the_alignment_attains_the_distance_and_no_other_does_better(
    i: int, j: int, turn: float, x: float, z: float, random: np.random.Generator
) -> None:
    a, b = samples.make("walk_left_tight").motion.resample(30.0), samples.make("run").motion.resample(30.0)
    window = 10
    distance, transform = _aligned(a, i, b, j, window)
    points_a, shares = explicit_points(a)
    points_b, _ = explicit_points(b)
    one, weights = window_points(points_a, shares, i, window)
    two, _ = window_points(points_b, shares, j, window)
    assert apart(one, two, weights, transform) == pytest.approx(distance, abs=1e-10)
    # turned about B's own centre, and shifted: both far and near
    centre = np.average(two, axis=0, weights=weights)
    about = (
        FloorTransform(0.0, centre[0], centre[2]) @ FloorTransform(turn) @ FloorTransform(0.0, -centre[0], -centre[2])
    )
    for scale in (1.0, 1e-3):
        other = transform @ FloorTransform(0.0, scale * x, scale * z) @ about
        assert apart(one, two, weights, other) >= distance - 1e-12
    other = FloorTransform(*random.uniform(-3, 3, 3))
    assert apart(one, two, weights, other) >= distance - 1e-12


@settings(max_examples=30)
@given(floor_transforms(), floor_transforms())
def test_rigid_motion_on_the_floor_changes_nothing(move_a: FloorTransform, move_b: FloorTransform) -> None:
    a, b = samples.make("walk").motion[:60:2], samples.make("sneak").motion[:60:2]
    before, transform = _aligned(a, 3, b, 9, 10)
    after, other = _aligned(a.place(move_a), 3, b.place(move_b), 9, 10)
    assert after == pytest.approx(before, abs=1e-11)
    expected = move_a @ transform @ move_b.inverse()
    assert _wrapped(other.angle - expected.angle) == pytest.approx(0, abs=1e-9)
    assert (other.x, other.z) == pytest.approx((expected.x, expected.z), abs=1e-8)


def test_swapping_the_clips_inverts_the_alignment(slow: dict[str, Motion]) -> None:
    a, b = slow["16_17"], slow["16_08"]
    for i, j in ((0, 0), (30, 4), (80, 44)):
        there, transform = _aligned(a, i, b, j, 10)
        back, inverse = _aligned(b, j, a, i, 10)
        assert back == pytest.approx(there, abs=1e-12)
        expected = transform.inverse()
        assert _wrapped(inverse.angle - expected.angle) == pytest.approx(0, abs=1e-10)
        assert (inverse.x, inverse.z) == pytest.approx((expected.x, expected.z), abs=1e-9)


def _column(heights: list[float]) -> Skeleton:
    """Joints above each other."""
    offsets = [
        [0.0, heights[0], 0.0],
        *([0.0, high - low, 0.0] for low, high in pairwise(heights)),
    ]
    names = tuple(f"joint {n}" for n in range(len(heights)))
    return Skeleton(names, list(range(-1, len(heights) - 1)), offsets, [], np.zeros((0, 3)))


def test_points_on_one_vertical_line_are_laid_on_each_other() -> None:
    skeleton = _column([1.0, 1.5, 2.0])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (12, 3, 1))
    a = Motion(skeleton, np.tile([3.0, 1.0, -2.0], (12, 1)), still, 30.0)
    b = Motion(skeleton, np.tile([-40.0, 1.25, 7.0], (12, 1)), still, 30.0)
    distance, transform = _aligned(a, 1, b, 2, 6)
    assert distance == pytest.approx(0.25, abs=1e-12)
    assert transform.apply([-40.0, 1.25, 7.0]) == pytest.approx([3.0, 1.25, -2.0], abs=1e-9)


def test_a_single_joint_can_be_aligned() -> None:
    skeleton = _column([1.0])
    random = np.random.default_rng(5)
    path = random.normal(size=(12, 3))
    a = Motion(skeleton, path, np.tile([1.0, 0.0, 0.0, 0.0], (12, 1, 1)), 30.0)
    b = a.place(FloorTransform(2.0, 3.0, 4.0))
    distance, transform = _aligned(b, 0, a, 0, 12)
    assert distance == pytest.approx(0, abs=1e-7)
    assert (transform.angle, transform.x, transform.z) == pytest.approx((2.0, 3.0, 4.0), abs=1e-9)


def test_ten_kilometres_away_nothing_is_lost(slow: dict[str, Motion]) -> None:
    a, b = slow["16_15"], slow["16_35"]
    far = replace(b, root=b.root + np.array([10_000.0, 0.0, -10_000.0]))
    near, _ = _aligned(a, 20, b, 11, 10)
    there, transform = _aligned(a, 20, far, 11, 10)
    assert there == pytest.approx(near, abs=1e-9)
    matrix = cloud_matrix(b.skeleton, np.ones(len(b.skeleton)))
    assert cloud(far, matrix).sound.all()
    points, shares = explicit_points(far)
    two, weights = window_points(points, shares, 11, 10)
    one, _ = window_points(explicit_points(a)[0], shares, 20, 10)
    assert apart(one, two, weights, transform) == pytest.approx(near, abs=1e-7)


def test_points_on_one_vertical_line_are_not_turned() -> None:
    skeleton = _column([1.0, 1.5, 2.0])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (12, 3, 1))
    a = Motion(skeleton, np.tile([3.0, 1.0, -2.0], (12, 1)), still, 30.0)
    b = Motion(skeleton, np.tile([-40.0, 1.25, 7.0], (12, 1)), still, 30.0)
    _, transform = _aligned(a, 1, b, 2, 6)
    assert transform.angle == 0.0
