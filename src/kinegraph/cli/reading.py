"""The options of every command that reads motion files, said once, and the reading itself."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli.signing import gathering
from kinegraph.errors import FormatError
from kinegraph.formats import registry, trees
from kinegraph.formats.options import ReadOptions
from kinegraph.motion import Motion

File = Annotated[Path, typer.Argument(metavar="FILE", help="Motion file (.bvh, .amc, .glb, .npz …).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]

_OPTIONS: dict[str, tuple[Any, Any]] = {
    "skeleton": (
        Annotated[
            Path | None,
            typer.Option(
                "--skeleton",
                metavar="X.asf",
                help="The ASF of an AMC, if it is not beside it; the body model of an AMASS archive.",
            ),
        ],
        None,
    ),
    "units": (
        Annotated[
            str,
            typer.Option(
                "--units", help="Unit of length in the file: auto, m, cm, mm, dm, in, ft, cmu, or metres per unit."
            ),
        ],
        "auto",
    ),
    "up": (Annotated[str, typer.Option("--up", help="Vertical axis in the file: y or z.")], "y"),
    "rate": (
        Annotated[float | None, typer.Option("--rate", help="Frames per second of the file, over what it says.")],
        None,
    ),
    "keep_tpose": (
        Annotated[bool, typer.Option("--keep-tpose", help="Keep a T-pose that was put before the capture.")],
        False,
    ),
    "roles": (
        Annotated[
            Path | None,
            typer.Option(
                "--roles",
                metavar="F.toml",
                help='Which joint is what: a TOML file of lines such as left_ankle = "Foot_L".',
            ),
        ],
        None,
    ),
    "skin": (
        Annotated[
            str | None,
            typer.Option(
                "--skin", metavar="NAME", help="Of a glTF file with several characters: the one that is meant."
            ),
        ],
        None,
    ),
    "animation": (
        Annotated[
            str | None,
            typer.Option(
                "--animation", metavar="NAME", help="Of a glTF file with several clips: the one that is meant."
            ),
        ],
        None,
    ),
    "stature": (
        Annotated[
            float | None,
            typer.Option("--stature", metavar="<m>", help="Of an AMASS archive: how tall the body is, in metres."),
        ],
        None,
    ),
}


def parameters() -> list[inspect.Parameter]:
    """The options as parameters of a function."""
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        for name, (hint, default) in _OPTIONS.items()
    ]


def gathered(said: dict[str, Any]) -> ReadOptions:
    """The options, from what was said; they are taken out of it."""
    given = {name: said.pop(name) for name in _OPTIONS}
    return ReadOptions(
        units=given["units"],
        up=given["up"],
        fps=given["rate"],
        skeleton=given["skeleton"],
        trim_tpose=not given["keep_tpose"],
        roles=_roles(given["roles"]) if given["roles"] else {},
        skin=given["skin"],
        animation=given["animation"],
        stature=given["stature"],
    )


def reads(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of reading, gathered in its parameter ``reading``."""
    return gathering(command, "reading", parameters, gathered)


def read(path: Path, options: ReadOptions) -> Motion:
    """The motion of a file, with the user's options."""
    return registry.read(path, options)


def _roles(path: Path) -> dict[str, str]:
    try:
        table = trees.toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"this is no TOML file: {error}", path) from error
    if not all(isinstance(joint, str) for joint in table.values()):
        raise FormatError('expected lines such as left_ankle = "Foot_L"', path)
    return {str(role): str(joint) for role, joint in table.items()}
