"""Files of every kind with one thing changed, through commands and routes. `benchmarks/hostile.py` tries them all."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kinegraph.characters import sketch
from kinegraph.cli.app import app
from kinegraph.plots import rig
from tests.hostile import glbs, mogs, texts
from tests.hostile.commands import NO_FILES, Commands, tried
from tests.hostile.goods import good
from tests.hostile.routes import Routes

# of the thousands, each so many-th; and of what is done with each, so many-th
EACH, THINGS = 150, 9
# those that were tracebacks, or asked for more than there is
FOUND = (
    "animations.0 = null",
    "animations.0 = []",
    "animations.0 = 0.5",
    "bufferViews.51 = null",
    "bufferViews.51 = [1e+38, 1e+38, 1e+38]",
    "bufferViews[0] holds 1e-40",
    "bufferViews[26] holds 1e+38",
    "kept.json: 'room' at 18 is '\\ufeff'",
    "materials = null",
    "scene = [0]",
    "scenes.0 = null",
    "skins.0.skeleton = [0]",
    "tracks.sqlite: metadata.value = 0",
    "tracks.sqlite: metadata.value = 'x'",
    "tracks.sqlite: trajectory_data has no end",
    "tracks.sqlite: trajectory_data.frame = 1000000000.0",
    "tracks.ndjson: '2.0' at 51 is '1e999'",
)
# what good files are refused, since it is not meant for them
_NOT_MEANT = re.compile(r"distance|another skeleton|no longer in the workspace|unknown suffix '.json'")
# routes that take no file and serve none: words of their own, and what is under way
_NO_FILES = {
    "/api/scenes/words", "/api/paths", "/api/samples", "/api/jobs/{id}", "/api/jobs/{id}/cancel", "/api/jobs/{id}/resume",
}  # fmt: skip


@cache
def cases() -> dict[str, Any]:
    return {case.name: case for one in (texts.cases(), glbs.cases()) for case in one}


def bites(commands: Commands, routes: Routes, case: Any, each: int, first: int) -> list[str]:
    """What is no answer, of every so many-th thing that is done with a file."""
    path = case.write(commands.given)
    told = [*commands.answers(path, each, first), *routes.answers(path, each, first)]
    return [f"{case.name}: {what}: {answer}" for what, answer in told if answer.startswith("fault")]


def test_the_generators_reach_everything() -> None:
    assert len({case.name for case in texts.cases()}) == len(list(texts.cases())) > 5000
    for file in texts.FILES:
        assert sum(name.startswith(f"{file}: ") for name in cases()) > 30, file
    for place in ("accessors", "animations", "bufferViews", "meshes", "nodes", "skins", "scenes", "asset", "word 8"):
        assert any(name.startswith(place) for name in cases())
    assert cases().keys() >= set(FOUND)


def test_every_command_is_tried() -> None:
    import typer

    group: Any = typer.main.get_command(app)
    known = set()
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        known |= {f"{name} {one}" for one in command.commands} if hasattr(command, "commands") else {name}
    assert known - tried() == set(NO_FILES)
    assert tried() <= known


@pytest.mark.filterwarnings("ignore")
def test_good_files_are_good_and_reach_every_route(commands: Commands, routes: Routes) -> None:
    for file in (*texts.FILES, "both.mog", "hero.glb"):
        path = commands.given / file
        path.write_bytes(good(file))
        told = [*commands.answers(path), *routes.answers(path)]
        assert len(told) > 1
        refused = {what: answer for what, answer in told if answer != "done"}
        assert {what: answer for what, answer in refused.items() if not _NOT_MEANT.search(answer)} == {}, file
    left = set()
    for address, methods in routes.client.app.openapi()["paths"].items():  # type: ignore[attr-defined]
        pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", address))
        asked = {method for method, path in routes.asked if pattern.fullmatch(path)}
        left |= {address for method in methods if method.upper() not in asked}
    assert left == _NO_FILES
    assert {path for method, path in routes.asked if method == "WEBSOCKET"} == {"/api/live", "/api/crowd"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FOUND)
def test_what_bit_does_so_no_more(name: str, commands: Commands, routes: Routes) -> None:
    assert bites(commands, routes, cases()[name], 1, 0) == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(4))
def test_hostile_files_do_no_harm(part: int, commands: Commands, routes: Routes) -> None:
    every = [*cases().values(), *mogs.cases()]
    chosen = range(part * EACH, len(every), 4 * EACH)
    assert [bite for n in chosen for bite in bites(commands, routes, every[n], THINGS, n)] == []


@pytest.mark.parametrize("name", ["bufferViews[1] holds -1e+38", "bufferViews[26] holds -1e+38"])
def test_a_picture_of_joints_does_without_skin_that_is_nowhere(tmp_path: Path, name: str) -> None:
    case = next(one for one in glbs.cases() if one.name == name)
    rig.save(sketch(case.write(tmp_path)), tmp_path / "roles.png")
    assert (tmp_path / "roles.png").stat().st_size > 10_000
