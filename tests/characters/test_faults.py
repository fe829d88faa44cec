"""Files that are no character: what was found, what is missing, and how to name it by hand."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import characters
from kinegraph.errors import FormatError, KinegraphError, RoleError
from tests.characters import rigs
from tests.characters.viewer import Viewer
from tests.cli.inprocess import call

WALK = kg.samples.make("walk").motion


def test_no_skin(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    del made.tree["skins"], made.tree["nodes"][-2]["skin"]
    with pytest.raises(
        FormatError, match=r"there is no skin in it, only \d+ nodes and 1 meshes.*export it with its armature"
    ):
        characters.load(made.save())


def twice(path: Path) -> rigs.Made:
    """Two people in one file."""
    made = rigs.make(path)
    count = len(made.tree["nodes"])
    for node in copy.deepcopy(made.tree["nodes"]):
        if "children" in node:
            node["children"] = [child + count for child in node["children"]]
        if "skin" in node:
            node["skin"] = 1
        made.tree["nodes"].append(node)
    other = copy.deepcopy(made.tree["skins"][0])
    other |= {"name": "Other", "joints": [joint + count for joint in other["joints"]]}
    made.tree["skins"].append(other)
    made.tree["scenes"][0]["nodes"] += [count + index for index in made.tree["scenes"][0]["nodes"]]
    made.save()
    return made


def test_two_people_in_one_file(tmp_path: Path) -> None:
    made = twice(tmp_path / "hero.glb")
    count = len(made.tree["nodes"]) // 2
    with pytest.raises(
        FormatError, match=r"there are 2 skins, 'Hero', 'Other': which one is meant\? Say skin = 'Hero' in a file hero"
    ):
        characters.load(made.path)
    hero = characters.load(made.path, skin="Other")
    assert min(hero.bones.nodes) >= count
    with pytest.raises(FormatError, match="no skin is called 'Third'"):
        characters.load(made.path, skin="Third")
    # as the sentence says, for whatever command
    (tmp_path / "hero.toml").write_text('skin = "Other"\n')
    assert min(characters.load(made.path).bones.nodes) >= count


def test_a_bust(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "bust.glb", legs=False)
    with pytest.raises(RoleError) as told:
        characters.load(made.path)
    for said in (
        "left_hip",
        "Roles found: ",
        "left_wrist = mixamorig:LeftHand",
        "--role left_hip=NODE",
        "bust.toml beside it",
    ):
        assert said in str(told.value)


def test_a_quadruped(tmp_path: Path) -> None:
    made = dog(tmp_path / "dog.glb")
    with pytest.raises(RoleError, match="quadruped"):
        characters.load(made.path)
    done = call("convert", "walk.npz", "o.glb", "--character", "dog.glb", folder=_with_walk(tmp_path))
    assert done.code == 2
    assert "quadruped" in done.err


def dog(path: Path) -> rigs.Made:
    """A body that lies along the floor, its hands on it: a person's rig, bent so."""
    made = rigs.make(path, names={role: f"bone_{number}" for number, role in enumerate(rigs.ROLES)})
    _bound_at(made, _on_all_fours(made))
    made.save()
    return made


def _with_walk(folder: Path) -> Path:
    kg.save(WALK, folder / "walk.npz")
    return folder


def _on_all_fours(made: rigs.Made) -> np.ndarray:
    """Places of the joints of a body whose trunk points ahead and whose arms go down."""
    hero = characters.load(made.path)
    places, roles = hero.places.copy(), hero.roles.joints
    skeleton = hero.skeleton
    spine = {skeleton.names.index(name) for name in skeleton.names} - {
        joint for side in ("left", "right") for joint in (roles[f"{side}_hip"], *skeleton.below(roles[f"{side}_hip"]))
    }
    pivot = places[roles["hips"]]
    for joint in spine:
        x, y, z = places[joint] - pivot
        places[joint] = pivot + np.array([x, 0.05 * y - z, y])
    for sign, side in ((1.0, "left"), (-1.0, "right")):
        top = places[roles[f"{side}_shoulder"]].copy()
        for joint in (roles[f"{side}_shoulder"], *skeleton.below(roles[f"{side}_shoulder"])):
            away = sign * (places[joint] - top)[0]
            places[joint] = top + np.array([sign * 0.02, -1.3 * away, 0.0])
    return places


