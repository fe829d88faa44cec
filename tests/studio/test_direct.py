"""Scenes over the API: motion and its misses, what cannot be, files, an example for each graph, and the recipes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.player import unpack
from kinegraph.scenes.reading import words
from kinegraph.studio.rooms.direct.examples import example
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks.scene_model import SceneModel
from tests.studio import graphing
from tests.studio.test_commands import run_command, run_python

SCENE: dict[str, Any] = {
    "seconds": 8,
    "label": [{"name": "walk", "from": 0, "to": 8}],
    "key": [{"time": 1, "at": [0, 0], "heading": 0}, {"time": 6, "at": [1, 5.5]}],
}
WHOLE: dict[str, Any] = {
    "seconds": 20, "name": "all \"of\" it", "speed": 1.25, "clearance": 0.4,
    "label": [{"name": "walk", "to": 12}, {"name": "run|stand", "from": 12.5, "not": True, "weight": 2}],
    "key": [{"time": 1, "at": [0, 0], "heading": 370.5}, {"window": [3, 4.5], "at": [0.1, 3], "hard": False}, {"at": [2, 5]}],
    "wait": [{"from": 15, "to": 16.5}], "pose": [{"clip": "stand", "frame": 3, "time": 16}],
    "obstacle": [{"disc": [3, 3, 0.5]}, {"box": [-4, 2, 1, 1.5]}], "without": {"clips": ["run"]},
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("direct")
    graphing.put(root)
    return root


@pytest.fixture(scope="module")
def app(folder: Path) -> FastAPI:
    return create_app(Workspace(folder), hosts={"testserver"})


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


def ask(client: TestClient, scene: dict[str, Any], **more: Any) -> Any:
    return client.post(f"/api/graphs/{graphing.graph_id(client)}/direct", json={"scene": scene, **more})


def test_the_motion_of_a_scene(client: TestClient) -> None:
    facts, arrays, *_ = unpack(ask(client, SCENE, draft=True).content)
    result = facts["result"]
    assert result["room"] == "direct"
    assert result["request"] == {"scene": SCENE, "draft": True}
    assert [key["place_cm"] < 2 for key in result["quality"]["keys"]] == [True, True]
    at = round(6 * facts["fps"])
    assert np.allclose(arrays["root"][at][[0, 2]], [1, 5.5], atol=0.02)


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        ({"key": [{"time": 1, "at": [0, 0]}, {"time": 2, "at": [9, 0]}]}, 409, "key 2 (at 2 s) is 9.0 m from key 1"),
        ({"key": [{"time": 9, "at": [0, 0]}]}, 400, "key 1 is at 9 s, and the scene lasts 8 s"),
        ({"label": [{"name": "fly"}]}, 409, "label 1"),
        ({"seconds": 0}, 400, "a scene lasts more than 0 seconds"),
        ({"seconds": 36000}, 400, "too long"),
        ({"key": [{"time": 1, "at": [0, 0, 0]}]}, 422, "at"),
        ({"keys": []}, 422, "keys"),
    ],
)
def test_what_cannot_be_is_told_in_the_library_s_words(
    client: TestClient, change: dict[str, Any], status: int, told: str
) -> None:
    answer = ask(client, {**SCENE, **change}, draft=True)
    assert answer.status_code == status, answer.text
    assert told in answer.json()["error"]


def test_what_is_misspelt_is_told_as_the_command_line_tells_it(client: TestClient) -> None:
    for wrong, sentence in (
        ({"keys": []}, "a scene has no 'keys'; did you mean 'key'?"),
        ({"key": [{"time": 1, "at": [0, 0], "headin": 3}]}, "key 1 has no 'headin'; did you mean 'heading'?"),
    ):
        answer = ask(client, {"seconds": 6, **wrong})
        assert answer.status_code == 422
        assert answer.json()["error"].endswith(sentence)


def test_who_asks_for_it_is_told_a_problem_as_an_answer(client: TestClient) -> None:
    asked = {"scene": {"seconds": 6, "label": [{"name": "swim"}]}}
    at = f"/api/graphs/{graphing.graph_id(client)}/direct"
    plain, told = client.post(at, json=asked), client.post(at, json=asked, headers={"X-Problems-Told": "1"})
    assert plain.status_code >= 400
    assert (told.status_code, told.json()["status"]) == (200, plain.status_code)
    assert told.json()["error"] == plain.json()["error"]


def test_how_tightly_people_turn_in_a_graph(client: TestClient) -> None:
    found = client.get(f"/api/graphs/{graphing.graph_id(client)}/turns").json()
    # mirrored clips turn alike to both sides
    assert 0.3 < found["left_m"] == found["right_m"] < 5


def test_a_stretch_of_a_variation_is_made_anew_and_all_else_stays(client: TestClient) -> None:
    _, before, *_ = unpack(ask(client, SCENE, seed=2).content)
    facts, after, *_ = unpack(ask(client, SCENE, seed=3, stretch="3-6", of_seed=2).content)
    assert facts["result"]["request"] == {"scene": SCENE, "seed": 3, "stretch": "3-6", "of_seed": 2}
    first, last = (round(time * facts["fps"]) for time in (3, 6))
    outside = np.r_[0 : first + 1, last : len(before["root"])]
    assert np.array_equal(before["root"][outside], after["root"][outside])
    assert not np.array_equal(before["root"], after["root"])
    # a quaternion and its negative are the same rotation
    one, other = (arrays["rotations"][outside] for arrays in (before, after))
    assert ((one == other).all(axis=-1) | (one == -other).all(axis=-1)).all()
    short = ask(client, SCENE, seed=1, stretch="3-3.5")
    assert short.status_code == 409
    assert "the stretch from 3 to 3.5 s cannot be made anew" in short.json()["error"]


@pytest.mark.parametrize("wishes", [{"seed": 2}, {"seed": 3, "stretch": "3-6", "of_seed": 2}], ids=str)
def test_the_recipes_give_the_same_motion(
    client: TestClient, app: FastAPI, folder: Path, wishes: dict[str, Any]
) -> None:
    result = unpack(ask(client, SCENE, **wishes).content)[0]["result"]
    held = app.state.results.get(result["id"]).motion
    told = client.get(f"/api/results/{result['id']}/recipe?format=.npz&name=again").json()
    for run, text in ((run_command, told["command"]), (run_python, told["python"])):
        run(folder, text)
        motion = kg.load(folder / "again.npz")
        (folder / "again.npz").unlink()
        assert np.array_equal(motion.root, held.root), text
        assert np.array_equal(motion.rotations, held.rotations), text


def test_a_scene_says_the_same_as_toml_as_json_and_to_the_page(client: TestClient) -> None:
    text = client.post("/api/scenes/write", json=WHOLE).json()["text"]
    for content, file in ((text, "a.toml"), (json.dumps(WHOLE), "b.JSON")):
        read = client.post("/api/scenes/read", json={"text": content, "file": file}).json()
        assert SceneModel.model_validate(read) == SceneModel.model_validate(WHOLE)
    assert kg.scenes.scene_of(SceneModel.model_validate(WHOLE).said()) == kg.scenes.scene_of(WHOLE)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seconds = ", "this is no TOML"),
        ("[[key]]\nat = [1, 2]", "a scene needs its length"),
        ("seconds = 9\n[[key]]\nat = [1]", "key 1: at takes two numbers"),
        ("seconds = 9\n[[key]]\nat = [1, 2]\ntiem = 3", "did you mean 'time'?"),
    ],
)
def test_a_file_that_is_no_scene(client: TestClient, text: str, told: str) -> None:
    answer = client.post("/api/scenes/read", json={"text": text})
    assert answer.status_code == 400
    assert told in answer.json()["error"]


def test_scenes_are_kept_opened_and_deleted(client: TestClient, folder: Path) -> None:
    entry = client.put("/api/scenes/to the door", json=SCENE).json()
    assert entry["file"] == "scenes/to the door.toml"
    assert kg.scenes.read(folder / entry["file"]).keys[1].at == (1.0, 5.5)
    assert entry["id"] in [one["id"] for one in client.get("/api/scenes").json()]
    assert SceneModel.model_validate(client.get(f"/api/scenes/{entry['id']}").json()).said() == {
        **SCENE, "label": [{"name": "walk", "to": 8}],
    }  # fmt: skip
    gone = client.delete(f"/api/scenes/{entry['id']}").json()
    assert client.get(f"/api/scenes/{entry['id']}").status_code == 404
    client.post(f"/api/trash/{gone['trash']}/restore").raise_for_status()
    assert (folder / entry["file"]).is_file()
    assert client.put("/api/scenes/..%2Fout", json=SCENE).status_code >= 400
    assert not (folder / "out.toml").exists()


@pytest.mark.parametrize(
    "names",
    [("walk", "walk_left_medium", "stand", "start", "stop"), ("run",), ("stand",), ("punch_high_left",)],
    ids=str,
)
def test_the_example_is_one_that_the_graph_can_do(names: tuple[str, ...]) -> None:
    graph = kg.build([kg.samples.make(name).motion for name in names], fps=30)
    said = example(graph)
    made = kg.direct(graph, said)
    assert made.reached
    assert all(key["place_cm"] <= 2 for key in made.quality["keys"])
    assert len(said.get("key", [])) == (3 if names[0] in ("walk", "run") else 0)


@pytest.mark.skipif("strike" not in words(), reason="scenes of this version know no strikes")
def test_strikes_are_those_of_the_graph_s_own_file(client: TestClient, folder: Path) -> None:
    file = graphing.put(folder, "fighter")
    takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    kg.strikes.save(kg.strikes.build(takes, "punch"), file)
    address = f"/api/graphs/{graphing.graph_id(client, 'fighter')}/direct"
    strike = {"time": 5, "target": [0.3, 1.4, 3.6]}
    scene = {"seconds": 9, "key": [{"time": 1, "at": [0, 0], "heading": 0}], "strike": [strike]}
    result = unpack(client.post(address, json={"scene": scene, "draft": True}).content)[0]["result"]
    assert [one["miss_cm"] < 1 for one in result["quality"]["strikes"]] == [True]
    named = client.post(address, json={"scene": {**scene, "strike": [{**strike, "by": "no such"}]}})
    assert "strike 1" in named.json()["error"]
    elsewhere = client.post(address, json={"scene": {**scene, "strike": [{**strike, "by": "../out.mog"}]}})
    assert elsewhere.status_code == 422
