"""A take: a motion, the frame that moves with it, and where its feet stand. This is what can be laid on another path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.feet.plants import Footing, Plant
from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import MovingFrame


@dataclass(frozen=True, eq=False)
class Footage:
    """A motion of F frames that can be laid on another path."""

    motion: Motion
    frame: MovingFrame
    feet: Footing | None
    """Soles and plants of the motion; None if they are not needed."""

    def __len__(self) -> int:
        return len(self.motion)

    def upto(self, frames: int) -> Footage:
        """Its first ``frames`` frames."""
        if frames >= len(self):
            return self
        frame = MovingFrame(*(part[:frames] for part in (self.frame.points, self.frame.heading, self.frame.walked)))
        return Footage(self.motion[:frames], frame, self._stood(lambda plant: _cut(plant, frames)))

    def timed(self, moments: Array) -> Footage:
        """The take at ``moments (N,)``, in its own frames, increasing from its first to its last frame."""
        here = np.arange(len(self))

        def at(values: Array) -> Array:
            found: Array = np.interp(moments, here, values)
            return found

        points = np.stack([at(self.frame.points[:, axis]) for axis in (0, 1)], axis=-1)
        frame = MovingFrame(points, at(self.frame.heading), at(self.frame.walked))
        # a plant begins with the first moment that lies within it
        first = np.searchsorted(moments, here - 1e-9)
        starts = np.append(first, len(moments))
        feet = self._stood(lambda plant: replace(plant, first=int(starts[plant.first]), last=int(starts[plant.last])))
        return Footage(self.motion.sample(moments / self.motion.fps), frame, feet)

    def _stood(self, change: Callable[[Plant], Plant]) -> Footing | None:
        if self.feet is None:
            return None
        changed = (change(plant) for plant in self.feet.plants)
        return replace(self.feet, plants=tuple(plant for plant in changed if plant.last > plant.first))


def _cut(plant: Plant, frames: int) -> Plant:
    return replace(plant, first=min(plant.first, frames), last=min(plant.last, frames))
