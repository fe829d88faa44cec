"""What is usual in captured motion: how quickly velocities change, how fast knees turn, how feet skate. Blends are judged against it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.blending.performance import Performance
from kinegraph.evaluation.skating import SeenFeet, Skating, examine, look, summary
from kinegraph.feet import knees
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.sampling import some_clips
from kinegraph.motion.clip import Motion, pose_together
from kinegraph.motion.skeleton import Skeleton


@dataclass(frozen=True)
class Usual:
    """What is usual in captured motion."""

    velocity_jump: float | None
    """99th percentile of `velocity_jumps`, in m/s; None if there are too few frames."""
    knee_speed: float | None
    """99.9th percentile of the knees' speed, in rad/s; None if there are no knees."""


def velocity_jumps(motion: Motion) -> Array:
    """How much the velocity of the worst joint changes at each frame except the first and the last ``(max(F − 2, 0),)``, in m/s.

    Velocities are those of world positions from frame to frame. Only joints with a body role count, because fingers say nothing about a
    blend; all joints count if a skeleton has no roles.
    """
    joints = sorted(set(motion.skeleton.roles.values())) or list(range(len(motion.skeleton)))
    if len(motion) < 3:
        return np.zeros(0)
    places = motion.positions[:, joints]
    change = places[2:] - 2.0 * places[1:-1] + places[:-2]
    worst: Array = np.sqrt(np.einsum("fji,fji->fj", change, change).max(axis=1)) * motion.fps
    return worst


def beside_transitions(performance: Performance) -> Bools:
    """``(max(F − 2, 0),)``, as `velocity_jumps`: True in transitions, and for one frame before and after each."""
    near = np.zeros(len(performance), bool)
    for told in performance.transitions:
        near[max(told.first - 1, 0) : told.first + told.length + 1] = True
    return near[1:-1]


def has_knees(skeleton: Skeleton) -> bool:
    """Whether both knees of a skeleton are known."""
    return skeleton.has_roles("left_knee") and skeleton.has_roles("right_knee")


@lru_cache(maxsize=4)
def usual_of_graph(graph: MotionGraph) -> Usual:
    """What is usual in the clips of a graph, in some of a large one, without the frames in which the capture lost a joint; remembered for
    the next call.
    """
    clips = [graph.clips[number] for number in some_clips(graph)]
    motions = [clip.motion for clip in clips]
    if all(motion.translations is None for motion in motions):
        pose_together(motions)
    jumps, speeds = [], []
    for clip in clips:
        sound = clip.sound
        whole = sound[2:] & sound[1:-1] & sound[:-2]
        jumps.append(velocity_jumps(clip.motion)[whole])
        if has_knees(graph.skeleton) and len(clip) > 1:
            speeds.append(knees.speed(clip.motion)[sound[1:] & sound[:-1]].ravel())
    return Usual(_percentile(jumps, 99.0), _percentile(speeds, 99.9))


def skating_of_graph(graph: MotionGraph, clips: Iterable[int]) -> Skating | None:
    """How feet skate in some clips of a graph, without plants in which the capture lost a joint; None where legs are not known.

    What was seen of a clip is remembered for the next call.
    """
    known = _seen(graph)
    chosen = sorted(set(clips))
    for number in chosen:
        if number not in known:
            known[number] = examine(graph.clips[number].motion)
    found = [(feet, graph.clips[number].sound) for number in chosen if (feet := known[number]) is not None]
    return summary([feet for feet, _ in found], [sound for _, sound in found])


@lru_cache(maxsize=4)
def _seen(graph: MotionGraph) -> dict[int, SeenFeet | None]:
    """What was seen of a graph's clips so far, by their numbers."""
    return {}


def skating_of(motions: Iterable[Motion]) -> Skating | None:
    """How feet skate in some motions; None where there are none, or none with legs that are known."""
    return summary([feet for motion in motions if (feet := look(motion)) is not None])


def usual_of(motions: Iterable[Motion]) -> Usual:
    """What is usual in some motions."""
    taken = list(motions)
    speeds = [knees.speed(motion).ravel() for motion in taken if has_knees(motion.skeleton) and len(motion) > 1]
    return Usual(_percentile([velocity_jumps(motion) for motion in taken], 99.0), _percentile(speeds, 99.9))


def _percentile(parts: list[Array], percent: float) -> float | None:
    values = np.concatenate(parts) if parts else np.zeros(0)
    return float(np.percentile(values, percent)) if len(values) else None
