"""Two clips compared, for the page: the map of their distances, shown where it is large, and its minima."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.blending.preview import PreviewedTransition
from kinegraph.motion import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.player import motion_pack, pack
from kinegraph.similarity.maps import Alike, DistanceMap, alike, distance_map, laid_on, window_of

MOST = 1600
"""Rows and columns of a map that is sent."""
UNKNOWN = 65535
"""What stands in a map where the distance is not known."""

# minima that are sent, the cheapest
_MINIMA = 5000


@dataclass(frozen=True)
class Measure:
    """How two clips are compared: frames a second, and the window's seconds, or as a build would choose it."""

    fps: float = 30.0
    window: float | None = None


def pair(motions: Sequence[Motion], measure: Measure) -> tuple[Alike, int]:
    """One clip or two made alike, and the frames of their window."""
    made = alike(motions, measure.fps)
    return made, window_of(made.motions, measure.window, most=None)


def matrix_pack(motions: Sequence[Motion], measure: Measure) -> bytes:
    """The map of two clips, or of one with itself, as a pack."""
    made = alike(motions, measure.fps)
    window = window_of(made.motions, measure.window)
    step = -(-max(len(motion) - window + 1 for motion in made.motions) // MOST)
    found = distance_map(made.motions, window, sound=made.sound, step=step)
    facts, arrays, scale = told(found, measure.fps)
    names = {"a": motions[0].name, "b": motions[-1].name, "notices": list(made.notices)}
    return pack({"kind": "matrix", **names, **facts}, arrays, {"distance": scale})


def told(found: DistanceMap, fps: float) -> tuple[dict[str, Any], dict[str, NDArray[Any]], float]:
    """Facts and arrays of a map, and centimetres of a step of its stored distances."""
    shown = found.centimetres
    known = shown[np.isfinite(shown)]
    least, most = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    scale = max(most, 1e-6) / (UNKNOWN - 1)
    order = np.argsort(found.minima.cost, kind="stable")[:_MINIMA]
    facts = {
        "fps": fps,
        # in seconds, as it is asked for
        "window": found.window / fps,
        "window_frames": found.window,
        "rows": shown.shape[0],
        "columns": shown.shape[1],
        "least_cm": round(least, 4),
        "most_cm": round(most, 4),
        "step": found.step,
        "minima": len(found.minima),
    }
    arrays: dict[str, NDArray[Any]] = {
        "distance": _stored(shown, scale),
        "first": found.minima.first[order],
        "second": found.minima.second[order],
        "cost_cm": (100 * found.minima.cost[order]).astype(np.float32),
    }
    return facts, arrays, scale


def alignment(motions: Sequence[Motion], i: int, j: int, measure: Measure) -> tuple[float, FloorTransform]:
    """Centimetres between the windows from frame i of the first clip and j of the second, and how the second is laid on the first."""
    made, window = pair(motions, measure)
    distance, laid = laid_on(made.motions, i, j, window)
    return 100 * distance, laid


def transition_pack(made: PreviewedTransition, blend: str) -> bytes:
    """A transition as a motion pack."""
    facts = {"first": made.first, "length": made.length, "blend": blend, "cost_cm": round(made.cost_cm, 4)}
    return motion_pack(made.motion, contacts=made.contacts, facts={"transition": facts})


def _stored(centimetres: Array, scale: float) -> NDArray[np.uint16]:
    known = np.isfinite(centimetres)
    steps = np.rint(np.where(known, centimetres, 0.0) / scale)
    return np.where(known, np.minimum(steps, UNKNOWN - 1), UNKNOWN).astype(np.uint16)
