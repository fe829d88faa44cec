"""The positions of a few joints without posing the whole body: a clip whose feet are left alone needs nothing else."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion

# Metres below which the line across a body has no direction, as in `Motion.facing`.
_NO_LINE = 1e-9


def between(motion: Motion, one: str, other: str) -> Array:
    """From the joint of one body role to that of another, ``(F, 3)`` in metres along the world's axes."""
    skeleton = motion.skeleton
    chains = [skeleton.chain(0, skeleton.joint(role)) for role in (one, other)]
    # what both hang on moves them alike, and turns only the line between them
    shared = sum(first == second for first, second in zip(*chains, strict=False))
    start, end = (_below(motion, chain[shared:]) for chain in chains)
    return _turned(motion, chains[0][:shared], end - start)


def _below(motion: Motion, chain: list[int]) -> Array:
    """The position ``(F, 3)`` of a ``chain``'s last joint relative to the parent of its first, along that parent's axes."""
    place = np.zeros((len(motion), 3))
    for number in reversed(range(len(chain))):
        bone = chain[number]
        place = place + (motion.skeleton.offsets[bone] if motion.translations is None else motion.translations[:, bone])
        place = _turned(motion, chain[max(number - 1, 0) : number], place)
    return place


def _turned(motion: Motion, chain: list[int], vectors: Array) -> Array:
    """``vectors (F, 3)`` along the axes of the last joint of a chain, seen along those that the first one hangs in."""
    for joint in reversed(chain):
        # number after number, not joint after joint: half of the time otherwise is spent fetching them
        vectors = rotation.rotate(np.ascontiguousarray(motion.rotations[:, joint].T).T, vectors)
    return vectors


def facing(motion: Motion) -> Array:
    """Where the body faces, in radians ``(F,)`` within ±π: the same as `Motion.heading`, apart from whole turns."""
    across = between(motion, "right_hip", "left_hip")
    if motion.skeleton.has_roles("left_shoulder", "right_shoulder"):
        across = across + between(motion, "right_shoulder", "left_shoulder")
    known = np.hypot(across[:, 0], across[:, 2]) > _NO_LINE
    angle: Array = np.where(known, np.arctan2(-across[:, 2], across[:, 0]), 0.0)
    return angle
