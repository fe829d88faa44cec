"""`kinegraph demo`: the tour. Everything the product does today, on the built-in clips, in one folder to look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from kinegraph.cli import console, graphs
from kinegraph.cli.samples import samples
from kinegraph.formats.atomic import made_folder

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph

_STRIPS = ("walk", "run", "sneak", "jump")
_COMPARED = ("walk", "walk_left_tight")
_PATH, _LABEL = "eight:2.5", "walk"
_TARGET = (0.15, 1.47)
_BENT, _GROUND = "circle:2.5", "waves:0.4,5"


def demo(
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write to; made if need be.")
    ] = Path("demo"),
) -> None:
    """Write the sample clips, convert and draw some, build their motion graph, walk a figure of eight through it, punch
    a target, and bend one walk over hills.
    """
    import kinegraph as kg

    samples(folder / "samples")
    walk = kg.load(folder / "samples" / "walk.bvh")
    formats = made_folder(folder / "formats")
    for suffix in (".bvh", ".amc", ".npz"):
        kg.save(walk, formats / f"walk{suffix}")
        again = kg.load(formats / f"walk{suffix}", fps=walk.fps)
        apart = abs(again.position("head") - walk.position("head")).max() * 1000
        console.done(f"{formats / f'walk{suffix}'}: reads back within {apart:.4f} mm")
    for name in _STRIPS:
        kg.render(kg.samples.make(name).motion, folder / f"{name}.png")
        console.done(f"{folder / f'{name}.png'}: a strip of poses")
    _eight(_graph(folder), folder)
    _punch(folder)
    _hills(folder)
    console.err.print(
        f"\nLook at [bold]{escape(str(folder))}[/]: the figure of eight as film (eight.gif), from above (eight.png) and for other programs "
        "(eight.bvh); a punch at a point that nobody captured (punch.png, punch.bvh), and where else one could strike (space.png); one "
        "walk bent along a circle over hills (hills.png, hills.bvh); the clips it is all made of in samples/ "
        "(samples.json says what each is), their motion graph samples.mog, one clip in every format in formats/, pictures beside them.\n"
        f"Next: [bold]kinegraph follow {escape(str(folder / 'samples.mog'))} '0,0 0,4 4,8' -o way.bvh[/] for a path of your own, "
        f"[bold]kinegraph space reach {escape(str(folder / 'punches.mog'))} -0.1,1.25 -o hit.bvh[/] for another target, "
        f"[bold]kinegraph repath {escape(str(folder / 'samples' / 'walk.bvh'))} circle:3 --cycle -o round.bvh[/] for one clip on "
        "another path, "
        "[bold]kinegraph build[/] for clips of your own; or see and steer all of it in the browser: "
        f"[bold]kinegraph studio {escape(str(folder))}[/]"
    )


def _graph(folder: Path) -> MotionGraph:
    """The motion graph of the clips in ``samples/``, its picture, and how two of them were compared."""
    import kinegraph as kg
    from kinegraph.graph.summary.figures import summary
    from kinegraph.plots.graph import graph_picture

    path = folder / "samples.mog"
    with graphs.building(path) as watch:
        graph: MotionGraph = kg.build(folder / "samples", mirror=True, path=path, watch=watch)
    facts = summary(graph)
    console.done(
        f"{path}: a graph of {facts['clips']} clips with {facts['transitions']:,} transitions; "
        f"kinegraph inspect {path} says more"
    )
    graph_picture(graph, folder / "graph.png")
    console.done(f"{folder / 'graph.png'}: clips as tracks, transitions as arcs")
    compared = kg.compare([graph.clip(name).motion for name in _COMPARED])
    compared.save(folder / "distance.png")
    pairs = compared.map.centimetres.size
    console.done(f"{folder / 'distance.png'}: {' and '.join(_COMPARED)} compared at {pairs:,} pairs of moments")
    return graph


def _eight(graph: MotionGraph, folder: Path) -> None:
    """A figure of eight walked: BVH, plot and film."""
    import kinegraph as kg

    made = kg.follow(graph, _PATH, label=_LABEL, warp=True).save(folder / "eight.bvh")
    made.plot(folder / "eight.png")
    quality = made.quality
    console.done(
        f"{folder / 'eight.bvh'}: a figure of eight, {quality['path_length_m']:.1f} m in {made.motion.seconds:.1f} s, made of "
        f"{len(quality['clips'])} clips with {quality['transitions']} transitions, {quality['deviation_cm']['mean']:.1f} cm off its path "
        "on average"
    )
    console.done(f"{folder / 'eight.png'}: path, footprints and transitions from above")
    film = folder / "eight.gif"
    # small and at half the frames: nobody waits for a film in a tour
    with console.watch("filming") as watch:
        kg.render(made.motion, film, width=400, fps=15, watch=watch)
    console.done(f"{film}: a film of it")


def _punch(folder: Path) -> None:
    """A space of the nine built-in punches, its picture, and the punch at a target between theirs."""
    import kinegraph as kg
    from kinegraph.plots.space import space_picture

    takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    space = kg.strikes.build(takes, "punch")
    kg.strikes.save(space, folder / "punches.mog")
    console.done(f"{folder / 'punches.mog'}: a space of {len(space.examples)} punches; kinegraph space show says more")
    space_picture(space, folder / "space.png")
    console.done(f"{folder / 'space.png'}: where they hit, and how far to trust what is made between and around them")
    made = kg.strike(space, _TARGET).save(folder / "punch.bvh")
    console.done(
        f"{folder / 'punch.bvh'}: a punch at {_TARGET[0]:g} m to the left and {_TARGET[1]:g} m up, "
        f"which it hits to {10 * made.quality['miss_cm']:.1f} mm"
    )
    kg.render(made.motion, folder / "punch.png")
    console.done(f"{folder / 'punch.png'}: a strip of it")


def _hills(folder: Path) -> None:
    """One walk bent along a circle over rolling ground: BVH and picture."""
    import kinegraph as kg

    walk = kg.samples.make("walk").motion
    made = kg.repath(walk, _BENT, cycle=True, ground=_GROUND).save(folder / "hills.bvh")
    off = max(made.quality["slide_mm"]["max"], made.quality["off_ground_mm"])
    console.done(
        f"{folder / 'hills.bvh'}: {walk.seconds:.1f} s of walking bent along {made.quality['path_length_m']:.1f} m over rolling "
        f"ground, with feet that stay within {off:.1f} mm of where they stand"
    )
    made.plot(folder / "hills.png")
    console.done(f"{folder / 'hills.png'}: the way from above and from the side")
