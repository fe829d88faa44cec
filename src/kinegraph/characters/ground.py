"""The floor under a motion's feet, as far as they tell: flat, or as high as each of them stood.

A motion does not say what it was walked on. Feet that stand do, if they stand at more different heights than captures are wrong by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.characters.bearing import Heights
from kinegraph.feet.contacts import joints, known_contacts, schmitt, steady, velocity
from kinegraph.feet.plants import Plant
from kinegraph.feet.sole import Sole
from kinegraph.feet.targets import Floor
from kinegraph.motion import Motion, filters, rotation
from kinegraph.motion.body import SIDES

# In leg lengths: heights of feet that differ by less are those of one floor, badly measured; and so is one that is no further from 0.
_SAME_FLOOR = 0.06
# Leg lengths within which feet tell the floor's height and slope, and how much it counts that slopes are small.
_NEAR, _LEVEL = 0.5, 0.05
# Leg lengths over which the ground's slope is measured.
_STEEP = 0.05
# Seconds within which somebody puts a foot down, and how much the ground rises, in leg lengths, for it to be a hill.
_STEP, _HILL = 0.5, 0.15
# Leg lengths per second from which on a foot no longer rests, and below which it does; seconds over which that is measured, and for which
# it must last.
_FAST, _SLOW, _SPAN, _SHORTEST = 0.35, 0.2, 0.05, 0.08


@dataclass(frozen=True, eq=False)
class GroundUnder:
    """Where feet stood, or what they stood on. at: ``(P, 2)``, x and z. high: ``(P,)``. All in metres of the new body."""

    at: Array
    high: Array
    leg: float
    told: Floor | None = None
    """The ground itself, where it is known."""

    @property
    def level(self) -> bool:
        """Whether it is the floor, flat and at 0."""
        return self.told is None and not self.high.any()

    def heights(self, places: Array) -> Array:
        """How high ``(…)`` the ground is at ``places (…, 2)``."""
        if self.told is not None:
            return self.told(places)
        flat = places.reshape(-1, 2)
        if self.level:
            return np.zeros(places.shape[:-1])
        if np.ptp(self.high) < 1e-9:
            return np.full(places.shape[:-1], self.high[0])
        out = np.empty(len(flat))
        for first in range(0, len(flat), 4096):
            out[first : first + 4096] = self._fitted(flat[first : first + 4096])
        return out.reshape(places.shape[:-1])

    def _fitted(self, places: Array) -> Array:
        """Heights ``(N,)`` of planes that are laid through what stands near ``places (N, 2)``."""
        away = self.at[None] - places[:, None]
        gap = (away**2).sum(axis=-1)
        # where nobody stood near, the nearest tell
        reach = np.maximum(_NEAR * self.leg, np.sqrt(gap.min(axis=1)))[:, None]
        weight = np.exp(-0.5 * gap / (0.5 * reach) ** 2) + 1e-12
        whole = weight.sum(axis=1)
        middle = np.einsum("np,npi->ni", weight, away) / whole[:, None]
        mean = weight @ self.high / whole
        off = away - middle[:, None]
        spread = np.einsum("np,npi,npj->nij", weight, off, off) / whole[:, None, None]
        spread += _LEVEL**2 * self.leg**2 * np.eye(2)
        pull = np.einsum("np,npi,np->ni", weight, off, self.high[None] - mean[:, None]) / whole[:, None]
        slope = np.linalg.solve(spread, pull[..., None])[..., 0]
        heights: Array = mean - np.einsum("ni,ni->n", slope, middle)
        return heights

    def normals(self, places: Array) -> Array:
        """Unit vectors ``(F, 3)`` that stand on the ground at ``places (F, 2)``."""
        up = np.tile([0.0, 1.0, 0.0], (len(places), 1))
        if self.level:
            return up
        step = _STEEP * self.leg
        for axis, column in ((0, 0), (1, 2)):
            off = np.zeros(2)
            off[axis] = step
            up[:, column] = (self.heights(places - off) - self.heights(places + off)) / (2.0 * step)
        unit: Array = up / np.linalg.norm(up, axis=-1, keepdims=True)
        return unit

    def under(self) -> Floor | None:
        """As a floor for feet; None where it is flat and at 0."""
        return None if self.level else self.heights


FLAT = GroundUnder(np.zeros((1, 2)), np.zeros(1), 1.0)
"""A floor that is flat and at 0."""


def scaled(ground: Floor, factor: float, leg: float) -> GroundUnder:
    """A known ground, as large as for a body ``factor`` times the size of the one that it was made for."""
    return GroundUnder(np.zeros((0, 2)), np.zeros(0), leg, lambda places: factor * ground(places / factor))


def found(source: Motion, contacts: Bools, heights: Heights, plants: Sequence[Plant], factor: float) -> GroundUnder:
    """The ground on which a source's feet stood, for the feet of another, ``factor`` times as large, which stand by ``plants``."""
    if not plants:
        return FLAT
    high = np.array([_height(source, contacts, heights, plant) for plant in plants])
    leg = source.skeleton.leg_length
    if float(np.ptp(np.quantile(high, [0.02, 0.98]))) < _SAME_FLOOR * leg:
        level = float(np.median(high))
        high = np.full(len(high), level if abs(level) > _SAME_FLOOR * leg else 0.0)
    return GroundUnder(factor * np.array([_place(source, plant) for plant in plants]), factor * high, factor * leg)


