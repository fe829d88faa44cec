"""Graphs: built, chosen anew, shown, deleted."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from kinegraph.graph.making.parameters import Parameters
from kinegraph.studio import following, graphs, pack, problems
from kinegraph.studio.cache import stamp
from kinegraph.studio.jobs import Job
from kinegraph.studio.models import Id, InWorkspace, JobModel, Name, RequestModel, Trashed
from kinegraph.studio.names import safe
from kinegraph.studio.printable import printable
from kinegraph.studio.problems import Conflict, Missing
from kinegraph.studio.workspace import Workspace
from kinegraph.watch import Watch

router = APIRouter(prefix="/api", tags=["graphs"], responses=problems.DOCUMENTED)

# what SQLite lays beside a draft, and the draft itself, in the order in which they are moved or removed: a draft without
# the log that it has yet to take in is not what was written, and a log without its draft is taken for the next one's
_LOGS = ("-wal", "-journal", "-shm", "")

ClipId = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Threshold = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]


class GraphAsked(RequestModel):
    """What a graph is built from. threshold_cm: null lets each kind of motion find its own."""

    name: Name
    clips: list[ClipId] = Field(min_length=1, max_length=5000)
    fps: float = Field(30.0, ge=5, le=240, allow_inf_nan=False)
    window: float = Field(1 / 3, ge=0.05, le=5, allow_inf_nan=False)
    threshold_cm: Threshold | None = None
    mirror: bool = True
    bridges: bool = True


class Chosen(RequestModel):
    """Another choice of transitions. name: for a graph of its own; without one the graph itself is changed."""

    threshold_cm: Threshold | None = None
    bridges: bool = True
    name: Name | None = None


class GraphSpan(BaseModel):
    """Frames first to last, half-open, that bear a label."""

    label: str
    first: int
    last: int


class GraphClip(BaseModel):
    """A clip of a graph. group: the number of its kind of motion in summary.groups. kept: frames that the graph plays, half-open."""

    name: str
    frames: int
    mirrored: bool
    group: int | None
    spans: list[GraphSpan]
    kept: list[tuple[int, int]]


class GraphDetail(BaseModel):
    """A graph. summary: as `kinegraph inspect --json` tells it. labels: those that a walk can keep to come first."""

    id: str
    name: str
    file: str
    summary: dict[str, Any]
    fps: float
    clips: list[GraphClip]
    parameters: dict[str, Any]
    labels: list[str]


@router.post("/graphs", response_model=JobModel)
async def build(asked: GraphAsked, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """Build a graph of some clips; answers with the job that does it."""
    job = await request.app.state.reading.run(_submit, request.app, asked)
    return asdict(job)


@router.get("/graphs/{id}", response_model=GraphDetail)
async def detail(id: Id, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """A graph and its clips."""
    found: dict[str, Any] = await request.app.state.reading.run(_detail, request.app, workspace, id)
    return found


@router.get("/graphs/{id}/edges", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def edges(id: Id, request: Request, workspace: InWorkspace) -> Response:
    """All edges of a graph as a pack."""
    known, headers = pack.fresh(request, "edges", *stamp(workspace.find("mog", id)))
    if known:
        return Response(status_code=304, headers=headers)
    data = await request.app.state.reading.run(lambda: graphs.edges_pack(workspace.graph(id)))
    return pack.PackResponse(data, headers=headers)


@router.get("/graphs/{id}/clips/{index}/motion", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def clip_motion(
    id: Id, index: Annotated[int, Path(ge=0, le=1_000_000)], request: Request, workspace: InWorkspace
) -> Response:
    """A clip as the graph holds it, as a motion pack."""
    known, headers = pack.fresh(request, "clip", index, *stamp(workspace.find("mog", id)))
    if known:
        return Response(status_code=304, headers=headers)
    return pack.PackResponse(await request.app.state.reading.run(_clip, workspace, id, index), headers=headers)


@router.post("/graphs/{id}/rechoose", response_model=JobModel)
async def rechoose(id: Id, chosen: Chosen, request: Request, workspace: InWorkspace) -> dict[str, Any]:
    """Choose a graph's transitions anew by another threshold; nothing is compared again. Answers with the job that does it."""
    path = workspace.find("mog", id)
    asked = {"graph": id, **chosen.model_dump(), "name": None if chosen.name is None else safe(chosen.name)}
    job = await request.app.state.reading.run(
        request.app.state.jobs.submit, "rechoose", f"Choose the transitions of {path.stem} anew", asked
    )
    return asdict(job)


@router.delete("/graphs/{id}", response_model=Trashed)
async def delete(id: Id, request: Request, workspace: InWorkspace) -> dict[str, str]:
    """Put a graph into the trash, with the spaces that its file holds."""
    token: str = await request.app.state.reading.run(_deleted, workspace, id)
    for what in ("graphs", "spaces"):
        request.app.state.events.changed(what)
    return {"trash": token}


