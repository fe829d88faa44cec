"""Smoothing takes out swings and leaves what is straight, and slow bends, where they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph.paths.smoothing import smoothed, steadied
from tests.strategies import generators


@given(generators(), st.integers(1, 60), st.sampled_from((0.3, 2.0, 12.0)))
def test_straight_and_steady_tracks_stay(random: np.random.Generator, count: int, sigma: float) -> None:
    track = random.normal(size=2) * 100 + np.arange(count)[:, None] * random.normal(size=2)
    for smooth in (smoothed, steadied):
        np.testing.assert_allclose(smooth(track, sigma), track, atol=1e-8)


def test_the_gaussian_keeps_its_promise_on_a_swing() -> None:
    frames = np.arange(2000)
    for period in (20, 50, 200):
        swing = np.sin(2 * np.pi * frames / period)
        share = np.exp(-0.5 * (2 * np.pi * 10 / period) ** 2)
        middle = slice(500, 1500)
        np.testing.assert_allclose(smoothed(swing, 10)[middle], share * swing[middle], atol=1e-3)
        given_back = 1 - (1 - share) ** 3
        np.testing.assert_allclose(steadied(swing, 10)[middle], given_back * swing[middle], atol=3e-3)


def test_smoothing_keeps_the_ends() -> None:
    track = np.random.default_rng(0).normal(size=(50, 2))
    np.testing.assert_allclose(smoothed(track, 4)[[0, -1]], track[[0, -1]], atol=1e-12)


def test_no_smoothing_changes_nothing() -> None:
    track = np.random.default_rng(0).normal(size=(50, 2))
    for smooth in (smoothed, steadied):
        np.testing.assert_array_equal(smooth(track, 0), track)


@pytest.mark.parametrize(
    ("radius", "speed", "swing", "inside"), [(3, 1.3, 0.95, 0.003), (3, 3.0, 1.4, 0.008), (1, 1.0, 0.9, 0.006)]
)
@pytest.mark.parametrize("phase", [0.0, 1.5, 3.0, 4.5])
def test_a_steadied_walk_keeps_to_its_circle(
    radius: float, speed: float, swing: float, inside: float, phase: float
) -> None:
    seconds = np.arange(0, 12, 1 / 30)
    angle = speed / radius * seconds
    sway = 0.02 * np.sin(2 * np.pi * swing * seconds + phase)
    track = (radius + sway)[:, None] * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    off = np.abs(np.linalg.norm(steadied(track, 0.45 * 30), axis=1) - radius)
    assert off[40:-40].max() < inside
    # at the ends the last swing is seen from one side only
    assert off.max() < 0.045
    assert off[-36:].mean() < 0.012
    # a plain Gaussian leaves the circle
    plain = np.abs(np.linalg.norm(smoothed(track, 0.45 * 30), axis=1) - radius)
    assert plain[40:-40].mean() > 5 * off[40:-40].mean()
