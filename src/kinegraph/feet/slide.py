"""Slides: how far feet move while they should stand still, and how deep they sink into the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.plants import Plant, as_contacts, footing
from kinegraph.feet.sole import Sole, soles
from kinegraph.motion.clip import Motion


@dataclass(frozen=True, eq=False)
class Slides:
    """How far P plants slide, in metres: the distance of each planted point from its own mean position."""

    plants: tuple[Plant, ...]
    mean: Array
    """``(P,)``: of each plant, the mean over its frames."""
    furthest: Array
    """``(P,)``: of each plant, the largest."""
    away: Array
    """``(F, 4)``: at every frame, for left heel, left ball, right heel and right ball; 0 while it does not stand."""

    @property
    def overall(self) -> tuple[float, float]:
        """The mean over all plants of their means, and the largest of all; zeros if nothing is planted."""
        return (float(self.mean.mean()), float(self.furthest.max())) if len(self.mean) else (0.0, 0.0)


def slides(motion: Motion, planted: Sequence[Plant] | Bools, feet: tuple[Sole, Sole] | None = None) -> Slides:
    """How far the planted points of a motion slide.

    planted: plants, or contacts ``(F, 4)`` from which `plants` makes them. feet: the soles, by default taken from this motion.

    A plant's slide is the distance of its point (the ball joint, or the heel, which is a point fixed to the foot: see `sole`) from the
    mean of the point's positions over the plant's frames. All three directions count.

    >>> import kinegraph as kg
    >>> from dataclasses import replace
    >>> walk = kg.samples.make("walk")
    >>> skating = replace(walk.motion, root=walk.motion.root * [1, 1, 1.1])    # 10 % too far for its steps
    >>> [round(1000 * kg.feet.slides(motion, walk.contacts).overall[1]) for motion in (walk.motion, skating)]    # millimetres
    [0, 33]
    """
    if isinstance(planted, np.ndarray):
        found = footing(motion, planted)
        stood, feet = found.plants, feet or found.soles
    else:
        stood = tuple(planted)
        feet = feet or soles(motion, as_contacts(stood, len(motion)))
    points = np.concatenate([sole.points(motion)[:, :2] for sole in feet], axis=1)
    mean, furthest = np.zeros(len(stood)), np.zeros(len(stood))
    strayed = np.zeros((len(motion), 4))
    for index, plant in enumerate(stood):
        span = slice(plant.first, plant.last)
        here = points[span, plant.column]
        away = np.linalg.norm(here - here.mean(axis=0), axis=-1)
        mean[index], furthest[index] = away.mean(), away.max()
        strayed[span, plant.column] = np.maximum(strayed[span, plant.column], away)
    return Slides(stood, mean, furthest, strayed)


def penetration(motion: Motion, feet: tuple[Sole, Sole]) -> Array:
    """How deep ``(F, 2, 3)``, in metres, heel, ball and toe tip of the left and right foot are below where they rest; 0 if above.

    >>> import kinegraph as kg
    >>> from dataclasses import replace
    >>> from kinegraph.feet.sole import soles
    >>> walk = kg.samples.make("walk")
    >>> sunk = replace(walk.motion, root=walk.motion.root - [0, 0.01, 0])
    >>> kg.feet.penetration(sunk, soles(walk.motion, walk.contacts)).max().round(6).item()
    0.01
    """
    depth = [sole.rest - sole.points(motion)[..., 1] for sole in feet]
    return np.maximum(np.stack(depth, axis=1), 0.0)
