"""Hands against the ground: a character whose arms are long for its legs would drag them through the floor; its elbows are bent instead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.characters.character import Character
from kinegraph.characters.core import Core
from kinegraph.characters.ground import GroundUnder
from kinegraph.characters.hands import owners
from kinegraph.motion import Motion, filters, rotation
from kinegraph.motion.body import SIDES

# Of the height: how far above the ground a hand is kept.
_CLEAR = 0.01
# Seconds over which an elbow is bent.
_EASE = 0.12
# How far ahead a forearm swings that hangs straight down, against how far it hangs.
_AHEAD = 0.5
# Of the forearm: what is further from the wrist is held by the hand, and may touch the ground.
_LONGEST = 0.8
# Points of a hand that are looked at.
_MOST = 40
# How often it is looked whether a hand is high enough, and how much of the way is left to lack then.
_TRIES, _NEAR = 3, 0.5
# Of the forearm: over how much that it has to come up it gets to turn ahead.
_GENTLY = 0.05
_UP = np.array([0.0, 1.0, 0.0])


def lifted(moved: Motion, character: Character, core: Core, ground: GroundUnder) -> Motion:
    """The motion of a core whose hands are above the ground."""
    for side in SIDES:
        if not moved.skeleton.has_roles(f"{side}_shoulder", f"{side}_elbow"):
            continue
        points = _points(character, core, side)
        if len(points):
            moved = _lifted(moved, side, points, ground, _CLEAR * character.height)
    return moved


def _points(character: Character, core: Core, side: str) -> Array:
    """The lower arm's outermost points ``(N, 3)`` from the elbow, as they are when nothing is turned."""
    skeleton, points = core.skeleton, character.points
    if not len(points):
        return np.zeros((0, 3))
    elbow = skeleton.joint(f"{side}_elbow")
    wrist = skeleton.joint(f"{side}_wrist") if skeleton.has_roles(f"{side}_wrist") else None
    ends = [elbow] if wrist is None else [elbow, wrist]
    held = points.places[(points.weights * np.isin(owners(character, core)[points.joints], ends)).sum(axis=1) > 0.5]
    rest = skeleton.rest + skeleton.offsets[0]
    if wrist is not None:
        held = held[rotation.length(held - rest[wrist]) < _LONGEST * rotation.length(skeleton.offsets[wrist])]
    away = held - rest[elbow]
    # those at the far end, of all sides: no other part of an arm comes down first
    far = away[np.argsort(rotation.length(away))[-10 * _MOST :]]
    chosen: Array = far[:: max(len(far) // _MOST, 1)]
    return chosen


def _lifted(moved: Motion, side: str, points: Array, ground: GroundUnder, clear: float) -> Motion:
    elbow = moved.skeleton.joint(f"{side}_elbow")
    parent = moved.skeleton.parents[elbow]
    wide = min(max(round(_EASE * moved.fps), 1), len(moved))
    for _ in range(_TRIES):
        places, world = moved.positions[:, elbow], moved.orientations
        if ground.level and float(places[:, 1].min()) - float(rotation.length(points).max()) > clear:
            break
        # a wrist turns the hand a little; where the elbow alone would have it is near enough
        arm = rotation.rotate(
            np.repeat(world[:, None, elbow], len(points), axis=1), np.tile(points, (len(moved), 1, 1))
        )
        posed = places[:, None] + arm
        over = posed[..., 1] if ground.level else posed[..., 1] - ground.heights(posed[..., [0, 2]])
        lack = np.maximum(clear - over.min(axis=1), 0.0)
        if float(lack.max()) < _NEAR * clear:
            break
        turned = _raised(arm.mean(axis=1), filters.smoothed(filters.highest(lack, wide), 0.4 * wide, wide), moved)
        rotations = moved.rotations.copy()
        rotations[:, elbow] = rotation.multiply(
            rotation.inverse(world[:, parent]), rotation.multiply(turned, world[:, elbow])
        )
        moved = replace(moved, rotations=rotations)
    return moved


def _raised(middle: Array, lack: Array, moved: Motion) -> Array:
    """Turns ``(F, 4)`` of a forearm whose hand's ``middle (F, 3)`` is to come up by ``lack (F,)``, ahead where it hangs straight down."""
    across = moved.position("left_hip") - moved.position("right_hip")
    ahead = rotation.cross(across, np.broadcast_to(_UP, across.shape)) * [1.0, 0.0, 1.0]
    ahead /= np.maximum(rotation.length(ahead), 1e-9)[:, None]
    far = np.maximum(rotation.length(middle), 1e-9)
    flat = middle * [1.0, 0.0, 1.0] + _AHEAD * far[:, None] * ahead
    flat /= np.maximum(rotation.length(flat), 1e-9)[:, None]
    high = np.clip((middle[:, 1] + lack) / far, -1.0, 1.0)
    turns = rotation.between(middle, np.sqrt(1.0 - high**2)[:, None] * flat + high[:, None] * _UP)
    # none where none is needed, and no jump to where it is
    share = np.clip(lack / (_GENTLY * far), 0.0, 1.0)
    eased: Array = rotation.slerp(np.broadcast_to(rotation.IDENTITY, turns.shape), turns, share)
    return eased
