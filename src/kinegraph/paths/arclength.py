"""The arc length of a parametric curve and its inverse, from a table that is refined until it is accurate enough."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import ArrayLike, NDArray

from kinegraph.arrays import Array

# Gauss-Legendre nodes in a piece of the table: a span of an ordinary cubic then is one to four pieces.
_NODES = 12
# A piece is fine enough when the last terms of its speed, integrated, are below this share of the whole length. Their sum over all pieces
# stays well below the 1e-9 that the table promises.
_FINE = 1e-11
# How often a piece is halved at most: a cusp has the size of a millionth millionth of its span then.
_DEEPEST = 40
# The inverse is found to this share of the whole length, a little above rounding.
_EXACT = 2e-14
# Places in a piece between which the inverse is first guessed, on straight lines.
_GUESSES = 8
# Steps of a bisection that leave nothing of a double's precision. Newton takes three or four of them.
_MOST_STEPS = 60


class ArcLength:
    """The length along a curve by its parameter t, and t by the length; accurate to 1e-9 of the whole length.

    ``derivative`` maps parameters ``(P,)`` to derivatives ``(P, D)``. The ``breaks (K,)`` are increasing parameters between which the curve
    is smooth; the first and last are its ends. The derivative is never asked for at a break. In every piece of the table the speed is a
    polynomial through its values at the Gauss-Legendre nodes, and the length is the integral of that polynomial.
    """

    def __init__(self, derivative: Callable[[Array], Array], breaks: ArrayLike) -> None:
        lows, highs, speeds = _pieces(derivative, np.unique(np.asarray(breaks, dtype=np.float64)))
        self._middles, self._halves = (lows + highs) / 2, (highs - lows) / 2
        self._lows, self._end = lows, float(highs[-1])
        # the integral from the piece's beginning at u = −1, by powers of u, the highest first as Horner takes them
        integral = np.zeros((len(lows), _NODES + 1))
        integral[:, 1:] = speeds @ _to_powers() / np.arange(1, _NODES + 1) * self._halves[:, None]
        integral[:, 0] = -integral @ (-1.0) ** np.arange(_NODES + 1)
        self._integral = integral.T[::-1].copy()
        self._slopes = (speeds @ _to_powers() * self._halves[:, None]).T[::-1].copy()
        self._sizes = np.maximum(2 * self._halves * speeds[:, 0], 0.0)
        ends = np.cumsum(self._sizes)
        self._starts = ends - self._sizes
        self.length = float(ends[-1])
        u = np.linspace(-1.0, 1.0, _GUESSES, endpoint=False)
        self._guess_t = np.append(self._middles[:, None] + self._halves[:, None] * u, self._end)
        along = self._starts[:, None] + _horner(self._integral[:, :, None], u)
        self._guess_s = np.maximum.accumulate(np.append(along, self.length))

    @property
    def breaks(self) -> Array:
        """Parameters ``(K,)`` between the pieces of the table: close together where the speed changes quickly."""
        return np.append(self._lows, self._end)

    def at(self, t: ArrayLike) -> Array:
        """Length ``(...)`` in metres at parameters ``t (...)``; constant beyond the ends."""
        t = np.clip(np.asarray(t, dtype=np.float64), self._lows[0], self._end)
        piece = np.searchsorted(self._lows, t, side="right") - 1
        u = np.clip((t - self._middles[piece]) / self._halves[piece], -1.0, 1.0)
        length: Array = self._starts[piece] + np.clip(_horner(self._integral[:, piece], u), 0.0, self._sizes[piece])
        return length

    def inverse(self, s: ArrayLike) -> Array:
        """Parameters ``(...)`` at lengths ``s (...)`` in metres; constant beyond the ends.

        If the curve stands still for a while, this is the parameter at which it moves on.
        """
        s = np.clip(np.asarray(s, dtype=np.float64), 0.0, self.length)
        wanted = s.ravel()
        piece = np.minimum(np.searchsorted(self._starts, wanted, side="right") - 1, len(self._lows) - 1)
        into = wanted - self._starts[piece]
        guess = (np.interp(wanted, self._guess_s, self._guess_t) - self._middles[piece]) / self._halves[piece]
        u = _solved(self._integral, self._slopes, piece, into, np.clip(guess, -1.0, 1.0), _EXACT * self.length)
        t: Array = self._middles[piece] + u * self._halves[piece]
        # the very end is the end, to the last bit
        t[wanted >= self.length] = self._end
        return t.reshape(s.shape)


def _solved(integral: Array, slopes: Array, piece: NDArray[np.intp], into: Array, guess: Array, exact: float) -> Array:
    """Where u ``(P,)`` in ±1 the ``integral (T + 1, K)`` of each ``piece (P,)`` is ``into (P,)``.

    Newton with the ``slopes (T, K)`` from a ``guess (P,)``, held to a bracket that shrinks.
    """
    u = guess
    low, high = np.full_like(u, -1.0), np.full_like(u, 1.0)
    rows = np.arange(len(u))
    for _ in range(_MOST_STEPS):
        error = _horner(integral[:, piece[rows]], u[rows]) - into[rows]
        left = np.abs(error) > exact
        if not left.any():
            break
        rows, error = rows[left], error[left]
        here = u[rows]
        low[rows] = np.where(error < 0, here, low[rows])
        high[rows] = np.where(error > 0, here, high[rows])
        slope = _horner(slopes[:, piece[rows]], here)
        step = np.divide(error, slope, out=np.full_like(error, np.inf), where=slope > np.abs(error) / 4)
        newton = here - step
        inside = (newton >= low[rows]) & (newton <= high[rows])
        u[rows] = np.where(inside, newton, (low[rows] + high[rows]) / 2)
    return u


def _pieces(derivative: Callable[[Array], Array], breaks: Array) -> tuple[Array, Array, Array]:
    """Beginnings ``(K,)`` and ends ``(K,)`` of the pieces, and the speed ``(K, T)`` in each as a Legendre series."""
    lows, highs = breaks[:-1], breaks[1:]
    done: list[tuple[Array, Array, Array]] = []
    scale = 0.0
    for depth in range(_DEEPEST + 1):
        middles, halves = (lows + highs) / 2, (highs - lows) / 2
        t = middles[:, None] + halves[:, None] * _nodes()
        velocity = derivative(t.ravel())
        series = np.sqrt(np.einsum("pd,pd->p", velocity, velocity)).reshape(t.shape) @ _to_series()
        if depth == 0:
            scale = float(2 * halves @ series[:, 0])
        rough = halves * np.abs(series[:, -2:]).sum(axis=1) > _FINE * scale
        if depth == _DEEPEST:
            rough[:] = False
        fine = ~rough
        done.append((lows[fine], highs[fine], series[fine]))
        if not rough.any():
            break
        lows = np.stack([lows[rough], middles[rough]], axis=1).ravel()
        highs = np.stack([middles[rough], highs[rough]], axis=1).ravel()
    lows, highs, series = (np.concatenate(part) for part in zip(*done, strict=True))
    order = np.argsort(lows)
    return lows[order], highs[order], series[order]


def _horner(powers: Array, u: Array) -> Array:
    """Polynomials ``powers (T, ...)``, the highest power first, at ``u (...)``."""
    value: Array = powers[0] * u
    for power in powers[1:-1]:
        value += power
        value *= u
    value += powers[-1]
    return value


@cache
def _nodes() -> Array:
    nodes: Array = legendre.leggauss(_NODES)[0]
    return nodes


@cache
def _to_series() -> Array:
    """``(nodes, T)``: from values at the nodes to the Legendre series through them."""
    nodes, weights = legendre.leggauss(_NODES)
    series: Array = weights[:, None] * legendre.legvander(nodes, _NODES - 1) * (np.arange(_NODES) + 0.5)
    return series


@cache
def _to_powers() -> Array:
    """``(T, T)``: from a Legendre series to powers, the lowest first."""
    powers = np.zeros((_NODES, _NODES))
    for term in range(_NODES):
        powers[term, : term + 1] = legendre.leg2poly(np.eye(_NODES)[term])[: term + 1]
    return powers
