"""The part of a graph in which a walk confined to some frames, such as those of a label, never ends."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.crew import Threads, in_order
from kinegraph.graph.model import Component, EdgeKind, MotionGraph, label_frames

# threads: compiled code lets them run beside each other
_WORKERS = 2


def confined(graph: MotionGraph) -> dict[str, Component]:
    """Label → the largest strongly connected part of the edges that play nothing but frames of that label.

    Labels without any cycle are left out.
    """
    labels, ways = label_frames(graph.clips), _Ways(graph)
    with Threads(_WORKERS) as crew:
        parts = dict(zip(labels, in_order(crew, ways.within, labels.values()), strict=True))
    return {label: part for label, part in parts.items() if part is not None}


def confined_to(graph: MotionGraph, frames: Bools) -> Component | None:
    """The largest strongly connected part, by its original motion, of the edges that play nothing but ``frames (F,)``,
    over all clips laid in a row; None where there is no cycle. A transition must keep to them in both clips, over its whole length.
    """
    return _Ways(graph).within(frames)


class _Ways:
    """Which frames each edge plays."""

    def __init__(self, graph: MotionGraph):
        edges = graph.edges
        starts = np.concatenate([[0], np.cumsum([len(clip) for clip in graph.clips])])
        nodes = starts[graph.node_clip] + graph.node_frame
        self._edges, self._size, self._original = edges, len(graph), edges.kind == EdgeKind.ORIGINAL
        # frames played of the source's clip, and of the target's
        left = nodes[edges.source]
        right = np.where(self._original, left, nodes[edges.target] - edges.length)
        self._stretches = [(first, first + edges.length) for first in (left, right)]

    def within(self, frames: Bools) -> Component | None:
        """As `confined_to`."""
        from kinegraph.graph.making.strong import rows  # here: compiled code takes its time to import

        edges = self._edges
        # how many of them lie before each: a stretch keeps to them if the difference is its length
        count = np.concatenate([[0], np.cumsum(frames, dtype=np.int32)])
        (left, left_end), (right, right_end) = self._stretches
        chosen = np.flatnonzero(count[left_end] - count[left] == edges.length)
        chosen = chosen[count[right_end[chosen]] - count[right[chosen]] == edges.length[chosen]]
        source = edges.source[chosen]
        ways = rows(source, edges.target[chosen], edges.cost[chosen], np.zeros(self._size, bool))
        part = ways.parts(np.inf)
        together = part[source] == part[edges.target[chosen]]
        within, inner = chosen[together], part[source[together]]
        if not len(within):
            return None
        # the largest has the most original motion, not the most places to leave it
        original = self._original[within]
        sizes = np.bincount(inner[original], edges.length[within[original]], minlength=part.max() + 1)
        biggest = inner[np.argmax(sizes[inner])]
        return Component(np.flatnonzero(part == biggest).astype(np.int32), within[inner == biggest].astype(np.int32))
