"""Giving way: cleaning never leaves legs worse than it found them.

Feet are held, and then the legs are looked at. Where a knee turns faster, or a leg is jerked harder, than about that moment before, holding
gives way: first the body comes down, so that the leg need not be drawn straight; if that is not enough the foot is let go, and led
smoothly over; and if even that is too much, the leg stays as it was.

Where a leg is bent further than legs are in the clips, because the body turns over a foot that stands, the foot goes along with the body
by as much as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.feet.legs import LEVEL, Lowering, Reached
from kinegraph.feet.plants import Footing, Plant
from kinegraph.feet.standing import SHORTEST
from kinegraph.motion import filters, snaps
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.motion.ranges import Ranges
from kinegraph.motion.spans import spans

# How far a foot gives way, step by step.
_LOWERED, _LET_GO, _AS_IT_WAS, _BOTH_AS_THEY_WERE = range(1, 5)
WAYS = ("held", "lowered", "let go", "as it was")
"""What giving way comes to lest a leg snap, from nothing to all."""
TAKEN_ALONG = "taken along"
"""What it comes to where a leg would be twisted: the foot goes partly along with the body."""
# How straight a leg may become from a body that is lowered for its sake: the distance from hip to ankle, in leg lengths.
_STRAIGHT = 0.97
# Seconds before and after a snap within which holding gives way, and over which a correction then comes and goes.
_AROUND, _FADE = 0.1, 0.3
# Times that feet are held anew, one step further where that is needed. From then on all stays as it was, within twice as many seconds
# each time.
_TRIES = 5
# Degrees by which a leg may leave what legs do in the clips for the sake of a foot that stands; and how often it is looked whether they do.
# Within a degree it is good enough.
_STRANGE, _LOOKS, _NEARLY = 12.0, 3, 1.0


@dataclass(frozen=True)
class Eased:
    """Frames ``first`` … ``last``−1 in which a foot gave way, lest its leg snap or be twisted."""

    side: str
    """Either "left" or "right"."""
    first: int
    last: int
    way: str
    """How: one of `WAYS`, the furthest of those frames, or `TAKEN_ALONG`."""


@dataclass(frozen=True, eq=False)
class Easing:
    """How holding gives way."""

    stance: Lowering = LEVEL
    """How far the body may be lowered."""
    share: Array | None = None
    """``(F, 2)``: how much of their correction the left and the right foot keep; None: all."""


Holding = Callable[[Footing, Easing], tuple[Motion, Reached]]
"""Holds feet: the motion, and what its legs had to do."""


def gently(
    motion: Motion, feet: Footing, holding: Holding, knee_limit: float | None, ranges: Ranges | None = None
) -> tuple[Motion, Reached, Footing, tuple[Eased, ...]]:
    """The motion with its feet held as far as its legs get no worse by it: what ``holding`` gives, what it could hold, and where it
    gave way.

    knee_limit: rad/s that are usual; by default what is usual in this motion. ranges: what joints do in the clips, which legs then do not
    leave by more than a little; by default they may.
    """
    share = None
    for _ in range(_LOOKS):
        done, reached, kept, eased = _without_snaps(motion, feet, _by_part(holding, share), knee_limit)
        along = None if ranges is None else _along(ranges, motion, done)
        if along is None:
            break
        share = along if share is None else share * along
    if share is None:
        return done, reached, kept, eased
    loose = share < 1.0
    kept = replace(kept, plants=_cut(kept.plants, loose, motion.fps))
    return done, reached, kept, _in_order([*eased, *_spans_of(loose, lambda _: TAKEN_ALONG)])


def _by_part(holding: Holding, share: Array | None) -> Holding:
    """Holds feet by no more than a ``share (F, 2)`` of what it takes."""
    if share is None:
        return holding

    def held(feet: Footing, easing: Easing) -> tuple[Motion, Reached]:
        return holding(feet, replace(easing, share=share if easing.share is None else share * easing.share))

    return held


def _along(ranges: Ranges, before: Motion, after: Motion) -> Array | None:
    """The share ``(F, 2)`` of what holds feet that leaves legs not much further out of their range than they were; None where it is all."""
    was, now = _strange(ranges, before), _strange(ranges, after)
    most = np.maximum(_STRANGE, was)
    if not (now > most + _NEARLY).any():
        return None
    given = np.where(now > most, (now - most) / np.maximum(now - was, 1e-9), 0.0)
    around = max(round(_AROUND * before.fps), 1)
    return 1.0 - filters.smoothed(filters.highest(given, around), 0.4 * around, around)


def _strange(ranges: Ranges, motion: Motion) -> Array:
    """Degrees ``(F, 2)`` by which the joints of the left and of the right leg are beyond their range."""
    beyond = ranges.beyond(motion)
    legs = [[motion.skeleton.joint(f"{side}_{part}") for part in ("hip", "knee", "ankle")] for side in SIDES]
    return np.stack([beyond[:, leg].max(axis=1) for leg in legs], axis=1)


def _without_snaps(
    motion: Motion, feet: Footing, holding: Holding, knee_limit: float | None
) -> tuple[Motion, Reached, Footing, tuple[Eased, ...]]:
    """As `gently`, for snaps alone."""
    before = snaps.legs(motion)
    bounds = snaps.Bounds.of(before, motion.fps, knee_limit)
    level = np.zeros((len(motion), 2), np.intp)
    kept, easing, around, tries = feet, Easing(), _AROUND, 0
    while True:
        done, reached = holding(kept, easing)
        out = bounds.exceeded(snaps.legs(done)) & ~_as_they_were(easing, len(motion))
        if not out.any() or level.min() == _BOTH_AS_THEY_WERE:
            break
        tries += 1
        if tries > _TRIES:
            around *= 2.0
        level = _raised(level, _widened(out, around, motion.fps), _BOTH_AS_THEY_WERE if tries > _TRIES else 1)
        easing = _easing(level, motion.fps)
        kept = replace(feet, plants=_cut(feet.plants, _loose(level, easing), motion.fps))
    return done, reached, kept, _eased(level)


def _widened(out: Bools, around: float, fps: float) -> Bools:
    """Whether ``(F, 2)`` any frame within ``around`` seconds is ``out (F, 2)``."""
    # no window need be longer than the motion
    reach = min(max(round(around * fps), 1), len(out))
    return filters.highest(out.astype(np.float64), reach) > 0.0


def _raised(level: Indices, out: Bools, steps: int) -> Indices:
    """Levels ``(F, 2)`` so many steps further where legs are ``out (F, 2)`` of bounds."""
    further = np.minimum(level + steps * out, _BOTH_AS_THEY_WERE)
    # one leg may be bad because the body is lowered for the other
    both = (further == _BOTH_AS_THEY_WERE).any(axis=1, keepdims=True)
    return np.where(both, _BOTH_AS_THEY_WERE, further)


def _easing(level: Indices, fps: float) -> Easing:
    fade = max(round(_FADE * fps), 1)
    # its envelope is made smooth where the body is lowered
    straight = np.where((level >= _LOWERED).any(axis=1, keepdims=True), _STRAIGHT, LEVEL.straight)
    stance = Lowering(LEVEL.lowest, straight)
    as_it_was = level >= _AS_IT_WAS
    if not as_it_was.any():
        return Easing(stance)
    off = filters.smoothed(filters.highest(as_it_was.astype(np.float64), fade), 0.4 * fade, fade)
    # a sum of weights is 1 but for its last digits
    return Easing(stance, np.where(off > 1.0 - 1e-9, 0.0, 1.0 - off))


def _as_they_were(easing: Easing, frames: int) -> Bools:
    """Where ``(F, 1)`` nothing is done to either leg, from the frame before to the one after: what is wrong there is not for holding feet,
    and would not be better if feet were let go elsewhere.
    """
    if easing.share is None:
        return np.zeros((frames, 1), np.bool_)
    none = (easing.share == 0.0).all(axis=1)
    found: Bools = none & np.append(none[1:], True) & np.append(True, none[:-1])
    return found[:, None]


def _loose(level: Indices, easing: Easing) -> Bools:
    """Where ``(F, 2)`` feet are not held."""
    loose: Bools = level >= _LET_GO
    return loose if easing.share is None else loose | (easing.share < 1.0)


def _cut(plants: Iterable[Plant], loose: Bools, fps: float) -> tuple[Plant, ...]:
    """Plants without the frames in which their foot, left or right, is ``loose (F, 2)``; what is left of one stays at its place."""
    kept = []
    for plant in plants:
        here = ~loose[plant.first : plant.last, SIDES.index(plant.side)]
        if here.all():
            kept.append(plant)
            continue
        parts = [(plant.first + first, plant.first + last) for first, last in spans(here)]
        kept += [replace(plant, first=a, last=b) for a, b in parts if b - a >= SHORTEST * fps - 1e-6]
    return tuple(kept)


def _eased(level: Indices) -> tuple[Eased, ...]:
    """The spans in which feet gave way by some ``level (F, 2)``, in order of time."""
    return _in_order(_spans_of(level > 0, lambda where: WAYS[min(int(level[where].max()), _AS_IT_WAS)]))


def _spans_of(out: Bools, way: Callable[[tuple[slice, int]], str]) -> list[Eased]:
    """The spans in which feet are ``out (F, 2)``, each with its way, told by where it lies in such an array."""
    return [
        Eased(side, first, last, way((slice(first, last), column)))
        for column, side in enumerate(SIDES)
        for first, last in (spans(out[:, column]) if out[:, column].any() else ())
    ]


def _in_order(eased: Iterable[Eased]) -> tuple[Eased, ...]:
    return tuple(sorted(eased, key=lambda one: (one.first, one.side)))


def told(eased: Sequence[Eased], fps: float) -> list[str]:
    """What to say about feet that were not held: a sentence for each cause, or nothing where all were.

    >>> told([Eased("left", 30, 45, "let go")], 30.0)
    ['the left foot is let go from 1.00 to 1.50 s, where holding it would make its leg snap: it may slide there']
    """
    let_go = [one for one in eased if one.way not in (WAYS[_LOWERED], TAKEN_ALONG)]
    taken = [one for one in eased if one.way == TAKEN_ALONG]
    return [
        *_said(let_go, fps, "let go", "make {} leg snap"),
        *_said(taken, fps, TAKEN_ALONG + " as the body turns", "twist {} leg further than the clips do"),
    ]


def _said(eased: Sequence[Eased], fps: float, done: str, lest: str) -> list[str]:
    if not eased:
        return []
    first = eased[0]
    where = f"from {first.first / fps:.2f} to {first.last / fps:.2f} s"
    if len(eased) == 1:
        return [
            f"the {first.side} foot is {done} {where}, where holding it would {lest.format('its')}: it may slide there"
        ]
    return [
        f"feet are {done} {len(eased)} times, where holding them would {lest.format('a')}: they may slide there; "
        f"first the {first.side} one {where}"
    ]
