"""Labels that people give: what was found stays beside them, many clips are labelled at once, and all of it is undone."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kinegraph.graph.labels import TimedLabel
from kinegraph.graph.model import LabelSpan
from kinegraph.studio.rooms.library.labelling import with_found
from tests.studio.asking import clip_id

FOUND = [LabelSpan("walk", 0, 60), LabelSpan("stand", 60, 90), LabelSpan("turn_left", 10, 20)]


def own(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "labels.toml").read_text())


def test_what_was_found_stays_where_a_label_is_added() -> None:
    wanted = with_found(FOUND, [TimedLabel("careful", 1.0, 2.5)], 90, 30.0)
    assert wanted == [TimedLabel("careful", 1.0, 2.5), TimedLabel("walk", 1.0, 2.0), TimedLabel("stand", 2.0, 2.5)]


def test_what_lies_over_the_rest_needs_nothing_beside_it() -> None:
    assert with_found(FOUND, [TimedLabel("turn_right", 0.0, 1.0)], 90, 30.0) == [TimedLabel("turn_right", 0.0, 1.0)]


def test_what_people_took_away_does_not_come_back() -> None:
    # somebody says run, and that it is no walk
    known = [LabelSpan("run", 0, 60, "file"), LabelSpan("stand", 60, 90)]
    assert with_found(known, [TimedLabel("run", 0.0, 2.0)], 90, 30.0) == [TimedLabel("run", 0.0, 2.0)]
    longer = with_found(known, [TimedLabel("run", 0.0, None)], 90, 30.0)
    assert longer == [TimedLabel("run", 0.0, None), TimedLabel("stand", 2.0, None)]


def test_a_clip_keeps_what_was_found_in_it(client: TestClient, folder: Path) -> None:
    (folder / "walk.bvh").rename(folder / "take.bvh")
    id = clip_id(client, "take")
    before = {span["label"] for span in client.get(f"/api/clips/{id}").json()["spans"]}
    answer = client.patch(f"/api/clips/{id}", json={"labels": [{"label": "careful"}], "keep_found": True})
    assert answer.status_code == 200
    assert {span["label"] for span in client.get(f"/api/clips/{id}").json()["spans"]} == before | {"careful"}


def test_many_clips_are_labelled_at_once_and_back(client: TestClient, folder: Path) -> None:
    ids = [clip_id(client, name) for name in ("walk", "run")]
    changed = client.post("/api/labels", json={"clips": ids, "add": ["careful"]}).json()
    assert [one["clip"] for one in changed] == ids
    assert {name: set(table["labels"]) for name, table in own(folder).items()} == {
        "walk": {"careful", "walk"},
        "run": {"careful", "run"},
    }
    # again changes nothing
    assert client.post("/api/labels", json={"clips": ids, "add": ["careful"]}).json() == []
    removed = client.post("/api/labels", json={"clips": ids, "remove": ["careful"]}).json()
    assert len(removed) == 2
    back = [{"clip": one["clip"], "labels": one["before"]} for one in changed]
    assert client.put("/api/labels", json={"clips": back}).status_code == 204
    assert own(folder) == {}


@pytest.mark.parametrize(
    "asked",
    [{"clips": []}, {"clips": ["nothing"]}, {"clips": ["0" * 12], "add": ["Not a label"]}, {"clips": ["0" * 12]}],
)
def test_what_makes_no_sense_is_refused(client: TestClient, asked: dict[str, Any]) -> None:
    assert client.post("/api/labels", json=asked).status_code in (404, 422)


def origin(client: TestClient, name: str) -> tuple[str | None, str | None]:
    clip = next(one for one in client.get("/api/state").json()["clips"] if one["name"] == name)
    return clip["origin"], clip["made_by"]


def test_where_clips_come_from(client: TestClient, folder: Path, sample_files: Path) -> None:
    assert origin(client, "walk") == (None, None)
    piece = client.post(f"/api/clips/{clip_id(client, 'walk')}/trim", json={"first": 10, "last": 50, "name": "piece"})
    client.patch(f"/api/clips/{piece.json()['id']}", json={"name": "step"})
    assert origin(client, "step") == ("frames 10 to 49 of walk", None)
    with (sample_files / "stand.bvh").open("rb") as file:
        client.post("/api/clips", files={"files": ("C:\\takes\\still.bvh", file)})
    assert origin(client, "still") == ("added here", None)


@pytest.mark.parametrize(
    ("sidecar", "made"),
    [
        ('{"kinegraph": "0.1.0", "command": "kinegraph follow a.mog eight:2"}', "kinegraph follow a.mog eight:2"),
        ('{"something": "else"}', None),
        ("[" * 10_000, None),
        ("no JSON", None),
    ],
)
def test_results_of_ours_are_known_by_the_file_beside_them(
    client: TestClient, folder: Path, sidecar: str, made: str
) -> None:
    (folder / "walk.bvh.json").write_text(sidecar)
    assert origin(client, "walk")[1] == made
