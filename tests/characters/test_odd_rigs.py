"""Rigs whose parts do not hang as those of a body do, and hands that must be held off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import characters
from kinegraph.characters import hands, showing
from kinegraph.motion import rotation
from tests.characters import rigs
from tests.characters.viewer import Viewer

WALK = kg.samples.make("walk").motion


def moved_below(made: rigs.Made, name: str, parent: str | None) -> None:
    """Hang a joint on another one, or on the armature, where it is in the bind pose."""
    tree, viewer = made.tree, Viewer(made.path)
    index = {node.get("name"): number for number, node in enumerate(tree["nodes"])}
    joint = index[name]
    tree["nodes"][viewer.parents[joint]]["children"].remove(joint)
    above = index[parent] if parent is not None else index["Armature"]
    tree["nodes"][above].setdefault("children", []).append(joint)
    inverse = np.linalg.inv(bound(made))
    world = bound(made)[joint] if joint < len(inverse) else np.eye(4)
    local = (inverse[above] if above < len(inverse) else np.eye(4)) @ world
    node = tree["nodes"][joint]
    node["translation"] = local[:3, 3].tolist()
    node["rotation"] = np.roll(rotation.from_matrix(local[:3, :3]), -1).tolist()
    made.save()


def bound(made: rigs.Made) -> Any:
    """Where ``(J, 4, 4)`` the joints were bound."""
    accessor = made.tree["accessors"][made.tree["skins"][0]["inverseBindMatrices"]]
    view = made.tree["bufferViews"][accessor["bufferView"]]
    data = made.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    return np.linalg.inv(np.frombuffer(data, "<f4").reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64))


def apart(moved: characters.Moved, plain: characters.Moved) -> float:
    """Metres by which joints of the same name are elsewhere, at most."""
    names = plain.character.skeleton.names
    pairs = [(joint, names.index(name)) for joint, name in enumerate(moved.character.skeleton.names) if name in names]
    return max(
        float(np.abs(moved.positions[:, a] - plain.positions[:, b]).max()) for a, b in pairs if names[b] != "root"
    )


@pytest.mark.parametrize("part", ["Spine", "LeftShoulder", "Neck"])
def test_a_part_that_hangs_beside_the_hips_goes_where_the_body_has_it(part: str, tmp_path: Path) -> None:
    plain = characters.put(WALK, characters.load(rigs.make(tmp_path / "plain.glb", root=True).path))
    made = rigs.make(tmp_path / "odd.glb", root=True)
    moved_below(made, f"mixamorig:{part}", "root")
    moved = characters.put(WALK, characters.load(made.path))
    assert apart(moved, plain) < 0.01


def test_a_trunk_that_the_hips_hang_on_goes_with_them(tmp_path: Path) -> None:
    """Skin of a joint above the hips is a trunk, not a handle."""
    made = rigs.make(tmp_path / "robot.glb", names="Mixamo", root=True)
    nodes = made.tree["nodes"]
    index = {node.get("name"): number for number, node in enumerate(nodes)}
    spine = index["mixamorig:Spine"]
    moved_below(made, "mixamorig:Spine", "root")
    moved_below(made, "mixamorig:Hips", "mixamorig:Spine")
    nodes[spine]["name"] = "trunk"
    hero = characters.load(made.save(), roles={"hips": "mixamorig:Hips"})
    trunk = hero.skeleton.names.index("trunk")
    if "spine" in hero.roles.joints:
        assert hero.roles.joints["spine"] != trunk
    moved = characters.put(WALK, hero)
    at = hero.skeleton.names.index("mixamorig:Hips")
    far = np.linalg.norm(moved.positions[:, trunk] - moved.positions[:, at], axis=-1)
    assert np.ptp(far) < 1e-9
    assert np.ptp(moved.positions[:, trunk, 2]) > 1.0


def test_arms_that_no_bend_brings_out_of_a_trunk_are_held_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same body, but stout: its hands would be in its belly all the time."""
    lean = hands.of_source(WALK)
    stout = replace(lean, trunk=tuple((joint, reach + 0.4) for joint, reach in lean.trunk))

    def deepest(moved: kg.Motion) -> float:
        return max(float(stout.deep(moved.positions, moved.orientations, side)[0].max()) for side in stout.hands)

    assert deepest(WALK) > 0.1
    held_off = hands.kept_out(WALK, stout, WALK)
    monkeypatch.setattr(hands, "_spread", lambda moved, *_, **__: moved)
    assert deepest(held_off) < 0.02 < deepest(hands.kept_out(WALK, stout, WALK))
    # feet and head have no part in it
    for role in ("left_ankle", "right_ankle", "head"):
        assert np.allclose(held_off.position(role), WALK.position(role))


