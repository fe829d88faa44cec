"""A `Made` as an answer: its facts and arrays, as packs hold them, and the models that describe them. Only who serves imports this."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from kinegraph.arrays import Array, Singles
from kinegraph.feet.plants import Plant
from kinegraph.feet.slide import Slides
from kinegraph.motion import Motion
from kinegraph.paths.moving import track_of
from kinegraph.player.facts import MotionFacts, Point
from kinegraph.tasks.made import Made

Facts = dict[str, Any]
Arrays = dict[str, NDArray[Any]]


def told(made: Made) -> Facts:
    """What all rooms tell of a result."""
    known = made.provenance
    return {
        "title": made.title,
        "quality": _plain(made.quality),
        "warnings": list(made.warnings),
        "notices": list(made.notices),
        "reached": made.reached,
        "short": made.short or None,
        "transitions": [one.to_dict() for one in made.transitions],
        "clips": [] if known is None else list(known.clips),
        "labels": [] if known is None else list(known.labels),
        "plants": _plants(made.motion, made.plants),
        "marks": {str(frame): word for frame, word in made.marks.items()},
        "cpu_s": round(made.cpu, 6),
    }


def per_frame(made: Made) -> Arrays:
    """What they tell of every frame."""
    frames, known = len(made.motion), made.provenance
    found: Arrays = {
        "track": track_of(made.motion).astype(np.float32),
        "slide_mm": np.zeros(frames, np.float32) if made.slides is None else slide_mm(made.slides),
        **{name: values.astype(np.float32) for name, values in (made.per_frame or {}).items()},
    }
    if known is not None:
        borne = np.array(list(known.labels.values()), np.uint8).reshape(len(known.labels), frames)
        found |= {"clip": known.clip.astype(np.int32), "frame": known.frame.astype(np.int32), "labelled": borne.T}
    return found


def slide_mm(slid: Slides) -> Singles:
    """Millimetres ``(F,)`` by which the planted point that strays most is off its plant's mean place; 0 where none stands."""
    strayed: Singles = (1000 * slid.away.max(axis=1)).astype(np.float32)
    return strayed


def _plain(value: Any) -> Any:
    """Figures as JSON takes them: what is not a finite number is null."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plants(motion: Motion, stood: Iterable[Plant]) -> list[Facts]:
    """Every plant with its place in metres and where the foot points, in radians: 0 is +Z, positive towards +X."""
    headings = {side: _pointing(motion, side) for side in ("left", "right")}
    return [
        {
            "foot": plant.side,
            "part": plant.part,
            "first": plant.first,
            "last": plant.last,
            **dict(zip("xyz", (round(float(value), 4) for value in plant.place), strict=True)),
            "heading": round(float(headings[plant.side][(plant.first + plant.last - 1) // 2]), 4),
        }
        for plant in stood
    ]


def _pointing(motion: Motion, side: str) -> Array:
    """Headings ``(F,)`` of a foot, from ankle to toes; zeros where they are not known."""
    roles = (f"{side}_ankle", f"{side}_toe")
    if not motion.skeleton.has_roles(*roles):
        return np.zeros(len(motion))
    ankle, toe = (motion.position(role) for role in roles)
    headings: Array = np.arctan2(toe[:, 0] - ankle[:, 0], toe[:, 2] - ankle[:, 2])
    return headings


# -- as models ---------------------------------------------------------------------------------------------------------


class PlantFacts(BaseModel):
    """A foot part that stands from frame first to last, half-open: where, in metres, and where the foot points: radians from +Z to +X."""

    foot: Literal["left", "right"]
    part: Literal["heel", "ball"]
    first: int
    last: int
    x: float
    y: float
    z: float
    heading: float


class TransitionFacts(BaseModel):
    """Frames first … first + length − 1 blend from one clip to another."""

    first: int
    length: int
    cost_cm: float
    begin: str = Field(alias="from")
    end: str = Field(alias="to")
    at: str | None = None


class SourceFacts(BaseModel):
    """The id of the file that a result was made from, under its kind."""

    graph: str | None = None
    clip: str | None = None
    space: str | None = None


class Grid(BaseModel):
    """Values on a grid: rows and columns of places that are step metres apart."""

    step: float
    rows: int
    columns: int


class GroundFacts(Grid):
    """Heights of the ground: row r, column c is at x0 + c·step, z0 + r·step. The array ``ground`` holds them."""

    x0: float
    z0: float


class StrikeWeight(BaseModel):
    """How much of a captured strike is in the one that was made. hit: the frame of its clip at which it hits."""

    clip: str
    hit: int
    weight: float


class StrikeError(BaseModel):
    """How far strikes that were left out are from what is made at their targets, on average: angle of a joint, distance of the end."""

    angle_deg: float
    path_cm: float


class StrikeChoice(BaseModel):
    """Whether a space blends its strikes or bends the nearest one onto the target, by the errors of both over strikes left out in turn."""

    way: str
    left_out: int
    blend: StrikeError
    nearest: StrikeError


class StrikeFacts(BaseModel):
    """A strike that was made. hit: where it hits, in metres: to the left, up, ahead. way: blend, nearest or partial. finish: what holding
    the feet took, as a sentence.
    """

    target: list[float]
    hit: Point
    hit_frame: int
    miss_cm: float
    reached: bool
    inside: bool
    reliability: float
    way: str
    choice: StrikeChoice
    frames: int
    fps: float
    seconds: float
    mirrored: bool
    weights: list[StrikeWeight]
    finish: str
    limb: str


class FloorFacts(BaseModel):
    """A turn by so many radians about the vertical through the origin, then a shift by metres over the floor."""

    angle: float
    x: float
    z: float


class ResultFacts(BaseModel):
    """A result. short: why it stopped before its end. path: what was to be walked, [x, z] or [x, y, z].

    marks: frames that are worth a look, each with a word for it. own_path, ground: of a repath only. strike: of a strike only.
    placement: of a strike between walks, from the floor of the motion to that of the space.
    """

    id: str
    room: Literal["follow", "walk", "repath", "strike", "live", "direct", "join"]
    title: str
    request: dict[str, Any]
    source: SourceFacts
    source_digest: str | None = None
    source_digests: dict[str, str] = {}
    quality: dict[str, Any] | None
    warnings: list[str] = []
    notices: list[str]
    reached: bool
    short: str | None
    path: list[list[float]] | None
    transitions: list[TransitionFacts]
    clips: list[str]
    labels: list[str]
    plants: list[PlantFacts]
    marks: dict[str, str] = {}
    cpu_s: float
    own_path: list[list[float]] | None = None
    ground: GroundFacts | None = None
    strike: StrikeFacts | None = None
    placement: FloorFacts | None = None


class ResultPack(MotionFacts):
    """A result pack: a motion pack with what was made and how."""

    result: ResultFacts
