"""Plain bones: for skeletons that are not a person's, and for what a body has besides trunk, head and limbs."""

from __future__ import annotations

import numpy as np

from kinegraph.mannequin.loft import ball, loft
from kinegraph.mannequin.sculpture import Sculpture

# Bones shorter than this share of the size are points.
_SHORTEST = 1e-3


def add_bones(body: Sculpture, joints: set[int]) -> None:
    """A tapered bone from the parent to each of these joints, and to the tips that hang on them."""
    stance, skeleton, size = body.stance, body.stance.skeleton, body.size
    ends = [(int(skeleton.parents[j]), stance.positions[j]) for j in sorted(joints) if skeleton.parents[j] >= 0]
    ends += [(int(parent), stance.tips[tip]) for tip, parent in enumerate(skeleton.tip_parents) if parent in joints]
    for parent, end in ends:
        start = stance.positions[parent]
        length = float(np.linalg.norm(end - start))
        if length < _SHORTEST * size:
            continue
        thick = min(0.12 * length, 0.022 * size)
        tangent = (end - start) / length
        at = np.array([0.16, 0.5, 0.94]) * length
        shell = loft(
            at,
            start + at[:, None] * tangent,
            np.tile(tangent, (3, 1)),
            [0.0, 0.0, 1.0],
            np.repeat(thick * np.array([[1.0], [0.75], [0.4]]), 3, axis=1),
            segments=8,
            caps=(0.16 * length, 0.06 * length),
        )
        body.add("bones", shell, body.rigid(shell, parent))


def add_root(body: Sculpture) -> None:
    """A small ball at the root, so that a figure is never empty."""
    shell = ball(body.stance.positions[0], 0.02 * body.size)
    body.add("bones", shell, body.rigid(shell, 0))
