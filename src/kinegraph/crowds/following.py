"""People who are to be at given places at given times, frame by frame.

Each gets as its stick where its place goes next, and what it is short of it. A graph's people go as their clips do, so a little is
always missing: while they walk they are drawn along by that, slower than anybody sees, and their feet stay where they stand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.crowds.facing import Facing
from kinegraph.crowds.sight import Sight
from kinegraph.graph.model import MotionGraph
from kinegraph.people.steered import People

# what is missing to the place is wished for within 1 / this many seconds
_GAIN = 1.5
# what is missing is drawn in so many times a second, by so much of their speed at most, and so many m/s of who stands
_DRAWN, _MOST, _STANDING = 3.0, 0.2, 0.04
# m/s below which nobody is asked to walk: they stand and are late, rather than tread on the spot
_TREAD = 0.3


class Followers:
    """N people, each with a place to be at.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in names])
    >>> followers = Followers(graph, places=[(0.0, 0.0)], headings=[0.0])
    >>> for frame in range(300):
    ...     followers.step(places=[(0.0, 1.2 * frame / graph.fps)], velocities=[(0.0, 1.2)])
    >>> bool(abs(followers.places[0, 1] - 1.2 * 299 / graph.fps) < 0.2)
    True
    """

    def __init__(self, graph: MotionGraph, places: ArrayLike, headings: ArrayLike, *, seed: int = 0) -> None:
        """places: ``(N, 2)``, x and z, where they stand at first; headings: ``(N,)`` radians, where they face."""
        there = np.asarray(places, np.float64).reshape(-1, 2)
        self.people = People(graph, len(there), seed=seed)
        """As they are shown."""
        self.people.set_down(there, headings)
        self._sight, self._facing = Sight(self.people), Facing(len(there), graph.fps)

    @property
    def places(self) -> Array:
        """``(N, 2)``: where they are, without the sway of their strides."""
        return self.people.places

    def step(self, places: ArrayLike, velocities: ArrayLike, label: str = "") -> None:
        """The next frame. places: ``(N, 2)``, where each should be now; velocities: ``(N, 2)``, how that place moves just after now."""
        wished = np.asarray(velocities, np.float64).reshape(-1, 2)
        missing = np.asarray(places, np.float64).reshape(-1, 2) - self.places
        speed = np.hypot(*wished.T)
        # who walks can be drawn by a share of how they walk, however slowly their place goes
        self._sight.look()
        most = np.maximum(_MOST * np.clip(np.maximum(speed, np.hypot(*self._sight.velocity.T)), 0.0, 1.3), _STANDING)
        drawn = _DRAWN * missing
        drawn *= np.minimum(1.0, most / np.maximum(np.hypot(*drawn.T), 1e-9))[:, None]
        self.people.shift(drawn / self.people.graph.fps)
        stick = wished + _GAIN * missing
        stick[np.hypot(*stick.T) < _TREAD] = 0.0
        self.people.turn(self._facing.turned(self._sight, stick))
        self.people.step(stick, label=label)
