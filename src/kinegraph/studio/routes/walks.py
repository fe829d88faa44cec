"""Walks through a graph: along a path, at random, in an order."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field, model_validator

from kinegraph.blending.named import USUAL
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.path import Path
from kinegraph.studio import following, pack, problems
from kinegraph.studio.answers import result_pack
from kinegraph.studio.choices import Blend
from kinegraph.studio.made import Made
from kinegraph.studio.models import Id, InWorkspace, RequestModel
from kinegraph.studio.pathmodel import Metres, PathModel
from kinegraph.studio.problems import Invalid
from kinegraph.watch import Watch

router = APIRouter(prefix="/api", tags=["walks"], responses=problems.DOCUMENTED)

# metres of the longest path that is followed while somebody waits, and seconds of the longest walk
_LONGEST, _LASTING = 500.0, 600.0

Text = Annotated[str, Field(min_length=1, max_length=300)]
Stay = Annotated[float, Field(ge=0, le=120, allow_inf_nan=False)]


class SectionAsked(RequestModel):
    """From first to last metres along the path the motion bears a label; a last of null is the path's end."""

    first: float = Field(ge=0, le=10_000, allow_inf_nan=False)
    last: float | None = Field(None, ge=0, le=10_000, allow_inf_nan=False)
    label: Text


class ObstacleAsked(RequestModel):
    """A round obstacle: its centre and radius in metres."""

    x: Metres
    z: Metres
    radius: float = Field(gt=0, le=1000, allow_inf_nan=False)


class FollowAsked(RequestModel):
    """A path and how it is to be followed, as `kinegraph follow` takes it. prefer: clip → margin in cm. seed: not used."""

    path: PathModel
    label: Text | None = None
    sections: list[SectionAsked] = Field(default_factory=list, max_length=100)
    prefer: dict[Text, Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)]] = Field(
        default_factory=dict, max_length=100
    )
    blend: Blend = USUAL
    search: Literal["fast", "exact"] = "fast"
    warp: bool = True
    clean: bool = True
    start: Text | None = None
    heading_deg: float | None = Field(None, ge=-3600, le=3600, allow_inf_nan=False)
    speed: float | None = Field(None, ge=0.05, le=20, allow_inf_nan=False)
    horizon: float | None = Field(None, ge=1, le=30, allow_inf_nan=False)
    width: int | None = Field(None, ge=1, le=3000)
    obstacles: list[ObstacleAsked] = Field(default_factory=list, max_length=50)
    seed: int | None = None


class WalkAsked(RequestModel):
    """A walk at random for some seconds, or one that visits clips and labels in order, as `kinegraph walk` takes it."""

    seconds: float | None = Field(None, gt=0, le=_LASTING, allow_inf_nan=False)
    seed: int = Field(0, ge=0, le=2**53)
    label: Text | None = None
    pool: float | None = Field(None, gt=0, le=1, allow_inf_nan=False)
    sequence: list[Text] | None = Field(None, min_length=1, max_length=50)
    stay: Stay | Annotated[list[Stay], Field(min_length=1, max_length=50)] = 1.0
    start: Text | None = None
    blend: Blend = USUAL
    clean: bool = True

    @model_validator(mode="after")
    def _one_of_them(self) -> WalkAsked:
        if (self.seconds is None) == (self.sequence is None):
            raise ValueError(
                "a walk is at random for some seconds, or a sequence of clips and labels: give one of the two"
            )
        if self.sequence is not None and (self.label is not None or self.pool is not None):
            raise ValueError("label and pool are for walks at random")
        stays = self.stay if isinstance(self.stay, list) else [self.stay] * len(self.sequence or [])
        if sum(stays) > _LASTING:
            raise ValueError(f"the stays last more than {_LASTING:g} s together")
        return self


@router.post("/graphs/{id}/follow", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def follow(id: Id, asked: FollowAsked, request: Request, workspace: InWorkspace) -> Response:
    """The walk along a path, as a result pack."""
    state = request.app.state
    pool = state.thorough if asked.search == "exact" else state.pool
    data: bytes = await pool.run_for(request, partial(_follow, request, id, asked))
    return pack.PackResponse(data)


@router.post("/graphs/{id}/walk", response_class=pack.PackResponse, responses=pack.DOCUMENTED)
async def walk(id: Id, asked: WalkAsked, request: Request, workspace: InWorkspace) -> Response:
    """A random walk, or one in order, as a result pack."""
    return pack.PackResponse(await request.app.state.pool.run(_walk, request, id, asked))


def _follow(request: Request, id: str, asked: FollowAsked, watch: Watch) -> bytes:
    watch.check()
    graph = request.app.state.workspace.graph(id)
    # heights are for repath: a graph's clips are on the level
    path = Path(asked.path.path().points)
    if path.length > _LONGEST:
        raise Invalid(f"path: it is {path.length:,.0f} m long; at most {_LONGEST:g} m are followed at once")
    wish = following.Following(
        label=asked.label,
        sections=[(part.first, part.last, part.label) for part in asked.sections],
        prefer=asked.prefer,
        search=asked.search,
        start=asked.start,
        heading_deg=asked.heading_deg,
        speed=asked.speed,
        horizon=asked.horizon,
        width=asked.width,
        obstacles=[(disc.x, disc.z, disc.radius) for disc in asked.obstacles],
    )
    made = following.follow(graph, path, wish, following.Making(asked.blend, asked.warp, asked.clean), watch)
    title = f"{asked.path.shape or 'a drawn path'}, {path.length:.1f} m"
    return _packed(request, id, graph, made, asked, room="follow", title=title)


def _walk(request: Request, id: str, asked: WalkAsked) -> bytes:
    graph = request.app.state.workspace.graph(id)
    making = following.Making(asked.blend, False, asked.clean)
    if asked.sequence is not None:
        made = following.in_order(graph, asked.sequence, making, stay=asked.stay, start=asked.start)
        return _packed(request, id, graph, made, asked, room="walk", title=" → ".join(asked.sequence))
    assert asked.seconds is not None  # the model has seen to it
    made = following.at_random(
        graph, asked.seconds, making, seed=asked.seed, label=asked.label, pool=asked.pool, start=asked.start
    )
    return _packed(request, id, graph, made, asked, room="walk", title=f"at random for {asked.seconds:g} s")


def _packed(
    request: Request, id: str, graph: MotionGraph, made: Made, asked: RequestModel, *, room: str, title: str
) -> bytes:
    sent: dict[str, Any] = asked.model_dump(exclude_unset=True)
    return result_pack(request.app, made, room=room, title=title, request=sent, source={"graph": id}, origin=graph)
