from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import Delaunay

from kinegraph.errors import SpaceError
from kinegraph.strikes.region import region
from kinegraph.strikes.space import Space

SEEDS = st.integers(0, 10_000)


@given(SEEDS)
def test_inside_is_what_the_triangles_between_the_hits_cover(seed: int) -> None:
    random = np.random.default_rng(seed)
    hits = random.normal(size=(12, 3))
    found = region(hits)
    targets = random.normal(scale=1.5, size=(200, 2))
    assert np.array_equal(found.inside(targets), Delaunay(hits[:, :2]).find_simplex(targets) >= 0)
    assert np.all(found.in_box(targets) | ~found.inside(targets))
    assert found.inside(hits[:, :2]).all()


@given(SEEDS, st.integers(0, 1))
def test_a_span_ends_on_the_edge_of_the_region(seed: int, axis: int) -> None:
    random = np.random.default_rng(seed)
    found = region(random.normal(size=(9, 3)))
    value = random.uniform(found.low[axis], found.high[axis])
    for end, sign in zip(found.span(axis, value), (-1, 1), strict=True):
        at = np.array([value, end])[[axis, 1 - axis]] if axis == 0 else np.array([end, value])
        outward = np.array([0.0, sign * 1e-6]) if axis == 0 else np.array([sign * 1e-6, 0.0])
        assert found.inside(at - outward)
        assert not found.inside(at + outward)


def test_a_span_beyond_the_box_is_that_at_its_edge(punches: Space) -> None:
    high = float(punches.region.high[1])
    assert punches.region.span(1, high + 1.0) == punches.region.span(1, high)


def test_hits_on_one_line_make_no_region() -> None:
    line = np.linspace(0, 1, 6)[:, None] * np.array([1.0, 2.0, 0.3])
    with pytest.raises(SpaceError, match="one line"):
        region(line)
    with pytest.raises(SpaceError, match="one line"):
        region(line[:2])


def test_samples_are_many_sound_and_the_same_every_time(punches: Space, kicks: Space) -> None:
    for space in (punches, kicks):
        found = space.samples
        count = len(space.examples)
        assert 500 <= len(found.weights) <= 1100
        assert np.array_equal(found.weights[:count], np.eye(count))
        assert np.allclose(found.weights.sum(axis=1), 1.0)
        assert np.allclose(found.weights * 5, np.round(found.weights * 5))
        assert found.weights.min() >= -0.2 - 1e-9
        assert found.weights.max() <= 1.2 + 1e-9
        assert np.allclose(found.hits, space.pose.at(found.weights))
        assert np.array_equal(Space("again", space.examples).samples.weights, found.weights)


def test_guessing_from_samples_comes_near(punches: Space) -> None:
    """The paper's way, by the nearest samples: centimetres, where solving takes them out."""
    for target in punches.examples.hits[:, :2] * 0.9 + 0.1 * punches.examples.hits[:, :2].mean(axis=0):
        weights = punches.samples.guess(target)
        assert abs(weights.sum() - 1) < 1e-9
        assert np.linalg.norm(punches.pose.at(weights)[:2] - target) < 0.05
