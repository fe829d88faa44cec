"""The moving frame: it goes along the floor with a motion, without the sway of its steps.

What the body does relative to that frame is its residual. The same residuals with another frame are the same motion on another path
(Gleicher, "Motion path editing", 2001).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, frozen_array
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.paths.smoothing import smoothed, steadied

# Seconds: wide enough to take out nine tenths of the sway of a walk (a stride lasts about a second), and so flat-topped that a circle of
# 3 m keeps its radius to a millimetre at a walk and to three at a run.
SIGMA = 0.45

# Seconds over which the root is smoothed where it is bent: the body turns about where it walks, not about where it sways.
SWAY = 0.15

# Metres per second: a body slower than this stands, and where it sways to while it stands is no direction.
_STANDING = 0.1


@dataclass(frozen=True, eq=False)
class MovingFrame:
    """A frame that moves along the floor."""

    points: Array
    """``(F, 2)``."""
    heading: Array
    """``(F,)``: the direction of its way in radians, continuous."""
    walked: Array
    """``(F,)``: metres so far; constant while the body stands."""

    def __post_init__(self) -> None:
        for name in ("points", "heading", "walked"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    @property
    def left(self) -> Array:
        """Unit vectors ``(F, 2)`` to the left of the way."""
        return np.stack([np.cos(self.heading), -np.sin(self.heading)], axis=-1)


def track_of(motion: Motion, sigma: float = SIGMA) -> Array:
    """Where a motion goes along the floor ``(F, 2)``: its root, smoothed by `steadied` over ``sigma`` seconds."""
    return steadied(motion.root[:, [0, 2]], sigma * motion.fps)


def moving_frame(motion: Motion, sigma: float = SIGMA) -> MovingFrame:
    """The frame that moves with a motion, smoothed over ``sigma`` seconds. If the body never walks, it heads +Z."""
    points = track_of(motion, sigma)
    if len(points) < 2:
        return MovingFrame(points, np.zeros(len(points)), np.zeros(len(points)))
    velocity = np.gradient(points, axis=0) * motion.fps
    moving = np.hypot(velocity[:, 0], velocity[:, 1]) > _STANDING
    frames = np.arange(len(points))
    if moving.any():
        heading = np.unwrap(np.arctan2(velocity[moving, 0], velocity[moving, 1]))
        heading = np.interp(frames, frames[moving], heading)
    else:
        heading = np.zeros(len(points))
    steps = np.hypot(*np.diff(points, axis=0).T) * (moving[1:] & moving[:-1])
    return MovingFrame(points, heading, np.concatenate([[0.0], np.cumsum(steps)]))


def turned(vectors: Array, angle: Array) -> Array:
    """``vectors (F, 2)`` turned by ``angle (F,)`` radians, positive from +Z towards +X."""
    sine, cosine = np.sin(angle), np.cos(angle)
    x, z = vectors[:, 0], vectors[:, 1]
    return np.stack([cosine * x + sine * z, cosine * z - sine * x], axis=-1)


def residuals(motion: Motion, course: MovingFrame) -> Array:
    """Where the root is in the moving frame: ``(F, 2)``, metres to the left and ahead."""
    return turned(motion.root[:, [0, 2]] - course.points, -course.heading)


def carried(motion: Motion, course: MovingFrame, points: Array, heading: Array) -> Motion:
    """The motion carried from its ``course`` to other ``points (F, 2)`` and ``heading (F,)``; what the body does relative to it stays.

    Each pose is moved as a whole, by a turn about the vertical and a shift along the floor.
    """
    root = motion.root.copy()
    # by differences from where it was, so that a course laid on itself changes nothing
    turn = heading - course.heading
    apart = motion.root[:, [0, 2]] - course.points
    root[:, [0, 2]] += (points - course.points) + (turned(apart, turn) - apart)
    rotations = motion.rotations.copy()
    rotations[:, 0] = rotation.multiply(rotation.about_y(turn), rotations[:, 0])
    return replace(motion, root=root, rotations=rotations)


def bent(motion: Motion, turns: Array) -> Motion:
    """The motion bent along its way: each frame turns all that comes after it by ``turns (F,)`` radians, about where the walker is.

    >>> import kinegraph as kg
    >>> walk = kg.samples.make("walk").motion
    >>> import numpy as np
    >>> round(np.degrees(bent(walk, np.full(len(walk), np.radians(0.2))).heading()[-1] - walk.heading()[-1]))
    51
    """
    points = smoothed(motion.root[:, [0, 2]], SWAY * motion.fps)
    heading = np.concatenate([[0.0], np.cumsum(turns)[:-1]])
    steps = turned(np.diff(points, axis=0, prepend=points[:1]), heading)
    source = MovingFrame(points, np.zeros(len(points)), np.zeros(len(points)))
    return carried(motion, source, points[0] + np.cumsum(steps, axis=0), heading)


def carrying(motion: Motion, moved: Motion) -> tuple[MovingFrame, MovingFrame]:
    """The frames between which a motion was carried to become ``moved``: each of its poses as a whole, along the floor."""
    still = np.zeros(len(motion))
    turn = rotation.multiply(moved.rotations[:, 0], rotation.inverse(motion.rotations[:, 0]))
    heading = 2.0 * np.arctan2(turn[:, 2], turn[:, 0])
    return MovingFrame(motion.root[:, [0, 2]], still, still), MovingFrame(moved.root[:, [0, 2]], heading, still)