def register(app: FastAPI) -> None:
    """Name what runs the jobs, and have somebody who gets graphs ready."""
    app.state.warmer = following.Warmer()
    app.state.jobs.register("build", partial(_build, app), changes="graphs")
    app.state.jobs.register("rechoose", partial(_rechoose, app), changes="graphs")
    app.state.jobs.tidy("build", partial(_without_draft, app.state.workspace))


def _submit(app: FastAPI, asked: GraphAsked) -> Any:
    """Queue a build whose graph has a name that is free, also of what other builds will make."""
    workspace: Workspace = app.state.workspace
    for clip in asked.clips:
        path = workspace.find("clip", clip)
        if printable(path.stem) != path.stem:
            raise Conflict(
                f"{printable(path.name)} has a name that is no text, which no graph can hold: rename it first"
            )
    with workspace.lock:
        free = _free(app, safe(asked.name)).stem
        return app.state.jobs.submit("build", f"Build {free}", {**asked.model_dump(), "name": free})


def _free(app: FastAPI, name: str) -> FilePath:
    """A place for a graph that is free, also of what builds will make that have not ended well yet: those may be resumed."""
    workspace: Workspace = app.state.workspace
    pending = {job.request.get("name") for job in app.state.jobs.list() if job.kind == "build" and job.state != "done"}
    free = workspace.new(graphs.FOLDER, name, ".mog")
    number = 2
    while free.stem in pending:
        free = workspace.new(graphs.FOLDER, f"{name} {number}", ".mog")
        number += 1
    return free


def _place(app: FastAPI, name: str) -> FilePath:
    """Where a build saves: under the name it was queued with, or, where something has that by now, another; its draft goes along."""
    workspace: Workspace = app.state.workspace
    place = workspace.new(graphs.FOLDER, name, ".mog")
    if place.stem == name:
        return place
    place = _free(app, name)
    draft = place.with_name(f"{name}.mog.part")
    if not os.path.lexists(f"{place}.part"):
        for log in _LOGS:
            with suppress(FileNotFoundError):
                FilePath(f"{draft}{log}").rename(f"{place}.part{log}")
    return place


def _without_draft(workspace: Workspace, job: Job) -> None:
    """Remove what a build that is forgotten has compared so far, since nobody can take it up again."""
    if job.state == "done":  # it has none any more: one of that name is another build's
        return
    draft = workspace.inside(workspace.root / graphs.FOLDER / f"{safe(job.request['name'])}.mog.part")
    for log in _LOGS:
        FilePath(f"{draft}{log}").unlink(missing_ok=True)


def _build(app: FastAPI, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    workspace: Workspace = app.state.workspace
    asked = GraphAsked(**request)
    parameters = Parameters(
        fps=asked.fps,
        window=asked.window,
        threshold=graphs.threshold(asked.threshold_cm),
        mirror=asked.mirror,
        bridges=asked.bridges,
    )
    watch.tell("read", 0, len(asked.clips))
    files = [workspace.find("clip", clip) for clip in asked.clips]
    labels = app.state.labels.read()
    with workspace.promised(lambda: _place(app, safe(asked.name))) as target:
        workspace.inside(target.with_name(f"{target.name}.part"))
        graphs.build(files, target, parameters, read=workspace.read, labels=labels, watch=watch)
        made = graphs.graph_file(workspace, target)
    _warm(app, made["id"])
    return {"graph": made}


def _rechoose(app: FastAPI, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    workspace: Workspace = app.state.workspace
    id = request["graph"]
    chosen = Chosen(**{name: value for name, value in request.items() if name != "graph"})
    source = workspace.find("mog", id)
    graph = workspace.graph(id)
    name = chosen.name
    with workspace.promised(lambda: source if name is None else _free(app, name)) as target:
        graphs.rechoose(graph, source, target, chosen.threshold_cm, chosen.bridges, watch)
        made = graphs.graph_file(workspace, target)
    _warm(app, made["id"])
    return {"graph": made}


def _deleted(workspace: Workspace, id: str) -> str:
    with workspace.lock:
        return workspace.trash.put(workspace.find("mog", id))


def _detail(app: FastAPI, workspace: Workspace, id: str) -> dict[str, Any]:
    path = workspace.find("mog", id)
    entry = workspace.entry(path)
    told = graphs.told(workspace.graph(id), path)
    _warm(app, id)
    return {"id": entry.id, "name": entry.name, "file": entry.file, **told}


def _clip(workspace: Workspace, id: str, index: int) -> bytes:
    graph = workspace.graph(id)
    if index >= len(graph.clips):
        raise Missing(f"this graph has no clip {index}: it has {len(graph.clips)}, counted from 0")
    return graphs.clip_pack(graph, index)


def _warm(app: FastAPI, id: str) -> None:
    """Get a graph ready for being followed, in the background: whoever has opened it will draw a path next."""
    app.state.warmer.start(lambda: app.state.workspace.graph(id))
