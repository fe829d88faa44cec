"""Crowds of bodies: they arrive, do not walk through one another or through walls, and can be kept, stopped and written."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.crowds import Crowd, CrowdError, Party, Rectangle, Route, Scenario, Simulation, Spots, Wall
from kinegraph.crowds.aside import draw_aside
from kinegraph.crowds.bodies import between, capsules_of, depths
from kinegraph.crowds.builds import offsets_of
from kinegraph.crowds.casting import cast
from kinegraph.crowds.field import Field
from kinegraph.crowds.grid import grid_of
from kinegraph.crowds.manoeuvres import IN_LINE, Taste, decide
from kinegraph.crowds.outlook import Response, outlook
from kinegraph.crowds.press import pressing
from kinegraph.crowds.reading import scenario_of
from kinegraph.crowds.report import milling, swings
from kinegraph.crowds.response import measured
from kinegraph.crowds.sight import Sight
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.kinematics import forward
from kinegraph.people.steered import People
from kinegraph.watch import Stopped, Watch


@pytest.fixture(scope="session")
def door(library: MotionGraph) -> Crowd:
    """People of whom all have to go through one door."""
    walls = (Wall(((0.0, 1.0), (0.0, 8.0))), Wall(((0.0, -1.0), (0.0, -8.0))))
    scenario = Scenario("door", (Party(16, Rectangle(-5, 0, 6, 6), Rectangle(6, 0, 2, 6)),), walls)
    return kg.crowd(library, scenario, seconds=60)


@pytest.mark.parametrize("name", ["circle:16", "hallway:16", "crossing:12"])
def test_everybody_arrives_and_no_trunk_is_in_another(library: MotionGraph, name: str) -> None:
    crowd = kg.crowd(library, name, seconds=60)
    assert np.isfinite(crowd.arrived).all()
    report = crowd.report
    assert report.deepest < 0.10
    assert report.deeper(0.02) <= 0.001
    assert report.transitions < 2.0
    assert report.turning.max() < 3.0
    assert report.changes.max() < 1.0
    assert report.slides.max() < 1e-3


def test_everybody_goes_through_the_door(door: Crowd) -> None:
    assert np.isfinite(door.arrived).all()
    before, after = door.place[:-1], door.place[1:]
    crossed = (before[..., 0] < 0) != (after[..., 0] < 0)
    crossed &= door.present[1:]
    assert crossed.any(axis=0).all()
    # nobody through the wall: where they cross is within the door
    assert np.abs(after[crossed][:, 1]).max() < 1.0


def test_same_seed_same_bytes(library: MotionGraph) -> None:
    one, again = (kg.crowd(library, "square:6", seconds=4, seed=2) for _ in range(2))
    assert one.rotations.tobytes() == again.rotations.tobytes()
    assert one.root.tobytes() == again.root.tobytes()
    other = kg.crowd(library, "square:6", seconds=4, seed=3)
    assert one.root.tobytes() != other.root.tobytes()


def test_people_start_where_they_should_and_face_their_way(library: MotionGraph) -> None:
    crowd = kg.crowd(library, "circle:10", seconds=0.1)
    assert np.abs(crowd.place[0] - crowd.cast.start).max() < 0.02
    toward = -crowd.cast.start
    off = crowd.heading[0] - np.arctan2(toward[:, 0], toward[:, 1])
    assert np.abs(np.sin(0.5 * off)).max() < 0.1


def test_what_there_is_can_be_seen_while_it_goes_on(library: MotionGraph) -> None:
    simulation = Simulation(library, "hallway:4", seconds=10)
    for frame in simulation.run():
        if frame == 20:
            early = simulation.crowd
            root = early.root.copy()
        if frame == 40:
            break
    assert len(early) == 21
    assert len(simulation.crowd) == 41
    assert (simulation.crowd.root[:21] == root).all()


def test_it_can_be_stopped(library: MotionGraph) -> None:
    class Impatient(Watch):
        def tell(self, stage: str, done: int, total: int | None) -> None:
            if stage == "walk" and done >= 30:
                raise Stopped("enough")

    with pytest.raises(Stopped):
        kg.crowd(library, "hallway:4", seconds=600, watch=Impatient())


def test_much_is_kept_in_a_file_that_nobody_sees(library: MotionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    small = kg.crowd(library, "hallway:4", seconds=1)
    monkeypatch.setattr("kinegraph.crowds.simulation._IN_MEMORY", 1000)
    large = kg.crowd(library, "hallway:4", seconds=1)
    assert isinstance(large.rotations.base, np.memmap) or isinstance(large.rotations, np.memmap)
    assert small.rotations.tobytes() == large.rotations.tobytes()


def test_what_does_not_fit_is_refused(library: MotionGraph) -> None:
    with pytest.raises(CrowdError, match=r"GB of poses"):
        Simulation(library, "square:20000", seconds=3600)


def test_a_loop_goes_on_and_labels_are_borne(library: MotionGraph) -> None:
    lap = Route(((0.0, 4.0), (4.0, 4.0), (4.0, 0.0), (0.0, 0.0)), loop=True)
    group = Party(1, Spots(((0.0, 0.0),)), lap, label="walk")
    crowd = kg.crowd(library, Scenario("laps", (group,)), seconds=40)
    assert not np.isfinite(crowd.arrived).any()
    # who goes round and round is not late
    assert not crowd.notices
    angle = np.unwrap(np.arctan2(crowd.place[60:, 0, 0] - 2, crowd.place[60:, 0, 1] - 2))
    assert abs(angle[-1] - angle[0]) > 2 * np.pi
    with pytest.raises(kg.KinegraphError, match="no label 'fly'"):
        kg.crowd(library, Scenario("laps", (replace(group, label="fly"),)), seconds=1)


def test_where_nobody_can_stand_who_has_arrived_leaves() -> None:
    straight = kg.graph.build([kg.samples.make("walk").motion])
    crowd = kg.crowd(straight, "circle:6", seconds=30)
    assert any("nobody stands" in sentence for sentence in crowd.notices)
    assert not crowd.present[-1, np.isfinite(crowd.arrived)].any()


def test_bodies_answer_as_it_is_measured(library: MotionGraph) -> None:
    own = measured(library)
    assert 0.5 < own.least < 1.3
    assert 0.2 < own.stop_way < 1.5
    assert own.turns > 2.0


def test_a_folder_with_everybody(door: Crowd, tmp_path: Path) -> None:
    folder = door.save(tmp_path / "out")
    files = sorted(folder.glob("*.bvh"))
    assert len(files) == 16
    own = door.motion(3)
    again = next(motion for motion in map(kg.load, files) if motion.name == own.name)
    assert len(again) == len(own)
    assert np.abs(again.positions - own.positions).max() < 1e-3
    with (folder / "tracks.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == int(door.present.sum())
    assert float(rows[1]["x"]) == pytest.approx(float(door.place[1, 0, 0]), abs=1e-4)
    with pytest.raises(kg.KinegraphError, match="new or empty"):
        door.save(folder)


def test_everybody_in_one_file(door: Crowd, tmp_path: Path) -> None:
    door.save(tmp_path / "door.glb")
    for person in (3, 11):
        own = door.motion(person)
        again = kg.load(tmp_path / "door.glb", skin=own.name)
        assert np.abs(again.root[: len(own) - 1] - own.root[:-1]).max() < 1e-4


def test_capsules_are_where_the_joints_are(door: Crowd) -> None:
    # two people in the same pose, a trunk's radius and a half apart: as deep as half a radius
    own = capsules_of(door.graph.skeleton)
    root, rotations = np.repeat(door.root[:1, :1], 2, axis=1), np.repeat(door.rotations[:1, :1], 2, axis=1)
    root[0, 1, 0] += 1.5 * own.radius[0]
    trunk, body, whom = depths(
        own, root, rotations, np.ones((1, 2), np.bool_), np.ones(2), offsets_of(door.graph.skeleton, np.ones((2, 3)))
    )
    assert trunk[0] == pytest.approx(0.5 * own.radius[0], abs=1e-3)
    assert (body >= trunk).all()
    assert whom[0].tolist() == [1, 0]
    positions, _ = forward(door.graph.skeleton, root[0].astype(np.float64), rotations[0].astype(np.float64))
    a, b = (positions[k][own.ends[0]].astype(np.float32) for k in range(2))
    assert between(a, b) == pytest.approx(2 * own.radius[0] - trunk[0, 0], abs=1e-4)


@pytest.mark.parametrize("seed", range(10))
def test_segments_are_as_far_apart_as_their_points(seed: int) -> None:
    p, q = np.random.default_rng(seed).normal(0, 1, (2, 2, 3)).astype(np.float32)
    share = np.linspace(0, 1, 400)[:, None]
    first, second = p[0] + share * (p[1] - p[0]), q[0] + share * (q[1] - q[0])
    assert between(p, q) == pytest.approx(float(np.linalg.norm(first[:, None] - second[None], axis=-1).min()), abs=5e-3)


def test_swings_are_counted_and_small_ones_are_not() -> None:
    time = np.linspace(0, 4, 400)
    assert swings(np.sin(2 * np.pi * time), 0.5) in (7, 8)
    assert swings(0.1 * np.sin(2 * np.pi * time), 0.5) == 0
    assert swings(time, 0.5) == 0


def test_milling_about_is_told_from_waiting_and_from_going_round() -> None:
    frames = np.arange(300)
    waits = np.stack([np.zeros(300), 0.04 * np.minimum(frames, 100)], axis=-1)
    round_ = np.stack([4.0 * np.sin(frames / 100), 4.0 * np.cos(frames / 100)], axis=-1)
    loops = np.stack([0.4 * np.sin(frames / 12), 0.4 * np.cos(frames / 12)], axis=-1)
    paces = np.stack([np.zeros(300), 0.75 * np.sin(frames / 20)], axis=-1)
    milled = milling(np.stack([waits, round_, loops, paces], axis=1), np.full(4, 300), 3.0, 1.0)
    assert milled[:2].tolist() == [0.0, 0.0]
    assert milled[2] > 5.0
    assert milled[3] > 3.0
    # only as long as they were on their way
    assert milling(loops[:, None], np.array([60]), 3.0, 1.0)[0] == 0.0


def test_in_front_of_a_door_people_wait_and_do_not_mill_about(door: Crowd) -> None:
    assert door.report.milled.mean() < 0.2
    assert np.nanmean(door.report.efficiency) > 0.9


def chosen(place: Array, liked: Array, waited: float) -> Array:
    """The stick of the first of people who stand at ``place`` and face along z, after so many seconds of waiting."""
    count = len(place)
    stick = np.zeros((count, 2))
    decide(
        np.array([0]),
        place,
        np.zeros((count, 2)),
        np.zeros(count),
        stick,
        np.full(count, waited),
        liked,
        np.zeros((count, 2)),
        grid_of(place, 3.0),
        np.arange(count),
        Field(0.0, 0.0, 1.0, np.zeros((0, 0))),
        pressing(place, stick),
        Response(0.87, 3.3, 0.53, 0.46, 0.7, 0.41),
        Taste(),
        IN_LINE,
    )
    return stick[0]


def test_who_is_in_line_waits_and_who_meets_somebody_goes_round() -> None:
    # one stands ahead: with the same way they are a line, with the opposite way they are to be gone round
    place = np.array([[0.0, 0.0], [0.0, 0.85]])
    assert np.abs(chosen(place, np.array([[0.0, 1.3], [0.0, 1.3]]), 10.0)).max() == 0.0
    assert np.abs(chosen(place, np.array([[0.0, 1.3], [0.0, -1.3]]), 10.0)).max() > 0.0


def test_who_stands_before_people_who_stay_turns_and_goes_around_in_the_end() -> None:
    # five who have arrived stand in a bow ahead, nearer than one can set out
    angles = np.radians([-80, -40, 0, 40, 80])
    place = np.concatenate([[[0.0, 0.0]], 0.7 * np.stack([np.sin(angles), np.cos(angles)], axis=-1)])
    liked = np.zeros((6, 2))
    liked[0, 1] = 1.3
    assert np.abs(chosen(place, liked, 1.0)).max() == 0.0
    stick = chosen(place, liked, 40.0)
    assert np.hypot(*stick) > 0.5
    assert stick[1] < 0.0


def test_who_touches_somebody_is_pushed_away_at_once(library: MotionGraph) -> None:
    people = People(library, 2, feet=False, seed=1)
    people.set_down(np.array([[0.0, 0.0], [0.0, 0.2]]), np.zeros(2))
    sight, nowhere = Sight(people), Field(0.0, 0.0, 1.0, np.zeros((0, 0)))
    for _ in range(6):
        grid = grid_of(sight.place, 3.0)
        draw_aside(
            people.cursors, sight.place, sight.velocity, np.ones(2), grid, np.arange(2), nowhere, 0.0, library.fps
        )
        sight.look()
    # a fifth of a second later, where two who walk into one another would have come half a metre nearer
    assert np.hypot(*(sight.place[1] - sight.place[0])) > 0.35


@pytest.mark.parametrize("stick", [(1.2, 0.0), (-1.0, -0.6), (-0.8, 0.9)])
def test_turns_are_foreseen_as_arcs(library: MotionGraph, stick: tuple[float, float]) -> None:
    # somebody who walks and turns is where the plan has them, halfway through it and at its end
    people, count = People(library, 12, feet=False, seed=1), 12
    sight = Sight(people)
    for _ in range(120):
        people.step((0.0, 1.2))
    sight.look()
    begun, plans = sight.place.copy(), np.zeros((count, 8))
    for person in range(count):
        outlook(*sight.velocity[person], *stick, sight.heading[person], measured(library), plans[person])
    until = int(np.median(plans[:, 2]) * library.fps), int(np.median(plans[:, 5]) * library.fps)
    seen = []
    for frame in range(1, until[1] + 1):
        people.step(stick)
        sight.look()
        if frame in until:
            seen.append(sight.place - begun)
    half = plans[:, :2] * plans[:, 2:3]
    whole = half + plans[:, 3:5] * (plans[:, 5:6] - plans[:, 2:3])
    for foreseen, was in zip((half, whole), seen, strict=True):
        assert np.median(np.hypot(*(foreseen - was).T)) < 0.15


def test_people_differ_in_stature_and_their_feet_stay(library: MotionGraph, tmp_path: Path) -> None:
    parties = tuple(
        Party(
            2,
            Spots(((x, 0.0), (x + 1.5, 0.0))),
            Rectangle(x, 8.0, 4.0, 2.0),
            0.95,
            stature=(tall, 0.0),
            proportions=0.0,
        )
        for x, tall in ((-3.0, 0.7), (3.0, 1.1))
    )
    crowd = kg.crowd(library, Scenario("sizes", parties), seconds=20)
    assert np.isfinite(crowd.arrived).all()
    assert crowd.stature.tolist() == [0.7, 0.7, 1.1, 1.1]
    small, large = crowd.motion(0), crowd.motion(2)
    assert small.skeleton.stature / large.skeleton.stature == pytest.approx(0.7 / 1.1)
    # on the floor, both of them, and as fast as they like to walk
    for motion in (small, large):
        assert abs(float(np.median(motion.positions[..., 1].min(axis=1)))) < 0.06
    assert crowd.report.slides.max() < 1e-3
    walked = np.hypot(*np.moveaxis(crowd.velocity[90:150], -1, 0)).mean(axis=0)
    assert np.abs(walked - crowd.cast.speed).max() < 0.25
    crowd.save(tmp_path / "sizes.glb")
    again = kg.load(tmp_path / "sizes.glb", skin=large.name)
    assert np.abs(again.positions[: len(large) - 1] - large.positions[:-1]).max() < 1e-3


def test_people_of_a_built_in_scenario_differ_a_little() -> None:
    tall = cast(scenario_of("circle:100")).stature
    assert tall.std() == pytest.approx(0.04, abs=0.01)
    assert tall.mean() == pytest.approx(1.0, abs=0.02)
    assert (tall == cast(scenario_of("circle:100")).stature).all()
