from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import GraphError
from kinegraph.graph import Parameters, build
from kinegraph.graph.making.report import Loss
from kinegraph.graph.model import Component, EdgeKind, MotionGraph
from kinegraph.graph.store.rows import Step
from kinegraph.graph.summary.figures import connectivity, kept_frames, summary, transitions_between
from kinegraph.graph.summary.text import long_rows, short_rows
from tests.graph.made import WINDOW, made_graph, recorded

STEPS = (Step("build", 0.5, 600_000, "0.1.0"), Step("add", 0.25, 300_000, "0.1.0"))


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return made_graph()


def test_figures_are_those_of_the_graph(graph: MotionGraph) -> None:
    facts = summary(graph, STEPS)
    kinds = np.bincount(graph.edges.kind, minlength=3)
    assert facts["clips"] == 3
    assert facts["transitions"] == kinds[EdgeKind.TRANSITION] + kinds[EdgeKind.BRIDGE]
    assert facts["bridges"] == kinds[EdgeKind.BRIDGE] == 3
    assert facts["nodes"] == len(graph)
    assert facts["edges"] == len(graph.edges)
    assert facts["seconds"] == 0.75
    assert facts["pairs_per_second"] == 1_200_000
    assert facts["threshold_cm"] == 5.0
    assert facts["kept_share"] == pytest.approx(graph.record.report.kept / graph.record.report.attainable, abs=1e-6)
    assert facts["groups"][0] == {"clips": ["run"], "threshold_cm": 5.0}
    assert facts["meetings"] == [{"groups": [1, 3], "threshold_cm": 12.0, "bridges": 1}]
    assert facts["losses"][1]["needs_cm"] == 30.0
    assert facts["notices"] == list(graph.record.report.notices)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


def test_without_steps_there_is_no_speed(graph: MotionGraph) -> None:
    facts = summary(graph)
    assert (facts["seconds"], facts["pairs_per_second"], facts["history"]) == (0, 0, [])
    assert "second" not in dict(short_rows(facts))["compared"]


def test_kept_frames_are_those_that_original_motion_plays(graph: MotionGraph) -> None:
    kept = kept_frames(graph)
    assert [len(frames) for frames in kept] == [len(clip) for clip in graph.clips]
    for number, frames in enumerate(kept):
        nodes = graph.node_frame[graph.node_clip == number]
        assert np.flatnonzero(frames).tolist() == list(range(nodes.min(), nodes.max()))


def test_dropped_seconds_tell_the_ends_from_the_rest(graph: MotionGraph) -> None:
    facts = summary(graph)
    lost = sum(int(np.count_nonzero(~frames)) for frames in kept_frames(graph))
    # the made graph begins where the first window ends, and stops short of the last by less than its stride
    ends = sum(2 * WINDOW - 1 for _ in graph.clips)
    assert facts["dropped_seconds"] == pytest.approx(lost / graph.fps, abs=1e-6)
    assert facts["end_seconds"] == pytest.approx(ends / graph.fps, abs=1e-6)


def test_connectivity_counts_ways_out_ways_in_and_ways_back(graph: MotionGraph) -> None:
    rows = {row["clip"]: row for row in connectivity(graph)}
    for row in rows.values():
        assert (row["leaving"], row["to_clips"], row["from_clips"], row["within"]) == (1, 1, 1, 1)
    # run leads to itself at 4.33 cm and on to stand at 4.43 cm: the best that leaves is the second
    assert rows["run"]["best_cm"] == pytest.approx(4.4333, abs=1e-3)
    assert rows["walk"]["labels"] == ["walk"]


def test_labels_have_what_their_component_plays(graph: MotionGraph) -> None:
    walk = summary(graph)["labels"]["walk"]
    clip = graph.clip("walk")
    nodes = graph.node_frame[graph.node_clip == graph.clip_index["walk"]]
    assert walk["seconds"] == pytest.approx(len(clip) / graph.fps, abs=1e-6)
    assert walk["component_seconds"] == pytest.approx((nodes[-1] - nodes[0]) / graph.fps, abs=1e-6)
    assert walk["transitions"] == 1
    without = replace(graph, labels={"walk": Component(np.empty(0), np.empty(0))})
    assert summary(without)["labels"]["run"]["nodes"] == 0
    assert any("run: " in line and "ends" in line for _, line in long_rows(summary(without)))


