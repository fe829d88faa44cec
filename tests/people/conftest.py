from __future__ import annotations

import pytest

import kinegraph as kg
from kinegraph.graph.model import MotionGraph
from kinegraph.strikes.space import Space

NAMES = ("stand", "start", "walk", "walk_fast", "walk_left_tight", "walk_right_tight", "run", "jump", "stop")


@pytest.fixture(scope="session")
def library() -> MotionGraph:
    """A small graph with all that somebody who is steered needs."""
    return kg.graph.build([kg.samples.make(name).motion for name in NAMES])


@pytest.fixture(scope="session")
def straight() -> MotionGraph:
    """One straight walk, and nothing else."""
    return kg.graph.build([kg.samples.make("walk").motion])


def _space(kind: str) -> Space:
    takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith(kind)]
    return kg.strikes.build(takes, "punch" if kind == "punch" else "kick")


@pytest.fixture(scope="session")
def spaces() -> list[Space]:
    """The built-in punches and kicks."""
    return [_space("punch"), _space("kick")]
