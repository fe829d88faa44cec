"""The finish of a strike: feet that stand still, a body in balance over them, and a hit that is on target.

Feet come first, since holding them may lower the body; then balance; then inverse kinematics corrects what the hit misses.
Whenever the pelvis is moved, the feet stay where they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet import legs, targets
from kinegraph.feet.plants import Plant, as_contacts, footing
from kinegraph.feet.sole import Sole, soles
from kinegraph.motion import kinematics, limb, rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.strikes.balance import overhang, support
from kinegraph.strikes.blend import Poses, Timed
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.inverse import PoseChange, applied, bump, change
from kinegraph.strikes.kinds import KINDS

MARGIN = 0.02
"""Metres by which a strike may lean further off its feet than any of its examples does."""
# Metres: nothing is turned for less.
_HIT = 2e-4
# Metres: for less, limb and spine are enough.
_SLIGHT = 0.008
# Metres from the blend's own hit beyond which inverse kinematics is not asked to go: hardly a trunk and limb bend further,
# and how near they come is found by halving this.
_FURTHEST = 0.4
# As straight as a leg that has to stand may be drawn, in leg lengths.
_STRAIGHT = 0.9995


@dataclass(frozen=True, eq=False)
class Finish:
    """A finished strike."""

    motion: Motion
    contacts: Bools
    """``(F, 4)``: what is held still."""
    plants: tuple[Plant, ...]
    soles: tuple[Sole, Sole]
    """The performer's."""
    turned: float
    """The most that inverse kinematics turned any joint, in radians."""
    bent: float
    """What it turned of the whole body, in radians: root mean square over all joints and frames."""
    lowered: float
    """The most that the body was lowered, in metres."""
    hit: int
    """The frame of the hit."""
    bearing: Bools
    """``(4,)``: which of left heel, left ball, right heel and right ball bear the body then."""
    usual: float
    """The largest `overhang` of the examples."""

    @cached_property
    def overhang(self) -> float:
        """How far the centre of mass at the hit is off the feet (for a kick, off the standing foot), in metres along the floor."""
        return float(np.linalg.norm(_overhang(self.motion, self.hit, self.bearing, self.soles)))

    @property
    def balanced(self) -> bool:
        """Whether the body leans no further off its feet than the examples do, with a margin of 2 cm."""
        return self.overhang <= self.usual + MARGIN


@dataclass(frozen=True, eq=False)
class Footwork:
    """What is known about the performer before any request."""

    soles: tuple[Sole, Sole]
    bearing: Bools
    """``(4,)``: which points of the feet bear the body at the hit."""
    overhang: float
    """The furthest that an example leans off them, in metres."""
    knees: float
    """The fastest knee of any example, in rad/s."""


@lru_cache(maxsize=8)
def stance(examples: Examples) -> Footwork:
    """What the examples say about the performer's feet."""
    rotations = examples.rotations.reshape(-1, *examples.rotations.shape[2:])
    every = Motion(examples.skeleton, examples.root.reshape(-1, 3), rotations, examples.fps)
    feet = soles(every, examples.contacts.reshape(-1, 4))
    at_hit = kinematics.forward(examples.skeleton, examples.root[:, examples.hit], examples.rotations[:, examples.hit])
    bearing = support(examples.kind, examples.side)
    off = overhang(examples.skeleton, at_hit, bearing, feet)
    knees = [examples.skeleton.joint(f"{side}_knee") for side in SIDES]
    turned = rotation.angle_between(examples.rotations[:, 1:, knees], examples.rotations[:, :-1, knees])
    fastest = float((turned / np.diff(examples.times)[..., None]).max())
    return Footwork(feet, bearing, float(rotation.length(off).max()), fastest)


def finish(examples: Examples, strike: Timed, goal: Array) -> Finish:
    """The strike with feet that stand still, brought onto ``goal``, ``(2,)`` or ``(3,)``."""
    known = stance(examples)
    found = footing(strike.motion, strike.contacts, known.soles)
    work = _Work(examples, known, found.plants, strike.hit)
    planted, lowered = work.planted(strike.motion)
    lean = _overhang(strike.motion, strike.hit, known.bearing, known.soles)
    motion, made = work.hitting(work.balanced(planted, lean), goal)
    return Finish(
        motion=motion,
        contacts=as_contacts(found.plants, len(motion)),
        plants=found.plants,
        soles=known.soles,
        turned=made.largest,
        bent=made.bent(work.share(len(motion)), len(motion.skeleton)),
        lowered=lowered,
        hit=strike.hit,
        bearing=known.bearing,
        usual=known.overhang,
    )


def bring(examples: Examples, motion: Motion, hit: int, goal: Array) -> Motion:
    """A strike on the examples' skeleton that hits at frame ``hit``, brought onto ``goal`` by inverse kinematics alone; its
    ankles stay in place.
    """
    return _Work(examples, stance(examples), (), hit).hitting(motion, goal)[0]


