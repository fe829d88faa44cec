"""Mirroring: the world reflected, left and right exchanged, and back again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from kinegraph.errors import MotionError
from kinegraph.motion import Motion, Skeleton, mirror, rotation
from kinegraph.motion.mirroring import mirror_skeleton, other_side, partners
from tests.strategies import SIDE_MARKS, generators, motions, random_quaternions, skeletons, symmetric_skeletons

FLIP = np.array([-1.0, 1.0, 1.0])

# one side's joints and their parents, as in CMU's files; the other side follows
_LEG, _ARM = (
    ("hipjoint", "femur", "tibia", "foot", "toes"),
    ("clavicle", "humerus", "radius", "wrist", "hand", "fingers", "thumb"),
)
_BVH_LEG = ("HipJoint", "UpLeg", "Leg", "Foot", "ToeBase")
_BVH_ARM = ("Shoulder", "Arm", "ForeArm", "Hand", "FingerBase", "HandIndex1", "Thumb")
CMU_ACCLAIM = [
    "root",
    *(side + part for side in "lr" for part in _LEG),
    *("lowerback", "upperback", "thorax", "lowerneck", "upperneck", "head"),
    *(side + part for side in "lr" for part in _ARM),
]
CMU_BVH = [
    "Hips",
    *((side[0] if part == "HipJoint" else side) + part for side in ("Left", "Right") for part in _BVH_LEG),
    *("LowerBack", "Spine", "Spine1", "Neck", "Neck1", "Head"),
    *((side[0] if part == "Thumb" else side) + part for side in ("Left", "Right") for part in _BVH_ARM),
]
CMU_PARENTS = [-1, *(0, 1, 2, 3, 4), *(0, 6, 7, 8, 9), *(0, 11, 12, 13, 14, 15), *(13, 17, 18, 19, 20, 21, 20)]
CMU_PARENTS += [13, 24, 25, 26, 27, 28, 27]


def named(names: list[str], parents: list[int]) -> Skeleton:
    return Skeleton(tuple(names), parents, np.zeros((len(names), 3)))


class TestNames:
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            ("LHipJoint", "RHipJoint"),
            ("lfemur", "rfemur"),
            ("LThumb", "RThumb"),
            ("lhipjoint", "rhipjoint"),
            ("Bip01 L Hand", "Bip01 R Hand"),
            ("Bip01_L_Thigh", "Bip01_R_Thigh"),
            ("Shoulder_L", "Shoulder_R"),
            ("UpperLeg_L", "UpperLeg_R"),
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("mixamorig:LeftHandThumb1", "mixamorig:RightHandThumb1"),
            ("LeftUpLeg", "RightUpLeg"),
            ("left_hip", "right_hip"),
            ("LEFT_HIP", "RIGHT_HIP"),
            ("L_Collar", "R_Collar"),
            ("thigh_l", "thigh_r"),
            ("upperarm_twist_01_l", "upperarm_twist_01_r"),
            ("hand.L", "hand.R"),
            ("forearm.l.001", "forearm.r.001"),
            ("lShldr", "rShldr"),
            ("lRing", "rRing"),
            ("rLeg", "lLeg"),
            ("Leg_l", "Leg_r"),
        ],
    )
    def test_each_is_the_other_side_of_the_other(self, left: str, right: str) -> None:
        assert right in other_side(left)
        assert left in other_side(right)

    @pytest.mark.parametrize("name", ["hips", "Spine", "Head", "thorax", "chest", "Neck1", "pelvis", "Bip01"])
    def test_the_middle_has_none(self, name: str) -> None:
        assert other_side(name) == []


class TestPartners:
    @pytest.mark.parametrize("names", [CMU_ACCLAIM, CMU_BVH])
    def test_of_cmu(self, names: list[str]) -> None:
        partner = partners(named(names, CMU_PARENTS))
        shift = {
            **dict(zip(range(1, 6), range(6, 11), strict=True)),
            **dict(zip(range(17, 24), range(24, 31), strict=True)),
        }
        expected = {**{j: j for j in range(31)}, **shift, **{b: a for a, b in shift.items()}}
        assert dict(enumerate(partner.tolist())) == expected

    @pytest.mark.parametrize(("left", "right"), SIDE_MARKS)
    def test_of_every_way_of_marking(self, left: str, right: str) -> None:
        words = ["Thigh", "Root", "Leg", "Lag", "Rear"]
        names = ["hips", *(mark.replace("*", word) for word in words for mark in (left, right)), "lowerback", "ribs"]
        partner = partners(named(names, [-1] + [0] * (len(names) - 1)))
        assert partner.tolist() == [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 11, 12]

    @given(symmetric_skeletons())
    def test_are_an_exchange(self, skeleton: Skeleton) -> None:
        partner = partners(skeleton)
        np.testing.assert_array_equal(partner[partner], np.arange(len(skeleton)))
        np.testing.assert_array_equal(partner[skeleton.parents[1:]], skeleton.parents[partner[1:]])
        np.testing.assert_allclose(skeleton.offsets[partner], skeleton.offsets * FLIP, atol=1e-12)

    @given(skeletons())
    def test_of_a_body_without_sides_are_itself(self, skeleton: Skeleton) -> None:
        np.testing.assert_array_equal(partners(skeleton), np.arange(len(skeleton)))

    def test_where_names_repeat_in_both_branches(self) -> None:
        names = ["hips", "LeftArm", "hand", "finger", "finger", "RightArm", "hand", "finger", "finger"]
        partner = partners(named(names, [-1, 0, 1, 2, 2, 0, 5, 6, 6]))
        assert partner.tolist() == [0, 5, 6, 7, 8, 1, 2, 3, 4]

    def test_sided_names_that_repeat(self) -> None:
        names = ["hips", "L_rib", "L_rib", "R_rib", "R_rib"]
        assert partners(named(names, [-1, 0, 0, 0, 0])).tolist() == [0, 3, 4, 1, 2]

    def test_a_limb_without_a_counterpart(self) -> None:
        with pytest.raises(MotionError, match="'LeftArm' has no counterpart below 'hips'"):
            partners(named(["hips", "LeftArm", "LeftHand", "RightArm"], [-1, 0, 1, 0]))
        with pytest.raises(MotionError, match="has no counterpart"):
            partners(named(["hips", "LeftArm", "LeftHand", "RightArm", "RightClaw"], [-1, 0, 1, 0, 3]))

    def test_roles_that_contradict_the_names(self) -> None:
        names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
        skeleton = named(names, [-1, 0, 1, 2, 0, 4, 5]).with_roles({"left_knee": "LeftFoot"})
        with pytest.raises(MotionError, match="left_knee is 'LeftFoot'"):
            partners(skeleton)


class TestMirror:
    @given(motions(symmetric_skeletons()))
    def test_twice_is_the_motion_itself(self, motion: Motion) -> None:
        again = mirror(mirror(motion))
        assert again.skeleton == motion.skeleton
        np.testing.assert_allclose(again.root, motion.root, atol=1e-12)
        np.testing.assert_allclose(again.rotations, motion.rotations, atol=1e-12)
        np.testing.assert_allclose(again.positions, motion.positions, atol=1e-12)

    @given(motions(symmetric_skeletons()))
    def test_each_joint_is_where_its_partner_is_in_the_mirror(self, motion: Motion) -> None:
        other = mirror(motion)
        partner = partners(motion.skeleton)
        assert other.skeleton is motion.skeleton
        np.testing.assert_allclose(other.positions, motion.positions[:, partner] * FLIP, atol=1e-9)
        directions = np.eye(3)
        for axis in directions:  # a mirrored joint takes mirrored vectors to mirrored vectors
            here = rotation.rotate(motion.orientations[:, partner], axis) * FLIP
            np.testing.assert_allclose(rotation.rotate(other.orientations, axis * FLIP), here, atol=1e-9)

    @given(motions(symmetric_skeletons()))
    def test_tips_are_mirrored_too(self, motion: Motion) -> None:
        other = mirror(motion)
        ours = {tuple(np.round(tip, 6) + 0.0) for tip in (motion.tips[0] * FLIP)}
        assert ours == {tuple(np.round(tip, 6) + 0.0) for tip in other.tips[0]}

    @given(symmetric_skeletons(), generators())
    def test_sides_that_differ(self, even: Skeleton, random: np.random.Generator) -> None:
        offsets = random.normal(size=even.offsets.shape)
        skeleton = Skeleton(even.names, even.parents, offsets, even.tip_parents, even.tip_offsets * 2 + 0.1)
        motion = Motion(skeleton, random.normal(size=(3, 3)), random_quaternions(random, 3, len(skeleton)), 30)
        other = mirror(motion)
        partner = partners(skeleton)
        assert other.skeleton != skeleton
        np.testing.assert_allclose(other.positions, motion.positions[:, partner] * FLIP, atol=1e-9)
        np.testing.assert_allclose(other.tips, motion.tips * FLIP, atol=1e-9)
        again = mirror(other)
        assert again.skeleton == skeleton
        np.testing.assert_allclose(again.positions, motion.positions, atol=1e-9)

    def test_the_offset_of_the_root_has_no_side(self) -> None:
        # a file may hold one, but the root's place is the motion's: it must not make a symmetric body another
        skeleton = Skeleton(("hips", "LeftArm", "RightArm"), [-1, 0, 0], [[0.5, 1, 0], [1, 0, 0], [-1, 0, 0]])
        motion = Motion(skeleton, np.zeros((1, 3)), rotation.identity(1, 3), 30)
        assert mirror(motion).skeleton == skeleton

    def test_last_digits_do_not_make_sides_differ(self) -> None:
        skeleton = Skeleton(("hips", "LeftArm", "RightArm"), [-1, 0, 0], [[0, 0, 0], [1, 0, 0], [-1, 1e-7, 0]])
        assert mirror(Motion(skeleton, np.zeros((1, 3)), rotation.identity(1, 3), 30)).skeleton is skeleton

    def test_a_turn_to_the_left_becomes_one_to_the_right(self) -> None:
        names = ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")
        offsets = np.array([[0, 0, 0], [1, 0, 0], [0, -4, 0], [0, -4, 0], [-1, 0, 0], [0, -4, 0], [0, -4, 0]]) / 10
        q = rotation.identity(20, 7)
        q[:, 0] = rotation.about_y(np.linspace(0, 1, 20))
        q[:, 1] = rotation.exp([-0.5, 0, 0])  # the left leg is lifted
        root = np.linspace([0, 0.8, 0], [1, 0.8, 2], 20)
        motion = Motion(Skeleton(names, [-1, 0, 1, 2, 0, 4, 5], offsets), root, q, 30)
        other = mirror(motion)
        np.testing.assert_allclose(other.heading(), -motion.heading(), atol=1e-9)
        np.testing.assert_allclose(other.root, motion.root * FLIP)
        np.testing.assert_allclose(other.position("right_ankle"), motion.position("left_ankle") * FLIP, atol=1e-12)
        assert other.position("right_ankle")[0, 1] > other.position("left_ankle")[0, 1] + 0.05

    def test_the_skeleton_alone(self) -> None:
        skeleton = Skeleton(
            ("hips", "LeftArm", "RightArm"), [-1, 0, 0], [[0, 0, 0], [1, 2, 3], [-4, 5, 6]], [1], [[1, 1, 1]]
        )
        other = mirror_skeleton(skeleton)
        np.testing.assert_array_equal(other.offsets, [[0, 0, 0], [4, 5, 6], [-1, 2, 3]])
        assert other.tip_parents.tolist() == [2]
        np.testing.assert_array_equal(other.tip_offsets, [[-1, 1, 1]])
