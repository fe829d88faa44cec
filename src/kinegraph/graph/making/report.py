"""`BuildReport`: why the graph is as it is, for people and for `inspect`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class CurvePoint:
    """What one threshold for all clips would give: transitions below it, frames of the largest component, components with a cycle."""

    threshold: float
    transitions: int
    frames: int
    components: int


@dataclass(frozen=True)
class Group:
    """Clips that meet below a threshold of their own (metres)."""

    clips: tuple[str, ...]
    threshold: float


@dataclass(frozen=True)
class Meeting:
    """How two groups (by their numbers) were joined: the cost of the dearest bridge between them, and how many there are."""

    groups: tuple[int, int]
    threshold: float
    bridges: int


@dataclass(frozen=True)
class Loss:
    """What pruning took from a clip: frames of those it has.

    needs: the threshold that would connect it, where it is left out whole.
    """

    clip: str
    frames: int
    of: int
    needs: float | None = None


@dataclass(frozen=True)
class BuildReport:
    """Figures of a build. Distances in metres.

    frames: of all clips. attainable: those that an unlimited threshold would keep, without the first and last window of
    every clip. kept: those of them in the graph. candidates: minima below the ceiling. components: strongly connected
    parts with a cycle, before pruning. dropped_nodes: choice points that pruning took. pairs: of windows that were
    compared. threshold: the largest of the groups' thresholds.
    """

    frames: int
    attainable: int
    kept: int
    candidates: int
    components: int
    dropped_nodes: int
    pairs: int
    threshold: float
    curve: tuple[CurvePoint, ...] = ()
    groups: tuple[Group, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    losses: tuple[Loss, ...] = ()
    notices: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> BuildReport:
        """From what `to_dict` gave, after a journey through JSON."""
        made = dict(values)
        made["curve"] = tuple(CurvePoint(**point) for point in made.get("curve", ()))
        made["groups"] = tuple(Group(tuple(g["clips"]), g["threshold"]) for g in made.get("groups", ()))
        made["meetings"] = tuple(
            Meeting((m["groups"][0], m["groups"][1]), m["threshold"], m["bridges"]) for m in made.get("meetings", ())
        )
        made["losses"] = tuple(Loss(**loss) for loss in made.get("losses", ()))
        made["notices"] = tuple(made.get("notices", ()))
        return cls(**made)
