"""Every window of every clip against every window of every other: where clips are most similar."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Longs, frozen_array
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.deck import Deck, deal
from kinegraph.similarity.minima import Minima
from kinegraph.similarity.tiles import sweep
from kinegraph.similarity.windows import taper
from kinegraph.watch import Watch, Watcher

Pair = tuple[int, int]

# Tiles in one piece of work: some hundredths of a second, so that progress is smooth and a stop is quick.
_TILES = 32
# The lower bound pays where the limit is no higher than this (metres).
_NEAR = 0.06


def compare(a: Cloud, b: Cloud, window: int, *, limit: float, skip: bool = True) -> Minima:
    """The local minima, up to ``limit`` metres, of the distance between all windows of ``a`` and all windows of ``b``.

    A pure function of its arguments. To compare a clip with itself, give the same cloud twice: then only those pairs count
    whose second window begins at least one window after the first.
    """
    clouds = [a] if a is b else [a, b]
    pair = (0, len(clouds) - 1)
    return dict(compare_all(clouds, {pair: window}, limit=limit, skip=skip, threads=1))[pair]


def compare_all(
    clouds: Sequence[Cloud],
    pairs: Mapping[Pair, int],
    *,
    limit: float,
    skip: bool = True,
    threads: int | None = None,
    watch: Watcher = None,
) -> Iterator[tuple[Pair, Minima]]:
    """`compare` for many pairs of clips, which are yielded as they are done.

    pairs: (clip, clip), smaller number first, → the window in frames. What is yielded does not depend on threads or order.
    watch: told, as the stage "compare", how many of all tiles are done.
    """
    watch = Watch.of(watch)
    plans = [_Plan(clouds, pairs, window, limit, skip) for window in sorted(set(pairs.values()))]
    total = sum(len(plan.tasks) for plan in plans)
    done = 0
    workers = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        for plan in plans:
            waiting: list[tuple[Longs, Future[Any]]] = []
            batches = iter(plan.batches())
            try:
                while True:
                    while len(waiting) < 3 * workers and (batch := next(batches, None)) is not None:
                        waiting.append((batch, pool.submit(plan.run, batch)))
                    if not waiting:
                        break
                    batch, future = waiting.pop(0)
                    found, costs = future.result()
                    done += len(batch)
                    watch.tell("compare", done, total)
                    yield from plan.finished(int(batch[-1, 0]), found, costs)
                yield from plan.finished(None, np.empty((0, 4), np.int32), np.empty(0))
            finally:
                for _, future in waiting:
                    future.cancel()


def window_pairs(a: int, b: int, window: int, *, same: bool = False) -> int:
    """How many pairs of windows two clips of ``a`` and ``b`` frames have; each pair counts once if a clip is compared with itself."""
    rows, columns = max(a - window + 1, 0), max(b - window + 1, 0)
    return rows * (rows + 1) // 2 if same else rows * columns


class _Plan:
    """The work for all pairs of clips with the same window: which tiles, and when each pair is complete."""

    def __init__(self, clouds: Sequence[Cloud], pairs: Mapping[Pair, int], window: int, limit: float, skip: bool):
        self.window, self.limit = window, limit
        wanted = np.zeros((len(clouds), len(clouds)), bool)
        for pair, frames in pairs.items():
            if frames == window:
                wanted[pair] = True
        self.wanted = wanted
        either = wanted | wanted.T
        # clips with most to do first: where clips are added to many old ones, the old are never rows
        order = sorted(np.flatnonzero(either.any(axis=1)).tolist(), key=lambda clip: (-int(either[clip].sum()), clip))
        self.place = {clip: n for n, clip in enumerate(order)}
        self.bounded = skip and limit <= _NEAR
        self.deck: Deck = deal(clouds, order, window, bounded=self.bounded)
        self.tasks = self._tiles(either)
        self.held: list[tuple[NDArray[np.int32], Array]] = []
        self.reported = 0
        self.order = order

    def _tiles(self, either: NDArray[np.bool_]) -> Longs:
        members = np.zeros((len(self.deck.pieces), either.shape[0]), bool)
        for n, chunk in enumerate(self.deck.pieces):
            members[n, [piece.clip for piece in chunk]] = True
        needed = np.triu((members.astype(np.float32) @ either.astype(np.float32) @ members.T.astype(np.float32)) > 0)
        return np.argwhere(needed)

    def batches(self) -> Iterator[Longs]:
        for start in range(0, len(self.tasks), _TILES):
            yield self.tasks[start : start + _TILES]

    def run(self, tasks: Longs) -> tuple[NDArray[np.int32], Array]:
        found, costs = sweep(self.deck.cards, tasks, taper(self.window), self.wanted, self.limit, self.bounded)
        return found, costs

    def finished(self, row: int | None, found: NDArray[np.int32], costs: Array) -> Iterator[tuple[Pair, Minima]]:
        """The pairs that become complete when all tiles of the rows before chunk ``row`` are done; None gives all that are left."""
        self.held.append((found, costs))
        complete = len(self.order)
        if row is not None:
            complete = min(self.place[piece.clip] for piece in self.deck.pieces[row])
        if complete <= self.reported and row is not None:
            return
        # a pair belongs to that one of its clips that is dealt first
        rows = self.order[self.reported : complete]
        self.reported = complete
        found = np.concatenate([places for places, _ in self.held])
        costs = np.concatenate([values for _, values in self.held])
        dealt = np.full(len(self.wanted), len(self.order))
        dealt[self.order] = np.arange(len(self.order))
        ready = np.minimum(dealt[found[:, 0]], dealt[found[:, 1]]) < complete
        self.held = [(found[~ready], costs[~ready])]
        found, costs = found[ready], costs[ready]
        key = found[:, 0].astype(np.int64) * len(self.wanted) + found[:, 1]
        order = np.lexsort(((found[:, 2].astype(np.int64) << 32) + found[:, 3], key))
        key = key[order]
        first, second, cost = (
            frozen_array(values[order], values.dtype) for values in (found[:, 2], found[:, 3], costs)
        )
        pairs = [
            (min(clip, other), max(clip, other))
            for clip in rows
            for other in self.order[self.place[clip] :]
            if self.wanted[min(clip, other), max(clip, other)]
        ]
        keys = np.array([a * len(self.wanted) + b for a, b in pairs], np.int64)
        lows, highs = (np.searchsorted(key, keys, side=side).tolist() for side in ("left", "right"))
        for pair, low, high in zip(pairs, lows, highs, strict=True):
            yield pair, Minima(first[low:high], second[low:high], cost[low:high], self.window)
