"""Parallel curves: at the same distance from a curve everywhere, without the loops that tight bends would make."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import MotionError

# Metres between the places of a curve beside which the other one goes, at least and at most: a hundredth of the distance.
_STEPS = (0.01, 0.05)
# Places of the curve to each side with which one beside it is compared: enough that the curve does not slip through between them.
_COMPARED = 400
# A place beside the curve may be nearer to it than the distance by this share: what directions taken from a polyline are off.
_NEARER = 2e-3


def step_for(distance: float) -> float:
    """How close together, in metres, the places on a curve must be for a parallel curve at that distance."""
    return float(np.clip(abs(distance) / 100, *_STEPS))


def beside(points: Array, headings: Array, distance: float) -> tuple[Array, Array]:
    """Places ``(M, 2)`` that lie ``distance`` metres to the left of a curve, and for each the fractional index ``(M,)`` of its point.

    ``points (N, 2)`` stand evenly along the curve, with the ``headings (N,)`` in radians. On the outside of a corner, the places go round
    it. On the inside of a bend tighter than the distance, they would run backwards and cross themselves in a loop; the loop, which is
    nearer to the curve than the distance, is cut out. Each place is only compared with the nearby part of the curve, half a circle of that
    distance before and after it: so a path that crosses itself further on is not cut there.
    """
    step = float(np.hypot(*np.diff(points, axis=0).T).max())
    index, headings = _round_corners(headings, abs(distance) / step)
    before = np.minimum(index.astype(np.intp), len(points) - 2)
    on_curve = points[before] + (index - before)[:, None] * (points[before + 1] - points[before])
    places = on_curve + distance * np.stack([np.cos(headings), -np.sin(headings)], axis=-1)

    ahead = np.stack([np.sin(headings), np.cos(headings)], axis=-1)[:-1]
    # rounding makes nothing run backwards
    backward = np.flatnonzero(np.einsum("mi,mi->m", np.diff(places, axis=0), ahead) < -1e-9 * step)
    if len(backward) == 0:
        return places, index
    # a loop holds a stretch that runs backwards, and reaches no further from it than the comparison does
    reach = int(np.ceil(np.pi * abs(distance) / step))
    suspect = np.zeros(len(points) + 1, dtype=np.int64)
    np.add.at(suspect, np.maximum(before[backward] - reach, 0), 1)
    np.add.at(suspect, np.minimum(before[backward] + reach + 1, len(points)), -1)
    kept = np.cumsum(suspect)[before] == 0
    rows = np.flatnonzero(~kept)
    nearest = (abs(distance) * (1 - _NEARER)) ** 2
    for shift in range(-reach, reach + 2, max(1, reach // _COMPARED)):
        away = places[rows] - points[np.clip(before[rows] + shift, 0, len(points) - 1)]
        rows = rows[np.einsum("mi,mi->m", away, away) >= nearest]
    kept[rows] = True
    if np.count_nonzero(kept) < 2:
        raise MotionError(
            f"nothing is left {abs(distance):g} m beside this path: all of it turns more tightly than that"
        )
    return places[kept], index[kept]


def _round_corners(headings: Array, pieces: float) -> tuple[Array, Array]:
    """Numbers ``(M,)`` of the places, with fractions, and their headings ``(M,)``: more places where the heading turns quickly.

    ``pieces``: how many of them a turn of one radian takes.
    """
    turns = np.mod(np.diff(headings) + np.pi, 2 * np.pi) - np.pi
    counts = np.maximum(1, np.ceil(np.abs(turns) * pieces).astype(np.intp))
    owner = np.repeat(np.arange(len(turns)), counts)
    share = (np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[owner]
    index = np.append(owner + share, len(turns))
    return index, np.append(headings[owner] + share * turns[owner], headings[-1])
