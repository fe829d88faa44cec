"""`kinegraph dump`: bodies for tracks that somebody else made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, reading, writing
from kinegraph.errors import FormatError


def dump(
    graph: Annotated[Path, typer.Argument(metavar="G.mog", help="The graph, as `kinegraph build` makes it.")],
    tracks: Annotated[
        Path,
        typer.Argument(
            metavar="TRACKS",
            help="Who is where when: .csv (id, t, x, z), TrajNet .ndjson, JuPedSim .sqlite, PedPy .txt.",
        ),
    ],
    fps: Annotated[
        float | None, typer.Option("--fps", help="Frames a second, where the tracks count frames and do not say.")
    ] = None,
    label: Annotated[str, typer.Option("--label", help="What everybody should be doing all the while.")] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Where in the graph people begin.")] = 0,
    output: writing.People = None,
    film: writing.Film = None,
    follow: writing.Follow = None,
    as_json: reading.AsJson = False,
) -> None:
    """Put bodies on tracks: every place is met at its time, as well as the clips can.

    \b
    kinegraph dump g.mog tracks.csv -o people
    kinegraph dump g.mog simulation.sqlite -o people.glb --film people.mp4
    """
    from kinegraph.crowds.dumping import dump as put
    from kinegraph.crowds.handing import check_target
    from kinegraph.crowds.tracks import read_tracks
    from kinegraph.graph.store.files import load

    if not graph.is_file():
        raise FormatError("there is no such graph", graph)
    if output is not None:
        check_target(output)
    writing.check_film(film)
    writing.check_not_read([output, film], [graph, tracks])
    found = read_tracks(tracks, fps=fps)
    with console.watch() as watch:
        made = put(load(graph), found.people, label=label, seed=seed, watch=watch)
        if output is not None:
            made.save(output, watch)
        if film is not None:
            made.film(film, follow=follow, watch=watch)
    notices = [*found.notices, *made.notices]
    if as_json:
        facts = {"graph": str(graph), "tracks": str(tracks), "output": writing.name_of(output)}
        console.report({**facts, **made.facts, "notices": notices})
    else:
        console.rows(f"{len(made.motions)} people on {tracks.name}", made.sentences)
        for sentence in notices:
            console.notice(sentence)
    if output is not None:
        console.done(f"{output}: {len(made.motions)} {'person' if len(made.motions) == 1 else 'people'}")
    if film is not None:
        console.done(f"{film}: {made.seconds:.1f} s")
