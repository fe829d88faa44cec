"""The clips that go somewhere, or stand: courses and styles for the one generator in `gait`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np

from kinegraph.motion.rotation import Array
from kinegraph.samples.curves import smooth_integral
from kinegraph.samples.feet import Swing
from kinegraph.samples.gait import Course, Style, perform
from kinegraph.samples.sample import Sample

WALK = Style()
SLOW = Style(
    speed=0.85, step=0.66, duty=0.65, lead=-0.055, pitch_in=-0.26, pitch_out=0.66, bounce=0.014, sway=0.03, yaw=0.06, twist=0.07,
    arm_swing=0.2, elbow=0.24, elbow_swing=0.12, lean=0.02, swing=Swing(rise=0.045, tuck=0.15),
)  # fmt: skip
FAST = Style(
    speed=1.65, step=0.47, duty=0.585, lead=-0.085, pitch_in=-0.4, pitch_out=0.88, bounce=0.033, sway=0.017, yaw=0.13, twist=0.17,
    arm_swing=0.46, elbow=0.55, elbow_swing=0.35, lean=0.07, width=0.042, swing=Swing(rise=0.07, tuck=0.25),
)  # fmt: skip
RUN = Style(
    speed=3.0, step=0.355, duty=0.34, lead=-0.12, pitch_in=-0.12, pitch_out=0.85, roll_in=0.25, roll_out=0.55, bounce=-0.031, sway=0.006,
    yaw=0.12, list=0.05, twist=0.22, arm_swing=0.55, arm_back=0.15, arm_out=0.16, elbow=1.55, elbow_swing=0.25, inward=0.3, curl=1.2,
    lean=0.16, tilt=0.16, width=0.03, stretch=0.99, swing=Swing(clearance=0.05, rise=0.2, tuck=0.65, fall=4.5, snap=5.0), nod=0.05,
)  # fmt: skip
SNEAK = Style(
    speed=0.6, step=0.85, duty=0.68, lead=-0.02, pitch_in=0.3, pitch_out=0.6, roll_in=0.22, roll_out=0.34, crouch=0.15, bounce=-0.012,
    sway=0.045, yaw=0.1, list=0.03, twist=0.1, arm_swing=0.22, arm_back=-0.45, arm_out=0.3, elbow=1.35, elbow_swing=0.15, inward=0.55,
    curl=0.3, lean=0.42, tilt=0.3, width=0.07, swing=Swing(clearance=0.13, rise=0.03, tuck=0.1), nod=0.12,
)  # fmt: skip
STAND = Style(speed=0.0)

_RADII = MappingProxyType({"gentle": 4.0, "medium": 2.0, "tight": 1.0})


def _steady(name: str, label: str, style: Style, strides: int, curvature: float = 0.0) -> Sample:
    """Whole strides at an even speed: the last pose is the first, further on."""
    steps = tuple(float(k) * style.step for k in range(-6, 2 * strides + 7))
    course = Course(lambda t: style.speed * t, steps, curvature=curvature)
    motion, contacts = perform(name, style, course, 2 * strides * style.step)
    return Sample(motion, label, contacts, style.speed, 1.0 / curvature if curvature else None)


def _turning(name: str, side: str, how: str) -> Sample:
    radius = _RADII[how]
    # people slow down into a turn and shorten their steps
    ease = {"gentle": 0.96, "medium": 0.88, "tight": 0.72}[how]
    style = replace(WALK, speed=WALK.speed * ease, step=WALK.step * ease**-0.25, toe_out=0.08, width=0.055)
    return _steady(name, "walk", style, 4, (1.0 if side == "left" else -1.0) / radius)


def _ramp(speed: float, start: float, seconds: float) -> Callable[[Array], Array]:
    return lambda t: speed * seconds * smooth_integral((np.asarray(t) - start) / seconds)


def _start(name: str) -> Sample:
    """Standing, then the right foot goes first."""
    begin, ramp, strides = 0.8, 1.1, 3
    first = begin + 0.72
    steps = tuple(first + k * WALK.step for k in range(2 * strides + 7))
    course = Course(_ramp(WALK.speed, begin, ramp), steps, first=1, standing_before=True)
    motion, contacts = perform(name, WALK, course, first + (2 * strides - 1) * WALK.step)
    return Sample(motion, "walk", contacts, WALK.speed)


def _stop(name: str) -> Sample:
    """Walking, then the left foot comes to rest beside the right."""
    strides = 3
    steps = [k * WALK.step for k in range(-6, 2 * strides + 1)]
    last = steps[-1] + 0.02
    ramp, end = 1.1, last + 0.15
    slowing = _ramp(WALK.speed, -end, ramp)
    steps[-1] = last
    course = Course(lambda t: slowing(np.zeros(1)) - slowing(-np.asarray(t)), tuple(steps), standing_after=True)
    motion, contacts = perform(name, WALK, course, end + 0.9)
    return Sample(motion, "walk", contacts, WALK.speed)


def _stand(name: str) -> Sample:
    course = Course(lambda t: 0.0 * np.asarray(t), (100.0, 101.0), standing_before=True)
    motion, contacts = perform(name, STAND, course, 4.0)
    return Sample(motion, "stand", contacts, 0.0)


MAKERS: Mapping[str, Callable[[str], Sample]] = MappingProxyType(
    {
        "stand": _stand,
        "walk_slow": lambda name: _steady(name, "walk", SLOW, 4),
        "walk": lambda name: _steady(name, "walk", WALK, 4),
        "walk_fast": lambda name: _steady(name, "walk", FAST, 5),
        **{f"walk_{side}_{how}": partial(_turning, side=side, how=how) for side in ("left", "right") for how in _RADII},
        "start": _start,
        "stop": _stop,
        "run": lambda name: _steady(name, "run", RUN, 6),
        "sneak": lambda name: _steady(name, "sneak", SNEAK, 3),
    }
)
