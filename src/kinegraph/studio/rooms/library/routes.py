"""Clips: taken, shown, named, labelled, trimmed, deleted and had back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from kinegraph.feet.contacts import known_contacts
from kinegraph.formats.asf_files import own_skeleton
from kinegraph.graph.labels import TimedLabel
from kinegraph.graph.model import LabelSpan
from kinegraph.player import motion_pack
from kinegraph.rendering.thumbnails import thumbnail
from kinegraph.studio.rooms.library import editing, labelling, uploads
from kinegraph.studio.rooms.library.clip_infos import ClipInfos
from kinegraph.studio.rooms.library.intake import take
from kinegraph.studio.rooms.library.samples import write_samples
from kinegraph.studio.server.cache import Cache
from kinegraph.studio.server.models import ClipEntry, ClipId, Id, Name, Trashed
from kinegraph.studio.server.pack import KNOWN, PACKED, unless_known
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Here, Studio, reading, routes
from kinegraph.tasks.models import RequestModel

router = routes("clips")

Label = Annotated[
    str, Field(pattern=r"^[a-z0-9_-]{1,40}$", description="Small letters, digits, underscores and hyphens")
]
Seconds = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Frame = Annotated[int, Field(ge=0, le=100_000_000)]

# bytes of packs and of thumbnails that are held in memory
_PACKS, _THUMBNAILS = 150_000_000, 20_000_000
_SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}, "description": "A picture"},
    **KNOWN,
}


class Refused(BaseModel):
    """A file that was not taken, and why."""

    file: str
    error: str


class Taken(BaseModel):
    """What became of an upload."""

    clips: list[ClipEntry]
    refused: list[Refused]


@dataclass(frozen=True)
class ClipDetail(ClipEntry):
    """A clip with all its labels and the joints that have a body role."""

    spans: list[LabelSpan]
    roles: dict[str, str]


class LabelAsked(RequestModel):
    """A label from a time on, to another or to the clip's end, in seconds."""

    label: Label
    start: Seconds = Field(0.0, alias="from")
    end: Seconds | None = Field(None, alias="to")


class ClipChange(RequestModel):
    """A clip's new name; all labels that people give it. keep_found: what was found on their frames is given along with them."""

    name: Name | None = None
    labels: list[LabelAsked] | None = Field(None, max_length=1000)
    keep_found: bool = False


class ClipLabels(RequestModel):
    """A clip, and all labels that people give it."""

    clip: ClipId
    labels: list[LabelAsked] = Field(max_length=1000)


class LabelsPut(RequestModel):
    """Clips with all labels that people give them."""

    clips: list[ClipLabels] = Field(max_length=10_000)


class LabelsChange(RequestModel):
    """Labels that whole clips are to have, and labels that people gave and take back; what was found stays."""

    clips: list[ClipId] = Field(min_length=1, max_length=10_000)
    add: list[Label] = Field([], max_length=20)
    remove: list[Label] = Field([], max_length=20)


class Trim(RequestModel):
    """Frames to keep, half-open, and what the piece is called."""

    first: Frame
    last: Frame
    name: Name | None = None


class LabelsChanged(BaseModel):
    """A clip, and all labels that people gave it before a change and after it."""

    clip: str
    before: list[LabelAsked]
    after: list[LabelAsked]


@router.post("/clips", response_model=Taken, openapi_extra=uploads.FORM)
async def upload(request: Request, studio: Here) -> dict[str, Any]:
    """Take files as clips: BVH, AMC with its ASF, GLB, NPZ and others. Each is read before it is taken."""
    return await uploads.received(request, studio, _taken)


@router.get("/clips/{id}", response_model=ClipDetail)
@reading
def detail(id: Id, studio: Here) -> dict[str, Any]:
    """A clip with its labels and body roles."""
    path = studio.workspace.find("clip", id)
    clip: dict[str, Any] = studio.infos.clip(path)
    roles: dict[str, str] = {}
    if clip["info"]["error"] is None:
        skeleton = studio.workspace.read(path).skeleton
        roles = {role: skeleton.names[joint] for role, joint in skeleton.roles.items()}
    if studio.labels.error is not None:
        clip["info"]["notices"] = [*clip["info"]["notices"], f"labels.toml is not used: {studio.labels.error}"]
    return {**clip, "spans": studio.infos.spans(path), "roles": roles}


@router.patch("/clips/{id}", response_model=ClipEntry)
@reading
def change(id: Id, change: ClipChange, studio: Here) -> dict[str, Any]:
    """Rename a clip, or say what its labels are."""
    said = None if change.labels is None else _timed(change.labels)
    path = editing.change(studio.workspace, studio.infos, studio.labels, id, change.name, said, change.keep_found)
    return _told(studio, path)


