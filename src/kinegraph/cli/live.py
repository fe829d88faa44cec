"""`kinegraph live`: a person to steer, in the studio or by a recorded stick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import asking, console, reading, writing
from kinegraph.cli.studio import open_studio
from kinegraph.errors import GraphError


@asking.asks("steer", leave=("stick",))
@asking.writes
def live(
    graph: Annotated[Path, typer.Argument(metavar="G.mog", help="The graph, as `kinegraph build` makes it.")],
    wishes: dict[str, Any],
    character: asking.OnCharacter,
    stick: Annotated[
        Path | None,
        typer.Option(
            "--stick",
            metavar="TRACK",
            help="A recorded stick (.csv, .json), instead of the studio: t, x, z in s and m/s.",
        ),
    ] = None,
    stream: Annotated[
        str | None,
        typer.Option(
            "--stream", metavar="vmc:HOST:PORT", help="With --stick: send the person to another program as it moves."
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Of the studio: where it listens; 0 for any.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Of the studio: do not open the browser.")] = False,
    output: writing.Output = None,
    plot: writing.Plot = None,
    as_json: reading.AsJson = False,
) -> None:
    """Steer a person by keys, mouse or gamepad in the studio, or by a recorded stick without a screen.

    \b
    kinegraph live g.mog
    kinegraph live g.mog --stick track.csv -o out.bvh
    kinegraph live g.mog --stick track.csv --stream vmc:127.0.0.1:39539
    """
    if stick is None:
        if output is not None or plot is not None or stream is not None:
            raise GraphError("-o, --plot and --stream are for a recorded stick: give one with --stick TRACK.csv")
        if not graph.is_file():
            raise GraphError(f"{graph}: there is no such graph")
        open_studio(graph, room="live", port=port, browser=not no_browser)
        return
    from kinegraph.tasks.kinds.steer import Steer

    character.check(output)
    writing.check_plot(plot)
    writing.check_not_read([output, plot], [graph, stick])
    if stream is not None:
        from kinegraph.people.stream import check

        check(stream)
    task = Steer(stick=str(stick), **wishes)
    with console.watch() as watch:
        made = task.run(graph, watch)
    asking.give(made, {"graph": str(graph)}, output, plot, as_json=as_json, character=character)
    if stream is not None:
        from kinegraph.people.stream import send

        send(made.motion, stream, told=console.done)
