"""Bridges: the few best ways between groups that are not alike, and to clips that would be left out.

Raising the threshold for all would let poor transitions in everywhere; a few dear ones, blended for longer, join the
groups as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools, Ints, Longs
from kinegraph.compiled import njit
from kinegraph.graph.making.components import Network, Timeline, biggest
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
    lost = np.concatenate([[0], np.cumsum(~timeline.sound)])
    source, target, length = _lengthened(*transitions.places, timeline.starts, lost)
    return replace(transitions, source=source, target=target, length=length)


@njit(cache=True, nogil=True)
def _lengthened(
    source_clip: Any, source: Any, target_clip: Any, target: Any, length: Any, starts: Any, lost: Any
) -> Any:
    leaves, arrives, longer = np.empty_like(source), np.empty_like(target), np.empty_like(length)
    for n in range(source.size):
        one, two, core = starts[source_clip[n]], starts[target_clip[n]], length[n]
        before = min(source[n], target[n] - core)
        after = min(
            starts[source_clip[n] + 1] - one - source[n] - core, starts[target_clip[n] + 1] - two - 1 - target[n]
        )
        grow = max(0, min(core // 2, before, after))
        first, last = one + source[n] - grow, two + target[n] + grow
        if lost[first + core + 2 * grow] > lost[first] or lost[last] > lost[last - core - 2 * grow]:
            grow = 0
        leaves[n], arrives[n], longer[n] = source[n] - grow, target[n] + grow, core + 2 * grow
    return leaves, arrives, longer


@dataclass(frozen=True, eq=False)
class Ways:
    """All transitions that a graph could have, cheapest first, and what does not depend on groups."""

    timeline: Timeline
    transitions: Transitions
    ends: tuple[Ints, Ints]
    """Source and target frames in the row, of the transitions as bridges."""
    by_clip: tuple[tuple[Longs, Longs], tuple[Longs, Longs]]
    """They by the clip that they lead into, and by the one that they lead out of, as `grouped` has them."""

    @classmethod
    def of(cls, timeline: Timeline, transitions: Transitions) -> Ways:
        """Of these transitions."""
        count = len(timeline.lengths)
        by_clip = grouped(transitions.target_clip, count), grouped(transitions.source_clip, count)
        return cls(timeline, transitions, timeline.ends(lengthened(transitions, timeline)), by_clip)


def choose(all_ways: Ways, groups: list[ClipGroup], *, bridges: bool) -> Choice:
    """Ordinary transitions by the groups' thresholds, and bridges between groups."""
    timeline, transitions = all_ways.timeline, all_ways.transitions
    group = np.zeros(len(timeline.lengths), np.int64)
    limit = np.zeros(len(timeline.lengths))
    for number, kind in enumerate(groups):
        group[list(kind.clips)] = number
        limit[list(kind.clips)] = kind.threshold or 0.0
    # between groups only what both would call alike is ordinary
    ordinary = _ordinary(transitions.source_clip, transitions.target_clip, transitions.cost, limit)
    chosen = np.zeros(len(transitions), bool)
    if not bridges:
        return Choice(ordinary, chosen, (), Network.of(timeline, transitions, chosen=ordinary).largest())
    meetings: list[Meeting] = []
    core = _cores(timeline, transitions, ordinary, group, len(groups))
    able, between = _between(transitions.source_clip, transitions.target_clip, *all_ways.ends, ordinary, group, core)
    # by their groups, and cheapest first within them
    order, begins = grouped(between, len(groups) ** 2)
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
    kept = _rescue(all_ways, ordinary, chosen, limit)
    return Choice(ordinary, chosen, tuple(meetings), kept)


@njit(cache=True, nogil=True)
def _ordinary(source_clip: Any, target_clip: Any, cost: Any, limit: Any) -> Any:
    """``(M,)``: which transitions cost no more than the limits ``(clips,)`` of both of their clips."""
    found = np.empty(cost.size, np.bool_)
    for n in range(cost.size):
        found[n] = cost[n] <= min(limit[source_clip[n]], limit[target_clip[n]])
    return found


