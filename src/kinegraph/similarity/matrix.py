"""The whole distance matrix of two clips, in double precision, with nothing but NumPy: for pictures, notebooks and tests."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.windows import taper


def distance_matrix(a: Cloud, b: Cloud, window: int) -> Array:
    """``(n_a, n_b)``: distances in metres between all windows of A and all windows of B, by where they begin.

    Three matrix products of single frames, sums along diagonals, one square root.
    """
    weights = taper(window)
    a_points, b_points = _about_middle(a), _about_middle(b)
    a_stats, b_stats = _moments(a_points, a.base, weights), _moments(b_points, b.base, weights)
    ax, ay, az = (a_points[:, n] for n in range(3))
    bx, by, bz = (b_points[:, n].T for n in range(3))
    heights = _diagonal(ay @ by, weights)
    dot = _diagonal(ax @ bx + az @ bz, weights) - np.outer(a_stats[1], b_stats[1]) - np.outer(a_stats[2], b_stats[2])
    cross = _diagonal(ax @ bz - az @ bx, weights) - np.outer(a_stats[1], b_stats[2]) + np.outer(a_stats[2], b_stats[1])
    squares = a_stats[0][:, None] + b_stats[0] - 2 * (heights + np.hypot(dot, cross))
    return np.asarray(np.sqrt(np.maximum(squares, 0)))


def _moments(points: Array, base: Array, weights: Array) -> Array:
    """``(3, n)`` for every window: mean square about the centroid on the floor (heights about 0), and the centroid's x
    and z.
    """
    centre = points[:, ::2] @ base
    x, z = (np.convolve(centre[:, n], weights[::-1], "valid") for n in range(2))
    squares = np.convolve(np.einsum("fck,fck->f", points, points), weights[::-1], "valid")
    return np.stack([squares - x * x - z * z, x, z])


def _about_middle(cloud: Cloud) -> Array:
    """The points about the middle of the clip on the floor: squares of large numbers would eat small distances."""
    moved = cloud.points.copy()
    moved[:, ::2] -= (moved[:, ::2] @ cloud.base).mean(axis=0)[:, None] * cloud.base
    return moved


def _diagonal(products: Array, weights: Array) -> Array:
    rows, columns = products.shape[0] - len(weights) + 1, products.shape[1] - len(weights) + 1
    out = np.zeros((rows, columns))
    for k, weight in enumerate(weights):
        out += weight * products[k : k + rows, k : k + columns]
    return out
