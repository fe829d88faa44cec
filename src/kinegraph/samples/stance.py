"""The ready pose from which strikes start and to which they return: left foot forward, hands before the chin."""

from __future__ import annotations

from functools import cache

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.floor import FloorTransform
from kinegraph.samples.body import skeleton
from kinegraph.samples.feet import Footfall, FootTrack, pivot
from kinegraph.samples.pose import Arm, Trunk, assemble, reaching_arm, sideways, trunk_rotations, turn

LEFT_PLANT = Footfall(-np.inf, np.inf, 0.12, 0.16, 0.05)
RIGHT_PLANT = Footfall(-np.inf, np.inf, -0.13, -0.24, -0.55)
ROOT_HEIGHT = 0.885
# Root, and yaw, pitch and roll of pelvis, chest and head.
READY_ROOT = np.array([0.0, ROOT_HEIGHT, 0.0])
READY_PELVIS = np.array([-0.42, 0.06, 0.0])
READY_CHEST = np.array([-0.36, 0.14, 0.0])
READY_HEAD = np.array([-0.08, 0.1, 0.0])

# Wrists on guard and the way the elbows point, in the chest's frame.
GUARD = (np.array([0.13, 0.21, 0.33]), np.array([-0.11, 0.19, 0.24]))
ELBOWS = (np.array([0.45, -1.0, 0.1]), np.array([-0.45, -1.0, -0.35]))
FIST = 1.4


def trunk_at(root: Array, pelvis: Array, chest: Array, head: Array) -> Trunk:
    """A trunk from root ``(F, 3)`` and yaw, pitch, roll ``(F, 3)`` of pelvis, chest and head."""
    return Trunk(root, *(turn(part[:, 0], part[:, 1], part[:, 2]) for part in (pelvis, chest, head)))


@cache
def ready_frame() -> FloorTransform:
    """From the ready pose's own coordinates (root above the origin, facing +Z) to those in which the stance is laid out."""
    trunk = trunk_at(*(row[None] for row in (READY_ROOT, READY_PELVIS, READY_CHEST, READY_HEAD)))
    feet = (planted(LEFT_PLANT, 1), planted(RIGHT_PLANT, 1))
    arms = (guarding(trunk, 0), guarding(trunk, 1))
    motion = assemble("ready", trunk, feet, arms, knee_axes(feet))
    x, _, z = motion.root[0]
    return FloorTransform(float(motion.heading()[0]), float(x), float(z))


def planted(plant: Footfall, frames: int) -> FootTrack:
    """A foot that stays flat where it is."""
    return pivot(plant, np.zeros(frames), np.zeros(frames))


def knee_axes(feet: tuple[FootTrack, FootTrack]) -> tuple[Array, Array]:
    """The axes ``(F, 3)`` about which the knees bend when each points over its toes."""
    return sideways(feet[0].heading), sideways(feet[1].heading)


def chest_point(trunk: Trunk, offset: Array) -> Array:
    """World position ``(F, 3)`` of a point ``(3,)`` or ``(F, 3)`` given in the chest's frame."""
    positions, orientations = kinematics.forward(skeleton(), trunk.root, trunk_rotations(trunk))
    chest = skeleton().index("chest")
    return positions[:, chest] + rotation.rotate(orientations[:, chest], offset)


def guarding(trunk: Trunk, side: int, wrist: Array | None = None) -> Arm:
    """An arm on guard. wrist: ``(F, 3)`` in the chest's frame, by default where the guard holds it."""
    at = chest_point(trunk, GUARD[side] if wrist is None else wrist)
    pole = rotation.rotate(trunk.chest, ELBOWS[side])
    return reaching_arm(trunk, side, at, pole, 0.0, FIST, rotation.identity(len(at)))
