"""A motion laid on paths: its own, others, longer, shorter, up and down."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest

from kinegraph import load, samples
from kinegraph.arrays import Array
from kinegraph.errors import MotionError, Unsatisfied
from kinegraph.evaluation.usual import usual_of, velocity_jumps
from kinegraph.feet import knees
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing import editor as editor_module
from kinegraph.paths.editing.course import course_of
from kinegraph.paths.editing.cycle import cycled
from kinegraph.paths.editing.editor import PathEditor, repath
from kinegraph.paths.ground import ground as read_ground
from kinegraph.paths.path import Path
from kinegraph.paths.reading import read_curve, write
from kinegraph.paths.shapes import shape
from tests.feet.skating import bone_lengths

WALKERS = [name for name in samples.names() if samples.make(name).speed > 0]
CAPTURED = ["16_15", "16_35", "143_04", "143_38"]


def walk() -> Motion:
    return samples.make("walk").motion


def captured(cmu: File, name: str) -> Motion:
    return load(cmu / "bvh" / f"{name}.bvh")


def furthest(a: Motion, b: Motion) -> float:
    return float(np.linalg.norm(a.positions - b.positions, axis=-1).max())


# -- the motion's own path ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WALKERS)
@pytest.mark.parametrize("degree", [None, 3, 12])
def test_its_own_path_gives_the_motion_back(name: str, degree: int | None) -> None:
    motion = samples.make(name).motion
    editor = PathEditor(motion, degree=degree)
    assert furthest(editor.lay(editor.course.curve, feet=False).motion, motion) < 1e-9


@pytest.mark.parametrize("name", CAPTURED)
def test_a_captured_motion_on_its_own_path_is_itself(cmu: File, name: str) -> None:
    motion = captured(cmu, name)
    editor = PathEditor(motion)
    for feet in (False, True):
        assert furthest(editor.lay(editor.course.curve, feet=feet).motion, motion) < 1e-9


@pytest.mark.parametrize("suffix", [".json", ".csv"])
def test_its_own_path_out_of_a_file_gives_the_motion_back(cmu: File, tmp_path: File, suffix: str) -> None:
    motion = captured(cmu, "16_15")
    curve = course_of(motion).curve
    assert isinstance(curve, Spline)
    file = tmp_path / f"own{suffix}"
    write(curve if suffix == ".json" else curve.path(0.005), file)
    assert furthest(repath(motion, read_curve(str(file))).motion, motion) < 1e-4


def test_feet_that_stand_still_are_left_alone_when_the_whole_is_moved() -> None:
    sample = samples.make("walk")
    editor = PathEditor(sample.motion, contacts=sample.contacts)
    there = FloorTransform(0.7, 2.0, -1.0)
    made = editor.lay(editor.course.curve, start=there)
    # but for the fastest knee, which is kept a hair below what is usual
    assert furthest(made.motion, sample.motion.place(there)) < 0.001


@pytest.mark.parametrize("aside", [0.001, 0.02])
def test_a_path_hardly_beside_its_own_is_another(aside: float) -> None:
    sample = samples.make("walk")
    editor = PathEditor(sample.motion, contacts=sample.contacts)
    there = FloorTransform(0.0, aside, 0.0)
    made = editor.lay(editor.course.curve, start=there)
    assert made.notices == ()
    assert furthest(made.motion, sample.motion.place(there)) < 0.001


def test_its_own_path_over_a_slope_is_not_left_as_it_was() -> None:
    motion = walk()
    made = repath(motion, course_of(motion).curve, ground=slope(0.2))
    assert not any("the clip's own" in notice for notice in made.notices)
    assert made.off_ground.max() < 0.01
    rise = made.motion.root[-1, 1] - made.motion.root[0, 1]
    assert rise == pytest.approx(0.2 * float(np.ptp(made.frame.points[:, 1])), abs=0.1)


def test_its_own_path_across_a_slope_has_feet_on_it() -> None:
    motion = walk()
    made = repath(motion, course_of(motion).curve, ground=slope(0.0, 0.2))
    assert made.off_ground.max() < 0.01
    assert not any("left as it was captured" in notice for notice in made.notices)


# -- speed and time --------------------------------------------------------------------------------------------------------


def pace(points: Array) -> Array:
    return np.hypot(*np.diff(points, axis=0).T)


@pytest.mark.parametrize("path", ["circle:1.2", "eight:2", "wave:20,1", "drawn:30,3", "line:30"])
@pytest.mark.parametrize("name", ["walk", "walk_left_tight", "run", "start"])
def test_the_speed_is_that_of_the_motion(name: str, path: str) -> None:
    motion = samples.make(name).motion
    made = repath(motion, shape(path), end="onward")
    own = course_of(motion).walked
    assert len(made.motion) == len(motion)
    np.testing.assert_allclose(np.diff(made.s), np.diff(own), rtol=1e-9, atol=1e-12)
    # on the floor too, where a frame of a walk cuts hardly anything off a bend
    moving = np.diff(own) > 1e-3
    assert np.abs(pace(made.frame.points)[moving] / np.diff(own)[moving] - 1).max() < 0.01


@pytest.mark.parametrize("length", [2.0, 12.0])
def test_with_its_time_kept_the_speed_scales_with_the_path(length: float) -> None:
    motion = walk()
    made = repath(motion, shape(f"line:{length}"), keep="time", feet=False)
    assert len(made.motion) == len(motion)
    assert made.s[-1] == pytest.approx(length)
    own = course_of(motion).walked
    np.testing.assert_allclose(np.diff(made.s) * own[-1] / length, np.diff(own), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("grade", [-0.4, 0.5])
def test_with_its_time_kept_a_hill_is_walked_to_its_end(grade: float) -> None:
    made = repath(walk(), shape("line:3"), keep="time", ground=slope(grade), feet=False)
    assert len(made.motion) == len(walk())
    assert made.s[-1] == pytest.approx(3.0)


def test_the_body_keeps_its_place_relative_to_the_path() -> None:
    motion = walk()
    made = repath(motion, shape("circle:2"), feet=False)
    for at in (0, 100, len(made.motion) - 1):
        source, target = (
            FloorTransform(float(frame.heading[at]), *map(float, frame.points[at]))
            for frame in (made.source, made.frame)
        )
        moved = (target @ source.inverse()).apply(motion.positions[at])
        np.testing.assert_allclose(made.motion.positions[at], moved, atol=1e-9)


def test_absolute_residuals_do_not_turn_with_the_path() -> None:
    motion = walk()
    made = repath(motion, shape("circle:1"), feet=False, absolute=True)
    np.testing.assert_allclose(made.motion.rotations, motion.rotations[: len(made.motion)], atol=1e-12)
    np.testing.assert_allclose(made.frame.points, shape("circle:1").at(made.s), atol=1e-12)


# -- feet ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["circle:1.5", "zigzag:2,8", "eight:2", "drawn:40,1", "line:40"])
@pytest.mark.parametrize("name", CAPTURED)
def test_feet_stay_put_and_knees_are_calm(cmu: File, name: str, path: str) -> None:
    motion = captured(cmu, name)
    made = repath(motion, shape(path))
    mean, most = made.slides.overall
    assert made.slides_before.overall[1] > 0.01
    assert mean < 0.001
    assert most < 0.005
    assert made.knee_speed <= knees.usual(motion)
    assert made.sunk < 0.005
    # as much of the time as in the clip
    assert not any("let go" in notice for notice in made.notices)


def test_every_footstep_of_the_clip_is_there() -> None:
    sample = samples.make("walk")
    made = repath(sample.motion, shape("circle:2"), contacts=sample.contacts)
    assert made.contacts is not None
    np.testing.assert_array_equal(
        made.contacts, PathEditor(sample.motion, contacts=sample.contacts).lay(shape("line:9")).contacts
    )
    assert made.contacts.any(axis=0).all()


def test_bones_that_change_are_carried_too() -> None:
    motion = walk()
    offsets = np.broadcast_to(motion.skeleton.offsets, (len(motion), len(motion.skeleton), 3))
    longer = replace(motion, translations=offsets * 1.01)
    made = repath(longer, shape("circle:2"), feet=False)
    assert made.motion.translations is not None
    np.testing.assert_array_equal(made.motion.translations, longer.translations[: len(made.motion)])  # type: ignore[index]


def test_what_legs_cannot_reach_is_let_go_and_told() -> None:
    motion = walk()
    made = repath(motion, shape("line:16"), keep="time")
    assert any("let go" in notice for notice in made.notices)
    assert made.slides.overall[1] < 0.005
    assert made.knee_speed <= knees.usual(motion)
    assert made.motion.notices[-len(made.notices) :] == made.notices


@pytest.mark.parametrize("stretch", [0.0, 0.01])
def test_bones_change_no_more_than_they_may(stretch: float) -> None:
    motion = walk()
    made = repath(motion, shape("line:9"), keep="time", stretch=stretch)
    change = bone_lengths(made.motion) / np.maximum(bone_lengths(motion), 1e-9) - 1
    assert np.abs(change).max() == pytest.approx(stretch, abs=1e-9)


@pytest.mark.parametrize("natural", [False, True])
def test_feet_that_stand_are_flat_however_the_body_leans(natural: bool) -> None:
    sample = samples.make("walk")
    made = repath(sample.motion, shape("circle:0.8"), contacts=sample.contacts, natural=natural, end="restart")
    assert made.feet is not None
    assert made.contacts is not None
    for side, sole in enumerate(made.feet.soles):
        before, after = (down[:, 2 * side] & down[:, 2 * side + 1] for down in (sample.contacts, made.contacts))
        up = rotation.rotate(
            rotation.inverse(sample.motion.orientations[before, sole.ankle]), np.array([0.0, 1.0, 0.0])
        ).mean(axis=0)
        there = rotation.rotate(made.motion.orientations[after, sole.ankle], up / np.linalg.norm(up))
        assert np.degrees(np.arccos(np.minimum(there[:, 1], 1.0))).max() < 0.2


# -- hills -----------------------------------------------------------------------------------------------------------------


def slope(grade: float, x: float = 0.0):  # type: ignore[no-untyped-def]
    return lambda points: grade * points[..., 1] + x * points[..., 0]


@pytest.mark.parametrize("grade", [-0.25, -0.1, 0.1, 0.25])
def test_feet_stand_on_the_slope_and_the_body_upright(cmu: File, grade: float) -> None:
    motion = captured(cmu, "16_15")
    flat = repath(motion, shape("line:20"))
    made = repath(motion, shape("line:20"), ground=slope(grade))
    assert made.off_ground.max() < 0.01
    assert made.sunk < 0.01
    mean, most = made.slides.overall
    assert mean < 0.001
    assert most < 0.005
    assert made.knee_speed <= knees.usual(motion)
    # the pelvis is as upright as on the level
    np.testing.assert_allclose(made.motion.rotations[:, 0], flat.motion.rotations[: len(made.motion), 0], atol=1e-9)
    # and as far over the ground, but for what legs need
    over = made.motion.root[:, 1] - grade * made.frame.points[:, 1] - motion.root[: len(made.motion), 1]
    assert over.max() < 0.02
    assert over.min() > -0.15


def test_the_way_up_is_walked_at_the_speed_of_the_clip() -> None:
    motion = walk()
    made = repath(motion, shape("line:20"), ground=slope(0.5))
    own = course_of(motion).walked
    np.testing.assert_allclose(np.diff(made.s) * np.hypot(1.0, 0.5), np.diff(own), rtol=1e-6, atol=1e-12)


def test_a_path_with_altitude_is_ground_as_a_height_field_is() -> None:
    motion = walk()
    z = np.linspace(0.0, 9.0, 901)
    rolling = 0.2 * np.sin(z)
    path = Path(np.stack([np.zeros_like(z), z], axis=-1), rolling)
    made = repath(motion, path)
    field = repath(motion, shape("line:9"), ground=lambda points: 0.2 * np.sin(points[..., 1]))
    assert made.off_ground.max() < 0.01
    assert furthest(made.motion, field.motion) < 0.01


def test_a_ramp_that_passes_over_itself_has_the_height_of_its_own_turn() -> None:
    motion = walk()
    turns = np.linspace(0.0, 4 * np.pi, 2000)
    radius = 1.2
    points = radius * np.stack([1 - np.cos(turns), np.sin(turns)], axis=-1)
    ramp = Path(points, 0.1 * radius * turns)
    made = repath(motion, ramp, cycle=True)
    assert made.s[-1] > 0.95 * ramp.length
    assert made.off_ground.max() < 0.01
    assert made.motion.root[-1, 1] - made.motion.root[0, 1] == pytest.approx(0.1 * ramp.length, abs=0.2)


@pytest.mark.parametrize("grade", [-0.4, 0.4])
def test_on_a_steep_slope_the_body_comes_down_as_far_as_legs_need(grade: float) -> None:
    made = repath(walk(), shape("line:20"), ground=slope(grade))
    assert made.reached is not None
    leg = walk().skeleton.leg_length
    # further than on the level, where 0.1 leg lengths are the most
    assert 0.12 * leg < made.reached.lowered.max() < 0.2 * leg
    assert made.let_go == 0.0
    assert made.knee_speed <= made.knee_limit


def test_the_body_does_not_follow_every_kink_of_the_ground() -> None:
    motion = walk()
    made = repath(motion, Path([[0, 0], [0, 2], [0, 3], [0, 8]], [0, 0, 0.4, 0.4]))
    rise = made.carried.root[:, 1] - motion.root[: len(made.motion), 1]
    # m/s²: at 1.25 m/s a kink of 40 % within a frame would be some 20
    assert np.abs(np.diff(rise, 2)).max() * motion.fps**2 < 3.0
    assert made.terrain is not None
    assert np.abs(rise - made.terrain.along(made.s)).max() < 0.03


def test_hills_are_leant_round_too() -> None:
    made = repath(walk(), shape("circle:1"), natural=True, ground=slope(0.25), end="restart")
    assert made.off_ground.max() < 0.01
    assert made.sunk < 0.005
    assert made.slides.overall[1] < 0.005
    assert made.let_go == 0.0


@pytest.mark.parametrize("natural", [False, True])
def test_level_ground_however_high_is_the_floor(natural: bool) -> None:
    sample = samples.make("walk")
    editor = PathEditor(sample.motion, contacts=sample.contacts)
    floor, high = (
        editor.lay(shape("circle:1.5"), natural=natural, ground=lambda points, up=up: np.full(points.shape[:-1], up))
        for up in (0.0, 0.5)
    )
    np.testing.assert_allclose(high.motion.positions - [0.0, 0.5, 0.0], floor.motion.positions, atol=1e-6)


def test_ground_that_is_too_steep_is_refused_with_where() -> None:
    with pytest.raises(MotionError, match=r"rises by 150% at 0\.00 m of the path"):
        repath(walk(), shape("line:9"), ground=slope(1.5))
    with pytest.raises(MotionError, match="nobody walks"):
        repath(walk(), Path([[0, 0], [0, 5], [0, 6], [0, 9]], [0, 0, 2, 2]))


# -- ends ------------------------------------------------------------------------------------------------------------------


def test_a_path_that_is_too_short_ends_the_motion() -> None:
    made = repath(walk(), shape("line:2"))
    assert made.s[-1] == pytest.approx(2.0, abs=0.03)
    assert made.s[-1] <= 2.0 + 3e-4
    assert len(made.motion) < len(walk())


def test_onward_goes_straight_ahead_after_the_end() -> None:
    made = repath(walk(), Path([[0, 0], [0, 2]]), end="onward")
    assert len(made.motion) == len(walk())
    assert np.abs(made.frame.points[:, 0]).max() < 1e-9
    assert made.frame.points[-1, 1] == pytest.approx(made.s[-1])


def test_a_closed_path_is_walked_round_again() -> None:
    circle = shape("circle:0.6")
    made = repath(walk(), circle, end="restart")
    assert len(made.motion) == len(walk())
    assert made.s[-1] > circle.length
    # nothing jumps at the end of the lap
    assert pace(made.frame.points).max() < 1.01 * np.diff(course_of(walk()).walked).max()
    assert np.abs(np.diff(made.frame.heading)).max() < 0.1
    away = np.hypot(*(made.frame.points - [0.6, 0.0]).T)
    assert np.abs(away - 0.6).max() < 0.001


def test_an_open_path_is_begun_again_from_its_beginning() -> None:
    once = repath(walk(), shape("line:2"))
    made = repath(walk(), shape("line:2"), end="restart")
    count = len(once.motion)
    assert len(made.motion) == len(walk())
    np.testing.assert_array_equal(
        made.motion.root[count : 2 * count], made.motion.root[: min(count, len(walk()) - count)]
    )
    assert any("begins again" in notice for notice in made.notices)
    assert made.slides.overall[1] < 0.005


def test_the_clip_is_as_long_as_it_was_where_the_path_ends_just_before_it() -> None:
    own = course_of(walk()).walked
    made = repath(walk(), shape(f"line:{own[-10]:.6f}"), end="restart")
    assert len(made.motion) == len(walk())
    assert made.cuts == (len(walk()) - 9,)
    # a body that begins anew elsewhere has no knee that snaps
    assert made.knee_speed <= knees.usual(walk())


@pytest.mark.parametrize("end", ["stop", "onward"])
def test_a_path_is_left_where_it_is_or_taken_to_the_clip_from_anywhere(end: str) -> None:
    motion = walk().place(FloorTransform(-2.0, 3.0, -4.0))
    curve = shape("wave:20,1").place(FloorTransform(2.5, -7.0, 1.0))
    here = repath(motion, curve, feet=False, end=end)  # type: ignore[arg-type]
    np.testing.assert_allclose(here.frame.points[0], curve.at(0.0), atol=1e-9)
    there = repath(motion, curve, start="clip", feet=False, end=end)  # type: ignore[arg-type]
    assert np.linalg.norm(there.motion.positions[0] - motion.positions[0], axis=-1).max() < 1e-6
    # and is the same path there
    np.testing.assert_allclose(pace(there.frame.points), pace(here.frame.points), atol=1e-9)
    np.testing.assert_allclose(np.diff(there.frame.heading), np.diff(here.frame.heading), atol=1e-9)


def test_the_path_can_be_brought_to_the_clip() -> None:
    motion = walk().place(FloorTransform(1.0, 3.0, -4.0))
    made = repath(motion, shape("circle:2"), start="clip", feet=False)
    assert np.linalg.norm(made.motion.positions[0] - motion.positions[0], axis=-1).max() < 1e-6


# -- cycling ---------------------------------------------------------------------------------------------------------------


def test_three_seconds_become_two_minutes_without_a_seam(cmu: File) -> None:
    whole = captured(cmu, "16_15")
    clip = whole[60 : 60 + round(3 * whole.fps)]
    made = repath(clip, shape("eight:3"), cycle=True, seconds=120.0, end="restart")
    assert made.loop is not None
    assert made.motion.seconds == pytest.approx(120.0, abs=0.05)
    usual = usual_of([clip]).velocity_jump
    assert usual is not None
    jumps = velocity_jumps(made.motion) / usual
    half = made.loop.window // 2 + 2
    for seam in range(made.loop.last, len(jumps) - half, len(made.loop)):
        assert jumps[seam - half : seam + half].max() <= 1.5
    assert jumps.max() <= 1.5
    mean, most = made.slides.overall
    assert mean < 0.001
    assert most < 0.005
    assert made.knee_speed <= knees.usual(clip)


def test_cycling_ends_with_the_path() -> None:
    path = shape("eight:3")
    made = repath(walk(), path, cycle=True)
    assert made.s[-1] <= path.length + 3e-4
    assert made.s[-1] == pytest.approx(path.length, abs=0.05)


@pytest.mark.parametrize("seconds", [1.0, 4.0, 7.3, 31.0])
def test_a_cycled_motion_lasts_as_long_as_asked_for(seconds: float) -> None:
    motion = walk()
    made = repath(motion, shape("circle:2"), cycle=True, seconds=seconds, end="restart", feet=False)
    assert len(made.motion) == round(seconds * motion.fps)


def test_what_is_long_enough_is_not_repeated() -> None:
    motion = walk()
    length = float(course_of(motion).walked[-1])
    assert repath(motion, shape(f"line:{0.8 * length:.3f}"), cycle=True, feet=False).loop is None
    assert repath(motion, shape(f"line:{1.2 * length:.3f}"), cycle=True, feet=False).loop is not None


@pytest.mark.parametrize("grade", [-0.5, 0.5])
def test_cycling_uphill_ends_with_the_path_too(grade: float) -> None:
    made = repath(walk(), shape("line:30"), cycle=True, ground=slope(grade), feet=False)
    assert made.s[-1] == pytest.approx(30.0, abs=0.05)


def test_on_a_closed_path_seconds_are_laps() -> None:
    made = repath(walk(), "circle:1", cycle=True, seconds=20.0)
    assert made.motion.seconds == pytest.approx(20.0, abs=0.05)
    assert made.notices == ()


def test_a_path_that_ends_before_the_seconds_do_is_told() -> None:
    made = repath(walk(), "line:5", cycle=True, seconds=20.0)
    assert made.s[-1] == pytest.approx(5.0, abs=0.05)
    (notice,) = made.notices
    assert "the path ends after 4.0 s of 20" in notice


def test_a_cycle_without_a_time_goes_round_once() -> None:
    path = shape("circle:2")
    made = repath(walk(), path, cycle=True, end="restart")
    assert made.s[-1] == pytest.approx(path.length, abs=0.05)


def test_a_time_beyond_all_memory_is_refused() -> None:
    with pytest.raises(MotionError, match=r"frames, and at most [\d,]+ \(\d+ s\) are made"):
        repath(walk(), "circle:2", cycle=True, seconds=1e9)


# -- natural bends ---------------------------------------------------------------------------------------------------------


def test_natural_bends_are_slower_and_lean_inwards() -> None:
    motion = walk()
    paper, natural = (repath(motion, shape("circle:0.8"), natural=how, end="restart") for how in (False, True))
    assert natural.motion.seconds > 1.2 * paper.motion.seconds
    assert natural.s[-1] == pytest.approx(paper.s[-1], abs=0.03)
    assert natural.slides.overall[1] < 0.005
    # the head is further towards the centre than the hips, as it is not without

    def inwards(made: Motion, frame: int) -> float:
        head, hips = (made.position(role)[frame][[0, 2]] for role in ("head", "hips"))
        return float(np.hypot(*(hips - [0.8, 0.0])) - np.hypot(*(head - [0.8, 0.0])))

    means = [np.mean([inwards(made.motion, f) for f in range(20, len(made.motion) - 20)]) for made in (paper, natural)]
    assert means[1] > means[0] + 0.01


def test_a_straight_line_is_walked_the_same_with_natural_bends() -> None:
    paper, natural = (repath(walk(), shape("line:20"), natural=how) for how in (False, True))
    assert len(paper.motion) == len(natural.motion)
    assert furthest(paper.motion, natural.motion) < 0.01


def test_a_bend_like_that_of_the_clip_is_taken_as_it_was() -> None:
    editor = PathEditor(samples.make("walk_left_tight").motion)
    made = editor.lay(editor.course.curve, natural=True, feet=False)
    assert abs(len(made.motion) - len(editor.motion)) <= 2
    assert furthest(made.motion[: len(editor.motion)], editor.motion[: len(made.motion)]) < 0.01


# -- corners and refusals --------------------------------------------------------------------------------------------------


def test_corners_are_rounded_and_told_with_where() -> None:
    made = repath(walk(), shape("square:2"))
    (notice,) = made.notices
    assert "x 0.00, z 1.9" in notice
    assert "rounded there" in notice
    assert np.abs(np.diff(made.frame.heading)).max() < 0.15


def test_of_many_tight_places_the_first_are_told() -> None:
    (notice,) = repath(walk(), shape("zigzag:2,16"), feet=False).notices
    assert notice.count("radius 0.") == 4
    assert "and 11 more places" in notice


@pytest.mark.parametrize(("name", "radius"), [("sneak", 0.3), ("walk", 1.25 / 2.2), ("run", 3.0 / 2.2)])
def test_the_faster_a_body_the_wider_it_turns(name: str, radius: float) -> None:
    assert PathEditor(samples.make(name).motion).tightest == pytest.approx(radius, rel=0.02)


def test_a_bend_that_is_too_tight_is_told_and_left() -> None:
    (notice,) = repath(samples.make("run").motion, shape("circle:0.8"), end="restart").notices
    assert "radius 0.80 m" in notice
    assert "left so" in notice


def test_a_clip_without_a_plant_is_told() -> None:
    motion = walk()
    nothing = np.zeros((len(motion), 4), bool)
    (notice,) = repath(motion, shape("circle:3"), contacts=nothing).notices
    assert "no foot of walk stands" in notice


def test_a_rate_that_nobody_could_walk_at_is_doubted() -> None:
    run = samples.make("run").motion
    twice = replace(run, fps=2 * run.fps)
    (notice,) = repath(twice, shape("circle:6"), feet=False).notices
    assert "is 120 frames/s right?" in notice
    assert repath(run, shape("circle:6"), feet=False).notices == ()


def test_a_clip_that_turns_about_or_mostly_stands_is_doubted() -> None:
    motion = walk()
    # and backwards again for a while
    back = replace(motion, root=motion.root[::-1], rotations=motion.rotations[::-1])[:100]
    (notice,) = repath(concatenate([motion, back]), "circle:3", end="restart", feet=False).notices
    assert "faces away from where its path goes at 4." in notice
    stop = samples.make("stop").motion
    still = concatenate([stop, *[stop[-1:]] * 800])
    (notice,) = repath(still, "circle:3", feet=False).notices
    assert "stands for" in notice


def test_paths_and_grounds_may_be_told_by_name() -> None:
    one = repath(walk(), "line:6", ground="hill:0.4,3")
    other = repath(walk(), shape("line:6"), ground=read_ground("hill:0.4,3"))
    np.testing.assert_array_equal(one.motion.rotations, other.motion.rotations)


def test_two_sources_of_height_are_refused() -> None:
    with pytest.raises(MotionError, match="leave one of them out"):
        repath(walk(), "0,0,0 0,1,8", ground="slope:10%")


def test_what_was_made_tells_itself_in_a_line() -> None:
    editor = PathEditor(walk())
    assert len(repr(editor)) < 150
    assert "plants held" in repr(editor.lay("circle:3"))
    assert len(repr(editor.lay("circle:3"))) < 200


def test_knees_do_not_snap_on_hills(cmu: File) -> None:
    for motion in (walk(), captured(cmu, "16_15")[2:]):
        usual = np.abs(np.diff(knees.speed(motion), axis=0)).max()
        for ground in ("slope:10%", "slope:-10%", "hill:1,6"):
            made = repath(motion, "line:12", cycle=True, ground=ground)
            assert np.abs(np.diff(knees.speed(made.motion), axis=0)).max() < 2.5 * usual


def test_a_clip_that_stands_has_no_path() -> None:
    with pytest.raises(MotionError, match="stands"):
        repath(samples.make("stand").motion, shape("circle:3"))


# -- clips that hardly travel ------------------------------------------------------------------------------------------------


def kick() -> Motion:
    return samples.make("kick_low_centre").motion


@pytest.mark.parametrize(
    ("options", "why"), [({"cycle": True}, "creep for 8"), ({"keep": "time"}, r"glide along at 12\.")]
)
def test_a_kick_is_not_taken_round_a_circle(options: dict[str, Any], why: str) -> None:
    """Its root shifts by 32 cm in a second and a half."""
    with pytest.raises(Unsatisfied, match=f"kick_low_centre hardly travels: .*{why}.*keep='place'"):
        repath(kick(), "circle:3", **options)


@pytest.mark.parametrize("options", [{}, {"cycle": True, "seconds": 4.0}])
def test_a_kick_laid_on_a_path_for_its_own_time_or_a_given_one_is_doubted(options: dict[str, Any]) -> None:
    made = repath(kick(), "circle:3", **options)
    assert any("hardly travels" in notice and "--keep place" in notice for notice in made.notices)


@pytest.mark.parametrize("name", WALKERS)
def test_who_walks_travels(name: str) -> None:
    motion = samples.make(name).motion
    middle = len(motion) // 2
    for part in (motion, motion[middle : middle + round(0.9 * motion.fps)]):
        assert not any("hardly travels" in notice for notice in repath(part, "line:3").notices)


@pytest.mark.parametrize("name", ["kick_low_centre", "stand", "jump", "walk"])
def test_a_motion_that_stays_is_moved_as_a_whole(name: str) -> None:
    motion = samples.make(name).motion.place(FloorTransform(0.7, 3.0, -2.0))
    made = repath(motion, "1,2 4,2", keep="place")
    x, z = motion.root[0, [0, 2]]
    heading = float(motion.heading()[0])
    there = FloorTransform(np.pi / 2, 1.0, 2.0) @ FloorTransform(heading, float(x), float(z)).inverse()
    assert furthest(made.motion, motion.place(there)) < 2e-3
    assert made.s.max() == 0.0


def test_a_motion_that_stays_is_repeated_for_a_time() -> None:
    made = repath(kick(), "circle:3", keep="place", cycle=True, seconds=8.0)
    assert made.motion.seconds == pytest.approx(8.0)
    assert np.hypot(*made.motion.root[:, [0, 2]].T).max() < 0.5
    # it kicks five times or more
    high = made.motion.position("right_ankle")[:, 1] > 0.3
    assert np.count_nonzero(np.diff(high.astype(int)) == 1) >= 5
    assert made.slides.overall[1] < 1e-3


def test_a_motion_that_stays_comes_to_no_end() -> None:
    with pytest.raises(MotionError, match="how many seconds"):
        repath(kick(), "circle:3", keep="place", cycle=True)


def test_an_editor_of_a_clip_that_stands_lays_it_in_its_place() -> None:
    editor = PathEditor(samples.make("stand").motion)
    assert "stand" in repr(editor)
    assert len(editor.lay("circle:3", keep="place").motion) == len(editor.motion)
    with pytest.raises(MotionError, match="--keep place"):
        editor.lay("circle:3")


def test_a_loop_that_does_not_close_is_told() -> None:
    made = repath(samples.make("start").motion[:150], "line:6", cycle=True)
    assert made.loop is not None
    assert any(f"{100 * made.loop.distance:.1f} cm apart" in notice for notice in made.notices)
    # and those of even walks close
    assert not any("apart" in notice for notice in repath(walk(), "line:20", cycle=True).notices)


def test_a_captured_start_of_a_run_is_repeated_by_its_run_and_the_seam_is_told(cmu: File) -> None:
    made = repath(load(cmu / "acclaim" / "127" / "127_03.amc"), "circle:3", cycle=True)
    assert made.motion.seconds < 10  # not 33 s, of which 31 shifting from foot to foot
    assert any("each seam shows" in notice for notice in made.notices)


def test_a_loop_much_slower_than_the_clip_is_told(cmu: File) -> None:
    """A run that stops: of the run there is less than a stride."""
    made = repath(load(cmu / "acclaim" / "127" / "127_05.amc"), "line:8", cycle=True)
    assert any("what is repeated goes at 0.2" in notice for notice in made.notices)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"keep": "pace"}, "speed or the time of the motion, or its place"),
        ({"end": "loop"}, "stop, restart or go onward"),
        ({"seconds": 5.0}, "cycle=True"),
        ({"cycle": True, "seconds": -1.0}, "more than 0 seconds"),
        ({"cycle": True, "keep": "time"}, "keeps its speed"),
        ({"start": "here"}, "path or the clip"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(MotionError, match=message):
        repath(walk(), shape("circle:3"), **options)  # type: ignore[arg-type]


def test_a_path_without_room_for_two_frames_is_refused() -> None:
    with pytest.raises(MotionError, match=r"only 0\.001 m long"):
        repath(walk(), Path([[0, 0], [0, 0.001]]))


def test_rounds_are_made_once_for_a_path_that_is_dragged(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*args: Any) -> Any:
        made.append(args)
        return cycled(*args)

    monkeypatch.setattr(editor_module, "cycled", counted)
    walk = samples.make("walk").motion
    editor = PathEditor(walk)
    curve = Spline([[0, 0], [0, 3], [1, 6], [3, 8]])
    for place in ([3.0, 8.0], [3.05, 8.0], [3.0, 8.05]):
        dragged = editor.lay(curve.moved(3, place), cycle=True)
    assert len(made) == 1
    fresh = PathEditor(walk).lay(curve.moved(3, [3.0, 8.05]), cycle=True)
    assert np.array_equal(dragged.motion.rotations, fresh.motion.rotations)
    editor.lay(curve, cycle=True, feet=False)
    editor.lay(curve.moved(3, [12, 20]), cycle=True)
    assert len(made) == 4
