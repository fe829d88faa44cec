"""One edit is enough: what is added in one place is found on the command line, in the server, in recipes and in the page's data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kinegraph.studio.app import create_app
from kinegraph.studio.workspace import Workspace
from kinegraph.tasks import TASKS, Follow, register
from kinegraph.tasks.recipes import recipe
from kinegraph.wishes import wish
from tests.cli.inprocess import call


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


def test_a_field_of_a_task(moody: type[Follow], tmp_path: Path) -> None:
    told = call("follow", "--help").out
    assert "--mood" in told
    assert "In which mood to walk." in told
    assert "plain|merry" in told
    asked = openapi(tmp_path)["components"]["schemas"]["Follow"]["properties"]["mood"]
    assert asked["enum"] == ["plain", "merry"]
    assert asked["description"] == "In which mood to walk."
    made = recipe(moody("line:3", mood="merry"), "graph.mog", "way.bvh")
    assert made.command == "kinegraph follow graph.mog line:3 --mood merry -o way.bvh"
    assert 'kg.follow("graph.mog", "line:3", mood="merry")' in made.python
