"""`kinegraph convert`: any format to any format, and the simple changes on the way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import console, reading
from kinegraph.cli.bodies import body
from kinegraph.errors import FormatError
from kinegraph.formats import save, units
from kinegraph.formats.registry import format_of
from kinegraph.motion import Motion, mirror, retarget


def convert(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="Motion file to read (.bvh, .amc, .npz).")],
    target: Annotated[Path, typer.Argument(metavar="DST", help="File to write; its suffix says the format.")],
    frames: Annotated[
        str | None,
        typer.Option("--frames", metavar="A:B", help="Only frames A to B − 1 of the source; either may be left out."),
    ] = None,
    fps: Annotated[float | None, typer.Option("--fps", help="Resample to this many frames per second.")] = None,
    mirrored: Annotated[bool, typer.Option("--mirror", help="Exchange left and right.")] = False,
    onto: Annotated[
        Path | None,
        typer.Option("--onto", metavar="BODY", help="Retarget to the skeleton of this file (.asf or any motion)."),
    ] = None,
    skeleton: reading.Skeleton = None,
    source_units: reading.Units = "auto",
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
    """Convert a motion file to another format, by the suffixes; cut, mirror, retarget and resample on the way, in this order."""
    format_of(target)  # an unknown format is refused before a long file is read
    if target.exists() and source.exists() and target.samefile(source):
        raise FormatError("this is the source itself: give another name to write to", target)
    options = _write_options(target, target_units, target_skeleton)
    motion = reading.read(
        source, skeleton=skeleton, units=source_units, up=up, rate=rate, keep_tpose=keep_tpose, roles=roles
    )
    if frames is not None:
        motion = motion[_slice(frames)]
    if mirrored:
        motion = mirror(motion)
    if onto is not None:
        motion = retarget(motion, body(onto))
    if fps is not None:
        motion = motion.resample(fps)
    save(motion, target, **options)
    notices = [*motion.notices, *_unit_notice(motion, target, target_units)]
    if as_json:
        facts = {"source": str(source), "target": str(target), "frames": len(motion), "fps": motion.fps}
        console.report({**facts, "joints": len(motion.skeleton), "notices": notices})
        return
    for sentence in notices:
        console.notice(sentence, str(source))
    beside = f" and {target.with_suffix('.asf')}" if target.suffix.lower() == ".amc" and target_skeleton is None else ""
    console.done(f"{target}{beside}: {len(motion)} frames at {motion.fps:g} frames/s, {len(motion.skeleton)} joints")


def _write_options(target: Path, target_units: str | None, target_skeleton: Path | None) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if target_units is not None:
        if target.suffix.lower() != ".bvh":
            raise FormatError("--target-units is for BVH: the other formats say their own unit", target)
        units.metres_per_unit(target_units)
        options["units"] = target_units
    if target_skeleton is not None:
        if target.suffix.lower() != ".amc":
            raise FormatError("--target-skeleton is for AMC", target)
        options["skeleton"] = target_skeleton
    return options


def _slice(text: str) -> slice:
    match = re.fullmatch(r"(\d*):(\d*)", text)
    if match is None:
        raise FormatError(f"expected frames such as 10:80, 10: or :80, got {text!r}")
    return slice(*(int(part) if part else None for part in match.groups()))


def _unit_notice(motion: Motion, target: Path, target_units: str | None) -> list[str]:
    """A BVH holds no unit: say so where whoever guesses from the body's height, as we do, would guess wrong."""
    if target.suffix.lower() != ".bvh" or not motion.skeleton.stature:
        return []
    unit = target_units or "cm"
    factor = units.metres_per_unit(unit)
    if units.guess(motion.skeleton.stature / factor)[0] == factor:
        return []
    return [
        f"a BVH holds no unit, and this body's size does not give it away: read it with units={unit!r} (--units {unit})"
    ]
