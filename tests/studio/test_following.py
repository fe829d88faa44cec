"""Walks through a graph: the figures are those of the library and of the command line, and what cannot be done is told in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from kinegraph.errors import GraphError
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.feet.plants import Plant
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import load
from kinegraph.paths.moving import track_of
from kinegraph.paths.shapes import shape
from kinegraph.player import unpack
from kinegraph.studio.rooms.follow import routes as walks
from kinegraph.studio.rooms.follow import warmer
from kinegraph.studio.server.problems import Conflict
from kinegraph.studio.workspace.entries import id_of
from kinegraph.tasks import Follow, Wander, answers
from kinegraph.walks import arrival, performing
from kinegraph.walks.following import follow
from kinegraph.walks.performing import perform
from kinegraph.watch import Watch
from tests.cli.inprocess import call
from tests.studio import graphing

PATH = "wave:8,0.8"


@pytest.fixture
def graph(folder: Path) -> str:
    """The id of a graph in the workspace."""
    return id_of(graphing.put(folder).name)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> MotionGraph:
    return load(graphing.put(tmp_path_factory.mktemp("graph")))


def followed(client: TestClient, graph: str, **wishes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Facts of the result and arrays of its pack."""
    answer = client.post(f"/api/graphs/{graph}/follow", json={"path": {"shape": PATH}, **wishes})
    assert answer.status_code == 200, answer.text
    facts, arrays, _ = unpack(answer.content)
    return {**facts, **facts["result"]}, arrays


def without_cpu(quality: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in quality.items() if not name.startswith("cpu")}


# -- the same figures everywhere ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"label": "walk"}, ["--label", "walk", "--warp"]),
        ({"warp": False, "clean": False}, ["--no-clean"]),
        (
            {"blend": "inertial", "speed": 1.5, "width": 120},
            ["--blend", "inertial", "--speed", "1.5", "--width", "120", "--warp"],
        ),
        (
            {"sections": [{"first": 0, "last": 4, "label": "walk"}, {"first": 4, "label": "run"}], "start": "walk@3"},
            ["--sections", "0-4:walk,4-:run", "--start", "walk@3", "--warp"],
        ),
        ({"prefer": {"walk": 12}, "heading_deg": 20}, ["--prefer", "walk=12", "--heading", "20", "--warp"]),
        ({"obstacles": [{"x": 0.5, "z": 4.0, "radius": 0.3}]}, ["--disc", "0.5,4,0.3", "--warp"]),
    ],
)
def test_figures_are_those_of_the_command(
    client: TestClient, graph: str, folder: Path, wishes: dict[str, Any], words: list[str]
) -> None:
    facts, _ = followed(client, graph, **wishes)
    done = call("follow", folder / "graph.mog", PATH, *words, "--json")
    told = json.loads(done.out)
    assert without_cpu(facts["quality"]) == {name: told[name] for name in without_cpu(facts["quality"])}
    assert facts["warnings"] == told["warnings"]
    assert (facts["reached"], facts["short"] is None) == (done.code == 0, done.code == 0)


def test_a_result_that_is_worse_than_asked_for_comes_with_warnings(client: TestClient, graph: str) -> None:
    """Corners that nobody in the clips walks, and to which none may be bent."""
    asked = {"path": {"shape": "square:3"}, "warp": True, "bend": 0.0}
    answer = client.post(f"/api/graphs/{graph}/follow", json=asked)
    facts = unpack(answer.content)[0]["result"]
    assert any("cm off the path, though bent onto it" in sentence for sentence in facts["warnings"])


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"seconds": 6, "seed": 4}, ["--seconds", "6", "--seed", "4"]),
        ({"seconds": 5, "label": "walk", "pool": 0.1}, ["--seconds", "5", "--label", "walk", "--pool", "0.1"]),
        (
            {"sequence": ["walk", "run"], "stay": 1.5, "clean": False},
            ["--sequence", "walk,run", "--stay", "1.5", "--no-clean"],
        ),
        ({"sequence": ["run", "clip:walk"], "stay": [1, 2]}, ["--sequence", "run,clip:walk", "--stay", "1,2"]),
    ],
)
def test_walks_are_those_of_the_command(
    client: TestClient, graph: str, folder: Path, wishes: dict[str, Any], words: list[str]
) -> None:
    answer = client.post(f"/api/graphs/{graph}/walk", json=wishes)
    assert answer.status_code == 200, answer.text
    result = unpack(answer.content)[0]["result"]
    told = call("walk", folder / "graph.mog", *words, "--json").json
    assert without_cpu(result["quality"]) == {name: told[name] for name in without_cpu(result["quality"])}
    assert (result["room"], result["path"], result["request"]) == ("walk", None, wishes)


