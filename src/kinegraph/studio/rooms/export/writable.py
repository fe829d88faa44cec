"""What the studio can write: motion files and pictures, what each takes, and whether it can be written here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from kinegraph.characters.character import SUFFIXES
from kinegraph.characters.writing import PAGE
from kinegraph.errors import FormatError
from kinegraph.formats.format import FORMATS, Format
from kinegraph.formats.registry import written_suffixes
from kinegraph.formats.writing import PREPARED, takers, write_options
from kinegraph.motion import Motion
from kinegraph.rendering.pictures import PICTURES
from kinegraph.studio.server.models import Fps, Writable
from kinegraph.studio.server.problems import Conflict, Invalid
from kinegraph.tasks.models import RequestModel

OPTIONS = (*PREPARED, "units", "up", "character")
"""What can be said about an export, where its format takes it."""


def formats() -> dict[str, Format]:
    """Suffix → format of everything that can be written, motion files first."""
    listed = [*(format for format in FORMATS.values() if format.writes), *PICTURES.values()]
    return {suffix: format for format in listed for suffix in format.suffixes}


def writable() -> list[Writable]:
    """The same as the page is told."""
    return [_told(suffix, format) for suffix, format in formats().items()]


def is_drawn(format: Format) -> bool:
    """Whether it is a picture of the motion, and not the motion itself."""
    return format.name in PICTURES


def is_rigid(motion: Motion, suffix: str) -> bool:
    """Whether bones have to be given one length before a motion can be written so."""
    return formats()[suffix].rigid and motion.translations is not None


def takes(format: Format) -> list[str]:
    """The options of an export that a format takes."""
    always = () if is_drawn(format) else PREPARED
    bodies = ("character",) if _holds_characters(format) else ()
    return [option for option in OPTIONS if option in always or option in bodies or option in format.options]


def _holds_characters(format: Format) -> bool:
    return any(suffix in (*SUFFIXES, PAGE) for suffix in format.suffixes)


def takers_of(option: str) -> tuple[str, ...]:
    """The suffixes that take an option of an export."""
    if option == "character":
        return tuple(suffix for suffix, format in formats().items() if _holds_characters(format))
    written = written_suffixes() if option in PREPARED else takers(option)
    drawn = (suffix for picture in PICTURES.values() if option in picture.options for suffix in picture.suffixes)
    return (*written, *drawn)


def _told(suffix: str, format: Format) -> Writable:
    why = format.missing()
    return Writable(
        suffix=suffix,
        name=format.title(suffix),
        available=why is None,
        why=why,
        format=format.name,
        use=format.use,
        help=format.help,
        takes=takes(format),
        unit=format.unit,
        textual=suffix in format.textual,
        many=format.holds_many,
        slow=format.slow,
        drawn=is_drawn(format),
        needs=None if format.needs is None else format.needs.what,
        shown=format.shown,
    )


class Options(RequestModel):
    """How a motion is to be written; what the format does not take is refused. Null and false: as it is."""

    fps: Fps | None = None
    in_place: bool = False
    t_pose: bool = False
    units: Annotated[str, Field(max_length=20)] | None = None
    up: Literal["y", "z"] | None = None
    character: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")] | None = None
    """Whom it is put on: a character, as the state lists it."""

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
    unheard = [name for name in ("t_pose", "units", "up") if options.character and name in options.given]
    if unheard:
        raise Invalid(f"{unheard[0]} is not for a character: its file stays as it is")
