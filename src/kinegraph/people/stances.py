"""Where to stand so that a strike hits: every place from which a target lies where the strikes of a space go."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array
from kinegraph.errors import SpaceError
from kinegraph.motion.floor import FloorTransform
from kinegraph.strikes import told
from kinegraph.strikes.space import Space

TURN = 0.3
"""Metres that turning by a radian is worth: by how much stances are apart, see `Stance.apart`."""
# Metres by which a strike may miss and still be said to hit.
_HITS = 0.01
# How many places across the region are looked at, in which middle part of it; and directions all round.
_ACROSS, _MIDDLE, _ROUND = 9, 0.8, 144
# Blends that tell how far ahead a strike goes.
_LOOKS = 8


@dataclass(frozen=True)
class Stance:
    """A place to strike from."""

    place: FloorTransform
    """From the space's frame to the world."""
    target: tuple[float, float, float]
    """The target in the space's frame."""
    apart: float
    """How far it is from where somebody is, in metres and in radians that count `TURN` metres each."""
    turn: float
    """By how many radians one has to turn to it."""


@dataclass(frozen=True, eq=False)
class Stances:
    """All stances for a target, see `stances`."""

    target: Array
    """``(3,)``: in the world."""
    before: Array
    """``(C, 2)``: where it may lie before the body, to the left and ahead."""

    def nearest(self, place: FloorTransform) -> Stance:
        """The stance that is nearest to one at ``place``."""
        turns = (np.arange(_ROUND) - _ROUND // 2) * (2.0 * np.pi / _ROUND)
        angle = place.angle + turns
        cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
        left, ahead = self.before.T
        x = self.target[0] - (cosine * left + sine * ahead)
        z = self.target[2] - (cosine * ahead - sine * left)
        apart = np.hypot(x - place.x, z - place.z) + TURN * np.abs(turns)[:, None]
        row, column = np.unravel_index(int(np.argmin(apart)), apart.shape)
        return Stance(
            FloorTransform(float(angle[row]), float(x[row, column]), float(z[row, column])),
            (float(left[column]), float(self.target[1]), float(ahead[column])),
            float(apart[row, column]),
            float(turns[row]),
        )


def stances(space: Space, target: ArrayLike) -> Stances:
    """Where to stand to strike at a ``target (3,)`` in the world; a `SpaceError` where it is too high or too low for the space.

    >>> import kinegraph as kg
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> found = stances(kg.strikes.build(takes, "punch"), (2.0, 1.4, 1.0)).nearest(FloorTransform())
    >>> found.place.apply(found.target).round(6).tolist()
    [2.0, 1.4, 1.0]
    """
    goal = np.asarray(target, np.float64)
    if goal.shape != (3,) or not np.isfinite(goal).all():
        raise SpaceError(f"a target is three finite numbers of metres in the world, x, y and z; got {target!r}")
    height = float(goal[1])
    low, high = space.region.span(1, height)
    middle, half = 0.5 * (low + high), 0.5 * _MIDDLE * (high - low)
    across = np.linspace(middle - half, middle + half, _ACROSS)
    ahead = np.array([_ahead(space, left, height) for left in across])
    # the middle of the region tells for all: towards its sides strikes reach neither higher nor lower
    tried = space.reach((across[_ACROSS // 2], height, ahead[_ACROSS // 2]))
    if tried.miss > _HITS:
        (_, lowest), (_, highest) = space.region.low, space.region.high
        raise SpaceError(
            f"{space.name!r} does not hit {told.point(goal)}: its strikes go {lowest:.2f} to {highest:.2f} m high, and the nearest "
            f"misses {height:.2f} m by {100 * tried.miss:.0f} cm"
        )
    return Stances(goal, np.stack([across, ahead], axis=-1))


def before(space: Space, x: float, z: float, heading: float) -> tuple[float, float, float]:
    """The target in the world that lies in the middle of what a space reaches, for somebody at ``x`` and ``z`` who faces a ``heading``."""
    left, height = space.region.corners.mean(axis=0).tolist()
    place = FloorTransform(heading - math.radians(told.facing_degrees(space)), x, z)
    at_x, at_y, at_z = place.apply((left, height, _ahead(space, left, height))).tolist()
    return at_x, at_y, at_z


def _ahead(space: Space, left: float, height: float) -> float:
    """How far ahead strikes to a place across and up go."""
    at = np.array([left, height])
    near = space.samples.hits[space.samples.nearest(at, _LOOKS)]
    weight = 1.0 / np.maximum(np.linalg.norm(near[:, :2] - at, axis=1), 1e-3) ** 2
    return float(weight @ near[:, 2] / weight.sum())
