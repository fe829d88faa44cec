"""People who are steered over a socket: a wish changes what is shown, everybody is somebody else, and who reads slowly gets what is new."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient, WebSocketTestSession

import kinegraph as kg
from kinegraph.errors import GraphError
from kinegraph.graph.store.files import load
from kinegraph.people.stick import read
from kinegraph.player import unpack
from kinegraph.studio.rooms.live import routes, steering, wire
from kinegraph.studio.workspace.entries import id_of
from tests.studio import graphing


@pytest.fixture
def graph(folder: Path) -> str:
    """The id of a graph in the workspace."""
    return id_of(graphing.put(folder).name)


class Person:
    """Somebody who is steered, from the page's side."""

    def __init__(self, socket: WebSocketTestSession):
        self.socket = socket
        self.told: list[dict[str, Any]] = []
        self.facts: dict[str, Any] = {}
        self.frame, self.wish, self.flags = -1, -1, 0
        self.root, self.rotations = np.zeros(3), np.zeros(0)

    def hear(self) -> None:
        """The next message."""
        message = self.socket.receive()
        if message["type"] == "websocket.close":
            raise AssertionError(f"closed: {message}, {self.told[-1:]}")
        if message.get("text") is not None:
            self.told.append(json.loads(message["text"]))
        elif not self.facts:
            self.facts, _, _ = unpack(message["bytes"])
        else:
            data = message["bytes"]
            self.frame, self.wish, self.flags, self.cost, self.over = wire.HEAD.unpack_from(data)
            self.root = np.frombuffer(data, "<f4", 3, wire.HEAD.size)
            self.rotations = np.frombuffer(data, "<i2", -1, wire.HEAD.size + 12).reshape(-1, 4) / 32767

    def say(self, type: str, **facts: Any) -> None:
        self.socket.send_text(json.dumps({"type": type, **facts}))

    def until(self, frames: int) -> None:
        """Read so many further frames."""
        last = self.frame + frames
        while self.frame < last:
            self.next()

    def next(self) -> None:
        """Read the next pose, and say so."""
        before = self.frame
        while self.frame == before:
            self.hear()
        self.say("seen", frame=self.frame)

    def answer(self, type: str) -> dict[str, Any]:
        """The next answer of that type; poses go by."""
        while True:
            count, frame = len(self.told), self.frame
            self.hear()
            if self.frame != frame:
                self.say("seen", frame=self.frame)
            for one in self.told[count:]:
                if one["type"] == type:
                    return one


@contextmanager
def steered(client: TestClient, graph: str) -> Iterator[Person]:
    with client.websocket_connect(f"/api/live?graph={graph}") as socket:
        person = Person(socket)
        while person.frame < 0:
            person.hear()
        person.say("seen", frame=person.frame)
        yield person


def refusal(client: TestClient, address: str) -> tuple[str, int]:
    """The sentence with which a socket is refused, and the code."""
    with client.websocket_connect(address) as socket:
        said = []
        while True:
            message = socket.receive()
            if message["type"] == "websocket.close":
                return said[-1]["error"], message["code"]
            said.append(json.loads(message["text"]))


def test_a_wish_changes_what_is_shown(client: TestClient, graph: str) -> None:
    with steered(client, graph) as person:
        assert [one["stage"] for one in person.told] == ["read", "ways", "values"]
        assert person.facts["kind"] == "motion"
        assert person.facts["fps"] == 30
        assert {"run", "walk"} <= set(person.facts["live"]["labels"])
        assert person.facts["live"]["fastest"] == pytest.approx(3.0, abs=0.1)
        person.until(15)
        stood = person.root.copy()
        assert math.hypot(*stood[[0, 2]]) < 0.2
        person.say("wish", number=7, velocity=[0.0, 1.3])
        while person.wish != 7:
            person.next()
        person.until(90)
        assert person.root[2] > stood[2] + 1.0
        assert abs(person.root[0]) < 0.5
        assert np.abs(np.linalg.norm(person.rotations, axis=1) - 1).max() < 1e-3
        before = person.root.copy()
        person.say("wish", number=8, velocity=[1.3, 0.0])
        person.until(75)
        assert person.root[0] > before[0] + 1.0
        assert person.wish == 8


