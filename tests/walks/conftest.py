from __future__ import annotations

import pytest

from kinegraph import samples
from kinegraph.graph import Parameters, build
from kinegraph.graph.model import MotionGraph

GAITS = ("walk", "walk_slow", "walk_left_gentle", "walk_left_medium", "walk_left_tight", "run", "stand")


@pytest.fixture(scope="session")
def gaits() -> MotionGraph:
    """A graph of walks, a run and a stance, with their mirrored copies, on which paths can be followed."""
    return build([samples.make(name).motion for name in GAITS], Parameters(mirror=True))
