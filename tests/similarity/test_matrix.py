"""The whole matrix against the formula written out for every pair."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.motion import FloorTransform, Motion
from kinegraph.similarity.matrix import distance_matrix
from tests.similarity.reference import cloud_of, explicit_points, kovar, window_points
from tests.strategies import floor_transforms


def _every_pair(a: Motion, b: Motion, window: int, step: int = 1, along: int = 0) -> Array:
    points_a, shares = explicit_points(a, along)
    points_b, _ = explicit_points(b, along)
    rows, columns = range(0, len(a) - window + 1, step), range(0, len(b) - window + 1, step)
    out = np.empty((len(rows), len(columns)))
    for n, i in enumerate(rows):
        one, weights = window_points(points_a, shares, i, window)
        for m, j in enumerate(columns):
            out[n, m] = kovar(one, window_points(points_b, shares, j, window)[0], weights)[0]
    return out


@pytest.mark.parametrize(("window", "along"), [(2, 0), (10, 0), (10, 2)])
def test_every_pair_of_two_built_in_clips(window: int, along: int) -> None:
    a, b = samples.make("walk").motion[:90:3], samples.make("jump").motion[30:120:3]
    made = distance_matrix(cloud_of(a, along), cloud_of(b, along), window)
    assert made.shape == (len(a) - window + 1, len(b) - window + 1)
    assert np.abs(made - _every_pair(a, b, window, along=along)).max() < 1e-9


@pytest.mark.parametrize("window", [6, 10, 41])
@pytest.mark.parametrize("pair", [("16_15", "16_17"), ("16_35", "16_01"), ("02_05", "17_03")])
def test_pairs_of_real_clips(slow: dict[str, Motion], pair: tuple[str, str], window: int) -> None:
    """The bar is a tenth of a millimetre; double precision gives a nanometre."""
    a, b = (slow[name] for name in pair)
    assert min(len(a), len(b)) >= window
    step = 9
    made = distance_matrix(cloud_of(a), cloud_of(b), window)[::step, ::step]
    assert np.abs(made - _every_pair(a, b, window, step)).max() < 1e-9


def test_it_is_its_own_mirror_image_under_swapping(slow: dict[str, Motion]) -> None:
    a, b = cloud_of(slow["16_17"]), cloud_of(slow["16_35"])
    there, back = distance_matrix(a, b, 10), distance_matrix(b, a, 10)
    assert np.abs(there - back.T).max() < 1e-12


@settings(max_examples=25)
@given(floor_transforms(), floor_transforms())
def test_rigid_motion_on_the_floor_changes_nothing(move_a: FloorTransform, move_b: FloorTransform) -> None:
    a, b = samples.make("walk_left_medium").motion[:80:2], samples.make("run").motion[:80:2]
    before = distance_matrix(cloud_of(a), cloud_of(b), 7)
    after = distance_matrix(cloud_of(a.place(move_a)), cloud_of(b.place(move_b)), 7)
    assert np.abs(after - before).max() < 1e-9


def test_a_clip_is_no_distance_from_itself(slow: dict[str, Motion]) -> None:
    made = distance_matrix(cloud_of(slow["16_08"]), cloud_of(slow["16_08"].place(FloorTransform(1.0, 5.0, 6.0))), 10)
    assert np.diag(made).max() < 1e-6
    assert made[0, 30] > 0.05


def test_a_held_pose_is_equally_far_from_itself_everywhere() -> None:
    pose = samples.make("walk").motion[10:11]
    held = replace(pose, root=np.repeat(pose.root, 15, axis=0), rotations=np.repeat(pose.rotations, 15, axis=0))
    assert distance_matrix(cloud_of(held), cloud_of(held), 5).max() < 1e-6


def test_clips_as_long_as_the_window_have_one_pair() -> None:
    a, b = samples.make("walk").motion[:10], samples.make("run").motion[:10]
    made = distance_matrix(cloud_of(a), cloud_of(b), 10)
    assert made.shape == (1, 1)
    assert made[0, 0] == pytest.approx(_every_pair(a, b, 10)[0, 0], abs=1e-10)


def test_ten_kilometres_away_nothing_is_lost(slow: dict[str, Motion]) -> None:
    a, b = slow["16_15"], slow["16_17"]
    far = replace(b, root=b.root + np.array([10_000.0, 0.0, 10_000.0]))
    gap = distance_matrix(cloud_of(a), cloud_of(far), 10) - distance_matrix(cloud_of(a), cloud_of(b), 10)
    assert np.abs(gap).max() < 1e-7
