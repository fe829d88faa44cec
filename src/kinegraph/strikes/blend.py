"""Strikes added up by weights: poses, timing and contacts.

Rotations are blended as rotation vectors about the mean of all strikes. This is one step of the weighted mean on the sphere
(Buss and Fillmore, "Spherical averages and applications to spherical splines and interpolation", 2001); it is linear in the
weights, and therefore also works with weights that are negative or above one. Timing is blended as the time at which each
strike reaches each moment; the result is then sampled at even times, so that no frame is doubled or dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import SpaceError
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.strikes.examples import Examples

# Weights nearer to zero than this change nothing that could be seen.
_NOTHING = 1e-9
# Of the mean pace of all strikes: a blend beyond the examples is never slower or faster through a moment than this
# allows.
_SLOWEST_PACE = 0.25
_FASTEST = 1000.0
# Of the weights: a heel or ball stands in a blend only where it does in nearly all of it; one that is half up must not
# be tied down.
_AGREED = 0.8


@dataclass(frozen=True, eq=False)
class Poses:
    """A strike at the moments of its examples."""

    root: Array
    """``(T, 3)``."""
    rotations: Array
    """``(T, J, 4)``."""
    times: Array
    """``(T,)``: seconds from the hit."""


@dataclass(frozen=True, eq=False)
class Timed:
    """A strike at even times."""

    motion: Motion
    hit: int
    """The frame of the hit."""
    contacts: Bools
    """``(F, 4)``."""
    moments: Array
    """``(F,)``: the moment that each frame shows."""


def poses(examples: Examples, weights: Array) -> Poses:
    """The strike with these weights ``(N,)``, which sum to 1, at each moment."""
    used = np.flatnonzero(np.abs(weights) > _NOTHING)
    w = weights[used]
    root = np.tensordot(w, examples.root[used], 1)
    turns = np.tensordot(w, examples.turns[used], 1)
    return Poses(root, rotation.multiply(examples.mean, rotation.exp(turns)), timing(examples, weights))


def timing(examples: Examples, weights: Array) -> Array:
    """The times ``(T,)`` of the strike with these weights, in seconds from the hit, strictly increasing."""
    steps = np.diff(examples.times, axis=1)
    # negative weights could turn time back where the examples disagree much
    pace = np.maximum(weights @ steps, _SLOWEST_PACE * steps.mean(axis=0))
    times = np.concatenate([[0.0], np.cumsum(pace)])
    return np.asarray(times - times[examples.hit])


def timed(examples: Examples, made: Poses, weights: Array, fps: float | None = None, name: str = "") -> Timed:
    """The strike at ``fps`` frames a second (by default the examples' rate), with the hit exactly on a frame.

    The parts before and after the hit are each made a whole number of frames long: they change by less than half a frame.
    """
    rate = examples.fps if fps is None else checked_rate(fps)
    before = max(1, round(-float(made.times[0]) * rate))
    after = max(1, round(float(made.times[-1]) * rate))
    frames = np.arange(-before, after + 1)
    at = np.where(frames < 0, frames * (-made.times[0] / before), frames * (made.times[-1] / after))
    moments = np.interp(at, made.times, np.arange(len(made.times)))
    moments[before] = examples.hit
    below = np.minimum(moments.astype(np.intp), len(made.times) - 2)
    part = (moments - below)[:, None]
    root = made.root[below] * (1 - part) + made.root[below + 1] * part
    rotations = rotation.slerp(made.rotations[below], made.rotations[below + 1], part)
    stands = np.tensordot(np.maximum(weights, 0.0), examples.contacts, 1) >= _AGREED * np.maximum(weights, 0.0).sum()
    motion = Motion(examples.skeleton, root, rotations, rate, name=name)
    return Timed(motion, before, stands[np.rint(moments).astype(np.intp)], moments)


def checked_rate(fps: float) -> float:
    """``fps`` itself if strikes can be kept or made at that rate, otherwise a `SpaceError`."""
    if not 0 < fps <= _FASTEST:
        raise SpaceError(f"frames per second must be positive and at most {_FASTEST:g}, got {fps:g}")
    return fps
