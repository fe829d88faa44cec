"""Time registration: which moment of one motion corresponds to which moment of another.

After Kovar & Gleicher 2003, "Flexible automatic motion blending with registration curves", section 4, and Chen 2007,
section 3.1: compute the distances of all pairs of frames under the best alignment on the floor, and find the cheapest path
through them that goes forward in both motions. The published path is a staircase that follows every difference of style: on
five captured takes, it predicts the speeds of a strike that was left out a fifth to a half worse than the smooth curve below.
So the path is only used to find the valley. The warp itself is the smooth curve f in that valley that minimises

Σ D²(i, f(i)) + (pace · (f' / mean − 1))² + (bend · f'' / mean)²

with pins and ends exact and every slope within its limits. Where the distances are flat, it is straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.errors import MotionError
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.exact import alignments, centred, window_pair

Pin = tuple[int, int]

STIFFNESS = 0.045
"""Metres: by default, playing at twice the mean pace costs as much as poses that are this far apart.

Chosen on one take of punches and one of kicks, by predicting each strike from the others; values from two thirds to one and a half times
this are hardly worse. It pulls the warp of equal motions towards straight time, by half a frame to a frame at 60 frames/s: that is the
price of not following noise.
"""
# Metres and seconds: a pace that changes by the whole mean pace within a tenth of a second counts as poses ten times as
# far apart.
_BEND = 0.006
# Points of the path's lattice to a frame of the base, at the mean pace. The curve is found between them.
_STEPS = 4

# The start of the smooth curve: this much of the path, the rest the straight line, which keeps it off the limits of the
# slope.
_INSIDE = 0.98
# Square metres: what a slope near its limit counts, less and less (an interior-point method).
_BARRIERS = (3e-5, 1e-6)
_NEWTON_STEPS = 40
# a curve counts as found where no frame would move by more than this (frames)
_SETTLED = 0.02
# how much of the way to the limit of a slope one step may go
_TO_LIMIT = 0.9
_SHORTEST_STEP = 1e-3
_ROUNDING = 1e-9


def grid(base: Cloud, other: Cloud) -> Array:
    """``(F, G)``: distances in metres between every frame of ``base`` and every frame of ``other``, each pair under the turn and shift
    on the floor that make it smallest.
    """
    _check_points(base, other)
    return np.sqrt(_squares(base, other))


def register(
    base: Cloud,
    other: Cloud,
    pins: Sequence[Pin] = (),
    *,
    slope: float = 2.5,
    rates: tuple[float, float] = (60.0, 60.0),
    stiffness: float | None = None,
) -> Array:
    """Frames ``(F,)`` of ``other``, fractional and strictly increasing, that correspond to the F frames of ``base``.

    The first frames correspond exactly, and so do the last frames and the ``pins``: pairs (frame of base, frame of other), in order,
    such as the frames of both hits.

    slope: between two neighbouring pairs, the pace is at most so many times faster or slower than its mean there, and that mean at most
    so many times faster or slower than real time; a `MotionError` if this is impossible. rates: frames per second of both. stiffness:
    what playing at twice the mean pace costs, in metres, by default `STIFFNESS`; use more for motions of one action that go to different
    places, because that difference would be mistaken for a difference in time.

    >>> from kinegraph import samples
    >>> from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
    >>> punch = samples.make("punch_middle_centre").motion
    >>> points = cloud_matrix(punch.skeleton, mass_weights(punch.skeleton))
    >>> slow = punch.sample(np.arange(0, punch.seconds, 0.01))
    >>> frames = register(cloud(punch, points), cloud(slow, points))
    >>> bool(frames[0] == 0 and frames[-1] == len(slow) - 1 and np.all(np.diff(frames) > 0))
    True
    """
    _check_points(base, other)
    _check_limits(slope, rates)
    stiff = STIFFNESS if stiffness is None else stiffness
    _check_clips(base, other)
    marks = _marks(pins, len(base), len(other))
    _check_pace(marks, slope, rates)
    if len(base) == 1:
        return np.zeros(1)
    valley = _valley(base, other)
    path = np.zeros(len(base))
    for (i, j), (m, n) in pairwise(marks):
        path[i : m + 1] = j + _path(valley.squares[i : m + 1, j : n + 1], slope, stiff)
    return _curve(path, valley, _Wishes.of(marks, slope, rates[0], stiff))


# -- what is refused ---------------------------------------------------------------------------------------------------


def _check_points(base: Cloud, other: Cloud) -> None:
    if base.base.shape != other.base.shape or not np.allclose(base.base, other.base):
        raise MotionError(
            f"clouds of {base.base.size} and {other.base.size} points that do not match cannot be compared: make both with the same "
            "matrix (retarget one motion where the skeletons differ)"
        )


def _check_limits(slope: float, rates: tuple[float, float]) -> None:
    if not 1 < slope < np.inf:
        raise MotionError(f"the slope limit of a registration must be a number above 1 (such as 2.5), got {slope}")
    if not all(0 < rate < np.inf for rate in rates):
        raise MotionError(f"the rates of a registration must be frames per second above 0, got {rates}")


def _check_clips(base: Cloud, other: Cloud) -> None:
    frames = f"base has {len(base)} and other {len(other)} frames"
    if not (len(base) and len(other)):
        raise MotionError(f"{frames}: an empty clip has nothing that corresponds; give at least one frame")
    if (len(base) == 1) != (len(other) == 1):
        raise MotionError(
            f"{frames}: a single frame cannot be both the first and the last of a longer clip; give two frames or more"
        )


def _marks(pins: Sequence[Pin], frames: int, others: int) -> list[Pin]:
    """All pairs that correspond for certain: the first frames, the pins, the last frames."""
    ends = [(0, 0), (frames - 1, others - 1)]
    for i, j in pins:
        if not (0 <= i < frames and 0 <= j < others):
            raise MotionError(
                f"pin ({i}, {j}) lies outside of the clips: base has frames 0 to {frames - 1}, other 0 to {others - 1}"
            )
    marks = [ends[0], *((int(i), int(j)) for i, j in pins if (i, j) not in ends)]
    if frames > 1:
        marks.append(ends[1])
    for (i, j), (m, n) in pairwise(marks):
        if not (i < m and j < n):
            raise MotionError(
                f"pins must go forward in both clips: ({m}, {n}) cannot follow ({i}, {j}). Give them in order, each frame once; "
                f"the first frames (0, 0) and the last frames {ends[1]} always correspond"
            )
    return marks


def _check_pace(marks: Sequence[Pin], slope: float, rates: tuple[float, float]) -> None:
    for (i, j), (m, n) in pairwise(marks):
        ratio = (n - j) / (m - i) * rates[0] / rates[1]
        if max(ratio, 1 / ratio) > slope * (1 + _ROUNDING):
            raise MotionError(
                f"frames {i} to {m} of base ({(m - i) / rates[0]:.2f} s) and {j} to {n} of other ({(n - j) / rates[1]:.2f} s) "
                f"correspond by the clips' ends and pins {list(marks[1:-1])}, but one lasts {max(ratio, 1 / ratio):.1f} times as long "
                f"as the other, beyond the slope limit of {slope:g}: cut the clips alike, mend the pins, or raise the limit "
                f"(frames are taken as {rates[0]:g} and {rates[1]:g} a second)"
            )


# -- the valley --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Valley:
    """The squared distances among which the curve runs, and their derivatives by the frame of the other motion."""

    squares: Array
    """``(F, G)``: squared distances."""
    changes: Array
    """``(F, G)``: their first derivative."""
    speeds: Array
    """``(G,)``: the other motion's squared distance from each frame to the next, which is half of their second derivative."""

    def at(self, frames: Array) -> tuple[Array, Array, Array]:
        """Squared distance ``(F,)`` where frame i of base meets the fractional ``frames[i]``, its first derivative, and a second
        derivative that is never negative.
        """
        rows = np.arange(len(frames))
        below = np.minimum(frames.astype(np.intp), self.squares.shape[1] - 2)
        t = frames - below
        s = 1 - t
        first, second = self.squares[rows, below], self.squares[rows, below + 1]
        rise, fall = self.changes[rows, below], self.changes[rows, below + 1]
        value = first * (1 + 2 * t) * s * s + second * t * t * (3 - 2 * t) + t * s * (rise * s - fall * t)
        slope = 6 * t * s * (second - first) + rise * s * (1 - 3 * t) + fall * t * (3 * t - 2)
        return value, slope, 2 * (s * self.speeds[below] + t * self.speeds[below + 1])


