"""`Space`: strikes at any target, from a few that were captured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, Bools
from kinegraph.errors import FewStrikesError, SpaceError
from kinegraph.motion import kinematics
from kinegraph.motion.clip import Motion
from kinegraph.strikes.blend import Poses, poses, timed
from kinegraph.strikes.choice import BlendOrNearest, choice, nearest_to
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.finish import Finish, finish, foreseen, stance
from kinegraph.strikes.kinds import KINDS
from kinegraph.strikes.partial import partial
from kinegraph.strikes.region import Region, Samples, region, samples
from kinegraph.strikes.solve import BEYOND, METHODS, Bounds, HitPose, Method, Solved, check_bounds, solve
from kinegraph.strikes.strike import Unused, limb_name
from kinegraph.strikes.trust import CLOSE, Trust, fitted

FEWEST = 3
"""Strikes that a space takes at least."""
# Metres: what is further away is a slip of the pen, not a target.
_FAR = 100.0
# Of all weights: a blend that takes away more from strikes that go the other way leans and twists beyond belief.
_MOST_BORROWED = 0.5
_HALVINGS = 6
# Metres from a sample; of the box's size, beyond it; metres before and behind the nearest samples.
_NEAR_SAMPLE = 0.05
_BEYOND_BOX = 0.2
_SHEET_DEPTH = 0.1
_SHEET_NEIGHBOURS = 12


@dataclass(frozen=True, eq=False)
class Reach:
    """A strike at a target."""

    motion: Motion
    """In the space's frame, from the ready pose to the return."""
    target: Array
    """``(2,)`` or ``(3,)``, as it was asked for."""
    hit: Array
    """``(3,)``: where the striking joint is at ``hit_frame``."""
    hit_frame: int
    miss: float
    """The distance between the two in metres, in the coordinates that were asked for."""
    weights: Array
    """``(N,)``: of the examples (for partial blending, those of the blend at the target's height)."""
    inside: bool
    """Whether the target is in the region of the examples."""
    reliability: float
    """1 is as certain as at the examples' own targets; it falls towards 0 far from them, where the body must be bent, and with the miss."""
    way: Method
    """How it was made: "blend", "nearest" or "partial"."""
    contacts: Bools
    """``(F, 4)``."""
    finish: Finish | None = None
    """What was done to finish it, if anything."""

    @property
    def reached(self) -> bool:
        """Whether the strike hits its target, to half a centimetre."""
        return self.miss <= CLOSE


