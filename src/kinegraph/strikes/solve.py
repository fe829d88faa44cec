"""Weights that hit: from weights that should hit a target to the nearest ones that do, within bounds.

Gauss-Newton on the forward kinematics of the hit alone. Each step solves a small quadratic programme: it finds the weights
that sum to 1, are within their bounds, put the linearised hit on the target, and are otherwise nearest to the wished ones
(not to those of the last step, so that the result does not depend on the steps). If no weights hit, it takes those that come
nearest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from kinegraph.arrays import Array, Indices
from kinegraph.errors import SpaceError
from kinegraph.motion import rotation
from kinegraph.strikes.examples import Examples

Bounds = tuple[float, float]
WITHIN: Bounds = (0.0, 1.0)
BEYOND: Bounds = (-0.2, 1.2)
Method = Literal["auto", "blend", "nearest", "partial"]
METHODS: tuple[Method, ...] = get_args(Method)
"""How strikes are made: as suits the examples, a blend of all, the nearest one bent onto the target, or body parts of two blends."""

_STEPS = 40
_CLOSE = 1e-6  # metres
_NUDGE = 1e-5
# Metres: the furthest that one step may be asked to go, since the hit is not linear in the weights.
_STRIDE = 0.25
# What a metre off the target counts against a change of the weights: as good as everything.
_SLACK = 1e-6


def check_bounds(bounds: Bounds) -> None:
    """Raise an error if no weights within these bounds can sum to 1."""
    low, high = bounds
    if not (np.isfinite([low, high]).all() and low <= 0.0 and high >= 1.0):
        raise SpaceError(f"weights must be allowed to be 0 and 1: bounds {low:g} to {high:g} do not")


@dataclass(frozen=True, eq=False)
class Solved:
    """Weights that hit a target, or come near it."""

    weights: Array
    """``(N,)``."""
    hit: Array
    """``(3,)``: where they hit."""
    miss: float
    """How far that is from the target in metres, in the coordinates that were asked for."""


class HitPose:
    """The hit of a blend as a function of its weights, with the derivative. Only the striking chain is posed, at one moment."""

    def __init__(self, examples: Examples, which: Indices | None = None) -> None:
        """which: indices ``(N,)`` of the examples that are blended; by default all."""
        rows = slice(None) if which is None else which
        chain = examples.skeleton.chain(0, examples.end)[:-1]
        self._root = examples.root[rows, examples.hit]
        self._turns = np.ascontiguousarray(examples.turns[:, examples.hit, chain][rows])
        self._mean = examples.mean[examples.hit, chain]
        self._offsets = examples.skeleton.offsets[[*chain[1:], examples.end]]

    def __len__(self) -> int:
        return len(self._root)

    def at(self, weights: Array) -> Array:
        """Where weights ``(..., N)`` hit, ``(..., 3)``."""
        rotations = rotation.multiply(self._mean, rotation.exp(np.tensordot(weights, self._turns, 1)))
        place = np.zeros((*weights.shape[:-1], 3))
        for bone in range(len(self._offsets) - 1, -1, -1):
            place = rotation.rotate(rotations[..., bone, :], place + self._offsets[bone])
        hit: Array = weights @ self._root + place
        return hit

    def linearised(self, weights: Array) -> tuple[Array, Array]:
        """Where weights ``(N,)`` hit, ``(3,)``, and how each weight moves the hit, ``(3, N)``."""
        count = len(weights)
        places = self.at(np.concatenate([weights[None], weights + _NUDGE * np.eye(count)]))
        return places[0], (places[1:] - places[0]).T / _NUDGE


def solve(pose: HitPose, target: Array, wished: Array, bounds: Bounds = BEYOND) -> Solved:
    """The weights within ``bounds`` that hit ``target``, ``(2,)`` across and height or ``(3,)``, and are nearest to ``wished (N,)``."""
    dims = len(target)
    weights = summing(wished, bounds)
    hit, slope = pose.linearised(weights)
    miss = float(np.linalg.norm(target - hit[:dims]))
    for _ in range(_STEPS):
        if miss < _CLOSE:
            break
        gap = target - hit[:dims]
        gap *= min(1.0, _STRIDE / miss)
        share = 1.0
        while share > 0.05:
            aim = slope[:dims] @ weights + share * gap
            # a full step starts from what was wished; a short one, which only looks for a way, from where it is
            tried = nearest(wished if share == 1.0 else weights, slope[:dims], aim, bounds)
            place, slopes = pose.linearised(tried)
            off = float(np.linalg.norm(target - place[:dims]))
            if off < miss * (1.0 - 0.05 * share):
                break
            share *= 0.5
        else:
            break
        weights, hit, slope, miss = tried, place, slopes, off
    return Solved(weights, hit, miss)


def nearest(wished: Array, rows: Array, aim: Array, bounds: Bounds) -> Array:
    """Weights ``(N,)`` within bounds that sum to 1, nearest to ``wished``, such that ``rows (M, N)`` times them is ``aim (M,)``, or as
    near to it as possible.

    Newton's method on the dual problem, which has only M + 1 unknowns and is concave. Its gradient is what is missing; its
    Hessian consists of the rows' products over the weights that are not at a bound.
    """
    low, high = bounds
    rows = np.concatenate([np.ones((1, len(wished))), rows])
    aim = np.concatenate([[1.0], aim])
    slack = np.full(len(aim), _SLACK)
    slack[0] = 0.0
    price = np.zeros(len(aim))

    def dual(at: Array) -> tuple[float, Array, Array]:
        weights = np.clip(wished + rows.T @ at, low, high)
        missing = aim - rows @ weights
        value = 0.5 * np.sum((weights - wished) ** 2) + at @ missing - 0.5 * np.sum(slack * at * at)
        return float(value), missing - slack * at, weights

    value, gradient, weights = dual(price)
    for _ in range(40):
        if np.abs(gradient).max() < 1e-11:
            return weights
        free = (weights > low) & (weights < high)
        curvature = rows[:, free] @ rows[:, free].T + np.diag(slack + 1e-12)
        step = np.linalg.solve(curvature, gradient)
        share, rise = 1.0, float(gradient @ step)
        while share > 1e-9:
            tried = dual(price + share * step)
            if tried[0] >= value + 1e-4 * share * rise:
                break
            share *= 0.5
        else:
            break
        price = price + share * step
        value, gradient, weights = tried
    # where no weights do what the rows ask, the search may end before they sum to 1, and a body of other weights floats
    # or sinks
    return summing(weights, bounds)


def summing(wished: Array, bounds: Bounds) -> Array:
    """Weights ``(N,)`` within bounds that sum to 1, nearest to ``wished``: all are raised or lowered by the same amount, as
    far as bounds allow.
    """
    low, high = bounds
    least, most = low - wished.max(), high - wished.min()
    for _ in range(100):
        shift = 0.5 * (least + most)
        if np.clip(wished + shift, low, high).sum() < 1.0:
            least = shift
        else:
            most = shift
    weights: Array = np.clip(wished + 0.5 * (least + most), low, high)
    return weights
