"""Slides: how far feet stray while they should stand, and how deep they sink into the floor."""

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
    """Of each plant, in metres: mean ``(P,)`` and furthest ``(P,)`` distance of the planted point from the mean of its own places.

    away: ``(F, 4)``, the same at every frame for left heel, left ball, right heel and right ball; 0 where none of them stands.
    """

    plants: tuple[Plant, ...]
    mean: Array
    furthest: Array
    away: Array

    @property
    def overall(self) -> tuple[float, float]:
        """Mean over all plants of their mean, and the furthest of all; zeros where nothing is planted."""
        return (float(self.mean.mean()), float(self.furthest.max())) if len(self.mean) else (0.0, 0.0)


def slides(motion: Motion, planted: Sequence[Plant] | Bools, feet: tuple[Sole, Sole] | None = None) -> Slides:
    """How far the planted points of a motion stray.

    planted: plants, or contacts ``(F, 4)`` from which `plants` makes them. A plant slides by the distance of its point (the ball joint; the
    heel, a point fixed to the foot: see `sole`) from the mean of the point's positions over the plant's frames, in all three
    directions: its mean over those frames, and its maximum. feet: where known, the soles; by default taken from this motion.
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
    """How deep ``(F, 2, 3)``, in metres, heel, ball and tip of the toes of the left and the right foot are below their rest; 0 above."""
    depth = [sole.rest - sole.points(motion)[..., 1] for sole in feet]
    return np.maximum(np.stack(depth, axis=1), 0.0)
