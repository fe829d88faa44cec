"""What there is to tell of a curve on the floor: its length, its ends, and where it bends most."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.paths.bspline import Spline
from kinegraph.paths.path import Path

# metres between the places where a path is looked at for its tightest bend, and how many there are at most
_STEP, _MOST_PLACES = 0.01, 100_000
# radians per metre: what bends less is straight
_STRAIGHT = 1e-3


# points of a curve that is drawn, and metres between them at least
_DRAWN, _FINEST = 2000, 0.02


def describe_curve(curve: Path | Spline) -> dict[str, Any]:
    """What there is to tell of a curve, by the names that ``kinegraph paths show --json`` uses.

    >>> import kinegraph as kg
    >>> facts = kg.paths.describe_curve(kg.paths.read("circle:3"))
    >>> facts["length_m"], facts["closed"], facts["tightest"]["side"]
    (18.8495, True, 'left')
    """
    places = int(np.clip(np.ceil(curve.length / _STEP), 200, _MOST_PLACES))
    s = np.linspace(0.0, curve.length, places + 1)
    bend, height = curve.curvature(s), curve.height(s)
    # the first of those that are as tight as any: all of a circle is
    worst = int(np.argmax(np.abs(bend) > (1 - 1e-3) * np.abs(bend).max()))
    tightest = None
    if abs(bend[worst]) > _STRAIGHT:
        tightest = {
            "radius_m": round(1 / abs(float(bend[worst])), 4),
            "side": "left" if bend[worst] > 0 else "right",
            "along_m": round(float(s[worst]), 3),
            "at": _numbers(curve.at(s[worst])),
        }
    ends = {
        name: {
            "at": _numbers(curve.at(place)),
            "heading_degrees": round(float(np.degrees(curve.heading(place))), 2) + 0.0,
        }
        for name, place in (("start", 0.0), ("end", curve.length))
    }
    return {
        "length_m": round(curve.length, 4),
        "closed": bool(curve.closed),
        **ends,
        "tightest": tightest,
        "altitude_m": {"min": round(float(height.min()), 4), "max": round(float(height.max()), 4)},
    }


def _numbers(values: ArrayLike) -> list[float]:
    """Metres to a hundredth of a millimetre, for JSON."""
    return [round(float(value), 5) + 0.0 for value in np.asarray(values)]


def sampled(path: Path, most: int = _DRAWN) -> list[list[float]]:
    """At most ``most`` points [x, z] along a path, its ends among them."""
    points = path.points if len(path.points) <= most else path.at(np.linspace(0.0, path.length, most))
    thinned: list[list[float]] = np.round(points, 4).tolist()
    return thinned


def drawn(curve: Any) -> list[list[float]]:
    """A curve of floor points, smoothly: [x, z], or [x, y, z] where it rises, close to one another."""
    count = int(np.clip(np.ceil(curve.length / _FINEST), 2, _DRAWN - 1))
    s = np.linspace(0.0, curve.length, count + 1)
    points, heights = curve.at(s), curve.height(s)
    if np.any(heights):
        points = np.insert(points, 1, heights, axis=1)
    rounded: list[list[float]] = (np.round(points, 4) + 0.0).tolist()
    return rounded
