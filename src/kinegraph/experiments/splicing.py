"""One clip going over into another at chosen frames, without a graph."""

from __future__ import annotations

import numpy as np

from kinegraph.blending.stretch import Blend, Stretch
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.exact import alignments


def aligned(a: Motion, b: Motion, leaves: int, reaches: int, length: int) -> Motion:
    """``b`` laid on the floor so that its window from frame ``reaches`` on fits that of ``a`` from ``leaves`` on, as in a graph."""
    matrix = cloud_matrix(a.skeleton, mass_weights(a.skeleton))
    clouds = [cloud(motion, matrix) for motion in (a, b)]
    one, other, first, second, frames = (np.array([value]) for value in (0, 1, leaves, reaches, length))
    _, angle, x, z = alignments(clouds, one, first, other, second, frames)
    return b.place(FloorTransform(float(angle[0]), float(x[0]), float(z[0])))


def spliced(a: Motion, b: Motion, leaves: int, reaches: int, length: int, blend: Blend) -> Motion:
    """``a`` up to frame ``leaves``, then so many frames in which it becomes ``b`` from frame ``reaches`` on, then the rest of ``b``.

    Both lie on the floor as they should.
    """
    outgoing, incoming = (_stretch(motion, begins, length) for motion, begins in ((a, leaves), (b, reaches)))
    root, rotations = blend.mix(outgoing, incoming)
    parts = [a[:leaves], Motion(a.skeleton, root, rotations, a.fps), b[reaches + length :]]
    return concatenate([part for part in parts if len(part)])


def _stretch(motion: Motion, begins: int, length: int) -> Stretch:
    # with a frame before and one after; at the end of a clip it stays as it is
    frames = np.clip(np.arange(begins - 1, begins + length + 1), 0, len(motion) - 1)
    return Stretch(motion.skeleton, motion.root[frames], motion.rotations[frames], motion.fps)
