"""What is told of packs and events is what they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.player import unpack
from kinegraph.studio.server import facts
from kinegraph.studio.workspace.entries import id_of
from tests.studio import graphing
from tests.studio.asking import clip_id


@pytest.fixture
def graph(folder: Path) -> str:
    return id_of(graphing.put(folder).name)


@pytest.fixture
def space(folder: Path) -> str:
    takes = [name for name in kg.samples.names() if name.startswith("punch")][:5]
    kg.strikes.save(kg.strikes.build([kg.samples.make(name).motion for name in takes], "punch"), folder / "s.mog")
    return id_of("s.mog")


def fits(model: type[BaseModel], held: dict[str, Any]) -> Any:
    """What is held, as the model reads it; it knows every name that is there, at every depth."""
    read = model.model_validate(held)
    written = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert json.dumps(written, sort_keys=True) == json.dumps(held, sort_keys=True)
    return read


def facts_of(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    return unpack(answer.content)[0]


def test_clips_and_bodies(client: TestClient) -> None:
    walk = clip_id(client, "walk")
    motion = fits(facts.MotionFacts, facts_of(client.get(f"/api/clips/{walk}/motion")))
    body = fits(facts.BodyPack, facts_of(client.get(f"/api/clips/{walk}/body")))
    assert motion.body == body.id


def test_pairs(client: TestClient) -> None:
    walk, run = clip_id(client, "walk"), clip_id(client, "run")
    fits(facts.MatrixPack, facts_of(client.get(f"/api/matrix?a={walk}&b={run}")))
    asked = {"a": walk, "b": run, "i": 3, "j": 5}
    assert fits(facts.TransitionPack, facts_of(client.post("/api/transition", json=asked))).transition.length > 0


def test_graphs(client: TestClient, graph: str) -> None:
    fits(facts.EdgesPack, facts_of(client.get(f"/api/graphs/{graph}/edges")))
    summary = client.get(f"/api/graphs/{graph}").json()["summary"]
    fits(facts.GraphSummary, {name: summary[name] for name in facts.GraphSummary.model_fields})


def test_walks(client: TestClient, graph: str) -> None:
    asked = {"path": {"shape": "wave:8,0.8"}, "label": "walk"}
    made = fits(facts.ResultPack, facts_of(client.post(f"/api/graphs/{graph}/follow", json=asked))).result
    assert made.room == "follow"
    assert made.transitions
    assert made.plants
    again = facts_of(client.get(f"/api/results/{made.id}/motion"))
    assert fits(facts.ResultPack, again).result == made
    random = facts_of(client.post(f"/api/graphs/{graph}/walk", json={"seconds": 2}))
    assert fits(facts.ResultPack, random).result.room == "walk"


def test_repath(client: TestClient) -> None:
    asked = {"path": {"shape": "circle:2"}, "cycle": True, "ground": "hill:0.5,4"}
    made = fits(facts.ResultPack, facts_of(client.post(f"/api/clips/{clip_id(client, 'walk')}/repath", json=asked)))
    assert made.result.ground is not None
    assert made.result.own_path
    grid = {"text": "hill:0.5,4", "x0": -5, "z0": -1, "step": 0.5, "rows": 9, "columns": 21}
    assert fits(facts.GroundPack, facts_of(client.get("/api/ground", params=grid))).columns == 21


def test_strikes(client: TestClient, space: str) -> None:
    fits(facts.TrustPack, facts_of(client.get(f"/api/spaces/{space}/trust")))
    answer = client.post(f"/api/spaces/{space}/reach", json={"target": [0.0, 1.3]})
    made = fits(facts.ResultPack, facts_of(answer)).result
    assert made.strike is not None
    assert made.strike.weights


def test_events(client: TestClient) -> None:
    kinds = {"job": facts.JobEvent, "clip": facts.ClipEvent, "changed": facts.ChangedEvent}
    heard: set[str] = set()
    with client.websocket_connect("/api/events") as socket:
        client.get("/api/state")  # clips that are not known yet are read, and told
        client.post("/api/samples")
        while heard < set(kinds):
            event = socket.receive_json()
            fits(kinds[event["type"]], event)
            heard.add(event["type"])


def test_live_people(client: TestClient, graph: str) -> None:
    with client.websocket_connect(f"/api/live?graph={graph}") as socket:
        while (message := socket.receive()).get("text") is not None:
            fits(facts.LiveTold, json.loads(message["text"]))
        person = fits(facts.LivePack, unpack(message["bytes"])[0])
        assert "walk" in person.live.labels
        socket.send_json({"type": "take"})
        while (message := socket.receive()).get("text") is None:
            socket.send_json({"type": "seen", "frame": 2**31})
        assert fits(facts.LiveTold, json.loads(message["text"])).type in ("taken", "problem")


def test_a_problem(client: TestClient) -> None:
    fits(facts.Problem, client.get("/api/clips/000000000000").json())


def test_the_description_tells_of_them(client: TestClient) -> None:
    told = client.get("/api/openapi.json").json()["components"]["schemas"]
    assert {model.__name__ for model in facts.FACTS} <= set(told)
    assert "StrikeFacts" in told
    assert set(told["TransitionFacts"]["properties"]) == {"first", "length", "cost_cm", "from", "to", "at"}
