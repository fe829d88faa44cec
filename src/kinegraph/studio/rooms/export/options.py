"""`Options`: how a motion is to be written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from kinegraph.errors import FormatError
from kinegraph.formats.writing import write_options
from kinegraph.studio.rooms.export.writable import formats, takers_of
from kinegraph.studio.server.models import Fps
from kinegraph.studio.server.problems import Conflict, Invalid
from kinegraph.tasks.models import RequestModel


class Options(RequestModel):
    """How a motion is to be written; what the format does not take is refused. Null and false: as it is."""

    fps: Fps | None = None
    in_place: bool = False
    t_pose: bool = False
    units: Annotated[str, Field(max_length=20)] | None = None
    up: Literal["y", "z"] | None = None

    @property
    def given(self) -> dict[str, Any]:
        """Those that were asked for."""
        said = {name: getattr(self, name) for name in Options.model_fields}
        return {name: value for name, value in said.items() if value not in (None, False)}


def check(suffix: str, options: Options) -> None:
    """Refuse, before any work is done, what this machine cannot write and options that the format does not take."""
    format = formats()[suffix]
    why = format.missing()
    if why is not None:
        raise Conflict(f"{format.title(suffix)} cannot be written here: {why}")
    check_options(suffix, options)
    if options.units is not None:
        try:
            write_options(Path(f"x{suffix}"), {"units": options.units})
        except FormatError as error:
            raise Invalid(error.what) from error


def check_options(suffix: str, options: Options) -> None:
    """Refuse options that a format does not take."""
    for name in options.given:
        if suffix not in takers_of(name):
            raise Invalid(f"{name} is for {', '.join(takers_of(name))}, not for {suffix}")
