"""How fast and how well a motion graph is made, and how close to what the machine can multiply.

    python benchmarks/graph.py --clips FOLDER [--only throughput subject growth] [--plot growth.png]

FOLDER holds CMU clips (``acclaim/16/…``). Every figure of speed stands beside one of the same run, since machines are
noisy: the rate of NumPy's own single-precision matrix product, and the direct formula in NumPy (`kinegraph.experiments.direct`).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.experiments.direct import direct
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.similarity.clouds import Cloud, cloud, cloud_matrix, mass_weights
from kinegraph.similarity.compare import compare_all, window_pairs
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.windows import taper

ROUNDS = 5
FLOPS_A_PAIR = 310  # the three products of 31 joints: 2 · (62 + 62 + 31)
JUMPS = {f"16_{n:02}" for n in (1, 2, 3, 4, 5, 6, 7, 9, 10)}


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The shortest time of several, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def sgemm() -> float:
    """Floating-point operations a second of NumPy's float32 product on all cores."""
    size = 2048
    a = np.random.default_rng(0).normal(size=(size, size)).astype(np.float32)
    out = np.empty_like(a)
    return 2 * size**3 / best(lambda: np.matmul(a, a, out=out), 9)


def one_take(folder: Path) -> Motion:
    """All clips and their mirrored copies on one skeleton at 30 Hz, each beginning where the last ended: minutes, no frame twice."""
    skeleton = kg.load(folder / "acclaim" / "16" / "16_15.amc").skeleton
    motions = []
    for path in everything(folder):
        motion = kg.load(path).resample(30)
        for copy in (kg.retarget(motion, skeleton), kg.retarget(kg.mirror(motion), skeleton)):
            here = motions[-1].root[-1] if motions else copy.root[0]
            shift = here - copy.root[0]
            motions.append(copy.place(kg.FloorTransform(0.0, float(shift[0]), float(shift[2]))))
    return kg.concatenate(motions)


def everything(folder: Path) -> list[Path]:
    return sorted((folder / "acclaim").glob("*/*.amc"))


def separate(motion: Motion) -> Cloud:
    """All joints alike and apart, although some of them always coincide: 31 points of CMU's skeleton."""
    return cloud(motion, np.eye(len(motion.skeleton)) / np.sqrt(len(motion.skeleton)))


def throughput(folder: Path) -> None:
    take = one_take(folder)
    skeleton = take.skeleton
    window = 10
    print(f"throughput: {len(skeleton)} joints, window {window} frames at 30 Hz, minima included, nothing skipped")
    a, b = (kg.load(folder / "acclaim" / "16" / f"{name}.amc").resample(30).positions for name in ("16_15", "16_47"))
    slow = (
        (len(a) - window + 1)
        * (len(b) - window + 1)
        / best(lambda: direct(a, b, taper(window), np.ones(a.shape[1])), 3)
    )
    kinds: dict[str, Callable[[Motion], Cloud]] = {
        "31 separate points": separate,
        "31 joints, coinciding ones as one": lambda m: cloud(m, cloud_matrix(skeleton, np.ones(len(skeleton)))),
        "weights of body mass (default)": lambda m: cloud(m, cloud_matrix(skeleton, mass_weights(skeleton))),
    }
    print(f"  the direct formula in NumPy: {slow:,.0f} pairs/s")
    for name, make in kinds.items():
        points = make(take)
        points = Cloud(points.points, points.base, np.ones(len(points), bool))
        pairs = window_pairs(len(points), len(points), window, same=True)
        rates, allowed = [], []
        for _ in range(ROUNDS):
            allowed.append(sgemm() / FLOPS_A_PAIR)
            start = time.perf_counter()
            for _ in compare_all([points], {(0, 0): window}, limit=0.2, skip=False):
                pass
            rates.append(pairs / (time.perf_counter() - start))
        share = max(rates) / max(allowed)
        print(
            f"  {name:34} {points.points.shape[2]:3} points  {pairs:,} pairs  {max(rates):.3g} pairs/s  "
            f"{share:.0%} of the {max(allowed):.3g} that sgemm allows, {max(rates) / slow:,.0f} × the direct formula"
        )
    close(folder)


def close(folder: Path) -> None:
    """How far single and double precision lie apart from the direct formula."""
    a, b = (kg.load(folder / "acclaim" / "16" / f"{name}.amc").resample(30) for name in ("16_15", "16_35"))
    matrix = cloud_matrix(a.skeleton, np.ones(len(a.skeleton)))
    exact = direct(a.positions, b.positions, taper(10), np.ones(len(a.skeleton)))
    ours = distance_matrix(cloud(a, matrix), cloud(b, matrix), 10)
    print(f"  against the direct formula: {100 * np.sqrt(np.mean((ours - exact) ** 2)):.2e} cm RMS in double precision")
    single = single_precision(cloud(a, matrix), cloud(b, matrix), 10)
    print(f"  {'':27}{100 * np.sqrt(np.mean((single - exact) ** 2)):.2e} cm RMS in the tiles' single precision")


