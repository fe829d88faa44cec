from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.errors import FormatError
from kinegraph.formats import FORMATS, Format, format, register
from kinegraph.formats.registry import written_suffixes
from kinegraph.player import page, unpack
from kinegraph.studio.rooms.export import exporting, writable
from kinegraph.studio.rooms.export.writable import Options
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.entries import id_of
from kinegraph.studio.workspace.workspace import Workspace
from tests.studio import graphing
from tests.studio.asking import clip_id, ended

READABLE = (".bvh", ".amc", ".npz", ".glb", ".gltf")


def exported(client: TestClient, suffix: str, name: str = "out", **options: Any) -> Any:
    source = {"kind": "clip", "id": clip_id(client, "walk")}
    return client.post("/api/export", json={"source": source, "format": suffix, "name": name, "options": options})


def available() -> list[str]:
    return [one.suffix for one in writable.writable() if one.available]


def test_every_format_of_the_registry_can_be_asked_for() -> None:
    assert {*written_suffixes(), ".html", ".gif", ".mp4", ".png"} == set(writable.formats())
    assert [one.suffix for one in writable.writable()] == list(writable.formats())


@pytest.mark.parametrize("suffix", [each for each in writable.formats() if not writable.formats()[each].slow])
def test_a_clip_is_written_with_its_sidecar(client: TestClient, folder: Path, suffix: str) -> None:
    if suffix not in available():
        pytest.skip(f"{suffix} cannot be written here")
    answer = exported(client, suffix)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    file = folder / told["export"]["file"]
    assert file == folder / "exports" / f"out{suffix}"
    assert file.stat().st_size == told["export"]["size"] > 100
    sidecar = json.loads((folder / told["sidecar"]["file"]).read_text())
    assert told["sidecar"]["file"] == f"exports/out{suffix}.json"
    assert sidecar["kinegraph"] == kg.__version__
    assert sidecar["source"] == {"clip": "walk.bvh"}
    assert (sidecar["command"], sidecar["python"]) == (told["command"], told["python"])
    assert sidecar["export"] == {"format": suffix, "options": {}}
    if suffix in READABLE:
        walk, back = kg.load(folder / "walk.bvh"), kg.load(file)
        for role in ("hips", "head", "left_wrist", "right_toe"):
            assert np.abs(back.position(role) - walk.position(role)).max() < 2e-4, role
    down = client.get(f"/api/exports/{told['export']['id']}/file")
    assert down.content == file.read_bytes()
    assert down.headers["content-disposition"].startswith("attachment")
    assert {entry["file"] for entry in client.get("/api/state").json()["exports"]} >= {told["export"]["file"]}


def test_options_are_those_of_convert(client: TestClient, folder: Path) -> None:
    told = exported(client, ".bvh", fps=30, in_place=True, t_pose=True, units="m").json()
    back = kg.load(folder / told["export"]["file"], units="m", trim_tpose=False)
    walk = kg.load(folder / "walk.bvh").resample(30).in_place()
    assert (back.fps, len(back)) == (30, len(walk) + 1)
    assert np.abs(back.positions[1:] - walk.positions).max() < 1e-3
    sidecar = json.loads((folder / told["sidecar"]["file"]).read_text())
    assert sidecar["export"]["options"] == {"fps": 30, "in_place": True, "t_pose": True, "units": "m"}


@pytest.mark.parametrize(
    ("suffix", "options", "word"),
    [
        (".glb", {"up": "z"}, "up"),
        (".png", {"fps": 30}, "fps"),
        (".html", {"in_place": True}, "in_place"),
        (".bvh", {"units": "furlong"}, "furlong"),
        (".bvh", {"fps": 0}, "fps"),
        (".bvh", {"colour": 1}, "colour"),
        (".exe", {}, "format"),
    ],
)
def test_what_a_format_does_not_take_is_refused(
    client: TestClient, folder: Path, suffix: str, options: dict[str, Any], word: str
) -> None:
    answer = exported(client, suffix, **options)
    assert answer.status_code == 422
    assert word in answer.json()["error"]
    assert not (folder / "exports").exists()


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "con", "x" * 100, "nul\0"])
def test_names_stay_within_the_folder(client: TestClient, folder: Path, name: str) -> None:
    assert exported(client, ".bvh", name).status_code == 422
    assert sorted(path.name for path in folder.parent.iterdir()) == ["secret.bvh", "workspace"]