def foreseen(examples: Examples, made: Poses, goal: Array) -> tuple[float, float]:
    """What a strike will miss once it is finished, in metres, and how far its body will be bent, see `Finish.bent`: from its first
    pose, its hit and its last pose alone.
    """
    three = [0, examples.hit, -1]
    motion = Motion(examples.skeleton, made.root[three], made.rotations[three], examples.fps)
    done, change_made = _Work(examples, stance(examples), (), 1).hitting(motion, goal)
    hit = done.root[1] + kinematics.from_root(examples.skeleton, examples.end, done.rotations[1])
    share = bump(examples.moments, 0, examples.hit, examples.moments - 1)
    return float(np.linalg.norm(hit[: len(goal)] - goal)), change_made.bent(share, len(examples.skeleton))


@dataclass(frozen=True, eq=False)
class _Work:
    """One strike in the making: what it is made from, and what must stay as it is."""

    examples: Examples
    stance: Footwork
    plants: tuple[Plant, ...]
    hit: int

    def planted(self, motion: Motion) -> tuple[Motion, float]:
        """The motion with its plants held still by the legs, and how far the body was lowered to do so."""
        goals = targets.feet(motion, self.stance.soles, self.plants)
        reached = legs.reach(motion, goals, 0.0, self.stance.knees)
        return replace(motion, root=reached.root, rotations=reached.rotations), float(reached.lowered.max())

    def balanced(self, motion: Motion, off: Array) -> Motion:
        """The motion brought back over its feet if it leans further than any example, as far as its legs allow.

        At the hit, its centre of mass is ``off (2,)`` its feet.
        """
        lean = float(np.linalg.norm(off))
        most = self.stance.overhang + MARGIN
        if lean <= most:
            return motion
        x, z = -off * (1.0 - most / lean)
        root = motion.root + self.share(len(motion))[:, None] * np.array([x, 0.0, z])
        held = self._held(motion, root, motion.rotations)
        return motion if held is None else replace(motion, root=root, rotations=held)

    def hitting(self, motion: Motion, goal: Array) -> tuple[Motion, PoseChange]:
        """The motion with its hit on ``goal``, and what was changed in the pose of the hit; the feet stay where they are."""
        examples, hit, dims = self.examples, self.hit, len(goal)
        root, rotations = motion.root, motion.rotations
        gap = goal - (root[hit] + kinematics.from_root(examples.skeleton, examples.end, rotations[hit]))[:dims]
        miss = float(np.linalg.norm(gap))
        if miss < _HIT:
            return motion, PoseChange((), np.zeros(3), np.zeros((0, 3)), miss)
        if miss > _FURTHEST:
            goal = goal - gap * (1.0 - _FURTHEST / miss)
        share = self.share(len(motion))
        # the pelvis moves along as far as the legs that stand can follow, but not for millimetres
        for pelvis in (1.0, 0.3, 0.0) if miss > _SLIGHT else (0.0,):
            made = change(examples, root[hit], rotations[hit], goal, pelvis=pelvis)
            moved = applied(root, rotations, made, share)
            held = self._held(motion, *moved)
            if held is not None:
                break
        return replace(motion, root=moved[0], rotations=moved[1] if held is None else held), made

    def share(self, frames: int) -> Array:
        """How much of a change there is at each frame ``(F,)``: during all of a punch, of a kick only while the
        striking foot is off the floor.
        """
        first, last = 0, frames - 1
        if KINDS[self.examples.kind].lifts:
            for plant in self.plants:
                if plant.side == self.examples.side and plant.last <= self.hit:
                    first = max(first, plant.last - 1)
                elif plant.side == self.examples.side and plant.first > self.hit:
                    last = min(last, plant.first)
        return bump(frames, first, self.hit, last)

    def _held(self, motion: Motion, root: Array, rotations: Array) -> Array | None:
        """Rotations ``(F, J, 4)`` with the feet that do not strike where they are in ``motion``; None where a leg is
        too short for that.
        """
        if np.array_equal(root, motion.root) and np.array_equal(rotations[:, 0], motion.rotations[:, 0]):
            return rotations
        skeleton = self.examples.skeleton
        world = kinematics.forward(skeleton, root, rotations)
        for sole in self.stance.soles:
            if KINDS[self.examples.kind].lifts and sole.side == self.examples.side:
                continue
            hip, knee, ankle = (world[0][:, joint] for joint in (sole.hip, sole.knee, sole.ankle))
            goal = motion.positions[:, sole.ankle]
            length = rotation.length(knee - hip) + rotation.length(ankle - knee)
            had = rotation.length(goal - motion.positions[:, sole.hip])
            if np.any(rotation.length(goal - hip) > np.maximum(_STRAIGHT * length, had + 1e-9)):
                return None
            rotations = limb.reach(
                skeleton,
                root,
                rotations,
                (sole.hip, sole.knee, sole.ankle),
                goal,
                motion.orientations[:, sole.ankle],
                legs.hinges(motion, (sole,))[:, 0],
                world,
            )
        return rotations


def _overhang(motion: Motion, hit: int, bearing: Bools, feet: tuple[Sole, Sole]) -> Array:
    """How far the centre of mass is off the feet at the hit, ``(2,)``."""
    at_hit = motion.positions[hit : hit + 1], motion.orientations[hit : hit + 1]
    off: Array = overhang(motion.skeleton, at_hit, bearing, feet)[0]
    return off
