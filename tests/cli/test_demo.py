from __future__ import annotations

from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph.graph.store import files as store
from tests.cli.inprocess import call


def test_the_tour_leaves_clips_pictures_a_graph_a_walk_and_a_punch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tour"
    # strips and films have tests of their own, and take their time
    monkeypatch.setattr("kinegraph.rendering.render", lambda motion, path, **_: path.write_text(motion.name))
    done = call("demo", "-o", folder)
    assert done.code == 0, done.err
    assert {path.name for path in folder.iterdir()} == {
        "samples", "formats", "walk.png", "run.png", "sneak.png", "jump.png",
        "samples.mog", "graph.png", "distance.png", "eight.bvh", "eight.png", "eight.gif",
        "punches.mog", "space.png", "punch.bvh", "punch.png", "hills.bvh", "hills.png",
    }  # fmt: skip
    graph = store.load(folder / "samples.mog")
    assert {clip.name.removesuffix("_mirrored") for clip in graph.clips} == {
        path.stem for path in (folder / "samples").glob("*.bvh")
    }
    assert graph.record.report.kept >= 0.9 * graph.record.report.attainable
    for name in ("eight.bvh", "eight.png", "eight.gif", "samples.mog"):
        assert name in done.err
    facts = call("evaluate", folder / "eight.bvh", "--path", "eight:2.5", "--json").json
    assert facts["deviation_cm"]["mean"] <= 1
    assert facts["deviation_cm"]["max"] <= 5
    assert facts["slide_mm"]["max"] <= 5
    assert kg.load(folder / "eight.bvh").seconds > 20
    punch = call("space", "reach", folder / "punches.mog", "0.15,1.47", "--json").json
    assert punch["miss_cm"] < 0.1
    assert kg.load(folder / "punch.bvh").fps == 60
