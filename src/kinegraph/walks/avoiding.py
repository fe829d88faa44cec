"""Transitions that somebody has seen and does not want: a search takes them only where there is hardly another way on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph

# frames by which somebody who names a transition may be off; those within look the same
CLOSE = 5
# metres by which an unwanted transition seems worse than it is
_WORSE = 10.0


def named(graph: MotionGraph, edge: int) -> str:
    """A transition as people write it, ``clip:frame>clip:frame``: where it leaves, and where it arrives."""
    ends = (int(graph.edges.source[edge]), int(graph.edges.target[edge]))
    return ">".join(f"{graph.clips[graph.node_clip[node]].name}:{graph.node_frame[node]}" for node in ends)


def meant(graph: MotionGraph, text: str, wish: str) -> Longs:
    """The transitions ``clip:frame>clip:frame``, by the frames where they leave and arrive, give or take a few; there must be one.

    wish: what an error says it is about.
    """
    ends = []
    for part in (*text.split(">", 1), "")[:2]:
        name, _, frame = part.strip().rpartition(":")
        if name not in graph.clip_index or not (frame.strip().isdecimal() and len(frame) < 10):
            raise GraphError(
                f"{wish}: {text!r} is no transition; say clip:frame>clip:frame, such as "
                f"{next(iter(graph.clip_index))}:30>{next(iter(graph.clip_index))}:70"
            )
        ends.append((graph.clip_index[name], int(frame)))
    edges = graph.edges
    here = edges.kind != 0
    for nodes, (clip, wanted) in zip((edges.source, edges.target), ends, strict=True):
        here &= (graph.node_clip[nodes] == clip) & (np.abs(graph.node_frame[nodes] - wanted) <= CLOSE)
    found = np.flatnonzero(here)
    if not len(found):
        raise GraphError(f"{wish}: the graph has no transition {text!r}, nor one within {CLOSE} frames of it")
    return found.astype(np.int64)


def costs(graph: MotionGraph, cost: Array, said: Sequence[str]) -> Array:
    """What transitions cost ``(E,)`` a search that is to avoid some of them."""
    worse = np.array(cost)
    worse[np.unique(np.concatenate([meant(graph, text, "avoid") for text in said]))] += _WORSE
    return worse
