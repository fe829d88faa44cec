"""All that a search is given: tables of the graph, the course, prices, preferences, and how far it looks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.path import Path
from kinegraph.walks.avoiding import costs
from kinegraph.walks.choice import component, unknown
from kinegraph.walks.course import CourseArrays, Prices
from kinegraph.walks.lay import make_course, make_prices
from kinegraph.walks.parts import bearing
from kinegraph.walks.request import Request
from kinegraph.walks.steering import Steered, steered
from kinegraph.walks.tables import Tables, tables

# m/s that some clip of a graph must make for a path to be followed at all
_TRAVELS = 0.2


@dataclass(frozen=True, eq=False)
class Followed:
    """A walk along a path."""

    walk: Walk
    path: Path
    error: float
    """What it cost: square metres summed over frames of 1/30 s, prices included, with the frame that would have passed the end of
    the path. Not a number for a walk that is not at its end yet.
    """


@dataclass(frozen=True, eq=False)
class Setting:
    """What a search is given."""

    graph: MotionGraph
    request: Request
    tables: Tables
    course: CourseArrays
    prices: Prices
    kind: Longs
    """``(clips,)``: clips of one number are one to preferences (a clip and its mirrored copy)."""
    margins: Array
    """``(clips,)``: what keeping to each may cost more, in the error's units."""
    horizon: int
    """Frames that are looked ahead."""
    keep: int
    """Frames that are settled at a time."""
    limit: int
    """Frames that the walk may have."""

    @classmethod
    def of(cls, graph: MotionGraph, request: Request) -> Setting:
        """The setting of a request, which is checked against the graph."""
        kind, margins = _preferences(graph, request)
        course, prices = make_course(graph, request), make_prices(graph, request)
        # to change from label to label may take a while on the spot
        longest = course.length / (prices.least * graph.fps) + request.seen * (1 + len(course.until))
        if request.limit is not None:
            longest = min(longest, request.limit)
        frames = max(1, int(longest * graph.fps + 1e-6))
        held = tables(graph)
        return cls(
            graph,
            request,
            held._replace(cost=costs(graph, held.cost, request.avoid)) if request.avoid else held,
            course,
            prices,
            kind,
            margins,
            max(2, min(round(request.seen * graph.fps), frames)),
            max(1, round(request.keep * graph.fps)),
            frames,
        )

    def so_far(self, edges: list[int], start: FloorTransform) -> Followed:
        """A walk that is settled so far."""
        frames = int(self.tables.length[edges].sum())
        return Followed(self._walk(edges, start, frames, self._steered(edges, start)), self.request.path, float("nan"))

    def whole(self, edges: list[int], start: FloorTransform, frames: int, error: float) -> Followed:
        """A walk that passes the end of the path with the last of ``frames``, halted before it does."""
        bent = None
        if self.prices.bending > 0.0:
            # steered anew, it may come to the end a little sooner or later
            edges = self._carried_on(edges)
            bent = self._steered(edges, start)
            frames = min(frames if bent is None else bent.passed, self.limit + 1)
        ends = np.cumsum(self.tables.length[edges])
        frames = max(1, frames - 1)
        edges = edges[: int(np.searchsorted(ends, frames)) + 1]
        return Followed(self._walk(edges, start, frames, bent), self.request.path, error)

    def _walk(self, edges: list[int], start: FloorTransform, frames: int, bent: Steered | None) -> Walk:
        if bent is None:
            return Walk(self.graph, np.array(edges), start, frames)
        pace = None if bent.pace is None else bent.pace[:frames]
        walk = Walk(self.graph, np.array(edges), start, frames, bent.turns[:frames], pace)
        # who is in a hurry does not slow down in bends
        late = self.request.limit is not None and walk.seconds > self.request.limit
        return replace(walk, pace=None) if late else walk

    def _steered(self, edges: list[int], start: FloorTransform) -> Steered | None:
        if self.prices.bending == 0.0:
            return None
        numbers = np.array(edges, np.int64)
        return steered(self.tables, self.course, self.prices, numbers, start, self.graph.fps)

    def _carried_on(self, edges: list[int]) -> list[int]:
        """The edges, and what follows them for a second, as far as the label goes: the clip they end in, and where that ends the
        cheapest transition.
        """
        held, section = self.tables, int(self.course.section[-1])
        more, frames = [*edges], 0
        while frames < self.graph.fps:
            node = int(held.target[more[-1]])
            onward = [
                edge
                for edge in range(int(held.first[node]), int(held.first[node + 1]))
                if section < 0 or self.course.strays[section, edge] == 0
            ]
            if not onward:
                break
            # a clip's own motion costs nothing
            more.append(min(onward, key=lambda edge: float(held.cost[edge])))
            frames += int(held.length[more[-1]])
        return more

    def stuck(self, seconds: float) -> GraphError:
        """Why the search found no way on after so many seconds of motion: all that was asked of it, and what to change."""
        request = self.request
        when = f"after {seconds:.1f} s" if seconds else "at the beginning"
        asked, cures = [], []
        if request.obstacles:
            asked.append("past the obstacles")
            cures.append("leave more room between them, draw the path around them")
        if request.label is not None:
            asked.append("that bears the label asked for")
            cures.append("ask for another label")
        if request.limit is not None:
            asked.append(f"to the end of the path ({request.path.length:.1f} m) within {request.limit:g} s")
            cures.append("allow more time")
        cures.append("look at more walks (a greater width) or further ahead")
        return GraphError(f"no way on was found {when} {' '.join(asked)}".rstrip() + ": " + ", or ".join(cures))


