"""Crowds over a socket: what is sent is what was computed, bad scenarios are one sentence, and what was run can be kept and written."""

from __future__ import annotations

import json
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.crowds.casting import cast
from kinegraph.crowds.named import NAMED
from kinegraph.crowds.reading import scenario_of
from kinegraph.crowds.scenario import CrowdError, Party, Scenario
from kinegraph.crowds.shapes import Rectangle, Round
from kinegraph.player import unpack
from kinegraph.studio.rooms.crowd import runs, scenarios
from kinegraph.studio.rooms.crowd.models import ScenarioModel
from kinegraph.studio.workspace.entries import id_of
from kinegraph.studio.workspace.workspace import Workspace
from tests.studio import graphing

DOOR: dict[str, Any] = {
    "groups": [
        {
            "count": 3,
            "start": {"x": 0, "z": -3, "width": 4, "depth": 2},
            "goal": {"x": 0, "z": 4, "width": 4, "depth": 2},
        }
    ],
    "walls": [[[-5, 0], [-0.8, 0]], [[0.8, 0], [5, 0]]],
}


@pytest.fixture
def graph(folder: Path) -> str:
    """The id of a graph in the workspace."""
    return id_of(graphing.put(folder).name)


def run(client: TestClient, graph: str, stop: bool = False, **asked: Any) -> dict[str, Any]:
    """Run a scenario to its end: the facts of its packs, its arrays, and what was told."""
    told: list[dict[str, Any]] = []
    facts: dict[str, Any] = {}
    parts: list[tuple[dict[str, Any], dict[str, Any]]] = []
    with client.websocket_connect(f"/api/crowd?graph={graph}") as socket:
        socket.send_text(json.dumps({"type": "run", **asked}))
        while not told or told[-1]["type"] not in ("done", "refused"):
            message = socket.receive()
            if message.get("text") is not None:
                told.append(json.loads(message["text"]))
            elif not facts:
                facts, _, _ = unpack(message["bytes"])
            else:
                own, arrays, scales = unpack(message["bytes"])
                assert own["first"] == sum(part["frames"] for part, _ in parts)
                parts.append((own, {name: array * scales.get(name, 1) for name, array in arrays.items()}))
                if stop:
                    socket.send_text(json.dumps({"type": "stop"}))
    arrays = {name: np.concatenate([part[name] for _, part in parts]) for name in parts[0][1]} if parts else {}
    return {"facts": facts, "told": told, **arrays}


def refusal(client: TestClient, graph: str, **asked: Any) -> str:
    last = run(client, graph, **asked)["told"][-1]
    assert last["type"] == "refused", last
    return str(last["error"])


def test_what_is_sent_is_what_was_computed(client: TestClient, graph: str, folder: Path) -> None:
    found = run(client, graph, scenario={"named": "hallway", "count": 4}, seconds=3, seed=5)
    own = kg.crowd(str(folder / "graph.mog"), "hallway:4", seconds=3, seed=5)
    assert found["facts"]["crowd"]["people"] == 4
    assert found["facts"]["crowd"]["every"] == 1
    assert found["facts"]["crowd"]["group"] == [0, 0, 1, 1]
    assert len(found["facts"]["crowd"]["scene"]["walls"]) == 2
    assert found["root"].shape == own.root.shape
    assert np.abs(found["root"] - own.root).max() < 1e-5
    assert np.abs(found["rotations"] - own.rotations).max() < 1e-4
    assert np.array_equal(found["flags"] & 1 > 0, own.present)
    assert [one["type"] for one in found["told"]] == ["preparing", "preparing", "computed", "done"]
    report = found["told"][-1]["report"]
    assert report["people"] == 4
    assert report["seconds"] == 3.0


def test_everybody_goes_through_a_drawn_door_and_it_is_written(client: TestClient, graph: str, folder: Path) -> None:
    found = run(client, graph, scenario=DOOR, seconds=25, seed=1)
    assert found["told"][-1]["report"]["arrived"] == 3
    assert (found["flags"][-1] & 4 > 0).all()
    for person in range(3):
        x, z = found["root"][:, person, 0], found["root"][:, person, 2]
        through = np.flatnonzero((z[:-1] < 0) & (z[1:] >= 0))
        assert len(through)
        assert np.abs(x[through]).max() < 0.8
    number = found["facts"]["crowd"]["run"]
    for suffix in (".npz", ".zip", ".csv"):
        answer = client.post(f"/api/crowd/{number}/export", json={"name": "door", "format": suffix})
        assert answer.status_code == 202, answer.text
        job = ended(client, answer.json()["id"])
        assert job["state"] == "done", job
        assert (folder / job["result"]["export"]["file"]).is_file()
    with zipfile.ZipFile(folder / "exports" / "door.zip") as packed:
        assert sorted(packed.namelist())[-1] == "door/tracks.csv"
        assert len(packed.namelist()) == 4
    about = json.loads((folder / "exports" / "door.npz.json").read_text())
    words = about["command"].split("'")
    assert about["command"].startswith("kinegraph crowd graph.mog 'scenarios/drawn ")
    assert about["command"].endswith("--seconds 25 --seed 1 -o exports/door.npz")
    again = kg.crowd(str(folder / "graph.mog"), str(folder / words[1]), seconds=25, seed=1)
    assert np.abs(again.root - found["root"]).max() < 1e-4


