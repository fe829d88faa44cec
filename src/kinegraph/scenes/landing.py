"""Strikes in the finished motion of a scene: feet that step into them and out of them, hits brought onto their targets, and by how much
they miss.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.blending.performance import Performance
from kinegraph.feet.sole import has_legs
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.scenes.plan import ScenePlan
from kinegraph.scenes.striking import PlannedStrike
from kinegraph.strikes.finish import bring
from kinegraph.strikes.joining.feet import with_steps
from kinegraph.strikes.kinds import KINDS
from kinegraph.walks.performing import Finished

# metres within which a target is hit
_HIT = 0.01
# metres to which a hit is brought onto its target, and times that it is tried: legs that are a little longer lead astray
_ON, _ROUNDS = 2e-4, 4
# what a captured strike must weigh to be told
_SLIGHT = 1e-3


@dataclass(frozen=True)
class StrikeMiss:
    """Where a strike of a scene hits."""

    time: float
    """Seconds at which it was asked for, and at whose frame it is judged."""
    by: str
    target: tuple[float, float, float]
    hit: tuple[float, float, float]
    miss: float
    """Metres."""
    frame: int
    struck: bool
    """Whether the strike is shown then at all."""
    brought: float
    """Metres by which the hit was still off before it was brought onto its target."""
    examples: tuple[tuple[str, int, float], ...]
    """Of which captured strikes it is made: clip, frame of the hit, and weight."""

    @property
    def met(self) -> bool:
        """Whether the target is hit."""
        return self.miss <= _HIT

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "time": round(self.time, 4), "miss_cm": round(100 * self.miss, 3), "by": self.by, "frame": self.frame,
            "target": [round(value, 5) for value in self.target], "hit": [round(value, 5) for value in self.hit],
            "brought_cm": round(100 * self.brought, 3), "struck": self.struck,
            "examples": [[clip, frame, round(weight, 4)] for clip, frame, weight in self.examples],
        }  # fmt: skip


def end_at(motion: Motion, strike: PlannedStrike) -> Array:
    """Where the hand or foot ``(3,)`` is at the moment of a hit."""
    place: Array = motion.positions[strike.moment, strike.clip.end]
    return place


def hits_shown(plan: ScenePlan, strikes: Longs, played: Performance) -> tuple[Longs, Array]:
    """The frame of what is played that shows the hit of each of some strikes ``(K,)`` by their number, −1 for none; −1 where there is
    none. And how far from the root along the floor it hits ``(K, 2)``.
    """
    shown, beside = np.full(len(strikes), -1), np.zeros((len(strikes), 2))
    for number, one in enumerate(strikes.tolist()):
        if one >= 0:
            strike = plan.strikes[one]
            own = played.walk.graph.clip_index[strike.clip.clip.name]
            found = np.flatnonzero((played.clip == own) & (played.frame == strike.clip.hit) & (played.other_clip < 0))
            if len(found):
                shown[number] = found[0]
                motion = played.unbent
                off = motion.positions[found[0], strike.clip.end] - motion.root[found[0]]
                beside[number] = off[[0, 2]]
    return shown, beside


def striking(played: Performance, plan: ScenePlan) -> Bools:
    """``(F,)``: which frames are of strikes, or blend into them or out of them."""
    index = played.walk.graph.clip_index
    own = [index[one.clip.clip.name] for one in plan.strikes]
    return np.asarray(np.isin(played.clip, own) | np.isin(played.other_clip, own))


def stepping(played: Performance, plan: ScenePlan) -> Performance:
    """What is played, with feet that step one after the other where somebody gets into a strike or out of it."""
    if not has_legs(played.walk.graph.skeleton):
        return played
    done, contacts = with_steps(played, [one.clip.clip.name for one in plan.strikes])
    return replace(played, motion=done, unbent=done, contacts=contacts)


def land(done: Finished, plan: ScenePlan) -> tuple[Motion, tuple[StrikeMiss, ...]]:
    """The finished motion with its hits brought onto their targets, while feet stay where they stand; and what they miss."""
    motion, played = done.motion, done.performance
    found = []
    for strike in plan.strikes:
        own = played.walk.graph.clip_index[strike.clip.clip.name]
        struck = bool(played.clip[strike.moment] == own)
        goal = np.array(strike.asked.target)
        off = float(np.linalg.norm(end_at(motion, strike) - goal))
        if struck:
            motion = _brought(motion, done, strike, goal)
        hit = end_at(motion, strike)
        x, y, z = hit.tolist()
        found.append(
            StrikeMiss(
                strike.asked.time, strike.space.name, strike.asked.target, (x, y, z), float(np.linalg.norm(hit - goal)),
                strike.moment, struck, off, _examples(strike),
            )
        )  # fmt: skip
    return motion, tuple(found)


def _examples(strike: PlannedStrike) -> tuple[tuple[str, int, float], ...]:
    both = zip(strike.space.examples.strikes, strike.reach.weights.tolist(), strict=True)
    return tuple((one.clip, int(one.hit), weight) for one, weight in both if abs(weight) > _SLIGHT)


def _brought(motion: Motion, done: Finished, strike: PlannedStrike, goal: Array) -> Motion:
    """The motion with one hit brought onto its target by limb, trunk and pelvis."""
    here = _during(done, strike)
    examples = strike.space.examples
    if examples.skeleton != motion.skeleton:
        examples = replace(examples, skeleton=motion.skeleton)
    aim, best, least = goal.copy(), motion, np.inf
    whole = motion
    for _ in range(_ROUNDS):
        off = end_at(whole, strike) - goal
        if np.linalg.norm(off) < least:
            best, least = whole, float(np.linalg.norm(off))
        if least < _ON:
            break
        aim = aim - off if whole is not motion else aim
        part = bring(examples, motion[here], strike.moment - here.start, aim)
        root, rotations = motion.root.copy(), motion.rotations.copy()
        root[here], rotations[here] = part.root, part.rotations
        whole = replace(motion, root=root, rotations=rotations)
    return whole if np.linalg.norm(end_at(whole, strike) - goal) < least else best


def _during(done: Finished, strike: PlannedStrike) -> slice:
    """The frames in which a strike may be changed: while it is shown, or, for a foot that strikes, while that is off the floor."""
    played, moment = done.performance, strike.moment
    own = played.walk.graph.clip_index[strike.clip.clip.name]
    able = (played.clip == own) & (played.other_clip < 0)
    if KINDS[strike.space.examples.kind].lifts:
        side = SIDES.index(strike.space.examples.side)
        able &= ~done.contacts[:, 2 * side : 2 * side + 2].any(axis=1)
    first = moment
    while first > 0 and able[first - 1]:
        first -= 1
    last = moment + 1
    while last < len(able) and able[last]:
        last += 1
    return slice(first, last)
