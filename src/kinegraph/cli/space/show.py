"""`kinegraph space show`: what a space holds, and where it can strike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, reading, writing
from kinegraph.cli.space.shared import File, Name
from kinegraph.strikes import told
from kinegraph.tasks.kinds.strike import as_space

if TYPE_CHECKING:
    from kinegraph.strikes.space import Space


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
    trust = told.reliability(space)
    if plot is not None:
        from kinegraph.plots.space import space_picture

        space_picture(space, plot)
    if as_json:
        console.report(_facts(path, space, every, trust, plot))
        return
    _tell(path, space, every, trust)
    if plot is not None:
        console.done(f"{plot}: examples, samples, region, box and reliability, seen from behind and from above")


def _facts(path: Path, space: Space, every: Sequence[str], trust: dict[str, Any], plot: Path | None) -> dict[str, Any]:
    examples = space.examples
    return {
        "space": str(path),
        "name": space.name,
        "names": list(every),
        "kind": examples.kind,
        "side": examples.side,
        "fps": examples.fps,
        "clips": list(dict.fromkeys(strike.clip for strike in examples.strikes)),
        "strikes": told.strikes(space),
        **told.place_facts(space),
        "reliability": trust,
        "plot": None if plot is None else str(plot),
    }


def _tell(path: Path, space: Space, every: Sequence[str], trust: dict[str, Any]) -> None:
    from kinegraph.strikes.kinds import KINDS
    from kinegraph.strikes.strike import limb_name

    examples = space.examples
    headings = ("clip", "start", "hit", "end", "seconds", "X m", "Y m", "Z m")
    cells = [
        (
            row["clip"],
            *(str(row[key]) for key in ("start", "hit", "end")),
            f"{row['seconds']:.2f}",
            *(f"{value:.2f}" for value in row["target"]),
        )
        for row in told.strikes(space)
    ]
    console.table(headings, cells, words=("clip",))
    corners = ", ".join(f"{corner.replace('_', ' ')} {value:.2f}" for corner, value in trust["box"].items())
    edge = trust["region"]
    limb = limb_name(examples.kind, examples.side)
    rows = [
        (
            "strikes",
            f"{len(examples)} {KINDS[examples.kind].plural} with the {limb}, at {examples.fps:g} frames/s",
        ),
        *told.place_rows(space),
        (
            "reliability",
            f"{trust['middle']:.2f} in the middle, {min(edge):.2f} to {max(edge):.2f} at the region's corners; box: {corners}",
        ),
    ]
    console.rows(f"{path}: {space.name}", rows)
    others = [f"'{other}'" for other in every if other != space.name]
    if others:
        console.notice(
            f"the file holds {'another space' if len(others) == 1 else 'other spaces'} too: {', '.join(others)} (--name)"
        )
