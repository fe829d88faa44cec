"""Steps laid along a path on the floor: when each foot is down, where, and how it rolls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from kinegraph.arrays import Array
from kinegraph.samples.body import ANKLE_BEHIND
from kinegraph.samples.feet import Footfall, Swing

Plants = tuple[list[Footfall], list[Footfall]]

_STAND_WIDTH = 0.095
"""Half the distance between standing feet, in metres."""
_LEAST_PUSH = 0.45
"""How far the heel rises at the first step from standing, as a share of what it does in the steady gait."""


@dataclass(frozen=True)
class Style:
    """How somebody moves, in metres, seconds and radians. The defaults are those of a walk."""

    # steps
    speed: float = 1.25  # of the steady gait
    step: float = 32 / 60  # seconds that a step takes
    duty: float = 0.61  # share of a stride (two steps) that a foot is on the floor
    width: float = 0.05  # half the distance between the lines of the feet
    lead: float = -0.065  # how far a foot is set ahead of its place below the pelvis at mid-stance
    toe_out: float = 0.1

    # how a foot rolls and flies
    pitch_in: float = -0.34  # as in `Footfall`
    pitch_out: float = 0.78
    roll_in: float = 0.16  # as a share of the time on the floor
    roll_out: float = 0.46
    swing: Swing = field(default_factory=Swing)

    # trunk
    crouch: float = 0.0  # how far below standing
    stretch: float = 0.996  # the straightest that a leg ever is
    bounce: float = 0.024  # rise of the root at mid-stance; negative where it sinks, as in running
    sway: float = 0.022  # towards the foot that bears the weight
    yaw: float = 0.09  # of the pelvis, like obliquity and tilt
    obliquity: float = 0.06
    tilt: float = 0.06
    lean: float = 0.04  # of the chest, like twist
    twist: float = 0.11
    nod: float = 0.06  # of the head

    # arms
    arm_swing: float = 0.32  # to both sides of arm_forward
    arm_forward: float = 0.03
    arm_out: float = 0.14  # away from the sides
    elbow: float = 0.3  # how far it bends
    elbow_swing: float = 0.22  # what the swing adds to that
    inward: float = 0.25  # turn of the upper arm
    curl: float = 0.45  # of the fingers

    @property
    def stance(self) -> float:
        """Seconds a foot stays on the floor."""
        return 2 * self.step * self.duty


@dataclass(frozen=True)
class StepPlan:
    """Where and when to go: a path of constant curvature that begins at the origin along +Z."""

    distance: Callable[[Array], Array]
    """The distance covered: from ``(N,)`` seconds to ``(N,)`` metres along the path."""
    touchdowns: tuple[float, ...]
    """When the steps land, left and right in turn."""
    first: int = 0
    """The side of the first step: 0 is left."""
    curvature: float = 0.0
    """1/m, positive to the left."""
    standing_before: bool = False
    """Whether the clip begins with both feet side by side."""
    standing_after: bool = False
    """Whether it ends so."""

    def at(self, s: Array) -> tuple[Array, Array]:
        """Floor points ``(N, 3)`` and headings ``(N,)`` at distances ``(N,)`` along the path."""
        heading = self.curvature * s
        # sinc keeps the straight line, of no curvature, out of a division by zero
        chord = s * np.sinc(0.5 * heading / np.pi)
        point = np.stack([chord * np.sin(0.5 * heading), np.zeros_like(s), chord * np.cos(0.5 * heading)], axis=-1)
        return point, heading

    def pace(self, style: Style, t: Array) -> Array:
        """Share ``(N,)`` of the style's steady speed at times ``(N,)``, from 0 to 1."""
        if style.speed == 0:
            return np.zeros(len(t))
        step = 1e-3
        speed = (self.distance(t + step) - self.distance(t - step)) / (2 * step)
        return np.clip(speed / style.speed, 0.0, 1.0)


def lay(style: Style, course: StepPlan) -> Plants:
    """The plants of the left foot and those of the right foot."""
    feet: Plants = ([], [])
    times = course.touchdowns
    if course.standing_before:
        # the first foot must be up in time to swing to its touchdown; the other leaves when that one has come down
        lifts = (times[0] - 2 * style.step + style.stance, times[0] + style.stance - style.step)
        for side, lift in zip((course.first, 1 - course.first), lifts, strict=True):
            feet[side].append(_plant(style, course, side, -np.inf, lift, 0.0, 0.0))
    for k, touchdown in enumerate(times):
        side = (course.first + k) % 2
        if course.standing_after and k >= len(times) - 2:
            end = float(course.distance(np.array([times[-1] + 10.0]))[0])
            feet[side].append(_plant(style, course, side, touchdown, np.inf, end, 0.0))
            continue
        # a foot is set where the body will be when half of its time on the floor has gone
        middle = np.array([touchdown + 0.5 * style.stance])
        s, ratio = float(course.distance(middle)[0]), float(course.pace(style, middle)[0])
        feet[side].append(_plant(style, course, side, touchdown, touchdown + style.stance, s, ratio))
    return feet


def _plant(
    style: Style, course: StepPlan, side: int, touchdown: float, lift: float, s: float, ratio: float
) -> Footfall:
    """A plant at distance ``s``; ``ratio`` is how much of the steady speed it is made at: 0 stands, 1 goes."""
    point, heading = course.at(np.array([s + ratio * style.lead - ANKLE_BEHIND]))
    sign = 1.0 if side == 0 else -1.0
    beside = sign * (_STAND_WIDTH + (style.width - _STAND_WIDTH) * ratio)
    landing, leaving = (
        float(course.pace(style, np.array([m]))[0]) if np.isfinite(m) else 0.0 for m in (touchdown, lift)
    )
    return Footfall(
        touchdown=touchdown,
        lift=lift,
        x=float(point[0, 0] + beside * np.cos(heading[0])),
        z=float(point[0, 2] - beside * np.sin(heading[0])),
        heading=float(heading[0] + sign * style.toe_out),
        roll_in=style.roll_in * style.stance,
        roll_out=style.roll_out * style.stance,
        pitch_in=style.pitch_in * landing,
        pitch_out=style.pitch_out * (_LEAST_PUSH + (1 - _LEAST_PUSH) * leaving),
    )


def balance(feet: Plants, t: Array) -> Array:
    """Where the weight is ``(N,)``: 1 on the left foot, −1 on the right, 0 on both or on none."""
    left, right = (np.any([(t >= plant.touchdown) & (t <= plant.lift) for plant in side], axis=0) for side in feet)
    return np.where(left & ~right, 1.0, np.where(right & ~left, -1.0, 0.0))
