"""`kinegraph render`: a strip of poses or a film."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import console, reading


def render(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="Motion file to show (.bvh, .amc, .npz).")],
    target: Annotated[Path, typer.Option("-o", "--output", metavar="OUT", help="Picture or film: .png, .gif or .mp4.")],
    poses: Annotated[int | None, typer.Option("--poses", min=1, max=200, help="Strip: how many poses (10).")] = None,
    view: Annotated[str, typer.Option("--view", help="auto, side, front, three-quarter or top.")] = "auto",
    layout: Annotated[
        str | None, typer.Option("--layout", help="Strip: time (side by side) or world (where they are).")
    ] = None,
    width: Annotated[
        int | None, typer.Option("--width", min=16, max=8192, help="Width in pixels (strip 1600, film 640).")
    ] = None,
    height: Annotated[
        int | None, typer.Option("--height", min=16, max=8192, help="Height in pixels (strip 400, film 480).")
    ] = None,
    fps: Annotated[float | None, typer.Option("--fps", min=1, max=240, help="Film: frames per second (30).")] = None,
    skeleton: reading.Skeleton = None,
    units: reading.Units = "auto",
    up: reading.Up = "y",
    rate: reading.Rate = None,
    keep_tpose: reading.KeepTpose = False,
    roles: reading.Roles = None,
    as_json: reading.AsJson = False,
) -> None:
    """Draw a motion with no screen: a strip of poses (.png) or a film (.gif, .mp4)."""
    from kinegraph import render as drawing

    motion = reading.read(source, skeleton=skeleton, units=units, up=up, rate=rate, keep_tpose=keep_tpose, roles=roles)
    asked = {"poses": poses, "layout": layout, "width": width, "height": height, "fps": fps}
    options: dict[str, Any] = {"view": view, **{key: value for key, value in asked.items() if value is not None}}
    with console.progress(f"drawing {target.name}") as update:
        drawing.render(motion, target, progress=update, **options)
    if as_json:
        console.report(
            {"source": str(source), "target": str(target), "frames": len(motion), "notices": list(motion.notices)}
        )
        return
    for sentence in motion.notices:
        console.notice(sentence, str(source))
    console.done(f"{target}: {motion.seconds:.2f} s of motion")
