"""The fast search: a beam of walks that grow frame by frame, the best of each moment kept. Compiled.

All walks of one moment are compared with each other: by the error so far and by what it would come to if the clip just
played on for a while. Few per node are kept, lest the beam fill with copies of one walk.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.walks.arriving import FLOATS, INTEGERS, RANK, copy_row, let_in
from kinegraph.walks.course import (
    HASTY,
    CourseArrays,
    Prices,
    laid,
    missed_heading,
    play_frames,
)
from kinegraph.walks.outlook import carry_on, look_on
from kinegraph.walks.owing import owed, owed_on
from kinegraph.walks.tables import Tables

# columns of a walk's floats: cosine, sine, x and z of its clip's place on the floor, how far along the path, error so
# far, error at the horizon, what carrying on would cost; the rank comes last
COSINE, SINE, X, Z, ALONG, ERROR, AT_HORIZON, AHEAD_COST = range(RANK)
# and of its integers: node, last edge, the walk it grew from, when it may blend again, whether it has stayed in the
# clip it is to stay in
NODE, EDGE, PARENT, FREE, STAYED = range(INTEGERS)


# Metres of the path whose walkers are compared with each other, and the least number of such stretches that share the
# beam: a runner who has come further without error is not better than a walker who may yet do so, and must not crowd
# him out before the corner.
REACH, LEVELS = 0.3, 2


class Beam(NamedTuple):
    """Walks that arrive at a node at one of the next R moments, at most C for each moment, and a ring of the last A that were kept."""

    floats: Array
    """``(R, C, FLOATS)``: numbers of each walk; see the columns above."""
    ints: NDArray[np.int64]
    """``(R, C, INTEGERS)``: whole numbers of each walk; see the columns above."""
    waiting: NDArray[np.int64]
    """``(R,)``: how many arrive at each moment."""
    cut: Array
    """``(R,)``: walks of a higher rank are not let in."""
    past: NDArray[np.int64]
    """``(A, 3)``: parent, edge and time of arrival of each walk that was kept."""
    seen: NDArray[np.int64]
    """``(N, 2)``: when a node was last met, and how often then."""
    level: NDArray[np.int64]
    """The same for stretches of the path."""
    numbers: NDArray[np.int64]
    """``(2,)``: how many walks were ever kept, and frames of the best complete walk."""
    best: Array
    """``(2,)``: error of the best complete walk, less the margin where it has stayed; and the error itself."""
    finish: NDArray[np.int64]
    """``(2,)``: the walk it grew from, and its last edge."""


def make_beam(nodes: int, moments: int, capacity: int, past: int, length: float) -> Beam:
    """An empty beam for a graph of so many nodes and a path of so many metres."""
    return Beam(
        np.zeros((moments, capacity, FLOATS)),
        np.zeros((moments, capacity, INTEGERS), np.int64),
        np.zeros(moments, np.int64),
        np.full(moments, np.inf),
        np.zeros((past, 3), np.int64),
        np.full((nodes, 2), -1, np.int64),
        np.full((int(length / REACH) + 2, 2), -1, np.int64),
        np.zeros(2, np.int64),
        np.full(2, np.inf),
        np.full(2, -1, np.int64),
    )


@njit(cache=True, nogil=True, inline="always")
def _slot_after(slot: int, frames: int, slots: int) -> int:
    """The slot of a moment ``frames`` later, fewer than there are slots; a remainder would take longer than a frame."""
    after = slot + frames
    return after - slots if after >= slots else after


@njit(cache=True, nogil=True)
def seed(
    tables: Tables, course: CourseArrays, prices: Prices, beam: Beam, nodes: NDArray[np.int64], places: Array
) -> None:
    """Let walks begin at nodes ``(n,)`` whose clips lie at places ``(n, 4)``: cosine, sine, x, z. Start k is its own
    parent −1 − k.
    """
    values, numbers = np.zeros(FLOATS), np.zeros(INTEGERS, np.int64)
    for k in range(nodes.size):
        copy_row(values, places[k])
        values[RANK] = carry_on(
            tables, course, prices, nodes[k], places[k, 0], places[k, 1], places[k, 2], places[k, 3], 0.0
        )
        values[RANK] += owed(course, nodes[k], 0.0)[0]
        numbers[NODE], numbers[EDGE], numbers[PARENT], numbers[STAYED] = nodes[k], -1, -1 - k, 1
        let_in(beam.floats, beam.ints, beam.waiting, beam.cut, 0, values, numbers)


@njit(cache=True, nogil=True)
def grow(
    tables: Tables,
    course: CourseArrays,
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
    track, begins, lengths, costs, blended = tables.track, tables.begin, tables.length, tables.cost, tables.blended
    firsts, targets, clips, turns, looks = tables.first, tables.target, tables.clip, tables.turn, tables.look
    rows, steer, facing, trail = tables.row, tables.steer, course.facing, np.empty(0)
    line, sections, strays, discs, boxes = course.line, course.section, course.strays, course.discs, course.boxes
    halt, toll, tolls, parts, ends = course.halt, course.toll, course.tolls, course.part, course.until
    needs, change, lasting = course.needs, course.change, course.lasting
    pieces, step, whole = course.pieces, course.step, course.length
    floats, integers, waiting, cut = beam.floats, beam.ints, beam.waiting, beam.cut
    pasts, seen, level, best = beam.past, beam.seen, beam.level, beam.best
    bordered = course.until.size > 0
    values, numbers = np.empty(9), np.empty(5, np.int64)
    ranks = np.empty(floats.shape[1])
    for moment in range(begin, end):
        slot = moment % slots
        n = waiting[slot]
        if n == 0:
            continue
        # side by side, which they are not among the other values of a walk
        for k in range(n):
            ranks[k] = floats[slot, k, RANK]
        order = np.argsort(ranks[:n])
        kept = 0
        for k in range(n):
            if kept == width:
                break
            own, ints = floats[slot, order[k]], integers[slot, order[k]]
            cosine, sine, x, z, reached, spent = own[COSINE], own[SINE], own[X], own[Z], own[ALONG], own[ERROR]
            if spent - margin * ints[STAYED] >= best[0]:
                continue
            node = ints[NODE]
            if seen[node, 0] != moment:
                seen[node, 0], seen[node, 1] = moment, 0
            if seen[node, 1] == per_node:
                continue
            reach = int(reached / REACH)
            if level[reach, 0] != moment:
                level[reach, 0], level[reach, 1] = moment, 0
            if level[reach, 1] * LEVELS >= width:
                continue
            level[reach, 1] += 1
            seen[node, 1] += 1
            kept += 1
            me = beam.numbers[0]
            beam.numbers[0] = me + 1
            place = me % ring
            pasts[place, 0], pasts[place, 1], pasts[place, 2] = ints[PARENT], ints[EDGE], moment
            # who must hurry to the next label, or has no other way on, need not wait between blends, but pays for it
            early = moment < ints[FREE]
            hurried = False
            if early and bordered:
                _, hurried = owed_on(toll, tolls, parts, ends, needs, change, pieces, step, whole, node, reached)
            free = not early or blended[firsts[node]] or hurried
            paid = spent + (HASTY if early else 0.0)
            for edge in range(firsts[node], firsts[node + 1]):
                if blended[edge] and not free:
                    continue
                target = targets[edge]
                stayed = ints[STAYED]
                if moment < until and kind[clips[target]] != kind[clips[node]]:
                    stayed = 0
                # what ranks beyond the cut would not be let in
                bound = min(best[0], cut[_slot_after(slot, lengths[edge], slots)]) + margin * stayed
                cost = costs[edge]
                along, error, noted, frames, c, s, px, pz = play_frames(
                    track,
                    steer,
                    line,
                    halt,
                    sections,
                    strays,
                    toll,
                    facing,
                    discs,
                    boxes,
                    prices,
                    pieces,
                    step,
                    whole,
                    edge,
                    begins[edge],
                    lengths[edge],
                    cosine,
                    sine,
                    x,
                    z,
                    reached,
                    (paid if blended[edge] else spent) + prices.blend * cost * cost,
                    horizon - moment,
                    bound,
                    trail,
                )
                if course.strictness > 0.0 and along >= whole:
                    error += missed_heading(tables, course, edge, frames, np.arctan2(s, c))
                    noted = min(noted, error)
                if error - margin * stayed >= best[0]:
                    continue
                if along >= whole:
                    if moment + frames <= limit:
                        best[0], best[1] = error - margin * stayed, error
                        beam.numbers[1] = moment + frames
                        beam.finish[0], beam.finish[1] = me, edge
                    continue
                if lasting[int(along * pieces)] > limit - moment - frames:
                    continue
                if blended[edge]:
                    values[COSINE], values[SINE], values[X], values[Z] = laid(c, s, px, pz, turns, edge)
                    numbers[FREE] = moment + frames + prices.gap
                else:
                    values[COSINE], values[SINE], values[X], values[Z] = c, s, px, pz
                    numbers[FREE] = ints[FREE]
                values[ALONG], values[ERROR], values[AT_HORIZON] = along, error, noted
                values[AHEAD_COST] = look_on(
                    looks,
                    steer,
                    line,
                    halt,
                    prices,
                    pieces,
                    step,
                    whole,
                    target,
                    rows[target],
                    values[COSINE],
                    values[SINE],
                    values[X],
                    values[Z],
                    along,
                )
                if bordered:
                    debt, _ = owed_on(toll, tolls, parts, ends, needs, change, pieces, step, whole, target, along)
                    values[AHEAD_COST] += debt
                values[RANK] = error - margin * stayed + values[AHEAD_COST]
                numbers[NODE], numbers[EDGE], numbers[PARENT], numbers[STAYED] = target, edge, me, stayed
                let_in(floats, integers, waiting, cut, _slot_after(slot, frames, slots), values, numbers)
        waiting[slot] = 0
        cut[slot] = np.inf


@njit(cache=True, nogil=True)
def ancestor(beam: Beam, walk: int, moment: int) -> int:
    """The last walk from which ``walk`` grew that arrived by ``moment``, or itself; −1 − n where it began later, as
    start n.
    """
    ring = beam.past.shape[0]
    while walk >= 0 and beam.past[walk % ring, 2] > moment:
        walk = beam.past[walk % ring, 0]
    return walk


@njit(cache=True, nogil=True, forceinline=True)
def _lineage(found: NDArray[np.uint8], first: int, root: int, walk: int) -> int:
    """What `_offspring` found of a walk: 0 where it did not grow from ``root``, 2 where it kept to clips of one kind."""
    return found[walk - first] if walk >= first else (2 if walk == root else 0)


@njit(cache=True, nogil=True)
def _offspring(
    tables: Tables, beam: Beam, moment: int, root: int, kind: NDArray[np.int64], clip: int, until: int
) -> tuple[int, NDArray[np.uint8]]:
    """Of the walks that arrived after ``moment``: the number of the first, and for each whether it grew from ``root``,
    which arrived by then (1), and has with all edges that begin before ``until`` kept to clips of one kind (2).

    Walks are numbered as they arrive, so that one pass from the first on knows of every parent before its children.
    """
    ring, last = beam.past.shape[0], beam.numbers[0]
    past, targets, clips = beam.past, tables.target, tables.clip
    first = last
    while first > 0 and first > last - ring and past[(first - 1) % ring, 2] > moment:
        first -= 1
    found = np.zeros(last - first, np.uint8)
    for walk in range(first, last):
        parent, edge = past[walk % ring, 0], past[walk % ring, 1]
        own = _lineage(found, first, root, parent)
        if own == 2 and past[parent % ring, 2] < until and kind[clips[targets[edge]]] != kind[clip]:
            own = 1
        found[walk - first] = own
    return first, found


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
    first, found = _offspring(tables, beam, moment, root, kind, clip, until)
    ring = beam.past.shape[0]
    for slot in range(beam.waiting.size):
        left = 0
        for k in range(beam.waiting[slot]):
            ints = beam.ints[slot, k]
            parent = ints[PARENT]
            own = _lineage(found, first, root, parent)
            if own == 0:
                continue
            before = beam.past[parent % ring, 2] < until
            strays = before and kind[tables.clip[tables.target[ints[EDGE]]]] != kind[clip]
            ints[STAYED] = 1 if own == 2 and not strays else 0
            copy_row(beam.ints[slot, left], ints)
            copy_row(beam.floats[slot, left], beam.floats[slot, k])
            left += 1
        beam.waiting[slot] = left
        beam.cut[slot] = np.inf
    if beam.finish[0] < 0:
        return
    parent = beam.finish[0]
    own = _lineage(found, first, root, parent)
    if own == 0:
        beam.best[0] = np.inf
        beam.finish[0] = -1
    else:
        before = beam.past[parent % ring, 2] < until
        strays = before and kind[tables.clip[tables.target[beam.finish[1]]]] != kind[clip]
        beam.best[0] = beam.best[1] - margin * (1 if own == 2 and not strays else 0)
