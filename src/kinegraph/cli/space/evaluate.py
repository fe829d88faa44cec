"""`kinegraph space evaluate`: how well a space hits, in figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, reading, writing
from kinegraph.cli.space.shared import File, Name
from kinegraph.tasks.kinds.strike import as_space


def evaluate(
    path: File,
    name: Name = None,
    targets: Annotated[
        int, typer.Option("--targets", min=1, max=100_000, help="How many targets each figure is of.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another choice of targets.")] = 0,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="OUT", help="Draw limbs of real strikes beside those made for them: .png, .svg, .pdf."
        ),
    ] = None,
    as_json: reading.AsJson = False,
) -> None:
    """Try a space out: how far strikes miss, what finishing them changes, and how near they come to strikes that were left out."""
    writing.check_plot(plot)
    from kinegraph.evaluation.strikes import figures as strikes
    from kinegraph.evaluation.strikes import left_out

    space = as_space(path, name)
    with console.watch("trying targets"):
        figures = strikes.evaluate(space, targets=targets, seed=seed)
    with console.watch("leaving strikes out"):
        guessed = [
            found for found in (left_out.leave_one_out(space), left_out.across_takes(space)) if found is not None
        ]
    if as_json:
        about = {"space": str(path), "name": space.name, "seed": seed, "plot": None if plot is None else str(plot)}
        console.report(
            {**about, **strikes.as_json(figures), "left_out": [left_out.as_json(found) for found in guessed]}
        )
    else:
        console.out.print(strikes.text(figures), markup=False)
        for found in guessed:
            console.out.print("\n" + "\n".join(left_out.text(found)), markup=False)
    if plot is not None:
        from kinegraph.plots import strike_curves

        strike_curves.save(space, plot)
        console.done(f"{plot}: limbs of real strikes, and of those made for their targets")
