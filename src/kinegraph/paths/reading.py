"""Paths from files and texts, and into files: everything that a user may give as a PATH.

A file is `.json`, `.csv` or `.svg`; anything else is a shape such as ``circle:3`` or points such as ``0,0 0,3 2,5``. All in metres. Points
may have heights: x, y, z in that order, y up.
"""

from __future__ import annotations

import csv
import json
import math
import pathlib
import re
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.errors import FormatError, MotionError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.numbers import to_float
from kinegraph.formats.text import decoded, quoted, read_source
from kinegraph.paths import knots as knot_rules
from kinegraph.paths import shapes, svg
from kinegraph.paths.bspline import Spline
from kinegraph.paths.path import Path

SUFFIXES = (".json", ".csv", ".svg")

# Metres between the points of a stroke before it is smoothed.
_SKETCH_STEP = 0.02

_SEPARATORS = ";\t,"
_SUFFIX = re.compile(r"\.[A-Za-z]\w{0,5}$")


def read(source: str | PathLike[str]) -> Path:
    """The path of a file, of a shape's name with its numbers, or of points: as `read_curve`, but a spline becomes points along it.

    >>> read("0,0 0,3 4,3").length
    7.0
    """
    return as_path(source)


def read_curve(source: str | PathLike[str]) -> Path | Spline:
    """The curve of a file, of a shape's name with its numbers, or of points.

    - ``.json``: a list of [x, z] pairs or of {"x": …, "z": …}, or {"points": such a list}; with heights [x, y, z] or {"x", "y", "z"};
      or a spline: {"degree": 3, "controls": such a list, "knots": […]}, where degree and knots may be left out
    - ``.csv``: columns named x and z (or x and y), or x, y and z; or two or three columns without names; comma, semicolon or tab
    - ``.svg``: the first path, polyline, polygon or line drawn in it; see `kinegraph.paths.svg` for its scale
    - a shape of `kinegraph.paths.shapes`: ``eight:3``
    - points: ``0,0 0,3 2,5``, straight from one to the next; with heights ``0,0,0 0,0.5,3``

    >>> read_curve("0,0,0 0,0.5,3").height(1.5).item()
    0.25
    """
    return replace(_curve(source), name=str(source))


def as_curve(given: Path | Spline | str | PathLike[str] | ArrayLike) -> Path | Spline:
    """Whatever people give as a curve, as one: a curve already, a text or a file as `read_curve` takes it, or points.

    >>> as_curve("line:3").length, as_curve([[0, 0], [0, 2]]).length
    (3.0, 2.0)
    """
    if isinstance(given, Path | Spline):
        return given
    if isinstance(given, str | PathLike):
        return read_curve(given)
    try:
        points = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise MotionError("a path is a text, a file, or points x, z") from None
    return _path(points)


def as_path(given: Path | Spline | str | PathLike[str] | ArrayLike) -> Path:
    """As `as_curve`, but a spline becomes points along it.

    >>> as_path("line:3")
    Path(3 m, 301 points)
    """
    curve = as_curve(given)
    return replace(curve.path(), name=curve.name) if isinstance(curve, Spline) else curve


def _curve(source: str | PathLike[str]) -> Path | Spline:
    text = str(source)
    if isinstance(source, str) and not text.strip():
        raise MotionError(
            f"an empty text is no path: give a file ({', '.join(SUFFIXES)}), a shape such as circle:3, or points x,z x,z …"
        )
    suffix = pathlib.Path(text).suffix.lower()
    if suffix in SUFFIXES:
        return _read_file(pathlib.Path(text), suffix)
    if not isinstance(source, str) or _SUFFIX.search(text.strip()) or pathlib.Path(text[:255]).is_dir():
        raise FormatError(
            f"a path is read from {', '.join(SUFFIXES)}, not from {suffix or 'this'!r}", quoted(text, 200)[1:-1]
        )
    if "," in text and ":" not in text:
        return _points(text)
    return shapes.shape(text)


