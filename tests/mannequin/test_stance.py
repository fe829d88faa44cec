from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph.mannequin.stance import find_stance
from kinegraph.motion import rotation
from kinegraph.samples import make, skeleton
from tests.mannequin.figure_bodies import creature, mixamo, with_other_rest


def test_a_rest_pose_that_stands_is_taken() -> None:
    for body in (skeleton(), mixamo()):
        stance = find_stance(body, make("run").motion if body == skeleton() else None)
        assert (stance.rotations == rotation.IDENTITY).all()
        assert np.stack([stance.left, stance.up, stance.ahead]) == pytest.approx(np.eye(3), abs=0.1)


def test_a_rest_pose_that_lies_is_put_upright() -> None:
    lying = rotation.from_axis_angle([1, 0, 0], np.pi / 2)
    body = skeleton()
    flat = replace(
        body, offsets=rotation.rotate(lying, body.offsets), tip_offsets=rotation.rotate(lying, body.tip_offsets)
    )
    stance = find_stance(flat)
    head, ankle = stance.place("head"), stance.place("left_ankle")
    assert (head - ankle)[1] > 1.4
    assert stance.place("left_toe")[2] > ankle[2] + 0.1
    assert stance.place("left_hip")[0] > stance.place("right_hip")[0]


def test_a_tangled_rest_pose_gives_way_to_the_motion() -> None:
    motion = with_other_rest(make("walk").motion, 3)
    stance = find_stance(motion.skeleton, motion)
    assert stance.place("head")[1] - stance.place("left_ankle")[1] > 1.3
    assert stance.ahead[2] > 0.9
    assert stance.place("left_hip")[0] > stance.place("right_hip")[0]


def test_a_stance_is_built_where_there_is_no_motion() -> None:
    stance = find_stance(with_other_rest(make("walk").motion, 3).skeleton)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hip, ankle, shoulder, wrist = (stance.place(f"{side}_{part}") for part in ("hip", "ankle", "shoulder", "wrist"))
        assert (hip - ankle)[1] > 0.8
        assert sign * (wrist - shoulder)[0] > 0.5
    assert stance.place("head")[1] > stance.place("hips")[1] + 0.2


def test_what_is_no_body_keeps_its_rest_pose() -> None:
    body = creature()
    assert find_stance(body).positions == pytest.approx(body.rest + body.offsets[0])
