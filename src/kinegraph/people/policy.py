"""What is best to do next, worked out beforehand: for every node, and some speeds and directions, what the best way on costs.

After Lee and Lee, "Precomputing avatar behavior from human motion data" (2004), with two differences. A stretch of motion may be turned
and paced as it is played, so that a handful of speeds and directions says all about a wish; and transitions have a price instead of a
threshold (McCann and Pollard, "Responsive characters from motion fragments", 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Bools, Singles
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.spans import spans
from kinegraph.people.choice import Asked, Manner, Played, stretches, sweep
from kinegraph.people.rows import Rows, rows
from kinegraph.walks.choice import labelled, unknown

SPEEDS = np.array([0.0, 0.5, 0.9, 1.3, 1.8, 2.5, 3.2, 4.0])
"""m/s for which values are worked out; between two of them they are interpolated."""
ANGLES = 16
"""Directions all round for which values are worked out."""
# values that change by less are good enough, in metres a second; and no more sweeps than this
_NEARLY, _SWEEPS = 0.01, 200
# the part of a stretch that is its beginning
_BEGINS = 0.3
# the share that is most of what bears a label
_MOST = 0.9
# how finely wished facings are told apart, in parts of a turn
_FACINGS = 8


@dataclass(frozen=True, eq=False)
class Policy:
    """What people on a graph do for their wishes. Values for a label or a facing are worked out when somebody first wishes it."""

    rows: Rows
    manner: Manner
    played: Played
    known: dict[tuple[str, int | None, bool, tuple[str, ...]], tuple[Asked, Singles]] = field(default_factory=dict)

    def values(
        self, label: str = "", facing: int | None = None, *, action: bool = False, prefer: tuple[str, ...] = ()
    ) -> tuple[Asked, Singles]:
        """What the best way on costs ``(N, K, H)`` for who wishes to bear a ``label``, and to face as `facing` says.

        action: whether it is done once, and nothing else matters as much. prefer: clips that are liked better than others, see `liked`.
        """
        key = label, facing, action, prefer
        if key not in self.known:
            off = 0.0 if facing is None else 2.0 * np.pi * facing / _FACINGS
            price = self.manner.undone if action else self.manner.stranger
            outside = _lacks(self.rows, label)
            lacks = outside | ~_begins(self.rows, label) if action else outside
            stirs, disliked = self._stirs(label, action), _dislikes(self.rows, prefer)
            asked = Asked(facing is not None, off, lacks, outside, price, stirs, disliked)
            self.known[key] = asked, _values(self.played, asked, len(self.rows.graph), self.manner)
        return self.known[key]

    def _stirs(self, label: str, action: bool) -> float:
        """m/s by which a body stirs that does what is asked: an action whatever it does, a label as most of what bears it."""
        if action or not label:
            return np.inf if action else 0.0
        bears = _bears(self.rows.graph, label)
        return float(np.percentile(self.rows.stir[: len(bears)][bears], 100 * _MOST))

    def liked(self, names: Sequence[str]) -> tuple[str, ...]:
        """The clips that names, or patterns with ``*``, mean, with their mirrored copies; a `GraphError` where one means none."""
        clips = self.rows.graph.clips
        found: set[str] = set()
        for name in names:
            own = [clip for clip in clips if fnmatchcase(clip.name, name)]
            if not own:
                known = {clip.name: None for clip in clips}
                raise GraphError(f"preferred clips: {unknown('clip', name, known)}")
            sources = {clip.source.sha256 for clip in own}
            found |= {clip.name for clip in clips if clip.source.sha256 in sources}
        return tuple(sorted(found))

    @staticmethod
    def facing(angle: float) -> int:
        """Which of a few ways to face is the nearest for who wishes to face so many radians off where they go."""
        return round(angle / (2.0 * np.pi) * _FACINGS) % _FACINGS

    def check(self, label: str, *, action: bool = False) -> None:
        """Refuse a label, or several as they are said, that no frame bears; as an action also one that does not end."""
        if not label:
            return
        bears = _bears(self.rows.graph, label)
        if action and bears.all():
            raise GraphError(
                f"every frame of this graph is {label!r}, so that it cannot be done once: wish for it as a label instead"
            )
        if action and not _ends(self.rows.graph, label):
            raise GraphError(
                f"there is no way back from {label!r} in this graph: whoever does it never does anything else"
            )


@lru_cache(maxsize=4)
def policy(graph: MotionGraph) -> Policy:
    """The policy of a graph; remembered for the next call."""
    stuck = np.flatnonzero(np.diff(graph.first) == 0)
    if len(stuck):
        clip, frame = graph.clips[graph.node_clip[stuck[0]]].name, graph.node_frame[stuck[0]]
        raise GraphError(
            f"nothing leads on from clip {clip!r} at frame {frame} in this graph: whoever gets there would be stuck"
        )
    own, manner = rows(graph), Manner(graph.fps)
    table = own.tables
    played = Played(
        own.speed,
        own.way,
        own.ahead,
        own.facing,
        1.0 - np.cos(own.facing - own.way),
        own.rough,
        own.stir,
        table.first,
        table.target,
        table.length,
        table.begin,
        own.angle,
        np.where(table.blended, manner.transition + manner.unlike * table.cost, 0.0),
        np.power(1.0 - 1.0 / (manner.horizon * manner.fps), table.length, dtype=np.float64),
    )
    return Policy(own, manner, played)


def _values(played: Played, asked: Asked, nodes: int, manner: Manner) -> Singles:
    values = np.zeros((nodes, len(SPEEDS), ANGLES), np.float32)
    costs, after = stretches(played, asked, SPEEDS, ANGLES, manner)
    for _ in range(_SWEEPS):
        if sweep(values, played, costs, after) < _NEARLY:
            break
    return values


def _begins(rows: Rows, label: str) -> Bools:
    """``(R,)``: which rows lie at the beginning of a stretch that bears a label. None of a transition does."""
    begins = np.zeros(len(rows.speed), np.bool_)
    bears, first = _bears(rows.graph, label), 0
    for clip in rows.graph.clips:
        for begin, end in spans(bears[first : first + len(clip)]):
            begins[first + begin : first + begin + max(1, int(_BEGINS * (end - begin)))] = True
        first += len(clip)
    return begins


@lru_cache(maxsize=64)
def _bears(graph: MotionGraph, label: str) -> Bools:
    """``(T,)``: which frames of all clips bear a label, or several as it says; a `GraphError` if none does."""
    return labelled(graph, label)


@lru_cache(maxsize=64)
def _ends(graph: MotionGraph, label: str) -> bool:
    """Whether from everywhere in what bears a label a way leads to what does not."""
    lengths = np.array([len(clip) for clip in graph.clips])
    node = (np.cumsum(lengths) - lengths)[graph.node_clip] + graph.node_frame
    edges = graph.edges
    free = ~_bears(graph, label)[node]
    # from behind: what leads to where it is over, and so on, until nothing is added
    while True:
        more = free.copy()
        more[edges.source[free[edges.target]]] = True
        if np.array_equal(more, free):
            return bool(free.all())
        free = more


def _lacks(rows: Rows, label: str) -> Bools:
    """``(R,)``: which rows lack a label; those of a transition unless both its clips bear it."""
    if not label:
        return np.zeros(len(rows.speed), np.bool_)
    return _outside(rows, _bears(rows.graph, label))


def _dislikes(rows: Rows, prefer: tuple[str, ...]) -> Bools:
    """``(R,)``: which rows are not of the clips ``prefer``; those of a transition unless both its clips are."""
    if not prefer:
        return np.zeros(len(rows.speed), np.bool_)
    return _outside(rows, np.concatenate([np.full(len(clip), clip.name in prefer) for clip in rows.graph.clips]))


def _outside(rows: Rows, bears: Bools) -> Bools:
    """``(R,)``: all rows but those of frames ``bears (T,)``, and of transitions between two of them."""
    graph, table = rows.graph, rows.tables
    edges = graph.edges
    lengths = np.where(table.blended, table.length, 0)
    edge = np.repeat(np.arange(len(edges)), lengths)
    step = np.arange(len(edge)) - (np.cumsum(lengths) - lengths)[edge]
    both = (
        bears[table.row[edges.source[edge]] + step] & bears[table.row[edges.target[edge]] - table.length[edge] + step]
    )
    lacks: Bools = np.logical_not(np.concatenate([bears, both]))
    return lacks
