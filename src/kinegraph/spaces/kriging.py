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

from kinegraph.motion.rotation import Array
from kinegraph.motion.skeleton import frozen_array

# A trend along a direction in which the hits hardly differ cannot be told from noise; metres, added in squares.
_FLAT = 1e-6


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
    def _inverse(self) -> Array:
        count, dims = self.points.shape
        system = np.zeros((count + dims + 1, count + dims + 1))
        system[:count, :count] = apart(self.points, self.points) - self.nugget * np.eye(count)
        trend = np.concatenate([np.ones((count, 1)), self.points - self._centre], axis=1)
        system[:count, count:], system[count:, :count] = trend, trend.T
        system[count + 1 :, count + 1 :] = _FLAT * np.eye(dims)
        return np.linalg.pinv(system)

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
        right = np.concatenate([apart(target[None], self.points)[0], [1.0], target - self._centre])
        found = self._inverse @ right
        weights = found[:count]
        # to the last digit: the flat term above lets the sum slip by a millionth
        return weights + (1.0 - weights.sum()) / count, max(0.0, float(right @ found))


def apart(a: Array, b: Array) -> Array:
    """Distances ``(N, M)`` of points ``(N, D)`` and ``(M, D)``."""
    distances: Array = np.linalg.norm(a[:, None] - b[None], axis=-1)
    return distances