def _bound_at(made: rigs.Made, places: np.ndarray) -> None:
    """Put the joints of a rig elsewhere: nodes and bind matrices, without any turn."""
    parents = Viewer(made.path).parents
    inverse = np.tile(np.eye(4), (len(places), 1, 1))
    inverse[:, :3, 3] = -places
    for joint, place in enumerate(places):
        node = made.tree["nodes"][joint]
        node["rotation"] = [0.0, 0.0, 0.0, 1.0]
        above = parents.get(joint)
        node["translation"] = (place - (places[above] if above is not None and above < len(places) else 0.0)).tolist()
    accessor = made.tree["accessors"][made.tree["skins"][0]["inverseBindMatrices"]]
    view = made.tree["bufferViews"][accessor["bufferView"]]
    data = inverse.transpose(0, 2, 1).astype("<f4").tobytes()
    made.blob = made.blob[: view["byteOffset"]] + data + made.blob[view["byteOffset"] + view["byteLength"] :]


def test_a_mesh_without_weights(tmp_path: Path) -> None:
    """It can be moved, but shows nothing that moves: that is told, and soles are guessed."""
    made = rigs.make(tmp_path / "hero.glb")
    for key in ("JOINTS_0", "WEIGHTS_0"):
        del made.tree["meshes"][0]["primitives"][0]["attributes"][key]
    hero = characters.load(made.save())
    assert any("no weights" in told for told in hero.notices)
    assert any("no vertex of the mesh follows a joint" in told for told in hero.notices)
    moved = characters.put(WALK, hero)
    assert np.isfinite(moved.positions).all()


def test_a_compressed_mesh(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    made.tree["meshes"][0]["primitives"][0]["extensions"] = {
        "KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}
    }
    hero = characters.load(made.save())
    (told,) = hero.notices
    assert "packed by KHR_draco_mesh_compression, so its skin cannot be seen" in told
    assert "soles are guessed" in told
    assert "hands are not kept out" in told
    # what it tells of its size is enough for it to stand on the floor
    moved = characters.put(WALK, hero)
    made.tree["meshes"][0]["primitives"][0].pop("extensions")
    plain = characters.put(WALK, characters.load(made.save()))
    assert np.abs(moved.positions[..., 1] - plain.positions[..., 1]).max() < 0.03


def test_joints_that_go_round_in_a_circle(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    made.tree["nodes"][5].setdefault("children", []).append(0)
    with pytest.raises(FormatError, match=r"hangs on it and on|round in a circle"):
        characters.load(made.save())


def test_a_vertex_that_follows_nobody(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    made.tree["skins"][0]["joints"] = made.tree["skins"][0]["joints"][:5]
    with pytest.raises(KinegraphError, match=r"a vertex follows joint \d+, but the skin has 5"):
        characters.load(made.save())


def test_fifty_megabytes_of_textures(tmp_path: Path) -> None:
    """They are copied as they are."""
    made = rigs.make(tmp_path / "hero.glb")
    large = np.random.default_rng(1).bytes(50_000_000)
    begin = len(made.blob) + -len(made.blob) % 4
    made.blob += b"\0" * (begin - len(made.blob)) + large
    made.tree["bufferViews"].append({"buffer": 0, "byteOffset": begin, "byteLength": len(large)})
    made.tree["images"] = [{"bufferView": len(made.tree["bufferViews"]) - 1, "mimeType": "image/png"}]
    made.save()
    characters.save(WALK[:30], made.path, tmp_path / "out.glb")
    assert Viewer(tmp_path / "out.glb").blob[begin : begin + len(large)] == large


def test_a_giant_is_told_of(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb", size=100.0)
    assert any("m tall: it walks as far as its own legs take it" in told for told in characters.load(made.path).notices)


def test_other_files(tmp_path: Path) -> None:
    kg.save(WALK, tmp_path / "walk.bvh")
    with pytest.raises(FormatError, match=r"a character is read from \.glb, \.gltf, \.vrm"):
        characters.load(tmp_path / "walk.bvh")
    (tmp_path / "hero.toml").write_text("left_ankle = 3\n")
    rigs.make(tmp_path / "hero.glb")
    with pytest.raises(FormatError, match="expected lines such as"):
        characters.load(tmp_path / "hero.glb")