def _squares(base: Cloud, other: Cloud) -> Array:
    """``(F, G)`` squared distances."""
    out = np.empty((len(base), len(other)))
    _fill(*centred(base), *centred(other), out)
    return out


@njit(nogil=True, cache=True)
def _fill(a: Any, a_frames: Any, b: Any, b_frames: Any, out: Any) -> None:
    # matrix products would do as well, but for clips of some seconds the threads of BLAS cost many times what they
    # share out
    single = np.ones(1)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = window_pair(a, a_frames, i, b, b_frames, j, single)[0]


def _valley(base: Cloud, other: Cloud) -> _Valley:
    squares = _squares(base, other)
    frames = np.arange(len(other) - 1)
    nowhere = np.zeros_like(frames)
    window = np.ones_like(frames)
    steps = alignments([other], nowhere, frames, nowhere, frames + 1, window)[0] ** 2
    # For points that go on straight from frame to frame, D² changes by −2 (p − p') · v + v². Only the first part is its
    # derivative at a frame, and that vanishes where the poses agree, whether or not the motion is about to speed up.
    onward = np.diff(squares, axis=1) - steps
    back = np.diff(squares, axis=1) + steps
    changes = np.concatenate([onward[:, :1], (onward[:, 1:] + back[:, :-1]) / 2, back[:, -1:]], axis=1)
    speeds = np.concatenate([steps[:1], (steps[1:] + steps[:-1]) / 2, steps[-1:]])
    return _Valley(squares, changes, speeds)


