"""Who stands turns on their feet towards where they are about to go, or would like to.

Clips seldom have turns on the spot, and who sets out with their back to where they go walks a wide bow, into whoever stands there.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.crowds.sight import Sight

# radians off their way from which on they turn, and until which
_AWAY, _FACED = 0.5, 0.12
# by how much of what is missing they turn in a second, and rad/s² by which that begins and ends
_GAIN, _QUICKER = 2.5, 6.0
STILL, AHEAD = 0.2, 0.2
"""m/s below which somebody stands on both feet, and the cosine of the angle off where they face within which they then set out."""
SPIN = 1.6
"""rad/s by which somebody turns on their feet at most."""


class Facing:
    """How fast N people turn on their feet."""

    def __init__(self, count: int, fps: float) -> None:
        self._fps = fps
        self._turns: Bools = np.zeros(count, np.bool_)
        self._spin: Array = np.zeros(count)

    def turned(self, sight: Sight, way: Array) -> Array:
        """``(N,)``: radians by which they turn in this frame, each towards ``way (N, 2)``; who has none, or walks, does not."""
        stands = (np.hypot(*way.T) > 1e-6) & (np.hypot(*sight.velocity.T) < STILL)
        off = np.arctan2(way[:, 0], way[:, 1]) - sight.heading
        off = np.where(stands, off - 2.0 * np.pi * np.rint(off / (2.0 * np.pi)), 0.0)
        # who looks about where they want to go leaves it at that
        self._turns = stands & (np.abs(off) > np.where(self._turns, _FACED, _AWAY))
        wished = np.where(self._turns, np.clip(_GAIN * off, -SPIN, SPIN), 0.0)
        most = _QUICKER / self._fps
        self._spin = self._spin + np.clip(wished - self._spin, -most, most)
        return self._spin / self._fps

    @staticmethod
    def holds(sight: Sight, stick: Array) -> Bools:
        """``(N,)``: who stands and has to turn on their feet before they set out by ``stick (N, 2)``."""
        ahead = stick[:, 0] * np.sin(sight.heading) + stick[:, 1] * np.cos(sight.heading)
        holds: Bools = (np.hypot(*sight.velocity.T) < STILL) & (ahead < AHEAD * np.hypot(*stick.T))
        return holds