def single_precision(a: Cloud, b: Cloud, window: int) -> Array:
    """What the tile kernel computes before double precision has its say ``(n_a, n_b)``, in metres; for clips that fit one chunk."""
    from kinegraph.similarity.deck import deal
    from kinegraph.similarity.tiles import distances, make_scratch

    # short clips share a chunk; its tile with itself holds the pair
    deck = deal([a, b], [0, 1], window)
    table = deck.cards.table
    task = np.zeros((1, 2), np.int64)
    scratch = make_scratch(task, table, window)
    distances(deck.cards, table[0], table[0], taper(window).astype(np.float32), scratch)
    rows = scratch.out[: (table[0][0] + 2) * scratch.out_stride].reshape(-1, scratch.out_stride)[1:-1, 1:]
    n_a, n_b = len(a) - window + 1, len(b) - window + 1
    start = len(a)
    return np.sqrt(np.maximum(rows[:n_a, start : start + n_b], 0)).astype(np.float64)


def row(cells: Sequence[Any], widths: Sequence[int]) -> str:
    return "  ".join(str(cell).rjust(width) for cell, width in zip(cells, widths, strict=True))


def described(graph: MotionGraph) -> str:
    kind, cost = graph.edges.kind, 100 * graph.edges.cost
    moving = kind != EdgeKind.ORIGINAL
    bridges = np.count_nonzero(kind == EdgeKind.BRIDGE)
    report = graph.record.report
    return (
        f"{len(graph.clips)} clips, {report.frames:,} frames, {report.pairs:.3g} pairs: {np.count_nonzero(moving):,} transitions, "
        f"median {np.median(cost[moving]):.2f} cm, {bridges} bridges ({bridges / np.count_nonzero(moving):.1%}), "
        f"{report.kept / report.attainable:.1%} of the attainable frames, {len(set(graph.node_clip.tolist()))} clips in it"
    )


def subject_16(folder: Path) -> None:
    paths = sorted((folder / "acclaim" / "16").glob("*.amc"))
    calm = [path for path in paths if path.stem not in JUMPS]
    for name, given in (
        ("subject 16, walks, runs, stops", calm),
        ("subject 16, all 58", paths),
        ("all of acclaim/", everything(folder)),
    ):
        spent: dict[str, list[float]] = {}

        def told(what: str, done: int, total: int, spent: dict[str, list[float]] = spent) -> None:
            spent.setdefault(what, []).append(time.perf_counter())

        build(given, Parameters(mirror=True), watch=told)
        spent.clear()
        start = time.perf_counter()
        graph = build(given, Parameters(mirror=True), watch=told)
        took = time.perf_counter() - start
        print(f"{name}, 30 Hz with mirror: {took:.2f} s from files to graph")
        print(f"  {described(graph)}")
        for group in graph.record.report.groups:
            print(f"  {len(group.clips):4} clips below {100 * group.threshold:5.2f} cm: {', '.join(group.clips[:4])} …")


def grow(folder: Path, copies: int, many: int, queue: Any) -> None:
    """A build of so many clips in a process of its own, so that its peak of memory is its own."""
    paths = everything(folder)[:many]
    motions = []
    for path in paths:
        motion = kg.load(path)
        # frames between those at 30 Hz make other clips of the same kind
        motions += [motion[n::4].renamed(f"{path.stem}_{n}") for n in range(copies)]
    build([motion.resample(30) for motion in motions[:2]], Parameters())
    start = time.perf_counter()
    marks: dict[str, list[float]] = {}
    graph = build(
        motions,
        Parameters(mirror=True),
        watch=lambda what, *_: marks.setdefault(what, []).append(time.perf_counter()),
    )
    took = time.perf_counter() - start
    compared = marks["compare"][-1] - marks["prepare"][-1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform != "darwin" else 1 << 30)
    queue.put((graph.record.report.frames, graph.record.report.pairs, took, compared, peak))


def growth(folder: Path, plot: Path | None) -> None:
    print("growth: clips of acclaim/ at 30 Hz with mirror, and the frames between them as further clips")
    widths = (9, 10, 9, 10, 8)
    print("  " + row(("frames", "pairs", "seconds", "comparing", "peak GB"), widths))
    points = []
    context = multiprocessing.get_context("spawn")
    for many, copies in ((30, 1), (60, 1), (119, 1), (119, 2), (119, 4)):
        queue = context.Queue()
        process = context.Process(target=grow, args=(folder, copies, many, queue))
        process.start()
        point = queue.get()
        process.join()
        points.append(point)
        frames, pairs, took, compared, peak = point
        print("  " + row((f"{frames:,}", f"{pairs:.2e}", f"{took:.2f}", f"{compared:.2f}", f"{peak:.2f}"), widths))
    if plot:
        draw(points, plot)


def draw(points: list[tuple[float, ...]], path: Path) -> None:
    from matplotlib.figure import Figure

    frames, _, took, compared, peak = np.array(points).T
    figure = Figure(figsize=(8, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.loglog(frames, took, "o-", label="from motions to graph")
    left.loglog(frames, compared, "s-", label="comparing")
    left.loglog(frames, compared[-1] * (frames / frames[-1]) ** 2, ":", color="grey", label="frames²")
    left.set(xlabel="frames", ylabel="seconds", title="time")
    left.legend()
    right.semilogx(frames, peak, "o-")
    right.set(xlabel="frames", ylabel="GB", title="peak memory", ylim=(0, None))
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
    print(f"  drawn in {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    parser.add_argument("--only", nargs="+", default=["throughput", "subject", "growth"])
    parser.add_argument("--plot", type=Path, help="picture of the growth")
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores; sgemm {sgemm() / 1e9:.0f} GFLOP/s")
    parts = {
        "throughput": lambda: throughput(given.clips),
        "subject": lambda: subject_16(given.clips),
        "growth": lambda: growth(given.clips, given.plot),
    }
    for name in given.only:
        parts[name]()


if __name__ == "__main__":
    main()