@pytest.mark.parametrize("bent", [False, True], ids=["held off", "bent"])
def test_arms_are_kept_out_without_a_jerk(bent: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arms that are held off a stout trunk swing as they did; those that are bent around it take their time."""
    lean = hands.of_source(WALK)
    stout = replace(lean, trunk=tuple((joint, reach + 0.1) for joint, reach in lean.trunk))
    if bent:
        monkeypatch.setattr(hands, "_spread", lambda moved, *_, **__: moved)
    out = hands.kept_out(WALK, stout, WALK)
    assert not np.allclose(out.rotations, WALK.rotations)
    assert fastest(out) < (1.4 if bent else 1.1) * fastest(WALK)


def fastest(motion: kg.Motion) -> float:
    """Radians per second by which a joint of an arm turns at most."""
    joints = [
        motion.skeleton.joint(f"{side}_{part}") for side in ("left", "right") for part in ("shoulder", "elbow", "wrist")
    ]
    turns = motion.orientations[:, joints]
    steps = rotation.log(rotation.multiply(rotation.inverse(turns[:-1]), turns[1:]))
    return float(np.linalg.norm(steps, axis=-1).max() * motion.fps)


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_joints_that_nothing_follows_may_be_bound_nowhere(unit: float, tmp_path: Path) -> None:
    """Some tools write the identity for them: for the root, where it is right or of another unit, and for handles, where it never is."""
    plain = characters.load(rigs.make(tmp_path / "plain.glb", root=True, unit=unit).path)
    made = rigs.make(tmp_path / "odd.glb", root=True, unit=unit)
    made.add_joint("handle", "mixamorig:Hips", [0.0, 0.3 / unit, 0.0])
    skin = made.tree["skins"][0]
    inverse = made.numbers(skin["inverseBindMatrices"], "<f4").copy()
    for name in ("root", "handle"):
        inverse[skin["joints"].index(made.node(name))] = np.eye(4).ravel()
    skin["inverseBindMatrices"] = made.array(inverse, "MAT4", 5126)
    hero = characters.load(made.save())
    assert abs(hero.height - plain.height) < 1e-5
    at = [hero.skeleton.names.index(name) for name in plain.skeleton.names if name != "root"]
    assert np.allclose(hero.places[at], plain.places[1:], atol=1e-5)
    away = hero.places[hero.skeleton.names.index("handle")] - hero.places[hero.roles.joints["hips"]]
    assert abs(np.linalg.norm(away) - 0.3) < 1e-5


def _wear(made: rigs.Made, name: str) -> int:
    """Put on a mesh like the first, whose only joint is the last node; how many vertices it has."""
    nodes = made.tree["nodes"]
    made.tree["skins"].append({"name": name, "joints": [len(nodes) - 1]})
    attributes = dict(made.tree["meshes"][0]["primitives"][0]["attributes"])
    count = len(made.numbers(attributes["POSITION"], "<f4"))
    attributes["JOINTS_0"] = made.array(np.zeros((count, 4), "<u2"), "VEC4", 5123)
    made.tree["meshes"].append({"primitives": [{"attributes": attributes}]})
    nodes.append({"name": name.title(), "mesh": 1, "skin": 1})
    made.tree["scenes"][0]["nodes"].append(len(nodes) - 1)
    return count


def test_a_hat_with_a_joint_of_its_own_goes_with_the_head(tmp_path: Path) -> None:
    """Its skin shares no joint with the body's, but hangs on it: it is no second person, neither where it is put on nor read again."""
    made = rigs.make(tmp_path / "hero.glb")
    nodes = made.tree["nodes"]
    nodes.append({"name": "hat", "translation": [0.0, 0.1, 0.0]})
    nodes[made.node("mixamorig:Head")].setdefault("children", []).append(len(nodes) - 1)
    _wear(made, "hat")
    made.tree["animations"] = [_still(made, made.node("hat"), made.node("mixamorig:Hips"))]
    hero = characters.load(made.save())
    assert not hero.notices
    characters.save(WALK[:30], hero, tmp_path / "out.glb")
    assert {"mixamorig:Hips", "mixamorig:Head"} <= set(kg.load(tmp_path / "out.glb").skeleton.names)


def test_meshes_whose_joints_hang_between_one_another_are_one_body(tmp_path: Path) -> None:
    """As some tools write them, each mesh with a skin of its own: the glove's joint hangs between two of the body's."""
    made = rigs.make(tmp_path / "hero.glb")
    nodes, arm, hand = made.tree["nodes"], made.node("mixamorig:LeftForeArm"), made.node("mixamorig:LeftHand")
    nodes.append({"name": "glove", "children": [hand]})
    nodes[arm]["children"] = [len(nodes) - 1 if child == hand else child for child in nodes[arm]["children"]]
    count = _wear(made, "glove")
    hero = characters.load(made.save())
    assert len(hero.points) == 2 * count
    assert "glove" in hero.skeleton.names


def test_a_bone_that_is_stretched_carries_what_hangs_on_it_where_it_is(tmp_path: Path) -> None:
    """Rigs that stretch are exported in any pose, with scales that differ from axis to axis."""
    made = rigs.make(tmp_path / "hero.glb")
    made.tree["nodes"][made.node("mixamorig:LeftLeg")]["scale"] = [1.03, 0.96, 1.01]
    hero = characters.load(made.save())
    moved = characters.put(WALK, hero)
    characters.write(moved, tmp_path / "out.glb")
    viewer = Viewer(tmp_path / "out.glb")
    worlds = viewer.moved("walk")[1]
    for joint, node in enumerate(hero.bones.nodes):
        assert np.abs(worlds[node][:, :3, 3] - moved.positions[:, joint]).max() < 1e-4, hero.skeleton.names[joint]
    # as browsers get it
    (tmp_path / "shown.glb").write_bytes(showing.shape(hero))
    shown = Viewer(tmp_path / "shown.glb").tree["nodes"][made.node("mixamorig:LeftLeg")]["scale"]
    assert np.ptp(shown) == 0.0
    assert np.allclose(shown, np.cbrt(1.03 * 0.96 * 1.01))


def _still(made: rigs.Made, *nodes: int) -> dict[str, Any]:
    """An animation of some nodes that do not move."""
    times = made.array(np.array([0.0, 1.0], "<f4"), "SCALAR", 5126)
    turns = made.array(np.tile(np.array([0.0, 0.0, 0.0, 1.0], "<f4"), (2, 1)), "VEC4", 5126)
    channels = [{"sampler": 0, "target": {"node": node, "path": "rotation"}} for node in nodes]
    return {"name": "still", "samplers": [{"input": times, "output": turns}], "channels": channels}


def test_half_a_body_stands_as_its_joints_tell(tmp_path: Path) -> None:
    """Legs without skin, as avatars have them who are seen by themselves: the mesh ends at the hips, and does not stand on them."""
    plain = characters.load(rigs.make(tmp_path / "plain.glb").path)
    made = rigs.make(tmp_path / "half.glb")
    attributes = made.tree["meshes"][0]["primitives"][0]["attributes"]
    joints = made.numbers(attributes["JOINTS_0"], "<u2")
    weights = made.numbers(attributes["WEIGHTS_0"], "<f4").copy()
    legs = [
        made.tree["skins"][0]["joints"].index(made.node(f"mixamorig:{side}{part}"))
        for side in ("Left", "Right")
        for part in ("UpLeg", "Leg", "Foot", "ToeBase")
    ]
    weights[np.isin(joints, legs).any(axis=1)] = 0.0
    attributes["WEIGHTS_0"] = made.array(weights, "VEC4", 5126)
    hero = characters.load(made.save())
    assert hero.notices == ("its feet have no skin: they stand as their joints tell",)
    assert np.abs(hero.places[:, 1] - plain.places[:, 1]).max() < 0.05
    moved, other = characters.put(WALK, hero), characters.put(WALK, plain)
    assert np.abs(moved.positions[..., 1] - other.positions[..., 1]).max() < 0.06


def test_several_things_in_one_hand_are_told(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    nodes = made.tree["nodes"]
    hand = next(number for number, node in enumerate(nodes) if node.get("name") == "mixamorig:LeftHand")
    for count, thing in enumerate(("sword", "axe"), start=1):
        nodes.append({"name": thing, "mesh": 0})
        nodes[hand].setdefault("children", []).append(len(nodes) - 1)
        told = [one for one in characters.load(made.save()).notices if "several things in one hand" in one]
        assert len(told) == (count > 1)
    assert told[0].endswith("sword, axe")
    # parts of a hand that is made of them hang on a joint each
    made.add_joint("finger", "mixamorig:LeftHand", [0.0, 0.05, 0.0])
    nodes[made.node("finger")]["children"] = [nodes[hand]["children"].pop(-2)]
    assert not characters.load(made.save()).notices
