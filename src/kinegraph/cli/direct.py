"""`kinegraph direct`: scenes as motion, one or many."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import asking, console, reading, writing
from kinegraph.errors import FormatError


@asking.asks("direct", leave=("scene",))
@asking.writes
def direct(
    graph: Annotated[Path, typer.Argument(metavar="G.mog", help="The graph, as `kinegraph build` makes it.")],
    scenes: Annotated[
        list[Path], typer.Argument(metavar="SCENE.toml…", help="Scenes: .toml or .json files, or folders with such.")
    ],
    wishes: dict[str, Any],
    character: asking.OnCharacter,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Motion to write: .bvh, .amc, .glb, .npz …; of several scenes or variations a folder; without it, only the report.",
        ),
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", metavar="F", help="Of several: how motions are written, bvh, glb, npz …")
    ] = None,
    variations: Annotated[
        int | None,
        typer.Option("--variations", min=1, metavar="N", help="So many of each scene, by seeds one after another."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", min=1, metavar="N", help="Of several: processes at a time; one for each core unless said."
        ),
    ] = None,
    plot: writing.Plot = None,
    as_json: reading.AsJson = False,
) -> None:
    """Make the motion of scenes that say what happens where and when: labels, places, headings, waits, poses, strikes.

    \b
    kinegraph direct g.mog scene.toml -o out.glb --plot out.png
    kinegraph direct g.mog scene.toml --draft --json
    kinegraph direct g.mog scenes/ more.toml -o made --variations 100 --format glb
    """
    many = len(scenes) > 1 or variations is not None or scenes[0].is_dir() or (format or jobs) is not None
    if many:
        if character.file is not None:
            raise FormatError("of several scenes none is put on a character yet: direct one at a time", character.file)
        _many(graph, scenes, wishes, output, format or "bvh", variations or 1, jobs, plot, as_json)
        return
    character.check(output)
    writing.check_plot(plot)
    writing.check_not_read([output, plot], [graph, scenes[0]])
    task = asking.task("direct", {"scene": scenes[0], **wishes})
    made = asking.performed(task, graph)
    asking.give(made, {"graph": str(graph)}, output, plot, as_json=as_json, character=character)


def _many(
    graph: Path,
    scenes: list[Path],
    wishes: dict[str, Any],
    output: Path | None,
    format: str,
    variations: int,
    jobs: int | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    from kinegraph.tasks.batch import INDEX, direct_many

    if output is None:
        raise FormatError("of several scenes or variations a folder is written: say which, with -o", graph)
    if output.suffix and not output.is_dir():
        raise FormatError("of several scenes or variations a folder is written: give a name without a suffix", output)
    if plot is not None:
        raise FormatError("there is no picture of several scenes: leave --plot out", plot)
    asking.task("direct", {"scene": None, **wishes})
    with console.watch() as watch:
        batch = direct_many(
            graph, scenes, output, format=format, variations=variations, jobs=jobs, watch=watch, **wishes
        )
    for line in batch.failed:
        console.complain(f"{line['scene']}, seed {line['seed']}: {line['error']}")
    for line in batch.missed:
        console.notice(str(line["short"]), str(line["file"]))
    if as_json:
        console.report(
            {
                "graph": str(graph), "output": str(output), "index": str(output / INDEX), "made": len(batch.made),
                "failed": [dict(line) for line in batch.failed], "missed": [line["file"] for line in batch.missed],
            }
        )  # fmt: skip
    console.done(f"{output}: {len(batch.made)} motions; {output / INDEX} tells of each")
    if batch.failed or batch.missed:
        raise typer.Exit(1)
