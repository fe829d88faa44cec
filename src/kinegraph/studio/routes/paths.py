"""Shapes as points, for drawing them before they are walked."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from kinegraph.studio import problems
from kinegraph.studio.pathmodel import PathModel, sampled

router = APIRouter(prefix="/api", tags=["paths"], responses=problems.DOCUMENTED)


class Drawn(BaseModel):
    """A path as points [x, z], and its length in metres."""

    points: list[list[float]]
    length: float


@router.get("/paths", response_model=Drawn)
async def drawn(
    request: Request, shape: Annotated[str, Query(min_length=1, max_length=100, examples=["eight:3"])]
) -> dict[str, Any]:
    """A shape such as ``eight:3``, sampled."""
    found: dict[str, Any] = await request.app.state.reading.run(_drawn, shape)
    return found


def _drawn(shape: str) -> dict[str, Any]:
    path = PathModel.model_validate({"shape": shape}).path()
    return {"points": sampled(path), "length": round(path.length, 6)}
