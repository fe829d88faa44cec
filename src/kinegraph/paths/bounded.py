"""Least squares within limits: what comes nearest to a wish without going too far anywhere. The heart of a gentle warp."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.motion.rotation import Array

# The search ends when no limit is broken by more than this share and the answer moves no more, or after so many rounds. What is then still
# over a limit is taken back.
_CLOSE = 2e-3
_ROUNDS = 2000
# Rounds between two looks at how the search goes.
_LOOK = 20
# How far a round goes beyond its own answer: known to save a third of the rounds.
_RELAXATION = 1.6


def bounded(wishes: Any, target: Array, rows: Any, limits: Array) -> Array:
    """The ``x (n,)`` that minimises ‖wishes · x − target‖² with every |rows · x| ≤ limits, all of them above 0 and finite.

    wishes ``(K, n)`` and rows ``(R, n)`` are sparse matrices in which only near neighbours meet, and wishes has full rank. A convex
    quadratic problem, solved by the alternating direction method of multipliers with over-relaxation (Boyd and others, "Distributed
    optimization and statistical learning", 2011, sections 3.4 and 5.2): by turns a banded linear system and a clipping to the limits.
    """
    scaled = rows.multiply(1.0 / limits[:, None]).tocsr()
    across = scaled.T.tocsr()
    normal, own = _bands(wishes.T @ wishes, across @ scaled)
    wish = wishes.T @ target
    # here, since importing them takes time
    from scipy.linalg import cho_solve_banded, cholesky_banded

    from kinegraph.paths import compiled

    x: Array = cho_solve_banded((cholesky_banded(normal), False), wish)
    reached = scaled @ x
    if np.abs(reached).max() <= 1.0:
        return x
    weight = float(np.mean(normal[-1]) / np.mean(own[-1])) ** 0.5
    factor = cholesky_banded(normal + weight * own)
    held = np.clip(reached, -1.0, 1.0)
    dual = np.zeros_like(held)
    before = np.empty_like(held)
    sparse = (scaled.data, scaled.indices, scaled.indptr, across.data, across.indices, across.indptr)
    for _ in range(_ROUNDS // _LOOK):
        compiled.rounds(_LOOK, factor, wish, weight, _RELAXATION, *sparse, x, reached, held, dual, before)
        broken = float(np.abs(reached - held).max())
        moved = float(np.abs(across @ (held - before)).max())
        force = max(float(np.abs(across @ dual).max()), 1e-12)
        if broken < _CLOSE and moved < _CLOSE * force:
            break
        # whichever of the two lags is given more weight
        ratio = broken / max(moved / force, 1e-12)
        if not 0.2 < ratio < 5.0:
            change = float(np.clip(ratio**0.5, 0.2, 5.0))
            weight *= change
            dual /= change
            factor = cholesky_banded(normal + weight * own)
    # the limits are the same to both sides, so a smaller copy keeps them all
    return x / max(1.0, float(np.abs(reached).max()))


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
