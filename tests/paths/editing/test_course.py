from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kinegraph as kg
from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.errors import MotionError
from kinegraph.motion import Motion, rotation
from kinegraph.motion.clip import concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths import moving
from kinegraph.paths.editing.course import (
    Course,
    absolute_residuals,
    course_of,
    polynomial_course,
    residuals,
    stride_course,
)
from kinegraph.paths.editing.fit import between_frames, fit_of, heading_residual, residual_table

WALK = samples.make("walk").motion
STRIDE = 1.3333  # metres of WALK


def moved(points: Array) -> Motion:
    """A body that goes along ``points (F, 2)`` at 60 frames/s; its limbs do not matter."""
    return moved_at(points, 60.0)


def moved_at(points: Array, fps: float) -> Motion:
    still = samples.make("stand").motion
    root = np.stack([points[:, 0], np.full(len(points), 0.9), points[:, 1]], axis=-1)
    return Motion(still.skeleton, root, np.tile(still.rotations[:1], (len(points), 1, 1)), fps)


def arc(radius: float, metres: float, sway: float = 0.0, phase: float = 0.0, speed: float = 1.25) -> Array:
    """Points along a circle to the left from the origin, at a walk, with a sway of one stride."""
    s = np.arange(round(60 * metres / speed) + 1) * speed / 60
    across = radius - sway * np.sin(2 * np.pi * s / STRIDE + phase)
    return np.stack([radius - across * np.cos(s / radius), across * np.sin(s / radius)], axis=-1)


def line(metres: float, sway: float, phase: float) -> Array:
    s = np.arange(round(60 * metres / 1.25) + 1) * 1.25 / 60
    return np.stack([sway * np.sin(2 * np.pi * s / STRIDE + phase), s + 0.01 * np.sin(4 * np.pi * s / STRIDE)], axis=-1)


# -- the spline that follows the stride ----------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", [0.8, 1.5, 3.0, 10.0])
def test_a_circle_keeps_its_radius_to_a_millimetre_up_to_both_ends(radius: float) -> None:
    course = stride_course(moved(arc(radius, 8.0)), STRIDE)
    points = course.curve.at(np.linspace(0, course.curve.length, 500))
    assert np.abs(np.hypot(points[:, 0] - radius, points[:, 1]) - radius).max() < (0.008 if radius < 1 else 0.001)
    assert course.curve.length == pytest.approx(8.0, abs=0.05)


