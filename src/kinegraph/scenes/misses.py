"""By how much the motion of a scene misses its keys, and where it comes too near to an obstacle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.motion.clip import Motion
from kinegraph.scenes.plan import ScenePlan
from kinegraph.scenes.scene import Scene
from kinegraph.scenes.striking import StrikeKey
from kinegraph.walks.request import Disc

# metres and radians within which a key is met, and metres of an obstacle's clearance that may be lacking
_PLACE, _HEADING, _NEAR = 0.02, np.radians(5.0), 0.01


@dataclass(frozen=True)
class KeyMiss:
    """By how much a key is missed."""

    time: float
    """Seconds at which it was asked for."""
    place: float
    """Metres."""
    heading: float | None
    """Radians; None where none was asked for."""
    late: float
    """Seconds."""
    hard: bool

    @property
    def met(self) -> bool:
        """Whether it is as good as met."""
        return self.place <= _PLACE and (self.heading is None or self.heading <= _HEADING)

    def to_dict(self) -> dict[str, float | None]:
        """As JSON holds it."""
        heading = None if self.heading is None else round(float(np.degrees(self.heading)), 3)
        return {
            "time": round(self.time, 4), "place_cm": round(100 * self.place, 3), "heading_deg": heading,
            "time_s": round(self.late, 4),
        }  # fmt: skip


def misses(motion: Motion, plan: ScenePlan) -> tuple[KeyMiss, ...]:
    """By how much a motion misses each key of a plan, at the key's own frame."""
    facing = motion.heading()
    found = []
    own = [(key, moment) for key, moment in zip(plan.keys, plan.moments, strict=True) if not isinstance(key, StrikeKey)]
    for (key, moment), asked in zip(own, plan.scene.keys, strict=True):
        x, _, z = motion.root[moment]
        assert key.time is not None
        turned = None
        if key.heading is not None:
            turned = abs(float((key.heading - facing[moment] + np.pi) % (2 * np.pi) - np.pi))
        time = key.time if asked.time is None else asked.time
        found.append(
            KeyMiss(
                time, float(np.hypot(x - key.at[0], z - key.at[1])), turned, abs(moment / motion.fps - time), key.hard
            )
        )
    return tuple(found)


@dataclass(frozen=True)
class Bump:
    """Where somebody comes nearer to an obstacle than is allowed."""

    obstacle: int
    """Its number, from 1."""
    time: float
    """Seconds at which he is nearest."""
    depth: float
    """Metres that are lacking."""

    @property
    def counts(self) -> bool:
        """Whether more is lacking than anybody would see."""
        return self.depth > _NEAR


def bumps(motion: Motion, scene: Scene) -> tuple[Bump, ...]:
    """Where the root of a motion comes nearer to the obstacles of a scene than their clearance."""
    x, z = motion.root[:, 0], motion.root[:, 2]
    found = []
    for number, thing in enumerate(scene.obstacles, 1):
        if isinstance(thing, Disc):
            away = np.hypot(x - thing.x, z - thing.z) - thing.radius
        else:
            beyond = [
                np.maximum(low - place, place - low - size)
                for low, size, place in ((thing.x, thing.width, x), (thing.z, thing.depth, z))
            ]
            outside = np.hypot(*(np.maximum(one, 0.0) for one in beyond))
            away = np.where(outside > 0.0, outside, np.maximum(*beyond))
        nearest = int(np.argmin(away))
        if away[nearest] < scene.clearance:
            found.append(Bump(number, nearest / motion.fps, float(scene.clearance - away[nearest])))
    return tuple(found)
