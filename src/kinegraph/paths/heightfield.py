"""`HeightField`: a ground that was measured on a grid and is smooth in between."""

from __future__ import annotations

import csv
import io
import pathlib
import zipfile
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import FormatError, MotionError
from kinegraph.formats.numbers import to_float
from kinegraph.formats.text import decoded, quoted, read_bytes, read_source
from kinegraph.paths.search import checked

SUFFIXES = (".npz", ".npy", ".csv")

# Rise by metre that is taken at most, 45 degrees: nobody walks upright on steeper ground.
STEEPEST = 1.0
# Heights a field holds at most: 2 km by 2 km at a metre.
_MOST_HEIGHTS = 4_000_000
# Metres: a height or a place beyond this is not in metres.
_FARTHEST = 1e5
# Coordinates in a file count as evenly spaced up to this share of their step.
_EVEN = 1e-3


@dataclass(frozen=True, eq=False)
class HeightField:
    """Heights on a grid: row r and column c are at x = x0 + c · step, z = z0 + r · step.

    In between, a bicubic spline passes through them (it is twice continuously differentiable). Beyond the edges, heights stay constant.

    >>> field = HeightField([[0, 0, 0], [0, 0.2, 0], [0, 0, 0]], x0=-1, z0=-1)
    >>> field([[0.0, 0.0], [9.0, 0.0]]).round(9).tolist()
    [0.2, 0.0]
    """

    heights: Array
    """``(R, C)``, in metres."""
    x0: float = 0.0
    z0: float = 0.0
    step: float = 1.0
    name: str = ""
    """The file that it was read from, as it was called."""

    def __post_init__(self) -> None:
        try:
            heights = np.asarray(self.heights, dtype=np.float64)
        except (TypeError, ValueError):
            raise MotionError("the heights of a field must be numbers in rows of equal length") from None
        if heights.ndim != 2 or min(heights.shape) < 3:
            raise MotionError(f"a height field is (R, C), at least three rows of three heights; got {heights.shape}")
        if heights.size > _MOST_HEIGHTS:
            raise MotionError(f"a height field of {heights.size:,} heights: at most {_MOST_HEIGHTS:,} are taken")
        bad = np.argwhere(~(np.abs(heights) <= _FARTHEST))
        if len(bad):
            row, column = bad[0]
            raise MotionError(
                f"row {row + 1}, column {column + 1} of the height field is no height in metres: {heights[row, column]:g}"
            )
        if not (np.isfinite(self.step) and self.step > 0):
            raise MotionError(f"the step of a height field must be above 0 m, got {self.step:g}")
        if not max(abs(self.x0), abs(self.z0), self.step * max(heights.shape)) <= _FARTHEST:
            raise MotionError(f"the height field reaches beyond {_FARTHEST / 1000:g} km: it is in metres")
        object.__setattr__(self, "heights", frozen_array(heights))
        self._refuse_steep()

    @classmethod
    def from_file(cls, file: str | PathLike[str], x0: float = 0.0, z0: float = 0.0, step: float = 1.0) -> HeightField:
        """The height field of a file; ``x0``, ``z0`` and ``step`` are used if the file does not give them.

        - ``.npz``: ``heights (R, C)``, and optionally ``x0``, ``z0`` and ``step``
        - ``.npy``: only the heights
        - ``.csv``: rows of heights. There may be a first row with the x of every column and a first column with the z of every row; the
          cell where they meet is empty or a word.
        """
        path = pathlib.Path(file)
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise FormatError(f"a height field is read from {', '.join(SUFFIXES)}, not from {suffix!r}", path)
        given = {"x0": x0, "z0": z0, "step": step}
        heights, said = _from_csv(path) if suffix == ".csv" else _from_numpy(path)
        try:
            return cls(heights, **(given | said), name=str(file))
        except MotionError as error:
            raise FormatError(str(error), path) from None

    def __str__(self) -> str:
        return self.name or repr(self)

    @property
    def extent(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The smallest and largest x, and the smallest and largest z, of the grid, in metres."""
        rows, columns = self.heights.shape
        return (self.x0, self.x0 + self.step * (columns - 1)), (self.z0, self.z0 + self.step * (rows - 1))

    def __call__(self, points: ArrayLike) -> Array:
        """Heights ``(...)`` in metres at floor points ``(..., 2)``, each (x, z)."""
        column, row = np.moveaxis(self._places(points), -1, 0)
        last_row, last_column = np.subtract(self.heights.shape, 1)
        heights: Array = self._spline.ev(np.clip(row, 0, last_row), np.clip(column, 0, last_column))
        return heights

    def gradient(self, points: ArrayLike) -> Array:
        """Rise ``(..., 2)`` in metres per metre towards +X and +Z at floor points ``(..., 2)``; beyond an edge there is none across it."""
        column, row = np.moveaxis(self._places(points), -1, 0)
        last_row, last_column = np.subtract(self.heights.shape, 1)
        inner_row, inner_column = np.clip(row, 0, last_row), np.clip(column, 0, last_column)
        across = self._spline.ev(inner_row, inner_column, dy=1) * (column == inner_column)
        ahead = self._spline.ev(inner_row, inner_column, dx=1) * (row == inner_row)
        gradient: Array = np.stack([across, ahead], axis=-1) / self.step
        return gradient

    def _places(self, points: ArrayLike) -> Array:
        """Columns and rows ``(..., 2)``, with fractions, of floor points."""
        places: Array = (checked(points) - [self.x0, self.z0]) / self.step
        return places

    @cached_property
    def _spline(self) -> Any:
        from scipy.interpolate import RectBivariateSpline  # here, since importing it takes time

        rows, columns = self.heights.shape
        # three rows take a parabola through them
        return RectBivariateSpline(
            np.arange(rows), np.arange(columns), self.heights, kx=min(3, rows - 1), ky=min(3, columns - 1)
        )

    def _refuse_steep(self) -> None:
        """Refuse a field that is too steep at or between its heights."""
        rows, columns = (np.arange(2 * count - 1) / 2 for count in self.heights.shape)
        rise = np.hypot(self._spline(rows, columns, dx=1), self._spline(rows, columns, dy=1)) / self.step
        steepest = np.unravel_index(int(rise.argmax()), rise.shape)
        if rise[steepest] > STEEPEST:
            x, z = self.x0 + columns[steepest[1]] * self.step, self.z0 + rows[steepest[0]] * self.step
            raise MotionError(too_steep(float(rise[steepest]), f"the height field at x = {x:.4g}, z = {z:.4g}"))


def too_steep(steepest: float, what: str) -> str:
    """What to say about a ground that rises by ``steepest`` metres per metre."""
    angle = np.degrees(np.arctan(steepest))
    return f"{what} is {angle:.0f} degrees steep, and at most {np.degrees(np.arctan(STEEPEST)):.0f} are taken: nobody walks up there"


def _from_numpy(path: pathlib.Path) -> tuple[Any, dict[str, float]]:
    """Heights, and what is said of their places, of a ``.npy`` or ``.npz``."""
    data = read_bytes(path, "a height field")
    try:
        found = np.load(io.BytesIO(data), allow_pickle=False)
        if isinstance(found, np.ndarray):
            return found, {}
        with found:
            if "heights" not in found:
                raise FormatError(f"it holds no 'heights', only {quoted(', '.join(found), 80)}", path)
            odd = [name for name in found if name not in ("heights", "x0", "z0", "step")]
            if odd:
                raise FormatError(
                    f"beside 'heights' it may hold x0, z0 and step, in metres, not {quoted(', '.join(odd), 80)}", path
                )
            return found["heights"], {name: float(found[name]) for name in ("x0", "z0", "step") if name in found}
    except (ValueError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise FormatError("this is not a height field as NumPy writes it: an array of numbers", path) from error


def _from_csv(path: pathlib.Path) -> tuple[Any, dict[str, float]]:
    """Heights, and what is said of their places, of a ``.csv``."""
    lines = decoded(read_source(path, "a height field as CSV").data).splitlines()
    separator = next((mark for mark in ";\t," if mark in lines[0]), ",")
    try:
        rows = [
            (number, [cell.strip() for cell in row])
            for number, row in enumerate(csv.reader(lines, delimiter=separator), 1)
            if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        raise FormatError(f"this is not CSV: {error}", path) from None
    corner = rows[0][1][0]
    headed = to_float(corner.encode()) is None
    values = []
    for number, cells in rows:
        if len(cells) != len(rows[0][1]):
            raise FormatError(f"{len(cells)} columns, but {len(rows[0][1])} in the first row", path, number)
        row = [
            0.0 if headed and number == rows[0][0] and column == 0 else to_float(cell.encode())
            for column, cell in enumerate(cells)
        ]
        if None in row:
            raise FormatError(f"{quoted(cells[row.index(None)])} is not a finite number", path, number)
        values.append(row)
    grid = np.array(values, dtype=np.float64)
    if not headed:
        return grid, {}
    if min(grid.shape) < 4:
        raise FormatError("expected at least three rows of three heights under the heading", path)
    steps = np.concatenate([np.diff(grid[0, 1:]), np.diff(grid[1:, 0])])
    if not (steps[0] > 0 and np.abs(steps - steps[0]).max() <= _EVEN * steps[0]):
        raise FormatError("the x of the columns and the z of the rows must rise evenly, by one step for both", path)
    return grid[1:, 1:], {"x0": float(grid[0, 1]), "z0": float(grid[1, 0]), "step": float(steps.mean())}
