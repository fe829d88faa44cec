"""The way to a goal around walls: how far it is from everywhere, on a grid, and which way gets nearer.

Distances solve the eikonal equation by fast sweeping (Zhao 2005), compiled. It takes longer near walls, so that people keep off them where
there is room.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from kinegraph.arrays import Array, Bools, Indices, Singles
from kinegraph.compiled import njit
from kinegraph.crowds.shapes import Obstacle, Region, clearance, segments, solid

CELL = 0.2
"""Metres of a cell of the grid."""
# metres from a wall within which nobody fits; and within which people would rather not walk, and by how much it counts
_TIGHT, _SHY, _DISLIKE = 0.25, 0.8, 1.5
# metres from a wall beyond which somebody can stand
_ROOM = 0.33
# metres that the grid goes on beyond what it must hold
_MARGIN = 2.0
# sweeps that are never needed
_SWEEPS = 400
# cells beyond which a grid is made coarser
_MOST = 400_000


@dataclass(frozen=True, eq=False)
class Floor:
    """A grid over the floor, and where on it nobody can be."""

    x: float
    """The middle of the first cell."""
    z: float
    cell: float
    """Metres from one cell to the next."""
    slowness: Array
    """``(H, W)``: how much longer a metre takes than in the open; infinite where nobody fits."""
    clear: Array
    """``(H, W)``: metres to the nearest wall, below 0 inside of obstacles."""
    away: Singles
    """``(H, W, 2)``: away from walls."""

    @staticmethod
    def of(obstacles: tuple[Obstacle, ...], holds: Array) -> Floor:
        """The floor around points ``(K, 2)`` and obstacles."""
        walls = segments(obstacles)
        every = np.concatenate([holds, walls[:, :2], walls[:, 2:]])
        low, high = every.min(axis=0) - _MARGIN, every.max(axis=0) + _MARGIN
        cell = max(CELL, float(np.sqrt(np.prod(high - low) / _MOST)))
        across = np.arange(low[0], high[0] + cell, cell), np.arange(low[1], high[1] + cell, cell)
        points = np.stack(np.meshgrid(*across), axis=-1)
        apart = clearance(points, walls)
        inside = solid(points, obstacles)
        shy = np.clip((_SHY - apart) / (_SHY - _TIGHT), 0.0, 1.0)
        slowness = np.where(inside | (apart < _TIGHT), np.inf, 1.0 + _DISLIKE * shy * shy)
        signed = np.where(inside, -apart, apart)
        signed[~np.isfinite(signed)] = 0.0
        along_z, along_x = np.gradient(signed)
        back = np.stack([along_x, along_z], axis=-1)
        back /= np.maximum(np.linalg.norm(back, axis=-1, keepdims=True), 1e-9)
        return Floor(float(low[0]), float(low[1]), cell, slowness, signed, back.astype(np.float32))

    def cells(self, points: Array) -> tuple[Indices, Indices]:
        """The row and the column of the cell of each of points ``(..., 2)``."""
        height, width = self.slowness.shape
        column = np.clip(np.rint((points[..., 0] - self.x) / self.cell), 0, width - 1).astype(np.intp)
        row = np.clip(np.rint((points[..., 1] - self.z) / self.cell), 0, height - 1).astype(np.intp)
        return row, column

    def fits(self, points: Array) -> Bools:
        """Where among points ``(..., 2)`` somebody fits."""
        free: Bools = np.isfinite(self.slowness[self.cells(points)])
        return free

    @property
    def places(self) -> Array:
        """``(H, W, 2)``: x and z of the middle of each cell."""
        height, width = self.slowness.shape
        grid: Array = np.stack(
            np.meshgrid(self.x + self.cell * np.arange(width), self.z + self.cell * np.arange(height)), axis=-1
        )
        return grid

    def has_sliver(self, goal: Region, point: Array) -> bool:
        """Whether walls leave a way from a ``point (2,)`` to some of the goal, were it not too narrow to stand there."""
        parts, _ = ndimage.label(np.isfinite(self.slowness))
        return bool((parts[goal.holds(self.places)] == parts[self.cells(point)]).any())

    def distances(self, goal: Region) -> Array:
        """``(H, W)``: metres to a goal from everywhere, as they feel beside walls; infinite where there is no way."""
        points = self.places
        # what lies so near to walls that nobody stands there is no place to arrive at: people would press against them
        distance = np.where(goal.holds(points) & (self.clear > _ROOM), 0.0, np.inf)
        middle = goal.outline.mean(axis=0)
        row, column = self.cells(middle)
        if not np.isfinite(distance).any():
            # smaller than the cells are: it is gone to as a point
            distance[row, column] = float(np.hypot(*(middle - points[row, column])))
        distance[~np.isfinite(self.slowness)] = np.inf
        swept(distance, self.slowness, self.cell)
        return distance

    def directions(self, distance: Array) -> Singles:
        """``(H, W, 2)``: where it gets nearer to the goal at once; off the walls where nobody fits, zero where there is no way."""
        ways = downhill(distance)
        stuck = ~np.isfinite(self.slowness)
        ways[stuck] = self.away[stuck]
        return ways


@njit(cache=True, nogil=True)
def swept(distance: Array, slowness: Array, cell: float) -> None:
    """Fill distances ``(H, W)``, which are zero at the goal and infinite elsewhere, until nothing changes."""
    height, width = distance.shape
    for sweep in range(_SWEEPS):
        changed = 0.0
        down, right = sweep % 2 == 0, (sweep // 2) % 2 == 0
        for i in range(height):
            row = i if down else height - 1 - i
            for j in range(width):
                column = j if right else width - 1 - j
                step = slowness[row, column] * cell
                if step == np.inf:
                    continue
                a = min(
                    distance[row, column - 1] if column > 0 else np.inf,
                    distance[row, column + 1] if column + 1 < width else np.inf,
                )
                b = min(
                    distance[row - 1, column] if row > 0 else np.inf,
                    distance[row + 1, column] if row + 1 < height else np.inf,
                )
                least = min(a, b)
                if least == np.inf:
                    continue
                if abs(a - b) >= step:
                    new = least + step
                else:
                    new = 0.5 * (a + b + np.sqrt(2.0 * step * step - (a - b) * (a - b)))
                if new < distance[row, column] - 1e-9:
                    changed = max(changed, min(distance[row, column], 1e9) - new)
                    distance[row, column] = new
        if changed < 1e-6 and sweep > 3:
            return


@njit(cache=True, nogil=True)
def downhill(distance: Array) -> Singles:
    """``(H, W, 2)``: unit vectors along x and z in which distances ``(H, W)`` fall; towards the lower of two neighbours on each axis."""
    height, width = distance.shape
    ways = np.zeros((height, width, 2), np.float32)
    for row in range(height):
        for column in range(width):
            here = distance[row, column]
            if here == np.inf:
                continue
            left = distance[row, column - 1] if column > 0 else np.inf
            right = distance[row, column + 1] if column + 1 < width else np.inf
            below = distance[row - 1, column] if row > 0 else np.inf
            above = distance[row + 1, column] if row + 1 < height else np.inf
            x = max(here - left, 0.0) if left < right else -max(here - right, 0.0)
            z = max(here - below, 0.0) if below < above else -max(here - above, 0.0)
            length = np.hypot(x, z)
            if length > 0.0:
                ways[row, column, 0], ways[row, column, 1] = -x / length, -z / length
    return ways


@njit(cache=True, nogil=True)
def looked_up(ways: Singles, x: float, z: float, cell: float, goal: Indices, place: Array) -> Array:
    """``(N, 2)``: the way on for people at ``place (N, 2)``, each to its ``goal (N,)`` of ``ways (G, H, W, 2)``, between cells."""
    found = np.zeros((len(place), 2))
    height, width = ways.shape[1], ways.shape[2]
    for person in range(len(place)):
        u = min(max((place[person, 0] - x) / cell, 0.0), width - 1.001)
        v = min(max((place[person, 1] - z) / cell, 0.0), height - 1.001)
        column, row = int(u), int(v)
        u, v = u - column, v - row
        field = ways[goal[person]]
        for axis in range(2):
            found[person, axis] = (1.0 - v) * (
                (1.0 - u) * field[row, column, axis] + u * field[row, column + 1, axis]
            ) + v * ((1.0 - u) * field[row + 1, column, axis] + u * field[row + 1, column + 1, axis])
        length = np.hypot(found[person, 0], found[person, 1])
        if length > 1e-6:
            found[person] /= length
    return found