def test_a_pack_holds_what_the_library_makes(client: TestClient, graph: str, loaded: MotionGraph) -> None:
    facts, arrays = followed(client, graph, label="walk")
    path = shape(PATH)
    finished = perform(follow(loaded, path, label="walk").walk, onto=path)
    played = finished.performance
    np.testing.assert_array_equal(arrays["root"], finished.motion.root.astype(np.float32))
    np.testing.assert_array_equal(arrays["contacts"], finished.contacts)
    figures = json.loads(json.dumps(evaluate(finished.motion, path=path, finished=finished).to_dict()))
    assert without_cpu(facts["quality"]) == {
        **without_cpu(figures),
        "sections": [],
        "pauses": [],
        "asked_labels": {"walk": 1.0},
    }
    assert facts["quality"]["cpu_per_second"] == pytest.approx(facts["cpu_s"] / facts["seconds"], abs=1e-6)
    # the arrays are what the figures are figures of
    assert arrays["deviation_cm"].mean() == pytest.approx(figures["deviation_cm"]["mean"], abs=6e-4)
    assert arrays["deviation_cm"].max() == pytest.approx(figures["deviation_cm"]["max"], abs=6e-4)
    assert arrays["slide_mm"].max() == pytest.approx(figures["slide_mm"]["max"], abs=6e-4)
    np.testing.assert_allclose(arrays["track"], track_of(finished.motion), atol=1e-6)
    # and every frame says what it plays
    names = [facts["clips"][number] for number in arrays["clip"]]
    assert names == [loaded.clips[number].name for number in played.clip]
    np.testing.assert_array_equal(arrays["frame"], played.frame)
    for column, label in enumerate(facts["labels"]):
        np.testing.assert_array_equal(arrays["labelled"][:, column], played.labels()[label])
    assert arrays["labelled"].shape == (len(finished.motion), len(facts["labels"]))
    assert [(one["first"], one["length"]) for one in facts["transitions"]] == [
        (one.first, one.length) for one in played.transitions
    ]
    for one in facts["transitions"]:
        assert names[one["first"] - 1] == one["from"] or one["first"] == 0
        if one["first"] + one["length"] < len(names):
            assert names[one["first"] + one["length"]] == one["to"]