def test_two_sockets_are_two_people(client: TestClient, graph: str, app: Any) -> None:
    with steered(client, graph) as one, steered(client, graph) as other:
        assert app.state.crowd.people == 2
        one.say("wish", velocity=[0, 1.3])
        other.say("wish", velocity=[0, -1.3])
        one.until(90)
        other.until(90)
        assert one.root[2] > 1 > -1 > other.root[2]
    with steered(client, graph) as anew:
        assert math.hypot(*anew.root[[0, 2]]) < 0.2
    assert app.state.crowd.people == 0


def test_labels_and_actions_are_taken_up_once_they_are_known(client: TestClient, graph: str) -> None:
    with steered(client, graph) as person:
        person.say("wish", velocity=[0, 3.0], label="run", number=1)
        assert person.answer("learning")["label"] == "run"
        person.answer("learnt")
        person.until(45)
        before, first = person.root.copy(), person.frame
        person.until(30)
        assert (person.root - before)[2] / (person.frame - first) * 30 > 2.0
        person.say("wish", velocity=[0, 0], action="turn_left", number=2)
        person.answer("learnt")
        while not person.flags & wire.ACTING:
            person.next()
        person.say("wish", velocity=[0, 1.3], facing=90.0, number=3)
        person.answer("learnt")


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"type": "wish", "velocity": [0, 1], "label": "fly"}, "no frame of this graph is labelled 'fly'; it has "),
        ({"type": "wish", "velocity": [0, 1], "action": "fly"}, "no frame of this graph is labelled 'fly'; it has "),
        (
            {"type": "wish", "velocity": [0, 99]},
            "this is no wish: wish.velocity.1: input should be less than or equal to",
        ),
        ({"type": "wish", "velocity": [0]}, "this is no wish: wish.velocity.1: field required"),
        (
            {"type": "wish", "velocity": [0, 1], "facing": "left"},
            "this is no wish: wish.facing: input should be a valid",
        ),
        ({"type": "dance"}, "this is no wish: input tag 'dance'"),
        ([], "this is no wish: input should be an object"),
        ({"type": "wish", "velocity": [0, 1], "label": "x" * 5000}, "a message of 5,0"),
    ],
)
def test_what_makes_no_sense_is_told_and_changes_nothing(
    client: TestClient, graph: str, message: Any, sentence: str
) -> None:
    with steered(client, graph) as person:
        person.say("wish", number=1, velocity=[0, 1.3])
        person.socket.send_text(json.dumps(message))
        assert person.answer("problem")["error"].startswith(sentence)
        person.until(30)
        assert person.wish == 1
        person.socket.send_bytes(b"\x00\xff")
        assert person.answer("problem")["error"].startswith("this is no wish: invalid JSON")


def test_who_cannot_be_let_in_is_told_why(client: TestClient, graph: str, folder: Path) -> None:
    assert refusal(client, "/api/live?graph=0123456789ab")[0].startswith("there is no such graph or space")
    assert refusal(client, "/api/live") == ("say which graph to live on: /api/live?graph=ID", 1008)
    kg.graph.build([kg.samples.make("stand").motion], path=folder / "still.mog")
    assert refusal(client, f"/api/live?graph={id_of('still.mog')}")[0].startswith("nobody gets anywhere in this graph")
    (folder / "broken.mog").write_bytes(b"nothing")
    sentence, _ = refusal(client, f"/api/live?graph={id_of('broken.mog')}")
    assert "broken.mog" in sentence
    assert str(folder) not in sentence


