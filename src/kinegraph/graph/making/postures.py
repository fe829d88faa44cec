"""Postures and places: sitting, lying, crouching, crawling, climbing."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.graph.making.signs import Signs, mean_over, rises
from kinegraph.motion import filters

# Froude speeds at which hips are surely moving, and surely at rest; and rises, in leg lengths per second.
_REST, _LEVEL = (0.12, 0.04), (0.5, 0.2)
# Seconds within which a climb goes up or down, how far in leg lengths, and how steeply.
_FLIGHT, _CLIMBED, _STEEP = 2.0, (0.3, 0.45), (0.3, 0.6)
# How high the lower foot is over the clip's floor of one who has climbed something: rough ground has 0.4.
_ALOFT = (0.4, 0.6)


def _rest(signs: Signs) -> Array:
    return np.minimum(rises(signs.speed, *_REST), rises(np.abs(signs.rising), *_LEVEL))


def lies(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body that lies: hips and shoulders near the floor, and the trunk level."""
    return np.minimum.reduce([
        rises(signs.hips[:, 1], 0.65, 0.45),
        rises(signs.chest[:, 1], 0.75, 0.5),
        rises(np.abs(signs.upright), 0.7, 0.35),
    ])


def crawls(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body on its hands and knees (or feet): hands on the floor, hips low, the trunk leaning, getting on."""
    if not signs.arms:
        return np.zeros(len(signs.hips))
    width = max(round(1.0 * signs.fps), 1)
    return np.minimum.reduce([
        mean_over(rises(signs.wrists[..., 1].max(axis=1), 0.5, 0.25), width),
        rises(signs.hips[:, 1], 0.95, 0.7),
        rises(signs.upright, 0.8, 0.6),
        mean_over(rises(signs.speed, 0.01, 0.04), width),
    ])


def sits(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body that sits: at rest, trunk up, hips lowered, and not over its feet, or with its feet in the air."""
    thighs = np.abs(signs.hip_joints[..., 1] - signs.knees[..., 1]) / np.linalg.norm(signs.hip_joints - signs.knees, axis=-1)
    level = rises(thighs.mean(axis=1), 0.85, 0.6)
    held = np.maximum(rises(signs.unsupported, 0.1, 0.22), np.minimum(rises(signs.sole, 0.06, 0.15), level))
    return np.minimum.reduce([
        np.maximum(np.minimum(held, rises(signs.stretch, 0.95, 0.85)), rises(signs.hips[:, 1], 0.55, 0.4)),
        rises(signs.upright, 0.4, 0.75),
        _rest(signs),
    ])


def crouches(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body whose hips are low over its feet."""
    return rises(signs.stretch, 0.85, 0.65)


def climbs(signs: Signs) -> Array:
    """Belief ``(F,)`` in a body that goes up or down steeply, feet and all, """
    fps = signs.fps
    half = max(round(0.5 * _FLIGHT * fps), 1)
    lifted = mean_over(signs.hips[:, 1], max(round(0.6 * fps), 1))
    sole = filters.lowest(signs.sole, max(round(0.4 * fps), 1))
    count = len(lifted)
    now = np.arange(count)
    before, after = np.maximum(now - half, 0), np.minimum(now + half, count - 1)
    up = lifted[after] - lifted[before]
    feet = (sole[after] - sole[before]) * np.sign(up)
    along = np.linalg.norm((signs.hips[after] - signs.hips[before])[:, [0, 2]], axis=-1)
    steep = rises(np.abs(up) / np.maximum(along, 0.3), *_STEEP)
    changing = np.minimum.reduce([rises(np.abs(up), *_CLIMBED), rises(feet, 0.1, 0.25), steep])
    return np.maximum(filters.highest(changing, half // 2), 0.5 * rises(sole, *_ALOFT))
