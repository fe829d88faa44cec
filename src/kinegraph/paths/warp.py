"""Warping: a motion that nearly follows a path is bent onto it gently, as far as its feet can take it.

The course of the motion (its root without the sway of its steps) is shifted sideways towards the path, and every pose is
carried along with the course and turned as it turns. There are limits to how much this bends the way, and to how fast the
floor would slide under a standing foot. Where a limit is reached, the warp stays short of the path and says so. The walker
keeps its own speed along the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.errors import MotionError
from kinegraph.motion.clip import Motion
from kinegraph.motion.filters import highest
from kinegraph.paths.bounded import Bounded
from kinegraph.paths.moving import SIGMA, MovingFrame, carried, moving_frame, turned
from kinegraph.paths.path import Path

BEND = np.radians(5.0)
SLIP = 0.10
"""Limits of a gentle warp: radians of turn added per metre walked, and metres per second a foot on the floor is made to slide."""

# Metres from the root within which a foot stands: the warp's turn moves the floor there the fastest.
FOOT_REACH = 0.35
# Share of the allowed slip that may come from walking faster or slower along the bent way; the rest is for its turns.
_STRETCH_SHARE = 0.2
# Limits are aimed at a little below what is allowed, since the course's own bends add to them.
_MARGIN = 0.97

# Metres between the knots of the warp along the way.
_KNOT = 0.1
# Times that the aim is corrected for what the last warp left over.
_ROUNDS = 2
# Times that a warp which breaks its limits is tried again more gently, before the motion is left as it is.
_ATTEMPTS = 10
# Seconds before and after the place of a broken limit in which it is tried more gently.
_AROUND = 0.5
# Knots that a course must have room for, or it counts as standing; and metres per second below which it is as good as
# standing.
_LEAST_KNOTS = 4
_SLOW = 1e-3
# How much the wish to stay at one's place along the way weighs against the wish to be on the path.
_STAY = 0.05
# A warp is held back at a frame where it comes this near to a limit, as a share of it, and leaves more than so many
# metres undone.
_BINDING = 0.95
_UNDONE = 0.002


@dataclass(frozen=True)
class WarpReport:
    """What a warp did. The first four figures are deviations of the course from the path, in metres."""

    mean_before: float
    max_before: float
    mean_after: float
    max_after: float
    added_bend: float
    """The largest added turn, in radians per metre walked."""
    added_slip: float
    """The largest speed that the warp gives to the floor within a foot's reach of the root, in m/s."""
    held_back: float
    """The share of frames at which a limit kept the course off the path."""

    def __str__(self) -> str:
        held = f"; held back in {self.held_back:.0%} of the frames" if self.held_back else ""
        return (
            f"deviation {100 * self.mean_before:.1f} cm (max {100 * self.max_before:.1f}) → {100 * self.mean_after:.1f} cm "
            f"(max {100 * self.max_after:.1f}), added bend ≤ {np.degrees(self.added_bend):.1f}°/m, "
            f"added slip ≤ {100 * self.added_slip:.1f} cm/s{held}"
        )


@dataclass(frozen=True)
class Warped:
    """A warped motion and what was done to it."""

    motion: Motion
    report: WarpReport


