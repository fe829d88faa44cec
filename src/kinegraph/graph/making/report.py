"""`BuildReport`: why the graph is as it is, for people and for `inspect`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# fields of a report that hold values with fields of their own
_PARTS = ("curve", "groups", "meetings", "losses")


@dataclass(frozen=True)
class CurvePoint:
    """What one threshold for all clips would give."""

    threshold: float
    """In metres."""
    transitions: int
    """How many cost no more."""
    frames: int
    """Frames of the largest component."""
    components: int
    """How many components have a cycle."""


@dataclass(frozen=True)
class Group:
    """Clips that meet below a threshold of their own (metres)."""

    clips: tuple[str, ...]
    threshold: float


@dataclass(frozen=True)
class Meeting:
    """How two groups were joined."""

    groups: tuple[int, int]
    """Their numbers."""
    threshold: float
    """Cost of the dearest bridge between them, in metres."""
    bridges: int
    """How many there are."""


@dataclass(frozen=True)
class Loss:
    """What pruning took from a clip."""

    clip: str
    frames: int
    """How many it lost."""
    of: int
    """How many it had."""
    needs: float | None = None
    """The threshold in metres that would connect it, where it is left out whole."""


@dataclass(frozen=True)
class BuildReport:
    """Figures of a build. Distances in metres."""

    frames: int
    """Frames of all clips."""
    attainable: int
    """Frames that an unlimited threshold would keep, without the first and last window of every clip."""
    kept: int
    """How many of these are in the graph."""
    candidates: int
    """Minima below the ceiling."""
    components: int
    """Strongly connected parts with a cycle, before pruning."""
    dropped_nodes: int
    """Nodes that pruning took."""
    pairs: int
    """Pairs of windows that were compared."""
    threshold: float
    """The largest of the groups' thresholds."""
    curve: tuple[CurvePoint, ...] = ()
    """What one threshold for all clips would give, from low to high."""
    groups: tuple[Group, ...] = ()
    """Clips that are alike, with their thresholds."""
    meetings: tuple[Meeting, ...] = ()
    """How the groups were joined."""
    losses: tuple[Loss, ...] = ()
    """What pruning took from each clip."""
    labels: dict[str, int] = field(default_factory=dict)
    """Label → frames that a walk which keeps to it would have with an unlimited threshold."""
    notices: tuple[str, ...] = ()
    """What should be known of the clips."""
    looked: float | None = None
    """How far all clips were compared, where the library is so large that this is not the ceiling."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        # `asdict` would copy each single one: a fifth of a second for a library of hours
        parts = {name: tuple(dict(vars(one)) for one in getattr(self, name)) for name in _PARTS}
        return {**vars(self), **parts, "labels": dict(self.labels)}

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
