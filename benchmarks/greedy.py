"""The random walks of the Manchester dissertation of 2019 (4.7.1, 5.1.2), its second experiment: twenty greedy walks, theirs and ours.

    python benchmarks/greedy.py --clips FOLDER

FOLDER holds CMU clips: the labelled ones in ``labeled/`` and the skeleton ``acclaim/16/16.asf``, on which all of them are played.

*Again* is its algorithm on its graph, with its metric (``manchester.py``): a vertex is a clip, and an edge each local minimum of two
clips' distances, one a direction. A walk begins with any clip, takes by chance one of the best so many of the valid edges, and ends
where there is none. Its text leaves two things open. The share is 5 % in section 4.7.1 and 20 % in section 3.4.2. And valid are edges
that leave a clip at or after the frame at which the walk came; taken by the letter, such a walk goes to and fro at one minimum without
end, which its figures rule out. They fit walks that come to no clip twice (six clips, five transitions at most) and begin to blend only
after they came. All four are shown. Twenty walks are few: many times twenty tell how far their averages stray.

*Ours* is `wander` with the same pool, on the graph that `build` makes of the same clips, for so many seconds: it has no dead ends.
Costs in its metric and in ours are not to be compared, so its transitions are measured by ours too: root mean square in centimetres
after alignment, in a window of a third of a second about the middle of its own.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from manchester import CLIPS, COPIES, REACH, bone_points, local_minima, pose_distances, window_sums

import kinegraph as kg
from kinegraph.arrays import Array, Ints
from kinegraph.formats import asf
from kinegraph.graph.model import EdgeKind
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.walks.wandering import POOL

WALKS = 20
SERIES = 200  # times twenty walks
MOST = 50  # transitions of a walk at most: its own limit is not told
SECONDS = 60.0
# Section 5.1.2: of twenty walks, and of the one that it shows: from clip to clip, frames at 120 a second, cost.
THEIR_TRANSITIONS, THEIR_RANGE, THEIR_COST = 3, (1, 5), 214.64
THEIR_WALK = (
    ("run_stop_16_08", "walk_16_15", 129, 193, 145.04),
    ("walk_16_15", "jump_one_leg_49_03", 418, 113, 366.075),
    ("jump_one_leg_49_03", "jump_up_down_49_03", 429, 379, 82.13),
)
RATE, WINDOW = 30.0, 10  # of our metric


@dataclass(frozen=True)
class Graph:
    """Its graph: ``(E,)`` each."""

    source: Ints
    target: Ints
    leaves: Ints
    """Frames at which edges leave, at the middle of the window, and at which they arrive."""
    arrives: Ints
    cost: Array
    ours: Array
    """The same by our metric, in centimetres."""


def their_graph(folder: Path, centimetres: dict[tuple[int, int], Array]) -> Graph:
    """Every local minimum of two clips, in both directions."""
    asf_file = folder / "acclaim" / "16" / "16.asf"
    skeleton = asf.read(asf_file)
    clouds = [bone_points(folder / "labeled" / f"{name}.amc", skeleton, asf_file) for name in CLIPS]
    rows = []
    for a, b in combinations(range(len(clouds)), 2):
        costs = COPIES * window_sums(pose_distances(clouds[a], clouds[b]), 2 * REACH + 1)
        for i, j in np.argwhere(local_minima(costs, 0.0)).tolist():
            there = in_centimetres(centimetres[a, b], i + REACH, j + REACH)
            rows.append((a, b, i + REACH, j + REACH, costs[i, j], there))
            rows.append((b, a, j + REACH, i + REACH, costs[i, j], there))
    source, target, leaves, arrives, cost, ours = (np.array(column) for column in zip(*rows, strict=True))
    return Graph(source, target, leaves, arrives, cost, ours)


def our_distances(motions: Sequence[kg.Motion]) -> dict[tuple[int, int], Array]:
    """Distances of all windows of every two clips, in centimetres."""
    matrix = cloud_matrix(motions[0].skeleton, mass_weights(motions[0].skeleton))
    clouds = [cloud(motion.resample(RATE), matrix) for motion in motions]
    return {(a, b): 100 * distance_matrix(clouds[a], clouds[b], WINDOW) for a, b in combinations(range(len(clouds)), 2)}


def in_centimetres(distances: Array, i: int, j: int) -> float:
    """What our metric says of two frames at 120 a second."""
    row, column = (round(frame * RATE / 120 - WINDOW / 2) for frame in (i, j))
    return float(distances[min(row, distances.shape[0] - 1), min(column, distances.shape[1] - 1)])


def greedy(graph: Graph, pool: float, once: bool, rng: np.random.Generator) -> list[int]:
    """The edges of one of its walks. once: no clip twice, and no blend that begins before the walk came."""
    valid = np.flatnonzero(graph.source == rng.integers(len(CLIPS)))
    walk: list[int] = []
    seen: list[int] = []
    while len(valid) and len(walk) < MOST:
        best = valid[np.argsort(graph.cost[valid], kind="stable")][: max(1, round(pool * len(valid)))]
        edge = int(best[rng.integers(len(best))])
        walk.append(edge)
        seen.append(int(graph.source[edge]))
        later = graph.leaves - (REACH if once else 0) >= graph.arrives[edge]
        able = (graph.source == graph.target[edge]) & later
        valid = np.flatnonzero(able & ~np.isin(graph.target, seen) if once else able)
    return walk


def again(graph: Graph, pool: float, once: bool) -> None:
    """Twenty of its walks, and how far the averages of twenty stray."""
    rng = np.random.default_rng(0)
    lengths, costs, centimetres, clips, ended = [], [], [], [], []
    for _ in range(SERIES):
        walks = [greedy(graph, pool, once, rng) for _ in range(WALKS)]
        taken = np.concatenate([np.array(walk) for walk in walks])
        lengths.append([len(walk) for walk in walks])
        costs.append(float(np.mean(graph.cost[taken])))
        centimetres.append(float(np.mean(graph.ours[taken])))
        clips.append(
            float(np.mean([len({*graph.source[walk].tolist(), *graph.target[walk].tolist()}) for walk in walks]))
        )
        ended.append(sum(len(walk) < MOST for walk in walks))
    first = lengths[0]
    row(
        f"again, {pool:.0%}{', no clip twice' if once else ', by the letter'}",
        f"{np.mean(first):.1f} ({min(first)}–{max(first)})",
        f"{costs[0]:.2f}",
        f"{centimetres[0]:.2f}",
        f"{clips[0]:.1f}",
        f"{ended[0]} of {WALKS}",
    )
    means = [float(np.mean(one)) for one in lengths]
    strays = (np.percentile(values, (2.5, 97.5)) for values in (means, costs, centimetres, clips))
    row(f"  95 % of {SERIES} × {WALKS}", *(f"{least:.1f}–{most:.1f}" for least, most in strays), "")


def ours(graph: kg.graph.MotionGraph, pool: float | None) -> float:
    """Twenty walks of ours; gives milliseconds that a second of them took."""
    begun = time.process_time()
    walks = [kg.walks.wander(graph, SECONDS, seed=seed, pool=pool) for seed in range(WALKS)]
    spent = time.process_time() - begun
    edges = graph.edges
    taken = np.concatenate([walk.edges[edges.kind[walk.edges] != EdgeKind.ORIGINAL] for walk in walks])
    away = taken[graph.node_clip[edges.source[taken]] != graph.node_clip[edges.target[taken]]]
    counts = [walk.transitions for walk in walks]
    clips = [len(set(graph.node_clip[edges.source[walk.edges]].tolist())) for walk in walks]
    row(
        f"ours, {'any' if pool is None else f'{pool:.0%}'}",
        f"{np.mean(counts):.1f} ({min(counts)}–{max(counts)})",
        "",
        f"{100 * np.mean(edges.cost[taken]):.2f}",
        f"{np.mean(clips):.1f}",
        f"0 of {WALKS}",
    )
    print(
        f"    {1 - len(away) / len(taken):.0%} of them stay within a clip, where nothing else leads on; "
        f"those to other clips cost {100 * np.mean(edges.cost[away]):.2f} cm"
    )
    return 1e3 * spent / (WALKS * SECONDS)


def row(what: str, *values: str) -> None:
    print(f"  {what:<28}" + "".join(f"{value:>18}" for value in values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    folder = parser.parse_args().clips
    asf_file = folder / "acclaim" / "16" / "16.asf"
    motions = [kg.load(folder / "labeled" / f"{name}.amc", skeleton=asf_file, trim_tpose=False) for name in CLIPS]
    graph = their_graph(folder, our_distances(motions))
    print(f"Manchester 2019, 5.1.2: {WALKS} greedy walks through six clips, {len(graph.cost)} edges")
    row("", "transitions", "cost, its metric", "cost, ours, cm", "clips of six", "dead ends")
    low, high = THEIR_RANGE
    row("theirs, published", f"{THEIR_TRANSITIONS} ({low}–{high})", f"{THEIR_COST}", "", "", "")
    for once in (False, True):
        for pool in (POOL, 0.2):
            again(graph, pool, once)
    built = kg.build(motions)
    print(f"Ours: walks of {SECONDS:g} s")
    spent = [ours(built, pool) for pool in (POOL, None)]
    print(f"  found in {max(spent):.2f} ms for a second of motion")
    print("The walk that it shows, and the edges nearest to its transitions")
    for a, b, leaves, arrives, cost in THEIR_WALK:
        between = np.flatnonzero((graph.source == CLIPS.index(a)) & (graph.target == CLIPS.index(b)))
        away = np.hypot(graph.leaves[between] - leaves, graph.arrives[between] - arrives)
        nearest = int(between[np.argmin(away)])
        print(
            f"  {a} → {b} at {leaves}-{arrives}, {cost:.2f}: {graph.leaves[nearest]}-{graph.arrives[nearest]}, "
            f"{graph.cost[nearest]:.2f}; by ours {graph.ours[nearest]:.1f} cm"
        )


if __name__ == "__main__":
    main()
