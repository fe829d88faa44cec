"""Path following: the walk that keeps to a path (Dirican 2014, 4.2.1 to 4.2.2), found bit by bit over a sliding horizon.

>>> from kinegraph import graph, samples
>>> from kinegraph.paths.shapes import shape
>>> made = graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
>>> follow(made, shape("line:4")).walk.seconds > 2
True
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kinegraph.graph.model import MotionGraph
from kinegraph.paths.path import Path
from kinegraph.walks.exact import exact
from kinegraph.walks.fast import fast
from kinegraph.walks.request import Request
from kinegraph.walks.setting import Followed, Setting
from kinegraph.walks.within import within
from kinegraph.watch import Watcher

__all__ = ["Followed", "follow", "follow_on"]


def follow(graph: MotionGraph, path: Path | Request, *, watch: Watcher = None, **wishes: Any) -> Followed:
    """The walk that follows a path; wishes are those of `Request`. watch: asked now and then whether to go on.

    >>> import kinegraph as kg
    >>> names = ("walk", "walk_left_medium", "walk_right_medium")
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in names])
    >>> kg.walks.follow(graph, kg.paths.read("eight:2.5"), label="walk").walk.seconds > 20
    True
    """
    return deque(follow_on(graph, path, watch=watch, **wishes), maxlen=1)[0]


def follow_on(graph: MotionGraph, path: Path | Request, *, watch: Watcher = None, **wishes: Any) -> Iterator[Followed]:
    """As `follow`, as it is found: each walk goes on from the one before, the last one to the end of the path.

    Only the last knows its error.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> [round(found.walk.seconds) for found in kg.walks.follow_on(graph, kg.paths.read("circle:2"))]
    [1, 2, 3, 4, 5, 6, 12]
    """
    request = replace(path, **wishes) if isinstance(path, Request) else Request(path, **wishes)
    part = within(graph, request)
    setting = Setting.of(part.graph, request)
    found = exact(setting, watch) if request.search == "exact" else fast(setting, watch)
    return (replace(one, walk=part.lifted(one.walk)) for one in found)
