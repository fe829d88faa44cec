"""The ready pose from which strikes start and to which they return: left foot forward, hands before the chin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from kinegraph.motion import kinematics, rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.rotation import Array
from kinegraph.samples.feet import FootTrack, Plant, pivot
from kinegraph.samples.pose import Arm, Trunk, assemble, reaching_arm, trunk_rotations, turn
from kinegraph.samples.skeleton import skeleton

LEFT_PLANT = Plant(-np.inf, np.inf, 0.12, 0.16, 0.05)
RIGHT_PLANT = Plant(-np.inf, np.inf, -0.13, -0.24, -0.55)
ROOT_HEIGHT = 0.885
PELVIS_YAW = -0.42
CHEST_YAW = -0.36
CHEST_PITCH = 0.14
HEAD_YAW = -0.08
HEAD_PITCH = 0.1

# Wrists on guard and the way the elbows point, in the chest's frame.
GUARD = (np.array([0.13, 0.21, 0.33]), np.array([-0.11, 0.19, 0.24]))
ELBOWS = (np.array([0.45, -1.0, 0.1]), np.array([-0.45, -1.0, 0.0]))
FIST = 1.4
_LOOSE = rotation.IDENTITY


@dataclass(frozen=True)
class Ready:
    """Where the ready pose stands: ``frame`` takes its own coordinates (root above the origin, facing +Z) to those of the stance."""

    frame: FloorTransform

    def to_stance(self, target: Array) -> Array:
        """A target ``(3,)`` of the ready pose's frame, in the coordinates in which the stance is laid out."""
        return self.frame.apply(target)

    def place(self, motion: Motion) -> Motion:
        """The motion with its ready pose at the origin, facing +Z."""
        return motion.place(self.frame.inverse())


def trunk_at(root: Array, pelvis: Array, chest: Array, head: Array) -> Trunk:
    """A trunk from root ``(F, 3)`` and yaw, pitch, roll ``(F, 3)`` of pelvis, chest and head."""
    return Trunk(root, *(turn(part[:, 0], part[:, 1], part[:, 2]) for part in (pelvis, chest, head)))


READY_ROOT = np.array([0.0, ROOT_HEIGHT, 0.0])
READY_PELVIS = np.array([PELVIS_YAW, 0.06, 0.0])
READY_CHEST = np.array([CHEST_YAW, CHEST_PITCH, 0.0])
READY_HEAD = np.array([HEAD_YAW, HEAD_PITCH, 0.0])


@cache
def ready() -> Ready:
    """The ready pose, found by building one frame of it."""
    trunk = trunk_at(*(row[None] for row in (READY_ROOT, READY_PELVIS, READY_CHEST, READY_HEAD)))
    feet = (planted(LEFT_PLANT, 1), planted(RIGHT_PLANT, 1))
    arms = (guarding(trunk, 0), guarding(trunk, 1))
    motion = assemble("ready", trunk, feet, arms, knee_axes(feet))
    x, _, z = motion.root[0]
    return Ready(FloorTransform(float(motion.heading()[0]), float(x), float(z)))


def planted(plant: Plant, frames: int) -> FootTrack:
    """A foot that stays flat where it is."""
    return pivot(plant, np.zeros(frames), np.zeros(frames))


def knee_axes(feet: tuple[FootTrack, FootTrack]) -> tuple[Array, Array]:
    """The axes ``(F, 3)`` about which the knees bend when each points over its toes."""
    left, right = (np.stack([np.cos(f.heading), np.zeros(len(f.heading)), -np.sin(f.heading)], axis=-1) for f in feet)
    return left, right


def chest_point(trunk: Trunk, offset: Array) -> Array:
    """World position ``(F, 3)`` of a point ``(3,)`` or ``(F, 3)`` given in the chest's frame."""
    positions, orientations = kinematics.forward(skeleton(), trunk.root, trunk_rotations(trunk))
    chest = skeleton().index("chest")
    return positions[:, chest] + rotation.rotate(orientations[:, chest], offset)


def guarding(trunk: Trunk, side: int, wrist: Array | None = None) -> Arm:
    """An arm on guard; wrist ``(F, 3)`` in the chest's frame by default the guard's own."""
    frames = len(trunk.root)
    at = chest_point(trunk, GUARD[side] if wrist is None else wrist)
    pole = rotation.rotate(trunk.chest, ELBOWS[side])
    return reaching_arm(trunk, side, at, pole, 0.0, FIST, np.tile(_LOOSE, (frames, 1)))
