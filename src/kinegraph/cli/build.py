"""`kinegraph build`: the motion graph of clips."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph import memory
from kinegraph.cli import asking, console, graphs, reading
from kinegraph.formats.options import ReadOptions


@asking.asks("build", leave=("path",))
@reading.reads
def build(
    clips: graphs.Clips,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="G.mog", help="File to write.")],
    wishes: dict[str, Any],
    reading: ReadOptions,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse all where one file cannot be read, instead of leaving it out.")
    ] = False,
    as_json: reading.AsJson = False,
) -> None:
    """Compare every moment of every clip with every other, choose where one can go over into another, and save the graph.

    A build that is stopped or killed goes on where it was when the same command is given again.
    """
    graphs.check_output(output)
    from kinegraph.formats.bodies import read_body

    if "onto" in wishes:
        wishes["onto"], assumed = read_body(wishes["onto"])
        for sentence in assumed:
            console.notice(sentence, str(wishes["onto"]))
    task = asking.task("build", {**wishes, "path": output})
    with graphs.building(output) as watch:
        workers = wishes.get("threads") or os.cpu_count() or 1
        graph = task.run(clips, watch, reading=reading, strict=strict, processes=workers)
    most = memory.peak()
    said = f"{output.stat().st_size / 1e6:.1f} MB" + (f", {memory.told(most)} of memory at most" if most else "")
    over: tuple[str, ...] = ()
    if most and task.memory and most > task.memory:
        over = (f"{memory.told(most)} of memory were held at a time, more than was allowed: its minima are too many",)
    graphs.tell(graph, output, over, as_json, {"peak_bytes": most}, said)
