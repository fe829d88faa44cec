"""Body roles in the joint lists that people really have."""

from __future__ import annotations

import pytest

from kinegraph.errors import RoleError
from kinegraph.motion import body


def both(names: str, marks: tuple[str, str]) -> list[str]:
    """Names in which ``*`` stands for the side, once for each; the others once."""
    listed: list[str] = []
    for name in names.split(","):
        listed += [name.strip().replace("*", mark) for mark in marks] if "*" in name else [name.strip()]
    return listed


LETTERS, SMALL, WORDS, SMALL_WORDS = ("L", "R"), ("l", "r"), ("Left", "Right"), ("left", "right")

# convention → its whole joint list, and which of the names bears which role (sides by *)
FILM = {
    "hips": "Hips",
    "neck": "Neck",
    "head": "Head",
    "*_collar": "*Shoulder",
    "*_shoulder": "*Arm",
    "*_elbow": "*ForeArm",
    "*_wrist": "*Hand",
    "*_hip": "*UpLeg",
    "*_knee": "*Leg",
    "*_ankle": "*Foot",
    "*_toe": "*ToeBase",
}
FINGERS = ", ".join(
    f"*Hand{finger}{n}" for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky") for n in range(1, 5)
)
MIXAMO = (
    f"Hips, Spine, Spine1, Spine2, Neck, Head, HeadTop_End, *Shoulder, *Arm, *ForeArm, *Hand, {FINGERS}, "
    "*UpLeg, *Leg, *Foot, *ToeBase, *Toe_End"
)
BIPED_ROLES = {
    "hips": "Pelvis",
    "spine": "Spine",
    "chest": "Spine3",
    "neck": "Neck",
    "head": "Head",
    "*_collar": "* Clavicle",
    "*_shoulder": "* UpperArm",
    "*_elbow": "* Forearm",
    "*_wrist": "* Hand",
    "*_hip": "* Thigh",
    "*_knee": "* Calf",
    "*_ankle": "* Foot",
    "*_toe": "* Toe0",
}
BIPED = (
    "Bip01, Bip01 Footsteps, Bip01 Pelvis, Bip01 Spine, Bip01 Spine1, Bip01 Spine2, Bip01 Spine3, Bip01 Neck, Bip01 Head, "
    "Bip01 * Clavicle, Bip01 * UpperArm, Bip01 * Forearm, Bip01 * Hand, Bip01 * Finger0, Bip01 * Finger01, Bip01 * Thigh, "
    "Bip01 * Calf, Bip01 * Foot, Bip01 * Toe0"
)
SMPL_ROLES = {
    "hips": "pelvis",
    "spine": "spine1",
    "chest": "spine3",
    "neck": "neck",
    "head": "head",
    "*_collar": "*_collar",
    "*_shoulder": "*_shoulder",
    "*_elbow": "*_elbow",
    "*_wrist": "*_wrist",
    "*_hip": "*_hip",
    "*_knee": "*_knee",
    "*_ankle": "*_ankle",
    "*_toe": "*_foot",
}
SMPL = "pelvis, *_hip, spine1, *_knee, spine2, *_ankle, spine3, *_foot, neck, *_collar, head, *_shoulder, *_elbow, *_wrist, *_hand"
UNREAL_ROLES = {
    "hips": "pelvis",
    "spine": "spine_01",
    "neck": "neck_01",
    "head": "head",
    "*_collar": "clavicle_*",
    "*_shoulder": "upperarm_*",
    "*_elbow": "lowerarm_*",
    "*_wrist": "hand_*",
    "*_hip": "thigh_*",
    "*_knee": "calf_*",
    "*_ankle": "foot_*",
    "*_toe": "ball_*",
}

