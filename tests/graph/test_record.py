from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kinegraph.errors import GraphError
from kinegraph.graph import MotionGraph, Parameters, add, digest, rechoose, remove, save
from kinegraph.graph.store.faults import faults
from kinegraph.walks import wander
from tests.graph.made import made_clip, made_graph


@pytest.fixture(scope="module")
def bare() -> MotionGraph:
    """A graph of which nobody knows how it was made."""
    return replace(made_graph(), making=None)


def test_a_record_is_not_needed_for_a_walk(bare: MotionGraph) -> None:
    assert wander(bare, 5.0).seconds == pytest.approx(5.0, abs=0.1)
    assert faults(bare) == []


@pytest.mark.parametrize(
    "use",
    [
        digest,
        lambda graph: save(graph, "g.mog"),
        lambda graph: add(graph, [made_clip("sneak").motion]),
        lambda graph: remove(graph, ["walk"]),
        lambda graph: rechoose(graph, Parameters()),
    ],
    ids=["digest", "save", "add", "remove", "rechoose"],
)
def test_what_needs_a_record_says_so(
    bare: MotionGraph, use: Callable[[MotionGraph], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GraphError, match="without a record of how it was made"):
        use(bare)
    assert list(tmp_path.iterdir()) == []
