from __future__ import annotations

from pathlib import Path

import pytest

from kinegraph import samples
from kinegraph.formats import load
from kinegraph.graph import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph
from kinegraph.paths import read
from kinegraph.walks.following import follow
from kinegraph.walks.performing import Finished, perform


@pytest.fixture(scope="session")
def strolling() -> MotionGraph:
    """A graph of built-in walks, straight and turning."""
    return build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])


@pytest.fixture(scope="session")
def walking(cmu: Path) -> MotionGraph:
    """A graph of some captured walks."""
    names = ("16_11", "16_15", "16_17", "16_19", "16_21", "16_31")
    return build([load(cmu / "acclaim" / "16" / f"{name}.amc") for name in names], Parameters(mirror=True))


@pytest.fixture(scope="session")
def round_trip(strolling: MotionGraph) -> Finished:
    """A walk round a circle of 2 m, bent onto it, its feet cleaned."""
    path = read("circle:2")
    return perform(follow(strolling, path).walk, onto=path)
