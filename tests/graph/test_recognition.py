from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.arrays import Array
from kinegraph.feet.contacts import contacts
from kinegraph.graph.making.annotate import DOINGS, annotate
from kinegraph.graph.making.recognition.signs import Signs
from kinegraph.graph.model import LabelSpan
from kinegraph.motion import Motion, mirror, rotation
from kinegraph.motion.skeleton import Skeleton

BODY = samples.make("stand").motion.skeleton
THIGH = SHANK = 0.425
FPS = 30.0


def labels_of(motion: Motion) -> tuple[LabelSpan, ...]:
    return annotate(motion, contacts(motion))


def doings(motion: Motion) -> list[str]:
    return [span.label for span in labels_of(motion) if span.label in DOINGS]


def about(axis: str, degrees: Array | float) -> Array:
    """A rotation about an axis of the body: x to its left, y upwards, z ahead."""
    half = 0.5 * np.deg2rad(np.asarray(degrees, float))
    quaternion = np.zeros((*half.shape, 4))
    quaternion[..., 0], quaternion[..., 1 + "xyz".index(axis)] = np.cos(half), np.sin(half)
    return quaternion


def posed(frames: int = 90, height: Array | float = 0.0, along: Array | float = 0.0, **joints: Array) -> Motion:
    """A body that hangs its arms, with some joints turned; height: of the hips over where they are in standing; along: on its way."""
    turned = {"left_shoulder": about("z", -80.0), "right_shoulder": about("z", 80.0), **joints}
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(BODY), 1))
    for role, quaternion in turned.items():
        rotations[:, BODY.joint(role)] = quaternion
    root = np.zeros((frames, 3))
    root[:, 1] = BODY.offsets[0, 1] + height
    root[:, 2] = along
    return Motion(BODY, root, rotations, FPS)


def legs(thigh: Array | float, knee: Array | float) -> dict[str, Array]:
    """Both thighs swung ahead by so many degrees, the shanks swung back from them, and soles that stay level."""
    bent = {
        "hip": about("x", -np.asarray(thigh)),
        "knee": about("x", knee),
        "ankle": about("x", np.asarray(thigh) - knee),
    }
    return {f"{side}_{part}": turn for side in ("left", "right") for part, turn in bent.items()}


def test_who_sits_is_told_from_who_squats_by_what_holds_him() -> None:
    # the hips are equally high; but on a chair they are behind the feet, and a squat is over them
    chair = posed(height=-THIGH, **legs(90.0, 90.0))
    squat = posed(height=-THIGH, **legs(60.0, 120.0))
    assert np.allclose(chair.position("left_hip")[:, 1], squat.position("left_hip")[:, 1])
    assert np.allclose(chair.position("left_ankle")[:, 1], squat.position("left_ankle")[:, 1], atol=0.01)
    assert doings(chair) == ["sit"]
    assert doings(squat) == ["crouch"]


def test_sitting_down_and_getting_up() -> None:
    bend = np.interp(np.arange(240), [60, 90, 150, 180], [0.0, 90.0, 90.0, 0.0])
    drop = -THIGH * (1.0 - np.cos(np.deg2rad(bend)))
    order = doings(posed(240, height=drop, **legs(bend, bend)))
    assert order[0] == order[-1] == "stand"
    assert "sit" in order
    assert not set(order) & {"walk", "run", "jump", "climb", "punch", "kick"}


def test_who_lies_on_the_back() -> None:
    assert doings(posed(height=-0.85, hips=about("x", -90.0))) == ["lie"]


def test_hands_and_knees() -> None:
    frames = 120
    level = {"hips": about("x", 80.0), **legs(80.0, 90.0)}
    arms = {f"{side}_shoulder": about("y", turn) for side, turn in (("left", -80.0), ("right", 80.0))}
    still = posed(frames, -0.47, **level, **arms)
    assert still.position("left_wrist")[0, 1] < 0.2
    going = posed(frames, -0.47, along=np.arange(frames) / FPS * 0.4, **level, **arms)
    assert doings(going) == ["crawl"]
    assert "crawl" not in doings(still)


