"""Least squares within limits: as near as possible to a target without exceeding any limit. The core of a gentle warp."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array

# The search ends within this share of the best answer, or after so many steps; twenty are usual.
_CLOSE = 1e-6
_STEPS = 100


class Bounded:
    """Minimise ‖wishes · x − target‖² subject to |rows · x| ≤ limits, where all limits are positive and finite.

    ``wishes (K, n)`` and ``rows (R, n)`` are sparse matrices that only connect near neighbours, and wishes has full rank. This is a convex
    quadratic problem. It is solved by an interior point method (Mehrotra, "On the implementation of a primal-dual interior point method",
    1992), each step of which is a banded linear system.
    """

    def __init__(self, wishes: Any, rows: Any, limits: Array) -> None:
        self._across = wishes.T.tocsr()
        self._rows = rows.multiply(1.0 / limits[:, None]).tocsr()
        self._normal, _ = _bands(self._across @ wishes, self._rows.T @ self._rows)

    def nearest(self, target: Array) -> Array:
        """The best ``x (n,)`` for a target ``(K,)``."""
        # here, since importing it takes time
        from kinegraph.paths import compiled

        wish = self._across @ target
        free: Array = wish.copy()
        factor = self._normal.copy()
        compiled.factorise(factor)
        compiled.solve(factor, free)
        if np.abs(self._rows @ free).max() <= 1.0:
            return free
        x: Array = np.zeros_like(wish)
        rows = self._rows
        compiled.within(self._normal, wish, rows.data, rows.indices, rows.indptr, _CLOSE, _STEPS, x)
        # the limits are the same to both sides, so a smaller copy keeps them all, whatever rounding did
        return x / max(1.0, float(np.abs(rows @ x).max()))


def _bands(*matrices: Any) -> list[NDArray[np.float64]]:
    """Symmetric sparse matrices ``(n, n)`` as their upper bands ``(W, n)``, as scipy stores them: the diagonal last."""
    entries = [matrix.tocoo() for matrix in matrices]
    width = 1 + max(int(np.abs(each.col - each.row).max(initial=0)) for each in entries)
    bands = []
    for each in entries:
        upper = each.col >= each.row
        band = np.zeros((width, each.shape[1]))
        np.add.at(band, (width - 1 - (each.col - each.row)[upper], each.col[upper]), each.data[upper])
        bands.append(band)
    return bands
