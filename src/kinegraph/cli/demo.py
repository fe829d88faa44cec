"""`kinegraph demo`: the tour. Everything the product does today, on the built-in clips, in one folder to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from kinegraph.cli import console, graphs
from kinegraph.cli.samples import make_folder, samples
from kinegraph.formats import load, save

_STRIPS = ("walk", "run", "sneak", "jump")
_COMPARED = ("walk", "walk_left_tight")


def demo(
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write to; made if need be.")
    ] = Path("demo"),
) -> None:
    """Write the sample clips, convert one to each format, draw strips of poses and a film, and build their motion graph."""
    from kinegraph import render
    from kinegraph import samples as performer

    samples(folder / "samples")
    walk = load(folder / "samples" / "walk.bvh")
    formats = folder / "formats"
    make_folder(formats)
    for suffix in (".bvh", ".amc", ".npz"):
        save(walk, formats / f"walk{suffix}")
        again = load(formats / f"walk{suffix}", fps=walk.fps)
        apart = abs(again.position("head") - walk.position("head")).max() * 1000
        console.done(f"{formats / f'walk{suffix}'}: reads back within {apart:.4f} mm")
    for name in _STRIPS:
        render.render(performer.make(name).motion, folder / f"{name}.png")
        console.done(f"{folder / f'{name}.png'}: a strip of poses")
    with console.progress("filming") as update:
        render.render(performer.make("walk").motion, folder / "walk.gif", progress=update)
    console.done(f"{folder / 'walk.gif'}: a film")
    _graph(folder)
    console.err.print(
        f"\nLook at [bold]{escape(str(folder))}[/]: the clips in samples/ (samples.json says what each is), one of them in every "
        "format in formats/, their motion graph samples.mog, pictures beside them.\n"
        "Next: [bold]kinegraph info[/] and [bold]kinegraph render[/] on a clip of your own, [bold]kinegraph build[/] on a folder of them."
    )


def _graph(folder: Path) -> None:
    """The motion graph of the clips in ``samples/``, its picture, and how two of them were compared."""
    from kinegraph.cli.clips import clip_files
    from kinegraph.cli.distance import write_distance
    from kinegraph.graph.builder import build
    from kinegraph.graph.summary import summary
    from kinegraph.plots.graph import graph_picture

    path = folder / "samples.mog"
    with graphs.stages() as progress, graphs.resumable(path):
        graph = build(clip_files([folder / "samples"]), path=path, progress=progress)
    facts = summary(graph)
    console.done(
        f"{path}: a graph of {facts['clips']} clips with {facts['transitions']:,} transitions; "
        f"kinegraph inspect {path} says more"
    )
    graph_picture(graph, folder / "graph.png")
    console.done(f"{folder / 'graph.png'}: clips as tracks, transitions as arcs")
    clips = [graph.clip(name).motion for name in _COMPARED]
    matrix, _ = write_distance(clips, folder / "distance.png")
    console.done(f"{folder / 'distance.png'}: {' and '.join(_COMPARED)} compared at {matrix.size:,} pairs of moments")
