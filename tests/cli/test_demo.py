from __future__ import annotations

from pathlib import Path

import pytest

from kinegraph.graph import store
from tests.cli.inprocess import call


def test_the_tour_leaves_clips_pictures_and_a_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tour"
    # strips and films have tests of their own, and take their time
    monkeypatch.setattr("kinegraph.render.render", lambda motion, path, **_: path.write_text(motion.name))
    done = call("demo", "-o", folder)
    assert done.code == 0, done.err
    assert {path.name for path in folder.iterdir()} == {
        "samples", "formats", "walk.png", "run.png", "sneak.png", "jump.png", "walk.gif",
        "samples.mog", "graph.png", "distance.png",
    }  # fmt: skip
    graph = store.load(folder / "samples.mog")
    assert {clip.name for clip in graph.clips} == {path.stem for path in (folder / "samples").glob("*.bvh")}
    assert graph.report.kept >= 0.9 * graph.report.attainable
