"""What a finished motion has missed of the wishes it was made by: each with its figure, and whether it was a must."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import track_of
from kinegraph.walks.request import Box, Disc, Request

# Radians and shares by which a heading and a speed may differ from what was wished before it is worth a word.
_ASTRAY, _SPEED = np.radians(15.0), 0.1
# Metres by which a walk may come nearer to an obstacle than it should, and seconds over which a heading is taken: hips swing.
_NEARER, _SWING = 0.05, 0.5
_TRUNK = (
    "hips",
    "spine",
    "chest",
    "neck",
    "head",
    *(f"{side}_{part}" for side in SIDES for part in ("hip", "shoulder")),
)


@dataclass(frozen=True)
class Missed:
    """A wish that was not met."""

    sentence: str
    """What was wished, and what came of it."""
    must: bool = False
    """Whether a result without it is none."""


def missed(request: Request, motion: Motion) -> tuple[Missed, ...]:
    """What a motion that was made by a request has missed of it, the end of its path and its labels aside."""
    return (*_obstacles(request, motion), *_headings(request, motion), *_pace(request, motion))


def clearance(motion: Motion, obstacles: Sequence[Disc | Box]) -> Array:
    """Metres ``(F,)`` between the body's trunk and the nearest obstacle, below 0 inside one."""
    known = [role for role in _TRUNK if motion.skeleton.has_roles(role)]
    parts = [motion.root, *(motion.position(role) for role in known)]
    points = np.stack(parts, axis=1)[..., [0, 2]]
    metres: Array = np.min([_outside(points, thing) for thing in obstacles], axis=0).min(axis=1)
    return metres


def _outside(points: Array, thing: Disc | Box) -> Array:
    """How far ``points (…, 2)`` are from the edge of an obstacle, below 0 inside it."""
    if isinstance(thing, Disc):
        return np.hypot(points[..., 0] - thing.x, points[..., 1] - thing.z) - thing.radius
    half = np.array([thing.width, thing.depth]) / 2
    apart = np.abs(points - (np.array([thing.x, thing.z]) + half)) - half
    beyond = np.maximum(apart, 0.0)
    return np.asarray(np.hypot(beyond[..., 0], beyond[..., 1]) + np.minimum(apart.max(axis=-1), 0.0))


def _obstacles(request: Request, motion: Motion) -> list[Missed]:
    if not request.obstacles:
        return []
    trunk = clearance(motion, request.obstacles)
    frame = int(trunk.argmin())
    if trunk[frame] < 0:
        share = f"{int((trunk < 0).sum())} of {len(motion)} frames"
        return [
            Missed(
                f"the body goes through an obstacle in {share}, by {-100 * trunk[frame]:.0f} cm at frame {frame}", True
            )
        ]
    root = track_of(motion)
    near = float(np.min([_outside(root, thing) for thing in request.obstacles]))
    if near < request.clearance - _NEARER:
        told = f"the walk comes within {100 * near:.0f} cm of an obstacle, and was to keep {100 * request.clearance:.0f} cm from them"
        return [Missed(told)]
    return []


def _headings(request: Request, motion: Motion) -> list[Missed]:
    found = []
    some = max(1, round(_SWING * motion.fps))
    faced = motion.heading()
    wished = (("begin", request.heading, faced[:1]), ("end", request.end_heading, faced[-some:]))
    for which, asked, own in wished:
        if asked is None:
            continue
        is_ = float(own[-1] if abs(_apart(own[-1], asked)) < abs(_apart(own.mean(), asked)) else own.mean())
        if abs(_apart(is_, asked)) > _ASTRAY:
            found.append(
                Missed(
                    f"the walk {which}s facing {np.degrees((is_ + np.pi) % (2 * np.pi) - np.pi):.0f}°, "
                    f"and {np.degrees(asked):.0f}° was asked for"
                )
            )
    return found


def _apart(one: float, two: float) -> float:
    return float((one - two + np.pi) % (2 * np.pi) - np.pi)


def _pace(request: Request, motion: Motion) -> list[Missed]:
    if request.speed is None:
        return []
    course = track_of(motion)
    pace = float(np.hypot(*np.diff(course, axis=0).T).sum()) / motion.seconds
    if abs(pace - request.speed) <= _SPEED * request.speed:
        return []
    return [
        Missed(
            f"the walk goes at {pace:.2f} m/s, and {request.speed:.2f} m/s was asked for: no clips of this speed follow the path"
        )
    ]
