"""Export: motions for other tools, and the commands that do the same."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import ConfigDict, Field

from kinegraph.studio.rooms.export import exporting
from kinegraph.studio.rooms.export.exporting import Exported
from kinegraph.studio.rooms.export.sources import source
from kinegraph.studio.rooms.export.writable import Options, check, check_options, formats, writable
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.models import Id, Name, OneOf
from kinegraph.studio.server.studio import Here, Studio, reading, routes, working
from kinegraph.studio.workspace.names import safe, tidied
from kinegraph.tasks.models import RequestModel
from kinegraph.tasks.recipes import Recipe
from kinegraph.watch import Watch, Watcher

router = routes("export")

Suffix = Annotated[str, OneOf(formats)]
SourceId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z_-]+$")]


class Which(RequestModel):
    """What is to be written."""

    kind: Literal["clip", "result"]
    id: SourceId


class ExportAsked(RequestModel):
    """A clip or a result, and the format and name to write it as."""

    source: Which
    format: Suffix
    name: Name
    options: Options = Options()


class RecipeAsked(Options):
    """A format, the file's name without its ending, and how it is written."""

    model_config = ConfigDict(extra="ignore")

    format: Suffix = ".bvh"
    name: Name | None = None


_FILM: dict[int | str, dict[str, Any]] = {
    202: {"model": Job, "description": "A film takes a while: a job, whose result is what was written"}
}
_FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"application/octet-stream": {}}}}


@router.post("/export", response_model=Exported, responses=_FILM)
@working
def export(asked: ExportAsked, studio: Here) -> Any:
    """Write a motion into the folder of exports."""
    safe(asked.name)
    check(asked.format, asked.options)
    if formats()[asked.format].slow:
        source(studio, asked.source.kind, asked.source.id)
        job = studio.jobs.submit("film", f"{asked.name}{asked.format}", asked.model_dump())
        return JSONResponse(asdict(job), 202)
    written = _exported(studio, asked)
    studio.events.changed("exports")
    return written


@router.get("/exports/{id}/file", response_class=FileResponse, responses=_FILE)
@reading
def download(id: Id, studio: Here) -> Response:
    """The file of an export."""
    path = studio.workspace.find("export", id)
    # whatever it holds, it is saved and not shown: a page of the same origin could do all that the studio can
    return FileResponse(path, media_type="application/octet-stream", filename=path.name)


@router.get("/clips/{id}/recipe")
@working
def clip_recipe(id: Id, asked: Annotated[RecipeAsked, Query()], studio: Here) -> Recipe:
    """How a clip is written in a format."""
    return _recipe(studio, "clip", id, asked)


@router.get("/results/{id}/recipe")
@working
def result_recipe(id: SourceId, asked: Annotated[RecipeAsked, Query()], studio: Here) -> Recipe:
    """How a result is made and written in a format. A path that was drawn is kept among the sketches, where the recipe finds it."""
    return _recipe(studio, "result", id, asked)


def register(app: FastAPI, studio: Studio) -> None:
    """Let jobs know how films are made, and the state what can be written."""
    studio.jobs.register("film", partial(_film, studio), changes="exports")
    studio.writable = [one.model_dump() for one in writable()]
    studio.at_start.append(partial(exporting.tidy, studio.workspace))


def _film(studio: Studio, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    return asdict(_exported(studio, ExportAsked(**request), lambda _, done, total: watch.tell("drawing", done, total)))


def _exported(studio: Studio, asked: ExportAsked, watch: Watcher = None) -> Exported:
    motion = source(studio, asked.source.kind, asked.source.id)
    on = asked.options.character
    hero = None if on is None else studio.heroes.hero(on)
    return exporting.export(studio.workspace, motion, safe(asked.name), asked.format, asked.options, watch, hero)


def _recipe(studio: Studio, kind: str, id: str, asked: RecipeAsked) -> Recipe:
    check_options(asked.format, asked)
    motion = source(studio, kind, id).needed()
    stem = tidied(motion.name) if asked.name is None else safe(asked.name)
    file = f"{stem}{asked.format}"
    on = None if asked.character is None else studio.workspace.entry(studio.heroes.path(asked.character)).file
    return motion.recipe(f"{stem} copy{asked.format}" if file == motion.file else file, asked, on)
