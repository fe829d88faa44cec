"""Export: motions for other tools, and the commands that do the same."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import BaseModel, Field

from kinegraph.studio import exporting, problems, sources
from kinegraph.studio.choices import OneOf
from kinegraph.studio.exporting import Exported, Options
from kinegraph.studio.models import FileEntry, Id, InWorkspace, JobModel, Name, RequestModel
from kinegraph.studio.names import safe, tidied
from kinegraph.studio.sources import Exportable
from kinegraph.studio.workspace import Workspace
from kinegraph.studio.writable import formats
from kinegraph.watch import Watch, Watcher

router = APIRouter(prefix="/api", tags=["export"], responses=problems.DOCUMENTED)

Suffix = Annotated[str, OneOf(formats)]
Rate = Annotated[float | None, Field(ge=1, le=240, allow_inf_nan=False)]
Units = Annotated[str | None, Field(max_length=20)]
Up = Literal["y", "z"] | None
SourceId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z_-]+$")]


class Which(RequestModel):
    """What is to be written."""

    kind: Literal["clip", "result"]
    id: SourceId


class OptionsAsked(RequestModel):
    """How it is to be written; what the format does not take is refused."""

    fps: Rate = None
    in_place: bool = False
    t_pose: bool = False
    units: Units = None
    up: Up = None


class ExportAsked(RequestModel):
    """A clip or a result, and the format and name to write it as."""

    source: Which
    format: Suffix
    name: Name
    options: OptionsAsked = Field(default_factory=OptionsAsked)


class Written(BaseModel):
    """What was written, and the command and the Python that write it again, relative to the workspace."""

    export: FileEntry
    sidecar: FileEntry
    command: str
    python: str


class RecipeModel(BaseModel):
    """What is on the screen as a command and as Python, relative to the workspace."""

    command: str
    python: str


@router.post(
    "/export",
    response_model=Written,
    responses={
        202: {"model": JobModel, "description": "A film takes a while: a job, whose result is what was written"}
    },
)
async def export(asked: ExportAsked, request: Request, workspace: InWorkspace) -> Any:
    """Write a motion into the folder of exports."""
    safe(asked.name)
    options = Options(**asked.options.model_dump())
    state = request.app.state
    await state.reading.run(exporting.check, asked.format, options)
    if exporting.is_slow(asked.format):
        await state.pool.run(_source, request.app, workspace, asked.source.kind, asked.source.id)
        title = f"{asked.name}{asked.format}"
        job = await state.reading.run(state.jobs.submit, "film", title, asked.model_dump())
        return JSONResponse(asdict(job), 202)
    written: dict[str, Any] = await state.pool.run(_exported, request.app, workspace, asked)
    state.events.changed("exports")
    return written


@router.get(
    "/exports/{id}/file", response_class=FileResponse, responses={200: {"content": {"application/octet-stream": {}}}}
)
async def download(id: Id, request: Request, workspace: InWorkspace) -> Response:
    """The file of an export."""
    path = await request.app.state.reading.run(workspace.find, "export", id)
    # whatever it holds, it is saved and not shown: a page of the same origin could do all that the studio can
    return FileResponse(path, media_type="application/octet-stream", filename=path.name)


def _options(
    fps: Annotated[float | None, Query(ge=1, le=240, allow_inf_nan=False)] = None,
    in_place: bool = False,
    t_pose: bool = False,
    units: Annotated[str | None, Query(max_length=20)] = None,
    up: Literal["y", "z"] | None = None,
) -> Options:
    return Options(fps, in_place, t_pose, units, up)


InQuery = Annotated[Options, Depends(_options)]
FileName = Annotated[str | None, Query(min_length=1, max_length=200, description="Of the file, without its ending")]


@router.get("/clips/{id}/recipe", response_model=RecipeModel)
async def clip_recipe(
    id: Id, request: Request, workspace: InWorkspace, options: InQuery, format: Suffix = ".bvh", name: FileName = None
) -> dict[str, str]:
    """How a clip is written in a format."""
    found: dict[str, str] = await request.app.state.pool.run(
        _recipe, request.app, workspace, "clip", id, format, name, options
    )
    return found


@router.get("/results/{id}/recipe", response_model=RecipeModel)
async def result_recipe(
    id: SourceId,
    request: Request,
    workspace: InWorkspace,
    options: InQuery,
    format: Suffix = ".bvh",
    name: FileName = None,
) -> dict[str, str]:
    """How a result is made and written in a format. A path that was drawn is kept among the sketches, where the recipe finds it."""
    found: dict[str, str] = await request.app.state.pool.run(
        _recipe, request.app, workspace, "result", id, format, name, options
    )
    return found


def register(app: FastAPI) -> None:
    """Let the app's jobs know how films are made."""
    workspace: Workspace = app.state.workspace

    def run(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        return _exported(app, workspace, ExportAsked(**request), watch)

    app.state.jobs.register("film", run, changes="exports")


def _source(app: FastAPI, workspace: Workspace, kind: str, id: str) -> Exportable:
    if kind == "clip":
        return sources.of_clip(workspace, id)
    held = app.state.results.get(id)
    return sources.of_result(workspace, held.motion, held.facts)


def _exported(app: FastAPI, workspace: Workspace, asked: ExportAsked, watch: Watcher = None) -> dict[str, Any]:
    source = _source(app, workspace, asked.source.kind, asked.source.id)
    options = Options(**asked.options.model_dump())

    watch = Watch.of(watch)
    made: Exported = exporting.export(
        workspace,
        source.motion,
        safe(asked.name),
        asked.format,
        options,
        made=source.made,
        recipe=lambda target: source.recipe(target, asked.format, options),
        watch=lambda _, done, total: watch.tell("drawing", done, total),
    )
    return {"export": asdict(made.export), "sidecar": asdict(made.sidecar), **asdict(made.recipe)}


def _recipe(
    app: FastAPI, workspace: Workspace, kind: str, id: str, suffix: str, name: str | None, options: Options
) -> dict[str, str]:
    exporting.check_options(suffix, options)
    source = sources.needed(_source(app, workspace, kind, id))
    stem = tidied(source.name) if name is None else safe(name)
    file = f"{stem}{suffix}"
    if source.making is not None and file == source.making.file:
        file = f"{stem} copy{suffix}"
    return asdict(source.recipe(file, suffix, options))
