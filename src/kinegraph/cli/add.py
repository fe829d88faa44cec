"""`kinegraph add`: further clips for a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, graphs, reading
from kinegraph.cli.clips import takes


def add(
    path: Annotated[Path, typer.Argument(metavar="G.mog", help="The graph.")],
    clips: Annotated[
        list[Path], typer.Argument(metavar="CLIP…", help="Motion files, or folders of them, as for build.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT.mog", help="Write here and leave G.mog as it is.")
    ] = None,
    labels: graphs.Labels = None,
    skeleton: reading.Skeleton = None,
    units: reading.Units = "auto",
    up: reading.Up = "y",
    rate: reading.Rate = None,
    keep_tpose: reading.KeepTpose = False,
    roles: reading.Roles = None,
    threads: graphs.Threads = None,
    as_json: reading.AsJson = False,
) -> None:
    """Add clips to a graph, on its skeleton and with its parameters. Only pairs with a new clip are compared.

    The result is the graph that a build of all the clips gives. G.mog is replaced at the end, in one go.
    """
    target = output or path
    graphs.check_output(target)
    from kinegraph.graph import labels as label_files
    from kinegraph.graph.making.builder import add as add_clips
    from kinegraph.graph.store.files import load, steps
    from kinegraph.graph.summary.figures import summary
    from kinegraph.graph.summary.text import short_rows

    graph, history = load(path), steps(path)
    said = label_files.read(labels) if labels else None
    with console.watch() as watch, graphs.resumable(target):
        given, notices = takes(
            clips,
            skeleton=skeleton,
            units=units,
            up=up,
            rate=rate,
            keep_tpose=keep_tpose,
            roles=roles,
            watch=watch,
        )
        before = len(graph.clips)
        # nothing new: the file itself is not touched
        known = {clip.source.sha256 for clip in graph.clips}
        untouched = output is None and all(take.sha256 in known for take in given)
        graph = add_clips(
            graph,
            given,
            path=None if untouched else target,
            labels=said,
            history=history,
            keep=path,
            watch=watch,
            threads=threads,
        )
    if not untouched:
        history = steps(target)
    facts = summary(graph, history)
    facts["notices"] = [*notices, *facts["notices"]]
    if as_json:
        console.report({"graph": str(target), "added": len(graph.clips) - before, **facts})
        return
    graphs.tell(facts, short_rows(facts), target)
    more = len(graph.clips) - before
    console.done(f"{target}: {'nothing new, left as it is' if untouched else f'{more} clips more than before'}")
