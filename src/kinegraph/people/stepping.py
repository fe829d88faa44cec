"""The next frame of many people, compiled: where each is in the graph, how its clip lies on the floor, and its pose.

A person is between two rows: the one that is shown now and the one that is shown next, each with the place of its clip on the floor. What
comes after the next row is decided when that row is reached, by the wish of that moment.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools, Longs, Singles
from kinegraph.compiled import njit
from kinegraph.people.choice import Asked, Manner, Played, best, paced, turning

# rad/s² by which turning begins and ends; and by how much the pace changes in a second
QUICKER, _HASTE = 30.0, 2.0
# metres by which who sets out leans, and how many radians of a swing that takes in a second; m/s from which on one no longer does
_LEANS, _SWING, _GOES = 0.06, 8.0, 0.8


class Cursors(NamedTuple):
    """Where N people are."""

    edge: Longs
    """``(N, 2)``: the edges of the row that is shown and of the next."""
    step: Longs
    """``(N, 2)``: which of an edge's rows they are."""
    place: Array
    """``(N, 2, 3)``: angle, x and z that lay their clips on the floor."""
    phase: Array
    """``(N,)``: the share of the way from the one row to the next."""
    turn: Array
    """``(N,)``: rad/s by which the person is being turned."""
    pace: Array
    """``(N,)``: how fast it is played."""
    lean: Array
    """``(N, 2, 2)``: how far the body is ahead of its clip along x and z, since it sets out, in metres; and m/s."""
    acting: Longs
    """``(N,)``: 1 while an action is sought, 2 while it is done, 0 else."""

    @staticmethod
    def of(count: int) -> Cursors:
        """Nobody is anywhere yet: `begin` sets them out."""
        edge, step = np.zeros((2, count, 2), np.int64)
        phase, turn = np.zeros((2, count))
        place, lean = np.zeros((count, 2, 3)), np.zeros((count, 2, 2))
        return Cursors(edge, step, place, phase, turn, np.ones(count), lean, np.zeros(count, np.int64))


@njit(cache=True, nogil=True)
def begin(
    cursors: Cursors,
    nodes: Longs,
    rows: Played,
    steady: Array,
    turn: Array,
    asked: Asked,
    values: Singles,
    speeds: Array,
    manner: Manner,
) -> None:
    """Stand people at ``nodes (N,)``, on the origin, facing +Z. The rest as in `go`."""
    still = np.zeros((len(nodes), 2))
    for person in range(len(nodes)):
        edge = best(rows, nodes[person], asked, values, speeds, 0.0, 0.0, manner)
        row = rows.begin[edge]
        angle = -rows.facing[row]
        cosine, sine = np.cos(angle), np.sin(angle)
        cursors.edge[person] = edge
        cursors.place[person, :, 0] = angle
        cursors.place[person, :, 1] = -(cosine * steady[row, 0] + sine * steady[row, 1])
        cursors.place[person, :, 2] = -(cosine * steady[row, 1] - sine * steady[row, 0])
        onward(cursors, person, still, rows, turn, asked, values, speeds, manner)


@njit(cache=True, nogil=True)
def steer(cursors: Cursors, who: Longs, velocity: Array, rows: Played, steady: Array, manner: Manner) -> None:
    """How fast people ``who (n,)`` are turned and played for their wished velocity ``(N, 2)``, m/s along x and z. Turns them."""
    for person in who:
        wished = np.hypot(velocity[person, 0], velocity[person, 1])
        row = rows.begin[cursors.edge[person, 0]] + cursors.step[person, 0]
        pace, turn = 1.0, 0.0
        if cursors.acting[person] != 2:
            pace = paced(rows.speed[row], wished, manner)
            if wished > 0.2:
                direction = np.arctan2(velocity[person, 0], velocity[person, 1])
                off = direction - cursors.place[person, 0, 0] - rows.ahead[row]
                turn = turning(rows.speed[row] * cursors.pace[person], off, manner)
        most = _HASTE / manner.fps
        cursors.pace[person] += min(max(pace - cursors.pace[person], -most), most)
        most = QUICKER / manner.fps
        cursors.turn[person] += min(max(turn - cursors.turn[person], -most), most)
        turned(cursors, person, row, steady, cursors.turn[person] / manner.fps)
        most = 0.0
        if wished > 0.3 and cursors.acting[person] != 2:
            most = _LEANS / wished * max(1.0 - rows.speed[row] / min(wished, _GOES), 0.0)
        _leaning(cursors.lean[person], most * velocity[person, 0], most * velocity[person, 1], manner.fps)


