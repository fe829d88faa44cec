"""From targets to weights, and how far these can be trusted.

Two estimates are averaged: kriging, which follows every example, and local regression, which smooths over what a performer
does differently each time. Regression is better with many strikes, kriging with few; their mean is always close to the
better one. Choosing between them by cross-validation was tried and is no better, since a take's own strikes say little about
the performer's next take.

The error to expect at a target follows from the variogram: how much the poses of two examples differ, depending on how far
apart they hit. It is scaled to agree with the error with which examples are predicted from each other.

An example is predicted without those captured just before and after it: a performer drifts, so neighbours in time would make
a method that follows them closely look too good.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.kriging import Kriging, apart
from kinegraph.strikes.local import LocalLinear

CLOSE = 0.005
"""Metres: a strike that hits within so much of its target has reached it."""
# Nugget of the kriging and bandwidth of the regression, in units of the typical distance between neighbouring hits.
_NUGGET = 0.5
_BANDWIDTH = 2.0
# Fewer examples than this must all take part in guessing one: too few are left without its neighbours in time.
_MANY = 12
# Metres.
_SAME_TARGET = 0.03


@dataclass(frozen=True, eq=False)
class Trust:
    """From targets to wished weights, and what to expect of them.

    Kriging and local are the two estimates. The expected squared error of a pose is floor + growth · kriging variance, in
    square radians.
    """

    kriging: Kriging
    local: LocalLinear
    floor: float
    growth: float

    def weights(self, target: Array) -> Array:
        """Weights ``(N,)`` of the examples for ``target (D,)``; they sum to 1 and may be negative."""
        mean: Array = 0.5 * (self.kriging.weights(target) + self.local.weights(target))
        return mean

    def expected(self, target: Array) -> float:
        """The error to expect of a joint at ``target (D,)``, in radians: root mean square over joints and time."""
        return float(np.sqrt(self.floor + self.growth * self.kriging.variance(target)))

    def reliability(self, target: Array, miss: float = 0.0, bent: float = 0.0) -> float:
        """From 1, as certain as at the examples' own targets, towards 0 far from everything that was captured.

        miss: what the strike misses, in metres: beyond `CLOSE` it counts in proportion. bent: what its finish turned of the whole body, in
        radians, root mean square over joints and time: an error on top of what is to be expected.
        """
        off = float(np.hypot(self.expected(target), bent))
        return min(1.0, self._sure / max(off, 1e-9)) * min(1.0, CLOSE / max(miss, 1e-9))

    @cached_property
    def _sure(self) -> float:
        """The expected error at the examples' own targets, root mean square."""
        return float(np.sqrt(np.mean([self.expected(point) ** 2 for point in self.kriging.points])))


def fitted(examples: Examples, dims: int) -> Trust:
    """`Trust` for the first ``dims`` coordinates of a target, fitted to how well each example is predicted from the others."""
    points = examples.hits[:, :dims]
    products = _products(examples)
    others = [_others(examples, index) for index in range(len(examples))]
    spacing = spacing_of(points)
    squares, variances = np.empty(len(points)), np.empty(len(points))
    for index, rest in enumerate(others):
        kriging, local = estimates(points[rest], spacing)
        weights, variances[index] = kriging.solve(points[index])
        weights = 0.5 * (weights + local.weights(points[index]))
        squares[index] = _error(weights, products, index, rest)
    floor, growth = _variogram(points, products)
    usual = float(squares.mean())
    scale = usual / max(float((floor + growth * variances).mean()), 1e-12)
    return Trust(*estimates(points, spacing), scale * floor, scale * growth)


def estimates(points: Array, spacing: float) -> tuple[Kriging, LocalLinear]:
    """Both estimates for hits at ``points (N, D)`` that are typically ``spacing`` metres from their neighbours."""
    return Kriging(points, _NUGGET * spacing), LocalLinear(points, _BANDWIDTH * spacing)


def _variogram(points: Array, products: Array) -> tuple[float, float]:
    """Half the squared difference of two examples' poses, as a line over how far apart they hit: at no distance, and
    per metre.
    """
    first, second = np.triu_indices(len(points), 1)
    own = np.diag(products)
    half = 0.5 * (own[first] + own[second]) - products[first, second]
    distance = np.linalg.norm(points[first] - points[second], axis=-1)
    from scipy.optimize import nnls  # a third of the studio's start, and few who start it strike

    floor, growth = nnls(np.stack([np.ones_like(distance), distance], axis=1), half)[0]
    # poses that do not differ more the further apart they hit have no trend: then all that is known is how much they
    # differ
    return float(floor), float(max(growth, 1e-3 * half.mean() / distance.mean()))


def _others(examples: Examples, index: int) -> Array:
    """The examples from which one is guessed: all but itself and, where there are many, those just before and after it
    in its take.
    """
    clip = examples.strikes[index].clip
    same = sorted(
        (i for i, strike in enumerate(examples.strikes) if strike.clip == clip), key=lambda i: examples.strikes[i].hit
    )
    place = same.index(index)
    left_out = same[max(place - 1, 0) : place + 2] if len(examples) >= _MANY else [index]
    return np.setdiff1d(np.arange(len(examples)), left_out)


def _error(weights: Array, products: Array, index: int, rest: Array) -> float:
    """Squared error in square radians of guessing example ``index`` by weights of the ``rest``."""
    difference = np.zeros(len(products))
    difference[rest] = weights
    difference[index] -= 1.0
    return max(0.0, float(difference @ products @ difference))


def _products(examples: Examples) -> Array:
    """Inner products ``(N, N)`` of the strikes' rotation vectors, per joint and moment: all that errors of guesses
    depend on.
    """
    flat = examples.turns.reshape(len(examples), -1)
    products: Array = flat @ flat.T / (flat.shape[1] / 3)
    return products


def spacing_of(points: Array) -> float:
    """Median distance in metres of a target from the third next; hits within a few centimetres of each other are one
    target, struck again.
    """
    distances = apart(points, points)
    targets: list[int] = []
    for index in range(len(points)):
        if all(distances[index, other] > _SAME_TARGET for other in targets):
            targets.append(index)
    ordered = np.sort(distances[np.ix_(targets, targets)], axis=1)
    return max(float(np.median(ordered[:, min(3, len(targets) - 1)])), _SAME_TARGET)
