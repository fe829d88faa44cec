"""Anatomical angles against poses whose angles are known, on skeletons with different rest poses."""

from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.motion import FloorTransform, Motion, Skeleton, mirror, rotation
from kinegraph.motion.angles import HUMAN_LIMITS, anatomical_angles, beyond_limits

X, Y, Z = np.eye(3)


def posed(**turns):
    """One frame of the built-in skeleton in its T-pose, with some joints turned: name=(axis, degrees)."""
    skeleton = samples.skeleton()
    rotations = rotation.identity(1, len(skeleton))
    for name, (axis, degrees) in turns.items():
        rotations[0, skeleton.index(name)] = rotation.from_axis_angle(axis, np.radians(degrees))
    return Motion(skeleton, np.array([[0.0, 1.0, 0.0]]), rotations, 60)


def degrees(motion, name):
    return float(np.degrees(anatomical_angles(motion)[name][0]))


def with_bent_rest_pose(motion):
    """The same places of the joints on a skeleton whose rest pose is another one: its offsets are turned, its rotations turned back."""
    skeleton = motion.skeleton
    extra = rotation.from_axis_angle(
        [[1.0, 2.0, 3.0 + k] for k in range(len(skeleton))], 0.3 + 0.1 * np.arange(len(skeleton))
    )
    above = extra[skeleton.parents]
    offsets = skeleton.offsets.copy()
    offsets[1:] = rotation.rotate(rotation.inverse(above[1:]), offsets[1:])
    rotations = motion.rotations.copy()
    rotations = rotation.multiply(rotations, extra)
    rotations[:, 1:] = rotation.multiply(rotation.inverse(above[1:]), rotations[:, 1:])
    bent = Skeleton(skeleton.names, skeleton.parents, offsets)
    return replace(motion, skeleton=bent, rotations=rotations)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("angle", [-8.0, 5.0, 60.0, 120.0])
def test_knee_flexion_is_signed(side, angle):
    assert degrees(posed(**{f"{side}_knee": (X, angle)}), f"{side}_knee_flexion") == pytest.approx(angle, abs=1e-6)


@pytest.mark.parametrize("yaw", [-40.0, 40.0])
def test_knee_flexion_keeps_its_sign_when_the_whole_leg_is_turned_out(yaw):
    leg = {"left_hip": (Y, yaw), "left_knee": (X, 30.0)}
    assert degrees(posed(**leg), "left_knee_flexion") == pytest.approx(30.0, abs=1e-6)
    leg["left_knee"] = (X, -8.0)
    assert degrees(posed(**leg), "left_knee_flexion") == pytest.approx(-8.0, abs=1e-6)


@pytest.mark.parametrize("side", ["left", "right"])
def test_hip_flexion_and_abduction(side):
    lean = degrees(posed(), f"{side}_hip_flexion")
    assert abs(lean) < 6
    assert degrees(posed(**{f"{side}_hip": (X, -50.0)}), f"{side}_hip_flexion") == pytest.approx(50 + lean, abs=1e-6)
    assert degrees(posed(**{f"{side}_hip": (X, 20.0)}), f"{side}_hip_flexion") == pytest.approx(-20 + lean, abs=1e-6)
    out = 25.0 if side == "left" else -25.0
    assert degrees(posed(**{f"{side}_hip": (Z, out)}), f"{side}_hip_abduction") == pytest.approx(25.0, abs=1e-6)


def test_elbow_and_shoulder():
    assert degrees(posed(left_elbow=(Y, -90.0)), "left_elbow_flexion") == pytest.approx(90.0, abs=1e-6)
    assert degrees(posed(), "right_shoulder_elevation") == pytest.approx(90.0, abs=2.0)
    assert degrees(posed(right_shoulder=(Z, 90.0)), "right_shoulder_elevation") == pytest.approx(0.0, abs=2.0)
    assert degrees(posed(right_shoulder=(Z, -80.0)), "right_shoulder_elevation") == pytest.approx(170.0, abs=2.0)


def test_ankle():
    assert degrees(posed(), "left_ankle_dorsiflexion") == pytest.approx(0.0, abs=2.0)
    assert degrees(posed(left_ankle=(X, -20.0)), "left_ankle_dorsiflexion") == pytest.approx(20.0, abs=2.0)
    assert degrees(posed(left_ankle=(X, 40.0)), "left_ankle_dorsiflexion") == pytest.approx(-40.0, abs=2.0)


def test_trunk_and_neck():
    assert degrees(posed(chest=(Y, 30.0)), "trunk_twist") == pytest.approx(30.0, abs=1.0)
    assert degrees(posed(chest=(X, 40.0)), "trunk_flexion") == pytest.approx(40.0, abs=5.0)
    assert degrees(posed(chest=(Z, -20.0)), "trunk_side_bend") == pytest.approx(20.0, abs=1.0)
    assert degrees(posed(neck=(X, 30.0)), "neck_bend") - degrees(posed(), "neck_bend") == pytest.approx(30.0, abs=2.0)


@pytest.mark.parametrize("name", ["walk", "kick_high_centre", "punch_low_left"])
def test_angles_do_not_depend_on_the_rest_pose_or_the_place(name):
    motion = samples.make(name).motion
    expected = anatomical_angles(motion)
    other = with_bent_rest_pose(motion)
    assert np.abs(other.positions - motion.positions).max() < 1e-9
    turned = motion.place(FloorTransform(2.1, 3.0, -1.0))
    for measured in (anatomical_angles(other), anatomical_angles(turned)):
        assert measured.keys() == expected.keys() == HUMAN_LIMITS.keys()
        for angle, values in expected.items():
            assert np.abs(measured[angle] - values).max() < 1e-6


def test_mirroring_exchanges_the_sides():
    motion = samples.make("kick_middle_left").motion
    angles, mirrored = anatomical_angles(motion), anatomical_angles(mirror(motion))
    assert np.abs(angles["right_hip_abduction"] - mirrored["left_hip_abduction"]).max() < 1e-9
    assert np.abs(angles["right_knee_flexion"] - mirrored["left_knee_flexion"]).max() < 1e-9
    assert np.abs(angles["trunk_twist"] + mirrored["trunk_twist"]).max() < 1e-9


def test_beyond_limits_names_the_joint_and_the_excess():
    assert beyond_limits(posed()) == {}
    excess = beyond_limits(posed(left_knee=(X, -25.0), chest=(Y, 75.0)))
    assert set(excess) == {"left_knee_flexion", "trunk_twist"}
    assert excess["left_knee_flexion"] == pytest.approx(np.radians(15.0), abs=1e-6)


def test_missing_roles_leave_angles_out():
    skeleton = Skeleton(
        ("hips", "left_hip", "left_knee", "left_ankle", "right_hip"),
        np.array([-1, 0, 1, 2, 0]),
        np.array([[0, 1, 0], [0.1, 0, 0], [0, -0.4, 0], [0, -0.4, 0], [-0.1, 0, 0]]),
    )
    motion = Motion(skeleton, np.zeros((2, 3)), rotation.identity(2, 5), 30)
    assert anatomical_angles(motion) == {}


def test_a_neck_inside_the_chest_gives_no_neck_bend():
    skeleton = samples.skeleton()
    offsets = skeleton.offsets.copy()
    offsets[skeleton.index("neck")] = 0.0
    motion = replace(posed(), skeleton=replace(skeleton, offsets=offsets))
    angles = anatomical_angles(motion)
    assert "neck_bend" not in angles
    assert np.degrees(angles["left_shoulder_elevation"][0]) == pytest.approx(90.0, abs=12.0)
