"""Rigid motions of the floor: a turn about the vertical, then a shift along the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.motion import rotation


@dataclass(frozen=True)
class FloorTransform:
    """Turn by ``angle`` radians about the vertical through the origin, then shift by ``x`` and ``z`` metres.

    >>> turn = FloorTransform(angle=np.pi / 2, x=1.0)
    >>> turn.apply([0.0, 0.5, 2.0]).round(9).tolist()
    [3.0, 0.5, 0.0]
    >>> bool(np.allclose(turn.inverse().apply(turn.apply([1.0, 2.0, 3.0])), [1, 2, 3]))
    True
    """

    angle: float = 0.0
    x: float = 0.0
    z: float = 0.0

    @property
    def rotation(self) -> Array:
        """The turn as a quaternion ``(4,)``."""
        return rotation.about_y(self.angle)

    def apply(self, points: ArrayLike) -> Array:
        """Move points ``(..., 3)``; heights stay."""
        points = np.asarray(points, dtype=np.float64)
        sine, cosine = np.sin(self.angle), np.cos(self.angle)
        out = points.copy()
        out[..., 0] = cosine * points[..., 0] + sine * points[..., 2] + self.x
        out[..., 2] = cosine * points[..., 2] - sine * points[..., 0] + self.z
        return out

    def __matmul__(self, first: FloorTransform) -> FloorTransform:
        """``a @ b`` moves by ``b`` first, then by ``a``."""
        shift = self.apply([first.x, 0.0, first.z])
        return FloorTransform(self.angle + first.angle, float(shift[0]), float(shift[2]))

    def inverse(self) -> FloorTransform:
        """The transform that undoes this one."""
        back = FloorTransform(-self.angle).apply([-self.x, 0.0, -self.z])
        return FloorTransform(-self.angle, float(back[0]), float(back[2]))
