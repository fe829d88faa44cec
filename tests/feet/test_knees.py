from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kinegraph import samples
from kinegraph.feet import knees

angles = hnp.arrays(np.float64, st.integers(1, 40), elements=st.floats(0, 2.5))


@given(angles, st.floats(0.2, 0.6), st.floats(0.2, 0.6))
def test_bend_and_distance_undo_each_other(bent: np.ndarray, thigh: float, shin: float) -> None:
    lengths = np.full(len(bent), thigh), np.full(len(bent), shin)
    assert np.allclose(knees.bend(knees.distance(bent, *lengths), *lengths), bent, atol=1e-6)


@given(angles, st.floats(0.5, 30.0), st.sampled_from([24.0, 30.0, 120.0]))
def test_calmed_is_the_least_slow_curve_above(bent: np.ndarray, limit: float, fps: float) -> None:
    limits = np.full(max(len(bent) - 1, 0), limit)
    calm = knees.calmed(bent, limits, fps)
    assert (calm >= bent).all()
    assert (np.abs(np.diff(calm)) * fps <= limit * (1 + 1e-6) + 1e-6).all()
    # the least: at every frame some peak asks for as much
    frames = np.arange(len(bent))
    asked = bent[None, :] - limit / fps * np.abs(frames[:, None] - frames[None, :])
    assert np.allclose(calm, asked.max(axis=1), atol=1e-8)


def test_calm_knees_stay_as_they_are_to_the_last_digit() -> None:
    bent = 1 + np.sin(np.arange(100) / 10)
    assert np.array_equal(knees.calmed(bent, np.full(99, 4.0), 30.0), bent)


def test_speed_is_that_of_the_bend() -> None:
    motion = samples.make("walk").motion
    hip, knee, ankle = (motion.position(f"left_{part}") for part in ("hip", "knee", "ankle"))
    lengths = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(ankle - knee, axis=1)
    bent = knees.bend(np.linalg.norm(ankle - hip, axis=1), *lengths)
    assert np.allclose(np.abs(np.diff(bent)) * motion.fps, knees.speed(motion)[:, 0], atol=1e-4)
    assert knees.speed(motion[:1]).tolist() == [[0.0, 0.0]]


def test_limits_are_what_is_given_or_what_is_usual() -> None:
    motion = samples.make("run").motion
    assert (knees.limits(motion, 8.0) <= 8.0).all()
    own = knees.limits(motion, None)
    assert (own >= knees.speed(motion)).all()
    assert own.min() == max(knees.usual(motion), 5.0)
    assert knees.limits(samples.make("stand").motion, None).min() == 5.0
