"""Bridges: a correction that is known only while a foot stands, carried smoothly through the frames between."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools, Indices

# Seconds over which a correction fades away; a gap of up to twice as long is bridged as a whole, so that a swinging foot is led from
# one place to the next in one go.
FADE = 0.5
# Seconds over which the rate at which a correction changes dies out, once it is no longer known.
_SETTLE = 0.2
# Seconds over which that rate is measured.
_RATE_SPAN = 0.025


def bridge(values: Array, known: Bools, fps: float) -> Array:
    """``values (F, K)`` where they are ``known (F,)``, with a smooth bridge over every gap between known stretches.

    Value and rate of change are continuous at both ends of a bridge. A gap too long to be bridged as a whole fades to no correction
    within `FADE` of what is known.

    >>> bridge(np.array([[0.0], [0.0], [0.0], [0.0], [1.0]]), np.array([1, 0, 0, 0, 1], bool), 30.0).round(3).ravel().tolist()
    [0.0, 0.104, 0.5, 0.896, 1.0]
    """
    return Bridges(known[:, None], fps).over(values[:, None])[:, 0]


class Bridges:
    """The bridges of S feet, each ``known (F, S)`` at its own times. Built once, they carry any values `over`, as `bridge` does."""

    def __init__(self, known: Bools, fps: float) -> None:
        self.known, self.fps = known, fps
        gaps = self._gaps = _gaps(known, fps)
        steps = gaps.near[1] - gaps.near[0]
        fade = np.where(steps > 2 * FADE * fps, FADE * fps, steps)
        settle = np.minimum(_SETTLE * fps, 0.5 * steps)
        # of each frame that is not known, N in all: its foot, its gap, and what the known frames before and after count there
        self._foot, self._frame = np.nonzero(~known.T)
        self._gap = np.repeat(np.arange(len(steps)), gaps.frames)
        away = np.abs(self._frame - gaps.near[:, self._gap])
        self._fade = _fade(away / fade[self._gap])[..., None]
        self._settle = _settle(away, settle[self._gap])[..., None]

    def over(self, values: Array) -> Array:
        """``values (F, S, K)`` where they are known, and what is carried over into the frames between."""
        out = np.where(self.known[..., None], values, 0.0)
        if not out.any():
            return out
        near, back, held = self._gaps.near, self._gaps.back, self._gaps.held
        # there is nothing beyond the ends of the clip, where any frame will do
        value, further = (out[frame * held, self._gaps.foot] * held[..., None] for frame in (near, near + back))
        rate = (value - further) / np.maximum(np.abs(back), 1)[..., None]
        before, after = self._fade * value[:, self._gap] + self._settle * rate[:, self._gap]
        out[self._frame, self._foot] = before + after
        return out


class _Gaps(NamedTuple):
    """G stretches in which nothing is known about a foot, ordered by foot."""

    foot: Indices
    """``(G,)``."""
    frames: Indices
    """``(G,)``: how many frames of the clip lie in it."""
    near: Indices
    """``(2, G)``: the known frames before and after it."""
    held: Bools
    """``(2, G)``: whether there are such frames."""
    back: Indices
    """``(2, G)``: the step from those frames to the ones from which their rate of change is measured."""


def _gaps(known: Bools, fps: float) -> _Gaps:
    """Of ``known (F, S)``; gaps at the clip's ends go on beyond them as far as a correction can."""
    frames, feet = known.shape
    beyond = math.ceil(2 * FADE * fps) + 1
    around = np.zeros((feet, frames + 2 * beyond + 1), np.bool_)
    around[:, beyond : beyond + frames] = known.T
    around[:, 0] = around[:, -1] = True
    foot, edges = np.nonzero(around[:, 1:] != around[:, :-1])
    near = np.stack([edges[::2], edges[1::2] + 1]) - beyond
    inside = np.minimum(near[1], frames) - np.maximum(near[0] + 1, 0)
    # what is known may be shorter than the time over which its rate is measured
    back = np.zeros_like(near)
    back[1, :-1] = np.minimum(near[0, 1:] - near[1, :-1], max(round(_RATE_SPAN * fps), 1))
    back[0, 1:] = -back[1, :-1]
    return _Gaps(foot[::2], inside, near, (near >= 0) & (near < frames), back)


def _fade(part: Array) -> Array:
    """From 1 at 0 to 0 at 1 and beyond, with no slope and no curvature at either end; what fades in and out at once adds up to 1."""
    t = np.minimum(part, 1.0)
    weight: Array = 1.0 - t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)
    return weight


def _settle(steps: Array, within: Array) -> Array:
    """How far something gets in ``steps`` frames that moves by 1 a frame at first and is back, at rest, ``within`` frames later."""
    left = np.maximum(1.0 - steps / within, 0.0)
    shape: Array = steps * left * left * left
    return shape
