"""How well a path fits its motion: the dissertation's residuals by degree (figures 5.8 to 5.11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.paths.editing.course import Course, course_of, residuals
from kinegraph.paths.editing.joints import facing

# Places by frame at which a curve is compared with its own values at the frames.
_FINER = 20


@dataclass(frozen=True)
class Fit:
    """How near a path is to its motion."""

    degree: int | None
    """Of the polynomial; None is the spline that follows the stride."""
    rms_cm: float
    """Root mean square of the translation residual on the floor."""
    max_cm: float
    """Its maximum."""
    rms_degrees: float
    """Root mean square of `heading_residual`."""
    max_degrees: float
    """Its maximum."""
    between_cm: float
    """`between_frames`, which shows a curve that swings out between samples."""
    length: float
    """Of the curve, in metres."""


def residual_table(motion: Motion, degrees: Sequence[int]) -> list[Fit]:
    """How near the polynomials of these degrees are to a motion, in that order, and last the spline that follows its stride."""
    return [fit_of(motion, course_of(motion, degree), degree) for degree in (*degrees, None)]


def fit_of(motion: Motion, course: Course, degree: int | None = None) -> Fit:
    """How near one course is to its motion."""
    found = residuals(motion, course).translation
    apart = 100 * np.hypot(found[:, 0], found[:, 2])
    turned = np.abs(np.degrees(heading_residual(motion, course)))
    return Fit(
        degree,
        _rms(apart),
        float(apart.max()),
        _rms(turned),
        float(turned.max()),
        100 * between_frames(course),
        course.curve.length,
    )


def heading_residual(motion: Motion, course: Course) -> Array:
    """Radians ``(F,)`` by which the body faces left of the tangent, minus the average (which is large in a sidestep).

    If the hips are not known, the root's own axis is used.
    """
    if motion.skeleton.has_roles("left_hip", "right_hip"):
        faces = facing(motion)
    else:
        ahead = rotation.rotate(motion.rotations[:, 0], np.array([0.0, 0.0, 1.0]))
        faces = np.arctan2(ahead[:, 0], ahead[:, 2])
    apart = faces - course.frame.heading
    middle = np.arctan2(np.sin(apart).mean(), np.cos(apart).mean())
    within: Array = np.mod(apart - middle + np.pi, 2 * np.pi) - np.pi
    return within


def between_frames(course: Course) -> float:
    """The greatest distance in metres between the curve and the polyline of its points at the frames, checked 20 times between each two."""
    walked, points = course.walked[:, None], course.frame.points[:, None]
    shares = np.arange(1, _FINER) / _FINER
    between = course.curve.at(walked[:-1] + shares * (walked[1:] - walked[:-1]))
    # from the one segment that each belongs to: the polyline as a whole would forgive a swing onto another part of it
    chord, apart = points[1:] - points[:-1], between - points[:-1]
    along = np.sum(apart * chord, axis=-1) / np.maximum(np.sum(chord**2, axis=-1), 1e-18)
    away = apart - np.clip(along, 0.0, 1.0)[..., None] * chord
    return float(np.hypot(away[..., 0], away[..., 1]).max(initial=0.0))


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2)))
