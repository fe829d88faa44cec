"""Graphs to direct scenes on."""

from __future__ import annotations

import pytest

import kinegraph as kg
from kinegraph.graph.model import MotionGraph

NAMES = (
    "stand", "start", "walk", "walk_left_medium", "walk_left_tight", "walk_right_medium", "walk_fast", "run", "stop",
)  # fmt: skip


@pytest.fixture(scope="session")
def stage() -> MotionGraph:
    """Somebody who stands, walks, turns and runs."""
    return kg.build([kg.samples.make(name).motion for name in NAMES], fps=30, mirror=True)


@pytest.fixture(scope="session")
def small() -> MotionGraph:
    """So few clips that every walk of a second or two can be looked at."""
    return kg.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")], fps=30)
