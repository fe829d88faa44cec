from __future__ import annotations

from pathlib import Path

import pytest

from kinegraph.experiments import EXPERIMENTS
from tests.cli.inprocess import call


def test_the_list_has_a_line_for_each() -> None:
    done = call("experiments", "--list")
    assert done.code == 0, done.err
    _, *lines = done.out.splitlines()
    assert [line.split()[0] for line in lines] == list(EXPERIMENTS)
    listed = call("experiments", "--list", "path", "--json").json["experiments"]
    assert [one["experiment"] for one in listed] == [name for name in EXPERIMENTS if name.startswith("path")]


def test_a_page_is_written_and_what_lacks_its_clips_is_told(tmp_path: Path) -> None:
    (tmp_path / "clips").mkdir()
    out = tmp_path / "page"
    done = call("experiments", "dirican-weights", "manchester-graph", "--clips", tmp_path / "clips", "-o", out)
    assert done.code == 0, done.err
    assert "0.866" in done.out
    assert "manchester-graph: not repeated, since a clip is absent:" in done.err
    assert "run_stop_16_08.amc" in done.err
    page = (out / "experiments.md").read_text(encoding="utf-8")
    assert "| anticipation, C = 2, at half of the time | quick | 0.866 |" in page
    assert "Not repeated here: the clip `run_stop_16_08.amc` is not in the folder." in page
    assert "| edges | 380 |" in page
    assert (out / "images" / "experiments" / "dirican-weights-curves.png").stat().st_size > 1000


def test_for_scripts(tmp_path: Path) -> None:
    done = call("experiments", "dirican-weights", "path-end", "--clips", tmp_path, "--json")
    weights, end = done.json["experiments"]
    assert weights["published"].keys() <= weights["ours"].keys()
    assert (weights["verdict"], weights["absent"]) == ("alike", None)
    assert (end["ours"], end["verdict"]) == (None, None)
    assert end["absent"].endswith("16_15.bvh")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("kovar", "--clips", "."), "no experiment called 'kovar'"),
        (("dirican-weights",), "--clips FOLDER"),
        (("dirican-weights", "--clips", "nowhere"), "no such folder"),
    ],
)
def test_what_cannot_be(words: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KINEGRAPH_CMU", raising=False)
    done = call("experiments", *words)
    assert done.code == 2
    assert says in done.err


def test_nothing_but_absent_clips_is_a_failure(tmp_path: Path) -> None:
    assert call("experiments", "path-end", "--clips", tmp_path).code == 1
