"""Two clips compared: the map and its minima are the library's, and an alignment lays the one on the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from kinegraph import load, samples
from kinegraph.errors import GraphError
from kinegraph.motion import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.player import unpack
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.compare import compare
from kinegraph.similarity.maps import distance_map, window_of
from kinegraph.similarity.matrix import distance_matrix
from kinegraph.similarity.windows import taper
from kinegraph.studio.rooms.graph import matrix
from kinegraph.studio.rooms.graph.matrix import Measure
from tests.studio.asking import clip_id

WINDOW = 10


def asked(client: TestClient, a: str, b: str, **more: Any) -> tuple[dict[str, Any], dict[str, Any], float]:
    """Facts and arrays of a pair's map, and the scale of its distances."""
    answer = client.get(
        "/api/matrix", params={"a": clip_id(client, a), "b": clip_id(client, b), "window": 1 / 3, **more}
    )
    assert answer.status_code == 200
    facts, arrays, scales = unpack(answer.content)
    return facts, arrays, scales["distance"]


def motions(folder: Path, *names: str) -> list[Motion]:
    return [load(folder / f"{name}.bvh").resample(30.0) for name in names]


def clouds(*given: Motion) -> list[Any]:
    points = cloud_matrix(given[0].skeleton, mass_weights(given[0].skeleton))
    return [cloud(motion, points, np.ones(len(motion), bool)) for motion in given]


def test_the_map_is_that_of_the_library(client: TestClient, folder: Path) -> None:
    facts, arrays, scale = asked(client, "walk", "run")
    walk, run = clouds(*motions(folder, "walk", "run"))
    exact = 100 * distance_matrix(walk, run, WINDOW)
    assert arrays["distance"].shape == exact.shape == (facts["rows"], facts["columns"])
    np.testing.assert_allclose(arrays["distance"] * scale, exact, atol=scale / 2 + 1e-9)
    assert scale < 0.01
    assert (facts["least_cm"], facts["most_cm"]) == (round(exact.min(), 4), round(exact.max(), 4))
    assert (facts["fps"], facts["window_frames"], facts["step"], facts["window"]) == (30, WINDOW, 1, WINDOW / 30)


def test_minima_are_those_of_the_library_the_cheapest_first(client: TestClient, folder: Path) -> None:
    facts, arrays, _ = asked(client, "walk", "run")
    found = compare(*clouds(*motions(folder, "walk", "run")), WINDOW, limit=10.0)
    assert facts["minima"] == len(found) == len(arrays["first"]) > 5
    order = np.argsort(found.cost, kind="stable")
    np.testing.assert_array_equal(arrays["first"], found.first[order])
    np.testing.assert_array_equal(arrays["second"], found.second[order])
    np.testing.assert_allclose(arrays["cost_cm"], 100 * found.cost[order], rtol=1e-6)


def test_a_clip_with_itself(client: TestClient) -> None:
    facts, arrays, scale = asked(client, "walk", "walk")
    np.testing.assert_allclose(np.diagonal(arrays["distance"]) * scale, 0.0, atol=1e-3)
    assert facts["a"] == facts["b"] == "walk"
    # a clip is not told that it is like itself at the same moment
    assert (arrays["second"] - arrays["first"] >= WINDOW).all()


