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

# Seconds before and after its furthest point within which a limb must have been drawn in; around it, in which it is furthest.
_STROKE, _PEAK = 0.5, 0.1


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
_KICK = _Marks((0.6, 0.78), (0.25, 0.45), (0.82, 0.92), (1.0, 0.85), (-0.4, -0.1), (0.25, 0.45), (4.0, 6.0))
# How far a foot that kicks is over the other one, in leg lengths; how fast the other one may be, in leg lengths per second.
_KICKED, _STANDS = (0.25, 0.45), (6.0, 3.0)
# How far a hand that punches is from the height of its shoulder, in arm lengths.
_LEVEL = (0.65, 0.4)


def punches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a punch, from where the arm starts to where it is back."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    arm = np.linalg.norm(signs.elbows - signs.shoulders, axis=-1) + np.linalg.norm(signs.wrists - signs.elbows, axis=-1)
    away = (signs.wrists - signs.shoulders) / np.median(arm, axis=0)[:, None]
    return _strokes(signs, away, _PUNCH, rises(np.abs(away[..., 1]), *_LEVEL))


def kicks(signs: Signs) -> Array:
    """Belief ``(F,)`` in a kick, from where the leg starts to where it is back."""
    lift = signs.ankles[..., 1] - signs.ankles[:, ::-1, 1]
    return _strokes(signs, signs.ankles - signs.hip_joints, _KICK, rises(lift, *_KICKED))


def _strokes(signs: Signs, away: Array, marks: _Marks, allowed: Array) -> Array:
    """Belief ``(F,)`` in strokes of limbs whose ends are ``away (F, 2, 3)`` from their tops, where they are ``allowed (F, 2)``."""
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
        held = slice(begins, ends + 1)
        belief[held] = np.maximum(belief[held], min(least, allowed[frame, side]))
    return belief


def waves(signs: Signs) -> Array:
    """Belief ``(F,)`` in a wave: a raised hand that swings to and fro beside a head, while the body stays."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    swing = signs.wrists - signs.elbows
    side = np.stack([signs.facing[:, 2], np.zeros(len(swing)), -signs.facing[:, 0]], axis=-1)
    across = np.einsum("fsi,fi->fs", swing, side)
    pace = velocity(across, signs.fps, LIMB)
    width = max(round(1.2 * signs.fps), 3)
    turns = np.zeros_like(pace)
    turns[1:] = (np.sign(pace[1:]) != np.sign(pace[:-1])) & (np.abs(pace[1:] - pace[:-1]) > 1e-6)
    often = rises(mean_over(turns, width) * 1.2 * signs.fps, 1.5, 3.0)
    quick = rises(mean_over(np.abs(pace), width), 0.3, 0.8)
    raised = rises(swing[..., 1] / np.maximum(np.linalg.norm(swing, axis=-1), 1e-9), 0.3, 0.7)
    high = rises(signs.wrists[..., 1] - signs.shoulders[..., 1], -0.2, 0.05)
    # one waves with one hand
    alone = rises(signs.wrists[..., 1] - signs.wrists[:, ::-1, 1], 0.0, 0.3)
    held: Array = mean_over(np.minimum.reduce([raised, high, alone]), width)
    return np.minimum.reduce([often, quick, held]).max(axis=1)


def reaches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a reach: an arm stretched out ahead or upwards, calmly, while the feet stay."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    away = signs.wrists - signs.shoulders
    arm = np.median(
        np.linalg.norm(signs.elbows - signs.shoulders, axis=-1) + np.linalg.norm(signs.wrists - signs.elbows, axis=-1), axis=0
    )
    stretched = rises(np.linalg.norm(away, axis=-1) / arm, 0.8, 0.95)
    lifted = rises(away[..., 1] / arm, -0.5, -0.1)
    ahead = rises(np.maximum(np.einsum("fsi,fi->fs", away, signs.facing), away[..., 1]) / arm, 0.3, 0.6)
    calm = rises(mean_over(signs.hand_speed, max(round(0.3 * signs.fps), 1)), 2.5, 1.0)
    out = np.minimum.reduce([stretched, lifted, ahead, calm])
    # both arms out are a pose, not a reach
    return np.minimum(out, 1.0 - out[:, ::-1]).max(axis=1)
