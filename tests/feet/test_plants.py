from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.errors import MotionError
from kinegraph.feet.contacts import steady
from kinegraph.feet.plants import Plant, as_contacts, footing, footsteps, peeled, plants
from kinegraph.feet.slide import slides
from kinegraph.feet.sole import soles
from kinegraph.feet.standing import middle, place, standing
from kinegraph.motion import FloorTransform, Motion
from kinegraph.motion.spans import spans
from tests.feet.skating import hurried, turned, uneven, without_toes

FOOT = float(np.hypot(0.05 + 0.135, 0.0))


def column(motion: Motion, index: int) -> np.ndarray:
    down = np.zeros((len(motion), 4), bool)
    return soles(motion, down)[index // 2].points(motion)[:, index % 2]


@pytest.mark.parametrize("name", ["walk", "run", "sneak", "jump", "start", "kick_high_centre"])
def test_plants_of_the_built_in_clips_are_their_contacts(name: str) -> None:
    sample = samples.make(name)
    found = plants(sample.motion, sample.contacts)
    for index in range(4):
        truth = [span for span in spans(sample.contacts[:, index]) if span[1] - span[0] >= 0.07 * 60]
        mine = [(plant.first, plant.last) for plant in found if plant.column == index]
        assert len(mine) == len(truth)
        for (first, last), (begin, end) in zip(mine, truth, strict=True):
            assert begin <= first <= begin + 1
            assert end - 1 <= last <= end
    feet = soles(sample.motion, sample.contacts)
    for plant in found:
        sole = feet[plant.column // 2]
        here = sole.points(sample.motion)[plant.first : plant.last, plant.column % 2]
        assert np.abs(here - plant.place).max() < 1e-6


@given(st.sampled_from(["walk", "run", "walk_left_tight"]), st.floats(0.9, 1.15), st.floats(-0.1, 0.1))
@settings(max_examples=20)
def test_heel_and_ball_that_stand_together_fit_the_foot(name: str, factor: float, rate: float) -> None:
    sample = samples.make(name)
    found = plants(turned(hurried(sample.motion, factor), rate), sample.contacts)
    pairs = [
        (heel, ball)
        for heel in found
        for ball in found
        if heel.side == ball.side and heel.part == "heel" and ball.part == "ball"
        if max(heel.first, ball.first) < min(heel.last, ball.last)
    ]
    assert len(pairs) >= 4
    for heel, ball in pairs:
        assert np.linalg.norm(heel.place - ball.place) == pytest.approx(FOOT, abs=1e-6)


def test_all_stand_on_one_floor_even_if_it_was_badly_measured() -> None:
    sample = samples.make("walk")
    found = footing(uneven(sample.motion, 0.04), sample.contacts)
    for plant in found.plants:
        assert plant.place[1] == found.soles[plant.column // 2].rest[plant.column % 2]


def test_a_place_is_where_the_point_was_steadiest() -> None:
    motion = samples.make("stand").motion
    # still for most of the time, then carried off by 8 cm within a tenth of a second
    away = np.clip((np.arange(len(motion)) - len(motion) + 7) / 6, 0, 1) * 0.08
    moved = replace(motion, root=motion.root + away[:, None] * [1.0, 0.0, 0.0])
    for plant in plants(moved, np.ones((len(motion), 4), bool)):
        assert abs(plant.place[0] - column(motion, plant.column)[0, 0]) < 0.001


def test_the_mean_place_leans_to_steady_frames() -> None:
    points = np.concatenate([np.zeros((10, 3)), np.linspace(0, 1, 10)[:, None] * [1.0, 0.0, 0.0]])
    speed = np.repeat([0.0, 2.0], 10)
    assert np.linalg.norm(place(points, speed)) < 0.001
    assert np.allclose(place(points, np.ones(20)), points.mean(axis=0))


def test_gaps_are_closed_and_moments_dropped() -> None:
    motion = samples.make("stand").motion
    down = np.zeros((len(motion), 4), bool)
    down[10:40, 0] = down[43:80, 0] = down[100:103, 0] = down[120:150, 0] = True
    assert [(plant.first, plant.last) for plant in plants(motion, down)] == [(10, 80), (120, 150)]


@pytest.mark.parametrize(("speed", "stands"), [(0.0, True), (0.2, True), (1.5, False)])
def test_what_goes_fast_does_not_stand(speed: float, stands: bool) -> None:
    motion = samples.make("stand").motion
    points = speed * np.arange(len(motion))[:, None] / motion.fps * np.array([1.0, 0.0, 0.0])
    velocities = np.full((len(motion), 3), [speed, 0.0, 0.0])
    down = np.zeros(len(motion), bool)
    down[20:60] = True
    kept, loose = standing(points, velocities, down, down, motion)
    assert (kept == [(20, 60)]) is stands
    assert (loose == []) is stands


@pytest.mark.parametrize(("helped", "until"), [(True, 50), (False, 40)])
def test_a_point_that_bears_the_body_alone_is_held_though_it_floats(helped: bool, until: int) -> None:
    """A point that lies still, then rises by 4 cm while nothing else is down. Where another foot takes over, it did not leave."""
    motion = samples.make("stand").motion
    points = np.zeros((len(motion), 3))
    points[:, 1] = 0.04 * np.clip((np.arange(len(motion)) - 38) / 12, 0, 1)
    down, alone = np.zeros(len(motion), bool), np.zeros(len(motion), bool)
    down[20:55] = alone[25 : 50 if helped else 55] = True
    ((first, last),), _ = standing(points, np.zeros_like(points), down, alone, motion)
    assert first == 20
    assert last == pytest.approx(until, abs=1)


def test_a_span_that_holds_a_step_becomes_two_plants() -> None:
    motion = samples.make("stand").motion
    frames = np.arange(len(motion))
    step = np.clip((frames - 60) / 12, 0, 1) * 0.5
    moved = replace(motion, root=motion.root + step[:, None] * [0.0, 0.0, 1.0])
    found = footing(moved, np.ones((len(motion), 4), bool))
    for index in range(4):
        first, second = (plant for plant in found.plants if plant.column == index)
        assert 40 < first.last <= 64
        assert 68 <= second.first < 90
        assert second.place[2] - first.place[2] == pytest.approx(0.5, abs=0.01)
    assert {column for column, _, _ in found.released} == {0, 1, 2, 3}


def test_a_heel_held_up_over_its_ball_does_not_stand() -> None:
    sample = samples.make("walk")
    motion = sample.motion
    # in the middle of the first push-off the heel is centimetres high: held there
    frame = next(span for span in spans(sample.contacts[:, 1] & ~sample.contacts[:, 0]) if span[1] - span[0] > 8)
    held = motion.sample(np.full(60, (frame[1] - 2) / motion.fps))
    both = Motion(
        motion.skeleton,
        np.concatenate([motion.root, held.root]),
        np.concatenate([motion.rotations, held.rotations]),
        motion.fps,
    )
    down = np.concatenate([sample.contacts, np.tile([[True, True, False, False]], (60, 1))])
    down[len(motion) - 3 : len(motion)] = False
    found = footing(both, down)
    late = [plant for plant in found.plants if plant.first >= len(motion)]
    assert [plant.part for plant in late] == ["ball"]
    ((column, first, last),) = found.released
    assert (column, last) == (0, len(both))
    assert len(motion) <= first < len(motion) + 5


def test_without_toes_only_heels_are_planted() -> None:
    sample = samples.make("walk")
    found = plants(without_toes(sample.motion), sample.contacts)
    assert found
    assert {plant.part for plant in found} == {"heel"}


@given(st.floats(-3, 3), st.floats(-9, 9), st.floats(-9, 9))
@settings(max_examples=10)
def test_plants_go_with_the_floor(angle: float, x: float, z: float) -> None:
    sample = samples.make("walk")
    skating, moved = hurried(sample.motion, 1.1), FloorTransform(angle, x, z)
    here, there = plants(skating, sample.contacts), plants(skating.place(moved), sample.contacts)
    assert [(p.side, p.part, p.first, p.last) for p in here] == [(p.side, p.part, p.first, p.last) for p in there]
    assert np.allclose([moved.apply(p.place) for p in here], [p.place for p in there], atol=1e-6)


def test_slides_are_measured_as_they_say() -> None:
    motion = samples.make("stand").motion
    frames = len(motion)
    # the whole body goes to and fro by 1 cm, frame by frame: every point is always 5 mm from the mean of its places
    shaken = replace(motion, root=motion.root + 0.01 * (np.arange(frames) % 2)[:, None] * [1.0, 0.0, 0.0])
    plant = Plant("left", "ball", 10, 50, np.zeros(3))
    measured = slides(shaken, [plant])
    assert measured.mean == pytest.approx([0.005], abs=2e-4)
    assert measured.furthest == pytest.approx([0.005], abs=5e-4)
    assert measured.overall == (measured.mean[0], measured.furthest[0])
    assert slides(motion, np.zeros((frames, 4), bool)).overall == (0.0, 0.0)


def test_contacts_of_plants_and_back() -> None:
    sample = samples.make("run")
    found = plants(sample.motion, sample.contacts)
    down = as_contacts(found, len(sample.motion))
    again = plants(sample.motion, down)
    assert [(p.column, p.first, p.last) for p in again] == [(p.column, p.first, p.last) for p in found]
    assert np.mean(down == sample.contacts) > 0.97


def test_contacts_of_another_length_are_refused() -> None:
    with pytest.raises(MotionError, match="left heel, left ball, right heel, right ball"):
        plants(samples.make("walk").motion, np.ones((3, 4), bool))


@pytest.mark.parametrize("shape", [(1,), (2, 3), (7,), (8, 3)])
def test_the_middle_is_the_median(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(0).normal(size=shape)
    np.testing.assert_allclose(middle(values), np.median(values, axis=0), rtol=1e-15)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 12)), min_size=1, max_size=8))