CONVENTIONS: dict[str, tuple[str, str, tuple[str, str], dict[str, str]]] = {
    "CMU Acclaim": (
        "CMU Acclaim",
        "root, *hipjoint, *femur, *tibia, *foot, *toes, lowerback, upperback, thorax, lowerneck, upperneck, head, *clavicle, "
        "*humerus, *radius, *wrist, *hand, *fingers, *thumb",
        SMALL,
        {
            "hips": "root",
            "spine": "lowerback",
            "chest": "thorax",
            "neck": "lowerneck",
            "head": "head",
            "*_collar": "*clavicle",
            "*_shoulder": "*humerus",
            "*_elbow": "*radius",
            "*_wrist": "*wrist",
            "*_hip": "*femur",
            "*_knee": "*tibia",
            "*_ankle": "*foot",
            "*_toe": "*toes",
        },
    ),
    "CMU BVH": (
        "CMU BVH",
        "Hips, LHipJoint, RHipJoint, *UpLeg, *Leg, *Foot, *ToeBase, LowerBack, Spine, Spine1, Neck, Neck1, Head, *Shoulder, "
        "*Arm, *ForeArm, *Hand, *FingerBase, *HandIndex1, LThumb, RThumb",
        WORDS,
        {**FILM, "spine": "LowerBack", "chest": "Spine1"},
    ),
    "MotionBuilder": (
        "MotionBuilder",
        "Reference, Hips, *UpLeg, *Leg, *Foot, *ToeBase, Spine, Spine1, Spine2, Spine3, *Shoulder, *Arm, *ArmRoll, *ForeArm, "
        "*ForeArmRoll, *Hand, *HandIndex1, Neck, Neck1, Head",
        WORDS,
        {**FILM, "spine": "Spine", "chest": "Spine3"},
    ),
    "Mixamo": (
        "MotionBuilder",
        ", ".join("mixamorig:" + name.strip() for name in MIXAMO.split(",")),
        WORDS,
        {
            **{role: "mixamorig:" + name for role, name in FILM.items()},
            "spine": "mixamorig:Spine",
            "chest": "mixamorig:Spine2",
        },
    ),
    "Mixamo, numbered, in Blender": (
        "MotionBuilder",
        ", ".join("mixamorig7_" + name.strip() for name in MIXAMO.split(",")),
        WORDS,
        {
            **{role: "mixamorig7_" + name for role, name in FILM.items()},
            "spine": "mixamorig7_Spine",
            "chest": "mixamorig7_Spine2",
        },
    ),
    "Mixamo, as three.js loads it": (
        "MotionBuilder",
        ", ".join("mixamorig" + name.strip() for name in MIXAMO.split(",")),
        WORDS,
        {
            **{role: "mixamorig" + name for role, name in FILM.items()},
            "spine": "mixamorigSpine",
            "chest": "mixamorigSpine2",
        },
    ),
    "Biped": ("Biped", BIPED, LETTERS, {role: "Bip01 " + name for role, name in BIPED_ROLES.items()}),
    "Biped, underscores": (
        "Biped",
        BIPED.replace("Bip01 ", "Bip001_").replace("* ", "*_"),
        LETTERS,
        {role: "Bip001_" + name.replace(" ", "_") for role, name in BIPED_ROLES.items()},
    ),
    "LAFAN1": (
        "LAFAN1",
        "Hips, *UpLeg, *Leg, *Foot, *Toe, Spine, Spine1, Spine2, Neck, Head, *Shoulder, *Arm, *ForeArm, *Hand",
        WORDS,
        {**FILM, "spine": "Spine", "chest": "Spine2", "*_toe": "*Toe"},
    ),
    "Bandai-Namco": (
        "Bandai-Namco",
        "joint_Root, Hips, Spine, Chest, Neck, Head, Shoulder_*, UpperArm_*, LowerArm_*, Hand_*, UpperLeg_*, LowerLeg_*, "
        "Foot_*, Toes_*",
        LETTERS,
        {
            "hips": "Hips",
            "spine": "Spine",
            "chest": "Chest",
            "neck": "Neck",
            "head": "Head",
            "*_collar": "Shoulder_*",
            "*_shoulder": "UpperArm_*",
            "*_elbow": "LowerArm_*",
            "*_wrist": "Hand_*",
            "*_hip": "UpperLeg_*",
            "*_knee": "LowerLeg_*",
            "*_ankle": "Foot_*",
            "*_toe": "Toes_*",
        },
    ),
    "Unreal 4": (
        "Unreal",
        "root, pelvis, spine_01, spine_02, spine_03, clavicle_*, upperarm_*, lowerarm_*, hand_*, index_01_*, thumb_01_*, "
        "lowerarm_twist_01_*, upperarm_twist_01_*, neck_01, head, thigh_*, calf_*, calf_twist_01_*, foot_*, ball_*, "
        "thigh_twist_01_*, ik_foot_root, ik_foot_*, ik_hand_root, ik_hand_gun, ik_hand_*",
        SMALL,
        {**UNREAL_ROLES, "chest": "spine_03"},
    ),
    "Unreal 5": (
        "Unreal",
        "root, pelvis, spine_01, spine_02, spine_03, spine_04, spine_05, neck_01, neck_02, head, clavicle_*, upperarm_*, "
        "lowerarm_*, hand_*, thigh_*, calf_*, foot_*, ball_*",
        SMALL,
        {**UNREAL_ROLES, "chest": "spine_05"},
    ),
    "Unity": (
        "Unity",
        "Hips, *UpperLeg, *LowerLeg, *Foot, *Toes, Spine, Chest, UpperChest, Neck, Head, Jaw, *Eye, *Shoulder, *UpperArm, "
        "*LowerArm, *Hand",
        WORDS,
        {
            "hips": "Hips",
            "spine": "Spine",
            "chest": "UpperChest",
            "neck": "Neck",
            "head": "Head",
            "*_collar": "*Shoulder",
            "*_shoulder": "*UpperArm",
            "*_elbow": "*LowerArm",
            "*_wrist": "*Hand",
            "*_hip": "*UpperLeg",
            "*_knee": "*LowerLeg",
            "*_ankle": "*Foot",
            "*_toe": "*Toes",
        },
    ),
    "SMPL": ("SMPL", SMPL, SMALL_WORDS, SMPL_ROLES),
    "SMPL, letters": ("SMPL short", SMPL.title(), LETTERS, {role: name.title() for role, name in SMPL_ROLES.items()}),
    "SMPL, in FBX": (
        "SMPL short",
        ", ".join("m_avg_" + name.strip().title() for name in f"root, {SMPL}".split(",")),
        LETTERS,
        {role: "m_avg_" + name.title() for role, name in SMPL_ROLES.items()},
    ),
}