# -- the path ----------------------------------------------------------------------------------------------------------


def _path(squares: Array, slope: float, stiffness: float) -> Array:
    """Columns ``(m,)`` of the cheapest path through ``squares (m, n)``, from corner to corner, on a lattice of
    fractional columns.
    """
    rows, columns = squares.shape
    count = (rows - 1) * _STEPS
    at = np.arange(count + 1) * ((columns - 1) / count)
    low = max(1, int(np.ceil(_STEPS / slope - _ROUNDING)))
    high = min(count, int(_STEPS * slope + _ROUNDING))
    tolls = (stiffness * np.log(np.arange(low, high + 1) / _STEPS)) ** 2
    below = np.minimum(at.astype(np.int64), columns - 2)
    return np.asarray(at[_cheapest(squares, below, at - below, tolls, low)[0]])


@njit(nogil=True, cache=True)
def _cheapest(squares: Any, below: Any, parts: Any, tolls: Any, low: int) -> Any:
    """Lattice points ``(m,)``, one a row, of the path of least cost from the first to the last, and that cost.

    squares: ``(m, n)``. Lattice point c lies ``parts[c]`` of the way from column ``below[c]`` to the next. A path goes
    on by ``low``, ``low`` + 1, … points a row, which costs ``tolls[0]``, ``tolls[1]``, … besides the squares it meets.
    """
    rows, points, choices = squares.shape[0], below.size, tolls.size
    high = low + choices - 1
    came = np.zeros((rows, points), np.int32)
    best, following = np.full(points, np.inf), np.full(points, np.inf)
    best[0] = squares[0, 0]
    for i in range(1, rows):
        following[:] = np.inf
        left = rows - 1 - i
        for c in range(max(low * i, points - 1 - high * left), min(high * i, points - 1 - low * left) + 1):
            least, step = np.inf, low
            for k in range(choices):
                if c < low + k:
                    break
                cost = best[c - low - k] + tolls[k]
                if cost < least:
                    least, step = cost, low + k
            following[c] = least + squares[i, below[c]] * (1 - parts[c]) + squares[i, below[c] + 1] * parts[c]
            came[i, c] = step
        best, following = following, best
    path = np.empty(rows, np.int64)
    path[rows - 1] = points - 1
    for i in range(rows - 1, 0, -1):
        path[i - 1] = path[i] - came[i, path[i]]
    return path, best[points - 1]


