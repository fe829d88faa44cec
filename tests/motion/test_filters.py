"""Filters along time do what SciPy's do."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from kinegraph.motion import filters


@pytest.mark.parametrize("shape", [(1,), (7,), (40,), (23, 4)])
@pytest.mark.parametrize("reach", [1, 3, 12])
def test_filters_are_those_of_scipy(shape: tuple[int, ...], reach: int) -> None:
    values = np.random.default_rng(reach).normal(size=shape)
    size = 2 * reach + 1
    assert np.array_equal(filters.lowest(values, reach), ndimage.minimum_filter1d(values, size, axis=0, mode="nearest"))
    assert np.array_equal(
        filters.highest(values, reach), ndimage.maximum_filter1d(values, size, axis=0, mode="nearest")
    )
    theirs = ndimage.gaussian_filter1d(values, reach / 3, axis=0, mode="nearest", radius=reach)
    assert np.allclose(filters.smoothed(values, reach / 3, reach), theirs, rtol=0, atol=1e-14)
