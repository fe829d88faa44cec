"""Feet as they are seen by somebody who has only the file: when they stand is found anew, and how much they skate meanwhile is measured.

What a walk's own plants say of it is what its feet were held to. An animator, a physics engine or a paper looks at the motion instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.contacts import contacts, velocity
from kinegraph.feet.plants import footing
from kinegraph.feet.slide import Slides, slides
from kinegraph.feet.sole import Sole, has_legs
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion

# Seconds over which the speed of toes is measured.
_SPAN = 0.05
# The published measure's own frames per second, metres per second, metres over the lowest point, and frames to average over.
_RATE, _FAST, _LOW, _AVERAGED = 20.0, 0.5, 0.05, 5


@dataclass(frozen=True, eq=False)
class SeenFeet:
    """The feet of a motion, looked at anew."""

    slides: Slides
    """How far they stray where they are seen to stand."""
    soles: tuple[Sole, Sole]
    speeds: Array
    """Horizontal speeds ``(N,)`` of the balls in all N moments in which one stands, in m/s."""
    skating: Bools
    """Whether a foot skates in each frame of 20 a second: see `skating`."""


@dataclass(frozen=True)
class Skating:
    """How feet skate in one motion or in several."""

    slide: tuple[float, float]
    """How far points that stand stray from their mean places: the mean over all plants of their means, and the largest; metres."""
    speed: float
    """The mean horizontal speed of balls while they stand, in m/s."""
    ratio: float
    """The share of frames in which a foot skates, as `skating` says."""


# a walk is looked at when it is made and when it is judged
@lru_cache(maxsize=4)
def look(motion: Motion) -> SeenFeet | None:
    """The feet of a motion, looked at anew; None where the body's legs are not known. The last few are remembered.

    >>> from kinegraph import samples
    >>> seen = look(samples.make("walk").motion)
    >>> len(seen.slides.plants), round(1000 * seen.slides.overall[1])
    (17, 0)
    """
    return examine(motion)


def summary(seen: Sequence[SeenFeet], sound: Sequence[Bools] = ()) -> Skating | None:
    """What was seen in some motions, taken together; None of none. sound: frames of each in which the capture lost no joint."""
    if not seen:
        return None
    means, furthest = [], []
    for number, feet in enumerate(seen):
        whole = np.array(
            [not sound or bool(sound[number][plant.first : plant.last].all()) for plant in feet.slides.plants], bool
        )
        means.append(feet.slides.mean[whole])
        furthest.append(feet.slides.furthest[whole])
    mean, most = np.concatenate(means), np.concatenate(furthest)
    speeds, ratio = (np.concatenate([getattr(feet, name) for feet in seen]) for name in ("speeds", "skating"))
    return Skating(
        (float(mean.mean()), float(most.max())) if len(mean) else (0.0, 0.0),
        float(speeds.mean()) if len(speeds) else 0.0,
        float(ratio.mean()) if len(ratio) else 0.0,
    )


def skating(motion: Motion, down: Bools) -> Bools:
    """Whether a foot skates ``(N,)``, as Karunratanakul et al. count it ("Guided Motion Diffusion", ICCV 2023), at 20 frames a second.

    It does where the toe joint of a foot is less than 5 cm over the floor in two frames on end, and is moved by more than 2.5 cm between
    them and, on average, in the five pairs of frames around. Toes that swing low count too, so that captured walks do not have 0:
    compare with these. The floor is where the joint mostly is while ``down (F, 4)`` says that the ball stands. The paper takes the
    lowest point of the motion, but in captures that is an outlier, by centimetres.

    >>> from kinegraph import samples
    >>> [skating(one.motion, one.contacts).mean().item() > 0.1 for one in map(samples.make, ("stand", "run"))]
    [False, True]
    """
    toes = _toes(motion)
    moments = np.arange(int((len(motion) - 1) * _RATE / motion.fps + 1e-6) + 1) * motion.fps / _RATE
    if len(moments) < 2:
        return np.zeros(0, np.bool_)
    below = np.minimum(moments.astype(np.intp), len(motion) - 2)
    part = (moments - below)[:, None, None]
    at = toes[below] * (1.0 - part) + toes[below + 1] * part
    low = at[..., 1] - _floor(toes[..., 1], down[:, [1, 3]]) < _LOW
    speed = np.linalg.norm(np.diff(at[..., [0, 2]], axis=0), axis=-1) * _RATE
    averaged = np.stack([_averaged(column) for column in speed.T], axis=1)
    skates: Bools = (low[1:] & low[:-1] & (speed > _FAST) & (averaged > _FAST)).any(axis=1)
    return skates


def examine(motion: Motion) -> SeenFeet | None:
    """The same as `look`, remembered by nobody."""
    if not has_legs(motion.skeleton):
        return None
    down = contacts(motion)
    found = footing(motion, down)
    speed = np.linalg.norm(velocity(_toes(motion)[..., [0, 2]], motion.fps, _SPAN), axis=-1)
    return SeenFeet(
        slides(motion, found.plants, found.soles), found.soles, speed[down[:, [1, 3]]], skating(motion, down)
    )


def _toes(motion: Motion) -> Array:
    """Toe joints of the left and right foot ``(F, 2, 3)``; ankles of feet without toes."""
    roles = [f"{side}_toe" if motion.skeleton.has_roles(f"{side}_toe") else f"{side}_ankle" for side in SIDES]
    return np.stack([motion.position(role) for role in roles], axis=1)


def _floor(height: Array, stands: Bools) -> Array:
    """Heights ``(2,)`` at which joints of some ``height (F, 2)`` mostly are while each ``stands (F, 2)``; where none does, its lowest."""
    each = zip(height.T, stands.T, strict=True)
    return np.array([np.median(column[down]) if down.any() else column.min() for column, down in each])


def _averaged(values: Array) -> Array:
    """``values (N,)`` averaged over the frames around each, with zeros beyond the ends."""
    reach = _AVERAGED // 2
    averaged: Array = np.convolve(np.pad(values, reach), np.full(_AVERAGED, 1.0 / _AVERAGED), mode="valid")
    return averaged
