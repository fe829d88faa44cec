"""Paths out of files and words, and into files: what a user may give wherever a PATH is asked for.

A file is `.json`, `.csv` or `.svg`; anything else is a shape such as ``circle:3`` or points such as ``0,0 0,3 2,5``. All in metres.
"""

from __future__ import annotations

import csv
import json
import math
import pathlib
import re
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.errors import FormatError, MotionError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.numbers import to_float
from kinegraph.formats.text import decoded, quoted, read_source
from kinegraph.paths import shapes, svg
from kinegraph.paths.path import Path

SUFFIXES = (".json", ".csv", ".svg")

# Metres between the points of a stroke before it is smoothed.
_SKETCH_STEP = 0.02

_SEPARATORS = ";\t,"
_SUFFIX = re.compile(r"\.[A-Za-z]\w{0,5}$")


def read(source: str | PathLike[str]) -> Path:
    """The path of a file, of a shape's name with its numbers, or of points.

    - ``.json``: a list of [x, z] pairs or of {"x": …, "z": …}, or {"points": such a list}
    - ``.csv``: columns x and z (or x and y) with a heading, or just two columns; comma, semicolon or tab
    - ``.svg``: the first path, polyline, polygon or line drawn in it; see `kinegraph.paths.svg` for its scale
    - a shape of `kinegraph.paths.shapes`: ``eight:3``
    - points: ``0,0 0,3 2,5``, straight from one to the next

    >>> read("0,0 0,3 4,3").length
    7.0
    """
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


def write(path: Path, file: str | PathLike[str]) -> None:
    """Write the points of a path to ``.json`` or ``.csv``, whole or not at all; `read` gives them back exactly."""
    suffix = pathlib.Path(file).suffix.lower()
    if suffix not in (".json", ".csv"):
        raise FormatError(f"a path is written to .json or .csv, not to {suffix!r}", file)
    rows = [(repr(x), repr(z)) for x, z in path.points.tolist()]
    if suffix == ".json":
        text = '{"unit": "m", "points": [\n' + ",\n".join(f"[{x}, {z}]" for x, z in rows) + "\n]}\n"
    else:
        text = "x,z\n" + "".join(f"{x},{z}\n" for x, z in rows)
    with replacing(file) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def from_sketch(points: ArrayLike, sigma: float = 0.25) -> Path:
    """The path meant by a hand-drawn stroke ``points (N, 2)``: its tremor is smoothed away over ``sigma`` metres, its ends stay."""
    stroke = Path(np.asarray(points, dtype=np.float64))
    return stroke.resampled(_SKETCH_STEP).smoothed(sigma)


def _points(text: str) -> Path:
    """Points ``x,z x,z …``; a semicolon may stand between them."""
    pairs = []
    for word in re.sub(r"\s*,\s*", ",", text.strip()).replace(";", " ").split():
        values = [to_float(part.encode()) for part in word.split(",")]
        if len(values) != 2 or values[0] is None or values[1] is None:
            raise MotionError(f"{quoted(word)} is not a point: write x,z x,z … in metres, or a shape such as circle:3")
        pairs.append(values)
    return Path(np.array(pairs, dtype=np.float64).reshape(-1, 2))


def _read_file(file: pathlib.Path, suffix: str) -> Path:
    """The path of a file; what the points themselves lack is told with the file's name."""
    source = read_source(file, f"a path as {suffix[1:].upper()}")
    text = decoded(source.data)
    points = {".json": _from_json, ".csv": _from_csv, ".svg": svg.points_of}[suffix](text, file)
    try:
        return Path(points)
    except MotionError as error:
        raise FormatError(str(error), file) from None


# -- JSON -----------------------------------------------------------------------------------------------------------------


def _from_json(text: str, file: pathlib.Path) -> Any:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}", file, error.lineno, error.colno) from None
    except (RecursionError, ValueError):
        raise FormatError("this is not a list of points", file) from None
    if isinstance(found, dict):
        if "points" not in found:
            raise FormatError('expected a list of [x, z] pairs, or {"points": [[x, z], …]}', file)
        found = found["points"]
    if not isinstance(found, list):
        raise FormatError("expected a list of [x, z] pairs", file)
    if not found:
        raise FormatError("the list of points is empty", file)
    return np.array([_json_point(point, number, file) for number, point in enumerate(found, 1)], dtype=np.float64)


def _json_point(point: Any, number: int, file: pathlib.Path) -> list[float]:
    if isinstance(point, dict):
        if "z" not in point and "y" in point:
            raise FormatError(f"point {number} has y: the floor's axes are x and z (y is up), so call it z", file)
        if "x" not in point or "z" not in point:
            raise FormatError(f"point {number} needs x and z", file)
        point = [point["x"], point["z"]]
    if not isinstance(point, list) or len(point) != 2:
        raise FormatError(f"point {number} is not a pair [x, z]: {quoted(str(point))}", file)
    for value in point:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            raise FormatError(f"point {number} holds {quoted(str(value))}, which is not a finite number", file)
    return [float(point[0]), float(point[1])]


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer of hundreds of digits
        return False


# -- CSV ------------------------------------------------------------------------------------------------------------------


def _from_csv(text: str, file: pathlib.Path) -> Any:
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    separator = next((mark for mark in _SEPARATORS if mark in first), None)
    if separator is None:
        raise FormatError("expected two columns, x and z, with a comma, semicolon or tab between them", file, 1)
    columns = (0, 1)
    pairs = []
    begun = False
    try:
        for number, row in enumerate(csv.reader(lines, delimiter=separator), 1):
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if not begun:
                begun = True
                if all(to_float(cell.encode()) is None for cell in cells):
                    columns = _csv_columns(cells, file, number)
                    continue
            pairs.append([_csv_value(cells, column, file, number) for column in columns])
    except csv.Error as error:
        raise FormatError(f"this is not CSV: {error}", file) from None
    return np.array(pairs, dtype=np.float64).reshape(-1, 2)


def _csv_columns(cells: list[str], file: pathlib.Path, line: int) -> tuple[int, int]:
    """Which columns hold x and z: where there is no z, y is taken for it, as drawing programs call it."""
    names = [cell.lower() for cell in cells]
    across = "z" if "z" in names else "y"
    if "x" not in names or across not in names:
        raise FormatError(f"expected columns x and z, found {quoted(', '.join(cells), 80)}", file, line)
    return names.index("x"), names.index(across)


def _csv_value(cells: list[str], column: int, file: pathlib.Path, line: int) -> float:
    if column >= len(cells):
        raise FormatError(f"expected at least {column + 1} columns, found {len(cells)}", file, line)
    value = to_float(cells[column].encode())
    if value is None:
        raise FormatError(f"{quoted(cells[column])} is not a finite number", file, line)
    return value
