"""On the line: motions bent onto a path, within limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as File

import numpy as np
import pytest

from kinegraph.errors import MotionError
from kinegraph.formats.registry import load
from kinegraph.motion import FloorTransform, Motion
from kinegraph.paths import Path
from kinegraph.paths.moving import MovingFrame, moving_frame, track_of
from kinegraph.paths.shapes import circle, line
from kinegraph.paths.warp import BEND, SLIP, Warped, deviation, spline, strain, warp
from kinegraph.samples import make


@pytest.fixture(scope="module")
def walk() -> Motion:
    return make("walk").motion


def beside(motion: Motion, amplitude: float, period: float) -> Path:
    """A path that swings to both sides of where the motion goes."""
    course = moving_frame(motion)
    return Path(course.points + (amplitude * np.sin(2 * np.pi * course.walked / period))[:, None] * course.left)


def check_limits(motion: Motion, warped: Warped, bend: float = BEND, slip: float = SLIP) -> None:
    """The report tells the truth, and the limits are kept; measured on the motions themselves."""
    report = warped.report
    assert report.added_bend <= bend
    assert report.added_slip <= slip
    turn = np.unwrap(warped.motion.heading() - motion.heading())
    walked = np.diff(moving_frame(motion).walked)
    added = np.abs(np.diff(turn))[walked > 0] / walked[walked > 0]
    assert added.max() == pytest.approx(report.added_bend, abs=1e-6)
    # what stands on the floor under the root: carried by the frame's own transform and by the next one's
    flat = np.insert(motion.root[:-1, [0, 2]], 1, 0.0, axis=1)
    for frame in range(0, len(motion) - 1, 7):
        places = []
        for at in (frame, frame + 1):
            x, _, z = motion.root[at]
            new_x, _, new_z = warped.motion.root[at]
            there = FloorTransform(float(turn[at]), new_x, new_z) @ FloorTransform(0.0, -x, -z)
            places.append(there.apply(flat[frame]))
        assert np.linalg.norm(places[1] - places[0]) * motion.fps <= slip


def test_a_motion_on_the_line_stays_as_it_is(walk: Motion) -> None:
    warped = warp(walk, Path(track_of(walk)))
    np.testing.assert_allclose(warped.motion.positions, walk.positions, atol=1e-4)
    assert warped.report.held_back == 0
    assert warped.report.max_after < 1e-4


@pytest.mark.parametrize("clip", ["16_15", "16_47", "16_17", "16_35"])
def test_real_clips_stay_on_their_own_line(cmu: File, clip: str) -> None:
    motion = load(cmu / "acclaim" / "16" / f"{clip}.amc").resample(60)
    warped = warp(motion, Path(track_of(motion)))
    np.testing.assert_allclose(warped.motion.positions, motion.positions, atol=1e-4)


@pytest.mark.parametrize(("clip", "fps"), [("16_15", 30), ("16_15", 120), ("16_47", 30), ("16_35", 30), ("16_45", 30)])
def test_real_clips_follow_a_slow_swing(cmu: File, clip: str, fps: float) -> None:
    motion = load(cmu / "acclaim" / "16" / f"{clip}.amc").resample(fps)
    path = beside(motion, 0.10, 10.0)
    warped = warp(motion, path)
    report = warped.report
    assert report.mean_before > 0.05
    assert report.mean_after < 0.01
    assert report.max_after < 0.05
    assert report.held_back == 0
    check_limits(motion, warped)
    # measured anew on the warped motion
    after = deviation(path, track_of(warped.motion))
    assert after.mean() < 0.01
    assert after.max() < 0.05


@pytest.mark.parametrize("clip", ["16_15", "16_17", "16_31"])
def test_a_swing_too_tight_for_the_limits_is_followed_in_part(cmu: File, clip: str) -> None:
    motion = load(cmu / "acclaim" / "16" / f"{clip}.amc").resample(30)
    warped = warp(motion, beside(motion, 0.10, 4.0))
    report = warped.report
    assert report.held_back > 0.2
    assert report.mean_after < 0.5 * report.mean_before
    assert f"held back in {report.held_back:.0%}" in str(report)
    check_limits(motion, warped)


def test_looser_limits_come_nearer(walk: Motion) -> None:
    path = beside(walk, 0.1, 2.0)
    left = [warp(walk, path, bend=bend, slip=9.0).report.mean_after for bend in np.radians([1, 5, 20, 200])]
    assert np.all(np.diff(left) < 0)
    assert left[-1] < 0.005


def test_tighter_slip_holds_back(walk: Motion) -> None:
    path = beside(walk, 0.1, 4.0)
    loose, tight = warp(walk, path, bend=1.0), warp(walk, path, bend=1.0, slip=0.02)
    assert tight.report.mean_after > loose.report.mean_after
    check_limits(walk, loose, bend=1.0)
    check_limits(walk, tight, bend=1.0, slip=0.02)


def test_shifting_the_whole_motion_is_free(walk: Motion) -> None:
    course = moving_frame(walk)
    path = Path(course.points + np.array([0.07, 0.0]))
    report = warp(walk, path, bend=1e-3, slip=1e-3).report
    assert report.max_after < 1e-3


def test_speed_along_the_way_stays(cmu: File) -> None:
    motion = load(cmu / "acclaim" / "16" / "16_17.amc").resample(30)
    warped = warp(motion, beside(motion, 0.05, 5.0)).motion
    np.testing.assert_allclose(warped.speed(), motion.speed(), atol=SLIP)


def test_heights_and_joints_stay(walk: Motion) -> None:
    warped = warp(walk, beside(walk, 0.05, 4.0)).motion
    np.testing.assert_array_equal(warped.root[:, 1], walk.root[:, 1])
    np.testing.assert_allclose(warped.rotations[:, 1:], walk.rotations[:, 1:], atol=1e-12)
    np.testing.assert_allclose(warped.positions[..., 1], walk.positions[..., 1], atol=1e-9)


def test_progress_may_be_given(walk: Motion) -> None:
    path = beside(walk, 0.05, 5.0)
    start = path.reversed().points[:1] + 1.0
    longer = Path(np.concatenate([start, path.points]))
    progress = longer.lengths[1] + path.track(track_of(walk))[1]
    report = warp(walk, longer, progress).report
    assert report.mean_after < 0.005


def test_a_body_that_stands_is_moved_as_a_whole(walk: Motion) -> None:
    still = replace(walk, root=np.broadcast_to(walk.root[0], walk.root.shape))
    warped = warp(still, line(5.0).place(FloorTransform(0.0, 0.05, -2.0)))
    assert np.ptp(warped.motion.root, axis=0).max() < 1e-9
    assert warp(walk[:1], line(5.0)).motion.root.shape == (1, 3)


def test_far_from_the_path_it_holds_back_within_the_limits(walk: Motion) -> None:
    warped = warp(walk, circle(0.5))
    assert warped.report.held_back > 0.3
    check_limits(walk, warped)


def test_refusals(walk: Motion) -> None:
    with pytest.raises(MotionError, match="progress must be one arc length"):
        warp(walk, line(5), np.zeros(3))
    for limits in ({"bend": 0.0}, {"slip": -1.0}, {"bend": np.nan}):
        with pytest.raises(MotionError, match="limits of a warp"):
            warp(walk, line(5), **limits)


# -- its parts ------------------------------------------------------------------------------------------------------------


def test_turning_a_whole_course_is_no_strain() -> None:
    points = circle(3).at(np.arange(200) * 0.05)
    heading = np.arange(200) * 0.05 / 3
    course = MovingFrame(points, heading, np.arange(200) * 0.05)
    turn = FloorTransform(0.4, 2.0, -1.0)
    moved = turn.apply(np.insert(points, 1, 0.0, axis=1))[:, [0, 2]]
    bends, slips = strain(course, MovingFrame(moved, heading + 0.4, course.walked), 30.0)
    np.testing.assert_allclose(bends, 0, atol=1e-9)
    np.testing.assert_allclose(slips, 0, atol=1e-9)
    # sliding sideways at 10 cm/s is a slip of 10 cm/s
    slide = points + np.arange(200)[:, None] / 30 * [0.1, 0.0]
    np.testing.assert_allclose(strain(course, MovingFrame(slide, heading, course.walked), 30.0)[1][:-1], 0.1, atol=1e-9)


def test_deviation_beyond_the_ends_is_from_the_line_that_goes_on() -> None:
    walker = np.stack([np.full(40, 0.1), np.linspace(-1, 3, 40)], axis=-1)
    np.testing.assert_allclose(deviation(line(2), walker), 0.1, atol=1e-9)


def test_the_spline_keeps_lines_ends_and_bounds() -> None:
    places = np.linspace(-0.5, 9.5, 500)
    np.testing.assert_allclose(spline(3.0 + 2.0 * np.arange(10), places), 3 + 2 * places, atol=1e-12)
    controls = np.random.default_rng(0).normal(size=10)
    np.testing.assert_allclose(spline(controls, np.array([0.0, 9.0])), controls[[0, -1]], atol=1e-12)
    slope = np.diff(spline(controls, places)) / np.diff(places)
    assert np.abs(slope).max() <= np.abs(np.diff(controls)).max()


def test_ends_that_lie_off_the_paths_ends_are_brought_to_them() -> None:
    """A walk that sets out a little behind the path's beginning and goes on past its end is drawn in, within the limits."""
    motion = make("walk").motion.resample(30).at_origin()
    track = track_of(motion)
    path = Path(track[3:-3])
    before = path.track(track)[0]
    warped = warp(motion, path)
    after = path.track(track_of(warped.motion))[0]
    assert before[[0, -1]].min() > 0.05
    assert after.max() < 0.75 * before.max()
    assert warped.report.added_slip <= 0.10
