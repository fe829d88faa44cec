"""What a try at a scene has taught, for the next one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools


@dataclass(frozen=True, eq=False)
class Lesson:
    """How the next search of a scene differs from the first."""

    spare: float = 0.0
    """Metres that it keeps away from obstacles beyond their clearance."""
    urgent: Array | None = None
    """``(T + 1,)``: how many times more it matters at each moment that labels are borne; None for once everywhere."""

    def keeping_off(self, metres: float) -> Lesson:
        """The same, farther from obstacles."""
        return replace(self, spare=self.spare + metres)

    def urging(self, lacking: Bools, times: float) -> Lesson:
        """The same, and ``times`` as important at the moments ``(T + 1,)`` when labels were ``lacking``.

        >>> Lesson().urging(np.array([False, True]), 4.0).urgent.tolist()
        [1.0, 4.0]
        """
        before = np.ones(len(lacking)) if self.urgent is None else self.urgent
        return replace(self, urgent=np.where(lacking, times * before, before))


FIRST = Lesson()
"""Nothing is known yet."""
