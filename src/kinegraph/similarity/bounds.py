"""Lower bounds on distances, which save most comparisons when only small distances matter.

A window is a vector of heights y and one of places on the floor about the window's centroid, c = x + iz, complex so that turning the
body by θ multiplies it by exp(iθ). Its distance from another, D² = min over θ of |y − y'|² + |c − exp(iθ) c'|², is a metric. Some
directions of both, with what is left over of either as one length more, give points whose distance of the same kind can never
exceed it:

    D² ≥ |r − r'|² + |p|² + |p'|² − 2 |⟨p, p'⟩|      r: heights along the directions, and the two lengths left over; p: c along them

Because that is a metric too, whole runs of windows are far from each other where the distance of their centres exceeds their radii
and the limit together. Pairs whose bound is above the limit need not be compared: the minima below it stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.similarity.clouds import Cloud

Complexes = NDArray[np.complex128]

# directions of heights and of places on the floor, of the sharper bound and of the coarse one; windows from which they are
# found, and steps until they are
HEIGHTS, PLANES = 14, 12
COARSE_HEIGHTS, COARSE_PLANES = 6, 6
_SAMPLE = 512
_TURNS = 6

# what rounding to single precision may take from a radius (metres), and add to a square as a part of it
_MARGIN = 1e-5
_ROUNDING = 4e-6
# sum of squares that stands for "no window here"
NOWHERE = 1e18


@dataclass(frozen=True, eq=False)
class Directions:
    """Along which windows of L frames of K points differ most: coordinates are K times L numbers, scaled by the roots of the weights."""

    mean: Array
    """``(KL,)``: of heights."""
    heights: Array
    """``(KL, HEIGHTS)``: orthonormal; zeros where there are not so many."""
    planes: Complexes
    """``(KL, PLANES)``: likewise, of places on the floor."""


@dataclass(frozen=True, eq=False)
class Points:
    """n windows, or centres of windows, as points whose distance is a lower bound."""

    real: Array
    """``(n, heights + 2)``: along the directions of heights; what is left over of heights, and of places on the floor."""
    plane: Complexes
    """``(n, planes)``: along the directions on the floor."""

    @property
    def squares(self) -> Array:
        """``(n,)``: sums of squares."""
        return np.asarray((self.real**2).sum(axis=1) + (np.abs(self.plane) ** 2).sum(axis=1))

    def distances(self, other: Points) -> Array:
        """``(n, m)``: distances in metres from other points."""
        both = self.real @ other.real.T + np.abs(self.plane.conj() @ other.plane.T)
        return np.sqrt(np.maximum(self.squares[:, None] + other.squares - 2 * both, 0.0))

    def coarse(self) -> Points:
        """The points along fewer directions."""
        return Points(*coarse(self.real, self.plane))


@njit(nogil=True, cache=True)
def coarse(real: Any, plane: Any) -> Any:
    """`Points.coarse`: what lies along the other directions is part of what is left over."""
    count, tall, wide = real.shape[0], real.shape[1] - 2, plane.shape[1]
    made, floor = np.empty((count, COARSE_HEIGHTS + 2)), np.empty((count, COARSE_PLANES), np.complex128)
    for n in range(count):
        high, flat = real[n, tall] ** 2, real[n, tall + 1] ** 2
        for k in range(COARSE_HEIGHTS, tall):
            high += real[n, k] ** 2
        for k in range(COARSE_PLANES, wide):
            flat += plane[n, k].real ** 2 + plane[n, k].imag ** 2
        made[n, :COARSE_HEIGHTS] = real[n, :COARSE_HEIGHTS]
        made[n, COARSE_HEIGHTS], made[n, COARSE_HEIGHTS + 1] = np.sqrt(high), np.sqrt(flat)
        floor[n] = plane[n, :COARSE_PLANES]
    return made, floor


def directions(clouds: Sequence[Cloud], weights: Array) -> Directions:
    """The directions along which windows of these clips differ most."""
    window = len(weights)
    long_enough = [cloud for cloud in clouds if len(cloud) >= window]
    counts = np.array([len(cloud) - window + 1 for cloud in long_enough])
    ends = np.cumsum(counts)
    chosen = np.unique(np.linspace(0, ends[-1] - 1, _SAMPLE).astype(np.int64))
    owner = np.searchsorted(ends, chosen, side="right")
    starts = chosen - (ends - counts)[owner]
    sampled = []
    for number in np.unique(owner).tolist():
        points = long_enough[number].points  # once for each clip: it may have to be fetched
        sampled += [points[start : start + window] for start in starts[owner == number].tolist()]
    frames = np.stack(sampled)
    root = np.sqrt(weights)
    heights = (frames[:, :, 1] * root[:, None]).transpose(0, 2, 1).reshape(len(frames), -1)
    floor = frames[:, :, 0] + 1j * frames[:, :, 2]
    floor = floor - np.einsum("nlk,k,l->n", floor, long_enough[0].base, weights)[:, None, None] * long_enough[0].base
    floor = (floor * root[:, None]).transpose(0, 2, 1).reshape(len(frames), -1)
    mean = heights.mean(axis=0)
    return Directions(mean, _widest(heights - mean, HEIGHTS).real, _widest(floor, PLANES))


def _widest(rows: NDArray[np.inexact], count: int) -> Complexes:
    """``(D, count)``: orthonormal directions along which rows ``(n, D)`` are about longest; zeros where there are not so many."""
    return np.asarray(_iterated(np.ascontiguousarray(rows, np.complex128), count))


# Here and below no matrix products of NumPy's: those of a few rows keep all processors busy waiting, if others work there too.
@njit(nogil=True, cache=True)
def _iterated(rows: Any, count: int) -> Any:
    """Directions by repeated multiplication: any orthonormal ones give a bound, and nearly the widest a sharp one."""
    size = rows.shape[1]
    square = np.zeros((size, size), np.complex128)
    for n in range(rows.shape[0]):
        for i in range(size):
            value = rows[n, i]
            for j in range(size):
                square[i, j] += value * np.conj(rows[n, j])
    total = 0.0
    for i in range(size):
        total += square[i, i].real
    # a row for each direction; they begin as rows from all over
    made = np.zeros((count, size), np.complex128)
    for k in range(count):
        made[k] = rows[(k * rows.shape[0]) // count]
    for turn in range(_TURNS + 1):
        for k in range(count):
            row = made[k].copy()
            if turn:
                for i in range(size):
                    value = 0j
                    for j in range(size):
                        value += square[i, j] * row[j]
                    made[k, i] = value
        # twice, since once leaves what rounding makes of nearly equal ones
        for k in range(count):
            before = np.sqrt((made[k].real ** 2 + made[k].imag ** 2).sum())
            for _ in range(2):
                for m in range(k):
                    part = 0j
                    for i in range(size):
                        part += np.conj(made[m, i]) * made[k, i]
                    for i in range(size):
                        made[k, i] -= part * made[m, i]
            length = np.sqrt((made[k].real ** 2 + made[k].imag ** 2).sum())
            if length > 1e-6 * before and length > 1e-12 * np.sqrt(total):
                made[k] /= length
            else:
                made[k] = 0j
    return made.T.copy()


class Axes(NamedTuple):
    """Directions for plain coordinates of K points in L frames, as compiled code takes them."""

    mean: Array
    """``(K, L)``."""
    heights: Array
    """``(K, L, HEIGHTS)``."""
    res: Array
    """``(K, L, PLANES)``: real parts, and imaginary ones."""
    ims: Array

    @classmethod
    def of(cls, seen: Directions, weights: Array) -> Axes:
        """Of these directions."""
        root, window = np.sqrt(weights), len(weights)
        mean = seen.mean.reshape(-1, window) / root
        heights = seen.heights.reshape(-1, window, seen.heights.shape[1]) * root[:, None]
        planes = seen.planes.reshape(-1, window, seen.planes.shape[1]) * root[:, None]
        return cls(mean, heights, planes.real.copy(), planes.imag.copy())


def project(points: Array, base: Array, weights: Array, seen: Directions) -> Points:
    """All n windows of frames ``(F, 3, K)``, whose floor may lie anywhere."""
    return Points(*projected(points, base, weights, *Axes.of(seen, weights)))


@njit(nogil=True, cache=True)
def projected(points: Any, base: Any, weights: Any, mean: Any, heights: Any, res: Any, ims: Any) -> Any:
    """`Points.real` and `Points.plane` of all windows of frames ``(F, 3, K)``, along `Axes`."""
    frames, _, count = points.shape
    rows = np.empty((3, count, frames))
    for n in range(frames):
        for axis in range(3):
            for k in range(count):
                rows[axis, k, n] = points[n, axis, k]
    real, re, im = _project(rows, base, weights, mean, heights, res, ims)
    plane = np.empty((re.shape[1], re.shape[0]), np.complex128)
    for m in range(re.shape[0]):
        for n in range(re.shape[1]):
            plane[n, m] = complex(re[m, n], im[m, n])
    return real.T.copy(), plane


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def _project(rows: Any, base: Any, weights: Any, mean: Any, heights: Any, res: Any, ims: Any) -> Any:
    """`Points.real` and the parts of `Points.plane`, a row for each direction.

    rows ``(3, K, F)``; mean ``(K, L)`` and axes ``(K, L, …)`` for plain coordinates. All windows together, one direction after another.
    """
    count, window = mean.shape
    tall, wide = heights.shape[2], res.shape[2]
    number = rows.shape[2] - window + 1
    real, re, im = np.zeros((tall + 2, number)), np.zeros((wide, number)), np.zeros((wide, number))
    cx, cz = np.zeros(number), np.zeros(number)
    high, flat = real[tall], real[tall + 1]
    for k in range(count):
        for n in range(window):
            x, y, z = rows[0, k, n : n + number], rows[1, k, n : n + number], rows[2, k, n : n + number]
            weight, middle, share = weights[n], mean[k, n], weights[n] * base[k]
            for t in range(number):
                high[t] += weight * (y[t] - middle) ** 2
                flat[t] += weight * (x[t] * x[t] + z[t] * z[t])
                cx[t] += share * x[t]
                cz[t] += share * z[t]
            for m in range(tall):
                axis, row = heights[k, n, m], real[m]
                for t in range(number):
                    row[t] += axis * (y[t] - middle)
            for m in range(wide):
                p, q, one, two = res[k, n, m], ims[k, n, m], re[m], im[m]
                for t in range(number):
                    one[t] += p * x[t] + q * z[t]
                    two[t] += p * z[t] - q * x[t]
    for m in range(wide):
        # a shift of the whole window is the same for all of its frames
        p = q = 0.0
        for k in range(count):
            for n in range(window):
                p += base[k] * res[k, n, m]
                q += base[k] * ims[k, n, m]
        for t in range(number):
            re[m, t] -= p * cx[t] + q * cz[t]
            im[m, t] -= p * cz[t] - q * cx[t]
            flat[t] -= re[m, t] ** 2 + im[m, t] ** 2
    for m in range(tall):
        for t in range(number):
            high[t] -= real[m, t] ** 2
    for t in range(number):
        high[t] = np.sqrt(max(high[t], 0.0))
        flat[t] = np.sqrt(max(flat[t] - cx[t] * cx[t] - cz[t] * cz[t], 0.0))
    return real, re, im


def balls(points: Points, present: NDArray[np.bool_], size: int) -> tuple[Points, Array]:
    """Centres of runs of ``size`` windows, and their radii: negative where no window is present, and those that are not do not count."""
    real, plane, radii = _balls(points.real, points.plane, present, size)
    return Points(real, plane), radii


@njit(nogil=True, cache=True)
def _balls(real: Any, plane: Any, present: Any, size: int) -> Any:
    count = -(-present.size // size)
    tall, wide = real.shape[1], plane.shape[1]
    middle, centre = np.zeros((count, tall)), np.zeros((count, wide), np.complex128)
    radii = np.full(count, -1.0)
    turns = np.ones(size, np.complex128)
    for ball in range(count):
        begin, end = ball * size, min((ball + 1) * size, present.size)
        first, held = -1, 0
        for n in range(begin, end):
            if present[n]:
                held += 1
                if first < 0:
                    first = n
        if not held:
            continue
        # all turned to the first, as well as they can be: only then is their mean near to them
        for n in range(begin, end):
            if not present[n]:
                continue
            turn = 0j
            for k in range(wide):
                turn += np.conj(plane[n, k]) * plane[first, k]
            length = abs(turn)
            turn = turn / length if length > 1e-12 else 1.0 + 0j
            turns[n - begin] = turn
            for k in range(tall):
                middle[ball, k] += real[n, k] / held
            for k in range(wide):
                centre[ball, k] += turn * plane[n, k] / held
        most = 0.0
        for n in range(begin, end):
            if not present[n]:
                continue
            away = 0.0
            for k in range(tall):
                away += (real[n, k] - middle[ball, k]) ** 2
            for k in range(wide):
                over = turns[n - begin] * plane[n, k] - centre[ball, k]
                away += over.real**2 + over.imag**2
            most = max(most, away)
        radii[ball] = np.sqrt(most) + _MARGIN
    return middle, centre, radii


@njit(nogil=True, cache=True)
def write_balls(real: Any, plane: Any, present: Any, size: int, out: Any) -> None:
    """`balls` as the compiled bounds read them: ``out (n, …)`` gets real numbers, complex ones by parts, sum of squares, and radius."""
    middle, centre, radii = _balls(real, plane, present, size)
    tall, wide = real.shape[1], plane.shape[1]
    for n in range(radii.size):
        if radii[n] < 0.0:
            out[n] = 0.0
            out[n, tall + 2 * wide] = NOWHERE
            continue
        squares = 0.0
        for k in range(tall):
            out[n, k] = middle[n, k]
            squares += middle[n, k] ** 2
        for k in range(wide):
            one = centre[n, k]
            out[n, tall + 2 * k], out[n, tall + 2 * k + 1] = one.real, one.imag
            squares += one.real**2 + one.imag**2
        out[n, tall + 2 * wide] = squares * (1 - _ROUNDING)
        out[n, tall + 2 * wide + 1] = radii[n]
