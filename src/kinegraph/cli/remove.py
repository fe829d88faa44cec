"""`kinegraph remove`: a graph without some of its clips."""

from __future__ import annotations

from typing import Annotated

import typer

from kinegraph.cli import graphs, reading


def remove(
    path: graphs.File,
    names: Annotated[
        list[str], typer.Argument(metavar="NAME…", help="Clips to take out; mirrored copies go with them.")
    ],
    output: graphs.Elsewhere = None,
    as_json: reading.AsJson = False,
) -> None:
    """Take clips out of a graph. Nothing is compared again.

    The result is the graph that a build of the other clips gives. G.mog is replaced at the end, in one go.
    """
    target = output or path
    graphs.check_output(target)
    from kinegraph.graph.making.builder import remove as remove_clips
    from kinegraph.graph.store.files import load, steps

    before, history = load(path), steps(path)
    graphs.known_names(before, names, path)
    with graphs.building(target) as watch:
        graph = remove_clips(before, names, path=target, history=history, keep=path, watch=watch)
    gone = len(before.clips) - len(graph.clips)
    graphs.tell(graph, target, (), as_json, {"removed": gone}, f"{gone} clips fewer than before")
