from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import ClassVar

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from kinegraph import graph, samples
from kinegraph import strikes as spaces
from kinegraph.blending import BLENDS, register
from kinegraph.blending.kinds.weighted import Linear
from kinegraph.studio.rooms.library import clip_infos
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.entries import id_of
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.watch import Watch
from tests.studio.asking import clip_id, ended, known


def test_an_empty_folder(tmp_path: Path) -> None:
    with TestClient(create_app(Workspace(tmp_path), hosts={"testserver"})) as client:
        state = client.get("/api/state").json()
    assert [state[what] for what in ("clips", "graphs", "spaces", "sketches", "results", "exports", "jobs")] == [[]] * 7
    assert state["workspace"] == {"name": tmp_path.name, "folder": str(tmp_path), "writable": True}
    assert state["open"] is None
    assert {"name": "eight", "text": "eight:2.5", "help": "eight:RADIUS, in metres"} in state["shapes"]
    assert ".bvh" in state["formats"]["read"]
    written = {entry["suffix"]: entry for entry in state["formats"]["write"]}
    assert written[".glb"]["available"]
    assert all(entry["available"] or entry["why"] for entry in written.values())
    # looking changes nothing
    assert list(tmp_path.iterdir()) == []


def test_every_ground_that_is_offered_can_be_walked_on(client: TestClient) -> None:
    grounds = client.get("/api/state").json()["grounds"]
    assert {"name": "hill", "text": "hill:1,6"}.items() <= grounds[1].items()
    for ground in grounds:
        asked = {"path": {"shape": "line:3"}, "ground": ground["text"]}
        assert client.post(f"/api/clips/{clip_id(client, 'walk')}/repath", json=asked).status_code == 200
        assert ground["help"].endswith(".")


def test_kinds_of_strike_are_told(client: TestClient) -> None:
    kinds = client.get("/api/state").json()["strike_kinds"]
    told = [(kind["name"], kind["plural"], kind["tip"], kind["joint"]) for kind in kinds]
    assert told == [("punch", "punches", "hand", "wrist"), ("kick", "kicks", "foot", "ankle")]


def test_every_shape_that_is_offered_can_be_drawn(client: TestClient) -> None:
    for shape in client.get("/api/state").json()["shapes"]:
        drawn = client.get("/api/paths", params={"shape": shape["text"]}).json()
        assert 2 <= len(drawn["points"]) <= 2000
        assert drawn["length"] > 1


