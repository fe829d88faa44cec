"""Where commands write: places are checked before any work is done, and what was written is told after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kinegraph.cli import console
from kinegraph.errors import FormatError
from kinegraph.formats import written_suffixes
from kinegraph.formats.format import of_suffix
from kinegraph.formats.registry import format_of

if TYPE_CHECKING:
    from kinegraph.motion import Motion

Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .amc, .glb, .npz …; without it, only the report."
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="P.png", help="Draw the way from above with its footprints: .png, .svg, .pdf."),
]

People = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="PEOPLE",
        help="Everybody in one file (.glb, .usdc, .npz …), or, without a suffix, a folder with a BVH each and tracks.csv.",
    ),
]
Film = Annotated[Path | None, typer.Option("--film", metavar="FILM", help="A film of it: .mp4 or .gif.")]
Follow = Annotated[
    int | None, typer.Option("--follow", min=0, metavar="N", help="Of the film: go along with person N, from 0 on.")
]


def check_place(path: Path, suffix: str = "", what: str = "") -> None:
    """Refuse a place where no file, or no ``what``, can be written."""
    if suffix and path.suffix.lower() != suffix:
        raise FormatError(f"{what} is written to a file that ends in {suffix}", path)
    if path.is_dir():
        raise FormatError("this is a folder: give the name of a file to write", path)
    if not path.parent.is_dir():
        raise FormatError(f"there is no folder {path.parent}: make it first", path)


def check_plot(path: Path | None) -> None:
    """Refuse a place where no picture can be written, and say what is missing to draw one."""
    if path is not None:
        from kinegraph.plots import canvas

        check_place(canvas.check_target(path))
        canvas.matplotlib_part("figure")


def check_motion(path: Path | None) -> None:
    """Refuse a place where no motion can be written."""
    if path is None:
        return
    from kinegraph.rendering.pictures import PICTURES

    if of_suffix(path.suffix.lower(), PICTURES) is not None:
        raise FormatError(
            f"a motion is written as {', '.join(written_suffixes())}: write one of these, then draw it with `kinegraph render`",
            path,
        )
    format_of(path, writing=True)
    check_place(path)


def check_film(path: Path | None) -> None:
    """Refuse a place where no film can be written, and say what is missing to make one."""
    if path is None:
        return
    from kinegraph.rendering.extras import ffmpeg, pillow

    if path.suffix.lower() not in (".gif", ".mp4"):
        raise FormatError(f"a film is written as .gif or .mp4, not {path.suffix or 'without a suffix'}", path)
    check_place(path)
    if path.suffix.lower() == ".mp4":
        ffmpeg("writing an MP4")
    pillow("a film")


def check_not_read(written: Sequence[Path | None], read: Sequence[Path]) -> None:
    """Refuse to write over what is read, under whatever name."""
    for target in written:
        for source in read:
            if target is not None and target.is_file() and source.is_file() and target.samefile(source):
                raise FormatError("this is a file that is read here: give another name to write to", target)


def tell_written(
    path: Path, motion: Motion, marks: Mapping[int, str] | None = None, character: Path | None = None
) -> None:
    """Say which motion file is there now, and how to look at it; marks: frames that are worth a look, each with a word for it.

    character: the file of whom it was put on.
    """
    if character is not None:
        console.done(
            f"{path}: {character.name} with one more animation, {len(motion):,} frames at {motion.fps:g} frames/s"
        )
        return
    format = format_of(path, writing=True)
    beside = "".join(f" and {path.with_suffix(suffix)}" for suffix in format.beside)
    look = "" if format.says_rate else f" --rate {motion.fps:g}"
    shown = "".join(f" --mark {frame}:{word}" for frame, word in (marks or {}).items())
    seen = (
        f"; look: kinegraph render {path} -o {'strip.png' if shown else 'film.gif'}{look}{shown}"
        if format.reads
        else ""
    )
    console.done(f"{path}{beside}: {len(motion):,} frames at {motion.fps:g} frames/s{seen}")


def name_of(path: Path | None) -> str | None:
    """A file's name for a report; None where none was asked for."""
    return None if path is None else str(path)
