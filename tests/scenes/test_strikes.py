"""Strikes of scenes: where hands and feet are in the finished motion, not what is said of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.errors import GraphError, SpaceError, Unsatisfied
from kinegraph.evaluation.skating import examine
from kinegraph.feet import knees
from kinegraph.feet.slide import slides
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.scenes import Key, Label, Scene, StrikeAt
from kinegraph.scenes.landing import striking
from kinegraph.strikes.space import Space
from kinegraph.tasks import Made
from kinegraph.walks import Disc
from tests.cli.inprocess import call

PUNCH, KICK = "right punch", "right kick"
BOTH = Scene(
    13,
    labels=(Label("walk", 0, 13),),
    keys=(Key(1, (0, 0), 0.0),),
    strikes=(StrikeAt(5, (0.3, 1.4, 3.6), PUNCH), StrikeAt(10, (1.5, 0.9, 6.0), KICK)),
    name="both",
)
# two targets a forearm apart, soon after each other
CHAIN = Scene(
    9,
    keys=(Key(1, (0, 0), 0.0),),
    strikes=(
        StrikeAt(4.5, (0.0, 1.3, 3.2), PUNCH),
        StrikeAt(5.9, (0.12, 1.45, 3.2), PUNCH),
        StrikeAt(7.1, (-0.05, 1.25, 3.15), PUNCH),
    ),
    name="chain",
)


@pytest.fixture(scope="module")
def spaces() -> list[Space]:
    names = kg.samples.names()
    return [
        kg.strikes.build([kg.samples.make(name).motion for name in names if name.startswith(kind)], kind)
        for kind in ("punch", "kick")
    ]


@pytest.fixture(scope="module")
def captured_space(cmu: Path) -> Space:
    return kg.strikes.build([kg.load(cmu / "bvh" / "02_05.bvh")], "punch")


@pytest.fixture(scope="module")
def both(stage: MotionGraph, spaces: list[Space]) -> Made:
    return kg.direct(stage, BOTH, spaces=spaces)


@pytest.fixture(scope="module")
def chain(stage: MotionGraph, spaces: list[Space]) -> Made:
    return kg.direct(stage, CHAIN, spaces=spaces)


def off(motion: Motion, strike: StrikeAt) -> float:
    """Metres between the striking joint and its target, at the frame that was asked for."""
    joint = "right_wrist" if strike.by == PUNCH else "right_ankle"
    place = motion.position(joint)[round(strike.time * motion.fps)]
    return float(np.linalg.norm(place - strike.target))


def test_hand_and_foot_are_on_target_at_their_frames(both: Made) -> None:
    assert len(both.motion) == 13 * 30 + 1
    for strike in BOTH.strikes:
        assert off(both.motion, strike) < 0.01
    assert both.reached
    assert both.marks == {150: "hit", 300: "hit"}


def test_it_is_a_strike_and_no_walk_with_a_long_arm(both: Made) -> None:
    """A hand goes to its target as in the captured strikes: as fast, and out from the body."""
    hand, shoulder = both.motion.position("right_wrist"), both.motion.position("right_shoulder")
    speed = np.linalg.norm(np.diff(hand - both.motion.root, axis=0), axis=-1) * 30
    assert speed[135:150].max() > 3.0
    reach = np.linalg.norm(hand - shoulder, axis=-1)
    # furthest out at the hit, to a frame or two; drawn in before
    assert abs(int(np.argmax(reach[135:165])) + 135 - 150) <= 2
    assert reach[150] > 1.4 * reach[120:150].min()


def test_feet_that_stand_stand_still(both: Made, chain: Made) -> None:
    for made in (both, chain):
        assert slides(made.motion, made.plants).overall[1] < 0.001


def test_feet_that_are_seen_to_stand_hardly_slide(both: Made, chain: Made) -> None:
    """Who has only the file finds contacts anew: feet that step low, land late or pivot flat would slide by centimetres."""
    for made in (both, chain):
        seen = examine(made.motion)
        assert seen is not None
        assert seen.slides.furthest.mean() < 0.0006
        assert seen.slides.furthest.max() < 0.009


def test_a_kick_is_as_fast_as_in_the_space_and_stands_on_its_other_foot(both: Made) -> None:
    """The knees of a few strikes among many walks are not slowed to what walks do, and holding the other foot makes no leg snap."""
    done = both.details
    kick = next(one for one in done.plan.strikes if one.asked.by == KICK)
    hit = kick.moment
    assert knees.speed(both.motion)[hit - 8 : hit + 8, 1].max() > 0.95 * knees.speed(kick.clip.clip.motion)[:, 1].max()
    report = done.finished.feet
    assert any(plant.side == "left" and plant.first <= hit < plant.last for plant in report.plants)


def test_what_is_told_of_the_strikes_is_so(both: Made) -> None:
    assert [one["time"] for one in both.quality["strikes"]] == [5, 10]
    for told, strike in zip(both.quality["strikes"], BOTH.strikes, strict=True):
        assert told["miss_cm"] == pytest.approx(100 * off(both.motion, strike), abs=0.001)
        assert told["frame"] == round(strike.time * 30)
        assert told["by"] == strike.by
        # made of captured strikes, whose weights add up
        assert all(clip.startswith(strike.by.split()[1]) for clip, _, _ in told["examples"])
        assert sum(weight for _, _, weight in told["examples"]) == pytest.approx(1.0, abs=0.02)
    (key,) = both.quality["keys"]
    assert key["place_cm"] < 2
    assert "strike 1" in str(both)


def test_somebody_walks_up_and_walks_on(both: Made) -> None:
    """Before the first strike, between the two and after the last the body gets somewhere, by clips of the graph."""
    root = both.motion.root[:, [0, 2]]
    assert np.hypot(*(root[125] - root[30])) > 2
    assert np.hypot(*(root[275] - root[180])) > 1
    busy = striking(both.details.finished.performance, both.details.plan)
    assert not busy[:90].any()
    assert busy[145:155].all()
    assert not busy[-30:].any()
    # nobody strikes at anything else
    assert np.count_nonzero(np.diff(busy.astype(int)) == 1) == 2
    # and elsewhere the label is borne that was asked for, of which strikes are exempt
    assert both.quality["asked_labels"]["walk"] > 0.7


def test_the_side_that_one_comes_from_is_free(stage: MotionGraph, spaces: list[Space]) -> None:
    """The same target is struck from where somebody comes from."""
    faces = []
    for at in ((0.0, -4.0), (4.0, 0.0), (-4.0, 0.0)):
        strike = StrikeAt(6, (0.0, 1.4, 0.0), PUNCH)
        made = kg.direct(stage, Scene(8, keys=(Key(1, at),), strikes=(strike,)), spaces=spaces)
        assert off(made.motion, strike) < 0.01
        (planned,) = made.details.plan.strikes
        faces.append(planned.place.angle)
        way = -made.motion.root[180, [0, 2]]
        # somebody stands between where he came from and the target
        assert np.dot(way, -np.array(at)) > 0
    assert len({round(math.degrees(angle)) % 360 for angle in faces}) == 3


def test_a_chain_is_thrown_from_one_stance(chain: Made) -> None:
    for strike in CHAIN.strikes:
        assert off(chain.motion, strike) < 0.01
    assert [one.linked for one in chain.details.plan.strikes] == [False, True, True]
    first, *others = [one.place for one in chain.details.plan.strikes]
    assert all(place == first for place in others)
    # the balls of both feet stay where they are, from the first hit to the last; heels are lifted as in the captured punches
    for toe in ("left_toe", "right_toe"):
        places = chain.motion.position(toe)[135:213, [0, 2]]
        assert np.ptp(places, axis=0).max() < 0.05


def test_a_chain_of_several_spaces(stage: MotionGraph, spaces: list[Space]) -> None:
    scene = Scene(
        9,
        keys=(Key(1, (0, 0), 0.0),),
        strikes=(StrikeAt(4.5, (0.0, 1.35, 3.2), PUNCH), StrikeAt(6.2, (0.0, 0.9, 3.4), KICK)),
    )
    made = kg.direct(stage, scene, spaces=spaces)
    for strike in scene.strikes:
        assert off(made.motion, strike) < 0.01
    assert slides(made.motion, made.plants).overall[1] < 0.001


def test_joints_are_as_smooth_as_in_clips_and_strikes(both: Made, chain: Made, stage: MotionGraph) -> None:
    def changes(motion: Motion) -> np.ndarray:
        return np.linalg.norm(np.diff(motion.positions, 2, axis=0), axis=-1).max(axis=1)

    for made in (both, chain):
        plan = made.details.plan
        usual = max(np.percentile(changes(clip.motion), 99.9) for clip in plan.graph.clips)
        assert changes(made.motion).max() < 1.5 * usual


def test_the_same_scene_gives_the_same_motion(stage: MotionGraph, spaces: list[Space], both: Made) -> None:
    again = kg.direct(stage, BOTH, spaces=spaces)
    assert np.array_equal(again.motion.rotations, both.motion.rotations)
    other = kg.direct(stage, BOTH, spaces=spaces, seed=3)
    assert not np.array_equal(other.motion.rotations, both.motion.rotations)
    assert all(off(other.motion, strike) < 0.01 for strike in BOTH.strikes)


def test_the_graph_itself_is_left_alone(stage: MotionGraph, both: Made) -> None:
    assert len(stage.clips) + 2 == len(both.details.plan.graph.clips)
    assert not any(clip.name.startswith(PUNCH) for clip in stage.clips)


@pytest.mark.parametrize(
    ("strike", "why"),
    [
        (StrikeAt(5, (0, 3.0, 3), PUNCH), r"strike 1 \(at 5 s\) is out of reach: .* go 1\.\d+ to 1\.\d+ m high"),
        (StrikeAt(5, (0, 0.2, 3), PUNCH), "strike 1 .* is out of reach"),
        (StrikeAt(1.5, (30, 1.4, 30), PUNCH), "strike 1 .* is 41.* m from key 1 .* that needs .* m/s"),
        (StrikeAt(0.1, (0, 1.4, 0.5), PUNCH), "strike 1 is at 0.1 s, and takes .* s from its ready pose to the hit"),
    ],
)
def test_what_cannot_be_is_said_beforehand(
    stage: MotionGraph, spaces: list[Space], strike: StrikeAt, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was searched")

    monkeypatch.setattr("kinegraph.scenes.trying.solve", never)
    with pytest.raises(Unsatisfied, match=why):
        kg.direct(stage, Scene(8, keys=() if strike.time < 1 else (Key(1, (0, 0)),), strikes=(strike,)), spaces=spaces)


def test_too_little_time_between_strikes_is_said_beforehand(stage: MotionGraph, spaces: list[Space]) -> None:
    near = (StrikeAt(4, (0, 1.4, 3), PUNCH), StrikeAt(4.3, (0, 1.3, 3), PUNCH))
    with pytest.raises(
        Unsatisfied, match=r"strike 2 \(at 4.3 s\) comes 0.30 s after the strike before it: .* at least"
    ):
        kg.direct(stage, Scene(8, strikes=near), spaces=spaces)
    far = (StrikeAt(4, (0, 1.4, 3), PUNCH), StrikeAt(5.5, (0, 1.4, 12), PUNCH))
    with pytest.raises(
        Unsatisfied, match=r"strike 2 .* m from where strike 1 is struck from, 1.5 s before: to get there takes"
    ):
        kg.direct(stage, Scene(8, strikes=far), spaces=spaces)


def test_a_target_in_an_obstacle_is_struck_from_beside_it_or_refused(stage: MotionGraph, spaces: list[Space]) -> None:
    strike = StrikeAt(5, (0.3, 1.4, 3.5), PUNCH)
    scene = Scene(8, keys=(Key(1, (0, 0)),), strikes=(strike,), obstacles=(Disc(0.3, 3.5, 0.2),), clearance=0.15)
    made = kg.direct(stage, scene, spaces=spaces)
    assert off(made.motion, strike) < 0.01
    assert np.hypot(made.motion.root[:, 0] - 0.3, made.motion.root[:, 2] - 3.5).min() > 0.35
    with pytest.raises(
        Unsatisfied, match=r"strike 1 \(at 5 s\) is out of reach: wherever it could be struck from, obstacle 1"
    ):
        kg.direct(stage, replace(scene, obstacles=(Disc(0.3, 3.5, 1.2),)), spaces=spaces)


def test_a_space_of_another_body(stage: MotionGraph, captured_space: Space) -> None:
    strike = StrikeAt(5, (0.3, 1.2, 3.5))
    made = kg.direct(stage, Scene(8, keys=(Key(1, (0, 0)),), strikes=(strike,)), spaces=captured_space)
    place = made.motion.position("right_wrist")[150]
    assert np.linalg.norm(place - strike.target) < 0.01
    assert slides(made.motion, made.plants).overall[1] < 0.001


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"time": 5}, "strike 1 needs target"),
        ({"target": [0, 1, 2]}, "strike 1 needs time"),
        ({"time": 5, "target": [0, 1]}, r"strike 1: target = \[x, y, z\]"),
        ({"time": 5, "target": [0, 1, "up"]}, "strike 1: target is a number"),
        ({"time": 5, "target": [0, 1, 2], "by": 3}, "strike 1: by = "),
        ({"time": 50, "target": [0, 1, 2]}, "strike 1 is at 50 s, and the scene lasts 8 s"),
        ({"time": 5, "target": [0, 1, 2], "hand": "left"}, "strike 1 has no 'hand'"),
    ],
)
def test_bad_strikes_are_refused(table: dict[str, object], why: str) -> None:
    with pytest.raises(GraphError, match=why):
        kg.scenes.scene_of({"seconds": 8, "strike": [table]})


def test_strikes_stand_in_order_of_time() -> None:
    with pytest.raises(GraphError, match="strike 2 is at 3 s, and strike 1 at 5 s: put strikes in order of time"):
        Scene(8, strikes=(StrikeAt(5, (0, 1.4, 3)), StrikeAt(3, (0, 1.4, 3))))


def test_spaces_are_found_by_name_and_by_file(stage: MotionGraph, spaces: list[Space], tmp_path: Path) -> None:
    file = tmp_path / "punches.mog"
    kg.strikes.save(spaces[0], file)
    scene = tmp_path / "scene.toml"
    for by in ("punches.mog", "punches.mog:right punch"):
        scene.write_text(f'seconds = 7\n[[strike]]\ntime = 4\ntarget = [0, 1.4, 3]\nby = "{by}"')
        found = kg.scenes.read(scene)
        if ":" in by:
            # a file beside the scene, or with its folder
            scene.write_text(f'seconds = 7\n[[strike]]\ntime = 4\ntarget = [0, 1.4, 3]\nby = "{file}:right punch"')
            found = kg.scenes.read(scene)
        made = kg.direct(stage, found, draft=True)
        assert made.quality["strikes"][0]["by"] == PUNCH
    one = Scene(7, strikes=(StrikeAt(4, (0, 1.4, 3)),))
    assert kg.direct(stage, one, spaces=spaces[0], draft=True).quality["strikes"][0]["by"] == PUNCH
    with pytest.raises(SpaceError, match=r"strike 1: say by which space.* 'right punch', 'right kick'"):
        kg.direct(stage, one, spaces=spaces)
    with pytest.raises(SpaceError, match="strike 1: no space is called 'left hook'"):
        kg.direct(stage, Scene(7, strikes=(StrikeAt(4, (0, 1.4, 3), "left hook"),)), spaces=spaces)


def test_it_can_be_drawn(both: Made, tmp_path: Path) -> None:
    both.plot(tmp_path / "both.svg")
    drawn = (tmp_path / "both.svg").read_text(encoding="utf-8")
    assert "1.40 m high" in drawn
    assert "0.90 m high" in drawn


def test_as_a_command(stage: MotionGraph, spaces: list[Space], tmp_path: Path) -> None:
    graph = tmp_path / "graph.mog"
    kg.graph.save(stage, graph)
    kg.strikes.save(spaces[0], graph)
    scene = tmp_path / "scene.toml"
    scene.write_text('seconds = 7\n[[strike]]\ntime = 4\ntarget = [0, 1.4, 3]\nby = "right punch"')
    out = tmp_path / "out.bvh"
    done = call("direct", graph, scene, "-o", out, "--json")
    assert done.code == 0
    (told,) = json.loads(done.out)["strikes"]
    assert told["miss_cm"] < 1
    read = kg.load(out)
    assert float(np.linalg.norm(read.position("right_wrist")[120] - [0, 1.4, 3])) < 0.01
    scene.write_text('seconds = 7\n[[strike]]\ntime = 4\ntarget = [0, 2.9, 3]\nby = "right punch"')
    done = call("direct", graph, scene)
    assert done.code == 1
    assert "out of reach" in done.err


def test_captured_punches(cmu: Path) -> None:
    """Subject 143: walks, and four punches of the left hand in one take."""
    files = [cmu / "bvh" / f"143_{number}.bvh" for number in (23, 32, 38)]
    graph = kg.build(files, fps=30)
    space = kg.strikes.build([kg.load(files[0])], "punch", side="left")
    strikes = (StrikeAt(6, (0.5, 1.2, 4.0)), StrikeAt(8, (0.45, 1.22, 4.0)))
    made = kg.direct(graph, Scene(11, keys=(Key(1, (0, 0)),), strikes=strikes), spaces=space)
    for strike in strikes:
        place = made.motion.positions[round(strike.time * 30), space.examples.end]
        assert np.linalg.norm(place - strike.target) < 0.01
    assert slides(made.motion, made.plants).overall[1] < 0.001
