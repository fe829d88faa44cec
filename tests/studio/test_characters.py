"""Characters of the studio: taken, refused, shown with a motion on them, exported."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph import characters
from kinegraph.characters.writing import local
from kinegraph.player import unpack
from tests.characters import rigs
from tests.characters.test_faults import dog, twice
from tests.studio.asking import clip_id
from tests.studio.test_commands import run_command, run_python


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A character that is no mannequin of ours: it is smaller, and is made in centimetres, Z up."""
    return rigs.make(tmp_path_factory.mktemp("rig") / "hero.glb", up="z", unit=0.01, size=0.8, lowered=40.0).save()


def sent(client: TestClient, file: Path, name: str = "") -> Any:
    return client.post("/api/characters", files={"files": (name or file.name, file.read_bytes())})


def listed(client: TestClient) -> list[str]:
    return [one["file"] for one in client.get("/api/state").json()["characters"]]


def test_a_character_is_taken_and_shown_with_any_motion(client: TestClient, folder: Path, hero: Path) -> None:
    taken = sent(client, hero).json()
    assert taken["file"] == "characters/hero.glb"
    assert listed(client) == ["characters/hero.glb"]
    assert client.get(f"/api/characters/{taken['id']}/file").content == hero.read_bytes()
    detail = client.get(f"/api/characters/{taken['id']}").json()
    assert detail["roles"]["left_ankle"] == "mixamorig:LeftFoot"
    # it is none of the clips, though it is a GLB
    assert all("hero" not in one["file"] for one in client.get("/api/state").json()["clips"])

    walk = clip_id(client, "walk")
    facts, arrays, scales = unpack(client.get(f"/api/clips/{walk}/on/{taken['id']}").content)
    loaded = characters.load(hero)
    moved = characters.put(kg.load(folder / "walk.bvh"), loaded)
    places, turns = local(moved)
    assert facts["nodes"] == list(loaded.bones.nodes)
    assert np.abs(arrays["rotations"] * scales["rotations"] - turns).max() < 2e-5
    assert np.abs(arrays["translations"] - places[:, facts["moving"]]).max() < 1e-3  # centimetres, singles
    # shown so large, it goes as far as whoever walked
    way = facts["size"] * np.ptp(moved.positions[:, loaded.roles.joints["hips"], 2])
    assert way == pytest.approx(np.ptp(kg.load(folder / "walk.bvh").position("hips")[:, 2]), rel=0.02)

    result = unpack(client.post(f"/api/clips/{walk}/repath", json={"path": {"shape": "line:3"}}).content)[0]["result"]
    answer = client.get(f"/api/results/{result['id']}/on/{taken['id']}")
    assert unpack(answer.content)[0]["frames"] > 10


def test_skins_that_lie_in_the_folder_are_listed_but_no_mannequins(
    client: TestClient, folder: Path, hero: Path
) -> None:
    shutil.copy(hero, folder / "mine.glb")
    kg.save(kg.samples.make("stand").motion, folder / "ours.glb")
    (folder / "broken.glb").write_bytes(b"glTF\2\0\0\0")
    assert listed(client) == ["mine.glb"]


def test_what_is_no_character_is_refused_as_the_command_refuses_it(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    made = rigs.make(tmp_path / "mesh.glb")
    del made.tree["skins"], made.tree["nodes"][-2]["skin"]
    answer = sent(client, made.save())
    assert (answer.status_code, answer.json()["error"][:36]) == (422, "mesh.glb: there is no skin in it, on")
    bust = sent(client, rigs.make(tmp_path / "bust.glb", legs=False).save(), "../../a bust.glb")
    assert bust.status_code == 422
    assert "a file a bust.toml beside it" in bust.json()["error"]
    assert "incoming" not in bust.text
    assert (
        "drop one character at a time"
        in client.post("/api/characters", files=[("files", (f"{name}.glb", b"x")) for name in "ab"]).json()["error"]
    )
    assert listed(client) == []
    assert not (folder / "characters").exists()
    assert client.get("/api/characters/0123456789ab/file").status_code == 404


def test_each_kind_of_misfit_says_what_was_found_and_what_to_do(
    client: TestClient, folder: Path, tmp_path: Path
) -> None:
    said = {
        "two": ("there are 2 skins, 'Hero', 'Other'", "two.toml beside it"),
        "dog": ("this seems to be a quadruped", "--role hips=NODE"),
    }
    for made in (twice(tmp_path / "two.glb"), dog(tmp_path / "dog.glb")):
        answer = sent(client, made.path)
        assert answer.status_code == 422
        for part in said[made.path.stem]:
            assert part in answer.json()["error"]
        assert "put both into the folder of the workspace" in answer.json()["error"]
    (folder / "two.toml").write_text('skin = "Other"\n')
    shutil.copy(tmp_path / "two.glb", folder)
    assert listed(client) == ["two.glb"]
    bare = rigs.make(tmp_path / "bare.glb")
    for key in ("JOINTS_0", "WEIGHTS_0"):
        del bare.tree["meshes"][0]["primitives"][0]["attributes"][key]
    taken = sent(client, bare.save()).json()
    assert any("no weights" in told for told in client.get(f"/api/characters/{taken['id']}").json()["notices"])


@pytest.mark.parametrize("kind", ["clip", "result"])
@pytest.mark.parametrize("options", [{}, {"in_place": True, "fps": 30}])
def test_an_export_puts_it_on_a_character_and_its_recipe_does_the_same(
    client: TestClient, folder: Path, hero: Path, kind: str, options: dict[str, Any]
) -> None:
    id_ = sent(client, hero).json()["id"]
    walk = clip_id(client, "walk")
    asked = {"path": {"shape": "line:3"}, "ground": "hill:0.3,2"}
    made = unpack(client.post(f"/api/clips/{walk}/repath", json=asked).content)[0]["result"]["id"]
    source = {"kind": kind, "id": walk if kind == "clip" else made}
    body = {"source": source, "format": ".glb", "name": "out", "options": options | {"character": id_}}
    told = client.post("/api/export", json=body).json()
    file = folder / told["export"]["file"]
    before = kg.load(file)
    assert len(before.skeleton) == len(characters.load(hero).skeleton)
    for run, text in ((run_command, told["command"]), (run_python, told["python"])):
        file.unlink()
        run(folder, text)
        again = kg.load(file)
        assert np.array_equal(again.root, before.root), text
        assert np.array_equal(again.rotations, before.rotations), text


def test_only_formats_that_hold_a_character_take_one(client: TestClient, hero: Path) -> None:
    id_ = sent(client, hero).json()["id"]
    source = {"kind": "clip", "id": clip_id(client, "walk")}
    for suffix, more, word in ((".bvh", {}, "character is for .glb"), (".glb", {"t_pose": True}, "its file stays")):
        body = {"source": source, "format": suffix, "name": "out", "options": {"character": id_, **more}}
        answer = client.post("/api/export", json=body)
        assert answer.status_code == 422
        assert word in answer.json()["error"]
