"""Results: held, kept, read again after a restart, renamed, deleted and had back."""

from __future__ import annotations

import base64
import gzip
import json
import re
import time
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from kinegraph import load, samples
from kinegraph.player import page, unpack
from kinegraph.studio.results import store as results
from kinegraph.studio.results.store import ResultStore
from kinegraph.studio.server.app import create_app
from kinegraph.studio.server.problems import Missing
from kinegraph.studio.workspace.workspace import Workspace
from tests.cli.inprocess import call

FACTS: dict[str, Any] = {
    "room": "walk", "title": "a walk", "request": {"seconds": 2}, "source": {"graph": "0" * 12},
    "quality": {"frames": 60, "cpu_per_second": 0.5}, "notices": [], "reached": True, "short": None, "path": None,
    "transitions": [], "clips": ["walk"], "labels": [], "plants": [], "cpu_s": 0.25,
}  # fmt: skip


@pytest.fixture
def put(app: FastAPI) -> str:
    """The id of a result in memory."""
    motion = samples.make("walk").motion[:60]
    contacts = np.arange(240).reshape(60, 4) % 3 == 0
    arrays = {"track": np.ones((60, 2), np.float32), "clip": np.arange(60, dtype=np.int32)}
    id: str = app.state.results.put(motion, contacts, FACTS, arrays)
    return id


def test_the_same_result_has_the_same_id_however_long_it_took(app: FastAPI, put: str) -> None:
    held = app.state.results.get(put)
    slower = {**FACTS, "cpu_s": 9.0, "quality": {"frames": 60, "cpu_per_second": 0.9}}
    assert app.state.results.put(held.motion, held.contacts, slower, held.arrays) == put
    assert app.state.results.put(held.motion[:50], held.contacts[:50], FACTS, {}) != put
    assert app.state.results.put(held.motion, held.contacts, {**FACTS, "title": "another"}, {}) != put


