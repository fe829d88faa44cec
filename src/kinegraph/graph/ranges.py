"""What the joints of a graph's clips do, which what is made of them should not exceed."""

from __future__ import annotations

from functools import lru_cache

from kinegraph.graph.model import MotionGraph
from kinegraph.motion.ranges import Ranges, ranges_of


@lru_cache(maxsize=4)
def ranges_of_graph(graph: MotionGraph) -> Ranges:
    """The ranges of all clips of a graph, without the frames in which the capture lost a joint; remembered for the next call.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> ranges_of_graph(graph).worst(graph.clips[0].motion).degrees
    0.0
    """
    return ranges_of([clip.motion for clip in graph.clips], [clip.sound for clip in graph.clips])
