from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph.evaluation.capabilities import Capability, capability
from kinegraph.graph.model import MotionGraph
from tests.cli.inprocess import call
from tests.cli.test_build import bad as bad  # a folder with a body whose legs have no names
from tests.cli.test_follow import KEYS


def test_the_report_for_scripts(clips: Path) -> None:
    done = call("evaluate", clips / "walk.bvh", "--path", "line:5", "--json")
    facts = done.json
    assert facts.keys() >= KEYS
    assert facts["deviation_cm"]["mean"] < 2
    assert facts["slide_mm"]["mean"] < 1
    assert facts["transitions"] is facts["clips"] is facts["cpu_per_second"] is None
    assert any("centimetres" in sentence for sentence in facts["notices"])
    assert done.err == ""


def test_the_report_for_people(clips: Path) -> None:
    done = call("evaluate", clips / "walk.bvh")
    assert done.code == 0, done.err
    assert "plants slide by" in done.out
    assert "cm off it" not in done.out


def test_what_it_was_made_from_is_compared_with(clips: Path, built: Path, tmp_path: Path) -> None:
    walk = kg.load(clips / "walk.bvh")
    kg.save(replace(walk, root=walk.root * [1, 1, 1.2]), tmp_path / "skating.bvh")
    alone = call("evaluate", tmp_path / "skating.bvh", "--json").json
    assert (alone["source_feet"], alone["against"], alone["warnings"]) == (None, [], [])
    for source in (clips / "walk.bvh", clips, built):
        facts = call("evaluate", tmp_path / "skating.bvh", "--source", source, "--json").json
        assert facts["against"] == [str(source)]
        assert facts["source_feet"]["slide_mm"]["max"] < 5 < alone["slide_mm"]["max"]
        assert facts["slide_mm"] == alone["slide_mm"]
        assert any(sentence.startswith("feet slide by ") for sentence in facts["warnings"])
    done = call("evaluate", tmp_path / "skating.bvh", "--source", built)
    assert done.code == 0
    assert "⚠ feet slide by" in done.out


def test_a_graph_and_clips_at_once_are_refused(clips: Path, built: Path) -> None:
    done = call("evaluate", clips / "walk.bvh", "--source", built, "--source", clips / "walk.bvh")
    assert (done.code, done.out) == (2, "")
    assert "one graph, or clips" in done.err


def test_a_body_without_legs_is_judged_as_far_as_can_be(bad: Path) -> None:
    facts = call("evaluate", bad / "odd.bvh", "--json").json
    assert facts["slide_mm"] is None
    assert any("nothing can be said of the feet" in sentence for sentence in facts["notices"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.bvh"], "no such file"),
        (["walk.bvh", "--path", "line:0"], "must be above 0"),
        (["walk.bvh", "--path", "way.csv"], "way.csv: no such file"),
    ],
)
def test_bad_input_is_one_sentence(bad: Path, words: list[str], sentence: str) -> None:
    done = call("evaluate", *words, folder=bad)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


@pytest.fixture
def one_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Capability from a single start, and measured once: how it is done has tests of its own."""
    measured: list[Capability] = []

    def quick(graph: MotionGraph, **_: object) -> Capability:
        if not measured:
            measured.append(capability(graph, samples=1))
        return measured[0]

    monkeypatch.setattr("kinegraph.evaluation.capabilities.capability", quick)


def test_what_a_graph_can_do_is_tried(built: Path, one_start: None) -> None:
    able = call("inspect", built, "--capability", "--json").json["capability"]
    assert 0 <= able["reached"] <= 1
    assert able["starts"] == 1
    assert able["turn_about"].keys() == {"left", "right"}
    assert "  capability " in call("inspect", built, "--capability").out
    assert "capability" not in call("inspect", built, "--json").json