@pytest.mark.parametrize("phase", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
def test_sway_is_no_part_of_the_path(phase: float) -> None:
    course = stride_course(moved(line(10.0, 0.025, phase)), STRIDE)
    heading = np.degrees(course.frame.heading)
    middle = slice(len(heading) // 4, -len(heading) // 4)
    # the root's own way swings by 6.7 degrees
    assert np.abs(heading[middle]).max() < 0.25
    assert np.abs(heading).max() < 3.5


def test_two_percent_of_a_sway_are_left() -> None:
    course = stride_course(moved(line(40.0, 0.025, 0.3)), STRIDE)
    inside = course.frame.points[len(course) // 3 : -len(course) // 3, 0]
    assert np.abs(inside).max() == pytest.approx(0.025 / 51, rel=0.1)


def test_swings_longer_than_a_stride_are_part_of_the_path() -> None:
    s = np.arange(0, 24, 1.25 / 60)
    wave = np.stack([0.5 * np.sin(2 * np.pi * s / (4 * STRIDE)), s], axis=-1)
    course = stride_course(moved(wave), STRIDE)
    inside = slice(60, -60)
    assert np.abs(course.frame.points - wave)[inside].max() < 0.02


def test_stiffness_follows_the_stride() -> None:
    for name in ("walk", "run", "walk_slow"):
        sample = samples.make(name)
        # as it is, with the stride it has, against the wavelength it should have found
        given = sample.speed * {"walk": 64 / 60, "run": 0.7, "walk_slow": 4 / 3}[name]
        found, wanted = stride_course(sample.motion), stride_course(sample.motion, given)
        assert found.curve.at(found.walked) == pytest.approx(wanted.curve.at(wanted.walked), abs=2e-4)
    soft = stride_course(WALK, 0.3)
    assert fit_of(WALK, soft).rms_cm < 0.5 * fit_of(WALK, stride_course(WALK)).rms_cm


def test_it_moves_along_with_the_motion() -> None:
    motion = samples.make("walk_left_medium").motion
    placed = FloorTransform(2.2, 130.0, -40.0)
    here, there = stride_course(motion), stride_course(motion.place(placed))
    assert there.walked == pytest.approx(here.walked, abs=1e-6)
    points = here.frame.points
    flat = np.stack([points[:, 0], np.zeros(len(points)), points[:, 1]], axis=-1)
    assert there.frame.points == pytest.approx(placed.apply(flat)[:, [0, 2]], abs=1e-6)
    turned = there.frame.heading - here.frame.heading
    assert np.ptp(turned) < 1e-6


def stand_walk_stand() -> Motion:
    rng = np.random.default_rng(7)
    sway = np.cumsum(rng.normal(size=(300, 2)), axis=0)
    still = 0.02 * sway / np.abs(sway).max()
    walk = line(6.0, 0.02, 0.5)
    return moved(np.concatenate([still + walk[0], walk, walk[-1] + still]))


def test_while_it_stands_the_path_stays_and_has_a_direction() -> None:
    motion = stand_walk_stand()
    course = stride_course(motion, STRIDE)
    steps = np.diff(course.walked)
    assert (steps >= 0).all()
    # the steadied way starts a little before the body does
    assert steps[:250].max() == 0
    assert steps[-250:].max() == 0
    assert np.abs(np.degrees(course.frame.heading)).max() < 5
    assert course.curve.length == pytest.approx(6.0, abs=0.15)


def test_where_it_stands_for_long_counts() -> None:
    still = np.tile([[0.05, 0.0]], (600, 1))
    course = stride_course(moved(np.concatenate([still, line(6.0, 0.0, 0.0)])), STRIDE)
    assert course.frame.points[0] == pytest.approx([0.05, 0.0], abs=0.045)
    assert course.frame.points[0, 0] > 0.03


def test_who_turns_back_makes_a_bend_and_no_cusp() -> None:
    go = np.linspace(0, 4, 193)
    there = np.stack([0.01 * np.sin(2 * np.pi * go / STRIDE), go], axis=-1)
    course = stride_course(moved(np.concatenate([there, there[::-1] + np.array([0.01, 0.0])])), STRIDE)
    heading = np.degrees(course.frame.heading)
    assert abs(heading[-1] - heading[0]) == pytest.approx(180, abs=5)
    # a walker turns by 300 degrees a second at most
    assert np.abs(np.diff(heading)).max() * 60 < 300
    s = np.linspace(0, course.curve.length, 2000)
    assert 1 / np.abs(course.curve.curvature(s)).max() > 0.05


@pytest.mark.parametrize("seconds", [0.4, 0.6, 1.0])
def test_short_clips_have_a_path(seconds: float) -> None:
    short = WALK[: round(60 * seconds)]
    course = stride_course(short)
    assert len(course) == len(short)
    assert np.abs(np.degrees(course.frame.heading)).max() < 10


@pytest.mark.parametrize("fps", [1.0, 120.0])
@pytest.mark.parametrize("frames", [2, 3, 5])
def test_few_frames_far_apart_are_joined_by_a_line(frames: int, fps: float) -> None:
    points = np.stack([np.zeros(frames), 2.0 * np.arange(frames)], axis=-1)
    course = stride_course(moved_at(points, fps))
    assert course.frame.points == pytest.approx(points, abs=1e-5)
    assert course.curve.length == pytest.approx(2.0 * (frames - 1), abs=1e-5)


def test_who_leaps_across_the_floor_is_taken_across_it() -> None:
    points = np.stack([np.zeros(300), np.linspace(0, 6, 300)], axis=-1)
    points[150:, 1] += 30
    course = stride_course(moved(points))
    along = course.curve.at(np.linspace(0, course.curve.length, 500))
    assert np.abs(along[:, 0]).max() < 0.05
    assert along[:, 1].min() > -0.5
    assert along[:, 1].max() < 36.5


# -- polynomials -------------------------------------------------------------------------------------------------------


def test_a_polynomial_is_fitted_over_time() -> None:
    t = np.arange(120) / 60
    motion = moved(np.stack([t**2 - t, 3 * t], axis=-1))
    course = polynomial_course(motion, 2)
    assert course.frame.points == pytest.approx(motion.root[:, [0, 2]], abs=1e-9)
    assert course.walked[0] == pytest.approx(0, abs=1e-12)
    assert course.walked[-1] == pytest.approx(course.curve.length)
    assert np.tan(course.frame.heading) == pytest.approx((2 * t - 1) / 3, abs=1e-6)


def test_the_choice() -> None:
    for degree in (3, None):
        asked = course_of(WALK, degree)
        other = stride_course(WALK) if degree is None else polynomial_course(WALK, degree)
        assert asked.frame.points.tolist() == other.frame.points.tolist()


# -- residuals ---------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10_000), degree=st.sampled_from([None, 1, 4]))
def test_residuals_on_the_path_are_the_motion(seed: int, degree: int | None) -> None:
    rng = np.random.default_rng(seed)
    name = ("walk", "walk_left_tight", "run", "start")[seed % 4]
    motion = samples.make(name).motion.place(FloorTransform(*rng.normal(size=3)))
    course = course_of(motion, degree)
    found = residuals(motion, course)
    frame = course.frame
    turn = rotation.about_y(frame.heading)
    root = rotation.rotate(turn, found.translation)
    root[:, [0, 2]] += frame.points
    assert root == pytest.approx(motion.root, abs=1e-9)
    back = rotation.multiply(turn, found.orientation)
    assert rotation.angle_between(back, motion.rotations[:, 0]).max() < 1e-6
    # unit, and continuous in time
    assert np.sum(found.orientation[1:] * found.orientation[:-1], axis=-1).min() > 0
    laid = moving.carried(motion, frame, frame.points, frame.heading)
    assert laid.root.tolist() == motion.root.tolist()


def test_relative_residuals_do_not_know_where_the_path_leads_and_absolute_ones_do() -> None:
    motion = samples.make("walk_left_medium").motion
    turned = motion.place(FloorTransform(1.0, 5.0, 5.0))
    for find, same in ((residuals, True), (absolute_residuals, False)):
        one, two = find(motion, stride_course(motion)), find(turned, stride_course(turned))
        assert np.allclose(one.translation, two.translation, atol=1e-6) == same
        apart = rotation.angle_between(one.orientation, two.orientation)
        assert apart == pytest.approx(0.0 if same else 1.0, abs=1e-5)


def test_left_up_ahead() -> None:
    straight = np.stack([np.zeros(200), np.linspace(0, 4, 200)], axis=-1)
    motion = moved(straight)
    course = stride_course(motion)
    aside = replace(motion, root=motion.root + np.array([0.1, 0.0, 0.2]))
    assert residuals(aside, course).translation == pytest.approx(np.tile([0.1, 0.9, 0.2], (200, 1)), abs=1e-6)
    east = moved(straight[:, ::-1])
    aside = replace(east, root=east.root + np.array([0.2, 0.0, -0.1]))
    assert residuals(aside, stride_course(east)).translation == pytest.approx(
        np.tile([0.1, 0.9, 0.2], (200, 1)), abs=1e-6
    )


def test_a_course_cannot_be_written_to() -> None:
    course = stride_course(WALK)
    with pytest.raises(ValueError, match="read-only"):
        course.walked[0] = 1.0
    assert isinstance(course, Course)


# -- how well it fits --------------------------------------------------------------------------------------------------


def test_the_table() -> None:
    table = residual_table(WALK, [1, 4, 13])
    assert [row.degree for row in table] == [1, 4, 13, None]
    assert [row.rms_cm for row in table[:3]] == sorted((row.rms_cm for row in table[:3]), reverse=True)
    for row in table:
        course = course_of(WALK, row.degree)
        apart = 100 * np.hypot(*(WALK.root[:, [0, 2]] - course.frame.points).T)
        assert row.rms_cm == pytest.approx(np.sqrt(np.mean(apart**2)))
        assert row.max_cm == pytest.approx(apart.max())
        assert row.max_degrees == pytest.approx(np.degrees(np.abs(heading_residual(WALK, course)).max()))
        assert row.length == course.curve.length


def test_headings_are_about_their_mean_and_need_no_hips() -> None:
    course = stride_course(WALK)
    sideways = replace(WALK, rotations=np.concatenate(
        [rotation.multiply(rotation.about_y(1.2), WALK.rotations[:, :1]), WALK.rotations[:, 1:]], axis=1
    ))  # fmt: skip
    assert heading_residual(sideways, course) == pytest.approx(heading_residual(WALK, course), abs=1e-6)
    names = tuple(f"q{index}" for index in range(len(WALK.skeleton)))
    nameless = replace(WALK, skeleton=replace(WALK.skeleton, names=names))
    assert np.abs(np.degrees(heading_residual(nameless, course))).max() < 15


def test_a_curve_that_swings_out_between_frames_is_seen() -> None:
    class Bulging:
        length = 10.0

        def at(self, s: Array) -> Array:
            s = np.asarray(s)
            return np.stack([0.3 * np.sin(np.pi * s) ** 2, s], axis=-1)

        def heading(self, s: Array) -> Array:
            return np.zeros(np.shape(s))

        curvature = height = heading

    assert between_frames(Course(Bulging(), np.arange(11.0))) == pytest.approx(0.3)
    assert between_frames(stride_course(WALK)) < 1e-4


# -- what has no path --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("degree", [None, 2])
@pytest.mark.parametrize("name", ["stand", "jump", "punch_high_left"])
def test_who_stands_has_no_path(name: str, degree: int | None) -> None:
    with pytest.raises(MotionError, match=r"this clip stands, or hardly leaves its place: its root goes \d+ cm in all"):
        course_of(samples.make(name).motion, degree)


@pytest.mark.parametrize("frames", [1, 2])
def test_a_frame_or_two_have_no_path(frames: int) -> None:
    with pytest.raises(MotionError, match="this clip stands"):
        stride_course(WALK[:frames])


@pytest.mark.parametrize("stiffness", [0.0, -1.0, 0.01, np.inf, np.nan])
def test_no_such_stiffness(stiffness: float) -> None:
    with pytest.raises(MotionError, match=r"a wavelength of 0\.05 metres or more"):
        stride_course(WALK, stiffness)


def test_no_such_degree() -> None:
    with pytest.raises(MotionError, match="1 to 45, got 46"):
        polynomial_course(WALK, 46)


# -- captured motion ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["143_04", "143_38"])
def test_on_an_eight_residuals_fall_with_the_degree(cmu: Path, name: str) -> None:
    motion = kg.load(cmu / "bvh" / f"{name}.bvh")
    *polynomials, spline = residual_table(motion, [2, 4, 13, 45])
    rms = [row.rms_cm for row in polynomials]
    assert rms == sorted(rms, reverse=True)
    assert rms[-1] < 1.5
    assert max(row.between_cm for row in polynomials) < 0.05
    # no polynomial that keeps clear of the sway comes as near
    assert spline.rms_cm < 3
    assert spline.between_cm < 0.05


@pytest.mark.parametrize("name", ["16_15", "16_31", "16_47", "16_35"])
def test_a_straight_walk_has_a_straight_path(cmu: Path, name: str) -> None:
    motion = kg.load(cmu / "acclaim" / "16" / f"{name}.amc")
    course = stride_course(motion)
    heading = np.degrees(course.frame.heading)
    assert np.ptp(heading) < 6
    assert fit_of(motion, course).max_cm < 4.5


def test_of_a_long_motion_too() -> None:
    long = concatenate([WALK.place(FloorTransform(0.0, 0.0, 16 / 3 * index)) for index in range(20)])
    course = stride_course(long)
    assert course.curve.length == pytest.approx(20 * 16 / 3, abs=0.1)
    assert np.abs(np.degrees(course.frame.heading[300:-300])).max() < 0.5
