"""`kinegraph space join`: a strike between two walks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, making, reading
from kinegraph.cli.space import shared as spaces
from kinegraph.errors import SpaceError
from kinegraph.strikes import told

if TYPE_CHECKING:
    from kinegraph.strikes.joining.join import Joined
    from kinegraph.strikes.joining.ways import Way


def join(
    path: spaces.File,
    target: Annotated[
        str,
        typer.Argument(
            metavar="X,Y[,Z]",
            help="Where to strike, in metres from below the ready pose: to the left (negative: right), up, and ahead.",
        ),
    ],
    graph: making.Graph,
    output: making.Output = None,
    name: spaces.Name = None,
    before: Annotated[float, typer.Option("--before", min=0.0, help="Seconds of the walk before the strike.")] = 3.0,
    after: Annotated[float, typer.Option("--after", min=0.0, help="Seconds of the walk after it.")] = 3.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, other walks.")] = 0,
    limit: Annotated[
        float | None,
        typer.Option(
            "--limit", metavar="CM", help="What a transition to or from the strike may cost; the graph's ceiling (20)."
        ),
    ] = None,
    label: Annotated[
        str | None, typer.Option("--label", metavar="LABEL", help="Walk only through clips that bear this label.")
    ] = None,
    blend: making.Blend = "cubic",
    no_clean: making.NoClean = False,
    nearest: Annotated[
        bool, typer.Option("--nearest", help="Where the target cannot be reached, make the strike that comes nearest.")
    ] = False,
    plot: making.Plot = None,
    as_json: reading.AsJson = False,
) -> None:
    """Put the strike that hits a target between two random walks through a graph.

    The strike is entered and left by ordinary transitions, or by bridges where the walks hold no pose like its ready pose. On another
    body than the space's the strike is aimed anew, so that it hits the same target.

    \b
    kinegraph space join punches.mog 0.1,1.3 graph.mog --label walk -o punch.bvh
    kinegraph space join punches.mog -0.2,1.3 walks.mog --before 5 --after 0 --seed 3 -o punch.bvh
    """
    making.check_targets(output, plot, blend)
    goal = spaces.read_target(target)
    if limit is not None and not 0 < limit < math.inf:
        raise SpaceError(f"--limit: expected centimetres, above 0, got {limit:g}")
    from kinegraph.feet.cleanup import STRETCH
    from kinegraph.feet.sole import has_legs
    from kinegraph.graph.store.files import load
    from kinegraph.strikes.joining.join import bearing, joined

    space, loaded = spaces.load(path, name), load(graph)
    if label is not None:
        loaded = bearing(loaded, label)
    feet = not no_clean and has_legs(loaded.skeleton)
    # an AMC's bones have one length
    stretch = 0.0 if output is not None and output.suffix.lower() == ".amc" else STRETCH
    with making.searching(), console.watch("striking"):
        found = joined(
            space,
            goal,
            loaded,
            before=before,
            after=after,
            seed=seed,
            blend=blend,
            limit=None if limit is None else limit / 100,
            feet=feet,
            stretch=stretch,
        )
    if not found.reach.reached:
        _say_missed(found, goal, nearest)
    wish = making.Wish(output, plot, blend, feet)
    made = making.Made(found.finished, _notices(found, loaded.record.report.threshold))
    title = f"{space.name} at {told.point(goal)}"
    making.write(made, wish, title)
    if not as_json:
        making.print_rows("strike", _rows(found))
    making.tell(made, wish, title, as_json, graph=graph, more={"space": str(path), "seed": seed, **_facts(found, goal)})


def _facts(found: Joined, goal: list[float]) -> dict[str, Any]:
    place = found.placement
    return {
        "target": goal,
        "target_world": told.numbers(found.target),
        "hit": told.numbers(place.inverse().apply(found.hit)),
        "hit_world": told.numbers(found.hit),
        "hit_frame": found.hit_frame,
        "miss_cm": round(100 * found.miss, 4),
        "placement": {
            "degrees": round(math.degrees(place.angle), 3),
            "x": round(place.x, 5),
            "z": round(place.z, 5),
        },
        "untouched": list(found.untouched),
        "entered": _way_facts(found.entered),
        "left": _way_facts(found.left),
    }


def _way_facts(way: Way) -> dict[str, Any]:
    return {
        "from": way.source,
        "from_frame": way.frame,
        "to": way.target,
        "to_frame": way.arrival,
        "frames": way.length,
        "cost_cm": round(100 * way.cost, 2),
        "bridge": way.bridge,
    }


def _rows(found: Joined) -> list[tuple[str, str]]:
    into, out = found.entered, found.left
    return [
        ("hit", f"at frame {found.hit_frame}, {1000 * found.miss:.1f} mm off; in the world {told.point(found.hit)}"),
        ("entered", f"from {into.source}, frame {into.frame}, for {100 * into.cost:.1f} cm over {into.length} frames"),
        ("left", f"to {out.target}, frame {out.arrival}, for {100 * out.cost:.1f} cm over {out.length} frames"),
    ]


def _notices(found: Joined, threshold: float) -> list[str]:
    """What the user should know: that the walks hold no pose like the strike's."""
    dearest = max((way for way in (found.entered, found.left)), key=lambda way: way.cost)
    if not dearest.bridge:
        return []
    return [
        f"the strike is joined by bridges of up to {100 * dearest.cost:.1f} cm, above the graph's threshold of {100 * threshold:.1f} cm: "
        "clips in which the body takes up its ready pose would make better ones"
    ]


def _say_missed(found: Joined, goal: list[float], nearest: bool) -> None:
    """Say by how much the nearest strike misses; exits with 1 unless it was wished for."""
    sentence = f"{told.point(goal)} cannot be reached: the nearest strike misses it by {100 * found.miss:.1f} cm"
    if nearest:
        console.notice(sentence)
        return
    console.complain(f"{sentence}; nothing was written (--nearest makes it all the same)")
    raise typer.Exit(1)
