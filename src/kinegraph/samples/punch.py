"""Nine straight punches with the right hand, at a grid of targets three wide and three high."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import kinematics, rotation
from kinegraph.samples import stance
from kinegraph.samples.body import ARM, skeleton
from kinegraph.samples.curves import FPS, floor_under, keyed
from kinegraph.samples.feet import FootTrack, contacts, pivot
from kinegraph.samples.pose import Trunk, assemble, headroom, reaching_arm, trunk_rotations
from kinegraph.samples.sample import Sample

# Metres in the ready pose's frame. The grid is a plane: a target further to the side asks for more turn of the body.
_ACROSS = MappingProxyType({"left": 0.26, "centre": 0.04, "right": -0.2})
_UP = MappingProxyType({"high": 1.58, "middle": 1.36, "low": 1.12})
_AHEAD = 0.66
TARGETS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {f"punch_{high}_{wide}": (x, y, _AHEAD) for high, y in _UP.items() for wide, x in _ACROSS.items()}
)

# Frames: the body winds up, the hand flies, hits, and comes back.
_WIND, _HIT, _BACK, _LAST = 21, 34, 60, 78
_EXTENDED = 0.965
"""The share of the arm's length that is used at the hit: a straight elbow would hurt the boxer."""


def make(name: str) -> Sample:
    """The punch at the target of that name."""
    target = np.array(TARGETS[name])
    at = stance.ready_frame().apply(target)
    frames = _LAST + 1
    t = np.arange(frames) / FPS
    pelvis, chest, head, root = _hit_pose(target)
    # the hips lead, the chest follows, the hand comes last: each begins and comes to rest a little after the one before
    trunk = stance.trunk_at(
        _key(t, 16, _HIT - 2, stance.READY_ROOT, root, 0.0),
        _key(t, 14, _HIT - 2, stance.READY_PELVIS, pelvis, -0.12),
        _key(t, 16, _HIT, stance.READY_CHEST, chest, -0.16),
        _key(t, 16, _HIT, stance.READY_HEAD, head, 0.0),
    )
    drive = keyed(t, np.array([16, _HIT - 1, _HIT + 4, _BACK]) / FPS, [0.0, 1.0, 0.9, 0.0])
    feet = (stance.planted(stance.LEFT_PLANT, frames), pivot(stance.RIGHT_PLANT, 0.5 * drive, 0.75 * drive))
    trunk = _supported(trunk, feet)
    # the trunk as supported decides where the shoulder is: shift it along the punch until the arm is as long as it should be
    trunk = _within_reach(trunk, at, drive)
    hand = keyed(t, np.array([_WIND, _HIT, _HIT + 3, _BACK]) / FPS, [0.0, 1.0, 0.93, 0.0])
    wind = keyed(t, np.array([9, _WIND, _HIT]) / FPS, [0.0, 1.0, 0.0])
    guard = stance.chest_point(trunk, stance.GUARD[1] + wind[:, None] * np.array([-0.03, -0.03, -0.07]))
    wrist = guard + hand[:, None] * (at - guard)
    flare = stance.ELBOWS[1] + hand[:, None] * np.array([-0.6, 0.2, 0.0])
    collar = rotation.about_y(0.3 * hand)
    right = reaching_arm(trunk, 1, wrist, rotation.rotate(trunk.chest, flare), 1.3 * hand, stance.FIST, collar)
    tuck = stance.GUARD[0] + drive[:, None] * np.array([-0.02, 0.0, -0.1])
    arms = (stance.guarding(trunk, 0, tuck), right)
    motion = assemble(name, trunk, feet, arms, stance.knee_axes(feet))
    return Sample(motion.place(stance.ready_frame().inverse()), "punch", contacts(feet), target=target, hit_frame=_HIT)


def _hit_pose(target: Array) -> tuple[Array, Array, Array, Array]:
    """Yaw, pitch and roll of pelvis, chest and head, and the root, at the hit."""
    x, y, _ = target
    # from -1 at the right and below to 1 at the left and above
    side, height = (x - _ACROSS["centre"]) / 0.23, (y - _UP["middle"]) / 0.23
    pelvis = np.array([0.32 + 0.12 * side, 0.1 - 0.05 * height, 0.0])
    chest = np.array([0.72 + 0.22 * side, 0.2 - 0.16 * height, 0.08 + 0.05 * height])
    head = np.array([0.02 + 0.2 * side, 0.1 - 0.14 * height, 0.04])
    low = max(-height, 0.0)
    root = stance.READY_ROOT + np.array([0.03 + 0.02 * side, -0.02 - 0.1 * low, 0.07])
    return pelvis, chest, head, root


def _key(t: Array, begin: int, hit: int, ready: Array, pose: Array, wind: float) -> Array:
    """A part of the body from ready, by a counter-movement (``wind`` of the way, below zero), to its pose at the hit and back."""
    back = ready + wind * (pose - ready)
    keys = np.stack([ready, back, pose, pose + 0.1 * (ready - pose), ready])
    return keyed(t, np.array([begin - 6, begin + 3, hit, hit + 4, _BACK + 4]) / FPS, keys)


def _supported(trunk: Trunk, feet: tuple[FootTrack, FootTrack]) -> Trunk:
    """The trunk no higher than both legs allow."""
    room = headroom(feet, trunk.root, trunk.pelvis, 0.985)
    root = trunk.root.copy()
    root[:, 1] = floor_under(np.minimum(room, root[:, 1]), 0.1)
    return Trunk(root, trunk.pelvis, trunk.chest, trunk.head)


def _within_reach(trunk: Trunk, at: Array, drive: Array) -> Trunk:
    """The trunk shifted forwards or back, in step with ``drive (F,)``: at the hit the shoulder is an arm's length from the target."""
    joints = skeleton()
    rotations = trunk_rotations(trunk)
    rotations[:, joints.index("right_collar")] = rotation.about_y(0.3)
    shoulder = kinematics.forward(joints, trunk.root, rotations)[0][_HIT, joints.index("right_shoulder")]
    gap = at - shoulder
    shift = gap[2] - np.sqrt((_EXTENDED * ARM) ** 2 - gap[0] ** 2 - gap[1] ** 2)
    return Trunk(trunk.root + drive[:, None] / drive[_HIT] * [0.0, 0.0, shift], trunk.pelvis, trunk.chest, trunk.head)
