from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.blending import play
from kinegraph.evaluation.usual import beside_transitions, usual_of, usual_of_graph, velocity_jumps
from kinegraph.feet import knees
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.skeleton import Skeleton
from kinegraph.walks.wandering import wander

FPS = 30.0


def gliding(places: list[float], skeleton: Skeleton | None = None) -> Motion:
    """A body that only slides along x, to ``places`` in metres."""
    body = skeleton or samples.make("walk").motion.skeleton
    root = np.zeros((len(places), 3))
    root[:, 0] = places
    still = np.zeros((len(places), len(body), 4))
    still[..., 0] = 1.0
    return Motion(body, root, still, FPS)


def test_a_steady_glide_has_no_jumps_and_a_stop_has_one() -> None:
    # 3 m/s, then nothing: the velocity changes by 3 m/s at frame 4 alone
    jumps = velocity_jumps(gliding([0.0, 0.1, 0.2, 0.3, 0.4, 0.4, 0.4]))
    assert jumps == pytest.approx([0.0, 0.0, 0.0, 3.0, 0.0], abs=1e-9)


def test_two_frames_have_no_change_of_velocity() -> None:
    assert velocity_jumps(gliding([0.0, 0.1])).shape == (0,)
    assert usual_of([gliding([0.0, 0.1])]).velocity_jump is None


def test_a_skeleton_without_roles_is_judged_by_all_its_joints() -> None:
    bare = Skeleton(names=("a", "b"), parents=(-1, 0), offsets=np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    motion = gliding([0.0, 0.1, 0.1], bare)
    assert not motion.skeleton.roles
    assert velocity_jumps(motion) == pytest.approx([3.0])
    assert usual_of([motion]).knee_speed is None


def test_frames_beside_transitions(strolling: MotionGraph) -> None:
    made = play(wander(strolling, 20.0, seed=3))
    near = beside_transitions(made)
    assert len(near) == len(made) - 2
    # entry k stands for frame k + 1
    inside = made.blended[1:-1]
    assert np.all(near[inside])
    grown = inside | np.append(inside[1:], made.blended[-1]) | np.insert(inside[:-1], 0, made.blended[0])
    assert np.array_equal(near, grown)


def test_what_is_usual_in_a_graph_is_what_is_usual_in_its_clips(strolling: MotionGraph) -> None:
    usual = usual_of_graph(strolling)
    jumps = np.concatenate([velocity_jumps(clip.motion) for clip in strolling.clips])
    speeds = np.concatenate([knees.speed(clip.motion).ravel() for clip in strolling.clips])
    assert usual.velocity_jump == pytest.approx(np.percentile(jumps, 99))
    assert usual.knee_speed == pytest.approx(np.percentile(speeds, 99.9))
    assert usual_of([clip.motion for clip in strolling.clips]) == usual
    assert usual_of_graph(strolling) is usual


def test_frames_that_the_capture_lost_are_not_usual(strolling: MotionGraph) -> None:
    from dataclasses import replace

    clip = strolling.clips[0]
    root = clip.motion.root.copy()
    root[20] += [5.0, 0.0, 0.0]
    sound = clip.sound.copy()
    sound[20] = False
    torn = replace(clip, motion=replace(clip.motion, root=root), sound=sound)
    graph = replace(strolling, clips=(torn, *strolling.clips[1:]))
    assert usual_of([torn.motion]).velocity_jump > 10  # type: ignore[operator]
    assert usual_of_graph(graph).velocity_jump == pytest.approx(usual_of_graph(strolling).velocity_jump, rel=0.1)
