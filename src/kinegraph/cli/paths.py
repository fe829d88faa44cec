"""`kinegraph paths`: the path of a clip, how near to it the clip keeps, and curves over the floor."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kinegraph.cli import console, writing
from kinegraph.cli.reading import AsJson, read, reads
from kinegraph.cli.signing import signed
from kinegraph.errors import FormatError, MotionError
from kinegraph.formats import suffixes
from kinegraph.formats.options import ReadOptions
from kinegraph.strikes import told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kinegraph.motion import Motion
    from kinegraph.paths.editing.fit import Fit

app = typer.Typer(help="The path of a clip, and curves over the floor.", no_args_is_help=True)

# the degrees of the paper's figures
_DEGREES = (2, 4, 13, 45)
# control points that a hand can move
_HANDY = 8


@reads
def show(
    source: Annotated[
        str,
        typer.Argument(
            metavar="CLIP|PATH",
            help="Motion file (.bvh, .amc, .glb, .npz …); or a path: circle:3, 'x,z x,z …', .json, .csv, .svg.",
        ),
    ],
    reading: ReadOptions,
    degrees: Annotated[
        str | None,
        typer.Option(
            "--degree",
            metavar="N,N…",
            help="Of the polynomials through the root, 1 to 45 (2,4,13,45 as far as the clip bears).",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="P.png", help="Draw it from above, with its residuals or bends: .png, .svg, .pdf."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the path of a clip at several degrees and what the clip does about it; or the length and bends of a path.

    The path of a clip is where its root goes along the floor without the sway of its steps: a spline that follows the stride (which
    `kinegraph repath` uses unless told otherwise), or a polynomial over time. What is left is the residual.

    \b
    kinegraph paths show walk.bvh
    kinegraph paths show eight.bvh --degree 2,4,13,45 --plot eight.png
    kinegraph paths show eight:3 --json
    """
    writing.check_plot(plot)
    writing.check_not_read([plot], [Path(source)])
    if Path(source).suffix.lower() not in suffixes():
        _show_curve(source, degrees, plot, as_json)
        return
    asked = None if degrees is None else _degrees(degrees)
    clip = Path(source)
    motion = read(clip, reading)
    _show_clip(clip, motion, asked, plot, as_json)


