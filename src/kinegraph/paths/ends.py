"""Beyond the end of a path: straight on, or round again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.paths.curve import Curve


@dataclass(frozen=True)
class Onward:
    """A curve that goes straight on beyond both of its ends, at the height it has there."""

    curve: Curve

    @property
    def length(self) -> float:
        """The length of the curve itself in metres."""
        return self.curve.length

    def at(self, s: ArrayLike) -> Array:
        """Points ``(…, 2)``."""
        s = np.asarray(s, dtype=np.float64)
        beyond = s - np.clip(s, 0.0, self.length)
        heading = self.curve.heading(s)
        straight: Array = beyond[..., None] * np.stack([np.sin(heading), np.cos(heading)], axis=-1)
        return self.curve.at(s) + straight

    def heading(self, s: ArrayLike) -> Array:
        """Angle ``(…)`` of the way in radians, within ±π."""
        return self.curve.heading(s)

    def curvature(self, s: ArrayLike) -> Array:
        """Radians per metre ``(…)``: none beyond the ends."""
        s = np.asarray(s, dtype=np.float64)
        return np.where((s < 0.0) | (s > self.length), 0.0, self.curve.curvature(s))

    def height(self, s: ArrayLike) -> Array:
        """Metres ``(…)``, constant beyond the ends."""
        return self.curve.height(s)


@dataclass(frozen=True)
class Laps:
    """A closed curve, walked round and round."""

    curve: Curve

    @property
    def length(self) -> float:
        """The length of one lap in metres."""
        return self.curve.length

    def at(self, s: ArrayLike) -> Array:
        """Points ``(…, 2)``."""
        return self.curve.at(np.mod(s, self.length))

    def heading(self, s: ArrayLike) -> Array:
        """Angle ``(…)`` of the way in radians, within ±π."""
        return self.curve.heading(np.mod(s, self.length))

    def curvature(self, s: ArrayLike) -> Array:
        """Radians per metre ``(…)``."""
        return self.curve.curvature(np.mod(s, self.length))

    def height(self, s: ArrayLike) -> Array:
        """Metres ``(…)``."""
        return self.curve.height(np.mod(s, self.length))
