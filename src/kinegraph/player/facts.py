"""What the facts of packs are, as models: servers describe their answers by them. Only who serves imports this."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

Point = tuple[float, float, float]


class TipFacts(BaseModel):
    """Ends of last bones: the joint that each hangs on, and where."""

    parents: list[int]
    offsets: list[Point]


class MotionFacts(BaseModel):
    """A motion pack. body: the id of the body that fits the skeleton. height: stature in metres."""

    kind: Literal["motion"]
    name: str
    fps: float
    frames: int
    seconds: float
    joints: list[str]
    parents: list[int]
    offsets: list[Point]
    tips: TipFacts
    roles: dict[str, int]
    body: str
    height: float
    notices: list[str]


class BodyPart(BaseModel):
    """Faces first to last, half-open, of one colour."""

    name: str
    colour: Point
    first: int
    last: int


class BodyPack(BaseModel):
    """The body of a skeleton."""

    kind: Literal["body"]
    id: str
    parts: list[BodyPart]
