"""Grounds: how high the ground is at every place, in metres. By name (`hill:2,10`, `slope:20%`), or as a height field from a file.

Paths begin at the origin heading +Z, and grounds are laid out for them: a hill begins to rise there, and a slope goes up ahead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import PurePath
from typing import ParamSpec, Protocol

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.catalogue import Catalogue
from kinegraph.errors import MotionError
from kinegraph.paths.heightfield import STEEPEST, SUFFIXES, HeightField, too_steep
from kinegraph.paths.named import Dial, Spelled, added, asked
from kinegraph.paths.path import LONGEST
from kinegraph.paths.search import checked


class Ground(Protocol):
    """What every ground can do: give the height and the slope anywhere on the floor."""

    def __call__(self, points: ArrayLike) -> Array:
        """Heights ``(...)`` in metres at floor points ``(..., 2)``, each (x, z)."""

    def gradient(self, points: ArrayLike) -> Array:
        """Rise ``(..., 2)`` in metres per metre towards +X and towards +Z, at floor points ``(..., 2)``."""


P = ParamSpec("P")


@dataclass(frozen=True)
class Profile:
    """A ground whose height only depends on how far one has gone from the origin in one direction; it is level across."""

    rise: Callable[[Array], tuple[Array, Array]]
    """From that distance to height and slope."""
    heading: float = 0.0
    """The direction, in radians."""

    @property
    def _way(self) -> Array:
        return np.array([np.sin(self.heading), np.cos(self.heading)])

    def __call__(self, points: ArrayLike) -> Array:
        """Heights ``(...)`` in metres at floor points ``(..., 2)``."""
        return self.rise(checked(points) @ self._way)[0]

    def gradient(self, points: ArrayLike) -> Array:
        """Rise ``(..., 2)`` in metres per metre towards +X and +Z at floor points ``(..., 2)``."""
        gradient: Array = self.rise(checked(points) @ self._way)[1][..., None] * self._way
        return gradient


@dataclass(frozen=True)
class Hill:
    """A round hill, or a hollow if its height is negative: half a cosine wave from the top down to the foot, and flat around it."""

    height: float
    radius: float
    x: float
    z: float

    def __call__(self, points: ArrayLike) -> Array:
        """Heights ``(...)`` in metres at floor points ``(..., 2)``."""
        share = np.minimum(np.hypot(*np.moveaxis(self._from_top(points), -1, 0)) / self.radius, 1.0)
        heights: Array = self.height * (1 + np.cos(np.pi * share)) / 2
        return heights

    def gradient(self, points: ArrayLike) -> Array:
        """Rise ``(..., 2)`` in metres per metre towards +X and +Z at floor points ``(..., 2)``."""
        away = self._from_top(points)
        share = np.minimum(np.hypot(away[..., 0], away[..., 1]) / self.radius, 1.0)
        # sin(π u) / u, finite at the top
        gradient: Array = -self.height * np.pi**2 / 2 / self.radius**2 * np.sinc(share)[..., None] * away
        return gradient

    def _from_top(self, points: ArrayLike) -> Array:
        return checked(points) - [self.x, self.z]


GROUNDS: Catalogue[Spelled[Ground]] = Catalogue("ground")
"""The grounds by name."""


def register_ground(example: str, help: str, *dials: Dial) -> Callable[[Callable[P, Ground]], Callable[P, Ground]]:
    """A decorator that makes a ground known by its function's name. The function's parameters are the numbers written after the name.

    The first number says how much the ground rises: if it is 0, the ground is flat. dials: how its first numbers are set by hand; by
    default from 0 to twice their value in the example. Everything that takes or lists grounds then knows it. `GROUNDS.remove` removes it.

    >>> @register_ground("dip:1", "A hollow ahead.")
    ... def dip(depth: float) -> Ground:
    ...     return hill(-depth, 5.0)
    >>> ground("dip:1")([0.0, 5.0]).item(), GROUNDS["dip"].usage
    (-1.0, 'dip:DEPTH')
    >>> GROUNDS.remove("dip")
    """
    return added(GROUNDS, example, help, dials)


@register_ground(
    "slope:10%",
    "A plane that rises straight ahead, or towards a heading.",
    Dial("Grade", "%", -30, 30, 1, usual=10),
    Dial("Rises towards", "°", -180, 180, 5, usual=0),
)
def slope(grade: float, heading: float = 0.0) -> Ground:
    """A plane through the origin that rises by ``grade`` metres per metre towards ``heading`` degrees (0: +Z, 90: +X)."""
    _refuse_steep(abs(grade), f"a slope of {100 * grade:g} %")
    return Profile(lambda along: (grade * along, np.full_like(along, grade)), float(np.radians(heading)))


@register_ground(
    "hill:1,6",
    "A round hill straight ahead; with a negative height a hollow.",
    Dial("Height", "m", -1.5, 1.5, 0.05, usual=0.8),
    Dial("Radius", "m", 2, 12, 0.25, usual=5),
)
def hill(height: float, radius: float, x: float = 0.0, z: float | None = None) -> Ground:
    """A round hill, or a hollow if ``height`` is negative. Its top is at x, z; by default straight ahead, with its foot at the origin."""
    _above_zero(radius, "radius of a hill")
    _refuse_steep(np.pi / 2 * abs(height) / radius, f"a hill of {height:g} m within {radius:g} m")
    return Hill(height, radius, x, radius if z is None else z)


@register_ground(
    "waves:0.4,5",
    "Rolling ground, from trough to crest and down again.",
    Dial("Height", "m", 0.05, 1, 0.05, usual=0.4),
    Dial("Length", "m", 2, 12, 0.25, usual=5),
)
def waves(height: float, length: float) -> Ground:
    """Waves along +Z: ``height`` metres from trough to crest, ``length`` from crest to crest; the origin lies in a trough."""
    _above_zero(length, "length of waves")
    _refuse_steep(np.pi * abs(height) / length, f"waves of {height:g} m every {length:g} m")
    rate = 2 * np.pi / length
    return Profile(lambda z: (height / 2 * (1 - np.cos(rate * z)), height / 2 * rate * np.sin(rate * z)))


@register_ground(
    "ramp:1,2,6",
    "Flat, then up or down between two places, then flat.",
    Dial("Height", "m", -1.5, 1.5, 0.05, usual=0.5),
    Dial("From", "m", 0, 10, 0.25, usual=1),
    Dial("To", "m", 2, 20, 0.25, usual=4),
)
def ramp(height: float, start: float, end: float) -> Ground:
    """Flat, then up (or down) by ``height`` from z = ``start`` to ``end``, with a gentle beginning and end, then flat again."""
    run = end - start
    _above_zero(run, "length of a ramp, from START to END,")
    _refuse_steep(1.5 * abs(height) / run, f"a ramp of {height:g} m within {run:g} m")

    def rise(z: Array) -> tuple[Array, Array]:
        share = np.clip((z - start) / run, 0.0, 1.0)
        return height * share**2 * (3 - 2 * share), height * 6 * share * (1 - share) / run

    return Profile(rise)


def ground(source: str | PathLike[str]) -> Ground:
    """The ground of a text such as ``hill:2,10`` or ``slope:20%,90``, or of a height field's file (see `HeightField.from_file`).

    >>> ground("ramp:1,2,6")([[0.0, 2.0], [0.0, 4.0], [9.0, 99.0]]).tolist()
    [0.0, 0.5, 1.0]
    """
    text = str(source).strip()
    if not isinstance(source, str) or PurePath(text).suffix.lower() in SUFFIXES:
        return HeightField.from_file(text)
    note = ", in metres (a grade as 20% or 0.2, a heading in degrees)"
    return asked(
        text, GROUNDS, "ground", _number, note=note, also=f", and height fields in files ({', '.join(SUFFIXES)})"
    )


def _number(word: str, what: str, text: str, usage: str) -> float:
    """One number of a ground; a grade may be in per cent."""
    percent = what == "GRADE" and word.endswith("%")
    try:
        value = float(word.removesuffix("%") if percent else word) / (100 if percent else 1)
    except ValueError:
        raise MotionError(f"{word[:40]!r} in {text[:60]!r} is not a number: {usage}") from None
    if not abs(value) <= LONGEST:
        raise MotionError(f"the {what.lower()} of {text[:60]!r} must be a number within ±{LONGEST:g}, got {word[:40]}")
    return value


def _above_zero(value: float, what: str) -> None:
    if not value > 0:
        raise MotionError(f"the {what} must be above 0 m, got {value:g}")


def _refuse_steep(steepest: float, what: str) -> None:
    if steepest > STEEPEST:
        raise MotionError(too_steep(steepest, what))
