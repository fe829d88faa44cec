"""`kinegraph distance`: how alike two clips are at every pair of moments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.cli import console, writing
from kinegraph.cli.asking import centimetres
from kinegraph.cli.reading import AsJson, reads
from kinegraph.cli.reading import read as read_motion
from kinegraph.errors import FormatError, GraphError
from kinegraph.formats.atomic import replacing
from kinegraph.formats.options import ReadOptions
from kinegraph.motion import Motion

if TYPE_CHECKING:
    from kinegraph.similarity.maps import DistanceMap
    from kinegraph.similarity.minima import Minima

# minima in the table
_MOST = 10


@reads
def distance(
    a: Annotated[Path, typer.Argument(metavar="A", help="Motion file (.bvh, .amc, .glb, .npz …).")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another, or the same.")],
    reading: ReadOptions,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="OUT", help="Picture (.png, .svg, .pdf) or arrays (.npz) to write."),
    ],
    window: Annotated[
        float | None,
        typer.Option(
            "--window", help="Seconds that are compared; 0.333 by default, and less where a clip is short or runs."
        ),
    ] = None,
    fps: Annotated[float, typer.Option("--fps", help="Frames per second at which the clips are compared.")] = 30.0,
    threshold: Annotated[
        str | None,
        typer.Option("--threshold", metavar="CM", help="Mark minima up to this many cm apart from the others."),
    ] = None,
    along: Annotated[int, typer.Option("--along", min=0, max=100, help="Points on each bone between its joints.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Draw the distances of all windows of A and B as a map with its local minima: where one could go over into the other.

    Distances are in centimetres: the root mean square over matched points, once the one window is laid on the other.
    """
    from kinegraph.plots import canvas

    if output.suffix.lower() not in (*canvas.SUFFIXES, ".npz"):
        raise FormatError(f"expected a file that ends in {', '.join(canvas.SUFFIXES)} or .npz", output)
    writing.check_place(output)
    if window is not None and not 0 < window < float("inf"):
        raise GraphError(f"--window: expected seconds, such as 0.333, got {window:g}")
    limit = None if threshold is None else 100 * centimetres(threshold, "threshold")
    motions_read = [read_motion(path, reading) for path in ([a] if _same(a, b) else [a, b])]
    from kinegraph.similarity.maps import alike

    pair = alike(motions_read, fps)
    notices = list(pair.notices)
    motions = [motion.renamed(path.stem) for motion, path in zip(pair.motions, (a, b), strict=False)]
    made = write_distance(motions, output, sound=pair.sound, window=window, along=along, threshold_cm=limit)
    matrix, minima = made.centimetres, made.minima
    names = (a.stem, b.stem)
    if made.blank:
        notices.append(f"{100 * made.blank:.1f} % of the map is blank: the capture lost a joint there (see info)")
    facts = _facts(matrix, minima, fps, names)
    if as_json:
        console.report({**facts, "threshold_cm": limit, "output": str(output), "notices": notices})
        return
    _print(facts)
    for sentence in notices:
        console.notice(sentence)
    shape = " × ".join(f"{size:,}" for size in matrix.shape)
    console.done(f"{output}: {shape} windows of {minima.window} frames at {fps:g}/s, {len(minima):,} minima")


def _same(a: Path, b: Path) -> bool:
    """Whether two names are of one file: then the clip is compared with itself."""
    return a == b or (a.exists() and b.exists() and a.samefile(b))


def write_distance(
    motions: Sequence[Motion],
    path: Path,
    *,
    sound: Sequence[NDArray[np.bool_]] | None = None,
    window: float | None = None,
    along: int = 0,
    threshold_cm: float | None = None,
) -> DistanceMap:
    """Compare two motions of one skeleton and rate, or one with itself, and write the picture or the arrays.

    sound: of each, frames ``(F,)`` in which no joint was lost.
    """
    from kinegraph.similarity.maps import distance_map, window_of

    made = distance_map(motions, window_of(motions, window), sound=sound, along=along)
    matrix, minima = made.centimetres, made.minima
    names, fps = (motions[0].name, motions[-1].name), motions[0].fps
    if path.suffix.lower() == ".npz":
        _write_arrays(path, matrix, minima, fps, names)
    else:
        from kinegraph.plots.distance import distance_picture

        distance_picture(matrix, minima, names=names, fps=fps, threshold_cm=threshold_cm, path=path)
    return made


def _facts(matrix: Array, minima: Minima, fps: float, names: tuple[str, str]) -> dict[str, Any]:
    order = np.argsort(minima.cost, kind="stable")
    found = [
        {
            "frame_a": int(minima.first[n]),
            "frame_b": int(minima.second[n]),
            "second_a": round(int(minima.first[n]) / fps, 6),
            "second_b": round(int(minima.second[n]) / fps, 6),
            "cost_cm": round(100 * float(minima.cost[n]), 4),
        }
        for n in order.tolist()
    ]
    return {
        "a": names[0],
        "b": names[1],
        "fps": fps,
        "window": minima.window,
        "frames": [size + minima.window - 1 for size in matrix.shape],
        "smallest_cm": found[0]["cost_cm"] if found else None,
        "minima": found,
    }


def _write_arrays(path: Path, matrix: Array, minima: Minima, fps: float, names: tuple[str, str]) -> None:
    with replacing(path) as temporary:
        np.savez_compressed(
            temporary,
            matrix_cm=matrix,
            first=minima.first,
            second=minima.second,
            cost_cm=100 * minima.cost,
            fps=fps,
            window=minima.window,
            names=np.array(names),
        )


def _print(facts: dict[str, Any]) -> None:
    if not facts["minima"]:
        console.out.print("no minima: the two are nowhere more alike than at their ends", markup=False)
        return
    console.out.print(f"A: {facts['a']}, B: {facts['b']}", markup=False)
    cells = [
        (
            str(found["frame_a"]),
            f"{found['second_a']:.2f}",
            str(found["frame_b"]),
            f"{found['second_b']:.2f}",
            f"{found['cost_cm']:.2f}",
        )
        for found in facts["minima"][:_MOST]
    ]
    console.table(("A: frame", "second", "B: frame", "second", "cm"), cells)
    if len(facts["minima"]) > _MOST:
        console.out.print(f"and {len(facts['minima']) - _MOST:,} more", markup=False)
