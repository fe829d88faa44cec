"""One generator for standing, starting, walking, turning, running, sneaking and stopping: steps laid along a path on the floor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from kinegraph.motion.clip import Motion
from kinegraph.motion.rotation import Array
from kinegraph.samples.curves import FPS, floor_under, soften
from kinegraph.samples.feet import Bools, FootTrack, Plant, Swing, track
from kinegraph.samples.pose import Arm, Trunk, assemble, hanging_arm, headroom, turn
from kinegraph.samples.skeleton import ANKLE_HEIGHT, HIP_DROP, LEG

GRAVITY = 9.81
_MARGIN = 1.5
"""Seconds computed before and after a clip, so that smoothing sees steps on both sides of its ends."""


@dataclass(frozen=True)
class Style:
    """How somebody goes. Metres, seconds, radians.

    speed of the steady gait; step: seconds a step; duty: share of a stride (two steps) a foot is on the floor; width: half the distance
    between the lines of the feet; lead: how far ahead of the pelvis a foot is set.
    """

    speed: float = 1.25
    step: float = 0.54
    duty: float = 0.61
    width: float = 0.05
    lead: float = -0.065
    toe_out: float = 0.1
    pitch_in: float = -0.34
    pitch_out: float = 0.78
    roll_in: float = 0.16
    roll_out: float = 0.46
    swing: Swing = field(default_factory=Swing)
    crouch: float = 0.0
    stretch: float = 0.996
    bounce: float = 0.024
    sway: float = 0.022
    yaw: float = 0.09
    list: float = 0.06
    lean: float = 0.04
    tilt: float = 0.1
    twist: float = 0.11
    arm_swing: float = 0.32
    arm_back: float = 0.02
    arm_out: float = 0.14
    elbow: float = 0.3
    elbow_swing: float = 0.22
    inward: float = 0.25
    curl: float = 0.45
    nod: float = 0.06

    @property
    def stance(self) -> float:
        """Seconds a foot stays on the floor."""
        return 2 * self.step * self.duty


@dataclass(frozen=True)
class Course:
    """Where and when to go: a path of constant curvature (1/m, positive to the left) from the origin along +Z, and the distance gone
    along it as a function of time.

    distance: ``(N,)`` seconds to ``(N,)`` metres. touchdowns: the times of the steps, left and right in turn, ``first`` first.
    standing_before, standing_after: whether the clip begins, or ends, with both feet side by side.
    """

    distance: Callable[[Array], Array]
    touchdowns: tuple[float, ...]
    first: int = 0
    curvature: float = 0.0
    standing_before: bool = False
    standing_after: bool = False

    def at(self, s: Array) -> tuple[Array, Array]:
        """Floor points ``(N, 3)`` and headings ``(N,)`` at distances ``(N,)`` along the path."""
        heading = self.curvature * s
        # sinc keeps the straight line, of no curvature, out of a division by zero
        chord = s * np.sinc(0.5 * heading / np.pi)
        point = np.stack([chord * np.sin(0.5 * heading), np.zeros_like(s), chord * np.cos(0.5 * heading)], axis=-1)
        return point, heading

    def speed(self, t: Array) -> Array:
        """Speed ``(N,)`` along the path."""
        step = 1e-3
        speed: Array = (self.distance(t + step) - self.distance(t - step)) / (2 * step)
        return speed

    def pace(self, style: Style, t: Array) -> Array:
        """Share ``(N,)`` of the style's steady speed, from 0 to 1."""
        return np.clip(self.speed(t) / style.speed, 0.0, 1.0) if style.speed else np.zeros(len(t))


# How people stand: feet a little apart, the ankles behind the line of the hips.
_STAND_WIDTH = 0.095
_ANKLE_BEHIND = 0.03


