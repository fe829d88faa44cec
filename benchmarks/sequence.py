"""The chronological walk of the Manchester dissertation of 2019 (4.7.2, 5.1.3), from run to walk, sneak, duck and jumps: theirs and ours.

    python benchmarks/sequence.py --clips FOLDER

FOLDER holds CMU clips: the labelled ones in ``labeled/`` and the skeleton ``acclaim/16/16.asf``, on which all of them are played.

Costs in its metric and in ours are not to be compared, so two things are. The *rank*: of the valid transitions between the same two
clips, those that leave the first at or after the frame at which the walk came to it, how many cost less than the one taken. Its text
tells the frames and the cost of its five transitions; all the others, to rank them among, are those of its own metric
(``manchester.py``), which gives its figures again. And the *cost* in our metric, root mean square in centimetres after alignment: its
five transitions measured so, in a window of a third of a second about the middle of its own.

Ours is found on three graphs: every minimum is a transition, but only such as lead within a clip or to the next one asked for, as in its
experiment; every minimum and any way round, through other clips where that is cheaper; and the graph as `build` makes it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from manchester import COPIES, REACH, bone_points, local_minima, pose_distances, window_sums

import kinegraph as kg
from kinegraph.errors import GraphError
from kinegraph.formats import asf
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import EdgeKind, Edges, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.walks.ordering import sequence, stays

STEPS = (
    "run_stop_16_08",
    "walk_16_15",
    "sneak_17_03",
    "duck_slow_127_31",
    "jump_up_down_49_03",
    "jump_one_leg_49_03",
)
# Section 5.1.3: frame left, frame reached (120 a second, at the middle of the window), cost; and what it says of the whole.
THEIRS = ((125, 226, 20.22), (425, 91, 516.24), (241, 72, 389.47), (449, 89, 692.66), (379, 429, 82.13))
THEIR_FRAMES = (125, 199, 150, 377, 110, 21)
STAYS = (1.0, 0.8, 0.5, 0.25)
EVERY = 1.0  # metres: a threshold that lets every minimum be a transition


@dataclass(frozen=True)
class Taken:
    """A transition of a walk: its cost, how many valid ones between the same clips are cheaper, and how many there are in all."""

    what: str
    cost: float
    cheaper: int
    valid: int

    @property
    def share(self) -> float:
        """The part of the valid transitions that is cheaper."""
        return self.cheaper / self.valid


def theirs(folder: Path) -> list[Taken]:
    """Its five transitions, ranked by its own metric."""
    asf_file = folder / "acclaim" / "16" / "16.asf"
    skeleton = asf.read(asf_file)
    clouds = [bone_points(folder / "labeled" / f"{name}.amc", skeleton, asf_file) for name in STEPS]
    found, arrived = [], 0
    for (a, b), names, (leaves, reaches, cost) in zip(pairwise(clouds), pairwise(STEPS), THEIRS, strict=True):
        costs = COPIES * window_sums(pose_distances(a, b), 2 * REACH + 1)
        least = np.argwhere(local_minima(costs, 0.0))
        own = costs[tuple(least.T)]
        nearest = int(np.argmin(np.abs(own - cost)))
        place = (least[nearest] + REACH).tolist()
        valid = least[:, 0] + REACH >= arrived
        cheaper = int(np.count_nonzero(valid & (own < own[nearest])))
        what = f"{short(names[0])} → {short(names[1])} at {leaves}-{reaches} (found again: {place[0]}-{place[1]}, {own[nearest]:.2f})"
        found.append(Taken(what, cost, cheaper, int(np.count_nonzero(valid))))
        arrived = reaches
    return found


def theirs_in_centimetres(motions: Sequence[kg.Motion], window: int) -> list[float]:
    """Its five transitions by our metric at 30 Hz."""
    matrix = cloud_matrix(motions[0].skeleton, mass_weights(motions[0].skeleton))
    clouds = [cloud(motion.resample(30.0), matrix) for motion in motions]
    found = []
    for (a, b), (leaves, reaches, _) in zip(pairwise(clouds), THEIRS, strict=True):
        costs = distance_matrix(a, b, window)
        i, j = (round(frame / 4 - window / 2) for frame in (leaves, reaches))
        found.append(100 * float(costs[min(i, costs.shape[0] - 1), min(j, costs.shape[1] - 1)]))
    return found


def ours(walk: Walk) -> list[Taken]:
    """The transitions of a walk from clip to clip, ranked by the minima that the graph was chosen from."""
    graph, edges = walk.graph, walk.graph.edges
    found, arrived = [], 0
    for edge in walk.edges.tolist():
        if edges.kind[edge] == EdgeKind.ORIGINAL:
            continue
        source, target = int(edges.source[edge]), int(edges.target[edge])
        names = [graph.clips[graph.node_clip[node]].name for node in (source, target)]
        if names[0] != names[1]:
            minima = graph.record.candidates[min(names), max(names)]
            places = minima.first if names[0] < names[1] else minima.second
            # a bridge is longer than its window, by as much at either side: it may leave before the window begins
            grown = (int(edges.length[edge]) - minima.window) // 2
            valid = places >= min(arrived, int(graph.node_frame[source]) + grown)
            cheaper = int(np.count_nonzero(valid & (minima.cost < edges.cost[edge] - 1e-6)))
            kind = "bridge" if edges.kind[edge] == EdgeKind.BRIDGE else "transition"
            what = f"{short(names[0])} → {short(names[1])}, {kind} at {graph.node_frame[source]}-{graph.node_frame[target]}"
            found.append(Taken(what, 100 * float(edges.cost[edge]), cheaper, int(np.count_nonzero(valid))))
        arrived = int(graph.node_frame[target])
    return found


def short(name: str) -> str:
    """What the clip shows, without its number in the database."""
    return "_".join(part for part in name.split("_") if not part.isdigit())


def straight(graph: MotionGraph) -> MotionGraph:
    """The graph with such transitions only as stay in a clip or lead to the next step's."""
    step = np.array([STEPS.index(clip.name) for clip in graph.clips])[graph.node_clip]
    edges = graph.edges
    kept = np.isin(step[edges.target] - step[edges.source], (0, 1))
    return replace(graph, edges=Edges(**{name: values[kept] for name, values in vars(edges).items()}), labels={})


