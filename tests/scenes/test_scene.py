"""Scenes: said in any way they are the same, and what makes no sense is refused with which key, why, and what would do."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import kinegraph as kg
from kinegraph.errors import FormatError, GraphError, KinegraphError, Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.scenes import Key, Label, Scene, Wait, make_plan, read, scene_of
from kinegraph.walks import Box, Disc

TOML = """
seconds = 20
[[label]]            # walk from 0 to 12 s
name = "walk"
from = 0
to = 12
[[label]]
name = "run"
from = 15
not = true
[[key]]              # at 6 s be at x = 2, z = 4 (metres), heading 90 degrees (towards +x)
time = 6
at = [2, 4]
heading = 90
[[wait]]
from = 13
to = 14
[[obstacle]]
disc = [0, 9, 0.5]
[without]
clips = ["walk"]
"""
SAID = Scene(
    20,
    labels=(Label("walk", 0, 12), Label("run", 15, 20, must=False)),
    keys=(Key(6, (2, 4), math.pi / 2),),
    waits=(Wait(13, 14),),
    obstacles=(Disc(0, 9, 0.5),),
    without=("walk",),
    name="scene",
)


def test_said_as_toml_json_and_python(tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text(TOML, encoding="utf-8")
    found = read(tmp_path / "scene.toml")
    assert found == SAID
    as_json = {
        "seconds": 20,
        "label": [{"name": "walk", "from": 0, "to": 12}, {"name": "run", "from": 15, "not": True}],
        "key": [{"time": 6, "at": [2, 4], "heading": 90}],
        "wait": [{"from": 13, "to": 14}],
        "obstacle": [{"disc": [0, 9, 0.5]}],
        "without": {"clips": ["walk"]},
    }
    (tmp_path / "scene.json").write_text(json.dumps(as_json), encoding="utf-8")
    assert read(tmp_path / "scene.json") == SAID


def key(**said: Any) -> dict[str, Any]:
    return {"time": 1, "at": [0, 0], **said}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({}, "needs its length: say seconds = 20"),
        ({"seconds": 0}, "more than 0 seconds"),
        ({"seconds": 36000}, "36000 s is too long: 600 s is the most"),
        ({"seconds": "20"}, "seconds is a number"),
        ({"seconds": 9, "keys": []}, "no 'keys'; did you mean 'key'?"),
        ({"seconds": 9, "key": [key(time=8), key(time=4)]}, "key 2 is at 4 s, before key 1 at 8 s: put keys in order"),
        ({"seconds": 9, "key": [key(), key(at=[3, 0])]}, "keys 1 and 2 contradict each other: at 1 s"),
        ({"seconds": 9, "key": [key(heading=0), key(heading=90)]}, "contradict"),
        ({"seconds": 9, "key": [key(), key()]}, "keys 1 and 2 say the same at 1 s"),
        ({"seconds": 9, "key": [key(time=12)]}, "key 1 is at 12 s, and the scene lasts 9 s"),
        ({"seconds": 9, "key": [key(time=-1)]}, "times count from 0"),
        ({"seconds": 9, "key": [{"time": 1}]}, "key 1 needs a place"),
        ({"seconds": 9, "key": [key(at=[1, 2, 3])]}, "takes two numbers"),
        ({"seconds": 9, "key": [key(window=[5, 3])]}, "its window goes from 5 to 3 s"),
        ({"seconds": 9, "key": [key(weight=0)]}, "a weight is a number above 0"),
        ({"seconds": 9, "key": [key(at=[5, 5])], "obstacle": [{"disc": [5, 5.5, 0.4]}]}, "key 1 is at (5, 5), where nobody can be"),
        ({"seconds": 9, "label": [{"name": "walk", "from": 5, "to": 4}]}, "label 1 ('walk') goes from 5 to 4 s"),
        ({"seconds": 9, "label": [{"name": "walk", "to": 40}]}, "label 1 ('walk') ends at 40 s"),
        ({"seconds": 9, "label": [{"from": 5}]}, "label 1 needs a name"),
        ({"seconds": 9, "label": [{"name": "walk", "not": True, "may": True}]}, "label 1: what must not be cannot be what may be"),
        ({"seconds": 9, "wait": [{"to": 3, "weight": 0}]}, "wait 1: a weight is a number above 0"),
        ({"seconds": 9, "ground": 3}, 'ground = "hill:2,10"'),
        ({"seconds": 9, "ground": "hill:2,10", "loop": True}, "a scene that loops is made on a flat floor only"),
        ({"seconds": 9, "obstacle": [{"disc": [0, 0]}]}, "disc takes 3 numbers"),
        ({"seconds": 9, "pose": [{"clip": "walk", "time": 1}]}, "pose 1 needs frame"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(said: dict[str, Any], told: str) -> None:
    with pytest.raises(GraphError) as caught:
        scene_of(said)
    assert told in str(caught.value)


def test_a_file_that_is_no_scene(tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text("seconds = = 3", encoding="utf-8")
    with pytest.raises(FormatError, match="no TOML"):
        read(tmp_path / "odd.toml")
    with pytest.raises(FormatError, match="no such file"):
        read(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        (Scene(9, labels=(Label("wlak", 0, 5),)), "label 1: no label 'wlak' in this graph; did you mean 'walk'?"),
        (Scene(9, without=("nobody",)), "without: no clip 'nobody'"),
        (Scene(9, poses=(kg.scenes.PoseAt("walk", 9999, 2),)), "pose 1: clip 'walk' has no frame 9999"),
        (Scene(9, poses=(kg.scenes.PoseAt("wlk", 3, 2),)), "pose 1: no clip 'wlk'"),
        (Scene(9, keys=(Key(3, (0, 0)), Key(6, (0, 60)))), "key 2 (at 6 s) is 60.0 m from key 1 (at 3 s): that needs 20.0 m/s, and the"),
        (Scene(9, ground="hil:2,10"), "ground: no ground is called 'hil'"),
        (Scene(9, labels=(Label("walk", 0, 9), Label("run", 3, 5))), "at 3 s the scene asks for 'walk' and 'run' at once"),
    ],
)  # fmt: skip
def test_what_the_graph_has_not_is_told_before_the_search(stage: MotionGraph, scene: Scene, told: str) -> None:
    with pytest.raises(KinegraphError) as caught:
        make_plan(stage, scene)
    assert told in str(caught.value)


def test_a_label_is_as_fast_as_its_clips(stage: MotionGraph) -> None:
    # a runner gets there, a walker does not
    keys = (Key(1, (0, 0)), Key(5, (0, 11)))
    make_plan(stage, Scene(6, labels=(Label("run", 0, 6),), keys=keys))
    with pytest.raises(Unsatisfied, match="clips that bear what is asked run"):
        make_plan(stage, Scene(6, labels=(Label("walk", 0, 6),), keys=keys))


def test_a_box_is_no_place_for_a_key() -> None:
    with pytest.raises(GraphError, match="where nobody can be"):
        Scene(9, keys=(Key(1, (1.5, 0.5)),), obstacles=(Box(0, 0, 2, 1),))
    Scene(9, keys=(Key(1, (2.4, 0.5)),), obstacles=(Box(0, 0, 2, 1),))
