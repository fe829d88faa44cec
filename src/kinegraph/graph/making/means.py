"""`Means`: who compares the clips of a build, and how much of them may be held."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from kinegraph.crew import Crew
from kinegraph.errors import GraphError
from kinegraph.memory import give_back, held, told

# of what memory is left before comparing, the part that clips may take: minima, and what is chosen from them, need the rest
_PART = 0.6
# the part that they may take afterwards
_CHOOSING = 0.2
# bytes below which not even some clips and their minima can be held
_LEAST = 200e6


@dataclass(frozen=True, eq=False)
class Means:
    """What a build has at hand. None of it changes the graph."""

    threads: int | None = None
    """Threads that compare; None for as many as there are processors."""
    crew: Crew | None = None
    """Who compares instead, such as a cluster."""
    memory: float | None = None
    """Bytes that may be held."""

    def options(self) -> dict[str, Any]:
        """As `compare_all` takes them, by what is held now."""
        if self.memory is None:
            return {"threads": self.threads, "crew": self.crew}
        give_back()
        left = self.memory - held()
        if left < _LEAST:
            raise GraphError(
                f"{told(self.memory)} of memory are too few: {told(held())} are held before anything is compared; "
                f"allow {told(held() + 2 * _LEAST)} or more"
            )
        return {"threads": self.threads, "crew": self.crew, "memory": _PART * left}

    def frames(self, depth: int) -> float:
        """Frames of so many points that may be held in double precision where transitions are chosen."""
        return math.inf if self.memory is None else _CHOOSING * self.memory / (24 * depth)


HERE = Means()
"""This machine, with as much memory as it takes."""
