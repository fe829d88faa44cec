"""Bridges: a correction that is known while a foot stands, carried smoothly through the frames between."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kinegraph.feet.contacts import Bools
from kinegraph.motion.rotation import Array
from kinegraph.motion.spans import spans

# Seconds over which a correction fades away; a gap of up to twice as long is bridged as a whole, so that a swinging foot is led from
# one place to the next in one go.
FADE = 0.5
# Seconds over which the rate at which a correction changes dies out, once it is no longer known.
_SETTLE = 0.2
# Seconds over which that rate is measured.
_RATE_SPAN = 0.025


def bridge(values: Array, known: Bools, fps: float) -> Array:
    """``values (F, K)`` where they are ``known (F,)``, and a smooth bridge from each known stretch to the next in between.

    Value and rate of change are continuous at both ends of a bridge. More than `FADE` away from what is known there is no correction,
    unless a gap is bridged as a whole.

    >>> bridge(np.array([[0.0], [0.0], [0.0], [0.0], [1.0]]), np.array([1, 0, 0, 0, 1], bool), 30.0).round(3).ravel().tolist()
    [0.0, 0.104, 0.5, 0.896, 1.0]
    """
    out = np.where(known[:, None], values, 0.0)
    if not out.any():
        return out
    held = spans(known)
    # the gaps before, between and behind; those at the clip's ends go on beyond them as far as a correction can
    beyond = int(np.ceil(2 * FADE * fps)) + 1
    edges = [(-beyond, -beyond + 1), *held, (len(values) + beyond, len(values) + beyond + 1)] if held else []
    for (begin, before), (after, end) in pairwise(edges):
        steps = after - (before - 1)
        here = slice(max(before, 0), min(after, len(values)))
        frames = np.arange(here.start, here.stop, dtype=np.float64)
        since, until = (frames - (before - 1))[:, None], (after - frames)[:, None]
        fade = FADE * fps if steps > 2 * FADE * fps else float(steps)
        settle = min(_SETTLE * fps, 0.5 * steps)
        if begin >= 0:
            leaving = values[begin:before]
            out[here] += _fade(since / fade) * leaving[-1] + _settle(since, settle) * _rate(leaving, fps)
        if end <= len(values):
            arriving = values[after:end][::-1]
            out[here] += _fade(until / fade) * arriving[-1] + _settle(until, settle) * _rate(arriving, fps)
    return out


def _fade(part: Array) -> Array:
    """From 1 at 0 to 0 at 1 and beyond, with no slope and no curvature at either end; what fades in and out at once adds up to 1."""
    t = np.clip(part, 0.0, 1.0)
    weight: Array = 1.0 - t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    return weight


def _settle(steps: Array, within: float) -> Array:
    """How far something gets in ``steps`` frames that moves by 1 a frame at first and is back, at rest, ``within`` frames later."""
    shape: Array = steps * np.clip(1.0 - steps / within, 0.0, 1.0) ** 3
    return shape


def _rate(values: Array, fps: float) -> Array:
    """Change a frame ``(K,)`` at the end of ``values (N, K)``."""
    span = min(max(round(_RATE_SPAN * fps), 1), len(values) - 1)
    change: Array = (values[-1] - values[-1 - span]) / max(span, 1)
    return change