# -- the smooth curve --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Wishes:
    """What is asked of a curve besides a small distance."""

    fixed: NDArray[np.bool_]
    """``(F,)``: which frames are given."""
    straight: Array
    """``(F,)``: the straight lines from pin to pin."""
    mean: Array
    """``(F − 1,)``: the mean step."""
    low: Array
    """``(F − 1,)``: the smallest step."""
    high: Array
    """``(F − 1,)``: the largest step."""
    pace: Array
    """``(F − 1,)``: what it costs to leave the mean."""
    bend: float
    """What it costs to change."""

    @staticmethod
    def of(marks: Sequence[Pin], slope: float, rate: float, stiffness: float) -> _Wishes:
        first, second = np.array(marks).T
        frames = first[-1] + 1
        fixed = np.zeros(frames, bool)
        fixed[first] = True
        means = np.diff(second) / np.diff(first)
        mean = np.repeat(means, np.diff(first))
        bend = (_BEND * rate * (frames - 1) / second[-1]) ** 2
        straight = np.interp(np.arange(frames), first, second)
        return _Wishes(fixed, straight, mean, mean / slope, mean * slope, (stiffness / mean) ** 2, float(bend))

    def cost(self, curve: Array, valley: _Valley, barrier: float) -> float:
        """What a curve costs in all; infinite if a slope is beyond its limits."""
        steps = np.diff(curve)
        above, under = (steps - self.low) / self.mean, (self.high - steps) / self.mean
        if min(above.min(), under.min()) <= 0:
            return np.inf
        wishes = self.pace @ (steps - self.mean) ** 2 + self.bend * np.sum(np.diff(steps) ** 2)
        return float(valley.at(curve)[0].sum() + wishes - barrier * np.log(above * under).sum())


def _curve(path: Array, valley: _Valley, wishes: _Wishes) -> Array:
    """The curve ``(F,)`` of least cost, from a path ``(F,)`` on, by Newton steps within the limits."""
    curve = wishes.straight + _INSIDE * (path - wishes.straight)
    curve[wishes.fixed] = wishes.straight[wishes.fixed]
    for barrier in _BARRIERS:
        cost = wishes.cost(curve, valley, barrier)
        for _ in range(_NEWTON_STEPS):
            move = _newton(curve, valley, wishes, barrier)
            share = _share_within(np.diff(curve), np.diff(move), wishes)
            while share > _SHORTEST_STEP and (lower := wishes.cost(curve + share * move, valley, barrier)) >= cost:
                share /= 2
            if share <= _SHORTEST_STEP:
                break
            curve, cost = curve + share * move, lower
            # the whole move: one cut short at a limit is small without being the last
            if np.abs(move).max() < _SETTLED:
                break
    return curve


def _share_within(steps: Array, changes: Array, wishes: _Wishes) -> float:
    """How much of the ``changes (F − 1,)`` of the ``steps`` leaves all of them within their limits."""
    room = np.where(changes > 0, wishes.high - steps, steps - wishes.low)
    return float(min(1.0, _TO_LIMIT / np.max(np.abs(changes) / room, initial=_ROUNDING)))


def _newton(curve: Array, valley: _Valley, wishes: _Wishes, barrier: float) -> Array:
    """The move ``(F,)`` to where a parabola through the cost here is least: a system of five diagonals."""
    from scipy.linalg import solveh_banded

    steps = np.diff(curve)
    bends = np.diff(steps)
    above, under = 1 / (steps - wishes.low), 1 / (wishes.high - steps)
    _, gradient, curvature = valley.at(curve)
    along = 2 * wishes.pace * (steps - wishes.mean) + barrier * (under - above)
    stiff = 2 * wishes.pace + barrier * (under * under + above * above)
    twice = 2 * wishes.bend
    gradient[1:] += along
    gradient[:-1] -= along
    gradient[2:] += twice * bends
    gradient[1:-1] -= 2 * twice * bends
    gradient[:-2] += twice * bends
    diagonals = np.zeros((3, len(curve)))
    diagonals[0] = curvature
    diagonals[0, 1:] += stiff
    diagonals[0, :-1] += stiff
    diagonals[0, 2:] += twice
    diagonals[0, 1:-1] += 4 * twice
    diagonals[0, :-2] += twice
    diagonals[1, :-1] -= stiff
    diagonals[1, 1:-1] -= 2 * twice
    diagonals[1, :-2] -= 2 * twice
    diagonals[2, :-2] += twice
    fixed = wishes.fixed
    gradient[fixed] = 0
    diagonals[0, fixed] = 1
    for k in (1, 2):
        diagonals[k, :-k][fixed[k:] | fixed[:-k]] = 0
    move: Array = solveh_banded(diagonals[: min(3, len(curve))], -gradient, lower=True)
    move[fixed] = 0
    return move
