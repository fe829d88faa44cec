"""Whether to blend: a space asks its own examples, each left out in turn, which way comes nearer to what the performer did.

A blend of many strikes is nearer to a strike that was left out than the strike that hits nearest to it, brought onto the target by
inverse kinematics. Of few strikes, or of strikes thrown in several styles, it is not: then what lies between them is nobody's
strike. So both are tried on every example, and the space makes its strikes the way that did better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.clip import Motion
from kinegraph.strikes.blend import Poses, poses
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.finish import bring
from kinegraph.strikes.solve import HitPose, solve
from kinegraph.strikes.trust import estimates, spacing_of

Way = Literal["blend", "nearest"]

# Examples that are left out, at most: more tell no more.
_TRIED = 16


@dataclass(frozen=True)
class BlendOrNearest:
    """Which way a space makes its strikes, and the errors that say so: mean angle of a joint, and mean distance of the striking end."""

    way: Way
    tried: int
    """Examples that were left out, one at a time."""
    blend_deg: float
    blend_cm: float
    nearest_deg: float
    nearest_cm: float

    def __str__(self) -> str:
        errors = (
            f"over {self.tried} strikes left out in turn, a blend is off by {self.blend_deg:.1f}° and {self.blend_cm:.1f} cm, the nearest "
            f"strike bent onto the target by {self.nearest_deg:.1f}° and {self.nearest_cm:.1f} cm"
        )
        if self.way == "blend":
            return f"blends of all strikes: {errors}"
        return f"the nearest strike, bent onto the target, instead of a blend: {errors}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "way": self.way,
            "left_out": self.tried,
            "blend": {"angle_deg": round(self.blend_deg, 3), "path_cm": round(self.blend_cm, 3)},
            "nearest": {"angle_deg": round(self.nearest_deg, 3), "path_cm": round(self.nearest_cm, 3)},
        }


def choice(examples: Examples) -> BlendOrNearest:
    """The way in which the examples are best told from each other, by targets across and up."""
    count = len(examples)
    tried = np.unique(np.linspace(0, count - 1, min(count, _TRIED)).round().astype(np.intp))
    blended = np.array([error(examples, int(index), _blended(examples, int(index))) for index in tried])
    nearest = np.array([error(examples, int(index), _nearest(examples, int(index))) for index in tried])
    # in angle and in path alike, and no example more than another
    worse = float(np.log(np.maximum(blended, 1e-9) / np.maximum(nearest, 1e-9)).mean())
    return BlendOrNearest(
        "nearest" if worse > 0.0 else "blend",
        len(tried),
        *(float(value) for value in (*blended.mean(axis=0), *nearest.mean(axis=0))),
    )


def nearest_to(examples: Examples, goal: Array) -> int:
    """The example that hits nearest to ``goal``, ``(2,)`` or ``(3,)``."""
    return int(np.argmin(np.linalg.norm(examples.hits[:, : len(goal)] - goal, axis=1)))


def error(examples: Examples, index: int, made: Poses) -> tuple[float, float]:
    """How far a strike is from an example, as means over the same T moments.

    The first is the angle in degrees between local rotations, also averaged over the joints with a body role. The second is the distance
    in centimetres between the positions of the striking joint.
    """
    skeleton = examples.skeleton
    joints = sorted(set(skeleton.roles.values()))
    apart = rotation.angle_between(made.rotations[:, joints], examples.rotations[index][:, joints])
    end = examples.end
    place = made.root + kinematics.from_root(skeleton, end, made.rotations)
    real = examples.root[index] + kinematics.from_root(skeleton, end, examples.rotations[index])
    return float(np.degrees(apart.mean())), float(100 * np.linalg.norm(place - real, axis=-1).mean())


def brought(examples: Examples, index: int, goal: Array) -> Poses:
    """An example brought onto ``goal`` by inverse kinematics alone."""
    motion = Motion(examples.skeleton, examples.root[index], examples.rotations[index], examples.fps)
    done = bring(examples, motion, examples.hit, goal)
    return Poses(done.root, done.rotations, examples.times[index])


def _blended(examples: Examples, index: int) -> Poses:
    """An example as a blend of the others at its target."""
    rest = np.delete(np.arange(len(examples)), index)
    goal = examples.hits[index, :2]
    kriging, local = estimates(examples.hits[rest, :2], spacing_of(examples.hits[:, :2]))
    wished = 0.5 * (kriging.weights(goal) + local.weights(goal))
    weights = np.zeros(len(examples))
    weights[rest] = solve(HitPose(examples, rest), goal, wished).weights
    return poses(examples, weights)


def _nearest(examples: Examples, index: int) -> Poses:
    """An example as the nearest of the others, brought onto its target."""
    rest = np.delete(np.arange(len(examples)), index)
    goal = examples.hits[index, :2]
    return brought(examples, int(rest[np.argmin(np.linalg.norm(examples.hits[rest, :2] - goal, axis=1))]), goal)
