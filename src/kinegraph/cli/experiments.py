"""`kinegraph experiments`: the tables and figures of published documents, repeated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console
from kinegraph.cli.reading import AsJson
from kinegraph.errors import FormatError

if TYPE_CHECKING:
    from kinegraph.experiments.running import Repeated


def experiments(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...", help="Experiments, or the beginning of their names; all of them if none is given."
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Name all experiments, with a line each, and stop.")] = False,
    clips: Annotated[
        Path | None,
        typer.Option(
            "--clips",
            metavar="FOLDER",
            envvar="KINEGRAPH_CMU",
            help="CMU clips, laid out as acclaim/16/16_15.amc with 16.asf, bvh/02_05.bvh, labeled/walk_16_15.amc.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Folder for the page experiments.md and its pictures; made if need be.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Repeat the experiments of published documents: every figure beside the published one, and a page with their plots.

    An experiment whose clips are not in the folder is told, and the others go on.
    """
    from kinegraph.experiments.running import chosen, repeat

    asked = chosen(names or [])
    if listed:
        _list([[one.name, one.document, one.where, one.title] for one in asked], as_json)
        return
    if clips is None:
        raise FormatError(
            "experiments are repeated on clips of the CMU database: say where they are with --clips FOLDER, or set KINEGRAPH_CMU"
        )
    if not clips.is_dir():
        raise FormatError("there is no such folder of clips", clips)
    with console.watch("experiments") as watch:
        done = repeat([one.name for one in asked], clips=clips, out=output, watch=watch)
    if as_json:
        console.report(
            {
                "experiments": [_facts(one) for one in done],
                "page": None if output is None else str(output / "experiments.md"),
            }
        )
    else:
        for one in done:
            _print(one)
    for one in done:
        if one.outcome is None:
            console.notice(f"not repeated, since a clip is absent: {one.absent}", one.experiment.name)
    if output is not None:
        pictures = sum(len(one.pictures) for one in done)
        console.done(
            f"{output / 'experiments.md'}: {len(done)} experiments and {pictures} pictures, made in "
            f"{sum(one.seconds for one in done):.0f} s"
        )
    if all(one.outcome is None for one in done):
        raise typer.Exit(1)


def _list(rows: list[list[str]], as_json: bool) -> None:
    columns = ("experiment", "document", "where", "title")
    if as_json:
        console.report({"experiments": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        console.table(columns, rows, words=columns)


def _print(one: Repeated) -> None:
    about = one.experiment
    columns = ("ours",) if one.outcome is None else tuple(one.outcome.columns)
    rows = [row if one.outcome else [*row, "a clip is absent"] for row in one.rows]
    console.out.print(f"\n[bold]{about.name}[/]: {about.title} ({about.document}, {about.where}), {one.seconds:.1f} s")
    headings = ("what", "published", *columns)
    console.table(headings, rows, words=headings)
    if one.outcome is not None and one.outcome.differs:
        console.out.print(one.outcome.differs, style="dim", markup=False)


def _facts(one: Repeated) -> dict[str, Any]:
    about, outcome = one.experiment, one.outcome
    return {
        "name": about.name,
        "document": about.document,
        "where": about.where,
        "published": dict(about.published),
        "ours": None
        if outcome is None
        else {what: said if isinstance(said, str) else list(said) for what, said in outcome.ours.items()},
        "columns": [] if outcome is None else list(outcome.columns),
        "verdict": None if outcome is None else outcome.verdict,
        "differs": "" if outcome is None else outcome.differs,
        "absent": one.absent or None,
        "clips": list(one.clips),
        "seconds": round(one.seconds, 3),
        "pictures": [file for file, _ in one.pictures],
    }
