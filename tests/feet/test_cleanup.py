from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.errors import MotionError, RoleError
from kinegraph.feet import Cleaned, clean, slides
from kinegraph.feet.contacts import contacts
from kinegraph.feet.knees import speed, usual
from kinegraph.feet.plants import footing
from kinegraph.formats import load
from kinegraph.motion import FloorTransform, Motion, mirror, retarget
from kinegraph.motion.skeleton import Skeleton
from tests.feet.skating import bone_lengths, crossfaded, hurried, turned, uneven, without_toes
from tests.strategies import floor_transforms

LEGS = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("hip", "knee", "ankle", "toe"))
GAITS = ("walk", "walk_fast", "walk_left_tight", "run", "sneak", "start", "stop")

gaits = st.sampled_from(GAITS)


def furthest(a: Motion, b: Motion) -> float:
    """The furthest that any joint is from where it is in the other motion, metres."""
    return float(np.linalg.norm(a.positions - b.positions, axis=-1).max())


def check(done: Cleaned, slide: float = 1e-6) -> None:
    """The bars: what stands stands still, nothing sinks, bones change by at most two per cent, and no knee is faster than is usual."""
    after = done.report.after
    assert after.slides.overall[1] < slide
    assert after.penetration < 0.005
    assert done.report.longer <= 0.02
    assert done.report.missed == 0.0
    fastest = max(done.report.knee_limit, done.report.before.knee_speed, 5.0)
    assert after.knee_speed <= fastest * 1.01


@pytest.mark.parametrize("name", samples.names())
def test_what_does_not_slide_is_left_alone(name: str) -> None:
    sample = samples.make(name)
    assert furthest(clean(sample.motion, sample.contacts).motion, sample.motion) < 1e-6
    # contacts that are found, not known, hold a heel for millimetres too long
    assert furthest(clean(sample.motion).motion, sample.motion) < 0.005


@given(gaits, st.floats(0.85, 1.2), st.floats(-0.1, 0.1), st.floats(-0.03, 0.03))
@settings(max_examples=25)
def test_planted_points_do_not_move(name: str, factor: float, rate: float, rise: float) -> None:
    sample = samples.make(name)
    skating = uneven(turned(hurried(sample.motion, factor), rate), rise)
    done = clean(skating, sample.contacts)
    check(done)
    # and by a measure that knows nothing of soles: the ball is a joint, and the whole foot while heel and ball stand
    for plant in done.report.plants:
        if plant.part == "ball":
            ball = done.motion.position(f"{plant.side}_toe")[plant.first : plant.last]
            assert np.ptp(ball, axis=0).max() < 1e-6


def test_figures_before_stand_beside_those_after() -> None:
    sample = samples.make("walk")
    report = clean(hurried(sample.motion, 1.15), sample.contacts).report
    assert 0.01 < report.before.slides.overall[0] < 0.05
    assert len(report.before.slides.plants) == len(report.after.slides.plants) == len(report.plants) > 10
    assert 0.01 < report.moved < 0.15
    assert report.knee_limit == usual(hurried(sample.motion, 1.15))


@given(gaits, st.floats(0.85, 1.2), st.floats(-0.1, 0.1))
@settings(max_examples=15)
def test_without_stretch_bones_keep_their_length(name: str, factor: float, rate: float) -> None:
    sample = samples.make(name)
    skating = turned(hurried(sample.motion, factor), rate)
    done = clean(skating, sample.contacts, stretch=0.0)
    assert done.motion.translations is None
    assert done.report.longer == 0.0
    assert np.allclose(bone_lengths(done.motion), bone_lengths(skating), atol=1e-9)


@given(gaits, st.floats(0.9, 1.15), floor_transforms())
@settings(max_examples=20)
def test_it_does_not_matter_where_on_the_floor(name: str, factor: float, place: FloorTransform) -> None:
    sample = samples.make(name)
    skating = hurried(sample.motion, factor)
    here = clean(skating, sample.contacts).motion.place(place)
    there = clean(skating.place(place), sample.contacts).motion
    assert furthest(here, there) < 1e-6


@given(gaits, st.floats(0.9, 1.15))
@settings(max_examples=10)
def test_left_and_right_are_alike(name: str, factor: float) -> None:
    sample = samples.make(name)
    skating = hurried(sample.motion, factor)
    here = clean(mirror(skating), sample.contacts[:, [2, 3, 0, 1]]).motion
    assert furthest(here, mirror(clean(skating, sample.contacts).motion)) < 1e-6


@given(gaits, st.floats(0.9, 1.15), st.floats(-0.08, 0.08))
@settings(max_examples=20)
def test_cleaning_twice_changes_nothing(name: str, factor: float, rate: float) -> None:
    sample = samples.make(name)
    once = clean(turned(hurried(sample.motion, factor), rate), sample.contacts)
    assert furthest(clean(once.motion, once.contacts).motion, once.motion) < 0.001


