"""`kinegraph space build`: the space of the strikes in takes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import asking, console, graphs, writing
from kinegraph.cli.reading import AsJson, reads
from kinegraph.formats.options import ReadOptions
from kinegraph.graph.model import MIRRORED
from kinegraph.strikes import told

if TYPE_CHECKING:
    from kinegraph.strikes.space import Space


@asking.asks("learn", leave=("mirrored",))
@reads
def build(
    clips: graphs.Clips,
    wishes: dict[str, Any],
    reading: ReadOptions,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="S.mog", help="File to write; a graph and other spaces that it holds are kept."
        ),
    ],
    mirrored: Annotated[
        list[Path] | None,
        typer.Option(
            "--mirrored", metavar="CLIP", help="A further take or folder, of the other side, to be mirrored first."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the punches or kicks in takes, lay them on one another, and save the space between them.

    \b
    kinegraph space build 02_05.bvh --kind punch -o punches.mog
    kinegraph space build takes/ --kind kick --write-strikes found.toml -o kicks.mog
    kinegraph space build takes/ --strikes found.toml -o kicks.mog
    """
    writing.check_place(output, ".mog", "a space")
    if "write_strikes" in wishes:
        writing.check_place(Path(wishes["write_strikes"]), ".toml", "a table of strikes")
    from kinegraph.formats.intake import clips as take_in
    from kinegraph.strikes.store import files as store

    asking.task("learn", wishes)  # refused before anything is read
    begun = time.perf_counter()
    with console.watch() as watch:
        read, turned = take_in(clips, reading, watch), take_in(mirrored or [], reading, watch)
        space: Space = asking.task("learn", {**wishes, "mirrored": turned.takes}).run(read.takes, watch)
    store.save(space, output)
    notices, written = [*read.notices, *turned.notices, *space.notices], wishes.get("write_strikes")
    if as_json:
        clips_read = [*(take.name for take in read.takes), *(f"{take.name}{MIRRORED}" for take in turned.takes)]
        about = {"space": str(output), **told.facts(space), "clips": clips_read, "strikes_file": written}
        about["left_out"] = [strike.to_dict() for strike in space.unused]
        console.report({**about, "seconds": round(time.perf_counter() - begun, 3), "notices": notices})
        return
    _tell(space, {take.name: take.motion.fps for take in [*read.takes, *turned.takes]})
    console.notices(notices)
    if written is not None:
        console.done(f"{written}: the strikes; correct them, then build with --strikes {written}")
    which = f" --name '{space.name}'" if len(store.names(output)) > 1 else ""
    target = told.point(told.middle(space))
    console.done(f"{output}: try kinegraph space reach {output} {target}{which} -o strike.bvh")


def _tell(space: Space, rates: dict[str, float]) -> None:
    """The strikes by frames and by seconds. rates: clip → frames per second."""
    headings = ("clip", "start", "hit", "end", "start s", "hit s", "end s", "X m", "Y m", "Z m")
    cells = []
    for strike, target in zip(space.examples.strikes, space.examples.hits, strict=True):
        frames = strike.start, strike.hit, strike.end
        seconds = (f"{frame / rates[strike.clip.removesuffix(MIRRORED)]:.2f}" for frame in frames)
        cells.append((strike.clip, *map(str, frames), *seconds, *(f"{value:.2f}" for value in target)))
    console.table(headings, cells, words=("clip",))
    clips = len({strike.clip for strike in space.examples.strikes})
    count = f"{len(space.examples)} strikes of {clips} clip{'' if clips == 1 else 's'}"
    console.rows(f"{space.name}: {count}", told.place_rows(space))
