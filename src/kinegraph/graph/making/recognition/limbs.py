"""Single limbs: punches, kicks, waves and reaches.

In every pair of limits the first speaks surely against a kind, the second surely for it. Lengths are those of the limb where nothing
else is said, so that arms and legs of any size are judged alike.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.feet.contacts import velocity
from kinegraph.graph.making.recognition.signs import LIMB, Signs, least, mean_over, most, rises
from kinegraph.graph.making.recognition.strokes import KICK, PUNCH, strokes
from kinegraph.motion import filters

# How far a foot that kicks is over the other one, in leg lengths; less is a kick too, as of one who kicks a ball, if the foot is as fast as
# in no step: leg lengths per second, within so many seconds.
_KICKED, _LOW, _HARD, _HIT = (0.15, 0.35), (0.0, 0.1), (6.5, 8.5), 0.1
# How far a hand that punches is over or under its shoulder, and how upright the trunk is: who dives or rolls stretches the arms, too.
_LEVEL, _TRUNK_UP = (0.65, 0.4), (0.2, 0.6)
# A wave: seconds that are watched, how often the hand turns to and fro in them, its mean speed across in leg lengths per second; how
# upright the forearm is; how far the hand is over its shoulder and over the other hand, in leg lengths.
_WAVING, _TO_AND_FRO, _WAVED = 1.2, (1.5, 3.0), (0.1, 0.25)
_FOREARM, _HIGH, _ALONE = (0.3, 0.7), (-0.2, 0.05), (0.0, 0.3)
# A reach: the arm's extension, how far over and how far ahead of its shoulder the hand is; the hand's speed in leg lengths per second, over
# so many seconds; seconds of which an arm in a pose is out for how much.
_STRETCHED, _LIFTED, _AHEAD = (0.8, 0.95), (-0.5, -0.1), (0.3, 0.6)
_UNHURRIED, _CALM, _POSE, _PASSING = (2.5, 1.0), 0.3, 4.0, (0.95, 0.75)


def punches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a punch, from where the arm starts to where it is back."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    away = _from_shoulder(signs)
    allowed = np.minimum(rises(np.abs(away[..., 1]), *_LEVEL), rises(signs.upright, *_TRUNK_UP)[:, None])
    return strokes(signs, away, PUNCH, allowed)


def kicks(signs: Signs) -> Array:
    """Belief ``(F,)`` in a kick, while the foot is off the floor for it."""
    lift = signs.ankles[..., 1] - signs.ankles[:, ::-1, 1]
    swings = ~np.stack([signs.contacts[:, :2].any(axis=1), signs.contacts[:, 2:].any(axis=1)], axis=1)
    hard = rises(filters.highest(signs.foot_speed, signs.frames(_HIT)), *_HARD)
    allowed = most(rises(lift, *_KICKED), least(rises(lift, *_LOW), hard))
    return strokes(signs, signs.ankles - signs.hip_joints, KICK, allowed, swings)


def waves(signs: Signs) -> Array:
    """Belief ``(F,)`` in a wave: one raised hand swings to and fro from side to side."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    forearm = signs.wrists - signs.elbows
    side = np.stack([signs.facing[:, 2], np.zeros(len(forearm)), -signs.facing[:, 0]], axis=-1)
    pace = velocity(np.einsum("fsi,fi->fs", forearm, side), signs.fps, LIMB)
    turned = np.zeros_like(pace)
    turned[1:] = (pace[1:] > 0.0) != (pace[:-1] > 0.0)
    width = signs.frames(_WAVING)
    raised = least(
        rises(forearm[..., 1] / np.maximum(np.linalg.norm(forearm, axis=-1), 1e-9), *_FOREARM),
        rises(signs.wrists[..., 1] - signs.shoulders[..., 1], *_HIGH),
        rises(signs.wrists[..., 1] - signs.wrists[:, ::-1, 1], *_ALONE),
    )
    waving = least(
        rises(mean_over(turned, width) * width, *_TO_AND_FRO),
        rises(mean_over(np.abs(pace), width), *_WAVED),
        mean_over(raised, width),
    )
    either: Array = waving.max(axis=1)
    return either


def reaches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a reach: one arm is stretched out ahead or upwards for a while, and calm."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    away = _from_shoulder(signs)
    out = least(
        rises(np.linalg.norm(away, axis=-1), *_STRETCHED),
        rises(away[..., 1], *_LIFTED),
        rises(np.maximum(np.einsum("fsi,fi->fs", away, signs.facing), away[..., 1]), *_AHEAD),
        rises(mean_over(signs.hand_speed, signs.frames(_CALM)), *_UNHURRIED),
    )
    # both arms out, or one that stays out, are a pose
    passing = rises(mean_over(out, signs.frames(_POSE)), *_PASSING)
    either: Array = least(out, 1.0 - out[:, ::-1], passing).max(axis=1)
    return either


def _from_shoulder(signs: Signs) -> Array:
    """Where the wrists are from their shoulders, ``(F, 2, 3)``, in arm lengths."""
    upper, lower = signs.elbows - signs.shoulders, signs.wrists - signs.elbows
    length = np.median(np.linalg.norm(upper, axis=-1) + np.linalg.norm(lower, axis=-1), axis=0)
    away: Array = (signs.wrists - signs.shoulders) / np.maximum(length, 1e-9)[:, None]
    return away
