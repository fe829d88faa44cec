"""The array types that signatures speak of, and arrays that nobody can change.

Shapes stand in docstrings; these names say what an array holds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
"""Numbers that are calculated with: metres, radians, quaternions."""
Singles = NDArray[np.float32]
"""Numbers that are stored, compared or drawn by the million."""
Ints = NDArray[np.int32]
"""Frames, nodes and edges as files hold them."""
Longs = NDArray[np.int64]
"""Whole numbers that compiled code counts with."""
Indices = NDArray[np.intp]
"""Places in other arrays."""
Bools = NDArray[np.bool_]
"""Which of something."""
Bytes = NDArray[np.uint8]
"""Text or pixels, byte by byte."""


def frozen_array(values: ArrayLike, dtype: Any = np.float64) -> Any:
    """``values`` as a read-only array of ``dtype``: a copy wherever the giver could still write to it.

    >>> frozen_array([1, 2]).flags.writeable
    False
    """
    array = np.asarray(values, dtype=dtype)
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            array = array.copy()
            array.setflags(write=False)
            return array
        owner = owner.base
    return array
