"""Groups: clips that are of a kind, each group with the threshold that suits it.

Walks meet below 3 cm, runs at twice that, and a walk meets a run higher still: one threshold for all is too strict for
the one and too lax for the other. Clips whose best meetings are practically invisible belong together from the start;
then the two nearest groups are joined as long as a threshold not far above that of either keeps both of them whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Ints, Longs
from kinegraph.compiled import njit
from kinegraph.graph.making.components import Network, Timeline
from kinegraph.graph.making.sorting import grouped
from kinegraph.graph.making.thresholds import FINEST, smallest_threshold
from kinegraph.graph.making.transitions import Transitions

# A best meeting below this is hard to see in a body of human size (metres).
_ALIKE = 0.035
# "Far above" a group's threshold begins at this multiple of it.
FAR = 1.5


@dataclass(frozen=True)
class ClipGroup:
    """Clips that are alike."""

    clips: tuple[int, ...]
    """Their numbers, ascending."""
    threshold: float | None
    """In metres; None where they hold no cycle below the ceiling."""


def links(timeline: Timeline, transitions: Transitions, every: float) -> Array:
    """``(clips, clips)``: how far apart two clips are, infinite where they do not meet often enough; symmetric.

    A single good meeting does not make two clips alike (most begin with a stance): the cost that counts is that of the
    n-th best transition between them, one for ``every`` so many frames of the shorter one. transitions: cheapest first.
    """
    found: Array = _ranked(
        transitions.source_clip, transitions.target_clip, transitions.cost, np.asarray(timeline.lengths), every
    )
    return found


@njit(cache=True, nogil=True)
def _ranked(source: Any, target: Any, cost: Any, lengths: Any, every: float) -> Any:
    """The cost of the n-th transition between each two clips, the dearer of both ways; infinite where there are fewer."""
    seen, table = np.zeros((lengths.size, lengths.size), np.int32), np.full((lengths.size, lengths.size), np.inf)
    for n in range(source.size):
        a, b = source[n], target[n]
        seen[a, b] += 1
        if seen[a, b] == max(1.0, np.rint(min(lengths[a], lengths[b]) / every)):
            table[a, b] = cost[n]
    for a in range(lengths.size):
        table[a, a] = 0.0
        for b in range(a):
            table[a, b] = table[b, a] = max(table[a, b], table[b, a])
    return table


def find_groups(
    timeline: Timeline,
    transitions: Transitions,
    whole: Network,
    *,
    share: float,
    ceiling: float,
    every: float,
    choice: float = 0.0,
) -> list[ClipGroup]:
    """The groups of all clips, largest first. transitions: cheapest first. whole: the network of them all. share: of the frames, what a
    group must keep in one component.

    every: clips are near if they meet once in so many frames of the shorter one. choice: how many transitions there must be
    for each frame; connected is not enough, a graph of few ways cannot follow a path.
    """
    count = len(timeline.lengths)
    tree = spanning_tree(links(timeline, transitions, every))
    owner = _owners(count, [(a, b) for a, b, height in tree if height <= _ALIKE])
    members: dict[int, list[int]] = {}
    for clip in range(count):
        members.setdefault(owner[clip], []).append(clip)
    held = {key: _Part.of(timeline, whole, tuple(clips), share, ceiling) for key, clips in members.items()}
    for a, b, height in tree:
        one, two = owner[a], owner[b]
        if one == two:
            continue
        joined = _join(timeline, whole, held[one], held[two], height, share, ceiling)
        if joined is not None:
            for clip in held.pop(two).clips:
                owner[clip] = one
            held[one] = joined
    # no group may be laxer than one threshold for all clips would be
    highest = _Part.of(timeline, whole, tuple(range(count)), share, ceiling).threshold or ceiling
    costs = _own_costs(transitions, owner)
    kinds = []
    for key, part in held.items():
        threshold = part.threshold
        if threshold is not None:
            wanted = choice * sum(timeline.lengths[clip] for clip in part.clips)
            threshold = _with_choice(costs[key], threshold, wanted, highest)
        kinds.append(ClipGroup(part.clips, threshold))
    return sorted(kinds, key=lambda kind: (-len(kind.clips), kind.clips))


def _own_costs(transitions: Transitions, owner: list[int]) -> dict[int, Array]:
    """Group → what the transitions within it cost."""
    group = np.asarray(owner)[transitions.source_clip]
    inside = np.flatnonzero(group == np.asarray(owner)[transitions.target_clip])
    order, starts = grouped(group[inside], len(owner))
    return dict(enumerate(np.split(transitions.cost[inside[order]], starts[1:-1])))


def _with_choice(costs: Array, needed: float, wanted: float, highest: float) -> float:
    """The threshold of a group, raised from what it needs where it would leave fewer ways to choose from than are wanted; not far, and
    never above ``highest``.
    """
    count = min(round(wanted), len(costs))
    enough = np.ceil(np.partition(costs, count - 1)[count - 1] / FINEST) * FINEST if count else 0.0
    # what cannot be seen is never too much
    return round(float(min(max(needed, min(enough, max(FAR * needed, _ALIKE))), highest)), 6)


def spanning_tree(best: Array) -> list[tuple[int, int, float]]:
    """The cheapest links ``(a, b, cost)`` that hold all clips together as far as they can be, cheapest first."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    rows, columns = np.nonzero(np.isfinite(np.triu(best, 1)) & (np.arange(len(best))[:, None] < np.arange(len(best))))
    # a link of no cost must not be taken for no link
    weights = best[rows, columns] + 1.0
    tree = minimum_spanning_tree(csr_array((weights, (rows, columns)), shape=best.shape)).tocoo()
    found = [(int(a), int(b), float(best[a, b])) for a, b in zip(tree.row, tree.col, strict=True)]
    return sorted(found, key=lambda link: (link[2], link[0], link[1]))


