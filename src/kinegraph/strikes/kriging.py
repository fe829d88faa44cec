"""From a target to weights of the examples, by universal kriging: interpolation by radial basis functions with a linear kernel.

The weights of a target p give the best linear unbiased estimate of a pose field that varies about an affine trend with the
linear variogram γ(d) = d. The nugget is how much repeated strikes at one target differ: with it, weights average over more
neighbours. Weights sum to 1 and reproduce affine functions, so Σ w h = p for the hits h themselves. The kriging variance
tells how far a target is from everything that was captured. Matheron 1969; for motions Mukai and Kuriyama, "Geostatistical
Motion Interpolation" (SIGGRAPH 2005).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, frozen_array

# Metres, root mean square: a trend along a direction in which the hits differ by less cannot be told from noise.
_FLAT = 0.01


@dataclass(frozen=True, eq=False)
class Kriging:
    """From targets to weights by kriging."""

    points: Array
    """``(N, D)``: hits of the examples in two or three coordinates."""
    nugget: float
    """Metres."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen_array(self.points))

    @cached_property
    def _centre(self) -> Array:
        centre: Array = self.points.mean(axis=0)
        return centre

    @cached_property
    def _directions(self) -> Array:
        """Directions ``(D, E)`` along which the hits differ enough for a trend."""
        # a matrix of 2 or 3 rows: its decomposition is quick whatever the number of points
        away = self.points - self._centre
        spread, axes = np.linalg.eigh(away.T @ away / len(away))
        return np.asarray(axes[:, spread > _FLAT**2])

    @cached_property
    def _inverse(self) -> Array:
        count = len(self.points)
        trend = np.concatenate([np.ones((count, 1)), (self.points - self._centre) @ self._directions], axis=1)
        system = np.zeros((count + trend.shape[1],) * 2)
        system[:count, :count] = apart(self.points, self.points) - self.nugget * np.eye(count)
        system[:count, count:], system[count:, :count] = trend, trend.T
        # with a nugget above zero and a trend along spread directions only, this has an inverse
        return np.linalg.inv(system)

    def weights(self, target: Array) -> Array:
        """Weights ``(N,)`` of the examples for ``target (D,)``; they sum to 1 and may be negative."""
        return self.solve(target)[0]

    def variance(self, target: Array) -> float:
        """How uncertain a pose at ``target (D,)`` is, in metres of the variogram: 0 at an example, and more further from all of them."""
        return self.solve(target)[1]

    def solve(self, target: Array) -> tuple[Array, float]:
        """Weights and variance of ``target (D,)``."""
        count = len(self.points)
        right = np.concatenate([apart(target[None], self.points)[0], [1.0], (target - self._centre) @ self._directions])
        found = self._inverse @ right
        weights = found[:count]
        # to the last digit
        return weights + (1.0 - weights.sum()) / count, max(0.0, float(right @ found))


def apart(a: Array, b: Array) -> Array:
    """Distances ``(N, M)`` of points ``(N, D)`` and ``(M, D)``."""
    distances: Array = np.linalg.norm(a[:, None] - b[None], axis=-1)
    return distances