def found_walk(graph: MotionGraph) -> tuple[Walk, float]:
    """The walk with the longest stay that the graph allows."""
    for stay in STAYS:
        try:
            sequence(graph, STEPS, stay=stay)
            begun = time.perf_counter()
            walk = sequence(graph, STEPS, stay=stay)
        except GraphError as error:
            print(f"  stay {stay:g} s: {error}")
            continue
        print(f"  stay {stay:g} s: found in {1e3 * (time.perf_counter() - begun):.1f} ms (theirs: trial and error)")
        return walk, stay
    raise SystemExit("no walk at all")


def show(taken: Sequence[Taken], unit: str = "") -> None:
    for one in taken:
        print(f"  {one.what:<88}{one.cost:8.2f}{unit:<4}{one.cheaper:3} of {one.valid:3} cheaper ({one.share:4.0%})")
    costs, shares = [one.cost for one in taken], [one.share for one in taken]
    print(
        f"  average {np.mean(costs):.2f}{unit}, worst {max(costs):.2f}{unit}; "
        f"cheaper ones: average {np.mean(shares):.1%}, worst {max(shares):.1%}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    folder = parser.parse_args().clips
    motions = [
        kg.load(folder / "labeled" / f"{name}.amc", skeleton=folder / "acclaim" / "16" / "16.asf") for name in STEPS
    ]
    print(
        f"Manchester 2019, 5.1.3: {sum(THEIR_FRAMES)} frames ({sum(THEIR_FRAMES) / 120:.1f} s), stays of {THEIR_FRAMES}"
    )
    theirs_taken = theirs(folder)
    show(theirs_taken)
    centimetres = theirs_in_centimetres(motions, 10)
    each = ", ".join(f"{cost:.1f}" for cost in centimetres)
    print(f"  by our metric: {each} cm; average {np.mean(centimetres):.2f} cm, worst {max(centimetres):.2f} cm")
    every = build(motions, Parameters(threshold=EVERY))
    for name, graph in (
        ("every minimum within a clip or to the next step's, as theirs", straight(every)),
        ("every minimum", every),
        ("threshold found automatically, bridges", build(motions, Parameters())),
    ):
        in_it = len(set(graph.node_clip.tolist()))
        moving = np.count_nonzero(graph.edges.kind)
        print(
            f"\nOurs, 30 Hz, {name}: {in_it} of 6 clips, {len(graph)} nodes, {moving} transitions, "
            f"{np.count_nonzero(graph.edges.kind == EdgeKind.BRIDGE)} of them bridges"
        )
        walk, stay = found_walk(graph)
        taken = ours(walk)
        show(taken, " cm")
        held = ", ".join(f"{first}-{last}" for first, last in stays(walk, STEPS, stay=stay))
        within = walk.transitions - len(taken)
        print(f"  {walk.frames} frames ({walk.seconds:.1f} s), {within} more transitions within clips; stays at {held}")
        worst = [max(one.share for one in group) for group in (taken, theirs_taken)]
        mean = [float(np.mean([one.share for one in group])) for group in (taken, theirs_taken)]
        print(f"  in rank: {'not worse' if worst[0] <= worst[1] and mean[0] <= mean[1] else 'WORSE'} than theirs")


if __name__ == "__main__":
    main()
