"""What requests and answers hold that more than one room speaks of, for checking them and for the OpenAPI description."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from kinegraph.blending.named import blends
from kinegraph.studio.workspace.entries import FileEntry

_ID = r"^[0-9a-f]{12}$"

Id = Annotated[str, Path(pattern=_ID, description="Of a file of the workspace, as the state lists it")]
ClipId = Annotated[str, Field(pattern=_ID, description="A clip, as the state lists it")]
GraphId = Annotated[str, Field(pattern=_ID, description="A graph, as the state lists it")]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Fps = Annotated[float, Field(ge=1, le=240, allow_inf_nan=False)]


class OneOf:
    """Of a text that it is one of some names. They are asked for when they are needed, since more may be added."""

    def __init__(self, names: Callable[[], Iterable[str]]):
        self._names = names

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "enum": list(self._names())}

    def _checked(self, text: str) -> str:
        *names, last = self._names()
        if text not in (*names, last):
            # as pydantic says it of a Literal
            raise PydanticKnownError("literal_error", {"expected": f"{', '.join(map(repr, names))} or {last!r}"})
        return text


Blend = Annotated[str, OneOf(blends)]


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


@dataclass(frozen=True)
class ClipEntry(FileEntry):
    """A clip; its info is null until it has been read.

    origin: where it comes from, in words, as far as that is known. made_by: the command that made it, where it is a result of kinegraph's.
    """

    info: ClipInfo | None
    origin: str | None
    made_by: str | None


@dataclass(frozen=True)
class GraphFile(FileEntry):
    """A file with a motion graph."""

    clips: int | None
    error: str | None


@dataclass(frozen=True)
class SpaceFile(FileEntry):
    """A space of strikes in a file."""

    space: str
    kind: str
    side: str
    strikes: int


@dataclass(frozen=True)
class KeptResult(FileEntry):
    """A result that was kept. quality: its figures, null where they are not known."""

    title: str
    room: str
    seconds: float
    quality: dict[str, object] | None


@dataclass(frozen=True)
class Trashed:
    """What was deleted can be had back by this token."""

    trash: str


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
