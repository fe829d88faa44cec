"""`kinegraph build`: the motion graph of clips."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kinegraph.cli import console, graphs, reading
from kinegraph.cli.bodies import body
from kinegraph.cli.clips import takes
from kinegraph.errors import GraphError
from kinegraph.motion.body import check_role


def build(
    clips: Annotated[
        list[Path],
        typer.Argument(
            metavar="CLIP…",
            help="Motion files (.bvh, .amc, .glb, .npz …), or folders: all motion files in them, not in folders therein.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="G.mog", help="File to write.")],
    fps: Annotated[float, typer.Option("--fps", help="Frames per second of the graph.")] = 30.0,
    window: Annotated[
        float, typer.Option("--window", help="Seconds that are compared and blended.", show_default="0.333")
    ] = 1 / 3,
    no_adapt: Annotated[
        bool, typer.Option("--no-adapt", help="Do not shorten the window for clips that are short or run.")
    ] = False,
    threshold: Annotated[
        str, typer.Option("--threshold", metavar="auto|CM", help="The largest distance of a transition, in cm.")
    ] = "auto",
    ceiling: Annotated[
        str, typer.Option("--ceiling", metavar="CM", help="How far candidates are looked for, in cm.")
    ] = "20",
    share: Annotated[
        float, typer.Option("--share", min=1, max=100, help="Per cent of the attainable frames that auto must keep.")
    ] = 90.0,
    mirror: Annotated[bool, typer.Option("--mirror", help="Add mirrored copies of all clips.")] = False,
    labels: graphs.Labels = None,
    no_annotate: Annotated[
        bool, typer.Option("--no-annotate", help="Do not find labels by how the body moves.")
    ] = False,
    no_bridges: Annotated[
        bool, typer.Option("--no-bridges", help="Do not join groups of clips that meet only far above the threshold.")
    ] = False,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight", metavar="ROLE=VALUE", help="Weight of a body role over that of its mass (left_toe=0.1)."
        ),
    ] = None,
    along: Annotated[int, typer.Option("--along", min=0, max=100, help="Points on each bone between its joints.")] = 0,
    onto: Annotated[
        Path | None,
        typer.Option(
            "--onto", metavar="BODY", help="Move all clips to the skeleton of this file (.asf or any motion)."
        ),
    ] = None,
    skeleton: reading.Skeleton = None,
    units: reading.Units = "auto",
    up: reading.Up = "y",
    rate: reading.Rate = None,
    keep_tpose: reading.KeepTpose = False,
    roles: reading.Roles = None,
    threads: graphs.Threads = None,
    as_json: reading.AsJson = False,
) -> None:
    """Compare every moment of every clip with every other, choose where one can go over into another, and save the graph.

    A build that is stopped or killed goes on where it was when the same command is given again.
    """
    graphs.check_output(output)
    from kinegraph.graph import labels as label_files
    from kinegraph.graph.making.builder import build as build_graph
    from kinegraph.graph.making.parameters import Parameters
    from kinegraph.graph.store.files import steps
    from kinegraph.graph.summary.figures import summary
    from kinegraph.graph.summary.text import short_rows

    parameters = Parameters(
        fps=fps,
        window=window,
        adapt=not no_adapt,
        threshold=graphs.threshold(threshold),
        ceiling=graphs.centimetres(ceiling, "--ceiling"),
        share=share / 100,
        mirror=mirror,
        bridges=not no_bridges,
        along=along,
        weights=_weights(weight or []),
        annotate=not no_annotate,
    )
    said = label_files.read(labels) if labels else None
    target = body(onto) if onto else None
    with console.watch() as watch, graphs.resumable(output):
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
        graph = build_graph(given, parameters, path=output, labels=said, skeleton=target, watch=watch, threads=threads)
    facts = summary(graph, steps(output))
    facts["notices"] = [*notices, *facts["notices"]]
    if as_json:
        console.report({"graph": str(output), **facts})
        return
    graphs.tell(facts, short_rows(facts), output)
    console.done(f"{output}: {output.stat().st_size / 1e6:.1f} MB")


def _weights(given: list[str]) -> dict[str, float]:
    weights = {}
    for text in given:
        role, _, value = text.partition("=")
        try:
            weights[check_role(role.strip())] = float(value)
        except ValueError:
            raise GraphError(
                f"--weight: expected a body role and a number, such as left_toe=0.1, got {text!r}"
            ) from None
    return weights
