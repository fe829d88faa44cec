from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinegraph.arrays import Array
from kinegraph.errors import SpaceError
from kinegraph.motion import kinematics, rotation
from kinegraph.strikes.blend import poses
from kinegraph.strikes.partial import body_parts, partial, spliced, turned
from kinegraph.strikes.space import Space


def outside(space: Space, count: int) -> Array:
    low, high = space.region.low, space.region.high
    drawn = low + np.random.default_rng(3).random((40 * count, 2)) * (high - low)
    return drawn[~space.region.inside(drawn)][:count]


def test_the_four_parts_are_the_whole_body(punches: Space) -> None:
    skeleton = punches.examples.skeleton
    parts = body_parts(skeleton, "right")
    assert sorted(joint for part in parts.values() for joint in part) == list(range(len(skeleton)))
    assert skeleton.joint("right_wrist") in parts["arm"]
    assert skeleton.joint("left_wrist") in parts["upper"]
    assert skeleton.joint("head") in parts["upper"]
    assert skeleton.joint("right_ankle") in parts["leg"]
    assert {skeleton.joint("hips"), skeleton.joint("left_ankle")} <= set(parts["lower"])


@pytest.mark.parametrize(
    ("what", "bar"), [("punch 02_05", 1.0), ("punch 144_20 144_21", 1.0), ("kick 144_05 144_06", 2.5)]
)
def test_targets_outside_the_region_are_hit_by_parts(captured: Callable[[str], Space], what: str, bar: float) -> None:
    space = captured(what)
    misses = [100 * space.reach(target, method="partial", finished=False).miss for target in outside(space, 25)]
    assert np.mean(misses) < bar
    assert max(misses) < 8.0


def test_each_correction_may_only_help(kicks: Space) -> None:
    for target in outside(kicks, 6):
        misses = [
            float(
                np.linalg.norm(
                    partial(kicks.examples, kicks.region, target, lambda at: kicks.solve(at).weights, rounds).hit[:2]
                    - target
                )
            )
            for rounds in (0, 1, 8)
        ]
        assert misses[0] + 1e-12 >= misses[1] >= misses[2] - 1e-12


def test_a_punch_keeps_its_height_and_takes_the_other_direction(punches: Space) -> None:
    """Only turns about the vertical: every joint above the hips is as high as in the blend that gives the height."""
    examples = punches.examples
    names = [strike.clip for strike in examples.strikes]
    high = poses(examples, np.eye(9)[names.index("punch_high_right")])
    left = poses(examples, np.eye(9)[names.index("punch_low_left")])
    made = spliced(examples, high, left)
    where = kinematics.forward(examples.skeleton, made.root, made.rotations)[0]
    of_high = kinematics.forward(examples.skeleton, high.root, high.rotations)[0]
    of_left = kinematics.forward(examples.skeleton, left.root, left.rotations)[0]
    arm = body_parts(examples.skeleton, "right")["arm"]
    assert np.allclose(where[:, arm, 1], of_high[:, arm, 1], atol=1e-9)
    collar = examples.skeleton.joint("right_collar")

    def heading(places: Array) -> float:
        x, _, z = (places[:, examples.end] - places[:, collar])[examples.hit]
        return float(np.arctan2(x, z))

    assert heading(where) == pytest.approx(heading(of_left), abs=1e-6)
    # in turn: the hips as in the other's ready pose, the chest as the other's at every moment
    facing = kinematics.forward(examples.skeleton, made.root, made.rotations)[1]
    of_other = kinematics.forward(examples.skeleton, left.root, left.rotations)[1]
    chest = examples.skeleton.joint("chest")
    for turned_by, wanted in ((facing[:1, 0], of_other[:1, 0]), (facing[:, chest], of_other[:, chest])):
        yaw = rotation.twist(rotation.multiply(wanted, rotation.inverse(turned_by)), [0.0, 1.0, 0.0])
        assert rotation.angle_between(yaw, rotation.IDENTITY).max() < 1e-6


def test_a_kick_lifts_the_thigh_as_high_as_the_other(kicks: Space) -> None:
    examples = kicks.examples
    names = [strike.clip for strike in examples.strikes]
    high = poses(examples, np.eye(8)[names.index("kick_high_right")])
    left = poses(examples, np.eye(8)[names.index("kick_low_left")])
    made = spliced(examples, high, left)
    hip, knee = (examples.skeleton.joint(f"right_{part}") for part in ("hip", "knee"))

    def rise(pose_of: Array) -> float:
        thigh = (pose_of[:, knee] - pose_of[:, hip])[examples.hit]
        return float(thigh[1])

    where = kinematics.forward(examples.skeleton, made.root, made.rotations)[0]
    of_high = kinematics.forward(examples.skeleton, high.root, high.rotations)[0]
    assert rise(where) == pytest.approx(rise(of_high), abs=1e-6)
    others = [
        joint for joint in range(len(examples.skeleton)) if joint not in body_parts(examples.skeleton, "right")["leg"]
    ]
    assert np.allclose(made.rotations[:, others], left.rotations[:, others])


def test_turned_turns_one_joint_in_the_world(punches: Space) -> None:
    examples = punches.examples
    root, rotations = examples.root[0], examples.rotations[0]
    chest = examples.skeleton.joint("chest")
    turn = rotation.about_y(np.full(len(root), 0.4))
    out = turned(examples.skeleton, root, rotations, chest, turn)
    before = kinematics.forward(examples.skeleton, root, rotations)
    after = kinematics.forward(examples.skeleton, root, out)
    assert rotation.angle_between(after[1][:, chest], rotation.multiply(turn, before[1][:, chest])).max() < 1e-7
    assert np.allclose(after[0][:, chest], before[0][:, chest])


def test_partial_blending_has_no_third_dimension(kicks: Space) -> None:
    target = outside(kicks, 1)[0]
    with pytest.raises(SpaceError, match="two numbers"):
        kicks.reach((*target, 0.8), method="partial")


def test_a_kick_goes_in_the_other_direction(kicks: Space) -> None:
    examples = kicks.examples
    names = [strike.clip for strike in examples.strikes]
    high = poses(examples, np.eye(8)[names.index("kick_high_right")])
    left = poses(examples, np.eye(8)[names.index("kick_middle_left")])
    hip, knee = (examples.skeleton.joint(f"right_{part}") for part in ("hip", "knee"))
    headings = []
    for one in (spliced(examples, high, left), left, high):
        places = kinematics.forward(examples.skeleton, one.root, one.rotations)[0]
        x, _, z = (places[:, knee] - places[:, hip])[examples.hit]
        headings.append(float(np.arctan2(x, z)))
    assert headings[0] == pytest.approx(headings[1], abs=1e-6)
    assert abs(headings[0] - headings[2]) > 0.2


def test_bodies_without_collars_strike_too(punches: Space, kicks: Space) -> None:
    """Partial blending needs no collar: the shoulder does, and a kick needs neither."""
    from dataclasses import replace

    for space in (punches, kicks):
        examples = space.examples
        skeleton = examples.skeleton
        bare = tuple("bone" if "collar" in name.lower() else name for name in skeleton.names)
        fewer = replace(examples, skeleton=replace(skeleton, names=bare))
        assert not fewer.skeleton.has_roles("right_collar")
        made = spliced(fewer, poses(fewer, np.eye(len(fewer))[0]), poses(fewer, np.eye(len(fewer))[3]))
        assert np.isfinite(made.rotations).all()
