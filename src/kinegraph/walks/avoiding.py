"""Transitions that somebody has seen and does not want: a search takes them only where there is hardly another way on."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.walks.choice import unknown

# seconds within which two transitions between the same clips look the same
_ALIKE = 0.2
# metres by which an unwanted transition seems worse than it is
_WORSE = 10.0

_SAID = re.compile(r"(.+)@([0-9]{1,9})>(.+)@([0-9]{1,9})")


def named(graph: MotionGraph, edge: int) -> str:
    """A transition as people write it, ``CLIP@FRAME>CLIP@FRAME``: where it leaves, and where it arrives."""
    ends = (int(graph.edges.source[edge]), int(graph.edges.target[edge]))
    return ">".join(f"{graph.clips[graph.node_clip[node]].name}@{graph.node_frame[node]}" for node in ends)


def avoided(graph: MotionGraph, said: Sequence[str]) -> Longs:
    """The edges that are meant by ``CLIP@FRAME>CLIP@FRAME`` each: that transition, and those that look the same."""
    near = _ALIKE * graph.fps
    blended = graph.edges.kind != 0
    found = np.zeros(len(blended), bool)
    for one in said:
        match = _SAID.fullmatch(one)
        if match is None:
            raise GraphError(
                f"cannot understand the transition {one!r}: expected CLIP@FRAME>CLIP@FRAME, such as walk@34>run@12"
            )
        meant = blended.copy()
        for nodes, name, frame in ((graph.edges.source, match[1], match[2]), (graph.edges.target, match[3], match[4])):
            if name not in graph.clip_index:
                raise GraphError(unknown("clip", name, graph.clip_index))
            meant &= graph.node_clip[nodes] == graph.clip_index[name]
            meant &= np.abs(graph.node_frame[nodes] - int(frame)) <= near
        if not meant.any():
            raise GraphError(f"there is no transition {one} in this graph, so it cannot be avoided")
        found |= meant
    return np.flatnonzero(found)


def costs(graph: MotionGraph, cost: Array, said: Sequence[str]) -> Array:
    """What transitions cost ``(E,)`` a search that is to avoid some of them."""
    if not said:
        return cost
    worse = np.array(cost)
    worse[avoided(graph, said)] += _WORSE
    return worse
