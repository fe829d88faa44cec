"""`Minima`: the places where two clips are most similar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Ints, frozen_array
from kinegraph.frozen import Frozen

METHOD = "minima-2"
"""Changes whenever the same clips and parameters would give other minima."""


@dataclass(frozen=True, eq=False)
class Minima(Frozen):
    """Local minima of the distance between all windows of clip A and all windows of clip B, ordered by ``(first, second)``."""

    first: Ints
    """``(n,)``: where the window begins in A."""
    second: Ints
    """``(n,)``: where the window begins in B."""
    cost: Array
    """``(n,)``: their distance in metres, the root mean square over matched points after alignment."""
    window: int
    """Frames of a window."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", frozen_array(self.first, np.int32))
        object.__setattr__(self, "second", frozen_array(self.second, np.int32))
        object.__setattr__(self, "cost", frozen_array(self.cost))

    def __len__(self) -> int:
        return len(self.first)

    def below(self, limit: float) -> Minima:
        """The minima that cost no more than ``limit`` metres."""
        if not len(self) or self.cost.max() <= limit:
            return self
        chosen = self.cost <= limit
        return Minima(self.first[chosen], self.second[chosen], self.cost[chosen], self.window)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Minima)
            and self.window == other.window
            and np.array_equal(self.first, other.first)
            and np.array_equal(self.second, other.second)
            and np.array_equal(self.cost, other.cost)
        )

    __hash__ = None  # type: ignore[assignment]
