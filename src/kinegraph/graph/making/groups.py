"""Groups: clips that are of a kind, each group with the threshold that suits it.

Walks meet below 3 cm, runs at twice that, and a walk meets a run higher still: one threshold for all is too strict for
the one and too lax for the other. Clips whose best meetings are practically invisible belong together from the start;
then the two nearest groups are joined as long as a threshold not far above that of either keeps both of them whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Ints, Longs
from kinegraph.graph.making.components import Timeline, largest
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
    n-th best transition between them, one for ``every`` so many frames of the shorter one.
    """
    clips = len(timeline.lengths)
    pair = transitions.source_clip * clips + transitions.target_clip
    order = np.lexsort((transitions.cost, pair))
    numbers = np.arange(clips * clips)
    first, last = (np.searchsorted(pair[order], numbers, side=side) for side in ("left", "right"))
    lengths = np.asarray(timeline.lengths)
    shorter = np.minimum.outer(lengths, lengths).ravel()
    rank = np.maximum(1, np.round(shorter / every)).astype(np.int64)
    often = last - first >= rank
    best = np.full(clips * clips, np.inf)
    best[often] = transitions.cost[order][(first + rank - 1)[often]]
    table = best.reshape(clips, clips)
    table = np.asarray(np.maximum(table, table.T))
    np.fill_diagonal(table, 0.0)
    return table


def find_groups(
    timeline: Timeline, transitions: Transitions, *, share: float, ceiling: float, every: float, choice: float = 0.0
) -> list[ClipGroup]:
    """The groups of all clips, largest first. share: of the frames, what a group must keep in
    one component.

    every: clips are near if they meet once in so many frames of the shorter one. choice: how many transitions there must be
    for each frame; connected is not enough, a graph of few ways cannot follow a path.
    """
    count = len(timeline.lengths)
    tree = spanning_tree(links(timeline, transitions, every))
    transitions = by_source(timeline, transitions)
    near = [(a, b) for a, b, height in tree if height <= _ALIKE]
    owner = _owners(count, near)
    members: dict[int, tuple[int, ...]] = {}
    for clip in range(count):
        members[owner[clip]] = (*members.get(owner[clip], ()), clip)
    held: dict[int, _Part] = {
        key: _Part.of(timeline, transitions, clips, share, ceiling) for key, clips in members.items()
    }
    of = dict(enumerate(owner))
    for a, b, height in tree:
        one, two = of[a], of[b]
        if one == two:
            continue
        joined = _join(timeline, transitions, held[one], held[two], height, share, ceiling)
        if joined is not None:
            del held[two]
            held[one] = joined
            of = {clip: one if group == two else group for clip, group in of.items()}
    # no group may be laxer than one threshold for all clips would be
    whole = _Part.of(timeline, transitions, tuple(range(count)), share, ceiling).threshold
    highest = ceiling if whole is None else whole
    kinds = [
        ClipGroup(
            part.clips, None if part.threshold is None else _with_choice(timeline, transitions, part, choice, highest)
        )
        for part in held.values()
    ]
    return sorted(kinds, key=lambda kind: (-len(kind.clips), kind.clips))


def _with_choice(timeline: Timeline, transitions: Transitions, part: _Part, choice: float, highest: float) -> float:
    """The threshold of a group, raised where it would leave too few ways to choose from; not far, and never above ``highest``."""
    own, small, _ = within(timeline, transitions, part.clips)
    wanted = min(round(choice * len(small)), len(own))
    enough = np.ceil(np.partition(own.cost, wanted - 1)[wanted - 1] / FINEST) * FINEST if wanted else 0.0
    needed = part.threshold or 0.0
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
    def of(
        cls, timeline: Timeline, transitions: Transitions, clips: tuple[int, ...], share: float, ceiling: float
    ) -> _Part:
        own, small, place = within(timeline, transitions, clips)
        kept = largest(small, own)
        threshold = None
        if kept.any():
            goal = int(np.ceil(share * np.count_nonzero(kept)))
            threshold = smallest_threshold(small, own, [(kept, goal)], ceiling)
        return cls(clips, place[kept].astype(np.int32), threshold, threshold)


def _join(
    timeline: Timeline, transitions: Transitions, one: _Part, two: _Part, height: float, share: float, ceiling: float
) -> _Part | None:
    """Both groups as one, if a threshold not far above that of either keeps both whole."""
    known = [(part.native, len(part.frames)) for part in (one, two) if part.native is not None]
    bound = min(ceiling, FAR * min(native for native, _ in known)) if known else ceiling
    if height > bound:
        return None
    clips = tuple(sorted((*one.clips, *two.clips)))
    own, small, place = within(timeline, transitions, clips)
    goals = []
    for part in (one, two):
        frames = np.zeros(len(timeline), bool)
        frames[part.frames] = True
        frames = frames[place]
        if not frames.any():
            # clips that hold no cycle of their own come along if most of what they could give does
            everything = largest(small, own)
            frames = everything & np.isin(timeline.clip[place], part.clips)
            if not frames.any():
                return None
        goals.append((frames, int(np.ceil(share * np.count_nonzero(frames)))))
    threshold = smallest_threshold(small, own, goals, bound)
    if threshold is None:
        return None
    frames = place[largest(small, own)].astype(np.int32)
    native = sum(value * count for value, count in known) / sum(count for _, count in known) if known else threshold
    return _Part(clips, frames, threshold, native)


def by_source(timeline: Timeline, transitions: Transitions) -> Transitions:
    """The transitions ordered by the frame they leave and then by where they arrive, as `within` wants them."""
    source, target = timeline.ends(transitions)
    return transitions[np.argsort(source * len(timeline) + target, kind="stable")]


def within(timeline: Timeline, transitions: Transitions, clips: tuple[int, ...]) -> tuple[Transitions, Timeline, Longs]:
    """Moves among some clips, on a timeline of those alone; and where its frames lie in the whole one.

    transitions: ordered by `by_source`, so that few clips are found without looking through all.
    """
    number = np.full(len(timeline.lengths), -1, np.int64)
    number[list(clips)] = np.arange(len(clips))
    first, last = (np.searchsorted(transitions.source_clip, clips, side=side) for side in ("left", "right"))
    own = transitions[np.concatenate([np.arange(a, b) for a, b in zip(first, last, strict=True)])]
    inside: NDArray[np.bool_] = number[own.target_clip] >= 0
    if not inside.all():
        own = own[inside]
    own = Transitions(number[own.source_clip], own.source, number[own.target_clip], own.target, own.length, own.cost)
    small = Timeline.of([timeline.lengths[clip] for clip in clips])
    place = np.concatenate([np.arange(timeline.starts[c], timeline.starts[c + 1]) for c in clips])
    return own, small, place