def write(curve: Path | Spline, file: str | PathLike[str]) -> None:
    """Write a path to ``.json`` or ``.csv``, or a spline to ``.json``. `read_curve` gives back exactly the same.

    The file appears whole or not at all.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "arch.json")
    >>> kg.paths.write(kg.paths.Spline([[0, 0], [0, 2], [2, 2], [2, 0]]), file)
    >>> kg.paths.read_curve(file)
    Spline(4 m, 4 controls, degree 3)
    """
    suffix = pathlib.Path(file).suffix.lower()
    if suffix not in (".json", ".csv"):
        raise FormatError(f"a path is written to .json or .csv, not to {suffix!r}", file)
    if isinstance(curve, Spline):
        if suffix == ".csv":
            raise FormatError("a spline is written to .json; a .csv holds points: write its path() there", file)
        rows = [", ".join(map(repr, control)) for control in curve.controls.tolist()]
        uniform = np.array_equal(curve.knots, knot_rules.uniform(len(curve), curve.degree))
        knots = "" if uniform else f', "knots": {curve.knots.tolist()}'
        begin, end = f'{{"unit": "m", "degree": {curve.degree}, "controls"', f"{knots}}}"
    else:
        lifted = curve.points if curve.heights is None else np.insert(curve.points, 1, curve.heights, axis=1)
        rows = [", ".join(map(repr, point)) for point in lifted.tolist()]
        begin, end = '{"unit": "m", "points"', "}"
        if suffix == ".csv":
            begin = "x,z" if curve.heights is None else "x,y,z"
    if suffix == ".json":
        text = f"{begin}: [\n" + ",\n".join(f"[{row}]" for row in rows) + f"\n]{end}\n"
    else:
        text = f"{begin}\n" + "".join(f"{row.replace(', ', ',')}\n" for row in rows)
    with replacing(file) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def from_sketch(points: ArrayLike, sigma: float = 0.25) -> Path:
    """The path that a hand-drawn stroke ``points (N, 2)`` means: tremor is smoothed away over ``sigma`` metres, and the ends stay.

    >>> import kinegraph as kg
    >>> import numpy as np
    >>> s = np.linspace(0, 4, 80)
    >>> shaky = np.stack([0.02 * np.sin(40 * s), s], axis=-1)    # a line of 4 m, 2 cm to either side
    >>> round(kg.Path(shaky).length, 2), round(kg.paths.from_sketch(shaky).length, 2)
    (4.42, 4.0)
    """
    stroke = Path(np.asarray(points, dtype=np.float64))
    return stroke.resampled(_SKETCH_STEP).smoothed(sigma)


def _points(text: str) -> Path:
    """Points ``x,z x,z …`` or ``x,y,z x,y,z …``; a semicolon may stand between them."""
    points: list[list[float]] = []
    for word in re.sub(r"\s*,\s*", ",", text.strip()).replace(";", " ").split():
        values = [value for part in word.split(",") if (value := to_float(part.encode())) is not None]
        if (
            len(values) != word.count(",") + 1
            or len(values) not in (2, 3)
            or len(values) != len((points or [values])[0])
        ):
            raise MotionError(
                f"{quoted(word)} is not a point: write x,z x,z … in metres (or all with heights: x,y,z x,y,z …), "
                "or a shape such as circle:3"
            )
        points.append(values)
    return _path(np.array(points, dtype=np.float64))


def _path(points: Array) -> Path:
    """The path of ``points (N, 2)``, or with heights ``(N, 3)`` as x, y, z."""
    if points.ndim == 2 and points.shape[1] == 3:
        return Path(points[:, [0, 2]], points[:, 1])
    return Path(points.reshape(-1, 2))


def _read_file(file: pathlib.Path, suffix: str) -> Path | Spline:
    """The curve of a file; what the points themselves lack is told with the file's name."""
    source = read_source(file, f"a path as {suffix[1:].upper()}")
    text = decoded(source.data)
    try:
        if suffix == ".json":
            return _from_json(text, file)
        return _path(_from_csv(text, file) if suffix == ".csv" else svg.points_of(text, file))
    except MotionError as error:
        raise FormatError(str(error), file) from None


# -- JSON -----------------------------------------------------------------------------------------------------------------


