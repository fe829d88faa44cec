"""Two clips compared: the map of their distances, how one is laid on the other, and the transition between them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from kinegraph.blending.named import USUAL
from kinegraph.blending.preview import preview
from kinegraph.motion import Motion
from kinegraph.studio.rooms.graph import matrix
from kinegraph.studio.rooms.graph.matrix import transition_pack
from kinegraph.studio.server.models import Blend, ClipId
from kinegraph.studio.server.pack import PACKED, PackResponse, unless_known
from kinegraph.studio.server.studio import Here, reading, routes, working
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks.models import RequestModel

router = routes("matrix")


class PairAsked(BaseModel):
    """Two clips and how they are compared: frames a second, and the window's seconds, or as a build would choose it."""

    a: ClipId
    b: ClipId
    fps: float = Field(30.0, ge=1, le=240, allow_inf_nan=False)
    window: float | None = Field(None, ge=0.02, le=10, allow_inf_nan=False)

    @property
    def measure(self) -> matrix.Measure:
        """How they are compared."""
        return matrix.Measure(self.fps, self.window)


class PlaceAsked(PairAsked):
    """The window at frame i of clip a, and the one at frame j of clip b."""

    i: int = Field(ge=0, le=10_000_000)
    j: int = Field(ge=0, le=10_000_000)


class TransitionAsked(PlaceAsked):
    """From the one window to the other, with lead seconds of each clip about it."""

    model_config = RequestModel.model_config

    blend: Blend = USUAL
    lead: float = Field(1.0, ge=0, le=60, allow_inf_nan=False)


class Alignment(BaseModel):
    """How far two windows are apart once the second is laid on the first: turned by angle about the vertical, then shifted by x and z."""

    distance_cm: float
    angle: float
    x: float
    z: float


@router.get("/matrix", **PACKED)
async def compare(asked: Annotated[PairAsked, Query()], request: Request, studio: Here) -> Response:
    """The distances of all windows of two clips as a pack, with their local minima, the cheapest first."""
    workspace = studio.workspace
    key = (*(workspace.stamp(workspace.find("clip", id)) for id in (asked.a, asked.b)), asked.measure)

    def made() -> bytes:
        found: bytes = studio.matrices.get(key, lambda: matrix.matrix_pack(_motions(workspace, asked), asked.measure))
        return found

    return await unless_known(request, studio.pool, ("matrix", *key), made)


@router.get("/align")
@reading
def align(asked: Annotated[PlaceAsked, Query()], studio: Here) -> Alignment:
    """How window j of b is laid on window i of a."""
    distance, laid = matrix.alignment(_motions(studio.workspace, asked), asked.i, asked.j, asked.measure)
    return Alignment(distance_cm=round(distance, 4), angle=laid.angle, x=laid.x, z=laid.z)


@router.post("/transition", **PACKED)
@working
def blend(asked: TransitionAsked, studio: Here) -> PackResponse:
    """The transition as it would be played, as a motion pack."""
    motions = _motions(studio.workspace, asked)
    made = preview(motions, asked.i, asked.j, fps=asked.fps, window=asked.window, blend=asked.blend, lead=asked.lead)
    return PackResponse(transition_pack(made, asked.blend))


def _motions(workspace: Workspace, asked: PairAsked) -> list[Motion]:
    """Two clips, or one that is compared with itself."""
    return [workspace.motion(id) for id in dict.fromkeys((asked.a, asked.b))]
