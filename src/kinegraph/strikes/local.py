"""From a target to weights of the examples: local linear regression.

Weights w whose Σ w f is the value at the target of the plane that fits values f at the hits best, hits nearer to the
target counting more (Cleveland, "Robust locally weighted regression and smoothing scatterplots", 1979). They sum to 1,
reproduce affine functions, and average over as many neighbours as the bandwidth takes in: where a performer repeats
himself, better than any interpolation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, frozen_array

# A target so far from all hits that none counts: then the nearest count alike.
_LEAST = 1e-12
# Parts of the bandwidth, squared: a slope along a direction in which the hits hardly differ is not believed.
_FLAT = 1e-4


@dataclass(frozen=True, eq=False)
class LocalLinear:
    """Weights by target over ``points (N, D)``; bandwidth: metres at which a neighbour counts 0.6 of one at the target."""

    points: Array
    bandwidth: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen_array(self.points))

    def weights(self, target: Array) -> Array:
        """Weights ``(N,)`` of the examples for ``target (D,)``; they sum to 1 and may be negative."""
        gap = (self.points - target) / self.bandwidth
        squares = np.einsum("nd,nd->n", gap, gap)
        near = np.exp(-0.5 * (squares - squares.min())) + _LEAST
        columns = np.concatenate([np.ones((len(gap), 1)), gap], axis=1)
        system = columns.T @ (near[:, None] * columns)
        system[1:, 1:] += _FLAT * near.sum() * np.eye(gap.shape[1])
        first = np.zeros(len(system))
        first[0] = 1.0
        weights: Array = near * (columns @ np.linalg.solve(system, first))
        return np.asarray(weights / weights.sum())
