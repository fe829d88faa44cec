"""`Mesh`: a surface that hangs on joints. A frozen value over arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, frozen_array


@dataclass(frozen=True)
class MeshPart:
    """Faces ``first`` to ``last`` of a mesh, half-open, in one colour: linear red, green and blue, 0 to 1."""

    name: str
    colour: tuple[float, float, float]
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Mesh:
    """A skinned surface in its bind pose.

    bind: ``(J, 4)`` local rotations of the pose it was made in, with the root joint at its skeleton's own offset. vertices ``(V, 3)`` in
    metres and unit normals ``(V, 3)`` in that pose. faces ``(T, 3)``: indices of vertices, counter-clockwise seen from
    outside. joints ``(V, 4)`` and weights ``(V, 4)``: by how much each vertex follows up to four joints; weights sum to
    1, unused joints are 0. parts: which faces have which colour, in order, all of them.
    """

    bind: Array
    vertices: Array
    normals: Array
    faces: NDArray[np.int64]
    joints: NDArray[np.int64]
    weights: Array
    parts: tuple[MeshPart, ...]

    def __post_init__(self) -> None:
        for name in ("bind", "vertices", "normals", "weights"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        for name in ("faces", "joints"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int64))