@pytest.mark.parametrize(("slope", "label"), [(0.0, "walk"), (0.15, "walk"), (0.9, "climb")])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_steep_ways_up_and_down_are_climbed(slope: float, way: float, label: str) -> None:
    walk = samples.make("walk_slow").motion.resample(FPS)
    root = walk.root.copy()
    root[:, 1] += way * slope * (root[:, 2] - root[0, 2])
    assert doings(replace(walk, root=root)) == [label]


@pytest.mark.parametrize("name", ["walk", "walk_slow", "walk_left_medium"])
def test_a_walk_played_backwards_goes_backward(name: str) -> None:
    walk = samples.make(name).motion.resample(FPS)
    back = replace(walk, root=walk.root[::-1].copy(), rotations=walk.rotations[::-1].copy())
    assert {span.label for span in labels_of(walk)} & {"backward", "sideways"} == set()
    (span,) = (span for span in labels_of(back) if span.label == "backward")
    assert span.last - span.first > 0.9 * len(back)
    assert doings(back) == ["walk"]


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_who_walks_without_looking_there_goes_sideways(side: float) -> None:
    walk = samples.make("walk_slow").motion.resample(FPS)
    rotations = walk.rotations.copy()
    rotations[:, 0] = rotation.multiply(np.tile(about("y", side * 90.0), (len(walk), 1)), rotations[:, 0])
    found = labels_of(replace(walk, rotations=rotations))
    assert "sideways" in {span.label for span in found}
    assert "backward" not in {span.label for span in found}


def arm(side: str, upper: Array | float, elbow: Array | float) -> dict[str, Array]:
    """An arm raised from the side by ``upper`` degrees (0: level), its forearm turned up from it by ``elbow`` degrees."""
    sign = 1.0 if side == "left" else -1.0
    return {
        f"{side}_shoulder": about("z", sign * np.asarray(upper)),
        f"{side}_elbow": about("z", sign * np.asarray(elbow)),
    }


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_wave(side: str) -> None:
    seconds = np.arange(120) / FPS
    swing = 90.0 + 25.0 * np.sin(2 * np.pi * 1.5 * seconds)
    (wave,) = [span for span in labels_of(posed(120, **arm(side, -20.0, swing))) if span.label == "wave"]
    assert wave.last - wave.first > 0.8 * 120
    assert "wave" not in doings(posed(120, **arm(side, -20.0, np.full(120, 90.0))))


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_reach_ends_and_a_pose_does_not(side: str) -> None:
    sign = 1.0 if side == "left" else -1.0

    def raised(up: Array) -> Motion:
        """From hanging to straight ahead."""
        ahead = rotation.slerp(
            np.tile(about("z", -80.0 * sign), (len(up), 1)), np.tile(about("y", -85.0 * sign), (len(up), 1)), up
        )
        return posed(len(up), **{f"{side}_shoulder": ahead})

    assert doings(raised(np.interp(np.arange(150), [30, 60, 105, 135], [0.0, 1.0, 1.0, 0.0]))) == [
        "stand",
        "reach",
        "stand",
    ]
    assert doings(raised(np.ones(300))) == ["stand"]


def test_who_flails_does_not_just_stand() -> None:
    seconds = np.arange(150) / FPS
    both = {**arm("left", 60.0 * np.sin(9.0 * seconds), 0.0), **arm("right", 60.0 * np.sin(7.0 * seconds), 0.0)}
    assert doings(posed(150, **both)) == ["other"]


@pytest.mark.parametrize("name", ["walk", "jump", "kick_high_centre", "punch_middle_centre", "walk_left_medium"])
def test_a_clip_that_plays_twice_too_fast_is_what_it_was(name: str) -> None:
    motion = samples.make(name).motion.resample(FPS)
    fast = replace(motion, fps=2 * FPS)
    assert set(doings(motion)) - {"stand"} == set(doings(fast)) - {"stand"}


@pytest.mark.parametrize("name", ["kick_middle_left", "kick_high_right"])
def test_a_kick_that_the_clip_cuts_off_is_a_kick(name: str) -> None:
    sample = samples.make(name)
    assert sample.hit_frame is not None
    assert "kick" in doings(sample.motion[: sample.hit_frame + 8])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("seconds", "kicks"), [(0.2, True), (0.6, False)])
