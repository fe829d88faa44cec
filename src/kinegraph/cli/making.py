"""What `walk` and `follow` have in common: from a walk through a graph to files, a picture and a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from kinegraph.cli import console
from kinegraph.errors import FormatError, GraphError
from kinegraph.formats import save, suffixes, written_suffixes
from kinegraph.formats.registry import format_of

if TYPE_CHECKING:
    from kinegraph.graph.walk import Walk
    from kinegraph.motion import Motion
    from kinegraph.paths.path import Path as FloorPath
    from kinegraph.walks.performing import Finished
    from kinegraph.walks.request import Box, Disc

Graph = Annotated[Path, typer.Argument(metavar="G.mog", help="The graph, as `kinegraph build` makes it.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="OUT", help="Motion to write: .bvh, .amc, .glb, .npz …; without it, only the report."
    ),
]
Blend = Annotated[
    str,
    typer.Option("--blend", metavar="NAME", help="How transitions are blended: linear, cubic, anticipation, inertial."),
]
NoClean = Annotated[bool, typer.Option("--no-clean", help="Leave the feet as the blend gives them, sliding.")]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="P.png", help="Draw the way from above with its footprints: .png, .svg, .pdf."),
]
StartAt = Annotated[
    str | None,
    typer.Option("--start", metavar="NAME", help="Clip or label to begin with; CLIP@FRAME for a frame of a clip."),
]

_FILMS = (".png", ".gif", ".mp4")


def check_targets(output: Path | None, plot: Path | None, blend: str) -> None:
    """Refuse, before any work is done, places where nothing can be written, and blends that do not exist."""
    from kinegraph.blending import named

    named.blend(blend)
    if output is not None:
        check_motion_target(output)
    if plot is not None:
        from kinegraph.plots import canvas

        _check_place(canvas.check_target(plot))
        canvas.matplotlib_part("figure")


def check_motion_target(path: Path) -> None:
    """Refuse a place where no motion can be written."""
    if path.suffix.lower() in _FILMS:
        raise FormatError(
            f"a motion is written as {', '.join(written_suffixes())}: write one of these, then draw it with `kinegraph render`",
            path,
        )
    format_of(path, writing=True)
    _check_place(path)


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise FormatError("this is a folder: give the name of a file to write", path)
    if not path.parent.is_dir():
        raise FormatError(f"there is no folder {path.parent}: make it first", path)


@contextmanager
def searching() -> Iterator[None]:
    """What is asked for was understood; where a search cannot give it all the same, say so and exit with 1."""
    try:
        yield
    except GraphError as error:
        console.complain(str(error))
        raise typer.Exit(1) from None


@dataclass(frozen=True, eq=False)
class Wish:
    """What is to become of a walk. onto: the path that it is bent onto. feet: whether they are cleaned."""

    output: Path | None
    plot: Path | None
    blend: str
    feet: bool
    onto: FloorPath | None = None


@dataclass(frozen=True, eq=False)
class Made:
    """A walk made motion, and what the user should know of it."""

    finished: Finished
    notices: list[str] = field(default_factory=list)


def make(walk: Walk, wish: Wish) -> Made:
    """The motion of a walk as it is wished for."""
    from kinegraph.feet.cleanup import clean
    from kinegraph.feet.sole import has_legs
    from kinegraph.walks.performing import NO_LEGS, perform

    notices = []
    feet = wish.feet
    if feet and not has_legs(walk.graph.skeleton):
        feet = False
        notices.append(f"{NO_LEGS} (build --roles)")
    finished = perform(walk, blend=wish.blend, onto=wish.onto, feet=feet)
    stretched = finished.feet.longer if finished.feet else 0.0
    if stretched and wish.output is not None and wish.output.suffix.lower() == ".amc":
        # bones of an AMC cannot change
        loose = perform(walk, blend=wish.blend, onto=wish.onto, feet=False)
        firm = clean(loose.motion, loose.contacts, stretch=0.0)
        finished = replace(loose, motion=firm.motion, contacts=firm.contacts, feet=firm.report)
        notices.append("an AMC's bones have one length: the feet are cleaned without changing that of the legs")
    elif stretched and wish.output is not None:
        notices.append(stretch_notice(stretched, wish.output))
    return Made(finished, notices)


def check_not_read(written: Sequence[Path | None], read: Sequence[Path]) -> None:
    """Refuse to write over what is read, under whatever name."""
    for target in written:
        for source in read:
            if target is not None and target.is_file() and source.is_file() and target.samefile(source):
                raise FormatError("this is a file that is read here: give another name to write to", target)


def stretch_notice(longer: float, output: Path) -> str:
    """What to say of a file whose legs change length."""
    channels = ", so that every joint has position channels in this BVH" if output.suffix.lower() == ".bvh" else ""
    return f"legs change length by up to {100 * longer:.1f} % to keep planted feet in place{channels}"


def write(
    made: Made, wish: Wish, title: str, path: FloorPath | None = None, obstacles: Sequence[Disc | Box] = ()
) -> None:
    """The files that are wished for."""
    finished = made.finished
    if wish.output is not None:
        save(finished.motion.renamed(wish.output.stem), wish.output)
    if wish.plot is not None:
        from kinegraph.plots.walked import walked_picture

        transitions = [(one.first, one.first + one.length) for one in finished.performance.transitions]
        walked_picture(
            finished.motion,
            finished.contacts,
            wish.plot,
            path=path,
            transitions=transitions,
            obstacles=obstacles,
            title=title,
        )


def tell(
    made: Made,
    wish: Wish,
    heading: str,
    as_json: bool,
    *,
    graph: Path,
    path: FloorPath | None = None,
    cpu: float | None = None,
    more: dict[str, Any] | None = None,
) -> None:
    """The figures of a finished walk: one object, or lines for people. cpu: seconds that finding the walk took.

    Exits with 1 where the walk does not come to the end of its path.
    """
    from kinegraph.evaluation.quality.figures import evaluate
    from kinegraph.evaluation.quality.text import rows
    from kinegraph.walks import arrival

    quality = evaluate(made.finished.motion, path=path, finished=made.finished, cpu=cpu)
    off = None if path is None else arrival.short_of(made.finished.motion, path)
    short = "" if off is None else arrival.told(off, " (--label, --prefer, --start)", " (--horizon, --width)")
    if as_json:
        files = {"output": _text(wish.output), "plot": _text(wish.plot)}
        facts = {"graph": str(graph), **files, "blend": wish.blend, **(more or {})}
        console.report({**facts, **quality.to_dict(), "notices": [*made.notices, *([short] if short else [])]})
    else:
        print_rows(heading, rows(quality))
        for sentence in made.notices:
            console.notice(sentence)
        if wish.output is not None:
            written(wish.output, made.finished.motion)
        if wish.plot is not None:
            console.done(f"{wish.plot}: the way from above, with its footprints")
    if short:
        console.complain(short)
        raise typer.Exit(1)


def print_rows(heading: str, rows: Sequence[tuple[str, str]]) -> None:
    """Sentences with what each is about, under a heading, on standard output."""
    console.out.print(f"[bold]{escape(heading)}[/]")
    for what, sentence in rows:
        console.out.print(f"  [dim]{what:<13}[/] {escape(sentence)}")


def written(path: Path, motion: Motion) -> None:
    """Say which motion file is there now, and how to look at it."""
    beside = look = ""
    if path.suffix.lower() == ".amc":
        # an AMC holds no rate, and is taken to have CMU's
        beside, look = f" and {path.with_suffix('.asf')}", f" --rate {motion.fps:g}"
    seen = f"; look: kinegraph render {path} -o film.gif{look}" if path.suffix.lower() in suffixes() else ""
    console.done(f"{path}{beside}: {len(motion):,} frames at {motion.fps:g} frames/s{seen}")


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
