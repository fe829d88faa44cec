from __future__ import annotations

import numpy as np
import pytest

from kinegraph.paths.ends import Laps, Onward
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import shape


def test_onward_goes_straight_beyond_both_ends() -> None:
    way = Onward(Path([[0, 0], [0, 3], [4, 3]], [0.0, 0.5, 1.0]))
    np.testing.assert_allclose(way.at([-1.0, 0.0, 7.0, 9.0]), [[0, -1], [0, 0], [4, 3], [6, 3]], atol=1e-12)
    np.testing.assert_allclose(way.heading([-1.0, 9.0]), [0.0, np.pi / 2], atol=1e-12)
    np.testing.assert_allclose(way.height([-1.0, 9.0]), [0.0, 1.0])
    assert way.curvature([-1.0, 9.0]).tolist() == [0.0, 0.0]
    assert way.length == pytest.approx(7.0)


def test_onward_is_the_curve_itself_within_it() -> None:
    curve = shape("wave:12,1.5")
    s = np.linspace(0.0, curve.length, 300)
    way = Onward(curve)
    for name in ("at", "heading", "curvature", "height"):
        np.testing.assert_array_equal(getattr(way, name)(s), getattr(curve, name)(s))


def test_laps_go_round_without_a_jump() -> None:
    circle = shape("circle:2")
    way = Laps(circle)
    s = np.linspace(0.0, 3.2 * circle.length, 5000)
    np.testing.assert_allclose(np.hypot(*(way.at(s) - [2.0, 0.0]).T), 2.0, atol=1e-4)
    turned = np.unwrap(way.heading(s))
    assert turned[-1] == pytest.approx(3.2 * 2 * np.pi, abs=0.01)
    assert np.diff(turned).min() > 0
    np.testing.assert_allclose(way.curvature(s), 0.5, rtol=0.02)
