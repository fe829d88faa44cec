"""Labels are cared for as clips are: where thresholds strand what bears a label, the few best ways lead through it.

All frames of a run may be in the graph, and yet a walk that is to keep running soon has nowhere to go: runs meet at twice
the distance of walks, and what suits most clips of a group is too strict for some that do something else. Of a label that
would keep less than half of its motion, stretches are joined to the part in which a walk can keep to it, each by a way in
and a later way out, the cheapest first and none dearer than need be. Ways that cost not far more than the threshold of
their clips are transitions like others, and dearer ones are bridges, of which there must not be many.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.compiled import njit
from kinegraph.graph.making.bridges import lengthened
from kinegraph.graph.making.components import Network, Timeline, biggest, largest
from kinegraph.graph.making.groups import FAR
from kinegraph.graph.making.sorting import grouped
from kinegraph.graph.making.strong import Joining, rows
from kinegraph.graph.making.transitions import Transitions, joined

# A label of which less than this can be kept to has lost what it is about.
_MOST = 0.5
# seconds that a label must have to be cared for, and that a stretch must give to be worth two ways
_LEAST, _WORTH = 3.0, 0.5
# bridges, of groups and of labels, are at most this part of all transitions
_PART = 0.02
# by how much what a way may cost is raised at a time, and the share of the ceiling that no way may exceed
_STEP, _DEAREST = 1.15, 0.5


@dataclass(frozen=True, eq=False)
class GraphSoFar:
    """What a graph has so far of M transitions."""

    ordinary: Bools
    """``(M,)``: which of them are taken as they are."""
    bridges: Bools
    """``(M,)``: which of them are blended for longer."""
    taken: Transitions
    """Both, as they are played."""
    limit: Array
    """``(M,)``: the threshold of the clips that each leads from and to, in metres; the lower one where they differ."""


@dataclass(frozen=True, eq=False)
class LabelWays:
    """Transitions that are taken for the sake of labels."""

    ordinary: Longs
    """Numbers of those that are taken as they are."""
    bridges: Longs
    """Numbers of those that are blended for longer."""
    lengthened: Transitions
    """The bridges as they are played: longer, where their label lasts."""


def wholly(timeline: Timeline, transitions: Transitions, frames: Bools) -> Longs:
    """Numbers of the transitions all of whose frames are among ``frames (F,)``, in both clips."""
    source, target = timeline.ends(transitions)
    found: Longs = _wholly(source, target, transitions.length, _onward(frames))
    return found


class Leaving:
    """Transitions by the frame that they leave, to look at those of a label alone."""

    def __init__(self, timeline: Timeline, transitions: Transitions):
        self._timeline = timeline
        source, target = timeline.ends(transitions)
        order, self._first = grouped(source, len(timeline))
        self._target, self._length, self._cost = target[order], transitions.length[order], transitions.cost[order]

    def confined(self, frames: Bools) -> Network:
        """The network of ``frames (F,)`` alone, numbered anew, with the transitions that keep to them over their whole length."""
        place = np.flatnonzero(frames)
        ahead = self._timeline.ahead[place] & np.append(np.diff(place) == 1, False)[: len(place)]
        number = np.cumsum(frames) - 1
        source, target, cost = _leaving(
            self._first, self._target, self._length, self._cost, place, number, _onward(frames)
        )
        return Network(rows(source, target, cost, ahead))

    def usable(self, frames: Bools) -> int:
        """How many of ``frames (F,)`` a walk has that keeps to them for ever."""
        return int(np.count_nonzero(self.confined(frames).largest()))


@njit(cache=True, nogil=True)
def _onward(frames: Any) -> Any:
    """``(F + 1,)``: how many frames on end, from each on, are among ``frames``."""
    count = np.zeros(frames.size + 1, np.int32)
    for n in range(frames.size - 1, -1, -1):
        if frames[n]:
            count[n] = count[n + 1] + 1
    return count


@njit(cache=True, nogil=True)
def _wholly(source: Any, target: Any, length: Any, onward: Any) -> Any:
    found = np.empty(source.size, np.int64)
    count = 0
    for n in range(source.size):
        if onward[source[n]] >= length[n] and onward[target[n] - length[n]] >= length[n]:
            found[count] = n
            count += 1
    return found[:count].copy()


@njit(cache=True, nogil=True)
def _leaving(first: Any, target: Any, length: Any, cost: Any, place: Any, number: Any, onward: Any) -> Any:
    """Ways between frames at some places, by their new numbers, with what they cost."""
    most = 0
    for frame in place:
        most += first[frame + 1] - first[frame]
    source, heads, price = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)
    count = 0
    for n in range(place.size):
        for way in range(first[place[n]], first[place[n] + 1]):
            end, long = target[way], length[way]
            if onward[end] and onward[place[n]] >= long and onward[end - long] >= long:
                source[count], heads[count], price[count] = n, number[end], cost[way]
                count += 1
    return source[:count], heads[:count], price[:count]


def label_ways(
    timeline: Timeline,
    transitions: Transitions,
    chosen: GraphSoFar,
    labels: Mapping[str, tuple[Bools, int]],
    *,
    last: Collection[str] = (),
    fps: float,
    ceiling: float,
) -> LabelWays:
    """The ways that labels need beside what is ``chosen`` of the transitions, which come cheapest first.

    labels: label → the frames ``(F,)`` that bear it, and how many of them are `usable` by all transitions. last: labels that
    are cared for after the others. ceiling: how far transitions were looked for.
    """
    easy = transitions.cost <= FAR * chosen.limit
    known = chosen.ordinary | chosen.bridges
    ordinary: list[int] = []
    bridges: dict[int, Transitions] = {}
    kept = largest(timeline, chosen.taken)
    source, target = timeline.ends(transitions)
    inner = kept[source] & kept[target]
    room = int(_PART * np.count_nonzero(chosen.ordinary & inner)) - int(np.count_nonzero(chosen.bridges))
    cheap = float(chosen.limit[chosen.limit > 0].min(initial=ceiling))
    for frames in _stranded(timeline, chosen.taken, labels, last, fps):
        inside = wholly(timeline, transitions, frames)
        plain = transitions[inside]
        # as bridges, but that they do not leave the label
        longer = lengthened(plain, replace(timeline, sound=timeline.sound & frames))
        ways = _either(easy[inside], plain, longer)
        own = joined(chosen.taken, transitions[np.array(ordinary, np.int64)], *bridges.values())
        network = Leaving(timeline, own).confined(frames)
        search = _Search(timeline, frames, ways, network, known[inside], easy[inside], fps)
        goal = _MOST * np.count_nonzero(frames)
        for number in search.reach(goal, cheap, _DEAREST * ceiling, room - len(bridges)):
            known[inside[number]] = True
            if easy[inside[number]]:
                ordinary.append(int(inside[number]))
            else:
                bridges[int(inside[number])] = longer[np.array([number])]
    numbers = np.array(list(bridges), np.int64)
    made = joined(*bridges.values()) if bridges else transitions[numbers]
    return LabelWays(np.array(ordinary, np.int64), numbers, made)


def _stranded(
    timeline: Timeline,
    taken: Transitions,
    labels: Mapping[str, tuple[Bools, int]],
    last: Collection[str],
    fps: float,
) -> list[Bools]:
    """The frames of the labels that lack the most, of those that could be kept to."""
    found: list[tuple[bool, float, str]] = []
    leaving = Leaving(timeline, taken)
    for label, (frames, able) in labels.items():
        goal = _MOST * np.count_nonzero(frames)
        if able >= goal >= _MOST * _LEAST * fps:
            has = leaving.usable(frames)
            if has < goal:
                found.append((label in last, has / goal, label))
    return [labels[label][0] for *_, label in sorted(found)]


def _either(which: Bools, one: Transitions, two: Transitions) -> Transitions:
    """Of each pair of transitions the first where ``which (M,)``, else the second."""
    mixed = {name: np.where(which, getattr(one, name), getattr(two, name)) for name in ("source", "target", "length")}
    return replace(one, **mixed)


class _Search:
    """The ways through the stretches of one label."""

    def __init__(
        self,
        timeline: Timeline,
        frames: Bools,
        ways: Transitions,
        own: Network,
        known: Bools,
        easy: Bools,
        fps: float,
    ):
        """ways: W transitions within the label, cheapest first. own: the network of its frames that the graph has. known, easy ``(W,)``:
        which ways it has, and which are no bridges.
        """
        self._frames, self._own = frames, Joining(own.rows)
        self._known, self._easy, self._worth = known.copy(), easy, _WORTH * fps
        self._source, self._target = timeline.ends(ways)
        self._cost, self._number = ways.cost, np.cumsum(frames) - 1
        # a way may arrive just behind the label
        self._inside = frames[self._target]
        # a stretch is what bears the label on end in one clip
        begins = frames & ~np.concatenate([[False], frames[:-1]])
        begins |= frames & (np.diff(timeline.clip, prepend=-1) != 0)
        self._stretch = np.where(frames, np.cumsum(begins) - 1, -1)
        self._size = np.bincount(self._stretch[frames], minlength=1)

    def reach(self, goal: float, cheap: float, dearest: float, room: int) -> list[int]:
        """Numbers of the ways that are needed so that ``goal`` frames can be kept to, or as many as can. cheap, dearest: what
        ways may cost at first and at last. room: how many may be bridges.
        """
        chosen: list[int] = []
        bound = cheap
        while True:
            main = self._among_all(self._own.parts)
            if np.count_nonzero(main) >= goal:
                return chosen
            fresh = self._through(main, bound) if main.any() else self._cycle(bound)
            room -= int(np.count_nonzero(~self._easy[fresh]))
            if room < 0:
                return chosen
            if fresh:
                chosen += fresh
                self._known[fresh] = True
                self._own.add(*self._ways(np.array(fresh)))
            elif bound < dearest:
                bound = min(_STEP * bound, dearest)
            else:
                return chosen

    def _among_all(self, parts: NDArray[np.int32]) -> Bools:
        """``(F,)``: the largest of the parts of the label's frames, among all frames."""
        main = np.zeros(len(self._frames), bool)
        main[self._frames] = biggest(parts)
        return main

    def _ways(self, numbers: Longs) -> tuple[Longs, Longs]:
        """Ends of some ways, by the numbers of the label's frames."""
        numbers = numbers[self._inside[numbers]]
        return self._number[self._source[numbers]], self._number[self._target[numbers]]

    def _through(self, main: Bools, bound: float) -> list[int]:
        """A way from the main part into a stretch that it lacks most of, and a later one out of it again: the earliest and
        the latest. Of the stretch that gives the most for each of them.
        """
        held = np.bincount(self._stretch[self._frames & main], minlength=len(self._size))
        open_ = int(np.searchsorted(self._cost, bound, side="right"))
        first, last = _outermost(
            self._source[:open_], self._target[:open_], self._cost, main, self._stretch, len(self._size)
        )
        some = np.flatnonzero((first >= 0) & (last >= 0) & (held < _MOST * self._size))
        into, out = first[some], last[some]
        gained = (self._source[out] - self._target[into]).astype(np.float64)
        new = (~self._known[into]).astype(np.int64) + (~self._known[out] & (into != out))
        able = (new > 0) & (gained >= np.maximum(self._worth, held[some]))
        if not able.any():
            return []
        best = int(np.argmax(np.where(able, gained / np.maximum(new, 1), 0.0)))
        ways = dict.fromkeys((int(into[best]), int(out[best])))
        return [one for one in ways if not self._known[one]]

    def _cycle(self, bound: float) -> list[int]:
        """The ways of the first part that leads back to its beginning."""
        open_ = self._cost <= bound
        part = self._among_all(self._own.parts_with(*self._ways(np.flatnonzero(open_))))
        if np.count_nonzero(part) < self._worth:
            return []
        found: list[int] = np.flatnonzero(open_ & part[self._source] & part[self._target] & ~self._known).tolist()
        return found


@njit(cache=True, nogil=True)
def _outermost(source: Any, target: Any, cost: Any, main: Any, stretch: Any, count: int) -> Any:
    """Of each stretch the way from the main part that leads into it first, and the one back that leads out last; the cheapest of those that
    come at the same frame. -1 where there is none.
    """
    first, last = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    for n in range(source.size):
        if main[source[n]]:
            where = stretch[target[n] - 1]
            best = first[where]
            if best < 0 or target[n] < target[best] or (target[n] == target[best] and cost[n] < cost[best]):
                first[where] = n
        if main[target[n]]:
            where = stretch[source[n]]
            best = last[where]
            if best < 0 or source[n] > source[best] or (source[n] == source[best] and cost[n] < cost[best]):
                last[where] = n
    return first, last
