"""Bends: people slow down where they are tight, lean inwards, and turn no tighter than a body can."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import filters, rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.paths.bspline import Spline
from kinegraph.paths.curve import Curve
from kinegraph.paths.moving import MovingFrame
from kinegraph.paths.path import Path
from kinegraph.paths.smoothing import smoothed

# The speed of walkers and runners on curved paths falls with the cube root of the curvature (the two-thirds power law
# of Lacquaniti, Terzuolo and Viviani 1983; for walking: Vieilledent and others 2001, Hicheur and others 2005), from
# bends of this curvature on, 1/m.
_GENTLE = 0.4
_POWER = 1 / 3
# How much slower or faster than captured a motion may become.
_SLOWEST, _FASTEST = 0.6, 1.25
# m/s².
_GRAVITY = 9.81
# Radians: people do not lean more than this without running.
_MOST_LEAN = 0.25
# How much of it the trunk leans. Of a walker who was captured turning (CMU subject 16, walks 11 to 32) the hips lean
# over the feet by 0.92 of v² κ / g (r = 0.89), the trunk by 0.45 of it (r = 0.79).
_TRUNK = 0.5
# Seconds over which curvature is taken: a stride, since nobody leans or slows down within a step.
_STRIDE = 0.5

# Radians per second that a walking body turns at most, and metres: the tightest radius however slow it is.
TURN_RATE = 2.2
TIGHTEST = 0.3
SPIN = 6.0
"""Radians per second of a turn on the spot."""
# Metres between the places at which the tightness of a curve is looked at.
_STEP = 0.05
# Radians by which a corner turns at most.
_CORNER = 2.8
# Metres between the points of a corner that is rounded.
_FINE = 0.02
# Radii that a path must be long for its corners to be rounded.
_ROOM = 4.0
# A corner is rounded over so many sigmas to both sides, and tried so many times.
_AROUND = 4.0
_ROUNDS = 6


def paced(captured: Array, curvature: Array, fps: float) -> Array:
    """How fast ``(F,)`` a motion that was captured at the curvature ``captured (F,)`` plays on a path of ``curvature (F,)`` (1/m).

    1 is as fast as captured.
    """
    ratio = _ease(curvature, fps) / _ease(captured, fps)
    return np.clip(ratio, _SLOWEST, _FASTEST)


def moments(pace: Array) -> Array:
    """Moments ``(N,)``, in frames, of a motion of F frames that plays at ``pace (F,)``; N is its new number of frames."""
    spent = np.concatenate([[0.0], np.cumsum(2.0 / (pace[1:] + pace[:-1]))])
    count = max(int(np.floor(spent[-1] + 1e-9)) + 1, min(2, len(pace)))
    return np.interp(np.arange(count), spent, np.arange(len(pace)))


def leant(motion: Motion, source: MovingFrame, target: MovingFrame) -> Motion:
    """A motion that was carried from ``source`` to ``target``, leaning into the target's bends.

    It leans by what the target's bends ask for minus what the source's bends did. In a bend, the hips move sideways over the
    feet so that weight and centrifugal force together point into them: tan = v² κ / g. The trunk leans half as much.
    """
    lean = _lean(target, motion.fps) - _lean(source, motion.fps)
    ahead = np.stack([np.sin(target.heading), np.zeros(len(lean)), np.cos(target.heading)], axis=-1)
    foot = np.stack([target.points[:, 0], np.zeros(len(lean)), target.points[:, 1]], axis=-1)
    # a positive turn about the way ahead takes the head to the right, towards -X at heading 0
    root = foot + rotation.rotate(rotation.from_axis_angle(ahead, -lean), motion.root - foot)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rotation.multiply(rotation.from_axis_angle(ahead, -_TRUNK * lean), rotations[:, 0])
    return replace(motion, root=root, rotations=rotations)


@dataclass(frozen=True)
class Tight:
    """A place that is too tight."""

    s: float
    """Metres along the curve."""
    x: float
    z: float
    radius: float
    """Metres."""
    along: float
    """For how many metres it is too tight."""
    turn: float
    """By how many radians it turns there."""

    def is_corner(self, radius: float) -> bool:
        """Whether it is short enough to be rounded to that radius: a longer bend, or one that turns back, is taken to be intended."""
        return self.along < radius and abs(self.turn) < _CORNER


def tight(curve: Curve, radius: float) -> list[Tight]:
    """The stretches where a curve turns with less than ``radius`` metres, each by its tightest place."""
    if isinstance(curve, Spline):
        # its own curvature does not tell of corners
        curve = curve.path(_FINE)
    places = np.linspace(0.0, curve.length, max(3, int(np.ceil(curve.length / _STEP)) + 1))
    curvature = curve.curvature(places)
    bend = np.abs(curvature)
    over = bend > 1.0 / radius
    found = []
    edges = np.flatnonzero(np.diff(np.concatenate([[0], over, [0]])))
    for first, last in edges.reshape(-1, 2):
        worst = first + int(bend[first:last].argmax())
        x, z = curve.at(places[worst])
        along = float(places[last - 1] - places[first])
        turn = float(curvature[first:last].sum() * (places[1] - places[0]))
        found.append(Tight(float(places[worst]), float(x), float(z), float(1.0 / bend[worst]), along, turn))
    return found


def rounded(curve: Curve, radius: float) -> Path:
    """The curve with its corners rounded to about ``radius`` metres; elsewhere it stays as it is.

    It is never moved further than that: a narrow bend stays narrow rather than being cut off.
    """
    pieces = max(2, int(np.ceil(curve.length / _FINE)))
    path = whole = Path(*_sampled(curve, pieces))
    if curve.length < _ROOM * radius:
        return path
    for _ in range(_ROUNDS):
        corners = [place for place in tight(path, radius) if place.is_corner(radius)]
        if not corners:
            break
        softer = _softened(path, corners, radius)
        # both ways: what is cut off is nowhere near what is left
        if max(float(one.nearest(other.points)[0].max()) for one, other in ((whole, softer), (softer, whole))) > radius:
            break
        path = softer
    return path


def steadied(heading: Array, fps: float, rate: float) -> Array:
    """``heading (F,)`` limited to ``rate`` radians a second: a faster turn begins earlier and ends later."""
    for _ in range(_ROUNDS):
        fast = np.abs(np.diff(heading)) * fps > rate * (1 + 1e-9)
        if not fast.any():
            break
        turns = max(abs(float(heading[last] - heading[first])) for first, last in spans(fast))
        # a turn that is smoothed is fastest in its middle, by this much
        sigma = max(1.1 * turns * fps / (rate * np.sqrt(2 * np.pi)), 1.0)
        reach = int(np.ceil(_AROUND * sigma))
        near = filters.highest(np.append(fast, False).astype(np.float64), reach)
        share = filters.smoothed(near, 0.5 * sigma, max(1, int(sigma)))
        heading = heading + share * (filters.smoothed(heading, sigma, reach) - heading)
    return heading


def _sampled(curve: Curve, pieces: int) -> tuple[Array, Array | None]:
    s = np.linspace(0.0, curve.length, pieces + 1)
    heights = curve.height(s)
    return curve.at(s), heights if heights.any() else None


def _softened(path: Path, places: list[Tight], radius: float) -> Path:
    """The path smoothed about some places, over a length that makes a right angle as wide as the radius."""
    sigma = 0.63 * radius
    points, heights = _sampled(path, max(2, int(np.ceil(path.length / _FINE))))
    s = np.linspace(0.0, path.length, len(points))
    away = np.abs(s[:, None] - np.array([place.s for place in places])).min(axis=1)
    share = np.clip(_AROUND - away / sigma, 0.0, 1.0)
    share = share * share * (3.0 - 2.0 * share)
    soft = smoothed(points, sigma / (s[1] - s[0]))
    return Path(points + share[:, None] * (soft - points), heights)


def eased(curvature: Array) -> Array:
    """How fast ``(F,)`` people are in bends of ``curvature (F,)`` (1/m), as a share of their speed on a straight line; no slower than a
    motion may become.
    """
    share: Array = np.maximum((_GENTLE / np.maximum(np.abs(curvature), _GENTLE)) ** _POWER, _SLOWEST)
    return share


def _ease(curvature: Array, fps: float) -> Array:
    bend = np.abs(_steady(curvature, fps))
    ease: Array = (_GENTLE / np.maximum(bend, _GENTLE)) ** _POWER
    return ease


def _lean(frame: MovingFrame, fps: float) -> Array:
    """Radians ``(F,)`` to the left by which a body leans that goes along a frame."""
    speed = np.gradient(frame.walked) * fps
    turning = np.gradient(frame.heading) * fps
    lean = np.arctan(_steady(speed * turning, fps) / _GRAVITY)
    return np.asarray(_MOST_LEAN * np.tanh(lean / _MOST_LEAN))


def _steady(values: Array, fps: float) -> Array:
    reach = max(1, round(_STRIDE * fps))
    return filters.smoothed(values, 0.5 * reach, reach)