def test_what_people_cannot_do_is_told_with_them(
    client: TestClient, graph: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same sentences as the command line gives."""
    kg.graph.build([kg.samples.make("walk").motion], path=folder / "restless.mog")
    with steered(client, graph) as person:
        assert person.facts["live"]["notices"] == []
    with steered(client, id_of("restless.mog")) as person:
        (notice,) = person.facts["live"]["notices"]
        assert notice.startswith("nobody stands in this graph: whoever is left alone goes on at 1.")
        # there is one label, and it is done as any other
        assert person.facts["live"]["labels"] == ["walk"]
        assert person.facts["live"]["actions"] == []
        person.say("wish", velocity=[0, 1.2], label="walk", number=1)
        person.answer("learnt")
        person.until(30)
        assert person.root[2] > 0.5
    for place in ("people.steered", "tasks.kinds.steer"):
        monkeypatch.setattr(f"kinegraph.{place}.has_legs", lambda skeleton: False)
    with steered(client, graph) as person:
        (notice,) = person.facts["live"]["notices"]
        assert notice.startswith("the feet are left as they are: this graph does not know which joints are its hips")
        person.say("wish", velocity=[0, 1.2], number=1)
        person.until(60)
        assert person.root[2] > 0.5
        assert not person.flags & 15


def test_an_action_that_cannot_be_worked_out_is_told_and_not_waited_for(
    client: TestClient, graph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one from which no way leads back: the person goes on as it is wished, and so does the server."""

    def work_out(graph: Any, wish: wire.WishSaid, kind: steering.Kind) -> None:
        if kind[2]:
            raise GraphError(f"no way leads back from {kind[0]!r}")
        steering.work_out(graph, wish, kind)

    monkeypatch.setattr(routes, "work_out", work_out)
    with steered(client, graph) as person:
        person.say("wish", velocity=[0, 1.3], action="turn_left", number=1)
        assert person.answer("problem")["error"] == "no way leads back from 'turn_left'"
        person.answer("learnt")
        person.until(60)
        assert not person.flags & wire.ACTING
        assert person.root[2] > 0.5
        person.say("wish", velocity=[0, 3.0], label="run", number=2)
        person.answer("learnt")
        person.until(3)
    with steered(client, graph) as other:
        other.until(3)


def test_one_too_many_is_told_and_may_come_later(client: TestClient, graph: str) -> None:
    with ExitStack() as everybody:
        people = [everybody.enter_context(steered(client, graph)) for _ in range(routes.MOST)]
        sentence, code = refusal(client, f"/api/live?graph={graph}")
        assert sentence.startswith(f"{routes.MOST} people are steered here already")
        assert code == 1013
        for person in people:
            person.until(3)
    with steered(client, graph) as person:
        person.until(3)


def test_who_reads_slowly_gets_what_is_new(client: TestClient, graph: str) -> None:
    """No more than a few poses are on their way; all that could not be sent meanwhile is one pose, the newest."""
    with steered(client, graph) as quick, steered(client, graph) as slow:
        first = slow.frame
        for _ in range(routes.AHEAD):
            slow.hear()
        held = slow.frame
        assert held == first + routes.AHEAD
        # while it says nothing, others are stepped on
        quick.until(60)
        slow.say("seen", frame=held)
        slow.hear()
        assert slow.frame > held + 30
        assert len(slow.told) == 3


def test_a_take_is_what_was_shown(client: TestClient, graph: str, folder: Path) -> None:
    """It can be kept, exported and made again, to the last byte, from its stick."""
    with steered(client, graph) as person:
        person.say("again")
        person.answer("again")
        person.say("wish", velocity=[0, 1.3], number=1)
        person.until(40)
        person.say("wish", velocity=[1.0, 0.8], number=2, label="walk", facing=30.0)
        person.answer("learnt")
        person.until(40)
        person.say("wish", velocity=[0, 0], number=3)
        person.until(20)
        root, frame = person.root.copy(), person.frame
        person.say("take")
        taken = person.answer("taken")["result"]
    facts, arrays, _ = unpack(client.get(f"/api/results/{taken}/motion").content)
    assert np.abs(arrays["root"][frame] - root).max() < 1e-5
    assert facts["result"]["room"] == "live"
    assert facts["result"]["quality"]["walked_m"] > 1.5
    kept = client.post(f"/api/results/{taken}/keep", json={"name": "steered"}).json()
    assert kept["room"] == "live"
    asked = {"source": {"kind": "result", "id": kept["id"]}, "format": ".npz", "name": "out"}
    answer = client.post("/api/export", json=asked)
    assert answer.status_code == 200, answer.text
    assert answer.json()["command"].startswith("kinegraph live graph.mog --stick ")
    assert "kg.steer(" in answer.json()["python"]
    (stick,) = (folder / "sticks").glob("*.json")
    again = kg.steer(load(folder / "graph.mog"), stick=read(stick))
    assert np.array_equal(again.motion.rotations, kg.load(folder / "results" / "steered.npz").rotations)


def test_strikes_hit_what_they_are_sent_to_and_are_taken(client: TestClient, graph: str, folder: Path) -> None:
    """Spaces in the graph's own file are actions; what was shown can be made again from its stick."""
    takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    kg.strikes.save(kg.strikes.build(takes, "punch"), folder / "graph.mog")
    with steered(client, graph) as person:
        assert person.facts["live"]["strikes"] == ["right punch"]
        assert "right punch" in person.facts["live"]["actions"]
        person.say("again")
        person.answer("again")
        for number, at in enumerate(([0.5, 1.5], None), 1):
            person.say("wish", velocity=[0, 0.5], number=number, action="right punch", at=at)
            while not (person.wish == number and person.flags & wire.ACTING):
                person.next()
            while person.flags & wire.ACTING:
                person.next()
        root, frame = person.root.copy(), person.frame
        person.say("take")
        taken = person.answer("taken")["result"]
    facts, arrays, _ = unpack(client.get(f"/api/results/{taken}/motion").content)
    assert np.abs(arrays["root"][frame] - root).max() < 1e-5
    strikes = facts["result"]["quality"]["strikes"]
    assert [strike["state"] for strike in strikes] == ["done", "done"]
    assert max(strike["miss_cm"] for strike in strikes) < 1.0
    assert strikes[0]["target"][::2] == [0.5, 1.5]
    client.post(f"/api/results/{taken}/keep", json={"name": "struck"})
    asked = {"source": {"kind": "result", "id": taken}, "format": ".npz", "name": "out"}
    assert client.post("/api/export", json=asked).json()["command"].startswith("kinegraph live graph.mog --stick ")
    (stick,) = (folder / "sticks").glob("*.json")
    again = kg.steer(str(folder / "graph.mog"), stick=str(stick))
    assert np.array_equal(again.motion.rotations, kg.load(folder / "results" / "struck.npz").rotations)


def test_a_take_of_nothing_is_told(client: TestClient, graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steering, "LONGEST", 0.0)
    with steered(client, graph) as person:
        person.say("take")
        assert person.answer("problem")["error"] == "nothing was steered yet"


def test_what_is_held_of_wishes_is_bounded() -> None:
    log = steering.Log(100)
    for frame in range(500):
        log.add((0.0, 0.01 * frame), None, "walk", "")
    assert log.frames == 100
    stick = log.stick(30.0)
    assert stick.seconds == pytest.approx(100 / 30)
    assert [wish.velocity[1] for wish in stick.played(30.0)] == [0.01 * frame for frame in range(100)]


def test_a_stick_has_a_row_for_each_change() -> None:
    log = steering.Log(1000)
    wishes = (
        [((0.0, 1.0), None, "", "")] * 5 + [((0.0, 1.0), 0.5, "walk", "jump")] + [((0.0, 1.0), 0.5, "walk", "")] * 4
    )
    for wish in [*wishes, ((0.0, 1.0), 0.5, "walk", "jump")]:
        log.add(*wish)
    stick = log.stick(30.0)
    assert [round(30 * intent.t) for intent in stick.intents] == [0, 5, 10, 11]
    assert [tuple(wish[1:5]) for wish in stick.played(30.0)] == [*wishes, ((0.0, 1.0), 0.5, "walk", "jump")]


def test_the_body_of_a_graph(client: TestClient, graph: str) -> None:
    facts, arrays, _ = unpack(client.get(f"/api/graphs/{graph}/body").content)
    with steered(client, graph) as person:
        assert facts["id"] == person.facts["body"]
    assert len(arrays["vertices"])
