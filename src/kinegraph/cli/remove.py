"""`kinegraph remove`: a graph without some of its clips."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, graphs, reading


def remove(
    path: Annotated[Path, typer.Argument(metavar="G.mog", help="The graph.")],
    names: Annotated[
        list[str], typer.Argument(metavar="NAME…", help="Clips to take out; mirrored copies go with them.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT.mog", help="Write here and leave G.mog as it is.")
    ] = None,
    as_json: reading.AsJson = False,
) -> None:
    """Take clips out of a graph. Nothing is compared again.

    The result is the graph that a build of the other clips gives. G.mog is replaced at the end, in one go.
    """
    target = output or path
    graphs.check_output(target)
    from kinegraph.graph.making.builder import remove as remove_clips
    from kinegraph.graph.store.files import load, steps
    from kinegraph.graph.summary.figures import summary
    from kinegraph.graph.summary.text import short_rows

    graph, history = load(path), steps(path)
    graphs.known_names(graph, names, path)
    before = len(graph.clips)
    with console.watch() as watch, graphs.resumable(target):
        graph = remove_clips(graph, names, path=target, history=history, keep=path, watch=watch)
    facts = summary(graph, steps(target))
    if as_json:
        console.report({"graph": str(target), "removed": before - len(graph.clips), **facts})
        return
    graphs.tell(facts, short_rows(facts), target)
    console.done(f"{target}: {before - len(graph.clips)} clips fewer than before")
