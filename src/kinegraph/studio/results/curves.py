"""Curves as the page draws them: points in metres, rounded."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinegraph.paths.path import Path

# points of a curve, and metres between them at least where it is drawn smoothly
_MOST, _FINEST = 2000, 0.02


def sampled(path: Path, most: int = _MOST) -> list[list[float]]:
    """At most ``most`` points [x, z] along a path, its ends among them."""
    points = path.points if len(path.points) <= most else path.at(np.linspace(0.0, path.length, most))
    thinned: list[list[float]] = np.round(points, 4).tolist()
    return thinned


def drawn(curve: Any) -> list[list[float]]:
    """A curve of floor points, smoothly: [x, z], or [x, y, z] where it rises, close to one another."""
    count = int(np.clip(np.ceil(curve.length / _FINEST), 2, _MOST - 1))
    s = np.linspace(0.0, curve.length, count + 1)
    points, heights = curve.at(s), curve.height(s)
    if np.any(heights):
        points = np.insert(points, 1, heights, axis=1)
    rounded: list[list[float]] = (np.round(points, 4) + 0.0).tolist()
    return rounded
