from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.player import unpack
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace
from tests.cli.inprocess import call
from tests.studio.asking import clip_id, ended

PUNCHES = [name for name in kg.samples.names() if name.startswith("punch")]


@pytest.fixture(scope="module")
def boxing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a space of punches, and with the punches themselves."""
    root = tmp_path_factory.mktemp("boxing")
    (root / "clips").mkdir()
    (root / "spaces").mkdir()
    for name in PUNCHES:
        kg.save(kg.samples.make(name).motion, root / "clips" / f"{name}.bvh")
    built = kg.strikes.build([root / "clips" / f"{name}.bvh" for name in PUNCHES], "punch")
    kg.strikes.save(built, root / "spaces" / "punches.mog")
    return root


@pytest.fixture(scope="module")
def ring(boxing: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Workspace(boxing), hosts={"testserver"})) as client:
        yield client


@pytest.fixture(scope="module")
def id_(ring: TestClient) -> str:
    return str(ring.get("/api/state").json()["spaces"][0]["id"])


@pytest.fixture(scope="module")
def space(boxing: Path) -> kg.strikes.Space:
    return kg.strikes.load(boxing / "spaces" / "punches.mog")


def struck(ring: TestClient, id_: str, *target: float, **asked: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = ring.post(f"/api/spaces/{id_}/reach", json={"target": list(target), **asked})
    assert answer.status_code == 200, answer.text
    facts, arrays, scales = unpack(answer.content)
    return facts, {name: scales.get(name, 1.0) * array for name, array in arrays.items()}


def test_a_space_is_described(ring: TestClient, id_: str, space: kg.strikes.Space) -> None:
    told = ring.get(f"/api/spaces/{id_}").json()
    assert (told["kind"], told["side"], told["limb"], told["fps"]) == ("punch", "right", "right hand", 60)
    assert [example["clip"] for example in told["examples"]] == [each.clip for each in space.examples.strikes]
    assert np.allclose([example["hit"] for example in told["examples"]], space.examples.hits, atol=1e-5)
    assert np.allclose(told["corners"], space.region.corners, atol=1e-5)
    assert np.allclose([told["low"], told["high"]], [space.region.low, space.region.high], atol=1e-5)
    assert len(told["ready"]["positions"]) == len(told["ready"]["parents"]) == len(space.examples.skeleton)
    feet = [place[1] for place in told["ready"]["tips"]["positions"]]
    assert -0.05 < min(feet) < 0.2


def test_reliability_is_told_where_it_is_said_to_be(ring: TestClient, id_: str, space: kg.strikes.Space) -> None:
    answer = ring.get(f"/api/spaces/{id_}/trust")
    facts, arrays, _ = unpack(answer.content)
    rows, columns = arrays["reliability"].shape
    for row, column in ((0, 0), (rows - 1, 0), (rows // 2, columns // 3)):
        place = np.array([facts["x0"] + column * facts["step"], facts["y0"] + row * facts["step"]])
        # what is foreseen of strikes there changes evenly between places of a coarser grid
        assert arrays["reliability"][row, column] == pytest.approx(space.foreseen(place), abs=0.05)
    # the box, and room around it
    assert facts["x0"] < space.region.low[0] - 0.2
    assert facts["x0"] + facts["step"] * (columns - 1) > space.region.high[0] + 0.2


def test_a_strike_is_the_one_of_the_command_line(ring: TestClient, id_: str, boxing: Path) -> None:
    facts, arrays = struck(ring, id_, 0.1, 1.3)
    told = call("space", "reach", "spaces/punches.mog", "0.1,1.3", "--json", folder=boxing).json
    strike = facts["result"]["strike"]
    for name in ("target", "hit", "hit_frame", "miss_cm", "reached", "inside", "reliability", "weights", "frames"):
        assert strike[name] == told[name], name
    assert strike["finish"].startswith("feet held")
    assert facts["result"]["short"] is None
    assert facts["result"]["source"] == {"space": id_}
    made = kg.strikes.load(boxing / "spaces" / "punches.mog").reach((0.1, 1.3)).motion
    assert np.abs(arrays["rotations"] - made.rotations).max() < 2e-5
    quality = facts["result"]["quality"]
    assert quality["held_slide_mm"]["max"] < 1
    assert quality["slide_mm"]["max"] < 5


def test_with_the_other_hand_the_target_stays(ring: TestClient, id_: str) -> None:
    facts, arrays = struck(ring, id_, -0.1, 1.3, mirror=True)
    strike = facts["result"]["strike"]
    assert strike["limb"] == "left hand"
    assert np.allclose(strike["hit"][:2], [-0.1, 1.3], atol=1e-3)
    plain, unmirrored = struck(ring, id_, 0.1, 1.3)
    # what stands on the left stood on the right
    assert np.array_equal(arrays["contacts"], unmirrored["contacts"][:, [2, 3, 0, 1]])
    assert sorted(plant["foot"] for plant in facts["result"]["plants"]) == sorted(
        {"left": "right", "right": "left"}[plant["foot"]] for plant in plain["result"]["plants"]
    )


def test_what_cannot_be_reached_is_told_with_the_nearest(ring: TestClient, id_: str) -> None:
    facts, _ = struck(ring, id_, 3.0, 1.3)
    result = facts["result"]
    assert not result["reached"]
    assert "cannot be reached" in result["short"]
    assert result["strike"]["miss_cm"] > 100


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"target": [1]}, 422),
        ({"target": [0.1, 1.3, 0.5, 1]}, 422),
        ({"target": [0.1, 1e9]}, 422),
        ({"target": [0.1, 1.3], "method": "magic"}, 422),
        ({"target": [2.0, 1.3, 0.6], "method": "partial"}, 400),
        ({"target": [0.1, 1.3], "space": "no such"}, 400),
    ],
)
def test_senseless_targets_are_refused(ring: TestClient, id_: str, asked: dict[str, Any], status: int) -> None:
    answer = ring.post(f"/api/spaces/{id_}/reach", json=asked)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]


def test_a_space_is_built_from_clips(ring: TestClient, boxing: Path) -> None:
    clips = [clip_id(ring, name) for name in PUNCHES]
    job = ring.post("/api/spaces", json={"name": "my punches", "clips": clips, "kind": "punch"}).json()
    done = ended(ring, job["id"])
    assert done["state"] == "done", done
    file = boxing / done["result"]["file"]
    assert file == boxing / "spaces" / "my punches.mog"
    made = kg.strikes.load(file)
    assert made.name == "my punches"
    assert len(made.examples) == len(PUNCHES)
    listed = [space["space"] for space in ring.get("/api/state").json()["spaces"]]
    assert "my punches" in listed
    again = ended(
        ring, ring.post("/api/spaces", json={"name": "my punches", "clips": clips, "kind": "punch"}).json()["id"]
    )
    assert again["result"]["file"] == "spaces/my punches 2.mog"
    for path in (file, boxing / again["result"]["file"]):
        path.unlink()


def test_clips_without_strikes_fail_with_a_sentence(ring: TestClient, boxing: Path) -> None:
    kg.save(kg.samples.make("walk").motion, boxing / "clips" / "walk.bvh")
    job = ring.post("/api/spaces", json={"name": "x", "clips": [clip_id(ring, "walk")], "kind": "punch"}).json()
    done = ended(ring, job["id"])
    assert done["state"] == "failed"
    assert "walk" in done["message"]
    assert not (boxing / "spaces" / "x.mog").exists()


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"name": "../up", "kind": "punch"}, 422),
        ({"name": "x", "kind": "slap"}, 422),
        ({"name": "x", "kind": "punch", "clips": []}, 422),
        ({"name": "x", "kind": "punch", "clips": ["0123456789ab"]}, 404),
    ],
)
def test_senseless_builds_are_refused_at_once(ring: TestClient, asked: dict[str, Any], status: int) -> None:
    body = {"clips": [clip_id(ring, PUNCHES[0])], **asked}
    assert ring.post("/api/spaces", json=body).status_code == status
