from __future__ import annotations

import pytest

from kinegraph import samples
from kinegraph.graph import Parameters, build
from kinegraph.graph.model import MotionGraph

DEEDS = (
    "walk",
    "walk_left_medium",
    "start",
    "stop",
    "stand",
    "run",
    "sneak",
    "jump",
    "punch_low_centre",
    "punch_low_right",
)
GAITS = ("walk", "walk_slow", "walk_left_gentle", "walk_left_medium", "walk_left_tight", "run", "stand")


@pytest.fixture(scope="session")
def gaits() -> MotionGraph:
    """A graph of walks, a run and a stance, with their mirrored copies, on which paths can be followed."""
    return build([samples.make(name).motion for name in GAITS], Parameters(mirror=True))


@pytest.fixture(scope="session")
def deeds() -> MotionGraph:
    """A graph of walks and of what else a body does, on the spot and under way, with their mirrored copies."""
    return build([samples.make(name).motion for name in DEEDS], Parameters(mirror=True))
