from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinegraph import samples
from kinegraph.motion import Motion
from kinegraph.similarity.windows import taper, window_frames


@given(st.integers(1, 400))
def test_a_taper_sums_to_one_and_is_the_same_forwards_and_backwards(frames: int) -> None:
    weights = taper(frames)
    assert weights.shape == (frames,)
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.array_equal(weights, weights[::-1]) or np.allclose(weights, weights[::-1], rtol=1e-12)
    assert weights.min() > 0


@given(st.integers(5, 400))
def test_a_taper_rises_to_a_level_and_falls_again(frames: int) -> None:
    weights = taper(frames)
    rising = np.diff(weights[: (frames + 1) // 2])
    assert rising.min() >= -1e-15
    assert weights[0] < 0.5 * weights.max()
    level = np.flatnonzero(weights > weights.max() * (1 - 1e-12))
    # the level is the middle half
    assert np.ptp(level) + 1 == pytest.approx(frames / 2, abs=1.5)


def _moving(speed: float, seconds: float, fps: float = 60.0) -> Motion:
    stand = samples.make("stand").motion
    frames = round(seconds * fps)
    root = np.repeat(stand.root[:1], frames, axis=0)
    root[:, 2] += speed * np.arange(frames) / fps
    return Motion(stand.skeleton, root, np.repeat(stand.rotations[:1], frames, axis=0), fps)


@pytest.mark.parametrize(("fps", "frames"), [(120.0, 40), (60.0, 20), (30.0, 10), (20.0, 7)])
def test_a_window_lasts_equally_long_at_every_rate(fps: float, frames: int) -> None:
    assert window_frames(_moving(1.3, 5.0, fps), 1 / 3) == frames


def test_a_window_is_shorter_for_a_run_and_for_a_short_clip_only() -> None:
    # Froude 0.5 on legs of 0.845 m: 2.04 m/s
    assert window_frames(_moving(2.0, 5.0), 0.5) == 30
    assert window_frames(_moving(2.1, 5.0), 0.5) == 18
    assert window_frames(_moving(0.0, 2.99), 0.5) == 18
    assert window_frames(_moving(0.0, 3.01), 0.5) == 30
    assert window_frames(_moving(2.1, 1.0), 0.5, adapt=False) == 30


def test_a_window_holds_two_frames_at_least() -> None:
    assert window_frames(_moving(0.0, 5.0), 0.001) == 2
    assert window_frames(_moving(0.0, 1 / 60), 1 / 3) == 12


def test_real_runs_get_a_shorter_window_than_real_walks(slow: dict[str, Motion]) -> None:
    assert window_frames(slow["16_15"], 1 / 3) == 10
    assert window_frames(slow["16_35"], 1 / 3) == 6
