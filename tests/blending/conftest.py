from __future__ import annotations

from pathlib import Path

import pytest

from kinegraph import samples
from kinegraph.formats import load
from kinegraph.graph import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph


@pytest.fixture(scope="session")
def strolling() -> MotionGraph:
    """A graph of built-in walks, straight and turning."""
    return build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])


WALKS = ("16_15", "16_17", "16_19", "16_21", "16_31")
RUNS = ("16_35", "16_36", "16_37", "16_45", "16_46")


def _build(folder: Path, names: tuple[str, ...]) -> MotionGraph:
    return build([load(folder / "acclaim" / "16" / f"{name}.amc") for name in names], Parameters(mirror=True))


@pytest.fixture(scope="session")
def walking(cmu: Path) -> MotionGraph:
    """A graph of some captured walks."""
    return _build(cmu, WALKS)


@pytest.fixture(scope="session")
def running(cmu: Path) -> MotionGraph:
    """A graph of some captured runs, whose transitions are shorter."""
    return _build(cmu, RUNS)


@pytest.fixture(scope="session")
def captured(cmu: Path) -> MotionGraph:
    """A graph of captured walks and runs: slow and quick transitions, and bridges between them."""
    return _build(cmu, WALKS + RUNS)