def test_short_gaps_are_closed_before_short_spans_are_dropped(runs: list[tuple[bool, int]]) -> None:
    # a point that does not move stands wherever it is said to for long enough: 9 frames of 120 a second
    down = np.concatenate([np.full(length, held) for held, length in runs])
    motion = samples.make("stand").motion
    still = Motion(motion.skeleton, motion.root[: len(down)], motion.rotations[: len(down)], 120.0)
    kept, loose = standing(np.zeros((len(down), 3)), np.zeros((len(down), 3)), down, down, still)
    claimed = spans(steady(down, 0.07 * 120.0))
    assert kept == [span for span in claimed if span[1] - span[0] >= 9]
    assert not loose


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("gap", [0.0, 0.016])
@pytest.mark.parametrize(("begins", "ends"), [(0, 1), (1, 0), (2, 3)])
def test_weight_passes_from_heel_to_ball_over_a_flat_foot(fps: float, gap: float, begins: int, ends: int) -> None:
    motion = samples.make("stand").motion.resample(fps)
    down = np.zeros((len(motion), 4), bool)
    half = round(0.5 * fps)
    down[5:half, begins] = True
    again = half + round(gap * fps)
    down[again : again + half, ends] = True
    before, after = plants(motion, down)
    together = max(round(0.025 * fps), 1)
    assert (before.column, after.column) == (begins, ends)
    assert (before.first, before.last) == (5, again + together)
    assert (after.first, after.last) == (again - together, again + half)
    # and on it they are as far apart as the foot is long
    assert np.linalg.norm(before.place - after.place) == pytest.approx(FOOT, abs=0.05)


