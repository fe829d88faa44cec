"""`Parameters`: everything that decides which graph is built from given clips."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from kinegraph.errors import GraphError

AUTO = "auto"


@dataclass(frozen=True)
class Parameters:
    """Metres and seconds. The defaults suit people walking, running and stopping.

    fps: rate of the graph. window: seconds that are compared and blended. adapt: let the window shorten for short or
    fast clips. threshold: the largest distance of an ordinary transition, or ``"auto"``. ceiling: how far candidates
    are looked for; a lower one saves time on large collections, since what lies above it is passed over. share: of the
    attainable frames, what ``"auto"`` must keep. mirror: add mirrored copies. bridges: whether groups that meet only
    far above the threshold are joined. along: points on each bone between its joints. weights: body role → weight, over
    those of body mass. annotate: find labels by how the body moves.
    """

    fps: float = 30.0
    window: float = 1 / 3
    adapt: bool = True
    threshold: float | str = AUTO
    ceiling: float = 0.20
    share: float = 0.90
    mirror: bool = False
    bridges: bool = True
    along: int = 0
    weights: dict[str, float] = field(default_factory=dict)
    annotate: bool = True

    def __post_init__(self) -> None:
        if isinstance(self.threshold, str) and self.threshold != AUTO:
            raise GraphError(f"threshold must be a distance or {AUTO!r}, got {self.threshold!r}")
        for name in ("fps", "window", "ceiling", "share"):
            if not 0 < getattr(self, name) < float("inf"):
                raise GraphError(f"{name} must be positive, got {getattr(self, name)}")
        if not isinstance(self.threshold, str) and not 0 < self.threshold < float("inf"):
            raise GraphError(f"the threshold must be positive, got {self.threshold}")
        if self.share > 1:
            raise GraphError(f"share is a part of the frames, at most 1, got {self.share}")
        if self.along < 0:
            raise GraphError(f"points along a bone cannot be fewer than none, got {self.along}")
        if any(not 0 <= value < float("inf") for value in self.weights.values()):
            raise GraphError(f"weights must be 0 or positive, got {self.weights}")

    @property
    def limit(self) -> float:
        """The largest distance at which candidates are looked for, in metres."""
        return self.ceiling if isinstance(self.threshold, str) else max(self.ceiling, self.threshold)

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Parameters:
        """From what `to_dict` gave; names that this version does not know are refused."""
        unknown = set(values) - set(cls.__dataclass_fields__)
        if unknown:
            raise GraphError(f"unknown parameters: {', '.join(sorted(unknown))}")
        return cls(**values)