def warp(
    motion: Motion,
    path: Path,
    progress: Array | None = None,
    *,
    bend: float = BEND,
    slip: float = SLIP,
    sigma: float = SIGMA,
) -> Warped:
    """Bend a motion that nearly follows ``path`` onto it, within limits.

    progress: ``(F,)``, the arc length of the path that belongs to each frame, if it is known; by default the walker is
    tracked from the path's beginning. bend: radians of turn that may be added per metre walked. slip: metres per second that
    a foot on the floor may be made to slide. sigma: seconds over which the course is smoothed. Contacts are not kept: clean
    the feet afterwards.
    """
    if progress is not None and np.shape(progress) != (len(motion),):
        raise MotionError(f"progress must be one arc length for each of {len(motion)} frames, got {np.shape(progress)}")
    if not (bend > 0 and slip > 0):
        raise MotionError(
            f"the limits of a warp must be above 0, got a bend of {bend:g} rad/m and a slip of {slip:g} m/s"
        )
    course = moving_frame(motion, sigma)
    limits = Limits(np.full(len(motion), _MARGIN * bend), np.full(len(motion), _MARGIN * slip), motion.fps)
    bent, held = course, np.ones(len(motion), dtype=bool)
    bends = slips = np.zeros(len(motion))
    for _ in range(_ATTEMPTS):
        tried = _approached(course, path, progress, limits)
        bends, slips = strain(course, tried.course, motion.fps)
        over = np.maximum(bends / bend, slips / slip)
        if over.max() <= 1.0:
            bent, held = tried.course, tried.binding
            break
        # the limits were kept to first order only: more gently about the place where it went wrong
        ease = 1.0 / highest(np.where(over > 1.0, 1.05 * over, 1.0), round(_AROUND * motion.fps))
        limits = Limits(ease * limits.bend, ease * limits.slip, motion.fps)
    else:
        bends = slips = np.zeros(len(motion))
    before, after = deviation(path, course.points, progress), deviation(path, bent.points, progress)
    report = WarpReport(
        float(before.mean()),
        float(before.max()),
        float(after.mean()),
        float(after.max()),
        float(bends.max()),
        float(slips.max()),
        float(np.mean(held & (after > _UNDONE))),
    )
    return Warped(carried(motion, course, bent.points, bent.heading), report)


@dataclass(frozen=True)
class Limits:
    """What a warp may add at each frame."""

    bend: Array
    """``(F,)``: radians per metre."""
    slip: Array
    """``(F,)``: metres per second."""
    fps: float
    """Frames per second."""


@dataclass(frozen=True, eq=False)
class Shifted:
    """A course that was moved sideways."""

    course: MovingFrame
    """The new course."""
    moved: Array
    """``(F, 2)``: how far it was moved on the floor."""
    binding: NDArray[np.bool_]
    """``(F,)``: where a limit was reached."""


def sideways(course: MovingFrame, points: Array, path: Path, progress: Array | None = None) -> Array:
    """Metres ``(F,)`` to the left of the course's way from ``points (F, 2)`` to the path; ``progress`` as in `warp`."""
    s = path.track(points)[1] if progress is None else progress
    aside: Array = np.einsum("fi,fi->f", path.at(s) - points, course.left)
    return aside


def lengthways(course: MovingFrame, points: Array, path: Path, progress: Array | None = None) -> Array:
    """Metres ``(F,)`` along the course's way back to the path, from ``points (F, 2)`` before its beginning or past its end.

    0 for points beside the path.
    """
    s = path.track(points)[1] if progress is None else progress
    ahead = np.stack([np.sin(course.heading), np.cos(course.heading)], axis=-1)
    onward = np.einsum("fi,fi->f", path.at(s) - points, ahead)
    back: Array = np.where(s <= 0.0, np.maximum(onward, 0.0), np.where(s >= path.length, np.minimum(onward, 0.0), 0.0))
    return back


def deviation(path: Path, points: Array, progress: Array | None = None) -> Array:
    """How far ``(F,)`` a walker at ``points (F, 2)`` is from the path, in metres; beyond its ends, from their straight continuations.

    ``progress``, if it is known, says where on the path the walker begins.
    """
    distance, s = path.track(points, 0.0 if progress is None else float(progress[0]))
    outside = (s <= 0.0) | (s >= path.length)
    apart, along = points - path.at(s), path.tangent(s)
    beside = np.abs(apart[:, 0] * along[:, 1] - apart[:, 1] * along[:, 0])
    metres: Array = np.where(outside, beside, distance)
    return metres


