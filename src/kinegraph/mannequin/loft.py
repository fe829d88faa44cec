"""Closed surfaces lofted through cross-sections: what every part of a figure is made of.

A cross-section is an oval that may be deeper in front than behind. Rings of vertices stand along a line, triangles join neighbouring
rings, and both ends are rounded and meet in one vertex: a shell is closed and has no holes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.arrays import Array
from kinegraph.motion import rotation


@dataclass(frozen=True)
class Shell:
    """A closed surface."""

    vertices: Array
    """``(V, 3)``, in metres."""
    faces: NDArray[np.int64]
    """``(T, 3)``: counter-clockwise seen from outside."""
    along: Array
    """``(V,)``: how far along its line each vertex stands, in the caller's measure."""


def loft(
    at: Array,
    centres: Array,
    tangents: Array,
    front: ArrayLike,
    radii: Array,
    *,
    segments: int,
    caps: tuple[float, float],
    rounds: tuple[int, int] = (2, 2),
    square: tuple[float, float] = (2.0, 2.0),
) -> Shell:
    """The surface through N ovals.

    - at: ``(N,)``, the measure along the line
    - centres, tangents: ``(N, 3)`` each; tangents have unit length
    - front: ``(3,)``, the direction of the ovals' fronts, which is made square to the tangents
    - radii: ``(N, 3)``, half the width, the depth in front, the depth behind
    - segments: vertices of a ring; an even number, so that its halves mirror each other
    - caps: how far the rounded ends reach beyond the first and the last oval; rounds: with how many rings
    - square: 2 for an ellipse in front and behind, more for a boxier form
    """
    at, centres, tangents, radii = _with_caps(at, centres, tangents, radii, caps, rounds)
    fronts = squared(np.asarray(front, dtype=np.float64), tangents)
    sides = rotation.cross(fronts, tangents)
    angle = 2 * np.pi * np.arange(segments) / segments
    # roots would turn the rounding of a cosine of 90° into nanometres, on one side only
    across, deep = np.cos(angle).round(12), np.sin(angle).round(12)
    power = np.where(deep >= 0, 2 / square[0], 2 / square[1])
    across, deep = np.sign(across) * np.abs(across) ** power, np.sign(deep) * np.abs(deep) ** power
    depth = np.where(deep >= 0, radii[:, 1:2], radii[:, 2:3]) * deep
    rings = centres[:, None] + (radii[:, :1] * across)[..., None] * sides[:, None] + depth[..., None] * fronts[:, None]
    steps = [cap * (1 - float(np.sin(_quarter(count)[-1]))) for cap, count in zip(caps, rounds, strict=True)]
    poles = np.stack([centres[0] - steps[0] * tangents[0], centres[-1] + steps[1] * tangents[-1]])
    vertices = np.concatenate([poles, rings.reshape(-1, 3)])
    ends = [at[0] - steps[0], at[-1] + steps[1]]
    return Shell(vertices, _faces(len(rings), segments), np.concatenate([ends, np.repeat(at, segments)]))


def ball(centre: Array, radius: float, *, segments: int = 10) -> Shell:
    """A round shell, all of it at 0 along its line."""
    up, radii = np.array([[0.0, 1.0, 0.0]]), np.full((1, 3), radius)
    shell = loft(np.zeros(1), centre[None], up, [0.0, 0.0, 1.0], radii, segments=segments, caps=(radius, radius))
    return Shell(shell.vertices, shell.faces, np.zeros(len(shell.vertices)))


def squared(reference: Array, tangents: Array) -> Array:
    """Unit vectors ``(N, 3)`` at right angles to unit ``tangents (N, 3)``, as near as possible to ``reference (…, 3)``.

    If tangent and reference are parallel, any such vector will do.
    """
    reference = np.broadcast_to(reference, tangents.shape)
    for guide in (reference, np.roll(reference, 1, axis=-1), np.roll(reference, 2, axis=-1)):
        flat = guide - np.einsum("ni,ni->n", guide, tangents)[:, None] * tangents
        size = rotation.length(flat)
        if size.min() > 1e-3:
            return np.asarray(flat / size[:, None])
    axis = np.eye(3)[np.argmin(np.abs(tangents), axis=-1)]
    across: Array = rotation.cross(tangents, axis)
    across /= rotation.length(across)[:, None]
    return across


