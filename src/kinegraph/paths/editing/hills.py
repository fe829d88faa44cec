"""Hills: how high the ground is under a walker and under its feet, from the altitude of a path or from a height field.

The altitude of a path extends to both sides, as on a road that is level from side to side. If such a path passes over itself, as a spiral
ramp does, the walker's place along it tells which turn is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.errors import MotionError
from kinegraph.paths.curve import Curve
from kinegraph.paths.ends import Laps, Onward

HeightAt = Callable[[Array], Array]
"""Heights ``(…)`` in metres of floor points ``(…, 2)``, each (x, z)."""

# Metres along the floor between the places at which the way up and down is measured.
_STEP = 0.02
# Metres over which the tilt of the ground is taken: half a foot to both sides.
_TILT_REACH = 0.1
# Metres beyond the ends of a path within which its rise or fall levels out.
_LEVELS = 1.0
# Metres by which it is corrected at a time.
_NEAR = 0.5
# Times that the nearest place of a path is corrected; from a walker's place to its foot it is almost there after two.
_ROUNDS = 5
# The steepest ground that is taken, as a rise per metre along the floor: 45°, steeper than anybody walks upright.
_STEEPEST = 1.0


def is_hilly(curve: Curve) -> bool:
    """Whether a curve has altitude."""
    return bool(np.any(curve.height(_along(curve))))


class Terrain:
    """The ground along a curve: ``ground`` if it is given, otherwise the curve's own altitude."""

    def __init__(self, curve: Curve, ground: HeightAt | None = None) -> None:
        self.curve, self.ground = curve, ground
        if np.max(np.abs(self._slopes), initial=0.0) > _STEEPEST:
            self._refuse()

    def along(self, s: ArrayLike) -> Array:
        """Heights ``(…)`` on the curve at arc lengths ``s (…)``."""
        s = np.asarray(s, dtype=np.float64)
        return self._altitude(s) if self.ground is None else np.asarray(self.ground(self.curve.at(s)))

    def under(self, points: Array, s: Array) -> Array:
        """Heights ``(F, …)`` under ``points (F, …, 2)`` of a walker who is at arc lengths ``s (F,)`` of the curve."""
        if self.ground is not None:
            return np.asarray(self.ground(points))
        near = np.broadcast_to(s.reshape(-1, *[1] * (points.ndim - 2)), points.shape[:-1])
        return self._altitude(self._beside(points, near))

    def normal(self, points: Array, s: Array) -> Array:
        """Unit vectors ``(F, 3)`` at right angles to the ground at ``points (F, 2)``; s as in `under`."""
        reach = _TILT_REACH * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        right, left, ahead, behind = self.under(points[:, None] + reach, s).T
        up = np.stack([left - right, np.full(len(points), 2 * _TILT_REACH), behind - ahead], axis=-1)
        unit: Array = up / np.linalg.norm(up, axis=-1, keepdims=True)
        return unit

    # -- the length of the way ------------------------------------------------------------------------------------------

    @property
    def length(self) -> float:
        """The length of the way in metres, with its ups and downs."""
        return float(self._slants[-1])

    def floor(self, walked: Array) -> Array:
        """Arc lengths on the floor ``(…)`` at which so many metres ``(…)`` of the way, with its ups and downs, are walked."""
        # beyond the end it is level, or the next lap
        laps, rest = np.divmod(walked, self.length) if isinstance(self.curve, Laps) else (0.0, walked)
        beyond = laps * self.curve.length + np.maximum(rest - self.length, 0.0)
        found: Array = np.interp(rest, self._slants, self._places) + beyond
        return found

    @cached_property
    def _places(self) -> Array:
        return _along(self.curve)

    @cached_property
    def _slopes(self) -> Array:
        """Rise per metre along the floor in each piece of the way."""
        on = self._places
        heights = self.curve.height(on) if self.ground is None else np.asarray(self.ground(self.curve.at(on)))
        slopes: Array = np.diff(heights) / np.diff(on)
        return slopes

    @cached_property
    def _slants(self) -> Array:
        pieces = np.diff(self._places) * np.hypot(1.0, self._slopes)
        return np.concatenate([[0.0], np.cumsum(pieces)])

    def _refuse(self) -> None:
        # the first of several that are equal but for rounding
        worst = int(np.argmax(np.abs(self._slopes) > np.abs(self._slopes).max() - 1e-6))
        s, slope = float(self._places[worst]), float(self._slopes[worst])
        x, z = self.curve.at(s)
        raise MotionError(
            f"the ground {'rises' if slope > 0 else 'falls'} by {abs(slope):.0%} at {s:.2f} m of the path ({x:.2f}, {z:.2f}): nobody walks "
            f"upright on more than {_STEEPEST:.0%}; lower it, or spread the climb over a longer way"
        )

    def _altitude(self, s: Array) -> Array:
        """Heights ``(…)`` of the curve; beyond its ends it goes on rising or falling for a stride, and levels out."""
        if isinstance(self.curve, Laps):
            return self.curve.height(s)
        beyond = s - np.clip(s, 0.0, self.curve.length)
        slope = np.where(beyond < 0.0, self._slopes[0], self._slopes[-1])
        onward: Array = slope * _LEVELS * np.tanh(beyond / _LEVELS)
        return self.curve.height(s) + onward

    def _beside(self, points: Array, s: Array) -> Array:
        """Arc lengths ``(…)`` at which the curve is nearest to ``points (…, 2)``, sought from ``s (…)`` on."""
        way = self.curve if isinstance(self.curve, Laps | Onward) else Onward(self.curve)
        for _ in range(_ROUNDS):
            heading = way.heading(s)
            apart = points - way.at(s)
            ahead = apart[..., 0] * np.sin(heading) + apart[..., 1] * np.cos(heading)
            s = s + np.clip(ahead, -_NEAR, _NEAR)
        return s


def _along(curve: Curve) -> Array:
    """Places along a curve, close to one another."""
    return np.linspace(0.0, curve.length, max(2, int(np.ceil(curve.length / _STEP)) + 1))
