"""The frame rate behind an animation's key times."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from kinegraph.arrays import Array

# What keys without a grid are sampled at, and a rate below which keys are an animator's, not a recording's.
PLAIN = 30.0
_SLOWEST = 10.0
# No recording is faster; keys closer together come of damage.
_FASTEST = 1000.0
# 29.97 and its kin are N × 1000/1001
_FILM = 1000.0 / 1001.0
# Relative distance from a whole rate that rounding of the times explains.
_NEAR = 2e-4
# By how much of a frame keys may miss their grid, and the share of them that must hit it.
_OFF_GRID = 0.1
_ON_GRID = 0.95
# Rates at which people animate, the likeliest first: for keys that stand on a grid without filling it.
_USUAL = (30.0, 24.0, 60.0, 25.0, 120.0, 50.0, 100.0)


def found(inputs: Collection[Array]) -> tuple[float, str]:
    """Frames per second of keys at the times of ``inputs``, each ``(K,)`` in seconds; and a notice, empty where the keys say it.

    The step that is the most common in the longest of them, if most keys of all stand on its grid; else a usual rate on whose
    grid they stand; else 30. A single key is a single frame, whatever the rate.

    >>> found([np.arange(7, dtype=np.float32).astype(float) / 30]), found([np.array([0.0, 0.2, 1.0])])[0]
    ((30.0, ''), 30.0)
    """
    longest = max(inputs, key=len)
    keys = np.unique(np.concatenate(list(inputs)))
    if len(keys) == 1:
        return PLAIN, ""
    keys = keys - keys[0]
    step = _usual_step(longest)
    if step > 0 and _SLOWEST <= 1.0 / step <= _FASTEST:
        rate = snapped(_refined(longest, step))
        if _share_on(keys, rate) >= _ON_GRID:
            return rate, ""
    for rate in _USUAL:
        if _share_on(keys, rate) >= _ON_GRID:
            return rate, f"the keys are sparse: sampled at {rate:g} frames/s, on whose grid they stand"
    return PLAIN, f"the keys stand at no even rate: sampled at {PLAIN:g} frames/s"


def snapped(rate: float) -> float:
    """The whole rate, or whole rate × 1000/1001, that ``rate`` is within rounding; else itself."""
    options = [round(rate) * 1.0, round(rate / _FILM) * _FILM]
    best = min(options, key=lambda option: abs(option - rate))
    return best if best > 0 and abs(best - rate) <= _NEAR * rate else rate


def _usual_step(times: Array) -> float:
    """The middle one of the steps between keys, in seconds; 0 where there are fewer than two keys."""
    steps = np.diff(times)
    steps = steps[steps > 0]
    return float(np.median(steps)) if len(steps) else 0.0


def _refined(times: Array, step: float) -> float:
    """The rate of about ``1/step`` that fits all keys best: rounding of single times cancels out over the clip."""
    count = float(np.round(np.diff(times) / step).sum())
    span = float(times[-1] - times[0])
    return count / span if span > 0 and count > 0 else 1.0 / step


def _share_on(keys: Array, rate: float) -> float:
    """Share of ``keys (K,)``, counted from the first, that stand on the grid of a rate."""
    places = keys * rate
    return float(np.mean(np.abs(places - np.round(places)) <= _OFF_GRID))
