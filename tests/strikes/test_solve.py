from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from kinegraph.errors import SpaceError
from kinegraph.motion import kinematics
from kinegraph.strikes.blend import poses
from kinegraph.strikes.solve import BEYOND, WITHIN, nearest, solve
from kinegraph.strikes.space import Space


@given(st.integers(0, 10_000), st.integers(4, 20), st.booleans())
def test_the_nearest_weights_are_those_that_a_general_solver_finds(seed: int, count: int, within: bool) -> None:
    random = np.random.default_rng(seed)
    bounds = WITHIN if within else BEYOND
    inside = random.dirichlet(np.ones(count))
    rows = random.normal(size=(2, count))
    wished = inside + random.normal(scale=0.3, size=count)
    found = nearest(wished, rows, rows @ inside, bounds)
    assert abs(found.sum() - 1) < 1e-9
    assert np.abs(rows @ (found - inside)).max() < 1e-4
    assert found.min() >= bounds[0] - 1e-12
    assert found.max() <= bounds[1] + 1e-12
    exact = minimize(
        lambda w: 0.5 * np.sum((w - wished) ** 2),
        inside,
        jac=lambda w: w - wished,
        bounds=[bounds] * count,
        constraints=LinearConstraint(np.vstack([rows, np.ones(count)]), [*rows @ inside, 1.0], [*rows @ inside, 1.0]),
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert np.sum((found - wished) ** 2) <= np.sum((exact.x - wished) ** 2) + 1e-4


def test_what_cannot_be_had_is_come_near_to() -> None:
    """Weights of two points on a line cannot make a third beyond it; they stop at its end."""
    found = nearest(np.array([0.5, 0.5]), np.array([[0.0, 1.0]]), np.array([3.0]), WITHIN)
    assert np.allclose(found, [0.0, 1.0], atol=1e-4)


def test_the_hit_of_weights_is_that_of_the_blended_pose(kicks: Space) -> None:
    examples = kicks.examples
    random = np.random.default_rng(0)
    for _ in range(20):
        weights = random.normal(size=len(examples))
        weights /= weights.sum()
        made = poses(examples, weights)
        positions, _ = kinematics.forward(examples.skeleton, made.root, made.rotations)
        assert np.allclose(kicks.pose.at(weights), positions[examples.hit, examples.end], atol=1e-9)


def test_the_derivative_is_right(punches: Space) -> None:
    weights = np.full(9, 1 / 9)
    hit, slope = punches.pose.linearised(weights)
    step = np.random.default_rng(1).normal(size=9)
    there, back = (punches.pose.at(weights + sign * 1e-4 * step) for sign in (1, -1))
    assert np.allclose(slope @ step, (there - back) / 2e-4, atol=1e-3)
    assert np.allclose(hit, punches.pose.at(weights))


@pytest.mark.parametrize("bounds", [WITHIN, BEYOND])
def test_wished_weights_that_hit_are_kept(kicks: Space, bounds: tuple[float, float]) -> None:
    wished = np.random.default_rng(2).dirichlet(np.ones(len(kicks.examples)))
    found = solve(kicks.pose, kicks.pose.at(wished), wished, bounds)
    assert np.allclose(found.weights, wished, atol=1e-6)
    assert found.miss < 1e-6


@given(st.integers(0, 10_000), st.integers(3, 9), st.booleans())
def test_weights_sum_to_one_whatever_is_asked(seed: int, count: int, within: bool) -> None:
    """Else a body floats: also where nothing within the bounds comes near what is asked."""
    random = np.random.default_rng(seed)
    bounds = WITHIN if within else BEYOND
    rows = random.normal(size=(2, count))
    for far in (1.0, 30.0):
        found = nearest(random.normal(size=count), rows, far * random.normal(size=2), bounds)
        assert abs(found.sum() - 1) < 1e-9
        assert found.min() >= bounds[0] - 1e-12
        assert found.max() <= bounds[1] + 1e-12


@pytest.mark.parametrize("bounds", [WITHIN, BEYOND])
def test_few_strikes_and_far_targets_keep_the_body_on_the_floor(kicks: Space, bounds: tuple[float, float]) -> None:
    random = np.random.default_rng(4)
    for count in (3, 4, 5, 7):
        some = sorted(random.choice(8, count, replace=False).tolist())
        try:
            space = Space("few", kicks.examples.only(some))
        except SpaceError:
            continue  # on one line
        for target in random.uniform([-0.9, 0.0], [0.9, 1.8], (25, 2)):
            found = space.solve(target, bounds)
            assert abs(found.weights.sum() - 1) < 1e-9
            assert found.miss == pytest.approx(float(np.linalg.norm(found.hit[:2] - target)))
