from __future__ import annotations

import numpy as np
import pytest

from kinegraph.formats.gltf import rate


def single(times: np.ndarray) -> np.ndarray:
    return times.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize("fps", [12, 24, 25, 30, 48, 60, 90, 100, 120, 240, 30000 / 1001, 24000 / 1001, 60000 / 1001])
@pytest.mark.parametrize("frames", [2, 3, 50, 5000])
def test_even_keys(fps: float, frames: int) -> None:
    found, notice = rate.found([single(np.arange(frames) / fps)])
    assert found == pytest.approx(fps, rel=1e-15)
    assert notice == ""


@pytest.mark.parametrize("fps", [24, 30, 60, 120])
def test_times_rounded_to_milliseconds(fps: float) -> None:
    assert rate.found([np.round(np.arange(300) / fps, 3)]) == (fps, "")


@pytest.mark.parametrize("fps", [37.3, 82.5, 11.1])
def test_an_odd_rate_stays_odd(fps: float) -> None:
    assert rate.found([single(np.arange(500) / fps)])[0] == pytest.approx(fps, rel=1e-6)


def test_keys_that_were_thinned_out() -> None:
    random = np.random.default_rng(4)
    inputs = [single(np.sort(random.choice(200, 80, replace=False)) / 30) for _ in range(20)]
    assert rate.found(inputs)[0] == 30.0


def test_some_tracks_have_only_their_ends() -> None:
    assert rate.found([np.array([0.0, 99 / 24]), single(np.arange(100) / 24)]) == (24.0, "")


def test_an_animators_keys() -> None:
    found, notice = rate.found([np.array([0, 0.5, 1.25, 2.0])])
    assert (found, "24 frames/s" in notice) == (24.0, True)
    found, notice = rate.found([np.array([0, 0.1234, 0.777, 1.0317])])
    assert (found, "no even rate" in notice) == (30.0, True)


def test_a_single_key() -> None:
    assert rate.found([np.array([1.5])]) == (30.0, "")


def test_keys_at_one_moment_and_far_too_close() -> None:
    assert rate.found([np.zeros(5)])[0] == 30.0
    assert rate.found([np.arange(50) * 1e-6])[0] == 30.0
