"""`kinegraph clean`: feet that stand stand still."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import asking, console, reading
from kinegraph.cli.reading import read
from kinegraph.errors import FormatError, RoleError
from kinegraph.formats.options import ReadOptions
from kinegraph.tasks.kinds.clean import Clean


@asking.asks("clean")
@reading.reads
@asking.writes
def clean(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Motion file (.bvh, .amc, .glb, .npz …).")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its suffix says the format.")],
    wishes: dict[str, Any],
    reading: ReadOptions,
    character: asking.OnCharacter,
    as_json: reading.AsJson = False,
) -> None:
    """Find when heels and balls stand, and keep them from sliding and sinking meanwhile (Kovar, Schreiner, Gleicher 2002).

    Example: kinegraph clean skating.bvh still.bvh
    """
    task = Clean(**wishes)
    character.check(target)
    if target.exists() and source.exists() and target.samefile(source):
        raise FormatError("this is the source itself: give another name to write to", target)
    motion = read(source, reading)
    with console.watch() as watch:
        try:
            made = task.run(motion, watch)
        except RoleError as error:
            raise RoleError(f"{source}: {error}: say which joint is what with --roles F.toml") from error
    asking.give(made, {"source": str(source)}, target, as_json=as_json, called="target", character=character)
