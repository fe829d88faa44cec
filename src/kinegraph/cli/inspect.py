"""`kinegraph inspect`: what a graph holds, and what it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, graphs, reading
from kinegraph.errors import GraphError

if TYPE_CHECKING:
    from kinegraph.evaluation.capabilities import Capability
    from kinegraph.graph.model import MotionGraph


def inspect(
    path: graphs.File,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[A [B]]", help="Clips, for --transitions and --clips.")
    ] = None,
    transitions: Annotated[
        bool,
        typer.Option(
            "--transitions", help="List every transition: between clips A and B, of clip A, or all of the graph."
        ),
    ] = False,
    clips: Annotated[
        bool, typer.Option("--clips", help="List the clips: what is kept, and where one can go from each.")
    ] = False,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="List takes that are nearly the same, which need not all be kept.")
    ] = False,
    flaws: Annotated[
        bool, typer.Option("--flaws", help="List where clips lost a joint, or one is frozen, or leaps.")
    ] = False,
    adds: Annotated[
        bool, typer.Option("--adds", help="List what each clip adds: frames, labels, other clips that hang on it.")
    ] = False,
    threshold: Annotated[
        str | None,
        typer.Option(
            "--threshold", metavar="auto|CM", help="Show what another threshold would give; G.mog stays as it is."
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="OUT", help="Draw the graph, of many clips their labels and folders: .png, .svg, .pdf."
        ),
    ] = None,
    capability: Annotated[
        bool,
        typer.Option(
            "--capability", help="Try it out: how well walks reach points all round, and how tightly they turn."
        ),
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Verify the whole file; exit 1 where it is faulty.")] = False,
    as_json: reading.AsJson = False,
) -> None:
    """Show counts, what pruning dropped, groups and bridges, labels, and how clips are connected."""
    wanted = names or []
    if wanted and not (transitions or clips):
        raise GraphError("clips' names go with --transitions or --clips")
    if transitions and len(wanted) > 2:
        raise GraphError(f"--transitions takes one clip or two, got {len(wanted)}")
    if plot is not None:
        from kinegraph.plots.canvas import check_target

        check_target(plot)
    limit: float | str | None = threshold
    if threshold not in (None, "auto"):
        from kinegraph.tasks.forms import metres

        limit = metres(str(threshold), "threshold", "auto or a distance in cm, such as 4.5")
    from kinegraph.graph.store.files import load, steps
    from kinegraph.graph.summary.figures import summary, transitions_between
    from kinegraph.graph.summary.text import long_rows

    if check:
        from kinegraph.strikes.store.files import check as faults_of

        _check(path, faults_of(path), as_json)
        return
    graph = load(path)
    if duplicates or flaws or adds:
        _curate(graph, path, {"duplicates": duplicates, "flaws": flaws, "adds": adds}, as_json)
        return
    graphs.known_names(graph, wanted, path)
    if limit is not None:
        from kinegraph.graph.making.builder import rechoose

        graph = rechoose(graph, replace(graph.record.parameters, threshold=limit))
    facts = summary(graph, steps(path))
    if threshold is not None:
        named = threshold if threshold == "auto" else f"{threshold} cm"
        facts["notices"] = [*facts["notices"], f"this is what a threshold of {named} would give; {path} stays as it is"]
    listed = transitions_between(graph, *wanted) if transitions else []
    if plot is not None:
        from kinegraph.plots.graph import graph_picture

        graph_picture(graph, plot)
    able = _capability(graph) if capability else None
    if as_json:
        tried = {"capability": able.to_dict()} if able else {}
        console.report({"graph": str(path), **facts, **tried, **({"transition_list": listed} if transitions else {})})
        return
    if transitions:
        _print_transitions(listed)
    elif clips:
        _print_clips([row for row in facts["connectivity"] if not wanted or row["clip"] in wanted])
    else:
        graphs.tell_figures(facts, [*long_rows(facts), *(_capability_rows(able) if able else [])], path)
    if plot is not None:
        console.done(f"{plot}: the graph as a picture")


def _curate(graph: MotionGraph, path: Path, wanted: Mapping[str, bool], as_json: bool) -> None:
    """Lists by which to choose clips."""
    from kinegraph.graph.summary import curation

    found: dict[str, list[dict[str, Any]]] = {}
    with console.watch("looking through the clips") as watch:
        if wanted["duplicates"]:
            found["duplicates"] = curation.duplicates(graph, watch)
        if wanted["flaws"]:
            found["flaws"] = curation.flaws(graph, watch)
        if wanted["adds"]:
            found["adds"] = curation.contributions(graph)
    if as_json:
        console.report({"graph": str(path), **found})
        return
    for what, rows in found.items():
        if rows:
            heads = [name.replace("_", " ") for name in rows[0]]
            words = ("clip", "same as", "flaw", "joint", "labels", "holds")
            console.table(heads, [[_cell(value) for value in row.values()] for row in rows], words=words)
        console.err.print(f"{len(rows):,} {_COUNTED[what]}")


_COUNTED = {
    "duplicates": "pairs of takes are nearly the same",
    "flaws": "flaws",
    "adds": "clips, those that add least first",
}


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {100 * share:.1f} %" for name, share in value.items())
    if isinstance(value, list):
        return ", ".join(value[:4]) + (f" and {len(value) - 4} more" if len(value) > 4 else "")
    return "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def _capability(graph: MotionGraph) -> Capability:
    from kinegraph.evaluation.capabilities import capability

    with console.watch("trying it out") as watch:
        return capability(graph, watch=watch)


def _capability_rows(able: Capability) -> list[tuple[str, str]]:
    from kinegraph.evaluation.capabilities import text

    return [("capability", line) for line in text(able)]


def _check(path: Path, faults: Sequence[str], as_json: bool) -> None:
    if as_json:
        console.report({"graph": str(path), "sound": not faults, "faults": list(faults)})
    elif not faults:
        console.out.print(f"{path}: sound", markup=False)
    else:
        for fault in faults:
            console.complain(f"{path}: {fault}")
    if faults:
        raise typer.Exit(1)


def _print_transitions(rows: Sequence[dict[str, Any]]) -> None:
    headings = ("from", "frame", "second", "to", "frame", "second", "length", "cm", "kind")
    cells = [
        (
            row["from"],
            str(row["frame"]),
            f"{row['second']:.2f}",
            row["to"],
            str(row["to_frame"]),
            f"{row['to_second']:.2f}",
            str(row["length"]),
            f"{row['cost_cm']:.2f}",
            row["kind"],
        )
        for row in rows
    ]
    if rows:
        console.table(headings, cells, words=("from", "to", "kind"))
    console.err.print(f"{len(rows):,} transitions")


def _print_clips(rows: Sequence[dict[str, Any]]) -> None:
    headings = ("clip", "seconds", "kept", "leaving", "to clips", "from clips", "within", "best cm", "labels")
    cells = [
        (
            row["clip"],
            f"{row['seconds']:.2f}",
            f"{100 * row['kept_seconds'] / row['seconds']:.0f} %",
            str(row["leaving"]),
            str(row["to_clips"]),
            str(row["from_clips"]),
            str(row["within"]),
            "" if row["best_cm"] is None else f"{row['best_cm']:.2f}",
            ", ".join(f"{label}?" if label in row["guesses"] else label for label in row["labels"]),
        )
        for row in rows
    ]
    console.table(headings, cells, words=("clip", "labels"))
