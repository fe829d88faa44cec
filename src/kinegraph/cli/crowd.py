"""`kinegraph crowd`: many people on one graph, each of whom goes their way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, reading, writing
from kinegraph.errors import FormatError

if TYPE_CHECKING:
    from kinegraph.characters import Character


def crowd(
    graph: Annotated[Path, typer.Argument(metavar="G.mog", help="The graph, as `kinegraph build` makes it.")],
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO",
            help="A TOML file, or circle:N, hallway:N, crossing:N, bottleneck:N, square:N or street:N with N people.",
        ),
    ],
    seconds: Annotated[
        float, typer.Option("--seconds", help="How long it lasts at most; it ends when all have arrived.")
    ] = 60.0,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Other people: instead of the scenario's own.")
    ] = None,
    output: writing.People = None,
    characters: Annotated[
        list[Path] | None,
        typer.Option(
            "--character", metavar="HERO.glb", help="Put people on this rigged mesh; said again: on these in turn."
        ),
    ] = None,
    film: writing.Film = None,
    follow: writing.Follow = None,
    report: Annotated[bool, typer.Option("--report", help="Say how it went: collisions, waiting, looks.")] = False,
    as_json: reading.AsJson = False,
) -> None:
    """Let many people go their ways, each on the clips of a graph, without walking into one another.

    \b
    kinegraph crowd g.mog circle:100 --seconds 60 -o crowd.glb --film crowd.mp4 --report
    kinegraph crowd g.mog door.toml -o crowd
    kinegraph crowd g.mog circle:20 -o crowd.glb --character ada.glb --character ben.glb
    """
    from kinegraph.crowds.handing import check_target
    from kinegraph.crowds.simulation import crowd as run

    if not graph.is_file():
        raise FormatError("there is no such graph", graph)
    if output is not None:
        check_target(output)
    heroes = _heroes(characters or [], output)
    writing.check_film(film)
    writing.check_not_read([output, film], [graph, Path(scenario), *(characters or [])])
    with console.watch() as watch:
        made = run(graph, scenario, seconds=seconds, seed=seed, watch=watch)
        if output is not None:
            made.save(output, watch, characters=heroes)
        if film is not None:
            made.film(film, follow=follow, watch=watch)
        watch.tell("judge", 0, 1)
        judged = made.report
        watch.tell("judge", 1, 1)
    facts = judged.facts if report or as_json else None
    if as_json and facts is not None:
        console.report({"graph": str(graph), "output": None if output is None else str(output), **facts})
    else:
        there = int((made.arrived >= 0).sum())
        name = f"{len(made.cast)} people, {made.cast.scenario.name}"
        console.rows(
            name, [("seconds", f"{made.seconds:.1f}"), ("arrived", str(there))] + (_rows(facts) if facts else [])
        )
    if not as_json:
        for sentence in judged.notices:
            console.notice(sentence)
    if output is not None:
        console.done(f"{output}: {len(made.cast)} {'person' if len(made.cast) == 1 else 'people'}")
    if film is not None:
        console.done(f"{film}: {made.seconds:.1f} s")


def _heroes(files: list[Path], output: Path | None) -> list[Character]:
    """The characters that people are put on; what cannot be is refused before anything is worked out."""
    if not files:
        return []
    from kinegraph.characters import load
    from kinegraph.characters.together import check_target

    if output is None:
        raise FormatError("--character needs a file to write: say -o too", files[0])
    check_target(output)
    return [load(file) for file in files]


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    trunks, bodies = facts["trunks"], facts["bodies"]
    arrival = facts["arrival_s"]
    first, second = trunks["worst"]["people"]
    deepest = trunks["deepest_cm"]
    worst = f"{deepest:.1f} cm deep at worst" if deepest > 0 else f"never touch, {-deepest:.1f} cm apart at least"
    return [
        *(
            []
            if arrival is None
            else [("arrival", f"{arrival['mean']:.1f} s on average, {arrival['max']:.1f} s the last")]
        ),
        (
            "trunks",
            f"{worst} (frame {trunks['worst']['frame']}, people {first} and {second}), "
            f"above 2 cm in {100 * trunks['above_2cm_share']:.3f} % of the person-frames",
        ),
        (
            "whole bodies",
            f"{max(bodies['deepest_cm'], 0):.1f} cm deep at worst, above 2 cm in {100 * bodies['above_2cm_share']:.2f} %",
        ),
        ("near misses", str(trunks["near_misses"])),
        ("waiting", f"{facts['waited_s']['mean']:.1f} s on average, {facts['waited_s']['max']:.1f} s at most"),
        (
            "density",
            f"{facts['density_per_m2']['mean']:.2f} people/m² on average, {facts['density_per_m2']['max']:.2f} at most",
        ),
        ("transitions", f"{facts['transitions_per_s']:.2f} a second"),
        ("turning on the spot", f"{facts['turning_on_the_spot_s']:.1f} s at most"),
        ("changes of heading", f"{facts['heading_changes_per_s']['max']:.2f} a second at most"),
        ("feet", f"slide {facts['slide_mm']:.2f} mm at most while they are held"),
    ]
