"""Who stands turns on their feet towards where they are about to go, or would like to.

Clips seldom have turns on the spot, and who sets out with their back to where they go walks a wide bow, into whoever stands there.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.crowds.sight import Sight

# m/s below which somebody stands who may turn on their feet; radians off their way from which on they do, and until which
_STILL, _AWAY, _FACED = 0.2, 0.5, 0.12
# by how much of what is missing they turn in a second, rad/s at most, and rad/s² by which that begins and ends
_GAIN, _SPIN, _QUICKER = 2.5, 1.6, 6.0


class Facing:
    """How fast N people turn on their feet."""

    def __init__(self, count: int, fps: float) -> None:
        self._fps = fps
        self._turns: Bools = np.zeros(count, np.bool_)
        self._spin: Array = np.zeros(count)

    def turned(self, sight: Sight, way: Array) -> Array:
        """``(N,)``: radians by which they turn in this frame, each towards ``way (N, 2)``; who has none, or walks, does not."""
        stands = (np.hypot(*way.T) > 1e-6) & (np.hypot(*sight.velocity.T) < _STILL)
        off = np.arctan2(way[:, 0], way[:, 1]) - sight.heading
        off = np.where(stands, off - 2.0 * np.pi * np.rint(off / (2.0 * np.pi)), 0.0)
        # who looks about where they want to go leaves it at that
        self._turns = stands & (np.abs(off) > np.where(self._turns, _FACED, _AWAY))
        wished = np.where(self._turns, np.clip(_GAIN * off, -_SPIN, _SPIN), 0.0)
        most = _QUICKER / self._fps
        self._spin = self._spin + np.clip(wished - self._spin, -most, most)
        return self._spin / self._fps
