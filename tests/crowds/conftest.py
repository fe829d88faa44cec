from __future__ import annotations

import pytest

import kinegraph as kg
from kinegraph.graph.model import MotionGraph

NAMES = (
    "stand",
    "start",
    "walk",
    "walk_left_medium",
    "walk_right_medium",
    "walk_left_tight",
    "walk_right_tight",
    "stop",
)


@pytest.fixture(scope="session")
def library() -> MotionGraph:
    """A small graph with all that a crowd needs."""
    return kg.graph.build([kg.samples.make(name).motion for name in NAMES])
