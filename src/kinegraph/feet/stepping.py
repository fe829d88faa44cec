"""Feet through a transition: one after the other, each steps from its place in the outgoing motion to its place in the incoming one.

A blend moves both feet at once, along the floor. If it joins two different stances, feet that are then held still stand where neither
motion had them. Here a foot follows the outgoing motion until it steps, and the incoming motion from then on, so that a standing foot
stays where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.legs import reach
from kinegraph.feet.sole import Sole, soles
from kinegraph.feet.targets import Target
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion

# Parts of the transition within which the first foot steps, and the second: never both, so that one may bear the body.
_STEPS = ((0.02, 0.5), (0.5, 0.98))
# A step is so much of its length high, and at least and at most so many metres.
_HEIGHT, _LOWEST, _HIGHEST = 0.25, 0.04, 0.06
# Part of its time within which a foot that steps goes along the floor: it is lifted first, and put down where it has arrived.
_ALONG = (0.1, 0.85)
# Metres by which heel and ball may be elsewhere afterwards for nobody to step: feet that stand are held in between.
_STAYS = 0.04


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two motions of a transition of L frames, in its place on the floor: those L frames and their contacts ``(L, 4)``."""

    motion: Motion
    contacts: Bools


def stepped(
    motion: Motion,
    contacts: Bools,
    first: int,
    outgoing: Side,
    incoming: Side,
    feet: tuple[Sole, Sole] | None = None,
) -> tuple[Motion, Bools]:
    """The motion, and its contacts ``(F, 4)``, with a transition from frame ``first`` on in which the feet step.

    Only the legs change, and the body is lowered where a leg would not reach. feet: the body's, where they are known better than from
    this motion.
    """
    here = slice(first, first + len(outgoing.motion))
    down = contacts.copy()
    both = soles(motion, contacts) if feet is None else feet
    leading = _leading(outgoing, incoming, [sole.ankle for sole in both])
    goals = []
    for side, sole in enumerate(both):
        begin, end = _STEPS[0 if side == leading else 1]
        t = np.clip((np.arange(1, here.stop - first + 1) / (here.stop - first + 1) - begin) / (end - begin), 0.0, 1.0)
        own = slice(2 * side, 2 * side + 2)
        stays = _stays(outgoing, incoming, sole, own)
        goals.append((sole, _target(motion, here, outgoing.motion, incoming.motion, sole.ankle, sole.toe, t, stays)))
        if stays:
            down[here, own] = np.where((t < 0.5)[:, None], outgoing.contacts[:, own], incoming.contacts[:, own])
            continue
        down[here, own] = np.where((t <= 0.0)[:, None], outgoing.contacts[:, own], incoming.contacts[:, own])
        down[here, own] &= ((t <= 0.0) | (t >= 1.0))[:, None]
    reached = reach(motion, goals, 0.0, None)
    return replace(motion, root=reached.root, rotations=reached.rotations), down


def _leading(outgoing: Side, incoming: Side, ankles: list[int]) -> int:
    """Which foot steps first: the one that is in the air before, or down again after; otherwise the one with the longer way."""
    half = len(outgoing.motion) // 2
    score = []
    for side, ankle in enumerate(ankles):
        aloft = ~outgoing.contacts[:half, 2 * side : 2 * side + 2].any(axis=1)
        lifted = ~incoming.contacts[half:, 2 * side : 2 * side + 2].any(axis=1)
        way = incoming.motion.positions[half, ankle] - outgoing.motion.positions[half, ankle]
        score.append(float(aloft.mean() - lifted.mean() + np.linalg.norm(way)))
    return int(np.argmax(score))


def _stays(outgoing: Side, incoming: Side, sole: Sole, own: slice) -> bool:
    """Whether a foot stands flat all the while in both motions, and so nearly in the same place that nobody would step."""
    if not (outgoing.contacts[:, own].all() and incoming.contacts[:, own].all()):
        return False
    apart = sole.points(incoming.motion)[:, :2] - sole.points(outgoing.motion)[:, :2]
    return bool(np.linalg.norm(apart[..., [0, 2]], axis=-1).max() < _STAYS)


def _eased(t: Array) -> Array:
    """From 0 to 1, from rest to rest, without a jerk."""
    eased: Array = t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    return eased


def _target(
    motion: Motion,
    here: slice,
    outgoing: Motion,
    incoming: Motion,
    ankle: int,
    toe: int | None,
    t: Array,
    stays: bool,
) -> Target:
    """Where a foot should be: in a transition, at frames ``here``, in the part ``t (L,)`` of its step; elsewhere where it is."""
    places = motion.positions[:, ankle].copy()
    share = _eased(np.clip((t - _ALONG[0]) / (_ALONG[1] - _ALONG[0]), 0.0, 1.0))
    way = incoming.positions[:, ankle] - outgoing.positions[:, ankle]
    places[here] = outgoing.positions[:, ankle] + share[:, None] * way
    if not stays:
        rise = np.clip(_HEIGHT * np.hypot(way[:, 0], way[:, 2]), _LOWEST, _HIGHEST)
        places[here, 1] += rise * 16.0 * (t * (1.0 - t)) ** 2
    turns = [rotation.identity(len(motion)), rotation.identity(len(motion))]
    for turn, joint in zip(turns, (ankle, toe), strict=True):
        if joint is not None:
            wished = rotation.slerp(outgoing.orientations[:, joint], incoming.orientations[:, joint], share)
            turn[here] = rotation.multiply(wished, rotation.inverse(motion.orientations[here, joint]))
    planted = np.zeros(len(motion), np.bool_)
    planted[here] = stays | (t <= 0.0) | (t >= 1.0)
    return Target(places, turns[0], turns[1], planted)
