"""A scene says the same as a file's name, as a dictionary, as a value, and as a request."""

from __future__ import annotations

from typing import Any

import pytest

import kinegraph as kg
from kinegraph.scenes import Key, Label, PoseAt, Scene, Wait, scene_of
from kinegraph.scenes.writing import toml
from kinegraph.tasks import Direct
from kinegraph.tasks.models import request_model, task_of
from kinegraph.tasks.recipes import command_words, python_call
from kinegraph.walks import Box, Disc

SAID: dict[str, Any] = {"seconds": 8.0, "key": [{"time": 6.0, "at": [2.0, 4.0], "heading": 90.0}]}
WHOLE = Scene(
    20, labels=(Label("walk", 0, 12), Label("run", 12, 20, must=False, weight=2.0)),
    keys=(Key(6, (2.0, 4.0), 1.5), Key(None, (3.0, 4.0), window=(8, 9), hard=False)), waits=(Wait(12, 13),),
    poses=(PoseAt("stand", 3, 12.5),), obstacles=(Disc(9.0, 9.0, 0.5), Box(-4.0, 2.0, 1.0, 1.5)), clearance=0.4, speed=1.3,
    without=("jump",), name="all of it",
)  # fmt: skip


def python(task: Direct) -> Any:
    """The scene of the Python that does a task."""
    seen: list[Any] = []

    class Face:
        scenes, walks = kg.scenes, kg.walks

        @staticmethod
        def direct(source: str, scene: Any, **wished: Any) -> None:
            seen.append(scene)

    eval(python_call(task, "g.mog"), {"kg": Face})
    return seen[0]


@pytest.mark.parametrize("scene", ["scene.toml", SAID, WHOLE], ids=["file", "dictionary", "value"])
def test_as_python(scene: Any) -> None:
    assert python(Direct(scene)) == scene


def test_as_a_command_by_its_file() -> None:
    assert command_words(Direct("a b.toml", draft=True), "g.mog") == [
        "kinegraph",
        "direct",
        "g.mog",
        "a b.toml",
        "--draft",
    ]


def test_as_a_request() -> None:
    model = request_model("Asked", Direct)
    task = task_of(model.model_validate({"scene": SAID, "seed": 3}), Direct)
    assert (task.scene, task.seed) == (SAID, 3)


def test_a_request_names_no_file() -> None:
    with pytest.raises(ValueError, match="scene"):
        request_model("Asked", Direct).model_validate({"scene": "/etc/passwd"})


@pytest.mark.parametrize("name", ["plain", 'with "quotes" and \\', "naïve ☃ \t\x7f"])
def test_toml_is_read_as_it_was_said(name: str) -> None:
    import tomllib

    said = {
        "seconds": 0.1 + 0.2,
        "name": name,
        "label": [{"name": name, "not": True, "to": 1e-7}],
        "without": {"clips": [name]},
    }
    assert tomllib.loads(toml(said)) == said


def test_every_table_of_a_scene_has_its_model() -> None:
    from kinegraph.scenes import reading
    from kinegraph.tasks.scene_model import SceneModel

    for name in reading._WHOLE:
        assert name in SceneModel.model_fields, f"the page cannot say {name}"
    whole = SceneModel.model_json_schema()
    for kind, known in reading._KNOWN.items():
        model = whole["$defs"]["Scene" + kind.capitalize()]["properties"]
        assert set(known) <= set(model), f"[[{kind}]]"
    assert scene_of(SAID).keys[0].time == 6