def plants(style: Style, course: Course) -> tuple[list[Plant], list[Plant]]:
    """The plants of the left and of the right foot."""
    feet: tuple[list[Plant], list[Plant]] = ([], [])
    times = np.array(course.touchdowns)
    count = len(times)
    double = style.stance - style.step
    if course.standing_before:
        for k, side in enumerate((course.first, 1 - course.first)):
            # the first foot must be up in time to swing to its touchdown; the other leaves when that has come down
            lift = times[0] - (2 * style.step - style.stance) if k == 0 else times[0] + double
            feet[side].append(_plant(style, course, side, -np.inf, lift, 0.0, 0.0))
    for k, touchdown in enumerate(times):
        side = (course.first + k) % 2
        lift = touchdown + style.stance
        middle = np.array([touchdown + 0.5 * style.stance])
        ratio = float(course.pace(style, middle)[0])
        s = float(course.distance(middle)[0])
        if course.standing_after and k >= count - 2:
            lift, ratio = np.inf, 0.0
            s = float(course.distance(np.array([times[-1] + 10.0]))[0])
        feet[side].append(_plant(style, course, side, touchdown, lift, s, ratio))
    return feet


def _plant(style: Style, course: Course, side: int, touchdown: float, lift: float, s: float, ratio: float) -> Plant:
    """A plant at distance ``s``; ``ratio`` is how much of the steady speed it is made at: 0 stands, 1 goes."""
    point, heading = course.at(np.array([s + ratio * style.lead - _ANKLE_BEHIND]))
    sign = 1.0 if side == 0 else -1.0
    beside = sign * (_STAND_WIDTH + (style.width - _STAND_WIDTH) * ratio)
    moments = np.array([touchdown, lift])
    pace = np.where(np.isfinite(moments), course.pace(style, np.nan_to_num(moments, posinf=0.0, neginf=0.0)), 0.0)
    return Plant(
        touchdown=touchdown,
        lift=lift,
        x=float(point[0, 0] + beside * np.cos(heading[0])),
        z=float(point[0, 2] - beside * np.sin(heading[0])),
        heading=float(heading[0] + sign * style.toe_out),
        roll_in=style.roll_in * style.stance,
        roll_out=style.roll_out * style.stance,
        pitch_in=style.pitch_in * float(pace[0]),
        pitch_out=style.pitch_out * (0.45 + 0.55 * float(pace[1])),
    )


def _loads(feet: tuple[list[Plant], list[Plant]], t: Array) -> tuple[Array, Array]:
    """The share ``(N,)`` of the weight that each foot bears: all in single support, shifting evenly while both are down."""
    down = [np.any([(t >= p.touchdown) & (t <= p.lift) for p in side], axis=0) for side in feet]
    loads = [np.where(down[side] & ~down[1 - side], 1.0, np.where(down[side], 0.5, 0.0)) for side in (0, 1)]
    return loads[0], loads[1]


def perform(name: str, style: Style, course: Course, seconds: float) -> tuple[Motion, Bools]:
    """The clip from time 0 to ``seconds``, and which of left heel, left ball, right heel, right ball bear weight: ``(F, 4)``."""
    margin = int(_MARGIN * FPS)
    frames = round(seconds * FPS) + 1
    t = (np.arange(frames + 2 * margin) - margin) / FPS
    laid = plants(style, course)
    feet = (track(laid[0], t, style.swing), track(laid[1], t, style.swing))
    trunk, stride, breath = _trunk(style, course, laid, feet, t)
    pace = course.pace(style, t)
    arms = tuple(_arm(style, side, stride, pace, breath) for side in (0, 1))
    knees = tuple(_knee_axis(course, feet[side], t) for side in (0, 1))
    motion = assemble(name, trunk, feet, (arms[0], arms[1]), (knees[0], knees[1]))
    contacts = np.stack([feet[0].heel_down, feet[0].ball_down, feet[1].heel_down, feet[1].ball_down], axis=-1)
    clip = slice(margin, margin + frames)
    return motion[clip], contacts[clip]


