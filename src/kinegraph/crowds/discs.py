"""The same scenario with plain discs, which do whatever avoidance says: what bodies are compared with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.crowds.avoidance import Care, Movers, avoid
from kinegraph.crowds.casting import Cast
from kinegraph.crowds.walkers import Walkers

RADIUS = 0.25
"""Metres of a disc."""
# m/s of chance in what each would like: without it discs that stand alike stand for ever
_CHANCE = 0.05
# how much faster than they like people go where it helps
HURRY = 1.2


@dataclass(frozen=True, eq=False)
class Discs:
    """N discs in F frames."""

    place: Array
    """``(F, N, 2)``"""
    present: Bools
    """``(F, N)``"""
    arrived: Array
    """``(N,)``: seconds; NaN who has not."""

    @property
    def depth(self) -> Array:
        """``(F, N)``: how deep each disc is in another, in metres, below 0 where there is room."""
        found = np.full(self.present.shape, -np.inf)
        for frame, (place, there) in enumerate(zip(self.place, self.present, strict=True)):
            who = np.flatnonzero(there)
            if len(who) > 1:
                apart = np.hypot(*np.moveaxis(place[who][:, None] - place[who][None], -1, 0))
                np.fill_diagonal(apart, np.inf)
                found[frame, who] = 2.0 * RADIUS - apart.min(axis=1)
        return found


def discs(cast: Cast, seconds: float, fps: float = 30.0) -> Discs:
    """What discs do in a scenario, until all have arrived or the time is over.

    >>> from kinegraph.crowds.casting import cast
    >>> from kinegraph.crowds.named import hallway
    >>> bool(np.isfinite(discs(cast(hallway(6)), 60).arrived).all())
    True
    """
    care = Care(apart=1.0 / fps)
    walkers, chance = Walkers(cast), np.random.default_rng(cast.scenario.seed)
    place, velocity = cast.start.copy(), np.zeros((len(cast), 2))
    places, present = [place.copy()], [walkers.present]
    for frame in range(round(seconds * fps)):
        liked = walkers.liked(place, frame / fps)
        if walkers.done.all():
            break
        who = np.flatnonzero(walkers.present)
        movers = Movers(
            place[who], velocity[who], np.full(len(who), RADIUS), HURRY * cast.speed[who], np.ones(len(who))
        )
        liked += _CHANCE * chance.standard_normal(liked.shape)
        velocity[who] = avoid(movers, liked[who], cast.walls, care)
        place[who] += velocity[who] / fps
        places.append(place.copy())
        present.append(walkers.present)
    return Discs(np.array(places), np.array(present), walkers.arrived)
