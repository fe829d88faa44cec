"""How building grows with hours of capture: comparing below a limit, and whole builds of larger and larger libraries.

    python benchmarks/scale.py --clips FOLDER [--only comparing rates builds] [--frames 50 100 200 400] [--faiss PYTHON]
                               [--plot growth.png]
    python benchmarks/scale.py --clips FOLDER --graph WHOLE.mog --only online add page     (`scale_online.py`)

FOLDER holds clips, in folders or not; the figures in the documents are of the public conversion of CMU's database to BVH. Clips are drawn
from it at random, always the same. Machines are shared, so time is that of processors, not of the clock, and everything runs in processes
of its own, so that the peak of memory is its own. PYTHON is an interpreter that has faiss-cpu: its flat range search over what no alignment
changes (heights, and distances from the centroid) is printed beside ours; it neither aligns nor looks for minima.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scale_online

from kinegraph.formats.intake import clip_files
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.prepare import common_skeleton, prepare
from kinegraph.similarity.candidates import gathered
from kinegraph.similarity.clouds import Cloud
from kinegraph.similarity.compare import all_window_pairs, compare_all, shortest_windows
from kinegraph.similarity.windows import taper

SEED = 13
LIMITS = (0.03, 0.05)
# clips whose minima are looked for in the plain way as well, and windows that are searched for by FAISS
PLAIN, QUERIES = 60, 1000

FAISS = """
import sys, time, numpy as np, faiss
faiss.omp_set_num_threads(1)
rows = np.load(sys.argv[1])
index = faiss.IndexFlatL2(rows.shape[1])
index.add(rows)
queries = rows[np.linspace(0, len(rows) - 1, int(sys.argv[2])).astype(int)]
for limit in map(float, sys.argv[3:]):
    start = time.process_time()
    found = index.range_search(queries, limit * limit)[0][-1]
    spent = time.process_time() - start
    pairs = len(queries) * len(rows)
    print(f"  FAISS, flat, {rows.shape[1]} numbers, {100 * limit:g} cm: {pairs / spent:.3g} pairs/CPU s, {found / pairs:.1%} found")
