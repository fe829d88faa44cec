"""A body of bare bones: a thin spindle along each, where no more of a mesh is wanted than what shows the joints."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.mannequin.mesh import Mesh, MeshPart
from kinegraph.motion import Skeleton, rotation

# A spindle's greatest half width, relative to its length and in metres, and how far along the bone it lies.
_THICKNESS, _THICKEST = 0.08, 0.02
_WAIST = 0.2
# Metres: shorter bones are points. A skeleton of points still shows its root, as large as this.
_SHORTEST = 1e-6
_DOT = 0.02
_COLOUR = (0.55, 0.57, 0.60)

# A spindle along +Z from 0 to 1: its ends, and a square about its waist; counter-clockwise seen from outside.
_CORNERS = np.array([[0, 0, 0], [1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0], [0, 0, 1]], dtype=np.float64)
_FACES = np.array([[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1]])


def sticks(skeleton: Skeleton) -> Mesh:
    """A spindle for each bone and each tip, in the rest pose; every one follows the joint it begins at."""
    starts = np.concatenate([skeleton.parents[1:], skeleton.tip_parents])
    bones = np.concatenate([skeleton.offsets[1:], skeleton.tip_offsets])
    lengths = np.linalg.norm(bones, axis=-1)
    starts, bones, lengths = (part[lengths > _SHORTEST] for part in (starts, bones, lengths))
    if not len(starts):
        starts, bones, lengths = np.zeros(1, np.intp), np.array([[0.0, _DOT, 0.0]]), np.array([_DOT])
    at = skeleton.rest[starts] + skeleton.offsets[0]
    corners = at[:, None] + rotation.rotate(rotation.between([0.0, 0.0, 1.0], bones)[:, None], _spindles(lengths))
    triangles = corners[:, _FACES].reshape(-1, 3, 3)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    count = 3 * len(triangles)
    weights, joints = np.zeros((count, 4)), np.zeros((count, 4), np.int64)
    weights[:, 0] = 1.0
    joints[:, 0] = np.repeat(starts, 3 * len(_FACES))
    return Mesh(
        bind=rotation.identity(len(skeleton)),
        vertices=triangles.reshape(-1, 3),
        normals=np.repeat(normals, 3, axis=0),
        faces=np.arange(count).reshape(-1, 3),
        joints=joints,
        weights=weights,
        parts=(MeshPart("bones", _COLOUR, 0, len(triangles)),),
    )


def _spindles(lengths: Array) -> Array:
    """Corners ``(B, 6, 3)`` of spindles along +Z."""
    thickness = np.minimum(_THICKNESS * lengths, _THICKEST)
    corners = np.tile(_CORNERS, (len(lengths), 1, 1))
    corners[:, 1:5, :2] *= thickness[:, None, None]
    corners[:, 1:5, 2] = _WAIST * lengths[:, None]
    corners[:, 5, 2] = lengths
    return corners
