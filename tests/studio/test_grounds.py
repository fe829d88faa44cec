"""Height fields in the studio: taken as files, walked on, and named by the commands that make the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.paths.heightfield import HeightField
from kinegraph.player import unpack
from tests.studio.asking import clip_id
from tests.studio.test_commands import run_command, run_python

# a mound of half a metre ahead
ROWS, COLUMNS, STEP = 25, 21, 0.5
Z, X = np.mgrid[0:ROWS, 0:COLUMNS] * STEP - np.array([2.0, 5.0])[:, None, None]
HEIGHTS = 0.5 * np.exp(-(X**2 + (Z - 3.0) ** 2) / 4.0)


@pytest.fixture
def field(tmp_path: Path) -> Path:
    file = tmp_path / "mound.npz"
    np.savez(file, heights=HEIGHTS, x0=-5.0, z0=-2.0, step=STEP)
    return file


def sent(client: TestClient, name: str, data: bytes) -> Any:
    return client.post("/api/grounds", files={"files": (name, data)})


def test_a_clip_walks_on_a_height_field_of_the_folder(
    client: TestClient, app: FastAPI, folder: Path, field: Path
) -> None:
    taken = sent(client, "a mound.npz", field.read_bytes()).json()
    assert taken["file"] == "grounds/a mound.npz"
    state = client.get("/api/state").json()
    assert [one["file"] for one in state["height_fields"]] == [taken["file"]]
    # it is none of the clips, though it is an NPZ
    assert all("mound" not in one["file"] for one in state["clips"])

    ground = HeightField.from_file(field)
    shown = client.get(
        "/api/ground", params={"text": taken["file"], "x0": -1, "z0": 2, "step": 0.5, "rows": 4, "columns": 5}
    )
    _, arrays, _ = unpack(shown.content)
    places = np.stack(np.meshgrid(-1 + 0.5 * np.arange(5), 2 + 0.5 * np.arange(4)), axis=-1)
    assert np.abs(arrays["ground"] if "ground" in arrays else arrays["heights"] - ground(places)).max() < 1e-6

    asked = {"path": {"shape": "line:6"}, "cycle": True, "ground": taken["file"]}
    facts, arrays, _ = unpack(client.post(f"/api/clips/{clip_id(client, 'walk')}/repath", json=asked).content)
    result = facts["result"]
    assert result["request"]["ground"] == taken["file"]
    assert arrays["altitude"].max() == pytest.approx(0.5, abs=0.02)

    told = client.get(f"/api/results/{result['id']}/recipe?format=.npz&name=again").json()
    assert "--ground 'grounds/a mound.npz'" in told["command"]
    held = app.state.results.get(result["id"]).motion
    for run, text in ((run_command, told["command"]), (run_python, told["python"])):
        run(folder, text)
        assert np.array_equal(kg.load(folder / "again.npz").root, held.root), text

    # what is gone is told, and can be had back
    token = client.delete(f"/api/grounds/{taken['id']}").json()["trash"]
    gone = client.post(f"/api/clips/{clip_id(client, 'walk')}/repath", json=asked)
    assert gone.status_code == 404
    assert "no height field grounds/a mound.npz" in gone.json()["error"]
    assert client.get(f"/api/results/{result['id']}/recipe").status_code == 409
    assert client.post(f"/api/trash/{token}/restore").status_code == 200
    assert client.get(f"/api/results/{result['id']}/recipe").status_code == 200

    # another field under the same name makes something else
    np.savez(folder / taken["file"], heights=HEIGHTS / 2, x0=-5.0, z0=-2.0, step=STEP)
    changed = client.get(f"/api/results/{result['id']}/recipe")
    assert changed.status_code == 409
    assert "no longer what it was" in changed.json()["error"]


def test_no_other_file_is_opened(client: TestClient, folder: Path) -> None:
    np.save(folder.parent / "outside.npy", HEIGHTS)
    (folder / "grounds").mkdir()
    walk = clip_id(client, "walk")
    for name in ("grounds/../../outside.npy", "../outside.npy", "/etc/passwd", "grounds/none.csv", "outside.npy"):
        answer = client.post(f"/api/clips/{walk}/repath", json={"path": {"shape": "line:6"}, "ground": name})
        assert answer.status_code in (404, 422), name


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("steep.csv", b"0,0,0\n0,9,0\n0,0,0\n", "steep"),
        ("words.csv", b"a,b,c\nd,e,f\n", "number"),
        ("broken.npz", b"PK\x03\x04nothing", "height field"),
        ("walk.bvh", b"HIERARCHY", "read from .npz, .npy, .csv"),
    ],
)
def test_what_is_no_height_field_is_refused_in_a_sentence(
    client: TestClient, folder: Path, name: str, data: bytes, word: str
) -> None:
    answer = sent(client, name, data)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(f"{name}: ")
    assert word in answer.json()["error"]
    assert str(folder) not in answer.text
    assert not list(folder.glob("grounds/*"))
