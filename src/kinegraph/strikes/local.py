"""From a target to weights of the examples, by local linear regression.

To any values f at the hits a plane can be fitted in which hits near the target count more; Σ w f is the value of that plane
at the target (Cleveland, "Robust locally weighted regression and smoothing scatterplots", 1979). The weights w sum to 1,
reproduce affine functions, and average over as many neighbours as the bandwidth includes. If a performer repeats strikes,
this is better than any interpolation.
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
    """From targets to weights by local linear regression."""

    points: Array
    """``(N, D)``: hits of the examples."""
    bandwidth: float
    """The distance in metres at which a neighbour counts 0.6 times as much as one at the target."""

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
