from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import load, samples
from kinegraph.errors import MotionError
from kinegraph.feet.plants import as_contacts, footing
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.editing.course import course_of
from kinegraph.paths.editing.cycle import Loop, best_loop, cycled, main_speed
from kinegraph.paths.editing.take import Footage


def taken(name: str = "walk", frames: slice = slice(None)) -> Footage:
    sample = samples.make(name)
    motion = sample.motion[frames]
    return Footage(motion, course_of(motion).frame, footing(motion, sample.contacts[frames]))


def poses_apart(a: Motion, i: int, b: Motion, j: int) -> float:
    """Metres between two poses, each seen from its own root."""
    there = (motion.at_origin(at).positions[at] for motion, at in ((a, i), (b, j)))
    first, second = there
    return float(np.linalg.norm(first - second, axis=-1).max())


@pytest.mark.parametrize("name", ["walk", "walk_slow", "run", "sneak", "walk_left_tight"])
def test_the_loop_of_a_gait_is_whole_strides(name: str) -> None:
    take = taken(name)
    loop = best_loop(take.motion, take.frame.walked)
    # a periodic clip repeats itself exactly
    assert loop.distance < 0.002
    assert poses_apart(take.motion, loop.first, take.motion, loop.last) < 0.02


def test_of_equal_loops_the_longest_is_taken() -> None:
    take = taken()
    loop = best_loop(take.motion, take.frame.walked)
    assert len(loop) > 0.5 * (len(take) - loop.window)


def after(first: str, then: str) -> tuple[Motion, int]:
    """Two built-in clips one after the other, and the frame at which the second begins."""
    one, two = (samples.make(name).motion for name in (first, then))
    return concatenate([one, two.place(FloorTransform(0.0, 0.0, float(one.root[-1, 2])))]), len(one)


def test_a_clip_is_repeated_by_what_it_is_about() -> None:
    """It sneaks for 5.1 s and runs for 4.2 s: the sneaking repeats itself as well and for longer, but the way is run."""
    motion, runs = after("sneak", "run")
    loop = best_loop(motion, course_of(motion).walked)
    assert loop.first >= runs - 1
    assert loop.distance < 0.01


def test_however_long_a_clip_stands_its_speed_is_that_of_its_way() -> None:
    motion, _ = after("stand", "run")
    assert main_speed(course_of(motion).walked, motion.fps) == pytest.approx(samples.make("run").speed, rel=0.02)


def test_the_stance_before_a_captured_run_is_not_what_is_repeated(cmu: Path) -> None:
    motion = load(cmu / "acclaim" / "127" / "127_03.amc")
    walked = course_of(motion).walked
    loop = best_loop(motion, walked)
    # it stands for 1 s, and runs at 4 m/s in the end
    assert (walked[loop.last] - walked[loop.first]) / len(loop) * motion.fps > 3.0
    assert loop.distance < 0.16


def test_a_motion_that_stays_in_its_place_has_a_loop() -> None:
    motion = samples.make("stand").motion
    loop = best_loop(motion, None)
    assert loop.distance < 0.005
    assert len(loop) > 0.5 * len(motion)


def test_no_round_is_shorter_than_anybodys_stride(cmu: Path) -> None:
    """This clip hardly repeats itself, and frames that are nearer to each other are more alike."""
    motion = load(cmu / "acclaim" / "127" / "127_21.amc")
    assert len(best_loop(motion, course_of(motion).walked)) >= 0.4 * motion.fps


def test_the_seam_cannot_be_told() -> None:
    take = taken()
    loop = best_loop(take.motion, take.frame.walked)
    whole = cycled(take, loop, 1500)
    assert len(whole) == 1500
    steps = np.linalg.norm(np.diff(whole.motion.positions, axis=0), axis=-1).max(axis=1)
    own = np.linalg.norm(np.diff(take.motion.positions, axis=0), axis=-1).max(axis=1)
    assert steps.max() < 1.02 * own.max()
    # and it gets ahead as the clip does
    assert whole.frame.walked[-1] / 1499 == pytest.approx(take.frame.walked[-1] / (len(take) - 1), rel=0.02)


def test_the_frames_before_the_seam_are_those_of_the_clip() -> None:
    take = taken()
    loop = best_loop(take.motion, take.frame.walked)
    whole = cycled(take, loop, 900)
    before = loop.last - loop.window // 2
    np.testing.assert_allclose(whole.motion.positions[:before], take.motion.positions[:before], atol=1e-3)
    np.testing.assert_allclose(whole.motion.rotations[:before, 1:], take.motion.rotations[:before, 1:], atol=1e-12)


def test_feet_stand_in_every_round() -> None:
    take = taken()
    assert take.feet is not None
    loop = best_loop(take.motion, take.frame.walked)
    whole = cycled(take, loop, loop.last + 5 * len(loop))
    assert whole.feet is not None
    down = as_contacts(whole.feet.plants, len(whole))
    rounds = [down[loop.last + n * len(loop) :][: len(loop)].mean(axis=0) for n in range(1, 5)]
    for share in rounds:
        assert share.min() > 0.2
        np.testing.assert_allclose(share, rounds[0], atol=0.05)


