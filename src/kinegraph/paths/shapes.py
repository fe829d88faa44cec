"""Paths by name: `line:8`, `circle:3`, `eight:3`, `square:6`, `wave:12,1.5` and others, in metres.

Every shape begins at the origin heading +Z, and turns left first, towards +X (a drawn curve turns as its seed decides). Shapes are
polylines whose points lie on the curve, a centimetre apart or less.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import ParamSpec

import numpy as np

from kinegraph.arrays import Array
from kinegraph.catalogue import Catalogue
from kinegraph.errors import MotionError
from kinegraph.paths.named import Spelled, added, asked
from kinegraph.paths.path import LONGEST, Path

P = ParamSpec("P")

# Metres between the points of a shape, and the same as a share of the radius where that is small: the polyline is then shorter than the
# curve by less than one part in 200,000.
_STEP = 0.01

# Amplitudes of a wave that one period takes, as nearly as a whole number of periods allows: its crests then bend with a radius of 1.6
# amplitudes.
WAVE_PERIOD = 8.0
# Metres: a shorter period is a slip of the pen, and would take more points than a path may have.
_SHORTEST_WAVE = 0.1
# A spiral ends at this share of the radius with which it begins.
_SPIRAL_END = 1 / 3

# Metres. A drawn curve nowhere turns more tightly than this: a person can walk it without a special step.
DRAWN_RADIUS = 1.2
# Metres: the shortest and longest waves in a drawn curve's curvature. The longest bounds how far it strays from its general direction.
_DRAWN_WAVES = (5.0, 25.0)
_DRAWN_TERMS = 12


SHAPES: Catalogue[Spelled[Path]] = Catalogue("shape")
"""The shapes by name."""


def register_shape(example: str, help: str) -> Callable[[Callable[P, Path]], Callable[P, Path]]:
    """A decorator that makes a shape known by its function's name. The function's parameters are the numbers written after the name.

    Everything that takes paths or lists shapes then knows it. `SHAPES.remove` removes it.

    >>> @register_shape("hop:2", "A short line.")
    ... def hop(length: float) -> Path:
    ...     return line(length)
    >>> shape("hop:3").length, SHAPES["hop"].usage
    (3.0, 'hop:LENGTH')
    >>> SHAPES.remove("hop")
    """
    return added(SHAPES, example, help)


@register_shape("line:8", "Straight ahead.")
def line(length: float) -> Path:
    """Straight ahead for ``length`` metres."""
    return _legs([0.0], length)


@register_shape("circle:3", "Once round to the left.")
def circle(radius: float) -> Path:
    """Once round to the left."""
    return Path(_arc(radius, 2 * np.pi))


@register_shape("eight:2.5", "Two circles that touch, first the left one, then the right one.")
def eight(radius: float) -> Path:
    """Two circles that touch, first the left one, then the right one. It begins and ends at the crossing, which it passes smoothly."""
    left = _arc(radius, 2 * np.pi)
    return Path(np.concatenate([left, left[1:] * [-1.0, 1.0]]))


@register_shape("square:6", "Four sides with sharp corners to the left.")
def square(side: float) -> Path:
    """Four sides with sharp corners to the left, from one corner back to it."""
    return _legs(np.radians([0.0, 90.0, 180.0, 270.0]).tolist(), side)


@register_shape("wave:12,1.5", "To and fro about a straight line.")
def wave(length: float, amplitude: float, periods: float | None = None) -> Path:
    """A sine wave along +Z, ``length`` metres from end to end as the crow flies, ``amplitude`` to both sides of its middle line.

    It has a whole number of periods: as many as given, by default one for every eight amplitudes. It begins in a trough, so that it heads
    +Z there: x = amplitude · (1 − cos), from 0 to twice the amplitude.
    """
    count = (
        max(1, round(length / (WAVE_PERIOD * amplitude))) if periods is None else _whole(periods, "periods of a wave")
    )
    if length < count * _SHORTEST_WAVE:
        raise MotionError(f"{count:,} periods in {length:g} m: a period of a wave takes at least {_SHORTEST_WAVE:g} m")
    rate = 2 * np.pi * count / length
    tightest = 1 / (amplitude * rate**2)
    # where it runs across, a step ahead is a longer one along the curve
    step = _step(tightest) / np.hypot(1.0, amplitude * rate)
    z = np.linspace(0.0, length, _count(length, step))
    return Path(np.stack([amplitude * (1.0 - np.cos(rate * z)), z], axis=-1))


@register_shape("spiral:4", "Round to the left, closer and closer.")
def spiral(radius: float, turns: float = 2.0) -> Path:
    """Inward to the left: in ``turns`` turns, the distance from its centre falls evenly from ``radius`` to a third of it."""
    angle = 2 * np.pi * turns
    shrink = radius * (1 - _SPIRAL_END) / angle
    theta = np.linspace(0.0, angle, _count(radius * angle, _step(radius * _SPIRAL_END)))
    away = radius - shrink * theta
    points = np.stack([radius - away * np.cos(theta), away * np.sin(theta)], axis=-1)
    # shrinking from the first, it begins a little to the left of +Z: turned back
    lean = np.arctan2(shrink, radius)
    turn = np.array([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
    return Path(points @ turn)


@register_shape("zigzag:3", "Straight legs with sharp corners, by turns left and right.")
def zigzag(leg: float, count: float = 4.0) -> Path:
    """``count`` straight legs of ``leg`` metres each, heading +Z and +X in turn, with sharp corners."""
    return _legs([np.pi / 2 * (index % 2) for index in range(_whole(count, "legs of a zigzag"))], leg)


@register_shape("drawn:30", "A curve as a hand might draw it, another for each seed.")
def drawn(length: float, seed: float = 0.0) -> Path:
    """A curve as a hand might draw it, ``length`` metres long; the same ``seed`` gives the same curve. It may cross itself.

    Its curvature is a sum of twelve waves of 5 to 25 m with random phases, scaled so that the radius is never below 1.2 m.
    """
    random = np.random.default_rng(_whole(seed, "seed of a drawn curve", least=0))
    count = _count(length, _STEP) - 1
    step = length / count
    # middles of the segments: laid end to end they make the length exactly
    s = (np.arange(count) + 0.5) * step
    # spread evenly on a logarithmic scale, each a little off its place
    shares = (np.arange(_DRAWN_TERMS) + random.random(_DRAWN_TERMS)) / _DRAWN_TERMS
    short, long = _DRAWN_WAVES
    rates = 2 * np.pi / (short * (long / short) ** shares)
    phases = 2 * np.pi * random.random(_DRAWN_TERMS)
    curvature = np.zeros(count)
    heading = np.zeros(count)
    for rate, phase in zip(rates, phases, strict=True):
        curvature += np.cos(rate * s + phase)
        heading += (np.sin(rate * s + phase) - np.sin(rate * step / 2 + phase)) / rate
    # a short curve that happens to be almost straight is left so, not blown up
    heading /= DRAWN_RADIUS * max(float(np.abs(curvature).max()), 0.5 * _DRAWN_TERMS)
    steps = step * np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    return Path(np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]))


def shape(text: str) -> Path:
    """The path of a text such as ``circle:3``.

    >>> shape("eight:3")
    Path(37.7 m, 3771 points)
    """
    return asked(text.strip(), SHAPES, "shape", _measure, note=" in metres")


def _measure(word: str, what: str, text: str, usage: str) -> float:
    """One number of a shape: above 0 (a seed may be 0), and a length not beyond the longest path."""
    try:
        value = float(word)
    except ValueError:
        raise MotionError(f"{word[:40]!r} in {text[:60]!r} is not a number: {usage}") from None
    name = f"the {what.lower()} of {text[:60]!r}"
    if what == "SEED":
        return value
    if not value > 0:
        raise MotionError(f"{name} must be above 0, got {word[:40]}")
    if value > LONGEST:
        raise MotionError(f"{name} is too large: a path is at most {LONGEST / 1000:g} km long")
    return value


def _whole(value: float, what: str, least: int = 1) -> int:
    """``value`` as a count, or a refusal."""
    if not least <= value < 2**53 or value != round(value):
        raise MotionError(f"the {what} must be a whole number of at least {least}, got {value:g}")
    return int(value)


def _step(radius: float) -> float:
    """Metres between the points of a curve with that radius at its tightest."""
    return min(_STEP, _STEP * radius)


def _count(length: float, step: float) -> int:
    """How many points a curve of about ``length`` metres takes; a refusal where it is too long for a path, before any memory is taken."""
    if length > LONGEST * 1.5:
        raise MotionError(
            f"the path would be about {length / 1000:,.2f} km long, and at most {LONGEST / 1000:g} km are taken"
        )
    # a curve that is tight for its length gets as many points as the longest ordinary one, and no more
    return int(min(max(2, np.ceil(length / step)), LONGEST / _STEP)) + 1


def _arc(radius: float, angle: float) -> Array:
    """Points ``(N, 2)`` on a circle to the left, from the origin heading +Z."""
    theta = np.linspace(0.0, angle, _count(radius * angle, _step(radius)))
    return radius * np.stack([1.0 - np.cos(theta), np.sin(theta)], axis=-1)


def _legs(headings: list[float], length: float) -> Path:
    """Straight legs of ``length`` metres, one after the other."""
    if len(headings) * length > LONGEST * 1.5:
        raise MotionError(
            f"the path would be {len(headings) * length / 1000:,.2f} km long, and at most {LONGEST / 1000:g} km are taken"
        )
    corners = np.cumsum([[0.0, 0.0], *([length * np.sin(h), length * np.cos(h)] for h in headings)], axis=0).round(12)
    pieces = max(1, int(np.ceil(length / _STEP)))
    part = np.arange(pieces)[:, None] / pieces
    dense = [start + part * (end - start) for start, end in pairwise(corners)]
    return Path(np.concatenate([*dense, corners[-1:]]))