def smooth_table(places: Array, values: Array, at: Array) -> Array:
    """Rows ``(N, C)`` at ``at (N,)`` of a smooth curve through ``values (K, C)`` at increasing ``places (K,)``; constant beyond its ends.

    The curve is made of cubic pieces that never overshoot (slopes by Fritsch and Butland's harmonic mean), so that no bulge appears that
    is not in the table.
    """
    step = np.diff(places)[:, None]
    slope = np.diff(values, axis=0) / step
    tangents = np.zeros(values.shape)
    a, b = slope[:-1], slope[1:]
    alike = a * b > 0
    tangents[1:-1] = np.where(alike, 2 * a * b / np.where(alike, a + b, 1.0), 0.0)
    tangents[0], tangents[-1] = slope[0], slope[-1]
    at = np.clip(at, places[0], places[-1])
    piece = np.clip(np.searchsorted(places, at, side="right") - 1, 0, len(places) - 2)
    t = ((at - places[piece]) / np.diff(places)[piece])[:, None]
    width = step[piece]
    rows: Array = (
        (1 + 2 * t) * (1 - t) ** 2 * values[piece]
        + t * (1 - t) ** 2 * width * tangents[piece]
        + t**2 * (3 - 2 * t) * values[piece + 1]
        + t**2 * (t - 1) * width * tangents[piece + 1]
    )
    return rows


def vertex_normals(vertices: Array, faces: NDArray[np.int64]) -> Array:
    """Unit normals ``(V, 3)``: for each vertex, the mean over the faces around it, weighted by area."""
    corners = vertices[faces]
    area = rotation.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sums: Array = np.stack(
        [np.bincount(faces.ravel(), np.repeat(area[:, axis], 3), minlength=len(vertices)) for axis in range(3)], axis=-1
    )
    size = rotation.length(sums)[:, None]
    return np.where(size > 0, sums / np.where(size > 0, size, 1.0), [0.0, 1.0, 0.0])


def _quarter(count: int) -> Array:
    """Where the rings of a rounded end stand ``(N,)`` on their quarter circle, in radians from the oval that the end begins at."""
    angles: Array = 0.5 * np.pi * np.arange(1, count + 1) / (count + 1)
    return angles


def _with_caps(
    at: Array, centres: Array, tangents: Array, radii: Array, caps: tuple[float, float], rounds: tuple[int, int]
) -> tuple[Array, Array, Array, Array]:
    """The same ovals with those of the rounded ends before and behind them."""
    first, last = _quarter(rounds[0])[::-1], _quarter(rounds[1])
    before, behind = caps[0] * np.sin(first), caps[1] * np.sin(last)
    return (
        np.concatenate([at[0] - before, at, at[-1] + behind]),
        np.concatenate(
            [centres[0] - before[:, None] * tangents[0], centres, centres[-1] + behind[:, None] * tangents[-1]]
        ),
        np.concatenate([np.repeat(tangents[:1], len(first), 0), tangents, np.repeat(tangents[-1:], len(last), 0)]),
        np.concatenate([np.cos(first)[:, None] * radii[0], radii, np.cos(last)[:, None] * radii[-1]]),
    )


def _faces(rings: int, segments: int) -> NDArray[np.int64]:
    """Triangles ``(T, 3)`` between rings, vertices 0 and 1 being the two ends."""
    here = np.arange(segments)
    beside = np.roll(here, -1)
    lower = 2 + segments * np.arange(rings - 1)[:, None]
    a, b, c, d = lower + here, lower + beside, lower + segments + beside, lower + segments + here
    walls = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=2).reshape(-1, 3)
    top = 2 + segments * (rings - 1)
    first = np.stack([np.zeros(segments, np.int64), 2 + beside, 2 + here], -1)
    last = np.stack([np.ones(segments, np.int64), top + here, top + beside], -1)
    faces: NDArray[np.int64] = np.concatenate([first, walls, last]).astype(np.int64)
    return faces
