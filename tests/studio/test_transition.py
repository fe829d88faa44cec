"""A transition as it would be played: the first clip, the blend, the second clip where the windows lay it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from kinegraph import load, samples
from kinegraph.blending import BLENDS
from kinegraph.blending.playing import play
from kinegraph.blending.preview import PreviewedTransition, preview
from kinegraph.graph.making.builder import build
from kinegraph.graph.model import EdgeKind
from kinegraph.graph.walk import Walk
from kinegraph.motion import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.player import unpack
from kinegraph.studio.rooms.graph.matrix import Measure, alignment
from tests.studio.asking import clip_id

MEASURE = Measure(30.0, 1 / 3)
WINDOW = 10


def transition(
    motions: Sequence[Motion], i: int, j: int, measure: Measure, blend: str, lead: float
) -> PreviewedTransition:
    return preview(motions, i, j, fps=measure.fps, window=measure.window, blend=blend, lead=lead)


@pytest.fixture(scope="module")
def pair() -> list[Any]:
    return [samples.make(name).motion.resample(30.0) for name in ("walk", "walk_left_medium")]


@pytest.mark.parametrize("blend", list(BLENDS))
def test_it_begins_as_the_first_clip_and_ends_as_the_second(pair: list[Any], blend: str) -> None:
    i, j, lead = 40, 25, 15
    made = transition(pair, i, j, MEASURE, blend, lead / 30)
    assert (made.first, made.length, len(made.motion)) == (lead, WINDOW, lead + WINDOW + lead)
    cost, laid = alignment(pair, i, j, MEASURE)
    assert made.cost_cm == pytest.approx(cost)
    first, second = pair[0], pair[1].place(laid)
    np.testing.assert_allclose(made.motion.positions[:lead], first.positions[i - lead : i], atol=1e-9)
    after = slice(j + WINDOW, j + WINDOW + lead)
    np.testing.assert_allclose(made.motion.positions[lead + WINDOW :], second.positions[after], atol=1e-9)
    # and nobody leaps: no joint goes further in a frame than in the clips by much
    steps = np.linalg.norm(np.diff(made.motion.positions, axis=0), axis=-1).max()
    usual = max(np.linalg.norm(np.diff(one.positions, axis=0), axis=-1).max() for one in pair)
    assert steps < 1.3 * usual


def test_the_schemes_differ(pair: list[Any]) -> None:
    made = {blend: transition(pair, 40, 25, MEASURE, blend, 0.5).motion.rotations for blend in BLENDS}
    for one in made:
        for two in made:
            assert one == two or not np.allclose(made[one], made[two], atol=1e-4)


@pytest.mark.parametrize("blend", ["cubic", "inertial"])
def test_it_is_what_a_walk_through_a_graph_plays(blend: str) -> None:
    graph = build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    edges = graph.edges
    names = [clip.name for clip in graph.clips]
    for edge in np.flatnonzero(edges.kind == EdgeKind.TRANSITION)[::60].tolist():
        source, target = int(edges.source[edge]), int(edges.target[edge])
        a, b = (graph.clips[graph.node_clip[node]].motion for node in (source, target))
        length = int(edges.length[edge])
        i, j = int(graph.node_frame[source]), int(graph.node_frame[target]) - length
        walked = play(Walk(graph, np.array([edge], np.int32), FloorTransform(), length), blend)
        made = transition([a, b] if a.name != b.name else [a], i, j, Measure(graph.fps, length / graph.fps), blend, 0.0)
        assert made.cost_cm == pytest.approx(100 * edges.cost[edge], abs=1e-6), (names, edge)
        np.testing.assert_allclose(made.motion.positions, walked.motion.positions, atol=1e-6)


def test_leads_end_where_the_clips_do(pair: list[Any]) -> None:
    last = len(pair[1]) - WINDOW
    made = transition(pair, 0, last, MEASURE, "linear", 5.0)
    assert (made.first, len(made.motion)) == (0, WINDOW)
    made = transition(pair, 3, last - 2, MEASURE, "inertial", 5.0)
    assert (made.first, len(made.motion)) == (3, 3 + WINDOW + 2)


def test_a_clip_into_itself(pair: list[Any]) -> None:
    made = transition(pair[:1], 50, 10, MEASURE, "cubic", 0.2)
    assert len(made.motion) == 6 + WINDOW + 6
    np.testing.assert_allclose(made.motion.positions[:6], pair[0].positions[44:50], atol=1e-9)


def test_over_http(client: TestClient, folder: Path) -> None:
    ids = {"a": clip_id(client, "walk"), "b": clip_id(client, "run")}
    asked = {**ids, "i": 30, "j": 20, "fps": 30, "window": 1 / 3, "blend": "cubic", "lead": 0.5}
    answer = client.post("/api/transition", json=asked)
    assert answer.status_code == 200
    facts, arrays, _ = unpack(answer.content)
    assert facts["transition"]["first"] == 15
    assert facts["transition"]["length"] == WINDOW
    assert len(arrays["root"]) == len(arrays["contacts"]) == facts["frames"] == 40
    walk = load(folder / "walk.bvh").resample(30.0)
    np.testing.assert_allclose(arrays["root"][0], walk.root[15], atol=1e-6)
    aligned = client.get("/api/align", params={key: asked[key] for key in ("a", "b", "i", "j", "fps", "window")}).json()
    assert facts["transition"]["cost_cm"] == aligned["distance_cm"]


@pytest.mark.parametrize(
    ("more", "status", "sentence"),
    [
        ({"i": 100_000}, 400, "no window of walk begins at frame 100000"),
        ({"i": -1}, 422, "i"),
        ({"blend": "magic"}, 422, "blend"),
        ({"lead": 61}, 422, "lead"),
        ({"b": "ab" * 6}, 404, "no such clip"),
        ({"window": 8.0}, 400, "shorter than the window"),
    ],
)
def test_what_cannot_be_blended_is_a_sentence(
    client: TestClient, more: dict[str, Any], status: int, sentence: str
) -> None:
    asked = {"a": clip_id(client, "walk"), "b": clip_id(client, "run"), "i": 3, "j": 3, "window": 1 / 3, **more}
    answer = client.post("/api/transition", json=asked)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]
