"""`Candidates`: the minima of many pairs of clips, in columns.

Hours of capture have millions of pairs of clips, most of them without a single minimum: there is no object for a pair, only its
place in flat arrays. A `Minima` is made where somebody asks for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Ints, Longs
from kinegraph.similarity.minima import Minima

Pair = tuple[int, int]
Names = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Candidates:
    """P pairs of clips, by their numbers and in their order, with M minima between them.

    >>> found = Candidates.of({(0, 1): Minima([5], [7], [0.02], 10), (0, 0): Minima([], [], [], 10)})
    >>> found.pairs, len(found), found[0, 1].cost.tolist()
    (2, 1, [0.02])
    """

    a: Ints
    """``(P,)``: the first clip of each pair."""
    b: Ints
    """``(P,)``: the second."""
    window: Ints
    """``(P,)``: frames that were compared."""
    offsets: Longs
    """``(P + 1,)``: where the minima of each pair begin."""
    first: Ints
    """``(M,)``: where the window begins in the first clip."""
    second: Ints
    """``(M,)``: where it begins in the second; minima of a pair are ordered by both."""
    cost: Array
    """``(M,)``: distance in metres."""

    @classmethod
    def of(cls, minima: Mapping[Pair, Minima]) -> Candidates:
        """From single ones."""
        pairs = sorted(minima)
        ends = np.array(pairs, np.int32).reshape(-1, 2)
        found = [minima[pair] for pair in pairs]
        offsets = _offsets(np.array([len(one) for one in found], np.int64))
        return cls(
            ends[:, 0],
            ends[:, 1],
            np.array([one.window for one in found], np.int32),
            offsets,
            np.concatenate([np.empty(0, np.int32), *(one.first for one in found)]),
            np.concatenate([np.empty(0, np.int32), *(one.second for one in found)]),
            np.concatenate([np.empty(0), *(one.cost for one in found)]),
        )

    @property
    def pairs(self) -> int:
        """How many pairs of clips."""
        return len(self.a)

    @cached_property
    def counts(self) -> Longs:
        """``(P,)``: how many minima each pair has."""
        return np.diff(self.offsets)

    @property
    def owner(self) -> Longs:
        """``(M,)``: the pair that each minimum belongs to."""
        return np.repeat(np.arange(self.pairs), self.counts)

    def __len__(self) -> int:
        return len(self.cost)

    def place(self, a: int, b: int) -> int:
        """The place of a pair; `KeyError` if it was not compared."""
        low, high = (int(np.searchsorted(self.a, a, side=side)) for side in ("left", "right"))
        place = low + int(np.searchsorted(self.b[low:high], b))
        if place == high or self.b[place] != b:
            raise KeyError((a, b))
        return place

    def __getitem__(self, pair: Pair) -> Minima:
        return self.minima(self.place(*pair))

    def minima(self, place: int) -> Minima:
        """Those of the pair at that place."""
        part = slice(int(self.offsets[place]), int(self.offsets[place + 1]))
        return Minima(self.first[part], self.second[part], self.cost[part], int(self.window[place]))

    def items(self) -> Iterator[tuple[Pair, Minima]]:
        """All pairs with their minima."""
        for place, pair in enumerate(zip(self.a.tolist(), self.b.tolist(), strict=True)):
            yield pair, self.minima(place)

    def below(self, limit: float) -> Candidates:
        """The minima that cost no more than ``limit`` metres, of the same pairs."""
        return self.only(self.cost <= limit)

    def only(self, chosen: Bools) -> Candidates:
        """Some of the minima ``(M,)``, of the same pairs."""
        if chosen.all():
            return self
        counts = np.bincount(self.owner[chosen], minlength=self.pairs)
        columns = (self.first[chosen], self.second[chosen], self.cost[chosen])
        return Candidates(self.a, self.b, self.window, _offsets(counts), *columns)

    def renumbered(self, numbers: Sequence[int] | Longs) -> Candidates:
        """With another number for each clip, in the same order; pairs with a clip whose number is negative are left out."""
        table = np.asarray(numbers, np.int32)
        a, b = table[self.a], table[self.b]
        return replace(self, a=a, b=b).among((a >= 0) & (b >= 0))

    def among(self, chosen: Bools) -> Candidates:
        """Some of the pairs ``(P,)``, with all of their minima."""
        if chosen.all():
            return self
        minima = np.repeat(chosen, self.counts)
        columns = (self.first[minima], self.second[minima], self.cost[minima])
        return Candidates(self.a[chosen], self.b[chosen], self.window[chosen], _offsets(self.counts[chosen]), *columns)


def gathered(parts: Iterable[Candidates]) -> Candidates:
    """Parts of different pairs as one, ordered."""
    held = [part for part in parts if part.pairs]
    if len(held) == 1:
        return held[0]
    if not held:
        return Candidates.of({})
    a, b, window, counts, first, second, cost = (
        np.concatenate([getattr(part, name) for part in held])
        for name in ("a", "b", "window", "counts", "first", "second", "cost")
    )
    # of numbers that are nearly in order a stable sort takes but one look at each
    order = np.argsort((a.astype(np.int64) << 32) + b, kind="stable")
    if np.all(order[1:] > order[:-1]):
        return Candidates(a, b, window, _offsets(counts), first, second, cost)
    starts = _offsets(counts)[:-1][order]
    moved = _offsets(counts[order])
    # minima go with their pair: from where it began to where it begins now
    rows = np.arange(len(cost)) + np.repeat(starts - moved[:-1], counts[order])
    return Candidates(a[order], b[order], window[order], moved, first[rows], second[rows], cost[rows])


class Named(Mapping[Names, Minima]):
    """Candidates by the names of clips, which are in alphabetical order: reads as a dictionary from two names to `Minima`."""

    def __init__(self, names: Sequence[str], columns: Candidates):
        self.names = tuple(names)
        self.columns = columns
        self._number = {name: number for number, name in enumerate(self.names)}

    @classmethod
    def of(cls, minima: Mapping[Names, Minima]) -> Named:
        """From any mapping; its minima must fit."""
        if isinstance(minima, Named):
            return minima
        names = sorted({name for pair in minima for name in pair})
        number = {name: n for n, name in enumerate(names)}
        return cls(names, Candidates.of({(number[a], number[b]): found for (a, b), found in minima.items()}))

    def __getitem__(self, pair: Names) -> Minima:
        try:
            return self.columns[self._number[pair[0]], self._number[pair[1]]]
        except KeyError:
            raise KeyError(pair) from None

    def __iter__(self) -> Iterator[Names]:
        columns = self.columns
        return ((self.names[a], self.names[b]) for a, b in zip(columns.a.tolist(), columns.b.tolist(), strict=True))

    def __len__(self) -> int:
        return self.columns.pairs

    def numbered(self, names: Sequence[str]) -> Candidates:
        """By the numbers of these names, in alphabetical order as well; pairs with a clip that is not among them are left out."""
        number = {name: n for n, name in enumerate(names)}
        return self.columns.renumbered([number.get(name, -1) for name in self.names])


def _offsets(counts: NDArray[np.integer]) -> Longs:
    found: Longs = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=found[1:])
    return found
