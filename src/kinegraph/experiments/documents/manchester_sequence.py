"""Manchester 2019, experiment 3: a walk through six clips in order (4.7.2, 5.1.3).

Costs in its metric and in ours are not to be compared, so two things are. The *rank*: of the valid transitions between the same two clips,
those that leave the first at or after the frame at which the walk came to it, which share costs less than the one taken. And the *cost* in
our metric: its five transitions measured so, in a window of a third of a second about the middle of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from kinegraph.errors import GraphError
from kinegraph.experiments import charts
from kinegraph.experiments.clips import Clips
from kinegraph.experiments.experiment import Outcome, Picture, experiment
from kinegraph.experiments.fourth_powers import REACH, bone_points, costs, local_minima
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import EdgeKind, Edges, MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion.clip import Motion
from kinegraph.rendering.strips import strip
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.walks.ordering import sequence
from kinegraph.walks.performing import perform
from kinegraph.watch import Watch

STEPS = (
    "run_stop_16_08",
    "walk_16_15",
    "sneak_17_03",
    "duck_slow_127_31",
    "jump_up_down_49_03",
    "jump_one_leg_49_03",
)
# frame left, frame reached (120 a second, at the middle of the window), cost
_THEIRS = ((125, 226, 20.22), (425, 91, 516.24), (241, 72, 389.47), (449, 89, 692.66), (379, 429, 82.13))
_STAYS = (1.0, 0.8, 0.5, 0.25)
_EVERY = 1.0  # metres: a threshold that lets every minimum be a transition
_WINDOW = 10


@dataclass(frozen=True)
class Crossing:
    """A transition of a walk."""

    names: tuple[str, str]
    told: str
    """Its frames and its cost."""
    cost: float
    share: float
    """The part of the valid transitions between the same clips that is cheaper."""


def _names() -> list[str]:
    return [f"{short(a)} to {short(b)}" for a, b in pairwise(STEPS)]


def short(name: str) -> str:
    """What the clip shows, without its number in the database.

    >>> short("run_stop_16_08")
    'run stop'
    """
    return " ".join(part for part in name.split("_") if not part.isdigit())


@experiment(
    "manchester-sequence",
    "Experiment 3: all clips in order",
    "Manchester",
    "sections 4.7.2 and 5.1.3, figures 5.8 and 5.9",
    {
        "frames": "982 (8.6 s)",
        **{
            what: f"{leaves}-{reaches}, {cost:.2f}"
            for what, (leaves, reaches, cost) in zip(
                (
                    "run stop to walk",
                    "walk to sneak",
                    "sneak to duck slow",
                    "duck slow to jump up down",
                    "jump up down to jump one leg",
                ),
                _THEIRS,
                strict=True,
            )
        },
    },
    place=35,
)
def in_order(clips: Clips, watch: Watch) -> Outcome:
    """Its five transitions found again and ranked, and the walk that our search finds on two graphs."""
    theirs = _theirs(clips)
    motions = [clips.labeled(name) for name in STEPS]
    centimetres = _in_centimetres(motions)
    every = build(motions, Parameters(threshold=_EVERY))
    walks = {"straight": _longest_stay(_straight(every)), "built": _longest_stay(build(motions, Parameters()))}
    own = {name: _ours(walk) for name, (walk, _) in walks.items()}
    rows: dict[str, list[str]] = {
        "frames": ["", *(f"{walk.frames} ({walk.seconds:.1f} s) at 30 Hz" for walk, _ in walks.values())],
        "each clip is kept to for at least": ["", *(f"{stay:g} s" for _, stay in walks.values())],
    }
    for number, (one, cm) in enumerate(zip(theirs, centimetres, strict=True)):
        ours = [next((o for o in taken if o.names == one.names), None) for taken in own.values()]
        rows[_names()[number]] = [
            f"{one.told}; {one.share:.0%} are cheaper; {cm:.1f} cm by ours",
            *("by way of others" if o is None else f"{o.told}; {o.share:.0%} are cheaper" for o in ours),
        ]
    ranks = [float(np.mean([one.share for one in group])) for group in (theirs, *own.values())]
    rows["share of valid transitions that are cheaper, average"] = [f"{rank:.0%}" for rank in ranks]
    rows["average cost by our metric"] = [
        f"{np.mean(centimetres):.1f} cm",
        *(f"{np.mean([o.cost for o in taken]):.1f} cm" for taken in own.values()),
    ]
    exact = all(abs(one.cost - cost) < 0.02 for one, (_, _, cost) in zip(theirs, _THEIRS, strict=True))
    straight = walks["straight"][0]
    return Outcome(
        rows,
        "exact" if exact else "alike",
        "Its transitions are found again in its metric. It draws them by trial and error, ours finds the cheapest walk there is. The "
        "second column may only stay in a clip or go to the next, as its walk does; the third is the graph that `build` makes, with "
        "its own "
        "thresholds, which may go by way of other clips. Frames of ours are at 30 Hz and at the beginning of the window, its at 120 "
        "Hz and at the "
        "middle.",
        columns=("its transitions, found again", "ours, every minimum, straight on", "ours, as build does"),
        pictures=[
            Picture("strip", "Our walk through all clips in order (as figure 5.9)", lambda file: _draw(file, straight))
        ],
    )


def _draw(file: Path, walk: Walk) -> None:
    motion = perform(walk).motion
    half = len(motion) // 2
    said = ("run, walk, sneak …", "… duck, jump, jump on one leg")
    charts.stacked(
        file,
        [
            (text, strip(part, 13, width=1200, height=190, view="side"))
            for text, part in zip(said, (motion[:half], motion[half:]), strict=True)
        ],
    )


def _theirs(clips: Clips) -> list[Crossing]:
    """Its five transitions, ranked by its own metric."""
    clouds = [bone_points(clips.file("labeled", f"{name}.amc"), clips.asf("16")) for name in STEPS]
    found, arrived = [], 0
    for (a, b), names, (_, reaches, cost) in zip(pairwise(clouds), pairwise(STEPS), _THEIRS, strict=True):
        told = costs(a, b)
        least = np.argwhere(local_minima(told))
        own = told[tuple(least.T)]
        nearest = int(np.argmin(np.abs(own - cost)))
        place = (least[nearest] + REACH).tolist()
        valid = least[:, 0] + REACH >= arrived
        cheaper = np.count_nonzero(valid & (own < own[nearest])) / np.count_nonzero(valid)
        found.append(Crossing(names, f"{place[0]}-{place[1]}, {own[nearest]:.2f}", float(own[nearest]), float(cheaper)))
        arrived = reaches
    return found


def _in_centimetres(motions: Sequence[Motion]) -> list[float]:
    """Its five transitions by our metric at 30 Hz."""
    matrix = cloud_matrix(motions[0].skeleton, mass_weights(motions[0].skeleton))
    clouds = [cloud(motion.resample(30.0), matrix) for motion in motions]
    found = []
    for (a, b), (leaves, reaches, _) in zip(pairwise(clouds), _THEIRS, strict=True):
        told = distance_matrix(a, b, _WINDOW)
        i, j = (round(frame / 4 - _WINDOW / 2) for frame in (leaves, reaches))
        found.append(100 * float(told[min(i, told.shape[0] - 1), min(j, told.shape[1] - 1)]))
    return found


def _ours(walk: Walk) -> list[Crossing]:
    """The transitions of a walk from clip to clip, ranked by the minima that the graph was chosen from."""
    graph, edges = walk.graph, walk.graph.edges
    found, arrived = [], 0
    for edge in walk.edges.tolist():
        if edges.kind[edge] == EdgeKind.ORIGINAL:
            continue
        source, target = int(edges.source[edge]), int(edges.target[edge])
        leaves, reaches = int(graph.node_frame[source]), int(graph.node_frame[target])
        a, b = (graph.clips[graph.node_clip[node]].name for node in (source, target))
        if a != b:
            minima = graph.record.candidates[min(a, b), max(a, b)]
            places = minima.first if a < b else minima.second
            # a bridge is longer than its window, by as much at either side: it may leave before the window begins
            grown = (int(edges.length[edge]) - minima.window) // 2
            valid = places >= min(arrived, leaves + grown)
            cheaper = np.count_nonzero(valid & (minima.cost < edges.cost[edge] - 1e-6)) / max(int(valid.sum()), 1)
            cost = 100 * float(edges.cost[edge])
            kind = ", a bridge" if edges.kind[edge] == EdgeKind.BRIDGE else ""
            found.append(Crossing((a, b), f"{leaves}-{reaches}, {cost:.1f} cm{kind}", cost, float(cheaper)))
        arrived = reaches
    return found


def _straight(graph: MotionGraph) -> MotionGraph:
    """The graph with such transitions only as stay in a clip or lead to the next step's."""
    step = np.array([STEPS.index(clip.name) for clip in graph.clips])[graph.node_clip]
    edges = graph.edges
    kept = np.isin(step[edges.target] - step[edges.source], (0, 1))
    return replace(graph, edges=Edges(**{name: values[kept] for name, values in vars(edges).items()}), labels={})


def _longest_stay(graph: MotionGraph) -> tuple[Walk, float]:
    """The walk with the longest stay in each clip that the graph allows, and that stay in seconds."""
    for stay in _STAYS:
        try:
            return sequence(graph, STEPS, stay=stay), stay
        except GraphError:
            continue
    return sequence(graph, STEPS, stay=0.0), 0.0
