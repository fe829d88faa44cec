"""What is to be said about a crowd that did worse than it should: who ran into whom, and who has not arrived."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Bools, Ints, Singles
from kinegraph.motion.spans import spans

DEEP = 0.10
"""Metres that two trunks may be in one another at most: arms and clothes give way, bodies do not."""
TOUCH, OFTEN = 0.02, 0.001
"""Metres from which on two trunks touch, and the share of person-frames in which they may."""
# how many are named
_NAMED = 4


@dataclass(frozen=True)
class Collision:
    """Two people whose trunks were deeper in one another than they should be, for some frames."""

    first: int
    """The frame at which it begins."""
    last: int
    """The frame at which it ends, which is not part of it."""
    people: tuple[int, int]
    depth: float
    """Metres, at worst."""


def collisions(trunk: Singles, whom: Ints, present: Bools, depth: float = DEEP) -> tuple[Collision, ...]:
    """All that are deeper than ``depth``, the deepest first. trunk, whom, present: ``(F, N)``, as in `report.Report`.

    >>> trunk = np.full((5, 2), -1.0, np.float32)
    >>> trunk[2:4] = 0.12
    >>> whom = np.tile(np.array([1, 0], np.int32), (5, 1))
    >>> collisions(trunk, whom, np.ones((5, 2), np.bool_))[0].people
    (0, 1)
    """
    found = []
    deep = present & (trunk > depth)
    for person in np.flatnonzero(deep.any(axis=0)).tolist():
        for first, last in spans(deep[:, person]):
            at = first + int(trunk[first:last, person].argmax())
            other = int(whom[at, person])
            # each is in the other: it is told once
            if person < other or not deep[at, other] or whom[at, other] != person:
                pair = min(person, other), max(person, other)
                found.append(Collision(first, last, pair, float(trunk[at, person])))
    return tuple(sorted(found, key=lambda one: -one.depth))


def told(deep: tuple[Collision, ...], share: float, fps: float) -> list[str]:
    """The same in sentences; none where all went well. share: of the person-frames in which trunks touch."""
    notices = []
    if deep:
        named = [
            f"{one.people[0]} and {one.people[1]} at {one.first / fps:.1f} s ({100 * one.depth:.0f} cm)"
            for one in deep[:_NAMED]
        ]
        more = f", and {len(deep) - _NAMED} more" if len(deep) > _NAMED else ""
        times = "once" if len(deep) == 1 else f"{len(deep)} times"
        notices.append(
            f"people walked into one another {times}, by more than {100 * DEEP:.0f} cm: persons {', '.join(named)}{more}"
        )
    if share > OFTEN:
        notices.append(
            f"people touched by more than {100 * TOUCH:.0f} cm in {100 * share:.2f} % of the time, where {100 * OFTEN:g} % would be good: "
            "there are many for the room that they have"
        )
    return notices


def missing(arrived: Bools, seconds: float) -> list[str]:
    """Who has not arrived, in a sentence; none where all have."""
    who = np.flatnonzero(~arrived).tolist()
    if not who:
        return []
    named = ", ".join(map(str, who[: 2 * _NAMED])) + (" …" if len(who) > 2 * _NAMED else "")
    return [
        f"{len(who)} of {len(arrived)} people have not arrived within {seconds:g} s (person{'s' * (len(who) > 1)} {named})"
    ]
