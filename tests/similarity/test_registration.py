"""Which moments of two motions correspond."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.errors import MotionError
from kinegraph.formats import load
from kinegraph.motion import FloorTransform, Motion
from kinegraph.motion.filters import smoothed
from kinegraph.similarity import registration
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.registration import STIFFNESS, _cheapest, _path, _valley, grid, register
from tests.similarity.reference import cloud_of, direct
from tests.strategies import generators

_PLAYED = ("punch_middle_centre", "kick_middle_centre", "walk")

# frames at 60 a second: from rest to rest, and the hit between
_PUNCHES = ((45, 84, 134), (134, 171, 224), (224, 262, 304), (304, 345, 394), (481, 518, 562), (652, 693, 747))
_KICKS = ((19, 72, 125), (125, 179, 234), (234, 289, 344), (344, 399, 455), (871, 923, 975), (1080, 1133, 1190))

CapturedStrike = tuple[Motion, int]


@pytest.fixture(scope="session")
def strikes(cmu: Path) -> dict[str, list[CapturedStrike]]:
    """Punches and kicks of real takes at 60 frames/s, each with the frame of its hit."""
    found = {}
    for name, cuts in (("02_05", _PUNCHES), ("144_05", _KICKS)):
        take = load(cmu / "bvh" / f"{name}.bvh").resample(60)
        found[name] = [(take[first : last + 1], hit - first) for first, hit, last in cuts]
    return found


def _cloud(points: Array) -> Cloud:
    """A cloud of points ``(F, 3, K)`` that all weigh the same."""
    return Cloud(points, np.full(points.shape[2], points.shape[2] ** -0.5), np.ones(len(points), bool))


def _random_cloud(random: np.random.Generator, frames: int) -> Cloud:
    return _cloud(np.cumsum(random.normal(0, 0.05, (frames, 3, 5)), axis=0) + random.normal(0, 0.5, (3, 5)))


def _warp(random: np.random.Generator, frames: int, others: int) -> Array:
    """A smooth warp ``(frames,)`` from 0 to ``others`` − 1 whose slopes differ by some ten per cent."""
    slopes = np.exp(3.0 * smoothed(random.normal(0, 0.3, frames - 1), frames / 12, frames // 3))
    course = np.concatenate([[0.0], np.cumsum(slopes)])
    return course * (others - 1) / course[-1]


def _warped(motion: Motion, warp: Array) -> Motion:
    """The motion whose frame ``warp[i]`` shows frame i of this one."""
    frames = np.interp(np.arange(round(warp[-1]) + 1), warp, np.arange(len(warp)))
    return motion.sample(frames / motion.fps)


def _slope_ratios(frames: Array, marks: list[tuple[int, int]]) -> Array:
    """Slopes ``(F − 1,)`` by the mean slope between the pins around them."""
    parts = [np.diff(frames[i : m + 1]) * (m - i) / (n - j) for (i, j), (m, n) in pairwise(marks)]
    return np.concatenate(parts)


# -- the grid ------------------------------------------------------------------------------------------------------------


def test_the_grid_is_kovars_distance_of_single_frames() -> None:
    a, b = samples.make("punch_middle_centre").motion, samples.make("kick_middle_centre").motion
    distances = grid(cloud_of(a), cloud_of(b))
    assert distances.shape == (len(a), len(b))
    for i, j in ((0, 0), (17, 40), (len(a) - 1, 5)):
        assert distances[i, j] == pytest.approx(direct(a, i, b, j, 1)[0], abs=1e-9)


def test_the_grid_is_the_distance_matrix_of_windows_of_one_frame(slow: dict[str, Motion]) -> None:
    a, b = cloud_of(slow["02_05"]), cloud_of(slow["16_15"])
    assert np.abs(grid(a, b) - distance_matrix(a, b, 1)).max() < 1e-7


# -- what corresponds ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", _PLAYED)
def test_a_motion_corresponds_to_itself(name: str) -> None:
    points = cloud_of(samples.make(name).motion)
    assert np.abs(register(points, points) - np.arange(len(points))).max() < 1e-6


def test_real_strikes_correspond_to_themselves(strikes: dict[str, list[CapturedStrike]]) -> None:
    for motion, hit in (strikes["02_05"][0], strikes["144_05"][0]):
        points = cloud_of(motion)
        assert np.abs(register(points, points, [(hit, hit)]) - np.arange(len(points))).max() < 1e-6


@pytest.mark.parametrize("name", _PLAYED)
def test_where_a_motion_stands_and_faces_does_not_matter(name: str) -> None:
    motion = samples.make(name).motion
    points = cloud_of(motion)
    moved = cloud_of(motion.place(FloorTransform(2.1, 40.0, -3.0)))
    assert np.abs(register(points, moved) - np.arange(len(points))).max() < 1e-4
    other = _warped(motion, _warp(np.random.default_rng(5), len(motion), len(motion) + 9))
    turned = other.place(FloorTransform(-1.2, 0.3, 5.0))
    assert np.abs(register(points, cloud_of(turned)) - register(points, cloud_of(other))).max() < 1e-4


@pytest.mark.parametrize("name", _PLAYED)
def test_a_known_warp_is_found(name: str) -> None:
    _assert_found([(samples.make(name).motion, ())])


def test_a_known_warp_of_real_strikes_is_found(strikes: dict[str, list[CapturedStrike]]) -> None:
    for found in strikes.values():
        _assert_found([(motion, (hit,)) for motion, hit in found[:2]])


def test_a_known_warp_is_found_closely_where_smoothness_counts_little(
    strikes: dict[str, list[CapturedStrike]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration, "STIFFNESS", 0.01)
    monkeypatch.setattr(registration, "_BEND", 0.002)
    for name in _PLAYED:
        _assert_found([(samples.make(name).motion, ())], within=0.5, share=0.2)
    for found in strikes.values():
        _assert_found([(motion, (hit,)) for motion, hit in found[:2]], within=0.5, share=0.2)


def _assert_found(cases: list[tuple[Motion, tuple[int, ...]]], within: float = 1.25, share: float = 0.5) -> None:
    """Over several warps, the true one is missed by few frames, and by a small share of what straight time misses it by."""
    missed, lost = [], []
    for (motion, hits), seed in product(cases, range(6)):
        random = np.random.default_rng(seed)
        warp = _warp(random, len(motion), round(random.uniform(0.7, 1.5) * len(motion)))
        pins = [(hit, round(warp[hit])) for hit in hits]
        points, other = cloud_of(motion), cloud_of(_warped(motion, warp))
        marks = [(0, 0), *pins, (len(motion) - 1, len(other) - 1)]
        straight = np.interp(np.arange(len(motion)), *np.array(marks).T)
        # where nothing moves, any time is as good
        speed = _speeds(points)
        for frames, errors in ((register(points, other, pins), missed), (straight, lost)):
            errors.append(np.sqrt(np.average((frames - warp) ** 2, weights=speed)))
    assert np.mean(missed) < within
    assert np.sum(missed) < share * np.sum(lost)


def _speeds(points: Cloud) -> Array:
    return np.convolve(np.diagonal(grid(points, points), 1), np.full(2, 0.5), "full")


def test_noise_does_not_lead_the_warp_astray(strikes: dict[str, list[CapturedStrike]]) -> None:
    random = np.random.default_rng(0)
    for motion, hit in strikes["144_05"][:4]:
        warp = _warp(random, len(motion), len(motion) + 12)
        points, other = cloud_of(motion), cloud_of(_warped(motion, warp))
        noise = smoothed(random.normal(0, 0.12, other.points.shape), 5.0, 20)  # 2 to 4 cm a coordinate
        noisy = Cloud(other.points + noise * other.base, other.base, other.sound)
        frames = register(points, noisy, [(hit, round(warp[hit]))])
        speed = _speeds(points)
        assert np.sqrt(np.average((frames - warp) ** 2, weights=speed)) < 2.0


def test_real_strikes_come_closer_than_by_straight_time(strikes: dict[str, list[CapturedStrike]]) -> None:
    for name, gain in (("02_05", 0.96), ("144_05", 0.93)):
        base, base_hit = strikes[name][1]
        points, closer = cloud_of(base), []
        for motion, hit in strikes[name]:
            if motion is base:
                continue
            valley = _valley(points, cloud_of(motion))
            frames = register(points, cloud_of(motion), [(base_hit, hit)])
            straight = np.interp(np.arange(len(base)), [0, base_hit, len(base) - 1], [0, hit, len(motion) - 1])
            mean, mean_straight = (np.sqrt(np.maximum(valley.at(f)[0], 0)).mean() for f in (frames, straight))
            assert mean < mean_straight
            closer.append(mean / mean_straight)
            # no speed jumps: the pace changes by less than a sixth of itself a frame, at the hit too
            assert np.abs(np.diff(np.diff(frames))).max() < 0.17
        assert np.mean(closer) < gain


# -- what the warp promises ----------------------------------------------------------------------------------------------


@given(
    st.integers(2, 60), st.floats(0.45, 2.2), st.lists(st.floats(0.05, 0.95), max_size=3), st.floats(1.05, 4.0), generators()
)  # fmt: skip
def test_ends_pins_and_slopes_hold(
    frames: int, ratio: float, places: list[float], slope: float, random: np.random.Generator
) -> None:
    others = max(2, round(ratio * frames))
    marks = [(0, 0)]
    for place in sorted(places):
        i = round(place * (frames - 1))
        j = round((place + random.uniform(-0.1, 0.1)) * (others - 1))
        if marks[-1][0] < i < frames - 1 and marks[-1][1] < j < others - 1:
            marks.append((i, j))
    marks.append((frames - 1, others - 1))
    ratios = [(n - j) / (m - i) for (i, j), (m, n) in pairwise(marks)]
    slope = max(slope, *ratios, *(1 / ratio for ratio in ratios))
    found = register(_random_cloud(random, frames), _random_cloud(random, others), marks[1:-1], slope=slope)
    assert found.shape == (frames,)
    assert [(i, found[i]) for i, _ in marks] == marks
    assert np.all(np.diff(found) > 0)
    paces = _slope_ratios(found, marks)
    assert 1 / slope - 1e-9 <= paces.min()
    assert paces.max() <= slope + 1e-9


def test_still_stretches_are_straight() -> None:
    still = _cloud(np.repeat(np.random.default_rng(0).normal(0, 0.5, (1, 3, 6)), 80, axis=0))
    assert np.abs(register(still, _cloud(still.points[:50])) - np.linspace(0, 49, 80)).max() < 1e-6


def test_an_idle_stretch_before_a_motion_does_not_wander() -> None:
    random = np.random.default_rng(3)
    idle = smoothed(random.normal(0, 0.004, (80, 3, 6)), 3.0, 9), smoothed(random.normal(0, 0.004, (90, 3, 6)), 3.0, 9)
    pose = random.normal(0, 0.5, (3, 6))
    found = register(_cloud(pose + idle[0]), _cloud(pose + idle[1]))
    assert np.abs(found - np.linspace(0, 89, 80)).max() < 0.2


def test_the_pace_does_not_jump_at_a_pin() -> None:
    motion = samples.make("punch_middle_centre").motion
    points, middle = cloud_of(motion), len(motion) // 2
    shifted = middle + len(motion) // 8
    found = register(points, points, [(middle, shifted)])
    slopes = np.diff(found)
    straight = abs((len(motion) - 1 - shifted) / (len(motion) - 1 - middle) - shifted / middle)
    assert straight > 0.4
    # spread over many frames: no change is near what the straight lines have at once
    assert np.abs(np.diff(slopes)).max() < 0.4 * straight


def test_other_rates_give_the_same_moments() -> None:
    motion = samples.make("kick_middle_centre").motion
    other = _warped(motion, _warp(np.random.default_rng(1), len(motion), len(motion) + 16))
    both = register(cloud_of(motion), cloud_of(other))
    every_other = other[: len(other) - (len(other) + 1) % 2]
    slow = register(cloud_of(motion), cloud_of(every_other.resample(30.0)), rates=(60, 30))
    assert np.abs(2 * slow - both).max() < 1.2
    half = motion[: len(motion) - (len(motion) + 1) % 2].resample(30.0)
    coarse = register(cloud_of(half), cloud_of(every_other.resample(30.0)), rates=(30, 30))
    assert np.abs(2 * coarse - both[: 2 * len(coarse) : 2]).max() < 1.2


def test_the_curve_is_the_one_of_least_cost(
    strikes: dict[str, list[CapturedStrike]], monkeypatch: pytest.MonkeyPatch
) -> None:
    # pins that are far off press the slopes against their limits, where steps are cut short
    cases = []
    for (motion, hit), (other, its) in pairwise(strikes["02_05"] + strikes["144_05"][:3]):
        if motion.skeleton == other.skeleton:
            cases += [(cloud_of(motion), cloud_of(other), (hit, its + shift)) for shift in (-14, 0, 14)]
    quick = [register(base, other, [pin]) for base, other, pin in cases]
    monkeypatch.setattr(registration, "_BARRIERS", (1e-3, 1e-4, 1e-5, 1e-6))
    monkeypatch.setattr(registration, "_NEWTON_STEPS", 300)
    monkeypatch.setattr(registration, "_SETTLED", 1e-5)
    for found, (base, other, pin) in zip(quick, cases, strict=True):
        assert np.abs(found - register(base, other, [pin])).max() < 0.1


# -- the path ------------------------------------------------------------------------------------------------------------


@given(st.integers(2, 6), st.integers(2, 7), st.integers(1, 3), st.integers(0, 3), generators())
def test_the_path_is_the_cheapest_of_all(
    rows: int, columns: int, low: int, more: int, random: np.random.Generator
) -> None:
    squares, tolls = random.random((rows, columns)), random.random(more + 1)
    last = int(random.integers(low, low + more + 1, rows - 1).sum())
    at = np.arange(last + 1) * (columns - 1) / last
    below = np.minimum(at.astype(np.int64), columns - 2)
    path, cost = _cheapest(squares, below, at - below, tolls, low)

    def price(points: Array) -> float:
        met = [np.interp(at[point], np.arange(columns), squares[row]) for row, point in enumerate(points)]
        return float(sum(met) + tolls[np.diff(points) - low].sum())

    everywhere = product(range(low, low + more + 1), repeat=rows - 1)
    permitted = [np.concatenate([[0], np.cumsum(steps)]) for steps in everywhere if sum(steps) == last]
    assert cost == pytest.approx(min(price(points) for points in permitted), abs=1e-12)
    assert path[0] == 0
    assert path[-1] == last
    assert price(path) == pytest.approx(cost, abs=1e-12)


def test_the_path_keeps_to_the_slope_limit() -> None:
    squares = np.random.default_rng(2).random((30, 40))
    for slope in (1.1, 2.0, 2.5, 4.0):
        paces = np.diff(_path(squares, slope, STIFFNESS)) * 29 / 39
        assert paces.min() >= 1 / slope - 1e-9
        assert paces.max() <= slope + 1e-9


# -- what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pins", "says"),
    [
        ([(5, 40)], r"outside.*0 to 29, other 0 to 39"),
        ([(-1, 3)], "outside"),
        ([(30, 3)], "outside"),
        ([(12, 12), (10, 15)], r"\(10, 15\) cannot follow \(12, 12\)"),
        ([(10, 12), (12, 12)], "go forward"),
        ([(0, 3)], "first frames"),
        ([(7, 39)], r"last frames \(29, 39\)"),
        (
            [(20, 4)],
            r"frames 0 to 20 of base \(0.33 s\) and 0 to 4 of other \(0.07 s\).*5.0 times.*2.5.*raise the limit",
        ),
    ],
)
def test_pins_that_cannot_be_are_refused(pins: list[tuple[int, int]], says: str) -> None:
    random = np.random.default_rng(0)
    with pytest.raises(MotionError, match=says):
        register(_random_cloud(random, 30), _random_cloud(random, 40), pins)


def test_pins_at_the_ends_change_nothing() -> None:
    random = np.random.default_rng(0)
    base, other = _random_cloud(random, 30), _random_cloud(random, 40)
    assert np.array_equal(register(base, other, [(0, 0), (29, 39)]), register(base, other))


def test_lengths_that_differ_too_much_are_refused() -> None:
    random = np.random.default_rng(0)
    base, other = _random_cloud(random, 21), _random_cloud(random, 61)
    with pytest.raises(
        MotionError, match=r"0 to 20 of base.*0 to 60 of other.*3\.0 times as long.*slope limit of 2\.5"
    ):
        register(base, other)
    assert register(base, other, slope=3.0)[-1] == 60
    assert register(base, other, rates=(60, 120))[-1] == 60


def test_clips_of_one_frame_or_none() -> None:
    random = np.random.default_rng(0)
    one, two, ten = (_random_cloud(random, frames) for frames in (1, 2, 10))
    none = _cloud(np.zeros((0, 3, 5)))
    assert register(one, one).tolist() == [0.0]
    assert register(one, one, [(0, 0)]).tolist() == [0.0]
    assert register(two, two).tolist() == [0.0, 1.0]
    assert register(two, ten, slope=10).tolist() == [0.0, 9.0]
    for base, other in ((one, ten), (ten, one)):
        with pytest.raises(MotionError, match="single frame"):
            register(base, other)
    for base, other in ((none, ten), (ten, none), (none, none)):
        with pytest.raises(MotionError, match="empty"):
            register(base, other)


@pytest.mark.parametrize("slope", [1.0, 0.5, 0.0, -2.0, np.inf, np.nan])
def test_a_slope_limit_must_leave_room(slope: float) -> None:
    points = _random_cloud(np.random.default_rng(0), 10)
    with pytest.raises(MotionError, match="above 1"):
        register(points, points, slope=slope)


@pytest.mark.parametrize("rates", [(0.0, 60.0), (60.0, np.nan), (60.0, np.inf)])
def test_rates_must_be_positive(rates: tuple[float, float]) -> None:
    points = _random_cloud(np.random.default_rng(0), 10)
    with pytest.raises(MotionError, match="frames per second"):
        register(points, points, rates=rates)


def test_clouds_of_other_points_are_refused() -> None:
    points = _random_cloud(np.random.default_rng(0), 10)
    fewer = _cloud(points.points[:, :, :4])
    with pytest.raises(MotionError, match=r"5 and 4 points.*same matrix"):
        register(points, fewer)
    with pytest.raises(MotionError, match="same matrix"):
        grid(points, fewer)
