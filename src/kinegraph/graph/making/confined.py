"""The part of a graph in which a walk confined to some frames, such as those of a label, never ends."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.graph.model import Component, EdgeKind, MotionGraph


def confined(graph: MotionGraph) -> dict[str, Component]:
    """Label → the largest strongly connected part of the edges that play nothing but frames of that label.

    Labels without any cycle are left out.
    """
    found: dict[str, Component] = {}
    for label in sorted({span.label for clip in graph.clips for span in clip.spans}):
        part = confined_to(graph, np.concatenate([clip.labelled(label) for clip in graph.clips]))
        if part is not None:
            found[label] = part
    return found


def confined_to(graph: MotionGraph, frames: Bools) -> Component | None:
    """The largest strongly connected part of the edges that play nothing but ``frames (F,)``, over all clips laid in a
    row; None where there is no cycle. A transition must keep to them in both clips, over its whole length.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

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
    matrix = csr_array(
        (np.ones(len(chosen), np.int8), (edges.source[chosen], edges.target[chosen])),
        shape=(len(graph), len(graph)),
    )
    part = connected_components(matrix, directed=True, connection="strong")[1]
    sizes = np.bincount(part)
    if not len(sizes) or sizes.max() < 2:
        return None
    biggest = part[np.flatnonzero(sizes[part] == sizes.max())[0]]
    inside = chosen[(part[edges.source[chosen]] == biggest) & (part[edges.target[chosen]] == biggest)]
    return Component(np.flatnonzero(part == biggest).astype(np.int32), inside.astype(np.int32))
