"""One edit is enough: what is added in one place is found on the command line, in the server, in recipes and in the page's data."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from starlette.testclient import TestClient

import kinegraph as kg
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks import TASKS, Follow, register
from kinegraph.tasks.recipes import recipe
from kinegraph.wishes import wish
from tests.cli.inprocess import call

TYPESCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "web" / "schema.py"))["typescript"]


@pytest.fixture
def moody() -> Iterator[type[Follow]]:
    """`Follow` with one more field."""
    TASKS.remove("follow")

    @register
    @dataclass(frozen=True)
    class Moody(Follow):
        mood: str = wish("In which mood to walk.", default="plain", choices=("plain", "merry"))

    yield Moody
    TASKS.remove("follow")
    register(Follow)


def openapi(folder: Path) -> dict[str, Any]:
    return create_app(Workspace(folder), hosts=["testserver"]).openapi()


def test_a_field_of_a_task(moody: type[Follow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")  # no sentence is broken
    told = call("follow", "--help").out
    assert "--mood" in told
    assert "In which mood to walk." in told
    assert "plain|merry" in told
    asked = openapi(tmp_path)["components"]["schemas"]["FollowAsked"]["properties"]["mood"]
    assert asked["enum"] == ["plain", "merry"]
    assert asked["description"] == "In which mood to walk."
    made = recipe(moody("line:3", mood="merry"), "graph.mog", "way.bvh")
    assert made.command == "kinegraph follow graph.mog line:3 --mood merry -o way.bvh"
    assert 'kg.follow("graph.mog", "line:3", mood="merry")' in made.python
    assert "mood?:" in TYPESCRIPT(openapi(tmp_path)).partition("interface FollowAsked")[2].partition("}")[0]


@pytest.fixture
def even() -> Iterator[None]:
    """A blend that is added by one class."""

    @kg.blending.register("Half of each, all the way.")
    @dataclass(frozen=True)
    class Even:
        name: ClassVar[str] = "even"
        smooth: ClassVar[bool] = False

        def weights(self, skeleton: kg.Skeleton, length: int) -> np.ndarray:
            return np.full((length, len(skeleton)), 0.5)

        def mix(self, outgoing: Any, incoming: Any) -> tuple[np.ndarray, np.ndarray]:
            return outgoing.root[..., 1:-1, :], outgoing.rotations[..., 1:-1, :, :]

    yield
    kg.blending.BLENDS.remove("even")


def test_a_blend(even: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert "|even" in call("follow", "--help").out
    assert "even" in openapi(tmp_path)["components"]["schemas"]["FollowAsked"]["properties"]["blend"]["enum"]
    assert recipe(Follow("line:3", blend="even"), "g.mog", "w.bvh").command.endswith("--blend even -o w.bvh")
    with TestClient(create_app(Workspace(tmp_path), hosts=["testserver"])) as page:
        state = page.get("/api/state").json()
    assert {"name": "even", "help": "Half of each, all the way."} in state["blend_list"]
    graph = kg.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    assert kg.wander(graph, 3, blend="even").motion.seconds == 3


@pytest.fixture
def heights() -> Iterator[None]:
    """A format that is added by one description."""

    def write(motion: kg.Motion, path: Path) -> None:
        path.write_text("\n".join(f"{height:.3f}" for height in motion.root[:, 1]))

    kg.formats.register(
        kg.formats.Format(
            "Root heights",
            (".heights",),
            "Nobody.",
            "How high the root is, a line a frame.",
            SimpleNamespace(write=write),
            reads=False,
        )
    )
    yield
    kg.formats.FORMATS.remove("Root heights")


def test_a_format(heights: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert ".heights" in call("convert", "--help").out
    described = openapi(tmp_path)
    assert ".heights" in str(described["components"]["schemas"]["ExportAsked"]["properties"]["format"])
    made = recipe(Follow("line:3"), "g.mog", "w.heights")
    assert made.command == "kinegraph follow g.mog line:3 -o w.heights"
    assert 'made.save("w.heights")' in made.python
    with TestClient(create_app(Workspace(tmp_path), hosts=["testserver"])) as page:
        card = next(one for one in page.get("/api/state").json()["formats"]["write"] if one["suffix"] == ".heights")
    assert card["help"] == "How high the root is, a line a frame."
    kg.save(kg.samples.make("walk").motion, tmp_path / "walk.heights")
    assert len((tmp_path / "walk.heights").read_text().splitlines()) == 257
