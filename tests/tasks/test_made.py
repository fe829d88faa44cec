"""What comes of tasks: one kind of thing, which can be saved, drawn and printed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.errors import Unsatisfied


@pytest.fixture(scope="module")
def graph() -> kg.graph.MotionGraph:
    return kg.build(
        [kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")], mirror=True
    )


@pytest.fixture(scope="module")
def made(graph: kg.graph.MotionGraph) -> kg.Made:
    return kg.follow(graph, "wave:8,1", warp=True)


def test_every_frame_says_where_it_came_from(made: kg.Made, graph: kg.graph.MotionGraph) -> None:
    known = made.provenance
    assert known is not None
    assert len(known.clip) == len(known.frame) == len(made.motion)
    for number, frame in zip(known.clip, known.frame, strict=True):
        assert 0 <= frame < len(graph.clip(known.clips[number]))
    assert set(made.quality["clips"]) == set(known.clips)
    assert known.labels["walk"].all()


def test_transitions_lie_between_the_clips_they_name(made: kg.Made) -> None:
    known = made.provenance
    assert known is not None
    assert len(made.transitions) == made.quality["transitions"]
    for span in made.transitions:
        assert known.clips[known.clip[span.first]] == span.source
        if span.first + span.length < len(made.motion):
            assert known.clips[known.clip[span.first + span.length]] == span.target


def test_it_is_written_drawn_and_printed(made: kg.Made, tmp_path: Path) -> None:
    made.save(tmp_path / "way.bvh")
    np.testing.assert_allclose(kg.load(tmp_path / "way.bvh").root, made.motion.root, atol=1e-5)
    assert "from above" in made.plot(tmp_path / "way.png")
    assert (tmp_path / "way.png").stat().st_size > 10_000
    told = str(made)
    assert told.startswith("wave:8,1")
    assert "transitions" in told
    assert repr(made).startswith("Made(follow 'wave:8,1")


def test_a_label_that_was_asked_for_and_is_missing_is_warned_of(graph: kg.graph.MotionGraph) -> None:
    """The search keeps to labels; who asks afterwards whether it did gets an answer by the same names."""
    walk = kg.follow(graph, "line:6", label="walk")
    assert walk.warnings == ()
    other = replace(walk, task=kg.tasks.Follow("line:6", label="turn_left"))
    (sentence,) = other.warnings
    assert sentence.endswith("of the frames are labelled turn_left, as was asked for")
    assert f"⚠ {sentence}" in str(other)
    assert other.to_dict()["warnings"] == [sentence]
    parts = replace(walk, task=kg.tasks.Follow("line:6", sections="0-3:walk,3-:turn_left", zone=0.5))
    (sentence,) = parts.warnings
    assert sentence == "only 0 % of the frames from 3 to 6 m are labelled turn_left, as was asked for"


def test_a_task_that_draws_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(kg.KinegraphError, match="no picture of what clean makes"):
        kg.clean(kg.samples.make("walk").motion).plot(tmp_path / "feet.png")


def test_what_a_graph_cannot_give_is_told_apart_from_what_makes_no_sense(graph: kg.graph.MotionGraph) -> None:
    with pytest.raises(Unsatisfied, match="allow more time"):
        kg.follow(graph, "line:50", limit=2)
    with pytest.raises(kg.KinegraphError, match="label"):
        kg.follow(graph, "line:5", label="fly")


def test_who_watches_is_told_and_can_stop_it(graph: kg.graph.MotionGraph) -> None:
    told: list[tuple[str, int, int | None]] = []
    kg.follow(graph, "line:12", watch=lambda stage, done, total: told.append((stage, done, total)))
    assert {stage for stage, _, _ in told} == {"search"}
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)

    def enough(stage: str, done: int, total: int | None) -> None:
        raise kg.KinegraphError("enough")

    with pytest.raises(kg.KinegraphError, match="enough"):
        kg.follow(graph, "line:12", watch=enough)


def test_files_do_as_well_as_what_they_hold(graph: kg.graph.MotionGraph, tmp_path: Path) -> None:
    kg.graph.save(graph, tmp_path / "g.mog")
    one, other = kg.wander(tmp_path / "g.mog", 3, seed=2), kg.wander(graph, 3, seed=2)
    np.testing.assert_array_equal(one.motion.rotations, other.motion.rotations)


def test_what_a_format_cannot_hold_is_made_again_as_it_was_asked_for(graph: kg.graph.MotionGraph) -> None:
    takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    made = kg.join(kg.learn(takes, kind="punch"), (0.1, 1.4), graph, before=1, after=1, seed=2)
    again = made.task.unstretched(made)
    assert again.task is made.task
    assert again.motion.translations is None
    assert again.to_dict()["seed"] == 2