@dataclass(frozen=True, eq=False)
class Space:
    """The punches or kicks of one performer, and everything that can be blended from them."""

    name: str
    """For people and files."""
    examples: Examples
    notices: tuple[str, ...] = ()
    """What the user should know about how it was built; not kept in its file."""
    unused: tuple[Unused, ...] = ()
    """The strikes of its takes that are not in it, and why; not kept in its file."""

    def __post_init__(self) -> None:
        if len(self.examples) < FEWEST:
            raise FewStrikesError(too_few(len(self.examples)))
        _ = self.region  # refuses hits on one line

    def __repr__(self) -> str:
        return f"Space({self.name!r}, {len(self.examples)} strikes of the {limb_name(self.examples.kind, self.examples.side)})"

    @cached_property
    def region(self) -> Region:
        """The convex region of the examples, and the box around it."""
        return region(self.examples.hits)

    @cached_property
    def pose(self) -> HitPose:
        """The hit as a function of the weights."""
        return HitPose(self.examples)

    @cached_property
    def samples(self) -> Samples:
        """About a thousand blends and where they hit."""
        return samples(self.pose, self.examples.hits)

    @cached_property
    def plane(self) -> Trust:
        """From targets across and up to weights, and how far these can be trusted."""
        return fitted(self.examples, 2)

    @cached_property
    def sheet(self) -> Trust:
        """From targets in three dimensions to weights, and how far these can be trusted."""
        return fitted(self.examples, 3)

    @cached_property
    def choice(self) -> BlendOrNearest:
        """Whether strikes are blended, or the nearest one is bent onto the target: what comes nearer to examples left out."""
        return choice(self.examples)

    def prepare(self) -> Space:
        """The space itself, after computing everything that its first request would have to wait for."""
        _ = self.plane, self.sheet, self.samples, self.examples.turns, stance(self.examples), self.choice
        return self

    def trust(self, dims: int) -> Trust:
        """`plane` for two coordinates, `sheet` for three."""
        return self.plane if dims == 2 else self.sheet

    def solve(self, target: ArrayLike, bounds: Bounds = BEYOND) -> Solved:
        """Weights within ``bounds`` whose blend hits ``target``, ``(2,)`` across and height or ``(3,)``, or comes as near as
        possible.
        """
        asked = checked_target(target)
        check_bounds(bounds)
        goal = self.within_reach(asked)
        found = self._solve(goal, bounds)
        found = replace(found, miss=float(np.linalg.norm(found.hit[: len(asked)] - asked)))
        return found if found.miss < CLOSE else self._nearer(found, asked, bounds)

    def within_reach(self, target: Array) -> Array:
        """The target ``(2,)`` or ``(3,)`` itself, or the nearest one that a sound blend could hit.

        If every weight may leave the range 0 to 1 a little, all of them together could reach absurd poses. So targets are
        limited. Whatever is near a sample is within reach. Elsewhere, a target across and up may be outside the box by a
        fifth of its size, as far as weights of -0.2 to 1.2 of two examples reach; and ahead it must be within a hand's
        breadth of the sheet that samples reach there.
        """
        near = self.samples.hits[self.samples.nearest(target)[0], : len(target)]
        if np.linalg.norm(near - target) < _NEAR_SAMPLE:
            return target
        low, high = self.region.low, self.region.high
        room = _BEYOND_BOX * (high - low)
        flat = np.clip(target[:2], low - room, high + room)
        if len(target) == 2:
            return flat
        ahead = self.samples.hits[self.samples.nearest(flat, _SHEET_NEIGHBOURS), 2]
        return np.append(flat, np.clip(target[2], ahead.min() - _SHEET_DEPTH, ahead.max() + _SHEET_DEPTH))

    def _nearer(self, found: Solved, asked: Array, bounds: Bounds) -> Solved:
        """What was found, or a sample within the bounds that comes nearer to what was asked."""
        low, high = bounds
        allowed = np.all((self.samples.weights >= low - 1e-9) & (self.samples.weights <= high + 1e-9), axis=1)
        off = np.linalg.norm(self.samples.hits[:, : len(asked)] - asked, axis=1)
        best = int(np.argmin(np.where(allowed, off, np.inf)))
        if off[best] >= found.miss:
            return found
        return Solved(self.samples.weights[best], self.samples.hits[best], float(off[best]))

    def _solve(self, goal: Array, bounds: Bounds) -> Solved:
        """Weights whose blend hits ``goal`` or comes near it, and that do not borrow too much from strikes the other way."""
        found = self._hitting(goal, bounds)
        if _borrowed(found) <= _MOST_BORROWED:
            return found
        # from the nearest plain blend as far towards the goal as may be borrowed; what is left is for the finish
        plain = self.samples.hits[np.all(self.samples.weights >= 0, axis=1), : len(goal)]
        near = plain[np.argmin(np.linalg.norm(plain - goal, axis=1))]
        low, high = 0.0, 1.0
        found = self._hitting(near, bounds)
        for _ in range(_HALVINGS):
            share = 0.5 * (low + high)
            tried = self._hitting(near + share * (goal - near), bounds)
            if _borrowed(tried) <= _MOST_BORROWED:
                low, found = share, tried
            else:
                high = share
        return found

    def _hitting(self, goal: Array, bounds: Bounds) -> Solved:
        first = solve(self.pose, goal, self.trust(len(goal)).weights(goal), bounds)
        if first.miss < CLOSE and _borrowed(first) <= _MOST_BORROWED:
            return first
        # from what comes nearest of all that was tried beforehand: there the way may be open
        start = self.samples.weights[self.samples.nearest(goal)[0]]
        second = solve(self.pose, goal, start, bounds)
        if first.miss < CLOSE and second.miss < CLOSE:
            return min(first, second, key=_borrowed)
        return second if second.miss < first.miss - 1e-4 else first

    def reach(
        self,
        target: ArrayLike,
        *,
        method: Method = "auto",
        bounds: Bounds = BEYOND,
        finished: bool = True,
        fps: float | None = None,
    ) -> Reach:
        """The strike that hits ``target``, or comes as near as it can; `Reach.miss` says by how much it misses.

        - target: ``(2,)`` across and height, or ``(3,)`` with the distance ahead, in metres in the space's frame
        - method: "blend" weighs whole strikes; "nearest" takes the one that hits nearest, for the finish to bend onto the target;
          "partial" puts strikes at targets outside the region together from parts of the body (only for targets across and up);
          "auto" is what `choice` says, or a blend if nothing is finished
        - bounds: of the weights
        - finished: hold feet where they stand, and correct what is still missed by inverse kinematics
        """
        goal = checked_target(target)
        trust = self.trust(len(goal))
        inside = bool(self.region.inside(goal[:2]))
        way = self._way(method, inside, finished)
        made, weights = self._made(goal, way, bounds)
        name = f"{self.name} at {', '.join(f'{value:.2f}' for value in goal)}"
        strike = timed(self.examples, made, weights, fps, name)
        motion, contacts, done = strike.motion, strike.contacts, None
        if finished:
            done = finish(self.examples, strike, goal)
            motion, contacts = done.motion, done.contacts
        # the hit alone: where all other joints are is worked out when somebody asks
        at_hit = kinematics.from_root(self.examples.skeleton, self.examples.end, motion.rotations[strike.hit])
        hit = motion.root[strike.hit] + at_hit
        miss = float(np.linalg.norm(hit[: len(goal)] - goal))
        return Reach(
            motion=motion,
            target=goal,
            hit=hit,
            hit_frame=strike.hit,
            miss=miss,
            weights=weights,
            inside=inside,
            reliability=trust.reliability(goal, miss, 0.0 if done is None else done.bent),
            way=way,
            contacts=contacts,
            finish=done,
        )

    def foreseen(self, target: ArrayLike) -> float:
        """The reliability of a target across and up, as `reach` would find it, but from the pose of the hit alone: quicker, and close."""
        goal = checked_target(target)
        if self.choice.way == "blend" and self.region.inside(goal[:2]):
            return self.trust(len(goal)).reliability(goal)
        made, _ = self._made(goal, self.choice.way, BEYOND)
        return self.trust(len(goal)).reliability(goal, *foreseen(self.examples, made, goal))

    def _way(self, method: Method, inside: bool, finished: bool) -> Method:
        if method not in METHODS:
            raise SpaceError(f"unknown method {method!r}: expected {' or '.join(METHODS)}")
        if method == "auto":
            return self.choice.way if finished else "blend"
        return "blend" if method == "partial" and inside else method

    def _made(self, goal: Array, way: Method, bounds: Bounds) -> tuple[Poses, Array]:
        if way == "nearest":
            check_bounds(bounds)
            weights = np.eye(len(self.examples))[nearest_to(self.examples, goal)]
            return poses(self.examples, weights), weights
        if way == "blend":
            weights = self.solve(goal, bounds).weights
            return poses(self.examples, weights), weights
        if len(goal) != 2:
            raise SpaceError("partial blending takes a target across and up, without a distance: give two numbers")
        parts = partial(self.examples, self.region, goal, lambda at: self.solve(at, bounds).weights)
        # timing and contacts are those of the blend whose body it is
        return parts.poses, parts.direction if KINDS[self.examples.kind].lifts else parts.height


def too_few(count: int) -> str:
    """What to say of so many strikes, if they are fewer than a space takes."""
    some = f"{count} strike is" if count == 1 else f"{count} strikes are"
    return f"{some} no space: it takes at least {FEWEST}, at targets that do not lie on one line"


def _borrowed(found: Solved) -> float:
    """What the weights take away from strikes that go the other way, in all."""
    return float(-np.minimum(found.weights, 0.0).sum())


def checked_target(target: ArrayLike) -> Array:
    """The target as an array ``(2,)`` or ``(3,)`` of finite numbers, otherwise a `SpaceError`."""
    try:
        goal = np.array(target, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise SpaceError(f"a target is two or three numbers, got {target!r}") from None
    if goal.shape not in ((2,), (3,)):
        raise SpaceError(
            f"a target is two numbers (metres to the left, metres up) or three (and metres ahead), got {np.size(goal)}"
        )
    if not np.isfinite(goal).all():
        raise SpaceError(f"a target must be finite numbers of metres, got {', '.join(f'{value:g}' for value in goal)}")
    if np.abs(goal).max() > _FAR:
        raise SpaceError(
            f"a target is given in metres from the ready pose; {np.abs(goal).max():g} m is further than anybody strikes"
        )
    return goal
