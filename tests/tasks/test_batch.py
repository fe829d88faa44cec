"""Many scenes at once: the files themselves are looked at."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.errors import FormatError, GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.tasks.batch import FRAMES, INDEX
from kinegraph.watch import Stopped
from tests.cli.inprocess import call

KEYS = "seconds = 5\n[[key]]\ntime = 1\nat = [0, 0]\n[[key]]\ntime = 4\nat = [1, 3]\n"
LABEL = 'seconds = 3\n[[label]]\nname = "walk"\n'
BROKEN = "seconds = 0\n"


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    names = ("walk", "walk_left_medium", "walk_right_medium")
    return kg.build([kg.samples.make(name).motion for name in names], fps=30)


@pytest.fixture(scope="module")
def mog(graph: MotionGraph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("graph") / "g.mog"
    kg.graph.save(graph, file)
    return file


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    folder = tmp_path / "scenes"
    folder.mkdir()
    for name, text in (("b", LABEL), ("a", KEYS), ("broken", BROKEN)):
        (folder / f"{name}.toml").write_text(text)
    (folder / "notes.txt").write_text("no scene")
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / INDEX).read_text(encoding="utf-8").splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_the_same_bytes_whatever_the_number_of_jobs(mog: Path, scenes: Path, tmp_path: Path) -> None:
    for jobs in (1, 3):
        kg.direct_many(mog, [scenes], tmp_path / f"out{jobs}", variations=2, jobs=jobs, draft=True)
    one, three = contents(tmp_path / "out1"), contents(tmp_path / "out3")
    assert sorted(one) == sorted(
        [INDEX, *(f"{name}_{seed:03d}{end}" for name in "ab" for seed in (0, 1) for end in (".bvh", FRAMES))]
    )
    assert one == three
    # variations differ
    assert one["a_000.bvh"] != one["a_001.bvh"]


def test_each_file_is_what_the_scene_alone_gives(graph: MotionGraph, mog: Path, scenes: Path, tmp_path: Path) -> None:
    kg.direct_many(mog, [scenes / "a.toml"], tmp_path / "out", variations=2, jobs=1, seed=4)
    for seed in (4, 5):
        made = kg.direct(graph, scenes / "a.toml", seed=seed)
        made.save(tmp_path / f"a_{seed:03d}.bvh")
        assert (tmp_path / f"a_{seed:03d}.bvh").read_bytes() == (tmp_path / "out" / f"a_{seed:03d}.bvh").read_bytes()


def test_a_scene_that_fails_is_named_and_does_not_stop_the_others(mog: Path, scenes: Path, tmp_path: Path) -> None:
    batch = kg.direct_many(mog, [scenes], tmp_path / "out", jobs=1, draft=True)
    assert [line["scene"] for line in batch.lines] == ["a", "b", "broken"]
    assert [line["scene"] for line in batch.made] == ["a", "b"]
    (failed,) = batch.failed
    assert "broken.toml: a scene lasts more than 0 seconds" in failed["error"]
    assert [dict(line) for line in batch.lines] == lines(tmp_path / "out")
    assert not list((tmp_path / "out").glob("broken*"))


def test_a_fault_of_the_program_does_not_stop_the_others(
    graph: MotionGraph, scenes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kinegraph.tasks.kinds.direct import Direct

    run = Direct.run

    def faulty(self: Direct, source: Any, watch: Any = None) -> Any:
        if self.scene.name == "a":
            raise ZeroDivisionError("by nothing")
        return run(self, source, watch)

    monkeypatch.setattr(Direct, "run", faulty)
    batch = kg.direct_many(graph, [scenes / "a.toml", scenes / "b.toml"], tmp_path / "out", jobs=1, draft=True)
    assert batch.failed[0]["error"] == "ZeroDivisionError: by nothing"
    assert len(batch.made) == 1


def test_the_index_tells_what_was_asked_and_missed(mog: Path, scenes: Path, tmp_path: Path) -> None:
    kg.direct_many(mog, [scenes / "a.toml"], tmp_path / "out", jobs=1)
    (line,) = lines(tmp_path / "out")
    motion = kg.load(tmp_path / "out" / line["file"])
    assert (line["seed"], line["frames"], line["fps"]) == (0, len(motion), 30)
    assert line["reached"] is True
    for key, (x, z) in zip(line["keys"], ((0, 0), (1, 3)), strict=True):
        root = motion.root[round(key["time"] * 30)]
        assert 100 * np.hypot(root[0] - x, root[2] - z) == pytest.approx(key["place_cm"], abs=0.05)
    # spans of clips cover every frame, one after another
    ends = [(first, last) for _, first, last, _ in line["clip_spans"]]
    assert ends[0][0] == 0
    assert ends[-1][1] == len(motion)
    assert all(one[1] == two[0] for one, two in pairwise(ends))


def test_every_frame_says_where_it_came_from(graph: MotionGraph, mog: Path, scenes: Path, tmp_path: Path) -> None:
    """What the file says is enough to find the pose of every frame outside transitions in the clips again."""
    kg.direct_many(mog, [scenes / "b.toml"], tmp_path / "out", jobs=1)
    (line,) = lines(tmp_path / "out")
    found = np.load(tmp_path / "out" / line["frames_file"])
    motion = kg.direct(graph, scenes / "b.toml").motion
    assert len(found["clip"]) == len(found["frame"]) == len(found["weight"]) == len(motion)
    alone = found["other"] < 0
    assert np.array_equal(alone, found["weight"] == 1.0)
    assert found["weight"].min() >= 0.5
    arm = motion.skeleton.joint("right_elbow")
    for frame in np.flatnonzero(alone).tolist():
        clip = graph.clip(str(found["clips"][found["clip"][frame]])).motion
        near = clip.rotations[max(found["frame"][frame] - 1, 0) : found["frame"][frame] + 2, arm]
        # played a little faster or slower, it lies between two frames of the clip
        apart = np.abs(np.abs(near @ motion.rotations[frame, arm])).max()
        assert apart > np.cos(np.radians(3.0))
    blended = np.flatnonzero(~alone)
    assert all(found["other_frame"][frame] >= 0 for frame in blended.tolist())
    assert dict(zip(found["labels"].tolist(), found["borne"].mean(axis=1).tolist(), strict=True))["walk"] == 1.0


def test_formats_values_and_names(graph: MotionGraph, tmp_path: Path) -> None:
    scene = kg.scenes.Scene(2.0, name="a/b: c")
    batch = kg.direct_many(graph, [scene, scene, {"seconds": 2}], tmp_path / "out", format="glb", jobs=1, draft=True)
    assert [line["file"] for line in batch.made] == ["a_b_ c.glb", "a_b_ c-2.glb", "scene_3.glb"]
    assert repr(batch) == "Batch(3 motions in 'out', 0 failed)"


def test_progress_is_told_and_it_can_be_stopped(graph: MotionGraph, tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    scenes = [{"seconds": 1}, {"seconds": 1}]
    kg.direct_many(
        graph,
        scenes,
        tmp_path / "out",
        jobs=1,
        draft=True,
        watch=lambda stage, done, total: told.append((stage, done, total)),
    )
    assert told == [("direct", 0, 2), ("direct", 1, 2), ("direct", 2, 2)]

    def stop(_: str, done: int, __: int | None) -> None:
        if done:
            raise Stopped("enough")

    with pytest.raises(Stopped):
        kg.direct_many(graph, scenes, tmp_path / "stopped", jobs=1, draft=True, watch=stop)
    assert not (tmp_path / "stopped" / INDEX).exists()


def test_bad_wishes_are_refused_before_anything_is_made(graph: MotionGraph, tmp_path: Path) -> None:
    for wrong, why in (
        ({"variations": 0}, "variations: at least 1"),
        ({"jobs": 0}, "jobs: at least 1"),
        ({"width": 0}, "width"),
        ({"format": "txt"}, "unknown suffix"),
    ):
        with pytest.raises((GraphError, FormatError), match=why):
            kg.direct_many(graph, [{"seconds": 1}], tmp_path / "out", **wrong)
    with pytest.raises(FormatError, match="there is no scene in this folder"):
        kg.direct_many(graph, [tmp_path], tmp_path / "out")
    with pytest.raises(GraphError, match="there is no scene to direct"):
        kg.direct_many(graph, [], tmp_path / "out")


def test_as_a_command(mog: Path, scenes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = call("direct", mog, scenes / "b.toml", scenes / "a.toml", "-o", out, "--jobs", "1", "--draft", "--json")
    assert done.code == 0
    assert json.loads(done.out)["made"] == 2
    assert [line["scene"] for line in lines(out)] == ["b", "a"]
    done = call("direct", mog, scenes, "-o", tmp_path / "all", "--jobs", "1", "--draft", "--format", "npz")
    assert done.code == 1
    assert "broken, seed 0: broken.toml: a scene lasts more than 0 seconds" in " ".join(done.err.split())
    assert (tmp_path / "all" / "a.npz").exists()
    for words, why in (
        ((scenes,), "say which, with -o"),
        ((scenes, "-o", tmp_path / "a.bvh"), "a name without a suffix"),
        ((scenes, "-o", out, "--plot", tmp_path / "a.png"), "leave --plot out"),
    ):
        done = call("direct", mog, *words)
        assert done.code == 2
        assert why in " ".join(done.err.split())
