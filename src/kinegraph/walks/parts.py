"""What is asked for along a path, part by part: metres that bear a label, metres on which anything goes, and halts.

A halt takes seconds and no metres. Who pauses halts; and so does who is asked for a label that gets nowhere, such as a
punch: it is done at a few places of its section, and between them the walker goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Bools, Ints, Longs
from kinegraph.errors import Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.paths.smoothing import smoothed
from kinegraph.walks.choice import edges_within, endless, frame_starts, labelled
from kinegraph.walks.request import Pause, Request, Section
from kinegraph.walks.tables import tables

STAND = "stand"
"""The label of who pauses."""
# m/s below which a label gets nowhere, and the part of a label's own speed that counts as progress at least
_NOWHERE, _SLOWEST = 0.3, 0.5
# of a label that gets nowhere: metres from one time to the next, the share of the frames that bear it on end in a clip
# that is played each time, and between which seconds that stays
_AGAIN, _MOSTLY, _BRIEF, _LONG = 2.0, 0.8, 0.5, 4.0
# m/s of the mean joint below which a body stands, and seconds over which that is taken
_STILL, _STEADY = 0.1, 0.1
# metres beside a pause that a halt of another kind keeps away, and metres beside any halt to come to rest and to get going
_APART, _BESIDE = 1.0, 1.0


@dataclass(frozen=True)
class Part:
    """From ``first`` to ``last`` metres of the path a label, None for any."""

    first: float
    last: float
    label: str | None
    seconds: float = 0.0
    """How long a halt lasts; 0 where it is none."""
    leaving: bool = False
    """Whether somebody gets going again here, which may take a while on the spot."""


def parts(graph: MotionGraph, request: Request, length: float) -> list[Part]:
    """The parts of a request along a way of ``length`` metres: without holes, none where nothing is asked for."""
    scale = length / request.path.length
    sections = [Section(scale * one.first, min(scale * one.last, length), one.label) for one in request.sections]
    if request.label is not None:
        sections = [Section(0.0, length, request.label)]
    if sections:
        sections[-1] = Section(sections[-1].first, length, sections[-1].label)
    pauses = [Pause(min(scale * one.at, length), one.seconds) for one in request.pause]
    if pauses:
        _check_standing(graph, max(one.seconds for one in pauses))
    halts = [Part(one.at, one.at, STAND, one.seconds) for one in pauses]
    metres: list[Part] = []
    for section in sections:
        if request.label is not None or goes(graph, section.label):
            metres.append(Part(section.first, section.last, section.label))
        else:
            metres.append(Part(section.first, section.last, None))
            halts += [one for one in _times(graph, section) if all(abs(one.first - at.at) > _APART for at in pauses)]
    if not metres and halts:
        metres = [Part(0.0, length, None)]
    return _cut(metres, sorted(halts, key=lambda one: one.first))


def goes(graph: MotionGraph, label: str) -> bool:
    """Whether who bears a label gets anywhere."""
    return pace(graph, label) >= _NOWHERE


def slowest(graph: MotionGraph, request: Request) -> float:
    """Metres a second that count as progress even where there is less, for labels that are slower than most."""
    asked = [request.label] if request.label is not None else [one.label for one in request.sections]
    paces = [_SLOWEST * pace(graph, name) for name in asked if name is not None and goes(graph, name)]
    return min([request.least, *paces])


@lru_cache(maxsize=64)
def pace(graph: MotionGraph, label: str) -> float:
    """Metres a second of who bears a label, where it can be borne without end if that is anywhere."""
    held, edges = tables(graph), bearing(graph, label)
    if not len(edges):
        return 0.0
    gone = np.concatenate([[0.0], np.cumsum(held.track[:, 2])])
    metres = gone[held.begin[edges] + held.length[edges]] - gone[held.begin[edges]]
    return float(metres.sum() / held.length[edges].sum() * graph.fps)


@lru_cache(maxsize=64)
def bearing(graph: MotionGraph, label: str) -> Longs:
    """The edges on which a label can be borne for ever, in whichever of its parts; where there are none, all that bear it. All
    that do for who stands.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    edges = borne(graph, label)
    if not len(edges):
        raise Unsatisfied(f"no walk can bear {label!r}: no way of this graph leads through its frames")
    if label == STAND:
        return edges
    source, target = graph.edges.source[edges], graph.edges.target[edges]
    links = csr_array((np.ones(len(edges), bool), (source, target)), shape=(len(graph), len(graph)))
    part = connected_components(links, connection="strong")[1]
    lasting: Longs = edges[part[source] == part[target]]
    return lasting if len(lasting) else edges


@lru_cache(maxsize=64)
def borne(graph: MotionGraph, label: str) -> Longs:
    """The edges that bear a label. Who stands bears `STAND`, whatever he is labelled by: so does the end of a stop."""
    return np.flatnonzero(edges_within(graph, frames_bearing(graph, label)))


