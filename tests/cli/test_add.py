from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph import samples
from kinegraph.graph.store import files as store
from tests.cli.inprocess import call


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("more") / "run.bvh"
    kg.save(samples.make("run").motion, path)
    return path


def test_a_clip_is_added_in_place_and_the_history_is_kept(clips: Path, mog: Path, run: Path, tmp_path: Path) -> None:
    facts = call("add", mog, run, "--json").json
    assert facts["added"] == 1
    assert facts["clips"] == 4
    assert [step["step"] for step in facts["history"]] == ["build", "add"]
    assert [step.step for step in store.steps(mog)] == ["build", "add"]
    fresh = tmp_path / "fresh.mog"
    assert call("build", clips, run, "-o", fresh).code == 0
    assert store.digest(store.load(mog)) == store.digest(store.load(fresh))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh.mog", "g.mog"]


def test_another_output_leaves_the_graph_as_it_is(mog: Path, run: Path, tmp_path: Path) -> None:
    before = mog.read_bytes()
    labels = tmp_path / "labels.toml"
    labels.write_text('[run]\nlabels = ["dash"]\n')
    done = call("add", mog, run, "-o", tmp_path / "more.mog", "--labels", labels)
    assert done.code == 0, done.err
    assert "1 clips more than before" in done.err
    assert mog.read_bytes() == before
    assert {span.label for span in store.load(tmp_path / "more.mog").clip("run").spans} == {"dash"}


def test_a_clip_that_is_in_already_changes_nothing(clips: Path, mog: Path) -> None:
    before = mog.stat()
    done = call("add", mog, clips / "walk.bvh")
    assert done.code == 0
    assert "walk is in the graph already" in done.err
    assert "nothing new" in done.err
    assert (mog.stat().st_ino, mog.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_another_clip_of_a_name_that_is_taken_is_refused(mog: Path, tmp_path: Path) -> None:
    kg.save(samples.make("run").motion, tmp_path / "walk.bvh")
    before = mog.read_bytes()
    done = call("add", mog, tmp_path / "walk.bvh")
    assert done.code == 2
    assert "another clip called 'walk'" in done.err
    assert mog.read_bytes() == before


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20_000])


def _foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (a)")
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (_cut, "damaged"),
        (_foreign, "no motion graph of kinegraph"),
        (lambda path: path.write_text("hello"), "this is no motion graph"),
        (lambda path: path.unlink(), "no such file"),
    ],
    ids=["damaged", "foreign", "text", "missing"],
)
def test_a_file_that_is_no_graph_is_refused_and_left_alone(mog: Path, run: Path, spoil, sentence: str) -> None:
    spoil(mog)
    before = mog.read_bytes() if mog.exists() else None
    done = call("add", mog, run)
    assert done.code == 2
    assert sentence in done.err
    assert (mog.read_bytes() if mog.exists() else None) == before