def test_names_that_are_taken_get_a_number(client: TestClient, folder: Path) -> None:
    files = [exported(client, ".amc").json()["export"]["file"] for _ in range(3)]
    assert files == ["exports/out.amc", "exports/out 2.amc", "exports/out 3.amc"]
    assert all((folder / file).with_suffix(".asf").is_file() for file in files)
    # a file that somebody put there counts too
    (folder / "exports" / "mine.bvh.json").write_text("{}")
    assert exported(client, ".bvh", "mine").json()["export"]["file"] == "exports/mine 2.bvh"


def test_a_film_is_a_job(client: TestClient, folder: Path) -> None:
    short = kg.load(folder / "walk.bvh")[:20]
    kg.save(short, folder / "walk.bvh")
    answer = exported(client, ".gif", "film", fps=10)
    assert answer.status_code == 202, answer.text
    job = ended(client, answer.json()["id"])
    assert job["state"] == "done", job
    assert (folder / job["result"]["export"]["file"]).read_bytes().startswith(b"GIF8")
    assert "--fps 10" in job["result"]["command"]
    assert (folder / "exports" / "film.gif.json").is_file()
    assert not list((folder / ".kinegraph").glob("export-*"))


def test_a_missing_extra_is_told_with_what_to_install(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(format, "find_spec", lambda module: None)
    lacking = {one.suffix: one.why for one in writable.writable() if not one.available}
    assert {".usda", ".usdc", ".gif", ".mp4", ".png"} <= lacking.keys()
    assert "pip install 'kinegraph[usd]'" in str(lacking[".usda"])
    answer = exported(client, ".usda")
    assert answer.status_code == 409
    assert "pip install 'kinegraph[usd]'" in answer.json()["error"]
    assert not (folder / "exports").exists()


def test_a_player_that_is_not_built_is_told_how_to_build(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "is_built", lambda: False)
    answer = exported(client, ".html")
    assert answer.status_code == 409
    assert "make web" in answer.json()["error"]


def test_nothing_half_written_is_left(client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any, **options: Any) -> None:
        raise FormatError("no space left on device")

    monkeypatch.setattr(exporting, "save", full)
    assert exported(client, ".bvh").status_code == 400
    assert not list(folder.glob("exports/*"))
    monkeypatch.undo()
    monkeypatch.setattr(exporting, "write_json", full)
    assert exported(client, ".bvh").status_code == 400
    assert not list(folder.glob("exports/*"))
    assert not list((folder / ".kinegraph").glob("export-*"))


def test_bones_that_change_length_get_one_for_an_amc(client: TestClient, folder: Path) -> None:
    asked = {"path": {"shape": "line:6"}, "keep": "time"}
    answer = client.post(f"/api/clips/{clip_id(client, 'walk')}/repath", json=asked)
    facts, arrays, _ = unpack(answer.content)
    assert "translations" in arrays
    source = {"kind": "result", "id": facts["result"]["id"]}
    told = client.post("/api/export", json={"source": source, "format": ".amc", "name": "round"}).json()
    assert "--rigid" in told["command"]
    assert "rigid=True" in told["python"]
    back = kg.load(folder / told["export"]["file"])
    assert back.translations is None
    assert len(back) == facts["frames"]
    sidecar = json.loads((folder / told["sidecar"]["file"]).read_text())
    assert sidecar["made"] == {"room": "repath", "request": facts["result"]["request"]}


def test_what_was_made_from_a_file_that_is_gone_can_still_be_exported(client: TestClient, folder: Path) -> None:
    walk = clip_id(client, "walk")
    facts, _, _ = unpack(client.post(f"/api/clips/{walk}/repath", json={"path": {"shape": "line:3"}}).content)
    id_ = facts["result"]["id"]
    client.delete(f"/api/clips/{walk}")
    assert client.get(f"/api/results/{id_}/recipe").status_code == 409
    source = {"kind": "result", "id": id_}
    told = client.post("/api/export", json={"source": source, "format": ".bvh", "name": "line"}).json()
    assert (folder / told["export"]["file"]).is_file()
    assert told["command"] == told["python"] == ""


def test_unknown_sources_are_missing(client: TestClient) -> None:
    for kind in ("clip", "result"):
        source = {"kind": kind, "id": "0123456789ab"}
        for suffix in (".bvh", ".gif"):
            body = {"source": source, "format": suffix, "name": "x"}
            assert client.post("/api/export", json=body).status_code == 404
        assert client.get(f"/api/{kind}s/0123456789ab/recipe").status_code == 404
    assert client.get("/api/exports/0123456789ab/file").status_code == 404


def test_options_that_were_not_asked_for_are_not_told() -> None:
    assert Options().given == {}
    assert Options(fps=30.0, up="z").given == {"fps": 30.0, "up": "z"}


def replaced(folder: Path, name: str) -> None:
    """Another motion under the same name."""
    kg.save(kg.load(folder / name)[:40], folder / name)


@pytest.mark.parametrize("kept", [False, True])
def test_what_was_made_from_a_file_that_has_changed_has_no_recipe(client: TestClient, folder: Path, kept: bool) -> None:
    walk = clip_id(client, "walk")
    facts, _, _ = unpack(client.post(f"/api/clips/{walk}/repath", json={"path": {"shape": "line:3"}}).content)
    id_ = facts["result"]["id"]
    if kept:
        id_ = client.post(f"/api/results/{id_}/keep", json={"name": "kept"}).json()["id"]
    # another time of change is no other motion
    (folder / "walk.bvh").touch()
    assert client.get(f"/api/results/{id_}/recipe").status_code == 200
    replaced(folder, "walk.bvh")
    answer = client.get(f"/api/results/{id_}/recipe")
    assert answer.status_code == 409
    assert "no longer what it was" in answer.json()["error"]
    told = client.post(
        "/api/export", json={"source": {"kind": "result", "id": id_}, "format": ".bvh", "name": "line"}
    ).json()
    assert told["command"] == told["python"] == ""
    sidecar = json.loads((folder / told["sidecar"]["file"]).read_text())
    assert (sidecar["source"], sidecar["command"]) == ({}, "")
    (folder / "walk.bvh").write_text("no motion at all")
    assert client.get(f"/api/results/{id_}/recipe").status_code == 409


def test_a_graph_that_was_chosen_anew_makes_another_walk(client: TestClient, folder: Path) -> None:
    graph = id_of(graphing.put(folder).name)
    facts, _, _ = unpack(client.post(f"/api/graphs/{graph}/walk", json={"seconds": 2}).content)
    recipe = f"/api/results/{facts['result']['id']}/recipe"
    assert client.get(recipe).status_code == 200
    job = client.post(f"/api/graphs/{graph}/rechoose", json={"threshold_cm": 4}).json()
    assert ended(client, job["id"])["state"] == "done"
    assert client.get(recipe).status_code == 409


def test_results_that_earlier_versions_kept_have_their_recipe(client: TestClient, folder: Path) -> None:
    walk = clip_id(client, "walk")
    facts, _, _ = unpack(client.post(f"/api/clips/{walk}/repath", json={"path": {"shape": "line:3"}}).content)
    kept = client.post(f"/api/results/{facts['result']['id']}/keep", json={"name": "old"}).json()
    beside = folder / "results" / "old.json"
    told = json.loads(beside.read_text())
    del told["result"]["source_digest"]
    beside.write_text(json.dumps(told))
    replaced(folder, "walk.bvh")
    assert "walk.bvh" in client.get(f"/api/results/{kept['id']}/recipe").json()["command"]


@pytest.mark.parametrize(
    ("held", "status"), [({"patience": 3}, 200), ({"path": {"shape": "snail:3"}}, 409), ({"blend": "magic"}, 409)]
)
def test_what_other_versions_were_asked_for(
    client: TestClient, folder: Path, held: dict[str, Any], status: int
) -> None:
    """Names that are not known are passed over; what cannot be asked for any more has no recipe."""
    graph = id_of(graphing.put(folder).name)
    asked = {"path": {"shape": "line:3"}, "label": "walk"}
    facts, _, _ = unpack(client.post(f"/api/graphs/{graph}/follow", json=asked).content)
    kept = client.post(f"/api/results/{facts['result']['id']}/keep", json={"name": "old"}).json()
    beside = folder / "results" / "old.json"
    told = json.loads(beside.read_text())
    told["result"]["request"] |= held
    beside.write_text(json.dumps(told))
    answer = client.get(f"/api/results/{kept['id']}/recipe")
    assert answer.status_code == status
    if status == 200:
        assert answer.json()["command"].startswith("kinegraph follow graph.mog line:3 --label walk --warp")


def test_what_a_killed_studio_has_drawn_is_removed(folder: Path) -> None:
    left = folder / ".kinegraph" / "export-x1y2z3"
    left.mkdir(parents=True)
    (left / "motion.mp4").write_bytes(b"half a film")
    outside = folder.parent / "precious"
    outside.mkdir()
    (folder / ".kinegraph" / "export-link").symlink_to(outside)
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        assert client.get("/api/state").status_code == 200
        assert not left.exists()
        assert outside.exists()


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_clip_whose_name_is_no_text_is_written_without_a_recipe(client: TestClient, folder: Path) -> None:
    (folder / "walk.bvh").rename(folder / os.fsdecode(b"caf\xe9.bvh"))
    clip = clip_id(client, "caf\N{REPLACEMENT CHARACTER}")
    answer = client.get(f"/api/clips/{clip}/recipe")
    assert answer.status_code == 409
    assert "no text" in answer.json()["error"]
    facts, _, _ = unpack(client.post(f"/api/clips/{clip}/repath", json={"path": {"shape": "line:3"}}).content)
    for source in ({"kind": "clip", "id": clip}, {"kind": "result", "id": facts["result"]["id"]}):
        told = client.post("/api/export", json={"source": source, "format": ".bvh", "name": "coffee"}).json()
        assert (folder / told["export"]["file"]).is_file()
        assert told["command"] == told["python"] == ""


def test_a_format_that_is_added_can_be_exported(folder: Path) -> None:
    class Frames:
        def write(self, motion: kg.Motion, path: Path, *, up: str = "y") -> None:
            Path(path).write_text(f"{len(motion)} frames, {up} up")

    added = Format("Frames", (".frm",), "Nobody.", "How many there are.", Frames(), reads=False, options=("up",))
    register(added)
    try:
        with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
            told = next(one for one in client.get("/api/state").json()["formats"]["write"] if one["suffix"] == ".frm")
            assert (told["name"], told["use"], told["available"]) == ("Frames", "Nobody.", True)
            assert told["takes"] == ["fps", "in_place", "t_pose", "up"]
            described = client.get("/api/openapi.json").json()
            assert ".frm" in described["components"]["schemas"]["ExportAsked"]["properties"]["format"]["enum"]
            made = exported(client, ".frm", up="z", fps=10).json()
            assert (folder / made["export"]["file"]).read_text().endswith("frames, z up")
            assert made["command"] == "kinegraph convert walk.bvh exports/out.frm --fps 10 --target-up z"
    finally:
        FORMATS.remove("Frames")
    with TestClient(create_app(Workspace(folder), hosts={"testserver"})) as client:
        answer = exported(client, ".frm")
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("format: input should be '.bvh', '.amc'")
        assert answer.json()["error"].endswith("or '.png'")
