"""`kinegraph convert`: any format to any format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import console, reading
from kinegraph.errors import FormatError
from kinegraph.formats import save
from kinegraph.formats.registry import format_of


def convert(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="Motion file to read (.bvh, .amc, .npz).")],
    target: Annotated[Path, typer.Argument(metavar="DST", help="File to write; its suffix says the format.")],
    fps: Annotated[float | None, typer.Option("--fps", help="Resample to this many frames per second.")] = None,
    skeleton: reading.Skeleton = None,
    units: reading.Units = "auto",
    up: reading.Up = "y",
    rate: reading.Rate = None,
    keep_tpose: reading.KeepTpose = False,
    roles: reading.Roles = None,
    target_skeleton: Annotated[
        Path | None,
        typer.Option("--target-skeleton", metavar="Y.asf", help="Write an AMC for this ASF instead of one of its own."),
    ] = None,
    target_units: Annotated[
        str | None,
        typer.Option("--target-units", help="Unit of length to write (BVH): m, cm (default), mm, in, ft, cmu."),
    ] = None,
    as_json: reading.AsJson = False,
) -> None:
    """Convert a motion file to another format, by the suffixes."""
    format_of(target)  # an unknown format is refused before a long file is read
    motion = reading.read(source, skeleton=skeleton, units=units, up=up, rate=rate, keep_tpose=keep_tpose, roles=roles)
    if fps is not None:
        motion = motion.resample(fps)
    options: dict[str, Any] = {}
    if target_units is not None:
        if target.suffix.lower() != ".bvh":
            raise FormatError("--target-units is for BVH: the other formats say their own unit", target)
        options["units"] = target_units
    if target_skeleton is not None:
        if target.suffix.lower() != ".amc":
            raise FormatError("--target-skeleton is for AMC", target)
        options["skeleton"] = target_skeleton
    save(motion, target, **options)
    if as_json:
        facts = {"source": str(source), "target": str(target), "frames": len(motion), "fps": motion.fps}
        console.report({**facts, "joints": len(motion.skeleton), "notices": list(motion.notices)})
        return
    for sentence in motion.notices:
        console.notice(sentence, str(source))
    beside = f" and {target.with_suffix('.asf')}" if target.suffix.lower() == ".amc" and target_skeleton is None else ""
    console.done(f"{target}{beside}: {len(motion)} frames at {motion.fps:g} frames/s, {len(motion.skeleton)} joints")