def test_transitions_of_a_pair_go_both_ways_cheapest_first(graph: MotionGraph) -> None:
    every = transitions_between(graph)
    assert len(every) == 6
    assert [row["cost_cm"] for row in every] == sorted(row["cost_cm"] for row in every)
    (row,) = transitions_between(graph, "stand", "run")
    assert transitions_between(graph, "run", "stand") == [row]
    assert (row["from"], row["to"], row["kind"], row["length"]) == ("run", "stand", "bridge", WINDOW)
    assert row["entry"] == row["to_frame"] - WINDOW
    assert len(transitions_between(graph, "run")) == 3
    assert [row["from"] for row in transitions_between(graph, "run", "run")] == ["run"]
    with pytest.raises(GraphError, match="no clip 'nobody'"):
        transitions_between(graph, "nobody")


def test_the_text_names_what_is_left_out_and_what_it_needs(graph: MotionGraph) -> None:
    facts = summary(graph, STEPS)
    facts["dropped_clips"] = ["walk"]
    rows = short_rows(facts)
    assert ("left out", "a threshold of 30.0 cm connects: walk") in rows
    assert any(what == "frames lost" and line.startswith("run (3 of ") for what, line in rows)
    lost = recorded(graph, report=replace(graph.record.report, losses=(Loss("walk", 9, 9),)))
    facts = {**summary(lost), "dropped_clips": ["walk"]}
    assert ("left out", "no threshold below the ceiling connects: walk") in short_rows(facts)


def test_the_text_names_groups_bridges_and_the_curve(graph: MotionGraph) -> None:
    rows = long_rows(summary(graph, STEPS))
    text = "\n".join(f"{what}: {line}" for what, line in rows)
    assert "group 1: threshold 5.00 cm: 1 clip, run" in text
    assert "bridges: groups 1 and 2, 1: run → stand 4.4 cm" in text
    assert "1.2 million a second" in text
    assert "one threshold: for all, 4.0 to 3.3 cm" in text
    bare = recorded(graph, report=replace(graph.record.report, curve=()))
    assert not any(what == "one threshold" for what, _ in long_rows(summary(bare)))


def test_of_many_groups_only_some_are_shown(graph: MotionGraph) -> None:
    many = recorded(graph, report=replace(graph.record.report, groups=graph.record.report.groups * 10))
    rows = short_rows(summary(many))
    assert ("", "and 10 groups more") in rows
    assert not any(what == "group 21" for what, _ in rows)


def test_a_label_that_loses_more_than_half_is_told() -> None:
    graph = build([samples.make(name).motion for name in ("walk", "walk_left_medium", "run")], Parameters(mirror=True))
    facts = summary(graph)
    assert facts["warnings"] == []
    for label, held in facts["labels"].items():
        frames = np.concatenate([clip.labelled(label) for clip in graph.clips])
        kept = frames & np.concatenate(kept_frames(graph))
        assert held["seconds"] == pytest.approx(frames.sum() / graph.fps, abs=1e-6)
        assert held["kept_seconds"] == pytest.approx(kept.sum() / graph.fps, abs=1e-6)
        assert held["component_seconds"] <= held["kept_seconds"] + 1e-6
        assert held["component_seconds"] <= held["attainable_seconds"] + 1e-6
    # the same graph, if no walk could keep to anything
    largest = max(facts["labels"], key=lambda label: facts["labels"][label]["seconds"])
    stranded = summary(replace(graph, labels={}))
    held = facts["labels"][largest]
    assert [line for line in stranded["warnings"] if f" of {largest} a walk that keeps to it can use 0.0 s" in line]
    assert f"of {held['seconds']:.1f} s of {largest}" in " ".join(stranded["warnings"])


def test_what_the_graph_does_not_play_is_told_by_label() -> None:
    """A jump that nothing leads into: its label is in the clips, and not in the graph."""
    names = ("walk", "walk_left_medium", "jump")
    graph = build([samples.make(name).motion for name in names], Parameters(threshold=0.03))
    facts = summary(graph)
    assert facts["labels"]["jump"]["kept_seconds"] < 0.5 * facts["labels"]["jump"]["seconds"]
    assert any("of jump only" in line and "are in the graph" in line for line in facts["warnings"])
