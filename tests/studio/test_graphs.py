"""Graphs in the studio: built as jobs that can be stopped and taken up again, chosen anew, shown and deleted."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from kinegraph import samples, save
from kinegraph.graph.making import builder as building
from kinegraph.graph.making import comparing as comparing_clips
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import EdgeKind
from kinegraph.graph.store.files import digest, load, steps
from kinegraph.graph.summary.figures import summary
from kinegraph.player import unpack
from kinegraph.similarity import compare as comparing
from kinegraph.similarity import deck
from kinegraph.studio.rooms.graph import graphs
from kinegraph.studio.server.app import create_app
from kinegraph.studio.server.jobs import JobWatch
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks import Build
from kinegraph.watch import Stopped, Watch
from tests.studio import graphing
from tests.studio.asking import clip_id, ended

NAMES = ("walk", "walk_left_medium", "walk_right_medium")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with three walks."""
    for name in NAMES:
        save(samples.make(name).motion, tmp_path / f"{name}.npz")
    return tmp_path


def ids(client: TestClient) -> list[str]:
    return [clip_id(client, name) for name in NAMES]


def built(client: TestClient, **more: Any) -> dict[str, Any]:
    """The job of a build, once it has ended."""
    answer = client.post("/api/graphs", json={"name": "three walks", "clips": ids(client), **more})
    assert answer.status_code == 200, answer.text
    return ended(client, answer.json()["id"])


def test_notes_of_one_kind_are_one_sentence(tmp_path: Path) -> None:
    walk = samples.make("walk").motion
    build([walk, *(walk.renamed(f"copy_{number}") for number in range(9))], path=tmp_path / "one.mog")
    with TestClient(create_app(Workspace(tmp_path), hosts={"testserver"})) as client:
        (told,) = client.get(f"/api/graphs/{graphing.graph_id(client, 'one')}").json()["summary"]["notices"]
    assert told.startswith("9 clips are the same recordings as others, each used once: copy_0 (as walk), ")
    assert told.endswith(" and 3 more")


