"""Options of every command that reads a motion file, and the reading itself."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from kinegraph.errors import FormatError
from kinegraph.formats import load
from kinegraph.motion import Motion

Skeleton = Annotated[
    Path | None, typer.Option("--skeleton", metavar="X.asf", help="The ASF of an AMC, if it is not beside it.")
]
Units = Annotated[
    str,
    typer.Option("--units", help="Unit of length in the file: auto, m, cm, mm, dm, in, ft, cmu, or metres per unit."),
]
Up = Annotated[str, typer.Option("--up", help="Vertical axis in the file: y or z.")]
Rate = Annotated[float | None, typer.Option("--rate", help="Frames per second of the file, over what it says.")]
KeepTpose = Annotated[bool, typer.Option("--keep-tpose", help="Keep a T-pose that was put before the capture.")]
Roles = Annotated[
    Path | None,
    typer.Option(
        "--roles", metavar="F.toml", help='Which joint is what: a TOML file of lines such as left_ankle = "Foot_L".'
    ),
]
Skin = Annotated[
    str | None,
    typer.Option("--skin", metavar="NAME", help="Of a glTF file with several characters: the one that is meant."),
]
Animation = Annotated[
    str | None,
    typer.Option("--animation", metavar="NAME", help="Of a glTF file with several clips: the one that is meant."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def read(
    path: Path,
    *,
    skeleton: Path | None = None,
    units: str = "auto",
    up: str = "y",
    rate: float | None = None,
    keep_tpose: bool = False,
    roles: Path | None = None,
    skin: str | None = None,
    animation: str | None = None,
) -> Motion:
    """The motion of a file, with the user's options."""
    return load(
        path,
        skeleton=skeleton,
        units=units,
        up=up,
        fps=rate,
        trim_tpose=not keep_tpose,
        roles=_roles(roles) if roles else None,
        skin=skin,
        animation=animation,
    )


def _roles(path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"this is no TOML file: {error}", path) from error
    if not all(isinstance(joint, str) for joint in table.values()):
        raise FormatError('expected lines such as left_ankle = "Foot_L"', path)
    return {str(role): str(joint) for role, joint in table.items()}
