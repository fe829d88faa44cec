"""The fast search: a beam of walks that grow frame by frame, the best of each moment kept. Compiled.

All walks of one moment are compared with each other: by the error so far and by what it would come to if the clip just
played on for a while. Few per node are kept, lest the beam fill with copies of one walk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from kinegraph.motion.rotation import Array
from kinegraph.walks.course import HASTY, HURRY, Course, Prices, carry_on, laid, missed_heading, play_frames, spare
from kinegraph.walks.tables import Tables

# columns of a walk's floats: cosine, sine, x and z of its clip's place on the floor, how far along the path, error so
# far, error at the horizon, rank
COSINE, SINE, X, Z, ALONG, ERROR, AT_HORIZON, AHEAD_COST, RANK = range(9)
# and of its integers: node, last edge, the walk it grew from, when it may blend again, whether it has stayed in the
# clip it is to stay in
NODE, EDGE, PARENT, FREE, STAYED = range(5)


# Metres to spare before the next label below which a walk is ranked behind those that have more, by so much a metre:
# the ways from label to label are few, and must be made for early.
EARLY, URGENCY = 4.0, 0.3


# Metres of the path whose walkers are compared with each other, and the least number of such stretches that share the
# beam: a runner who has come further without error is not better than a walker who may yet do so, and must not crowd
# him out before the corner.
REACH, LEVELS = 0.3, 2


class Beam(NamedTuple):
    """Walks that arrive at a node at one of the next R moments, at most C for each, and all that were ever kept, in a
    ring of A.

    floats ``(R, C, 9)``, ints ``(R, C, 5)``, waiting ``(R,)``: how many, cut ``(R,)``: ranks beyond it are not let in.
    past ``(A, 3)``: parent, edge, time of arrival. seen ``(N, 2)``: when a node was last met, and how often then.
    level: the same for stretches of the path. numbers ``(2,)``: how many walks were ever kept; frames of the best
    complete walk. best ``(2,)``: its error less the margin if it stayed, and its error. finish ``(2,)``: the walk it
    grew from, and its last edge.
    """

    floats: Array
    ints: NDArray[np.int64]
    waiting: NDArray[np.int64]
    cut: Array
    past: NDArray[np.int64]
    seen: NDArray[np.int64]
    level: NDArray[np.int64]
    numbers: NDArray[np.int64]
    best: Array
    finish: NDArray[np.int64]


def make_beam(nodes: int, moments: int, capacity: int, past: int, length: float) -> Beam:
    """An empty beam for a graph of so many nodes and a path of so many metres."""
    return Beam(
        np.zeros((moments, capacity, 9)),
        np.zeros((moments, capacity, 5), np.int64),
        np.zeros(moments, np.int64),
        np.full(moments, np.inf),
        np.zeros((past, 3), np.int64),
        np.full((nodes, 2), -1, np.int64),
        np.full((int(length / REACH) + 2, 2), -1, np.int64),
        np.zeros(2, np.int64),
        np.full(2, np.inf),
        np.full(2, -1, np.int64),
    )


@njit(cache=True, nogil=True, forceinline=True)
def _copy(target: Any, source: Any) -> None:
    """Value by value: assigning rows takes the compiler seconds, for all the shapes that it must foresee."""
    for k in range(source.size):
        target[k] = source[k]


@njit(cache=True, nogil=True)
def _trim(floats: Array, ints: NDArray[np.int64], keep: int) -> float:
    """Keep the best ``keep`` of full arrays ``(C, 9)`` and ``(C, 5)``, in front; the rank of the worst of them."""
    order = np.argsort(floats[:, RANK])
    held, numbers = floats.copy(), ints.copy()
    for k in range(keep):
        _copy(floats[k], held[order[k]])
        _copy(ints[k], numbers[order[k]])
    worst: float = held[order[keep - 1], RANK]
    return worst


@njit(cache=True, nogil=True, forceinline=True)
def put(beam: Beam, moment: int, values: Array, numbers: NDArray[np.int64]) -> None:
    """Let a walk in at a moment, if it ranks well enough."""
    slot = moment % beam.waiting.size
    if values[RANK] >= beam.cut[slot]:
        return
    if beam.waiting[slot] == beam.floats.shape[1]:
        beam.waiting[slot] = 2 * beam.floats.shape[1] // 3
        beam.cut[slot] = _trim(beam.floats[slot], beam.ints[slot], beam.waiting[slot])
    n = beam.waiting[slot]
    _copy(beam.floats[slot, n], values)
    _copy(beam.ints[slot, n], numbers)
    beam.waiting[slot] = n + 1


@njit(cache=True, nogil=True)
def seed(tables: Tables, course: Course, prices: Prices, beam: Beam, nodes: NDArray[np.int64], places: Array) -> None:
    """Let walks begin at nodes ``(n,)`` whose clips lie at places ``(n, 4)``: cosine, sine, x, z. Start k is its own
    parent −1 − k.
    """
    values, numbers = np.zeros(9), np.zeros(5, np.int64)
    for k in range(nodes.size):
        if spare(course, nodes[k], 0.0) < 0:
            continue
        _copy(values, places[k])
        values[RANK] = carry_on(
            tables, course, prices, nodes[k], places[k, 0], places[k, 1], places[k, 2], places[k, 3], 0.0
        )
        numbers[NODE], numbers[EDGE], numbers[PARENT], numbers[STAYED] = nodes[k], -1, -1 - k, 1
        put(beam, 0, values, numbers)


@njit(cache=True, nogil=True)
def grow(
    tables: Tables,
    course: Course,
    prices: Prices,
    beam: Beam,
    begin: int,
    end: int,
    horizon: int,
    width: int,
    per_node: int,
    kind: NDArray[np.int64],
    margin: float,
    until: int,
    limit: int,
) -> None:
    """Let all walks that arrive at moments ``begin`` … ``end``−1 go on by an edge.

    horizon: the moment at which errors are noted. kind ``(clips,)``, margin: walks that, with all edges that begin
    before ``until``, keep to clips of one kind may err by so much more. limit: the moment by which the path must be
    done.
    """
    slots, ring = beam.waiting.size, beam.past.shape[0]
    # out of their tuples once, see `play_frames`
    track, begins, lengths, costs, moving = tables.track, tables.begin, tables.length, tables.cost, tables.moving
    line, sections, allowed, discs, boxes = course.line, course.section, course.allowed, course.discs, course.boxes
    pieces, step, whole = course.pieces, course.step, course.length
    values, numbers = np.empty(9), np.empty(5, np.int64)
    for moment in range(begin, end):
        slot = moment % slots
        n = beam.waiting[slot]
        if n == 0:
            continue
        order = np.argsort(beam.floats[slot, :n, RANK])
        kept = 0
        for k in range(n):
            if kept == width:
                break
            own, ints = beam.floats[slot, order[k]], beam.ints[slot, order[k]]
            if own[ERROR] - margin * ints[STAYED] >= beam.best[0]:
                continue
            node = ints[NODE]
            if beam.seen[node, 0] != moment:
                beam.seen[node, 0], beam.seen[node, 1] = moment, 0
            if beam.seen[node, 1] == per_node:
                continue
            reach = int(own[ALONG] / REACH)
            if beam.level[reach, 0] != moment:
                beam.level[reach, 0], beam.level[reach, 1] = moment, 0
            if beam.level[reach, 1] * LEVELS >= width:
                continue
            beam.level[reach, 1] += 1
            beam.seen[node, 1] += 1
            kept += 1
            me = beam.numbers[0]
            beam.numbers[0] = me + 1
            past = beam.past[me % ring]
            past[0], past[1], past[2] = ints[PARENT], ints[EDGE], moment
            # who must hurry to the next label, or has no other way on, need not wait between blends, but pays for it
            early = moment < ints[FREE]
            free = not early or tables.moving[tables.first[node]] or spare(course, node, own[ALONG]) < HURRY
            paid = own[ERROR] + (HASTY if early else 0.0)
            for edge in range(tables.first[node], tables.first[node + 1]):
                if tables.moving[edge] and not free:
                    continue
                target = tables.target[edge]
                stayed = ints[STAYED]
                if moment < until and kind[tables.clip[target]] != kind[tables.clip[node]]:
                    stayed = 0
                # what ranks beyond the cut would not be let in
                bound = min(beam.best[0], beam.cut[(moment + tables.length[edge]) % slots]) + margin * stayed
                cost = costs[edge]
                along, error, noted, frames = play_frames(
                    track,
                    line,
                    sections,
                    allowed,
                    discs,
                    boxes,
                    prices,
                    pieces,
                    step,
                    whole,
                    edge,
                    begins[edge],
                    lengths[edge],
                    own[COSINE],
                    own[SINE],
                    own[X],
                    own[Z],
                    own[ALONG],
                    (paid if moving[edge] else own[ERROR]) + prices.blend * cost * cost,
                    horizon - moment,
                    bound,
                )
                if course.strictness > 0.0 and along >= whole:
                    error += missed_heading(tables, course, edge, frames, np.arctan2(own[SINE], own[COSINE]))
                    noted = min(noted, error)
                if error - margin * stayed >= beam.best[0]:
                    continue
                if along >= course.length:
                    if moment + frames <= limit:
                        beam.best[0], beam.best[1] = error - margin * stayed, error
                        beam.numbers[1] = moment + frames
                        beam.finish[0], beam.finish[1] = me, edge
                    continue
                left = spare(course, target, along)
                if left < 0 or course.length - along > prices.fastest * (limit - moment - frames):
                    continue
                if tables.moving[edge]:
                    values[COSINE], values[SINE], values[X], values[Z] = laid(
                        own[COSINE], own[SINE], own[X], own[Z], tables.turn[edge]
                    )
                    numbers[FREE] = moment + frames + prices.gap
                else:
                    _copy(values[:4], own[:4])
                    numbers[FREE] = ints[FREE]
                values[ALONG], values[ERROR], values[AT_HORIZON] = along, error, noted
                values[AHEAD_COST] = carry_on(
                    tables, course, prices, target, values[COSINE], values[SINE], values[X], values[Z], along
                )
                values[RANK] = error - margin * stayed + values[AHEAD_COST]
                if left < EARLY:
                    values[RANK] += URGENCY * (EARLY - left)
                numbers[NODE], numbers[EDGE], numbers[PARENT], numbers[STAYED] = target, edge, me, stayed
                put(beam, moment + frames, values, numbers)
        beam.waiting[slot] = 0
        beam.cut[slot] = np.inf


@njit(cache=True, nogil=True)
def ancestor(beam: Beam, walk: int, moment: int) -> int:
    """The last walk from which ``walk`` grew that arrived by ``moment``, or itself; −1 − n where it began later, as
    start n.
    """
    ring = beam.past.shape[0]
    while walk >= 0 and beam.past[walk % ring, 2] > moment:
        walk = beam.past[walk % ring, 0]
    return walk


@njit(cache=True, nogil=True)
def _kept_to(tables: Tables, beam: Beam, walk: int, edge: int, root: int, kind: Any, clip: int, until: int) -> int:
    """1 if ``walk`` and then ``edge``, as far as they begin before ``until``, keep to clips of one kind since ``root``."""
    ring = beam.past.shape[0]
    while True:
        if beam.past[walk % ring, 2] < until and kind[tables.clip[tables.target[edge]]] != kind[clip]:
            return 0
        if walk == root:
            return 1
        edge = beam.past[walk % ring, 1]
        walk = beam.past[walk % ring, 0]


@njit(cache=True, nogil=True)
def prune(
    tables: Tables,
    beam: Beam,
    moment: int,
    root: int,
    kind: NDArray[np.int64],
    clip: int,
    until: int,
    margin: float,
) -> None:
    """Drop all walks but those that grew from ``root``, which arrived by ``moment``.

    Also tell which of them have since, with all edges that begin before ``until``, kept to clips of one kind, and may
    err by ``margin`` more.
    """
    for slot in range(beam.waiting.size):
        left = 0
        for k in range(beam.waiting[slot]):
            ints = beam.ints[slot, k]
            if ancestor(beam, ints[PARENT], moment) != root:
                continue
            ints[STAYED] = _kept_to(tables, beam, ints[PARENT], ints[EDGE], root, kind, clip, until)
            _copy(beam.ints[slot, left], ints)
            _copy(beam.floats[slot, left], beam.floats[slot, k])
            left += 1
        beam.waiting[slot] = left
        beam.cut[slot] = np.inf
    if beam.finish[0] < 0:
        return
    if ancestor(beam, beam.finish[0], moment) != root:
        beam.best[0] = np.inf
        beam.finish[0] = -1
    else:
        stayed = _kept_to(tables, beam, beam.finish[0], beam.finish[1], root, kind, clip, until)
        beam.best[0] = beam.best[1] - margin * stayed
