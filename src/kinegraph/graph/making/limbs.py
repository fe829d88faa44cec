"""Strokes of single limbs: punches, kicks, waves and reaches.

A punch or a kick is one limb that goes out alone, fast, and comes back. Lengths are those of the limb from its top joint, so that arms
and legs of any size are judged alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.contacts import velocity
from kinegraph.graph.making.signs import LIMB, Signs, mean_over, rises
from kinegraph.motion import filters

# Seconds before and after its furthest point within which a limb must have been drawn in; around it, in which it is furthest; before
# and after the stroke, in which it may still swing.
_STROKE, _PEAK, _SWING = 0.5, 0.1, 0.4


@dataclass(frozen=True)
class _Marks:
    """Of a stroke, the least values in limb lengths, at which it is a guess and from which it is sure."""

    reach: tuple[float, float]
    """How far out the end gets; while it hangs below its top joint, its distance from the plumb line counts."""
    rise: tuple[float, float]
    """By how much that exceeds the reach shortly before, and shortly after."""
    extension: tuple[float, float]
    """Of the limb at the furthest point."""
    bent: tuple[float, float]
    """Its extension shortly before: a guess below the first, sure below the second."""
    ahead: tuple[float, float]
    """How far the end is in front of its top joint."""
    beyond: tuple[float, float]
    """By how much this limb is further out than the other side's."""
    speed: tuple[float, float]
    """Of the end against its top joint on its way out, per second."""


_PUNCH = _Marks((0.6, 0.8), (0.3, 0.5), (0.7, 0.85), (0.75, 0.55), (0.15, 0.45), (0.0, 0.3), (1.5, 4.0))
_KICK = _Marks((0.6, 0.78), (0.15, 0.4), (0.82, 0.92), (1.0, 0.85), (-0.4, -0.1), (0.25, 0.45), (2.5, 4.5))
# How far a foot that kicks is over the other one, in leg lengths.
_KICKED = (0.25, 0.45)
# How far a hand that punches is from the height of its shoulder, in arm lengths.
_LEVEL = (0.65, 0.4)
# A wave: seconds that are watched, turns to and fro in them, mean speed across in leg lengths per second, the forearm's slope, the hand
# over its shoulder and over the other hand in leg lengths.
_WAVING, _TO_AND_FRO, _WAVED = 1.2, (1.5, 3.0), (0.1, 0.25)
_FOREARM, _HIGH, _ALONE = (0.3, 0.7), (-0.2, 0.05), (0.0, 0.3)
# A reach: the arm's extension, how far over and how far ahead of its shoulder the hand is, in arm lengths; the hand's speed in leg lengths
# per second, over so many seconds; seconds after which an arm that stays out is a pose.
_STRETCHED, _LIFTED, _AHEAD = (0.8, 0.95), (-0.5, -0.1), (0.3, 0.6)
_UNHURRIED, _CALM, _POSE = (2.5, 1.0), 0.3, 4.0


def punches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a punch, from where the arm starts to where it is back."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    away = _from_shoulder(signs)
    return _strokes(signs, away, _PUNCH, rises(np.abs(away[..., 1]), *_LEVEL))


def kicks(signs: Signs) -> Array:
    """Belief ``(F,)`` in a kick, from where the leg starts to where it is back."""
    lift = signs.ankles[..., 1] - signs.ankles[:, ::-1, 1]
    swings = ~np.stack([signs.contacts[:, :2].any(axis=1), signs.contacts[:, 2:].any(axis=1)], axis=1)
    return _strokes(signs, signs.ankles - signs.hip_joints, _KICK, rises(lift, *_KICKED), swings)