@pytest.mark.parametrize("case", CONVENTIONS)
class TestConventions:
    def test_all_roles_are_found_and_mean_the_right_joint(self, case: str) -> None:
        naming, listed, marks, meanings = CONVENTIONS[case]
        names = both(listed, marks)
        expected: dict[str, str] = {}
        for role, name in meanings.items():
            if "*" in role:
                for side, mark in zip(body.SIDES, marks, strict=True):
                    expected[role.replace("*", side)] = name.replace("*", mark)
            else:
                expected[role] = name
        found, roles = body.resolve(names)
        assert found == naming
        assert {role: names[index] for role, index in roles.items()} == expected
        assert set(roles) == set(body.ROLES)

    def test_the_order_of_joints_does_not_matter(self, case: str) -> None:
        naming, listed, marks, _ = CONVENTIONS[case]
        names = both(listed, marks)
        found, roles = body.resolve(names[::-1])
        assert found == naming
        assert {role: names[::-1][index] for role, index in roles.items()} == {
            role: names[index] for role, index in body.resolve(names)[1].items()
        }

    def test_a_namespace_and_another_case_change_nothing(self, case: str) -> None:
        naming, listed, marks, _ = CONVENTIONS[case]
        names = both(listed, marks)
        expected = dict(body.resolve(names)[1])
        for changed in ([f"scene:actor 1:{name}" for name in names], [name.upper() for name in names]):
            assert (body.resolve(changed)[0], dict(body.resolve(changed)[1])) == (naming, expected)


def test_the_convention_of_the_roles_themselves() -> None:
    found, roles = body.resolve(body.ROLES)
    assert found == "samples"
    assert dict(roles) == {role: index for index, role in enumerate(body.ROLES)}


def test_there_are_twenty_one_roles_in_two_halves() -> None:
    assert len(body.ROLES) == len(set(body.ROLES)) == 21
    assert set(body.ROLES) == body.LOWER_BODY | body.UPPER_BODY
    assert not body.LOWER_BODY & body.UPPER_BODY
    assert {"hips", "left_toe"} <= body.LOWER_BODY
    assert {"spine", "left_collar"} <= body.UPPER_BODY


def test_every_table_speaks_of_every_role() -> None:
    for convention, table in body.NAMING.items():
        assert set(table) == set(body.ROLES), convention


def test_names_nobody_knows() -> None:
    assert body.resolve(["bone1", "bone2", "bone3"]) == ("", {})
    assert body.resolve([]) == ("", {})


def test_too_few_to_be_a_body() -> None:
    assert body.resolve(["Hips", "Spine", "Head", "Neck"]) == ("", {})


