"""Recorded sticks: read, refused where they make no sense, and replayed to the same bytes."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import kinegraph as kg
from kinegraph.errors import FormatError
from kinegraph.graph.model import MotionGraph
from kinegraph.people.stick import Intent, Stick, read

GOOD = "t,x,z,facing,label,action\n0,0,1.3,,,\n2,1.3,0,90,walk,\n4,0,0,,,jump\n6,0,0,,,\n"


def test_csv_and_json_say_the_same(tmp_path: Path) -> None:
    table, plain = tmp_path / "a.csv", tmp_path / "a.json"
    table.write_text(GOOD, "utf-8")
    rows = [
        {"t": 0, "x": 0, "z": 1.3},
        {"t": 2, "x": 1.3, "z": 0, "facing": 90, "label": "walk"},
        {"t": 4, "x": 0, "z": 0, "action": "jump"},
        {"t": 6, "x": 0, "z": 0},
    ]
    plain.write_text(json.dumps(rows), "utf-8")
    assert read(table) == read(plain)
    assert read(table).intents[1] == Intent(2.0, (1.3, 0.0), math.pi / 2, "walk", "")


def test_an_action_is_asked_for_once() -> None:
    stick = Stick.of([(0.0,), (1.0, (0.0, 0.0), None, "", "jump"), (2.0,)])
    assert [wish.action for wish in stick.played(4.0)] == ["", "", "", "", "jump", "", "", ""]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "t is missing"),
        ("t,x\n0,1\n", "z is missing"),
        ("t,x,z,speed\n0,1,1,1\n", "'speed' is none of"),
        ("t,x,z\n0,nan,1\n1,0,0\n", "x: expected a number, got 'nan'"),
        ("t,x,z\n0,,1\n1,0,0\n", "x: expected a number, got ''"),
        ("t,x,z\n0,0,1\n2,0,0\n1,0,0\n", "1 s comes after 2 s"),
        ("t,x,z\n1,0,1\n2,0,0\n", "first row is at 0"),
        ("t,x,z\n0,0,1\n", "at least two rows"),
        ("t,x,z\n0,0,1,5\n", "4 cells where the header has 3"),
        ("t,x,z\n0,0,130\n1,0,0\n", "faster than people run"),
        ("t,x,z\n0,0,1\n2147483648,0,0\n", "longer than anybody steers"),
        ("[1, 2]", "expected a list of rows"),
        ("{", "not JSON"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "stick.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(FormatError, match=says) as raised:
        read(file)
    assert "stick.csv" in str(raised.value)


def test_a_stick_becomes_a_motion_with_where_it_came_from(library: MotionGraph, tmp_path: Path) -> None:
    file = tmp_path / "stick.csv"
    file.write_text("t,x,z\n0,0,1.3\n3,1.3,0\n6,0,0\n", "utf-8")
    made, again = (kg.steer(library, stick=str(file)) for _ in range(2))
    assert made.motion.seconds == pytest.approx(6.0, abs=0.1)
    assert made.motion.rotations.tobytes() == again.motion.rotations.tobytes()
    assert made.provenance is not None
    assert len(made.provenance.clip) == len(made.motion)
    assert made.quality["held_slide_mm"]["max"] < 1.0
    assert made.quality["transitions"] == len(made.transitions)
    assert made.save(tmp_path / "out.bvh").motion is made.motion


def test_a_graph_in_which_nobody_stands_says_so(straight: MotionGraph, library: MotionGraph) -> None:
    stick = Stick.of([(0.0, (0.0, 1.2)), (2.0, (0.0, 0.0)), (3.0,)])
    assert any("nobody stands" in notice for notice in kg.steer(straight, stick=stick).notices)
    assert not any("nobody stands" in notice for notice in kg.steer(library, stick=stick).notices)
