"""The part of a graph in which a walk confined to some frames, such as those of a label, never ends."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.graph.model import Component, EdgeKind, MotionGraph, label_frames


def confined(graph: MotionGraph) -> dict[str, Component]:
    """Label → the largest strongly connected part of the edges that play nothing but frames of that label.

    Labels without any cycle are left out.
    """
    parts = {label: confined_to(graph, frames) for label, frames in label_frames(graph.clips).items()}
    return {label: part for label, part in parts.items() if part is not None}


def confined_to(graph: MotionGraph, frames: Bools) -> Component | None:
    """The largest strongly connected part, by its original motion, of the edges that play nothing but ``frames (F,)``,
    over all clips laid in a row; None where there is no cycle. A transition must keep to them in both clips, over its whole length.
    """
    from kinegraph.graph.making.strong import rows  # here: compiled code takes its time to import

    edges = graph.edges
    starts = np.concatenate([[0], np.cumsum([len(clip) for clip in graph.clips])])
    nodes = starts[graph.node_clip] + graph.node_frame
    blended = edges.kind != EdgeKind.ORIGINAL
    left = nodes[edges.source]  # frames played of the source's clip, and of the target's
    right = np.where(blended, nodes[edges.target] - edges.length, left)
    # how many of them lie before each: a stretch keeps to them if the difference is its length
    count = np.concatenate([[0], np.cumsum(frames)])
    whole = count[left + edges.length] - count[left] == edges.length
    whole &= count[right + edges.length] - count[right] == edges.length
    chosen = np.flatnonzero(whole)
    nowhere = np.zeros(len(graph), bool)
    ways = rows(edges.source[chosen], edges.target[chosen], edges.cost[chosen], nowhere)
    part = ways.parts(np.inf)
    within = chosen[part[edges.source[chosen]] == part[edges.target[chosen]]]
    if not len(within):
        return None
    # the largest has the most original motion, not the most places to leave it
    original = within[~blended[within]]
    sizes = np.bincount(part[edges.source[original]], edges.length[original], minlength=part.max() + 1)
    inner = part[edges.source[within]]
    biggest = inner[np.argmax(sizes[inner])]
    inside = within[inner == biggest]
    return Component(np.flatnonzero(part == biggest).astype(np.int32), inside.astype(np.int32))