"""


def drawn(folder: Path, frames: float) -> list[Path]:
    """Clips at random until they have so many frames at 30 Hz, by their headers."""
    files = [one.path for one in clip_files(folder)]
    random.Random(SEED).shuffle(files)
    chosen, held = [], 0.0
    for path in files:
        if held >= frames:
            break
        chosen.append(path)
        held += _frames(path)
    return chosen


def _frames(path: Path) -> float:
    """Frames at 30 Hz of a BVH by its header; of other files 300."""
    if path.suffix.lower() != ".bvh":
        return 300.0
    count = step = 0.0
    with path.open("rb") as file:
        for line in file:
            if line.startswith(b"Frames:"):
                count = float(line.split()[1])
            elif line.startswith(b"Frame Time:"):
                step = float(line.split()[2])
                break
    return count * step * 30


def made(paths: Sequence[Path], fps: float) -> tuple[list[Cloud], list[int]]:
    """Clouds and windows of clips."""
    from kinegraph.formats.intake import clips as take_in

    takes = sorted(take_in(paths).takes, key=lambda take: take.name)
    prepared = prepare(takes, Parameters(fps=fps), common_skeleton(takes))
    return prepared.clouds, [clip.window for clip in prepared.clips]


def rate(clouds: Sequence[Cloud], windows: Sequence[int], limit: float, *, skip: bool = True) -> tuple[float, int, Any]:
    """Pairs of windows for each second of a processor, how many minima, and they."""
    table = shortest_windows(windows)
    list(compare_all(clouds[:2], table[:2, :2], limit=limit, skip=skip))  # compiled
    start = time.process_time()
    found = gathered(compare_all(clouds, table, limit=limit, skip=skip, threads=1))
    spent = time.process_time() - start
    return all_window_pairs([len(one) for one in clouds], table) / spent, len(found), found


def comparing(folder: Path, frames: float, faiss: str | None) -> None:
    """Pairs a second below limits, and whether the minima are those of the plain way."""
    clouds, windows = made(drawn(folder, frames), 30.0)
    total = sum(len(one) for one in clouds)
    print(f"comparing {len(clouds)} random clips, {total:,} frames at 30 Hz, one thread")
    for limit in LIMITS:
        fast, count, _ = rate(clouds, windows, limit)
        few, names = clouds[:PLAIN], ("a", "b", "window", "offsets", "first", "second", "cost")
        _, _, one = rate(few, windows[:PLAIN], limit)
        slow, _, two = rate(few, windows[:PLAIN], limit, skip=False)
        same = all(np.array_equal(getattr(one, name), getattr(two, name)) for name in names)
        print(
            f"  {100 * limit:g} cm: {fast:.3g} pairs/CPU s, {count:,} minima; the plain way {slow:.3g}; "
            f"minima of {len(few)} clips {'identical' if same else 'DIFFERENT'}"
        )
    if faiss:
        with tempfile.TemporaryDirectory() as place:
            np.save(
                f"{place}/rows.npy", unchanging([one for one, w in zip(clouds, windows, strict=True) if w == 10], 10)
            )
            subprocess.run(
                [faiss, "-c", FAISS, f"{place}/rows.npy", str(QUERIES), *map(str, LIMITS)],
                check=True,
                env={**os.environ, "PYTHONPATH": ""},
            )


def unchanging(clouds: Sequence[Cloud], window: int) -> np.ndarray:
    """Of every window what no alignment changes, in single precision."""
    weights = taper(window)
    rows = []
    for one in clouds:
        frames = np.lib.stride_tricks.sliding_window_view(one.points, window, axis=0)  # (n, 3, K, L)
        centre = np.einsum("nckl,k,l->nc", frames[:, ::2], one.base, weights)
        x, z = (frames[:, 2 * n] - (centre[:, n, None] * one.base)[:, :, None] for n in range(2))
        both = np.stack([frames[:, 1], np.hypot(x, z)], axis=1) * np.sqrt(weights)
        rows.append(both.reshape(len(both), -1).astype(np.float32))
    return np.concatenate(rows)


def rates(folder: Path) -> None:
    """What a pair costs at other rates, where a window has more frames."""
    print("the same clips at other rates, 3 and 5 cm, pairs/CPU s")
    paths = drawn(folder, 12_000)
    for fps in (30.0, 60.0, 120.0):
        clouds, windows = made(paths, fps)
        print(f"  {fps:3g} Hz  " + "  ".join(f"{rate(clouds, windows, limit)[0]:.3g}" for limit in LIMITS))


def one_build(folder: Path, frames: float, queue: Any) -> None:
    """A build from files to file, in a process of its own."""
    paths = drawn(folder, frames)
    with tempfile.TemporaryDirectory() as place:
        build(paths[:3], path=f"{place}/small.mog")  # compiled
        spent: dict[str, float] = {}
        last = [time.process_time()]

        def told(stage: str, *_: int) -> None:
            now = time.process_time()
            spent[stage] = spent.get(stage, 0.0) + now - last[0]
            last[0] = now

        begun, clock = time.process_time(), time.perf_counter()
        last[0] = begun
        graph = build(paths, path=f"{place}/g.mog", watch=told)
        told("save")
        size = Path(f"{place}/g.mog").stat().st_size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform != "darwin" else 1 << 30)
    report = graph.record.report
    queue.put(
        (report.frames, report.pairs, time.process_time() - begun, time.perf_counter() - clock, peak, spent,
         report.looked, report.candidates, report.kept, size)
    )  # fmt: skip


STAGES = ("read", "prepare", "compare", "choose", "save")


def builds(folder: Path, sizes: Sequence[float], plot: Path | None) -> None:
    """Whole builds of growing libraries, and the exponent of their growth."""
    print("builds at 30 Hz without mirror, from files to file; seconds of processors")
    print(
        "   frames  CPU s "
        + " ".join(f"{stage:>8}" for stage in STAGES)
        + "  clock s    GB  looked  candidates   kept    MB"
    )
    points: list[tuple[int, float, dict[str, float]]] = []
    context = multiprocessing.get_context("spawn")
    for size in sizes:
        queue = context.Queue()
        process = context.Process(target=one_build, args=(folder, 1000 * size, queue))
        process.start()
        frames, _, took, clock, peak, spent, looked, candidates, kept, bytes_ = queue.get()
        process.join()
        points.append((frames, took, spent))
        reach = f"{100 * looked:.1f} cm" if looked else "20 cm"
        print(
            f"  {frames:7,} {took:6.1f} " + " ".join(f"{spent.get(stage, 0.0):8.1f}" for stage in STAGES)
            + f"  {clock:7.1f} {peak:5.2f} {reach:>7} {candidates:11,} {kept / frames:6.1%} {bytes_ / 1e6:5.0f}",
            flush=True,
        )  # fmt: skip
    if len(points) > 1:
        print(f"  exponent of the growth: {exponent(points):.2f}")
        if plot:
            draw(points, plot)


def exponent(points: Sequence[tuple[int, float, dict[str, float]]]) -> float:
    """By which power of the frames the time of the whole grows."""
    return float(np.polyfit(np.log([point[0] for point in points]), np.log([point[1] for point in points]), 1)[0])


def draw(points: Sequence[tuple[int, float, dict[str, float]]], path: Path) -> None:
    """The growth as a picture: the whole and its stages, with what would grow as the frames and as their square."""
    from matplotlib.figure import Figure

    frames = np.array([point[0] for point in points]) / 1000
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    took = np.array([point[1] for point in points])
    axes.loglog(
        frames, took, "o-", color="black", linewidth=2, label=f"the whole: frames to the {exponent(points):.2f}"
    )
    for stage in STAGES:
        axes.loglog(frames, [point[2].get(stage, np.nan) for point in points], ".-", linewidth=1, label=stage)
    axes.loglog(frames, took[0] * frames / frames[0], ":", color="grey", label="as the frames")
    axes.loglog(frames, took[0] * (frames / frames[0]) ** 2, "--", color="grey", label="as their square")
    axes.set(xlabel="thousands of frames at 30 Hz", ylabel="seconds of processors")
    axes.set_xticks(frames, [f"{count:.0f}" for count in frames])
    axes.set_xticks([], minor=True)
    axes.set_ylim(0.5 * min(min(point[2].values()) for point in points if point[2]), None)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)
    print(f"  drawn in {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of clips")
    parser.add_argument("--only", nargs="+", default=["comparing", "rates", "builds"])
    parser.add_argument(
        "--frames", nargs="+", type=float, default=[50, 100, 200, 400], help="thousands of frames to build"
    )
    parser.add_argument("--faiss", help="an interpreter with faiss-cpu")
    parser.add_argument("--plot", type=Path, help="picture of the growth")
    parser.add_argument(
        "--graph", type=Path, help="for online and add: a large graph, such as `kinegraph build` makes of all"
    )
    given = parser.parse_args()
    if given.graph is None and {"online", "add"}.intersection(given.only):
        parser.error("online and add need --graph")
    parts: dict[str, Callable[[], None]] = {
        "comparing": lambda: comparing(given.clips, 100_000, given.faiss),
        "rates": lambda: rates(given.clips),
        "builds": lambda: builds(given.clips, given.frames, given.plot),
        "online": lambda: scale_online.online(given.graph),
        "add": lambda: scale_online.add(given.graph, given.clips),
        "page": lambda: scale_online.page(given.clips),
    }
    for name in given.only:
        parts[name]()


if __name__ == "__main__":
    main()
