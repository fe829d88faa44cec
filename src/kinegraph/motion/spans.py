"""Spans: the stretches of frames in which something holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def spans(held: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first frame, and the frame after the last, of each run of True in ``held (F,)``.

    >>> spans(np.array([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], held, [False]]).astype(np.int8)))
    return [(int(first), int(past)) for first, past in edges.reshape(-1, 2)]
