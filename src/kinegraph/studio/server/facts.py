"""What packs and events hold, for the OpenAPI description: routes answer with packs as bytes, and events come over a socket, so that no
route says by itself what is in them.

`Described` adds these models to the description. The page's types are made from it (``web/schema.py``).
"""

from __future__ import annotations

from typing import Any, Literal

from fastapi import FastAPI
from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema

from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.models import ClipEntry
from kinegraph.studio.server.problems import Problem

Point = tuple[float, float, float]


class TipFacts(BaseModel):
    """Ends of last bones: the joint that each hangs on, and where."""

    parents: list[int]
    offsets: list[Point]


class MotionFacts(BaseModel):
    """A motion pack. body: the id of the body that fits the skeleton. height: stature in metres."""

    kind: Literal["motion"]
    name: str
    fps: float
    frames: int
    seconds: float
    joints: list[str]
    parents: list[int]
    offsets: list[Point]
    tips: TipFacts
    roles: dict[str, int]
    body: str
    height: float
    notices: list[str]


class PlantFacts(BaseModel):
    """A foot part that stands from frame first to last, half-open: where, in metres, and where the foot points: radians from +Z to +X."""

    foot: Literal["left", "right"]
    part: Literal["heel", "ball"]
    first: int
    last: int
    x: float
    y: float
    z: float
    heading: float


class TransitionFacts(BaseModel):
    """Frames first … first + length − 1 blend from one clip to another."""

    first: int
    length: int
    cost_cm: float
    begin: str = Field(alias="from")
    end: str = Field(alias="to")


class SourceFacts(BaseModel):
    """The id of the file that a result was made from, under its kind."""

    graph: str | None = None
    clip: str | None = None
    space: str | None = None


class Grid(BaseModel):
    """Values on a grid: rows and columns of places that are step metres apart."""

    step: float
    rows: int
    columns: int


class GroundFacts(Grid):
    """Heights of the ground: row r, column c is at x0 + c·step, z0 + r·step. The array ``ground`` holds them."""

    x0: float
    z0: float


class GroundPack(GroundFacts):
    """A ground for drawing. The array ``heights`` holds it."""

    kind: Literal["ground"]


class StrikeWeight(BaseModel):
    """How much of a captured strike is in the one that was made. hit: the frame of its clip at which it hits."""

    clip: str
    hit: int
    weight: float


class StrikeFacts(BaseModel):
    """A strike that was made. hit: where it hits, in metres: to the left, up, ahead. finish: what holding the feet took, as a sentence."""

    target: list[float]
    hit: Point
    hit_frame: int
    miss_cm: float
    reached: bool
    inside: bool
    reliability: float
    frames: int
    fps: float
    seconds: float
    mirrored: bool
    weights: list[StrikeWeight]
    finish: str
    limb: str


class ResultFacts(BaseModel):
    """A result. short: why it stopped before its end. path: what was to be walked, [x, z] or [x, y, z].

    own_path, ground: of a repath only. strike: of a strike only.
    """

    id: str
    room: Literal["follow", "walk", "repath", "strike"]
    title: str
    request: dict[str, Any]
    source: SourceFacts
    source_digest: str | None = None
    quality: dict[str, Any] | None
    notices: list[str]
    reached: bool
    short: str | None
    path: list[list[float]] | None
    transitions: list[TransitionFacts]
    clips: list[str]
    labels: list[str]
    plants: list[PlantFacts]
    cpu_s: float
    own_path: list[list[float]] | None = None
    ground: GroundFacts | None = None
    strike: StrikeFacts | None = None


class ResultPack(MotionFacts):
    """A result pack: a motion pack with what was made and how."""

    result: ResultFacts


class BlendFacts(BaseModel):
    """Frames first … first + length − 1 are the blend. cost_cm: the distance of the two windows."""

    first: int
    length: int
    blend: str
    cost_cm: float


class TransitionPack(MotionFacts):
    """One transition as it would be played: a motion pack."""

    transition: BlendFacts


class BodyPart(BaseModel):
    """Faces first to last, half-open, of one colour."""

    name: str
    colour: Point
    first: int
    last: int


class BodyPack(BaseModel):
    """The body of a skeleton."""

    kind: Literal["body"]
    id: str
    parts: list[BodyPart]


class EdgesPack(BaseModel):
    """All edges of a graph."""

    kind: Literal["edges"]
    edges: int
    clips: int
    fps: float


class MatrixPack(BaseModel):
    """The distances of all windows of two clips. a, b: their names. window: in seconds. step: frames between cells. minima: how many."""

    kind: Literal["matrix"]
    a: str
    b: str
    notices: list[str]
    fps: float
    window: float
    window_frames: int
    rows: int
    columns: int
    least_cm: float
    most_cm: float
    step: int
    minima: int


class TrustPack(Grid):
    """How far targets are to be trusted: row r, column c is c·step to the left of x0, r·step above y0."""

    kind: Literal["trust"]
    x0: float
    y0: float


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
    curve: list[CurveFacts]
    notices: list[str]


class JobEvent(BaseModel):
    """News of a job."""

    type: Literal["job"]
    job: Job


class ClipEvent(BaseModel):
    """A clip that has been read."""

    type: Literal["clip"]
    clip: ClipEntry


class ChangedEvent(BaseModel):
    """Something in the workspace is no longer as it was."""

    type: Literal["changed"]
    what: Literal["clips", "graphs", "spaces", "sketches", "results", "exports"]


FACTS: tuple[type[Any], ...] = (
    MotionFacts, ResultPack, TransitionPack, BodyPack, EdgesPack, MatrixPack, TrustPack, GroundPack, GraphSummary,
    JobEvent, ClipEvent, ChangedEvent, Problem,
)  # fmt: skip
"""What no route answers with by itself."""


class Described(FastAPI):
    """A server whose description also tells of packs and events: its ``components.schemas`` hold `FACTS`, and all that is in them."""

    def openapi(self) -> dict[str, Any]:
        """The description, made once."""
        is_new = self.openapi_schema is None
        told = super().openapi()
        if is_new:
            where = "#/components/schemas/{model}"
            _, found = models_json_schema([(model, "validation") for model in FACTS], ref_template=where)
            told["components"]["schemas"] |= found["$defs"]
        return told