def _trunk(
    style: Style, course: Course, laid: tuple[list[Plant], list[Plant]], feet: tuple[FootTrack, FootTrack], t: Array
) -> tuple[Trunk, Array, Array]:
    """Pelvis, chest and head; how far the left foot is ahead of the right, as a share of a step; and the breath of who stands."""
    point, heading = course.at(course.distance(t))
    pace = course.pace(style, t)
    ahead = np.stack([np.sin(heading), np.zeros_like(heading), np.cos(heading)], axis=-1)
    left = np.stack([np.cos(heading), np.zeros_like(heading), -np.sin(heading)], axis=-1)
    length = max(style.speed * style.step, 0.3)
    stride = np.sum((feet[0].ankle - feet[1].ankle) * ahead, axis=-1) / length
    stride = soften(stride, 0.12 * style.step)
    loads = _loads(laid, t)
    shift = soften(loads[0] - loads[1], 0.3 * style.step)
    # in a turn the body leans in until gravity and the pull outwards balance
    bank = soften(np.arctan(course.curvature * (style.speed * pace) ** 2 / GRAVITY), 0.2)
    look = course.at(course.distance(t + 0.45))[1]

    # who stands, breathes and shifts the weight a little: waves that come round every four seconds
    idle = 1.0 - soften(pace, 0.2)
    breath = idle * np.sin(0.5 * np.pi * t)
    drift = idle * (np.sin(0.5 * np.pi * t + 1.0) + 0.4 * np.sin(np.pi * t))

    pelvis = turn(
        heading - style.yaw * stride, style.tilt * pace * 0.6, style.list * shift - 0.3 * bank + 0.008 * drift
    )
    chest = turn(
        heading + style.twist * stride + 0.25 * (look - heading),
        style.lean * pace + 0.02 - 0.012 * breath,
        -0.4 * style.list * shift - bank,
    )
    head = turn(look + 0.15 * style.twist * stride + 0.03 * drift, style.nod + 0.01 * breath, -0.35 * bank)

    beside = style.sway * shift + 0.5 * bank * (LEG + ANKLE_HEIGHT)
    root = point + left * (beside + 0.008 * drift)[:, None] + ahead * (0.004 * idle * np.sin(np.pi * t))[:, None]
    middle = np.array(course.touchdowns) + 0.5 * style.stance
    phase = np.interp(t, middle, np.arange(len(middle)))
    wave = np.cos(2 * np.pi * soften(phase, 0.05)) * soften(pace, 0.15) * style.bounce
    room = np.minimum(*(headroom(feet[side], root, pelvis, side, style.stretch) for side in (0, 1)))
    tallest = ANKLE_HEIGHT + 0.994 * LEG + HIP_DROP
    base = np.minimum(room - wave, tallest - style.crouch)
    root[:, 1] = floor_under(base, max(style.step, 0.3)) + wave
    return Trunk(root, pelvis, chest, head), stride, breath


def _arm(style: Style, side: int, stride: Array, pace: Array, breath: Array) -> Arm:
    sign = 1.0 if side == 0 else -1.0
    # arms go against the legs, a little late
    swing = -sign * soften(stride, 0.1 * style.step)
    forward = style.arm_swing * swing - style.arm_back + 0.05
    elbow = 0.22 + (style.elbow - 0.22) * pace + style.elbow_swing * swing
    out = np.full(len(stride), style.arm_out)
    return hanging_arm(side, forward, out, elbow, style.inward, style.curl, 0.02 * breath)


def _knee_axis(course: Course, foot: FootTrack, t: Array) -> Array:
    """The axis about which a knee bends: at right angles to a heading between the foot's and the body's."""
    heading = course.at(course.distance(t))[1]
    between = heading + 0.6 * (foot.heading - heading)
    return np.stack([np.cos(between), np.zeros_like(between), -np.sin(between)], axis=-1)