def test_plants_stand_where_the_contacts_say(client: TestClient, graph: str) -> None:
    facts, arrays = followed(client, graph, label="walk")
    down = np.zeros_like(arrays["contacts"])
    for plant in facts["plants"]:
        column = Plant(plant["foot"], plant["part"], 0, 1, np.zeros(3)).column
        down[plant["first"] : plant["last"], column] = 1
        # within a stride of the body that stands on it
        middle = arrays["root"][(plant["first"] + plant["last"]) // 2]
        assert np.hypot(plant["x"] - middle[0], plant["z"] - middle[2]) < 0.9
        assert abs(plant["y"]) < 0.05
    np.testing.assert_array_equal(down, arrays["contacts"])
    assert not arrays["slide_mm"][~down.any(axis=1)].any()


def test_sliding_feet_are_told_as_they_are(client: TestClient, graph: str) -> None:
    facts, arrays = followed(client, graph, label="walk", clean=False)
    assert facts["quality"]["cleaning"] is None
    assert arrays["slide_mm"].max() == pytest.approx(facts["quality"]["slide_mm"]["max"], abs=6e-4) != 0
    assert len(facts["plants"]) == facts["quality"]["plants"]


def test_the_same_request_gives_the_same_bytes(client: TestClient, graph: str) -> None:
    sent = {"path": {"points": [[0, 0], [0.2, 3], [1.5, 6]]}, "label": "walk"}
    packs = [unpack(client.post(f"/api/graphs/{graph}/follow", json=sent).content) for _ in range(2)]
    for facts, _, _ in packs:
        result = facts["result"]
        del result["cpu_s"], result["quality"]["cpu_per_second"]
        assert result["request"] == sent
        assert result["source"] == {"graph": graph}
    assert packs[0][0] == packs[1][0]
    assert list(packs[0][1]) == list(packs[1][1])
    for name, values in packs[0][1].items():
        assert values.tobytes() == packs[1][1][name].tobytes()


def test_it_is_held_as_a_result(client: TestClient, graph: str) -> None:
    sent = client.post(f"/api/graphs/{graph}/follow", json={"path": {"shape": PATH}}).content
    id = unpack(sent)[0]["result"]["id"]
    assert client.get(f"/api/results/{id}/motion").content == sent


def test_a_spline_is_followed_as_its_points(client: TestClient, graph: str) -> None:
    facts, _ = followed(
        client, graph, path={"degree": 3, "controls": [[0, 0], [0, 3], [1, 5], [3, 6], [4, 8]]}, label="walk"
    )
    assert facts["reached"]
    assert facts["path"][0] == [0, 0]
    assert facts["path"][-1] == [4, 8]
    assert len(facts["path"]) <= 2000


@pytest.mark.parametrize("metres", [0.1, 1e-3, 1e-7])
def test_a_path_of_no_length_to_speak_of_is_done_at_once(client: TestClient, graph: str, metres: float) -> None:
    facts, _ = followed(client, graph, path={"points": [[0, 0], [0, metres]]})
    assert facts["reached"]
    assert facts["seconds"] < 2


def test_sections_are_taken_to_the_last_digit() -> None:
    service = walks.FollowService()
    ends = [{"first": 0, "last": 1e-05, "label": "walk"}, {"first": 1e-05, "label": "run"}]
    task = service.task(service.model(path={"shape": "line:3"}, sections=ends))
    assert isinstance(task, Follow)
    assert [(one.first, one.last) for one in task.sections] == [(0, 1e-05), (1e-05, 3)]


# -- what cannot be done -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wishes", "status", "sentence"),
    [
        ({"label": "swim"}, 400, "no label 'swim'"),
        ({"prefer": {"walks": 3}}, 400, "did you mean 'walk'"),
        ({"start": "nowhere"}, 400, "no clip or label 'nowhere'"),
        ({"start": "walk@99999"}, 400, "has no frame 99999"),
        ({"sections": [{"first": 0, "last": 2, "label": "walk"}]}, 400, "no section says which label"),
        ({"sections": [{"first": 0, "label": "walk"}], "label": "run"}, 400, "not both"),
        ({"obstacles": [{"x": 0, "z": 0, "radius": 50}]}, 409, "the path begins in an obstacle"),
        ({"path": {"shape": "square:200"}}, 422, "at most 500 m"),
        ({"path": {"shape": "triangle:2"}}, 422, "triangle"),
        ({"path": {"points": [[1, 1], [1, 1]]}}, 422, "path"),
        ({"path": {"points": [[1, 1]]}}, 422, "points"),
        ({"blend": "best"}, 422, "blend"),
        ({"width": 0}, 422, "width"),
        ({"speed": 1e400}, 422, "speed"),
        ({"wrap": True}, 422, "wrap"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    client: TestClient, graph: str, wishes: dict[str, Any], status: int, sentence: str
) -> None:
    body = json.dumps({"path": {"shape": PATH}, **wishes})
    answer = client.post(f"/api/graphs/{graph}/follow", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert sentence in answer.json()["error"]
    assert "--" not in answer.json()["error"]


@pytest.mark.parametrize(
    ("wishes", "status", "sentence"),
    [
        ({}, 422, "one of the two"),
        ({"seconds": 3, "sequence": ["walk"]}, 422, "one of the two"),
        ({"seconds": 601}, 422, "seconds"),
        ({"seconds": 3, "label": "swim"}, 400, "no label 'swim'"),
        ({"sequence": ["walk", "swim"]}, 400, "'swim'"),
        ({"sequence": ["walk"], "pool": 0.1}, 422, "at random"),
        ({"sequence": ["walk", "run"], "stay": [1]}, 400, "2 steps, but 1 stays"),
        ({"sequence": ["walk"] * 6, "stay": 120}, 422, "together"),
    ],
)
def test_walks_that_cannot_be_made_are_a_sentence(
    client: TestClient, graph: str, wishes: dict[str, Any], status: int, sentence: str
) -> None:
    answer = client.post(f"/api/graphs/{graph}/walk", json=wishes)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]


def test_an_order_that_no_way_leads_through_is_a_conflict(
    client: TestClient, graph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_way(*_: object, **__: object) -> None:
        raise GraphError("from 'walk' to 'run' there is no way")

    monkeypatch.setattr("kinegraph.walks.ordering.sequence", no_way)
    answer = client.post(f"/api/graphs/{graph}/walk", json={"sequence": ["walk", "run"]})
    assert (answer.status_code, answer.json()["error"]) == (409, "from 'walk' to 'run' there is no way")


def test_a_walk_that_ends_elsewhere_is_shown_and_says_so(
    client: TestClient, graph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "THERE", 1e-6)
    facts, arrays = followed(client, graph, label="walk")
    assert not facts["reached"]
    assert facts["short"].startswith("the walk ends 0.0 m from the end of the path")
    assert len(arrays["root"]) == facts["frames"]


def test_a_body_without_legs_is_left_with_a_notice(loaded: MotionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinegraph.tasks.walking.has_legs", lambda skeleton: False)
    made = Wander(2.0).run(loaded)
    facts = answers.told(made)
    assert facts["notices"] == [performing.NO_LEGS]
    assert facts["plants"] == []
    assert made.contacts is None
    assert not answers.per_frame(made)["slide_mm"].any()


def test_a_search_that_takes_too_long_is_stopped(loaded: MotionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "_PATIENCE", -1.0)
    with pytest.raises(Conflict, match="search fast instead of exactly"):
        Follow(shape("line:12"), search="exact").run(loaded, walks.Patience(Watch(), "exact"))


def test_an_unknown_graph_is_missing(client: TestClient) -> None:
    for what in ("follow", "walk"):
        body = {"path": {"shape": PATH}} if what == "follow" else {"seconds": 2}
        answer = client.post(f"/api/graphs/{'ab' * 6}/{what}", json=body)
        assert answer.status_code == 404
        assert answer.json()["error"]


def test_a_graph_is_made_ready_once(loaded: MotionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[MotionGraph] = []
    monkeypatch.setattr(warmer, "warm", warmed.append)
    warming = warmer.Warmer()
    for _ in range(3):
        warming.start(lambda: loaded).join()
    assert warmed == [loaded]


def test_to_make_ready_does_all_that_a_walk_needs(loaded: MotionGraph) -> None:
    warmer.warm(loaded)
    searched = performing._usual_knees.cache_info().hits
    Follow(shape("line:3")).run(loaded)
    assert performing._usual_knees.cache_info().hits == searched + 1
