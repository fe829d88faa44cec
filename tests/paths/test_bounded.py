"""Least squares within limits, against a general solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, sparse

from kinegraph.paths.bounded import Bounded


def differences(count: int, order: int) -> sparse.csr_matrix:
    return sparse.csr_matrix(np.diff(np.eye(count), order, axis=0))


def test_a_wish_within_the_limits_is_granted() -> None:
    target = np.linspace(0, 1, 20)
    found = Bounded(sparse.eye(20), differences(20, 2), np.full(18, 0.1)).nearest(target)
    np.testing.assert_allclose(found, target, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_is_the_best_that_the_limits_allow(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = 14
    target = np.cumsum(random.normal(size=count))
    rows = sparse.vstack([differences(count, 1), differences(count, 2)]).tocsr()
    limits = np.concatenate([np.full(count - 1, 0.8), random.uniform(0.1, 0.5, count - 2)])
    found = Bounded(sparse.eye(count), rows, limits).nearest(target)
    assert np.all(np.abs(rows @ found) <= limits * (1 + 1e-9))
    dense = rows.toarray()
    best = optimize.minimize(
        lambda x: 0.5 * np.sum((x - target) ** 2),
        np.zeros(count),
        jac=lambda x: x - target,
        constraints={
            "type": "ineq",
            "fun": lambda x: np.concatenate([limits - dense @ x, limits + dense @ x]),
            "jac": lambda x: np.concatenate([-dense, dense]),
        },
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    assert best.success
    cost = 0.5 * np.sum((found - target) ** 2)
    assert best.fun * (1 - 1e-6) <= cost <= best.fun * (1 + 1e-5)


def test_limits_may_differ_by_orders_of_magnitude() -> None:
    target = np.where(np.arange(300) < 150, 0.0, 1.0)
    limits = np.where(np.arange(299) < 150, 1e-4, 1e-1)
    found = Bounded(sparse.eye(300), differences(300, 1), limits).nearest(target)
    assert np.all(np.abs(np.diff(found)) <= limits * (1 + 1e-9))
    # from 0 to 1 in ten steps of a tenth, and nothing before
    ramp = np.clip((np.arange(300) - 150) / 10, 0, 1)
    assert np.mean((found - target) ** 2) < 1.05 * np.mean((ramp - target) ** 2)


def test_limits_are_kept_where_they_are_far_too_tight() -> None:
    random = np.random.default_rng(9)
    target = 100 * np.cumsum(random.normal(size=2000))
    rows = sparse.vstack([differences(2000, 1), differences(2000, 2)]).tocsr()
    limits = 10 ** random.uniform(-5, 0, rows.shape[0])
    found = Bounded(sparse.eye(2000), rows, limits).nearest(target)
    assert np.isfinite(found).all()
    # small differences of far places are not known any better
    assert np.all(np.abs(rows @ found) <= limits * (1 + 1e-6))
    assert np.sum((found - target) ** 2) < np.sum(target**2)
