"""Several labels at once in requests: frames are looked at in the clips they come from, not in what the walk says of itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.tasks import Follow, Visit, Wander
from kinegraph.walks import following
from kinegraph.walks.choice import played, resolve
from tests.cli.inprocess import call


def labels_of(walk: Walk) -> list[tuple[set[str], set[str]]]:
    """For every frame of a walk, the labels of the one or two frames of clips that are played."""
    spots = [(clip, frame) for clip in walk.graph.clips for frame in range(len(clip))]
    borne = [{span.label for span in clip.spans if span.first <= frame < span.last} for clip, frame in spots]
    return [(borne[a], borne[b]) for a, b in zip(*played(walk), strict=True)]


@pytest.mark.parametrize("text", ["!run", "not run", "walk|stand+!run"])
def test_a_walk_without_running_never_runs(gaits: MotionGraph, text: str) -> None:
    # the same graph runs where it is let
    assert any("run" in one for one, _ in labels_of(kg.walks.wander(gaits, 60, seed=1)))
    for walk in (
        kg.walks.wander(gaits, 60, seed=1, label=text),
        kg.walks.follow(gaits, kg.paths.read("eight:2.5"), label=text).walk,
    ):
        assert not any("run" in one | two for one, two in labels_of(walk))


def test_both_are_borne_at_once(gaits: MotionGraph) -> None:
    walk = kg.walks.wander(gaits, 30, seed=2, label="walk+turn_left")
    assert all({"walk", "turn_left"} <= one & two for one, two in labels_of(walk))


def test_either_will_do_and_both_are_used(gaits: MotionGraph) -> None:
    found = labels_of(kg.walks.wander(gaits, 120, seed=2, label="turn_left|turn_right"))
    assert all(one & {"turn_left", "turn_right"} and two & {"turn_left", "turn_right"} for one, two in found)
    assert {label for one, _ in found for label in one} >= {"turn_left", "turn_right"}


def test_sections_of_several_labels_bear_them(gaits: MotionGraph) -> None:
    path = kg.Path(kg.paths.read("circle:3").points)
    made = Follow(path, sections="0-8:walk+turn_left,8-:run").run(gaits)
    turned, ran = made.quality["sections"]
    assert (turned["label"], ran["label"]) == ("walk+turn_left", "run")
    assert turned["share"] > 0.7
    # what is told of the section is what the clips say of its frames
    frames = labels_of(made.details.performance.walk)
    own = made.provenance.labels["walk+turn_left"]
    assert len(frames) == len(own) or made.details.performance.walk.pace is not None
    moments = np.rint(made.details.performance.walk.moments).astype(int)
    assert own.tolist() == [{"walk", "turn_left"} <= frames[n][0] & frames[n][1] for n in moments]
    assert made.quality["asked_labels"]["walk+turn_left"] == pytest.approx(own.mean(), abs=1e-4)
    assert "walk+turn_left on" in str(made)


def test_a_blend_of_two_is_not_free_of_either(gaits: MotionGraph) -> None:
    """While a run becomes a walk nobody is "not running", though the frame does not bear run either."""
    walk = kg.walks.wander(gaits, 120, seed=4)
    moved = kg.blending.play(walk, "linear").labels(["!run"])
    frames = labels_of(walk)
    assert moved["!run"].tolist() == ["run" not in one | two for one, two in frames]
    assert (~moved["!run"] & ~moved["run"]).any()


def test_a_sequence_visits_expressions(gaits: MotionGraph) -> None:
    made = Visit(steps=["walk+turn_left", "!walk+!stand"], stay=0.5).run(gaits)
    first, second = made.quality["items"]
    assert (first["name"], second["name"]) == ("walk+turn_left", "!walk+!stand")
    frames = labels_of(made.details.performance.walk)
    assert {"walk", "turn_left"} <= frames[first["frame"]][0]
    assert not {"walk", "stand"} & frames[second["frame"]][0]


def test_a_walk_begins_with_an_expression(gaits: MotionGraph) -> None:
    for seed in range(5):
        walk = kg.walks.wander(gaits, 1, seed=seed, start="walk+turn_left")
        assert {"walk", "turn_left"} <= labels_of(walk)[0][0]


def test_copies_count_only_where_every_label_names_a_side(gaits: MotionGraph) -> None:
    copies = np.concatenate([np.full(len(clip), clip.source.mirrored) for clip in gaits.clips])
    assert not (resolve(gaits, "!run", either_side=False).frames & copies).any()
    assert not (resolve(gaits, "walk+turn_right", either_side=False).frames & copies).any()
    assert (resolve(gaits, "turn_left|turn_right", either_side=False).frames & copies).any()
    assert (resolve(gaits, "!run").frames & copies).any()


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("walk+run", Unsatisfied, r"no frame of this graph is 'walk\+run': of .* s in all its clips bear walk .* s, run .* s"),
        ("!walk+!run+!stand", Unsatisfied, "no frame of this graph is"),
        ("walk+happy", GraphError, r"'walk\+happy': no label 'happy' in this graph; it has gentle, medium, run"),
        ("!runn", GraphError, "'!runn': no label 'runn' in this graph; did you mean 'run'"),
        ("walk+", GraphError, "a label is missing at the end"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_before_searching(
    gaits: MotionGraph, text: str, kind: type[GraphError], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*_: object, **__: object) -> None:
        raise AssertionError("a search began")

    monkeypatch.setattr(following, "follow_on", search)
    monkeypatch.setattr("kinegraph.tasks.kinds.wander.wander", search)
    monkeypatch.setattr("kinegraph.walks.ordering.sequence", search)
    tasks = (
        Follow("line:8", label=text),
        Follow("line:8", sections=f"0-4:walk,4-:{text}"),
        Follow("line:8", start=text),
        Wander(seconds=5, label=text),
        Visit(steps=["walk", text]),
    )
    for task in tasks:
        with pytest.raises(kind, match=says):
            task.run(gaits)


def test_the_command_takes_and_tells_them(gaits: MotionGraph, tmp_path: Path) -> None:
    kg.graph.save(gaits, tmp_path / "g.mog")
    written = ("-o", tmp_path / "a.bvh", "--json")
    done = call("follow", tmp_path / "g.mog", "circle:2.5", "--label", "walk + not turn_left", *written)
    told = done.json
    assert told["asked_labels"] == {"walk + not turn_left": 1.0}
    assert any(label == "walk + not turn_left" for label, *_ in told["label_spans"])
    done = call("walk", tmp_path / "g.mog", "--sequence", "run,walk+turn_left|walk+turn_right", *written)
    assert [one["name"] for one in done.json["items"]] == ["run", "walk+turn_left|walk+turn_right"]
