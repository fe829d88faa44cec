"""What is told of any motion that was made: the facts and the arrays of its pack."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Singles
from kinegraph.feet.plants import Plant
from kinegraph.feet.slide import Slides
from kinegraph.motion import Motion
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.tasks.made import Made

Facts = dict[str, Any]
Arrays = dict[str, NDArray[Any]]


# points of a curve, and metres between them at least where it is drawn smoothly
_MOST, _FINEST = 2000, 0.02


def told(made: Made) -> Facts:
    """What all rooms tell of a result."""
    known = made.provenance
    return {
        "title": made.title,
        "quality": _plain(made.quality),
        "notices": list(made.notices),
        "reached": made.reached,
        "short": made.short or None,
        "transitions": [one.to_dict() for one in made.transitions],
        "clips": [] if known is None else list(known.clips),
        "labels": [] if known is None else list(known.labels),
        "plants": _plants(made.motion, made.plants),
        "cpu_s": round(made.cpu, 6),
    }


def per_frame(made: Made) -> Arrays:
    """What they tell of every frame."""
    frames, known = len(made.motion), made.provenance
    found: Arrays = {
        "track": track_of(made.motion).astype(np.float32),
        "slide_mm": np.zeros(frames, np.float32) if made.slides is None else slide_mm(made.slides),
        **{name: values.astype(np.float32) for name, values in (made.per_frame or {}).items()},
    }
    if known is not None:
        borne = np.array(list(known.labels.values()), np.uint8).reshape(len(known.labels), frames)
        found |= {"clip": known.clip.astype(np.int32), "frame": known.frame.astype(np.int32), "labelled": borne.T}
    return found


def slide_mm(slid: Slides) -> Singles:
    """Millimetres ``(F,)`` by which the planted point that strays most is off its plant's mean place; 0 where none stands."""
    strayed: Singles = (1000 * slid.away.max(axis=1)).astype(np.float32)
    return strayed


def _plain(value: Any) -> Any:
    """Figures as JSON takes them: what is not a finite number is null."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plants(motion: Motion, stood: Iterable[Plant]) -> list[Facts]:
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


def _pointing(motion: Motion, side: str) -> Array:
    """Headings ``(F,)`` of a foot, from ankle to toes; zeros where they are not known."""
    roles = (f"{side}_ankle", f"{side}_toe")
    if not motion.skeleton.has_roles(*roles):
        return np.zeros(len(motion))
    ankle, toe = (motion.position(role) for role in roles)
    headings: Array = np.arctan2(toe[:, 0] - ankle[:, 0], toe[:, 2] - ankle[:, 2])
    return headings


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
