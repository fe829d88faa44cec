"""People who differ: builds, preferred clips, ground below them; and who stands faces their way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.crowds import CrowdError, Party, Rectangle, Scenario, Spots, Wall
from kinegraph.crowds.builds import ARMS, LEGS, TRUNK, built, skeleton_of
from kinegraph.crowds.casting import cast
from kinegraph.crowds.facing import Facing
from kinegraph.crowds.reading import scenario_of
from kinegraph.crowds.response import Gaits
from kinegraph.crowds.sight import Sight
from kinegraph.crowds.verdict import collisions, told
from kinegraph.errors import GraphError
from kinegraph.feet.sole import underfoot
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.ground import ground
from kinegraph.people.body import soles_of
from kinegraph.people.steered import People

ROW = Spots(((-3.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (3.0, 0.0)))
AHEAD = Rectangle(0.0, 9.0, 12.0, 2.0)


def test_people_are_built_differently_and_as_tall_as_they_were() -> None:
    stature = np.full(2000, 1.1)
    build = built(stature, np.full(2000, 0.03), np.random.default_rng(1))
    assert build.std(axis=0) == pytest.approx([0.033, 0.037, 0.033], abs=0.004)
    # longer legs, shorter trunk
    assert np.corrcoef(build[:, LEGS], build[:, TRUNK])[0, 1] < -0.9
    body = kg.samples.make("walk").motion.skeleton
    tall = [np.ptp(skeleton_of(body, one).rest[:, 1]) for one in build[:40]]
    assert np.std(tall) / np.mean(tall) < 0.012
    assert np.mean(tall) == pytest.approx(1.1 * np.ptp(body.rest[:, 1]), rel=0.01)
    assert (built(stature, np.zeros(2000), np.random.default_rng(1)) == 1.1).all()


def test_a_build_stretches_its_own_part_only() -> None:
    body = kg.samples.make("walk").motion.skeleton
    for part, role in ((LEGS, "left_knee"), (TRUNK, "neck"), (ARMS, "right_elbow")):
        build = np.ones(3)
        build[part] = 1.2
        share = np.linalg.norm(skeleton_of(body, build).offsets, axis=1) / np.maximum(
            np.linalg.norm(body.offsets, axis=1), 1e-9
        )
        assert share[body.joint(role)] == pytest.approx(1.2)
        others = {"left_knee", "neck", "right_elbow"} - {role}
        assert [share[body.joint(other)] for other in others] == pytest.approx([1.0, 1.0])


def test_feet_of_people_who_differ_stay_and_touch_the_floor(library: MotionGraph) -> None:
    party = Party(4, ROW, AHEAD, 0.95, stature=(1.0, 0.1), proportions=0.1)
    crowd = kg.crowd(library, Scenario("builds", (party,)), seconds=12)
    assert len({tuple(one) for one in crowd.build.tolist()}) == 4
    assert crowd.report.slides.max() < 1e-3
    for person in range(4):
        motion = crowd.motion(person)
        low = motion.positions[..., 1].min(axis=1)
        usual = crowd.graph.clips[0].motion.positions[..., 1].min()
        assert np.abs(low - usual * crowd.build[person, LEGS]).max() < 0.03


def test_same_seed_same_bytes_with_all_that_differs(library: MotionGraph) -> None:
    party = Party(4, ROW, AHEAD, prefer=("walk",), proportions=0.05)
    first, again = (
        kg.crowd(library, Scenario("twice", (party,), seed=5, ground="hill:0.5,6"), seconds=3) for _ in range(2)
    )
    assert first.rotations.tobytes() == again.rotations.tobytes()
    assert first.root.tobytes() == again.root.tobytes()
    other = kg.crowd(library, Scenario("twice", (party,), seed=6, ground="hill:0.5,6"), seconds=3)
    assert other.build.tolist() != first.build.tolist()


def test_feet_are_on_the_ground_whatever_the_build(library: MotionGraph) -> None:
    hill = ground("hill:0.8,8")
    party = Party(4, ROW, AHEAD, 0.95, stature=(1.0, 0.1), proportions=0.05)
    crowd = kg.crowd(library, Scenario("hill", (party,), ground="hill:0.8,8"), seconds=12)
    assert np.isfinite(crowd.arrived).all()
    assert float(np.ptp(crowd.root[..., 1])) > 0.5
    assert crowd.report.slides.max() < 1e-3
    soles = soles_of(crowd.graph)
    for person in range(4):
        motion, size = crowd.motion(person), crowd.build[person, LEGS]
        own = replace(motion, skeleton=crowd.graph.skeleton, root=motion.root / size)
        points = size * underfoot(own, soles)[:, :, :2].reshape(len(motion), 4, 3)
        rest = size * np.array([sole.rest[k] for sole in soles for k in range(2)])
        off = points[..., 1] - rest - hill(points[..., [0, 2]])
        held = crowd.held[: len(motion), person]
        assert np.abs(off[held]).max() < 0.01
        assert off.min() > -0.02


def test_ground_that_is_none_is_refused() -> None:
    with pytest.raises(CrowdError, match="ground"):
        Scenario("s", (Party(1, Spots(((0, 0),)), AHEAD),), ground="mountain:3")


def test_preferred_clips_are_played_more(library: MotionGraph) -> None:
    def share(*prefer: str) -> float:
        party = Party(4, ROW, Rectangle(0.0, 14.0, 12.0, 2.0), 1.3, prefer=prefer)
        crowd = kg.crowd(library, Scenario("likes", (party,)), seconds=8)
        edges = crowd.graph.edges
        clips = np.array([clip.name for clip in crowd.graph.clips])[crowd.graph.node_clip[edges.source[crowd.edges]]]
        return float(np.mean(np.char.startswith(clips, "walk_left")))

    assert share("walk_left*") > share() + 0.2
    with pytest.raises(GraphError, match="preferred clips"):
        share("gallop*")


def test_differences_are_said_in_toml(tmp_path: object) -> None:
    file = tmp_path / "all.toml"  # type: ignore[operator]
    file.write_text(
        'ground = "hill:1,6"\n[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = [[5, 0]]\nproportions = 0.05\nprefer = ["walk*", "stand"]\n'
    )
    read = scenario_of(file)
    assert read.ground == "hill:1,6"
    assert (read.groups[0].proportions, read.groups[0].prefer) == (0.05, ("walk*", "stand"))
    file.write_text('[[group]]\ncount = 1\nfrom = [[0, 0]]\nto = [[5, 0]]\nprefer = "walk"\n')
    with pytest.raises(CrowdError, match="prefer: expected a list of names"):
        scenario_of(file)


def test_a_goal_of_which_walls_leave_slivers_is_refused() -> None:
    # the room is a little smaller than the goal: outside of it a strip of 30 cm is left to the left and to the right
    room = Wall(((5.3, 2.9), (5.3, -2.9), (10.7, -2.9), (10.7, 2.9), (5.3, 2.9)))
    party = Party(1, Spots(((0.0, 0.0),)), Rectangle(8.0, 0.0, 6.0, 6.0))
    with pytest.raises(CrowdError, match="so narrow that nobody can stand there"):
        cast(Scenario("s", (party,), (room,)))
    # a strip that is wide enough will do
    assert len(cast(Scenario("s", (replace(party, goal=Rectangle(8.0, 0.0, 8.0, 8.0)),), (room,)))) == 1


def test_who_waits_turns_towards_their_way(library: MotionGraph) -> None:
    people = People(library, 1)
    # they stand with their back to it, and are told to wait
    people.turn([np.pi])
    sight, facing = Sight(people), Facing(1, library.fps)
    for _ in range(90):
        sight.look()
        people.turn(facing.turned(sight, np.array([[0.0, 1.3]])))
        people.step(np.zeros((1, 2)))
    sight.look()
    assert abs(sight.heading[0]) < 0.4
    assert np.hypot(*sight.place[0]) < 0.1


def test_speeds_that_a_graph_has_not_are_asked_for_otherwise() -> None:
    asked = np.array([0.6, 0.9, 1.1, 1.25, 1.5])
    gaits = Gaits(asked, np.array([0.6, 0.6, 0.6, 1.1, 1.5]))
    # 1.1 gives a slow walk, and 1.25 gives what was wanted; where the graph has it, it is asked for as it is
    assert gaits.for_speed(np.array([1.1, 1.5, 0.6])).tolist() == [1.25, 1.5, 0.6]


def test_a_crowd_says_who_walked_into_whom() -> None:
    trunk = np.full((90, 3), -0.5, np.float32)
    whom = np.tile(np.array([1, 0, 0], np.int32), (90, 1))
    trunk[30:35, 0] = trunk[30:35, 1] = (0.05, 0.12, 0.14, 0.11, 0.03)
    there = np.ones((90, 3), np.bool_)
    (found,) = collisions(trunk, whom, there)
    assert (found.first, found.last, found.people) == (31, 34, (0, 1))
    deep, often = told((found,), 0.02, 30.0)
    assert "once" in deep
    assert "persons 0 and 1 at 1.0 s (14 cm)" in deep
    assert "2.00 %" in often
    assert told((), 0.0, 30.0) == []
