"""From what is believed in each frame to stretches of frames that do not flicker."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array, Bools, Ints
from kinegraph.feet.contacts import schmitt, steady

# Seconds: the shortest stretch that gets a label of its own.
SHORTEST = 0.3

Stretch = tuple[int, int, int]
"""A kind, its first frame, and the frame past the last."""


def decided(belief: Array, shortest: float, enter: float = 0.66, leave: float = 0.33) -> Bools:
    """A state ``(F,)``: it begins above ``enter``, ends below ``leave``, and lasts ``shortest`` frames at least.

    A clip that begins in between begins as is likelier.
    """
    begins, ends = belief > enter, belief < leave
    if not (begins[0] or ends[0]):
        begins[0], ends[0] = belief[0] > 0.5, belief[0] <= 0.5
    return steady(schmitt(begins, ends), shortest)


def stretches_of(kinds: Ints) -> list[Stretch]:
    """The stretches of equal ``kinds (F,)``.

    >>> stretches_of(np.array([3, 3, 0]))
    [(3, 0, 2), (0, 2, 3)]
    """
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    return [(int(kinds[first]), first, last) for first, last in pairwise(edges)]


def kinds_of(stretches: list[Stretch]) -> Ints:
    """The kind of each frame ``(F,)``: what `stretches_of` was given."""
    return np.repeat([kind for kind, _, _ in stretches], [last - first for _, first, last in stretches])


def absorbed(stretches: list[Stretch], shortest: float, least: Mapping[int, float]) -> list[Stretch]:
    """Stretches of which those that are too short have gone to their longer neighbour, the shortest first.

    shortest: how many frames a stretch must last; least: the same for some kinds.
    """
    while len(stretches) > 1:
        lengths = [last - first for _, first, last in stretches]
        short = [p for p, (kind, _, _) in enumerate(stretches) if lengths[p] < least.get(kind, shortest) - 1e-6]
        if not short:
            break
        place = min(short, key=lambda p: lengths[p])
        sides = [side for side in (place - 1, place + 1) if 0 <= side < len(stretches)]
        kinds = [kind for kind, _, _ in stretches]
        kinds[place] = kinds[max(sides, key=lambda side: lengths[side])]
        stretches = stretches_of(np.repeat(kinds, lengths))
    return stretches
