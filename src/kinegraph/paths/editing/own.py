"""A motion's own path as a curve to edit: with a few controls that a hand can move, or just as it is."""

from __future__ import annotations

import numpy as np

from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.course import Course
from kinegraph.paths.path import Path

# Metres between the points that are taken of a curve, and how many there are at least.
_STEP, _FEWEST = 0.01, 50


def own_path(course: Course, controls: int | None = None) -> Path | Spline:
    """The curve of a course as a cubic spline with so many ``controls``; by default the curve itself (of a polynomial, points along it)."""
    if controls is not None:
        return Spline.fitted(own_points(course).points, controls)
    return course.curve if isinstance(course.curve, Spline) else own_points(course)


def own_points(course: Course) -> Path:
    """Points along the curve of a course, a centimetre apart."""
    curve = course.curve
    return Path(curve.at(np.linspace(0.0, curve.length, max(int(np.ceil(curve.length / _STEP)), _FEWEST) + 1)))


def apart_from(course: Course, curve: Path | Spline) -> float:
    """The greatest distance in metres between a course, at its frames, and a curve."""
    return float(curve.nearest(course.frame.points)[0].max())
