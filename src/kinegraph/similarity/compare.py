"""Every window of every clip against every window of every other: where clips are most similar."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Ints, Longs
from kinegraph.similarity.candidates import Candidates
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.deck import Deck, Exact, deal
from kinegraph.similarity.minima import Minima
from kinegraph.similarity.tiles import sweep
from kinegraph.similarity.windows import taper
from kinegraph.watch import Watch, Watcher

# Tiles in one piece of work: some hundredths of a second, so that progress is smooth and a stop is quick.
_TILES = 32
_SPARSE_TILES = 96
# The lower bounds pay where the limit is no higher than this (metres).
_NEAR = 0.07


def compare(a: Cloud, b: Cloud, window: int, *, limit: float, skip: bool = True) -> Minima:
    """The local minima, up to ``limit`` metres, of the distance between all windows of ``a`` and all windows of ``b``.

    A pure function of its arguments. To compare a clip with itself, give the same cloud twice: then only those pairs count
    whose second window begins at least one window after the first.
    """
    clouds = [a] if a is b else [a, b]
    windows = np.zeros((len(clouds), len(clouds)), np.int32)
    windows[0, -1] = window
    (found,) = compare_all(clouds, windows, limit=limit, skip=skip, threads=1)
    return found[0, len(clouds) - 1]


def compare_all(
    clouds: Sequence[Cloud],
    windows: Ints,
    *,
    limit: float,
    skip: bool = True,
    threads: int | None = None,
    watch: Watcher = None,
) -> Iterator[Candidates]:
    """`compare` for many pairs of clips, which are yielded as they are done, some at a time.

    windows: ``(clips, clips)``, the frames of the window of each pair, smaller number first; 0 for pairs that are not to be compared.
    What is yielded, as a whole, does not depend on threads or order. watch: told, as the stage "compare", how many of all tiles are done.
    """
    watch = Watch.of(watch)
    if not clouds:
        return
    exact = Exact.of(clouds)
    plans = [
        _Plan(clouds, exact, windows, int(window), limit, skip) for window in np.unique(np.triu(windows)) if window > 0
    ]
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


def shortest_windows(windows: Sequence[int] | Longs) -> Ints:
    """``(clips, clips)``: of each pair of clips, smaller number first, the shorter of the two windows; elsewhere 0."""
    own = np.asarray(windows, np.int32)
    return np.triu(np.minimum.outer(own, own))


def window_pairs(a: int, b: int, window: int, *, same: bool = False) -> int:
    """How many pairs of windows two clips of ``a`` and ``b`` frames have; each pair counts once if a clip is compared with itself."""
    rows, columns = max(a - window + 1, 0), max(b - window + 1, 0)
    return rows * (rows + 1) // 2 if same else rows * columns


def all_window_pairs(lengths: Sequence[int], windows: Ints) -> int:
    """The sum of `window_pairs` over all pairs of clips of so many frames with a window ``(clips, clips)``."""
    frames = np.asarray(lengths, np.int64)
    total = 0
    for a, row in enumerate(windows):
        own, others = (np.where(row > 0, np.maximum(count - row + 1, 0), 0) for count in (frames[a], frames))
        total += int((own * others).sum())
        # of itself, each pair of windows is there twice but for the diagonal
        total -= int(own[a]) * (int(own[a]) - 1) // 2
    return total


class _Plan:
    """The work for all pairs of clips with the same window: which tiles, and when each pair is complete."""

    def __init__(self, clouds: Sequence[Cloud], exact: Exact, windows: Ints, window: int, limit: float, skip: bool):
        self.window, self.limit = window, limit
        self.wanted: NDArray[np.bool_] = np.triu(np.equal(windows, window))
        # pairs that were not yielded yet, both ways round
        self.left = either = self.wanted | self.wanted.T
        # clips with most to do first: where clips are added to many old ones, the old are never rows
        clips = np.flatnonzero(either.any(axis=1))
        self.order = clips[np.lexsort((clips, -either[clips].sum(axis=1)))].tolist()
        self.dealt = np.full(len(either), len(self.order))
        self.dealt[self.order] = np.arange(len(self.order))
        self.bounded = skip and limit <= _NEAR
        self.deck: Deck = deal(clouds, self.order, window, bounded=self.bounded, exact=exact)
        self.tasks = self._tiles(either)
        self.held: list[tuple[NDArray[np.int32], Array]] = []
        self.reported = 0

    def _tiles(self, either: NDArray[np.bool_]) -> Longs:
        rows = []
        members = [sorted({piece.clip for piece in chunk}) for chunk in self.deck.pieces]
        flat = np.array([clip for clips in members for clip in clips], np.int64)
        starts = np.cumsum([0, *map(len, members)])[:-1]
        for n, clips in enumerate(members):
            met: NDArray[np.bool_] = np.logical_or.reduce(either[clips], axis=0)
            needed = np.flatnonzero(np.logical_or.reduceat(met[flat], starts)[n:]) + n
            rows.append(np.stack([np.full(len(needed), n), needed], axis=1))
        return np.concatenate([np.empty((0, 2), np.int64), *rows])

    def batches(self) -> Iterator[Longs]:
        step = _SPARSE_TILES if self.bounded else _TILES
        for start in range(0, len(self.tasks), step):
            yield self.tasks[start : start + step]

    def run(self, tasks: Longs) -> tuple[NDArray[np.int32], Array]:
        found, costs = sweep(self.deck.cards, tasks, taper(self.window), self.wanted, self.limit, self.bounded)
        return found, costs

    def finished(self, row: int | None, found: NDArray[np.int32], costs: Array) -> Iterator[Candidates]:
        """The pairs that become complete when all tiles of the rows before chunk ``row`` are done; None gives all that are left."""
        self.held.append((found, costs))
        complete = len(self.order)
        if row is not None:
            complete = min(int(self.dealt[piece.clip]) for piece in self.deck.pieces[row])
        if complete <= self.reported:
            return
        # a pair belongs to that one of its clips that is dealt first
        pairs = [self._pairs(clip) for clip in self.order[self.reported : complete]]
        self.reported = complete
        found = np.concatenate([places for places, _ in self.held])
        costs = np.concatenate([values for _, values in self.held])
        ready = np.minimum(self.dealt[found[:, 0]], self.dealt[found[:, 1]]) < complete
        self.held = [(found[~ready], costs[~ready])]
        found, costs = found[ready], costs[ready]
        order = np.lexsort((found[:, 3], found[:, 2], found[:, 1], found[:, 0]))
        found, costs = found[order], costs[order]
        met = np.concatenate(pairs)
        ends = met[np.lexsort((met[:, 1], met[:, 0]))].astype(np.int32)
        clips = len(self.wanted)
        keys = ends[:, 0].astype(np.int64) * clips + ends[:, 1]
        starts = np.searchsorted(found[:, 0].astype(np.int64) * clips + found[:, 1], keys)
        offsets = np.append(starts, len(found)).astype(np.int64)
        window = np.full(len(ends), self.window, np.int32)
        first, second = (np.ascontiguousarray(found[:, n]) for n in (2, 3))
        yield Candidates(ends[:, 0], ends[:, 1], window, offsets, first, second, costs)

    def _pairs(self, clip: int) -> Longs:
        """``(n, 2)``: pairs of the clip with others that were not yielded yet."""
        others = np.flatnonzero(self.left[clip])
        self.left[clip, :] = self.left[:, clip] = False
        return np.stack([np.minimum(others, clip), np.maximum(others, clip)], axis=1)