def test_a_foot_that_stays_low_kicks_if_it_is_fast(side: str, seconds: float, kicks: bool) -> None:
    # as one who kicks a ball: the foot is less than a fifth of a leg over the other one when it is furthest out
    hit, swing = 45.0, seconds * FPS
    drawn = hit - swing
    frames = np.arange(90)
    thigh = np.interp(frames, [drawn - 12, drawn, hit, hit + 12], [0.0, -30.0, 45.0, 0.0])
    knee = np.interp(frames, [drawn - 12, drawn, hit - 0.3 * swing, hit], [0.0, 75.0, 60.0, 0.0])
    bent = legs(np.full(90, 30.0), np.full(90, 60.0))
    swung = {role: turn for role, turn in legs(thigh, knee).items() if role.startswith(side)}
    motion = posed(90, -2 * THIGH * (1.0 - np.cos(np.deg2rad(30.0))), **(bent | swung))
    other = "right" if side == "left" else "left"
    lift = motion.position(f"{side}_ankle")[45, 1] - motion.position(f"{other}_ankle")[45, 1]
    assert 0.0 < lift < 0.2 * BODY.leg_length
    assert ("kick" in doings(motion)) == kicks


def level(motion: Motion) -> Motion:
    """The same with hips that do not bounce."""
    root = motion.root.copy()
    root[:, 1] = root[:, 1].mean()
    return replace(motion, root=root)


def test_legs_that_are_drawn_in_tell_a_slow_run_whose_hips_do_not_bounce() -> None:
    run = samples.make("run").motion.resample(FPS)
    walk = samples.make("walk_fast").motion.resample(FPS)
    slow = replace(level(run), fps=0.68 * FPS)
    brisk = replace(level(walk), fps=1.25 * FPS)
    speeds = [float(Signs(motion, contacts(motion)).speed.mean()) for motion in (slow, brisk)]
    assert speeds[0] == pytest.approx(speeds[1], abs=0.02)
    assert doings(slow) == ["run"]
    assert doings(brisk) == ["walk"]


def scaled(motion: Motion, size: float) -> Motion:
    """The motion of a body of another size, at the pace at which gravity lets it move alike."""
    skeleton = motion.skeleton
    body = Skeleton(
        skeleton.names, skeleton.parents, size * skeleton.offsets, skeleton.tip_parents, size * skeleton.tip_offsets
    )
    return Motion(body, size * motion.root, motion.rotations, motion.fps / np.sqrt(size))


@pytest.mark.parametrize("size", [0.5, 2.0])
@pytest.mark.parametrize("name", ["walk", "walk_fast", "run", "jump", "sneak"])
def test_children_and_giants_do_the_same(name: str, size: float) -> None:
    motion = samples.make(name).motion
    assert doings(scaled(motion, size)) == doings(motion)


def test_left_and_right_are_judged_alike() -> None:
    for name in ("kick_middle_left", "punch_low_right", "jump"):
        motion = samples.make(name).motion
        here, there = (
            [(span.label, span.first, span.last, span.confidence) for span in labels_of(each) if span.label in DOINGS]
            for each in (motion, mirror(motion))
        )
        assert here == there


def test_a_body_without_arms_is_labelled_by_its_legs() -> None:
    for name in ("walk", "run", "jump", "kick_high_centre"):
        motion = samples.make(name).motion
        kept = [
            joint
            for joint, role in enumerate(BODY.names)
            if not any(part in role for part in ("shoulder", "elbow", "wrist"))
        ]
        names = tuple(name if joint in kept else f"j{joint}" for joint, name in enumerate(BODY.names))
        armless = replace(motion, skeleton=replace(motion.skeleton, names=names))
        assert not Signs(armless, contacts(armless)).arms
        assert doings(armless) == doings(motion)


@pytest.mark.parametrize(
    ("surer", "less_sure"),
    [
        (lambda: samples.make("stand").motion, lambda: _creeping(0.25)),
        (lambda: samples.make("walk").motion, lambda: _creeping(0.33)),
    ],
)
def test_what_lies_near_a_threshold_is_less_sure(surer: Callable[[], Motion], less_sure: Callable[[], Motion]) -> None:
    (one,), (other,) = (
        [span for span in labels_of(each().resample(FPS)) if span.label in DOINGS] for each in (surer, less_sure)
    )
    assert one.label == other.label
    assert one.confidence > 0.95
    assert 0.5 <= other.confidence < one.confidence - 0.1


