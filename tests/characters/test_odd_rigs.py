"""Rigs whose parts do not hang as those of a body do, and hands that must be held off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import characters
from kinegraph.characters import hands
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
    monkeypatch.setattr(hands, "_spread", lambda moved, *_: moved)
    assert deepest(held_off) < 0.02 < deepest(hands.kept_out(WALK, stout, WALK))
    # feet and head have no part in it
    for role in ("left_ankle", "right_ankle", "head"):
        assert np.allclose(held_off.position(role), WALK.position(role))


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