def _from_json(text: str, file: pathlib.Path) -> Path | Spline:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}", file, error.lineno, error.colno) from None
    except (RecursionError, ValueError):
        raise FormatError("this is not a list of points", file) from None
    if not isinstance(found, dict):
        return _path(_json_points(found, file))
    if "points" in found and "controls" in found:
        raise FormatError('it has both "points" (a path) and "controls" (a spline): keep one of them', file)
    if "controls" in found:
        controls = _json_points(found["controls"], file)
        knots: Any = found.get("knots")
        return Spline(controls, found.get("degree", 3), knots)
    if "points" not in found:
        raise FormatError(
            'expected a list of [x, z] pairs, {"points": [[x, z], …]}, or a spline {"degree": 3, "controls": [[x, z], …]}',
            file,
        )
    return _path(_json_points(found["points"], file))


def _json_points(found: Any, file: pathlib.Path) -> Array:
    """Points ``(N, 2)`` or ``(N, 3)`` out of a list of them."""
    if not isinstance(found, list):
        raise FormatError("expected a list of [x, z] pairs", file)
    if not found:
        raise FormatError("the list of points is empty", file)
    first = found[0]
    lifted = "y" in first and "z" in first if isinstance(first, dict) else isinstance(first, list) and len(first) == 3
    size = 3 if lifted else 2
    return np.array([_json_point(point, number, size, file) for number, point in enumerate(found, 1)], dtype=np.float64)


def _json_point(point: Any, number: int, size: int, file: pathlib.Path) -> list[float]:
    """One point of ``size`` numbers, as all of a list have them."""
    given = point
    if isinstance(point, dict):
        if "z" not in point and "y" in point:
            raise FormatError(f"point {number} has y: the floor's axes are x and z (y is up), so call it z", file)
        if "x" not in point or "z" not in point:
            raise FormatError(f"point {number} needs x and z", file)
        point = [point[axis] for axis in "xyz" if axis in point]
    if not isinstance(point, list) or len(point) != size:
        what = "a pair [x, z]" if size == 2 else "a triple [x, y, z]"
        like = ", as the first one is" if number > 1 else ""
        raise FormatError(f"point {number} is not {what}{like}: {quoted(str(given))}", file)
    for value in point:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            raise FormatError(f"point {number} holds {quoted(str(value))}, which is not a finite number", file)
    return [float(value) for value in point]


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer of hundreds of digits
        return False


# -- CSV ------------------------------------------------------------------------------------------------------------------


def _from_csv(text: str, file: pathlib.Path) -> Array:
    """Points ``(N, 2)``, or with heights ``(N, 3)`` as x, y, z."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    separator = next((mark for mark in _SEPARATORS if mark in first), None)
    if separator is None:
        raise FormatError("expected two columns, x and z, with a comma, semicolon or tab between them", file, 1)
    columns: tuple[int, ...] = ()
    points = []
    try:
        for number, row in enumerate(csv.reader(lines, delimiter=separator), 1):
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if not columns:
                columns, heading = _csv_columns(cells, file, number)
                if heading:
                    continue
            points.append([_csv_value(cells, column, file, number) for column in columns])
    except csv.Error as error:
        raise FormatError(f"this is not CSV: {error}", file) from None
    return np.array(points, dtype=np.float64).reshape(-1, max(2, len(columns)))


def _csv_columns(cells: list[str], file: pathlib.Path, line: int) -> tuple[tuple[int, ...], bool]:
    """Which columns hold x and z, or x, y and z, and whether this first row is a heading that says so.

    Where there is no z, y is taken for it, as drawing programs call it.
    """
    if any(to_float(cell.encode()) is not None for cell in cells):
        # without a heading; an empty last column is a separator too many
        filled = len(cells) - (cells[-1] == "")
        if filled > 3:
            raise FormatError(
                f"{filled} columns without a heading: name those of the points x and z, or x, y and z", file, line
            )
        return tuple(range(max(2, filled))), False
    names = [cell.lower() for cell in cells]
    axes = [axis for axis in "xyz" if axis in names]
    if "x" not in axes or len(axes) < 2:
        raise FormatError(f"expected columns x and z, found {quoted(', '.join(cells), 80)}", file, line)
    return tuple(names.index(axis) for axis in axes), True


def _csv_value(cells: list[str], column: int, file: pathlib.Path, line: int) -> float:
    if column >= len(cells):
        raise FormatError(f"expected at least {column + 1} columns, found {len(cells)}", file, line)
    value = to_float(cells[column].encode())
    if value is None:
        raise FormatError(f"{quoted(cells[column])} is not a finite number", file, line)
    return value