def test_a_run_that_is_gone_is_computed_again_to_be_written(client: TestClient, graph: str, app: Any) -> None:
    found = run(client, graph, scenario={"named": "circle", "count": 2}, seconds=1)
    number = found["facts"]["crowd"]["run"]
    job = ended(client, client.post(f"/api/crowd/{number}/export", json={"name": "a", "format": ".csv"}).json()["id"])
    app.state.crowds.runs._held.clear()
    request = {"name": "b", "format": ".csv"}
    assert "no longer held" in client.post(f"/api/crowd/{number}/export", json=request).json()["error"]
    again = app.state.jobs.submit("crowd", "b.csv", {**job["request"], "name": "b"})
    assert ended(client, again.id)["state"] == "done"
    written = [(app.state.workspace.root / "exports" / f"{name}.csv").read_bytes() for name in "ab"]
    assert written[0] == written[1]


def ended(client: TestClient, id: str) -> dict[str, Any]:
    """A job, once it has ended."""
    for _ in range(600):
        job = next(one for one in client.get("/api/jobs").json() if one["id"] == id)
        if job["state"] not in ("queued", "running"):
            return dict(job)
        time.sleep(0.1)
    raise AssertionError("it does not end")


def test_what_is_stopped_stays_as_far_as_it_is(client: TestClient, graph: str) -> None:
    found = run(client, graph, stop=True, scenario={"named": "square", "count": 12}, seconds=600)
    assert 0 < len(found["root"]) < found["facts"]["crowd"]["frames"]
    assert found["told"][-1]["report"]["seconds"] < 600


def test_a_page_that_goes_stops_its_run(client: TestClient, graph: str, app: Any) -> None:
    with client.websocket_connect(f"/api/crowd?graph={graph}") as socket:
        asked = {"type": "run", "scenario": {"named": "square", "count": 12}, "seconds": 600}
        socket.send_text(json.dumps(asked))
        while socket.receive().get("bytes") is None:
            pass
    (left,) = app.state.crowds.runs._held.values()
    for _ in range(100):
        if left.over and app.state.crowds.runs._under_way == 0:
            break
        time.sleep(0.05)
    assert left.over
    assert left.ready < 600 * 30
    assert app.state.crowds.runs._under_way == 0


def test_what_fails_while_it_is_computed_is_told(
    client: TestClient, graph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(run: runs.Run) -> None:
        raise CrowdError("the floor gave way")

    monkeypatch.setattr(runs.Run, "compute", fails)
    assert refusal(client, graph, scenario={"named": "circle", "count": 2}) == "the floor gave way"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"named": "dance"}, "input should be 'circle', 'hallway'"),
        ({}, "a scenario is one of: named, kept, or groups with walls"),
        ({"named": "circle", "count": 100_000}, "100,000 people are more than the 20,000 that one run takes"),
        ({"named": "circle", "count": 5000}, "5,000 people are more than the 4,000 that a page shows"),
        ({"named": "circle", "count": 2000}, "2,000 people for 60 s are 1,"),
        ({**DOOR, "walls": [[[-3, 2], [3, 2], [3, 6], [-3, 6], [-3, 2]]]}, "there is no way from"),
        ({**DOOR, "walls": [[[-9, -9], [9, -9], [9, 0], [-9, 0], [-9, -9]]]}, "there is no way from"),
        ({**DOOR, "groups": [{**DOOR["groups"][0], "count": 90}]}, "of its 90 people fit where they start"),
        ({"kept": "0123456789ab"}, "there is no such scenario in the workspace"),
    ],
)
def test_what_cannot_be_is_one_sentence(client: TestClient, graph: str, change: dict[str, Any], sentence: str) -> None:
    assert sentence in refusal(client, graph, scenario=change)


