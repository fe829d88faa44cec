"""Tasks as requests: pydantic models that follow from the tasks' wishes, for servers to check and to describe.

Only who serves imports this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from kinegraph.paths.bspline import Spline
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import shape
from kinegraph.tasks.forms import form
from kinegraph.tasks.scene_model import NAMED_GROUND, SceneModel
from kinegraph.tasks.task import Task
from kinegraph.walks.request import LONGEST_PAUSE, Box, Disc
from kinegraph.wishes import Wish

MOST_POINTS = 5000
MOST_CONTROLS = 1000

GROUND = rf"{NAMED_GROUND}|^grounds/[^/\\\\]{{1,120}}\.(npz|npy|csv)$"
"""A ground by name, or what a server may let people call a height field: it looks for one that is called so, and opens nothing else."""

# files and what was read from them: no request names a file of the server's, nor holds one
_NOT_SENT = ("file", "takes", "writer's", "bytes")

Text = Annotated[str, Field(min_length=1, max_length=300)]
Metres = Annotated[float, Field(ge=-10_000, le=10_000, allow_inf_nan=False)]
Point = Annotated[list[Metres], Field(min_length=2, max_length=3)]


class RequestModel(BaseModel):
    """What a request holds: names that are not known are refused, since they are slips of the pen."""

    model_config = ConfigDict(extra="forbid")


class PathModel(RequestModel):
    """One of: a shape such as ``eight:3``; points [x, z], or with heights [x, y, z]; a spline's controls likewise, with its degree."""

    shape: str | None = Field(None, max_length=100, examples=["eight:3"])
    points: list[Point] | None = Field(None, min_length=2, max_length=MOST_POINTS)
    degree: int | None = Field(None, ge=1, le=9)
    controls: list[Point] | None = Field(None, min_length=2, max_length=MOST_CONTROLS)

    @model_validator(mode="after")
    def _one_of_them(self) -> PathModel:
        given = [name for name in ("shape", "points", "controls") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("a path is one of shape, points or controls (with degree)")
        if self.degree is not None and self.controls is None:
            raise ValueError("a degree goes with controls")
        for place in self.points or self.controls or []:
            if len(place) != len((self.points or self.controls or [])[0]):
                raise ValueError("all points are [x, z], or all are [x, y, z]")
        return self

    def curve(self) -> Path | Spline:
        """The curve that is meant; a `MotionError` says why it is none."""
        if self.shape is not None:
            found = shape(self.shape)
            return Path(found.points, found.heights, name=self.shape)
        if self.controls is not None:
            return Spline(np.array(self.controls), 3 if self.degree is None else self.degree)
        points = np.array(self.points)
        return Path(points[:, [0, 2]], points[:, 1]) if points.shape[1] == 3 else Path(points)


class SectionModel(RequestModel):
    """From first to last metres along the path the motion bears a label; a last of null is the path's end."""

    first: float = Field(ge=0, le=10_000, allow_inf_nan=False)
    last: float | None = Field(None, ge=0, le=10_000, allow_inf_nan=False)
    label: Text


class PauseModel(RequestModel):
    """At so many metres along the path the walker stands for so many seconds."""

    at: float = Field(ge=0, le=10_000, allow_inf_nan=False)
    seconds: float = Field(gt=0, le=LONGEST_PAUSE, allow_inf_nan=False)


class ObstacleModel(RequestModel):
    """What nobody may walk through, in metres: a disc by its centre and radius, a box by its lowest corner, width and depth."""

    x: Metres
    z: Metres
    radius: float | None = Field(None, gt=0, le=1000, allow_inf_nan=False)
    width: float | None = Field(None, gt=0, le=1000, allow_inf_nan=False)
    depth: float | None = Field(None, gt=0, le=1000, allow_inf_nan=False)

    @model_validator(mode="after")
    def _disc_or_box(self) -> ObstacleModel:
        sizes = self.radius is not None, self.width is not None, self.depth is not None
        if sizes not in ((True, False, False), (False, True, True)):
            raise ValueError("an obstacle has a radius, or a width and a depth")
        return self

    def obstacle(self) -> Disc | Box:
        """What is meant."""
        if self.radius is not None:
            return Disc(self.x, self.z, self.radius)
        assert self.width is not None  # seen to above
        assert self.depth is not None
        return Box(self.x, self.z, self.width, self.depth)


def request_model(
    name: str,
    *tasks: type[Task],
    leave: Sequence[str] = (),
    defaults: Mapping[str, Any] | None = None,
    usage: str = "",
    more: Mapping[str, Any] | None = None,
) -> type[RequestModel]:
    """The model of a task's request, or of that of several tasks, one of which is meant.

    leave: wishes that nobody may send. defaults: those of the server, over the tasks'. usage: what to say where none of
    several tasks is asked for. more: fields of the request that are no wishes, as for `pydantic.create_model`.

    >>> from kinegraph.tasks import Strike
    >>> asked = request_model("Strike", Strike)
    >>> asked(target=[0.1, 1.4]).mirror
    False
    """
    fields: dict[str, Any] = dict(more or {})
    for task in tasks:
        for wish in task.wishes().values():
            if wish.name in leave or wish.form in _NOT_SENT:
                continue
            key = form(wish.form).key(wish)
            hint, default = _annotation(wish), (defaults or {}).get(wish.name, wish.default)
            if wish.required and len(tasks) == 1:
                fields[key] = (hint, Field(description=wish.help))
            else:
                default = _as_json(wish, default)
                fields[key] = (hint if default is not None else hint | None, Field(default, description=wish.help))
    made = create_model(name, __base__=_several(tasks, usage) if len(tasks) > 1 else RequestModel, **fields)
    made.__doc__ = tasks[0].summary
    return made


def task_of(asked: RequestModel, *tasks: type[Task], **more: Any) -> Task:
    """The task that a request asks for. more: wishes that it does not hold."""
    task = next(task for task in tasks if _is_meant(task, asked))
    wished = dict(more)
    for wish in task.wishes().values():
        how = form(wish.form)
        value = getattr(asked, how.key(wish), None)
        if value is not None and wish.name not in wished:
            wished[wish.name] = how.from_json(value)
    return task(**wished)


def _several(tasks: Sequence[type[Task]], usage: str) -> type[RequestModel]:
    """The base of a request that means one of several tasks."""

    class OneOf(RequestModel):
        @model_validator(mode="after")
        def _one_of_them(self) -> Any:
            meant = [task for task in tasks if _is_meant(task, self)]
            if len(meant) != 1:
                raise ValueError(usage)
            own = _keys(meant[0])
            for other in tasks:
                for key in sorted((self.model_fields_set & _keys(other)) - own):
                    if getattr(self, key) is not None:
                        raise ValueError(f"{key} is for {other.aside}: {usage}")
            return self

    return OneOf


def _keys(task: type[Task]) -> set[str]:
    return {form(wish.form).key(wish) for wish in task.wishes().values()}


def _is_meant(task: type[Task], asked: RequestModel) -> bool:
    needed = [
        form(wish.form).key(wish) for wish in task.wishes().values() if wish.required and wish.form not in _NOT_SENT
    ]
    return all(getattr(asked, key, None) is not None for key in needed)


def _annotation(wish: Wish) -> Any:
    """What a request holds for a wish."""
    number = Annotated[float, Field(allow_inf_nan=False, **_bounds(wish))]
    if wish.form == "choice":
        return Literal[wish.words]
    return {
        "text": Text,
        "flag": bool,
        "number": number,
        "whole": Annotated[int, Field(**_bounds(wish))],
        "degrees": Annotated[float, Field(ge=-3600, le=3600, allow_inf_nan=False)],
        "centimetres": number,
        "threshold": number,
        "percent": Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)],
        "path": PathModel,
        "scene": SceneModel,
        "sections": Annotated[list[SectionModel], Field(max_length=100)],
        "pauses": Annotated[list[PauseModel], Field(max_length=50)],
        "margins": Annotated[dict[Text, number], Field(max_length=100)],
        "weights": Annotated[dict[Text, number], Field(max_length=100)],
        "obstacles": Annotated[list[ObstacleModel], Field(max_length=50)],
        "names": Annotated[list[Text], Field(min_length=1, max_length=50)],
        "stays": number | Annotated[list[number], Field(min_length=1, max_length=50)],
        "target": Annotated[list[number], Field(min_length=2, max_length=3)],
        "bounds": Annotated[list[number], Field(min_length=2, max_length=2)],
        "ground": Annotated[str, Field(max_length=150, pattern=GROUND, examples=["waves:0.4,5"])],
    }[wish.form]


def _bounds(wish: Wish) -> dict[str, Any]:
    low, high = wish.served
    found: dict[str, Any] = {}
    if low is not None:
        found["ge"] = low
    elif wish.above is not None:
        found["gt"] = wish.above
    elif wish.least is not None:
        found["ge"] = wish.least
    if high is not None or wish.most is not None:
        found["le"] = high if high is not None else wish.most
    return found


def _as_json(wish: Wish, default: Any) -> Any:
    """A wish's default as a request holds it."""
    if wish.required or wish.form in ("threshold", "degrees"):
        return None
    if isinstance(default, tuple):
        return list(default)
    return 100 * default if wish.form == "centimetres" and default is not None else default
