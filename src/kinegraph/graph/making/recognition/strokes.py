"""Strokes, the movements of punches and kicks: one limb goes out alone, fast, and comes back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.contacts import velocity
from kinegraph.graph.making.recognition.signs import LIMB, Signs, rises
from kinegraph.motion import filters

# Seconds before and after its furthest point within which a limb must have been drawn in; around it, in which it is furthest; before
# and after the stroke, in which it may still swing.
_STROKE, _PEAK, _SWING = 0.5, 0.1, 0.4
# How surely a limb was drawn in before the clip begins, or will be after it ends.
_UNSEEN = 0.65


@dataclass(frozen=True)
class Marks:
    """What tells a stroke, in limb lengths: the first value speaks surely against it, the second surely for it."""

    reach: tuple[float, float]
    """How far out the end gets; while it hangs below its top joint, its distance from the plumb line counts."""
    rise: tuple[float, float]
    """By how much that exceeds the reach shortly before, and shortly after."""
    extension: tuple[float, float]
    """Of the limb at the furthest point."""
    bent: tuple[float, float]
    """Its extension shortly before: arms that swing in a walk or a jump stay long."""
    drawn_in: tuple[float, float]
    """Its extension shortly after: arms that throw stay long."""
    ahead: tuple[float, float]
    """How far the end is in front of its top joint: a side kick is not, nor is the fist of a boxer who stands sideways."""
    beyond: tuple[float, float]
    """By how much this limb is further out than the other side's."""
    speed: tuple[float, float]
    """Of the end against its top joint on its way out, per second."""
    straight: tuple[float, float]
    """Cosine between where the end goes when it is fastest and where it gets: arms that swing in a dance go across."""


PUNCH = Marks(
    (0.6, 0.8), (0.3, 0.5), (0.7, 0.85), (0.75, 0.55), (0.92, 0.72), (-0.2, 0.0), (0.0, 0.3), (1.5, 4.0), (0.4, 0.8)
)
KICK = Marks(
    (0.5, 0.7), (0.15, 0.4), (0.8, 0.9), (1.0, 0.85), (1.5, 1.2), (-0.4, -0.1), (0.2, 0.4), (2.5, 4.5), (-1.5, -1.2)
)


def strokes(signs: Signs, away: Array, marks: Marks, allowed: Array, swings: Bools | None = None) -> Array:
    """Belief ``(F,)`` in strokes of limbs whose ends are ``away (F, 2, 3)`` from their tops, as far as they are ``allowed (F, 2)``.

    A stroke lasts from where the limb was drawn in before to where it is after; and for some time around it, while the limb
    ``swings (F, 2)``.
    """
    stroke, peak = signs.frames(_STROKE), signs.frames(_PEAK)
    extension = np.linalg.norm(away, axis=-1)
    out = np.where(away[..., 1] < 0, np.hypot(away[..., 0], away[..., 2]), extension)
    ahead = np.einsum("fsi,fi->fs", away, signs.facing)
    moves = velocity(away, signs.fps, LIMB)
    speed = np.linalg.norm(moves, axis=-1)
    furthest = (out >= filters.highest(out, peak) - 1e-9) & (out > marks.reach[0]) & (allowed > 0.0)
    belief = np.zeros(len(out))
    for frame, side in np.argwhere(furthest).tolist():
        before, after = out[max(frame - stroke, 0) : frame + 1, side], out[frame : frame + stroke + 1, side]
        first, last = frame - (len(before) - 1 - int(before.argmin())), frame + int(after.argmin())
        if frame in (0, len(out) - 1):
            continue
        here, fastest = out[frame, side], first + int(speed[first : frame + 1, side].argmax())
        outwards = float(moves[fastest, side] @ away[frame, side])
        told = (
            (here, marks.reach),
            (extension[max(frame - peak, 0) : frame + peak + 1, side].max(), marks.extension),
            (ahead[frame, side], marks.ahead),
            (here - out[frame, 1 - side], marks.beyond),
            (speed[fastest, side], marks.speed),
            (outwards / max(speed[fastest, side] * extension[frame, side], 1e-9), marks.straight),
        )
        drawn = [
            (
                (here - before.min(), marks.rise),
                (extension[max(frame - stroke, 0) : frame + 1, side].min(), marks.bent),
            ),
            ((here - after.min(), marks.rise), (extension[frame : frame + stroke + 1, side].min(), marks.drawn_in)),
        ]
        cut = (len(before) <= stroke, len(after) <= stroke)
        sure = min(
            *(float(rises(value, *limits)) for value, limits in told),
            *(max(_least(marks), _UNSEEN if unseen else 0.0) for marks, unseen in zip(drawn, cut, strict=True)),
        )
        if swings is not None:
            first, last = _grown(swings[:, side], first, last, signs.frames(_SWING))
        belief[first : last + 1] = np.maximum(belief[first : last + 1], min(sure, allowed[frame, side]))
    return belief


def _least(told: Iterable[tuple[float, tuple[float, float]]]) -> float:
    return min(float(rises(value, *limits)) for value, limits in told)


def _grown(swings: Bools, first: int, last: int, reach: int) -> tuple[int, int]:
    """The frames ``first`` and ``last``, moved apart while a limb ``swings (F,)``, by ``reach`` frames each at the most."""
    before, after = swings[max(first - reach, 0) : first + 1][::-1], swings[last : last + reach + 1]
    back, on = (len(part) - 1 if part.all() else int(np.argmin(part)) for part in (before, after))
    return first - back, last + on
