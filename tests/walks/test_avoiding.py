"""Transitions that nobody wants to see again."""

from __future__ import annotations

import pytest

import kinegraph as kg
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])


@pytest.mark.parametrize("search", ["fast", "exact"])
def test_what_is_avoided_is_not_taken(graph: MotionGraph, search: str) -> None:
    made = kg.follow(graph, "wave:6,0.8", search=search)
    worst = max(made.transitions, key=lambda one: one.cost)
    assert worst.at.startswith(f"{worst.source}:")
    again = kg.follow(graph, "wave:6,0.8", search=search, avoid=worst.at)
    assert again.reached
    assert worst.at not in [one.at for one in again.transitions]
    # what it is said to cost is what it costs
    assert all(one.cost < 1.0 for one in again.transitions)


def test_it_is_taken_where_nothing_else_leads_on() -> None:
    """A walk that can only be repeated: the way round is all there is."""
    graph = kg.graph.build([kg.samples.make("walk").motion])
    made = kg.follow(graph, "line:12")
    again = kg.follow(graph, "line:12", avoid=[one.at for one in made.transitions])
    assert again.reached
    assert again.transitions


@pytest.mark.parametrize(
    ("said", "message"),
    [("walk:3", "say clip:frame>clip:frame"), ("walk:1>hop:2", "hop"), ("walk:0>walk:999", "no transition")],
)
def test_what_there_is_not_is_told(graph: MotionGraph, said: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        kg.follow(graph, "line:3", avoid=said)
