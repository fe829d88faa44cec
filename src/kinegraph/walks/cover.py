"""Even cover: how a random walk goes so that it sees all of a graph, each clip for about its share of the frames.

A walk that leaves every choice to chance stays for minutes where many transitions lead round in a small circle, and from
some places it never comes back by chance. So a walk goes in legs. For each it looks around, by Dijkstra's search from
where it is, and goes to the place with the highest

need + chance − way

in seconds: *need* is how far the place's clip lags behind its share, and how little of what comes there was played; *chance*
is drawn anew for each clip; *way* is how long it takes to get there, with a price for every transition and for playing
what was played too much. Then it plays what comes there, for a `VISIT`, and looks around again.

The lag is that of fair queueing: a clip that has a hundredth of the frames and was played for two seconds has had its
share of a walk of two hundred. It grows without bound for a clip that is not visited, and so does, faster, its need:
whatever can be reached is reached in the end.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterator
from heapq import heappop, heappush

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.graph.model import EdgeKind
from kinegraph.walks.part import LabelledPart

VISIT = 1.5
"""Seconds that are played where a leg has led to."""
FEWEST = 3
"""A pool is never smaller, as far as there are transitions: always the one best would soon go round in a circle."""

# What things are worth, in seconds of way. A clip that lags behind by one mean clip's visit; of two places of a clip, the one
# that was not played at all rather than as often as the clip; how far chance goes; what ends before a visit is over.
_LAG, _FRESH, _CHANCE, _CUT = 5.0, 2.0, 2.0, 5.0
# Prices of transitions: of each, and of a usual one's cost, by its square up to a bound; of one behind which too little motion
# follows for the gap.
_EACH, _USUAL, _DEAREST, _CRAMPED = 0.3, 0.3, 3.0, 1.0
# Prices of what is not wished for: detours of so many seconds come first.
_EARLY, _OUTSIDE, _WITHIN = 6.0, 20.0, 30.0
# Playing what was played k times its share takes k² times as long, for k up to this.
_WORN = 5.0
# Most legs look at so many nodes at most; every so many legs one looks as far as need be.
_NEAR, _FAR_EVERY = 1000, 8

_Arc = tuple[int, int, int, float, float, float]


class Cover:
    """A walk in legs through a part of a graph, and the counts of what it has played."""

    def __init__(self, part: LabelledPart, rng: np.random.Generator, *, pool: float | None, within: bool):
        graph, edges = part.graph, part.graph.edges
        self._part, self._rng, self._fps = part, rng, graph.fps
        self._target, self._length = edges.target.tolist(), edges.length.tolist()
        self._clip: Longs = graph.node_clip.astype(np.int64)
        self._clip_of = self._clip.tolist()
        plain = np.flatnonzero(part.edges & (edges.kind == EdgeKind.ORIGINAL))
        self._step = np.zeros(len(graph))
        self._step[edges.source[plain]] = edges.length[plain]
        # frames of original motion before each node, all in a row: differences within a stretch are times
        self._before = np.concatenate([[0.0], np.cumsum(self._step)[:-1]])
        self._frames = np.bincount(self._clip, self._step, minlength=len(graph.clips))
        self._clips = max(1, int(np.count_nonzero(self._frames)))
        self._share = np.maximum(self._frames, 1) / max(1.0, self._frames.sum())
        self._landing = self._after(part.gap).tolist()
        self._visit = self._after(max(1, round(VISIT * graph.fps)))
        self._span = self._before[self._visit] - self._before
        self._prices = _prices(part, pool, within or self._clips == 1).tolist()
        self._arcs: dict[int, list[_Arc]] = {}
        # counts: plays of the original edge that leaves a node, and frames played of each clip
        self._plays = np.zeros(len(graph))
        self._played = np.zeros(len(graph.clips))
        self._legs = 0

    def steps(self, node: int) -> Iterator[int]:
        """Edges without end, from a node on."""
        yield from self._play(node, self._landing[node])
        node = self._landing[node]
        while True:
            for edge, end in self._leg(node):
                yield self._count(edge)
                yield from self._play(self._target[edge], end)
                node = end
            yield from self._play(node, int(self._visit[node]))
            node = int(self._visit[node])

    def _after(self, frames: int) -> Longs:
        """``(N,)``: the node at which so many frames of original motion are over, or at which that motion ends."""
        here = np.arange(len(self._before))
        found: Longs = np.searchsorted(self._before, self._before + frames)
        return np.minimum(np.maximum(found, here), self._part.last)

    def _play(self, node: int, end: int) -> Iterator[int]:
        """Original motion up to a node."""
        while node != end:
            edge = self._part.along[node]
            yield self._count(edge)
            node = self._target[edge]

    def _count(self, edge: int) -> int:
        """Keep in mind that an edge is played. Of a transition either clip has half."""
        edges = self._part.graph.edges
        source = int(edges.source[edge])
        half = self._length[edge] / 2
        self._played[self._clip_of[source]] += half
        self._played[self._clip_of[self._target[edge]]] += half
        if edges.kind[edge] == EdgeKind.ORIGINAL:
            self._plays[source] += 1
        return edge

    def _leg(self, node: int) -> list[tuple[int, int]]:
        """The way to where the walk goes next: edges, each with the node up to which motion is played behind it."""
        self._legs += 1
        worth, worn = self._worth(), self._worn()
        highest, value = float(worth.max()), worth.tolist()
        target, length, along, clip, fps = self._target, self._length, self._part.along, self._clip_of, self._fps
        most = _NEAR if self._legs % _FAR_EVERY else len(value)
        best, goal = -math.inf, node
        last: tuple[int, int, int] | None = None  # the goal's way in, where it is the target of a transition
        spent = {node: 0.0}
        came: dict[int, tuple[int, int]] = {}
        seen: set[int] = set()
        heap = [(0.0, node)]
        while heap:
            way, here = heappop(heap)
            if here in seen:
                continue
            seen.add(here)
            # who stands at the end of a motion must go on
            if value[here] - way > best and (here != node or along[here] >= 0):
                best, goal, last = value[here] - way, here, None
            if way >= highest - best or (len(seen) > most and best > -math.inf):
                break
            if along[here] >= 0:
                there = target[along[here]]
                until = way + length[along[here]] / fps * worn[clip[here]]
                if until < spent.get(there, math.inf):
                    spent[there], came[there] = until, (here, along[here])
                    heappush(heap, (until, there))
            for edge, there, landing, price, blend, wait in self._leaving(here):
                slow = worn[clip[there]]
                until = way + price + blend * slow
                if value[there] - until > best:
                    best, goal, last = value[there] - until, there, (here, edge, there)
                for end, arrives in ((landing, until + wait * slow), (there, until + _EARLY)):
                    if arrives < spent.get(end, math.inf):
                        spent[end], came[end] = arrives, (here, edge)
                        heappush(heap, (arrives, end))
        if best == -math.inf:
            raise self._part.lost(node)
        back: list[tuple[int, int]] = []
        if last is not None:
            goal = last[0]
            back.append(last[1:])
        while goal != node:
            before, edge = came[goal]
            back.append((edge, goal))
            goal = before
        return back[::-1]

    def _worth(self) -> Array:
        """``(N,)``: need and chance of every node, in seconds."""
        behind = self._behind()
        lag: Array = _LAG * behind * (1 + np.maximum(behind, 0))
        frames = self._plays * self._step
        sums = np.concatenate([[0.0], np.cumsum(frames)[:-1]])
        often = (sums[self._visit] - sums) / np.maximum(self._span, 1)
        usual = np.bincount(self._clip, frames, minlength=len(self._frames)) / np.maximum(self._frames, 1)
        ratio: Array = often / np.maximum(usual, 1e-9)[self._clip]
        fresh = np.maximum(-1.0, 1 - ratio)
        chance: Array = self._rng.gumbel(scale=_CHANCE, size=len(self._frames))
        cut = np.maximum(0.0, 1 - self._span / max(1, round(VISIT * self._fps)))
        worth = (lag + chance)[self._clip] + _FRESH * fresh - _CUT * cut
        found: Array = np.where(self._part.nodes, worth, -np.inf)
        return found

    def _seconds(self) -> float:
        return float(self._played.sum()) / self._fps + VISIT

    def _behind(self) -> Array:
        """``(C,)``: by how many mean visits a clip is behind."""
        found: Array = (self._seconds() - self._played / self._fps / self._share) / (VISIT * self._clips)
        return found

    def _worn(self) -> list[float]:
        """By clip: how many times as long a second of it takes."""
        times = self._played / self._fps / self._share / self._seconds()
        found: list[float] = np.square(np.clip(times, 1, _WORN)).tolist()
        return found

    def _leaving(self, node: int) -> list[_Arc]:
        """The transitions that leave a node: edge, target, node at which the gap is over, price, seconds to each."""
        if node not in self._arcs:
            first, last = int(self._part.first[node]), int(self._part.first[node + 1])
            found = self._arcs[node] = []
            for number in range(first, last):
                edge = int(self._part.transitions[number])
                there = self._target[edge]
                landing = self._landing[there]
                wait = float(self._before[landing] - self._before[there]) / self._fps
                found.append((edge, there, landing, self._prices[number], self._length[edge] / self._fps, wait))
        return self._arcs[node]


def _prices(part: LabelledPart, pool: float | None, within: bool) -> Array:
    """What each of a part's transitions costs in seconds, beside the time that it takes."""
    edges, clip = part.graph.edges, part.graph.node_clip
    taken = part.transitions
    if not len(taken):
        return np.zeros(0)
    cost = edges.cost[taken]
    prices = _EACH + _USUAL * np.square(cost / max(float(np.median(cost)), 1e-6))
    prices = np.minimum(prices, _DEAREST) + np.where(part.roomy[taken], 0, _CRAMPED)
    if not within:
        prices += np.where(clip[edges.source[taken]] == clip[edges.target[taken]], _WITHIN, 0)
    if pool is not None:
        prices += np.where(pooled(part, pool, within=within), 0, _OUTSIDE)
    return prices


def pooled(part: LabelledPart, pool: float, *, within: bool) -> Bools:
    """Which of a part's transitions are in the pool: among the best share ``pool``, or the best `FEWEST`, of those that
    leave the same stretch of motion then or later, as far as they lead to another clip; to the same one only if ``within``.
    """
    edges, clip, taken = part.graph.edges, part.graph.node_clip, part.transitions
    source, cost = edges.source[taken].tolist(), edges.cost[taken].tolist()
    valid = (clip[edges.source[taken]] != clip[edges.target[taken]]) | within
    found = np.zeros(len(taken), bool)
    ahead: list[float] = []
    # from the back, so that what lies ahead is known
    stop = len(taken)
    while stop:
        node = source[stop - 1]
        start = int(part.first[node])
        if stop < len(taken) and part.last[node] != part.last[source[stop]]:
            ahead = []
        for number in range(start, stop):
            if valid[number]:
                insort(ahead, cost[number])
        size = max(FEWEST, math.ceil(pool * len(ahead)))
        for number in range(start, stop):
            found[number] = valid[number] and bisect_left(ahead, cost[number]) < size
        stop = start
    return found
