"""The frame that moves with a motion, and motions carried to other frames."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph.formats.registry import load
from kinegraph.motion import FloorTransform, Motion
from kinegraph.paths.moving import carried, moving_frame, residuals, track_of, turned
from kinegraph.samples import make


@pytest.fixture(scope="module")
def walk() -> Motion:
    return make("walk").motion


def test_a_motion_carried_to_its_own_frame_is_itself(walk: Motion) -> None:
    course = moving_frame(walk)
    same = carried(walk, course, course.points, course.heading)
    np.testing.assert_array_equal(same.root, walk.root)
    np.testing.assert_allclose(same.positions, walk.positions, atol=1e-12)


def test_residuals_do_not_depend_on_where_the_motion_lies(walk: Motion) -> None:
    placed = walk.place(FloorTransform(1.2, 3.0, -4.0))
    np.testing.assert_allclose(residuals(placed, moving_frame(placed)), residuals(walk, moving_frame(walk)), atol=1e-9)


def test_residuals_give_the_root_back(walk: Motion) -> None:
    course = moving_frame(walk)
    root = course.points + turned(residuals(walk, course), course.heading)
    np.testing.assert_allclose(root, walk.root[:, [0, 2]], atol=1e-12)


def test_carrying_is_placing_where_all_frames_move_alike(walk: Motion) -> None:
    transform = FloorTransform(-0.7, 1.0, 2.0)
    course = moving_frame(walk)
    flat = np.insert(course.points, 1, 0.0, axis=1)
    moved = carried(walk, course, transform.apply(flat)[:, [0, 2]], course.heading + transform.angle)
    np.testing.assert_allclose(moved.positions, walk.place(transform).positions, atol=1e-9)


def test_left_is_a_quarter_turn_from_the_way(walk: Motion) -> None:
    course = moving_frame(walk)
    ahead = np.stack([np.sin(course.heading), np.cos(course.heading)], axis=-1)
    np.testing.assert_allclose(course.left, turned(ahead, np.full(len(walk), np.pi / 2)), atol=1e-12)


def test_a_body_that_stands_walks_nothing(walk: Motion) -> None:
    frames = np.arange(len(walk))
    sway = np.stack([0.01 * np.sin(frames / 9), np.full(len(walk), 0.9), 0.01 * np.cos(frames / 13)], axis=-1)
    course = moving_frame(replace(walk, root=sway))
    assert course.walked[-1] == 0
    np.testing.assert_array_equal(course.heading, 0)
    assert moving_frame(walk[:1]).walked.tolist() == [0]


@pytest.mark.parametrize(("clip", "sway"), [("16_15", 0.004), ("16_47", 0.004)])
def test_the_sway_of_a_real_walk_is_taken_out(cmu: Path, clip: str, sway: float) -> None:
    motion = load(cmu / "acclaim" / "16" / f"{clip}.amc").resample(30)
    track = track_of(motion)
    # a straight walk: what strays from its line is sway
    middle = slice(20, -20)
    line = np.polyfit(track[middle, 1], track[middle, 0], 2)
    left = track[middle, 0] - np.polyval(line, track[middle, 1])
    raw = motion.root[middle, 0] - np.polyval(line, motion.root[middle, 2])
    assert np.abs(left).mean() < sway
    assert np.abs(raw).mean() > 2 * np.abs(left).mean()
