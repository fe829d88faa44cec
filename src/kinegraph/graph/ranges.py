"""What the joints of a graph's clips do, which what is made of them should not exceed."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kinegraph.graph.model import MotionGraph
from kinegraph.graph.sampling import some_clips
from kinegraph.graph.walk import Walk
from kinegraph.motion.ranges import Ranges, ranges_of


def ranges_of_walk(walk: Walk) -> Ranges:
    """The ranges of the clips that a walk is made from: all of its graph, or of a large one those that it plays and some others."""
    edges, graph = walk.graph.edges, walk.graph
    nodes = np.concatenate([edges.source[walk.edges], edges.target[walk.edges]])
    return _ranges(graph, some_clips(graph, np.unique(graph.node_clip[nodes]).tolist()))


def ranges_of_graph(graph: MotionGraph) -> Ranges:
    """The ranges of all clips of a graph, of some of a large one, without the frames in which the capture lost a joint; remembered for the
    next call.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> ranges_of_graph(graph).worst(graph.clips[0].motion).degrees
    0.0
    """
    return _ranges(graph, some_clips(graph))


@lru_cache(maxsize=4)
def _ranges(graph: MotionGraph, chosen: tuple[int, ...]) -> Ranges:
    clips = [graph.clips[number] for number in chosen]
    return ranges_of([clip.motion for clip in clips], [clip.sound for clip in clips])
