"""The path data of SVG (its ``d`` attribute) as a polyline: M L H V C S Q T A Z, absolute and relative.

After "SVG 1.1, chapter 8: Paths" and its implementation notes on elliptical arcs (F.6).
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array

Plane = NDArray[np.complex128]

# How many numbers each command takes at a time.
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_TOKEN = re.compile(r"[MLHVCSQTAZmlhvcsqtaz]|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[\s,]+|.", re.DOTALL)
_FLAG = re.compile(r"[\s,]*([01])")
# Straight pieces for one curve: its polyline is shorter by some millionths.
_PIECES = 200
# Commands of a stroke, and those of them that are curves: a drawing of more is none that anybody walks.
_MOST, _MOST_CURVES = 100_000, 5000
# Units from the origin, beyond which squares and their sums are no numbers any more.
_FURTHEST = 1e9


class OutlineError(ValueError):
    """Path data that cannot be understood; ``offset`` is the place in the text."""

    def __init__(self, what: str, offset: int):
        super().__init__(what)
        self.offset = offset


def points_of(data: str) -> Array:
    """Points ``(N, 2)`` of the first stroke in path data, in its own units and axes; the stroke ends at the next M.

    >>> points_of("M 1,2 h 3 v-4 z").tolist()
    [[1.0, 2.0], [4.0, 2.0], [4.0, -2.0], [1.0, 2.0]]
    """
    points: list[complex] = []
    # what S and T mirror: the last control point of a curve of the same kind
    control: complex | None = None
    previous = ""
    curves = 0
    for command, values, offset in _commands(data):
        kind, relative = command.upper(), command.islower()
        if any(abs(value) > _FURTHEST for value in values):
            raise OutlineError(f"a number is larger than {_FURTHEST:g}", offset)
        curves += kind in "CSQTA"
        if curves > _MOST_CURVES:
            raise OutlineError(f"more than {_MOST_CURVES:,} curves are not read", offset)
        if not points:
            if kind != "M":
                raise OutlineError("path data begins with M", offset)
            points.append(complex(*values))
            previous = "M"
            continue
        here = points[-1]
        base = here if relative else 0j
        if kind == "M":
            if len(points) > 1:
                break
            points = [complex(*values) + base]
        elif kind in "LHV":
            points.append(_straight(kind, values, here, relative))
        elif kind == "Z":
            points.append(points[0])
        elif kind == "A":
            points += _arc(here, values, base + complex(*values[5:])).tolist()
        else:
            given = [base + complex(x, y) for x, y in zip(values[::2], values[1::2], strict=True)]
            if kind in "ST":
                same = previous in ("CS" if kind == "S" else "QT")
                given = [2 * here - control if same and control is not None else here, *given]
            control = given[-2]
            points += _bezier([here, *given]).tolist()
        previous = kind
    line: Plane = np.array(points, dtype=np.complex128)
    return np.stack([line.real, line.imag], axis=-1)


def _commands(data: str) -> list[tuple[str, list[float], int]]:
    """Commands with their numbers and places in the text; a command that is left out is the last one again."""
    commands: list[tuple[str, list[float], int]] = []
    values: list[float] = []
    command, begin, place, fed = "", 0, 0, True
    while place < len(data):
        found = _TOKEN.match(data, place)
        assert found is not None  # the last branch matches any character
        token = found.group()
        # the flags of an arc are single digits, which may stand together
        if command in ("A", "a") and len(values) in (3, 4) and not token.isalpha():
            found = _FLAG.match(data, place)
            if found is None:
                raise OutlineError("a flag of an arc must be 0 or 1", place)
            token = found.group(1)
        if token.upper() in _TAKES:
            _complete(command, values, fed, place)
            command, values, begin, fed = token, [], place, False
            if token in "Zz":
                commands.append((command, [], begin))
                command, fed = "", True
        elif not token.strip(" \t\r\n\f,"):
            pass
        elif len(token) == 1 and not token.isdigit():
            raise OutlineError(f"{token!r} has no meaning in path data", place)
        elif not command:
            raise OutlineError("a number stands where a command is expected", place)
        else:
            values.append(float(token))
            if len(commands) >= _MOST:
                raise OutlineError(f"more than {_MOST:,} commands are not read", place)
            if len(values) == _TAKES[command.upper()]:
                commands.append((command, values, begin))
                # further pairs after a move are lines to
                command = {"M": "L", "m": "l"}.get(command, command)
                values, begin, fed = [], found.end(), True
        place = found.end()
    _complete(command, values, fed, len(data))
    return commands


def _complete(command: str, values: list[float], fed: bool, place: int) -> None:
    """Refuse a command that was given only some of its numbers, or none."""
    if values or not fed:
        raise OutlineError(f"{command} takes {_TAKES[command.upper()]} numbers, found {len(values)}", place)


def _straight(kind: str, values: list[float], here: complex, relative: bool) -> complex:
    """Where a line ends."""
    base = here if relative else 0j
    if kind == "L":
        return base + complex(*values)
    if kind == "H":
        return complex(base.real + values[0], here.imag)
    return complex(here.real, base.imag + values[0])


def _bezier(controls: list[complex]) -> Plane:
    """Points on a Bézier curve after its first, by de Casteljau's construction."""
    t = np.arange(1, _PIECES + 1) / _PIECES
    level = [np.full(_PIECES, control) for control in controls]
    while len(level) > 1:
        level = [(1 - t) * a + t * b for a, b in pairwise(level)]
    return level[0]


def _arc(start: complex, values: list[float], end: complex) -> Plane:
    """Points on an elliptical arc after its first."""
    rx, ry, turn = abs(values[0]), abs(values[1]), np.radians(values[2])
    large, sweep = values[3] == 1, values[4] == 1
    if rx == 0 or ry == 0 or start == end:
        return np.array([end])
    axes = np.exp(1j * turn)
    # half the chord, in the frame of the ellipse scaled to the unit circle (F.6.5.1)
    half = (start - end) / 2 / axes
    half = complex(half.real / rx, half.imag / ry)
    if abs(half) > 1:  # too small to reach: grown until it does (F.6.6)
        rx, ry, half = rx * abs(half), ry * abs(half), half / abs(half)
    side = np.sqrt(max(1 / abs(half) ** 2 - 1, 0.0)) * (-1 if large == sweep else 1)
    centre = side * complex(half.imag, -half.real)
    first = np.angle(half - centre)
    angle = np.angle((-half - centre) / (half - centre)) % (2 * np.pi)
    if not sweep:
        angle -= 2 * np.pi
    on_circle = np.exp(1j * (first + angle * np.arange(1, _PIECES + 1) / _PIECES)) + centre
    points: Plane = axes * (rx * on_circle.real + 1j * ry * on_circle.imag) + (start + end) / 2
    points[-1] = end
    return points
