"""What requests and answers hold, for checking them and for the OpenAPI description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Depends, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from kinegraph.studio.workspace import Workspace

Id = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", description="Of a file of the workspace, as the state lists it")]
Label = Annotated[
    str, Field(pattern=r"^[a-z0-9_-]{1,40}$", description="Small letters, digits, underscores and hyphens")
]
Seconds = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
Frame = Annotated[int, Field(ge=0, le=100_000_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


def workspace_of(request: Request) -> Workspace:
    """The workspace that is served."""
    workspace: Workspace = request.app.state.workspace
    return workspace


InWorkspace = Annotated[Workspace, Depends(workspace_of)]


class RequestModel(BaseModel):
    """What a request holds: names that are not known are refused, since they are slips of the pen."""

    model_config = ConfigDict(extra="forbid")


class FileEntry(BaseModel):
    """A file of the workspace."""

    id: str
    name: str
    file: str
    size: int
    modified: str


class ClipInfo(BaseModel):
    """What a clip holds. error: why it cannot be read. skeleton: clips of the same one have the same body."""

    frames: int
    fps: float
    seconds: float
    joints: int
    height_m: float | None
    distance_m: float | None
    labels: list[str]
    notices: list[str]
    error: str | None
    skeleton: str


class ClipEntry(FileEntry):
    """A clip; its info is null until it has been read."""

    info: ClipInfo | None


class SpanModel(BaseModel):
    """Frames first to last, half-open, that bear a label; origin: file, name or auto."""

    label: str
    first: int
    last: int
    origin: str


class ClipDetail(ClipEntry):
    """A clip with all its labels and the joints that have a body role."""

    spans: list[SpanModel]
    roles: dict[str, str]


class GraphFile(FileEntry):
    """A file with a motion graph."""

    clips: int | None
    error: str | None


class SpaceFile(FileEntry):
    """A space of strikes in a file."""

    space: str
    kind: str
    side: str
    strikes: int


class JobModel(BaseModel):
    """Long work, and how far it is. revision: greater with every change, so that news that come late can be told from the newest."""

    id: str
    kind: str
    title: str
    state: Literal["queued", "running", "done", "failed", "cancelled", "interrupted"]
    stage: str
    done: int
    total: int
    eta_s: float | None
    started: str | None
    ended: str | None
    message: str | None
    request: dict[str, Any]
    result: dict[str, Any] | None
    revision: int


class Trashed(BaseModel):
    """What was deleted can be had back by this token."""

    trash: str


class Place(BaseModel):
    """The workspace."""

    name: str
    folder: str
    writable: bool


class ShapeModel(BaseModel):
    """A path by name: an example of it, and how it is written."""

    name: str
    text: str
    help: str


class DialModel(BaseModel):
    """How a number is set by hand. optional: it is as usual where it is not said."""

    label: str
    unit: str
    least: float
    most: float
    step: float
    usual: float
    optional: bool


class GroundModel(BaseModel):
    """A ground by name: an example of it, what it is, and its numbers; where the first is 0, it is flat."""

    name: str
    text: str
    help: str
    numbers: list[DialModel]


class BlendModel(BaseModel):
    """A way to blend a transition."""

    name: str
    help: str


class StrikeKindModel(BaseModel):
    """A kind of strike. plural: what several are called. tip: what strikes, such as a hand. joint: the one that hits, without its side."""

    name: str
    plural: str
    tip: str
    joint: str
    help: str


class Writable(BaseModel):
    """A suffix that can be written. why: what it lacks here. format, shown: suffixes of one format are one card, at that place.

    use, help: who reads it, in a few words and in a sentence. takes: options of an export. unit: of length, unless told. textual: the same
    as another suffix of the format, but as text. many: one file may hold many clips. slow: written by a job. drawn: a picture. needs: what
    must be installed.
    """

    suffix: str
    name: str
    available: bool
    why: str | None
    format: str
    use: str
    help: str
    takes: list[str]
    unit: str | None
    textual: bool
    many: bool
    slow: bool
    drawn: bool
    needs: str | None
    shown: int


class Formats(BaseModel):
    """What can be read and written."""

    read: list[str]
    write: list[Writable]