def test_a_foot_that_was_up_between_is_not_handed_over() -> None:
    motion = samples.make("stand").motion
    down = np.zeros((len(motion), 4), bool)
    down[5:30, 0] = True
    down[34:60, 1] = True
    # and the heel of the other foot is another's
    down[61:90, 2] = True
    assert [(plant.first, plant.last) for plant in plants(motion, down)] == [(5, 30), (34, 60), (61, 90)]


@pytest.mark.parametrize(
    ("name", "frames", "stands"), [("run", 4, True), ("walk", 4, False), ("run", 2, False), ("walk", 5, True)]
)
def test_a_runner_s_foot_need_not_stand_for_as_long(name: str, frames: int, stands: bool) -> None:
    sample = samples.make(name)
    first, last = next(span for span in spans(sample.contacts[:, 1]) if span[0] > 20 and span[1] - span[0] > 6)
    begin = (first + last - frames) // 2
    down = np.zeros_like(sample.contacts)
    down[begin : begin + frames, 1] = True
    assert [(plant.first, plant.last) for plant in plants(sample.motion, down)] == (
        [(begin, begin + frames)] if stands else []
    )


def test_footsteps_are_what_a_foot_does_before_it_comes_off() -> None:
    at = np.zeros(3)
    left = [Plant("left", "heel", 0, 11, at), Plant("left", "ball", 10, 20, at), Plant("left", "heel", 20, 30, at)]
    right = [Plant("right", "ball", 5, 25, at)]
    assert footsteps([*right, *left]) == [left[:2], left[2:], right]
    assert footsteps([]) == []


def test_a_ball_is_not_held_once_its_foot_stands_anew() -> None:
    """A heel that comes down elsewhere while the ball before it is still held cannot be as far from it as the foot is long."""
    stand = samples.make("stand")
    found = footing(stand.motion, stand.contacts)
    places = {plant.part: plant.place for plant in found.plants if plant.side == "left"}
    ball = Plant("left", "ball", 10, 20, places["ball"])
    heel = Plant("left", "heel", 22, 60, places["heel"] + np.array([0.01, 0.0, 0.0]))
    calm = np.ones(len(stand.motion), bool)
    # somebody who stands peels nothing off: it is held as long as it may
    alone = peeled(stand.motion, replace(found, plants=(ball,)), calm).plants[0]
    assert alone.last > 22
    both = peeled(stand.motion, replace(found, plants=(ball, heel)), calm).plants
    assert [(plant.part, plant.first, plant.last) for plant in both] == [("ball", 10, 22), ("heel", 22, 60)]