def test_the_upper_body_only_goes_down_with_the_pelvis() -> None:
    sample = samples.make("walk")
    skating = hurried(sample.motion, 1.2)
    done = clean(skating, sample.contacts)
    changed = {skating.skeleton.joint(role) for role in LEGS}
    others = [joint for joint in range(len(skating.skeleton)) if joint not in changed]
    assert np.array_equal(done.motion.rotations[:, others], skating.rotations[:, others])
    gone = skating.root - done.motion.root
    assert not gone[:, [0, 2]].any()
    assert gone[:, 1].min() >= 0
    assert np.isclose(gone[:, 1].max(), done.report.lowered)
    # smoothly: no more than a few metres per second per second
    assert np.abs(np.diff(gone[:, 1], 2)).max() * skating.fps**2 < 8.0


def test_far_from_any_plant_the_motion_stays_as_it_is() -> None:
    sample = samples.make("walk")
    down = sample.contacts.copy()
    down[60:] = False
    skating = hurried(sample.motion, 1.1)
    done = clean(skating, down).motion
    assert np.array_equal(done.rotations[130:], skating.rotations[130:])
    assert np.array_equal(done.root[130:], skating.root[130:])
    assert not np.array_equal(done.rotations[20:60], skating.rotations[20:60])


def test_corrections_come_and_go_smoothly() -> None:
    sample = samples.make("walk")
    skating = hurried(sample.motion, 1.15).resample(120.0)
    down = np.repeat(sample.contacts, 2, axis=0)[: len(skating)]
    done = clean(skating, down).motion
    feet = [skating.skeleton.joint(role) for role in LEGS if role.endswith(("ankle", "toe"))]

    def jerks(motion: Motion) -> np.ndarray:
        return np.linalg.norm(np.diff(motion.positions[:, feet], 2, axis=0), axis=-1) * motion.fps**2

    # a foot that stops dead would be several hundred m/s²: 0.3 m/s within 1/120 s is 36 already
    assert jerks(done).max() < 1.25 * jerks(skating).max()


def test_a_crossfade_of_two_gaits_skates_until_it_is_cleaned() -> None:
    walk, other = samples.make("walk"), samples.make("walk_fast")
    skating = crossfaded(walk.motion, other.motion)
    done = clean(skating, walk.contacts[: len(skating)])
    assert done.report.before.slides.overall[1] > 0.015
    check(done)


def test_contacts_found_again_in_what_was_cleaned_hardly_slide() -> None:
    sample = samples.make("walk")
    skating = hurried(sample.motion, 1.1)
    before = slides(skating, sample.contacts).overall
    done = clean(skating, sample.contacts)
    found = slides(done.motion, contacts(done.motion)).overall
    assert found[0] < 0.001 < before[0]


def test_a_foot_that_dips_into_the_floor_is_lifted_where_nothing_stands() -> None:
    sample = samples.make("walk")
    motion = sample.motion
    rotations = motion.rotations.copy()
    # the left swing leg hangs straighter for a while
    knee = motion.skeleton.joint("left_knee")
    swing = np.flatnonzero(~sample.contacts[:, :2].any(axis=1))
    swing = swing[(swing > 60) & (swing < 130)]
    bump = np.zeros(len(motion))
    bump[swing] = np.hanning(len(swing))
    rotations[:, knee] = np.array([1.0, 0, 0, 0]) * bump[:, None] * 0.5 + rotations[:, knee] * (1 - 0.5 * bump[:, None])
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    dipping = replace(motion, rotations=rotations)
    done = clean(dipping, sample.contacts)
    assert done.report.before.penetration > 0.02
    check(done)
    below = done.motion.tips[..., 1].min()
    assert below > -0.005


def test_a_knee_does_not_exceed_the_limit_it_is_given() -> None:
    sample = samples.make("run")
    skating = hurried(sample.motion, 1.1)
    done = clean(skating, sample.contacts, knee_limit=11.5)
    assert done.report.before.knee_speed > 12.0
    assert done.report.after.knee_speed < 11.6
    check(done)
    assert np.median(speed(done.motion)) > 0.9 * np.median(speed(skating))


def test_a_foot_that_goes_on_walking_while_the_contacts_say_it_stands_is_let_go() -> None:
    sample = samples.make("walk")
    wrong = np.ones_like(sample.contacts)
    done = clean(sample.motion, wrong)
    assert len(done.report.released) >= 10
    # what stood in truth is found all the same
    assert np.mean(done.contacts == sample.contacts) > 0.95
    assert done.report.moved < 0.02
    check(done)


def test_a_walk_twice_as_long_as_its_steps_is_let_go_rather_than_dragged() -> None:
    sample = samples.make("walk")
    done = clean(hurried(sample.motion, 2.0), sample.contacts)
    assert done.report.plants == ()
    assert len(done.report.released) >= 12
    assert done.report.moved < 0.01


def test_motions_without_contacts_are_given_back() -> None:
    motion = samples.make("walk").motion
    done = clean(motion, np.zeros((len(motion), 4), bool))
    assert done.report.plants == ()
    assert np.array_equal(done.motion.root, motion.root)
    assert furthest(done.motion, motion) < 0.003
    assert done.report.after.slides.overall == (0.0, 0.0)
    assert not done.contacts.any()