def test_as_many_frames_as_asked_for() -> None:
    take = taken()
    loop = best_loop(take.motion, take.frame.walked)
    for frames in (2, loop.first, loop.last, loop.last + 1, loop.last + len(loop), 777):
        made = cycled(take, loop, frames)
        assert len(made) == len(made.frame.walked) == frames


def test_without_feet_there_are_none() -> None:
    take = taken()
    bare = Footage(take.motion, take.frame, None)
    assert cycled(bare, best_loop(take.motion, take.frame.walked), 600).feet is None


def test_blended_frames_lie_between_the_two_that_are_mixed() -> None:
    take = taken("start")
    loop = Loop(120, 200, 20, 0.0)
    whole = cycled(take, loop, 300)
    knee = take.motion.skeleton.joint("left_knee")
    inside = whole.motion.rotations[192:208, knee, 0]
    first, second = (take.motion.rotations[at - 8 : at + 8, knee, 0] for at in (loop.last, loop.first))
    low, high = np.minimum(first, second) - 1e-6, np.maximum(first, second) + 1e-3
    assert ((inside >= low) & (inside <= high)).all()


def test_too_short_a_clip_is_refused() -> None:
    take = taken(frames=slice(0, 30))
    with pytest.raises(MotionError, match="too short to be repeated"):
        best_loop(take.motion, take.frame.walked)


def test_a_clip_that_does_not_get_ahead_has_no_loop() -> None:
    motion = samples.make("stand").motion
    with pytest.raises(MotionError, match="no part that can be repeated"):
        best_loop(motion, np.zeros(len(motion)))


def test_seams_are_a_third_of_a_second_where_there_is_room() -> None:
    take = taken()
    assert best_loop(take.motion, take.frame.walked).window == 20
    short = taken(frames=slice(0, 50))
    assert best_loop(short.motion, short.frame.walked).window < 20


def test_a_quick_stride_is_a_round() -> None:
    run = taken("run")
    short = run.upto(round(1.3 * run.motion.fps))
    loop = best_loop(short.motion, short.frame.walked)
    assert 0.4 <= len(loop) / short.motion.fps < 0.9
    assert loop.distance < 0.01


@pytest.mark.parametrize("more", [1, 8, 60])
def test_a_longer_one_begins_as_a_shorter_does(more: int) -> None:
    take = taken("start")
    loop = Loop(120, 200, 20, 0.0)
    for frames in (185, 195, 200, 205, 272, 281, 300):
        short, long = cycled(take, loop, frames), cycled(take, loop, frames + more)
        # what has no seam, nor any before it, is the clip itself, and not its course added up anew
        begin = 0 if frames > loop.last else frames
        np.testing.assert_allclose(long.motion.positions[begin:frames], short.motion.positions[begin:], atol=1e-9)
        np.testing.assert_allclose(long.frame.walked[begin:frames], short.frame.walked[begin:], atol=1e-9)


def test_a_seam_is_led_over_evenly_and_smoothly() -> None:
    take = taken("start")
    loop = Loop(120, 200, 20, 0.0)
    knee = take.motion.skeleton.joint("left_knee")
    made = cycled(take, loop, 300).motion.rotations[190:210, knee]
    first, second = (take.motion.rotations[at - 10 : at + 10, knee] for at in (loop.last, loop.first))
    share = rotation.angle_between(first, made) / rotation.angle_between(first, second)
    np.testing.assert_allclose(share + share[::-1], 1.0, atol=1e-3)
    # it begins and ends with neither speed nor acceleration, and is quickest in the middle
    assert share[1] < 0.005
    assert np.diff(share).argmax() == 9


def test_how_fast_it_gets_ahead_does_not_jump_at_a_seam() -> None:
    take = taken("start")
    # from a walk back to where it has just set off
    loop = Loop(70, 200, 20, 0.0)
    speed = np.diff(cycled(take, loop, 320).frame.walked)
    own = np.diff(take.frame.walked)
    gap = abs(own[loop.last] - own[loop.first])
    assert gap > 5 * np.abs(np.diff(own)).max()
    assert np.abs(np.diff(speed)).max() < 0.2 * gap


def test_bones_that_change_do_so_without_a_seam() -> None:
    take = taken()
    frames = len(take)
    offsets = np.broadcast_to(take.motion.skeleton.offsets, (frames, len(take.motion.skeleton), 3))
    longer = replace(take.motion, translations=offsets * (1 + 0.1 * np.linspace(0, 1, frames))[:, None, None])
    loop = best_loop(take.motion, take.frame.walked)
    made = cycled(Footage(longer, take.frame, None), loop, loop.last + 60).motion.translations
    assert made is not None
    growth = np.linalg.norm(made[:, 5], axis=-1) / np.linalg.norm(offsets[0, 5])
    gap = 0.1 * len(loop) / (frames - 1)
    assert np.ptp(growth) > 0.5 * gap
    assert np.abs(np.diff(growth)).max() < 0.15 * gap
