"""Clips that stand for all: of hours of capture, what is usual in them need not be told from every frame."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from kinegraph.arrays import Indices
from kinegraph.graph.model import MotionGraph

# frames of a graph that are all looked at, and how many are of a larger one: some minutes of motion, of clips all over it
_ALL, _SOME = 50_000, 8_000


def some_clips(graph: MotionGraph, used: Iterable[int] = ()) -> tuple[int, ...]:
    """Numbers of clips that tell what is usual in a graph: all of a small one; of a large one those ``used``, and some at even distances.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> some_clips(graph)
    (0, 1)
    """
    lengths = np.array([len(clip) for clip in graph.clips])
    if lengths.sum() <= _ALL:
        return tuple(range(len(lengths)))
    order = _scattered(len(lengths))
    count = int(np.searchsorted(np.cumsum(lengths[order]), _SOME)) + 1
    return tuple(sorted({*order[:count].tolist(), *used}))


def _scattered(count: int) -> Indices:
    """All numbers below ``count``, so that the first few of them lie far apart, however few: by the golden section."""
    return np.argsort(np.arange(count) * (np.sqrt(5.0) - 1.0) / 2.0 % 1.0, kind="stable")
