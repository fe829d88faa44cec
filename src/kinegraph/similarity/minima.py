"""`Minima`: the places where two clips are most alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Ints, frozen_array


@dataclass(frozen=True, eq=False)
class Minima:
    """Local minima of the distance of all windows of clip A and all windows of clip B.

    first, second: ``(n,)`` int32, where the window begins in A and in B. cost: ``(n,)`` their distance, root mean
    square of matched points after alignment, in metres. Ordered by ``(first, second)``. window: frames in a window.
    """

    first: Ints
    second: Ints
    cost: Array
    window: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", frozen_array(self.first, np.int32))
        object.__setattr__(self, "second", frozen_array(self.second, np.int32))
        object.__setattr__(self, "cost", frozen_array(self.cost))

    def __len__(self) -> int:
        return len(self.first)

    def below(self, limit: float) -> Minima:
        """Those that cost no more than ``limit`` metres."""
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
