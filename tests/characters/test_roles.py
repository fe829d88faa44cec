"""Which joint of a character is what: by its file, by names of many conventions, and by shape alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph import characters
from kinegraph.characters import shape
from kinegraph.characters.names import of_animal, said
from kinegraph.errors import RoleError
from tests.characters import rigs


def found(path: Path, **options: object) -> dict[str, str]:
    hero = characters.load(path, **options)  # type: ignore[arg-type]
    return {role: hero.skeleton.names[joint] for role, joint in hero.roles.joints.items()}


@pytest.mark.parametrize("names", rigs.NAMES)
def test_roles_are_found_without_help(names: str, tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb", names=names)
    assert found(made.path) == made.roles


def test_a_neck_that_is_called_spine(tmp_path: Path) -> None:
    """As Rigify calls it: DEF-spine is the hips, DEF-spine.004 the neck, and DEF-spine.006 the head."""
    names = rigs.NAMES["Rigify"] | {"neck": "DEF-spine.004", "head": "DEF-spine.006"}
    made = rigs.make(tmp_path / "hero.glb", names=names)
    assert found(made.path) == made.roles


@pytest.mark.parametrize("names", ["Unreal", "Rigify", "numbers"])
@pytest.mark.parametrize("up", ["y", "z"])
def test_they_are_found_whatever_the_rig_looks_like(names: str, up: str, tmp_path: Path) -> None:
    made = rigs.make(
        tmp_path / "hero.glb", names=names, up=up, unit=0.01, facing=90, lowered=40, twists=True, root=True, posed=True
    )
    assert found(made.path) == made.roles


def test_handles_are_no_limbs(tmp_path: Path) -> None:
    """Chains that control feet and hands stand on the floor as legs do, but nothing follows them."""
    made = rigs.make(tmp_path / "hero.glb", names="numbers", root=True)
    for side, aside in (("l", 0.2), ("r", -0.2)):
        above = "root"
        for number, place in enumerate(([aside, 1.1, 0.0], [0.0, -0.5, 0.0], [0.0, -0.59, 0.0], [0.0, 0.0, 0.1])):
            made.add_joint(f"handle_{side}{number}", above, place)
            above = f"handle_{side}{number}"
    made.save()
    assert found(made.path) == made.roles


@pytest.mark.parametrize("lean", [-0.06, 0.0, 0.06])
def test_shape_tells_feet_and_sides_of_legs_that_lean(lean: float) -> None:
    """Knees before or behind the feet, and a joint at the end of the toes: the ankle is where the leg bends, ahead is where feet are."""
    leg = [[0.1, 0.95, 0.0], [0.1, 0.5, lean], [0.1, 0.09, -0.03], [0.1, 0.02, 0.1], [0.1, 0.01, 0.17]]
    places = np.array([[0.0, 1.0, 0.0], *leg, *[[-x, y, z] for x, y, z in leg], [0.0, 1.7, 0.0]])
    parents = np.array([-1, 0, 1, 2, 3, 4, 0, 6, 7, 8, 9, 0])
    weight = np.ones(len(places))
    feet = np.array([0.0, 0.02, 0.04])
    tree = shape.Tree(parents, places, weight, shape.moving(parents, weight), [()] * len(places), feet)
    roles, fault = shape.find(tree)
    assert not fault
    for first, side in ((1, "left"), (6, "right")):
        assert [roles[f"{side}_{part}"] for part in ("hip", "knee", "ankle", "toe")] == [*range(first, first + 4)]


@pytest.mark.parametrize("version", [0, 1])
def test_a_vrm_tells_its_roles(version: int, tmp_path: Path) -> None:
    """Names say nothing here, or worse: left and right are exchanged in them."""
    wrong = {
        role: f"{'R' if role.startswith('left') else 'L'}_joint_{number}" for number, role in enumerate(rigs.ROLES)
    }
    made = rigs.make(tmp_path / "hero.vrm", names=wrong, vrm=version)
    assert found(made.path) == made.roles
    assert set(characters.load(made.path).roles.how.values()) == {"VRM"}


def test_what_the_user_says_counts(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb", twists=True)
    other = "mixamorig:LeftForeArm_twist_07"
    assert found(made.path, roles={"left_hand": other})["left_wrist"] == other
    (tmp_path / "hero.toml").write_text(f'left_wrist = "{other}"\n')
    hero = characters.load(made.path)
    assert hero.skeleton.names[hero.roles.joints["left_wrist"]] == other
    assert hero.roles.how["left_wrist"] == "by hand"


def test_a_node_that_is_not_there_is_refused(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    with pytest.raises(
        RoleError, match=r"no joint of the character is called 'Foot'; there is mixamorig:LeftFoot, mixamorig:RightFoot"
    ):
        characters.load(made.path, roles={"left_foot": "Foot"})
    with pytest.raises(RoleError, match="unknown body role 'tail'"):
        characters.load(made.path, roles={"tail": "mixamorig:Hips"})


def test_legs_that_are_named_wrongly_are_refused(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    with pytest.raises(RoleError, match="is taken for left_knee and left_ankle"):
        characters.load(made.path, roles={"left_ankle": "mixamorig:LeftLeg"})


@pytest.mark.parametrize(
    ("name", "side", "part"),
    [
        ("DEF-forearm.R", "right", "elbow"),
        ("CC_Base_L_Thigh", "left", "hip"),
        ("ValveBiped.Bip01_R_Hand", "right", "wrist"),
        ("LeftToeBase", "left", "toe"),
        ("rShldrBend", "right", "shoulder"),
        ("Spine2", "", "spine"),
        ("upper_chest", "", "chest"),
        ("LeftLegLower_jnt", "left", "knee"),
        ("leg_upper.R", "right", "hip"),
        ("RightArmUpper", "right", "shoulder"),
        ("arm_lower.L", "left", "elbow"),
        ("char:def_l_clav", "left", "collar"),
    ],
)
def test_words_of_names(name: str, side: str, part: str) -> None:
    told = said(name)
    assert told is not None
    assert (told.side, told.part) == (side, part)


def test_legs_of_animals() -> None:
    assert of_animal(["Body", "FrontLeg.L", "FrontUpLeg.L", "BackLeg.L"])
    assert of_animal(["hind_paw_r", "fore_paw_r"])
    assert not of_animal(["LeftForeArm", "LeftUpLeg", "Back", "BackPack", "Foot.L"])


@pytest.mark.parametrize(
    "name", ["forearm_twist_l", "LeftHandThumb1", "ik_foot_l", "PoleTarget.L", "Foot.L_end", "Cube", "eye.R"]
)
def test_other_names_say_nothing(name: str) -> None:
    assert said(name) is None
