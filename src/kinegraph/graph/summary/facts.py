"""The figures of a graph as models: servers describe their answers by them. Only who serves imports this."""

from __future__ import annotations

from pydantic import BaseModel


class GraphGroup(BaseModel):
    """Clips of one kind of motion, and the threshold up to which they become each other."""

    clips: list[str]
    threshold_cm: float


class GraphMeeting(BaseModel):
    """Two groups, counted from 1, that bridges join."""

    groups: tuple[int, int]
    threshold_cm: float
    bridges: int


class GraphLoss(BaseModel):
    """Frames of a clip that no way leads on from. needs_cm: the threshold at which they would be kept."""

    clip: str
    frames: int
    of: int
    needs_cm: float | None


class LabelFacts(BaseModel):
    """Seconds of a label: in the clips, in the graph, only guessed, in the part in which a walk can keep to it, and how many that could be;
    choice points and transitions of that part.
    """

    seconds: float
    kept_seconds: float
    guessed_seconds: float
    component_seconds: float
    attainable_seconds: float | None
    nodes: int
    transitions: int


class CurveFacts(BaseModel):
    """What a threshold would keep."""

    threshold_cm: float
    transitions: int
    frames: int
    components: int


class CostFacts(BaseModel):
    """What transitions cost."""

    median: float | None
    max: float | None


class GraphSummary(BaseModel):
    """The figures of a graph: of those that `kinegraph inspect --json` tells, the ones that the page shows."""

    clips: int
    frames: int
    fps: float
    threshold_cm: float
    transitions: int
    kept_share: float
    components: int
    bridges: int
    attainable: int
    kept: int
    cost_cm: CostFacts
    dropped_seconds: float
    end_seconds: float
    dropped_clips: list[str]
    groups: list[GraphGroup]
    meetings: list[GraphMeeting]
    losses: list[GraphLoss]
    labels: dict[str, LabelFacts]
    styles: dict[str, int]
    warnings: list[str]
    curve: list[CurveFacts]
    notices: list[str]