@njit(cache=True, nogil=True)
def _between(source_clip: Any, target_clip: Any, source: Any, target: Any, ordinary: Any, group: Any, core: Any) -> Any:
    """Numbers of the transitions that could be bridges, from a frame of one group's core to one of another's; and a number for each two
    groups.
    """
    count = group.max() + 1
    found, between = np.empty(source.size, np.int64), np.empty(source.size, np.int64)
    size = 0
    for n in range(source.size):
        one, two = group[source_clip[n]], group[target_clip[n]]
        if one != two and not ordinary[n] and core[source[n]] and core[target[n]]:
            found[size], between[size] = n, one * count + two
            size += 1
    return found[:size].copy(), between[:size].copy()


def _cores(timeline: Timeline, transitions: Transitions, ordinary: Bools, group: Longs, count: int) -> Bools:
    """``(F,)``: frames in the largest component of their own group."""
    inside = ordinary & (group[transitions.source_clip] == group[transitions.target_clip])
    # no way leads from one group to another, so that the components of all are those of each
    labels = Network.of(timeline, transitions, chosen=inside).parts()
    core: Bools = _largest_of_each(labels, group[timeline.clip], count)
    return core


@njit(cache=True, nogil=True)
def _largest_of_each(labels: Any, owner: Any, count: int) -> Any:
    """``(F,)``: frames whose label is the one that most frames of their owner have; of equal ones, that of the earliest frame."""
    size = np.zeros(labels.size + 1, np.int64)
    for label in labels:
        size[label] += 1
    leads = np.full(count, -1, np.int64)
    for n in range(labels.size):
        lead = leads[owner[n]]
        if lead < 0 or size[labels[n]] > size[labels[lead]]:
            leads[owner[n]] = n
    found = np.empty(labels.size, np.bool_)
    for n in range(labels.size):
        found[n] = labels[n] == labels[leads[owner[n]]] and size[labels[n]] > 1
    return found


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
    joined = Joining(Network.of(timeline, transitions, chosen=ordinary).rows)
    joined.add(source[chosen], target[chosen])
    while True:
        kept = biggest(joined.parts)
        has = np.bincount(timeline.clip[kept], minlength=count)
        poor = np.flatnonzero(has < _MOST * np.asarray(timeline.lengths))
        fair = np.full(count, -1.0)
        fair[poor] = _DEARER * limit[poor]
        ways = _ways_through(
            *all_ways.by_clip[0], *all_ways.by_clip[1], transitions.source_clip, transitions.target_clip, transitions.cost,
            timeline.starts, kept, source, target, fair,
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
    starts: Any, kept: Any, source: Any, target: Any, fair: Any,
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
        first = starts[clip]
        # what it costs at least to be in the clip by each of its frames
        entrance = np.full(starts[clip + 1] - first, np.inf)
        for n in into[into_first[clip] : into_first[clip + 1]]:
            if source_clip[n] != clip and kept[source[n]]:
                entrance[target[n] - first] = min(entrance[target[n] - first], cost[n])
        for n in range(1, entrance.size):
            entrance[n] = min(entrance[n], entrance[n - 1])
        best, way = np.inf, -1
        for n in out[out_first[clip] : out_first[clip + 1]]:
            if target_clip[n] != clip and kept[target[n]] and cost[n] + entrance[source[n] - first] < best:
                best, way = cost[n] + entrance[source[n] - first], n
        if way < 0:
            continue
        most = max(fair[clip], _DEARER * entrance[source[way] - first])
        earliest = np.iinfo(np.int64).max
        for n in into[into_first[clip] : into_first[clip + 1]]:
            if source_clip[n] != clip and kept[source[n]] and cost[n] <= most and target[n] < earliest:
                found[clip, 0], earliest = n, target[n]
        most, latest = max(fair[clip], _DEARER * cost[way]), -1
        for n in out[out_first[clip] : out_first[clip + 1]]:
            if (
                target_clip[n] != clip
                and kept[target[n]]
                and cost[n] <= most
                and source[n] > latest
                and entrance[source[n] - first] < np.inf
            ):
                found[clip, 1], latest = n, source[n]
    return found
