"""Clips: taken, shown, named, labelled, trimmed, deleted and had back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.requests import ClientDisconnect

from kinegraph.graph.labels import TimedLabel
from kinegraph.studio import editing, pack, problems
from kinegraph.studio.intake import take
from kinegraph.studio.models import (
    ClipDetail,
    ClipEntry,
    Frame,
    Id,
    InWorkspace,
    Label,
    Name,
    RequestModel,
    Seconds,
    Trashed,
)
from kinegraph.studio.problems import Invalid
from kinegraph.studio.thumbnails import thumbnail
from kinegraph.studio.uploads import FIELD, MOST_FILES, Incoming, Uploaded
from kinegraph.studio.workspace import HIDDEN

router = APIRouter(prefix="/api", tags=["clips"], responses=problems.DOCUMENTED)

INCOMING = "incoming"
"""The folder, among what the studio keeps for itself, in which uploads lie until they are read."""

_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": [FIELD],
                    "properties": {
                        FIELD: {
                            "type": "array",
                            "minItems": 1,
                            "maxItems": MOST_FILES,
                            "items": {"type": "string", "format": "binary"},
                        }
                    },
                }
            }
        },
    }
}
_SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}, "description": "A picture"},
    304: {"description": "As the browser has it already"},
}


class Refused(BaseModel):
    """A file that was not taken, and why."""

    file: str
    error: str


class Taken(BaseModel):
    """What became of an upload."""

    clips: list[ClipEntry]
    refused: list[Refused]


class LabelAsked(RequestModel):
    """A label from a time on, to another or to the clip's end, in seconds."""

    label: Label
    start: Seconds = Field(0.0, alias="from")
    end: Seconds | None = Field(None, alias="to")


class ClipChange(RequestModel):
    """A clip's new name; all labels that people give it."""

    name: Name | None = None
    labels: list[LabelAsked] | None = Field(None, max_length=1000)


class Trim(RequestModel):
    """Frames to keep, half-open, and what the piece is called."""

    first: Frame
    last: Frame
    name: Name | None = None


@router.post("/clips", response_model=Taken, openapi_extra=_FORM)
async def upload(request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """Take files as clips: BVH, AMC with its ASF, GLB, NPZ and others. Each is read before it is taken."""
    state = request.app.state
    place = workspace.inside(workspace.root / HIDDEN / INCOMING)
    incoming = Incoming(place, request.headers.get("content-type", ""))
    try:
        async for piece in request.stream():
            await state.reading.run(incoming.feed, piece)
        taken: dict[str, Any] = await state.reading.run(_taken, request, incoming.done())
    except ClientDisconnect as error:
        raise Invalid("the upload was broken off") from error
    finally:
        await state.reading.run(incoming.close)
    return taken


@router.get("/clips/{id}", response_model=ClipDetail)
async def detail(id: Id, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """A clip with its labels and body roles."""
    found: dict[str, Any] = await request.app.state.reading.run(_detail, request, workspace.find("clip", id))
    return found


@router.patch("/clips/{id}", response_model=ClipEntry)
async def change(id: Id, change: ClipChange, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """Rename a clip, or say what its labels are."""
    for label in change.labels or []:
        if label.end is not None and label.end <= label.start:
            raise Invalid(
                f"labels: {label.label} ends at {label.end:g} s, not after its beginning at {label.start:g} s"
            )
    said = None if change.labels is None else [TimedLabel(one.label, one.start, one.end) for one in change.labels]
    state = request.app.state
    path = await state.reading.run(editing.change, workspace, state.infos, state.labels, id, change.name, said)
    return await _told(request, path)


@router.post("/clips/{id}/trim", response_model=ClipEntry)
async def trim(id: Id, wanted: Trim, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """Keep some frames of a clip as a clip of its own."""
    state = request.app.state
    path = await state.reading.run(
        editing.trim, workspace, state.infos, state.labels, id, wanted.first, wanted.last, wanted.name
    )
    return await _told(request, path)


@router.delete("/clips/{id}", response_model=Trashed)
async def delete(id: Id, request: Request, workspace: InWorkspace) -> dict[str, str]:
    """Put a clip into the trash."""
    token: str = await request.app.state.reading.run(editing.delete, workspace, id)
    request.app.state.events.changed("clips")
    return {"trash": token}


@router.post("/trash/{token}/restore", response_model=ClipEntry)
async def restore(token: str, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """Have back what was deleted: a clip, or any other file of the workspace (then without an info)."""
    state = request.app.state
    paths: list[Path] = await state.reading.run(workspace.restore, token)
    what = editing.kind_of(workspace, paths[0])
    state.events.changed(what)
    if what == "clips":
        return await _told(request, paths[0])
    return {**asdict(workspace.entry(paths[0])), "info": None}


@router.get("/clips/{id}/motion", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def motion(id: Id, request: Request, workspace: InWorkspace) -> Response:
    """The clip's motion as a motion pack."""
    path, known, headers = await _as_known(request, workspace, id, "motion")
    if known:
        return Response(status_code=304, headers=headers)
    return pack.PackResponse(await request.app.state.reading.run(request.app.state.packs.get, path), headers=headers)


@router.get("/clips/{id}/body", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def body(id: Id, request: Request, workspace: InWorkspace) -> Response:
    """The body of the clip's skeleton as a body pack."""
    path, known, headers = await _as_known(request, workspace, id, "body")
    if known:
        return Response(status_code=304, headers=headers)
    state = request.app.state
    data = await state.reading.run(lambda: state.bodies.get(workspace.read(path)))
    return pack.PackResponse(data, headers=headers)


@router.get("/clips/{id}/thumbnail.svg", response_class=Response, responses=_SVG)
async def picture(id: Id, request: Request, workspace: InWorkspace) -> Response:
    """The clip as a few stick figures."""
    path, known, headers = await _as_known(request, workspace, id, "thumbnail")
    if known:
        return Response(status_code=304, headers=headers)
    state = request.app.state
    svg = await state.reading.run(
        lambda: state.thumbnails.get(workspace.stamp(path), lambda: thumbnail(workspace.read(path)))
    )
    return Response(svg, media_type="image/svg+xml", headers=headers)


def _taken(request: Request, files: list[Uploaded]) -> dict[str, Any]:
    """Take files, and tell every page so, also where it ends halfway: what was taken before stays."""
    state = request.app.state
    try:
        return take(state.workspace, state.infos, files)
    finally:
        state.events.changed("clips")


async def _told(request: Request, path: Path) -> dict[str, Any]:
    """A clip that has just become another, told to every page."""
    state = request.app.state
    clip: dict[str, Any] = await state.reading.run(state.infos.clip, path)
    state.events.changed("clips")
    return clip


def _detail(request: Request, path: Path) -> dict[str, Any]:
    state = request.app.state
    clip: dict[str, Any] = state.infos.clip(path)
    roles: dict[str, str] = {}
    if clip["info"]["error"] is None:
        skeleton = state.workspace.read(path).skeleton
        roles = {role: skeleton.names[joint] for role, joint in skeleton.roles.items()}
    if state.labels.error is not None:
        clip["info"]["notices"] = [*clip["info"]["notices"], f"labels.toml is not used: {state.labels.error}"]
    return {**clip, "spans": state.infos.spans(path), "roles": roles}


async def _as_known(request: Request, workspace: InWorkspace, id: str, what: str) -> tuple[Path, bool, dict[str, str]]:
    """A clip's file, whether the browser knows it as it is, and the headers that go with it."""
    path = workspace.find("clip", id)
    known, headers = pack.fresh(request, what, *workspace.stamp(path))
    return path, known, headers