@pytest.mark.parametrize("frames", [1, 2, 3, 7])
def test_a_few_frames_are_a_motion_too(frames: int) -> None:
    motion = samples.make("walk").motion[100 : 100 + frames]
    done = clean(motion, np.ones((frames, 4), bool))
    assert len(done.motion) == frames
    assert furthest(done.motion, motion) < 0.05


@pytest.mark.parametrize("fps", [5.0, 24.0, 25.0, 100.0, 240.0])
def test_any_rate_will_do(fps: float) -> None:
    skating = hurried(samples.make("walk").motion, 1.1).resample(fps)
    done = clean(skating)
    check(done)
    assert len(done.report.plants) > 5


def test_a_skeleton_without_toes_stands_on_its_ankles() -> None:
    motion = without_toes(samples.make("walk").motion)
    down = contacts(motion)
    done = clean(hurried(motion, 1.1), down)
    assert {plant.part for plant in done.report.plants} == {"heel"}
    check(done)
    for plant in done.report.plants:
        ankle = done.motion.position(f"{plant.side}_ankle")[plant.first : plant.last]
        assert np.ptp(ankle, axis=0).max() < 1e-6


def test_a_motion_whose_bones_change_keeps_changing_them() -> None:
    sample = samples.make("walk")
    skating = hurried(sample.motion, 1.1)
    waver = 1 + 0.01 * np.sin(np.arange(len(skating)) / 20)
    shape = (len(skating), len(skating.skeleton), 3)
    wavering = replace(skating, translations=np.broadcast_to(skating.skeleton.offsets, shape) * waver[:, None, None])
    done = clean(wavering, sample.contacts, stretch=0.0)
    assert np.allclose(bone_lengths(done.motion), bone_lengths(wavering), atol=1e-9)
    assert done.report.after.slides.overall[1] < 0.002


def test_without_legs_the_error_says_what_to_do() -> None:
    trunk = Motion(
        Skeleton(("hips", "spine"), [-1, 0], [[0, 1, 0], [0, 0.5, 0]]), np.zeros((3, 3)), [[[1, 0, 0, 0]] * 2] * 3, 30
    )
    with pytest.raises(RoleError, match=r"cleaning feet needs legs.*left_hip.*roles="):
        clean(trunk)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"contacts": np.ones((5, 4), bool)}, r"must be \(257, 4\).*got \(5, 4\)"),
        ({"stretch": -0.1}, "0 to 0.2"),
        ({"stretch": float("nan")}, "0 to 0.2"),
        ({"knee_limit": 0.0}, "above 0"),
        ({"knee_limit": float("nan")}, "above 0"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(MotionError, match=message):
        clean(samples.make("walk").motion, **options)  # type: ignore[arg-type]


def test_ten_minutes_take_a_moment() -> None:
    import time

    sample = samples.make("walk")
    many = 18_000 // len(sample.motion)
    root = np.concatenate([sample.motion.root + np.array([0.0, 0.0, 5.0 * n]) for n in range(many)])
    rotations = np.tile(sample.motion.rotations, (many, 1, 1))
    long = hurried(replace(sample.motion, root=root, rotations=rotations), 1.05)
    begin = time.process_time()
    clean(long, np.tile(sample.contacts, (many, 1)))
    # about a second; the bound leaves room for a slow machine
    assert time.process_time() - begin < 15


@pytest.mark.parametrize("clip", ["16/16_15", "16/16_22", "16/16_31", "16/16_35", "49/49_02", "127/127_31"])
def test_captured_clips_reach_the_bars(cmu: Path, clip: str) -> None:
    motion = load(cmu / "acclaim" / f"{clip}.amc").resample(30.0)
    done = clean(motion)
    check(done)
    assert done.report.after.knee_speed <= 1.01 * max(done.report.knee_limit, done.report.before.knee_speed)
    assert done.report.before.slides.overall[0] > 0.003
    # a hand's breadth at the knees of straight legs, a finger's at the pelvis
    assert done.report.moved < 0.09
    assert done.report.lowered < 0.03
    assert len(footing(motion, contacts(motion)).plants) == len(done.report.plants)


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_captured_clips_with_a_stretched_path_reach_the_bars(cmu: Path, factor: float) -> None:
    motion = load(cmu / "acclaim" / "16" / "16_47.amc").resample(30.0)
    done = clean(hurried(motion, factor), contacts(motion))
    assert done.report.before.slides.overall[1] > 0.02
    check(done)


def test_a_mirrored_and_retargeted_capture_reaches_the_bars(cmu: Path) -> None:
    motion = load(cmu / "acclaim" / "16" / "16_15.amc").resample(30.0)
    other = retarget(mirror(motion), samples.make("walk").motion.skeleton)
    check(clean(other, contacts(motion)[:, [2, 3, 0, 1]]))
