"""`kinegraph space build`: the space of the strikes in takes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, graphs, writing
from kinegraph.cli.reading import AsJson, reads
from kinegraph.errors import FormatError, KinegraphError, SpaceError
from kinegraph.formats.options import ReadOptions
from kinegraph.strikes import told
from kinegraph.strikes.kinds import KINDS

if TYPE_CHECKING:
    from kinegraph.formats.intake import Take
    from kinegraph.strikes.space import Space
    from kinegraph.strikes.strike import Side
    from kinegraph.strikes.table import StrikesFile


@reads
def build(
    clips: graphs.Clips,
    reading: ReadOptions,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="S.mog", help="File to write; a graph and other spaces that it holds are kept."
        ),
    ],
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="|".join(KINDS), help="What the strikes are; --strikes says it too.")
    ] = None,
    side: Annotated[
        str | None,
        typer.Option("--side", metavar="left|right", help="Hand or foot that strikes; by default the one that does."),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What to call the space; by default such as 'right punch'.")
    ] = "",
    strikes: Annotated[
        Path | None,
        typer.Option("--strikes", metavar="F.toml", help="Which frames are strikes, as corrected by hand."),
    ] = None,
    write_strikes: Annotated[
        Path | None,
        typer.Option(
            "--write-strikes", metavar="F.toml", help="Write which frames were found, to correct them by hand."
        ),
    ] = None,
    fps: Annotated[float, typer.Option("--fps", help="Frames per second of the space.")] = 60.0,
    forward: Annotated[
        str,
        typer.Option(
            "--forward",
            metavar="auto|facing|strikes",
            help="What targets call ahead: where the ready pose faces, or where strikes go.",
        ),
    ] = "auto",
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
    if write_strikes is not None:
        _check_strikes_target(write_strikes)
    from kinegraph.formats.intake import clips as take_in
    from kinegraph.graph.making.prepare import MIRRORED
    from kinegraph.strikes import table as strikes_file
    from kinegraph.strikes.builder import build as build_space
    from kinegraph.strikes.placing import check_forward
    from kinegraph.strikes.store import files as store

    ahead = check_forward(forward)
    given = None if strikes is None else strikes_file.read(strikes)
    what, limb = _what(kind, side, given, strikes)
    begun = time.perf_counter()
    with console.watch() as watch:
        read, turned = take_in(clips, reading, watch), take_in(mirrored or [], reading, watch)
        plain = read.takes
        other = [replace(take, motion=take.motion.renamed(f"{take.name}{MIRRORED}")) for take in turned.takes]
        notices = [*read.notices, *turned.notices]
        try:
            space = build_space(
                plain,
                what,
                limb,
                strikes=None if given is None else given.strikes,
                fps=fps,
                forward=ahead,
                name=name,
                mirrored=other,
                watch=watch,
            )
        except SpaceError:
            if write_strikes is not None and given is None:
                _rescue(write_strikes, plain, other, what, limb)
            raise
    notices += space.notices
    store.save(space, output)
    if write_strikes is not None:
        examples = space.examples
        skipped = given.skipped if given else ()
        found = strikes_file.StrikesFile(examples.kind, examples.side, examples.strikes, skipped)
        strikes_file.write(write_strikes, found, space.notices)
    made = _Built(
        space,
        output,
        write_strikes,
        {take.name: take.motion.fps for take in [*plain, *other]},
        notices,
        time.perf_counter() - begun,
    )
    if as_json:
        console.report(_facts(made))
    else:
        _tell(made, several=len(store.names(output)) > 1)


def _check_strikes_target(path: Path) -> None:
    writing.check_place(path, ".toml", "a table of strikes")
    if path.exists():
        raise FormatError(
            "this file is there already, and may have been corrected by hand: read it with --strikes, or remove it first",
            path,
        )


def _what(kind: str | None, side: str | None, given: StrikesFile | None, path: Path | None) -> tuple[str, Side | None]:
    """What the strikes are and which side they are of, by the options and by the file, which may not contradict each other."""
    from kinegraph.strikes.kinds import kind_of
    from kinegraph.strikes.strike import check_side

    asked = None if kind is None else kind_of(kind).name
    limb = None if side is None else check_side(side)
    if given is None:
        if asked is None:
            raise SpaceError(f"say what the strikes are: {' or '.join(f'--kind {each}' for each in KINDS)}")
        return asked, limb
    for option, said, written in (("--kind", asked, given.kind), ("--side", limb, given.side)):
        if said is not None and said != written:
            raise SpaceError(
                f"{option} {said} contradicts {path}, which says {written}: leave one of them out or mend it"
            )
    return given.kind, given.side


def _rescue(path: Path, plain: Sequence[Take], other: Sequence[Take], kind: str, side: Side | None) -> None:
    """Where no space comes of them, the strikes that were found are written all the same: they may be what is to be corrected."""
    from kinegraph.motion import mirror
    from kinegraph.strikes import table as strikes_file
    from kinegraph.strikes.finder import find

    found = []
    for motion in [*(take.motion for take in plain), *(mirror(take.motion) for take in other)]:
        with suppress(KinegraphError):
            found.append(find(motion, kind, side))
    if not found or len({each.side for each in found}) > 1:
        return
    strikes = tuple(strike for each in found for strike in each.strikes)
    notices = [sentence for each in found for sentence in each.notices]
    strikes_file.write(path, strikes_file.StrikesFile(kind, found[0].side, strikes), notices)
    console.notice(f"{path} holds the strikes that were found: correct them, then build with --strikes {path}")


@dataclass(frozen=True, eq=False)
class _Built:
    """A space that was built, and what is told of it; rates: clip → frames per second."""

    space: Space
    output: Path
    strikes: Path | None
    rates: Mapping[str, float]
    notices: Sequence[str]
    seconds: float


def _facts(made: _Built) -> dict[str, Any]:
    examples = made.space.examples
    return {
        "space": str(made.output),
        "name": made.space.name,
        "kind": examples.kind,
        "side": examples.side,
        "fps": examples.fps,
        "clips": list(made.rates),
        "strikes": told.strikes(made.space),
        **told.place_facts(made.space),
        "strikes_file": None if made.strikes is None else str(made.strikes),
        "seconds": round(made.seconds, 3),
        "notices": list(made.notices),
    }


def _tell(made: _Built, several: bool) -> None:
    space, examples = made.space, made.space.examples
    headings = ("clip", "start", "hit", "end", "start s", "hit s", "end s", "X m", "Y m", "Z m")
    cells = []
    for strike, target in zip(examples.strikes, examples.hits, strict=True):
        frames = strike.start, strike.hit, strike.end
        seconds = (f"{frame / made.rates[strike.clip]:.2f}" for frame in frames)
        cells.append((strike.clip, *map(str, frames), *seconds, *(f"{value:.2f}" for value in target)))
    console.table(headings, cells, words=("clip",))
    clips = len({strike.clip for strike in examples.strikes})
    heading = f"{space.name}: {len(examples)} strikes of {clips} clip{'' if clips == 1 else 's'}"
    console.rows(heading, told.place_rows(space))
    for sentence in made.notices:
        console.notice(sentence)
    if made.strikes is not None:
        console.done(f"{made.strikes}: the strikes; correct them, then build with --strikes {made.strikes}")
    which = f" --name '{space.name}'" if several else ""
    target = told.point(told.middle(space))
    console.done(f"{made.output}: try kinegraph space reach {made.output} {target}{which} -o strike.bvh")
