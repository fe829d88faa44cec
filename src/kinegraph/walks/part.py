"""The part of a graph that a walk keeps to: all of it, or what bears a label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Bools, Ints
from kinegraph.errors import GraphError
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.walks.choice import component


@dataclass(frozen=True, eq=False)
class LabelledPart:
    """The part of a graph that a walk keeps to, in tables that answer what leaves a node without a search."""

    graph: MotionGraph
    nodes: Bools
    """``(N,)``: which nodes belong to it."""
    edges: Bools
    """``(E,)``: which edges belong to it."""
    gap: int
    """Frames of original motion between transitions."""
    transitions: Ints
    """Its transitions, in the order of their sources."""
    first: Ints
    """``(N + 1,)``: entries ``first[n]`` … ``first[n + 1]``−1 of ``transitions`` leave node n."""
    along: list[int]
    """By node: the original edge that leaves it, or −1."""
    ahead: Ints
    """By node: frames of original motion that follow."""
    last: Ints
    """By node: the node at which that motion ends."""
    roomy: Bools
    """``(E,)``: edges behind which at least ``gap`` frames of original motion follow."""

    @classmethod
    def of(cls, graph: MotionGraph, label: str | None, gap: int) -> LabelledPart:
        """The whole graph, or the part that keeps to a label. gap: frames between transitions."""
        nodes, edges = np.ones(len(graph), bool), np.ones(len(graph.edges), bool)
        if label is not None:
            inside = component(graph, label)
            nodes, edges = np.zeros(len(graph), bool), np.zeros(len(graph.edges), bool)
            nodes[inside.nodes] = True
            edges[inside.edges] = True
        own = graph.edges
        plain = np.flatnonzero(edges & (own.kind == EdgeKind.ORIGINAL))
        transitions = np.flatnonzero(edges & (own.kind != EdgeKind.ORIGINAL)).astype(np.int32)
        first = np.searchsorted(own.source[transitions], np.arange(len(graph) + 1)).astype(np.int32)
        along = np.full(len(graph), -1)
        along[own.source[plain]] = plain
        # original motion leads to later nodes only: from the back, what lies ahead of the next node is known
        ahead, last = np.zeros(len(graph), np.int32), np.arange(len(graph), dtype=np.int32)
        for edge in plain[::-1].tolist():
            source, target = own.source[edge], own.target[edge]
            ahead[source] = own.length[edge] + ahead[target]
            last[source] = last[target]
        return cls(graph, nodes, edges, gap, transitions, first, along.tolist(), ahead, last, ahead[own.target] >= gap)

    def leaving(self, first: int, last: int) -> Ints:
        """The transitions that leave nodes ``first`` … ``last``."""
        return self.transitions[self.first[first] : self.first[last + 1]]

    def lost(self, node: int) -> GraphError:
        """What to say where nothing leads on; a pruned graph has no such place."""
        clip, frame = self.graph.clips[self.graph.node_clip[node]].name, self.graph.node_frame[node]
        return GraphError(
            f"nothing leads on from frame {frame} of clip {clip!r}: this graph has dead ends, build it anew"
        )
