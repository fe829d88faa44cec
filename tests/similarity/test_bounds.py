"""The lower bound never exceeds the distance, and never passes over a pair that is near."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from kinegraph.arrays import Array
from kinegraph.motion import FloorTransform, Motion
from kinegraph.similarity import bounds
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.windows import taper
from tests.similarity.reference import cloud_of
from tests.strategies import floor_transforms


def _features(made: Cloud, window: int) -> Array:
    return bounds.features(made.points, made.base, taper(window))


def _gaps(one: Array, two: Array) -> Array:
    return np.linalg.norm(one[:, None] - two[None], axis=2)


@pytest.fixture(scope="module", params=[(6, 0), (10, 2)])
def kinds(request: pytest.FixtureRequest, slow: dict[str, Motion]) -> tuple[list[Cloud], int]:
    window, along = request.param
    return [cloud_of(slow[name][:60], along) for name in ("16_15", "16_35", "17_03", "16_01")], window


def test_features_and_their_projection_are_never_further_apart_than_the_windows(kinds: tuple[list[Cloud], int]) -> None:
    clouds, window = kinds
    mean, axes = bounds.directions(clouds, taper(window))
    assert np.allclose(axes.T @ axes, np.eye(axes.shape[1]), atol=1e-9)
    close = []
    for a in clouds:
        for b in clouds:
            one, two = _features(a, window), _features(b, window)
            distance = distance_matrix(a, b, window)
            full, few = _gaps(one, two), _gaps((one - mean) @ axes, (two - mean) @ axes)
            assert (few <= full + 1e-9).all()
            assert (full <= distance + 1e-7).all()
            close.append(few[distance > 0.05] / distance[distance > 0.05])
    # a bound of nothing would pass as well: this one is of use
    assert np.median(np.concatenate(close)) > 0.5


@settings(max_examples=20)
@given(floor_transforms())
def test_features_survive_every_move_on_the_floor(move: FloorTransform) -> None:
    from kinegraph import samples

    motion = samples.make("walk_left_tight").motion[:60:2]
    before, after = (_features(cloud_of(one), 8) for one in (motion, motion.place(move)))
    assert np.abs(before - after).max() < 1e-9


@pytest.mark.parametrize("limit", [0.01, 0.1])
def test_blocks_that_hold_a_near_pair_are_marked(kinds: tuple[list[Cloud], int], limit: float) -> None:
    clouds, window = kinds
    mean, axes = bounds.directions(clouds, taper(window))
    made = []
    random = np.random.default_rng(3)
    for one in clouds:
        projected = (_features(one, window) - mean) @ axes
        there = random.uniform(size=len(projected)) > 0.2
        made.append((*bounds.blocks(projected, there), there))
    marked = 0
    for a, (a_means, a_radii, a_there) in zip(clouds, made, strict=True):
        for b, (b_means, b_radii, b_there) in zip(clouds, made, strict=True):
            near = np.zeros((len(a_radii), len(b_radii)), np.uint8)
            singles = (values.astype(np.float32) for values in (a_means, a_radii, b_means, b_radii))
            count = bounds.near_blocks(*singles, np.float32(limit), near)
            assert count == np.count_nonzero(near)
            distance = distance_matrix(a, b, window)
            for i, j in np.argwhere((distance <= limit) & a_there[:, None] & b_there):
                assert near[i // bounds.BLOCK, j // bounds.BLOCK]
            marked += count / near.size / len(made) ** 2
    assert 0 < marked < 0.9


def test_a_block_without_windows_is_near_to_none() -> None:
    means, radii = bounds.blocks(np.zeros((8, 3)), np.array([True] * 4 + [False] * 4))
    near = np.ones((2, 2), np.uint8)
    singles = means.astype(np.float32), radii.astype(np.float32)
    assert bounds.near_blocks(*singles, *singles, np.float32(5.0), near) == 1
    assert near.tolist() == [[1, 0], [0, 0]]