def _owners(count: int, pairs: list[tuple[int, int]]) -> list[int]:
    owner = list(range(count))

    def root(clip: int) -> int:
        while owner[clip] != clip:
            clip = owner[clip]
        return clip

    for a, b in pairs:
        low, high = sorted((root(a), root(b)))
        owner[high] = low
    return [root(clip) for clip in range(count)]


@dataclass(frozen=True, eq=False)
class _Part:
    """A group on the way: its clips, the frames it could keep, its threshold."""

    clips: tuple[int, ...]
    frames: Ints  # numbers of those of the whole timeline
    threshold: float | None
    # the mean, over its frames, of what its parts asked for by themselves: a group must not drift upwards join by join
    native: float | None

    @classmethod
    def of(cls, timeline: Timeline, whole: Network, clips: tuple[int, ...], share: float, ceiling: float) -> _Part:
        place = frames_of(timeline, clips)
        own = whole if len(place) == len(whole) else whole.among(place)
        kept = own.largest()
        threshold = None
        if kept.any():
            threshold = smallest_threshold(own, [(kept, int(np.ceil(share * np.count_nonzero(kept))))], ceiling)
        return cls(clips, place[kept].astype(np.int32), threshold, threshold)


def _join(
    timeline: Timeline, whole: Network, one: _Part, two: _Part, height: float, share: float, ceiling: float
) -> _Part | None:
    """Both groups as one, if a threshold not far above that of either keeps both whole."""
    known = [(part.native, len(part.frames)) for part in (one, two) if part.native is not None]
    bound = min(ceiling, FAR * min(native for native, _ in known)) if known else ceiling
    if height > bound:
        return None
    clips = tuple(sorted((*one.clips, *two.clips)))
    place = frames_of(timeline, clips)
    own = whole.among(place)
    goals = []
    for part in (one, two):
        frames = np.zeros(len(timeline), bool)
        frames[part.frames] = True
        frames = frames[place]
        if not frames.any():
            # clips that hold no cycle of their own come along if most of what they could give does
            frames = own.largest() & np.isin(timeline.clip[place], part.clips)
            if not frames.any():
                return None
        goals.append((frames, int(np.ceil(share * np.count_nonzero(frames)))))
    threshold = smallest_threshold(own, goals, bound)
    if threshold is None:
        return None
    native = sum(value * count for value, count in known) / sum(count for _, count in known) if known else threshold
    return _Part(clips, place[own.largest()].astype(np.int32), threshold, native)


def frames_of(timeline: Timeline, clips: tuple[int, ...]) -> Longs:
    """The frames of some clips, in a row."""
    return np.concatenate([np.arange(timeline.starts[c], timeline.starts[c + 1]) for c in clips])
