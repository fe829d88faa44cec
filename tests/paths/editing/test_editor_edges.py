"""Paths and clips at the edge of what can be laid: narrow, tiny, endless, steep; found by trying."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import MotionError
from kinegraph.motion.clip import Motion
from kinegraph.paths.bspline import Spline
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.editor import repath
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import shape


def clip(name: str = "walk") -> Motion:
    return samples.make(name).motion


@pytest.mark.parametrize("name", ["walk_left_tight", "sneak"])
def test_knees_are_calm_on_hills_with_legs_of_one_length(name: str) -> None:
    for path, grade in (("circle:1.5", -0.2), ("circle:1.5", 0.3), ("line:12", 0.3)):
        made = repath(clip(name), path, ground=f"slope:{grade}", stretch=0.0)
        assert made.knee_speed <= made.knee_limit
        assert made.slides.overall[1] < 0.005


@pytest.mark.parametrize("curve", [Spline([[0, 0], [0, 6], [0.3, 6], [0.3, 0]]), Path([[0, 0], [0, 4], [0.8, 0]])])
def test_a_narrow_bend_is_walked_to_its_far_end(curve: Curve) -> None:
    made = repath(clip(), curve, cycle=True, feet=False)
    far = curve.at(np.linspace(0, curve.length, 500))[:, 1].max()
    assert made.frame.points[:, 1].max() > far - 0.6


def test_a_small_square_does_not_vanish() -> None:
    assert repath(clip("run"), "square:0.5", end="restart", feet=False).curve.length > 0.5


@pytest.mark.parametrize("back", [0.0, 0.1])
def test_a_hairpin_is_turned_in_good_time(back: float) -> None:
    made = repath(clip(), Path([[0, 0], [0, 2], [back, 0]]))
    assert np.abs(np.diff(made.frame.heading)).max() * made.motion.fps < 6.1
    joints = np.linalg.norm(np.diff(made.motion.positions, axis=0), axis=-1) * made.motion.fps
    assert joints.max() < 15


def test_a_straight_course_has_no_radius_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        repath(clip(), "circle:2", degree=1, feet=False)


def test_natural_bends_do_not_begin_an_endless_path_again() -> None:
    made = repath(clip("walk_left_tight"), "line:100", natural=True, end="restart", feet=False)
    assert made.cuts == ()
    assert made.notices == ()


def test_seconds_are_kept_with_natural_bends() -> None:
    made = repath(clip(), "circle:1", natural=True, cycle=True, seconds=10.0, end="restart", feet=False)
    assert made.motion.seconds == pytest.approx(10.0, abs=0.1)
    assert len(repath(clip(), "circle:1", natural=True, cycle=True, seconds=0.01).motion) == 2


@pytest.mark.parametrize("seconds", [None, 5.0])
def test_too_few_frames_a_second_are_not_repeated(seconds: float | None) -> None:
    with pytest.raises(MotionError, match="resample it to 10 or more"):
        repath(clip().resample(2.0), "circle:2", cycle=True, seconds=seconds, end="onward")


def test_a_spiral_ramp_is_not_a_lap() -> None:
    turn = np.linspace(0, 2 * np.pi, 400)
    ramp = Path(2 * np.stack([1 - np.cos(turn), np.sin(turn)], -1), 0.15 * turn)
    made = repath(clip(), ramp, cycle=True, seconds=20.0, end="restart", feet=False)
    assert made.cuts


def test_six_tenths_of_a_second_can_be_repeated_as_the_message_says() -> None:
    assert repath(clip("run")[:36], "line:9", cycle=True, feet=False).s[-1] > 8.9


def test_a_long_clip_is_repeated_without_comparing_all_of_it() -> None:
    long = repath(clip(), "circle:2", cycle=True, seconds=120.0).motion
    made = repath(long, shape("circle:5"), cycle=True, seconds=200.0)
    assert made.loop is not None
    assert made.loop.distance < 0.01
