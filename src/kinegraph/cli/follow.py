"""`kinegraph follow`: a walk through a graph along a path on the floor."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, making, reading
from kinegraph.errors import GraphError

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph
    from kinegraph.graph.walk import Walk
    from kinegraph.walks.request import Box, Disc, Request


# metres beyond which a path is likelier to be in another unit than to be meant
_LONG = 300.0


def follow(
    graph: making.Graph,
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="line:8, circle:3, eight:3, square:6, wave:12,1.5, drawn:60; points 'x,z x,z …' in metres; or a file: .json, .csv, .svg.",
        ),
    ],
    output: making.Output = None,
    warp: Annotated[
        bool, typer.Option("--warp/--no-warp", help="Bend the result gently onto the path, as far as feet can take it.")
    ] = False,
    label: Annotated[str | None, typer.Option("--label", help="Keep to this label all the way.")] = None,
    sections: Annotated[
        str | None,
        typer.Option("--sections", metavar="TEXT", help="Labels by metres along the path: 0-5:walk,5-12:run,12-:walk."),
    ] = None,
    zone: Annotated[
        float | None,
        typer.Option("--zone", help="Metres before and after a border of sections to change over in (2.5)."),
    ] = None,
    prefer: Annotated[
        list[str] | None,
        typer.Option(
            "--prefer", metavar="CLIP=CM", help="Keep to a clip as long as it costs no more than that many cm."
        ),
    ] = None,
    disc: Annotated[
        list[str] | None, typer.Option("--disc", metavar="X,Z,R", help="A round obstacle: centre and radius in metres.")
    ] = None,
    box: Annotated[
        list[str] | None,
        typer.Option(
            "--box", metavar="X,Z,W,D", help="An obstacle with straight sides: its lowest X and Z, width, depth."
        ),
    ] = None,
    start: making.StartAt = None,
    heading: Annotated[
        float | None, typer.Option("--heading", help="Degrees the body faces at first: 0 is +Z, 90 to the left, +X.")
    ] = None,
    end_heading: Annotated[
        float | None, typer.Option("--end-heading", help="Degrees it is to face at the end.")
    ] = None,
    speed: Annotated[float | None, typer.Option("--speed", help="Metres a second that are wished for.")] = None,
    limit: Annotated[float | None, typer.Option("--limit", help="Seconds that the walk may take.")] = None,
    search: Annotated[
        str, typer.Option("--search", help="fast, or exact: branch and bound, the best there is within each horizon.")
    ] = "fast",
    horizon: Annotated[float | None, typer.Option("--horizon", help="Seconds looked ahead (fast 6, exact 2).")] = None,
    keep: Annotated[
        float | None, typer.Option("--keep", help="Seconds of them that are settled at a time (1).")
    ] = None,
    width: Annotated[int | None, typer.Option("--width", help="Fast: walks kept at a time (300).")] = None,
    price: Annotated[
        float | None,
        typer.Option("--price", help="What transitions cost against deviation (45); more, and there are fewer."),
    ] = None,
    gap: Annotated[
        float | None, typer.Option("--gap", help="Seconds of untouched motion between transitions (0.2).")
    ] = None,
    blend: making.Blend = "anticipation",
    no_clean: making.NoClean = False,
    plot: making.Plot = None,
    as_json: reading.AsJson = False,
) -> None:
    """Find the walk through a graph that follows a path, blend it, clean its feet, and say how well it does.

    \b
    kinegraph follow g.mog eight:3 -o eight.bvh --plot eight.png
    kinegraph follow g.mog '0,0 0,4 3,6' --label walk --warp -o way.bvh
    kinegraph follow g.mog way.svg --sections 0-5:walk,5-:run -o way.bvh
    """
    making.check_targets(output, plot, blend)
    from kinegraph.paths.reading import read
    from kinegraph.walks.begin import read_start
    from kinegraph.walks.request import Request, parse_sections
    from kinegraph.walks.setting import check_names

    drawn = read(path)
    if drawn.length > _LONG:
        console.notice(f"the path is {drawn.length:,.0f} m long; in a file, one unit is one metre")
    asked: dict[str, Any] = {
        "label": label,
        "sections": None if sections is None else parse_sections(sections, drawn.length),
        "zone": zone,
        "speed": speed,
        "limit": limit,
        "horizon": horizon,
        "keep": keep,
        "width": width,
        "price": price,
        "gap": gap,
        "heading": None if heading is None else math.radians(heading),
        "end_heading": None if end_heading is None else math.radians(end_heading),
    }
    obstacles = _obstacles(disc or [], box or [])
    given = {name: value for name, value in asked.items() if value is not None}
    wished = Request(drawn, search, obstacles=obstacles, prefer=_preferences(prefer or []), **given)
    from kinegraph.graph.store.files import load

    loaded = load(graph)
    check_names(loaded, wished)
    request = replace(wished, start=read_start(loaded, start))
    found, cpu = _search(loaded, request)
    wish = making.Wish(output, plot, blend, not no_clean, drawn if warp else None)
    made = making.make(found, wish)
    title = f"{path if len(path) <= 60 else path[:59] + '…'}, {drawn.length:.1f} m"
    making.write(made, wish, title, drawn, obstacles)
    more = {"path": path, "search": search, "limit_s": limit}
    making.tell(made, wish, title, as_json, graph=graph, path=drawn, cpu=cpu, more=more)


def _search(graph: MotionGraph, request: Request) -> tuple[Walk, float]:
    """The walk, and the seconds of CPU that finding it took."""
    from kinegraph.paths.shapes import line
    from kinegraph.walks.following import follow as search
    from kinegraph.walks.following import follow_on
    from kinegraph.walks.request import Request
    from kinegraph.walks.sections import edge_metres

    # the first search of a process loads what was compiled, which is no part of what this one costs
    with suppress(GraphError):
        search(graph, Request(line(1.0), request.search))
    metres, whole = edge_metres(graph), math.ceil(request.path.length)
    begun = time.process_time()
    with making.searching(), console.watch("following the path") as watch:
        for found in follow_on(graph, request):
            watch.tell("search", min(int(metres[found.walk.edges].sum()), whole), whole)
    return found.walk, time.process_time() - begun


def _preferences(given: list[str]) -> dict[str, float]:
    margins = {}
    for text in given:
        clip, equals, value = text.rpartition("=")
        try:
            margins[clip] = float(value)
        except ValueError:
            equals = ""
        if not (equals and clip):
            raise GraphError(f"--prefer: expected a clip and a margin in cm, such as jump=20, got {text!r}")
    return margins


def _obstacles(discs: list[str], boxes: list[str]) -> list[Disc | Box]:
    from kinegraph.walks.request import Box, Disc

    found: list[Disc | Box] = [Disc(*_numbers(text, 3, "--disc", "X,Z,R such as 1,4,0.5")) for text in discs]
    return found + [Box(*_numbers(text, 4, "--box", "X,Z,W,D such as -1,4,2,0.5")) for text in boxes]


def _numbers(text: str, count: int, option: str, what: str) -> list[float]:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != count:
        raise GraphError(f"{option}: expected {what} in metres, got {text!r}")
    return values
