"""Balance: how far the centre of mass is from the feet that bear it."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.sole import Sole
from kinegraph.motion import rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.skeleton import Skeleton
from kinegraph.similarity.clouds import mass_weights
from kinegraph.strikes.strike import Side, standing_sides


def centre_of_mass(skeleton: Skeleton, positions: Array) -> Array:
    """The centre of mass ``(F, 3)`` of a body with joint positions ``(F, J, 3)``, from the masses of its segments (de Leva 1996)."""
    centre: Array = np.einsum("j,fji->fi", _masses(skeleton), positions)
    return centre


@lru_cache(maxsize=64)
def _masses(skeleton: Skeleton) -> Array:
    return mass_weights(skeleton)


def support(kind: str, side: Side) -> Bools:
    """Which of left heel, left ball, right heel and right ball bear the body at the hit, ``(4,)``: both feet, or for a kick
    the standing foot.
    """
    return np.array([foot in standing_sides(kind, side) for foot in SIDES for _ in range(2)])


def overhang(skeleton: Skeleton, world: tuple[Array, Array], bearing: Bools, soles: tuple[Sole, Sole]) -> Array:
    """How far ``(F, 2)`` the centre of mass is outside what bears it, in metres along x and z; zero if it is above it.

    world: positions ``(F, J, 3)`` and orientations ``(F, J, 4)`` of all joints. bearing: ``(4,)``, which of left heel,
    left ball, right heel and right ball bear the body: it is borne by the convex hull of these points.
    """
    places, orientations = world
    centre = centre_of_mass(skeleton, places)[:, ::2]
    ends = []
    for sole in soles:
        heel = places[:, sole.ankle] + rotation.rotate(orientations[:, sole.ankle], sole.heel)
        ends += [heel, heel if sole.toe is None else places[:, sole.toe]]
    points = np.stack(ends, axis=1)[:, bearing, ::2]
    count = points.shape[1]
    gaps = np.stack([_from_line(centre, points[:, a], points[:, b]) for a, b in combinations(range(count), 2)])
    nearest = np.argmin(rotation.length(gaps), axis=0)
    gap: Array = np.take_along_axis(gaps, nearest[None, :, None], axis=0)[0]
    for corners in combinations(range(count), 3):
        inside = _in_triangle(centre, *(points[:, corner] for corner in corners))
        gap = np.where(inside[:, None], 0.0, gap)
    return gap


def _from_line(p: Array, a: Array, b: Array) -> Array:
    """The way ``(F, 2)`` from the nearest places between ``a`` and ``b`` to points ``p``, all ``(F, 2)``."""
    along = b - a
    share = np.sum((p - a) * along, axis=-1) / np.maximum(np.sum(along * along, axis=-1), 1e-12)
    way: Array = p - a - np.clip(share, 0.0, 1.0)[:, None] * along
    return way


def _in_triangle(p: Array, a: Array, b: Array, c: Array) -> Bools:
    """Whether points ``p`` lie in the triangles ``a b c``, all ``(F, 2)``."""
    signs = np.stack(
        [(e - s)[:, 0] * (p - s)[:, 1] - (e - s)[:, 1] * (p - s)[:, 0] for s, e in ((a, b), (b, c), (c, a))], axis=-1
    )
    inside: Bools = np.all(signs >= 0, axis=-1) | np.all(signs <= 0, axis=-1)
    return inside
