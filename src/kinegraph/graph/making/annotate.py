"""Automatic labels: stand, walk, run, jump and turn, told by how the body travels and when its feet are on the floor.

Every frame bears one gait: ``stand``, ``walk``, ``run`` or ``jump``; what is none of them (sneaking, punching) gets the
nearest. ``turn_left`` and ``turn_right`` lie over them, and so do ``backward`` and ``sideways``, where the body goes
another way than it faces. Speeds are Froude's, v / √(g · leg), in which people of any size
change from walk to run at about √0.5 (Alexander, "Optimization and gaits in the locomotion of vertebrates", 1989). Every
decision has two thresholds and a shortest duration, so that labels do not flicker.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array, Bools, Ints
from kinegraph.feet.contacts import schmitt, steady, velocity
from kinegraph.graph.model import LabelSpan
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans

GAITS = ("stand", "walk", "run", "jump")
TURNS = ("turn_left", "turn_right")
WAYS = ("sideways", "backward")
_STAND, _WALK, _RUN, _JUMP = range(4)

_GRAVITY = 9.81
# Seconds: the shortest stretch that gets a label of its own, and about a stride, over which travel is measured.
_SHORTEST = 0.3
_STRIDE = 0.6
# Froude speeds below which a body stands and above which it walks: 0.23 and 0.32 m/s for a grown-up.
_STANDING, _WALKING = 0.08, 0.11
# Froude speeds below which a runner walks again, and above which a walker runs: 1.7 and 2.0 m/s for a grown-up.
_NO_RUN, _RUNNING = 0.60, 0.707
# Of a stride, how much is spent in the air by a runner; and by one who walks again.
_AIRBORNE, _GROUNDED = 0.15, 0.05
# In leg lengths, how far a walk must get: who kicks, leans or lands shifts the hips by less.
_LEAST_WALK = 0.35
# A body in flight falls: its path bends by g T² / 8 from the line between its ends, where a lost marker bends it by nothing.
# Of that bend, what the hips must show in a stride, whose flight is short and judged too long by a frame or two, and in a jump.
_STRIDE_FALL, _JUMP_FALL = 0.4, 0.75
# Seconds of free fall that make a flight a jump, whatever the feet do: in a run it is 0.2 s at most.
_LEAP = 0.3
# Seconds: shorter flights are never jumps; feet that leave or land within so little of each other do it together.
_HOP, _TOGETHER = 0.1, 0.04
# Seconds around the flight within which the push and the landing are looked for, and the least that is given to each.
_CROUCH, _PUSH = 0.4, 0.1
# Seconds over which heading is measured: near a stride, so that the hips' swing cancels.
_TURN_SPAN = 1.0
# Radians per second below which a turn ends and above which it begins.
_STRAIGHT, _TURNING = 0.12, 0.25
# Radians by which a turn must turn in all; more for one who stands, whose trunk twists in every punch.
_LEAST_TURN, _LEAST_PIVOT = np.deg2rad(20.0), np.deg2rad(60.0)
# Radians between where a body faces and where it goes from which it goes sideways, and from which backwards.
_ASIDE, _BACK = np.deg2rad(50.0), np.deg2rad(130.0)


def annotate(motion: Motion, contacts: Bools) -> tuple[LabelSpan, ...]:
    """Labels of a motion in order of time, by its contacts ``(F, 4)``: left heel, left ball, right heel, right ball.

    The gaits cover every frame exactly once. A skeleton without legs is a `RoleError`.
    """
    fps, leg = motion.fps, motion.skeleton.leg_length
    hips = 0.5 * (motion.position("left_hip") + motion.position("right_hip"))
    travel = velocity(hips[:, [0, 2]], fps, _STRIDE)
    froude = np.linalg.norm(travel, axis=-1) / np.sqrt(_GRAVITY * leg)
    jumping, striding = _flights(hips[:, 1] / leg, contacts, fps, _GRAVITY / leg, froude > _RUNNING)
    # the share of a stride in the air is the rate at which time in the air grows
    air = velocity(np.cumsum(striding) / fps, fps, _STRIDE)
    shortest = _SHORTEST * fps
    moving = _decide(froude > _WALKING, froude < _STANDING, froude > 0.5 * (_WALKING + _STANDING), shortest)
    running = _decide(
        (froude > _RUNNING) | (air > _AIRBORNE),
        (froude < _NO_RUN) & (air < _GROUNDED),
        froude > 0.5 * (_RUNNING + _NO_RUN),
        shortest,
    )
    gait = np.where(jumping, _JUMP, np.where(running, _RUN, np.where(moving, _WALK, _STAND)))
    for kind, first, last in _stretches(gait):
        away = np.linalg.norm((hips[first:last] - hips[first])[:, [0, 2]], axis=-1)
        if kind == _WALK and away.max() < _LEAST_WALK * leg:
            gait[first:last] = _STAND
    found = [LabelSpan(GAITS[kind], first, last) for kind, first, last in _absorb(_stretches(gait), shortest)]
    rate = np.where(running, _veering(travel, fps), velocity(motion.heading(), fps, _TURN_SPAN))
    turning = _turns(rate, gait == _STAND, fps)
    ways = _ways(travel, motion.heading(), (gait == _WALK) | (gait == _RUN), fps)
    return tuple(sorted([*found, *turning, *ways], key=lambda x: (x.first, x.last, x.label)))


def _decide(enter: Bools, leave: Bools, likely: Bools, shortest: float) -> Bools:
    """A state ``(F,)`` without flicker; a clip that begins between the thresholds begins as is ``likely``."""
    enter, leave = enter.copy(), leave.copy()
    if not (enter[0] or leave[0]):
        enter[0], leave[0] = likely[0], not likely[0]
    return steady(schmitt(enter, leave), shortest)


def _turns(rate: Array, standing: Bools, fps: float) -> list[LabelSpan]:
    """Turns by the ``rate (F,)`` at which the body turns to the left, in radians per second."""
    shortest = _SHORTEST * fps
    found: list[LabelSpan] = []
    for label, towards in zip(TURNS, (rate, -rate), strict=True):
        likely = towards > 0.5 * (_TURNING + _STRAIGHT)
        for first, last in spans(_decide(towards > _TURNING, towards < _STRAIGHT, likely, shortest)):
            least = _LEAST_PIVOT if standing[first:last].mean() > 0.5 else _LEAST_TURN
            if last - first >= shortest and towards[first:last].sum() / fps >= least:
                found.append(LabelSpan(label, first, last))
    return found


def _ways(travel: Array, heading: Array, going: Bools, fps: float) -> list[LabelSpan]:
    """Stretches in which a body that is ``going (F,)`` does not go where it faces. travel: ``(F, 2)``, heading: ``(F,)``."""
    way = np.arctan2(travel[:, 0], travel[:, 1])
    # the hips' swing cancels over a stride
    faced = velocity(np.cumsum(np.exp(1j * (heading - way))) / fps, fps, _STRIDE)
    apart = np.abs(np.angle(faced))
    shortest = _SHORTEST * fps
    found: list[LabelSpan] = []
    for label, most in zip(WAYS, ((apart > _ASIDE) & (apart <= _BACK), apart > _BACK), strict=True):
        held = steady(going & most, shortest)
        found += [LabelSpan(label, first, last) for first, last in spans(held & going) if last - first >= shortest]
    return found


def _flights(height: Array, contacts: Bools, fps: float, gravity: float, fast: Bools) -> tuple[Bools, Bools]:
    """Frames ``(F,)`` of jumps, from push to landing, and frames in the air between the strides of a run.

    height: ``(F,)`` of the hips in leg lengths. gravity: leg lengths per second squared. fast: ``(F,)``, whether the body
    travels as fast as a runner. A jump is a long flight, or, of a slower body, one for which both feet leave or land together,
    or that begins and ends on the same foot.
    """
    feet = np.stack([contacts[:, :2].any(axis=1), contacts[:, 2:].any(axis=1)], axis=1)
    jumping, striding = np.zeros((2, len(feet)), np.bool_)
    near = 1 + round(_TOGETHER * fps)
    for first, last in spans(np.logical_not(feet[:, 0] | feet[:, 1])):
        start = max(first - 1, 0)
        path = height[start : last + 1]
        left, landed = feet[max(first - near, 0) : first].any(axis=0), feet[last : last + near].any(axis=0)
        hopped = left.all() or landed.all() or (left.any() and np.array_equal(left, landed))
        hop = hopped and last - first >= _HOP * fps and not fast[first:last].any()
        fall = _fall(path, 0.5 * (len(path) - 1), gravity / fps**2).max(initial=0.0)
        leap = np.flatnonzero(_fall(path, 0.5 * _LEAP * fps, gravity / fps**2) > _JUMP_FALL)
        if hop and fall > _JUMP_FALL:
            jumping[_push(height, first, fps) : _landing(height, last, fps)] = True
        elif len(leap):
            # where a landing was missed, only the part in free fall is the jump
            rise, down = start + int(leap[0]) + 1, start + int(leap[-1] + _LEAP * fps)
            jumping[_push(height, rise, fps) : _landing(height, down, fps)] = True
        elif fall > _STRIDE_FALL and not hopped:
            striding[first:last] = True
    return jumping, striding


def _fall(path: Array, reach: float, gravity: float) -> Array:
    """How freely a body falls that moves through heights ``path (N,)``: 1 in free fall, 0 where it goes straight on.

    One value for each stretch of 2 · ``reach`` frames in the path, in order of their first frames; none if it is shorter. gravity: per
    frame squared.
    """
    firsts = np.arange(0.0, len(path) - 2 * reach - 1 + 1e-6) if reach > 0 else np.zeros(0)
    before, middle, after = (np.interp(firsts + shift, np.arange(len(path)), path) for shift in (0.0, reach, 2 * reach))
    freely: Array = (middle - 0.5 * (before + after)) / (0.5 * gravity * reach**2 + 1e-12)
    return freely


def _push(height: Array, first: int, fps: float) -> int:
    """The frame in which the hips are lowest before a flight that begins at ``first``."""
    start = max(first - round(_CROUCH * fps), 0)
    lowest = start + int(np.argmin(height[start : first + 1]))
    return max(min(lowest, first - round(_PUSH * fps)), 0)


def _landing(height: Array, last: int, fps: float) -> int:
    """The frame past the one in which the hips are lowest after a flight that ends before ``last``."""
    end = min(last + round(_CROUCH * fps), len(height))
    lowest = last - 1 + int(np.argmin(height[last - 1 : end]))
    return min(max(lowest + 1, last + round(_PUSH * fps)), len(height))


def _veering(travel: Array, fps: float) -> Array:
    """Radians per second ``(F,)``, positive to the left, by which the direction of travel ``(F, 2)`` (x, z) turns.

    A runner's shoulders swing too much, and a run is often too short, for the heading to show it.
    """
    change = velocity(travel, fps, _STRIDE)
    square = np.maximum(np.einsum("fi,fi->f", travel, travel), 1e-6)
    turn: Array = (travel[:, 1] * change[:, 0] - travel[:, 0] * change[:, 1]) / square
    return turn


def _stretches(kinds: Ints) -> list[tuple[int, int, int]]:
    """Kind, first frame and the frame past the last of each stretch of equal ``kinds (F,)``."""
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    return [(int(kinds[first]), first, last) for first, last in pairwise(edges)]


def _absorb(stretches: list[tuple[int, int, int]], shortest: float) -> list[tuple[int, int, int]]:
    """Stretches of which those shorter than ``shortest`` frames have gone to their longer neighbour, the shortest first."""
    while len(stretches) > 1:
        lengths = [last - first for _, first, last in stretches]
        place = int(np.argmin(lengths))
        if lengths[place] >= shortest - 1e-6:
            break
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
