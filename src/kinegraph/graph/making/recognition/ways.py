"""Turns, and ways of going: what lies over the doings."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.contacts import steady, velocity
from kinegraph.graph.making.recognition.signs import STRIDE, Signs
from kinegraph.graph.making.recognition.stretches import SHORTEST, decided
from kinegraph.motion.spans import spans

TURNS = ("turn_left", "turn_right")
WAYS = ("sideways", "backward")

# Seconds over which heading is measured: near a stride, so that the hips' swing cancels.
_TURN_SPAN = 1.0
# Radians per second below which a turn ends and above which it begins.
_STRAIGHT, _TURNING = 0.12, 0.25
# Radians by which a turn must turn in all; more for one who stays, whose trunk twists in every punch.
_LEAST_TURN, _LEAST_PIVOT = np.deg2rad(20.0), np.deg2rad(60.0)
# Radians between where a body faces and where it goes from which it goes sideways, and from which backwards; and how far from these one is
# sure.
_ASIDE, _BACK, _SURE = np.deg2rad(50.0), np.deg2rad(130.0), np.deg2rad(20.0)

Found = tuple[str, int, int, Array]
"""A label, its first frame, the frame past the last, and the belief in each of them."""


def turns(signs: Signs, going: Bools, running: Bools) -> list[Found]:
    """Turns of a body that is ``going (F,)``, and that is ``running (F,)``."""
    rate = np.where(running, _veering(signs.travel, signs.fps), velocity(signs.heading, signs.fps, _TURN_SPAN))
    shortest = SHORTEST * signs.fps
    found: list[Found] = []
    for label, towards in zip(TURNS, (rate, -rate), strict=True):
        belief = np.clip((towards - _STRAIGHT) / (_TURNING - _STRAIGHT), 0.0, 1.0)
        for first, last in spans(decided(belief, shortest, 1.0 - 1e-9, 1e-9)):
            least = _LEAST_TURN if going[first:last].mean() >= 0.5 else _LEAST_PIVOT
            if last - first >= shortest and towards[first:last].sum() / signs.fps >= least:
                found.append((label, first, last, belief[first:last]))
    return found


def ways(signs: Signs, going: Bools) -> list[Found]:
    """Stretches in which a body that is ``going (F,)`` does not go where it faces."""
    way = np.arctan2(signs.travel[:, 0], signs.travel[:, 1])
    # the hips' swing cancels over a stride
    faced = velocity(np.cumsum(np.exp(1j * (signs.heading - way))) / signs.fps, signs.fps, STRIDE)
    apart = np.abs(np.angle(faced))
    shortest = SHORTEST * signs.fps
    found: list[Found] = []
    for label, beyond in zip(WAYS, (np.minimum(apart - _ASIDE, _BACK - apart), apart - _BACK), strict=True):
        belief = np.clip(0.5 + 0.5 * beyond / _SURE, 0.0, 1.0)
        held = steady(going & (beyond > 0.0), shortest) & going
        found += [(label, first, last, belief[first:last]) for first, last in spans(held) if last - first >= shortest]
    return found


def _veering(travel: Array, fps: float) -> Array:
    """Radians per second ``(F,)``, positive to the left, by which the direction of travel ``(F, 2)`` (x, z) turns.

    A runner's shoulders swing too much, and a run is often too short, for the heading to show it.
    """
    change = velocity(travel, fps, STRIDE)
    square = np.maximum(np.einsum("fi,fi->f", travel, travel), 1e-6)
    turn: Array = (travel[:, 1] * change[:, 0] - travel[:, 0] * change[:, 1]) / square
    return turn
