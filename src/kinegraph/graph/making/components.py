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
from kinegraph.graph.making.strong import Arcs, Strong, rows
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


class Network:
    """The frames and the ways out of each: made once, it finds the components of one threshold after another."""

    def __init__(self, rows: Arcs, costs: Array | None = None):
        """costs: in order, where the rows say for each way how many of them are no dearer, instead of what it costs."""
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
        return cls(rows(source, target, cost, ahead, chosen), costs if ordered else None)

    def __len__(self) -> int:
        return len(self.rows.first) - 1

    def among(self, frames: Longs) -> Network:
        """The network of some frames alone, in the order given."""
        return Network(self.rows.among(frames), self._costs)

    def parts(self, threshold: float = np.inf) -> NDArray[np.int32]:
        """``(F,)``: the number of the strongly connected component of each frame, by ways that cost no more than ``threshold``."""
        if self._costs is not None:
            threshold = int(np.searchsorted(self._costs, threshold, side="right"))
        return self._strong.parts(threshold)

    def largest(self, threshold: float = np.inf) -> Bools:
        """``(F,)``: which frames lie in the largest component; none if there is no cycle. Of equal ones, that with the earliest frame."""
        return biggest(self.parts(threshold))


def biggest(labels: NDArray[np.int32]) -> Bools:
    """``(F,)``: which frames have the label that most have, as `Network.largest` takes it."""
    found: Bools = _biggest(labels)
    return found


@njit(cache=True, nogil=True)
def _biggest(labels: Any) -> Any:
    # of n frames no label is beyond n
    counts = np.zeros(labels.size + 1, np.int32)
    for label in labels:
        counts[label] += 1
    most = 0
    for n in range(labels.size):
        if counts[labels[n]] > counts[labels[most]]:
            most = n
    found = np.zeros(labels.size, np.bool_)
    if labels.size and counts[labels[most]] > 1:
        for n in range(labels.size):
            found[n] = labels[n] == labels[most]
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
