"""Scenes changed in one stretch, and scenes that are loops: looked at frame by frame."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.scenes import Key, Label, Pin, Scene, loop, scene_of
from kinegraph.scenes.misses import bumps
from kinegraph.scenes.scene import Along
from kinegraph.tasks import Made
from kinegraph.walks import Box, Disc
from tests.cli.inprocess import call

WALK = Scene(
    16,
    labels=(Label("walk", 0, 16),),
    keys=(Key(0, (0, 0), 0.0), Key(5, (1.0, 5.2), 0.6), Key(10, (5.5, 7.0), 2.0), Key(16, (7.5, 1.0))),
)
FIRST, LAST = 6.0, 9.0


@pytest.fixture(scope="module")
def walked(stage: MotionGraph) -> Made:
    return kg.direct(stage, WALK, width=100)


@pytest.fixture(scope="module")
def other(stage: MotionGraph, walked: Made) -> Made:
    return kg.direct(stage, WALK, width=100, stretch="6-9", seed=2, of=walked)


def jumps(motion: Motion) -> Array:
    """Of each frame but two, by how much the velocity of the joint that jumps most changes."""
    steps = np.diff(motion.positions, axis=0)
    found: Array = np.linalg.norm(np.diff(steps, axis=0), axis=-1).max(axis=1)
    return found


def usual(graph: MotionGraph) -> float:
    return float(np.percentile(np.concatenate([jumps(clip.motion) for clip in graph.clips]), 99))


def test_a_stretch_that_leads_nowhere_from_its_very_ends_is_left_and_met_elsewhere() -> None:
    """The example of the documentation: its clip has but one way on at 4 s, and that comes back too late for 8 s."""
    names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "run", "stop")
    graph = kg.build([kg.samples.make(name).motion for name in names], mirror=True)
    whole = kg.direct(graph, {"seconds": 12, "key": [{"time": 1, "at": [0, 0]}, {"time": 11, "at": [2, 9]}]})
    anew = kg.direct(graph, whole.task.scene, stretch="4-8", seed=1, of=whole)
    outside = np.r_[0 : 4 * 30 + 1, 8 * 30 : len(whole.motion)]
    assert np.array_equal(whole.motion.root[outside], anew.motion.root[outside])
    assert np.abs(whole.motion.root - anew.motion.root).max() > 0.01
    assert jumps(anew.motion)[3 * 30 : 9 * 30].max() < 1.5 * usual(graph)
    with pytest.raises(Unsatisfied, match=r"from 4 to 6.5 s .*; from 4 to 7 s there is one"):
        kg.direct(graph, whole.task.scene, stretch="4-6.5", seed=1, of=whole)


def test_outside_a_stretch_every_bit_stays(walked: Made, other: Made) -> None:
    outside = np.r_[0 : 6 * 30 + 1, 9 * 30 : len(walked.motion)]
    assert np.array_equal(walked.motion.root[outside], other.motion.root[outside])
    assert np.array_equal(walked.motion.rotations[outside], other.motion.rotations[outside])
    assert walked.provenance is not None
    assert other.provenance is not None
    clips = [
        [one.provenance.clips[n] for n in one.provenance.clip[outside].tolist()]  # type: ignore[union-attr]
        for one in (walked, other)
    ]
    assert clips[0] == clips[1]


def test_a_stretch_is_another_one_and_joins_smoothly(stage: MotionGraph, walked: Made, other: Made) -> None:
    inside = slice(6 * 30 + 15, 9 * 30 - 15)
    apart = np.linalg.norm(walked.motion.positions[inside] - other.motion.positions[inside], axis=-1)
    assert apart.max() > 0.05
    assert jumps(other.motion)[6 * 30 - 3 : 9 * 30 + 3].max() < 1.5 * usual(stage)
    assert other.quality["velocity_jump"]["ratio"] < 1.5
    assert other.quality["held_slide_mm"]["max"] < 3.0
    assert other.reached
    assert len(other.transitions) >= 1


def stood(made: Made) -> list[float]:
    """Of each plant of a foot, the share of its frames in which that foot is in contact."""
    assert made.contacts is not None
    return [float(made.contacts[one.first : one.last, one.column].mean()) for one in made.plants]


def test_feet_are_told_to_stand_where_they_do_in_a_stretch(walked: Made, other: Made) -> None:
    assert min(stood(walked)) == 1.0
    assert min(stood(other)) > 0.7
    spans = [[(one.column, one.first, one.last) for one in made.plants] for made in (walked, other)]
    assert spans[0] != spans[1]
    apart = [one for one in spans[1] if one[2] <= 6 * 30 or one[1] >= 9 * 30]
    assert apart == [one for one in spans[0] if one[2] <= 6 * 30 or one[1] >= 9 * 30]


def test_a_stretch_of_another_variation_is_of_the_seed_by_which_all_else_was_made(stage: MotionGraph) -> None:
    scene = Scene(9, keys=(Key(1, (0, 0)), Key(8, (2, 7))))
    first = kg.direct(stage, scene, width=100, seed=3)
    said = kg.direct(stage, scene, width=100, seed=4, stretch="3-6", of_seed=3)
    held = kg.direct(stage, scene, width=100, seed=4, stretch="3-6", of=first)
    assert np.array_equal(said.motion.root, held.motion.root)
    assert np.array_equal(said.motion.rotations, held.motion.rotations)
    assert np.array_equal(first.motion.root[180:], said.motion.root[180:])


def test_a_stretch_may_ask_for_something_else(stage: MotionGraph, walked: Made) -> None:
    middle = (3.2, 7.2)
    scene = replace(WALK, keys=(*WALK.keys[:2], Key(7.5, middle), *WALK.keys[2:]))
    made = kg.direct(stage, scene, width=100, stretch="5.5-9.5", of=walked)
    outside = np.r_[0 : 165 + 1, 285 : len(walked.motion)]
    assert np.array_equal(walked.motion.root[outside], made.motion.root[outside])
    assert math.dist(walked.motion.root[225, [0, 2]], middle) > 0.05
    assert math.dist(made.motion.root[225, [0, 2]], middle) < 0.02


@pytest.mark.parametrize(
    ("stretch", "told"), [("9", "such as 20-23"), ("6-6.4", "cannot be made anew"), ("14-19", "within the 16 s")]
)
def test_a_stretch_that_makes_no_sense(stage: MotionGraph, walked: Made, stretch: str, told: str) -> None:
    with pytest.raises(GraphError, match=told):
        kg.direct(stage, WALK, stretch=stretch, of=walked)


def test_a_stretch_as_a_command(stage: MotionGraph, tmp_path: Path) -> None:
    kg.graph.save(stage, tmp_path / "g.mog")
    (tmp_path / "s.toml").write_text("seconds = 9\n[[key]]\ntime = 1\nat = [0, 0]\n[[key]]\ntime = 8\nat = [2, 7]\n")
    for name, more in (("a.bvh", ()), ("b.bvh", ("--stretch", "2-6", "--seed", "3"))):
        done = call("direct", "g.mog", "s.toml", "-o", name, *more, folder=tmp_path)
        assert done.code == 0, done.err
    # the clips' own frames of the files, which begin with their headers
    one, two = ((tmp_path / name).read_text().splitlines() for name in ("a.bvh", "b.bvh"))
    assert len(one) == len(two)
    assert one[-80:] == two[-80:]
    assert one != two


@pytest.mark.parametrize(
    "scene",
    [
        Scene(8, (Label("walk", 0, 8),), loop=True),
        Scene(16, (Label("walk", 0, 16),), (Key(3, (0, 0), 0.0), Key(9, (4.0, 4.0))), loop=True),
    ],
)
def test_the_end_of_a_loop_is_its_beginning(stage: MotionGraph, scene: Scene) -> None:
    made = kg.direct(stage, scene, width=100)
    places = made.motion.positions
    assert len(places) == round(30 * scene.seconds) + 1
    assert np.abs(places[0] - places[-1]).max() < 1e-4
    # played again and again: what is seen about the seam
    around = np.concatenate([places[-12:-1], places[:12]])
    seam = np.linalg.norm(np.diff(around, n=2, axis=0), axis=-1).max()
    assert seam < 1.5 * usual(stage)
    assert max(one.last for one in made.plants) <= len(places)
    assert min(stood(made)) == 1.0
    # and it has been somewhere
    assert np.ptp(made.motion.root[:, [0, 2]], axis=0).max() > 1.0
    # a key that a loop of so few clips cannot meet is told
    met = [one["place_cm"] <= 2 and (one["heading_deg"] or 0.0) <= 5 for one in made.quality["keys"]]
    assert made.reached == all(met)


def test_a_loop_that_does_not_close_is_refused_and_not_dragged_together(
    stage: MotionGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "APART", 1e-5)
    with pytest.raises(Unsatisfied, match="the loop does not close"):
        kg.direct(stage, Scene(8, (Label("walk", 0, 8),), loop=True), draft=True)


def test_a_clip_that_is_pinned_is_played(stage: MotionGraph) -> None:
    scene = Scene(9, (Label("walk", 0, 9),), pins=(Pin("walk_left_tight", 4, 6),))
    made = kg.direct(stage, scene, draft=True)
    assert made.provenance is not None
    names = np.array(made.provenance.clips)[made.provenance.clip]
    assert (names[round(4.3 * 30) : round(5.7 * 30)] == "walk_left_tight").all()


def test_a_transition_that_is_vetoed_is_not_taken(stage: MotionGraph, walked: Made) -> None:
    edge = walked.details.finished.performance.transitions[0].edge
    edges = stage.edges
    ends = [
        f"{stage.clips[int(stage.node_clip[node])].name}:{int(stage.node_frame[node])}"
        for node in (int(edges.source[edge]), int(edges.target[edge]))
    ]
    made = kg.direct(stage, WALK, width=100, without=[">".join(ends)])
    taken = {one.edge for one in made.details.finished.performance.transitions}
    assert edge not in taken
    with pytest.raises(GraphError, match="is no transition"):
        kg.direct(stage, WALK, without=["walk:3>nobody:4"])
    with pytest.raises(GraphError, match="no clip 'nobody'"):
        kg.direct(stage, WALK, without=["nobody"])


def test_a_path_is_followed_for_a_while(stage: MotionGraph) -> None:
    scene = scene_of({"seconds": 14, "label": [{"name": "walk"}], "path": [{"shape": "circle:2", "from": 2, "to": 12}]})
    (along,) = scene.paths
    assert isinstance(along, Along)
    made = kg.direct(stage, scene)
    off, _ = along.path.track(made.motion.root[2 * 30 : 12 * 30 + 1][:, [0, 2]])
    assert off.mean() < 0.06
    assert off.max() < 0.25
    ends = [made.motion.root[frame, [0, 2]] for frame in (60, 360)]
    assert math.dist(ends[0], along.path.points[0]) < 0.02
    assert math.dist(ends[1], along.path.points[-1]) < 0.02


def test_what_the_finish_brings_too_near_to_an_obstacle_is_seen() -> None:
    walk = kg.samples.make("walk").motion
    x, _, z = walk.root[60]
    beside = Scene(
        4, obstacles=(Disc(float(x) + 0.5, float(z), 0.3), Disc(30, 30, 1), Box(float(x) + 0.1, -50, 1, 100))
    )
    one, two = bumps(walk, beside)
    assert (one.obstacle, two.obstacle) == (1, 3)
    frame = round(one.time * walk.fps)
    away = math.dist(walk.root[frame, [0, 2]], (float(x) + 0.5, float(z))) - 0.3
    assert one.depth == pytest.approx(0.3 - away)
    assert two.depth == pytest.approx(0.3 - (float(x) + 0.1 - walk.root[:, 0].max()))


def test_what_contradicts_a_path_is_refused() -> None:
    path = {"shape": "circle:2", "from": 2, "to": 12}
    for said, told in (
        ({"path": [path], "key": [{"time": 5, "at": [9, 9]}]}, "key 1 is at 5 s, while path 1 is followed"),
        ({"path": [path, {**path, "from": 10, "to": 13}]}, "path 2 begins at 10 s, before path 1 ends"),
        ({"path": [{"from": 2}]}, "say shape"),
        ({"path": [{"shape": "blob:2"}]}, "path 1: no"),
        ({"clip": [{"from": 2}]}, "clip 1 needs the name"),
        ({"without": {"clips": ["a:1>b:2"]}}, "does not belong to clips"),
        ({"loop": 1}, "loop is true or false"),
    ):
        with pytest.raises(GraphError, match=told):
            scene_of({"seconds": 14, **said})
