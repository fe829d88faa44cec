"""The result of laying a motion on another path, and its figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet import knees
from kinegraph.feet.legs import Reached
from kinegraph.feet.plants import Footing, as_contacts
from kinegraph.feet.slide import Slides, penetration, slides
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.cycle import Loop
from kinegraph.paths.editing.hills import Terrain
from kinegraph.paths.moving import MovingFrame


@dataclass(frozen=True, eq=False)
class Repathed:
    """A motion on another path. Its figures are computed when they are asked for."""

    motion: Motion
    """F frames, with feet held."""
    carried: Motion
    """The same before its feet were held."""
    curve: Curve
    """What it walks on: the path in its place, with tight corners rounded."""
    s: Array
    """``(F,)``: arc length on that curve."""
    source: MovingFrame
    """The frame that moves with the motion on its own path."""
    frame: MovingFrame
    """The frame that moves with it on this path."""
    terrain: Terrain | None
    """The ground; None if it is flat."""
    knee_limit: float
    """99.9th percentile of the knees' speed in the source, in rad/s."""
    feet: Footing | None = None
    """Soles, and plants where they stand now; None if feet were left alone."""
    reached: Reached | None = None
    """What the legs had to do; None if that was nothing."""
    let_go: float = 0.0
    """The share of the time in which feet should have stood but could not be held."""
    loop: Loop | None = None
    """What was repeated, if anything."""
    cuts: tuple[int, ...] = ()
    """Frames at which the body begins again elsewhere."""
    notices: tuple[str, ...] = ()
    """What the user should know."""

    def __repr__(self) -> str:
        held = "" if self.feet is None else f", {len(self.feet.plants)} plants held"
        return f"Repathed({self.motion!r} on {self.curve.length:.4g} m{held}, {len(self.notices)} notices)"

    def told(self, notice: str, feet: Footing | None = None) -> Repathed:
        """The same with a further notice, and with other feet if they are given."""
        return replace(self, notices=(*self.notices, notice), feet=feet or self.feet)

    @property
    def contacts(self) -> Bools | None:
        """When left heel, left ball, right heel and right ball stand: ``(F, 4)``; None if feet were left alone."""
        return None if self.feet is None else as_contacts(self.feet.plants, len(self.motion))

    @cached_property
    def slides(self) -> Slides:
        """How far planted feet slide."""
        return self._slides(self.motion)

    @cached_property
    def slides_before(self) -> Slides:
        """How far they slid before they were held."""
        return self._slides(self.carried)

    @cached_property
    def off_ground(self) -> Array:
        """How far ``(P,)`` each planted point is, at most, above or below the ground it should stand on, in metres."""
        if self.feet is None:
            return np.zeros(0)
        gaps = self._gaps()
        return np.array([np.abs(gaps[plant.first : plant.last, plant.column]).max() for plant in self.feet.plants])

    @cached_property
    def sunk(self) -> float:
        """The deepest that heel, ball or toes are ever below the ground, in metres."""
        if self.feet is None:
            return 0.0
        if self.terrain is None:
            return float(penetration(self.motion, self.feet.soles).max())
        return float(np.maximum(-self._gaps(), 0.0).max())

    @property
    def knee_speed(self) -> float:
        """The fastest knee, in rad/s; frames at which the body begins again elsewhere do not count."""
        speed = knees.speed(self.motion)
        speed[np.array(self.cuts, np.intp) - 1] = 0.0
        return float(speed.max())

    def _slides(self, motion: Motion) -> Slides:
        if self.feet is None:
            return Slides((), np.zeros(0), np.zeros(0), np.zeros((len(motion), 4)))
        return slides(motion, self.feet.plants, self.feet.soles)

    def _gaps(self) -> Array:
        """How high ``(F, 4)`` heels and balls are over where they would rest on the ground."""
        assert self.feet is not None
        points = np.concatenate([sole.points(self.motion)[:, :2] for sole in self.feet.soles], axis=1)
        rest = np.concatenate([sole.rest[:2] for sole in self.feet.soles])
        ground = 0.0 if self.terrain is None else self.terrain.under(points[..., [0, 2]], self.s)
        gaps: Array = points[..., 1] - rest - ground
        return gaps


def begun_again(made: Repathed, frames: int) -> Repathed:
    """A result that stops at the end of the path, repeated from the beginning again and again."""
    count = len(made.motion)
    rounds = -(-frames // count)

    def tiled(values: Array) -> Array:
        return np.concatenate([values] * rounds)[:frames]

    def told(frame: MovingFrame) -> MovingFrame:
        return MovingFrame(tiled(frame.points), tiled(frame.heading), tiled(frame.walked))

    feet = made.feet
    if feet is not None:
        plants = [
            replace(plant, first=min(plant.first + n * count, frames), last=min(plant.last + n * count, frames))
            for n in range(rounds)
            for plant in feet.plants
        ]
        feet = replace(feet, plants=tuple(plant for plant in plants if plant.last > plant.first))
    notice = (
        f"the path ends after {count} frames and does not come back: the body begins again there, {rounds} times in all"
    )
    return replace(
        made,
        motion=concatenate([made.motion] * rounds)[:frames],
        carried=concatenate([made.carried] * rounds)[:frames],
        s=tiled(made.s),
        source=told(made.source),
        frame=told(made.frame),
        feet=feet,
        reached=None,
        cuts=tuple(range(count, frames, count)),
        notices=(*made.notices, notice),
    )