@njit(cache=True, nogil=True)
def _leaning(lean: Array, x: float, z: float, fps: float) -> None:
    """Bring a body towards where it leans, ``x`` and ``z``, like a damped spring."""
    for axis in range(2):
        missing = (x if axis == 0 else z) - lean[0, axis]
        lean[1, axis] += (_SWING * _SWING * missing - 2.0 * _SWING * lean[1, axis]) / fps
        lean[0, axis] += lean[1, axis] / fps


@njit(cache=True, nogil=True)
def turned(cursors: Cursors, person: int, row: int, steady: Array, angle: float) -> None:
    """Turn a person by an ``angle`` about where it is."""
    if angle == 0.0:
        return
    here, x, z = cursors.place[person, 0]
    cosine, sine = np.cos(here), np.sin(here)
    about_x = cosine * steady[row, 0] + sine * steady[row, 1] + x
    about_z = cosine * steady[row, 1] - sine * steady[row, 0] + z
    cosine, sine = np.cos(angle), np.sin(angle)
    for k in range(2):
        dx, dz = cursors.place[person, k, 1] - about_x, cursors.place[person, k, 2] - about_z
        cursors.place[person, k, 0] += angle
        cursors.place[person, k, 1] = about_x + cosine * dx + sine * dz
        cursors.place[person, k, 2] = about_z + cosine * dz - sine * dx


@njit(cache=True, nogil=True)
def go(
    cursors: Cursors,
    who: Longs,
    velocity: Array,
    rows: Played,
    turn: Array,
    asked: Asked,
    values: Singles,
    speeds: Array,
    manner: Manner,
) -> None:
    """Take people ``who (n,)`` on by one frame.

    turn: ``(E, 4)``, as in `walks.tables.Tables`. asked, values, speeds: as in `choice.best`.
    """
    for person in who:
        cursors.phase[person] += cursors.pace[person]
        while cursors.phase[person] > 1.0 - 1e-9:
            cursors.phase[person] = max(cursors.phase[person] - 1.0, 0.0)
            shifted(cursors, person)
            onward(cursors, person, velocity, rows, turn, asked, values, speeds, manner)


@njit(cache=True, nogil=True)
def shifted(cursors: Cursors, person: int) -> None:
    """What was next is now."""
    cursors.edge[person, 0] = cursors.edge[person, 1]
    cursors.step[person, 0] = cursors.step[person, 1]
    cursors.place[person, 0] = cursors.place[person, 1]


@njit(cache=True, nogil=True)
def onward(
    cursors: Cursors,
    person: int,
    velocity: Array,
    rows: Played,
    turn: Array,
    asked: Asked,
    values: Singles,
    speeds: Array,
    manner: Manner,
) -> None:
    """Decide what comes next."""
    edge = cursors.edge[person, 0]
    row = rows.begin[edge] + cursors.step[person, 0]
    if cursors.acting[person] == 1 and not asked.lacks[row]:
        cursors.acting[person] = 2
    elif cursors.acting[person] == 2 and asked.outside[row]:
        cursors.acting[person] = 0
    if cursors.step[person, 0] + 1 < rows.length[edge]:
        cursors.step[person, 1] = cursors.step[person, 0] + 1
        return
    arrive(cursors, person, turn)
    wished = np.hypot(velocity[person, 0], velocity[person, 1])
    direction = np.arctan2(velocity[person, 0], velocity[person, 1])
    node = rows.target[edge]
    taken = -1
    if cursors.acting[person] == 2:
        # an action is seen to its end, as it was captured; where its clip ends, it is left by the best way out
        price = np.inf
        for out in range(rows.first[node], rows.first[node + 1]):
            again = not asked.outside[rows.begin[out] + rows.length[out] - 1]
            cost = rows.price[out] + (1e3 if again and rows.price[out] > 0.0 else 0.0)
            if cost < price:
                price, taken = cost, out
        if price > 0.0:
            cursors.acting[person] = 0
    if taken < 0:
        taken = best(rows, node, asked, values, speeds, direction - cursors.place[person, 1, 0], wished, manner)
    cursors.edge[person, 1] = taken
    cursors.step[person, 1] = 0


