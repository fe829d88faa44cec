"""Footwork: legs of another body brought to where its feet should be, without snapping.

The legs of a body that took over another's bearing bend as that one's did; only its feet are somewhere else, by centimetres. Bending the
legs for the feet is right nearly always. But close to straight, and close to folded, a knee turns far for a few millimetres. Where a leg
becomes worse than it was by bending, the hips come down; if that is not enough it keeps its bearing, and the body moves so that its foot
is where it should be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.motion import filters, limb, rotation, snaps
from kinegraph.motion.body import SIDES
from kinegraph.motion.skeleton import Skeleton

# A leg is not drawn further than this share of its length; beyond, the hips come down instead.
_STRETCH = 0.998
_EASE_SECONDS = 0.15
# The same for a leg that would snap otherwise.
_STRETCH_EASED = 0.98
# How a leg that would snap gives way, step by step: the hips come down; it keeps its bearing, and the body moves; both legs do; and in the
# end the body is not moved for them either, so that nothing is left that could snap.
_LOWERED, _KEPT, _BOTH_KEPT, _BARE = range(1, 5)
# How many times as fast as before a knee may turn, and be jerked as hard: the legs of another body have other proportions, and its feet
# should stand.
_FASTER, _HARDER = 1.05, 1.4
# Seconds before and after a snap within which a leg gives way, and over which it comes to keep its bearing.
_AROUND, _FADE = 0.1, 0.2


class Bearing(NamedTuple):
    """A motion of F frames in arrays, before its legs are bent."""

    positions: Array
    """``(F, J, 3)``, in the world."""
    orientations: Array
    """``(F, J, 4)``, in the world."""
    rotations: Array
    """``(F, J, 4)``, local to the parent."""
    ankles: Array
    """``(F, 2, 3)``: where the left and the right ankle should be."""
    left: Array
    """``(F, 3)``: unit vectors to the body's left, about which a knee bends that never did."""


def stepped(skeleton: Skeleton, bearing: Bearing, fps: float) -> tuple[Array, Array]:
    """Root ``(F, 3)`` and local rotations ``(F, J, 4)`` of a body whose feet are where they should be, as far as its legs get no worse."""
    legs = [tuple(skeleton.joint(f"{side}_{part}") for part in ("hip", "knee", "ankle")) for side in SIDES]
    hips, knees, ankles = (list(some) for some in zip(*legs, strict=True))
    joints = hips, knees, ankles
    reach = np.array([skeleton.chain_length(hip, ankle) for hip, ankle in zip(hips, ankles, strict=True)])
    hinges = _hinges(bearing, joints, fps)
    own = snaps.moving(bearing.rotations[:, knees], bearing.positions[:, [knees, ankles]], fps)
    bounds = snaps.Bounds.of(own, fps, faster=_FASTER, harder=_HARDER)
    level, seconds = np.zeros(own.turning.shape, np.intp), _AROUND
    while True:
        moved, goals = _placed(bearing, (hips, ankles), reach, level, fps)
        turns = limb.bend(moved[:, hips], moved[:, knees], moved[:, ankles], goals, hinges)
        made = limb.local(skeleton, bearing.orientations, joints, turns, bearing.orientations[:, ankles])
        knee = moved[:, hips] + rotation.rotate(turns[0], moved[:, knees] - moved[:, hips])
        out = bounds.exceeded(snaps.moving(made[:, 1], np.stack([knee, goals], axis=1), fps))
        if not out.any() or level.min() == _BARE:
            break
        near = _highest(out, seconds, fps) > 0.0
        # what is still out after all that is so because of what lies further away
        seconds *= 2.0 if (level[out] == _BARE).any() else 1.0
        level = np.minimum(level + near, _BARE)
        # moving the body for one leg may be what the other cannot bear
        both = level.max(axis=1, keepdims=True)
        level = np.where(both >= _BOTH_KEPT, both, level)
    rotations = bearing.rotations.copy()
    rotations[:, joints] = made
    return moved[:, 0], rotations


def _placed(
    bearing: Bearing, joints: tuple[list[int], list[int]], reach: Array, level: Indices, fps: float
) -> tuple[Array, Array]:
    """The joints ``(F, J, 3)`` of a body moved to where its legs, of length ``reach (2,)``, can do what they should by their ``level (F,
    2)``; and where ``(F, 2, 3)`` its ankles then go.
    """
    ankles = joints[1]
    straight = np.where((level >= _LOWERED).any(axis=1, keepdims=True), _STRETCH_EASED, _STRETCH)
    moved = bearing.positions.copy()
    moved[..., 1] -= _lowering(bearing, joints, straight * reach, fps)[:, None]
    if not (level >= _KEPT).any():
        return moved, bearing.ankles
    fade = max(round(_FADE * fps), 1)
    kept, bare = (filters.smoothed(_highest(level >= least, _FADE, fps), 0.4 * fade, fade) for least in (_KEPT, _BARE))
    # the foot of a leg that keeps its bearing takes the body with it; those of two take it to between them, and fall short
    share = (1.0 - bare) * kept**2 / np.maximum(kept.sum(axis=1, keepdims=True), 1e-9)
    moved += np.einsum("fs,fsi->fi", share, bearing.ankles - moved[:, ankles])[:, None]
    short = np.maximum(kept.prod(axis=1, keepdims=True), bare)[..., None]
    return moved, bearing.ankles - short * (bearing.ankles - moved[:, ankles])


def _highest(held: Bools, seconds: float, fps: float) -> Array:
    """1 where anything within so many seconds is ``held (F, 2)``, 0 elsewhere."""
    # no window need be longer than the motion
    return filters.highest(held.astype(np.float64), min(max(round(seconds * fps), 1), len(held)))


def _hinges(bearing: Bearing, joints: tuple[list[int], list[int], list[int]], fps: float) -> Array:
    """Axes ``(F, 2, 3)`` about which the knees bend; for one that never does, the line through the hips."""
    hip, knee, ankle = (bearing.positions[:, some] for some in joints)
    axes = limb.hinges(knee - hip, ankle - knee, bearing.orientations[:, joints[0]], fps)
    stiff = rotation.length(axes).max(axis=0) < 1e-9
    axes[:, stiff] = bearing.left[:, None]
    return axes


def _lowering(bearing: Bearing, joints: tuple[list[int], list[int]], reach: Array, fps: float) -> Array:
    """How far ``(F,)`` the hips come down where they are too high for one of the legs, of ``reach (F, 2)``, eased in and out."""
    gap = bearing.positions[:, joints[0]] - bearing.ankles
    height = np.sqrt(np.maximum(reach**2 - gap[..., 0] ** 2 - gap[..., 2] ** 2, 0.0))
    lack: Array = np.maximum(gap[..., 1] - height, 0.0).max(axis=1)
    if not lack.any():
        return lack
    # the mean over a window of the maximum over the same window is nowhere below the value itself
    half = max(1, round(_EASE_SECONDS * fps))
    return filters.smoothed(filters.highest(lack, half), half / 3.0, half)
