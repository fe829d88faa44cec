"""What packs and events hold, for the OpenAPI description: routes answer with packs as bytes, and events come over a socket, so that no
route says by itself what is in them.

`Described` adds these models to the description. The page's types are made from it (``web/schema.py``).
"""

from __future__ import annotations

from typing import Any, Literal

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from kinegraph.graph.summary.facts import GraphSummary
from kinegraph.player.facts import BodyPack, FitPack, MotionFacts, MovedPack
from kinegraph.studio.rooms.crowd.models import CrowdPack, CrowdTold, PeoplePack, RunSaid
from kinegraph.studio.rooms.live.wire import WishSaid
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.models import ClipEntry
from kinegraph.studio.server.problems import Problem
from kinegraph.tasks.answers import Grid, GroundFacts, ResultPack


class GroundPack(GroundFacts):
    """A ground for drawing. The array ``heights`` holds it."""

    kind: Literal["ground"]


class BlendFacts(BaseModel):
    """Frames first … first + length − 1 are the blend. cost_cm: the distance of the two windows."""

    first: int
    length: int
    blend: str
    cost_cm: float


class TransitionPack(MotionFacts):
    """One transition as it would be played: a motion pack."""

    transition: BlendFacts


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


class LiveFacts(BaseModel):
    """What somebody who is steered can do. fastest: m/s. labels: all the while; actions: once, and which of them are strikes.

    ahead: poses that may not be seen yet. notices: what they cannot do, in sentences.
    """

    ahead: int
    fastest: float
    labels: list[str]
    actions: list[str]
    notices: list[str]
    strikes: list[str]


class LivePack(MotionFacts):
    """Somebody to steer, in the pose that they set out in: a motion pack, the first bytes over a live socket."""

    live: LiveFacts


class LiveTold(BaseModel):
    """What a live socket tells beside poses. preparing: stage, done, total. learning: label. taken: result. refused, problem: error."""

    type: Literal["preparing", "learning", "learnt", "again", "taken", "problem", "refused"]
    stage: str | None = None
    done: int | None = None
    total: int | None = None
    label: str | None = None
    result: str | None = None
    error: str | None = None


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
    what: Literal["clips", "graphs", "spaces", "sketches", "results", "exports", "characters"]


FACTS: tuple[type[Any], ...] = (
    MotionFacts, ResultPack, TransitionPack, BodyPack, MovedPack, FitPack, EdgesPack, MatrixPack, TrustPack, GroundPack, GraphSummary,
    LivePack, LiveTold, WishSaid, CrowdPack, CrowdTold, PeoplePack, RunSaid, JobEvent, ClipEvent, ChangedEvent, Problem,
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
