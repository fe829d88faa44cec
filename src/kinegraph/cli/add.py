"""`kinegraph add`: further clips for a graph."""

from __future__ import annotations

from kinegraph.cli import graphs, reading
from kinegraph.formats.options import ReadOptions


@reading.reads
def add(
    path: graphs.File,
    clips: graphs.Clips,
    reading: ReadOptions,
    output: graphs.Elsewhere = None,
    labels: graphs.Labels = None,
    threads: graphs.Threads = None,
    as_json: reading.AsJson = False,
) -> None:
    """Add clips to a graph, on its skeleton and with its parameters. Only pairs with a new clip are compared.

    The result is the graph that a build of all the clips gives. G.mog is replaced at the end, in one go.
    """
    target = output or path
    graphs.check_output(target)
    from kinegraph.formats.intake import clips as take_in
    from kinegraph.graph import labels as label_files
    from kinegraph.graph.making.builder import add as add_clips
    from kinegraph.graph.store.files import load, steps

    before, history = load(path), steps(path)
    said = label_files.read(labels) if labels else None
    with graphs.building(target) as watch:
        given = take_in(clips, reading, watch)
        # nothing new: the file itself is not touched
        known = {clip.source.sha256 for clip in before.clips}
        untouched = output is None and all(take.sha256 in known for take in given.takes)
        graph = add_clips(
            before,
            given.takes,
            path=None if untouched else target,
            labels=said,
            history=history,
            keep=path,
            watch=watch,
            threads=threads,
        )
    more = len(graph.clips) - len(before.clips)
    done = "nothing new, left as it is" if untouched else f"{more} clips more than before"
    graphs.tell(graph, target, given.notices, as_json, {"added": more}, done)