def _creeping(speed: float) -> Motion:
    """A walk that is played so slowly that it gets on at ``speed`` m/s."""
    walk = samples.make("walk_slow").motion
    usual = float(np.linalg.norm(walk.root[-1] - walk.root[0])) / walk.seconds
    return replace(walk, fps=walk.fps * speed / usual)


def level_arm(side: str, ahead: Array | float, folded: Array | float) -> dict[str, Array]:
    """A level arm whose hand is ``ahead`` degrees from the side, folded by so many degrees so that it stays on that line."""
    sign = -1.0 if side == "left" else 1.0
    return {
        f"{side}_shoulder": about("y", sign * (np.asarray(ahead) - folded)),
        f"{side}_elbow": about("y", sign * 2.0 * np.asarray(folded)),
    }


def out_and_back(folded: float = 70.0) -> Array:
    """How far an arm is folded that goes out within a fifth of a second, and comes back."""
    return np.interp(np.arange(90), [40, 46, 54], [folded, 0.0, folded])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("ahead", [85.0, 5.0])
def test_a_boxer_who_stands_sideways_punches_too(side: str, ahead: float) -> None:
    assert "punch" in doings(posed(90, **level_arm(side, np.full(90, ahead), out_and_back())))


@pytest.mark.parametrize("side", ["left", "right"])
def test_an_arm_that_sweeps_across_does_not_punch(side: str) -> None:
    # it is as long, as fast and as far ahead as in a punch; but the hand goes past, as in a dance
    frames = np.arange(90)
    sweep = np.interp(frames, [34, 58], [15.0, 165.0])
    folded = np.interp(frames, [34, 46, 58], [70.0, 0.0, 70.0])
    assert "punch" not in doings(posed(90, **level_arm(side, sweep, folded)))


def test_who_dives_does_not_punch() -> None:
    folded = out_and_back()
    # one arm goes out past the head, the other one and the legs hang down from a level trunk
    arms = {**arm("left", 90.0 - folded, 2.0 * folded), **level_arm("right", 90.0, 0.0)}
    assert "punch" not in doings(posed(90, hips=about("x", 90.0), **arms, **legs(90.0, 0.0)))


@pytest.mark.parametrize("place", ["left", "centre", "right"])
def test_a_low_kick_is_a_kick(place: str) -> None:
    assert doings(samples.make(f"kick_low_{place}").motion) == ["kick"]


def test_long_strides_are_a_run_where_a_hop_that_falls_as_far_is_a_jump() -> None:
    # while the body falls freely it rises by 0.1 to 0.13 of a leg in every stride of that run, and by 0.1 in the hop
    run = samples.make("run").motion.resample(FPS)
    root = run.root.copy()
    root[:, 1] += 2.0 * (root[:, 1] - root[:, 1].mean())
    assert doings(replace(run, root=root)) == ["run"]
    seconds = np.arange(90) / FPS - 1.5
    hop = np.maximum(0.2 * BODY.leg_length - 0.5 * 9.81 * seconds**2, 0.0)
    assert "jump" in doings(posed(90, hop))


def test_who_gets_up_quickly_does_not_jump() -> None:
    # the hips rise steadily, and are stopped by their weight alone: they do not come down again, and the feet stay where they are
    fast, stop = 2.2, 2.2 / 9.81
    seconds = np.arange(90) / FPS - 1.5
    slowing = np.clip(seconds, 0.0, stop)
    height = np.maximum(fast * np.minimum(seconds, 0.0), -0.6) + fast * slowing - 0.5 * 9.81 * slowing**2
    low = height - height.max()
    bend = np.rad2deg(np.arccos(np.clip(1.0 + low / (2 * THIGH), -1.0, 1.0)))
    tiptoe = 0.05 * np.clip(seconds / stop, 0.0, 1.0)
    assert "jump" not in doings(posed(90, low + tiptoe, **legs(bend, 2 * bend)))
