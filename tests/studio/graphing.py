"""A graph of a few built-in clips, made once for all tests that walk through one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.testclient import TestClient

from kinegraph import samples
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters

CLIPS = ("walk", "walk_left_medium", "walk_right_medium", "run", "stand", "start", "stop")


@cache
def mog() -> bytes:
    """The graph's file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "g.mog"
        build([samples.make(name).motion for name in CLIPS], Parameters(mirror=True), path=path)
        return path.read_bytes()


def put(folder: Path, name: str = "graph") -> Path:
    """The graph in a workspace."""
    path = folder / f"{name}.mog"
    path.write_bytes(mog())
    return path


def graph_id(client: TestClient, name: str = "graph") -> str:
    """The id of the graph of that name."""
    return next(graph["id"] for graph in client.get("/api/state").json()["graphs"] if graph["name"] == name)