def test_only_the_last_ones_are_held(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_MOST", 3)
    store = ResultStore(Workspace(folder))
    motion = samples.make("walk").motion
    ids = [store.put(motion[:length], None, FACTS, {}) for length in (10, 11, 12)]
    store.get(ids[0])  # looked at, so that the second is now the oldest
    store.put(motion[:13], None, FACTS, {})
    assert len(store.get(ids[0]).motion) == 10
    with pytest.raises(Missing, match="make it once more"):
        store.get(ids[1])


def test_a_kept_result_is_the_same_after_a_restart(client: TestClient, put: str, folder: Path) -> None:
    before = client.get(f"/api/results/{put}/motion").content
    kept = client.post(f"/api/results/{put}/keep", json={"name": "my walk"}).json()
    assert (kept["file"], kept["title"], kept["room"], kept["seconds"]) == (
        "results/my walk.npz",
        "a walk",
        "walk",
        1.0,
    )
    assert kept["quality"] == FACTS["quality"]
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as again:
        assert again.get("/api/state").json()["results"] == [kept]
        after = again.get(f"/api/results/{kept['id']}/motion").content
        assert again.get(f"/api/results/{kept['id']}/body").status_code == 200
        # what was only held in memory is gone with it
        assert again.get(f"/api/results/{put}/motion").status_code == 404
    (facts, arrays, _), (read, reread, _) = unpack(before), unpack(after)
    assert read["result"].pop("id") == kept["id"]
    assert facts["result"].pop("id") == put
    assert read == facts
    assert list(arrays) == list(reread)
    for name, values in arrays.items():
        np.testing.assert_array_equal(values, reread[name])


def test_a_kept_result_is_a_motion_for_every_command(client: TestClient, app: FastAPI, put: str, folder: Path) -> None:
    client.post(f"/api/results/{put}/keep", json={"name": "kept"})
    motion, held = load(folder / "results" / "kept.npz"), app.state.results.get(put).motion
    np.testing.assert_array_equal(motion.rotations, held.rotations)
    np.testing.assert_array_equal(motion.root, held.root)
    told = call("info", folder / "results" / "kept.npz", "--json").json
    assert told["frames"] == 60


def test_names_are_free_and_safe(client: TestClient, put: str) -> None:
    for expected in ("twice", "twice 2"):
        assert client.post(f"/api/results/{put}/keep", json={"name": "twice"}).json()["name"] == expected
    for bad in ("../out", ".hidden", "a/b", "", "con"):
        answer = client.post(f"/api/results/{put}/keep", json={"name": bad})
        assert answer.status_code == 422
        assert answer.json()["error"]


def test_renamed_deleted_and_had_back(client: TestClient, put: str, folder: Path) -> None:
    first = client.post(f"/api/results/{put}/keep", json={"name": "one"}).json()
    client.post(f"/api/results/{put}/keep", json={"name": "taken"})
    assert client.patch(f"/api/results/{first['id']}", json={"name": "taken"}).status_code == 409
    named = client.patch(f"/api/results/{first['id']}", json={"name": "two"}).json()
    assert (named["name"], named["title"]) == ("two", "a walk")
    assert client.get(f"/api/results/{first['id']}/motion").status_code == 404
    token = client.delete(f"/api/results/{named['id']}").json()["trash"]
    assert sorted(path.name for path in (folder / "results").iterdir()) == ["taken.json", "taken.npz"]
    assert client.post(f"/api/trash/{token}/restore").status_code == 200
    facts = unpack(client.get(f"/api/results/{named['id']}/motion").content)[0]
    assert facts["result"]["title"] == "a walk"


def test_nothing_is_left_where_writing_fails(
    client: TestClient, put: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    answer = client.post(f"/api/results/{put}/keep", json={"name": "lost"})
    assert answer.status_code == 400
    assert "No space left" in answer.json()["error"]
    assert list((folder / "results").iterdir()) == []


def test_a_result_that_lost_its_facts_is_still_a_motion(client: TestClient, put: str, folder: Path) -> None:
    kept = client.post(f"/api/results/{put}/keep", json={"name": "bare"}).json()
    for text in (None, "[]", "{", json.dumps({"result": 3})):
        beside = folder / "results" / "bare.json"
        beside.unlink() if text is None else beside.write_text(text)
        assert client.get("/api/state").json()["results"][0]["title"] == "bare"
        facts, arrays, _ = unpack(client.get(f"/api/results/{kept['id']}/motion").content)
        assert "cannot be read" in facts["result"]["notices"][0]
        assert len(arrays["root"]) == 60


def test_a_shared_page_plays_by_itself(client: TestClient, app: FastAPI, put: str) -> None:
    if not page.is_built():
        pytest.skip("the player is not built: make web")
    held = app.state.results.get(put)
    quality = {"deviation_cm": {"mean": 1.25, "max": 4.0}, "slide_mm": {"mean": 0.1, "max": 2.0}, "transitions": 3}
    facts = {**FACTS, "title": "over <b>there</b>", "path": [[0.0, 0.0], [0.0, 2.5]], "quality": quality}
    id = app.state.results.put(held.motion, held.contacts, facts, {})
    got = client.get(f"/api/results/{id}/page", params={"view": "1,2,3,0,1,0"})
    assert got.status_code == 200
    # saved, never shown under the studio's own address
    assert got.headers["content-disposition"].startswith("attachment")
    assert got.headers["content-type"] == "application/octet-stream"
    assert "<title>over &lt;b&gt;there&lt;/b&gt;</title>" in got.text
    assert "http://" not in got.text.replace("http://www.w3.org/", "")
    assert "default-src &#x27;none&#x27;" in got.text
    packed = re.search(r'id="kinegraph-motion">([^<]+)<', got.text)
    assert packed is not None
    told, arrays, _ = unpack(gzip.decompress(base64.b64decode(packed[1])))
    assert len(arrays["root"]) == len(held.motion)
    beside = told["beside"]
    assert beside["path"] == facts["path"]
    assert beside["view"] == {"position": [1, 2, 3], "target": [0, 1, 0]}
    assert beside["says"][0] == "Off the path: 1.2 cm on average, 4.0 at most"
    assert len(beside["says"]) == 3


@pytest.mark.parametrize("view", ["1,2", "a,b,c,d,e,f", "nan,0,0,0,0,0", "1e9,0,0,0,0,0"])
def test_a_view_that_is_none_is_refused(client: TestClient, put: str, view: str) -> None:
    got = client.get(f"/api/results/{put}/page", params={"view": view})
    assert got.status_code == 422
    assert "six numbers" in got.json()["error"]


def test_an_unknown_result_is_missing(client: TestClient) -> None:
    for method, url in (("get", "motion"), ("get", "body"), ("delete", "")):
        answer = getattr(client, method)(f"/api/results/{'ab' * 6}/{url}".rstrip("/"))
        assert answer.status_code == 404
        assert answer.json()["error"]
    assert client.post(f"/api/results/{'ab' * 6}/keep", json={"name": "x"}).status_code == 404
    assert client.get("/api/results/nonsense/motion").status_code == 422


def test_a_room_takes_nothing_from_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who drags a path in one room makes dozens of results a second; what another room shows is still there."""
    monkeypatch.setattr(results, "_MOST", 3)
    store = ResultStore(Workspace(folder))
    motion = samples.make("walk").motion
    shown = store.put(motion[:10], None, {**FACTS, "room": "follow"}, {})
    dragged = [store.put(motion[:length], None, {**FACTS, "room": "repath"}, {}) for length in range(11, 21)]
    assert len(store.get(shown).motion) == 10
    with pytest.raises(Missing):
        store.get(dragged[0])
    assert [len(store.get(id).motion) for id in dragged[-3:]] == [18, 19, 20]


def test_what_somebody_waits_for_is_held(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_MOST", 2)
    awaited: set[str] = set()
    store = ResultStore(Workspace(folder), lambda: awaited)
    motion = samples.make("walk").motion
    awaited.add(store.put(motion[:10], None, FACTS, {}))
    others = [store.put(motion[:length], None, FACTS, {}) for length in range(11, 16)]
    assert len(store.get(*awaited).motion) == 10
    with pytest.raises(Missing):
        store.get(others[0])
    assert len(store.get(others[-1]).motion) == 15


def test_results_of_films_to_come_are_awaited(app: FastAPI, put: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_MOST", 1)
    go = Event()
    app.state.jobs.register("film", lambda request, watch: {"waited": go.wait(10)})
    asked = {"source": {"kind": "result", "id": put}, "format": ".gif", "name": "x"}
    job = app.state.jobs.submit("film", "x.gif", asked)
    motion = app.state.results.get(put).motion
    for length in (10, 11):
        app.state.results.put(motion[:length], None, FACTS, {})
    assert len(app.state.results.get(put).motion) == 60
    go.set()
    while app.state.jobs.get(job.id).state != "done":
        time.sleep(0.005)
    # and no longer
    app.state.results.put(motion[:12], None, FACTS, {})
    with pytest.raises(Missing):
        app.state.results.get(put)
    app.state.jobs.close()


def test_room_is_made_for_bodies_in_pose(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    motion = samples.make("walk").motion[:50]
    held = motion.root.nbytes + motion.rotations.nbytes + motion.positions.nbytes + motion.orientations.nbytes
    assert results.Result(motion, None, FACTS, {}).size >= held
    monkeypatch.setattr(results, "_BYTES", 2 * held)
    store = ResultStore(Workspace(folder))
    ids = [store.put(motion, None, {**FACTS, "title": str(number)}, {}) for number in range(3)]
    with pytest.raises(Missing):
        store.get(ids[0])
    assert store.get(ids[2]).motion is motion


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "1" * 400])
def test_numbers_that_are_none_do_not_hide_the_workspace(
    client: TestClient, put: str, folder: Path, number: str
) -> None:
    kept = client.post(f"/api/results/{put}/keep", json={"name": "odd"}).json()
    beside = folder / "results" / "odd.json"
    told = beside.read_text().replace('"frames": 60', f'"frames": {number}')
    beside.write_text(told.replace('"seconds": 1.0', f'"seconds": {number}'))
    state = client.get("/api/state")
    assert state.status_code == 200
    (shown,) = state.json()["results"]
    assert shown["seconds"] == 0
    assert shown["quality"]["frames"] == (None if len(number) < 400 else int(number))
    assert client.get(f"/api/results/{kept['id']}/motion").status_code == 200


def test_results_are_not_written_through_links(client: TestClient, put: str, folder: Path) -> None:
    outside = folder.parent / "precious.json"
    outside.write_text("{}")
    (folder / "results").mkdir()
    (folder / "results" / "mine.json").symlink_to(outside)
    answer = client.post(f"/api/results/{put}/keep", json={"name": "mine"})
    assert answer.status_code == 400
    assert "leads out of the folder" in answer.json()["error"]
    assert outside.read_text() == "{}"
    assert not (folder / "results" / "mine.npz").exists()
