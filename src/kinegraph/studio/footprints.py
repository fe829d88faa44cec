"""Footprints: where feet stand in a result and how far they stray, as its pack tells it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.feet.plants import Plant
from kinegraph.feet.slide import Slides
from kinegraph.motion import Motion


def plants_told(motion: Motion, stood: Iterable[Plant]) -> list[dict[str, Any]]:
    """Every plant with its place in metres and where the foot points, in radians: 0 is +Z, positive towards +X."""
    headings = {side: _pointing(motion, side) for side in ("left", "right")}
    return [
        {
            "foot": plant.side,
            "part": plant.part,
            "first": plant.first,
            "last": plant.last,
            **dict(zip("xyz", (round(float(value), 4) for value in plant.place), strict=True)),
            "heading": round(float(headings[plant.side][(plant.first + plant.last - 1) // 2]), 4),
        }
        for plant in stood
    ]


def slide_mm(slid: Slides) -> NDArray[np.float32]:
    """Millimetres ``(F,)`` by which the planted point that strays most is off its plant's mean place; 0 where none stands."""
    strayed: NDArray[np.float32] = (1000 * slid.away.max(axis=1)).astype(np.float32)
    return strayed


def _pointing(motion: Motion, side: str) -> NDArray[np.float64]:
    """Headings ``(F,)`` of a foot, from ankle to toes; zeros where they are not known."""
    roles = (f"{side}_ankle", f"{side}_toe")
    if not motion.skeleton.has_roles(*roles):
        return np.zeros(len(motion))
    ankle, toe = (motion.position(role) for role in roles)
    headings: NDArray[np.float64] = np.arctan2(toe[:, 0] - ankle[:, 0], toe[:, 2] - ankle[:, 2])
    return headings
