"""Automatic labels: what a body does, told by how it moves.

Every frame bears one doing. It is a gait (``stand``, ``walk``, ``run``, ``jump``), or in its place ``sit``, ``lie``, ``crouch``, ``crawl``,
``climb``, ``punch``, ``kick``, ``reach``, ``wave``, or ``other`` for a body that is busy with none of them (dances, work, sports).
``turn_left`` and ``turn_right`` lie over them, and so do ``backward`` and ``sideways``, where a body that goes does not go where it faces.

Every kind is a belief from 0 to 1 in each frame: the least of a few signs, each of which is surely against it at one value and surely
for it at another. Labels do not flicker: a belief has to pass two thirds to begin and one third to end, and to last. How sure
a label is, is the mean belief over its frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array, Bools, Ints
from kinegraph.feet.contacts import steady, velocity
from kinegraph.graph.making import busyness, gaits, limbs, postures
from kinegraph.graph.making.gaits import SHORTEST, decided
from kinegraph.graph.making.signs import STRIDE, Signs
from kinegraph.graph.model import LabelSpan
from kinegraph.motion import filters
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans

GAITS = ("stand", "walk", "run", "jump")
DOINGS = (*GAITS, "sit", "lie", "crouch", "crawl", "climb", "punch", "kick", "reach", "wave", "other")
TURNS = ("turn_left", "turn_right")
WAYS = ("sideways", "backward")
_NUMBER = {label: number for number, label in enumerate(DOINGS)}
_STAND, _WALK, _RUN, _JUMP = range(4)

# In leg lengths, how far a walk must get: who kicks, leans or lands shifts the hips by less.
_LEAST_WALK = 0.35
# Seconds over which heading is measured: near a stride, so that the hips' swing cancels.
_TURN_SPAN = 1.0
# Radians per second below which a turn ends and above which it begins.
_STRAIGHT, _TURNING = 0.12, 0.25
# Radians by which a turn must turn in all; more for one who stands, whose trunk twists in every punch.
_LEAST_TURN, _LEAST_PIVOT = np.deg2rad(20.0), np.deg2rad(60.0)
# Radians between where a body faces and where it goes from which it goes sideways, and from which backwards.
_ASIDE, _BACK = np.deg2rad(50.0), np.deg2rad(130.0)
# Seconds: what stands for less between deeds is part of them.
_LEAST_STAND = 0.4
# One who brakes from a run or gathers speed does not walk: seconds that a walk beside a run must last to be one.
_LEAST_BESIDE = 1.0
# Seconds around jumps, punches and kicks in which limbs are busy with them.
_AROUND = 0.6
def _busy(signs: Signs, doing: Ints) -> Array:
    """Belief ``(F,)`` that a body is busy with none of the kinds."""
    deeds = np.isin(doing, [_NUMBER[label] for label in ("jump", "punch", "kick")])
    around = filters.highest(deeds.astype(np.float64), round(_AROUND * signs.fps)) > 0
    return np.where(around, 0.0, np.where(doing == _WALK, busyness.strays(signs), busyness.fidgets(signs)))


# Over which doings each kind is laid, in this order, and for how many seconds at least.
_LAID = {
    "reach": (limbs.reaches, ("stand",), 0.5),
    "wave": (limbs.waves, ("stand", "reach"), 0.8),
    "crouch": (postures.crouches, ("stand", "reach"), 0.5),
    "climb": (postures.climbs, ("stand", "walk", "run", "reach", "crouch"), 0.8),
    "sit": (postures.sits, ("stand", "walk", "reach", "crouch", "climb"), 0.5),
    "crawl": (postures.crawls, ("stand", "walk", "run", "reach", "crouch", "sit"), 0.6),
    "lie": (postures.lies, ("stand", "walk", "run", "reach", "crouch", "sit", "crawl"), 0.5),
    "punch": (limbs.punches, ("stand", "walk", "jump", "reach", "wave", "crouch"), 0.3),
    "kick": (limbs.kicks, ("stand", "walk", "run", "reach", "crouch", "punch"), 0.3),
    "other": (_busy, ("stand", "walk", "reach"), 1.0),
}


def annotate(motion: Motion, contacts: Bools) -> tuple[LabelSpan, ...]:
    """Labels of a motion in order of time, by its contacts ``(F, 4)``: left heel, left ball, right heel, right ball.

    The doings cover every frame exactly once. A skeleton without legs is a `RoleError`.
    """
    signs = Signs(motion, contacts)
    shortest = SHORTEST * signs.fps
    goes, runs, jumps = gaits.going(signs), gaits.running(signs), gaits.jumping(signs)
    moving, running = decided(goes, shortest), decided(runs, shortest)
    doing = np.where(jumps, _JUMP, np.where(running & moving, _RUN, np.where(moving, _WALK, _STAND)))
    belief = np.select([doing == _JUMP, doing == _RUN, doing == _WALK], [1.0, runs, np.minimum(goes, 1 - runs)], 1 - goes)
    for kind, first, last in _stretches(doing):
        away = np.linalg.norm((signs.hips[first:last] - signs.hips[first])[:, [0, 2]], axis=-1)
        if kind == _WALK and away.max() < _LEAST_WALK:
            doing[first:last] = _STAND
    doing = _without_braking(doing, _LEAST_BESIDE * signs.fps)
    for label, (believed, under, least) in _LAID.items():
        sure = believed(signs, doing) if label == "other" else believed(signs)
        held = decided(sure, least * signs.fps, 0.6, 0.4) & np.isin(doing, [_NUMBER[each] for each in under])
        doing[held], belief[held] = _NUMBER[label], sure[held]
    doing = _number(_absorb(_stretches(doing), {_STAND: _LEAST_STAND * signs.fps}, shortest))
    found = [
        LabelSpan(DOINGS[kind], first, last, confidence=_confidence(belief[first:last]))
        for kind, first, last in _stretches(doing)
    ]
    rate = np.where(running, _veering(signs.travel, signs.fps), velocity(signs.heading, signs.fps, _TURN_SPAN))
    turning = _turns(rate, (doing != _WALK) & (doing != _RUN), signs.fps)
    ways = _ways(signs.travel, signs.heading, (doing == _WALK) | (doing == _RUN), signs.fps)
    return tuple(sorted([*found, *turning, *ways], key=lambda x: (x.first, x.last, x.label)))


def _without_braking(doing: Ints, least: float) -> Ints:
    """``doing (F,)`` in which a walk of less than ``least`` frames beside a run is part of the run."""
    stretches = _stretches(doing)
    kinds = [_STAND, *(kind for kind, _, _ in stretches), _STAND]
    found = doing.copy()
    for place, (kind, first, last) in enumerate(stretches):
        if kind == _WALK and last - first < least and _RUN in (kinds[place], kinds[place + 2]):
            found[first:last] = _RUN
    return found


def _confidence(belief: Array) -> float:
    """How sure a stretch is: what is not believed for more than half would bear another label."""
    return round(float(np.clip(belief.mean(), 0.5, 1.0)), 2)


def _turns(rate: Array, standing: Bools, fps: float) -> list[LabelSpan]:
    """Turns by the ``rate (F,)`` at which the body turns to the left, in radians per second."""
    shortest = SHORTEST * fps
    middle, half = 0.5 * (_TURNING + _STRAIGHT), _TURNING - _STRAIGHT
    found: list[LabelSpan] = []
    for label, towards in zip(TURNS, (rate, -rate), strict=True):
        sure = np.clip(0.5 + (towards - middle) / half, 0.0, 1.0)
        for first, last in spans(decided(sure, shortest, 0.999, 0.001)):
            least = _LEAST_PIVOT if standing[first:last].mean() > 0.5 else _LEAST_TURN
            if last - first >= shortest and towards[first:last].sum() / fps >= least:
                found.append(LabelSpan(label, first, last, confidence=_confidence(sure[first:last])))
    return found


def _ways(travel: Array, heading: Array, going: Bools, fps: float) -> list[LabelSpan]:
    """Stretches in which a body that is ``going (F,)`` does not go where it faces. travel: ``(F, 2)``, heading: ``(F,)``."""
    way = np.arctan2(travel[:, 0], travel[:, 1])
    # the hips' swing cancels over a stride
    faced = velocity(np.cumsum(np.exp(1j * (heading - way))) / fps, fps, STRIDE)
    apart = np.abs(np.angle(faced))
    shortest = SHORTEST * fps
    found: list[LabelSpan] = []
    for label, most in zip(WAYS, ((apart > _ASIDE) & (apart <= _BACK), apart > _BACK), strict=True):
        held = steady(going & most, shortest)
        found += [LabelSpan(label, first, last) for first, last in spans(held & going) if last - first >= shortest]
    return found


def _veering(travel: Array, fps: float) -> Array:
    """Radians per second ``(F,)``, positive to the left, by which the direction of travel ``(F, 2)`` (x, z) turns.

    A runner's shoulders swing too much, and a run is often too short, for the heading to show it.
    """
    change = velocity(travel, fps, STRIDE)
    square = np.maximum(np.einsum("fi,fi->f", travel, travel), 1e-6)
    turn: Array = (travel[:, 1] * change[:, 0] - travel[:, 0] * change[:, 1]) / square
    return turn


def _number(stretches: list[tuple[int, int, int]]) -> Ints:
    """The kind of each frame ``(F,)``: what `_stretches` was made from."""
    return np.repeat([kind for kind, _, _ in stretches], [last - first for _, first, last in stretches])


def _stretches(kinds: Ints) -> list[tuple[int, int, int]]:
    """Kind, first frame and the frame past the last of each stretch of equal ``kinds (F,)``."""
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    return [(int(kinds[first]), first, last) for first, last in pairwise(edges)]


def _absorb(stretches: list[tuple[int, int, int]], least: Mapping[int, float], shortest: float) -> list[tuple[int, int, int]]:
    """Stretches of which those that are too short have gone to their longer neighbour, the shortest first.

    least: kind → how many frames it must last; the others must last ``shortest``.
    """
    while len(stretches) > 1:
        lengths = [last - first for _, first, last in stretches]
        short = [p for p, (kind, _, _) in enumerate(stretches) if lengths[p] < least.get(kind, shortest) - 1e-6]
        if not short:
            break
        place = min(short, key=lambda p: lengths[p])
        sides = [side for side in (place - 1, place + 1) if 0 <= side < len(stretches)]
        kind = stretches[max(sides, key=lambda side: lengths[side])][0]
        stretches[place] = (kind, *stretches[place][1:])
        merged = stretches[:1]
        for kind, first, last in stretches[1:]:
            if kind == merged[-1][0]:
                merged[-1] = (kind, merged[-1][1], last)
            else:
                merged.append((kind, first, last))
        stretches = merged
    return stretches
