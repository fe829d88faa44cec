"""Scenarios: what they fill with people, the ways around walls, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph.crowds import (
    CrowdError,
    Party,
    Polygon,
    Rectangle,
    Roam,
    Round,
    Route,
    Scenario,
    Spots,
    Wall,
    scenario_of,
)
from kinegraph.crowds.casting import APART, cast
from kinegraph.crowds.discs import discs
from kinegraph.crowds.named import NAMED
from kinegraph.crowds.routes import Floor

DOOR = (Wall(((0.0, 1.0), (0.0, 6.0))), Wall(((0.0, -1.0), (0.0, -6.0))))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("count", [1, 7, 100, 400])
def test_every_built_in_scenario_finds_room_for_its_people(name: str, count: int) -> None:
    people = cast(scenario_of(f"{name}:{count}"))
    assert len(people) == count
    apart = np.hypot(*np.moveaxis(people.start[:, None] - people.start[None], -1, 0)) + 99 * np.eye(count)
    assert apart.min() > APART - 1e-9
    assert np.isfinite(people.far).all()


@pytest.mark.parametrize("name", NAMED)
def test_discs_arrive_in_every_built_in_scenario(name: str) -> None:
    assert np.isfinite(discs(cast(scenario_of(f"{name}:12")), 90).arrived).all()


def test_same_seed_same_people() -> None:
    one, again, other = (cast(scenario_of("square:30", seed)) for seed in (4, 4, 5))
    assert (one.start == again.start).all()
    assert (one.legs == again.legs).all()
    assert (one.speed == again.speed).all()
    assert not (one.start == other.start).all()


def test_distances_go_around_walls() -> None:
    floor = Floor.of((Wall(((0.0, -3.0), (0.0, 3.0))),), np.array([[-4.0, 0.0], [4.0, 0.0]]))
    far = floor.distances(Round(4.0, 0.0, 0.3))[floor.cells(np.array([-4.0, 0.0]))]
    straight = floor.distances(Round(4.0, 0.0, 0.3))[floor.cells(np.array([4.0, 3.0]))]
    assert 10.0 - 0.3 < far < 11.5
    assert straight == pytest.approx(2.7, abs=0.25)


def test_directions_lead_there(tmp_path: Path) -> None:
    people = cast(Scenario("door", (Party(4, Rectangle(-5, 3, 2, 2), Rectangle(5, 3, 2, 2)),), DOOR))
    place = people.start.copy()
    for _ in range(200):
        place += 0.1 * people.toward(people.legs[:, 0], place)
    assert people.goals[0].holds(place).all()


def test_polygons_hold_what_is_inside() -> None:
    corner = Polygon(((0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)))
    assert corner.holds(np.array([(0.5, 3.0), (3.0, 0.5), (3.0, 3.0), (-1.0, 0.5)])).tolist() == [
        True,
        True,
        False,
        False,
    ]


def test_a_file_says_it_all(tmp_path: Path) -> None:
    file = tmp_path / "door.toml"
    file.write_text(
        """
seed = 7
[[group]]
name = "in"
count = 12
from = { box = [-5, 0, 6, 6] }
to = { box = [6, 0, 2, 6] }
speed = 1.2
[[group]]
count = 2
from = [[8, 0], [8, 1]]
to = { path = [[8, 4], [3, 4]], loop = true }
arrived = "stand"
[[group]]
count = 3
from = { disc = [12, 0, 2] }
to = { roam = { polygon = [[10, 5], [14, 5], [14, 9]] }, visits = 2 }
[[wall]]
points = [[0, 1], [0, 6]]
[[obstacle]]
disc = [3, -3, 0.5]
""",
        encoding="utf-8",
    )
    scenario = scenario_of(file)
    assert (scenario.name, scenario.seed, scenario.count) == ("door", 7, 17)
    assert scenario.groups[0] == Party(12, Rectangle(-5, 0, 6, 6), Rectangle(6, 0, 2, 6), 1.2, name="in")
    assert scenario.groups[1].goal == Route(((8, 4), (3, 4)), loop=True)
    assert scenario.groups[2].goal == Roam(Polygon(((10, 5), (14, 5), (14, 9))), 2)
    assert scenario.obstacles == (Wall(((0, 1), (0, 6))), Round(3, -3, 0.5))
    people = cast(scenario)
    assert people.loops.sum() == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no group"),
        ("[[group]]\ncount = 3", "from is missing"),
        ("[[group]]\ncount = 3\nfrom = [[0, 0]]\nto = [[5, 0]]", "as many points"),
        ("[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = { ball = 3 }", "one of disc, box and polygon"),
        ("[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = { disc = [1, 2] }", "x, z, radius"),
        ("[[group]]\ncount = 'x'\nfrom = [[0, 0]]\nto = [[5, 0]]", "whole number"),
        ("[[group]]\ncount = 1\nfrom = [[0, nan]]\nto = [[5, 0]]", "metres"),
        ("[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = [[5, 0]]\nspeed = 9", "m/s"),
        ("[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = [[5, 0]]\ncolour = 'red'", "none of"),
        ("[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = [[5, 0]]\nstature = 1.1", "mean, spread"),
        ("[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = [[5, 0]]\nstature = [9, 0]", "times as tall"),
        ("[[group]\n", "is not TOML"),
        ("group = 3", "tables"),
    ],
)
def test_bad_files_are_refused_with_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CrowdError, match=sentence):
        scenario_of(file)


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (lambda: Scenario("s", (Party(2, Spots(((0, 0), (0.1, 0))), Spots(((5, 0),))),)), "start in one another"),
        (
            lambda: Scenario("s", (Party(90, Rectangle(0, 0, 3, 3), Rectangle(9, 0, 3, 3)),)),
            "people fit where they start",
        ),
        (
            lambda: Scenario(
                "s",
                (
                    Party(9, Rectangle(0, 0, 3, 3), Rectangle(9, 0, 2, 2)),
                    Party(9, Rectangle(0, 0, 3, 3), Rectangle(9, 0, 2, 2)),
                ),
            ),
            "people fit where they start",
        ),
        (
            lambda: Scenario("s", (Party(1, Spots(((0, 0),)), Spots(((9, 0),))),), (Rectangle(9, 0, 4, 4),)),
            "inside of a wall",
        ),
        (
            lambda: Scenario("s", (Party(1, Spots(((9, 0),)), Spots(((0, 0),))),), (Rectangle(9, 0, 4, 4),)),
            "starts in a wall",
        ),
        (
            lambda: Scenario(
                "s",
                (Party(1, Spots(((0, 0),)), Spots(((9, 0),))),),
                (Wall(((5, 3), (5, -3), (13, -3), (13, 3), (5, 3))),),
            ),
            "no way",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(scenario: object, sentence: str) -> None:
    with pytest.raises(CrowdError, match=sentence):
        cast(scenario())  # type: ignore[operator]


@pytest.mark.parametrize("text", ["circle:100000", "street:5000000000"])
def test_too_many_people_are_told_what_they_would_take(text: str) -> None:
    with pytest.raises(CrowdError, match=r"GB of poses and .* hours"):
        scenario_of(text)


@pytest.mark.parametrize("text", ["ring:10", "circle:", "circle:0", "circle:many", "nowhere.toml"])
def test_names_that_say_nothing_are_refused(text: str) -> None:
    with pytest.raises(CrowdError):
        scenario_of(text)
