"""The lower bounds never exceed the distance, and never pass over a pair that is near."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from kinegraph.motion import FloorTransform, Motion
from kinegraph.similarity import bounds
from kinegraph.similarity.bounds import Points
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.leaves import quarter
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.windows import taper
from tests.similarity.reference import cloud_of
from tests.strategies import floor_transforms


def _points(made: Cloud, window: int, seen: bounds.Directions) -> Points:
    return bounds.project(made.points, made.base, taper(window), seen)


@pytest.fixture(scope="module", params=[(6, 0), (10, 2)])
def kinds(request: pytest.FixtureRequest, slow: dict[str, Motion]) -> tuple[list[Cloud], int]:
    window, along = request.param
    return [cloud_of(slow[name][:60], along) for name in ("16_15", "16_35", "17_03", "16_01")], window


def test_directions_are_orthonormal(kinds: tuple[list[Cloud], int]) -> None:
    clouds, window = kinds
    seen = bounds.directions(clouds, taper(window))
    assert np.allclose(seen.heights.T @ seen.heights, np.eye(bounds.HEIGHTS), atol=1e-9)
    assert np.allclose(seen.planes.conj().T @ seen.planes, np.eye(bounds.PLANES), atol=1e-9)


def test_where_there_are_few_directions_the_others_are_nothing() -> None:
    points = np.zeros((30, 3, 1))
    points[:, 1, 0] = np.sin(np.arange(30))
    one = Cloud(points, np.ones(1), np.ones(30, bool))
    seen = bounds.directions([one], taper(2))
    assert np.linalg.norm(seen.heights, axis=0).round(9).tolist() == [1.0, 1.0] + [0.0] * (bounds.HEIGHTS - 2)
    assert not seen.planes.any()


def test_points_are_never_further_apart_than_the_windows(kinds: tuple[list[Cloud], int]) -> None:
    clouds, window = kinds
    seen = bounds.directions(clouds, taper(window))
    close, rough = [], []
    for a in clouds:
        for b in clouds:
            one, two = _points(a, window, seen), _points(b, window, seen)
            distance = distance_matrix(a, b, window)
            sharp, coarse = one.distances(two), one.coarse().distances(two.coarse())
            assert (coarse <= sharp + 1e-7).all()
            assert (sharp <= distance + 1e-7).all()
            close.append(sharp[distance > 0.05] / distance[distance > 0.05])
            rough.append(coarse[distance > 0.05] / distance[distance > 0.05])
    # a bound of nothing would pass as well: these are of use
    assert np.median(np.concatenate(close)) > 0.9
    assert np.median(np.concatenate(rough)) > 0.7


@settings(max_examples=20)
@given(floor_transforms())
def test_distances_of_points_survive_every_move_on_the_floor(move: FloorTransform) -> None:
    from kinegraph import samples

    motion = samples.make("walk_left_tight").motion[:60:2]
    clouds = [cloud_of(one) for one in (motion, motion.place(move))]
    seen = bounds.directions(clouds[:1], taper(8))
    before, after = (_points(one, 8, seen) for one in clouds)
    assert np.abs(before.distances(before) - before.distances(after)).max() < 1e-6


@pytest.mark.parametrize("size", [1, 3, 4])
def test_windows_lie_within_the_radius_of_their_run(kinds: tuple[list[Cloud], int], size: int) -> None:
    clouds, window = kinds
    seen = bounds.directions(clouds, taper(window))
    random = np.random.default_rng(3)
    for one in clouds:
        points = _points(one, window, seen)
        there = random.uniform(size=len(points.real)) > 0.3
        centres, radii = bounds.balls(points, there, size)
        away = points.distances(centres)
        for n in range(len(there)):
            if there[n]:
                assert away[n, n // size] <= radii[n // size]
        empty = [not there[n : n + size].any() for n in range(0, len(there), size)]
        assert (radii < 0).tolist() == empty
        assert np.median(radii[radii >= 0]) < 0.05


def test_a_run_without_windows_is_nowhere() -> None:
    points = Points(np.ones((8, 3)), np.ones((8, 2), complex))
    made = np.empty((2, 9), np.float32)
    bounds.write_balls(points.real, points.plane, np.array([True] * 4 + [False] * 4), 4, made)
    assert made[0].tolist() == pytest.approx([1, 1, 1, 1, 0, 1, 0, 5, 0], abs=1e-4)
    assert made[1].tolist() == pytest.approx([0] * 7 + [1e18, 0])


def test_a_quarter_of_a_leaf_lasts_as_long_at_every_rate() -> None:
    assert [quarter(frames) for frames in (2, 6, 10, 20, 40, 80)] == [1, 1, 1, 2, 4, 8]
