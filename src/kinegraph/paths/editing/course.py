"""The path of a motion: the curve that its root goes along once the sway of its steps is taken out, and how far along it each frame is.

What the body does relative to the frame that moves along that curve is its residual (Gleicher, "Motion path editing", 2001). Two paths are
offered: a spline whose stiffness follows the stride, and the paper's least-squares polynomial of a chosen degree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinegraph.errors import MotionError
from kinegraph.motion import filters, rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.rotation import Array
from kinegraph.motion.skeleton import frozen_array
from kinegraph.paths import moving
from kinegraph.paths.bspline import Spline
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.stride import stride
from kinegraph.paths.moving import MovingFrame, moving_frame
from kinegraph.paths.polynomial import Polynomial, PolynomialCurve

# Metres that a motion must go in all, or it has no path to edit.
SHORTEST = 0.3
# Seconds of a stride where none can be told: that of a walk.
USUAL_STRIDE = 1.1

# Share of a stride over which the way is steadied before its metres are counted: the sigma of `moving` for a walk.
_STEADY = moving.SIGMA / USUAL_STRIDE
# The share of a sway as long as a stride that is left is 1 / (1 + _DAMPED): 2 %.
_DAMPED = 50.0
# How much stiffer the spline is at its very ends, falling off over a stride: they have nothing beyond to lean against, and would sway.
_ENDS = 10.0
_DEGREE = 5
# Pieces of the spline in a stride, and in the shortest of clips.
_PIECES, _FEWEST = 6, 4
# Metres a second that a frame counts for at least, however slowly it goes: a body that stands says where, but not for every second of it.
_STANDING = 0.02
# Share of a frame's weight with which the straight line from frame to frame counts: where frames are few or far apart, nothing else does.
_BETWEEN = 1e-3
# Metres: nobody's stride is shorter, and the spline would have pieces without end.
_SOFTEST = 0.05
# Lengths of the clip: a stiffness beyond this changes nothing more, the path being a line or an arc, but takes digits away.
_STIFFEST = 4.0
# How often the bends found so far are given to the spline as what it need not straighten.
_PASSES = 3
# Radians per metre: nobody's way bends more than with a radius of 20 cm, and the spline takes sharper ones for sway.
_SHARPEST = 5.0
# Metres of curve by metre walked: where there is less the curve turns on the spot, as it does when a walker turns back.
_FOLDED = 0.7
# There it is made to go on at an even pace, as strongly as it is held to the root over this many metres, and to turn over the second many.
_UNFOLDING, _UNFOLDED = 1.0, 0.2
_GAUSS = 3
# Places by frame at which a curve is compared with its own values at the frames.
_FINER = 20


@dataclass(frozen=True, eq=False)
class Course:
    """The path of a motion of F frames: a ``curve`` over the floor, and the metres ``walked (F,)`` along it at each frame."""

    curve: Curve
    walked: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "walked", frozen_array(self.walked))

    def __len__(self) -> int:
        return len(self.walked)

    @cached_property
    def frame(self) -> MovingFrame:
        """The frame that moves along the curve with the motion, F times."""
        heading = np.unwrap(self.curve.heading(self.walked))
        return MovingFrame(self.curve.at(self.walked), heading, self.walked)


@dataclass(frozen=True, eq=False)
class Residuals:
    """What a motion does about its path. ``translation (F, 3)`` in metres and ``orientation (F, 4)`` of the root.

    Relative ones are seen from the moving frame: left of it, up from the floor, ahead. Absolute ones are in the world's axes.
    """

    translation: Array
    orientation: Array


def residuals(motion: Motion, course: Course) -> Residuals:
    """The motion as seen from the frame that moves along its path, with Y up and Z along the tangent."""
    frame = course.frame
    left, ahead = moving.residuals(motion, frame).T
    turned = rotation.multiply(rotation.about_y(-frame.heading), motion.rotations[:, 0])
    return Residuals(np.stack([left, motion.root[:, 1], ahead], axis=-1), rotation.unroll(turned))


def absolute_residuals(motion: Motion, course: Course) -> Residuals:
    """The motion as seen from the point that moves along its path, with the world's axes: laid on a path that turns, it does not turn."""
    apart = motion.root.copy()
    apart[:, [0, 2]] -= course.frame.points
    return Residuals(apart, motion.rotations[:, 0])


# -- two ways to a course ------------------------------------------------------------------------------------------------


def course_of(motion: Motion, degree: int | None = None) -> Course:
    """The path of a motion: the spline that follows its stride, or the polynomial of that ``degree``."""
    return stride_course(motion) if degree is None else polynomial_course(motion, degree)


def polynomial_course(motion: Motion, degree: int) -> Course:
    """The polynomial of that degree over time that comes nearest to the root on the floor, as in the paper; 1 to 45."""
    polynomial = Polynomial.fitted(motion.root[:, [0, 2]], degree, (0.0, max(len(motion) - 1, 1) / motion.fps))
    _check_goes(moving_frame(motion))
    curve = PolynomialCurve(polynomial)
    return Course(curve, curve.lengths(np.arange(len(motion)) / motion.fps))


