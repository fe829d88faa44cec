"""The course of a motion: the curve of its root without the sway of its steps, and how far along it each frame is.

A frame moves along that curve with the motion. What the body does relative to this frame is the residual (Gleicher, "Motion path editing",
2001). The curve is either a spline whose stiffness follows the stride, or the paper's least-squares polynomial of a chosen degree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import MotionError
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.paths import moving
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.stiff import stiff_spline
from kinegraph.paths.editing.stride import stride
from kinegraph.paths.moving import MovingFrame, moving_frame
from kinegraph.paths.path import Path
from kinegraph.paths.polynomial import Polynomial, PolynomialCurve

# Metres that a motion must go in all, or it has no path to edit.
SHORTEST = 0.3
# Seconds of a stride where none can be told: that of a walk.
USUAL_STRIDE = 1.1

# Share of a stride over which the way is steadied before its metres are counted: the sigma of `moving` for a walk.
_STEADY = moving.SIGMA / USUAL_STRIDE
# Metres a second that a frame counts for at least, however slowly it goes: a body that stands says where, but not for every second of it.
_STANDING = 0.02
# Metres: nobody's stride is shorter, and the spline would have pieces without end.
_SOFTEST = 0.05


@dataclass(frozen=True, eq=False)
class Course:
    """The path of a motion of F frames."""

    curve: Curve
    walked: Array
    """``(F,)``: metres along the curve at each frame."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "walked", frozen_array(self.walked))

    def __len__(self) -> int:
        return len(self.walked)

    @cached_property
    def frame(self) -> MovingFrame:
        """The frame that moves along the curve with the motion, at each of the F frames."""
        heading = np.unwrap(self.curve.heading(self.walked))
        return MovingFrame(self.curve.at(self.walked), heading, self.walked)


@dataclass(frozen=True, eq=False)
class Residuals:
    """What the root does relative to its path.

    Relative residuals are seen from the moving frame: left of it, up from the floor, ahead. Absolute ones are along the world's axes.
    """

    translation: Array
    """``(F, 3)``, in metres."""
    orientation: Array
    """``(F, 4)``."""


def residuals(motion: Motion, course: Course) -> Residuals:
    """The motion as seen from the frame that moves along its path, with Y up and Z along the tangent."""
    frame = course.frame
    left, ahead = moving.residuals(motion, frame).T
    turned = rotation.multiply(rotation.about_y(-frame.heading), motion.rotations[:, 0])
    return Residuals(np.stack([left, motion.root[:, 1], ahead], axis=-1), rotation.unroll(turned))


def absolute_residuals(motion: Motion, course: Course) -> Residuals:
    """The motion as seen from the point that moves along its path, along the world's axes: on a path that turns, it does not turn."""
    apart = motion.root.copy()
    apart[:, [0, 2]] -= course.frame.points
    return Residuals(apart, motion.rotations[:, 0])


# -- two ways to a course ------------------------------------------------------------------------------------------------


def course_of(motion: Motion, degree: int | None = None, *, seconds: float | None = None) -> Course:
    """The course of a motion: the spline that follows its stride, or the polynomial of that ``degree``.

    seconds: how long a stride lasts, if that is known already.

    >>> import kinegraph as kg
    >>> course = kg.paths.course_of(kg.samples.make("walk_left_medium").motion)    # on a circle of 2 m
    >>> round(course.curve.length, 2), round(1 / course.curve.curvature(2.0).item(), 1)
    (4.77, 2.0)
    """
    return stride_course(motion, seconds=seconds) if degree is None else polynomial_course(motion, degree)


def polynomial_course(motion: Motion, degree: int) -> Course:
    """The polynomial over time of that degree, 1 to 45, that is nearest to the root on the floor, as in the paper."""
    polynomial = Polynomial.fitted(motion.root[:, [0, 2]], degree, (0.0, max(len(motion) - 1, 1) / motion.fps))
    _check_goes(moving_frame(motion))
    curve = PolynomialCurve(polynomial)
    return Course(curve, curve.lengths(np.arange(len(motion)) / motion.fps))


def stride_course(motion: Motion, stiffness: float | None = None, *, seconds: float | None = None) -> Course:
    """The spline nearest to the root that does not sway with its steps.

    stiffness: metres, by default the length of a stride. A sway of this wavelength is damped to 2 %; longer swings stay. seconds: how
    long a stride lasts, if that is known already. Circles keep their radius. While the body stands, the curve stays in place and heads
    the way the body came or will go.
    """
    if stiffness is not None and not _SOFTEST <= stiffness < np.inf:
        raise MotionError(f"the stiffness of a path is a wavelength of {_SOFTEST:g} metres or more, got {stiffness:g}")
    seconds = seconds or stride(motion) or USUAL_STRIDE
    way = moving_frame(motion, _STEADY * seconds)
    _check_goes(way)
    steps = np.diff(way.walked)
    if stiffness is None:
        stiffness = max(float(way.walked[-1] / np.count_nonzero(steps) * motion.fps * seconds), _SOFTEST)
    covered = np.concatenate([[0.0], steps / 2]) + np.concatenate([steps / 2, [0.0]])
    weights = np.maximum(covered, _STANDING / motion.fps)
    curve = stiff_spline(way.walked, motion.root[:, [0, 2]], weights, stiffness)
    return Course(curve, curve.lengths(way.walked))


def standing_course(motion: Motion) -> Course:
    """A course on which nothing is walked: where the motion begins, and the way it faces there, for all of its frames.

    What is laid on another path by it stays at the beginning of that path, and is moved and turned as a whole.

    >>> import kinegraph as kg
    >>> standing_course(kg.samples.make("kick_low_centre").motion).walked.max().item()
    0.0
    """
    x, z = motion.root[0, [0, 2]]
    known = motion.skeleton.has_roles("left_hip", "right_hip")
    heading = float(motion[:1].heading()[0]) if known else 0.0
    ahead = np.array([[x, z], [x + np.sin(heading), z + np.cos(heading)]])
    return Course(Path(ahead), np.zeros(len(motion)))


def _check_goes(way: MovingFrame) -> None:
    if way.walked[-1] >= SHORTEST:
        return
    raise MotionError(
        f"this clip stands, or hardly leaves its place: its root goes {100 * way.walked[-1]:.0f} cm in all, and a path takes "
        f"{100 * SHORTEST:.0f} cm or more. There is no path to edit: choose a clip that walks, or have this one stay where the path begins "
        "(keep='place', --keep place)"
    )
