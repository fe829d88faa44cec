"""Bridges: the few best ways between groups that are not alike, and to clips that would be left out.

Raising the threshold for all would let poor transitions in everywhere; a few dear ones, blended for longer, join the
groups as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.graph.making.components import Network, Timeline, biggest, largest, parts
from kinegraph.graph.making.groups import ClipGroup, spanning_tree
from kinegraph.graph.making.report import Meeting
from kinegraph.graph.making.sorting import grouped
from kinegraph.graph.making.strong import Joining
from kinegraph.graph.making.transitions import Transitions

# Bridges are at most this part of all transitions (but never fewer than one each way), cost at most this many times the
# best of theirs, and at most so many join the same two clips.
_PART = 0.015
_DEARER = 1.5
_PER_CLIPS = 2
# A clip of which less than this is kept has lost what it is about.
_MOST = 0.5


@dataclass(frozen=True, eq=False)
class Choice:
    """Which transitions ``(M,)`` are taken as ordinary ones and which as bridges, and how groups meet."""

    ordinary: Bools
    bridges: Bools
    meetings: tuple[Meeting, ...]
    kept: Bools
    """``(F,)``: the frames that they keep together."""


def lengthened(transitions: Transitions, timeline: Timeline) -> Transitions:
    """The transitions as bridges: half a window longer at either side, where both clips have the frames and lost none of them."""
    ends = np.asarray(timeline.lengths, np.int64)
    before = np.minimum(transitions.source, transitions.target - transitions.length)
    after = np.minimum(
        ends[transitions.source_clip] - (transitions.source + transitions.length),
        ends[transitions.target_clip] - 1 - transitions.target,
    )
    grow = np.maximum(0, np.minimum(transitions.length // 2, np.minimum(before, after)))
    source, target = timeline.ends(transitions)
    lost = np.concatenate([[0], np.cumsum(~timeline.sound)])
    holes = lost[source + transitions.length + grow] - lost[source - grow]
    holes += lost[target + grow] - lost[target - transitions.length - grow]
    grow[holes > 0] = 0
    return replace(
        transitions,
        source=transitions.source - grow,
        target=transitions.target + grow,
        length=transitions.length + 2 * grow,
    )


@dataclass(frozen=True, eq=False)
class Ways:
    """All transitions that a graph could have, cheapest first, and what does not depend on groups."""

    timeline: Timeline
    transitions: Transitions

    @cached_property
    def long(self) -> Transitions:
        """They as bridges."""
        return lengthened(self.transitions, self.timeline)

    @cached_property
    def ends(self) -> tuple[Longs, Longs]:
        """Source and target frames of the bridges, in the row."""
        return self.timeline.ends(self.long)

    @cached_property
    def by_clip(self) -> tuple[tuple[Longs, Longs], tuple[Longs, Longs]]:
        """They by the clip that they lead into, and by the one that they lead out of, as `grouped` has them."""
        into, out = self.transitions.target_clip, self.transitions.source_clip
        return grouped(into, len(self.timeline.lengths)), grouped(out, len(self.timeline.lengths))


def choose(all_ways: Ways, groups: list[ClipGroup], *, bridges: bool) -> Choice:
    """Ordinary transitions by the groups' thresholds, and bridges between groups."""
    timeline, transitions = all_ways.timeline, all_ways.transitions
    group = np.zeros(len(timeline.lengths), np.int64)
    limit = np.zeros(len(groups))
    for number, kind in enumerate(groups):
        group[list(kind.clips)] = number
        limit[number] = kind.threshold or 0.0
    a, b = group[transitions.source_clip], group[transitions.target_clip]
    # between groups only what both would call alike is ordinary
    ordinary = transitions.cost <= np.minimum(limit[a], limit[b])
    chosen = np.zeros(len(transitions), bool)
    if not bridges:
        return Choice(ordinary, chosen, (), largest(timeline, transitions[ordinary]))
    source, target = all_ways.ends
    meetings: list[Meeting] = []
    core = _cores(timeline, transitions, ordinary, group, len(groups))
    usable = (a != b) & ~ordinary & core[source] & core[target]
    # by their groups, and cheapest first within them
    able = np.flatnonzero(usable)
    order, begins = grouped(a[able] * len(groups) + b[able], len(groups) ** 2)
    able = able[order]
    cheapest, some = np.full(len(groups) ** 2, np.inf), begins[1:] > begins[:-1]
    cheapest[some] = transitions.cost[able[begins[:-1][some]]]
    best: Array = cheapest.reshape(len(groups), len(groups))
    budget = int(_PART * np.count_nonzero(ordinary))
    met = _meeting_pairs(np.maximum(best, best.T), budget)
    room = max(1, budget // max(1, 2 * len(met)))
    for one, two in met:
        taken = []
        for way in (one * len(groups) + two, two * len(groups) + one):
            taken.append(_best(transitions, able[begins[way] : begins[way + 1]], room))
        both = np.concatenate(taken)
        chosen[both] = True
        meetings.append(Meeting((one, two), float(transitions.cost[both].max()), len(both)))
    kept = _rescue(all_ways, ordinary, chosen, limit[group])
    return Choice(ordinary, chosen, tuple(meetings), kept)


def _cores(timeline: Timeline, transitions: Transitions, ordinary: Bools, group: Longs, count: int) -> Bools:
    """``(F,)``: frames in the largest component of their own group."""
    inside = ordinary & (group[transitions.source_clip] == group[transitions.target_clip])
    # no way leads from one group to another, so that the components of all are those of each
    labels = parts(timeline, transitions[inside])
    owner, size = group[timeline.clip], np.bincount(labels, minlength=1)[labels]
    # the largest first, then the one with the earliest frame
    order = np.lexsort((np.arange(len(timeline)), -size, owner))
    leads = order[np.searchsorted(owner[order], np.arange(count))]
    core: Bools = (labels == labels[leads][owner]) & (size > 1)
    return core


def _meeting_pairs(best: Array, budget: int) -> list[tuple[int, int]]:
    """Pairs of groups to be joined: those of the cheapest tree, and others, cheapest first, that are no dearer than its dearest.

    budget: how many bridges there may be; two for each pair, one a way.
    """
    tree = spanning_tree(best)
    pairs = [(a, b) for a, b, _ in tree]
    if tree:
        rows, columns = np.nonzero(np.triu(best <= tree[-1][2], 1))
        order = np.argsort(best[rows, columns], kind="stable")
        known = set(pairs)
        others = [pair for pair in zip(rows[order].tolist(), columns[order].tolist(), strict=True) if pair not in known]
        pairs += others[: max(0, budget // 2 - len(pairs))]
    return sorted(pairs)


def _best(transitions: Transitions, able: Longs, room: int) -> Longs:
    """The cheapest ``room`` transitions of those able, few of them between the same clips."""
    taken: list[int] = []
    between: dict[tuple[int, int], int] = {}
    for n in able.tolist():  # cheapest first
        if len(taken) == room or (taken and transitions.cost[n] > _DEARER * transitions.cost[taken[0]]):
            break
        clips = (int(transitions.source_clip[n]), int(transitions.target_clip[n]))
        if between.get(clips, 0) < _PER_CLIPS:
            between[clips] = between.get(clips, 0) + 1
            taken.append(n)
    return np.array(taken, np.int64)


def _rescue(all_ways: Ways, ordinary: Bools, chosen: Bools, limit: Array) -> Bools:
    """Adds bridges to and from each clip of which most would be left out, as long as that keeps more of it; ``(F,)``, what is kept then.

    limit: ``(clips,)``, the threshold of each clip's group; bridges may cost so much more than the cheapest, or than it.
    """
    timeline, transitions = all_ways.timeline, all_ways.transitions
    source, target = all_ways.ends
    count = len(timeline.lengths)
    joined = Joining(Network.of(timeline, transitions[ordinary]).rows)
    joined.add(source[chosen], target[chosen])
    while True:
        kept = biggest(joined.parts)
        has = np.bincount(timeline.clip[kept], minlength=count)
        poor = np.flatnonzero(has < _MOST * np.asarray(timeline.lengths))
        fair = np.full(count, -1.0)
        fair[poor] = _DEARER * limit[poor]
        ways = _ways_through(
            *all_ways.by_clip[0], *all_ways.by_clip[1], transitions.source_clip, transitions.target_clip, transitions.cost,
            kept, source, target, fair,
        )  # fmt: skip
        fresh = [
            n
            for clip in poor[ways[poor, 0] >= 0].tolist()
            if source[ways[clip, 1]] - target[ways[clip, 0]] >= has[clip]
            for n in ways[clip].tolist()
            if not (chosen[n] or ordinary[n])
        ]
        if not fresh:
            return kept
        chosen[fresh] = True
        joined.add(source[fresh], target[fresh])


@njit(cache=True, nogil=True)
def _ways_through(
    into: Any, into_first: Any, out: Any, out_first: Any, source_clip: Any, target_clip: Any, cost: Any,
    kept: Any, source: Any, target: Any, fair: Any,
) -> Any:  # fmt: skip
    """``(clips, 2)``: for each clip a transition from kept frames of other clips into it, and one that later leads out of it again; -1
    where there is none, or where what is fair is negative.

    into, out: the transitions by the clip that they lead into, and out of, and where those of each clip begin.

    The earliest and the latest that cost no more than is fair, or not much more than the cheapest way through.
    """
    found = np.full((fair.size, 2), -1, np.int64)
    for clip in range(fair.size):
        if fair[clip] < 0.0:
            continue
        ins = [n for n in into[into_first[clip] : into_first[clip + 1]] if source_clip[n] != clip and kept[source[n]]]
        outs = [n for n in out[out_first[clip] : out_first[clip + 1]] if target_clip[n] != clip and kept[target[n]]]
        if not len(ins) or not len(outs):
            continue
        early = np.array(ins)
        early = early[np.argsort(target[early], kind="mergesort")]
        # the cheapest entrance at or before each exit
        cheapest = cost[early].copy()
        for n in range(1, early.size):
            cheapest[n] = min(cheapest[n], cheapest[n - 1])
        arrivals = target[early]
        best, way, entrance = np.inf, -1, 0.0
        for n in outs:
            place = np.searchsorted(arrivals, source[n], side="right") - 1
            if place >= 0 and cost[n] + cheapest[place] < best:
                best, way, entrance = cost[n] + cheapest[place], n, cheapest[place]
        if way < 0:
            continue
        for n in early:
            if cost[n] <= max(fair[clip], _DEARER * entrance):
                found[clip, 0] = n
                break
        latest = -1
        for n in outs:
            if (
                np.searchsorted(arrivals, source[n], side="right")
                and cost[n] <= max(fair[clip], _DEARER * cost[way])
                and source[n] > latest
            ):
                found[clip, 1], latest = n, source[n]
    return found
