"""From a target to weights of the examples: universal kriging, which is interpolation by radial basis functions with a
linear kernel.

The weights of a target p make the best linear unbiased guess of a pose field that varies like a linear variogram γ(d) =
d about an affine trend, with a nugget: how much repeated strikes at one target differ. They sum to 1 and reproduce
affine functions, so Σ w h = p for the hits h themselves; with a nugget they average over more neighbours. The kriging
variance tells how far a target is from what was seen. Matheron 1969; for motions Mukai and Kuriyama, "Geostatistical
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
    """Weights by target over ``points (N, D)``, hits of the examples in two or three coordinates; nugget: metres."""

    points: Array
    nugget: float

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
        """How uncertain a pose at ``target (D,)`` is, in metres of the variogram: 0 at an example, more the further
        from all.
        """
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
