"""Inertialization: the incoming motion alone, and on top of it what the outgoing one had more at the switch, dying away.

Bollo, "Inertialization: High-performance animation transitions in Gears of War", GDC 2018. The outgoing motion is not looked at after
the switch, so a transition never shows the mean of two motions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kinegraph.arrays import Array
from kinegraph.blending.arcs import arcs
from kinegraph.blending.named import register
from kinegraph.blending.stretch import Stretch, check_pair
from kinegraph.blending.ways import near, way
from kinegraph.motion import rotation
from kinegraph.motion.skeleton import Skeleton

# an offset shorter than this (metres, radians) has no direction of its own
_NO_OFFSET = 1e-9
# a turn that grows after the switch, since the motions turn away from each other, grows by no more than this (radians) …
_GROWTH = np.deg2rad(6.0)
# … unless it would have to be braked within less than this (seconds), which is seen as a jerk
_SOONEST = 0.1


@register("The new motion at once, with what the old one had more dying away.", place=4)
@dataclass(frozen=True)
class Inertial:
    """The incoming motion plus the decaying offset of the outgoing: value, velocity and acceleration of the offset end at 0.

    The offset never passes 0 to the other side. So the velocity is continuous, but one that would take a small offset past 0 within a
    frame is gone within that frame.
    """

    name: ClassVar[str] = "inertial"
    smooth: ClassVar[bool] = True

    def weights(self, skeleton: Skeleton, length: int) -> Array:
        """α ``(L, J)`` for those who ask whose a frame is: 1 less what is left of an offset that stood still at the switch."""
        left = decayed(np.ones(1), np.zeros(1), length + 1.0, np.arange(1.0, length + 1.0))
        return np.repeat(1.0 - left.T, len(skeleton), axis=1)

    def mix(self, outgoing: Stretch, incoming: Stretch) -> tuple[Array, Array]:
        """Root ``(..., L, 3)`` and rotations ``(..., L, J, 4)`` of the transition."""
        check_pair(outgoing, incoming)
        length = outgoing.length
        # the frame before the transition and the first of it tell offset and velocity at the switch
        switch = slice(0, 2)
        shift = _dying(outgoing.root[..., switch, :] - incoming.root[..., switch, :], length)
        here, there = outgoing.rotations[..., switch, :, :], incoming.rotations[..., switch, :, :]
        apart = arcs(there, here)
        turns = _dying_turns(apart, length, outgoing.fps)
        rotations = rotation.multiply(rotation.exp(turns), incoming.rotations[..., 1:-1, :, :])
        far = ~near(outgoing.skeleton, apart)
        if far.any():
            usual = outgoing.usual_of(far, switch), incoming.usual_of(far, switch)
            ways = way(outgoing.skeleton, here[far], there[far], *usual)
            alike = ways.unrolled(incoming.rotations[far])
            turns = _dying_turns(ways.apart(alike[:, switch], here[far]), length, outgoing.fps)
            rotations[far] = ways.rolled(ways.gone(alike[:, 1:-1], turns), self.weights(outgoing.skeleton, length))
        return incoming.root[..., 1:-1, :] + shift, rotations


def decayed(offset: Array, velocity: Array, duration: float | Array, times: Array) -> Array:
    """Bollo's quintic: what is left ``(..., T)`` at ``times (T,)`` of offsets ``(...)``, 0 or more, that change by ``velocity (...)``.

    It ends after ``duration`` with value, velocity and acceleration 0, and sooner where an offset falls so fast that it would overshoot 0.
    The first acceleration is what lets the jerk end at 0 too, but never below 0: an offset that stands still is not jerked away.
    """
    # a fall too slow to tell from rest is none, and dividing by it would overflow
    falls = velocity < -1e-100
    whole = np.where(falls, np.minimum(duration, 5.0 * offset / np.where(falls, -velocity, 1.0)), duration)
    # in units of the whole: x₀, v₀ T and a₀ T²
    speed = velocity * whole
    force = np.maximum(-8.0 * speed - 20.0 * offset, 0.0)
    passed = np.minimum(times / np.maximum(whole, 1e-12)[..., None], 1.0)
    powers = (
        offset,
        speed,
        0.5 * force,
        -10.0 * offset - 6.0 * speed - 1.5 * force,
        15.0 * offset + 8.0 * speed + 1.5 * force,
        -6.0 * offset - 3.0 * speed - 0.5 * force,
    )
    left = np.zeros(np.broadcast_shapes(passed.shape, (*offset.shape, 1)))
    for coefficient in reversed(powers):
        left = left * passed + coefficient[..., None]
    return left


def _dying_turns(apart: Array, length: int, fps: float) -> Array:
    """As `_dying`, for every joint: rotation vectors ``(..., 2, J, 3)`` to ``(..., L, J, 3)`` that hardly grow before they die.

    A knee that stretches while the other motion's bends would otherwise go on stretching, past straight.
    """
    return np.moveaxis(_dying(np.moveaxis(apart, -3, -2), length, _GROWTH, _SOONEST * fps), -2, -3)


def _dying(offsets: Array, length: int, growth: float = np.inf, soonest: float = 0.0) -> Array:
    """Vectors ``(..., L, 3)`` that take up the first of two ``(..., 2, 3)`` with its velocity, and are gone by the frame after the last.

    Magnitude along the offset's own direction, and what moves sideways as a magnitude from 0: so all of the velocity is kept. A velocity
    that would make the offset grow by more than ``growth`` dies sooner than the offset, but not before ``soonest`` frames.
    """
    first, velocity = offsets[..., 0, :], offsets[..., 1, :] - offsets[..., 0, :]
    size = np.linalg.norm(first, axis=-1)
    along = first / np.maximum(size, _NO_OFFSET)[..., None]
    speed = np.sum(along * velocity, axis=-1)
    aside = velocity - speed[..., None] * along
    drift = np.linalg.norm(aside, axis=-1)
    sideways = aside / np.maximum(drift, _NO_OFFSET)[..., None]
    times = np.arange(1.0, length + 1.0)
    whole = length + 1.0
    left: Array = decayed(size, np.minimum(speed, 0.0), whole, times)[..., None] * along[..., None, :]
    for gain, outwards in ((np.maximum(speed, 0.0), along), (drift, sideways)):
        # what begins at 0 grows by a fifth of its first velocity times its duration
        soon = np.minimum(whole, np.maximum(soonest, growth / np.maximum(0.2 * gain, _NO_OFFSET)))
        left += decayed(np.zeros_like(gain), gain, soon, times)[..., None] * outwards[..., None, :]
    return left
