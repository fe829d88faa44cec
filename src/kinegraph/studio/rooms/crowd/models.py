"""What the crowd room asks, answers and tells over its socket.

The page sends JSON: once what is to be run, and perhaps that it is to stop. It is sent JSON with a ``type``, once a motion pack that tells
of the people and their skeleton, and then people packs, a few frames each.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError, model_validator

from kinegraph.crowds.named import NAMED
from kinegraph.player.facts import MotionFacts
from kinegraph.studio.server.models import Name, OneOf
from kinegraph.studio.server.problems import Invalid, told
from kinegraph.tasks.models import Metres, RequestModel

PRESENT, WAITS, ARRIVED = 1, 2, 4
"""Flags of a person in a frame."""
# bytes of a message: walls that somebody has drawn, and many more
_LONGEST = 400_000

Side = Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)]
Place = tuple[Metres, Metres]
Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
People = Annotated[int, Field(ge=1, le=1_000_000)]
GraphId = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$", description="A graph, as the state lists it")]


class BoxModel(RequestModel):
    """A rectangle on the floor: its middle, its width along x and its depth along z."""

    x: Metres
    z: Metres
    width: Side
    depth: Side


class GroupModel(RequestModel):
    """People who go from one box to another."""

    count: People
    start: BoxModel
    goal: BoxModel
    name: Annotated[str, Field(max_length=60)] = ""


class ScenarioModel(RequestModel):
    """One of: a built-in scenario, by its name and the number of people; one that was kept, by its id; groups, and walls through points."""

    named: Annotated[str, OneOf(lambda: NAMED)] | None = None
    count: People | None = None
    kept: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")] | None = None
    groups: Annotated[list[GroupModel], Field(max_length=50)] = Field(default_factory=list)
    walls: Annotated[list[Annotated[list[Place], Field(min_length=2, max_length=500)]], Field(max_length=500)] = Field(
        default_factory=list
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> ScenarioModel:
        if sum((self.named is not None, self.kept is not None, bool(self.groups))) != 1:
            raise ValueError("a scenario is one of: named, kept, or groups with walls; say who goes where")
        return self


class RunSaid(RequestModel):
    """Run a scenario, for so many seconds at most."""

    type: Literal["run"]
    scenario: ScenarioModel
    seconds: Seconds = 60.0
    seed: Seed = 0


class StopSaid(RequestModel):
    """Compute no further; what is there stays."""

    type: Literal["stop"]


Said = RunSaid | StopSaid
_SAID: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="type")])


class KeepAsked(RequestModel):
    """A scenario to be kept as a file that every command takes."""

    name: Name
    scenario: ScenarioModel
    seed: Seed = 0


class CrowdExportAsked(RequestModel):
    """What a run is to be written as: a suffix that `CrowdFacts.formats` lists."""

    name: Name
    format: Annotated[str, Field(max_length=10)]


class SceneGroup(BaseModel):
    """A group: where it starts and where it goes, as outlines."""

    name: str
    count: int
    start: list[tuple[float, float]]
    goal: list[tuple[float, float]]


class SceneGround(BaseModel):
    """Ground that is not level: heights in metres, row by row; row r and column c are at z0 + r · step and x0 + c · step."""

    x0: float
    z0: float
    step: float
    rows: int
    columns: int
    heights: list[float]


class SceneFacts(BaseModel):
    """What there is of a scenario on the floor. walls: through points. ground: none where it is level."""

    name: str
    people: int
    groups: list[SceneGroup]
    walls: list[list[tuple[float, float]]]
    ground: SceneGround | None


class DrawingFacts(BaseModel):
    """A scenario as the tools of the room draw it. notices: what of it they cannot draw, and what became of that."""

    groups: list[GroupModel]
    walls: list[list[tuple[float, float]]]
    notices: list[str]


class CrowdFormat(BaseModel):
    """What a run can be written as. why: what that lacks here."""

    suffix: str
    name: str
    why: str | None


class CrowdFacts(BaseModel):
    """A run. frames: how many there are at most, of which each ``every``-th is sent. group, build: of each person.

    Roots are where they are in the world. build: how long legs, trunk and arms of each are against the skeleton. bones, skin: for each
    joint which of the three its bone from its parent, and the body that hangs on it, belong to.
    """

    run: str
    people: int
    frames: int
    every: int
    group: list[int]
    build: list[tuple[float, float, float]]
    bones: list[int]
    skin: list[int]
    scene: SceneFacts
    formats: list[CrowdFormat]
    notices: list[str]


class CrowdPack(MotionFacts):
    """The people of a run: a motion pack, of the first of them, in which they set out; the first bytes over a crowd's socket."""

    crowd: CrowdFacts


class PeoplePack(BaseModel):
    """Some frames of everybody, from ``first`` on, counted as they are sent.

    Arrays: root (frames, people, 3), rotations (frames, people, joints, 4), speed and flags (frames, people): 1 there, 2 waits, 4 arrived.
    """

    kind: Literal["people"]
    first: int
    frames: int


class CrowdReport(BaseModel):
    """How it went. deepest_cm: how deep a trunk was in another at most, below 0 where there was room; above_2cm: the share of frames.

    arrival_s, waited_s: means; density: the most people on a square metre, within two metres of somebody.
    """

    people: int
    arrived: int
    seconds: float
    arrival_s: float | None
    deepest_cm: float
    above_2cm: float
    near_misses: int
    waited_s: float
    waited_most_s: float
    density: float
    notices: list[str]


class CrowdTold(BaseModel):
    """What a crowd's socket tells beside packs. preparing: stage. computed: frames. done: report. refused, problem: error."""

    type: Literal["preparing", "computed", "done", "problem", "refused"]
    stage: str | None = None
    frames: int | None = None
    error: str | None = None
    report: CrowdReport | None = None


def heard(text: str) -> Said:
    """What the page says; `Invalid` tells what makes no sense in it."""
    if len(text) > _LONGEST:
        raise Invalid(f"a message of {len(text):,} characters: no scenario is as long")
    try:
        return _SAID.validate_json(text)
    except ValidationError as error:
        raise Invalid(f"this is no run: {told(error.errors())}") from error


def said(type: str, **facts: Any) -> str:
    """A message to the page."""
    return json.dumps({"type": type, **facts}, separators=(",", ":"))