class Shifting:
    """Moves a course sideways, by as much of the wanted shift as limits allow.

    The shift w is a vector on the floor that changes slowly along the way σ, and the body is turned by φ = w′ · left, as
    the way turns. To first order, a foot then slides only because of the turn itself, |φ′| ≤ bend, and because the body
    is faster or slower, w′ · ahead. Shifting or turning the whole motion costs nothing. The shift along the way is
    free, apart from a slight preference for none.
    """

    def __init__(self, course: MovingFrame, limits: Limits) -> None:
        self._course = course
        total = float(course.walked[-1])
        self._stands = total < _LEAST_KNOTS * _KNOT
        if self._stands:
            return
        self._knots = np.linspace(0.0, total, int(np.ceil(total / _KNOT)) + 1)
        self._middles = middles = (self._knots[1:] + self._knots[:-1]) / 2
        self._walking = np.concatenate([[True], np.diff(course.walked) > 0])
        speed = np.maximum(self._on(middles, np.gradient(course.walked) * limits.fps), _SLOW)
        slip = self._on(middles, limits.slip)
        bend = np.minimum(self._on(middles, limits.bend), (1 - _STRETCH_SHARE) * slip / (FOOT_REACH * speed))
        bend = np.minimum(bend[1:], bend[:-1])
        # a turn is shorter along the way by half its square: half of what being slower may take
        stretch = _STRETCH_SHARE * slip / speed
        self._limit = np.concatenate([bend, stretch, np.sqrt(stretch)])
        self._system: _System | None = None

    def by(self, aside: Array, onward: Array) -> Shifted:
        """The course moved by ``aside (F,)`` metres to its left, and by ``onward (F,)`` metres along its way if that is not 0."""
        course = self._course
        if self._stands:  # moved as a whole
            moved = np.broadcast_to(aside.mean() * course.left.mean(axis=0), course.points.shape)
            return Shifted(
                MovingFrame(course.points + moved, course.heading, course.walked),
                moved,
                np.ones(len(aside), dtype=bool),
            )
        along = self._on(self._knots, onward)
        system = self._solver(along != 0.0)
        shift = system.problem.nearest(system.target(self._on(self._knots, aside), along)).reshape(-1, 2)
        turns = system.turns @ shift.ravel()

        step = float(self._knots[1])
        places = course.walked / step
        moved = np.stack([spline(shift[:, axis], places) for axis in (0, 1)], axis=-1)
        turn = spline(turns, places - 0.5)
        share = np.abs(system.strains @ shift.ravel()) / self._limit
        bends = len(self._knots) - 2
        binding = share[bends:].reshape(2, -1).max(axis=0)
        binding[1:] = np.maximum(binding[1:], share[:bends])
        near = np.interp(course.walked, self._middles, binding) >= _BINDING
        return Shifted(MovingFrame(course.points + moved, course.heading + turn, course.walked), moved, near)

    def _on(self, places: Array, values: Array) -> Array:
        """Values ``(F,)`` at places along the way."""
        found: Array = np.interp(places, self._course.walked[self._walking], values[self._walking])
        return found

    def _solver(self, firm: NDArray[np.bool_]) -> _System:
        if self._system is None or not np.array_equal(firm, self._system.firm):
            heading, middles = (self._on(places, self._course.heading) for places in (self._knots, self._middles))
            self._system = _System(heading, middles, float(self._knots[1]), firm, self._limit)
        return self._system


