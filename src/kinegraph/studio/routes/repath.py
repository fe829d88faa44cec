"""Repath: a clip's own path to edit, and the clip on another one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from kinegraph.studio import pack, problems, repathing
from kinegraph.studio.answers import result_pack
from kinegraph.studio.models import Id, InWorkspace, RequestModel
from kinegraph.studio.pathmodel import PathModel
from kinegraph.studio.problems import Invalid
from kinegraph.studio.routes.grounds import NAMED
from kinegraph.studio.workspace import Workspace

router = APIRouter(prefix="/api", tags=["repath"], responses=problems.DOCUMENTED)

# metres of the longest path that is laid while somebody waits
_LONGEST = 1000.0


class DegreeFit(BaseModel):
    """How near a polynomial of some degree comes to a clip's root."""

    degree: int
    rms_cm: float
    max_cm: float


class Near(BaseModel):
    """How far the clip's root strays from its path, with the sway of its steps."""

    rms_cm: float
    max_cm: float


class OwnPath(BaseModel):
    """A clip's own path as a spline. points: along it, for drawing. apart_cm: how far the spline is from the path itself at most."""

    degree: int
    controls: list[list[float]]
    length: float
    points: list[list[float]]
    fit: Near
    apart_cm: float
    degrees: list[DegreeFit]


class RepathAsked(RequestModel):
    """How a clip is to be laid on a path, as `kinegraph repath` takes it. ground: by name, such as ``hill:1,6``."""

    path: PathModel
    degree: int | None = Field(None, ge=1, le=45)
    keep: Literal["speed", "time"] = "speed"
    end: Literal["stop", "restart", "onward"] = "stop"
    start: Literal["path", "clip"] = "path"
    cycle: bool = False
    seconds: float | None = Field(None, gt=0, le=600, allow_inf_nan=False)
    ground: str | None = Field(None, max_length=100, pattern=NAMED, examples=["waves:0.4,5"])
    natural: bool = False
    feet: bool = True
    stretch: float = Field(0.02, ge=0, le=0.2, allow_inf_nan=False)


@router.get("/clips/{id}/path", response_model=OwnPath)
async def own_path(
    id: Id,
    request: Request,
    workspace: InWorkspace,
    controls: Annotated[int, Query(ge=4, le=64, description="Control points of the spline")] = repathing.HANDY,
) -> dict[str, Any]:
    """A clip's own path, to be edited and given back to repath."""

    def made() -> dict[str, Any]:
        return repathing.own(request.app.state.editors.of(workspace.motion(id)), controls)

    found: dict[str, Any] = await request.app.state.pool.run(made)
    return found


@router.post("/clips/{id}/repath", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def repath(id: Id, asked: RepathAsked, request: Request, workspace: InWorkspace) -> Response:
    """The clip bent along another path: a result pack."""
    data: bytes = await request.app.state.pool.run(_laid, request.app, workspace, id, asked)
    return pack.PackResponse(data)


def register(app: FastAPI) -> None:
    """Have a place for clips that are made ready."""
    app.state.editors = repathing.Editors()


def _laid(app: FastAPI, workspace: Workspace, id: str, asked: RepathAsked) -> bytes:
    curve = asked.path.curve()
    if curve.length > _LONGEST:
        raise Invalid(
            f"the path is {curve.length:,.0f} m long: the studio lays {_LONGEST:,.0f} m at most, the command more"
        )
    motion = workspace.motion(id)
    wishes = repathing.Wishes(**asked.model_dump(exclude={"path"}))
    laid = repathing.lay(app.state.editors.of(motion, asked.degree), curve, wishes)
    title = f"{motion.name} on {asked.path.shape or f'{curve.length:.1f} m'}"
    sent = asked.model_dump(exclude_none=True)
    return result_pack(app, laid, room="repath", title=title, request=sent, source={"clip": id}, origin=motion)
