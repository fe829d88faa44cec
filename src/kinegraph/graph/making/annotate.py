"""Automatic labels: what a body does, told by how it moves.

Every frame bears one doing. It is a gait (``stand``, ``walk``, ``run``, ``jump``), or in its place ``sit``, ``lie``, ``crouch``, ``crawl``,
``climb``, ``punch``, ``kick``, ``reach``, ``wave``, or ``other`` for a body that is busy with none of them (dances, work, sports).
``turn_left`` and ``turn_right`` lie over them, and so do ``backward`` and ``sideways``, where a body that goes does not go where it faces.

Every kind is a belief from 0 to 1 in each frame: the least of a few signs, each of which speaks surely against it at one value and surely
for it at another (`recognition`). Labels do not flicker: a belief has to pass a threshold to begin and a lower one to end, and to
last. The confidence of a label is the mean belief over its frames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, Ints
from kinegraph.graph.making.recognition import busyness, gaits, limbs, postures, ways
from kinegraph.graph.making.recognition.signs import Signs
from kinegraph.graph.making.recognition.stretches import SHORTEST, absorbed, decided, kinds_of, stretches_of
from kinegraph.graph.model import LabelSpan
from kinegraph.motion import filters
from kinegraph.motion.clip import Motion

GAITS = ("stand", "walk", "run", "jump")
DOINGS = (*GAITS, "sit", "lie", "crouch", "crawl", "climb", "punch", "kick", "reach", "wave", "other")
TURNS, WAYS = ways.TURNS, ways.WAYS
_STAND, _WALK, _RUN, _JUMP = range(4)

# In leg lengths, how far a walk must get: who kicks, leans or lands shifts the hips by less.
_LEAST_WALK = 0.35
# One who brakes from a run or gathers speed does not walk: seconds that a walk beside a run must last to be one.
_LEAST_BESIDE = 0.9
# Seconds: what stands for less between deeds is part of them.
_LEAST_STAND = 0.4
# Seconds around jumps, punches and kicks in which limbs are busy with them; seconds that a body must be busy otherwise.
_AROUND, _LEAST_OTHER = 0.4, 1.0
# Beliefs with which a doing that is laid over the gaits begins and ends.
_BEGINS, _ENDS = 0.6, 0.4


@dataclass(frozen=True)
class _Laid:
    """A doing that is laid over others."""

    label: str
    believed: Callable[[Signs], Array]
    seconds: float
    """How long it must last."""
    over: tuple[str, ...]
    """What it replaces."""


# In this order: what comes later is the more telling.
_LAID = (
    _Laid("reach", limbs.reaches, 0.5, ("stand",)),
    _Laid("wave", limbs.waves, 0.8, ("stand", "reach")),
    _Laid("crouch", postures.crouches, 0.5, ("stand", "reach")),
    _Laid("climb", postures.climbs, 0.8, ("stand", "walk", "run", "reach", "crouch")),
    _Laid("sit", postures.sits, 0.5, ("stand", "walk", "reach", "crouch", "climb")),
    _Laid("crawl", postures.crawls, 0.6, ("stand", "walk", "run", "reach", "crouch", "sit")),
    _Laid("lie", postures.lies, 0.5, ("stand", "walk", "run", "reach", "crouch", "sit", "crawl")),
    _Laid("punch", limbs.punches, 0.3, ("stand", "walk", "jump", "reach", "wave", "crouch")),
    _Laid("kick", limbs.kicks, 0.3, ("stand", "walk", "run", "reach", "crouch", "punch")),
)


def annotate(motion: Motion, contacts: Bools) -> tuple[LabelSpan, ...]:
    """Labels of a motion in order of time, by its contacts ``(F, 4)``: left heel, left ball, right heel, right ball.

    The doings cover every frame exactly once. A skeleton without legs is a `RoleError`.
    """
    signs = Signs(motion, contacts)
    doing, belief = _gaits(signs)
    running = doing == _RUN
    for laid in _LAID:
        sure = laid.believed(signs)
        held = decided(sure, laid.seconds * signs.fps, _BEGINS, _ENDS) & _any_of(doing, *laid.over)
        doing[held], belief[held] = DOINGS.index(laid.label), sure[held]
    sure = _busy(signs, doing)
    held = decided(sure, _LEAST_OTHER * signs.fps, _BEGINS, _ENDS) & _any_of(doing, "stand", "walk", "reach")
    doing[held], belief[held] = DOINGS.index("other"), sure[held]

    least = {_STAND: _LEAST_STAND * signs.fps}
    stretches = absorbed(stretches_of(doing), SHORTEST * signs.fps, least)
    doing = kinds_of(stretches)
    going = _any_of(doing, "walk", "run")
    found = [
        *((DOINGS[kind], first, last, belief[first:last]) for kind, first, last in stretches),
        *ways.turns(signs, going, running),
        *ways.ways(signs, going),
    ]
    labels = [LabelSpan(label, first, last, confidence=_confidence(sure)) for label, first, last, sure in found]
    return tuple(sorted(labels, key=lambda span: (span.first, span.last, span.label)))


def _gaits(signs: Signs) -> tuple[Ints, Array]:
    """The gait of each frame ``(F,)``, and the belief in it."""
    shortest = SHORTEST * signs.fps
    goes, runs = gaits.going(signs), gaits.running(signs)
    moving, running = decided(goes, shortest), decided(runs, shortest)
    doing = np.where(gaits.jumping(signs), _JUMP, np.where(moving, np.where(running, _RUN, _WALK), _STAND))
    belief = np.choose(doing, [1.0 - goes, np.minimum(goes, 1.0 - runs), np.minimum(goes, runs), 1.0])
    stretches = stretches_of(doing)
    kinds = [_STAND, *(kind for kind, _, _ in stretches), _STAND]
    for place, (kind, first, last) in enumerate(stretches):
        if kind != _WALK:
            continue
        away = np.linalg.norm((signs.hips[first:last] - signs.hips[first])[:, [0, 2]], axis=-1)
        braking = last - first < _LEAST_BESIDE * signs.fps and _RUN in (kinds[place], kinds[place + 2])
        if braking or away.max() < _LEAST_WALK:
            doing[first:last] = _RUN if braking else _STAND
            belief[first:last] = 0.5
    return doing, belief


def _busy(signs: Signs, doing: Ints) -> Array:
    """Belief ``(F,)`` that a body is busy with something else than it is ``doing (F,)``."""
    deeds = _any_of(doing, "jump", "punch", "kick")
    free = filters.highest(deeds.astype(np.float64), signs.frames(_AROUND)) == 0.0
    return np.where(doing == _WALK, busyness.strays(signs, free), busyness.fidgets(signs, free))


def _any_of(doing: Ints, *labels: str) -> Bools:
    """Whether each frame is ``doing (F,)`` any of these."""
    these = np.zeros(len(DOINGS), bool)
    these[[DOINGS.index(label) for label in labels]] = True
    return np.asarray(these[doing])


def _confidence(belief: Array) -> float:
    """How sure a stretch is. A half is the least: what was less likely would bear another label."""
    return round(float(np.clip(belief.mean(), 0.5, 1.0)), 2)