@lru_cache(maxsize=16)
def frames_bearing(graph: MotionGraph, label: str) -> Bools:
    """``(F,)`` over all clips laid in a row: which frames bear a label."""
    if label != STAND:
        return labelled(graph, label)
    return np.concatenate([clip.labelled(STAND) | _stands(clip.motion) for clip in graph.clips])


def _stands(motion: Motion) -> Bools:
    """``(F,)``: when a body hardly moves."""
    if len(motion) < 2:
        return np.zeros(len(motion), bool)
    speed = np.linalg.norm(np.gradient(motion.positions, axis=0), axis=-1).mean(axis=1) * motion.fps
    return np.asarray(smoothed(speed[:, None], _STEADY * motion.fps)[:, 0] < _STILL)


def entries(graph: MotionGraph, label: str, seconds: float = 0.0) -> Ints:
    """The nodes at which a walk should come into a label to bear it for a while: of its endless part; for so many
    seconds, or where it has none, those with the most of it ahead in their clip.
    """
    part = endless(graph, label)
    if part is not None and not seconds:
        return part.nodes if label != STAND else _standing(graph)
    edges = bearing(graph, label)
    nodes = np.unique(graph.edges.source[edges])
    ahead = _ahead(graph, label)[nodes]
    wanted = seconds * graph.fps if seconds else np.inf
    chosen: Ints = nodes[ahead >= min(wanted, _MOSTLY * ahead.max())].astype(np.int32)
    return chosen


def _standing(graph: MotionGraph) -> Ints:
    """The nodes from which one can stand without end: those of the label's endless part, and those that lead into it."""
    inside = np.zeros(len(graph), bool)
    inside[graph.labels[STAND].nodes] = True
    edges = borne(graph, STAND)
    source, target = graph.edges.source[edges], graph.edges.target[edges]
    while (more := source[inside[target] & ~inside[source]]).size:
        inside[more] = True
    return np.flatnonzero(inside).astype(np.int32)


def _ahead(graph: MotionGraph, label: str) -> Longs:
    """How many frames on end ``(N,)`` bear a label from each node on."""
    frames, starts = frames_bearing(graph, label), frame_starts(graph)
    # the next frame that does not bear it, or begins another clip
    stops = np.unique(np.concatenate([np.flatnonzero(~frames), starts]))
    rows = starts[graph.node_clip] + graph.node_frame
    return np.where(frames[rows], stops[np.searchsorted(stops, rows, side="right")] - rows, 0)


def _times(graph: MotionGraph, section: Section) -> list[Part]:
    """A label that gets nowhere, done now and then in its section."""
    seconds = float(np.clip(_MOSTLY * _lasting(graph, section.label), _BRIEF, _LONG))
    length = section.last - section.first
    count = max(1, round(length / _AGAIN))
    places = section.first + (np.arange(count) + 0.5) * length / count
    return [Part(place, place, section.label, seconds) for place in places.tolist()]


def _lasting(graph: MotionGraph, label: str) -> float:
    """Seconds that clips bear a label on end: the median."""
    frames = np.split(frames_bearing(graph, label), frame_starts(graph)[1:-1])
    lengths = [last - first for own in frames for first, last in spans(own)]
    return float(np.median(lengths)) / graph.fps


def _check_standing(graph: MotionGraph, seconds: float) -> None:
    if STAND in graph.labels:
        return
    longest = float(_ahead(graph, STAND).max()) / graph.fps if len(borne(graph, STAND)) else 0.0
    if longest < seconds:
        most = f"its clips stand for {longest:.1f} s at most" if longest else "none of its clips stands"
        raise Unsatisfied(
            f"a walk through this graph cannot pause for {seconds:g} s: {most}; add a clip of somebody who stands, "
            f"labelled {STAND!r}"
        )


def _cut(metres: Sequence[Part], halts: Sequence[Part]) -> list[Part]:
    """Parts with halts between them, or in the midst of them: before a halt anything goes, and behind it whoever has halted
    gets going.
    """
    found: list[Part] = []
    waiting = [*halts]
    for part in metres:
        first, begun = part.first, bool(found) and bool(found[-1].seconds)
        while True:
            halt = waiting.pop(0) if waiting and waiting[0].first < part.last - 1e-9 else None
            last = part.last if halt is None else halt.first
            next_halts = halt is not None or any(abs(one.first - last) < 1e-9 for one in waiting)
            found += _between(part.label, first, last, begun, next_halts)
            if halt is None:
                break
            found.append(halt)
            first, begun = last, True
    return [*found, *waiting]


def _between(label: str | None, first: float, last: float, begun: bool, halts: bool) -> list[Part]:
    """What is asked for between two halts, or between a halt and a border. begun, halts: whether a halt is before it and
    behind it.
    """
    room = min(_BESIDE, (last - first) / 3)
    inner = first + (room if begun else 0.0), last - (room if halts and label is not None else 0.0)
    found = [Part(first, inner[0], None, leaving=True), Part(*inner, label), Part(inner[1], last, None)]
    return [one for one in found if one.last > one.first + 1e-6]