def test_the_users_word_wins() -> None:
    names = both(CONVENTIONS["CMU BVH"][1], WORDS)
    neck1 = names.index("Neck1")
    naming, roles = body.resolve(names, {"neck": neck1})
    assert naming == "CMU BVH"
    assert roles["neck"] == neck1
    assert roles["head"] == names.index("Head")
    assert body.resolve(["a", "b"], {"head": 1}) == ("", {"head": 1})


def test_the_first_of_a_repeated_name() -> None:
    names = both(CONVENTIONS["LAFAN1"][1], WORDS)
    assert body.resolve([*names, *names])[1] == body.resolve(names)[1]


def test_what_is_found_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        body.resolve(body.ROLES)[1]["head"] = 0  # type: ignore[index]


def test_check_role() -> None:
    assert body.check_role("left_knee") == "left_knee"
    with pytest.raises(RoleError, match=r"'knee'.*left_knee"):
        body.check_role("knee")


@pytest.mark.parametrize(
    ("name", "simple"),
    [
        ("Bip01", "bip01"),
        ("mixamorig", "mixamorig"),
        ("Joint", "joint"),
        ("a:b:Left_Up-Leg", "leftupleg"),
        (" Left Hand ", "lefthand"),
        ("ValveBiped.Bip01_L_Hand", "lhand"),
        ("", ""),
    ],
)
def test_simplify(name: str, simple: str) -> None:
    assert body.simplify(name) == simple


LIMBS = ("collar", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe")
OTHERS = {
    "Poser": ("hip abdomen chest neck head", "{}Collar {}Shldr {}ForeArm {}Hand {}Thigh {}Shin {}Foot {}Toe", "lr"),
    "Biovision": ("Hips Abdomen Chest Neck Head", "{}Collar {}UpArm {}LowArm {}Hand {}UpLeg {}LowLeg {}Foot {}Toe", ""),
    "Rokoko": ("Hips Spine1 Spine4 Neck Head", "{}Shoulder {}Arm {}ForeArm {}Hand {}Thigh {}Shin {}Foot {}Toe", ""),
    "Xsens": ("Hips Chest Chest4 Neck Head", "{}Collar {}Shoulder {}Elbow {}Wrist {}Hip {}Knee {}Ankle {}Toe", ""),
    "MotionBuilder short": (
        "Hips Spine Spine2 Neck Head",
        "{}_Shoulder {}_Arm {}_ForeArm {}_Hand {}_UpLeg {}_Leg {}_Foot {}_ToeBase",
        "LR",
    ),
    "MakeHuman MHX": (
        "Root Spine1 Spine3 Neck Head",
        "Clavicle_{} UpArm_{} LoArm_{} Hand_{} UpLeg_{} LoLeg_{} Foot_{} Toe_{}",
        "LR",
    ),
    "MakeHuman": (
        "root spine05 spine01 neck01 head",
        "clavicle.{} upperarm01.{} lowerarm01.{} wrist.{} upperleg01.{} lowerleg01.{} foot.{} toe1-1.{}",
        "LR",
    ),
}


@pytest.mark.parametrize("convention", OTHERS)
def test_names_of_more_tools(convention: str) -> None:
    centre, limbs, marks = OTHERS[convention]
    sides = tuple(marks) or ("Left", "Right")
    names = [*centre.split(), *(name.format(side) for side in sides for name in limbs.split())]
    found, roles = body.resolve(names)
    assert found == convention
    expected = ["hips", "spine", "chest", "neck", "head", *(f"{s}_{p}" for s in ("left", "right") for p in LIMBS)]
    assert [names[roles[role]] for role in expected] == names


def test_roles_by_place_in_the_tree() -> None:
    """The root's and the knees' odd names do not matter where the legs show what they are."""
    names = [
        "Center",
        "Spine",
        "LeftUpLeg",
        "odd",
        "LeftFoot",
        "LeftToeBase",
        "RightUpLeg",
        "x",
        "y",
        "z",
        "RightFoot",
        "RightToeBase",
    ]
    parents = [-1, 0, 0, 2, 3, 4, 0, 6, 7, 8, 9, 10]
    _, roles = body.resolve(names, None, parents)
    assert (names[roles["hips"]], names[roles["left_knee"]], names[roles["right_knee"]]) == ("Center", "odd", "y")
    _, roles = body.resolve(names, {"left_knee": 5}, parents)
    assert roles["left_knee"] == 5
    assert "hips" not in body.resolve(names)[1]
