"""Spaces of strikes: built, shown, and asked for the strike that hits a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query
from pydantic import BaseModel, Field

from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.evaluation.strikes.reaching import Struck, finish_sentence, strike_facts
from kinegraph.formats.intake import Take
from kinegraph.notes import folded
from kinegraph.player import pack
from kinegraph.strikes import telling
from kinegraph.strikes.builder import build as strikes_of
from kinegraph.strikes.kinds import KINDS
from kinegraph.strikes.space import Space
from kinegraph.strikes.store.files import save
from kinegraph.studio.results.service import Service
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.models import ClipId, GraphId, Id, Name, OneOf
from kinegraph.studio.server.pack import PACKED, PackResponse
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Here, Studio, reading, routes, working
from kinegraph.studio.workspace.names import safe
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks.answers import Arrays, Facts
from kinegraph.tasks.kinds.join import Join, JoinDetails
from kinegraph.tasks.made import Made
from kinegraph.tasks.models import RequestModel, task_of
from kinegraph.tasks.task import Task
from kinegraph.watch import Watch

router = routes("spaces")

SpaceName = Annotated[
    str | None, Query(max_length=200, description="Which space of the file; need not be said where it holds one")
]

# seconds of the two walks about a strike while somebody waits
_LASTING = 120.0


class BuildAsked(RequestModel):
    """Takes of strikes, and what they are; side: by default the one that strikes."""

    name: Name
    clips: list[ClipId] = Field(min_length=1, max_length=200)
    kind: Annotated[str, OneOf(lambda: KINDS)]
    side: Literal["left", "right"] | None = None
    fps: float = Field(60.0, ge=10, le=240, allow_inf_nan=False)


class StrikeService(Service):
    """Strikes at targets; where one cannot be hit, the one that comes nearest."""

    room = "strike"
    address = "/spaces/{id}/reach"
    asked = "ReachAsked"
    asks = ("strike",)
    source = "space"
    defaults = MappingProxyType({"bounds": None})

    def more(self, made: Made, origin: Space) -> tuple[Facts, Arrays]:
        """The motion's own figures, and the strike's apart from them."""
        struck: Struck = made.details
        facts = {
            "quality": evaluate(made.motion, contacts=made.contacts, cpu=made.cpu).to_dict(),
            "clips": list(dict.fromkeys(each.clip for each in origin.examples.strikes)),
            "strike": {**strike_facts(struck), "finish": finish_sentence(struck.reach.finish), "limb": struck.limb},
        }
        return facts, {}


class JoinService(Service):
    """Strikes between two walks through a graph of the workspace."""

    room = "join"
    address = "/spaces/{id}/join"
    asked = "JoinAsked"
    asks = ("join",)
    source = "space"
    extra = MappingProxyType({"graph": (GraphId, ...)})

    def check(self, task: Join) -> None:
        """No walks that are too long."""
        if task.before + task.after > _LASTING:
            raise Invalid(f"the walks last more than {_LASTING:g} s together")

    def task(self, asked: RequestModel) -> Task:
        """Its graph is an id so far."""
        return task_of(asked, *self.tasks, graph=asked.graph)  # type: ignore[attr-defined]

    def others(self, asked: Any) -> Mapping[str, str]:
        """The graph."""
        return {"graph": asked.graph}

    def named(self, studio: Studio, task: Join) -> Join:
        """With the graph by its file, as a command names it."""
        workspace = studio.workspace
        return replace(task, graph=workspace.find("mog", task.graph).relative_to(workspace.root).as_posix())

    def prepared(self, studio: Studio, task: Join, id: str) -> Join:
        """With the graph itself."""
        return replace(task, graph=studio.workspace.graph(task.graph))

    def more(self, made: Made, origin: Space) -> tuple[Facts, Arrays]:
        """The strike in it, and where that is."""
        details: JoinDetails = made.details
        found, task = details.joined, made.task
        assert isinstance(task, Join)
        struck = Struck(origin, found.reach, tuple(task.target), chosen=True)
        own: Facts = {"hit_frame": found.hit_frame, "miss_cm": round(100 * found.miss, 4)}
        own |= {"finish": finish_sentence(found.reach.finish), "limb": struck.limb}
        back = found.placement.inverse()
        return {"strike": {**strike_facts(struck), **own}, "placement": vars(back)}, {}


class Example(BaseModel):
    """A captured strike. hit: where it hits, in metres. start, frame, end: of its clip; at frame it hits."""

    clip: str
    hit: tuple[float, float, float]
    start: int
    frame: int
    end: int
    seconds: float


class Tips(BaseModel):
    """Ends of last bones."""

    parents: list[int]
    positions: list[list[float]]


class Ready(BaseModel):
    """Somebody in the ready pose."""

    joints: list[str]
    parents: list[int]
    positions: list[list[float]]
    tips: Tips


class SpaceDetail(BaseModel):
    """What a space holds and where it can strike, in metres from below the ready pose: to the left, up, ahead.

    corners: of the region that the examples span, across and up; low, high: of the box around it; forward: what it calls ahead.
    """

    id: str
    name: str
    kind: str
    side: str
    limb: str
    fps: float
    examples: list[Example]
    corners: list[tuple[float, float]]
    low: tuple[float, float]
    high: tuple[float, float]
    ahead: tuple[float, float]
    middle: tuple[float, float]
    forward: str
    ready: Ready


@router.post("/spaces")
@reading
def build(asked: BuildAsked, studio: Here) -> Job:
    """Find the strikes in clips and make a space of them: a job."""
    safe(asked.name)
    for id in asked.clips:
        studio.workspace.find("clip", id)
    return studio.jobs.submit("space", f"Space {asked.name}", asked.model_dump())


@router.get("/spaces/{id}", response_model=SpaceDetail)
@working
def detail(id: Id, studio: Here, space: SpaceName = None) -> Facts:
    """What a space holds, and where it can strike."""
    return {"id": id, **telling.described(studio.workspace.space(id, space))}


@router.get("/spaces/{id}/trust", **PACKED)
@working
def trust(id: Id, studio: Here, space: SpaceName = None) -> PackResponse:
    """How far to trust targets across and up, on a grid."""
    facts, reliability = telling.trust_map(studio.workspace.space(id, space))
    return PackResponse(pack({"kind": "trust", **facts}, {"reliability": reliability}))


def register(app: FastAPI, studio: Studio) -> None:
    """Let jobs know how spaces are built, and answer requests for strikes."""
    studio.jobs.register("space", partial(_build, studio.workspace), changes="spaces")
    StrikeService().serve(app, studio)
    JoinService().serve(app, studio)


def _build(workspace: Workspace, request: dict[str, Any], watch: Watch) -> Facts:
    takes = []
    for number, id in enumerate(request["clips"]):
        watch.tell("reading", number, len(request["clips"]))
        path = workspace.find("clip", id)
        takes.append(Take.of(workspace.read(path), path))
    asked = {name: request[name] for name in ("kind", "side", "fps", "name")}
    # made ready for its first request
    space = strikes_of(takes, **asked, watch=watch).prepare()
    with workspace.lock:
        target = workspace.new("spaces", request["name"], ".mog")
        save(space, target)
    return {**workspace.entry(target).told(), "space": space.name, "notices": folded(space.notices)}
