"""Targets: where each foot should be at every frame, before any leg is asked to reach there.

A foot of which heel and ball are planted is fixed; one of which only the ball is turns about it as in the motion, and so about the
heel. In between, what was added to the motion at one plant is led over to what is added at the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.feet.bridge import bridge
from kinegraph.feet.contacts import Bools
from kinegraph.feet.plants import Plant
from kinegraph.feet.sole import Sole
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.rotation import Array

# Metres: how deep a sole that is not planted may sink before anything is done about it, and at most.
_SHALLOW, _DEEPEST = 0.002, 0.0035
# Metres: nobody sees a foot lifted by less.
_UNSEEN = 2e-5
# Radians: the most by which a foot pitches about its ball so that its ankle stays where the leg has it.
_PITCH = 0.2
# Seconds from flat within which it comes to do so in full.
_GIVING = 0.12


@dataclass(frozen=True, eq=False)
class Target:
    """Of one foot: ankle ``(F, 3)``; turn ``(F, 4)``, by which the foot is rotated in the world; toes ``(F, 4)``, by which its toes are,
    which stay on the floor while the heel rises; planted ``(F,)``, whether any part stands.
    """

    ankle: Array
    turn: Array
    toes: Array
    planted: Bools


def target(motion: Motion, sole: Sole, plants: Iterable[Plant]) -> Target:
    """Where the foot of a motion should be, given its plants."""
    frames, fps = len(motion), motion.fps
    ankle, points = motion.positions[:, sole.ankle], sole.points(motion)
    tip, points = points[:, 2] - points[:, 1], points[:, :2]
    stands = np.zeros((frames, 2), np.bool_)
    places = np.zeros((frames, 2, 3))
    for plant in plants:
        stands[plant.first : plant.last, plant.column % 2] = True
        places[plant.first : plant.last, plant.column % 2] = plant.place
    flat, planted = _both(stands), _any(stands)
    known = np.zeros((frames, 3))
    known[flat] = rotation.log(rotation.between(_along(points[flat]), _along(places[flat])))
    toes = rotation.exp(bridge(known, flat, fps))
    turn = rotation.multiply(_pitch(ankle, points, toes, stands, places, fps), toes)
    arms = rotation.rotate(turn[:, None], points - ankle[:, None])
    bearing = np.where(stands[:, 1], 1, 0)[:, None, None]
    asked = np.take_along_axis(places - arms, bearing, axis=1)[:, 0] - ankle
    shift = bridge(np.where(planted[:, None], asked, 0.0), planted, fps)
    foot = Target(ankle + shift, turn, toes, planted)
    # a lifted foot keeps its length, so its other end sinks a little: the next time sets that right
    for _ in range(5):
        arms = rotation.rotate(foot.turn[:, None], points - ankle[:, None])
        lifted = _lifted(foot, arms, stands, sole)
        if lifted is foot:
            break
        foot = lifted
    ball = foot.ankle + rotation.rotate(foot.turn, points[:, 1] - ankle)
    return foot if sole.tip is None else _curled(foot, ball, rotation.rotate(foot.toes, tip), sole)


def _pitch(ankle: Array, points: Array, turn: Array, stands: Bools, places: Array, fps: float) -> Array:
    """Turns ``(F, 4)`` about the ball by which a heel that is up gives way, so that the leg need not be drawn after the ball.

    The foot only pitches: to the side it stays as it is. The heel begins to give way when it comes off the floor.
    """
    pushing = stands[:, 1] & ~stands[:, 0]
    if not pushing.any():
        return rotation.identity(len(stands))
    arm = rotation.rotate(turn, ankle - points[:, 1])
    wish = ankle - places[:, 1]
    forth = rotation.rotate(turn, _along(points))
    across = np.stack([forth[:, 2], np.zeros(len(forth)), -forth[:, 0]], axis=-1)
    across = across / np.maximum(rotation.length(across)[..., None], 1e-9)
    wish = wish - np.sum((wish - arm) * across, axis=-1, keepdims=True) * across
    asked = rotation.log(rotation.between(arm, wish))
    size = rotation.length(asked)[..., None]
    asked = asked * (_PITCH * np.tanh(size / _PITCH) / np.maximum(size, 1e-9))
    known = np.where(pushing[:, None], asked * _since(_both(stands), fps)[:, None], 0.0)
    return rotation.exp(bridge(known, _any(stands), fps))


def _since(flat: Bools, fps: float) -> Array:
    """From 0 at frames in which the foot stands ``flat (F,)`` to 1 at a little while from any, smoothly."""
    now = np.arange(len(flat))
    at = np.flatnonzero(flat)
    if len(at) == 0:
        return np.ones(len(flat))
    after = np.searchsorted(at, now)
    gap = np.minimum(np.abs(now - at[np.maximum(after - 1, 0)]), np.abs(at[np.minimum(after, len(at) - 1)] - now))
    part = np.clip(gap / (_GIVING * fps), 0.0, 1.0)
    smooth: Array = part * part * (3.0 - 2.0 * part)
    return smooth


def _both(stands: Bools) -> Bools:
    """Whether heel and ball stand, ``(F,)`` of ``(F, 2)``."""
    return stands[:, 0] & stands[:, 1]


def _any(stands: Bools) -> Bools:
    """Whether heel or ball stands, ``(F,)`` of ``(F, 2)``."""
    return stands[:, 0] | stands[:, 1]


def _along(points: Array) -> Array:
    """From heel to ball, ``(…, 3)`` of ``(…, 2, 3)``."""
    along: Array = points[..., 1, :] - points[..., 0, :]
    return along


def _lifted(foot: Target, arms: Array, stands: Bools, sole: Sole) -> Target:
    """The target with heel and ball, ``arms (F, 2, 3)`` from the ankle, kept from sinking into the floor where they do not stand."""
    points = foot.ankle[:, None] + arms
    lift = np.where(stands, 0.0, _lift(points[..., 1] - sole.rest[:2]))
    if lift.max() < _UNSEEN:
        return foot
    raised = points.copy()
    raised[..., 1] += lift
    tilt = rotation.identity(len(points)) if sole.toe is None else rotation.between(_along(points), _along(raised))
    # the foot keeps its length: what stands stays, and with nothing standing the middle is where it should be
    share = np.where(_any(stands)[:, None], stands, True).astype(np.float64)
    share /= share.sum(axis=1, keepdims=True)
    held, arm = np.einsum("fp,fpi->fi", share, raised), np.einsum("fp,fpi->fi", share, arms)
    moved = _any(lift > 0)[:, None]
    return Target(
        np.where(moved, held - rotation.rotate(tilt, arm), foot.ankle),
        np.where(moved, rotation.multiply(tilt, foot.turn), foot.turn),
        foot.toes,
        foot.planted,
    )


def _lift(height: Array) -> Array:
    """By how much points at some height over their rest are raised: smoothly, so that a foot which dips still moves without a jerk."""
    below = np.minimum(height + _SHALLOW, 0.0)
    room = _DEEPEST - _SHALLOW
    lift: Array = room * np.tanh(below / room) - below
    return lift


def _curled(foot: Target, ball: Array, toes: Array, sole: Sole) -> Target:
    """The target with toes ``(F, 3)`` from the ball ``(F, 3)`` to their tip that are curled up where the tip would sink."""
    lift = _lift(ball[:, 1] + toes[:, 1] - sole.rest[2])
    if lift.max() < _UNSEEN:
        return foot
    # toes keep their length: what they gain in height they lose or gain along the floor
    raised = toes.copy()
    raised[:, 1] += lift
    level = np.maximum(np.hypot(toes[:, 0], toes[:, 2]), 1e-6)
    along = np.sqrt(np.maximum(np.sum(toes**2, axis=-1) - raised[:, 1] ** 2, 0.0))
    raised[:, [0, 2]] *= (along / level)[:, None]
    curl = rotation.between(toes, raised)
    return replace(foot, toes=np.where(lift[:, None] > 0, rotation.multiply(curl, foot.toes), foot.toes))
