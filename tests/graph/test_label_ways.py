"""Ways for labels that thresholds strand: on timelines and transitions that are made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from kinegraph.graph.making.builder import build
from kinegraph.graph.making.components import Timeline
from kinegraph.graph.making.label_ways import GraphSoFar, LabelWays, Leaving, label_ways, wholly
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.transitions import Transitions, joined
from kinegraph.graph.model import EdgeKind
from kinegraph.graph.summary.figures import summary

FPS, LENGTH, WINDOW, LIMIT, CEILING = 30.0, 200, 6, 0.02, 0.20

Row = tuple[int, int, int, int, float]


def transitions(rows: Sequence[Row]) -> Transitions:
    """Transitions from rows of source clip, frame, target clip, frame and cost; cheapest first."""
    ordered = np.array(sorted(rows, key=lambda row: row[4]))
    ints = ordered[:, :4].astype(np.int64).T
    return Transitions(*ints, np.full(len(ordered), WINDOW), ordered[:, 4])


# clip 0 goes round in itself in many ways; the others can be entered and left once each, at a price
LOOP: list[Row] = [(0, 180 - n % 40, 0, 20 + n // 40, 0.01) for n in range(400)]
TIMELINE = Timeline.of([LENGTH] * 4)


def through(clip: int, cost: float) -> list[Row]:
    return [(0, 100, clip, 20, cost), (clip, 180, 0, 60, cost)]


def found(rows: list[Row], frames: np.ndarray, label: str = "run") -> tuple[Transitions, LabelWays]:
    every = transitions(rows)
    ordinary = every.cost <= LIMIT
    chosen = GraphSoFar(ordinary, np.zeros(len(every), bool), every[ordinary], np.full(len(every), LIMIT))
    labels = {label: (frames, Leaving(TIMELINE, every).usable(frames))}
    return every, label_ways(TIMELINE, every, chosen, labels, fps=FPS, ceiling=CEILING)


def usable_with(every: Transitions, ways: LabelWays, frames: np.ndarray) -> int:
    own = joined(every[every.cost <= LIMIT], every[ways.ordinary], ways.lengthened)
    return Leaving(TIMELINE, own).usable(frames)


def test_the_cheapest_stretches_are_joined_until_half_can_be_kept_to() -> None:
    frames = np.ones(len(TIMELINE), bool)
    every, ways = found([*LOOP, *through(1, 0.025), *through(2, 0.05), *through(3, 0.06)], frames)
    before = Leaving(TIMELINE, every[every.cost <= LIMIT]).usable(frames)
    assert before < 0.25 * len(frames)
    assert usable_with(every, ways, frames) >= 0.5 * len(frames)
    # not far above the threshold they are ordinary, else bridges; and what was not needed was not taken
    assert every.cost[ways.ordinary].tolist() == [0.025, 0.025]
    assert every.cost[ways.bridges].tolist() == [0.05, 0.05]
    assert (ways.lengthened.length > WINDOW).all()


def test_what_leaves_the_label_does_not_help_it() -> None:
    """Clip 1 is entered by frames that do not bear the label."""
    frames = np.ones(len(TIMELINE), bool)
    frames[100:110] = False
    every, ways = found([*LOOP, *through(1, 0.025), *through(2, 0.05), *through(3, 0.06)], frames)
    assert not len(ways.ordinary)
    assert not len(ways.bridges)
    assert not (wholly(TIMELINE, every[every.cost > LIMIT], frames) % 2 == 0).any()


def test_bridges_stay_within_their_label() -> None:
    frames = np.ones(len(TIMELINE), bool)
    # the window that leads into clip 1 bears the label, and what lies just before it does not
    frames[LENGTH + 8 : LENGTH + 14] = False
    _, ways = found([*LOOP, *through(1, 0.05), *through(2, 0.05)], frames)
    assert len(ways.bridges) == 4
    assert len(wholly(TIMELINE, ways.lengthened, frames)) == len(ways.lengthened)
    assert sorted(ways.lengthened.length.tolist()) == [WINDOW, *[2 * WINDOW] * 3]


def test_what_is_too_dear_is_left() -> None:
    frames = np.ones(len(TIMELINE), bool)
    _, ways = found([*LOOP, *through(1, 0.11), *through(2, 0.11), *through(3, 0.11)], frames)
    assert not len(ways.bridges)


def test_bridges_are_few() -> None:
    """Of fewer than a hundred transitions there is no room for two bridges."""
    frames = np.ones(len(TIMELINE), bool)
    for loops, room in ((LOOP[:50], 0), (LOOP[:100], 2), (LOOP, 4)):
        _, ways = found([*loops, *through(1, 0.05), *through(2, 0.05), *through(3, 0.06)], frames)
        assert len(ways.bridges) <= room


def test_labels_that_are_short_or_could_never_be_kept_to_are_left_alone() -> None:
    few = np.zeros(len(TIMELINE), bool)
    few[:60] = True
    _, ways = found([*LOOP, *through(1, 0.025)], few)
    assert not len(ways.ordinary)
    # nothing leads back to clips 1 to 3
    _, ways = found([*LOOP, *through(1, 0.025)[:1]], np.ones(len(TIMELINE), bool))
    assert not len(ways.ordinary)


def test_a_label_without_any_cycle_gets_one() -> None:
    frames = np.zeros(len(TIMELINE), bool)
    frames[LENGTH : 2 * LENGTH] = True
    every, ways = found([*LOOP, *through(1, 0.02), (1, 180, 1, 20, 0.028)], frames)
    assert every.cost[ways.ordinary].tolist() == [0.028]
    assert usable_with(every, ways, frames) > 0.5 * LENGTH


def test_bridges_of_a_real_subject_stay_few(cmu: Path) -> None:
    files = sorted((cmu / "acclaim" / "16").glob("*.amc"))
    if len(files) < 50:
        pytest.skip("needs all clips of subject 16")
    graph = build(files, Parameters(mirror=True))
    facts = summary(graph)
    blends = graph.edges.kind != EdgeKind.ORIGINAL
    assert np.count_nonzero(graph.edges.kind == EdgeKind.BRIDGE) <= 0.02 * np.count_nonzero(blends)
    for held in facts["labels"].values():
        assert held["component_seconds"] <= held["kept_seconds"] <= held["seconds"]
        assert held["component_seconds"] <= held["attainable_seconds"] + 1e-6
