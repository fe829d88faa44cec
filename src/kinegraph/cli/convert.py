"""`kinegraph convert`: any format to any format, and the simple changes on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kinegraph.cli import asking, console
from kinegraph.cli.reading import AsJson, reads
from kinegraph.errors import FormatError
from kinegraph.formats import written_suffixes
from kinegraph.formats.options import ReadOptions
from kinegraph.formats.registry import format_of
from kinegraph.tasks.kinds.convert import Converted, holding_many


@asking.asks("convert", leave=("target",))
@reads
def convert(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="Motion file to read, or a folder of them.")],
    target: Annotated[
        Path | None,
        typer.Argument(
            metavar="DST",
            help=f"File to write; its suffix says the format: {', '.join(written_suffixes())}. Of a folder: a folder, or one "
            f"{' or '.join(holding_many())}.",
        ),
    ] = None,
    *,
    wishes: dict[str, Any],
    reading: ReadOptions,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DST", help="The file to write, as every other command takes it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Convert motion files to another format, by the suffixes; cut, mirror, retarget, resample on the way, in this order.

    \b
    kinegraph convert 02_01.amc walk.bvh --fps 30
    kinegraph convert walk.bvh walk.glb                    # a person who walks, for Blender and game engines
    kinegraph convert clips out --to bvh --in-place        # a whole folder; names are kept
    kinegraph convert clips all.glb --fps 30               # every clip as an animation of one file
    kinegraph convert walk.bvh out.glb --character hero.glb    # your own character, who walks
    """
    target = _target(target, output)
    task = asking.task("convert", {**wishes, "target": target, "reading": reading})
    with console.watch("converting") as watch:
        made: Converted = task.run(source, watch)
    if as_json:
        console.report(made.to_dict())
    else:
        _tell(made, own_skeleton="target_skeleton" not in wishes)
    if made.failed:
        raise typer.Exit(1)


def _target(argument: Path | None, option: Path | None) -> Path:
    if (argument is None) == (option is None):
        raise FormatError("say once where to write: kinegraph convert SRC DST, or -o DST")
    return argument or option or Path()


def _tell(made: Converted, own_skeleton: bool) -> None:
    for sentence, names in made.notices.items():
        console.notice(sentence, names[0] if len(names) == 1 else f"{len(names)} clips")
    for sentence in made.failed:
        console.notice(sentence, "not converted")
    if made.together:
        console.done(f"{made.target}: {len(made.together)} animations, {made.joints} joints")
    elif made.one:
        clip = made.clips[0]
        also = format_of(made.target, writing=True).beside if own_skeleton and not made.character else ()
        beside = "".join(f" and {made.target.with_suffix(suffix)}" for suffix in also)
        console.done(
            f"{made.target}{beside}: {clip['frames']} frames at {clip['fps']:g} frames/s, {clip['joints']} joints"
        )
    elif made.clips:
        console.done(f"{made.target}: {len(made.clips)} of {len(made.clips) + len(made.failed)} clips")
