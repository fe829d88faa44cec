"""`Parameters`: everything that decides which graph is built from given clips."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from kinegraph.errors import GraphError
from kinegraph.wishes import wish

AUTO = "auto"

# beyond these it is a slip of the pen: frames per second, seconds, metres, points on a bone
_MOST = {"fps": 1000.0, "window": 60.0, "ceiling": 1000.0, "along": 100}


@dataclass(frozen=True)
class Parameters:
    """Metres and seconds. The defaults suit people walking, running and stopping.

    >>> Parameters(mirror=True).limit
    0.2
    """

    fps: float = wish("Frames per second of the graph.", default=30.0, unit="frames/s", served=(5.0, 240.0))
    window: float = wish("Seconds that are compared and blended.", default=1 / 3, unit="s", served=(0.05, 5.0))
    adapt: bool = wish("Let the window shorten for clips that are short or run.", default=True)
    threshold: float | str = wish(
        "The largest distance of a transition, in cm.",
        default=AUTO,
        unit="cm",
        form="threshold",
        metavar="auto|CM",
        above=0.0,
        served=(None, 100.0),
    )
    # a lower one saves time on large collections, since what lies above it is passed over
    ceiling: float = wish(
        "How far candidates are looked for, in cm.",
        default=0.20,
        unit="cm",
        form="centimetres",
        metavar="CM",
        above=0.0,
        served=(None, 100.0),
    )
    share: float = wish(
        "Per cent of the attainable frames that auto must keep.", default=0.90, unit="%", form="percent"
    )
    mirror: bool = wish("Add mirrored copies of all clips.", default=False)
    bridges: bool = wish("Join groups of clips that meet only far above the threshold.", default=True)
    along: int = wish("Points on each bone between its joints.", default=0, most=100, served=(0, 100))
    weights: dict[str, float] = wish(
        "Weight of a body role over that of its mass (left_toe=0.1).",
        factory=dict,
        form="weights",
        metavar="ROLE=VALUE",
        option="weight",
    )
    annotate: bool = wish("Find labels by how the body moves.", default=True)
    styles: bool = wish("Make labels of words in which the names of clips differ (walk_happy_01: happy).", default=True)

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
        for name, most in _MOST.items():
            if not getattr(self, name) <= most:
                raise GraphError(f"{name} can be {most:g} at most, got {getattr(self, name):g}")
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