def test_clips_come_before_they_are_read(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list does not wait for readers: here none can read anything until the list is there."""
    import threading

    read = threading.Event()
    load = clip_infos.load
    monkeypatch.setattr(clip_infos, "load", lambda path: (read.wait(20), load(path))[1])
    with TestClient(app) as client, client.websocket_connect("/api/events") as events:
        state = client.get("/api/state").json()
        assert [clip["info"] for clip in state["clips"]] == [None, None]
        read.set()
        told = [events.receive_json() for _ in range(2)]
        assert {message["clip"]["name"] for message in told} == {"walk", "run"}
        assert all(message["type"] == "clip" and message["clip"]["info"]["frames"] > 100 for message in told)
        assert known(client)["clips"] == sorted((m["clip"] for m in told), key=lambda clip: clip["name"])


def test_what_was_read_is_known_after_a_restart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        before = known(client)["clips"]

    def never(path: Path) -> None:
        raise AssertionError(f"{path} is read again")

    monkeypatch.setattr(clip_infos, "load", never)
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        assert client.get("/api/state").json()["clips"] == before


def test_what_was_read_is_not_kept_through_a_link_that_leads_out(folder: Path) -> None:
    outside = folder.parent / "clips.json"
    outside.write_text("important")
    (folder / ".kinegraph").mkdir()
    (folder / ".kinegraph" / "clips.json").symlink_to(outside)
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        known(client)
    assert outside.read_text() == "important"


def test_a_skeleton_that_leads_nowhere_is_no_end(folder: Path, sample_files: Path) -> None:
    shutil.copy(sample_files / "01_01.amc", folder / "01_01.amc")
    (folder / "01.asf").symlink_to(folder / "gone.asf")
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        assert {clip["name"] for clip in known(client)["clips"]} == {"01_01", "run", "walk"}


@pytest.mark.parametrize("damage", ["", "[]", '{"version": 2, "clips": [[1]]}', '{"version": 99}', "\0"])
def test_a_damaged_memory_is_no_end(folder: Path, damage: str) -> None:
    (folder / ".kinegraph").mkdir()
    (folder / ".kinegraph" / "clips.json").write_text(damage)
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        assert [clip["info"]["error"] for clip in known(client)["clips"]] == [None, None]


def test_a_skeleton_that_comes_later_mends_a_clip(folder: Path, sample_files: Path) -> None:
    shutil.copy(sample_files / "01_01.amc", folder / "01_01.amc")
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        clip = next(clip for clip in known(client)["clips"] if clip["name"] == "01_01")
        assert "ASF" in clip["info"]["error"]
        shutil.copy(next(sample_files.glob("*.asf")), folder / "01.asf")
        clip = next(clip for clip in known(client)["clips"] if clip["name"] == "01_01")
        assert clip["info"]["error"] is None


def test_graphs_and_spaces_of_one_file(folder: Path) -> None:
    (folder / "graphs").mkdir()
    file = folder / "graphs" / "both.mog"
    graph.save(graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium")]), file)
    punches = [samples.make(name).motion for name in samples.names() if name.startswith("punch")]
    spaces.save(spaces.build(punches, "punch"), file)
    (folder / "torn.mog").write_bytes(b"no file of ours")
    app = create_app(Workspace(folder), hosts={"testserver"}, opened=id_of("graphs/both.mog"))
    with TestClient(app) as client:
        state = client.get("/api/state").json()
    assert [(entry["name"], entry["clips"]) for entry in state["graphs"]] == [("both", 2), ("torn", None)]
    assert state["graphs"][1]["error"]
    assert [(entry["kind"], entry["strikes"]) for entry in state["spaces"]] == [("punch", 9)]
    assert state["open"] == state["graphs"][0]["id"] == state["spaces"][0]["id"]


def test_the_samples(client: TestClient, folder: Path) -> None:
    job = ended(client, client.post("/api/samples").json()["id"])
    assert job["state"] == "done"
    assert job["done"] == job["total"] == 32
    clips = client.get("/api/state").json()["clips"]
    assert len(clips) == 32  # walk and run were there
    assert not (folder / "clips" / "walk.bvh").exists()
    assert ended(client, client.post("/api/samples").json()["id"])["result"]["written"] == 0


def test_jobs_over_http(app: FastAPI, client: TestClient) -> None:
    def slow(request: dict[str, int], watch: Watch) -> dict[str, int]:
        import time

        for number in range(1000):
            watch.tell("wait", number, 1000)
            time.sleep(0.01)
        return {}

    app.state.jobs.register("slow", slow)
    with client.websocket_connect("/api/events") as events:
        id = app.state.jobs.submit("slow", "Slow", {}).id
        first = events.receive_json()
        assert first["type"] == "job"
        assert first["job"]["title"] == "Slow"
        assert client.delete(f"/api/jobs/{id}").status_code == 409
        client.post(f"/api/jobs/{id}/cancel")
        assert ended(client, id)["state"] == "cancelled"
        while (message := events.receive_json())["job"]["state"] != "cancelled":
            assert message["job"]["id"] == id
    assert client.post(f"/api/jobs/{id}/cancel").status_code == 409
    assert client.post(f"/api/jobs/{id}/resume").json()["state"] == "queued"
    client.post(f"/api/jobs/{id}/cancel")
    ended(client, id)
    assert client.delete(f"/api/jobs/{id}").status_code == 204
    assert client.delete(f"/api/jobs/{id}").status_code == 404
    assert client.get("/api/jobs").json() == []


def test_changes_are_told_to_every_page(client: TestClient) -> None:
    known(client)
    with client.websocket_connect("/api/events") as one, client.websocket_connect("/api/events") as other:
        client.delete(f"/api/clips/{clip_id(client, 'walk')}")
        for page in (one, other):
            assert page.receive_json() == {"type": "changed", "what": "clips"}


def test_the_description_is_true_for_errors(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            assert {"400", "403", "404", "409", "413", "422"} <= set(route["responses"]), (path, method)
    assert json.dumps(described)


def test_the_page_says_how_it_is_built(client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from kinegraph.studio.server import static

    monkeypatch.setattr(static, "FOLDER", tmp_path / "nowhere")
    answer = client.get("/")
    assert answer.status_code == 200
    assert "make web" in answer.text
    (tmp_path / "nowhere").mkdir()
    (tmp_path / "nowhere" / "index.html").write_text("<p>the page</p>")
    assert client.get("/").text == "<p>the page</p>"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.bvh",
        "/assets/../../app.py",
        "/..%2f..%2fapp.py",
        "/%2e%2e/app.py",
        "//etc/passwd",
        "/%00",
    ],
)
def test_no_file_beside_the_page_is_shown(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_a_blend_that_is_added_is_offered_and_used(folder: Path) -> None:
    @register("The same under another name.")
    class Even(Linear):
        name: ClassVar[str] = "even"

    try:
        with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
            state = client.get("/api/state").json()
            assert state["blends"] == ["anticipation", "linear", "cubic", "inertial", "even"]
            assert [one["name"] for one in state["blend_list"]] == state["blends"]
            assert state["blend_list"][-1] == {"name": "even", "help": "The same under another name."}
            asked = {"a": clip_id(client, "walk"), "b": clip_id(client, "run"), "i": 30, "j": 20, "blend": "even"}
            assert client.post("/api/transition", json=asked).status_code == 200
    finally:
        BLENDS.remove("even")
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        assert client.get("/api/state").json()["blends"] == ["anticipation", "linear", "cubic", "inertial"]
