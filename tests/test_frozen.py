"""Values travel to other processes and come back as they were."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.graph.model import MotionGraph
from kinegraph.walks.performing import perform


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "run", "stop")])


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


WAYS = (pickled, copy.deepcopy, copy.copy)


def parts(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Whatever a value is made of, by name: arrays, mappings, numbers, words."""
    if is_dataclass(value):
        for one in fields(value):
            yield from parts(getattr(value, one.name), f"{name}.{one.name}")
    elif isinstance(value, Mapping):
        yield f"{name} is", type(value)
        for key, one in value.items():
            yield from parts(one, f"{name}[{key}]")
    elif isinstance(value, tuple | list):
        for number, one in enumerate(value):
            yield from parts(one, f"{name}[{number}]")
    elif isinstance(value, np.ndarray):
        yield name, (value.dtype, value.shape, value.tobytes(), value.flags.writeable)
    elif isinstance(value, int | float | str | None):
        yield name, value


@pytest.mark.parametrize("way", WAYS)
def test_a_graph_and_its_walks_come_back_to_the_last_bit(graph: MotionGraph, way: Callable[[Any], Any]) -> None:
    for value in (graph, kg.walks.wander(graph, 3, seed=2)):
        again = way(value)
        assert list(parts(again)) == list(parts(value))
    assert isinstance(way(graph).labels, MappingProxyType)
    assert kg.graph.digest(way(graph)) == kg.graph.digest(graph)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_made_comes_back_to_the_last_bit(graph: MotionGraph, way: Callable[[Any], Any]) -> None:
    made = kg.follow(graph, "line:3")
    finished = perform(kg.walks.wander(graph, 3, seed=2))
    for value in (made, made.provenance, finished, finished.performance, kg.wander(graph, seconds=2)):
        assert list(parts(way(value))) == list(parts(value))
    assert way(made).quality == made.quality


def test_a_graph_from_another_process_gives_the_same_motion(graph: MotionGraph) -> None:
    here, there = (kg.follow(one, "circle:2").motion for one in (graph, pickled(graph)))
    assert there.rotations.tobytes() == here.rotations.tobytes()
    assert there.root.tobytes() == here.root.tobytes()


def test_nothing_that_was_computed_travels_along(graph: MotionGraph) -> None:
    bare = len(pickle.dumps(graph))
    for clip in graph.clips:
        assert clip.motion.positions is not None
    assert graph.first is not None
    assert len(pickle.dumps(graph)) == bare
    # one skeleton for all clips, as before
    again = pickled(graph)
    assert len({id(clip.motion.skeleton) for clip in again.clips}) == 1


def test_nobody_can_write_to_what_has_come_back(graph: MotionGraph) -> None:
    again = pickled(graph)
    with pytest.raises(ValueError, match="read-only"):
        again.clips[0].motion.rotations[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        again.edges.cost[0] = 0
    with pytest.raises(TypeError):
        again.labels["x"] = None
