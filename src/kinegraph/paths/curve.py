"""`Curve`: what every curve over the floor can do, whatever it is made of."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array

# A curve is closed that ends so near to its beginning (metres) in so nearly the same direction (radians): what a person who draws a loop
# means to be one. A shorter curve than the third (metres) only seems to be, since all of it is near its beginning.
_CLOSED_GAP = 0.01
_CLOSED_TURN = np.radians(20.0)
_SHORTEST_LOOP = 0.1


class Curve(Protocol):
    """A curve over the floor by its arc length s, in metres along the floor from its beginning.

    Heights do not count for the arc length: the way is measured as on a map. All methods take ``s (...)`` of any shape, and are constant
    beyond the ends. `kinegraph.paths.path.Path` (a polyline) and `kinegraph.paths.bspline.Spline` are such curves.
    """

    @property
    def length(self) -> float:
        """Arc length of the whole curve in metres."""

    def at(self, s: ArrayLike) -> Array:
        """Points ``(..., 2)`` on the floor, x and z."""

    def heading(self, s: ArrayLike) -> Array:
        """Direction ``(...)`` in radians, within ±π: 0 is +Z, positive towards +X."""

    def curvature(self, s: ArrayLike) -> Array:
        """Radians per metre ``(...)`` by which the heading changes: positive turns left, towards +X."""

    def height(self, s: ArrayLike) -> Array:
        """Altitude ``(...)`` in metres: 0 if the curve lies flat on the floor."""


def is_closed(curve: Curve) -> bool:
    """Whether the curve ends where it begins (within 1 cm), heading the same way (within 20 degrees)."""
    (begin, end), (out, back) = curve.at([0.0, curve.length]), curve.heading([0.0, curve.length])
    turn = abs(np.mod(back - out + np.pi, 2 * np.pi) - np.pi)
    near = bool(np.hypot(*(end - begin)) <= _CLOSED_GAP and turn <= _CLOSED_TURN)
    return near and curve.length >= _SHORTEST_LOOP
