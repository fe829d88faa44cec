"""Postures and places: sitting, lying, crouching, crawling, climbing.

Heights are leg lengths over the clip's floor. In every pair of limits the first speaks surely against a kind, the second surely for it.
"""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.graph.making.recognition.signs import Signs, least, mean_over, most, rises
from kinegraph.motion import filters

# A body at rest: Froude speed of its hips, and how fast they rise or sink, in leg lengths per second.
_REST, _STEADY = (0.12, 0.04), (0.5, 0.2)
# One who sits on something: how far the trunk is from over the feet; or how high the feet hang, and how upright the thighs are (1: as in
# standing); the hips' height over the lower ankle; how upright the trunk is. On the floor, the height of the hips alone tells it.
_BEYOND_FEET, _HANGING, _THIGHS, _SUNK, _TRUNK_UP = (0.1, 0.22), (0.06, 0.15), (0.85, 0.6), (0.95, 0.85), (0.4, 0.75)
_ON_FLOOR = (0.55, 0.4)
# One who lies: heights of hips and shoulders, and how upright the trunk is.
_HIPS_DOWN, _SHOULDERS_DOWN, _TRUNK_LEVEL = (0.65, 0.45), (0.75, 0.5), (0.7, 0.35)
# One who crouches: the hips' height over the lower ankle.
_CROUCHED = (0.85, 0.65)
# One who crawls: heights of the higher hand and of the hips, how upright the trunk is, Froude speed; hands and speed over so many seconds.
_HANDS_DOWN, _HIPS_LOW, _TRUNK_LEANS, _CREEPS, _CRAWL = (0.5, 0.25), (0.95, 0.7), (0.8, 0.6), (0.01, 0.04), 1.0
# One who climbs: the hips' rise or descent within so many seconds; that of the lower foot; their slope, of at least so much along.
_CLIMB, _CLIMBED, _FOOT_CLIMBED, _STEEP, _ALONG = 2.0, (0.3, 0.45), (0.2, 0.3), (0.4, 0.7), 0.3
# How high the lower foot is of one who is still up there: rough ground has 0.4. Seconds over which hips and feet are smoothed.
_ALOFT, _HIPS_OVER, _FEET_OVER = (0.4, 0.6), 0.6, 0.8
# How upright the trunk is: who stands on the hands does not climb.
_HEAD_UP = (0.0, 0.4)


def lies(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body that lies: hips and shoulders near the floor, and the trunk level."""
    return least(
        rises(signs.hips[:, 1], *_HIPS_DOWN),
        rises(signs.chest[:, 1], *_SHOULDERS_DOWN),
        rises(np.abs(signs.upright), *_TRUNK_LEVEL),
    )


def crawls(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body that gets on with both hands on the floor, its hips low and its trunk leaning."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    width = signs.frames(_CRAWL)
    return least(
        mean_over(rises(signs.wrists[..., 1].max(axis=1), *_HANDS_DOWN), width),
        rises(signs.hips[:, 1], *_HIPS_LOW),
        rises(signs.upright, *_TRUNK_LEANS),
        mean_over(rises(signs.speed, *_CREEPS), width),
    )


def sits(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body that sits: at rest, its trunk up, its hips lowered, and held by something else than its feet.

    Who squats is over the feet. Who sits is not, or has them in the air, or has the hips near the floor.
    """
    thighs = signs.hip_joints - signs.knees
    upright = np.abs(thighs[..., 1]) / np.maximum(np.linalg.norm(thighs, axis=-1), 1e-9)
    hanging = least(rises(signs.sole, *_HANGING), rises(upright.mean(axis=1), *_THIGHS))
    held = least(most(rises(signs.unsupported, *_BEYOND_FEET), hanging), rises(signs.stretch, *_SUNK))
    return least(
        most(held, rises(signs.hips[:, 1], *_ON_FLOOR)),
        rises(signs.upright, *_TRUNK_UP),
        rises(signs.speed, *_REST),
        rises(np.abs(signs.rising), *_STEADY),
    )


def crouches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body whose hips are low over its feet."""
    return rises(signs.stretch, *_CROUCHED)


def climbs(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body that goes up or down steeply, feet and all.

    High over the clip's floor, the belief is one half: there a climb goes on, but does not begin.
    """
    half = signs.frames(0.5 * _CLIMB)
    height = mean_over(signs.hips[:, 1], signs.frames(_HIPS_OVER))
    sole = filters.lowest(signs.sole, signs.frames(0.5 * _FEET_OVER))
    now = np.arange(len(height))
    before, after = np.maximum(now - half, 0), np.minimum(now + half, len(height) - 1)
    up = height[after] - height[before]
    along = np.linalg.norm((signs.hips[after] - signs.hips[before])[:, [0, 2]], axis=-1)
    changing = least(
        rises(np.abs(up), *_CLIMBED),
        rises((sole[after] - sole[before]) * np.sign(up), *_FOOT_CLIMBED),
        rises(np.abs(up) / np.maximum(along, _ALONG), *_STEEP),
    )
    climbing = most(filters.highest(changing, half // 2), 0.5 * rises(sole, *_ALOFT))
    return least(climbing, rises(signs.upright, *_HEAD_UP))
