"""`kinegraph walk`: random walks through a graph, and walks that visit clips or labels in order."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, making, reading
from kinegraph.errors import GraphError

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph
    from kinegraph.graph.walk import Walk

# seconds that a walk may last: beyond, its frames would not fit into memory
_LONGEST = 4 * 3600.0


def walk(
    graph: making.Graph,
    output: making.Output = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="A random walk of this length, to the frame.")
    ] = None,
    steps: Annotated[
        str | None,
        typer.Option(
            "--sequence", metavar="A,B,C", help="The cheapest walk that visits these clips or labels in order."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Random: another seed, another walk (0).")] = None,
    start: making.StartAt = None,
    label: Annotated[str | None, typer.Option("--label", help="Random: keep to this label.")] = None,
    pool: Annotated[
        float | None,
        typer.Option(
            "--pool", metavar="SHARE", help="Random: only the best share of the transitions ahead, such as 0.05."
        ),
    ] = None,
    gap: Annotated[
        float | None, typer.Option("--gap", help="Random: seconds of untouched motion between transitions (0.3).")
    ] = None,
    stay: Annotated[
        str | None,
        typer.Option("--stay", metavar="S", help="Sequence: seconds on end in each (1); 2,0.5,1 gives one for each."),
    ] = None,
    blend: making.Blend = "anticipation",
    no_clean: making.NoClean = False,
    plot: making.Plot = None,
    as_json: reading.AsJson = False,
) -> None:
    """Walk through a graph at random, or through clips and labels in a given order.

    \b
    kinegraph walk g.mog --seconds 20 -o walk.bvh
    kinegraph walk g.mog --sequence walk,run,jump --stay 2 -o show.bvh
    """
    _check_usage(seconds, steps, {"--seed": seed, "--label": label, "--pool": pool, "--gap": gap}, {"--stay": stay})
    making.check_targets(output, plot, blend)
    from kinegraph.graph.store.files import load
    from kinegraph.walks.begin import read_start

    loaded = load(graph)
    first = read_start(loaded, start)
    begun = time.process_time()
    if seconds is not None:
        wishes = {"seed": seed, "label": label, "pool": pool, "gap": gap}
        title = f"at random for {seconds:g} s"
        found = _random(loaded, seconds, first, {name: wish for name, wish in wishes.items() if wish is not None})
    else:
        names = _names(steps or "")
        title = " → ".join(names)
        found = _ordered(loaded, names, _stays(stay), first)
    cpu = time.process_time() - begun
    wish = making.Wish(output, plot, blend, not no_clean)
    made = making.make(found, wish)
    making.write(made, wish, title)
    more = {"seed": seed or 0} if seconds is not None else {"sequence": _names(steps or "")}
    making.tell(made, wish, title, as_json, graph=graph, cpu=cpu, more=more)


def _check_usage(
    seconds: float | None, steps: str | None, random: dict[str, object], ordered: dict[str, object]
) -> None:
    if (seconds is None) == (steps is None):
        raise GraphError("say which walk: --seconds N for a random one, or --sequence A,B,C for one in order")
    idle = random if steps is not None else ordered
    for option, value in idle.items():
        if value is not None:
            raise GraphError(f"{option} is for {'random walks' if steps is not None else 'walks in order'}")
    if seconds is not None and not 0 < seconds <= _LONGEST:
        raise GraphError(f"--seconds: expected a length above 0 and up to {_LONGEST:,.0f} s, got {seconds:g}")


def _random(graph: MotionGraph, seconds: float, start: str | tuple[str, int] | None, wishes: dict[str, Any]) -> Walk:
    from kinegraph.walks.wandering import wander

    return wander(graph, seconds, start=start, **wishes)


def _ordered(
    graph: MotionGraph, names: list[str], stay: float | list[float], start: str | tuple[str, int] | None
) -> Walk:
    from kinegraph.walks.choice import resolve
    from kinegraph.walks.ordering import sequence

    for name in names:
        resolve(graph, name)
    if not isinstance(stay, float) and len(stay) != len(names):
        raise GraphError(f"--stay: {len(names)} steps, but {len(stay)} stays: give one for all, or one for each")
    with making.searching(), console.watch("searching"):
        return sequence(graph, names, stay=stay, start=start)


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise GraphError(
            f"--sequence: expected clips or labels with commas between them, such as walk,run, got {text!r}"
        )
    return names


def _stays(text: str | None) -> float | list[float]:
    if text is None:
        return 1.0
    try:
        stays = [float(part) for part in text.split(",")]
    except ValueError:
        stays = []
    if not stays or not all(0 <= stay < float("inf") for stay in stays):
        raise GraphError(f"--stay: expected seconds, such as 2 or 2,0.5,1, got {text!r}")
    return stays[0] if len(stays) == 1 else stays
