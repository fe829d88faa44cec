"""`kinegraph crowd`: a folder with everybody, a report, and nothing half written."""

from __future__ import annotations

from pathlib import Path

import pytest

import kinegraph as kg
from tests.cli.inprocess import call

NAMES = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("crowd") / "g.mog"
    kg.graph.save(kg.graph.build([kg.samples.make(name).motion for name in NAMES]), file)
    return file


def test_a_folder_and_a_report(graph: Path, tmp_path: Path) -> None:
    said = call("crowd", graph, "hallway:4", "--seconds", "2", "-o", tmp_path / "out", "--json")
    facts = said.json
    assert (facts["people"], facts["frames"], facts["arrived"]) == (4, 61, 0)
    assert facts["trunks"]["deepest_cm"] < 2
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [
        *(f"person_{number}.bvh" for number in range(4)),
        "tracks.csv",
    ]


def test_the_report_in_words(graph: Path) -> None:
    said = call("crowd", graph, "circle:3", "--seconds", "1", "--report")
    assert said.code == 0, said.err
    assert "trunks" in said.out
    assert "not arrived" in said.err


def test_what_went_badly_is_said_unasked(graph: Path, tmp_path: Path) -> None:
    """Nobody can stand in a graph of one walk, and the three should run."""
    walk = tmp_path / "walk.mog"
    kg.graph.save(kg.graph.build([kg.samples.make("walk").motion]), walk)
    (tmp_path / "tight.toml").write_text(
        "[[group]]\ncount = 3\nfrom = [[0, 0], [0, 0.46], [0, 0.92]]\nto = [[0, 9], [0, -9], [0, 9]]\nspeed = 2.5\n"
    )
    said = call("crowd", walk, tmp_path / "tight.toml", "--seconds", "3")
    assert said.code == 0, said.err
    told = " ".join(said.err.split())
    for sentence in ("3 of 3 people have not arrived", "nobody stands", "2.5 m/s"):
        assert sentence in told
    assert call("crowd", graph, "hallway:2", "--seconds", "40").err.count("note") == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ring:4",), "no scenario"),
        (("circle:100000",), "GB of poses"),
        (("nowhere.toml",), "cannot be read"),
        (("circle:4", "-o", "crowd.bvh"), "or a folder (no suffix)"),
        (("circle:4", "--seconds", "0"), "above 0"),
    ],
)
def test_bad_wishes_get_a_sentence(
    graph: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said = call("crowd", graph, *words)
    assert said.code == 2
    assert sentence in " ".join(said.err.split())
    assert list(tmp_path.iterdir()) == []
