"""Shapes on the floor that scenarios are made of: where people start and go, and what stands in their way."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools

# how many sides stand for a round obstacle
_ROUND = 16


@dataclass(frozen=True)
class Round:
    """A round region or obstacle, in metres."""

    x: float
    z: float
    radius: float

    def holds(self, points: Array) -> Bools:
        """Which of points ``(..., 2)`` lie inside."""
        return _yes(np.hypot(points[..., 0] - self.x, points[..., 1] - self.z) <= self.radius)

    @property
    def outline(self) -> Array:
        """``(K, 2)``: corners around it; sides touch the round from outside."""
        angles = np.arange(_ROUND) * 2.0 * np.pi / _ROUND
        radius = self.radius / math.cos(math.pi / _ROUND)
        corners: Array = np.stack([self.x + radius * np.cos(angles), self.z + radius * np.sin(angles)], axis=-1)
        return corners


@dataclass(frozen=True)
class Rectangle:
    """A rectangle along the axes, by its middle and its sides."""

    x: float
    z: float
    width: float
    """Metres along x."""
    depth: float
    """Metres along z."""

    def holds(self, points: Array) -> Bools:
        """Which of points ``(..., 2)`` lie inside."""
        inside = (np.abs(points[..., 0] - self.x) <= 0.5 * self.width) & (
            np.abs(points[..., 1] - self.z) <= 0.5 * self.depth
        )
        return _yes(inside)

    @property
    def outline(self) -> Array:
        """``(4, 2)``: its corners."""
        x, z = 0.5 * self.width, 0.5 * self.depth
        corners: Array = np.array([self.x, self.z]) + np.array([(-x, -z), (x, -z), (x, z), (-x, z)])
        return corners


@dataclass(frozen=True)
class Polygon:
    """Corners in order, the last joined to the first."""

    corners: tuple[tuple[float, float], ...]

    def holds(self, points: Array) -> Bools:
        """Which of points ``(..., 2)`` lie inside: those from which a ray crosses the outline an odd number of times."""
        x, z = points[..., 0], points[..., 1]
        inside = np.zeros(x.shape, np.bool_)
        for (a_x, a_z), (b_x, b_z) in zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True):
            if a_z != b_z:
                inside ^= ((a_z > z) != (b_z > z)) & (x < (b_x - a_x) * (z - a_z) / (b_z - a_z) + a_x)
        return inside

    @property
    def outline(self) -> Array:
        """``(K, 2)``: its corners."""
        return np.array(self.corners)


@dataclass(frozen=True)
class Wall:
    """A thin wall through points."""

    points: tuple[tuple[float, float], ...]


Region = Round | Rectangle | Polygon
Obstacle = Round | Rectangle | Polygon | Wall


def segments(obstacles: tuple[Obstacle, ...]) -> Array:
    """``(W, 4)``: the sides of obstacles, as x, z, x, z of their ends.

    >>> segments((Rectangle(0, 0, 2, 2), Wall(((0, 3), (0, 9))))).shape
    (5, 4)
    """
    sides = []
    for one in obstacles:
        if isinstance(one, Wall):
            points = np.array(one.points, np.float64)
            sides.append(np.concatenate([points[:-1], points[1:]], axis=-1))
        else:
            corners = one.outline
            sides.append(np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=-1))
    return np.concatenate(sides) if sides else np.zeros((0, 4))


def clearance(points: Array, walls: Array) -> Array:
    """Metres ``(...)`` from points ``(..., 2)`` to the nearest of walls ``(W, 4)``; infinite where there is none."""
    least: Array = np.full(points.shape[:-1], np.inf)
    for a_x, a_z, b_x, b_z in walls:
        d_x, d_z = b_x - a_x, b_z - a_z
        x, z = points[..., 0] - a_x, points[..., 1] - a_z
        t = np.clip((x * d_x + z * d_z) / max(d_x * d_x + d_z * d_z, 1e-12), 0.0, 1.0)
        least = np.minimum(least, np.hypot(x - t * d_x, z - t * d_z))
    return least


def solid(points: Array, obstacles: tuple[Obstacle, ...]) -> Bools:
    """Which of points ``(..., 2)`` lie inside an obstacle."""
    inside = np.zeros(points.shape[:-1], np.bool_)
    for one in obstacles:
        if not isinstance(one, Wall):
            # by its sides, which are what people keep off
            inside |= Polygon(tuple(map(tuple, one.outline.tolist()))).holds(points)
    return inside


def _yes(which: object) -> Bools:
    held: Bools = np.asarray(which, np.bool_)
    return held
