"""Graphs: built, chosen anew, shown, deleted."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from kinegraph.graph.model import LabelSpan
from kinegraph.player import motion_pack
from kinegraph.studio.rooms.follow.warmer import Warmer
from kinegraph.studio.rooms.graph import graphs
from kinegraph.studio.rooms.graph.builds import Builds
from kinegraph.studio.server import problems
from kinegraph.studio.server.cache import Cache, stamp
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.models import ClipId, Id, Name, Trashed
from kinegraph.studio.server.pack import PACKED, unless_known
from kinegraph.studio.server.problems import Missing
from kinegraph.studio.server.studio import Here, Studio, reading, routes, taking, working
from kinegraph.studio.workspace.names import safe
from kinegraph.tasks.models import RequestModel, request_model
from kinegraph.tasks.task import TASKS

router = routes("graphs")

# bytes of maps that are held in memory
_MAPS = 60_000_000


class Chosen(RequestModel):
    """Another choice of transitions. name: for a graph of its own; without one the graph itself is changed."""

    threshold_cm: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] | None = None
    bridges: bool = True
    name: Name | None = None


class Added(RequestModel):
    """Clips that are to come into a graph."""

    clips: Annotated[list[ClipId], Field(min_length=1, max_length=5000)]


class GraphClip(BaseModel):
    """A clip of a graph. group: the number of its kind of motion in summary.groups. kept: frames that the graph plays, half-open."""

    name: str
    frames: int
    mirrored: bool
    group: int | None
    spans: list[LabelSpan]
    kept: list[tuple[int, int]]


class GraphDetail(BaseModel):
    """A graph. summary: as `kinegraph inspect --json` tells it. labels: those that a walk can keep to come first.

    speeds: usual metres a second by label.
    """

    id: str
    name: str
    file: str
    summary: dict[str, Any]
    fps: float
    clips: list[GraphClip]
    parameters: dict[str, Any]
    labels: list[str]
    speeds: dict[str, float]


class Turns(BaseModel):
    """Metres of radius of the tightest half circles on which people turn about; null where they do on none."""

    left_m: float | None
    right_m: float | None


@router.get("/graphs/{id}/turns")
@working
def turns(id: Id, studio: Here) -> Turns:
    """How tightly people turn about in a graph, which is tried out."""
    left, right = graphs.turns(studio.workspace.graph(id))
    return Turns(left_m=left, right_m=right)


@router.get("/graphs/{id}", response_model=GraphDetail)
@reading
def detail(id: Id, studio: Here) -> dict[str, Any]:
    """A graph and its clips."""
    path = studio.workspace.find("mog", id)
    entry = studio.workspace.entry(path)
    told = graphs.told(studio.workspace.graph(id), path)
    studio.builds.warm(id)
    return {"id": entry.id, "name": entry.name, "file": entry.file, **told}


@router.get("/graphs/{id}/edges", **PACKED)
async def edges(id: Id, request: Request, studio: Here) -> Response:
    """All edges of a graph as a pack."""
    key = ("edges", *stamp(studio.workspace.find("mog", id)))
    return await unless_known(request, studio.reading, key, lambda: graphs.edges_pack(studio.workspace.graph(id)))


@router.get("/graphs/{id}/clips/{index}/motion", **PACKED)
async def clip_motion(
    id: Id, index: Annotated[int, Path(ge=0, le=1_000_000)], request: Request, studio: Here
) -> Response:
    """A clip as the graph holds it, as a motion pack."""

    def made() -> bytes:
        clips = studio.workspace.graph(id).clips
        if index >= len(clips):
            raise Missing(f"this graph has no clip {index}: it has {len(clips)}, counted from 0")
        return motion_pack(clips[index].motion, contacts=clips[index].contacts)

    key = ("clip", index, *stamp(studio.workspace.find("mog", id)))
    return await unless_known(request, studio.reading, key, made)


@router.post("/graphs/{id}/rechoose")
@reading
def rechoose(id: Id, chosen: Chosen, studio: Here) -> Job:
    """Choose a graph's transitions anew by another threshold; nothing is compared again. Answers with the job that does it."""
    path = studio.workspace.find("mog", id)
    asked = {"graph": id, **chosen.model_dump(), "name": None if chosen.name is None else safe(chosen.name)}
    return studio.jobs.submit("rechoose", f"Choose the transitions of {path.stem} anew", asked)


@router.post("/graphs/{id}/add")
@reading
def add(id: Id, added: Added, studio: Here) -> Job:
    """Add clips to a graph; only pairs with a new clip are compared. Answers with the job that does it."""
    job: Job = studio.builds.submit_add(id, added.clips)
    return job


@router.delete("/graphs/{id}")
@reading
def delete(id: Id, studio: Here) -> Trashed:
    """Put a graph into the trash, with the spaces that its file holds."""
    return studio.trashed(studio.workspace.discard("mog", id), "graphs", "spaces")


def register(app: FastAPI, studio: Studio) -> None:
    """Let jobs build graphs, and have room for maps that were asked for."""
    more = {"name": (Name, ...), "clips": (list[ClipId], Field(min_length=1, max_length=5000))}
    model = request_model(
        "GraphAsked", TASKS["build"], leave=("threads", "scheduler"), defaults={"mirror": True}, more=more
    )
    studio.builds = Builds(studio, model, Warmer())
    studio.matrices = Cache[bytes](_MAPS, len)

    def build(asked: Any, studio: Here) -> Job:
        """Build a graph of some clips; answers with the job that does it."""
        job: Job = studio.builds.submit(asked)
        return job

    route = reading(taking(model, build))
    app.add_api_route("/api/graphs", route, methods=["POST"], tags=["graphs"], responses=problems.DOCUMENTED)
    studio.jobs.register("build", studio.builds.build, changes="graphs", forget=studio.builds.forget)
    studio.jobs.register("add", studio.builds.add, changes="graphs")
    studio.jobs.register("rechoose", studio.builds.rechoose, changes="graphs")
