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


class MovedPack(BaseModel):
    """Poses of a character's own nodes. nodes: the node of its file that each joint is. moving: joints whose translations are told, the
    others stay where the file has them. size: how large it is to be shown to stand where the motion stood.
    """

    kind: Literal["moved"]
    fps: float
    frames: int
    nodes: list[int]
    moving: list[int]
    size: float
    notices: list[str]


class FitPack(BaseModel):
    """How a character's joints follow a body's. leads: whom each follows, −1: its own parent. tied: joints that go with their leader's
    place, ties: how far off. over: how the node above all joints is turned, w x y z. The array ``turns`` holds how each lies to its leader.
    """

    kind: Literal["fit"]
    nodes: list[int]
    parents: list[int]
    leads: list[int]
    tied: list[int]
    ties: list[Point]
    over: tuple[float, float, float, float]
    size: float
    notices: list[str]
