"""What tools really write into BVH files, each oddity in a text of its own."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kinegraph import load, save
from kinegraph.errors import KinegraphError, MotionError
from kinegraph.motion import Motion, euler
from tests.formats.reference import bvh_positions
from tests.formats.texts import ONE_JOINT, bvh, chain, put, read_bvh

POSITION = "Xposition Yposition Zposition"
ROTATION = "Zrotation Xrotation Yrotation"
ROOT = f"Hips\nOFFSET 0 0 0\nCHANNELS 6 {POSITION} {ROTATION}"
SIX = "1 2 3 40 50 60"


def everything(motion: Motion) -> np.ndarray:
    return np.concatenate([motion.positions, motion.tips], axis=1)


def assert_as_reference(motion: Motion, text: str) -> None:
    """Same joints and tips, whatever order the reference lists them in (all joints of these texts stand before their tips)."""
    np.testing.assert_allclose(everything(motion), bvh_positions(text), atol=1e-9)


# -- channels -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", euler.ORDERS)
def test_rotation_orders(tmp_path: Path, order: str) -> None:
    channels = " ".join(f"{axis.upper()}rotation" for axis in order)
    arm = f"Arm\nOFFSET 1 2 3\nCHANNELS 3 {channels}"
    text = bvh(
        chain(f"Hips\nOFFSET 0 0 0\nCHANNELS 6 {POSITION} {channels}", arm, "Hand\nOFFSET 4 5 6\nCHANNELS 0"),
        [f"{SIX} 10 20 30"],
    )
    assert_as_reference(read_bvh(tmp_path, text), text)


def test_channel_orders_that_differ_from_joint_to_joint(tmp_path: Path) -> None:
    orders = [" ".join(f"{axis}rotation" for axis in order) for order in permutations("XYZ")]
    joints = [f"j{index}\nOFFSET {index} 1 2\nCHANNELS 3 {order}" for index, order in enumerate(orders)]
    row = " ".join(str(7 * number - 60) for number in range(6 + 18))
    text = bvh(chain(ROOT, *joints, "end\nOFFSET 1 0 0\nCHANNELS 0"), [row, row.replace("1", "2")])
    assert_as_reference(read_bvh(tmp_path, text), text)


def test_rotations_before_positions_and_mixed_with_them(tmp_path: Path) -> None:
    root = "Hips\nOFFSET 0 0 0\nCHANNELS 6 Zrotation Yposition Xrotation Xposition Yrotation Zposition"
    text = bvh(chain(root, "Arm\nOFFSET 1 2 3\nCHANNELS 0"), [SIX, "9 8 7 6 5 4"])
    motion = read_bvh(tmp_path, text)
    np.testing.assert_array_equal(motion.root, [[40, 2, 60], [6, 8, 4]])
    assert_as_reference(motion, text)


@pytest.mark.parametrize(
    "channels", ["Yrotation", "Xrotation Zrotation", "Zrotation Xrotation", "Zrotation Yrotation", "Xposition", ""]
)
def test_few_channels_leave_the_rest_at_zero(tmp_path: Path, channels: str) -> None:
    count = len(channels.split())
    text = bvh(
        chain(ROOT, f"Arm\nOFFSET 1 2 3\nCHANNELS {count} {channels}", "Hand\nOFFSET 4 5 6\nCHANNELS 0"),
        [f"{SIX} {'25 ' * count}"],
    )
    assert_as_reference(read_bvh(tmp_path, text), text)


@pytest.mark.parametrize("channels", [ROTATION, POSITION, "Yposition"])
def test_a_root_with_three_channels_or_one(tmp_path: Path, channels: str) -> None:
    count = len(channels.split())
    text = bvh(
        chain(f"Hips\nOFFSET 7 8 9\nCHANNELS {count} {channels}", "Arm\nOFFSET 1 2 3\nCHANNELS 0"),
        ["10 20 30"[: 3 * count - 1]],
    )
    motion = read_bvh(tmp_path, text)
    assert_as_reference(motion, text)
    if channels == ROTATION:
        np.testing.assert_array_equal(motion.root, [[7, 8, 9]])


def test_constant_position_channels_become_the_offset(tmp_path: Path) -> None:
    arm = f"Arm\nOFFSET 1 2 3\nCHANNELS 6 {POSITION} {ROTATION}"
    text = bvh(chain(ROOT, arm, "Hand\nOFFSET 0 1 0\nCHANNELS 0"), [f"{SIX} 4 5 6 10 20 30", f"{SIX} 4 5 6 40 50 60"])
    motion = read_bvh(tmp_path, text)
    assert motion.translations is None
    np.testing.assert_array_equal(motion.skeleton.offsets[1], [4, 5, 6])
    assert_as_reference(motion, text)


def test_position_channels_that_are_almost_zero_are_added(tmp_path: Path) -> None:
    """Some tools write what is to be added to the offset; taken at their word, the body would shrink to a point."""
    joints = [f"{name}\nOFFSET 1 {y} 3\nCHANNELS 6 {POSITION} {ROTATION}" for name, y in (("Arm", 2), ("Hand", 4))]
    text = bvh(chain(ROOT, *joints), [f"{SIX} 0.001 0 0 0 0 0 0 0 0.001 0 0 0"] * 2)
    motion = read_bvh(tmp_path, text)
    np.testing.assert_allclose(motion.skeleton.offsets[1:], [[1.001, 2, 3], [1, 4, 3.001]])
    assert any("added to the offsets" in notice for notice in motion.notices)


def test_moving_position_channels_become_translations(tmp_path: Path) -> None:
    arm = f"Arm\nOFFSET 1 2 3\nCHANNELS 4 Yposition {ROTATION}"
    text = bvh(chain(ROOT, arm, "Hand\nOFFSET 0 1 0\nCHANNELS 0"), [f"{SIX} 5 10 20 30", f"{SIX} 6 40 50 60"])
    motion = read_bvh(tmp_path, text)
    assert motion.translations is not None
    np.testing.assert_array_equal(motion.translations[:, 1], [[1, 5, 3], [1, 6, 3]])
    assert_as_reference(motion, text)
    again = tmp_path / "again.bvh"
    save(motion, again)
    np.testing.assert_allclose(load(again, units="cm").positions, motion.positions, atol=1e-7)


# -- the tree -------------------------------------------------------------------------------------------------------------


def test_end_sites_several_and_on_joints_with_children(tmp_path: Path) -> None:
    tips = "End Site\n{\nOFFSET 1 0 0\n}\nEnd Site\n{\nOFFSET 0 1 0\n}"
    root = ROOT.replace("Hips", "Hips\n{", 1)
    arm = f"Arm\n{{\nOFFSET 1 2 3\nCHANNELS 0\n{tips.replace('1', '5')}"
    hierarchy = f"ROOT {root}\n{tips}\nJOINT {arm}\n}}\n}}"
    motion = read_bvh(tmp_path, bvh(hierarchy, [SIX]))
    assert motion.skeleton.tip_parents.tolist() == [0, 0, 1, 1]
    np.testing.assert_array_equal(motion.skeleton.tip_offsets, [[1, 0, 0], [0, 1, 0], [5, 0, 0], [0, 5, 0]])
    expected = bvh_positions(bvh(hierarchy, [SIX]))[:, [0, 3, 1, 2, 4, 5]]
    np.testing.assert_allclose(everything(motion), expected, atol=1e-9)


def test_a_joint_without_channels_or_end_site(tmp_path: Path) -> None:
    motion = read_bvh(tmp_path, bvh(chain(ROOT, "Arm\nOFFSET 1 2 3"), [SIX]))
    assert motion.skeleton.names == ("Hips", "Arm")
    assert len(motion.skeleton.tip_parents) == 0


def test_five_thousand_joints_deep(tmp_path: Path) -> None:
    count = 5000
    joints = ["OFFSET 0 1 0\nCHANNELS 1 Zrotation"] * (count - 1)
    text = bvh(
        chain(ROOT, *(f"j{index}\n{joint}" for index, joint in enumerate(joints))),
        [f"0 0 0 0 0 0 {'0 ' * (count - 1)}"],
    )
    motion = read_bvh(tmp_path, text)
    assert len(motion.skeleton) == count
    np.testing.assert_allclose(motion.positions[0, -1], [0, count - 1, 0])


def test_joints_above_the_hips_are_folded_into_them(tmp_path: Path) -> None:
    six = f"CHANNELS 6 {POSITION} {ROTATION}"
    joints = [f"joint_Root\nOFFSET 0 0 0\n{six}", f"Hips\nOFFSET 0 0 0\n{six}", f"Spine\nOFFSET 0 10 0\n{six}"]
    joints += [f"{name}\nOFFSET 0 1 0\nCHANNELS 0" for name in ("Spine1", "Neck", "Head")]
    rows = ["1 0 2 30 20 10 0 90 0 5 6 7 0 10 0 1 2 3", "2 0 3 31 22 13 1 91 0 5 6 8 0 10 0 1 2 4"]
    text = bvh(chain(*joints), rows)
    motion = read_bvh(tmp_path, text)
    assert motion.skeleton.names == ("Hips", "Spine", "Spine1", "Neck", "Head")
    assert motion.translations is None
    np.testing.assert_allclose(motion.positions, bvh_positions(text)[:, 1:], atol=1e-9)
    assert any("joint_Root" in notice for notice in motion.notices)


def test_a_reference_with_other_children_is_kept(tmp_path: Path) -> None:
    inside = f"OFFSET 0 0 0\nCHANNELS 6 {POSITION} {ROTATION}"
    hierarchy = f"ROOT Reference\n{{\n{inside}\nJOINT Hips\n{{\n{inside}\n}}\nJOINT Camera\n{{\n{inside}\n}}\n}}"
    motion = read_bvh(tmp_path, bvh(hierarchy, [f"{SIX} {SIX} {SIX}"]), roles={"hips": "Hips"})
    assert motion.skeleton.names == ("Reference", "Hips", "Camera")


# -- names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "mixamorig:Hips",
        "a.b.c",
        "Bip01 L UpperArm",
        "two  blanks",
        "Hüfte",
        "腰",
        "JOINT",
        "End Site",
        "0",
        "x" * 1000,
        "#1",
        "",
    ],
)
def test_names(tmp_path: Path, name: str) -> None:
    text = bvh(chain(ROOT, f"{name}\nOFFSET 1 2 3\nCHANNELS 0"), [SIX])
    assert read_bvh(tmp_path, text).skeleton.names[1] == name


def test_names_may_repeat(tmp_path: Path) -> None:
    text = bvh(
        chain(ROOT, "twin\nOFFSET 1 0 0\nCHANNELS 1 Xrotation", "twin\nOFFSET 2 0 0\nCHANNELS 1 Yrotation"),
        [f"{SIX} 7 8"],
    )
    motion = read_bvh(tmp_path, text)
    assert motion.skeleton.names == ("Hips", "twin", "twin")
    assert_as_reference(motion, text)


def test_names_in_latin_1(tmp_path: Path) -> None:
    text = ONE_JOINT.replace("Hips", "Hüfte").encode("latin-1")
    assert read_bvh(tmp_path, text).skeleton.names == ("Hüfte",)


# -- layout of the text ---------------------------------------------------------------------------------------------------

LAYOUTS = {
    "tabs": ONE_JOINT.replace(" ", "\t"),
    "crlf": ONE_JOINT.replace("\n", "\r\n"),
    "cr": ONE_JOINT.replace("\n", "\r"),
    "bom": "\ufeff" + ONE_JOINT,
    "utf-16": ONE_JOINT.encode("utf-16"),
    "utf-16-be": b"\xfe\xff" + ONE_JOINT.encode("utf-16-be"),
    "blank lines": ONE_JOINT.replace("\n", "\n\n  \n"),
    "blanks at line ends": ONE_JOINT.replace("\n", " \t \n"),
    "no final newline": ONE_JOINT.rstrip("\n"),
    "blank lines at the end": ONE_JOINT + "\n\n \n",
    "end-of-file mark of DOS": ONE_JOINT + "\x1a",
    "lower case": ONE_JOINT.lower(),
    "upper case": ONE_JOINT.upper(),
    "brace behind the name": ONE_JOINT.replace("\n{", " {").replace("Site\n  {", "Site {"),
    "braces that stick": ONE_JOINT.replace("\n{\n", "{")
    .replace("Site\n  {\n", "Site{")
    .replace("10 0\n  }\n}\n", "10 0}}\n"),
    "header on one line": ONE_JOINT.partition("MOTION")[0].replace("\n", " ")
    + "MOTION"
    + ONE_JOINT.partition("MOTION")[2],
    "numbers behind colons": ONE_JOINT.replace("Frames: ", "Frames:").replace("Time: ", "Time:"),
    "frames and time on one line": ONE_JOINT.replace("2\nFrame", "2 Frame"),
    "exponents": ONE_JOINT.replace("40 50 60", "4e1 .5E+2 600e-1"),
    "points": ONE_JOINT.replace("1 2 3", "+1. 02 3.000000000000000000000"),
    "site by another name": ONE_JOINT.replace("End Site", "End Effector 1"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_that_mean_the_same(tmp_path: Path, layout: str) -> None:
    plain, odd = read_bvh(tmp_path, ONE_JOINT), read_bvh(tmp_path, LAYOUTS[layout])
    assert odd.fps == plain.fps == 25.0
    assert [name.lower() for name in odd.skeleton.names] == ["hips"]
    np.testing.assert_array_equal(odd.root, plain.root)
    np.testing.assert_array_equal(odd.rotations, plain.rotations)
    np.testing.assert_array_equal(odd.skeleton.tip_offsets, plain.skeleton.tip_offsets)


# -- options --------------------------------------------------------------------------------------------------------------


def test_z_up_is_turned_to_y_up(tmp_path: Path) -> None:
    text = bvh(
        chain(ROOT, "Head\nOFFSET 0 0 9\nCHANNELS 3 Xrotation Yrotation Zrotation", "Top\nOFFSET 1 2 3\nCHANNELS 0"),
        [f"{SIX} 10 20 30"],
    )
    x, y, z = np.moveaxis(bvh_positions(text), -1, 0)
    np.testing.assert_allclose(read_bvh(tmp_path, text, up="z").positions, np.stack([x, z, -y], axis=-1), atol=1e-9)


def test_a_body_that_lies_along_z_is_told_of(tmp_path: Path) -> None:
    text = bvh(chain(ROOT, "Head\nOFFSET 0 0 9\nCHANNELS 0"), ["0 0 0 0 0 0"] * 2)
    roles = {"hips": "Hips", "head": "Head"}
    assert any("up='z'" in notice for notice in read_bvh(tmp_path, text, roles=roles).notices)
    assert not any("up='z'" in notice for notice in read_bvh(tmp_path, text, roles=roles, up="z").notices)


@pytest.mark.parametrize(
    ("units", "metres"),
    [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254), ("cmu", 0.0254 / 0.45), (0.5, 0.5), ("0.25", 0.25)],
)
def test_units_that_are_given(tmp_path: Path, units: str | float, metres: float) -> None:
    motion = read_bvh(tmp_path, ONE_JOINT, units=units)
    np.testing.assert_allclose(motion.root[0], np.array([1, 2, 3]) * metres)
    np.testing.assert_allclose(motion.skeleton.tip_offsets, [[0, 10 * metres, 0]])


@pytest.mark.parametrize("units", ["furlong", "", "nan", "-1", 0.0, float("inf")])
def test_units_that_are_none(tmp_path: Path, units: str | float) -> None:
    with pytest.raises(KinegraphError, match="unknown unit"):
        read_bvh(tmp_path, ONE_JOINT, units=units)


@pytest.mark.parametrize(
    ("leg", "word"), [(0.835, "metres"), (83.5, "centimetres"), (835.0, "millimetres"), (33.0, "inches"), (14.8, "CMU")]
)
def test_units_that_are_guessed_from_the_legs(tmp_path: Path, leg: float, word: str) -> None:
    bone = f"OFFSET 0 {-leg / 2} 0"
    legs = "".join(
        f"JOINT {side}UpLeg {{\nOFFSET 0 0 0\nJOINT {side}Leg {{\n{bone}\nJOINT {side}Foot {{\n{bone}\n}}\n}}\n}}\n"
        for side in ("Left", "Right")
    )
    motion = read_bvh(tmp_path, bvh(f"ROOT Hips\n{{\nCHANNELS 6 {POSITION} {ROTATION}\n{legs}}}", [SIX]), units="auto")
    assert motion.skeleton.stature == pytest.approx(1.7, rel=0.02)
    assert any(f"taken as {word}" in notice for notice in motion.notices)


def test_roles_override_names(tmp_path: Path) -> None:
    text = bvh(chain(ROOT, "blob\nOFFSET 0 9 0\nCHANNELS 0"), [SIX])
    assert read_bvh(tmp_path, text, roles={"head": "blob"}).skeleton.joint("head") == 1
    with pytest.raises(MotionError, match="no joint is called 'blub'"):
        read_bvh(tmp_path, text, roles={"head": "blub"})
    with pytest.raises(KinegraphError, match="tail"):
        read_bvh(tmp_path, text, roles={"tail": "blob"})


def test_the_rate_can_be_given(tmp_path: Path) -> None:
    assert read_bvh(tmp_path, ONE_JOINT, fps=60).fps == 60.0
    for rate in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(KinegraphError, match="frames per second"):
            read_bvh(tmp_path, ONE_JOINT, fps=rate)
    with pytest.raises(KinegraphError, match="vertical axis 'x'"):
        read_bvh(tmp_path, ONE_JOINT, up="x")


# -- the T-pose -----------------------------------------------------------------------------------------------------------


def _clip(first: str, frames: int = 6) -> str:
    joints = [f"j{index}\nOFFSET 0 1 0\nCHANNELS 3 {ROTATION}" for index in range(4)]
    rows = [f"0 0 0 {' '.join(str(20 + index + 0.1 * frame) for index in range(15))}" for frame in range(frames)]
    return bvh(chain(ROOT, *joints), [first, *rows])


def test_a_leap_out_of_a_pose_at_rest_is_a_tpose(tmp_path: Path) -> None:
    motion = read_bvh(tmp_path, _clip("0 " * 18), trim_tpose=True)
    assert len(motion) == 6
    assert any("T-pose" in notice for notice in motion.notices)


def test_a_turned_first_pose_is_none(tmp_path: Path) -> None:
    assert len(read_bvh(tmp_path, _clip("0 0 0 " + "1 " * 15), trim_tpose=True)) == 7


# -- writing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", euler.ORDERS)
def test_any_order_can_be_written(tmp_path: Path, order: str) -> None:
    text = bvh(
        chain(ROOT, f"Arm\nOFFSET 1 2 3\nCHANNELS 3 {ROTATION}", "Hand\nOFFSET 4 5 6\nCHANNELS 0"),
        [f"{SIX} 10 20 30", f"{SIX} 1 90 3"],
    )
    motion = read_bvh(tmp_path, text)
    save(motion, tmp_path / "out.bvh", order=order, units="m")
    assert f"CHANNELS 3 {order[0].upper()}rotation {order[1].upper()}rotation" in (tmp_path / "out.bvh").read_text()
    np.testing.assert_allclose(load(tmp_path / "out.bvh", units="m").positions, motion.positions, atol=1e-5)


@pytest.mark.parametrize("fps", [24.0, 30.0, 30000 / 1001, 59.94, 120.0, 82.64462809917356, 0.3])
def test_the_frame_time_is_written_in_full(tmp_path: Path, fps: float) -> None:
    save(read_bvh(tmp_path, ONE_JOINT, fps=fps), tmp_path / "out.bvh")
    assert load(tmp_path / "out.bvh").fps == pytest.approx(fps, rel=1e-15)


def test_options_that_are_no_options(tmp_path: Path) -> None:
    motion = read_bvh(tmp_path, ONE_JOINT)
    for options, message in (
        ({"order": "xxy"}, "Euler order"),
        ({"units": "yard"}, "unknown unit"),
        ({"colour": 1}, "do not take colour"),
    ):
        with pytest.raises(KinegraphError, match=message):
            save(motion, tmp_path / "out.bvh", **options)
    assert not (tmp_path / "out.bvh").exists()


def test_names_that_cannot_stand_in_a_line_are_mended(tmp_path: Path) -> None:
    motion = read_bvh(tmp_path, ONE_JOINT)
    body = type(motion.skeleton)((" a\n{b} ",), motion.skeleton.parents, motion.skeleton.offsets)
    save(Motion(body, motion.root, motion.rotations, 30.0), tmp_path / "out.bvh")
    assert load(put(tmp_path / "again.bvh", (tmp_path / "out.bvh").read_bytes())).skeleton.names == ("a b",)
