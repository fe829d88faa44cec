"""`Record`: how a graph was made. A walk does not need it; to add clips or to choose other transitions does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from kinegraph.frozen import Frozen
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.report import BuildReport
from kinegraph.similarity.candidates import Named
from kinegraph.similarity.minima import Minima


@dataclass(frozen=True, eq=False)
class Record(Frozen):
    """How a graph was made from its clips."""

    parameters: Parameters
    """What was asked for."""
    report: BuildReport
    """What came of it, in figures."""
    candidates: Mapping[tuple[str, str], Minima] = field(repr=False)
    """Two clips' names → the minima found between them: the transitions that the graph could have had. Of a graph that was built or
    read it is a `Named`, whose ``columns`` are all of them in flat arrays.
    """

    def __post_init__(self) -> None:
        if not isinstance(self.candidates, Named):  # which nobody can change either
            object.__setattr__(self, "candidates", MappingProxyType(dict(self.candidates)))
