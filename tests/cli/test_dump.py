"""`kinegraph dump`: bodies on tracks, told in words and in figures, and nothing half written."""

from __future__ import annotations

from pathlib import Path

import pytest

import kinegraph as kg
from tests.cli.inprocess import call

NAMES = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("dump") / "g.mog"
    kg.graph.save(kg.graph.build([kg.samples.make(name).motion for name in NAMES]), file)
    return file


@pytest.fixture
def tracks(tmp_path: Path) -> Path:
    file = tmp_path / "tracks.csv"
    rows = [f"{name},{t / 2},{x},{0.65 * t}" for name, x in (("anna", 0), ("ben", 2)) for t in range(7)]
    file.write_text("\n".join(["id,t,x,z", *rows, "once,0,0,0"]))
    return file


def test_people_are_written_and_told(graph: Path, tracks: Path, tmp_path: Path) -> None:
    said = call("dump", graph, tracks, "-o", tmp_path / "out.glb", "--json")
    facts = said.json
    assert [person["id"] for person in facts["people"]] == ["anna", "ben"]
    assert facts["mean_cm"] < 10
    assert facts["notices"] == ["track once is left out: it has one moment only"]
    back = kg.load(tmp_path / "out.glb", skin="ben")
    assert abs(back.root[-1, 0] - 2.0) < 0.4
    assert abs(back.root[-1, 2] - 3.9) < 0.4


def test_a_folder_and_words(graph: Path, tracks: Path, tmp_path: Path) -> None:
    said = call("dump", graph, tracks, "-o", tmp_path / "out")
    assert said.code == 0, said.err
    assert "places met" in said.out
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["anna.bvh", "ben.bvh", "tracks.csv"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "x.bvh"], "do not hold several people"),
        (["--film", "x.avi"], ".gif or .mp4"),
        (["--fps", "-1"], "positive"),
    ],
)
def test_bad_wishes_get_a_sentence(graph: Path, tracks: Path, words: list[str], sentence: str) -> None:
    said = call("dump", graph, tracks, *words)
    assert said.code == 2
    assert sentence in " ".join(said.err.split())
