"""The legs of a graph's people as the foot lock needs them: how they hang together, stand and bend."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array
from kinegraph.feet import knees
from kinegraph.feet.sole import Sole, soles
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.skeleton import Skeleton
from kinegraph.people.legs import LegPair
from kinegraph.people.rows import jumps

# How long the mean of a knee's axes is, against the mean of their lengths, if it is a hinge.
_ONE = 0.95


@lru_cache(maxsize=4)
def legs_of(graph: MotionGraph) -> LegPair:
    """The legs of the people on a graph; remembered for the next call."""
    skeleton, feet = graph.skeleton, soles_of(graph)
    whole = concatenate([clip.motion for clip in graph.clips])
    chains = [_chain(skeleton, sole.hip) for sole in feet]
    chain = np.full((2, max(map(len, chains)) + 1), -1, np.int64)
    for side, joints in enumerate(chains):
        chain[side, : len(joints)] = joints
    speeds = np.concatenate([knees.speed(clip.motion).ravel() for clip in graph.clips])
    return LegPair(
        np.asarray(skeleton.offsets, np.float64),
        chain,
        np.array([[sole.hip, sole.knee, sole.ankle, -1 if sole.toe is None else sole.toe] for sole in feet], np.int64),
        np.array([sole.heel for sole in feet]),
        np.array([np.zeros(3) if sole.tip is None else sole.tip for sole in feet]),
        np.array([sole.rest for sole in feet]),
        np.array([_hinge(whole, sole) for sole in feet]),
        float(np.percentile(speeds, 99.9)),
        float(np.percentile(jumps(graph), 99)) * graph.fps**2,
        skeleton.leg_length,
    )


@lru_cache(maxsize=4)
def soles_of(graph: MotionGraph) -> tuple[Sole, Sole]:
    """The soles of the people on a graph, as all its clips show them; remembered for the next call."""
    whole = concatenate([clip.motion for clip in graph.clips])
    return soles(whole, np.concatenate([clip.contacts for clip in graph.clips]))


def feet_speed(motion: Motion, feet: tuple[Sole, Sole]) -> Array:
    """m/s ``(F - 1, 2)`` of the ankles."""
    ankles = motion.positions[:, [sole.ankle for sole in feet]]
    speed: Array = np.linalg.norm(np.diff(ankles, axis=0), axis=-1) * motion.fps
    return speed


@lru_cache(maxsize=4)
def feet_usual(graph: MotionGraph) -> float:
    """m/s that ankles seldom exceed in the clips of a graph; remembered for the next call."""
    speeds = [feet_speed(clip.motion, soles_of(graph)).ravel() for clip in graph.clips]
    return float(np.percentile(np.concatenate(speeds), 95))


def _chain(skeleton: Skeleton, hip: int) -> list[int]:
    """Joints between the root and a hip, neither among them, from above."""
    found = []
    joint = int(skeleton.parents[hip])
    while joint > 0:
        found.append(joint)
        joint = int(skeleton.parents[joint])
    return found[::-1]


def _hinge(motion: Motion, sole: Sole) -> Array:
    """The axis ``(3,)`` about which a knee bends, in the hip's frame; 0 if it has none: some captures turn a thigh about itself at will."""
    hip, knee, ankle = (motion.positions[:, joint] for joint in (sole.hip, sole.knee, sole.ankle))
    seen = rotation.inverse(motion.orientations[:, sole.hip])
    axes = rotation.rotate(seen, rotation.cross(knee - hip, ankle - knee))
    size = np.linalg.norm(axes, axis=1)
    axis = axes.mean(axis=0)
    # of the same length as the mean of their lengths if all are one
    one = float(np.linalg.norm(axis)) > _ONE * float(size.mean())
    unit: Array = axis / max(float(np.linalg.norm(axis)), 1e-9) if one else np.zeros(3)
    return unit