def _strokes(signs: Signs, away: Array, marks: _Marks, allowed: Array, swings: Bools | None = None) -> Array:
    """Belief ``(F,)`` in strokes of limbs whose ends are ``away (F, 2, 3)`` from their tops, where they are ``allowed (F, 2)``.

    A stroke lasts from where the limb was drawn in before to where it is after, and as long around it as the limb ``swings (F, 2)``,
    up to `_SWING` on either side.
    """
    fps = signs.fps
    stroke, peak = max(round(_STROKE * fps), 2), max(round(_PEAK * fps), 1)
    extension = np.linalg.norm(away, axis=-1)
    out = np.where(away[..., 1] < 0, np.hypot(away[..., 0], away[..., 2]), extension)
    ahead = np.einsum("fsi,fi->fs", away, signs.facing)
    speed = np.linalg.norm(velocity(away, fps, LIMB), axis=-1)
    furthest = (out >= filters.highest(out, peak) - 1e-9) & (out > marks.reach[0]) & (allowed > 0.0)
    belief = np.zeros(len(out))
    for frame, side in np.argwhere(furthest).tolist():
        before, after = out[max(frame - stroke, 0) : frame + 1, side], out[frame : frame + stroke + 1, side]
        begins, ends = frame - (len(before) - 1 - int(before.argmin())), frame + int(after.argmin())
        if begins == frame or ends == frame:
            continue  # cut off by the clip's end
        here = out[frame, side]
        least = min(
            float(rises(np.array(value), *limits))
            for value, limits in (
                (here, marks.reach),
                (here - before.min(), marks.rise),
                (here - after.min(), marks.rise),
                (extension[max(frame - peak, 0) : frame + peak + 1, side].max(), marks.extension),
                (extension[begins : frame + 1, side].min(), marks.bent),
                (ahead[frame, side], marks.ahead),
                (here - out[frame, 1 - side], marks.beyond),
                (speed[begins : frame + 1, side].max(), marks.speed),
            )
        )
        if swings is not None:
            begins, ends = _swing(swings[:, side], begins, ends, round(_SWING * fps))
        held = slice(begins, ends + 1)
        belief[held] = np.maximum(belief[held], min(least, allowed[frame, side]))
    return belief


def _swing(swings: Bools, first: int, last: int, most: int) -> tuple[int, int]:
    """A stretch of frames that is grown at both ends while a limb ``swings (F,)``, by ``most`` frames each."""
    before, after = swings[max(first - most, 0) : first + 1][::-1], swings[last : last + most + 1]
    return (
        first - (int(np.argmin(before)) if not before.all() else len(before) - 1),
        last + (int(np.argmin(after)) if not after.all() else len(after) - 1),
    )


def waves(signs: Signs) -> Array:
    """Belief ``(F,)`` in a wave: one raised hand swings to and fro from side to side."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    forearm = signs.wrists - signs.elbows
    side = np.stack([signs.facing[:, 2], np.zeros(len(forearm)), -signs.facing[:, 0]], axis=-1)
    pace = velocity(np.einsum("fsi,fi->fs", forearm, side), signs.fps, LIMB)
    turned = np.zeros_like(pace)
    turned[1:] = np.sign(pace[1:]) * np.sign(pace[:-1]) < 0
    width = max(round(_WAVING * signs.fps), 3)
    up = forearm[..., 1] / np.maximum(np.linalg.norm(forearm, axis=-1), 1e-9)
    raised = np.minimum.reduce([
        rises(up, *_FOREARM),
        rises(signs.wrists[..., 1] - signs.shoulders[..., 1], *_HIGH),
        rises(signs.wrists[..., 1] - signs.wrists[:, ::-1, 1], *_ALONE),
    ])
    often = rises(mean_over(turned, width) * width, *_TO_AND_FRO)
    quick = rises(mean_over(np.abs(pace), width), *_WAVED)
    return np.minimum.reduce([often, quick, mean_over(raised, width)]).max(axis=1)


def reaches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a reach: one arm is stretched out ahead or upwards for a while, and calm."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    away = _from_shoulder(signs)
    ahead = np.maximum(np.einsum("fsi,fi->fs", away, signs.facing), away[..., 1])
    out = np.minimum.reduce([
        rises(np.linalg.norm(away, axis=-1), *_STRETCHED),
        rises(away[..., 1], *_LIFTED),
        rises(ahead, *_AHEAD),
        rises(mean_over(signs.hand_speed, max(round(_CALM * signs.fps), 1)), *_UNHURRIED),
    ])
    # both arms out, or one that stays out, are a pose
    passing = rises(mean_over(out, max(round(_POSE * signs.fps), 1)), 0.95, 0.75)
    return np.minimum.reduce([out, 1.0 - out[:, ::-1], passing]).max(axis=1)


def _from_shoulder(signs: Signs) -> Array:
    """Where the wrists are from their shoulders, ``(F, 2, 3)``, in arm lengths."""
    upper, lower = signs.elbows - signs.shoulders, signs.wrists - signs.elbows
    length = np.median(np.linalg.norm(upper, axis=-1) + np.linalg.norm(lower, axis=-1), axis=0)
    away: Array = (signs.wrists - signs.shoulders) / length[:, None]
    return away