class Gate:
    """Lets a test do something just before a job does its work."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()

    def before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def waits(*args: Any, **options: Any) -> Any:
            self.reached.set()
            assert self.open.wait(30)
            return work(*args, **options)

        return waits


# -- building ------------------------------------------------------------------------------------------------------------


def test_a_build_gives_the_graph_of_the_library(client: TestClient, folder: Path) -> None:
    job = built(client, threshold_cm=6, mirror=False)
    assert job["state"] == "done", job["message"]
    made = job["result"]["graph"]
    assert (made["file"], made["clips"], made["error"]) == ("graphs/three walks.mog", 3, None)
    files = [folder / f"{name}.npz" for name in NAMES]
    assert digest(load(folder / made["file"])) == digest(build(files, Parameters(threshold=0.06)))
    assert client.get("/api/state").json()["graphs"] == [made]
    assert [path.name for path in (folder / "graphs").iterdir()] == ["three walks.mog"]


def test_labels_of_the_workspace_are_used(client: TestClient, folder: Path) -> None:
    (folder / "labels.toml").write_text('["walk"]\nlabels = ["proud"]\n', encoding="utf-8")
    made = built(client, mirror=False)["result"]["graph"]
    told = client.get(f"/api/graphs/{made['id']}").json()
    assert [span["label"] for span in told["clips"][0]["spans"]] == ["proud"]
    assert "proud" in told["labels"]


def test_progress_comes_in_stages(folder: Path) -> None:
    seen: list[tuple[str, int, int, float | None]] = []
    watch = JobWatch(lambda *told: seen.append(told), lambda: False)
    workspace = Workspace(folder)
    files = [folder / f"{name}.npz" for name in NAMES]
    target = workspace.folder("graphs") / "g.mog"
    graphs.build(Build(path=target), files, workspace.read, watch)
    stages = list(dict.fromkeys(stage for stage, *_ in seen))
    assert stages == ["read", "prepare", "compare", "choose", "save"]
    for name in ("read", "prepare", "compare"):
        done, total = next((done, total) for stage, done, total, _ in reversed(seen) if stage == name)
        assert done == total > 0


@pytest.mark.parametrize("stage", ["read", "prepare", "compare", "choose", "save"])
def test_a_cancelled_build_leaves_no_file_but_its_draft_and_goes_on_from_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    monkeypatch.setattr(comparing, "_TILES", 1)
    monkeypatch.setattr(deck, "CHUNK", 50)
    workspace = Workspace(folder)
    files = [folder / f"{name}.npz" for name in NAMES]
    target = workspace.folder("graphs") / "g.mog"
    count = [0]

    def stop(at: str, done: int, total: int) -> None:
        count[0] += at == stage
        if at == stage and (at != "compare" or done > total // 2):
            raise Stopped("enough")

    with pytest.raises(Stopped):
        graphs.build(Build(mirror=True, path=target), files, workspace.read, Watch.of(stop))
    left = sorted(path.name for path in target.parent.iterdir())
    assert not target.exists()
    assert left == ([] if stage in ("read", "prepare") else ["g.mog.part"])
    whole = build(files, Parameters(mirror=True))
    graphs.build(Build(mirror=True, path=target), files, workspace.read, Watch())
    assert digest(load(target)) == digest(whole)
    assert [path.name for path in target.parent.iterdir()] == ["g.mog"]
    compared = steps(target)[0].pairs
    if stage == "compare":
        assert 0 < compared < whole.record.report.pairs
    elif stage in ("choose", "save"):
        assert compared == 0


def test_a_job_is_cancelled_and_resumed_over_http(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "_TILES", 1)
    monkeypatch.setattr(deck, "CHUNK", 50)
    real = comparing.compare_tiles

    def slow(*asked: Any) -> Any:
        time.sleep(0.02)
        return real(*asked)

    monkeypatch.setattr(comparing, "compare_tiles", slow)
    job = client.post("/api/graphs", json={"name": "stopped", "clips": ids(client)}).json()
    until = time.monotonic() + 60
    while next(one for one in client.get("/api/jobs").json() if one["id"] == job["id"])["stage"] != "compare":
        assert time.monotonic() < until
        time.sleep(0.01)
    client.post(f"/api/jobs/{job['id']}/cancel")
    assert ended(client, job["id"])["state"] == "cancelled"
    assert client.get("/api/state").json()["graphs"] == []
    # the name is the stopped build's, which may yet be resumed
    other = client.post("/api/graphs", json={"name": "stopped", "clips": ids(client)[:1]}).json()
    assert other["request"]["name"] == "stopped 2"
    client.post(f"/api/jobs/{other['id']}/cancel")
    monkeypatch.setattr(comparing, "compare_tiles", real)
    client.post(f"/api/jobs/{job['id']}/resume")
    done = ended(client, job["id"])
    assert done["state"] == "done", done["message"]
    assert done["result"]["graph"]["file"] == "graphs/stopped.mog"


class TestUndoDuringABuild:
    """A graph that was deleted comes back while another of its name is made: both are there in the end."""

    @pytest.fixture
    def gate(self, monkeypatch: pytest.MonkeyPatch) -> Gate:
        gate = Gate()
        for name in ("build", "rechoose"):
            monkeypatch.setattr(graphs, name, gate.before(getattr(graphs, name)))
        return gate

    @pytest.fixture
    def deleted(self, client: TestClient, folder: Path) -> str:
        """The token of a graph that was called g."""
        (folder / "graphs").mkdir()
        graphing.put(folder / "graphs", "g")
        return str(client.delete(f"/api/graphs/{graphing.graph_id(client, 'g')}").json()["trash"])

    def asked(self, client: TestClient) -> str:
        answer = client.post("/api/graphs", json={"name": "g", "clips": ids(client)[:1], "mirror": False})
        return str(answer.json()["id"])

    def both(self, client: TestClient, folder: Path, job: str, made: str, back: str) -> None:
        done = ended(client, job)
        assert done["state"] == "done", done["message"]
        assert done["result"]["graph"]["file"] == f"graphs/{made}.mog"
        assert (folder / "graphs" / f"{back}.mog").read_bytes() == graphing.mog()
        assert {path.name for path in (folder / "graphs").iterdir()} == {f"{made}.mog", f"{back}.mog"}

    def test_under_way(self, client: TestClient, folder: Path, deleted: str, gate: Gate) -> None:
        job = self.asked(client)
        assert gate.reached.wait(30)
        assert client.post(f"/api/trash/{deleted}/restore").json()["name"] == "g 2"
        gate.open.set()
        self.both(client, folder, job, made="g", back="g 2")

    def test_waiting(self, app: FastAPI, client: TestClient, folder: Path, deleted: str, gate: Gate) -> None:
        app.state.jobs.register("wait", lambda request, watch: {"waited": gate.open.wait(30)})
        app.state.jobs.submit("wait", "Wait", {})
        job = self.asked(client)
        assert client.post(f"/api/trash/{deleted}/restore").json()["name"] == "g"
        gate.open.set()
        self.both(client, folder, job, made="g 2", back="g")

    def test_stopped_and_taken_up_again(
        self, client: TestClient, folder: Path, deleted: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The draft goes along: nothing is compared twice."""
        real = building.saving

        def stops(*_: Any, **__: Any) -> None:
            raise OSError("the disk is full")

        monkeypatch.setattr(building, "saving", stops)
        job = self.asked(client)
        assert ended(client, job)["state"] == "failed"
        assert (folder / "graphs" / "g.mog.part").exists()
        monkeypatch.setattr(building, "saving", real)
        assert client.post(f"/api/trash/{deleted}/restore").json()["name"] == "g"
        client.post(f"/api/jobs/{job}/resume")
        self.both(client, folder, job, made="g 2", back="g")
        assert steps(folder / "graphs" / "g 2.mog")[0].pairs == 0

    def test_chosen_anew(self, client: TestClient, folder: Path, deleted: str, gate: Gate) -> None:
        graphing.put(folder, "source")
        source = graphing.graph_id(client, "source")
        job = client.post(f"/api/graphs/{source}/rechoose", json={"threshold_cm": 5, "name": "g"}).json()["id"]
        assert gate.reached.wait(30)
        assert client.post(f"/api/trash/{deleted}/restore").json()["name"] == "g 2"
        gate.open.set()
        self.both(client, folder, job, made="g", back="g 2")


