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

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.graph.making.bridges import lengthened
from kinegraph.graph.making.components import Timeline, largest
from kinegraph.graph.making.groups import FAR
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


def wholly(timeline: Timeline, transitions: Transitions, frames: Bools) -> Bools:
    """``(M,)``: transitions all of whose frames are among ``frames (F,)``, in both clips."""
    count = np.concatenate([[0], np.cumsum(frames)])
    source, target = timeline.ends(transitions)
    length = transitions.length
    left, right = count[source + length] - count[source], count[target] - count[target - length]
    found: Bools = (left == length) & (right == length)
    return found


def usable(timeline: Timeline, transitions: Transitions, frames: Bools) -> int:
    """How many of ``frames (F,)`` a walk has by some transitions that keeps to them for ever."""
    return int(np.count_nonzero(largest(timeline, transitions[wholly(timeline, transitions, frames)], frames)))


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
        inside = np.flatnonzero(wholly(timeline, transitions, frames))
        plain = transitions[inside]
        # as bridges, but that they do not leave the label
        longer = lengthened(plain, replace(timeline, sound=timeline.sound & frames))
        ways = _either(easy[inside], plain, longer)
        own = joined(chosen.taken, transitions[np.array(ordinary, np.int64)], *bridges.values())
        search = _Search(timeline, frames, ways, own[wholly(timeline, own, frames)], known[inside], easy[inside], fps)
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
    for label, (frames, able) in labels.items():
        goal = _MOST * np.count_nonzero(frames)
        if able >= goal >= _MOST * _LEAST * fps:
            has = usable(timeline, taken, frames)
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
        own: Transitions,
        known: Bools,
        easy: Bools,
        fps: float,
    ):
        """ways: W transitions within the label. own: those that the graph has. known, easy ``(W,)``: which ways it has, and
        which are no bridges.
        """
        self._timeline, self._frames, self._ways, self._own = timeline, frames, ways, own
        self._known, self._easy, self._worth = known.copy(), easy, _WORTH * fps
        self._source, self._target = timeline.ends(ways)
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
            main = largest(self._timeline, joined(self._own, self._ways[np.array(chosen, np.int64)]), self._frames)
            if np.count_nonzero(main) >= goal:
                return chosen
            open_ = self._ways.cost <= bound
            fresh = self._through(main, open_) if main.any() else self._cycle(open_)
            room -= int(np.count_nonzero(~self._easy[fresh]))
            if room < 0:
                return chosen
            if fresh:
                chosen += fresh
                self._known[fresh] = True
            elif bound < dearest:
                bound = min(_STEP * bound, dearest)
            else:
                return chosen

    def _through(self, main: Bools, open_: Bools) -> list[int]:
        """A way from the main part into a stretch that it lacks most of, and a later one out of it again: the earliest and
        the latest. Of the stretch that gives the most for each of them.
        """
        held = np.bincount(self._stretch[self._frames & main], minlength=len(self._size))
        into = np.flatnonzero(open_ & main[self._source])
        out = np.flatnonzero(open_ & main[self._target])
        # of each stretch the first and the last; the cheapest of those that come at the same frame
        into = into[np.lexsort((self._ways.cost[into], self._target[into]))]
        out = out[np.lexsort((self._ways.cost[out], -self._source[out]))]
        first = dict(reversed(list(zip(self._stretch[self._target[into] - 1].tolist(), into.tolist(), strict=True))))
        last = dict(reversed(list(zip(self._stretch[self._source[out]].tolist(), out.tolist(), strict=True))))
        best, fresh = 0.0, list[int]()
        for stretch in sorted(first.keys() & last.keys()):
            way = first[stretch], last[stretch]
            gained = float(self._source[way[1]] - self._target[way[0]])
            new = [one for one in dict.fromkeys(way) if not self._known[one]]
            lacking = held[stretch] < _MOST * self._size[stretch] and gained >= max(self._worth, held[stretch])
            if new and lacking and gained / len(new) > best:
                best, fresh = gained / len(new), new
        return fresh

    def _cycle(self, open_: Bools) -> list[int]:
        """The ways of the first part that leads back to its beginning."""
        part = largest(self._timeline, joined(self._own, self._ways[open_]), self._frames)
        if np.count_nonzero(part) < self._worth:
            return []
        found: list[int] = np.flatnonzero(open_ & part[self._source] & part[self._target] & ~self._known).tolist()
        return found
