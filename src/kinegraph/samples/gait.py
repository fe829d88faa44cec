"""One generator for standing, starting, walking, turning, running, sneaking and stopping: a body that its steps carry along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.motion.clip import Motion
from kinegraph.samples.body import STANDING_HEIGHT
from kinegraph.samples.curves import FPS, GRAVITY, floor_under, soften
from kinegraph.samples.feet import FootTrack, contacts, track
from kinegraph.samples.pose import Arm, Trunk, assemble, hanging_arm, headroom, sideways, turn
from kinegraph.samples.steps import Plants, StepPlan, Style, balance, lay

_MARGIN = 2.0
"""Seconds computed before and after a clip, so that smoothing sees steps on both sides of its ends."""
_STANDING_ELBOW = 0.22
_LOOK_AHEAD = 0.45
"""Seconds: the head already faces where the path will lead."""


@dataclass(frozen=True)
class _Rhythm:
    """What the rest of the body takes from the steps, each ``(F,)``."""

    heading: Array
    """The heading of the path."""
    look: Array
    """The heading of the path a moment later."""
    pace: Array
    """The share of the steady speed."""
    stride: Array
    """How far the left foot is ahead of the right, in steps."""
    shift: Array
    """Where the weight is: 1 left, −1 right."""
    wave: Array
    """1 at mid-stance, −1 in between."""
    bank: Array
    """Lean into a turn."""
    breath: Array
    """With ``drift``, the small movements of somebody who stands."""
    drift: Array


def perform(name: str, style: Style, course: StepPlan, seconds: float) -> tuple[Motion, Bools]:
    """The clip from time 0 to ``seconds``, and when left heel, left ball, right heel and right ball bear weight: ``(F, 4)``."""
    margin = round(_MARGIN * FPS)
    frames = round(seconds * FPS) + 1
    t = (np.arange(frames + 2 * margin) - margin) / FPS
    laid = lay(style, course)
    feet = (track(laid[0], t, style.swing), track(laid[1], t, style.swing))
    rhythm = _rhythm(style, course, laid, feet, t)
    trunk = _trunk(style, course, rhythm, feet, t)
    arms = (_arm(style, rhythm, 0), _arm(style, rhythm, 1))
    # knees point between where the toes and where the body point
    knees = tuple(sideways(rhythm.heading + 0.6 * (foot.heading - rhythm.heading)) for foot in feet)
    motion = assemble(name, trunk, feet, arms, (knees[0], knees[1]))
    clip = slice(margin, margin + frames)
    return motion[clip], contacts(feet)[clip]


def _rhythm(style: Style, course: StepPlan, laid: Plants, feet: tuple[FootTrack, FootTrack], t: Array) -> _Rhythm:
    heading = course.at(course.distance(t))[1]
    pace = course.pace(style, t)
    ahead = np.sum((feet[0].ankle - feet[1].ankle) * _forwards(heading), axis=-1)
    middle = np.array(course.touchdowns) + 0.5 * style.stance
    phase = soften(np.interp(t, middle, np.arange(len(middle))), 0.05)
    # who stands breathes and shifts the weight a little, in waves that come round every four seconds
    idle = 1.0 - soften(pace, 0.2)
    return _Rhythm(
        heading=heading,
        look=course.at(course.distance(t + _LOOK_AHEAD))[1],
        pace=pace,
        stride=soften(ahead / max(style.speed * style.step, 0.3), 0.12 * style.step),
        shift=soften(balance(laid, t), 0.3 * style.step),
        wave=np.cos(2 * np.pi * phase) * soften(pace, 0.15),
        # until gravity and the pull outwards balance
        bank=soften(np.arctan(course.curvature * (style.speed * pace) ** 2 / GRAVITY), 0.2),
        breath=idle * np.sin(0.5 * np.pi * t),
        drift=idle * (np.sin(0.5 * np.pi * t + 1.0) + 0.4 * np.sin(np.pi * t)),
    )


def _forwards(heading: Array) -> Array:
    return np.stack([np.sin(heading), np.zeros_like(heading), np.cos(heading)], axis=-1)


def _trunk(style: Style, course: StepPlan, now: _Rhythm, feet: tuple[FootTrack, FootTrack], t: Array) -> Trunk:
    """The pelvis goes with the legs, the chest against them; the head looks where the path leads and stays level."""
    pelvis = turn(
        now.heading - style.yaw * now.stride,
        style.tilt * now.pace,
        style.obliquity * now.shift - 0.3 * now.bank + 0.008 * now.drift,
    )
    chest = turn(
        now.heading + style.twist * now.stride + 0.25 * (now.look - now.heading),
        0.02 + style.lean * now.pace - 0.012 * now.breath,
        -0.4 * style.obliquity * now.shift - now.bank,
    )
    head = turn(
        now.look + 0.15 * style.twist * now.stride + 0.03 * now.drift,
        style.nod + 0.01 * now.breath,
        -0.35 * now.bank,
    )
    beside = style.sway * now.shift + 0.5 * now.bank * STANDING_HEIGHT + 0.008 * now.drift
    root = course.at(course.distance(t))[0] + beside[:, None] * sideways(now.heading)
    root += 0.004 * now.breath[:, None] * _forwards(now.heading)
    # as high as the legs allow at every moment: no knee is ever pulled straight
    wave = style.bounce * now.wave
    room = headroom(feet, root, pelvis, style.stretch)
    root[:, 1] = wave + floor_under(np.minimum(room - wave, STANDING_HEIGHT - style.crouch), max(style.step, 0.3))
    return Trunk(root, pelvis, chest, head)


def _arm(style: Style, now: _Rhythm, side: int) -> Arm:
    """Arms go against the legs, a little late."""
    swing = (-1.0 if side == 0 else 1.0) * soften(now.stride, 0.1 * style.step)
    elbow = _STANDING_ELBOW + (style.elbow - _STANDING_ELBOW) * now.pace + style.elbow_swing * swing
    return hanging_arm(
        side,
        forward=style.arm_forward + style.arm_swing * swing,
        out=np.full(len(swing), style.arm_out),
        elbow=elbow,
        inward=style.inward,
        curl=style.curl,
        shrug=0.02 * now.breath,
    )