def check_names(graph: MotionGraph, request: Request) -> None:
    """Refuse a request that names labels or clips which the graph has not, or that nobody is fast enough for, before any
    search begins.
    """
    if request.label is not None:
        component(graph, request.label)
    for section in request.sections:
        bearing(graph, section.label)
    for name in request.prefer:
        if name not in graph.clip_index:
            raise GraphError(f"preferred clips: {unknown('clip', name, graph.clip_index)}")
    fastest = _fastest(graph)
    if fastest < _TRAVELS:
        raise Unsatisfied(
            f"nobody gets anywhere in this graph: the fastest of its clips goes at {fastest:.2f} m/s; add a walk to it"
        )
    stands = sum(one.seconds for one in request.pause)
    if request.limit is not None and request.path.length > (request.limit - stands) * fastest:
        raise Unsatisfied(
            f"the path is {request.path.length:.1f} m long, and the fastest clip goes at {fastest:.2f} m/s: it takes "
            f"{request.path.length / max(fastest, 1e-6) + stands:.1f} s at least, and {request.limit:g} s were allowed: "
            "allow more time, or draw a shorter path"
        )


def _fastest(graph: MotionGraph) -> float:
    """Metres a second that any clip makes for half a second at least."""
    some = max(1, round(0.5 * graph.fps))
    gone = [
        np.linalg.norm(clip.motion.root[some:, [0, 2]] - clip.motion.root[:-some, [0, 2]], axis=1)
        for clip in graph.clips
    ]
    return max((float(part.max(initial=0.0)) for part in gone), default=0.0) * graph.fps / some


def _preferences(graph: MotionGraph, request: Request) -> tuple[Longs, Array]:
    first: dict[str, int] = {}
    kind = np.array([first.setdefault(clip.source.sha256, n) for n, clip in enumerate(graph.clips)], np.int64)
    margins = np.zeros(len(graph.clips))
    for name, margin in request.prefer.items():
        if name not in graph.clip_index:
            raise GraphError(unknown("clip", name, graph.clip_index))
        margins[kind == kind[graph.clip_index[name]]] = (margin / 100) ** 2 * 30.0 * request.seen
    return kind, margins
