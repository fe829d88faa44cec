"""Bridges: the few best ways between groups that are not alike, and to clips that would be left out.

Raising the threshold for all would let poor transitions in everywhere; a few dear ones, blended for longer, join the
groups as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.graph.making.components import Timeline, largest
from kinegraph.graph.making.groups import ClipGroup, spanning_tree
from kinegraph.graph.making.report import Meeting
from kinegraph.graph.making.transitions import Transitions, joined

# Bridges are at most this part of all transitions (but never fewer than one each way), cost at most this many times the
# best of theirs, and at most so many join the same two clips.
_PART = 0.015
_DEARER = 1.5
_PER_CLIPS = 2
# A clip of which less than this is kept has lost what it is about.
_MOST = 0.5


@dataclass(frozen=True, eq=False)
class Choice:
    """Which moves ``(M,)`` become ordinary transitions and which bridges, and how groups meet."""

    ordinary: Bools
    bridges: Bools
    meetings: tuple[Meeting, ...]


def lengthened(moves: Transitions, timeline: Timeline) -> Transitions:
    """The moves as bridges: half a window longer at either side, where both clips have the frames and lost none of them."""
    ends = np.asarray(timeline.lengths, np.int64)
    before = np.minimum(moves.source, moves.target - moves.length)
    after = np.minimum(
        ends[moves.source_clip] - (moves.source + moves.length), ends[moves.target_clip] - 1 - moves.target
    )
    grow = np.maximum(0, np.minimum(moves.length // 2, np.minimum(before, after)))
    source, target = timeline.ends(moves)
    lost = np.concatenate([[0], np.cumsum(~timeline.sound)])
    holes = lost[source + moves.length + grow] - lost[source - grow]
    holes += lost[target + grow] - lost[target - moves.length - grow]
    grow[holes > 0] = 0
    return replace(moves, source=moves.source - grow, target=moves.target + grow, length=moves.length + 2 * grow)


def choose(timeline: Timeline, moves: Transitions, groups: list[ClipGroup], *, bridges: bool) -> Choice:
    """Ordinary transitions by the groups' thresholds, and bridges between groups. moves: cheapest first."""
    group = np.zeros(len(timeline.lengths), np.int64)
    limit = np.zeros(len(groups))
    for number, kind in enumerate(groups):
        group[list(kind.clips)] = number
        limit[number] = kind.threshold or 0.0
    a, b = group[moves.source_clip], group[moves.target_clip]
    # between groups only what both would call alike is ordinary
    ordinary = moves.cost <= np.minimum(limit[a], limit[b])
    chosen = np.zeros(len(moves), bool)
    if not bridges:
        return Choice(ordinary, chosen, ())
    long = lengthened(moves, timeline)
    source, target = timeline.ends(long)
    meetings: list[Meeting] = []
    core = _cores(timeline, moves, ordinary, group, len(groups))
    usable = (a != b) & ~ordinary & core[source] & core[target]
    best = np.full((len(groups), len(groups)), np.inf)
    np.minimum.at(best, (a[usable], b[usable]), moves.cost[usable])
    budget = int(_PART * np.count_nonzero(ordinary))
    met = _meeting_pairs(np.maximum(best, best.T), budget)
    room = max(1, budget // max(1, 2 * len(met)))
    for one, two in met:
        taken = [
            _best(moves, np.flatnonzero(usable & (a == start) & (b == end)), room)
            for start, end in ((one, two), (two, one))
        ]
        both = np.concatenate(taken)
        chosen[both] = True
        meetings.append(Meeting((one, two), float(moves.cost[both].max()), len(both)))
    _rescue(timeline, moves, long, ordinary, chosen, limit[group])
    return Choice(ordinary, chosen, tuple(meetings))


def _cores(timeline: Timeline, moves: Transitions, ordinary: Bools, group: Longs, count: int) -> Bools:
    """``(F,)``: frames in the largest component of their own group."""
    core = np.zeros(len(timeline), bool)
    owner = group[timeline.clip]
    inside = ordinary & (group[moves.source_clip] == group[moves.target_clip])
    chosen = moves[inside]
    for number in range(count):
        core |= largest(timeline, chosen, owner == number)
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
        others = [pair for pair in zip(rows[order].tolist(), columns[order].tolist(), strict=True) if pair not in pairs]
        pairs += others[: max(0, budget // 2 - len(pairs))]
    return sorted(pairs)


def _best(moves: Transitions, able: Longs, room: int) -> Longs:
    """The cheapest ``room`` moves of those able, few of them between the same clips."""
    taken: list[int] = []
    between: dict[tuple[int, int], int] = {}
    for n in able.tolist():  # cheapest first
        if len(taken) == room or (taken and moves.cost[n] > _DEARER * moves.cost[taken[0]]):
            break
        clips = (int(moves.source_clip[n]), int(moves.target_clip[n]))
        if between.get(clips, 0) < _PER_CLIPS:
            between[clips] = between.get(clips, 0) + 1
            taken.append(n)
    return np.array(taken, np.int64)


def _rescue(
    timeline: Timeline, moves: Transitions, long: Transitions, ordinary: Bools, chosen: Bools, limit: Array
) -> None:
    """Adds bridges to and from each clip of which most would be left out, as long as that keeps more of it.

    limit: ``(clips,)``, the threshold of each clip's group; bridges may cost so much more than the cheapest, or than it.
    """
    source, target = timeline.ends(long)
    count = len(timeline.lengths)
    while True:
        kept = largest(timeline, joined(moves[ordinary], long[chosen]))
        has = np.bincount(timeline.clip[kept], minlength=count)
        fresh: list[int] = []
        for clip in np.flatnonzero(has < _MOST * np.asarray(timeline.lengths)):
            way = _way_through(moves, int(clip), kept, source, target, _DEARER * float(limit[clip]))
            if way is not None and source[way[1]] - target[way[0]] >= has[clip]:
                fresh += [n for n in way if not (chosen[n] or ordinary[n])]
        if not fresh:
            return
        chosen[fresh] = True


def _way_through(
    moves: Transitions, clip: int, kept: Bools, source: Longs, target: Longs, fair: float
) -> tuple[int, int] | None:
    """A move from kept frames of other clips into the clip, and one that later leads out of it again.

    The earliest and the latest that cost no more than is fair, or not much more than the cheapest way through.
    """
    into = np.flatnonzero((moves.target_clip == clip) & (moves.source_clip != clip) & kept[source])
    out = np.flatnonzero((moves.source_clip == clip) & (moves.target_clip != clip) & kept[target])
    into = into[np.argsort(target[into], kind="stable")]
    place = np.searchsorted(target[into], source[out], side="right") - 1
    out, place = out[place >= 0], place[place >= 0]
    if not len(out):
        return None
    # the cheapest entrance at or before each exit
    cheapest = np.minimum.accumulate(moves.cost[into])
    n = int(np.argmin(moves.cost[out] + cheapest[place]))
    near = into[moves.cost[into] <= max(fair, _DEARER * cheapest[place[n]])]
    far = out[moves.cost[out] <= max(fair, _DEARER * moves.cost[out[n]])]
    return int(near[0]), int(far[np.argmax(source[far])])
