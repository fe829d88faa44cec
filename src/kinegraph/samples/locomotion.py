"""The clips that go somewhere, or stand: courses and styles for the generator in `gait`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np

from kinegraph.arrays import Array
from kinegraph.samples.curves import FPS, smooth_integral
from kinegraph.samples.feet import Swing
from kinegraph.samples.gait import perform
from kinegraph.samples.sample import Sample
from kinegraph.samples.steps import StepPlan, Style

# Steps take whole frames, so that after whole strides a steady clip is back in its first pose exactly.
WALK = Style()
SLOW = Style(
    speed=0.85, step=40 / FPS, duty=0.65, lead=-0.055, pitch_in=-0.26, pitch_out=0.66, swing=Swing(rise=0.045, tuck=0.15),
    bounce=0.014, sway=0.03, yaw=0.06, lean=0.02, twist=0.07, arm_swing=0.2, elbow=0.24, elbow_swing=0.12,
)  # fmt: skip
FAST = Style(
    speed=1.65, step=28 / FPS, duty=0.585, width=0.042, lead=-0.085, pitch_in=-0.4, pitch_out=0.88, swing=Swing(rise=0.07, tuck=0.25),
    bounce=0.033, sway=0.017, yaw=0.13, lean=0.07, twist=0.17, arm_swing=0.46, elbow=0.55, elbow_swing=0.35,
)  # fmt: skip
# With this bounce and step the root falls at 10 m/s² at the top of its wave: a runner in the air is as good as ballistic.
RUN = Style(
    speed=3.0, step=21 / FPS, duty=0.34, width=0.03, lead=-0.12, pitch_in=-0.12, pitch_out=0.85, roll_in=0.25, roll_out=0.55,
    swing=Swing(clearance=0.05, rise=0.2, tuck=0.65, fall=4.5, snap=5.0), stretch=0.99, bounce=-0.031, sway=0.006, yaw=0.12,
    obliquity=0.05, tilt=0.1, lean=0.16, twist=0.22, nod=0.05, arm_swing=0.55, arm_forward=-0.1, arm_out=0.16, elbow=1.55,
    elbow_swing=0.25, inward=0.3, curl=1.2,
)  # fmt: skip
SNEAK = Style(
    speed=0.6, step=51 / FPS, duty=0.68, width=0.07, lead=-0.02, pitch_in=0.3, pitch_out=0.6, roll_in=0.22, roll_out=0.34,
    swing=Swing(clearance=0.13, rise=0.03, tuck=0.1), crouch=0.14, bounce=-0.012, sway=0.045, yaw=0.1, obliquity=0.03, tilt=0.18,
    lean=0.42, twist=0.1, nod=0.12, arm_swing=0.22, arm_forward=0.5, arm_out=0.3, elbow=1.35, elbow_swing=0.15, inward=0.55, curl=0.3,
)  # fmt: skip
STAND = Style(speed=0.0)

_BETWEEN = 0.3 / FPS
"""Seconds by which touchdowns are kept off the frames: exactly on a frame, rounding would decide whether the foot is down."""
# Turns: the radius in metres, and the speed and the frames a step that go with it; people slow down into a turn.
_TURNS = MappingProxyType({"gentle": (4.0, 1.2, 32), "medium": (2.0, 1.1, 33), "tight": (1.0, 0.9, 35)})


def _steady(name: str, label: str, style: Style, strides: int, curvature: float = 0.0) -> Sample:
    """Whole strides at an even speed: the last pose is the first, further on."""
    steps = tuple(k * style.step - _BETWEEN for k in range(-8, 2 * strides + 9))
    course = StepPlan(lambda t: style.speed * t, steps, curvature=curvature)
    motion, contacts = perform(name, style, course, 2 * strides * style.step)
    return Sample(motion, label, contacts, style.speed, 1.0 / curvature if curvature else None)


def _turning(name: str, side: str, how: str) -> Sample:
    radius, speed, frames = _TURNS[how]
    style = replace(WALK, speed=speed, step=frames / FPS, toe_out=0.08, width=0.055)
    return _steady(name, "walk", style, 4, (1.0 if side == "left" else -1.0) / radius)


def _speeding_up(start: float, seconds: float) -> Callable[[Array], Array]:
    """Distance walked when the speed rises smoothly to that of `WALK`, from ``start`` on, within ``seconds``."""
    return lambda t: WALK.speed * seconds * smooth_integral((t - start) / seconds)


def _start(name: str) -> Sample:
    """Standing, then the right foot goes first."""
    begin, first = 0.8, 1.52
    steps = tuple(first + k * WALK.step for k in range(13))
    course = StepPlan(_speeding_up(begin, 1.1), steps, first=1, standing_before=True)
    motion, contacts = perform(name, WALK, course, steps[5])
    return Sample(motion, "walk", contacts, WALK.speed)


def _stop(name: str) -> Sample:
    """Walking, then the left foot comes to rest beside the right."""
    steps = tuple(k * WALK.step - _BETWEEN for k in range(-8, 7))
    end = steps[-1] + 0.17
    # slowing down is speeding up, seen backwards
    backwards = _speeding_up(-end, 1.1)
    course = StepPlan(lambda t: backwards(np.zeros(1)) - backwards(-t), steps, standing_after=True)
    motion, contacts = perform(name, WALK, course, end + 0.9)
    return Sample(motion, "walk", contacts, WALK.speed)


def _stand(name: str) -> Sample:
    """Four seconds of standing at ease: a step long after the clip's end is never made."""
    course = StepPlan(np.zeros_like, (100.0, 101.0), standing_before=True)
    motion, contacts = perform(name, STAND, course, 4.0)
    return Sample(motion, "stand", contacts)


MAKERS: Mapping[str, Callable[[str], Sample]] = MappingProxyType(
    {
        "stand": _stand,
        "walk_slow": lambda name: _steady(name, "walk", SLOW, 4),
        "walk": lambda name: _steady(name, "walk", WALK, 4),
        "walk_fast": lambda name: _steady(name, "walk", FAST, 5),
        **{f"walk_{side}_{how}": partial(_turning, side=side, how=how) for side in ("left", "right") for how in _TURNS},
        "start": _start,
        "stop": _stop,
        "run": lambda name: _steady(name, "run", RUN, 6),
        "sneak": lambda name: _steady(name, "sneak", SNEAK, 3),
    }
)
