"""Spaces of strikes: built, shown, and asked for the strike that hits a target."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from kinegraph.formats.intake import Take
from kinegraph.strikes.kinds import KINDS
from kinegraph.strikes.store.files import save
from kinegraph.studio import pack, problems, strikes
from kinegraph.studio.answers import result_pack
from kinegraph.studio.choices import OneOf
from kinegraph.studio.models import Id, InWorkspace, JobModel, Name, RequestModel
from kinegraph.studio.names import safe
from kinegraph.studio.workspace import Workspace
from kinegraph.watch import Watch

router = APIRouter(prefix="/api", tags=["spaces"], responses=problems.DOCUMENTED)

ClipId = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Metres = Annotated[float, Field(ge=-100, le=100, allow_inf_nan=False)]
SpaceName = Annotated[
    str | None, Query(max_length=200, description="Which space of the file; need not be said where it holds one")
]


class BuildAsked(RequestModel):
    """Takes of strikes, and what they are; side: by default the one that strikes."""

    name: Name
    clips: list[ClipId] = Field(min_length=1, max_length=200)
    kind: Annotated[str, OneOf(lambda: KINDS)]
    side: Literal["left", "right"] | None = None
    fps: float = Field(60.0, ge=10, le=240, allow_inf_nan=False)


class ReachAsked(RequestModel):
    """A target in metres from below the ready pose: to the left, up, and ahead where that is to be so too."""

    space: str | None = Field(None, max_length=200)
    target: list[Metres] = Field(min_length=2, max_length=3)
    method: Literal["blend", "partial"] = "blend"
    mirror: bool = False
    finished: bool = True


class Example(BaseModel):
    """A captured strike. hit: where it hits, in metres. start, frame, end: of its clip; at frame it hits."""

    clip: str
    hit: tuple[float, float, float]
    start: int
    frame: int
    end: int
    seconds: float


class Tips(BaseModel):
    """Ends of last bones."""

    parents: list[int]
    positions: list[list[float]]


class Ready(BaseModel):
    """Somebody in the ready pose."""

    joints: list[str]
    parents: list[int]
    positions: list[list[float]]
    tips: Tips


class SpaceDetail(BaseModel):
    """What a space holds and where it can strike, in metres from below the ready pose: to the left, up, ahead.

    corners: of the region that the examples span, across and up; low, high: of the box around it; forward: what it calls ahead.
    """

    id: str
    name: str
    kind: str
    side: str
    limb: str
    fps: float
    examples: list[Example]
    corners: list[tuple[float, float]]
    low: tuple[float, float]
    high: tuple[float, float]
    ahead: tuple[float, float]
    middle: tuple[float, float]
    forward: str
    ready: Ready


@router.post("/spaces", response_model=JobModel)
async def build(asked: BuildAsked, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """Find the strikes in clips and make a space of them: a job."""
    safe(asked.name)
    state = request.app.state

    def submitted() -> dict[str, Any]:
        for id in asked.clips:
            workspace.find("clip", id)
        return asdict(state.jobs.submit("space", f"Space {asked.name}", asked.model_dump()))

    job: dict[str, Any] = await state.reading.run(submitted)
    return job


@router.get("/spaces/{id}", response_model=SpaceDetail)
async def detail(id: Id, request: Request, workspace: InWorkspace, space: SpaceName = None) -> dict[str, Any]:
    """What a space holds, and where it can strike."""
    found: dict[str, Any] = await request.app.state.pool.run(
        lambda: {"id": id, **strikes.described(workspace.space(id, space))}
    )
    return found


@router.get("/spaces/{id}/trust", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def trust(id: Id, request: Request, workspace: InWorkspace, space: SpaceName = None) -> Response:
    """How far to trust targets across and up, on a grid."""
    data: bytes = await request.app.state.pool.run(lambda: strikes.trust_pack(workspace.space(id, space)))
    return pack.PackResponse(data)


@router.post("/spaces/{id}/reach", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def reach(id: Id, asked: ReachAsked, request: Request, workspace: InWorkspace) -> Response:
    """The strike that hits a target, or the one that comes nearest: a result pack."""
    data: bytes = await request.app.state.pool.run(_struck, request.app, workspace, id, asked)
    return pack.PackResponse(data)


def register(app: FastAPI) -> None:
    """Let the app's jobs know how spaces are built."""
    workspace: Workspace = app.state.workspace

    def run(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        takes = []
        for number, id in enumerate(request["clips"]):
            watch.tell("reading", number, len(request["clips"]))
            path = workspace.find("clip", id)
            takes.append(Take.of(workspace.read(path), path))
        space = strikes.built(takes, request["name"], request["kind"], request["side"], request["fps"], watch)
        with workspace.lock:
            target = workspace.new("spaces", request["name"], ".mog")
            save(space, target)
        return {**asdict(workspace.entry(target)), "space": space.name, "notices": list(space.notices)}

    app.state.jobs.register("space", run, changes="spaces")


def _struck(app: FastAPI, workspace: Workspace, id: str, asked: ReachAsked) -> bytes:
    space = workspace.space(id, asked.space)
    laid = strikes.reach(space, asked.target, method=asked.method, mirror=asked.mirror, finished=asked.finished)
    title = laid.facts.pop("title")
    sent = asked.model_dump(exclude_none=True)
    return result_pack(app, laid, room="strike", title=title, request=sent, source={"space": id}, origin=space)
