"""Whether a walk came to the end of its path, and what to say where it did not."""

from __future__ import annotations

import math

from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path

THERE = 0.5
"""Metres from the end of its path within which a walk has come there."""


def short_of(motion: Motion, path: Path) -> float | None:
    """Metres that a motion ends away from the end of its path; None where it is there."""
    off = math.dist(track_of(motion)[-1], path.points[-1])
    return None if off <= THERE else off


def told(off: float, kind: str = "", further: str = "") -> str:
    """What to say of a walk that ends so many metres from the end of its path.

    kind, further: how whoever is told asks for another kind of motion, and for a search that looks further.
    """
    return (
        f"the walk ends {off:.1f} m from the end of the path: this graph cannot follow it so; draw wider turns, ask for "
        f"another kind of motion or none{kind}, look further{further}, or add clips"
    )