def _place(source: Motion, plant: Plant) -> Array:
    """Where ``(2,)`` the source's own foot stood meanwhile."""
    toe = plant.part == "ball" and source.skeleton.has_roles(f"{plant.side}_toe")
    here: Array = source.position(f"{plant.side}_{'toe' if toe else 'ankle'}")[plant.first : plant.last, [0, 2]].mean(
        axis=0
    )
    return here


def _height(source: Motion, contacts: Bools, heights: Heights, plant: Plant) -> float:
    column = SIDES.index(plant.side)
    both = contacts[plant.first : plant.last, 2 * column : 2 * column + 2].all(axis=1)
    span = slice(plant.first, plant.last)
    has_toe = source.skeleton.has_roles(f"{plant.side}_toe")
    if plant.part == "ball" and has_toe:
        high = source.position(f"{plant.side}_toe")[span, 1] - heights.ball[column]
    else:
        high = source.position(f"{plant.side}_ankle")[span, 1] - heights.ankle[column]
    return float(np.median(high[both]) if both.any() else high.min())


def settled(plants: Sequence[Plant], soles: Sequence[Sole], ground: GroundUnder) -> tuple[Plant, ...]:
    """The plants with their places at the height of the ground, as their sole rests on it."""
    if not plants:
        return ()
    out = []
    high = ground.heights(np.array([plant.place[[0, 2]] for plant in plants]))
    for plant, level in zip(plants, high, strict=True):
        rest = soles[SIDES.index(plant.side)].rest[plant.column % 2]
        out.append(replace(plant, place=np.array([plant.place[0], rest + level, plant.place[2]])))
    return tuple(out)


def stands(motion: Motion) -> Bools:
    """When ``(F, 4)`` left heel, left ball, right heel and right ball stand; where nothing tells, never.

    On a floor, feet that stand are low and slow (`feet.contacts`). On a hill none is lower than another: there only those that rest tell.
    """
    found = known_contacts(motion)
    if found is None:
        return np.zeros((len(motion), 4), np.bool_)
    leg, fps = motion.skeleton.leg_length, motion.fps
    feet = np.minimum(motion.position("left_ankle")[:, 1], motion.position("right_ankle")[:, 1])
    under = filters.lowest(feet, min(max(round(_STEP * fps), 1), len(feet)))
    if float(np.ptp(under)) < _HILL * leg:
        return found
    speed = rotation.length(velocity(motion.positions[:, joints(motion.skeleton)], fps, _SPAN)) / leg
    down = [schmitt(speed[:, column] < _SLOW, speed[:, column] > _FAST) for column in range(4)]
    return np.stack([steady(one, _SHORTEST * fps) for one in down], axis=1)
