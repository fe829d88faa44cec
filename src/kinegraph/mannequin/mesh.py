"""`Mesh`: a surface that follows joints. A frozen value over arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, frozen_array


@dataclass(frozen=True)
class MeshPart:
    """Faces ``first`` … ``last``−1 of a mesh, in one colour."""

    name: str
    colour: tuple[float, float, float]
    """Linear red, green and blue, 0 to 1."""
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Mesh:
    """A skinned surface in its bind pose, the pose that it was made in."""

    bind: Array
    """``(J, 4)``: local rotations of that pose, in which the root joint is at its skeleton's own offset."""
    vertices: Array
    """``(V, 3)``, in metres."""
    normals: Array
    """``(V, 3)``, unit length."""
    faces: NDArray[np.int64]
    """``(T, 3)``: indices of vertices, counter-clockwise seen from outside."""
    joints: NDArray[np.int64]
    """``(V, 4)``: the joints that each vertex follows; 0 where fewer than four are used."""
    weights: Array
    """``(V, 4)``: how much it follows each of them; they sum to 1."""
    parts: tuple[MeshPart, ...]
    """Which faces have which colour, in order; together they are all faces."""

    def __post_init__(self) -> None:
        for name in ("bind", "vertices", "normals", "weights"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        for name in ("faces", "joints"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int64))
