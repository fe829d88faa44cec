from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kinegraph import samples
from kinegraph.errors import RoleError
from kinegraph.feet.contacts import contacts, schmitt, steady, velocity
from kinegraph.formats import load
from kinegraph.motion import FloorTransform, Motion, mirror, rotation
from kinegraph.motion.spans import spans

MOVING = (
    "walk_slow",
    "walk",
    "walk_fast",
    "walk_left_medium",
    "walk_right_tight",
    "start",
    "stop",
    "run",
    "sneak",
    "jump",
)
# what must agree with the truth, frame by frame and point by point; the heel of a slow walker or sneaker lifts by millimetres at first
AGREEMENT = {"walk_slow": 0.94, "sneak": 0.92, "run": 0.95}
OTHER_SIDE = [2, 3, 0, 1]

moving = st.sampled_from(MOVING)


def feet(down: np.ndarray) -> np.ndarray:
    """Whether left and right foot are on the floor, ``(F, 2)``."""
    return down.reshape(-1, 2, 2).any(axis=2)


def bouts(down: np.ndarray, fps: float) -> list[tuple[float, float]]:
    """Beginning and end in seconds of the contacts that neither end of the clip cuts."""
    return [(first / fps, last / fps) for first, last in spans(down) if first > 0 and last < len(down)]


@pytest.mark.parametrize("name", samples.names())
def test_agrees_with_the_truth_of_the_built_in_clips(name: str) -> None:
    sample = samples.make(name)
    found = contacts(sample.motion)
    assert found.shape == sample.contacts.shape
    assert found.dtype == np.bool_
    assert np.mean(found == sample.contacts) >= AGREEMENT.get(name, 0.95)
    assert np.mean(feet(found) == feet(sample.contacts)) >= 0.95


def test_standing_is_contact_of_all_four_points() -> None:
    assert contacts(samples.make("stand").motion).all()
    assert contacts(samples.make("stand").motion[:1]).tolist() == [[True] * 4]


def test_a_walker_strikes_with_the_heel_and_leaves_with_the_ball() -> None:
    motion = samples.make("walk").motion
    down = contacts(motion)
    for heel, ball in ((0, 1), (2, 3)):
        heels, balls = bouts(down[:, heel], motion.fps), bouts(down[:, ball], motion.fps)
        assert len(heels) >= 2
        for begin, end in heels:
            later = [b for b in balls if b[0] > begin]
            if later:
                assert begin < later[0][0] < end < later[0][1]


def test_a_kick_lifts_the_right_foot_only() -> None:
    sample = samples.make("kick_high_centre")
    down = contacts(sample.motion)
    assert down[:, :2].all()
    assert not down[sample.hit_frame, 2:].any()


def test_a_foot_held_still_in_the_air_is_not_on_the_floor() -> None:
    sample = samples.make("kick_high_centre")
    assert sample.hit_frame is not None
    held = sample.motion.sample(np.full(90, sample.hit_frame / sample.motion.fps))
    assert contacts(held).tolist() == [[True, True, False, False]] * 90


def test_a_jump_is_in_the_air_while_it_flies() -> None:
    sample = samples.make("jump")
    assert sample.flight is not None
    (aloft,) = spans(~contacts(sample.motion).any(axis=1))
    assert abs(aloft[0] - sample.flight[0]) <= 2
    assert abs(aloft[1] - 1 - sample.flight[1]) <= 2


@given(moving, st.sampled_from([20.0, 24.0, 25.0, 30.0, 48.0, 90.0, 120.0]))
def test_times_do_not_depend_on_the_rate(name: str, fps: float) -> None:
    motion = samples.make(name).motion
    other = motion.resample(fps)
    frame = 1 / min(fps, motion.fps)
    for here, there in zip(contacts(motion).T, contacts(other).T, strict=True):
        at = np.round(np.arange(len(other)) / fps * motion.fps).astype(int)
        assert np.mean(here[at] == there) > 0.94
        expected, found = bouts(here, motion.fps), bouts(there, fps)
        # a contact at the very end may be cut at one rate only
        for begin, end in [b for b in expected if b[1] < other.seconds - 2 * frame and b[0] > 2 * frame]:
            assert any(abs(b[0] - begin) <= 2 * frame + 1e-9 and abs(b[1] - end) <= 2 * frame + 1e-9 for b in found)


@given(moving)
def test_a_mirrored_motion_has_its_sides_exchanged(name: str) -> None:
    motion = samples.make(name).motion
    assert np.array_equal(contacts(mirror(motion)), contacts(motion)[:, OTHER_SIDE])