@njit(cache=True, nogil=True)
def arrive(cursors: Cursors, person: int, turn: Array) -> None:
    """Lay the clip at which the edge of the row that is shown arrives on the floor, as the place of what comes next."""
    edge = cursors.edge[person, 0]
    cosine, sine, x, z = turn[edge]
    angle = cursors.place[person, 0, 0]
    mine, own = np.cos(angle), np.sin(angle)
    cursors.place[person, 1, 0] = angle + np.arctan2(sine, cosine)
    cursors.place[person, 1, 1] = cursors.place[person, 0, 1] + mine * x + own * z
    cursors.place[person, 1, 2] = cursors.place[person, 0, 2] + mine * z - own * x


@njit(cache=True, nogil=True)
def pose(
    cursors: Cursors,
    begin: Longs,
    roots: Singles,
    turns: Singles,
    contacts: Bools,
    root: Array,
    rotations: Array,
    down: Bools,
) -> None:
    """The poses of N people, before their feet are held: ``root (N, 3)``, ``rotations (N, J, 4)``, and which parts of their feet are
    ``down (N, 4)``. roots, turns, contacts: of all rows.
    """
    joints = turns.shape[1]
    for person in range(len(root)):
        phase = cursors.phase[person]
        here = begin[cursors.edge[person, 0]] + cursors.step[person, 0]
        there = begin[cursors.edge[person, 1]] + cursors.step[person, 1]
        down[person] = contacts[here] if phase < 0.5 else contacts[there]
        root[person, 0], root[person, 1], root[person, 2] = cursors.lean[person, 0, 0], 0.0, cursors.lean[person, 0, 1]
        for k in range(2):
            weight, row = (1.0 - phase, here) if k == 0 else (phase, there)
            if weight == 0.0:
                continue
            angle, shift_x, shift_z = cursors.place[person, k]
            cosine, sine = np.cos(angle), np.sin(angle)
            root[person, 0] += weight * (cosine * roots[row, 0] + sine * roots[row, 2] + shift_x)
            root[person, 1] += weight * roots[row, 1]
            root[person, 2] += weight * (cosine * roots[row, 2] - sine * roots[row, 0] + shift_z)
            half, sine_half = np.cos(0.5 * angle), np.sin(0.5 * angle)
            for joint in range(joints):
                w, x, y, z = turns[row, joint]
                if joint == 0:
                    # turned about +Y
                    w, x, y, z = (
                        half * w - sine_half * y,
                        half * x + sine_half * z,
                        half * y + sine_half * w,
                        half * z - sine_half * x,
                    )
                own = rotations[person, joint]
                if k == 0 or phase == 1.0:
                    own[0], own[1], own[2], own[3] = weight * w, weight * x, weight * y, weight * z
                else:
                    same = weight if own[0] * w + own[1] * x + own[2] * y + own[3] * z >= 0.0 else -weight
                    own[0] += same * w
                    own[1] += same * x
                    own[2] += same * y
                    own[3] += same * z
        if phase > 0.0:
            for joint in range(joints):
                own = rotations[person, joint]
                own /= np.sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2] + own[3] * own[3])
