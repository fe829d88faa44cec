"""Directed scenes: the motion itself is looked at, not what is said of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.scenes import Key, Label, PoseAt, Scene, Wait
from kinegraph.tasks import Direct, Made
from kinegraph.tasks.recipes import command_words, python_call
from kinegraph.walks import Disc
from tests.cli.inprocess import call

WALK = Scene(
    14,
    labels=(Label("walk", 0, 14),),
    keys=(
        Key(0, (0, 0), 0.0),
        Key(4, (1.0, 4.2), math.radians(40)),
        Key(9, (5.5, 6.0), math.radians(120)),
        Key(14, (7.5, 1.5)),
    ),
    name="walk",
)


@pytest.fixture(scope="module")
def walked(stage: MotionGraph) -> Made:
    return kg.direct(stage, WALK)


def apart(motion: Motion, key: Key) -> tuple[float, float]:
    """How far the root is from a key at its frame, and by how much the body faces elsewhere."""
    assert key.time is not None
    frame = round(key.time * motion.fps)
    x, _, z = motion.root[frame]
    turned = (
        0.0 if key.heading is None else abs(math.remainder(float(motion.heading()[frame]) - key.heading, 2 * math.pi))
    )
    return math.hypot(x - key.at[0], z - key.at[1]), turned


def test_every_key_is_met_at_its_frame(walked: Made) -> None:
    assert len(walked.motion) == 14 * 30 + 1
    for key in WALK.keys:
        metres, radians = apart(walked.motion, key)
        assert metres < 0.02
        assert radians < math.radians(5)
    assert walked.reached


def test_what_is_told_of_the_keys_is_so(walked: Made) -> None:
    told = walked.to_dict()["keys"]
    assert [one["time"] for one in told] == [0, 4, 9, 14]
    for one, key in zip(told, WALK.keys, strict=True):
        metres, radians = apart(walked.motion, key)
        assert one["place_cm"] == pytest.approx(100 * metres, abs=1e-3)
        assert one["heading_deg"] == (None if key.heading is None else pytest.approx(math.degrees(radians), abs=1e-3))
        assert one["time_s"] == 0


def test_time_is_warped_by_no_more_than_it_may_and_smoothly(walked: Made) -> None:
    rates = walked.details.rates
    assert rates.min() > 1 / 1.15 - 1e-6
    assert rates.max() < 1.15 + 1e-6
    assert np.abs(np.diff(rates)).max() < 0.03


def test_it_is_as_smooth_as_any_walk_and_feet_stand(walked: Made) -> None:
    quality = walked.quality
    assert quality["velocity_jump"]["ratio"] < 1.5
    assert quality["held_slide_mm"]["max"] < 1.0
    assert quality["asked_labels"] == {"walk": 1.0}


def test_the_same_scene_gives_the_same_motion(stage: MotionGraph, walked: Made) -> None:
    again = kg.direct(stage, WALK)
    assert np.array_equal(again.motion.root, walked.motion.root)
    assert np.array_equal(again.motion.rotations, walked.motion.rotations)


def test_another_seed_is_another_motion_that_meets_the_keys(stage: MotionGraph, walked: Made) -> None:
    other = kg.direct(stage, WALK, seed=5)
    assert not np.array_equal(other.motion.root, walked.motion.root)
    assert all(apart(other.motion, key)[0] < 0.02 for key in WALK.keys)


def test_labels_come_when_they_are_asked_for(stage: MotionGraph) -> None:
    made = kg.direct(stage, Scene(18, labels=(Label("walk", 0, 8), Label("run", 8, 18)), keys=(Key(4, (0, 0), 0.0),)))
    assert made.provenance is not None
    when = np.arange(len(made.motion)) / 30
    assert made.provenance.labels["walk"][when < 7.7].all()
    assert made.provenance.labels["run"][when > 8.3].all()
    speed = np.hypot(*np.gradient(made.motion.root[:, [0, 2]], axis=0).T) * 30
    assert speed[when > 9.5].mean() > 1.5 * speed[when < 7].mean()


def test_what_must_not_be_is_not(stage: MotionGraph) -> None:
    keys = (Key(1, (0, 0), 0.0), Key(9, (0, 9.0), 0.0))
    made = kg.direct(
        stage, Scene(10, labels=(Label("turn_left|turn_right", 0, 10, must=False), Label("walk", 0, 10)), keys=keys)
    )
    assert made.provenance is not None
    labels = made.provenance.labels
    assert "turn_left" not in labels
    assert "turn_right" not in labels


@pytest.fixture(scope="module")
def playful() -> MotionGraph:
    """Who can jump on the spot, besides walking and standing."""
    names = ("stand", "start", "walk", "stop", "jump")
    return kg.build([kg.samples.make(name).motion for name in names], fps=30, mirror=True)


@pytest.mark.parametrize("seed", [0, 1])
def test_nobody_jumps_unless_asked(playful: MotionGraph, seed: int) -> None:
    """A metre and a half in seven seconds: jumping on the spot would take that long, too."""
    keys = (Key(0, (0, 0), 0.0), Key(7, (0, 1.5), 0.0))
    quiet = kg.direct(playful, Scene(8, keys=keys), seed=seed)
    assert "jump" not in quiet.quality["labels"]
    assert quiet.reached
    asked = kg.direct(playful, Scene(8, (Label("jump", 3, 5),), keys), seed=seed)
    assert asked.quality["labels"]["jump"] > 0.15


def test_what_may_be_is_as_good_as_what_must(stage: MotionGraph) -> None:
    # nobody walks that fast, so whoever may run does
    keys = (Key(1, (0, 0), 0.0), Key(4, (0, 5.0)), Key(9, (0, 18.0)))
    made = kg.direct(stage, Scene(10, (Label("walk", 0, 10), Label("run", 4, 10, may=True)), keys), width=100)
    assert made.reached
    assert made.provenance is not None
    when, runs = np.arange(len(made.motion)) / 30, made.provenance.labels["run"]
    assert runs[(when > 5) & (when < 8)].all()
    assert not runs[when < 3.7].any()
    assert made.quality["asked_labels"] == {"walk": 1.0, "(walk)|(run)": 1.0}


def test_who_waits_stands(stage: MotionGraph) -> None:
    keys = (Key(1, (0, 0), 0.0), Key(7, (0, 5.0), 0.0), Key(15, (0.5, 10.0)))
    made = kg.direct(stage, Scene(16, keys=keys, waits=(Wait(7, 9),)))
    speed = np.hypot(*np.gradient(made.motion.root[:, [0, 2]], axis=0).T) * 30
    assert speed[7 * 30 + 9 : 9 * 30 - 9].max() < 0.3
    assert all(apart(made.motion, key)[0] < 0.02 for key in keys)


def test_nobody_walks_through_an_obstacle(stage: MotionGraph) -> None:
    wall = Disc(0.1, 4.5, 0.8)
    keys = (Key(1, (0, 0), 0.0), Key(9, (0, 9.0), 0.0))
    free, kept = (kg.direct(stage, Scene(10, keys=keys, obstacles=things)) for things in ((), (wall,)))
    away = [np.hypot(made.motion.root[:, 0] - wall.x, made.motion.root[:, 2] - wall.z).min() for made in (free, kept)]
    assert away[0] < 0.5
    assert away[1] > wall.radius
    assert all(apart(kept.motion, key)[0] < 0.02 for key in keys)


def test_a_pose_is_shown_at_its_time(stage: MotionGraph) -> None:
    made = kg.direct(stage, Scene(10, labels=(Label("walk", 0, 10),), poses=(PoseAt("walk_left_tight", 30, 6.0),)))
    assert made.provenance is not None
    frame = 180
    assert made.provenance.clips[made.provenance.clip[frame]] == "walk_left_tight"
    assert abs(int(made.provenance.frame[frame]) - 30) <= 4


def test_clips_that_are_vetoed_are_not_used(stage: MotionGraph, walked: Made) -> None:
    assert walked.provenance is not None
    vetoed = walked.provenance.clips[0]
    made = kg.direct(stage, Scene(14, WALK.labels, WALK.keys, without=(vetoed,)))
    assert made.provenance is not None
    assert vetoed not in made.provenance.clips


def test_a_key_within_a_window_is_met_within_it(stage: MotionGraph) -> None:
    scene = Scene(12, keys=(Key(1, (0, 0), 0.0), Key(None, (0, 4), window=(3, 6)), Key(10, (0, 9))))
    made = kg.direct(stage, scene)
    away = np.hypot(made.motion.root[:, 0], made.motion.root[:, 2] - 4)
    assert away[90:181].min() < 0.02


def test_a_miss_is_told_and_is_no_success(stage: MotionGraph) -> None:
    # to turn about at once is more than a walker can
    keys = (Key(1, (0, 0), 0.0), Key(4, (0, 3.5), 0.0), Key(4.4, (0.3, 3.2), math.pi), Key(8, (0, 0), math.pi))
    made = kg.direct(stage, Scene(9, labels=(Label("walk", 0, 9),), keys=keys))
    missed = [key for key in keys if apart(made.motion, key)[0] > 0.02 or apart(made.motion, key)[1] > math.radians(5)]
    assert missed
    assert not made.reached
    assert "is missed by" in made.short


def test_said_as_a_command_and_as_python_it_is_the_same() -> None:
    task = Direct(
        "scene.toml", draft=True, width=120, seed=3, report=True, blend="inertial", clean=False, stretch="3-6",
        of="before.toml", of_seed=5, without=["walk", "walk:30>run:12"],
    )  # fmt: skip
    words = command_words(task, "g.mog")
    assert words[:4] == ["kinegraph", "direct", "g.mog", "scene.toml"]
    assert set(words[4:]) == {
        "--draft",
        "--width",
        "120",
        "--seed",
        "3",
        "--report",
        "--blend",
        "inertial",
        "--no-clean",
        "--stretch",
        "3-6",
        "--of",
        "before.toml",
        "--of-seed",
        "5",
        "--without",
        "walk,walk:30>run:12",
    }
    assert (
        eval(
            python_call(task, "g.mog"),
            {"kg": SimpleNamespace(direct=lambda graph, *scene, **wishes: Direct(*scene, **wishes))},
        )
        == task
    )


def test_as_a_command(stage: MotionGraph, tmp_path: Path) -> None:
    kg.graph.save(stage, tmp_path / "g.mog")
    (tmp_path / "scene.toml").write_text(
        'seconds = 8\n[[label]]\nname = "walk"\nfrom = 0\nto = 8\n[[key]]\ntime = 6\nat = [2, 4]\nheading = 90\n',
        encoding="utf-8",
    )
    done = call("direct", "g.mog", "scene.toml", "-o", "out.bvh", "--plot", "out.png", "--json", folder=tmp_path)
    assert done.code == 0, done.err
    told = json.loads(done.out)
    (key,) = told["keys"]
    assert key["time"] == 6
    assert key["place_cm"] < 2
    assert key["heading_deg"] < 5
    written = kg.load(tmp_path / "out.bvh")
    assert apart(written, Key(6, (2, 4), math.pi / 2))[0] < 0.02
    assert (tmp_path / "out.png").stat().st_size > 10_000
    refused = call("direct", "g.mog", "none.toml", folder=tmp_path)
    assert refused.code == 2
    assert "there is no such file" in refused.err
