"""`kinegraph space show`: what a space holds, and where it can strike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, reading, writing
from kinegraph.cli.space.shared import File, Name
from kinegraph.strikes import told
from kinegraph.tasks.kinds.strike import as_space


def show(
    path: File,
    name: Name = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="OUT", help="Draw examples, samples, region, box and reliability: .png, .svg, .pdf."
        ),
    ] = None,
    as_json: reading.AsJson = False,
) -> None:
    """Show the strikes of a space, the region they span, and how far to trust what is made there.

    A reliability of 1 is as sure as at the captured strikes' own targets; it falls towards 0 away from them.
    """
    writing.check_plot(plot)
    from kinegraph.strikes.store import files as store

    every = store.names(path)
    space = as_space(path, name)
    if plot is not None:
        from kinegraph.plots.space import space_picture

        space_picture(space, plot)
    if as_json:
        more = {"names": list(every), "reliability": told.reliability(space), "plot": writing.name_of(plot)}
        console.report({"space": str(path), **told.facts(space), **more})
        return
    headings = ("clip", "start", "hit", "end", "seconds", "X m", "Y m", "Z m")
    cells = [
        (
            row["clip"],
            *(str(row[key]) for key in headings[1:4]),
            *(f"{one:.2f}" for one in (row["seconds"], *row["target"])),
        )
        for row in told.strikes(space)
    ]
    console.table(headings, cells, words=("clip",))
    console.rows(f"{path}: {space.name}", told.rows(space))
    others = [f"'{other}'" for other in every if other != space.name]
    if others:
        many = "another space" if len(others) == 1 else "other spaces"
        console.notice(f"the file holds {many} too: {', '.join(others)} (--name)")
    if plot is not None:
        console.done(f"{plot}: examples, samples, region, box and reliability, seen from behind and from above")
