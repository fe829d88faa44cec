"""Eight front kicks with the right leg, at several heights and to several sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from kinegraph.arrays import Array
from kinegraph.samples import stance
from kinegraph.samples.body import LEG
from kinegraph.samples.curves import FPS, keyed
from kinegraph.samples.feet import FootTrack, contacts, rolling_state
from kinegraph.samples.pose import Trunk, assemble, sideways, turn
from kinegraph.samples.sample import Sample

# Metres in the ready pose's frame.
TARGETS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "kick_low_left": (0.3, 0.42, 0.68),
        "kick_low_centre": (0.02, 0.4, 0.74),
        "kick_low_right": (-0.34, 0.42, 0.68),
        "kick_middle_left": (0.36, 0.86, 0.78),
        "kick_middle_centre": (0.02, 0.88, 0.86),
        "kick_middle_right": (-0.4, 0.86, 0.76),
        "kick_high_centre": (0.04, 1.26, 0.74),
        "kick_high_right": (-0.34, 1.2, 0.7),
    }
)

# Frames: weight shifts, the foot leaves, the knee is up, hit, the knee is up again, the foot is back.
_SHIFT, _LIFT, _CHAMBER, _HIT, _RECHAMBER, _LAND, _SETTLED, _LAST = 6, 17, 32, 42, 53, 72, 84, 90
_EXTENDED = 0.985
_OFF = replace(stance.RIGHT_PLANT, lift=_LIFT / FPS, roll_out=10 / FPS, pitch_out=0.55)
_ON = replace(stance.RIGHT_PLANT, touchdown=_LAND / FPS, roll_in=9 / FPS, pitch_in=0.4)


def make(name: str) -> Sample:
    """The kick at the target of that name."""
    target = np.array(TARGETS[name])
    at = stance.ready_frame().apply(target)
    frames = _LAST + 1
    t = np.arange(frames) / FPS
    trunk = _trunk(t, at)
    standing = stance.planted(stance.LEFT_PLANT, frames)
    kicking = _kicking_foot(t, trunk, at)
    feet = (standing, kicking)
    aim = _aim(trunk, at)
    up = _raised(t)
    axes = stance.knee_axes(feet)
    axes = (axes[0], sideways(kicking.heading * (1 - up) + aim * up))
    arms = tuple(stance.guarding(trunk, side, stance.GUARD[side] + up[:, None] * _BALANCE[side]) for side in (0, 1))
    motion = assemble(name, trunk, feet, (arms[0], arms[1]), axes)
    return Sample(motion.place(stance.ready_frame().inverse()), "kick", contacts(feet), target=target, hit_frame=_HIT)


# How far the hands leave their guard at the height of the kick, in the chest's frame: the right one swings down and back.
_BALANCE = (np.array([0.06, -0.06, -0.05]), np.array([-0.26, -0.34, -0.02]))


def _raised(t: Array) -> Array:
    """How far into the kick ``(F,)``: 0 in the ready pose, 1 around the hit."""
    return keyed(t, np.array([_SHIFT, _CHAMBER, _HIT, _RECHAMBER, _SETTLED]) / FPS, [0.0, 0.9, 1.0, 0.9, 0.0])


def _trunk(t: Array, at: Array) -> Trunk:
    """Weight over the left foot, pelvis turned and tilted into the kick, the chest leaning against it."""
    left = stance.LEFT_PLANT
    aim = float(np.arctan2(at[0] + 0.05, at[2]))
    height = (at[1] - 0.85) / 0.4
    over = np.array([left.x - 0.035, 0.0, left.z - 0.06])
    lean = 0.3 + 0.18 * height
    pelvis = np.array([0.12 + 0.65 * aim, -0.24 - 0.16 * height, -0.1 - 0.06 * height])
    chest = np.array([-0.02 + 0.5 * aim, -lean, 0.07 + 0.04 * height - 0.1 * aim])
    head = np.array([0.7 * aim, 0.08 - 0.05 * height, 0.0])
    root = over + np.array([0.0, stance.ROOT_HEIGHT + 0.01, 0.0])
    keys = np.array([_SHIFT, _LIFT + 2, _CHAMBER, _HIT, _RECHAMBER, _LAND - 2, _SETTLED]) / FPS
    share = np.array([0.0, 0.4, 0.8, 1.0, 0.85, 0.35, 0.0])
    weight = np.array([0.0, 0.8, 1.0, 1.0, 1.0, 0.75, 0.0])

    def part(ready: Array, pose: Array, shares: Array) -> Array:
        return keyed(t, keys, ready + shares[:, None] * (pose - ready))

    trunk = stance.trunk_at(
        part(stance.READY_ROOT, root, weight),
        part(stance.READY_PELVIS, pelvis, share),
        part(stance.READY_CHEST, chest, share),
        part(stance.READY_HEAD, head, share),
    )
    # pushed forwards or held back until the leg at the hit is as straight as it should be
    gap = at - trunk.hip(1)[_HIT]
    flat = np.hypot(gap[0], gap[2])
    shift = (flat - np.sqrt((_EXTENDED * LEG) ** 2 - gap[1] ** 2)) * np.array([gap[0], 0.0, gap[2]]) / flat
    push = keyed(t, keys[[1, 2, 3, 4, 5]], [0.0, 0.5, 1.0, 0.5, 0.0])
    return Trunk(trunk.root + push[:, None] * shift, trunk.pelvis, trunk.chest, trunk.head)


def _aim(trunk: Trunk, at: Array) -> float:
    """Heading from the right hip to the target at the hit."""
    gap = at - trunk.hip(1)[_HIT]
    return float(np.arctan2(gap[0], gap[2]))


def _kicking_foot(t: Array, trunk: Trunk, at: Array) -> FootTrack:
    """Off the floor over the ball, knee up, out to the target, knee up, back to where it was."""
    hip = trunk.hip(1)
    gap = at - hip[_HIT]
    elevation = float(np.arctan2(gap[1], np.hypot(gap[0], gap[2])))
    aim = _aim(trunk, at)
    drop = np.array([0.0, -0.24, 0.0])
    up, again = (hip[frame] + 0.4 * gap + drop for frame in (_CHAMBER, _RECHAMBER))
    leaving, arriving = rolling_state(_OFF, _OFF.lift), rolling_state(_ON, _ON.touchdown)
    times = np.array([_LIFT, _CHAMBER, _HIT, _RECHAMBER, _LAND]) / FPS
    aloft = (t > _OFF.lift) & (t < _ON.touchdown)
    before, after = t <= _OFF.lift, t >= _ON.touchdown
    ankle = np.empty((len(t), 3))
    ankle[before], ankle[after] = _OFF.ankle(t[before]), _ON.ankle(t[after])
    keys = [leaving[0], up, at, again, arriving[0]]
    ankle[aloft] = keyed(t[aloft], times, keys, leaving[1:], arriving[1:])
    # at the hit the foot is in line with the leg, toes pulled up a little; folded, it hangs
    pitches = [_OFF.pitch_out, 0.5, -(elevation + 0.5 * np.pi) + 0.45, 0.4, _ON.pitch_in]
    pitch = np.where(before, _OFF.pitch(t), _ON.pitch(t))
    pitch[aloft] = keyed(t[aloft], times, pitches, (_OFF.lift_rate, 0.0), (_ON.landing_rate, 0.0))
    toe = np.maximum(pitch, 0.0)
    bends = [_OFF.pitch_out, 0.0, -0.1, 0.0, _ON.pitch_in]
    toe[aloft] = keyed(t[aloft], times, bends, (_OFF.lift_rate, 0.0), (_ON.landing_rate, 0.0))
    start = stance.RIGHT_PLANT.heading
    heading = keyed(t, times, [start, 0.7 * aim, aim, 0.7 * aim, start])
    planted = before | after
    return FootTrack(ankle, turn(heading, pitch), toe, heading, planted & (pitch <= 0), planted & (pitch >= 0))
