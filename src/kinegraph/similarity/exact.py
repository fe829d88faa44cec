"""The distance of single pairs of windows in double precision, which decides what is a minimum and what it costs.

With weights that sum to 1, the closed form of Kovar's minimum over all turns and shifts on the floor is

    D² = Σ (y − y')² + h + h' − 2 √(dot² + cross²),     turn = atan2(cross, dot)

where h is the mean square of the horizontal coordinates about the window's centroid, and dot and cross are the sums of
x x' + z z' and x z' − z x' about the centroids. If both vanish (all points on one vertical line), every turn is equally
good, and atan2 gives 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Ints, Longs
from kinegraph.compiled import njit
from kinegraph.crew import Crew, in_order
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.windows import taper

_NO_SPREAD = 1e-20  # square metres
# steps of a square metre to which squared distances are rounded: far above what summing in another order changes, and far
# below what anybody sees (of a distance of 1 cm they are 0.05 nm)
_STEPS = 2.0**40
# clips for each thread that wait to be centred: they take little time each
_AHEAD = 16
# the order of summing may change for speed, and does from one processor to another
_FAST = {"reassoc", "contract", "nsz"}


@njit(nogil=True, cache=True)
def window_pair(a: Array, a_frames: Array, a_at: int, b: Array, b_frames: Array, b_at: int, weights: Array) -> Any:
    """Squared distance, dot, cross, and both centroids (x, z, x', z') of the windows from frame ``a_at`` of A and ``b_at`` of B.

    a, b, a_frames, b_frames: as `_sums` has them. The squared distance is rounded, so that what is equally far in truth (each step of a
    cycle from each other) is equally far to the last bit on every processor, and all of them find the same minima.
    """
    square, dot, cross, ax, az, bx, bz = _sums(a, a_frames, a_at, b, b_frames, b_at, weights)
    return max(0.0, np.rint(square * _STEPS) / _STEPS), dot, cross, ax, az, bx, bz


@njit(nogil=True, cache=True, fastmath=_FAST)
def _sums(a: Array, a_frames: Array, a_at: int, b: Array, b_frames: Array, b_at: int, weights: Array) -> Any:
    """What `window_pair` gives, not yet rounded.

    a, b: ``(F, 3, K)``, points relative to the centroid of their frame. a_frames, b_frames: ``(F, 3)``, that centroid's x
    and z, and the sum of the points' horizontal squares about it.
    """
    ax = az = bx = bz = 0.0
    for k in range(weights.size):
        ax += weights[k] * a_frames[a_at + k, 0]
        az += weights[k] * a_frames[a_at + k, 1]
        bx += weights[k] * b_frames[b_at + k, 0]
        bz += weights[k] * b_frames[b_at + k, 1]
    total = dot = cross = 0.0
    for k in range(weights.size):
        m, n = a_at + k, b_at + k
        x, z = a_frames[m, 0] - ax, a_frames[m, 1] - az
        u, w = b_frames[n, 0] - bx, b_frames[n, 1] - bz
        px, py, pz, qx, qy, qz = a[m, 0], a[m, 1], a[m, 2], b[n, 0], b[n, 1], b[n, 2]
        heights = d = c = 0.0
        for i in range(a.shape[2]):
            height = py[i] - qy[i]
            heights += height * height
            d += px[i] * qx[i] + pz[i] * qz[i]
            c += px[i] * qz[i] - pz[i] * qx[i]
        total += weights[k] * (heights + a_frames[m, 2] + b_frames[n, 2] + x * x + z * z + u * u + w * w)
        dot += weights[k] * (d + x * u + z * w)
        cross += weights[k] * (c + x * w - z * u)
    return total - 2.0 * np.sqrt(dot * dot + cross * cross), dot, cross, ax, az, bx, bz


@njit(nogil=True, cache=True)
def _align(points: Array, frames: Array, first: Any, second: Any, weights: Array, out: Array) -> None:
    for n in range(first.size):
        square, dot, cross, ax, az, bx, bz = window_pair(points, frames, first[n], points, frames, second[n], weights)
        # points on one vertical line: no turn is better than another, and what is left is noise
        turn = np.arctan2(cross, dot) if abs(dot) + abs(cross) > _NO_SPREAD else 0.0
        cosine, sine = np.cos(turn), np.sin(turn)
        out[n, 0] = np.sqrt(square)
        out[n, 1] = turn
        out[n, 2] = ax - (cosine * bx + sine * bz)
        out[n, 3] = az - (cosine * bz - sine * bx)


def centred(cloud: Cloud) -> tuple[Array, Array]:
    """Points ``(F, 3, K)`` relative to the centroid of their frame on the floor, and ``(F, 3)``: its x and z, and the sum of squares.

    K is filled up with zeros to a multiple of four, which suits the compiler's vectors.
    """
    # once: it may be worked out for each who asks; and in one order, by which NumPy chooses how it sums
    given = np.ascontiguousarray(cloud.points)
    count = given.shape[2]
    centre = given[:, ::2] @ cloud.base
    points = np.zeros((len(cloud), 3, -(-count // 4) * 4))
    points[:, :, :count] = given
    points[:, ::2, :count] -= centre[:, :, None] * cloud.base
    squares = np.einsum("fck,fck->f", points[:, ::2], points[:, ::2])
    return points, np.concatenate([centre, squares[:, None]], axis=1)


def all_centred(clouds: Sequence[Cloud], crew: Crew | None = None) -> tuple[Array, Array, Longs]:
    """`centred` of many, one after another, and the frame at which each begins. crew: threads that work on them."""
    starts = np.concatenate([[0], np.cumsum([len(cloud) for cloud in clouds])]).astype(np.int64)
    width = -(-len(clouds[0].base) // 4) * 4
    points, frames = np.empty((starts[-1], 3, width)), np.empty((starts[-1], 3))

    def put(number: int) -> None:
        part = slice(starts[number], starts[number + 1])
        points[part], frames[part] = centred(clouds[number])

    for _ in in_order(crew, put, range(len(clouds)), _AHEAD):
        pass
    return points, frames, starts[:-1]


def alignments(
    clouds: Sequence[Cloud],
    a: Longs | Ints,
    first: Longs | Ints,
    b: Longs | Ints,
    second: Longs | Ints,
    window: Longs | Ints,
    *,
    most: float = np.inf,
) -> tuple[Array, Array, Array, Array]:
    """Distance in metres, turn, x and z ``(n,)`` of n pairs of windows: these lay the window of b on the window of a.

    a, b: ``(n,)`` places in ``clouds``. first, second: ``(n,)``, where the windows begin in a and in b. window: ``(n,)`` frames.
    most: frames that are held at a time, about.
    """
    out = np.empty((len(a), 4))
    ends = np.cumsum([len(cloud) for cloud in clouds])
    # so few parts that two of them may be held
    part = np.zeros(len(clouds), np.int64) if ends[-1] <= most else (ends * 2 // most).astype(np.int64)
    low, high = np.minimum(part[a], part[b]), np.maximum(part[a], part[b])
    for one, two in sorted(set(zip(low.tolist(), high.tolist(), strict=True))):
        chosen = np.flatnonzero((low == one) & (high == two))
        held = np.unique(np.concatenate([a[chosen], b[chosen]]))
        points, frames, starts = all_centred([clouds[n] for n in held.tolist()])
        at = np.zeros(len(clouds), np.int64)
        at[held] = starts
        for length in np.unique(window[chosen]).tolist():
            rows = chosen[window[chosen] == length]
            made = np.empty((len(rows), 4))
            _align(points, frames, (at[a] + first)[rows], (at[b] + second)[rows], taper(length), made)
            out[rows] = made
    return out[:, 0], out[:, 1], out[:, 2], out[:, 3]
