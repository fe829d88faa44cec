"""Feet on the floor: a planted foot rolls over its heel and its ball, a swinging one flies from plant to plant.

Pitch is the foot's angle to the floor: negative with the toes up, positive with the heel up. A planted foot turns about the heel
while its pitch is negative and about the ball while it is positive. So the point that bears the weight stays in place to the last
digit, and the toes stay flat while the heel rises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.motion import rotation
from kinegraph.samples.body import ANKLE_HEIGHT, BALL_AHEAD, HEEL_BACK, TOE_LENGTH
from kinegraph.samples.curves import hermite, hump, smooth

X_AXIS = np.array([1.0, 0.0, 0.0])
_SOLE = np.array([[0.0, -ANKLE_HEIGHT, -HEEL_BACK], [0.0, -ANKLE_HEIGHT, BALL_AHEAD]])
_TOES = np.array([0.0, 0.0, TOE_LENGTH])
_STEP = 1e-3
"""Seconds over which the velocity of a rolling foot is measured."""


@dataclass(frozen=True)
class Footfall:
    """One time that a foot is on the floor: it touches down at (x, z), rolls onto the sole, rolls off again, and lifts."""

    touchdown: float
    """Seconds."""
    lift: float
    """Seconds."""
    x: float
    """With ``z``, the floor point below the ankle while the sole is flat."""
    z: float
    heading: float
    """Where the toes point."""
    roll_in: float = 0.1
    """Seconds of rolling after touchdown."""
    roll_out: float = 0.3
    """Seconds of rolling before lift."""
    pitch_in: float = 0.0
    """Pitch at touchdown."""
    pitch_out: float = 0.0
    """Pitch at lift."""

    @property
    def landing_rate(self) -> float:
        """Radians per second at which the foot turns flat when it touches down."""
        return -1.1 * self.pitch_in / self.roll_in

    @property
    def lift_rate(self) -> float:
        """Radians per second at which the heel rises when the foot leaves the floor."""
        return 1.5 * self.pitch_out / self.roll_out

    def pitch(self, t: Array) -> Array:
        """Pitch ``(N,)`` in radians at times ``(N,)``; the rolling continues beyond touchdown and lift."""
        out = np.zeros(len(t))
        rising = t > self.lift - self.roll_out
        landing = t < self.touchdown + self.roll_in
        if np.isfinite(self.touchdown):
            out[landing] = hermite(
                t[landing] - self.touchdown,
                self.roll_in,
                (self.pitch_in, self.landing_rate, 0.0),
                (0.0, 0.0, 0.0),
            )
        if np.isfinite(self.lift):
            out[rising] = hermite(
                t[rising] - (self.lift - self.roll_out),
                self.roll_out,
                (0.0, 0.0, 0.0),
                (self.pitch_out, self.lift_rate, 0.0),
            )
        return out

    def ankle(self, t: Array) -> Array:
        """Ankle positions ``(N, 3)`` of the rolling foot."""
        pitch = self.pitch(t)
        turn = rotation.about_y(self.heading)
        pivot = np.where(pitch[:, None] < 0, _SOLE[0], _SOLE[1])
        rolled = rotation.rotate(rotation.from_axis_angle(X_AXIS, pitch), -pivot)
        flat = np.array([self.x, ANKLE_HEIGHT, self.z])
        return flat + rotation.rotate(turn, pivot + rolled)


@dataclass(frozen=True)
class Swing:
    """How a foot flies."""

    clearance: float = 0.02
    """The least height of the whole sole at mid-swing, in metres."""
    fall: float = 5.0
    """As in `hump`: a large one puts ``rise`` and ``tuck`` early in the swing."""
    rise: float = 0.06
    """How much higher than the clearance the ankle is lifted, in metres."""
    tuck: float = 0.2
    """How far the heel is turned up, in radians."""
    snap: float = 2.0
    """How briskly the foot leaves and arrives: its acceleration there, over that of an even motion of the same distance and time."""


@dataclass(frozen=True)
class FootTrack:
    """A foot through a whole clip."""

    ankle: Array
    """``(F, 3)``."""
    orientation: Array
    """``(F, 4)``, in the world."""
    toe: Array
    """``(F,)``: how far the toes are bent."""
    heading: Array
    """``(F,)``."""
    heel_down: Bools
    """``(F,)``: whether the heel bears weight."""
    ball_down: Bools
    """``(F,)``: whether the ball bears weight."""


def contacts(feet: tuple[FootTrack, FootTrack]) -> Bools:
    """Whether left heel, left ball, right heel and right ball bear weight: ``(F, 4)``."""
    return np.stack([down for foot in feet for down in (foot.heel_down, foot.ball_down)], axis=-1)


def track(plants: Sequence[Footfall], t: Array, swing: Swing) -> FootTrack:
    """The foot at times ``t (F,)``, from plants in order of time; the first and the last extend beyond the clip's ends."""
    ankle = np.empty((len(t), 3))
    pitch, toe, heading = np.zeros(len(t)), np.zeros(len(t)), np.zeros(len(t))
    planted = np.zeros(len(t), np.bool_)
    for plant in plants:
        here = (t >= plant.touchdown) & (t <= plant.lift)
        ankle[here] = plant.ankle(t[here])
        pitch[here] = plant.pitch(t[here])
        toe[here] = np.maximum(pitch[here], 0.0)
        heading[here] = plant.heading
        planted |= here
    for before, after in pairwise(plants):
        here = (t > before.lift) & (t < after.touchdown)
        ankle[here], pitch[here], toe[here], heading[here] = _fly(before, after, t[here], swing)
    orientation = rotation.multiply(rotation.about_y(heading), rotation.from_axis_angle(X_AXIS, pitch))
    return FootTrack(ankle, orientation, toe, heading, planted & (pitch <= 0), planted & (pitch >= 0))


