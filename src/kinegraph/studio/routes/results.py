"""Results: shown again, kept, renamed, deleted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from kinegraph.player import motion_pack
from kinegraph.studio import pack, problems
from kinegraph.studio.models import FileEntry, Id, Name, RequestModel, Trashed
from kinegraph.studio.results import ResultStore

router = APIRouter(prefix="/api", tags=["results"], responses=problems.DOCUMENTED)


class KeptResult(FileEntry):
    """A result that was kept. quality: its figures, null where they are not known."""

    title: str
    room: str
    seconds: float
    quality: dict[str, Any] | None


class Named(RequestModel):
    """What a result is to be called."""

    name: Name


@router.get("/results/{id}/motion", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def motion(id: Id, request: Request) -> Response:
    """A result pack, as it was when it was made."""
    return pack.PackResponse(await request.app.state.reading.run(_packed, request.app.state.results, id))


@router.get("/results/{id}/body", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def body(id: Id, request: Request) -> Response:
    """The body of a result's skeleton as a body pack."""
    state = request.app.state
    return pack.PackResponse(await state.reading.run(lambda: state.bodies.get(state.results.get(id).motion)))


@router.post("/results/{id}/keep", response_model=KeptResult)
async def keep(id: Id, named: Named, request: Request) -> dict[str, Any]:
    """Write a result into the workspace, under a name."""
    state = request.app.state
    told: dict[str, Any] = await state.reading.run(lambda: state.results.told(state.results.keep(id, named.name)))
    state.events.changed("results")
    return told


@router.patch("/results/{id}", response_model=KeptResult)
async def rename(id: Id, named: Named, request: Request) -> dict[str, Any]:
    """Give a kept result another name."""
    state = request.app.state
    told: dict[str, Any] = await state.reading.run(lambda: state.results.told(state.results.rename(id, named.name)))
    state.events.changed("results")
    return told


@router.delete("/results/{id}", response_model=Trashed)
async def delete(id: Id, request: Request) -> dict[str, str]:
    """Put a kept result into the trash."""
    token: str = await request.app.state.reading.run(request.app.state.results.remove, id)
    request.app.state.events.changed("results")
    return {"trash": token}


def _packed(results: ResultStore, id: str) -> bytes:
    found = results.get(id)
    facts = {"result": {"id": id, **found.facts}}
    return motion_pack(found.motion, contacts=found.contacts, facts=facts, arrays=found.arrays)
