"""Walks and stretches for the tests of blending."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.blending.stretch import Blend, Stretch
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion import rotation
from kinegraph.motion.floor import FloorTransform

BODY = samples.make("walk").motion.skeleton
BLENDS = ("linear", "cubic", "anticipation", "inertial")
START = FloorTransform(0.7, -3.0, 2.0)

Curve = Callable[[Array], tuple[Array, Array]]


def random_walk(graph: MotionGraph, frames: int, seed: int = 0, start: FloorTransform = START) -> Walk:
    """A walk of exactly so many frames that chooses evenly at every node."""
    random = np.random.default_rng(seed)
    node, edges, played = int(random.integers(len(graph))), [], 0
    while played < frames:
        edge = int(random.choice(graph.out(node)))
        edges.append(edge)
        played += int(graph.edges.length[edge])
        node = int(graph.edges.target[edge])
    return Walk(graph, np.array(edges), start, frames)


def whole_walk(graph: MotionGraph, *edges: int, start: FloorTransform = START) -> Walk:
    """A walk of those edges, none cut short."""
    return Walk(graph, np.array(edges), start, int(graph.edges.length[list(edges)].sum()))


def wave(seed: int) -> Curve:
    """A smooth motion as a function of time: root ``(T, 3)`` and rotations ``(T, J, 4)`` at seconds ``(T,)``."""
    random = np.random.default_rng(seed)
    joints = len(BODY)
    size, rate, phase = random.normal(0, 0.3, (joints, 3)), random.uniform(2, 8, joints), random.uniform(0, 6, joints)
    drift = random.normal(0, 1.0, 3)

    def at(seconds: Array) -> tuple[Array, Array]:
        swing = np.sin(np.multiply.outer(seconds, rate) + phase)
        return np.multiply.outer(seconds, drift) + 0.1 * swing[:, :3], rotation.exp(swing[..., None] * size)

    return at


def stretch(curve: Curve, length: int, fps: float = 30.0) -> Stretch:
    """A transition's stretch of a curve: its frame before lies at 0 seconds."""
    return Stretch(BODY, *curve(np.arange(length + 2) / fps), fps)


def transition(blend: Blend, one: Curve, two: Curve, length: int, fps: float) -> tuple[Array, Array]:
    """Root and rotations of two frames of ``one``, ``length`` of the transition, and two of ``two``."""
    mixed = blend.mix(stretch(one, length, fps), stretch(two, length, fps))
    before = one(np.arange(-1, 1) / fps)
    after = two(np.arange(length + 1, length + 3) / fps)
    root, rotations = (np.concatenate(parts) for parts in zip(before, mixed, after, strict=True))
    return root, rotations


def angle_velocity(rotations: Array, fps: float) -> Array:
    """Angular velocity ``(F − 1, J, 3)`` between neighbouring frames of ``(F, J, 4)``, radians per second."""
    return rotation.log(rotation.multiply(rotations[1:], rotation.inverse(rotations[:-1]))) * fps
