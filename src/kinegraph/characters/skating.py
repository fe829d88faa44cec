"""How far a foot's skin slides over the ground, and how far off it is, while the source's foot stands.

The measure, and why it is this one:

- **When** is told by the source: all frames in which its heel or ball stands, also those in which the character's foot had to be let go.
- **What** is the skin: its vertices within 2 mm of the ground, on a body of 1.75 m. No joint, and no sole that somebody fitted.
- **A foot may roll**: heel, sole and toes bear one after another, and none of them slides. So a vertex counts only from one frame to the
  next of which it bears in both. A sole that rolls moves a vertex up and down, and along by a few tenths of a millimetre at most.
- **Drift** is the mean step of all that bear, summed up from frame to frame: how far that strays. So it is seen too if a foot skates while
  it rolls and no vertex bears for long. A foot that turns about the middle of what bears does not drift.
- **Stray** is the furthest that any single vertex goes while it bears. It also sees a foot that turns on the spot, and so it can be no less
  than what the source's own foot turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.motion.spans import spans

STATURE = 1.75
"""Metres of the body that lengths are told of."""
BEARS = 0.002
"""Metres over the ground, of a body of that size, within which skin bears."""


@dataclass(frozen=True)
class SkinSkating:
    """A foot against the ground, in metres."""

    drift: float
    """The furthest that skin which bears strays as a whole."""
    stray: float
    """The furthest that any point of it strays while it bears."""
    off: float
    """The furthest that the lowest point is from the ground while the foot stands."""
    deep: float
    """The deepest that it sinks at any time."""
    frame: int
    """Where a point that bears strays furthest."""


def skating(skin: Array, over: Array, down: Bools, bears: float) -> SkinSkating:
    """Of a foot with ``skin (F, V, 3)`` that is ``over (F, V)`` the ground, which stands when ``down (F,)``; bears: as `BEARS`."""
    lowest = over.min(axis=1)
    drift, stray, frame = 0.0, 0.0, 0
    for first, last in spans(down):
        flat, near = skin[first:last][..., [0, 2]], over[first:last] < bears
        touched = near.any(axis=0)
        flat, near = flat[:, touched], near[:, touched]
        both = near[1:] & near[:-1]
        steps = np.where(both[..., None], np.diff(flat, axis=0), 0.0)
        mean = steps.sum(axis=1) / np.maximum(both.sum(axis=1), 1)[:, None]
        drift = max(drift, _apart(np.concatenate([np.zeros((1, 2)), mean.cumsum(axis=0)])))
        for point in range(flat.shape[1]):
            for begin, end in spans(both[:, point]):
                far = _apart(flat[begin : end + 1, point])
                if far > stray:
                    stray, frame = far, first + begin
    off = float(np.abs(lowest[down]).max(initial=0.0))
    return SkinSkating(drift, stray, off, max(-float(lowest.min(initial=0.0)), 0.0), frame)


def _apart(way: Array) -> float:
    """The furthest that two places of a ``way (N, 2)`` are apart, to within two per cent: by its extent in eight directions."""
    angle = np.arange(8) * np.pi / 8
    along = way @ np.stack([np.cos(angle), np.sin(angle)])
    return float(np.ptp(along, axis=0).max())
