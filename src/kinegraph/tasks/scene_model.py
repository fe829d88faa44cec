"""A scene as a request holds it: the same tables as its files have (`kinegraph.scenes.reading`), with bounds for a server.

What makes sense together is judged by `kinegraph.scenes`, whose sentences name the key that is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)

from kinegraph.errors import GraphError
from kinegraph.scenes.reading import check_names

Text = Annotated[str, Field(min_length=1, max_length=300)]
Seconds = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Metres = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]

NAMED_GROUND = r"^[a-z]{1,20}:[-+0-9.,% ]*$"
"""A ground by name and numbers: the name of a file is none."""
# entries of one table of a scene, and points of a path
_MOST, _POINTS = 500, 5000


def _no_file(name: str) -> str:
    """The name of a space: a request names no file of the server's."""
    if "/" in name or "\\" in name or ".mog" in name.lower():
        raise ValueError("name a space of the graph's own file, such as right punch: files are not taken here")
    return name


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True, serialize_by_alias=True)


class SceneLabel(_Said):
    """From and to seconds a label is borne, or not, or may be instead of others; to the end of the scene unless told."""

    name: Text
    begin: Seconds = Field(0.0, alias="from")
    end: Seconds | None = Field(None, alias="to")
    without: bool = Field(False, alias="not")
    may: bool = False
    weight: Weight | None = None


class SceneKey(_Said):
    """At a time, within a window, or whenever it suits, the root is at [x, z] in metres; with a heading in degrees, 0 for +z, 90 for +x."""

    time: Seconds | None = None
    at: tuple[Metres, Metres]
    heading: Annotated[float, Field(ge=-3600, le=3600, allow_inf_nan=False)] | None = None
    window: tuple[Seconds, Seconds] | None = None
    hard: bool = True
    weight: Weight | None = None


class SceneWait(_Said):
    """From and to seconds somebody stands; to the end of the scene unless told."""

    begin: Seconds = Field(0.0, alias="from")
    end: Seconds | None = Field(None, alias="to")
    weight: Weight | None = None


class ScenePose(_Said):
    """A frame of a clip is shown at a time."""

    clip: Text
    frame: Annotated[int, Field(ge=-1, le=10_000_000)]
    time: Seconds
    weight: Weight | None = None


class SceneStrike(_Said):
    """At a time a hand or foot hits [x, y, z] in metres, by a space of the graph's own file; by the only one there is unless told."""

    time: Seconds
    target: tuple[Metres, Metres, Metres]
    by: Annotated[Text, AfterValidator(_no_file)] | None = None


class SceneClip(_Said):
    """From and to seconds a clip is played; to the end of the scene unless told."""

    name: Text
    begin: Seconds = Field(0.0, alias="from")
    end: Seconds | None = Field(None, alias="to")
    weight: Weight | None = None


class ScenePath(_Said):
    """From and to seconds somebody goes along a path: a shape such as circle:2, or points [x, z] in metres."""

    shape: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    points: Annotated[list[tuple[Metres, Metres]], Field(max_length=_POINTS)] | None = None
    begin: Seconds = Field(0.0, alias="from")
    end: Seconds | None = Field(None, alias="to")
    hard: bool = True
    weight: Weight | None = None


class SceneObstacle(_Said):
    """A disc [x, z, radius], or a box [x, z, width, depth]."""

    disc: tuple[Metres, Metres, Metres] | None = None
    box: tuple[Metres, Metres, Metres, Metres] | None = None


class SceneWithout(_Said):
    """Clips that are not used, and transitions, each as clip:frame>clip:frame."""

    clips: Annotated[list[Text], Field(max_length=_MOST)] = []
    transitions: Annotated[list[Text], Field(max_length=_MOST)] = []


class SceneModel(_Said):
    """What happens where and when."""

    seconds: Seconds
    name: Annotated[str, Field(max_length=300)] | None = None
    speed: Annotated[float, Field(ge=-1e3, le=1e3, allow_inf_nan=False)] | None = None
    clearance: Metres | None = None
    label: Annotated[list[SceneLabel], Field(max_length=_MOST)] = []
    key: Annotated[list[SceneKey], Field(max_length=_MOST)] = []
    wait: Annotated[list[SceneWait], Field(max_length=_MOST)] = []
    pose: Annotated[list[ScenePose], Field(max_length=_MOST)] = []
    strike: Annotated[list[SceneStrike], Field(max_length=_MOST)] = []
    clip: Annotated[list[SceneClip], Field(max_length=_MOST)] = []
    path: Annotated[list[ScenePath], Field(max_length=_MOST)] = []
    loop: bool = False
    ground: Annotated[str, Field(max_length=100, pattern=NAMED_GROUND)] | None = None
    obstacle: Annotated[list[SceneObstacle], Field(max_length=_MOST)] = []
    without: SceneWithout | None = None

    @model_validator(mode="wrap")
    @classmethod
    def _spelt(cls, value: Any, read: ModelWrapValidatorHandler[SceneModel]) -> SceneModel:
        """What no scene has is told as it is told of files."""
        try:
            return read(value)
        except ValidationError as error:
            if isinstance(value, Mapping) and any(one["type"] == "extra_forbidden" for one in error.errors()):
                try:
                    check_names(value)
                except GraphError as misspelt:
                    raise ValueError(str(misspelt)) from None
            raise

    def said(self) -> dict[str, Any]:
        """The same as files and Python say it: what is as usual is left out."""
        return self.model_dump(by_alias=True, exclude_defaults=True, mode="json")
