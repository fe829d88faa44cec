"""Played walks against the clips they are made of: nothing leaps, nothing jerks, and the upper body goes ahead."""

from __future__ import annotations

import numpy as np
import pytest

from kinegraph.arrays import Array
from kinegraph.blending import Performance, play
from kinegraph.blending.parts import upper_body
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from tests.blending.made import BLENDS, random_walk


@pytest.fixture(scope="module", params=["strolling", "captured"])
def graph(request: pytest.FixtureRequest) -> MotionGraph:
    made: MotionGraph = request.getfixturevalue(request.param)
    return made


def steps(motion: Motion) -> Array:
    """How far each joint goes from frame to frame ``(F − 1, J)``, metres."""
    return np.asarray(np.linalg.norm(np.diff(motion.positions, axis=0), axis=-1))


def jerks(motion: Motion, joints: list[int]) -> Array:
    """By how much each joint's velocity changes at each frame but the ends ``(F − 2, J)``, metres per second."""
    return np.asarray(np.linalg.norm(np.diff(motion.positions[:, joints], 2, axis=0), axis=-1) * motion.fps)


def in_transitions(made: Performance) -> Array:
    """``(F − 2,)``: frames of transitions, and the one before and after each."""
    near = np.zeros(len(made), bool)
    for told in made.transitions:
        near[max(told.first - 1, 0) : told.first + told.length + 1] = True
    return near[1:-1]


@pytest.mark.parametrize("name", BLENDS)
def test_no_joint_leaps(graph: MotionGraph, name: str) -> None:
    """No joint goes further in a frame than half as much again as the clips' own 99.9th percentile."""
    own = np.percentile(np.concatenate([steps(clip.motion) for clip in graph.clips]), 99.9)
    made = play(random_walk(graph, 3000), name)
    assert steps(made.motion).max() < 1.5 * own
    # the root goes on where it was, at every junction
    root = np.linalg.norm(np.diff(made.motion.root, axis=0), axis=-1)
    fastest = max(np.linalg.norm(np.diff(clip.motion.root, axis=0), axis=-1).max() for clip in graph.clips)
    assert root.max() < 1.2 * fastest


@pytest.mark.parametrize("name", BLENDS)
@pytest.mark.parametrize("gait", ["walking", "running"])
def test_no_joint_jerks_at_transitions(request: pytest.FixtureRequest, gait: str, name: str) -> None:
    """The 99th percentile of the change of velocity in and beside transitions against that of the captured frames that are
    played there, joint by joint.
    """
    graph: MotionGraph = request.getfixturevalue(gait)
    joints = sorted(set(graph.skeleton.roles.values()))
    made = play(random_walk(graph, 6000), name)
    near = in_transitions(made)
    captured = [np.pad(jerks(clip.motion, joints), [(1, 1), (0, 0)], mode="edge") for clip in graph.clips]
    both = ((made.clip, made.frame), (made.other_clip, made.other_frame))
    played = [
        [
            captured[clip][frame] if clip >= 0 else np.zeros(len(joints))
            for clip, frame in zip(clips, frames, strict=True)
        ]
        for clips, frames in both
    ]
    # where the capture itself jerks, so may what is made of it
    used = np.max(played, axis=0)[1:-1][near]
    own = np.percentile(used, 99, axis=0)
    assert np.all(np.percentile(jerks(made.motion, joints)[near], 99, axis=0) < 1.5 * own)


def test_the_upper_body_is_ahead_in_anticipation(graph: MotionGraph) -> None:
    """In the middle of transitions: how much of the way from the outgoing pose to the incoming one each joint has gone."""
    walk = random_walk(graph, 3000)
    upper = upper_body(graph.skeleton)
    for name, is_ahead in {"anticipation": True, "linear": False, "cubic": False}.items():
        made = play(walk, name)
        gone = []
        for told in made.transitions:
            middle = told.first + (told.length - 1) // 2
            if middle >= len(made):
                continue
            here, there = (
                made.frame[middle],
                made.other_frame[middle],
            )  # before the half, the outgoing clip is the heavier
            outgoing = graph.clips[made.clip[middle]].motion.rotations[here]
            incoming = graph.clips[made.other_clip[middle]].motion.rotations[there]
            whole = rotation.angle_between(outgoing, incoming)
            part = rotation.angle_between(outgoing, made.motion.rotations[middle])
            # the root's rotation is that of the placed clip; joints that hardly differ say nothing
            gone.append(np.where((whole > 0.02) & (np.arange(len(whole)) > 0), part / np.maximum(whole, 0.02), np.nan))
        means = np.nanmean(np.stack(gone)[:, upper]), np.nanmean(np.stack(gone)[:, ~upper])
        assert 0.3 < means[1] < 0.5
        if is_ahead:
            assert means[0] > means[1] + 0.25
        else:
            assert means[0] == pytest.approx(means[1], abs=0.03)


def test_ten_minutes_are_one_motion(captured: MotionGraph) -> None:
    """Thousands of edges: all finite, the body never leaves the ground or sinks into it."""
    walk = random_walk(captured, 18_000, seed=3)
    assert len(walk) > 2000
    made = play(walk)
    assert made.motion.seconds == 600.0
    heights = [clip.motion.root[:, 1] for clip in captured.clips]
    assert made.motion.root[:, 1].min() > min(height.min() for height in heights) - 0.05
    assert made.motion.root[:, 1].max() < max(height.max() for height in heights) + 0.05
