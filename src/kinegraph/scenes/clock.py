"""The search with a clock: walks that know when it is, where they are along the guide, and what is due. Compiled.

A walk is where its clip lies, how far along the guide it has come, what time it is (in frames, with a fraction, since
clips are played a little slower or faster), and what it has cost. Walks are kept by the moment at which they arrive at a
node. They are ranked by what they have cost, what just carrying on would, what labels, speeds, bends and transitions
will cost at least from that node at that moment, and by how many metres the next key cannot be reached in time any more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.walks.arriving import FLOATS, INTEGERS, RANK, let_in
from kinegraph.walks.course import FACING_FREE, HASTY, Prices, blocked_at, laid, place_on, turn_towards
from kinegraph.walks.outlook import look_on
from kinegraph.walks.tables import FACING_X, FACING_Z, REACH, Tables

# numbers of a walk
COSINE, SINE, X, Z, ALONG, TIME, RATE, ERROR = range(RANK)
NODE, EDGE, PARENT, FREE, KEY = range(INTEGERS)
# columns of a key: moment, x, z, heading, what a square metre costs by which it is missed, what a square radian does,
# metres along the guide, metres that the finish makes up for, and how far to the left of the root and ahead of it the point lies
# that is to be there
K_FRAME, K_X, K_Z, K_HEADING, K_PLACE, K_TURN, K_ALONG, K_FREE, K_LEFT, K_AHEAD = range(10)
# columns of a moment: metres along the guide that are due; what a square metre off the guide, and one behind or ahead of time,
# costs a frame; what it costs not to give what is asked for; metres a second that are due, and what the square of being off them
# costs; radians a second by which the guide turns, and what the square of turning otherwise costs
M_DUE, M_NEAR, M_TIMELY, M_TOLL, M_PACE, M_OFF_PACE, M_CURVE, M_OFF_CURVE = range(8)
# metres by which the point on the guide may run ahead of what the walker has gone in a frame
_SLACK = 0.01
# the square of how far it is behind or ahead of time counts up to so many square metres
_LATE = 9.0
# part of the way to the rate that is wished for which is made in a frame of 1/30 s
_EASE = 0.12
# by how much the price of a blend may exceed what the last walk that is kept would cost, before it is played at all
_HOPE = 0.5
WAITS, GRAIN = 3, HASTY / 250
"""After how many different waits a walk may be free for another transition, as foresight holds them, and the unit of what waiting costs."""
# metres of the guide of which at most half of the walks of a moment are on one stretch
LEVEL = 0.3


class Clock(NamedTuple):
    """A scene as the compiled search takes it: T + 1 moments, K keys, S things that are asked for."""

    line: Array
    """``(M, 5)``: the guide, as in `kinegraph.walks.course.CourseArrays`."""
    halt: Array
    """``(M,)``: −1, as nothing but the clock makes anybody halt."""
    step: float
    length: float
    """Metres of the guide."""
    moments: Array
    """``(T + 1, 8)``: what is due at every moment, and what it costs to be off; see the columns above."""
    low: Array
    """``(T + 1,)``: metres that are gone by then at least."""
    high: Array
    """``(T + 1,)``: metres that are gone by then at most."""
    need: NDArray[np.int64]
    """``(T + 1,)``: what is asked for."""
    lack: NDArray[np.float32]
    """``(S, R)``: how far each row of the tables is from what is asked for."""
    own: Array
    """``(R, 2)``: metres and radians a second that each row goes and turns by itself."""
    barred: NDArray[np.bool_]
    """``(E,)``: edges that may not be played."""
    keys: Array
    """``(K, 10)``: see the columns above."""
    discs: Array
    boxes: Array
    facing: float
    """What it costs a frame to face away from the way ahead."""
    slowest: float
    fastest: float
    """Rates between which clips are played."""
    ahead: float
    """Frames ahead by which a walker wants to be in time."""
    reach: float
    """Frames for which the tables tell how far a clip gets."""
    foresight: NDArray[np.float32]
    """``(T + 1, N)``: what is paid at least from each moment and node on."""
    later: NDArray[np.uint8]
    """``(T + 1, N, WAITS)``: how much more that is, in `GRAIN`, for who is not yet free for another transition; see `waits`."""
    jitter: Array
    """``(E,)``: what an edge costs besides, so that another seed gives another walk."""
    goal: int
    """The node at which a walk must end; −1 for any, at the last moment."""
    closing: Array
    """``(T + 1,)``: what it costs to end at that node at each moment, infinite where that cannot be."""
    end: Array
    """``(7,)``: where that node's body is to be then, x and z, cosine and sine of how its clip is to lie, what a square metre and a square
    radian cost by which it is not so, and metres that the finish makes up for.
    """


class Kept(NamedTuple):
    """Walks that arrive at one of the next R moments, at most C for each, and all that were kept."""

    floats: Array
    """``(R, C, FLOATS)``"""
    ints: NDArray[np.int64]
    """``(R, C, INTEGERS)``"""
    waiting: NDArray[np.int64]
    """``(R,)``"""
    cut: Array
    """``(R,)``: walks of a higher rank are not let in."""
    past: NDArray[np.int64]
    """``(A, 2)``: parent and edge of each that was kept."""
    seen: NDArray[np.int64]
    """``(N, 2)``: when a node was last met, and how often then."""
    level: NDArray[np.int64]
    """``(levels, 2)``: the same for stretches of the guide."""
    numbers: NDArray[np.int64]
    """``(3,)``: how many were ever kept, and the parent and the last edge of the best that is complete."""
    best: Array
    """``(1,)``: what that cost."""


@njit(cache=True, nogil=True)
def waits(gap: int) -> NDArray[np.int64]:
    """After how many frames who waits is free for another transition, of each column ``(WAITS,)``."""
    found = np.empty(WAITS, np.int64)
    for column in range(WAITS):
        found[column] = (column + 1) * gap // WAITS
    return found


def make_held(nodes: int, moments: int, capacity: int, past: int, length: float) -> Kept:
    """Nothing held yet."""
    return Kept(
        np.zeros((moments, capacity, FLOATS)), np.zeros((moments, capacity, INTEGERS), np.int64), np.zeros(moments, np.int64),
        np.full(moments, np.inf), np.zeros((past, 2), np.int64), np.full((nodes, 2), -1, np.int64),
        np.full((int(length / LEVEL) + 2, 2), -1, np.int64), np.array([0, -1, -1], np.int64), np.full(1, np.inf),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _facts(clock: Clock) -> Array:
    """The numbers of a clock."""
    return np.array([clock.facing, clock.slowest, clock.fastest, clock.ahead, clock.step, clock.length, clock.reach])


@njit(cache=True, nogil=True, inline="always")
def play_timed(
    track: Any, steer: Any, line: Any, halt: Any, moments: Any, need: Any, lack: Any, own: Any, keys: Any,
    discs: Any, boxes: Any, prices: Any, facts: Any, begin: int,
    asked: int, frames: int, cosine: float, sine: float, x: float, z: float,
    along: float, time: float, rate: float, key: int, error: float, bound: float, trail: Any,
) -> tuple[float, float, float, int, float, int, float, float, float, float]:  # fmt: skip
    """Play frames of the tables from ``begin`` on, by the clock: how far along the guide it then is, the time, the rate, the
    next key, the error, how many frames were played, and where the clip lies. The error is infinite where an obstacle
    stands or the bound is reached.

    facts: as `_facts` has them, since a compiled function takes no more than 30 values. asked: the row from which on ``lack``
    tells what they lack. trail ``(F, 3)``: turn and rate of each frame and its time are written there, if it has room.
    """
    facing, slowest, fastest, far, step, whole = facts[0], facts[1], facts[2], facts[3], facts[4], facts[5]
    spell = facts[6]
    pieces = 1.0 / step
    last = moments.shape[0] - 1
    frame, bending = prices.frame, prices.bending
    px, pz, dx, dz, _ = place_on(line, pieces, step, along)
    played = frames
    for k in range(frames):
        row = begin + k
        tx, tz, gone = track[row, 0], track[row, 1], track[row, 2]
        wx, wz = cosine * tx + sine * tz + x, cosine * tz - sine * tx + z
        moment = min(int(time + 0.5), last)
        along = min(along + min(max((wx - px) * dx + (wz - pz) * dz, 0.0), 2.0 * gone + _SLACK), whole)
        px, pz, dx, dz, _ = place_on(line, pieces, step, along)
        off = (wx - px) * (wx - px) + (wz - pz) * (wz - pz)
        now = moments[moment]
        late = along - now[M_DUE]
        share = 1.0 / rate
        error += share * (frame * now[M_NEAR] * off + now[M_TIMELY] * min(late * late, _LATE))
        # what graph and clock alone tell: `foresight` counts the same
        pace, curve = own[asked + k, 0] - now[M_PACE], own[asked + k, 1] - now[M_CURVE]
        error += share * (
            now[M_TOLL] * lack[need[moment], asked + k]
            + now[M_OFF_PACE] * pace * pace
            + now[M_OFF_CURVE] * curve * curve
        )
        fx, fz = steer[row, FACING_X], steer[row, FACING_Z]
        fx, fz = cosine * fx + sine * fz, cosine * fz - sine * fx
        reach = steer[row, REACH]
        if reach > 0.1:
            error += share * facing * max(FACING_FREE - (fx * dx + fz * dz), 0.0)
        while key < keys.shape[0] and time + 0.5 >= keys[key, K_FRAME]:
            left, ahead = keys[key, K_LEFT], keys[key, K_AHEAD]
            miss = np.hypot(wx + ahead * fx + left * fz - keys[key, K_X], wz + ahead * fz - left * fx - keys[key, K_Z])
            beyond = max(miss - keys[key, K_FREE], 0.0)
            error += keys[key, K_PLACE] * (beyond * beyond + 0.1 * miss * miss)
            if keys[key, K_TURN] > 0.0:
                sin, cos = np.sin(keys[key, K_HEADING]), np.cos(keys[key, K_HEADING])
                turned = np.arctan2(fx * cos - fz * sin, fx * sin + fz * cos)
                error += keys[key, K_TURN] * turned * turned
            key += 1
        if error >= bound or blocked_at(discs, boxes, wx, wz):
            error = np.inf
            break
        turn = 0.0
        if bending > 0.0:
            turn = bending * gone * turn_towards(steer, row, line, halt, pieces, step, whole, along, cosine, sine, x, z)
            ct, st = 1.0 - 0.5 * turn * turn, turn
            cosine, sine = cosine * ct - sine * st, sine * ct + cosine * st
            grown = 1.5 - 0.5 * (cosine * cosine + sine * sine)
            cosine, sine = grown * cosine, grown * sine
            x, z = wx - cosine * tx - sine * tz, wz - cosine * tz + sine * tx
        if k < trail.shape[0]:
            trail[k, 0], trail[k, 1], trail[k, 2] = turn, rate, time
        begun = time
        time += share
        # as fast as brings the walker, who is ``along`` now, in time to where he is due a while ahead
        wished = 1.0
        if reach > 0.1:
            then = min(time + far, float(last))
            at = int(then)
            ahead = moments[at, M_DUE]
            if at < last:
                ahead += (then - at) * (moments[at + 1, M_DUE] - ahead)
            if key == 0 and keys.shape[0] > 0 and then < keys[0, K_FRAME]:
                # before the first key nothing is due but to be there in time
                ahead = along + (keys[0, K_ALONG] - along) * (then - begun) / (keys[0, K_FRAME] - begun)
            # what the clip gets on in that while, at its speed of the next moments
            metres = reach * (then - begun) / spell
            if metres > 0.05 and key < keys.shape[0]:
                wished = min(max((ahead - along) / metres, slowest), fastest)
        rate += _EASE * frame * (wished - rate)
        if time > last:
            played = k + 1
            break
    return along, time, rate, key, error, played, cosine, sine, x, z


@njit(cache=True, nogil=True, inline="always")
def _trapped(keys: Any, key: int, low: Any, high: Any, along: float, time: float) -> float:
    """What it will cost at least that the next key can be reached in time no more, or not that late."""
    if key >= keys.shape[0]:
        return 0.0
    moment, there = int(time), int(keys[key, K_FRAME])
    left = keys[key, K_ALONG] - along
    # who goes round a bend may cut it
    beyond = max(0.95 * left - (high[there] - high[moment]), 0.0) + max((low[there] - low[moment]) - 1.1 * left, 0.0)
    beyond = max(beyond - keys[key, K_FREE], 0.0)
    cost: float = keys[key, K_PLACE] * beyond * beyond
    return cost


@njit(cache=True, nogil=True, inline="always")
def _astray(track: Any, row: int, values: Any, end: Any) -> float:
    """What it costs to end elsewhere, or turned otherwise, than at the end that is asked for."""
    cosine, sine = values[COSINE], values[SINE]
    x = cosine * track[row, 0] + sine * track[row, 1] + values[X]
    z = cosine * track[row, 1] - sine * track[row, 0] + values[Z]
    miss = np.hypot(x - end[0], z - end[1])
    beyond = max(miss - end[6], 0.0)
    turned = np.arctan2(sine * end[2] - cosine * end[3], cosine * end[2] + sine * end[3])
    cost: float = end[4] * (beyond * beyond + 0.1 * miss * miss) + end[5] * turned * turned
    return cost


@njit(cache=True, nogil=True)
def seed(
    tables: Tables, clock: Clock, prices: Prices, held: Kept, nodes: NDArray[np.int64], places: Array, along: Array,
    time: float, rate: float, key: int,
) -> None:  # fmt: skip
    """Let walks begin at nodes ``(n,)`` whose clips lie at places ``(n, 4)``, ``along (n,)`` metres along the guide. Start k is
    its own parent −1 − k. time, rate, key: when that is, how fast clips are played then, and which key comes next.
    """
    values, numbers = np.zeros(FLOATS), np.zeros(INTEGERS, np.int64)
    moment = int(time)
    for k in range(nodes.size):
        node = nodes[k]
        for n in range(4):
            values[n] = places[k, n]
        values[ALONG], values[TIME], values[RATE], values[ERROR] = along[k], time, rate, 0.0
        values[RANK] = clock.moments[moment, M_NEAR] * look_on(
            tables.look, tables.steer, clock.line, clock.halt, prices, 1.0 / clock.step, clock.step, clock.length, node,
            tables.row[node], values[COSINE], values[SINE], values[X], values[Z], along[k],
        ) + clock.foresight[moment, node]  # fmt: skip
        numbers[NODE], numbers[EDGE], numbers[PARENT], numbers[FREE], numbers[KEY] = node, -1, -1 - k, 0, key
        let_in(held.floats, held.ints, held.waiting, held.cut, moment % held.waiting.size, values, numbers)


@njit(cache=True, nogil=True)
def grow(
    tables: Tables, clock: Clock, prices: Prices, held: Kept, begin: int, until: int, width: int, per_node: int
) -> None:
    """Let all walks that arrive at moments ``begin`` … ``until``−1 go on by an edge."""
    slots = held.waiting.size
    # out of their tuples once: a look into a tuple of arrays counts references
    track, begins, lengths, costs, blended = tables.track, tables.begin, tables.length, tables.cost, tables.blended
    firsts, targets, turns, looks = tables.first, tables.target, tables.turn, tables.look
    rows, steer = tables.row, tables.steer
    line, halt, moments, own_pace = clock.line, clock.halt, clock.moments, clock.own
    low, high, need, lack = clock.low, clock.high, clock.need, clock.lack
    barred, keys, discs, boxes = clock.barred, clock.keys, clock.discs, clock.boxes
    foresight, later, jitter, goal, closing = clock.foresight, clock.later, clock.jitter, clock.goal, clock.closing
    end, gap = clock.end, prices.gap
    facts = _facts(clock)
    step, whole = clock.step, clock.length
    pieces = 1.0 / step
    floats, ints, waiting, cut = held.floats, held.ints, held.waiting, held.cut
    pasts, seen, level, best = held.past, held.seen, held.level, held.best
    values, numbers = np.empty(9), np.empty(5, np.int64)
    ranks = np.empty(floats.shape[1])
    trail = np.empty((0, 3))
    last = len(moments) - 1
    for moment in range(begin, until):
        slot = moment % slots
        n = waiting[slot]
        for k in range(n):
            ranks[k] = floats[slot, k, RANK]
        order = np.argsort(ranks[:n])
        kept = 0
        hopeless = ranks[order[width - 1]] + _HOPE if n >= width else np.inf
        for k in range(n):
            if kept == width:
                break
            own, whole_numbers = floats[slot, order[k]], ints[slot, order[k]]
            spent, node = own[ERROR], whole_numbers[NODE]
            # by what it has cost: what is foreseen holds for clips that are played as captured
            if spent >= best[0]:
                continue
            if seen[node, 0] != moment:
                seen[node, 0], seen[node, 1] = moment, 0
            if seen[node, 1] == per_node:
                continue
            stretch = int(own[ALONG] / LEVEL)
            if level[stretch, 0] != moment:
                level[stretch, 0], level[stretch, 1] = moment, 0
            if level[stretch, 1] * 2 >= width and kept * 2 < width:
                continue
            level[stretch, 1] += 1
            seen[node, 1] += 1
            kept += 1
            me = held.numbers[0]
            held.numbers[0] = me + 1
            pasts[me, 0], pasts[me, 1] = whole_numbers[PARENT], whole_numbers[EDGE]
            early = moment < whole_numbers[FREE]
            for edge in range(firsts[node], firsts[node + 1]):
                if barred[edge]:
                    continue
                hurry = early and blended[edge]
                cost = costs[edge]
                paid = spent + prices.blend * cost * cost + jitter[edge] + (HASTY if hurry else 0.0)
                if blended[edge]:
                    then = min(int(own[TIME] + lengths[edge] / own[RATE]), last)
                    # whoever gets there would not be kept
                    if paid + foresight[then, targets[edge]] + GRAIN * later[then, targets[edge], WAITS - 1] > hopeless:
                        continue
                along, time, rate, key, error, _, c, s, px, pz = play_timed(
                    track, steer, line, halt, moments, need, lack, own_pace, keys, discs, boxes, prices, facts,
                    begins[edge], begins[edge], lengths[edge], own[COSINE], own[SINE],
                    own[X], own[Z], own[ALONG], own[TIME], own[RATE], whole_numbers[KEY], paid, best[0], trail,
                )  # fmt: skip
                if error >= best[0]:
                    continue
                target = targets[edge]
                if time > last:
                    if goal < 0:
                        best[0] = error
                        held.numbers[1], held.numbers[2] = me, edge
                    continue
                if blended[edge]:
                    values[COSINE], values[SINE], values[X], values[Z] = laid(c, s, px, pz, turns, edge)
                    numbers[FREE] = int(time) + gap
                else:
                    values[COSINE], values[SINE], values[X], values[Z] = c, s, px, pz
                    numbers[FREE] = whole_numbers[FREE]
                values[ALONG], values[TIME], values[RATE], values[ERROR] = along, time, rate, error
                # who is fast may go on by a frame within a moment: he is looked at with those of the next
                arrives = min(max(int(time), moment + 1), last)
                if target == goal:
                    there = error + closing[arrives] + _astray(track, rows[target], values, end)
                    if there < best[0]:
                        best[0] = there
                        held.numbers[1], held.numbers[2] = me, edge
                rank = error + foresight[arrives, target] + _trapped(keys, key, low, high, along, time)
                if numbers[FREE] > arrives:
                    column = (numbers[FREE] - arrives) * WAITS // gap - 1
                    rank += GRAIN * later[arrives, target, min(column, WAITS - 1)] if column >= 0 else 0.0
                rank += moments[arrives, M_NEAR] * look_on(
                    looks, steer, line, halt, prices, pieces, step, whole, target, rows[target], values[COSINE],
                    values[SINE], values[X], values[Z], along,
                )  # fmt: skip
                values[RANK] = rank
                numbers[NODE], numbers[EDGE], numbers[PARENT], numbers[KEY] = target, edge, me, key
                let_in(floats, ints, waiting, cut, arrives % slots, values, numbers)
        waiting[slot] = 0
        cut[slot] = np.inf


@njit(cache=True, nogil=True)
def replay(
    track: Array,
    steer: Array,
    clock: Clock,
    prices: Prices,
    asked: NDArray[np.int64],
    lengths: NDArray[np.int64],
    along: float,
    time: float,
    rate: float,
    key: int,
) -> tuple[Array, float]:
    """Turn, rate and time ``(F, 3)`` of every frame of a way that is known to its end, and what it costs.

    track, steer: as in `Tables`, laid on the floor. asked, lengths ``(n,)``: of its edges, the row at which
    ``lack`` has them, and how many frames they are. along, time, rate, key: as in `seed`.
    """
    trail, facts = np.zeros((len(track), 3)), _facts(clock)
    cosine, sine, x, z, begin, error = 1.0, 0.0, 0.0, 0.0, 0, 0.0
    for k in range(len(lengths)):
        along, time, rate, key, error, _, cosine, sine, x, z = play_timed(
            track, steer, clock.line, clock.halt, clock.moments, clock.need, clock.lack, clock.own, clock.keys,
            np.zeros((0, 3)), np.zeros((0, 4)), prices, facts, begin, asked[k],
            lengths[k], cosine, sine, x, z, along, time, rate,
            key, error, np.inf, trail[begin : begin + lengths[k]],
        )  # fmt: skip
        begin += lengths[k]
        if time > len(clock.moments) - 1:
            # what is left of the last edge goes on as it was
            break
    # frames past the end of time
    ended = len(track)
    for k in range(1, len(track)):
        if trail[k, 1] == 0.0:
            ended = k
            break
    for k in range(ended, len(track)):
        trail[k, 1], trail[k, 2] = trail[k - 1, 1], trail[k - 1, 2] + 1.0 / trail[k - 1, 1]
    return trail, error
