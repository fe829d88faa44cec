"""Gaits: when a body goes, when it runs, when it is thrown into the air.

A walk and a run differ in what the hips do between steps (`Signs.bounce`) more than in speed: who hurries may walk at a pace at
which others jog. So the speed at which a walk becomes a run, on the whole √0.5 by Froude (Alexander, "Optimization and gaits in the
locomotion of vertebrates", 1989), is shifted by the bounce and by how far the swinging leg is drawn in: to 1.2 for one who vaults over
almost straight legs, to 0.2 for one who bounces and lifts the heels. Two steps suffice to start a run or to stop it, too few to show a
pace: there it is told by how fast the speed changes.

A jump is told by how far the body falls freely, not by how long: clips that play too fast or too slow have jumps too. The further the
feet exchange places, the more of that belongs to the stride of a run.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.feet.contacts import steady, velocity
from kinegraph.graph.making.recognition.signs import STRIDE, Signs, least, most, rises
from kinegraph.motion.spans import spans

# Froude speeds below which a body stands and above which it walks: 0.23 and 0.32 m/s for a grown-up.
_STANDING, _WALKING = 0.08, 0.11
# Heights of the hips over the lower ankle, in leg lengths, at which nobody walks, and at which one can, crouching.
_LEGS = (0.3, 0.5)
# How upright the trunk is of one who stands on the hands, or turns a cartwheel, and of one who may walk.
_HEAD_UP = (-0.2, 0.2)
# The Froude speed at which a walk becomes a run on straight legs; what a full bounce and legs that are wholly drawn in count for of it;
# how far a run draws them in: more is a crouch or a kick; and how far from the speed one is sure.
_RUNNING, _BY_BOUNCE, _BY_KNEES, _KNEES, _SURE = 1.07, 0.36, 1.6, 0.32, 0.15
# Froude speed that a walker gains or loses in a second at the most, and that only a runner does; how far the legs of either are
# drawn in: who stops in a walk keeps them long.
_HURRY, _DRAWN_IN = (0.6, 1.0), (0.2, 0.3)
# How freely a body must fall in a flight, and the closest that two flights come, in seconds.
_FALLING, _BETWEEN = 0.5, 0.05
# By how much the feet exchange places in a flight, in leg lengths: little in a hop, much in a run; and how far the body rises in a jump
# with as much, over the line between the flight's ends. Who runs with long strides rises by a tenth of a leg and more in each. Of one
# who keeps a foot in the air, less is a hop.
_FEET_EXCHANGED, _RISEN, _SKIP = (0.6, 0.8, 1.6), (0.065, 0.11, 0.17), 0.03
# By how much the lower foot must leave its place, and the body must sink after its highest point: who gets up quickly does not. Seconds
# around the flight in which the feet exchange places.
_LIFT, _SINK, _EXCHANGE = 0.03, 0.025, 0.25
# How high one foot is held over the other by one who hops on that, in leg lengths.
_HELD = 0.1
# Seconds around the flight within which the push and the landing are looked for, and the least that is given to each.
_CROUCH, _PUSH = 0.4, 0.1


def going(signs: Signs) -> Array:
    """Belief ``(F,)`` that a body gets on by its legs: 0 where it stays, where its hips are too low for that, or where it is head down."""
    fast = rises(signs.speed, 2 * _STANDING - _WALKING, 2 * _WALKING - _STANDING)
    return least(fast, rises(signs.stretch, *_LEGS), rises(signs.upright, *_HEAD_UP))


def running(signs: Signs) -> Array:
    """Belief ``(F,)`` that a body that goes runs: by its pace, or because it gathers speed or brakes as nobody does who walks."""
    pace = signs.speed + _BY_BOUNCE * signs.bounce + _BY_KNEES * np.minimum(signs.drawn_in, _KNEES)
    hurry = np.abs(velocity(signs.speed, signs.fps, STRIDE))
    hurries = least(rises(hurry, *_HURRY), rises(signs.drawn_in, *_DRAWN_IN))
    return most(rises(pace, _RUNNING - _SURE, _RUNNING + _SURE), hurries)


def jumping(signs: Signs) -> Bools:
    """Frames ``(F,)`` of jumps, from push to landing."""
    fps, height = signs.fps, 0.5 * (signs.hips + signs.chest)[:, 1]
    found = np.zeros(len(height), np.bool_)
    around = round(_CROUCH * fps)
    for first, last in spans(steady(signs.falling > _FALLING, 0.0, _BETWEEN * fps)):
        start, end = max(first - 1, 0), min(last, len(height) - 1)
        chord = np.linspace(height[start], height[end], end - start + 1)
        rise = float((height[start : end + 1] - chord).max())
        near = slice(max(first - around, 0), last + around)
        sinks = height[start : end + 1].max() - height[end : end + around].min()
        lifts = signs.sole[first:last].max() - signs.sole[near].min()
        if rise < _SKIP or lifts < _LIFT or sinks < _SINK:
            continue
        if rise >= np.interp(_stride(signs, start, end), _FEET_EXCHANGED, _RISEN) or _on_one_foot(signs, start, end):
            found[_push(signs.hips[:, 1], first, fps) : _landing(signs.hips[:, 1], last, fps)] = True
    return found


def _stride(signs: Signs, first: int, last: int) -> float:
    """By how much the feet exchange places, along the way of the body, around a flight: two steps of a run, nothing in a hop."""
    way = (signs.hips[last] - signs.hips[first])[[0, 2]]
    way = way / max(float(np.linalg.norm(way)), 1e-9)
    reach = round(_EXCHANGE * signs.fps)
    feet = signs.ankles[max(first - reach, 0) : last + reach + 1]
    return float(np.ptp((feet[:, 0] - feet[:, 1])[:, [0, 2]] @ way))


def _on_one_foot(signs: Signs, first: int, last: int) -> bool:
    """Whether one foot is held up before, during and after a flight."""
    reach = round(_EXCHANGE * signs.fps)
    feet = signs.ankles[max(first - reach, 0) : last + reach + 1, :, 1]
    over = feet[:, 0] - feet[:, 1]
    return bool(over.min() > _HELD or over.max() < -_HELD)


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