@router.post("/labels", response_model=list[LabelsChanged])
@reading
def label(change: LabelsChange, studio: Here) -> list[dict[str, Any]]:
    """Give labels to many clips, or take them back; what people say of those that have changed, and said before."""
    changed = labelling.change(studio.workspace, studio.infos, studio.labels, change.clips, change.add, change.remove)
    studio.events.changed("clips")
    return [{"clip": one.clip, "before": _asked(one.before), "after": _asked(one.after)} for one in changed]


@router.put("/labels", status_code=204)
@reading
def put_labels(wanted: LabelsPut, studio: Here) -> None:
    """Say all labels that people give to some clips."""
    labelling.put(studio.workspace, studio.labels, {one.clip: _timed(one.labels) for one in wanted.clips})
    studio.events.changed("clips")


@router.post("/clips/{id}/trim", response_model=ClipEntry)
@reading
def trim(id: Id, wanted: Trim, studio: Here) -> dict[str, Any]:
    """Keep some frames of a clip as a clip of its own."""
    return _told(studio, editing.trim(studio.workspace, studio.labels, id, wanted.first, wanted.last, wanted.name))


@router.delete("/clips/{id}")
@reading
def delete(id: Id, studio: Here) -> Trashed:
    """Put a clip into the trash, and with it an ASF of its name that no other clip rests on."""
    return studio.trashed(studio.workspace.discard("clip", id, own_skeleton), "clips")


@router.post("/trash/{token}/restore", response_model=ClipEntry)
@reading
def restore(token: str, studio: Here) -> dict[str, Any]:
    """Have back what was deleted: a clip, or any other file of the workspace (then without an info)."""
    path = studio.workspace.restore(token)[0]
    what = editing.kind_of(studio.workspace, path)
    if what == "clips":
        return _told(studio, path)
    studio.events.changed(what)
    return {**studio.workspace.entry(path).told(), "info": None, "origin": None, "made_by": None}


@router.get("/clips/{id}/motion", **PACKED)
async def motion(id: Id, request: Request, studio: Here) -> Response:
    """The clip's motion as a motion pack, with the contacts of its feet."""
    path, stamp = _found(studio, id)

    def made() -> bytes:
        motion = studio.workspace.read(path)
        return motion_pack(motion, contacts=known_contacts(motion))

    return await unless_known(request, studio.reading, ("motion", *stamp), partial(studio.packs.get, stamp, made))


@router.get("/clips/{id}/body", **PACKED)
async def body(id: Id, request: Request, studio: Here) -> Response:
    """The body of the clip's skeleton as a body pack."""
    path, stamp = _found(studio, id)
    made = lambda: studio.body(studio.workspace.read(path))  # noqa: E731
    return await unless_known(request, studio.reading, ("body", *stamp), made)


@router.get("/clips/{id}/thumbnail.svg", response_class=Response, responses=_SVG)
async def picture(id: Id, request: Request, studio: Here) -> Response:
    """The clip as a few stick figures."""
    path, stamp = _found(studio, id)
    made = partial(studio.thumbnails.get, stamp, lambda: thumbnail(studio.workspace.read(path)))
    return await unless_known(request, studio.reading, ("thumbnail", *stamp), made, "image/svg+xml")


def register(app: FastAPI, studio: Studio) -> None:
    """Learn what clips hold, and let jobs know how samples are made."""
    workspace = studio.workspace
    studio.infos = ClipInfos(
        workspace, studio.labels, lambda clip: studio.events.publish({"type": "clip", "clip": clip})
    )
    studio.packs = Cache[bytes](_PACKS, len)
    studio.thumbnails = Cache[str](_THUMBNAILS, len)
    studio.jobs.register("samples", partial(write_samples, workspace, studio.events), changes="clips")
    studio.at_start.append(lambda: uploads.tidy(uploads.folder(workspace)))
    studio.at_end.append(studio.infos.close)


def _timed(asked: list[LabelAsked]) -> list[TimedLabel]:
    for label in asked:
        if label.end is not None and label.end <= label.start:
            raise Invalid(
                f"labels: {label.label} ends at {label.end:g} s, not after its beginning at {label.start:g} s"
            )
    return [TimedLabel(one.label, one.start, one.end) for one in asked]


def _asked(labels: Sequence[TimedLabel]) -> list[dict[str, Any]]:
    return [{"label": one.label, "from": one.start, "to": one.end} for one in labels]


def _taken(studio: Studio, files: list[uploads.Uploaded]) -> dict[str, Any]:
    """Take files, and tell every page so, also where it ends halfway: what was taken before stays."""
    try:
        return take(studio.workspace, studio.infos, files)
    finally:
        studio.events.changed("clips")


def _told(studio: Studio, path: Path) -> dict[str, Any]:
    """A clip that has just become another, told to every page."""
    clip: dict[str, Any] = studio.infos.clip(path)
    studio.events.changed("clips")
    return clip


def _found(studio: Studio, id: str) -> tuple[Path, tuple[Any, ...]]:
    """A clip's file, and what changes whenever that does."""
    path = studio.workspace.find("clip", id)
    return path, studio.workspace.stamp(path)