def test_who_cannot_be_let_in_is_told_why(client: TestClient, graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"scenario": {"named": "circle", "count": 2}, "seconds": 1}
    assert refusal(client, "0123456789ab", **asked).startswith("there is no such graph or space")
    assert refusal(client, "", **asked) == "say which graph they live on: /api/crowd?graph=ID"
    assert refusal(client, graph, **asked, colour="red").startswith("this is no run: run.colour: extra inputs")
    monkeypatch.setattr(runs, "MOST", 0)
    assert refusal(client, graph, **asked).startswith("0 crowds are computed here already")


def test_scenarios_are_shown_kept_and_run_again(client: TestClient, graph: str, folder: Path) -> None:
    drawn = client.post("/api/crowd/scene", json=DOOR).json()
    assert drawn["people"] == 3
    assert drawn["walls"][0] == [[-5, 0], [-0.8, 0]]
    assert client.get("/api/crowd/scenarios").json() == []
    kept = client.post("/api/crowd/scenarios", json={"name": "my door", "scenario": DOOR, "seed": 4}).json()
    assert kept["file"] == "scenarios/my door.toml"
    assert [one["id"] for one in client.get("/api/crowd/scenarios").json()] == [kept["id"]]
    same = client.post("/api/crowd/scene", json={"kept": kept["id"]}).json()
    assert same["walls"] == drawn["walls"]
    assert same["groups"][0]["start"] == drawn["groups"][0]["start"]
    found = run(client, graph, scenario={"kept": kept["id"]}, seconds=1)
    assert found["facts"]["crowd"]["people"] == 3
    asked = {"name": "../x", "scenario": DOOR}
    assert client.post("/api/crowd/scenarios", json=asked).status_code >= 400
    assert sorted(path.name for path in (folder / "scenarios").iterdir()) == ["my door.toml"]


def test_a_kept_scenario_is_drawn_again_to_be_changed(client: TestClient, folder: Path) -> None:
    kept = client.post("/api/crowd/scenarios", json={"name": "door", "scenario": DOOR}).json()
    again = client.post("/api/crowd/drawing", json={"kept": kept["id"]}).json()
    assert again == {"groups": [{**DOOR["groups"][0], "name": ""}], "walls": DOOR["walls"], "notices": []}
    # what the tools cannot draw is told
    (folder / "scenarios" / "more.toml").write_text(
        'ground = "hill:1,6"\n[[group]]\nname = "guests"\ncount = 2\nfrom = { disc = [0, 0, 2] }\nto = [[5, 0]]\nspeed = 1\n'
        "[[obstacle]]\nbox = [2, 4, 1, 1]\n"
    )
    more = next(one["id"] for one in client.get("/api/crowd/scenarios").json() if one["name"] == "more")
    drawn = client.post("/api/crowd/drawing", json={"kept": more}).json()
    assert drawn["groups"][0]["goal"] == {"x": 5, "z": 0, "width": 1, "depth": 1}
    assert len(drawn["walls"][0]) == 5
    told = " ".join(drawn["notices"])
    for word in (
        "guests: from and to became a box",
        "speed is as usual",
        "obstacles became walls",
        "hill:1,6 is level",
    ):
        assert word in told
    ground = client.post("/api/crowd/scene", json={"kept": more}).json()["ground"]
    assert len(ground["heights"]) == ground["rows"] * ground["columns"]
    assert max(ground["heights"]) == pytest.approx(1.0, abs=0.01)


def test_all_that_is_said_of_people_survives_being_written(tmp_path: Path) -> None:
    party = Party(
        2, Round(0, 0, 3), Rectangle(9, 0, 2, 2), 1.1, 0.2, "walk", "stand", "guests", (0.9, 0.05), 0.06, ("walk*",)
    )
    own = Scenario("all", (party,), seed=3, ground="hill:1,6")
    (tmp_path / "all.toml").write_text(scenarios.toml(own, "all"))
    assert scenario_of(tmp_path / "all.toml") == own


@pytest.mark.parametrize("name", NAMED)
def test_built_in_scenarios_survive_being_written(name: str, tmp_path: Path) -> None:
    """To the hundredth of a millimetre, which is what a file holds."""
    own = scenarios.scenario(Workspace(tmp_path), ScenarioModel(named=name, count=10), 2)
    (tmp_path / "own.toml").write_text(scenarios.toml(own, name))
    again = scenario_of(tmp_path / "own.toml")
    assert again.seed == 2
    assert again.name == name
    assert np.abs(cast(again).start - cast(own).start).max() < 1e-4


def test_frames_are_left_out_before_people_are() -> None:
    assert runs.thinning(300, 1801, 24, 30.0) == 2
    with pytest.raises(CrowdError, match="take fewer people or fewer seconds"):
        runs.thinning(2000, 1801, 24, 30.0)
