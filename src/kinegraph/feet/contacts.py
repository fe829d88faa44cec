"""Contacts: when heel and ball of each foot stand on the floor, judged by how high and how fast they are.

A Schmitt trigger with two sets of limits, so that a foot near one of them does not flicker: a contact begins when the joint
is low *and* slow, and ends when it is high *or* fast. Lengths are fractions of the leg, so a child and a giant are judged
alike. All limits widen with the pace of the body: a sprinter's foot that pushes off rolls over its toes at speeds at which a
stroller's foot already swings.

Captured floors are not flat. So heights are measured from where the same joint rested shortly before or after, as long as
that is near its lowest rest in the whole clip.

In some captures feet that stand creep and float, by centimetres in a step. Their limits widen until somebody who does not fall
stands (`support`): a walker always does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import MotionError, RoleError
from kinegraph.feet.support import unsupported
from kinegraph.motion import filters
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton


@dataclass(frozen=True)
class _Limits:
    """The limits for a body that stays in place: heights above the joint's rest in leg lengths, speeds in leg lengths per second.

    A contact begins below ``low`` and ``slow``, unless the joint rises faster than half of ``rising``. It ends above ``high``, ``fast``
    or ``rising``.
    """

    low: float
    high: float
    slow: float
    fast: float
    rising: float

    def widened(self, noise: float) -> _Limits:
        """The limits for a capture in which feet that stand are so many times as restless as usual."""
        # a foot that swings is no faster for the noise: what ends a contact must stay far below that
        return _Limits(
            low=self.low * noise,
            high=self.high * noise,
            slow=self.slow * noise,
            fast=self.fast * math.sqrt(noise),
            rising=self.rising * noise,
        )


# Fitted to the built-in clips, whose contacts are known, and to captured walks (never without support) and runs (which fly).
# The ankle moves while the heel stands: after touchdown it turns about the heel, quickly and downwards. A heel that lifts makes
# it rise, slowly at first.
_HEEL = _Limits(low=0.016, high=0.030, slow=0.45, fast=0.80, rising=0.05)
_BALL = _Limits(low=0.010, high=0.027, slow=0.15, fast=0.45, rising=0.30)
# By how much of themselves the limits widen for each leg length per second that the body travels.
_PACE = 0.4

# Seconds over which velocities are measured: of a joint, of its rising (slower, and noisier for its size), and of the body's travel.
_SPAN, _RISE_SPAN, _PACE_SPAN = 0.05, 0.1, 0.5
# Seconds before and after within which a foot's own rest is looked for: as long as a swing, lest one step be judged by the next.
_NEAR = 0.4
# Of a joint's frames, how many at least are slow enough to tell where it rests: a runner's foot stands for a quarter of the time.
_SLOWEST = 0.2
# Of these, how many may lie below what is called a joint's lowest: noise, not floor.
_LOWEST = 0.05
# How far, in leg lengths, floors may lie from that lowest: 2.5 cm. A foot that rests higher is not on the floor.
_UNEVEN = 0.03
# How far, in leg lengths, one foot's lowest may lie over the other's: 5 cm. A clip on one leg never puts the other foot down.
_APART = 0.06
# Seconds below which a contact, or a gap in one, is noise.
_FLICKER = 0.05
# By how much all limits are widened, in turn, until the body is carried; the share of frames in which it need not be.
_NOISE, _UNCARRIED = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0), 0.02
# What must be left at most of the frames in which it is not, for widening to have helped.
_HELPS = 0.35


def contacts(motion: Motion) -> Bools:
    """Whether left heel, left ball, right heel and right ball stand on the floor: ``(F, 4)``.

    Heights and speeds are those of the ankle (for the heel) and the toe joint (for the ball). If a foot has no toes, the ankle stands
    for both; a skeleton without legs is a `RoleError`. The times do not depend on the frame rate, apart from a frame or two.
    """
    which, limits = joints(motion.skeleton), _limits(motion.skeleton)
    leg, fps = motion.skeleton.leg_length, motion.fps
    points = motion.positions[:, which] / leg
    hips = 0.5 * (motion.position("left_hip") + motion.position("right_hip"))[:, [0, 2]] / leg
    ease = 1.0 + _PACE * np.linalg.norm(velocity(hips, fps, _PACE_SPAN), axis=-1, keepdims=True)
    speed = np.linalg.norm(velocity(points, fps, _SPAN), axis=-1) / ease
    height = _over_rest(points[..., 1], speed, np.array([limit.slow for limit in limits]), fps) / ease
    rise = velocity(points[..., 1], fps, _RISE_SPAN) / ease

    def found(noise: float) -> Bools:
        return _down(height, speed, rise, [limit.widened(noise) for limit in limits], fps)

    # feet without toes stand on what no joint tells of: that they seem to float is no noise
    return _carried(motion, found) if _BALL in limits else found(1.0)


def _down(height: Array, speed: Array, rise: Array, limits: Sequence[_Limits], fps: float) -> Bools:
    """Contacts ``(F, 4)`` by heights, speeds and how fast these rise, ``(F, 4)`` each, of a body that stays in place."""
    low, high, slow, fast, rising = np.array([(x.low, x.high, x.slow, x.fast, x.rising) for x in limits]).T
    enter = (height < low) & (speed < slow) & (rise < 0.5 * rising)
    leave = (height > high) | (speed > fast) | (rise > rising)
    down = np.empty(speed.shape, np.bool_)
    for column in range(len(limits)):
        down[:, column] = steady(schmitt(enter[:, column], leave[:, column]), _FLICKER * fps)
    return down


def _carried(motion: Motion, found: Callable[[float], Bools]) -> Bools:
    """Contacts ``(F, 4)`` as they are ``found`` with limits that are wide enough for the noise of the capture.

    They are, where somebody who does not fall stands. If no width comes near that, feet are not what bears this body (it sits, it
    climbs), and nothing is widened.
    """
    tried: list[tuple[float, Bools]] = []
    for noise in _NOISE:
        down = found(noise)
        tried.append((float(unsupported(motion, down).mean()), down))
        if tried[-1][0] <= _UNCARRIED:
            return down
    least = min(share for share, _ in tried)
    if least > _HELPS * tried[0][0]:
        return tried[0][1]
    return next(down for share, down in tried if share <= least + _UNCARRIED)


def schmitt(enter: Bools, leave: Bools) -> Bools:
    """A state ``(F,)`` that becomes True at ``enter (F,)`` and False at ``leave (F,)``, and lasts in between; never both at once.

    Before the first change it is the opposite of what that change makes it. If it never changes, it is True throughout.

    >>> enter, leave = np.array([[0, 1, 0, 0, 0, 1], [0, 0, 0, 1, 0, 0]], bool)
    >>> schmitt(enter, leave).astype(int).tolist()
    [0, 1, 1, 0, 0, 1]
    """
    event = enter | leave
    if not event.any():
        return np.ones(len(event), np.bool_)
    last = np.maximum.accumulate(np.where(event, np.arange(len(event)), -1))
    state: Bools = np.where(last >= 0, enter[last], leave[np.argmax(event)])
    return state


def steady(held: Bools, shortest: float, gap: float | None = None) -> Bools:
    """``held (F,)`` without short gaps and then without short stretches; those that are cut off by the clip's ends stay.

    Gaps shorter than ``gap`` frames are closed (by default those shorter than ``shortest``); then stretches shorter than ``shortest``
    frames are dropped.

    >>> steady(np.array([1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1], bool), 2).astype(int).tolist()
    [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1]
    """
    for kind, least in ((False, shortest if gap is None else gap), (True, shortest)):
        changes = np.flatnonzero(held[1:] != held[:-1])
        if len(changes) < 2:
            continue  # all stretches are cut off by the ends
        edges = np.concatenate([[0], changes + 1, [len(held)]])
        lengths = edges[1:] - edges[:-1]
        # a millionth of a frame: 0.05 s at 60 Hz is three frames, whatever the last digit says
        flip = (lengths < least - 1e-6) & (held[edges[:-1]] == kind)
        flip[[0, -1]] = False
        held = held ^ np.repeat(flip, lengths)
    return held


def velocity(points: Array, fps: float, span: float) -> Array:
    """Velocity of ``points (F, …)`` per second, from how far each moves in the ``span`` seconds around a frame.

    At the clip's ends the span is cut off. Points are interpolated between frames, so that the result is the same at every rate at which
    ``span`` contains two frames; at lower rates it is the central difference.
    """
    if len(points) < 2:
        return np.zeros_like(points)
    now = np.arange(len(points))
    reach = 0.5 * span * fps
    before, after = np.maximum(now - reach, 0.0), np.minimum(now + reach, len(points) - 1.0)
    each = (-1, *(1,) * (points.ndim - 1))

    def at(moment: Array) -> Array:
        below = np.minimum(moment.astype(np.intp), len(points) - 2)
        part = (moment - below).reshape(each)
        between: Array = points[below] * (1.0 - part) + points[below + 1] * part
        return between

    moved: Array = (at(after) - at(before)) * fps / (after - before).reshape(each)
    return moved


def joints(skeleton: Skeleton) -> list[int]:
    """The joints by which left heel, left ball, right heel and right ball are judged: ankles and toes; ankles again without toes."""
    needed = [f"{side}_{part}" for side in SIDES for part in ("hip", "ankle")]
    missing = [role for role in needed if not skeleton.has_roles(role)]
    if missing:
        raise RoleError(
            f"contacts need legs, and no joint of this skeleton is known to be the {', '.join(missing)}; "
            f"name them with roles={{{missing[0]!r}: 'its joint'}}"
        )
    parts = [f"{side}_{part}" for side in SIDES for part in ("ankle", "toe" if _toes(skeleton, side) else "ankle")]
    return [skeleton.joint(part) for part in parts]


def _limits(skeleton: Skeleton) -> list[_Limits]:
    """By which limits each of them is judged."""
    return [limit for side in SIDES for limit in (_HEEL, _BALL if _toes(skeleton, side) else _HEEL)]


def _toes(skeleton: Skeleton, side: str) -> bool:
    return skeleton.has_roles(f"{side}_toe")


def _over_rest(height: Array, speed: Array, slow: Array, fps: float) -> Array:
    """Heights ``(F, 4)`` of the joints over where each rests, in leg lengths as they are given; slow: what speed rests, ``(4,)``."""
    # toes that hang down while they swing may be lower than when they stand
    resting = speed <= np.maximum(slow, np.quantile(speed, _SLOWEST, axis=0))
    lowest = np.array([np.quantile(column[calm], _LOWEST) for column, calm in zip(height.T, resting.T, strict=True)])
    lowest = np.minimum(lowest, lowest[[2, 3, 0, 1]] + _APART)
    near = filters.lowest(np.where(resting, height, np.inf), round(_NEAR * fps))
    over: Array = height - np.clip(near, lowest - _UNEVEN, lowest + _UNEVEN)
    return over


def known_contacts(motion: Motion) -> Bools | None:
    """Contacts of heels and balls ``(F, 4)``; None where the body's legs are not known."""
    try:
        return contacts(_legs(motion))
    except MotionError:
        return None


def _legs(motion: Motion) -> Motion:
    """The motion of the legs alone, and of what they hang on: to know where feet are, arms and head need not be posed."""
    skeleton = motion.skeleton
    roles = {f"{side}_{part}" for side in SIDES for part in ("hip", "knee", "ankle", "toe")}
    known = {role: joint for role, joint in skeleton.roles.items() if role in roles}
    kept = set[int]()
    for joint in known.values():
        while joint >= 0 and joint not in kept:
            kept.add(joint)
            joint = int(skeleton.parents[joint])
    chosen = sorted(kept | {0})
    number = {joint: place for place, joint in enumerate(chosen)}
    part = Skeleton(
        names=tuple(skeleton.names[joint] for joint in chosen),
        parents=np.array([number.get(int(skeleton.parents[joint]), -1) for joint in chosen]),
        offsets=skeleton.offsets[chosen],
        overrides={role: number[joint] for role, joint in known.items()},
    )
    shifts = None if motion.translations is None else motion.translations[:, chosen]
    return Motion(part, motion.root, motion.rotations[:, chosen], motion.fps, shifts)
