"""Where the joints of many frames are, by compiled code.

Threads that pose one clip each run beside each other so, which NumPy's many small steps keep them from. The sums are those of
`kinematics.forward`, in its order, and so the numbers are the same to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.compiled import njit
from kinegraph.motion.clip import UNIT_TOLERANCE, Motion
from kinegraph.motion.rotation import LOOSE


def places(motion: Motion) -> Array:
    """Joint positions ``(F, J, 3)`` of a rigid motion; where these are known already, they."""
    known = vars(motion).get("_world")
    if known is not None:
        positions: Array = known[0]
        return positions
    skeleton = motion.skeleton
    rotations, squares = _scalable(motion)
    posed: Array = _places(
        motion.root,
        rotations,
        squares,
        np.asarray(skeleton.parents, np.int64),
        np.asarray(skeleton.offsets, np.float64),
    )
    return posed


def _scalable(motion: Motion) -> tuple[Array, Array]:
    """Rotations ``(F, J, 4)`` of any sign, and the squares ``(F, J)`` of their lengths; none where they have unit length.

    Those that lie in a file are posed as they lie there, without being held: only their lengths count, which are scaled here as
    `rotation.unit` does it.
    """
    packed = motion.packed()
    if packed is not None:
        held = packed.astype(np.float64)
        squares = np.einsum("fji,fji->fj", held, held)
        if (np.abs(squares - 1.0) <= UNIT_TOLERANCE).all():
            return held, squares
        # whoever asks for its rotations is told what is wrong with them
    return motion.rotations, np.empty((0, 0))


@njit(cache=True, nogil=True)
def _places(root: Any, rotations: Any, squares: Any, parents: Any, offsets: Any) -> Any:
    frames, joints = rotations.shape[:2]
    out = np.empty((frames, joints, 3))
    turned = np.empty((joints, 4))
    for f in range(frames):
        for c in range(3):
            out[f, 0, c] = root[f, c]
        for j in range(joints):
            bw, bx, by, bz = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            if squares.size and abs(squares[f, j] - 1.0) > LOOSE:
                length = np.sqrt(squares[f, j])
                bw, bx, by, bz = bw / length, bx / length, by / length, bz / length
            if j == 0:
                turned[0, 0], turned[0, 1], turned[0, 2], turned[0, 3] = bw, bx, by, bz
                continue
            above = parents[j]
            w, x, y, z = turned[above, 0], turned[above, 1], turned[above, 2], turned[above, 3]
            turned[j, 0] = w * bw - x * bx - y * by - z * bz
            turned[j, 1] = w * bx + x * bw + y * bz - z * by
            turned[j, 2] = w * by - x * bz + y * bw + z * bx
            turned[j, 3] = w * bz + x * by - y * bx + z * bw
            vx, vy, vz = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            tx = 2.0 * (y * vz - z * vy)
            ty = 2.0 * (z * vx - x * vz)
            tz = 2.0 * (x * vy - y * vx)
            out[f, j, 0] = out[f, above, 0] + (vx + w * tx + y * tz - z * ty)
            out[f, j, 1] = out[f, above, 1] + (vy + w * ty + z * tx - x * tz)
            out[f, j, 2] = out[f, above, 2] + (vz + w * tz + x * ty - y * tx)
    return out