def stride_course(motion: Motion, stiffness: float | None = None) -> Course:
    """The spline nearest to the root that does not sway with its steps.

    stiffness: metres. A sway of that wavelength is damped to 2 %, longer swings stay; by default the length of a stride. Circles keep
    their radius. While the body stands the curve stays where it is, and heads the way it came or will go.
    """
    if stiffness is not None and not _SOFTEST <= stiffness < np.inf:
        raise MotionError(f"the stiffness of a path is a wavelength of {_SOFTEST:g} metres or more, got {stiffness:g}")
    seconds = stride(motion) or USUAL_STRIDE
    way = moving_frame(motion, _STEADY * seconds)
    _check_goes(way)
    steps = np.diff(way.walked)
    if stiffness is None:
        stiffness = max(float(way.walked[-1] / np.count_nonzero(steps) * motion.fps * seconds), _SOFTEST)
    covered = np.concatenate([[0.0], steps / 2]) + np.concatenate([steps / 2, [0.0]])
    weights = np.maximum(covered, _STANDING / motion.fps)
    curve = _stiff_spline(way.walked, motion.root[:, [0, 2]], weights, stiffness)
    return Course(curve, curve.lengths(way.walked))


def _check_goes(way: MovingFrame) -> None:
    if way.walked[-1] >= SHORTEST:
        return
    raise MotionError(
        f"this clip stands: its root goes {100 * way.walked[-1]:.0f} cm in all, and a path takes {100 * SHORTEST:.0f} cm or more. "
        "There is no path to edit: choose a clip that walks, or move this one as a whole"
    )


# -- the spline ----------------------------------------------------------------------------------------------------------


def _stiff_spline(walked: Array, points: Array, weights: Array, wavelength: float) -> Spline:
    """The quintic by metres ``walked (F,)`` nearest to ``points (F, 2)``, each counting for ``weights (F,)`` metres, that does not sway.

    A swing of that wavelength in metres is damped to 2 %: what is least is the sum of squared distances plus a multiple of the integral of
    |S''' + ω² S'|², with ω the rate at which the curve turns. That vanishes on lines, and on circles once ω is known: so ω is 0 at first,
    and in further passes what the last one found. Where a walker turns back, the fold becomes a narrow bend.
    """
    from scipy.linalg import solveh_banded  # here, since importing it takes time

    length = float(walked[-1])
    wavelength = min(wavelength, _STIFFEST * length)
    breaks = np.linspace(0.0, length, max(_FEWEST, int(np.ceil(_PIECES * length / wavelength))) + 1)
    knots = np.concatenate([np.zeros(_DEGREE), breaks, np.full(_DEGREE, length)])
    count = len(knots) - _DEGREE - 1
    nodes, shares = np.polynomial.legendre.leggauss(_GAUSS)
    half = length / (len(breaks) - 1) / 2
    places = ((breaks[:-1] + half)[:, None] + half * nodes).ravel()
    metres = np.tile(half * shares, len(breaks) - 1)
    # about the first point, so that rounding does not grow with the distance from the origin
    apart = points - points[0]
    between = np.stack([np.interp(places, walked, apart[:, axis]) for axis in (0, 1)], axis=-1)
    basis, first = _basis(np.concatenate([walked, places]), knots, 0)
    weights = np.concatenate([weights, _BETWEEN * metres])
    distances = _products(basis, first, weights, count)
    wanted = _gathered(basis, first, weights[:, None] * np.concatenate([apart, between]), count)
    slope, first = _basis(places, knots, 1)
    bend, jerk = (_basis(places, knots, order)[0] for order in (2, 3))
    end = np.minimum(places, length - places) / wavelength
    stiffness = (wavelength / (2 * np.pi)) ** 6 * _DAMPED * (1 + (_ENDS - 1) * np.clip(1 - end, 0.0, 1.0))
    turning, folded = np.zeros(len(places)), np.zeros(len(places), np.bool_)
    controls = np.zeros((count, 2))
    for number in range(_PASSES):
        sway = _products(jerk + turning**2 * slope, first, metres * stiffness, count)
        controls = solveh_banded(distances + sway, wanted, lower=True)
        velocity, change = (_summed(values, first, controls) for values in (slope, bend))
        if number == 0:
            folded, ahead = _unfolded(velocity, length / len(places))
            if folded.any():
                pull = _UNFOLDING**2 * metres * folded
                distances += _products(slope, first, pull, count)
                wanted += _gathered(slope, first, pull[:, None] * ahead, count)
        turning = np.where(folded, 0.0, _turning(velocity, change))
    return Spline(controls + points[0], _DEGREE, knots)


def _turning(velocity: Array, change: Array) -> Array:
    """Radians per unit of the parameter ``(P,)`` by which a curve turns, of its first and second derivatives ``(P, 2)``."""
    speed = np.maximum(np.hypot(velocity[:, 0], velocity[:, 1]), _FOLDED)
    rate = (velocity[:, 1] * change[:, 0] - velocity[:, 0] * change[:, 1]) / speed**2
    turning: Array = np.clip(rate, -_SHARPEST, _SHARPEST)
    return turning


