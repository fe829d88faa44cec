"""Motions: what is refused, cut, resampled, moved and joined."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.errors import MotionError, RoleError
from kinegraph.motion import FloorTransform, Motion, Skeleton, concatenate, rotation
from tests.strategies import floor_transforms, generators, motions, random_quaternions

BODY = Skeleton(
    ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot", "LeftArm", "RightArm"),
    [-1, 0, 1, 2, 0, 4, 5, 0, 0],
    [
        *([0, 0, 0], [0.1, 0, 0], [0, -0.4, 0], [0, -0.4, 0], [-0.1, 0, 0], [0, -0.4, 0], [0, -0.4, 0]),
        *([0.2, 0.5, 0], [-0.2, 0.5, 0]),
    ],
    [3, 6],
    [[0, 0, 0.2], [0, 0, 0.2]],
)


def motion(frames: int = 10, fps: float = 30.0, **changes: Any) -> Motion:
    random = np.random.default_rng(7)
    parts: dict[str, Any] = {
        "skeleton": BODY,
        "root": random.normal(size=(frames, 3)),
        "rotations": random_quaternions(random, frames, len(BODY)),
        "fps": fps,
    }
    return Motion(**(parts | changes))


def smooth(frames: int, fps: float) -> Motion:
    """Every joint swings at no more than 2 Hz while the root goes along a wave."""
    t = np.arange(frames) / fps
    phase = np.linspace(0, 3, len(BODY))
    swing = np.stack([np.sin(2 * np.pi * (0.5 + 0.5 * axis) * t[:, None] + phase) for axis in range(3)], -1)
    root = np.stack([np.sin(2 * np.pi * t), 1 + 0.05 * np.sin(4 * np.pi * t), 1.2 * t], -1)
    return Motion(BODY, root, rotation.exp(0.6 * swing), fps)


def standing(heading: float, frames: int = 1) -> Motion:
    q = rotation.identity(frames, len(BODY))
    q[:, 0] = rotation.about_y(heading)
    return Motion(BODY, np.tile([0.0, 0.8, 0.0], (frames, 1)), q, 30)


def assert_same(a: Motion, b: Motion, within: float = 1e-9) -> None:
    assert a.skeleton == b.skeleton
    assert a.fps == b.fps
    assert len(a) == len(b)
    np.testing.assert_allclose(a.root, b.root, atol=within)
    np.testing.assert_allclose(rotation.angle_between(a.rotations, b.rotations), 0, atol=max(within, 1e-7))
    np.testing.assert_allclose(a.positions, b.positions, atol=within)


class TestRefusals:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"root": np.zeros((0, 3)), "rotations": np.zeros((0, 9, 4))}, "at least one frame"),
            ({"root": np.zeros((10, 2))}, r"root \(F, 3\)"),
            ({"root": np.zeros(3)}, r"root \(F, 3\)"),
            ({"root": np.zeros((9, 3))}, r"got \(9, 3\)"),
            ({"rotations": rotation.identity(10, 8)}, r"rotations \(F, 9, 4\)"),
            ({"rotations": np.zeros((10, 9, 3))}, r"got .*\(10, 9, 3\)"),
            ({"fps": 0.0}, "positive"),
            ({"fps": -30}, "positive"),
            ({"fps": np.nan}, "positive"),
            ({"fps": np.inf}, "positive"),
            ({"translations": np.zeros((10, 8, 3))}, "translations"),
            ({"rotations": rotation.identity(10, 9) * 2}, "joint 0 at frame 0 is not a unit"),
            ({"rotations": np.zeros((10, 9, 4))}, "not a unit"),
        ],
    )
    def test_arrays_that_make_no_motion(self, changes: dict[str, Any], words: str) -> None:
        with pytest.raises(MotionError, match=words):
            motion(**changes)

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("what", ["root", "rotations", "translations"])
    def test_values_that_are_not_finite(self, what: str, bad: float) -> None:
        good = motion(translations=np.zeros((10, 9, 3)))
        values = np.array(getattr(good, what))
        values[4].flat[1] = bad
        with pytest.raises(MotionError, match=f"{what} holds .*first at frame 4"):
            motion(**{what: values})

    def test_the_joint_that_is_not_unit_is_named(self) -> None:
        q = rotation.identity(10, 9)
        q[3, 5] *= 1.1
        with pytest.raises(MotionError, match="joint 5 at frame 3"):
            motion(rotations=q)

    def test_roles_that_are_missing(self) -> None:
        bare = Motion(Skeleton(("a",), [-1], np.zeros((1, 3))), np.zeros((2, 3)), rotation.identity(2, 1), 30)
        for call in (bare.facing, bare.heading, bare.at_origin):
            with pytest.raises(RoleError, match="left_hip"):
                call()


class TestMaking:
    def test_rounding_is_mended(self) -> None:
        q = rotation.identity(10, 9) * (1 + 1e-4)
        np.testing.assert_allclose(np.linalg.norm(motion(rotations=q).rotations, axis=-1), 1.0, atol=1e-15)

    def test_signs_are_made_continuous(self) -> None:
        signs = np.where(np.arange(10) % 2, -1.0, 1.0)[:, None, None]
        made = smooth(10, 30)
        again = motion(root=made.root, rotations=made.rotations * signs)
        np.testing.assert_allclose(again.rotations, made.rotations, atol=1e-15)

    def test_nothing_can_be_written_to(self) -> None:
        made = motion(translations=np.ones((10, 9, 3)))
        arrays = (made.root, made.rotations, made.translations, made.positions, made.orientations, made.tips)
        for array in arrays:
            assert array is not None
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        with pytest.raises(FrozenInstanceError):
            made.fps = 1.0  # type: ignore[misc]

    def test_the_givers_arrays_stay_their_own(self) -> None:
        root, q, translations = np.zeros((10, 3)), rotation.identity(10, 9), np.ones((10, 9, 3))
        made = motion(root=root, rotations=q, translations=translations)
        root[:], q[:], translations[:] = 9, 9, 9
        np.testing.assert_array_equal(made.root, 0.0)
        np.testing.assert_array_equal(made.rotations, rotation.identity(10, 9))
        np.testing.assert_array_equal(made.translations, 1.0)

    def test_lists_and_whole_numbers_will_do(self) -> None:
        made = Motion(BODY, [[0, 1, 2]], [[[1, 0, 0, 0]] * 9], 30)  # type: ignore[arg-type]
        assert made.root.dtype == made.rotations.dtype == np.float64
        assert isinstance(made.fps, float)

    @pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
    def test_can_be_sent_to_another_process(self, duplicate: Any) -> None:
        made = motion(name="walk", notices=("trimmed",), translations=np.ones((10, 9, 3)))
        assert made.positions.shape == (10, 9, 3)
        twin = duplicate(made)
        assert_same(twin, made, 0.0)
        assert (twin.name, twin.notices) == ("walk", ("trimmed",))
        for array in (twin.root, twin.rotations, twin.translations, twin.positions):
            assert not array.flags.writeable

    def test_names_and_notices(self) -> None:
        made = motion(notices=("a",)).renamed("walk").noting("b", "c")
        assert (made.name, made.notices) == ("walk", ("a", "b", "c"))
        assert made.noting() is made
        assert repr(made) == "Motion('walk', 10 frames at 30/s, 9 joints)"
        assert made.seconds == pytest.approx(1 / 3)


class TestFacing:
    @pytest.mark.parametrize("heading", [0.0, 0.5, np.pi / 2, -np.pi / 2, 3.0, -3.0])
    def test_of_known_poses(self, heading: float) -> None:
        pose = standing(heading)
        assert pose.heading()[0] == pytest.approx(heading)
        np.testing.assert_allclose(pose.facing(), [[np.sin(heading), 0, np.cos(heading)]], atol=1e-12)

    def test_left_is_plus_x_at_heading_zero(self) -> None:
        pose = standing(0.0)
        assert pose.position("left_hip")[0, 0] > 0 > pose.position("right_hip")[0, 0]
        np.testing.assert_allclose(np.cross([0, 1, 0], pose.facing()[0]), [1, 0, 0], atol=1e-12)

    def test_is_continuous_over_many_turns(self) -> None:
        turning = np.linspace(0, 20, 100)
        q = rotation.identity(100, 9)
        q[:, 0] = rotation.about_y(turning)
        np.testing.assert_allclose(Motion(BODY, np.zeros((100, 3)), q, 30).heading(), turning, atol=1e-9)

    def test_leaning_does_not_change_it(self) -> None:
        pose = standing(0.7)
        q = pose.rotations.copy()
        q[:, 0] = rotation.multiply(q[:, 0], rotation.exp([0.8, 0, 0]))
        assert motion(1, root=pose.root, rotations=q).heading()[0] == pytest.approx(0.7)

    def test_a_body_on_its_side_has_one_all_the_same(self) -> None:
        q = rotation.identity(1, 9)
        q[:, 0] = rotation.from_axis_angle([0, 0, 1], np.pi / 2)
        facing = motion(1, rotations=q).facing()
        assert np.linalg.norm(facing) == pytest.approx(1.0)
        assert facing[0, 1] == 0

    @given(floor_transforms())
    def test_turns_with_the_body(self, transform: FloorTransform) -> None:
        before = smooth(5, 30)
        after = before.place(transform).heading()
        turns = (after - before.heading() - transform.angle) / (2 * np.pi)
        np.testing.assert_allclose(turns, turns.round(), atol=1e-9)


class TestSpeed:
    def test_along_the_floor(self) -> None:
        t = np.arange(20) / 60
        root = np.stack([3 * t, np.sin(9 * t), -4 * t], -1)
        made = Motion(BODY, root, rotation.identity(20, 9), 60)
        np.testing.assert_allclose(made.speed(), 5.0)

    def test_of_a_pose_is_nothing(self) -> None:
        assert standing(0.0).speed().tolist() == [0.0]

    def test_of_two_frames(self) -> None:
        made = Motion(BODY, [[0, 0, 0], [0, 0, 0.1]], rotation.identity(2, 9), 30)  # type: ignore[arg-type]
        np.testing.assert_allclose(made.speed(), [3.0, 3.0])


class TestCutting:
    def test_frames(self) -> None:
        made = motion(translations=np.random.default_rng(0).normal(size=(10, 9, 3)))
        cut = made[3:7]
        assert len(cut) == 4
        assert cut.fps == 30
        np.testing.assert_array_equal(cut.root, made.root[3:7])
        np.testing.assert_allclose(cut.positions, made.positions[3:7])
        assert len(made[-3:]) == 3
        assert len(made[:100]) == 10

    def test_a_step_lowers_the_rate(self) -> None:
        cut = motion()[1::3]
        assert (len(cut), cut.fps) == (3, 10.0)
        np.testing.assert_array_equal(cut.root, motion().root[1::3])

    @pytest.mark.parametrize("frames", [slice(5, 5), slice(7, 3), slice(10, None), slice(20, 30), slice(0, -10)])
    def test_nothing_left(self, frames: slice) -> None:
        with pytest.raises(MotionError, match="leave nothing"):
            motion()[frames]

    def test_backwards(self) -> None:
        with pytest.raises(MotionError, match="step"):
            motion()[::-1]

    @pytest.mark.parametrize("index", [3, (1, 2), [1, 2]])
    def test_by_other_things_than_a_slice(self, index: Any) -> None:
        with pytest.raises(TypeError, match="slice"):
            motion()[index]


class TestSampling:
    def test_on_the_frames(self) -> None:
        made = smooth(10, 30)
        assert_same(made.sample(np.arange(10) / 30), made, 1e-12)

    def test_between_frames(self) -> None:
        made = smooth(10, 30)
        half = made.sample([3.5 / 30])
        np.testing.assert_allclose(half.root[0], (made.root[3] + made.root[4]) / 2)
        middle = rotation.slerp(made.rotations[3], made.rotations[4], 0.5)
        np.testing.assert_allclose(rotation.angle_between(half.rotations[0], middle), 0, atol=1e-9)

    def test_held_beyond_its_ends(self) -> None:
        made = motion()
        out = made.sample([-1.0, 0.0, 9 / 30, 10 / 30, 99.0])
        np.testing.assert_array_equal(out.root, made.root[[0, 0, 9, 9, 9]])
        np.testing.assert_allclose(rotation.angle_between(out.rotations, made.rotations[[0, 0, 9, 9, 9]]), 0, atol=1e-7)

    def test_of_a_pose(self) -> None:
        assert_same(standing(0.3).sample([0.0, 5.0]), standing(0.3, 2), 1e-12)

    def test_translations_too(self) -> None:
        values = np.random.default_rng(0).normal(size=(10, 9, 3))
        out = motion(translations=values).sample([2.25 / 30], fps=7)
        assert out.translations is not None
        np.testing.assert_allclose(out.translations[0], 0.75 * values[2] + 0.25 * values[3])
        assert out.fps == 7

    def test_times_that_are_not_finite(self) -> None:
        with pytest.raises(MotionError, match="time"):
            motion().sample([0.0, np.nan])

    @pytest.mark.parametrize(("source", "target"), [(120, 30), (120, 60), (120, 120), (60, 20), (59.94, 29.97)])
    def test_resampling_by_whole_ratios_is_exact(self, source: float, target: float) -> None:
        made = motion(41, source)
        out = made.resample(target)
        step = round(source / target)
        assert out.fps == target
        np.testing.assert_array_equal(out.root, made.root[::step])
        np.testing.assert_array_equal(np.abs(out.rotations), np.abs(made.rotations[::step]))

    @pytest.mark.parametrize("target", [24, 25, 30, 50, 60, 90, 100, 119.88, 144, 240])
    def test_resampling_keeps_the_time(self, target: float) -> None:
        made = smooth(121, 120)
        out = made.resample(target)
        span, left = (len(out) - 1) / out.fps, 1.0 - (len(out) - 1) / out.fps
        assert span <= 1.0 + 1e-9
        assert left < 1 / target
        # the same thing happens at the same moment, up to the chords of the faster rate's curve
        truth = smooth(len(out), target)
        np.testing.assert_allclose(out.root, truth.root, atol=1e-3)
        assert np.max(rotation.angle_between(out.rotations, truth.rotations)) < 3e-3

    def test_down_and_up_again(self) -> None:
        made = smooth(121, 120)
        again = made.resample(60).resample(120)
        assert len(again) == 121
        assert np.abs(again.positions - made.positions).max() < 4e-3
        np.testing.assert_allclose(again.root[::2], made.root[::2], atol=1e-12)

    def test_up_and_down_again_is_exact(self) -> None:
        made = motion(13, 30)
        assert_same(made.resample(120).resample(30), made, 1e-9)

    @pytest.mark.parametrize("bad", [0, -1, np.nan, np.inf])
    def test_rates_that_are_none(self, bad: float) -> None:
        with pytest.raises(MotionError, match="positive"):
            motion().resample(bad)


class TestPlacing:
    @given(motions(), floor_transforms())
    def test_changes_no_pose(self, made: Motion, transform: FloorTransform) -> None:
        placed = made.place(transform)
        np.testing.assert_allclose(placed.positions, transform.apply(made.positions), atol=1e-9)
        np.testing.assert_allclose(placed.tips, transform.apply(made.tips), atol=1e-9)
        np.testing.assert_allclose(rotation.angle_between(placed.rotations[:, 1:], made.rotations[:, 1:]), 0, atol=1e-7)

    @given(motions(), floor_transforms(), floor_transforms())
    def test_composes_and_inverts(self, made: Motion, a: FloorTransform, b: FloorTransform) -> None:
        assert_same(made.place(b).place(a), made.place(a @ b), 1e-9)
        assert_same(made.place(a).place(a.inverse()), made, 1e-9)

    @given(generators(), st.integers(-6, 5))
    def test_at_origin(self, random: np.random.Generator, frame: int) -> None:
        made = Motion(BODY, random.normal(size=(6, 3)), random_quaternions(random, 6, 9), 30)
        placed = made.at_origin(frame)
        np.testing.assert_allclose(placed.root[frame, [0, 2]], 0, atol=1e-12)
        np.testing.assert_allclose(placed.facing()[frame], [0, 0, 1], atol=1e-9)
        np.testing.assert_allclose(placed.root[:, 1], made.root[:, 1])

    def test_at_origin_of_no_frame(self) -> None:
        for frame in (10, -11):
            with pytest.raises((MotionError, IndexError)):
                motion().at_origin(frame)


class TestRigid:
    def test_is_itself_without_translations(self) -> None:
        made = motion()
        assert made.rigid() is made

    def test_takes_the_mean_length(self) -> None:
        values = np.tile(BODY.offsets, (10, 1, 1))
        values[:5, 3] *= 1.2
        values[:, 0] = 99.0  # the root's row is not used
        rigid = motion(translations=values).rigid()
        assert rigid.translations is None
        np.testing.assert_allclose(rigid.skeleton.offsets[3], BODY.offsets[3] * 1.1)
        np.testing.assert_array_equal(np.delete(rigid.skeleton.offsets, 3, 0).round(12), np.delete(BODY.offsets, 3, 0))


class TestJoining:
    def test_one_after_another(self) -> None:
        a, b = motion(4, notices=("x", "y")).renamed("first"), smooth(6, 30).noting("y", "z")
        joined = concatenate(iter([a, b]))
        np.testing.assert_array_equal(joined.root, [*a.root, *b.root])
        np.testing.assert_allclose(joined.positions, [*a.positions, *b.positions], atol=1e-12)
        assert joined.name == "first"
        assert joined.notices == ("x", "y", "z")

    def test_signs_at_the_seam(self) -> None:
        a = smooth(4, 30)
        b = Motion(BODY, a.root, -a.rotations, 30)
        q = concatenate([a, b]).rotations
        assert np.all(np.sum(q[1:] * q[:-1], axis=-1) > 0)

    @given(motions(least=3))
    def test_joins_what_was_cut(self, made: Motion) -> None:
        assert_same(concatenate([made[:1], made[1:2], made[2:]]), made, 1e-12)

    def test_translations_where_only_one_has_them(self) -> None:
        values = np.random.default_rng(0).normal(size=(10, 9, 3))
        joined = concatenate([smooth(3, 30), motion(translations=values)])
        assert joined.translations is not None
        np.testing.assert_allclose(joined.positions[:3], smooth(3, 30).positions, atol=1e-12)
        np.testing.assert_array_equal(joined.translations[3:], values)

    def test_nothing(self) -> None:
        with pytest.raises(MotionError, match="nothing to concatenate"):
            concatenate([])

    def test_other_skeletons_and_rates(self) -> None:
        with pytest.raises(MotionError, match="tall has another skeleton"):
            concatenate([motion(), motion(skeleton=BODY.scaled(1.1), name="tall")])
        with pytest.raises(MotionError, match=r"fast has 60 frames/s, the first 30"):
            concatenate([motion(), motion(fps=60, name="fast")])


@pytest.mark.parametrize("fps", [1 / 0.00833333333, 120.0, 59.94, 30.0, 24.0, 7.3])
@pytest.mark.parametrize("wanted", [30.0, 60.0, 25.0, 120.0])
def test_frames_at_is_what_resampling_gives(fps: float, wanted: float) -> None:
    skeleton = Skeleton(("root",), [-1], [[0.0, 0.0, 0.0]])
    for count in (1, 2, 100, 121, 513):
        motion = Motion(skeleton, np.zeros((count, 3)), np.tile([1.0, 0, 0, 0], (count, 1, 1)), fps)
        assert motion.frames_at(wanted) == len(motion.resample(wanted))
