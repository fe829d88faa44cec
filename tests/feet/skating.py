"""Motions whose feet skate, made from such as do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinegraph.motion import Motion, rotation


def hurried(motion: Motion, factor: float) -> Motion:
    """The motion with its path made longer: feet slide along it."""
    root = motion.root.copy()
    root[:, [0, 2]] = root[0, [0, 2]] + factor * (root[:, [0, 2]] - root[0, [0, 2]])
    return replace(motion, root=root)


def turned(motion: Motion, rate: float) -> Motion:
    """The motion turned about the vertical through its first root by ``rate`` radians per second more and more: feet slide and twist."""
    turn = rotation.about_y(rate * np.arange(len(motion)) / motion.fps)
    start = motion.root[0] * [1.0, 0.0, 1.0]
    rotations = motion.rotations.copy()
    rotations[:, 0] = rotation.multiply(turn, rotations[:, 0])
    return replace(motion, root=start + rotation.rotate(turn, motion.root - start), rotations=rotations)


def uneven(motion: Motion, rise: float) -> Motion:
    """The motion with a floor that rises, by ``rise`` metres in all."""
    slope = np.linspace(-0.5 * rise, 0.5 * rise, len(motion))[:, None] * [0.0, 1.0, 0.0]
    return replace(motion, root=motion.root + slope)


def crossfaded(first: Motion, second: Motion) -> Motion:
    """One motion turned into the other from beginning to end, frame by frame: feet out of step slide."""
    frames = min(len(first), len(second))
    part = np.linspace(0.0, 1.0, frames)
    root = (1 - part[:, None]) * first.root[:frames] + part[:, None] * second.root[:frames]
    rotations = rotation.slerp(first.rotations[:frames], second.rotations[:frames], part[:, None])
    return replace(first, root=root, rotations=rotations)


def without_toes(motion: Motion) -> Motion:
    """The motion with toe joints that no table knows."""
    hidden = {motion.skeleton.joint("left_toe"), motion.skeleton.joint("right_toe")}
    names = tuple(f"thing{i}" if i in hidden else name for i, name in enumerate(motion.skeleton.names))
    return replace(motion, skeleton=replace(motion.skeleton, names=names))


def bone_lengths(motion: Motion) -> np.ndarray:
    """Lengths ``(F, J - 1)`` of the bones as they are in the world."""
    positions = motion.positions
    return np.linalg.norm(positions[:, 1:] - positions[:, motion.skeleton.parents[1:]], axis=-1)
