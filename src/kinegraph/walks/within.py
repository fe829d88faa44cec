"""Of a large graph, the part that a walk keeps to, as a graph of its own: not all hours are looked through for a walk that only walks.

Nodes, edges and clips of the part are in the order of the whole, so that a search meets them in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Indices, Ints
from kinegraph.graph.model import Component, Edges, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.walks.begin import framed
from kinegraph.walks.choice import component
from kinegraph.walks.request import Request

# edges of a graph that is worth cutting, and the share of them beyond which a part is as good as the whole
_LARGE, _MOST = 100_000, 0.7


@dataclass(frozen=True, eq=False)
class Within:
    """A part of a graph."""

    whole: MotionGraph
    graph: MotionGraph
    """The part. It has no record, and no label but the one that it keeps to."""
    edges: Ints | None
    """``(e,)``: what number each of its edges has in the whole; None where the part is the whole."""

    def lifted(self, walk: Walk) -> Walk:
        """A walk through the part, as one through the whole."""
        return walk if self.edges is None else replace(walk, graph=self.whole, edges=self.edges[walk.edges])

    def lowered(self, walk: Walk) -> Indices:
        """The numbers that the edges of a walk through the whole have in the part."""
        return walk.edges.astype(np.intp) if self.edges is None else np.searchsorted(self.edges, walk.edges)


def within(graph: MotionGraph, request: Request) -> Within:
    """What a request can reach: of a large graph the part that bears its label, where it may play nothing else."""
    everything = Within(graph, graph, None)
    # who pauses may do so without the label
    if request.label is None or request.pause or len(graph.edges) < _LARGE:
        return everything
    part = labelled_part(graph, request.label)
    named = set(request.prefer)
    if request.start is not None:
        start = framed(graph, request.start)
        named.add(start if isinstance(start, str) else start[0])
    # what is named and not there is for the whole to explain
    known = named <= part.graph.clip_index.keys() | {request.label}
    return part if part.edges is not None and known else everything


@lru_cache(maxsize=8)
def labelled_part(graph: MotionGraph, label: str) -> Within:
    """The part of a graph in which a walk keeps to a label, or to several as asked, for ever."""
    inside = component(graph, label)
    if len(inside.edges) > _MOST * len(graph.edges):
        return Within(graph, graph, None)
    every = Component(*(np.arange(len(numbers), dtype=np.int32) for numbers in (inside.nodes, inside.edges)))
    return Within(graph, cut_out(graph, inside, {label: every}), inside.edges)


def cut_out(graph: MotionGraph, inside: Component, labels: Mapping[str, Component]) -> MotionGraph:
    """Some nodes and edges of a graph as a graph of its own, with the clips that they are of. labels: its own."""
    clips, clip = np.unique(graph.node_clip[inside.nodes], return_inverse=True)
    number = np.zeros(len(graph), np.int32)
    number[inside.nodes] = np.arange(len(inside.nodes))
    ends = {name: number[getattr(graph.edges, name)[inside.edges]] for name in ("source", "target")}
    rest = {name: values[inside.edges] for name, values in vars(graph.edges).items() if name not in ends}
    return MotionGraph(
        tuple(graph.clips[n] for n in clips.tolist()),
        clip.astype(np.int32),
        graph.node_frame[inside.nodes],
        Edges(**ends, **rest),
        labels,
    )
