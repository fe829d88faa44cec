"""The turns between two motions, joint by joint, without a leap where they are half a turn apart."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import rotation


def arcs(start: Array, end: Array) -> Array:
    """Rotation vectors ``(..., T, J, 3)`` that take ``start`` to ``end``, both ``(..., T, J, 4)`` and continuous in time.

    The shorter arc, but one for all frames: where the motions drift through half a turn apart, going over to the other side from one frame
    to the next would be seen as a jump. ``end`` is ``exp(arc) start``.
    """
    apart = rotation.unroll(rotation.multiply(end, rotation.inverse(start)), axis=-3)
    apart = np.where(apart[..., :1].sum(axis=-3, keepdims=True) < 0, -apart, apart)
    vectors = rotation.log(apart)
    long = apart[..., 0] < 0
    if long.any():
        # the same rotation from the other side: beyond half a turn
        size = np.linalg.norm(vectors[long], axis=-1, keepdims=True)
        vectors[long] *= 1.0 - 2.0 * np.pi / np.maximum(size, 1e-12)
    return vectors
