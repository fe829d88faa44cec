"""`kinegraph render`: a strip of poses, a film, or a page that plays a motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import console
from kinegraph.cli.reading import AsJson, read, reads
from kinegraph.errors import KinegraphError
from kinegraph.formats.options import ReadOptions
from kinegraph.rendering.pictures import PICTURES


@reads
def render(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="Motion file to show (.bvh, .amc, .glb, .npz …).")],
    reading: ReadOptions,
    target: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help=f"Picture, film or page: {', '.join(_suffixes())}.")
    ],
    poses: Annotated[int | None, typer.Option("--poses", min=1, max=200, help="Strip: how many poses (10).")] = None,
    view: Annotated[str | None, typer.Option("--view", help="auto, side, front, three-quarter or top (auto).")] = None,
    layout: Annotated[
        str | None, typer.Option("--layout", help="Strip: time (side by side) or world (where they are).")
    ] = None,
    width: Annotated[
        int | None, typer.Option("--width", min=16, max=8192, help="Width in pixels (strip 1600, film 640).")
    ] = None,
    height: Annotated[
        int | None, typer.Option("--height", min=16, max=8192, help="Height in pixels (strip 400, film 480).")
    ] = None,
    fps: Annotated[
        float | None, typer.Option("--fps", min=1, max=240, help="Film: frames per second (30); page: as it is.")
    ] = None,
    mark: Annotated[
        list[str] | None,
        typer.Option("--mark", metavar="FRAME[:WORD]", help="Strip: a frame to show in any case, and a word for it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a motion with no screen: a strip of poses (.png), a film (.gif, .mp4), or a page that plays it (.html).

    The page is one file that any browser opens, with no network: play, scrub, look from all sides.

    \b
    kinegraph render walk.bvh -o walk.png
    kinegraph render walk.bvh -o walk.html
    kinegraph render punch.bvh -o punch.png --mark 34:hit
    """
    from kinegraph import rendering as drawing

    motion = read(source, reading)
    asked = {"poses": poses, "layout": layout, "width": width, "height": height, "fps": fps, "view": view}
    options: dict[str, Any] = {key: value for key, value in asked.items() if value is not None}
    if mark:
        options["marks"] = dict(_marked(each) for each in mark)
    with console.watch(f"drawing {target.name}") as watch:
        drawing.render(motion, target, watch=watch, **options)
    if as_json:
        console.report(
            {"source": str(source), "target": str(target), "frames": len(motion), "notices": list(motion.notices)}
        )
        return
    for sentence in motion.notices:
        console.notice(sentence, str(source))
    console.done(f"{target}: {motion.seconds:.2f} s of motion")


def _marked(text: str) -> tuple[int, str]:
    """A marked frame and its word, from ``34:hit`` or ``34``."""
    frame, _, word = text.partition(":")
    if not frame.strip().lstrip("-").isdecimal():
        raise KinegraphError(f"--mark takes a frame, and a word for it if you like, such as 34:hit; got {text!r}")
    return int(frame), word.strip() or "here"


def _suffixes() -> list[str]:
    """How pictures, films and pages end; asked when the command is made, since more may be added."""
    return [suffix for picture in PICTURES.values() for suffix in picture.suffixes]
