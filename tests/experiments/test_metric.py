"""Manchester's metric against the sums it stands for; the staircase against all ways through a grid; clips spliced without a graph."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.blending.kinds.weighted import Cubic
from kinegraph.experiments.direct import direct
from kinegraph.experiments.documents.chen_alignment import staircase
from kinegraph.experiments.fourth_powers import local_minima, pose_distances, window_sums
from kinegraph.experiments.splicing import aligned, spliced
from kinegraph.similarity.clouds import cloud, cloud_matrix
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.windows import taper


def test_fourth_powers_are_those_of_the_points() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(7, 5, 3)), rng.normal(size=(6, 5, 3))
    slow = (np.linalg.norm(a[:, None] - b[None], axis=-1) ** 4).sum(axis=-1)
    np.testing.assert_allclose(pose_distances(a, b), slow, rtol=1e-9)


def test_windows_are_summed_along_diagonals() -> None:
    poses = np.random.default_rng(1).random((9, 8))
    sums = window_sums(poses, 3)
    assert sums.shape == (7, 6)
    for i, j in product(range(7), range(6)):
        assert sums[i, j] == pytest.approx(sum(poses[i + k, j + k] for k in range(3)))


def test_minima_have_eight_neighbours_and_ties_count_if_told() -> None:
    costs = np.array([[9.0, 9, 9, 9], [9, 1, 1.000001, 9], [9, 9, 9, 9], [0, 9, 9, 9]])
    assert np.argwhere(local_minima(costs)).tolist() == [[1, 1]]
    assert np.argwhere(local_minima(costs, 1e-5)).tolist() == [[1, 1], [1, 2]]


def test_the_staircase_is_the_cheapest_way() -> None:
    grid = np.random.default_rng(2).random((4, 5))

    def cheapest(i: int, j: int) -> float:
        if (i, j) == (3, 4):
            return float(grid[i, j])
        ahead = [(i + 1, j + 1), (i + 1, j), (i, j + 1)]
        return float(grid[i, j]) + min(cheapest(*place) for place in ahead if place[0] < 4 and place[1] < 5)

    way = staircase(grid)
    assert grid[tuple(way.T)].sum() == pytest.approx(cheapest(0, 0))
    assert np.diff(way, axis=0).min() >= 0


def test_the_written_formula_is_our_distance() -> None:
    a, b = (samples.make(name).motion.resample(30) for name in ("walk", "run"))
    joints = np.ones(len(a.skeleton))
    matrix = cloud_matrix(a.skeleton, joints)
    ours = distance_matrix(cloud(a, matrix), cloud(b, matrix), 10)
    np.testing.assert_allclose(direct(a.positions, b.positions, taper(10), joints), ours, atol=1e-8)


def test_a_splice_begins_as_one_clip_and_ends_as_the_other() -> None:
    walk, run = (samples.make(name).motion.resample(30) for name in ("walk", "run"))
    placed = aligned(walk, run, 20, 5, 10)
    made = spliced(walk, placed, 20, 5, 10, Cubic())
    assert len(made) == 20 + 10 + len(run) - 15
    np.testing.assert_allclose(made.positions[:20], walk.positions[:20], atol=1e-9)
    np.testing.assert_allclose(made.positions[30:], placed.positions[15:], atol=1e-9)
    # no joint jumps further than it does in the clips
    steps = [np.linalg.norm(np.diff(motion.positions, axis=0), axis=-1).max() for motion in (made, walk, run)]
    assert steps[0] < 1.5 * max(steps[1:])
