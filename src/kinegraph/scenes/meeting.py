"""How a way that was found is bent and timed so that it meets its keys: turns and rates, changed as little as need be.

The unknowns are how much more the way turns for each metre, how much faster or slower it is played, both at knots half a
second apart, and where it begins. Keys are met by Gauss-Newton steps over them, with a price on every change and on changes
that are not even. Rates stay within their limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.scenes.asked import FASTER, SLOWER

# seconds from knot to knot
_KNOT = 0.5
# what counts as one: metres, radians; radians a metre, the logarithm of a rate, and their change from knot to knot
_PLACE, _FACING, _BEND, _RATE, _UNEVEN = 0.004, 0.02, 0.12, 0.05, 0.6
# frames by which what is to be seen by or after some moment is late or early
_TIME = 0.15
# radians a metre that may be added at most
_MOST_BEND = 0.5
_ROUNDS = 12
# what a step must save to be followed by another
_WORTH = 0.005
# how much more changes cost in a step, from one try to the next: a long step may lead astray
_DAMPING = (0.0, 2.0, 20.0, 200.0)
# metres beyond which a key is as good as out of reach
_FAR = 1.0
# metres a frame below which nobody walks, at 30 frames a second
_CREEPS = 0.003


@dataclass(frozen=True, eq=False)
class BareWay:
    """A way of F frames as it was captured and blended, and as it is bent and timed."""

    points: Array
    """``(F, 2)``: where the walker is, without the sway of steps."""
    root: Array
    """``(F, 2)``"""
    facing: Array
    """``(F,)``: without the swing of hips."""
    turns: Array
    """``(F,)``: radians by which each frame turns all that comes after it."""
    rates: Array
    """``(F,)``"""
    fps: float


@dataclass(frozen=True, eq=False)
class Timing:
    """Frames of a way that are to be seen no earlier and no later than at some moments."""

    frames: Longs
    """``(B,)``"""
    low: Array
    """``(B,)``"""
    high: Array
    """``(B,)``"""
    weights: Array
    """``(B,)``: how much each matters."""


@dataclass(frozen=True, eq=False)
class MetKeys:
    """How a way is bent and timed so that it meets keys."""

    turns: Array
    rates: Array
    moments: Array
    """``(N,)``: which frame of the way, or what lies between two, is seen at each frame of the motion."""
    shift: Array
    """``(2,)``: metres by which its beginning is moved."""
    turn: float
    """Radians by which all of it is turned, about its beginning."""


def meet(
    way: BareWay,
    seen: Array,
    moments: Array,
    places: Array,
    headings: Array,
    weights: Array,
    timing: Timing | None = None,
    shown: Longs | None = None,
    beside: Array | None = None,
) -> MetKeys:
    """Turns and rates by which a way is at ``places (K, 2)``, facing ``headings (K,)`` (not a number for any), at ``moments (K,)``.

    seen ``(N,)``: the moments of which the motion has a frame; they count from where the way begins. weights ``(K,)``: how much each
    matters. timing: what is to be seen when. shown ``(K,)``: which frame of the way is to be at the place, −1 for whichever is seen at
    the moment. beside ``(K, 2)``: for these, from the root in that frame, the point that is to be there.
    """
    if shown is None or beside is None:
        shown, beside = np.full(len(moments), -1), np.zeros((len(moments), 2))
    if timing is None:
        timing = Timing(np.zeros(0, np.int64), *np.zeros((3, 0)))
    count = len(way.points)
    knots = np.arange(0.0, count + _KNOT * way.fps, _KNOT * way.fps)
    basis = _hats(count, knots)
    size = basis.shape[1]
    steps = np.diff(way.points, axis=0, append=way.points[-1:])
    metres = np.hypot(*steps.T)
    metres = np.where(metres > _CREEPS * 30.0 / way.fps, metres, 0.0)
    log = np.log(np.clip(way.rates, SLOWER, FASTER))
    unknown = np.zeros(2 * size + 3)
    prior = _prior(size)
    faced = np.flatnonzero(np.isfinite(headings)).astype(np.int64)
    state = _State(way, basis, metres, log, unknown)
    left, slopes = state.residuals(moments, places, headings, faced, timing, shown, beside)
    for _ in range(_ROUNDS):
        weight = _weights(left, weights, faced, timing)
        price = float(weight @ left**2 + unknown @ prior @ unknown)
        steep, down = slopes.T @ (weight[:, None] * slopes), slopes.T @ (weight * left) - prior @ unknown
        for damping in _DAMPING:
            tried = unknown + np.linalg.solve(steep + (1.0 + damping) * prior, down)
            tried[:size] = np.clip(tried[:size], -_MOST_BEND, _MOST_BEND)
            other = _State(way, basis, metres, log, tried)
            missed, steeper = other.residuals(moments, places, headings, faced, timing, shown, beside)
            cheaper = float(weight @ missed**2 + tried @ prior @ tried)
            if cheaper < price:
                break
        else:
            break
        unknown, state, left, slopes = tried, other, missed, steeper
        if cheaper > (1.0 - _WORTH) * price:
            break
    frames = np.interp(seen, state.times, np.arange(count))
    return MetKeys(state.turns, state.rates, frames, unknown[-3:-1], float(unknown[-1]))


def _weights(left: Array, weights: Array, faced: Longs, timing: Timing) -> Array:
    """What the square of each residual ``(2 K + H + B,)`` costs. A key that is metres away would only twist the way to all others."""
    missed = np.hypot(*left[: 2 * len(weights)].reshape(-1, 2).T)
    share = weights / (1.0 + (missed / _FAR) ** 6)
    return np.concatenate([np.repeat(share, 2) / _PLACE**2, share[faced] / _FACING**2, timing.weights / _TIME**2])


def _hats(count: int, knots: Array) -> Array:
    """Of frames ``(F,)``, the share ``(F, K)`` that each knot has in them."""
    place = np.arange(count) / (knots[1] - knots[0])
    return np.asarray(np.maximum(1.0 - np.abs(place[:, None] - np.arange(len(knots))[None]), 0.0))


def _prior(size: int) -> Array:
    """The price ``(2 K + 3, 2 K + 3)`` of changes."""
    apart = np.diff(np.eye(size), axis=0)
    prior = np.zeros((2 * size + 3, 2 * size + 3))
    for first, unit in ((0, _BEND), (size, _RATE)):
        part = slice(first, first + size)
        prior[part, part] = (np.eye(size) + apart.T @ apart / _UNEVEN**2) / unit**2
    # to begin elsewhere costs next to nothing
    prior[-3:, -3:] = 1e-3 * np.eye(3)
    return prior


class _State:
    """A way with some changes."""

    def __init__(self, way: BareWay, basis: Array, metres: Array, log: Array, unknown: Array) -> None:
        size = basis.shape[1]
        self._way, self._basis, self._metres = way, basis, metres
        wished = log + basis @ unknown[size : 2 * size]
        low, high = np.log(SLOWER), np.log(FASTER)
        bounded = np.clip(wished, low, high)
        self.free = wished == bounded
        self.rates = np.exp(bounded)
        self.turns = way.turns + metres * (basis @ unknown[:size])
        self.times = np.concatenate([[0.0], np.cumsum(1.0 / self.rates)[:-1]])
        self.heading = unknown[-1] + np.concatenate([[0.0], np.cumsum(self.turns)[:-1]])
        steps = np.diff(way.points, axis=0, prepend=way.points[:1])
        self.points = way.points[0] + unknown[-3:-1] + np.cumsum(_turned(steps, self.heading), axis=0)

    def residuals(
        self, moments: Array, places: Array, headings: Array, faced: Longs, timing: Timing, shown: Longs, beside: Array
    ) -> tuple[Array, Array]:
        """What is missed at the keys, places first, then headings, then times ``(2 K + H + B,)``, and how that changes with the
        unknowns.
        """
        way, basis, size = self._way, self._basis, self._basis.shape[1]
        count = len(way.points)
        frames = np.arange(count)
        root = self.points + _turned(way.root - way.points, self.heading)
        at = np.where(shown >= 0, shown, np.interp(moments, self.times, frames))
        near = np.minimum(at.astype(np.intp), count - 2)
        part = (at - near)[:, None]
        here = (1 - part) * root[near] + part * root[near + 1]
        here = here + _turned(beside, self.heading[near])
        # the place of a frame that is known does not depend on how fast it is reached
        speed = np.where(shown[:, None] >= 0, 0.0, root[near + 1] - root[near])
        turned = 2 * len(moments) + len(faced)
        left = np.empty(turned + len(timing.frames))
        slopes = np.zeros((len(left), 2 * size + 3))
        left[: 2 * len(moments)] = (places - here).ravel()
        # each frame turns all that comes after it, about where the walker is
        turning = self._metres[:, None] * basis
        whole, first, second = (
            np.cumsum(turning * factor[:, None], axis=0)[np.maximum(near - 1, 0)]
            for factor in (np.ones(count), self.points[:, 0], self.points[:, 1])
        )
        slopes[0 : 2 * len(moments) : 2, :size] = here[:, 1:] * whole - second
        slopes[1 : 2 * len(moments) : 2, :size] = first - here[:, :1] * whole
        gained = np.cumsum((self.free / self.rates)[:, None] * basis, axis=0)
        sooner = gained[near] * self.rates[near][:, None]
        for axis in (0, 1):
            slopes[axis : 2 * len(moments) : 2, size : 2 * size] = speed[:, axis : axis + 1] * sooner
            slopes[axis : 2 * len(moments) : 2, 2 * size + axis] = 1.0
        slopes[0 : 2 * len(moments) : 2, -1] = here[:, 1] - self.points[0, 1]
        slopes[1 : 2 * len(moments) : 2, -1] = self.points[0, 0] - here[:, 0]
        facing = np.interp(at, frames, way.facing + self.heading)
        swing = np.gradient(way.facing + self.heading)[near]
        missed = (headings[faced] - facing[faced] + np.pi) % (2 * np.pi) - np.pi
        left[2 * len(moments) : turned] = missed
        slopes[2 * len(moments) : turned, :size] = whole[faced]
        slopes[2 * len(moments) : turned, size : 2 * size] = swing[faced, None] * sooner[faced]
        slopes[2 * len(moments) : turned, -1] = 1.0
        when = self.times[timing.frames]
        left[turned:] = np.clip(when, timing.low, timing.high) - when
        late = left[turned:] != 0.0
        slopes[turned:, size : 2 * size] = -gained[np.maximum(timing.frames - 1, 0)] * late[:, None]
        return left, slopes


def _turned(vectors: Array, angle: Array) -> Array:
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.stack(
        [cosine * vectors[:, 0] + sine * vectors[:, 1], cosine * vectors[:, 1] - sine * vectors[:, 0]], axis=-1
    )