class _System:
    """The linear problem in `Shifting`. The unknowns are shifts at N knots, x and z in turn, as one vector ``(2 N,)``.

    heading: ``(N,)``, of the course at the knots. middles: ``(N − 1,)``, the same between them. step: metres from knot to knot.
    firm: ``(N,)``, where the place along the way really matters. limits: of N − 2 bends, N − 1 stretches and N − 1 turns.
    """

    def __init__(self, heading: Array, middles: Array, step: float, firm: NDArray[np.bool_], limits: Array) -> None:
        from scipy import sparse  # here, since importing it takes time

        count = len(heading)
        apart = sparse.diags([-1.0, 1.0], [0, 2], shape=(2 * count - 2, 2 * count)) / step

        def along(angle: Array) -> tuple[Any, Any]:
            """Matrices that give a vector's part to the left and ahead, for a list of vectors."""
            left = np.stack([np.cos(angle), -np.sin(angle)], axis=-1)
            ahead = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
            row, column = np.repeat(np.arange(len(angle)), 2), np.arange(2 * len(angle))
            return tuple(sparse.csr_matrix((part.ravel(), (row, column))) for part in (left, ahead))

        left, ahead = along(middles)
        self.turns = left @ apart
        bends = sparse.diags([-1.0, 1.0], [0, 1], shape=(count - 2, count - 1)) / step @ self.turns
        self.strains = sparse.vstack([bends, ahead @ apart, self.turns])
        aside, onward = along(heading)
        self.firm = firm
        self.weights = np.where(firm, 1.0, _STAY)
        wishes = sparse.vstack([aside, sparse.diags(self.weights) @ onward])
        self.problem = Bounded(wishes, self.strains, limits)

    def target(self, aside: Array, onward: Array) -> Array:
        """What is wanted: ``aside (N,)`` metres to the left, and ``onward (N,)`` metres along the way."""
        return np.concatenate([aside, self.weights * onward])


def strain(course: MovingFrame, bent: MovingFrame, fps: float) -> tuple[Array, Array]:
    """What carrying a motion from one course to another adds at each frame: radians of turn per metre walked ``(F,)``, and
    the speed ``(F,)`` in m/s of the floor within a foot's reach of the root.
    """
    turn = bent.heading - course.heading
    turning = np.abs(np.diff(turn, append=turn[-1]))
    walked = np.diff(course.walked, append=course.walked[-1])
    bend = np.where(walked > 0, turning / np.where(walked > 0, walked, 1.0), 0.0)
    # where the middle between two frames of the course is carried by the one frame and by the next
    half = np.diff(course.points, axis=0, append=course.points[-1:]) / 2
    following = np.append(turn[1:], turn[-1])
    slide = np.diff(bent.points, axis=0, append=bent.points[-1:]) - turned(half, turn) - turned(half, following)
    return bend, (np.hypot(slide[:, 0], slide[:, 1]) + FOOT_REACH * turning) * fps


def spline(controls: Array, places: Array) -> Array:
    """The uniform cubic B-spline of ``controls (N,)`` at ``places (F,)``, from 0 to N − 1; it goes straight on beyond its ends.

    It passes through the first and the last control. Its slope is a mean of the controls' differences, so any limit on these
    differences limits the slope too.
    """
    before, after = 2 * controls[0] - controls[1], 2 * controls[-1] - controls[-2]
    ends = np.concatenate([[2 * before - controls[0], before], controls, [after, 2 * after - controls[-1]]])
    first = np.clip(np.floor(places).astype(np.intp), -1, len(controls) - 1)
    t = places - first
    a, b, c, d = (ends[first + 1 + offset] for offset in range(4))
    value: Array = (1 - t) ** 3 * a + (3 * t**3 - 6 * t**2 + 4) * b + (1 + 3 * t + 3 * t**2 - 3 * t**3) * c + t**3 * d
    return value / 6


def _approached(course: MovingFrame, path: Path, progress: Array | None, limits: Limits) -> Shifted:
    """The course shifted onto the path, as far as the limits allow."""
    shifting = Shifting(course, limits)
    found = Shifted(course, np.zeros_like(course.points), np.zeros(len(course.points), dtype=bool))
    ahead = np.stack([np.sin(course.heading), np.cos(course.heading)], axis=-1)
    outside = np.zeros(len(course.points), dtype=bool)
    for _ in range(_ROUNDS):
        # what is left is seen from the shifted course, and made up for on the original one
        left = sideways(course, found.course.points, path, progress)
        back = lengthways(course, found.course.points, path, progress)
        outside |= back != 0.0
        done, gone = (np.einsum("fi,fi->f", found.moved, way) for way in (course.left, ahead))
        found = shifting.by(done + left, np.where(outside, gone + back, 0.0))
    return found