def test_large_maps_are_thinned_and_their_minima_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clips = [samples.make(name).motion for name in ("walk", "run")]
    facts, arrays, scales = unpack(matrix.matrix_pack(clips, Measure(30.0, 1 / 3)))
    monkeypatch.setattr(matrix, "MOST", 40)
    monkeypatch.setattr("kinegraph.similarity.maps._AT_ONCE", 1000)
    thin, few, scale = unpack(matrix.matrix_pack(clips, Measure(30.0, 1 / 3)))
    step = thin["step"]
    assert step == -(-max(facts["rows"], facts["columns"]) // 40) > 1
    assert max(few["distance"].shape) <= 40
    np.testing.assert_allclose(
        few["distance"] * scale["distance"],
        arrays["distance"][::step, ::step] * scales["distance"],
        atol=scale["distance"] + scales["distance"],
    )
    for name in ("first", "second", "cost_cm"):
        np.testing.assert_array_equal(few[name], arrays[name])


def test_what_the_capture_lost_is_unknown() -> None:
    walk = samples.make("walk").motion.resample(30.0)
    sound = np.ones(len(walk), bool)
    sound[40] = False
    found = distance_map([walk], WINDOW, sound=[sound])
    facts, arrays, _ = matrix.told(found, 30.0)
    unknown = arrays["distance"] == matrix.UNKNOWN
    lost = np.zeros(facts["rows"], bool)
    lost[40 - WINDOW + 1 : 41] = True
    np.testing.assert_array_equal(unknown, lost[:, None] | lost)
    assert 0 <= facts["least_cm"] < facts["most_cm"] < np.inf


def test_an_alignment_lays_b_on_a(client: TestClient, folder: Path) -> None:
    """The weighted root mean square of matched points, after b is moved as told, is the distance that is told."""
    facts, arrays, _ = asked(client, "walk", "run")
    walk, run = motions(folder, "walk", "run")
    for n in (0, len(arrays["first"]) // 2, len(arrays["first"]) - 1):
        i, j = int(arrays["first"][n]), int(arrays["second"][n])
        params = {"a": clip_id(client, "walk"), "b": clip_id(client, "run"), "i": i, "j": j, "window": facts["window"]}
        told = client.get("/api/align", params=params).json()
        laid = run.place(FloorTransform(told["angle"], told["x"], told["z"]))
        a, b = clouds(walk[i : i + WINDOW], laid[j : j + WINDOW])
        apart = np.sqrt(taper(WINDOW) @ np.sum((a.points - b.points) ** 2, axis=(1, 2)))
        assert 100 * apart == pytest.approx(told["distance_cm"], abs=1e-3)
        assert told["distance_cm"] == pytest.approx(arrays["cost_cm"][n], abs=1e-3)


def test_a_browser_that_has_the_map_is_told_so(client: TestClient) -> None:
    params = {"a": clip_id(client, "walk"), "b": clip_id(client, "run")}
    first = client.get("/api/matrix", params=params)
    again = client.get("/api/matrix", params=params, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/api/matrix", params={**params, "fps": 25}, headers={"if-none-match": first.headers["etag"]})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("more", "status", "sentence"),
    [
        ({"window": 9}, 400, "shorter than the window"),
        ({"window": 0}, 422, "window"),
        ({"fps": "nan"}, 422, "fps"),
        ({"fps": 1e9}, 422, "fps"),
        ({"a": "ab" * 6}, 404, "no such clip"),
        ({"a": "../secret"}, 422, "a"),
    ],
)
def test_what_cannot_be_compared_is_a_sentence(
    client: TestClient, more: dict[str, Any], status: int, sentence: str
) -> None:
    params = {"a": clip_id(client, "walk"), "b": clip_id(client, "run"), **more}
    for url in ("/api/matrix", "/api/align"):
        answer = client.get(url, params={**params, "i": 0, "j": 0})
        assert answer.status_code == status
        assert sentence in answer.json()["error"]


def test_a_window_beyond_the_end_is_told(client: TestClient) -> None:
    params = {"a": clip_id(client, "walk"), "b": clip_id(client, "run"), "i": 5, "j": 100_000, "window": 1 / 3}
    answer = client.get("/api/align", params=params)
    assert answer.status_code == 400
    assert "no window of run begins at frame 100000" in answer.json()["error"]


def test_pairs_that_would_fill_the_memory_are_refused() -> None:
    walk = samples.make("walk").motion
    with pytest.raises(GraphError, match="too many"):
        window_of([walk.resample(5000)], 1 / 3)
