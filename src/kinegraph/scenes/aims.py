"""What the motion of a scene is bent and timed to meet: its keys, the ends of its paths, where its strikes hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.motion.clip import Motion
from kinegraph.scenes.plan import ScenePlan
from kinegraph.scenes.striking import StrikeKey

SOFT = 0.02
"""How much a soft key matters against a hard one."""
# seconds from point to point of a path at which somebody is to be there, and how much that matters against a key
_EVERY, _ON_PATH = 0.7, 0.05


class Aim(NamedTuple):
    """What is to be where at a frame."""

    frame: int
    x: float
    z: float
    heading: float | None = None
    """Radians; None for any."""
    weight: float = 1.0
    hard: bool = True
    strike: int = -1
    """Which of the plan's strikes hits there; −1 where it is the root that is to be there."""


@dataclass(frozen=True, eq=False)
class Aims:
    """What a motion is bent and timed to meet."""

    frames: Longs
    """``(K,)``: of the motion."""
    places: Array
    """``(K, 2)``"""
    headings: Array
    """``(K,)``: radians, not a number for any."""
    weights: Array
    """``(K,)``"""
    hard: Bools
    """``(K,)``: whether what is left is shifted away."""
    strikes: Longs
    """``(K,)``: which of the plan's strikes is to hit there; −1 where it is the root that is to be there."""

    @classmethod
    def of(cls, plan: ScenePlan) -> Aims:
        """The keys of a plan, and the ends of its paths."""
        rows = [
            Aim(
                moment, *key.at, key.heading, key.weight * (1.0 if key.hard else SOFT), key.hard,
                key.number if isinstance(key, StrikeKey) else -1,
            )
            for moment, key in zip(plan.moments, plan.keys, strict=True)
        ]  # fmt: skip
        for one in plan.scene.paths:
            first, last = (round(time * plan.graph.fps) for time in (one.first, one.last))
            steps = max(1, round((one.last - one.first) / _EVERY))
            for share in np.linspace(0.0, 1.0, steps + 1).tolist():
                x, z = one.path.at(share * one.path.length)
                end = share in (0.0, 1.0)
                frame, weight = round(first + share * (last - first)), 1.0 if end and one.hard else _ON_PATH
                rows.append(Aim(frame, float(x), float(z), None, one.weight * weight, end and one.hard))
        return cls.rows(rows)

    @classmethod
    def rows(cls, rows: Sequence[Aim]) -> Aims:
        """Put in order of time."""
        rows = sorted(rows, key=lambda one: one.frame)
        return cls(
            np.array([one.frame for one in rows], np.int64),
            np.array([(one.x, one.z) for one in rows], np.float64).reshape(-1, 2),
            np.array([np.nan if one.heading is None else one.heading for one in rows], np.float64),
            np.array([one.weight for one in rows], np.float64),
            np.array([one.hard for one in rows], bool),
            np.array([one.strike for one in rows], np.int64),
        )

    def each(self) -> list[Aim]:
        """One by one; a heading that is not a number is any."""
        columns = (self.frames, *self.places.T, self.headings, self.weights, self.hard, self.strikes)
        return [Aim(*one) for one in zip(*(column.tolist() for column in columns), strict=True)]

    def missed(self, motion: Motion, plan: ScenePlan) -> Array:
        """What a motion misses of each place ``(K, 2)``."""
        there = motion.root[self.frames]
        for row in np.flatnonzero(self.strikes >= 0):
            there[row] = motion.positions[self.frames[row], plan.strikes[self.strikes[row]].clip.end]
        missed: Array = self.places - there[:, [0, 2]]
        return missed
