"""Every window of every clip against every window of every other: where clips are most similar.

The work is cut into pieces that need nothing but some of the clips (`hands`), so that threads, processes and machines can do it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Ints, Longs
from kinegraph.crew import Crew, FarCrew, Threads, lend
from kinegraph.similarity.bounds import directions
from kinegraph.similarity.candidates import Candidates
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.deck import shifted
from kinegraph.similarity.hands import Hand, Question, bytes_of_frame, compare_tiles, drop, parts
from kinegraph.similarity.minima import Minima
from kinegraph.similarity.windows import taper
from kinegraph.watch import Watch, Watcher

# Tiles in one piece of work: some hundredths of a second, so that progress is smooth and a stop is quick.
_TILES = 32
_SPARSE_TILES = 96
# The lower bounds pay where the limit is no higher than this (metres).
_NEAR = 0.07
# Of two hands, both decks and the one of both are held at a time, and what dealing takes besides; of one, only the latter.
_TWO_HANDS, _ONE_HAND = 4.3, 1.3
# Elsewhere a piece of work is two hands of so many frames: a second or two, and 20 MB that travel once; of a small library there are so
# many hands at least, so that each worker has its share. Bytes of decks that a worker keeps.
_AWAY, _AWAY_HANDS = 25_000, 12
_AWAY_ROOM = 1.0e9
# Where few clips are compared with many, the many come in parts of so many frames, which caches hold, or of some times as many as the few
# have, which are dealt with each part; there must be so many parts. Clips that tell the bounds then.
_PART, _TIMES, _PARTS = 6_000, 4, 4
_SEEN = 48


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
    crew: Crew | None = None,
    memory: float | None = None,
) -> Iterator[Candidates]:
    """`compare` for many pairs of clips, which are yielded as they are done, some at a time.

    windows: ``(clips, clips)``, the frames of the window of each pair, smaller number first; 0 for pairs that are not to be compared.
    What is yielded, as a whole, does not depend on threads or order. watch: told, as the stage "compare", how many of all tiles are done.
    crew: who compares, instead of so many threads. memory: bytes that may be held for it here; None for as much as it takes.
    """
    if not clouds:
        return
    if crew is not None:
        yield from _compared(clouds, windows, limit, skip, Watch.of(watch), _Staff.of(crew, clouds, memory))
        return
    workers = threads or os.cpu_count() or 1
    with Threads(workers) as pool:
        yield from _compared(clouds, windows, limit, skip, Watch.of(watch), _Staff.of(pool, clouds, memory, workers))


@dataclass(frozen=True, eq=False)
class _Staff:
    """Who compares, and how much they are given at a time."""

    crew: Crew
    away: bool
    """Whether they work elsewhere: then pieces are large, and more of them wait."""
    ahead: int
    """Pieces under way at a time."""
    most: float
    """Frames of a hand."""
    room: float
    """Bytes of decks that each process may hold."""

    @classmethod
    def of(cls, crew: Crew, clouds: Sequence[Cloud], memory: float | None, workers: int = 2) -> _Staff:
        frames, each = sum(map(len, clouds)), bytes_of_frame(len(clouds[0].base))
        if isinstance(crew, FarCrew):
            return cls(crew, True, crew.ahead, min(_AWAY, frames / _AWAY_HANDS), _AWAY_ROOM)
        if memory is None:
            return cls(crew, False, 3 * workers, np.inf, np.inf)
        most = np.inf if _ONE_HAND * frames * each <= memory else memory / (_TWO_HANDS * each)
        return cls(crew, False, 3 * workers, most, np.inf)


def _compared(
    clouds: Sequence[Cloud], windows: Ints, limit: float, skip: bool, watch: Watch, staff: _Staff
) -> Iterator[Candidates]:
    plans = list(_plans(clouds, windows, limit, skip, staff))
    total = sum(len(plan.tiles) for plan in plans)
    done = 0
    # each piece with its plan, its last chunk in rows, how many tiles it has, and whether it is the last of its plan
    waiting: deque[tuple[_Plan, int, int, bool, Any]] = deque()

    def let_go(plan: _Plan) -> None:
        if not staff.away:
            for hand in plan.hands if plan.closes else plan.hands[1:]:
                drop(hand)

    def told() -> Iterator[Candidates]:
        nonlocal done
        plan, row, count, last, future = waiting.popleft()
        found, costs = future.result()
        if last:
            let_go(plan)
        done += count
        watch.tell("compare", done, total)
        yield from plan.finished(None if last else row, found, costs)

    lent: dict[str, Any] = {}
    try:
        for plan in plans:
            for hand in plan.hands:
                if hand.key not in lent:
                    lent[hand.key] = lend(staff.crew, hand)
            both = (*(lent[hand.key] for hand in plan.hands), None)[:2]
            tiles = plan.tiles
            step = len(tiles) if staff.away or plan.alone else _SPARSE_TILES if plan.bounded else _TILES
            for start in range(0, len(tiles), max(1, step)):
                some = tiles[start : start + step]
                future = staff.crew.submit(compare_tiles, *both, plan.wanted, some)
                waiting.append((plan, int(some[-1, 0]), len(some), start + step >= len(tiles), future))
                if len(waiting) >= staff.ahead:
                    yield from told()
            if not len(tiles):
                let_go(plan)
                yield from plan.finished(None, np.empty((0, 4), np.int32), np.empty(0))
            if not (staff.away or plan.alone):
                while waiting:
                    yield from told()
            if plan.closes:
                # whoever holds a piece of work with it holds it too: it goes when they are done
                lent.pop(plan.hands[0].key)
        while waiting:
            yield from told()
    finally:
        for *_, future in waiting:
            future.cancel()


def _plans(clouds: Sequence[Cloud], windows: Ints, limit: float, skip: bool, staff: _Staff) -> Iterator[_Plan]:
    """The work in parts: for each window every hand of clips with itself and with those after it, where pairs of them are wanted."""
    lengths = np.array([len(cloud) for cloud in clouds], np.int64)
    for window in np.unique(np.triu(windows)).tolist():
        if window <= 0:
            continue
        wanted: Bools = np.triu(np.equal(windows, window))
        either = wanted | wanted.T
        clips = np.flatnonzero(either.any(axis=1))
        long = clips[lengths[clips] >= window]
        few = None if staff.away else _few(either, lengths)
        if few is not None:
            # some are enough to see how clips differ, and of those in a file each must be posed for it
            long = np.union1d(long[few[long]], long[:: max(1, len(long) // _SEEN)])
        near = skip and limit <= _NEAR and len(long)
        seen = directions([clouds[clip] for clip in long.tolist()], taper(window)) if near else None
        asked = Question(window, limit, seen, staff.room)
        if few is not None:
            yield from _few_with_many(clouds, lengths, wanted, clips, few, asked, staff.most)
            continue
        # clips with most to do first: where clips are added to many old ones, the old are never rows
        duty = -either[clips].sum(axis=1)
        runs = [
            (clips[run.start : run.stop], duty[run.start : run.stop])
            for run in parts(lengths[clips].tolist(), staff.most)
        ]
        hands = [
            (numbers, Hand(asked, [clouds[n] for n in numbers.tolist()], np.lexsort((numbers, todo)).tolist()))
            for numbers, todo in runs
        ]
        for one, two in combinations_with_replacement(range(len(hands)), 2):
            both = hands[one : one + 1] + hands[two : two + 1] * (two > one)
            yield _Plan([hand for _, hand in both], [numbers for numbers, _ in both], wanted, two == len(hands) - 1)


def _few(either: Bools, lengths: Longs) -> Bools | None:
    """``(clips,)``: the few clips of which every wanted pair has one, such as those that are added to many; None where there are no few."""
    duty = either.sum(axis=1)
    few: Bools = duty > np.count_nonzero(duty) // 2
    rest = (duty > 0) & ~few
    if lengths[rest].sum() < _PARTS * _part(lengths[few]) or either[np.ix_(rest, rest)].any():
        return None
    return few


def _part(few: Longs) -> int:
    """Frames of the many that are compared at a time with few clips of so many frames."""
    return max(_PART, _TIMES * int(few.sum()))


def _few_with_many(
    clouds: Sequence[Cloud], lengths: Longs, wanted: Bools, clips: Longs, few: Bools, asked: Question, most: float
) -> Iterator[_Plan]:
    """The work of few clips with many: each part of the many, with the few, is a small hand that is dealt, compared and let go."""
    own, others = clips[few[clips]], clips[~few[clips]]
    for run in parts(lengths[others].tolist(), min(_part(lengths[own]), most)):
        numbers = np.union1d(own, others[run.start : run.stop])
        # the few first: the many are never rows
        order = np.lexsort((numbers, ~few[numbers])).tolist()
        hand = Hand(asked, [clouds[n] for n in numbers.tolist()], order, threads=1)
        yield _Plan([hand], [numbers], wanted, closes=True, alone=True)
        if not run.start:
            # the few among themselves are compared once
            wanted = wanted.copy()
            wanted[np.ix_(own, own)] = False


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
    frames, total = np.asarray(lengths, np.int64), 0
    for window in np.unique(windows).tolist():
        if window > 0:
            wanted = windows == window
            own = np.maximum(frames - window + 1, 0)
            total += int(np.where(wanted, own, 0).sum(axis=1) @ own)
            # of itself, each pair of windows is there twice but for the diagonal
            total -= int((own * (own - 1) // 2)[wanted.diagonal()].sum())
    return total


class _Plan:
    """The work for all wanted pairs of clips of a hand, or between two: which tiles, and when each pair is complete.

    Clips have numbers of their own here, in the order of all: those of the second hand count on from those of the first.
    """

    def __init__(
        self, hands: Sequence[Hand], numbers: Sequence[Longs], wanted: Bools, closes: bool, alone: bool = False
    ):
        self.hands, self.closes, self.alone = hands, closes, alone
        """closes: whether it is the last with its first hand. alone: whether it is one piece of work, done beside others."""
        self.window, self.bounded = hands[0].asked.window, hands[0].asked.seen is not None
        self.numbers: Longs = np.concatenate(numbers)
        self.wanted: Bools = wanted[np.ix_(self.numbers, self.numbers)]
        own = len(numbers[0])
        if len(hands) == 2:
            self.wanted[:own, :own] = self.wanted[own:, own:] = False
        # pairs that were not yielded yet, both ways round
        self.left: Bools = self.wanted | self.wanted.T
        self.order = [*hands[0].order, *(own + place for hand in hands[1:] for place in hand.order)]
        self.dealt = np.empty(len(self.numbers), np.int64)
        self.dealt[self.order] = np.arange(len(self.order))
        self.first_chunks = hands[0].pieces()
        self.pieces = self.first_chunks + (shifted(hands[1].pieces(), own) if len(hands) == 2 else ())
        self.held: list[tuple[NDArray[np.int32], Array]] = []
        self.reported = 0

    @cached_property
    def tiles(self) -> Ints:
        """``(n, 2)``: pairs of chunks that hold a wanted pair of clips."""
        rows = [np.empty((0, 2), np.int32)]
        members = [sorted({piece.clip for piece in chunk}) for chunk in self.pieces]
        flat = np.array([clip for clips in members for clip in clips], np.int64)
        starts = np.cumsum([0, *map(len, members)])[:-1]
        either = self.wanted | self.wanted.T
        for n, clips in enumerate(members[: len(self.first_chunks)]):
            met: Bools = np.logical_or.reduce(either[clips], axis=0)
            needed = np.flatnonzero(np.logical_or.reduceat(met[flat], starts)[n:]) + n
            rows.append(np.stack([np.full(len(needed), n), needed], axis=1).astype(np.int32))
        return np.concatenate(rows)

    def finished(self, row: int | None, found: NDArray[np.int32], costs: Array) -> Iterator[Candidates]:
        """The pairs that become complete when all tiles of the rows before chunk ``row`` are done; None gives all that are left."""
        self.held.append((found, costs))
        complete = len(self.order)
        if row is not None:
            complete = min(int(self.dealt[piece.clip]) for piece in self.pieces[row])
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
        ends = met[np.lexsort((met[:, 1], met[:, 0]))]
        clips = len(self.wanted)
        keys = ends[:, 0] * clips + ends[:, 1]
        starts = np.searchsorted(found[:, 0].astype(np.int64) * clips + found[:, 1], keys)
        offsets = np.append(starts, len(found)).astype(np.int64)
        window = np.full(len(ends), self.window, np.int32)
        first, second = (np.ascontiguousarray(found[:, n]) for n in (2, 3))
        a, b = (self.numbers[ends[:, n]].astype(np.int32) for n in range(2))
        yield Candidates(a, b, window, offsets, first, second, costs)

    def _pairs(self, clip: int) -> Longs:
        """``(n, 2)``: pairs of the clip with others that were not yielded yet."""
        others = np.flatnonzero(self.left[clip])
        self.left[clip, :] = self.left[:, clip] = False
        return np.stack([np.minimum(others, clip), np.maximum(others, clip)], axis=1)
