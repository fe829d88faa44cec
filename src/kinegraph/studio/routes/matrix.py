"""Two clips compared: the map of their distances, how one is laid on the other, and the transition between them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from kinegraph.blending.named import USUAL
from kinegraph.motion import Motion
from kinegraph.studio import matrix, pack, problems
from kinegraph.studio.cache import Cache
from kinegraph.studio.choices import Blend
from kinegraph.studio.matrix import Measure
from kinegraph.studio.models import InWorkspace, RequestModel
from kinegraph.studio.transition import transition, transition_pack
from kinegraph.studio.workspace import Workspace

router = APIRouter(prefix="/api", tags=["matrix"], responses=problems.DOCUMENTED)

# bytes of maps that are held in memory
_ROOM = 60_000_000
_PATTERN = r"^[0-9a-f]{12}$"

ClipId = Annotated[str, Query(pattern=_PATTERN, description="A clip, as the state lists it")]
Fps = Annotated[float, Query(ge=1, le=240, allow_inf_nan=False)]
Window = Annotated[float | None, Query(ge=0.02, le=10, allow_inf_nan=False, description="Seconds")]
Frame = Annotated[int, Query(ge=0, le=10_000_000)]


class Alignment(BaseModel):
    """How far two windows are apart once the second is laid on the first: turned by angle about the vertical, then shifted by x and z."""

    distance_cm: float
    angle: float
    x: float
    z: float


class TransitionAsked(RequestModel):
    """From the window at frame i of clip a to the one at frame j of clip b, with lead seconds of each about it."""

    a: str = Field(pattern=_PATTERN)
    b: str = Field(pattern=_PATTERN)
    i: int = Field(ge=0, le=10_000_000)
    j: int = Field(ge=0, le=10_000_000)
    fps: float = Field(30.0, ge=1, le=240, allow_inf_nan=False)
    window: float | None = Field(None, ge=0.02, le=10, allow_inf_nan=False)
    blend: Blend = USUAL
    lead: float = Field(1.0, ge=0, le=60, allow_inf_nan=False)


@router.get("/matrix", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def compare(
    a: ClipId, b: ClipId, request: Request, workspace: InWorkspace, fps: Fps = 30.0, window: Window = None
) -> Response:
    """The distances of all windows of two clips as a pack, with their local minima, the cheapest first."""
    measure = Measure(fps, window)
    key = (*(workspace.stamp(workspace.find("clip", id)) for id in (a, b)), measure)
    known, headers = pack.fresh(request, "matrix", *key)
    if known:
        return Response(status_code=304, headers=headers)
    made = lambda: matrix.matrix_pack(_motions(workspace, a, b), measure)  # noqa: E731
    data = await request.app.state.pool.run(request.app.state.matrices.get, key, made)
    return pack.PackResponse(data, headers=headers)


@router.get("/align", response_model=Alignment)
async def align(
    a: ClipId,
    b: ClipId,
    i: Frame,
    j: Frame,
    request: Request,
    workspace: InWorkspace,
    fps: Fps = 30.0,
    window: Window = None,
) -> dict[str, float]:
    """How window j of b is laid on window i of a."""
    found: dict[str, float] = await request.app.state.reading.run(_align, workspace, a, b, i, j, Measure(fps, window))
    return found


@router.post("/transition", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def blend(asked: TransitionAsked, request: Request, workspace: InWorkspace) -> Response:
    """The transition as it would be played, as a motion pack."""
    return pack.PackResponse(await request.app.state.pool.run(_transition, workspace, asked))


def register(app: FastAPI) -> None:
    """Have room for maps that were asked for."""
    app.state.matrices = Cache[bytes](_ROOM, len)


def _motions(workspace: Workspace, a: str, b: str) -> list[Motion]:
    """Two clips, or one that is compared with itself."""
    return [workspace.motion(id) for id in dict.fromkeys((a, b))]


def _align(workspace: Workspace, a: str, b: str, i: int, j: int, measure: Measure) -> dict[str, float]:
    distance, laid = matrix.alignment(_motions(workspace, a, b), i, j, measure)
    return {"distance_cm": round(distance, 4), "angle": laid.angle, "x": laid.x, "z": laid.z}


def _transition(workspace: Workspace, asked: TransitionAsked) -> bytes:
    measure = Measure(asked.fps, asked.window)
    made = transition(_motions(workspace, asked.a, asked.b), asked.i, asked.j, measure, asked.blend, asked.lead)
    return transition_pack(made, asked.blend)