def pivot(plant: Footfall, pitch: Array, swivel: Array) -> FootTrack:
    """A planted foot that lifts its heel and turns on its ball: pitch ``(F,)`` from 0 up, and swivel ``(F,)``, the turn in radians.

    The foot may turn only while its heel is up.
    """
    orientation = rotation.multiply(rotation.about_y(plant.heading + swivel), rotation.from_axis_angle(X_AXIS, pitch))
    flat = np.array([plant.x, ANKLE_HEIGHT, plant.z])
    ball = flat + rotation.rotate(rotation.about_y(plant.heading), _SOLE[1])
    ankle = ball - rotation.rotate(orientation, _SOLE[1])
    down = np.ones(len(pitch), np.bool_)
    return FootTrack(ankle, orientation, pitch, plant.heading + swivel, pitch <= 0, down)


def _fly(before: Footfall, after: Footfall, t: Array, swing: Swing) -> tuple[Array, Array, Array, Array]:
    """Ankle, pitch, toe bend and heading between two plants."""
    seconds = after.touchdown - before.lift
    # the clearance is judged on a grid of its own: a clip's frames may straddle the lowest moment
    grid = np.linspace(0.0, seconds, 61)[1:-1]
    tau = np.concatenate([t - before.lift, grid])
    u = tau / seconds
    shape, early = hump(u), hump(u, swing.fall)
    pitch = hermite(
        tau,
        seconds,
        (before.pitch_out, before.lift_rate, 0.0),
        (after.pitch_in, after.landing_rate, 0.0),
    )
    pitch = pitch + swing.tuck * early
    # toes begin bent as at lift and are straight, or as bent as at touchdown, when the foot comes down
    bent_out, bent_in = max(before.pitch_out, 0.0), max(after.pitch_in, 0.0)
    toe = hermite(
        tau,
        seconds,
        (bent_out, before.lift_rate if bent_out else 0.0, 0.0),
        (bent_in, after.landing_rate if bent_in else 0.0, 0.0),
    )
    heading = before.heading + (after.heading - before.heading) * smooth(u)
    leaving, arriving = rolling_state(before, before.lift), rolling_state(after, after.touchdown)
    push = swing.snap * np.array([after.x - before.x, 0.0, after.z - before.z]) / seconds**2
    ankle = hermite(tau, seconds, (*leaving[:2], leaving[2] + push), (*arriving[:2], arriving[2] - push))
    orientation = rotation.multiply(rotation.about_y(heading), rotation.from_axis_angle(X_AXIS, pitch))
    ankle[:, 1] += swing.rise * early
    sole = ankle[:, None] + rotation.rotate(orientation[:, None], _SOLE)
    toes = rotation.multiply(orientation, rotation.from_axis_angle(X_AXIS, -toe))
    tip = sole[:, 1] + rotation.rotate(toes, _TOES)
    lowest = np.minimum(sole[..., 1].min(axis=1), tip[:, 1])
    # raised by a multiple of the hump such that every point of the sole clears the floor by the hump times the clearance
    inside = shape > 1e-4
    ankle[:, 1] += shape * max(0.0, swing.clearance - float(np.min(lowest[inside] / shape[inside])))
    count = len(t)
    return ankle[:count], pitch[:count], toe[:count], heading[:count]


def rolling_state(plant: Footfall, moment: float) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration, each ``(3,)``, of the rolling foot's ankle at a moment."""
    before, now, after = plant.ankle(moment + np.array([-_STEP, 0.0, _STEP]))
    return now, (after - before) / (2 * _STEP), (after - 2 * now + before) / _STEP**2