@given(moving, st.floats(-np.pi, np.pi), st.floats(-50, 50), st.floats(-50, 50), st.floats(-0.2, 0.2))
def test_place_on_the_floor_and_height_of_the_floor_do_not_matter(
    name: str, angle: float, x: float, z: float, y: float
) -> None:
    motion = samples.make(name).motion
    moved = motion.place(FloorTransform(angle, x, z))
    moved = replace(moved, root=moved.root + np.array([0.0, y, 0.0]))
    assert np.mean(contacts(moved) == contacts(motion)) > 0.998


@given(moving, st.floats(0.3, 3.0))
def test_size_does_not_matter(name: str, factor: float) -> None:
    motion = samples.make(name).motion
    other = replace(motion, skeleton=motion.skeleton.scaled(factor), root=motion.root * factor)
    assert np.mean(contacts(other) == contacts(motion)) > 0.998


@pytest.mark.parametrize("name", ["walk", "walk_fast", "run"])
@pytest.mark.parametrize("rise", [-0.03, 0.03])
def test_an_uneven_floor_is_still_the_floor(name: str, rise: float) -> None:
    sample = samples.make(name)
    slope = np.linspace(0.0, rise, len(sample.motion))[:, None] * [0.0, 1.0, 0.0]
    uneven = replace(sample.motion, root=sample.motion.root + slope)
    assert np.mean(contacts(uneven) == sample.contacts) > 0.93


def test_noise_of_a_capture_makes_no_flicker() -> None:
    sample = samples.make("walk")
    motion = sample.motion.resample(120.0)
    noisy = replace(motion, root=motion.root + np.random.default_rng(5).normal(0, 0.001, motion.root.shape))
    for quiet, shaken in zip(contacts(motion).T, contacts(noisy).T, strict=True):
        assert len(spans(quiet)) == len(spans(shaken))
        assert np.mean(quiet == shaken) > 0.95


def adrift(motion: Motion) -> Motion:
    """The motion as a bad capture has it: feet that stand float by 2.5 cm up and down and creep by 3 cm to either side."""
    turns = 2 * np.pi * 1.3 * np.arange(len(motion)) / motion.fps
    drift = np.stack([0.03 * np.sin(turns), 0.025 * np.sin(turns + 1), np.zeros(len(motion))], axis=1)
    return replace(motion, root=motion.root + drift)


@pytest.mark.parametrize("name", ["stand", "walk_slow", "walk", "walk_fast", "run"])
def test_feet_that_float_and_creep_are_still_seen_to_stand(name: str) -> None:
    sample = samples.make(name)
    found, truth = feet(contacts(adrift(sample.motion))), feet(sample.contacts)
    assert np.mean(found == truth) > 0.85
    assert np.mean(truth.any(axis=1) & ~found.any(axis=1)) < 0.04


@pytest.mark.parametrize("name", ["walk_slow", "run"])
def test_toes_that_swing_lower_than_they_stand_do_not_tell_where_the_floor_is(name: str) -> None:
    sample = samples.make(name)
    motion, rotations = sample.motion, sample.motion.rotations.copy()
    for side, stands in zip(("left", "right"), feet(sample.contacts).T, strict=True):
        ankle, bell = motion.skeleton.joint(f"{side}_ankle"), np.hanning(9)
        swings = np.convolve(~stands, bell / bell.sum(), "same") * ~stands
        drop = rotation.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(35.0) * swings)
        rotations[:, ankle] = rotation.multiply(rotations[:, ankle], drop)
    hanging = replace(motion, rotations=rotations)
    assert hanging.position("left_toe")[:, 1].min() < motion.position("left_toe")[:, 1].min() - 0.015
    assert np.mean(contacts(hanging) == sample.contacts) > 0.94


def test_a_body_that_no_foot_bears_is_not_given_one() -> None:
    """Somebody who hangs, feet 15 cm over where they stood before, and swings a little."""
    motion = samples.make("stand").motion
    frames = np.arange(len(motion))
    hung = np.clip((frames - 20) / 10, 0, 1)
    sway = np.stack([0.05 * hung * np.sin(frames / 4), 0.15 * hung, np.zeros(len(motion))], axis=1)
    down = contacts(replace(motion, root=motion.root + sway))
    assert down[:18].all()
    assert not down[32:].any()


def without(motion: Motion, *parts: str) -> Motion:
    """The motion with the joints of some roles renamed to what no table knows."""
    hidden = {motion.skeleton.joint(f"{side}_{part}") for side in ("left", "right") for part in parts}
    names = tuple(f"thing{i}" if i in hidden else name for i, name in enumerate(motion.skeleton.names))
    return replace(motion, skeleton=replace(motion.skeleton, names=names))