def _unfolded(velocity: Array, spacing: float) -> tuple[NDArray[np.bool_], Array]:
    """Where ``(P,)`` a curve all but stands, for it turns on the spot, and unit vectors ``(P, 2)`` that turn there over a stretch instead.

    Derivatives ``velocity (P, 2)`` by the metres walked are given, so many metres apart.
    """
    slow = np.hypot(velocity[:, 0], velocity[:, 1]) < _FOLDED
    if not slow.any():
        return slow, np.zeros_like(velocity)
    reach = int(np.ceil(3 * _UNFOLDED / spacing))
    heading = np.unwrap(np.arctan2(velocity[:, 0], velocity[:, 1]))
    heading = filters.smoothed(heading, _UNFOLDED / spacing, reach)
    around = filters.highest(slow.astype(np.float64), reach) > 0
    return around, np.stack([np.sin(heading), np.cos(heading)], axis=-1)


def _basis(t: Array, knots: Array, order: int) -> tuple[Array, NDArray[np.intp]]:
    """The quintic B-splines that are not 0 at ``t (P,)``, or their derivatives: ``(6, P)``, and the index ``(P,)`` of the first of them."""
    above = np.clip(np.searchsorted(knots, t, side="right"), _DEGREE + 1, len(knots) - _DEGREE - 1)
    near = knots[above + np.arange(-_DEGREE, _DEGREE)[:, None]]
    values = np.zeros((_DEGREE + 1, len(t)))
    values[0] = 1.0
    for degree in range(1, _DEGREE + 1):
        raised = np.zeros_like(values)
        for index in range(degree):
            low, high = near[_DEGREE + index - degree], near[_DEGREE + index]
            share = values[index] / (high - low)
            # the recursion of Cox and de Boor; in its last steps that of the derivatives
            if degree <= _DEGREE - order:
                raised[index] += (high - t) * share
                raised[index + 1] += (t - low) * share
            else:
                raised[index] -= degree * share
                raised[index + 1] += degree * share
        values = raised
    return values, above - 1 - _DEGREE


def _products(basis: Array, first: NDArray[np.intp], weights: Array, count: int) -> Array:
    """Weighted sums over all places of the products of B-splines, as the lower bands ``(6, count)`` of a symmetric matrix."""
    bands = np.zeros((len(basis), count))
    for one in range(len(basis)):
        weighted = weights * basis[one]
        for other in range(one, len(basis)):
            bands[other - one] += np.bincount(first + one, weighted * basis[other], count)
    return bands


def _gathered(basis: Array, first: NDArray[np.intp], values: Array, count: int) -> Array:
    """Sums over all places of B-splines times ``values (P, 2)``: ``(count, 2)``."""
    sums = np.zeros((count, 2))
    for index, row in enumerate(basis):
        for axis in (0, 1):
            sums[:, axis] += np.bincount(first + index, row * values[:, axis], count)
    return sums


def _summed(basis: Array, first: NDArray[np.intp], controls: Array) -> Array:
    """The spline of those controls, or its derivative, at all places: ``(P, 2)``."""
    sums: Array = np.einsum("ip,ipa->pa", basis, controls[first + np.arange(len(basis))[:, None]])
    return sums


# -- how well it fits ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """How near a path is to its motion. degree: of the polynomial; None is the spline that follows the stride.

    rms_cm, max_cm: of the translation residual on the floor. rms_degrees, max_degrees: of `heading_residual`. between_cm: of
    `between_frames`, where a curve that blows up between samples shows. length: of the curve in metres.
    """

    degree: int | None
    rms_cm: float
    max_cm: float
    rms_degrees: float
    max_degrees: float
    between_cm: float
    length: float


def residual_table(motion: Motion, degrees: Sequence[int]) -> list[Fit]:
    """How near the polynomials of those degrees come to a motion, in that order, and then the spline that follows its stride."""
    return [fit_of(motion, course_of(motion, degree), degree) for degree in (*degrees, None)]


def fit_of(motion: Motion, course: Course, degree: int | None = None) -> Fit:
    """How near one course comes to its motion."""
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
    """Radians ``(F,)`` by which the body faces left of the tangent, less what it does on average (as in a sidestep).

    Where the hips are not known, the root's own axis has the say.
    """
    if motion.skeleton.has_roles("left_hip", "right_hip"):
        faces = motion.heading()
    else:
        ahead = rotation.rotate(motion.rotations[:, 0], np.array([0.0, 0.0, 1.0]))
        faces = np.arctan2(ahead[:, 0], ahead[:, 2])
    apart = faces - course.frame.heading
    middle = np.arctan2(np.sin(apart).mean(), np.cos(apart).mean())
    within: Array = np.mod(apart - middle + np.pi, 2 * np.pi) - np.pi
    return within


def between_frames(course: Course) -> float:
    """Metres by which the curve is at most away from the polyline of its points at the frames, looked at 20 times between each two."""
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
