"""A task says the same however it is said: as a command, as Python, as a request."""

from __future__ import annotations

import math
import shlex
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import kinegraph as kg
from kinegraph.tasks import TASKS, Follow, Repath, Strike, Task, Visit, Wander
from kinegraph.tasks.models import request_model, task_of
from kinegraph.tasks.recipes import command_words, python_call
from kinegraph.walks import Box, Disc
from tests.cli.inprocess import call

PATH = kg.paths.read("wave:8,1")

SAID: dict[str, Task] = {
    "follow": Follow(PATH),
    "follow with a label": Follow(PATH, label="walk", warp=True, blend="inertial", clean=False, start="walk@12"),
    "follow with sections": Follow(PATH, sections="0-3:walk,3-:run", zone=1.25, search="exact", horizon=3, keep=0.5),
    "follow with several labels": Follow(PATH, sections="0-3:walk+!turn_left,3-:run|(not stand)"),
    "wander with several labels": Wander(seconds=5, label="walk and not run", start="walk|run"),
    "visit several labels": Visit(steps=["walk+turn_left", "!run"]),
    "follow with pauses": Follow(PATH, pause="2.5:2,6:0.75"),
    "follow past obstacles": Follow(
        PATH, obstacles=[Disc(1, 2.5, 0.75), Box(-4, 2, 1, 1.5)], clearance=0.5, prefer={"walk": 12.5, "a=b": 3.0}
    ),
    "follow with all numbers": Follow(
        PATH, heading=math.radians(90), end_heading=math.radians(-45), speed=1.25, limit=20, width=120, price=30, gap=0.5,
        least=0.75, measure="arc", bend=0.5, facing="any",
    ),
    "follow without some transitions": Follow(PATH, avoid=("walk:34>run:12", "run:5>walk:60")),
    "wander": Wander(seconds=12.5, seed=7, label="walk", pool=0.05, gap=0.25, within=True, start="run", blend="cubic", clean=False),
    "visit": Visit(steps=["walk", "run"], stay=[2.0, 0.5], clean=False),
    "visit, one stay": Visit(steps=["walk"], stay=2.5, either_side=True, start="run", blend="linear"),
    "repath": Repath(
        kg.paths.read_curve("circle:3"), degree=4, keep="time", end="onward", start="clip", natural=True, feet=False, stretch=0.05
    ),
    "repath over hills": Repath(kg.paths.read_curve("line:9"), cycle=True, seconds=4.5, ground="hill:1,6", fps=25),
    "strike": Strike((0.1, 1.4)),
    "strike elsewhere": Strike(
        (-0.2, 1.3, 0.65), space="left kick", method="partial", bounds=(-0.5, 1.5), finished=False, mirror=True, fps=50
    ),
}  # fmt: skip


def values(task: Task) -> dict[str, Any]:
    """What a task asks for, so that it can be compared: paths by what they are called, numbers without their last digit."""
    found = {}
    for name in task.wishes():
        value = getattr(task, name)
        if isinstance(value, kg.Path):
            value = value.name
        if isinstance(value, float):
            value = pytest.approx(value)
        if isinstance(value, list | tuple):
            value = [vars(one) if hasattr(one, "__dict__") else one for one in value]
        found[name] = value
    return found


def same(one: Task, other: Task) -> None:
    assert type(one) is type(other)
    assert values(one) == values(other)


@pytest.mark.parametrize("task", SAID.values(), ids=list(SAID))
def test_as_a_command(task: Task, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[Task] = []

    def run(self: Task, source: Any, watch: Any) -> None:
        seen.append(self)
        raise kg.KinegraphError("seen")

    monkeypatch.setattr(type(task), "run", run)
    kg.save(kg.samples.make("walk").motion, tmp_path / "source.bvh")
    words = command_words(task, "source.bvh")
    assert shlex.split(shlex.join(words)) == words
    done = call(*words[1:], folder=tmp_path)
    assert done.err.endswith("error: seen\n"), done.err
    same(seen[0], task)


@pytest.mark.parametrize("task", SAID.values(), ids=list(SAID))
def test_as_python(task: Task) -> None:
    kinds = TASKS[task.name]
    needed = [name for name, wish in kinds.wishes().items() if wish.required]

    def ask(source: str, *given: Any, **wished: Any) -> Task:
        assert source == "source file"
        return kinds(**dict(zip(needed, given, strict=True)), **wished)

    face = SimpleNamespace(walks=kg.walks, paths=kg.paths, **{task.name: ask})
    same(eval(python_call(task, "source file"), {"kg": face, "math": math}), task)


@pytest.mark.parametrize("task", SAID.values(), ids=list(SAID))
def test_as_a_request(task: Task) -> None:
    tasks = [TASKS[name] for name in ("wander", "visit")] if task.command == "walk" else [TASKS[task.name]]
    model = request_model("Asked", *tasks, usage="say which")
    same(task_of(model.model_validate(request(task)), *tasks), task)


def request(task: Task) -> dict[str, Any]:
    """The JSON that asks for a task."""
    keys = {"heading": "heading_deg", "end_heading": "end_heading_deg", "steps": "sequence"}
    found: dict[str, Any] = {}
    for name, wish in task.wishes().items():
        value = getattr(task, name)
        if value is None or (not wish.required and value == wish.default):
            continue
        if name in ("heading", "end_heading"):
            value = math.degrees(value)
        elif name == "path":
            value = {"shape": value.name}
        elif name in ("sections", "obstacles", "pause"):
            value = [vars(one) for one in value]
        elif isinstance(value, tuple):
            value = list(value)
        found[keys.get(name, name)] = value
    return found


def test_every_wish_of_these_tasks_is_said_by_one_of_them() -> None:
    for kind in (Follow, Wander, Visit, Repath, Strike):
        said = [task for task in SAID.values() if isinstance(task, kind)]
        for name, wish in kind.wishes().items():
            others = [
                task for task in said if wish.required or values(task)[name] != values(kind_of_default(kind))[name]
            ]
            assert others, f"{kind.name}: nothing says {name}"


def kind_of_default(kind: type[Task]) -> Task:
    """The task with nothing said that need not be."""
    plain = next(task for task in SAID.values() if isinstance(task, kind))
    return replace(plain, **{name: wish.default for name, wish in kind.wishes().items() if not wish.required})  # type: ignore[type-var]
