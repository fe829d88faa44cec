"""Strongly connected components of frames: where motion can go on for ever.

Nodes are frames of all clips, one after another; a frame leads to the next of its clip, and transitions lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Ints, Longs
from kinegraph.compiled import njit
from kinegraph.graph.making.strong import Arcs, Strong, biggest_part, rows
from kinegraph.graph.making.transitions import Transitions


@dataclass(frozen=True, eq=False)
class Timeline:
    """The frames of all clips in one row."""

    lengths: tuple[int, ...]
    """Frames of every clip."""
    sound: Bools
    """``(F,)``: False where the capture lost a joint."""

    @classmethod
    def of(cls, lengths: Sequence[int], sound: Sequence[Bools] | None = None) -> Timeline:
        """The timeline of clips of so many frames, all of them sound unless told."""
        whole = np.ones(sum(lengths), bool) if sound is None else np.concatenate([np.empty(0, bool), *sound])
        return cls(tuple(int(length) for length in lengths), whole)

    def __len__(self) -> int:
        return sum(self.lengths)

    @cached_property
    def starts(self) -> Longs:
        """``(clips + 1,)``: the row's frame at which each clip begins."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    @cached_property
    def clip(self) -> Longs:
        """``(F,)``: to which clip a frame belongs."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @cached_property
    def ahead(self) -> Bools:
        """``(F,)``: which frames have a next one in their clip."""
        return np.append(self.clip[1:] == self.clip[:-1], False) if len(self) else np.empty(0, bool)

    def ends(self, transitions: Transitions) -> tuple[Ints, Ints]:
        """Source and target frames of transitions, in the row."""
        return _in_row(self.starts, *transitions.leaving), _in_row(self.starts, *transitions.arriving)


@njit(cache=True, nogil=True)
def _in_row(starts: Any, clip: Any, frame: Any) -> Any:
    found = np.empty(frame.size, np.int32)
    for n in range(frame.size):
        found[n] = starts[clip[n]] + frame[n]
    return found


class _Costs:
    """Costs in order, and how many of them are no dearer than some threshold."""

    def __init__(self, values: Array):
        self._values = values
        self._known: dict[tuple[float, int], Longs] = {}

    def below(self, threshold: float) -> int:
        """How many."""
        return int(np.searchsorted(self._values, threshold, side="right"))

    def multiples(self, step: float, count: int) -> Longs:
        """``(count,)``: how many, for multiples of a step."""
        key = step, count
        if key not in self._known:
            self._known[key] = np.searchsorted(self._values, np.arange(1, count + 1) * step, side="right")
        return self._known[key]


class Network:
    """The frames and the ways out of each: made once, it finds the components of one threshold after another."""

    def __init__(self, rows: Arcs, costs: _Costs | None = None):
        """costs: where the rows say for each way how many of them are no dearer, instead of what it costs."""
        self.rows, self._costs, self._strong = rows, costs, Strong(rows)

    @classmethod
    def of(
        cls, timeline: Timeline, transitions: Transitions, allowed: Bools | None = None, *, chosen: Bools | None = None
    ) -> Network:
        """The network of a timeline's frames; ``allowed (F,)`` confines the motion to some of them. chosen: which of the transitions."""
        source, target = timeline.ends(transitions)
        costs, ahead = transitions.cost, timeline.ahead
        ordered = bool((costs[1:] >= costs[:-1]).all())
        # half as wide as costs: rows are gone through for one threshold after another
        cost = np.arange(1, len(costs) + 1, dtype=np.int32) if ordered else costs
        if allowed is not None:
            inside = allowed[source] & allowed[target]
            chosen = inside if chosen is None else inside & chosen
            ahead = ahead & allowed & np.append(allowed[1:], False)
        return cls(rows(source, target, cost, ahead, chosen), _Costs(costs) if ordered else None)

    def __len__(self) -> int:
        return len(self.rows.first) - 1

    def among(self, frames: Longs) -> Network:
        """The network of some frames alone, in the order given."""
        return Network(self.rows.among(frames), self._costs)

    def parts(self, threshold: float = np.inf) -> NDArray[np.int32]:
        """``(F,)``: the number of the strongly connected component of each frame, by ways that cost no more than ``threshold``."""
        return self._strong.parts(threshold if self._costs is None else self._costs.below(threshold))

    def least(self, step: float, ceiling: float, goals: Sequence[tuple[Bools, int]]) -> int | None:
        """The smallest multiple of ``step`` for which the largest component holds the asked count of each set of frames ``(F,)``, by its
        number; the ceiling stands for the first one that is not below it. None where not even that does. Sooner where frames are few.
        """
        count = int(np.ceil(ceiling / step))
        if self._costs is None:
            steps: NDArray[Any] = np.arange(1, count + 1) * step
            steps[-1] = ceiling
        else:
            steps = self._costs.multiples(step, count).copy()
            steps[-1] = self._costs.below(ceiling)
        wanted = np.array([frames for frames, _ in goals], bool).reshape(len(goals), len(self))
        found = 1 + self.rows.least(steps, wanted, np.array([least for _, least in goals], np.int64))
        return None if found > count else found

    def largest(self, threshold: float = np.inf) -> Bools:
        """``(F,)``: which frames lie in the largest component; none if there is no cycle. Of equal ones, that with the earliest frame."""
        return biggest(self.parts(threshold))


def biggest(labels: NDArray[np.int32]) -> Bools:
    """``(F,)``: which frames have the label that most have, as `Network.largest` takes it."""
    found: Bools = biggest_part(labels)
    return found


def parts(timeline: Timeline, transitions: Transitions, allowed: Bools | None = None) -> NDArray[np.int32]:
    """As `Network.parts`, of all transitions."""
    return Network.of(timeline, transitions, allowed).parts()


def largest(timeline: Timeline, transitions: Transitions, allowed: Bools | None = None) -> Bools:
    """As `Network.largest`, of all transitions."""
    return Network.of(timeline, transitions, allowed).largest()


def cyclic_count(labels: NDArray[np.int32]) -> int:
    """How many components hold a cycle."""
    return int(np.count_nonzero(np.bincount(labels) > 1)) if len(labels) else 0
