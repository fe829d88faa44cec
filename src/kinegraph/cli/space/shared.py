"""What the commands of strikes have in common: the file of a space, and how targets are written."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kinegraph.errors import FormatError, SpaceError

if TYPE_CHECKING:
    from kinegraph.strikes.space import Space

File = Annotated[Path, typer.Argument(metavar="S.mog", help="The space, as `kinegraph space build` makes it.")]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Which space of the file; need not be said where it holds one."),
]


def check_place(path: Path, suffix: str, what: str) -> None:
    """Refuse, before any work is done, a place where no ``what`` can be written."""
    if path.suffix.lower() != suffix:
        raise FormatError(f"{what} is written to a file that ends in {suffix}", path)
    if path.is_dir():
        raise FormatError("this is a folder: give the name of a file to write", path)
    if not path.parent.is_dir():
        raise FormatError(f"there is no folder {path.parent}: make it first", path)


def check_plot(path: Path | None) -> None:
    """Refuse a place where no picture can be written, and say what is missing to draw one."""
    if path is None:
        return
    from kinegraph.plots import canvas

    check_place(canvas.check_target(path), path.suffix.lower(), "a plot")
    canvas.matplotlib_part("figure")


def load(path: Path, name: str | None) -> Space:
    """The space of that name in a file, or its only one."""
    from kinegraph.strikes.store import files as store

    known = store.names(path)
    if name is None and len(known) > 1:
        listed = " or ".join(f"--name '{each}'" for each in known)
        raise FormatError(f"this holds {len(known)} spaces: say which with {listed}", path)
    return store.load(path, name)


def read_target(text: str) -> list[float]:
    """A target as the command line gives it: X,Y or X,Y,Z."""
    return read_numbers(text, "a target", "two numbers or three in metres, such as 0.1,1.3 or -0.2,1.3,0.6", (2, 3))


def read_numbers(text: str, what: str, expected: str, counts: tuple[int, ...]) -> list[float]:
    """The numbers of ``text``, parted by commas; an error says what was expected."""
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in counts or not all(map(math.isfinite, numbers)):
        raise SpaceError(f"{what} is {expected}; got {text.strip()!r}")
    return numbers
