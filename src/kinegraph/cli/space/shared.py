"""What the commands of strikes have in common: the file of a space, and which of its spaces is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

File = Annotated[Path, typer.Argument(metavar="S.mog", help="The space, as `kinegraph space build` makes it.")]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Which space of the file; need not be said where it holds one."),
]