@reads
def fit(
    source: Annotated[Path, typer.Argument(metavar="CLIP", help="Motion file (.bvh, .amc, .glb, .npz …).")],
    reading: ReadOptions,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="OWN.json", help="File to write: .json or .csv.")],
    degree: Annotated[
        int | None,
        typer.Option("--degree", help="Of a polynomial through the root, 1 to 45; without it, the spline by stride."),
    ] = None,
    controls: Annotated[
        int | None,
        typer.Option("--controls", help="Write a cubic spline of so many control points, to move them by hand."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a clip's own path to a file: to be edited, and given to `kinegraph repath`.

    A .json holds the control points of a spline, a .csv points along it. A polynomial without --controls is written as points.

    \b
    kinegraph paths fit walk.bvh -o own.json --controls 8
    kinegraph repath walk.bvh own.json -o bent.bvh
    """
    _check_output(output, controls)
    from kinegraph.paths.bspline import Spline
    from kinegraph.paths.editing.course import course_of
    from kinegraph.paths.editing.fit import fit_of
    from kinegraph.paths.editing.own import apart_from, own_path, own_points
    from kinegraph.paths.reading import write

    motion = read(source, reading)
    course = course_of(motion, degree)
    written = own_path(course, controls) if output.suffix.lower() == ".json" else own_points(course)
    write(written, output)
    found = fit_of(motion, course, degree)
    apart = 100 * apart_from(course, written)
    kind = "controls" if isinstance(written, Spline) else "points"
    if as_json:
        facts = {"source": str(source), "output": str(output), "kind": kind, "count": len(written), "fit": _row(found)}
        console.report({**facts, "length_m": round(written.length, 4), "apart_cm": round(apart, 4)})
        return
    for sentence in motion.notices:
        console.notice(sentence, str(source))
    count = f"{len(written)} {'control points' if kind == 'controls' else 'points'}"
    fewer = "" if controls is not None else f" (--controls {_HANDY} writes fewer, to be moved by hand)"
    console.done(f"{output}: {count}, {written.length:.2f} m, within {apart:.2f} cm of the clip's own path{fewer}")


app.command("show")(signed(show))
app.command("fit")(signed(fit))


# -- clips -----------------------------------------------------------------------------------------------------------


def _show_clip(clip: Path, motion: Motion, asked: Sequence[int] | None, plot: Path | None, as_json: bool) -> None:
    from kinegraph.paths.editing.fit import residual_table
    from kinegraph.paths.editing.stride import stride
    from kinegraph.paths.polynomial import highest_degree

    notices = list(motion.notices)
    most = highest_degree(len(motion))
    degrees = [degree for degree in _DEGREES if degree <= most] if asked is None else list(asked)
    if asked is None and len(degrees) < len(_DEGREES):
        notices.append(f"{len(motion)} frames bear polynomials up to degree {most}: higher ones are left out")
    table = residual_table(motion, degrees)
    seconds = stride(motion)
    if plot is not None:
        from kinegraph.plots.course import course_picture

        course_picture(motion, degrees, plot, title=f"{clip.name}: {table[-1].length:.1f} m in {motion.seconds:.1f} s")
    if as_json:
        facts = {"source": str(clip), "frames": len(motion), "fps": motion.fps, "seconds": round(motion.seconds, 6)}
        rows = {"stride_s": None if seconds is None else round(seconds, 4), "paths": [_row(row) for row in table]}
        console.report({**facts, **rows, "plot": None if plot is None else str(plot), "notices": notices})
        return
    headings = ("path", "length m", "RMS cm", "max cm", "RMS °", "max °", "between frames cm")
    cells = [
        (
            "spline by stride" if row.degree is None else f"degree {row.degree}",
            f"{row.length:.2f}",
            *(f"{value:.2f}" for value in (row.rms_cm, row.max_cm)),
            *(f"{value:.1f}" for value in (row.rms_degrees, row.max_degrees)),
            f"{row.between_cm:.4f}",
        )
        for row in table
    ]
    rhythm = "no stride found: that of a walk is taken" if seconds is None else f"a stride lasts {seconds:.2f} s"
    console.out.print(f"{motion.seconds:.2f} s, {len(motion)} frames; {rhythm}")
    console.table(headings, cells, words=("path",))
    for sentence in notices:
        console.notice(sentence, str(clip))
    if plot is not None:
        console.done(f"{plot}: the root and its path from above, and what is left over, by degree")


def _row(row: Fit) -> dict[str, Any]:
    """A row of the table as JSON holds it."""
    facts = asdict(row)
    rounded = {key: round(value, 4) for key, value in facts.items() if isinstance(value, float)}
    length = rounded.pop("length")
    return {"degree": row.degree, "length_m": length, **rounded}


def _degrees(text: str) -> list[int]:
    try:
        return sorted({int(word) for word in text.split(",")})
    except ValueError:
        raise MotionError(f"--degree: expected whole numbers such as 2,4,13,45, got {text!r}") from None


# -- curves ----------------------------------------------------------------------------------------------------------


def _show_curve(source: str, degrees: str | None, plot: Path | None, as_json: bool) -> None:
    if degrees is not None:
        raise MotionError(f"--degree is for clips ({', '.join(suffixes())}): {source} is taken for a path")
    from kinegraph.paths.describing import describe_curve
    from kinegraph.paths.reading import SUFFIXES, read_curve

    suffix = Path(source).suffix.lower()
    if suffix[1:].isalpha() and suffix not in SUFFIXES:
        raise FormatError(f"neither a clip ({', '.join(suffixes())}) nor a path ({', '.join(SUFFIXES)})", source)
    curve = read_curve(source)
    facts = describe_curve(curve)
    if plot is not None:
        from kinegraph.plots.course import path_picture

        path_picture(curve, plot, title=f"{source}, {curve.length:.1f} m")
    if as_json:
        console.report({"source": source, **facts, "plot": None if plot is None else str(plot)})
        return
    tightest, altitude = facts["tightest"], facts["altitude_m"]
    bend = "straight all the way"
    if tightest is not None:
        where = f"{tightest['along_m']:.2f} m along, at {told.point(tightest['at'])}"
        bend = f"radius {tightest['radius_m']:.2f} m to the {tightest['side']}, {where}"
    flat = altitude["min"] == altitude["max"]
    rows = [
        ("length", f"{curve.length:.2f} m{', closed' if facts['closed'] else ''}"),
        ("begins", f"at {told.point(facts['start']['at'])}, heading {round(facts['start']['heading_degrees'])}°"),
        ("ends", f"at {told.point(facts['end']['at'])}, heading {round(facts['end']['heading_degrees'])}°"),
        ("tightest", bend),
        ("altitude", "flat" if flat else f"{altitude['min']:.2f} to {altitude['max']:.2f} m"),
    ]
    console.rows(source, rows)
    if plot is not None:
        console.done(f"{plot}: the path from above, and its bends")


# -- a clip's own path -----------------------------------------------------------------------------------------------


def _check_output(output: Path, controls: int | None) -> None:
    """Refuse, before a clip is read, a file that cannot be written."""
    suffix = output.suffix.lower()
    if suffix not in (".json", ".csv"):
        raise FormatError(f"a path is written to .json or .csv, not to {output.suffix!r}", output)
    if controls is not None and suffix == ".csv":
        raise FormatError("control points are written to .json: a .csv holds points of the curve itself", output)
    writing.check_place(output, suffix, "a path")
