"""Dirican's experiment with clip preference (2014, figures 5.9 to 5.11): a margin on jumping clips gives more jumping, less exactly.

    python benchmarks/preference.py --clips FOLDER [--paths 8] [--horizon 2 6]

FOLDER holds CMU clips (``acclaim/16/…``). A graph of subject 16's walks and of its jumps forward, and several drawn curves of 20 m, over
which all figures are averaged: one walk tells little, since a margin changes where it begins. Margins are told in centimetres, root mean
square over the horizon, and in the thesis's unit, the square of CMU's unit of length summed over frames at 120 Hz. It shows margins of 0
and 100, over a horizon of 2 s; the search of this library looks 6 s ahead unless told, so both are shown.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph
from kinegraph.paths import Path as Curve
from kinegraph.paths import read
from kinegraph.walks.following import follow
from kinegraph.walks.performing import perform

WALKS = (*range(11, 33), 47, 58)
JUMPS = (5, 6, 7, 9, 10)
THEIRS = (0, 1, 10, 50, 100)  # margins in the thesis's unit
OURS = (5, 10, 20, 50, 100)  # and in cm
# metres of CMU's unit of length, and frames of 120 Hz in one of the error's
UNIT, FRAMES = 0.0254 / 0.45, 120 / 30


@dataclass(frozen=True)
class Row:
    """What came of a margin: shares of frames out of the jumping clips and of frames in which the body jumps; deviation in cm."""

    centimetres: float
    theirs: float
    clips: float
    jumping: float
    mean: float
    largest: float
    seconds: float
    error: float


def in_centimetres(margin: float, horizon: float) -> float:
    """A margin of the thesis as a root mean square in cm over a horizon in seconds: 100 over 2 s are 3.64 cm."""
    return 100 * float(np.sqrt(margin * UNIT**2 / FRAMES / (30 * horizon)))


def in_theirs(centimetres: float, horizon: float) -> float:
    """The inverse of `in_centimetres`."""
    return (centimetres / 100) ** 2 * 30 * horizon * FRAMES / UNIT**2


def one(graph: MotionGraph, path: Curve, centimetres: float, horizon: float) -> Row:
    jumps = [f"16_{number:02}" for number in JUMPS]
    found = follow(graph, path, prefer=dict.fromkeys(jumps, centimetres), horizon=horizon)
    done = perform(found.walk)
    figures = evaluate(done.motion, path=path, finished=done)
    assert figures.clips is not None
    assert figures.labels is not None
    assert figures.deviation_cm is not None
    return Row(
        centimetres,
        in_theirs(centimetres, horizon),
        sum(share for name, share in figures.clips.items() if name.removesuffix("_mirrored") in jumps),
        figures.labels.get("jump", 0.0),
        figures.deviation_cm.mean,
        figures.deviation_cm.max,
        figures.seconds,
        found.error,
    )


def averaged(graph: MotionGraph, paths: Sequence[Curve], centimetres: float, horizon: float) -> Row:
    rows = [one(graph, path, centimetres, horizon) for path in paths]
    return Row(*np.mean([astuple(row) for row in rows], axis=0).tolist())


def show(rows: Sequence[Row]) -> None:
    print("  margin cm   in the thesis's unit   jumping clips   jumping   deviation mean      max   seconds      error")
    for row in rows:
        print(
            f"  {row.centimetres:9.2f} {row.theirs:22,.0f} {row.clips:15.1%} {row.jumping:9.1%} {row.mean:13.2f} cm {row.largest:8.1f}"
            f" {row.seconds:9.1f} {row.error:10.3f}"
        )


def judged(rows: Sequence[Row]) -> str:
    """Whether the share rises and accuracy falls from the first row to the last, and whether the share does so all the way."""
    rises = rows[-1].clips > rows[0].clips
    falls = rows[-1].mean > rows[0].mean
    steady = all(b.clips >= a.clips for a, b in pairwise(rows))
    return (
        f"the share of jumping clips rises: {'met' if rises else 'NOT met'} ({'never' if steady else 'but at times'} falling on the way); "
        f"accuracy falls: {'met' if falls else 'NOT met'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    parser.add_argument("--paths", type=int, default=8, help="how many drawn curves")
    parser.add_argument(
        "--horizon", type=float, nargs="+", default=[2.0, 6.0], help="seconds that the search looks ahead"
    )
    given = parser.parse_args()
    taken = given.clips / "acclaim" / "16"
    graph = build([kg.load(taken / f"16_{n:02}.amc") for n in (*JUMPS, *WALKS)], Parameters(mirror=True))
    paths = [read(f"drawn:20,{seed}") for seed in range(given.paths)]
    begun = time.perf_counter()
    for horizon in given.horizon:
        print(f"\n{len(paths)} drawn curves of 20 m, horizon {horizon:g} s")
        rows = [
            averaged(graph, paths, margin, horizon)
            for margin in (*(in_centimetres(units, horizon) for units in THEIRS), *OURS)
        ]
        show(rows)
        print(f"  the thesis's margins of 0 to 100: {judged(rows[: len(THEIRS)])}")
        print(f"  0 to 100 cm: {judged(rows)}")
    print(f"\n{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