def test_without_toes_the_ankle_speaks_for_both() -> None:
    sample = samples.make("walk")
    found = contacts(without(sample.motion, "toe"))
    assert np.array_equal(found[:, [0, 2]], found[:, [1, 3]])
    assert np.array_equal(found[:, [0, 2]], contacts(sample.motion)[:, [0, 2]])


def test_without_legs_the_error_names_what_is_missing() -> None:
    with pytest.raises(RoleError, match=r"left_hip, left_ankle, right_hip, right_ankle.*roles="):
        contacts(without(samples.make("walk").motion, "hip", "ankle"))


@given(hnp.arrays(np.int8, st.integers(1, 60), elements=st.integers(-1, 1)))
def test_schmitt_equals_a_loop(events: np.ndarray) -> None:
    state = bool(np.all(events == 0) or events[np.flatnonzero(events)[0]] < 0)
    expected = []
    for event in events:
        state = state if event == 0 else event > 0
        expected.append(bool(state))
    assert schmitt(events > 0, events < 0).tolist() == expected


@given(hnp.arrays(np.bool_, st.integers(1, 80)), st.integers(1, 8))
def test_steady_leaves_nothing_short_within_and_changes_nothing_twice(held: np.ndarray, shortest: int) -> None:
    calm = steady(held, shortest)
    assert np.array_equal(steady(calm, shortest), calm)
    inner = [s for s in [*spans(calm), *spans(~calm)] if s[0] > 0 and s[1] < len(calm)]
    assert all(last - first >= shortest for first, last in inner)
    if not [s for s in [*spans(held), *spans(~held)] if s[0] > 0 and s[1] < len(held) and s[1] - s[0] < shortest]:
        assert np.array_equal(calm, held)


@given(st.floats(5.0, 240.0), st.floats(0.01, 2.0), st.integers(2, 40))
def test_velocity_of_even_motion_is_exact_at_any_rate_and_span(fps: float, span: float, frames: int) -> None:
    slope = np.array([[1.0, -2.0], [0.0, 0.5]])
    points = np.arange(frames)[:, None, None] / fps * slope
    assert np.allclose(velocity(points, fps, span), slope)
    assert not velocity(points[:1], fps, span).any()


@pytest.mark.parametrize("name", ["16_15", "16_16", "16_31", "16_47", "16_58"])
def test_captured_walks_never_fly_and_stand_on_each_foot_for_three_fifths_of_the_time(cmu: Path, name: str) -> None:
    motion = load(cmu / "acclaim" / "16" / f"{name}.amc")
    down = feet(contacts(motion))
    assert down.any(axis=1).all()
    assert 0.55 <= down.mean() <= 0.68
    assert all(0.4 < end - begin < 0.9 for side in down.T for begin, end in bouts(side, motion.fps))


@pytest.mark.parametrize("clip", ["17/17_03", "16/16_13", "16/16_17", "127/127_25"])
def test_lost_markers_make_no_flicker(cmu: Path, clip: str) -> None:
    motion = load(cmu / "acclaim" / f"{clip}.amc")
    for down in contacts(motion).T:
        for begin, end in [*bouts(down, motion.fps), *bouts(~down, motion.fps)]:
            assert end - begin > 0.05 - 1e-6


@pytest.mark.parametrize("name", ["16_35", "16_36", "16_37", "16_45"])
def test_captured_runs_fly_between_short_single_supports(cmu: Path, name: str) -> None:
    motion = load(cmu / "acclaim" / "16" / f"{name}.amc")
    down = feet(contacts(motion))
    assert not down.all(axis=1).any()
    assert 0.2 <= down.mean() <= 0.45
    assert all(0.12 < end - begin < 0.3 for side in down.T for begin, end in bouts(side, motion.fps))
    flights = bouts(~down.any(axis=1), motion.fps)
    assert len(flights) >= 2
    assert all(0.05 < end - begin < 0.25 for begin, end in flights)


def test_between_captured_jumps_the_body_falls_freely(cmu: Path) -> None:
    motion = load(cmu / "acclaim" / "49" / "49_02.amc")
    aloft = bouts(~contacts(motion).any(axis=1), motion.fps)
    height = motion.position("hips")[:, 1]
    seen = []
    for begin, end in aloft:
        before, after = round(begin * motion.fps), round(end * motion.fps)
        bend = height[(before + after) // 2] - 0.5 * (height[before] + height[after])
        seen.append(bend / (9.81 * (end - begin) ** 2 / 8))
    assert len(seen) == 22
    assert 0.8 < np.median(seen) < 1.2
