"""People that are steered frame by frame: each has a wish, and all take the next step together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.errors import GraphError
from kinegraph.feet import knees
from kinegraph.feet.sole import Sole, has_legs, soles
from kinegraph.graph.model import MotionGraph
from kinegraph.live.lock import Feet, Legs, lock
from kinegraph.live.policy import SPEEDS, Policy, policy
from kinegraph.live.stepping import Cursors, go, pose, shifted, steer
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.motion.skeleton import Skeleton


class People:
    """N people on one graph, each with its own wish."""

    def __init__(self, graph: MotionGraph, count: int = 1, *, feet: bool = True, seed: int = 0) -> None:
        """seed: from where in the graph each starts. feet: whether they are held where they stand."""
        if count < 1:
            raise GraphError(f"there must be somebody to steer: one person at least, got {count}")
        self.graph, self.count = graph, count
        self._policy: Policy = policy(graph)
        rows = self._policy.rows
        self._legs = _legs(graph) if feet and has_legs(graph.skeleton) else None
        self._everybody = np.arange(count)
        self._cursors = Cursors(
            np.zeros((count, 2), np.int64),
            np.zeros((count, 2), np.int64),
            np.zeros((count, 2, 3)),
            np.zeros(count),
            np.zeros(count),
            np.ones(count),
            np.zeros(count, np.int64),
        )
        self._feet = Feet(
            np.zeros((count, 2), np.int64),
            np.zeros((count, 2, 2)),
            np.zeros((count, 2, 3)),
            np.zeros((count, 2, 3)),
            np.zeros((count, 2, 3)) * [1.0, 1.0, np.nan],
            np.full((count, 2), -1.0),
        )
        self.root: Array = np.zeros((count, 3))
        """``(N, 3)``: where the people are."""
        self.rotations: Array = rotation.identity(count, len(graph.skeleton))
        """``(N, J, 4)``: their poses."""
        self.contacts: Bools = np.zeros((count, 4), np.bool_)
        """``(N, 4)``: which parts of their feet the clips have on the floor."""
        self._set_out(rows.tables.first, seed)

    @property
    def skeleton(self) -> Skeleton:
        return self.graph.skeleton

    @property
    def edges(self) -> Indices:
        """``(N,)``: which edge of the graph each plays."""
        return self._cursors.edge[:, 0]

    @property
    def row(self) -> Indices:
        """``(N,)``: which row each shows."""
        return self._policy.played.begin[self._cursors.edge[:, 0]] + self._cursors.step[:, 0]

    def step(self, velocity: Array) -> None:
        """The next frame, for wished velocities ``(N, 2)`` along x and z in m/s."""
        own, manner = self._policy, self._policy.manner
        wish, values = own.values()
        steer(self._cursors, self._everybody, velocity, own.played, own.rows.steady, manner)
        go(self._cursors, self._everybody, velocity, own.played, own.rows.tables.turn, wish, values, SPEEDS, manner)
        self._show()

    def _show(self) -> None:
        rows, cursors = self._policy.rows, self._cursors
        if not rows.is_mixed[cursors.edge].all():
            coming = np.unique(cursors.edge)
            rows.mix(coming[~rows.is_mixed[coming]])
        pose(cursors, rows.tables.begin, rows.root, rows.rotations, rows.contacts, self.root, self.rotations, self.contacts)
        if self._legs is not None:
            lock(self._legs, self._feet, self.contacts, self.root, self.rotations, self.graph.fps)

    def _set_out(self, first: Indices, seed: int) -> None:
        """Stand everybody at a node: the calmest, or by chance among those that are as calm."""
        played = self._policy.played
        speed = played.speed[self._policy.rows.tables.row]
        calm = np.flatnonzero(speed <= speed.min() + 0.05)
        nodes = calm[np.random.default_rng(seed).integers(0, len(calm), self.count)] if self.count > 1 else calm[:1]
        still = np.zeros((self.count, 2))
        own = self._policy
        wish, values = own.values()
        from kinegraph.live.choice import best

        for person, node in enumerate(nodes.tolist()):
            edge = best(played, node, wish, values, SPEEDS, 0.0, 0.0, own.manner)
            row = played.begin[edge]
            angle = -played.facing[row]
            cosine, sine = np.cos(angle), np.sin(angle)
            x, z = own.rows.steady[row]
            self._cursors.edge[person] = edge
            self._cursors.step[person] = 0
            self._cursors.place[person] = angle, -(cosine * x + sine * z), -(cosine * z - sine * x)
        from kinegraph.live.stepping import onward

        for person in range(self.count):
            onward(self._cursors, person, still, played, own.rows.tables.turn, wish, values, SPEEDS, own.manner)
        self._show()


def _legs(graph: MotionGraph) -> Legs:
    skeleton = graph.skeleton
    whole = concatenate([clip.motion for clip in graph.clips])
    contacts = np.concatenate([clip.contacts for clip in graph.clips])
    feet = soles(whole, contacts)
    chains = [_chain(skeleton, sole.hip) for sole in feet]
    chain = np.full((2, max(map(len, chains))), -1, np.int64)
    for side, joints in enumerate(chains):
        chain[side, : len(joints)] = joints
    return Legs(
        np.asarray(skeleton.parents, np.int64),
        np.asarray(skeleton.offsets, np.float64),
        chain,
        np.array([[s.hip, s.knee, s.ankle, -1 if s.toe is None else s.toe] for s in feet], np.int64),
        np.array([s.heel for s in feet]),
        np.array([np.zeros(3) if s.tip is None else s.tip for s in feet]),
        np.array([s.rest for s in feet]),
        np.array([_hinge(whole, s) for s in feet]),
        float(np.percentile(np.concatenate([knees.speed(c.motion).ravel() for c in graph.clips]), 99.9)),
    )


def _chain(skeleton: Skeleton, hip: int) -> list[int]:
    """Joints between the root and a hip, neither among them, from above."""
    found = []
    joint = int(skeleton.parents[hip])
    while joint > 0:
        found.append(joint)
        joint = int(skeleton.parents[joint])
    return found[::-1]


def _hinge(motion: Motion, sole: Sole) -> Array:
    """The axis ``(3,)`` about which a knee bends on the whole, in the hip's frame."""
    hip, knee, ankle = (motion.positions[:, joint] for joint in (sole.hip, sole.knee, sole.ankle))
    normal = rotation.rotate(rotation.inverse(motion.orientations[:, sole.hip]), rotation.cross(knee - hip, ankle - knee))
    axis = normal.mean(axis=0)
    return axis / max(float(np.linalg.norm(axis)), 1e-9)
