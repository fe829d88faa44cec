"""`kinegraph build`: the motion graph of clips."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import asking, console, graphs, reading
from kinegraph.formats.options import ReadOptions


@asking.asks("build", leave=("path",))
@reading.reads
def build(
    clips: graphs.Clips,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="G.mog", help="File to write.")],
    wishes: dict[str, Any],
    reading: ReadOptions,
    as_json: reading.AsJson = False,
) -> None:
    """Compare every moment of every clip with every other, choose where one can go over into another, and save the graph.

    A build that is stopped or killed goes on where it was when the same command is given again.
    """
    graphs.check_output(output)
    from kinegraph.formats.bodies import read_body
    from kinegraph.formats.intake import clips as take_in

    if "onto" in wishes:
        wishes["onto"], assumed = read_body(wishes["onto"])
        for sentence in assumed:
            console.notice(sentence, str(wishes["onto"]))
    task = asking.task("build", {**wishes, "path": output})
    with graphs.building(output) as watch:
        given = take_in(clips, reading, watch)
        graph = task.run(given.takes, watch)
    graphs.tell(graph, output, given.notices, as_json, {}, f"{output.stat().st_size / 1e6:.1f} MB")
