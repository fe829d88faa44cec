"""The studio on hostile files and under load: an answer with a sentence, never a 500, and the state at once."""

from __future__ import annotations

import threading
from pathlib import Path
from unittest.mock import patch

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from kinegraph.errors import KinegraphError
from kinegraph.graph.store.files import load
from kinegraph.studio.server.app import create_app
from kinegraph.studio.server.pool import GIVEN_UP
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks.task import TASKS
from kinegraph.walks.wandering import wander
from kinegraph.watch import Watch
from tests.hostile import mogs
from tests.studio import graphing

# files of which each would have been a 500, or worse
BAD = (
    "clip.fps = 10000000.0 (all)",
    "joint.y = 1e+150 (all)",
    "edge_source = b'' × 0",
    "label_span.label holds 1.5",
    "parameters.along = 1000000",
    "report is null",
    "report.labels = 1000000",
    "space.fps holds 1000000000000",
    "space_joint.z = -1e+150 (one)",
)


@pytest.fixture(scope="module")
def cases() -> dict[str, mogs.Case]:
    return {case.name: case for case in mogs.cases()}


def test_no_file_is_a_500(tmp_path: Path, cases: dict[str, mogs.Case]) -> None:
    for number, name in enumerate(BAD):
        cases[name].write(tmp_path).rename(tmp_path / f"bad{number}.mog")
    app = create_app(Workspace(tmp_path), hosts={"testserver"})
    with TestClient(app, raise_server_exceptions=False) as client:
        state = client.get("/api/state").json()
        assert len({one["name"] for one in (*state["graphs"], *state["spaces"])}) == len(BAD)
        answers = {}
        for one in state["graphs"]:
            at = f"/api/graphs/{one['id']}"
            for where in ("", "/edges", "/clips/0/motion", "/body"):
                answers[one["name"], where] = client.get(f"{at}{where}")
            answers[one["name"], "walk"] = client.post(f"{at}/walk", json={"seconds": 2})
            answers[one["name"], "follow"] = client.post(f"{at}/follow", json={"path": {"shape": "line:2"}})
            answers[one["name"], "rechoose"] = client.post(f"{at}/rechoose", json={"name": "again"})
        for one in state["spaces"]:
            at, query = f"/api/spaces/{one['id']}", {"space": one["space"]}
            answers[one["name"], "space"] = client.get(at, params=query)
            answers[one["name"], "trust"] = client.get(f"{at}/trust", params=query)
        bad = {
            what: (answer.status_code, answer.text[:100])
            for what, answer in answers.items()
            if answer.status_code >= 500
        }
        assert bad == {}
        assert {answer.status_code for answer in answers.values()} >= {200, 400}


def test_the_state_waits_for_no_upload(app: FastAPI) -> None:
    """All workers that read are taken, as by clips that take long to be read."""
    free = threading.Event()
    with TestClient(app) as client:
        studio = app.state
        taken = [pool._executor.submit(free.wait, 60) for pool in (studio.pool, studio.reading) for _ in range(2)]
        try:
            assert client.get("/api/state").status_code == 200
            assert not any(one.done() for one in taken)
        finally:
            free.set()


def test_a_walk_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    """After a few of its edges, as a search for a path does, and not when all ten minutes of it are found and blended."""
    graphing.put(tmp_path)
    graph = load(tmp_path / "graph.mog")

    class Gone(Watch):
        looks = 0

        def check(self) -> None:
            self.looks += 1
            if self.looks > 5:
                raise KinegraphError(GIVEN_UP)

    with pytest.raises(KinegraphError, match=GIVEN_UP), patch("kinegraph.walks.performing.perform") as blended:
        TASKS["wander"](seconds=600).run(graph, Gone())
    with pytest.raises(KinegraphError, match=GIVEN_UP):
        wander(graph, 600, watch=Gone())
    blended.assert_not_called()