def test_a_build_does_not_write_through_a_link_that_leads_out(
    app: FastAPI, client: TestClient, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "important"
    outside.write_text("important")
    (folder / "graphs").mkdir()
    (folder / "graphs" / "three walks.mog.part").symlink_to(outside)
    job = built(client, mirror=False)
    assert job["state"] == "failed"
    assert "three walks.mog.part" in job["message"]
    assert outside.read_text() == "important"


_KILLED = """
import sys, time
from starlette.testclient import TestClient
from kinegraph.graph.making import builder
from kinegraph.similarity import compare, deck
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace

compare._TILES, deck.CHUNK, builder._PAUSE = 1, 50, 0.0
run, put = compare.compare_tiles, builder.Draft.put
compare.compare_tiles = lambda *asked: (time.sleep(0.05), run(*asked))[1]

def told(draft, pairs):
    put(draft, pairs)
    print("kept", flush=True)

builder.Draft.put = told
with TestClient(create_app(Workspace(sys.argv[1]), hosts={"testserver"})) as client:
    clips = [clip["id"] for clip in client.get("/api/state").json()["clips"]]
    print(client.post("/api/graphs", json={"name": "killed", "clips": clips}).json()["id"], flush=True)
    time.sleep(100)
"""


def test_a_build_that_was_killed_with_the_server_goes_on(folder: Path) -> None:
    """Killed while it compares: the next server finds the job interrupted, and takes up its draft."""
    command = [sys.executable, "-c", _KILLED, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        job = server.stdout.readline().strip()
        assert server.stdout.readline() == "kept\n"
        server.kill()
    target = folder / "graphs" / "killed.mog"
    assert Path(f"{target}.part").exists()
    assert not target.exists()
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        assert [one["state"] for one in client.get("/api/jobs").json()] == ["interrupted"]
        client.post(f"/api/jobs/{job}/resume")
        assert ended(client, job)["state"] == "done"
    made = load(target)
    assert 0 < steps(target)[0].pairs < made.record.report.pairs
    assert digest(made) == digest(build([folder / f"{name}.npz" for name in NAMES], Parameters(mirror=True)))
    assert [path.name for path in target.parent.iterdir()] == ["killed.mog"]


def test_names_are_free_and_bad_ones_are_refused(client: TestClient) -> None:
    for name in ("three walks", "three walks 2"):
        assert built(client, mirror=False)["result"]["graph"]["name"] == name
    for more, status in (
        ({"name": "../up"}, 422),
        ({"clips": []}, 422),
        ({"clips": ["ab" * 6]}, 404),
        ({"clips": ["../walk"]}, 422),
        ({"fps": 0}, 422),
        ({"threshold_cm": -1}, 422),
        ({"window": float("1e9")}, 422),
    ):
        answer = client.post("/api/graphs", json={"name": "x", "clips": ids(client), **more})
        assert answer.status_code == status, more
        assert answer.json()["error"]


def test_a_build_that_fails_says_why(client: TestClient, folder: Path) -> None:
    (folder / "walk.npz").write_bytes(b"no archive")
    job = built(client)
    assert job["state"] == "failed"
    assert job["message"].startswith("walk.npz: this is no NPZ archive")
    assert not list((folder / "graphs").iterdir())


# -- shown ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def graph(folder: Path, client: TestClient) -> str:
    """The id of a graph that is there already."""
    graphing.put(folder)
    return graphing.graph_id(client)


def test_a_graph_is_told_as_inspect_tells_it(client: TestClient, graph: str, folder: Path) -> None:
    told = client.get(f"/api/graphs/{graph}").json()
    loaded = load(folder / "graph.mog")
    assert told["summary"] == summary(loaded, steps(folder / "graph.mog"))
    assert told["parameters"]["mirror"] is True
    assert [clip["name"] for clip in told["clips"]] == [clip.name for clip in loaded.clips]
    kept = sum(last - first for clip in told["clips"] for first, last in clip["kept"])
    row = {one["clip"]: one["kept_seconds"] for one in told["summary"]["connectivity"]}
    assert kept / loaded.fps == pytest.approx(sum(row.values()))
    for clip in told["clips"]:
        if clip["group"] is not None:
            assert clip["name"] in told["summary"]["groups"][clip["group"]]["clips"]
    assert told["labels"][: len(loaded.labels)] == list(loaded.labels)


def test_edges_are_those_of_the_graph(client: TestClient, graph: str, folder: Path) -> None:
    facts, arrays, _ = unpack(client.get(f"/api/graphs/{graph}/edges").content)
    loaded = load(folder / "graph.mog")
    assert facts["edges"] == len(arrays["kind"]) == len(loaded.edges)
    np.testing.assert_array_equal(arrays["source_clip"], loaded.node_clip[loaded.edges.source])
    np.testing.assert_array_equal(arrays["target_frame"], loaded.node_frame[loaded.edges.target])
    np.testing.assert_allclose(arrays["cost_cm"], 100 * loaded.edges.cost, rtol=1e-6)
    original = arrays["kind"] == EdgeKind.ORIGINAL
    same = arrays["source_clip"] == arrays["target_clip"]
    assert same[original].all()
    played = arrays["target_frame"] - arrays["source_frame"]
    np.testing.assert_array_equal(played[original], arrays["length"][original])


def test_a_clip_as_the_graph_holds_it(client: TestClient, graph: str, folder: Path) -> None:
    loaded = load(folder / "graph.mog")
    facts, arrays, _ = unpack(client.get(f"/api/graphs/{graph}/clips/3/motion").content)
    assert facts["name"] == loaded.clips[3].name
    np.testing.assert_array_equal(arrays["root"], loaded.clips[3].motion.root.astype(np.float32))
    np.testing.assert_array_equal(arrays["contacts"], loaded.clips[3].contacts)
    answer = client.get(f"/api/graphs/{graph}/clips/{len(loaded.clips)}/motion")
    assert answer.status_code == 404
    assert "counted from 0" in answer.json()["error"]


def test_a_wrong_id_is_missing(client: TestClient, graph: str) -> None:
    for url in ("", "/edges", "/clips/0/motion"):
        assert client.get(f"/api/graphs/{'ab' * 6}{url}").status_code == 404
    assert client.post(f"/api/graphs/{'ab' * 6}/rechoose", json={}).status_code == 404
    assert client.delete(f"/api/graphs/{'ab' * 6}").status_code == 404
    assert client.get("/api/graphs/..%2Fgraph").status_code in (404, 422)


def test_a_damaged_graph_is_a_sentence(client: TestClient, graph: str, folder: Path) -> None:
    (folder / "graph.mog").write_bytes(graphing.mog()[:5000])
    answer = client.get(f"/api/graphs/{graph}")
    assert answer.status_code == 400
    assert str(folder) not in answer.json()["error"]


# -- chosen anew ---------------------------------------------------------------------------------------------------------


def test_a_threshold_gives_what_the_curve_foretold(
    client: TestClient, graph: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("nothing is to be compared again")

    monkeypatch.setattr(comparing_clips, "compare_all", never)
    before = client.get(f"/api/graphs/{graph}").json()["summary"]
    point = next(one for one in before["curve"] if one["threshold_cm"] > 6)
    job = client.post(
        f"/api/graphs/{graph}/rechoose", json={"threshold_cm": point["threshold_cm"], "name": "looser"}
    ).json()
    done = ended(client, job["id"])
    assert done["state"] == "done", done["message"]
    made = done["result"]["graph"]
    assert made["file"] == "graphs/looser.mog"
    after = client.get(f"/api/graphs/{made['id']}").json()
    assert after["parameters"]["threshold"] == pytest.approx(point["threshold_cm"] / 100)
    assert after["summary"]["threshold_cm"] == pytest.approx(point["threshold_cm"])
    # the curve counts whole components, the graph what of them lies inside the clips' ends
    assert after["summary"]["curve"] == before["curve"]
    assert [step["step"] for step in after["summary"]["history"]] == ["build", "rechoose"]
    # the graph it was chosen from is as it was
    assert (folder / "graph.mog").read_bytes() == graphing.mog()


def test_without_a_name_the_graph_itself_is_changed_and_can_be_changed_back(
    client: TestClient, graph: str, folder: Path
) -> None:
    was = load(folder / "graph.mog")
    for threshold in (5, None):
        job = client.post(f"/api/graphs/{graph}/rechoose", json={"threshold_cm": threshold}).json()
        done = ended(client, job["id"])
        assert done["result"]["graph"]["id"] == graph
        told = client.get(f"/api/graphs/{graph}").json()
        assert told["parameters"]["threshold"] == ("auto" if threshold is None else 0.05)
    assert digest(load(folder / "graph.mog")) == digest(was)


def test_clips_are_added_to_a_graph_in_its_own_file(client: TestClient, graph: str, folder: Path) -> None:
    save(samples.make("sneak").motion, folder / "sneak.bvh")
    before = load(folder / "graph.mog")
    job = client.post(f"/api/graphs/{graph}/add", json={"clips": [clip_id(client, "sneak")]}).json()
    done = ended(client, job["id"])
    assert done["state"] == "done", done["message"]
    assert done["result"]["graph"]["id"] == graph
    after = load(folder / "graph.mog")
    assert {clip.name for clip in after.clips} > {clip.name for clip in before.clips}
    assert "sneak" in after.clip_index
    assert [step.step for step in steps(folder / "graph.mog")][-1] == "add"
    assert client.post(f"/api/graphs/{graph}/add", json={"clips": []}).status_code == 422


def test_a_threshold_beyond_what_was_looked_for_is_refused(client: TestClient, graph: str) -> None:
    job = client.post(f"/api/graphs/{graph}/rechoose", json={"threshold_cm": 60}).json()
    done = ended(client, job["id"])
    assert done["state"] == "failed"
    assert "build the graph anew for a higher threshold" in done["message"]


def test_deleted_and_had_back(client: TestClient, app: FastAPI, graph: str) -> None:
    token = client.delete(f"/api/graphs/{graph}").json()["trash"]
    assert client.get("/api/state").json()["graphs"] == []
    assert client.get(f"/api/graphs/{graph}").status_code == 404
    assert client.post(f"/api/trash/{token}/restore").status_code == 200
    assert client.get(f"/api/graphs/{graph}").status_code == 200
