"""Transitions as arcs between tracks. They are polylines, so that thousands can be drawn at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.graph.model import MotionGraph
from kinegraph.plots.tracks import TrackRows

# Points of a polyline, and how much of a row an arc within a track rises.
_POINTS = 20
_LOWEST, _HIGHEST = 0.28, 0.62


def chosen(graph: MotionGraph, kind: int, most: int) -> NDArray[np.intp]:
    """Edges of a kind ``(n,)``, at most ``most`` of them.

    They are picked evenly from a list ordered by clips and cost, so that each pair of clips keeps its share of cheap and of expensive ones.
    """
    edges = graph.edges
    found = np.flatnonzero(edges.kind == kind)
    into, out_of = (graph.node_clip[ends[found]] for ends in (edges.target, edges.source))
    ordered = found[np.lexsort((edges.cost[found], into, out_of))]
    if len(ordered) > most:
        ordered = ordered[np.linspace(0, len(ordered) - 1, most).round().astype(np.intp)]
    return ordered


def arcs(graph: MotionGraph, rows: TrackRows, which: NDArray[np.intp]) -> Array:
    """Polylines ``(n, 20, 2)``, seconds and row, from where each edge leaves its clip to where it enters the other.

    Between tracks, an arc leaves and arrives vertically, like an S. Within a track it is a bow above it: the longer, the higher.
    """
    edges = graph.edges
    ends = []
    for nodes in (edges.source[which], edges.target[which]):
        ends.append((graph.node_frame[nodes] / graph.fps, rows.of[graph.node_clip[nodes]]))
    (x0, y0), (x1, y1) = ends
    part = np.linspace(0.0, 1.0, _POINTS)
    smooth = part * part * (3 - 2 * part)
    longest = max(len(clip) for clip in graph.clips) / graph.fps
    rise = _LOWEST + (_HIGHEST - _LOWEST) * np.abs(x1 - x0) / longest
    bow = np.where(y0 == y1, rise, 0.0)[:, None] * 4 * part * (1 - part)
    x = x0[:, None] + (x1 - x0)[:, None] * smooth
    # rows are counted downwards: up is less
    y = y0[:, None] + (y1 - y0)[:, None] * part - bow
    return np.stack([x, y], axis=-1)
