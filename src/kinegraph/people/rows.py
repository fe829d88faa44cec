"""Every frame that a person can show, in rows: those of all clips one after another, then those of all transitions.

Rows are numbered as in `walks.tables`. Transitions are mixed when somebody first takes them: most of a large graph is never seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array, Bools, Indices, Singles
from kinegraph.blending.playing import mixed
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.walks.tables import AHEAD_X, FACING_X, STEADY_X, Tables, tables

# metres within the next third of a second below which where somebody will be says nothing about where they go
_STANDS = 0.05
# how much more than in 99 of 100 frames the velocity of a joint changes where it jumps
_JUMPS = 1.5
# m/s, by which the joints of somebody who stands move, and of somebody who goes on top of that, for each m/s along the floor
_BREATHES, _STRIDES = 0.15, 0.7
# seconds for which nobody lifts a foot
_MOMENT = 0.1


@dataclass(frozen=True, eq=False)
class Rows:
    """R frames: T of the clips, then B of the transitions. Each lies as its clip was captured; a transition as the clip that it leaves."""

    graph: MotionGraph
    tables: Tables
    root: Singles
    """``(R, 3)``"""
    rotations: Singles
    """``(R, J, 4)``"""
    contacts: Bools
    """``(R, 4)``: when left heel, left ball, right heel and right ball stand."""
    steady: Array
    """``(R, 2)``: where the body is on the floor without the sway of its strides. People are turned about it."""
    speed: Array
    """``(R,)``: m/s of that point."""
    way: Array
    """``(R,)``: where it goes, as a heading."""
    ahead: Array
    """``(R,)``: the direction from it to where it will be in a while."""
    facing: Array
    """``(R,)``: where the body faces."""
    rough: Array
    """``(R,)``: 1 where the capture lost a joint or one jumps, 0 else, and in transitions."""
    stir: Array
    """``(R,)``: m/s by which joints move, up and down and against the body, beyond what its speed along the floor explains: who jumps,
    waves or strikes stirs, and who stands, walks or runs does not."""
    angle: Array
    """``(E,)``: the turn of the transform that lays the clip at which an edge arrives on the one that it leaves."""
    is_mixed: Bools
    """``(E,)``: whose rows can be shown: original edges, and transitions that were taken before."""

    def mix(self, edges: Indices) -> None:
        """Fill the rows of transitions that have not been taken before."""
        for lot in mixed(self.graph, edges):
            at = self.tables.begin[lot.edges][:, None] + np.arange(lot.root.shape[1])
            self.root[at], self.rotations[at] = lot.root, lot.rotations
            self.contacts[at] = self._bridged(lot.edges, lot.contacts)
            self.is_mixed[lot.edges] = True

    def _bridged(self, edges: Indices, contacts: Bools) -> Bools:
        """Contacts ``(m, L, 4)`` of transitions in which feet do not lift for a moment only because one clip has them down until just
        before, and the other from just after, it weighs more.
        """
        graph, row, short = self.graph, self.tables.row, round(_MOMENT * self.graph.fps)
        source, target, around = graph.edges.source[edges], graph.edges.target[edges], np.arange(short)
        left = np.array([len(clip) for clip in graph.clips])[graph.node_clip[target]] - 1 - graph.node_frame[target]
        before = row[source][:, None] + np.maximum(around - short, -graph.node_frame[source][:, None])
        after = row[target][:, None] + np.minimum(around, left[:, None])
        whole = np.concatenate([self.contacts[before], contacts, self.contacts[after]], axis=1)
        for side in range(2):
            for down in whole[..., 2 * side : 2 * side + 2]:
                gaps = spans(~down.any(axis=1))
                for first, last in gaps:
                    if first > 0 and last < len(down) and last - first <= short:
                        down[first:last] = down[first - 1]
        return whole[:, short : short + contacts.shape[1]]


@lru_cache(maxsize=4)
def rows(graph: MotionGraph) -> Rows:
    """The rows of a graph, which all people on it share; remembered for the next call."""
    table = tables(graph)
    count, own = len(table.steer), sum(len(clip) for clip in graph.clips)
    # pages that nobody writes to take no memory
    root = np.zeros((count, 3), np.float32)
    rotations = np.zeros((count, len(graph.skeleton), 4), np.float32)
    contacts = np.zeros((count, 4), np.bool_)
    root[:own] = np.concatenate([clip.motion.root for clip in graph.clips])
    rotations[:own] = np.concatenate([clip.motion.rotations for clip in graph.clips])
    contacts[:own] = np.concatenate([clip.contacts for clip in graph.clips])
    steady = np.ascontiguousarray(table.steer[:, STEADY_X : STEADY_X + 2])
    velocity = _velocity(graph, table, steady[:own])
    speed = np.hypot(*velocity.T)
    moves = np.concatenate([_moves(clip.motion) for clip in graph.clips])
    old, new, weight, _ = _sides(graph, table)
    moves = np.concatenate([moves, (1.0 - weight) * moves[old] + weight * moves[new]])
    way = np.arctan2(velocity[:, 0], velocity[:, 1])
    chord = table.steer[:, AHEAD_X : AHEAD_X + 2] - steady
    ahead = np.where(np.hypot(*chord.T) > _STANDS, np.arctan2(chord[:, 0], chord[:, 1]), way)
    facing = np.arctan2(table.steer[:, FACING_X], table.steer[:, FACING_X + 1])
    return Rows(
        graph,
        table,
        root,
        rotations,
        contacts,
        steady,
        speed,
        way,
        ahead,
        facing,
        np.concatenate([_rough(graph), np.zeros(count - own)]),
        np.maximum(moves - _BREATHES - _STRIDES * speed, 0.0),
        np.asarray(graph.edges.angle, np.float64),
        np.logical_not(table.blended),
    )


def jumps(graph: MotionGraph) -> Array:
    """``(T,)``: by how many metres a frame the velocity of a joint changes at each captured frame, at most."""
    found = []
    for clip in graph.clips:
        change = np.diff(clip.motion.positions, n=2, axis=0) if len(clip) > 2 else np.zeros((0, 1, 3))
        found.append(np.pad(np.linalg.norm(change, axis=-1).max(axis=1), 1, mode="constant")[: len(clip)])
    return np.concatenate(found)


def _rough(graph: MotionGraph) -> Array:
    """``(T,)``: which captured frames should be shown to nobody who can do without them."""
    change = jumps(graph)
    sound = np.concatenate([clip.sound for clip in graph.clips])
    rough: Array = np.where((change > _JUMPS * np.percentile(change, 99)) | ~sound, 1.0, 0.0)
    return rough


def _moves(motion: Motion) -> Array:
    """m/s ``(F,)`` of the joints on average, seen from the body: how it goes along the floor and turns is no part of it."""
    if len(motion) < 2:
        return np.zeros(len(motion))
    heading = motion.heading()
    cosine, sine = np.cos(heading)[:, None], np.sin(heading)[:, None]
    x, z = (motion.positions[..., axis] - motion.root[:, None, axis] for axis in (0, 2))
    seen = np.stack([cosine * x - sine * z, motion.positions[..., 1], cosine * z + sine * x], axis=-1)
    moves: Array = np.linalg.norm(np.gradient(seen, axis=0), axis=-1).mean(axis=1) * motion.fps
    return moves


def _sides(graph: MotionGraph, table: Tables) -> tuple[Indices, Indices, Array, Indices]:
    """Of every row of the transitions ``(B,)``: the rows of the clips that it mixes, how much of the second, and its edge."""
    edges = graph.edges
    lengths = np.where(table.blended, table.length, 0)
    edge = np.repeat(np.arange(len(edges)), lengths)
    step = np.arange(len(edge)) - (np.cumsum(lengths) - lengths)[edge]
    old, new = table.row[edges.source[edge]] + step, table.row[edges.target[edge]] - table.length[edge] + step
    return old, new, (step + 1) / (table.length[edge] + 1), edge


def _velocity(graph: MotionGraph, table: Tables, steady: Array) -> Array:
    """m/s ``(R, 2)`` of the steady points, whose clips' are ``(T, 2)``; in a transition from the one clip's to the other's."""
    ends = np.cumsum([len(clip) for clip in graph.clips])[:-1]
    parts = [np.gradient(part, axis=0) if len(part) > 1 else np.zeros_like(part) for part in np.split(steady, ends)]
    clips = np.concatenate(parts) * graph.fps
    before, after, weight, edge = _sides(graph, table)
    old, new = clips[before], clips[after]
    cosine, sine = table.turn[edge, 0], table.turn[edge, 1]
    laid = np.stack([cosine * new[:, 0] + sine * new[:, 1], cosine * new[:, 1] - sine * new[:, 0]], axis=-1)
    return np.concatenate([clips, (1.0 - weight)[:, None] * old + weight[:, None] * laid])
