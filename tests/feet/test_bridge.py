from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kinegraph.feet.bridge import FADE, Bridges, bridge


@given(hnp.arrays(np.bool_, st.integers(1, 80)), st.sampled_from([5.0, 30.0, 120.0]), st.integers(0, 99))
def test_what_is_known_is_kept_and_the_rest_bounded(known: np.ndarray, fps: float, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(len(known), 2))
    out = bridge(values, known, fps)
    assert np.array_equal(out[known], values[known])
    assert np.isfinite(out).all()
    if not known.any():
        assert not out.any()


@pytest.mark.parametrize("gap", [5, 20, 55, 200])
def test_a_constant_stays_constant_over_a_swing_and_fades_over_a_long_gap(gap: int) -> None:
    known = np.ones(gap + 40, bool)
    known[20:-20] = False
    out = bridge(np.ones((gap + 40, 1)), known, 60.0)[:, 0]
    if gap < 2 * FADE * 60:
        assert np.allclose(out, 1.0)
    else:
        assert not out[20 + 30 : -20 - 30].any()
        assert out.max() == 1.0


@pytest.mark.parametrize("fps", [60.0, 240.0])
def test_value_and_rate_are_continuous(fps: float) -> None:
    frames = round(2 * fps)
    time = np.arange(frames) / fps
    # a point that drifts to and fro: known in two stretches, at whose ends it goes at some rate
    values = np.stack([np.sin(5 * time), 0.3 * time], axis=-1)
    known = (time < 0.5) | ((time > 1.1) & (time < 1.6))
    out = bridge(values, known, fps)
    rates = np.diff(out, axis=0) * fps
    assert np.abs(np.diff(out, axis=0)).max() < 12 / fps
    # no jump of the rate: a step of 1 m/s would be fps m/s² in one frame
    assert np.abs(np.diff(rates, axis=0)).max() < 150 / fps


def test_a_bridge_at_either_end_fades_away() -> None:
    known = np.zeros(200, bool)
    known[100:110] = True
    out = bridge(np.full((200, 1), 2.0), known, 60.0)[:, 0]
    assert not out[:70].any()
    assert not out[140:].any()
    assert (np.diff(out[:100]) >= 0).all()
    assert (np.diff(out[110:]) <= 0).all()


@given(
    hnp.arrays(np.bool_, st.tuples(st.integers(1, 60), st.just(2))),
    st.sampled_from([5.0, 30.0, 120.0]),
    st.integers(0, 99),
)
def test_feet_that_are_bridged_at_once_do_not_know_of_each_other(known: np.ndarray, fps: float, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(*known.shape, 3))
    bridges = Bridges(known, fps)
    for carried in (values, 2.0 * values):
        one_by_one = [bridge(carried[:, foot], known[:, foot], fps) for foot in range(2)]
        assert np.array_equal(bridges.over(carried), np.stack(one_by_one, axis=1))


def test_a_rate_is_measured_within_its_own_stretch() -> None:
    # known in a single frame between two others: it has no rate, whatever stands a frame further
    values = np.zeros((40, 1))
    known = np.zeros(40, bool)
    known[[10, 20, 30]] = True
    values[20] = 1.0
    out = bridge(values, known, 120.0)[:, 0]
    assert np.allclose(out[10:31], out[10:31][::-1])
    assert out.max() == 1.0
