"""Files that are no character: what was found, what is missing, and how to name it by hand."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from typing import Any

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
        FormatError,
        match=r"there is no skin in it, only \d+ nodes and 1 mesh: it has no armature.*With Automatic Weights",
    ):
        characters.load(made.save())


def test_a_figure_of_parts(tmp_path: Path) -> None:
    """Boxes that hang on one another, as figures are made without a skin."""
    made = rigs.make(tmp_path / "boxes.glb")
    del made.tree["skins"], made.tree["nodes"][-2]["skin"]
    made.tree["meshes"] *= 5
    for part in range(5):
        made.tree["nodes"][part]["mesh"] = part
    with pytest.raises(FormatError, match=r"and 5 meshes: its parts move by themselves.*join the parts \(Ctrl J\)"):
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


def test_legs_that_end_at_the_knee(tmp_path: Path) -> None:
    """What is missing is no name: there is no joint that could be called so."""
    made = rigs.make(tmp_path / "hero.glb", names="Unreal")
    calves = {made.node(f"{part}_{side}"): made.node(f"calf_{side}") for side in "lr" for part in ("foot", "ball")}
    for calf in set(calves.values()):
        made.tree["scenes"][0]["nodes"] += made.tree["nodes"][calf].pop("children")
    _rebound(made, [joint for joint in made.tree["skins"][0]["joints"] if joint not in calves], calves)
    with pytest.raises(RoleError, match=r"no joint hangs below calf_l and calf_r: a leg needs one at its ankle"):
        characters.load(made.save())


def _rebound(made: rigs.Made, kept: list[int], instead: dict[int, int]) -> None:
    """Bind a rig to some of its joints; the skin of others follows those that are named ``instead``."""
    skin = made.tree["skins"][0]
    attributes = made.tree["meshes"][0]["primitives"][0]["attributes"]
    inverse = made.numbers(skin["inverseBindMatrices"], "<f4")
    at = [skin["joints"].index(joint) for joint in kept]
    where = np.array([kept.index(instead.get(joint, joint)) for joint in skin["joints"]])
    held = where[made.numbers(attributes["JOINTS_0"], "<u2").astype(int)]
    attributes["JOINTS_0"] = made.array(held.astype("<u2"), "VEC4", 5123)
    skin |= {"joints": kept, "inverseBindMatrices": made.array(inverse[at], "MAT4", 5126)}


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


def test_what_is_said_of_a_character_bears_its_name(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    for key in ("JOINTS_0", "WEIGHTS_0"):
        del made.tree["meshes"][0]["primitives"][0]["attributes"][key]
    made.save()
    done = call("convert", "walk.npz", "o.glb", "--character", "hero.glb", folder=_with_walk(tmp_path))
    assert done.code == 0
    assert "hero.glb: a part of the mesh has no weights" in " ".join(done.err.split())
    assert "walk.npz: a part of the mesh" not in " ".join(done.err.split())


def test_a_compressed_mesh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "DracoPy", None)  # as where it is not installed
    made = rigs.make(tmp_path / "hero.glb")
    made.tree["meshes"][0]["primitives"][0]["extensions"] = {
        "KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}
    }
    hero = characters.load(made.save())
    (told,) = hero.notices
    assert "packed by KHR_draco_mesh_compression, and DracoPy is not installed" in told
    assert "pip install 'kinegraph[draco]'" in told
    assert "soles are guessed" in told
    assert "hands are not kept out" in told
    # what it tells of its size is enough for it to stand on the floor
    moved = characters.put(WALK, hero)
    made.tree["meshes"][0]["primitives"][0].pop("extensions")
    plain = characters.put(WALK, characters.load(made.save()))
    assert np.abs(moved.positions[..., 1] - plain.positions[..., 1]).max() < 0.03


@pytest.fixture
def draco() -> Any:
    return pytest.importorskip("DracoPy", reason="DracoPy is not installed: pip install 'kinegraph[draco]'")


def packed(made: rigs.Made, draco: Any) -> None:
    """Pack the vertices of a rig."""
    primitive = made.tree["meshes"][0]["primitives"][0]
    attributes = primitive["attributes"]
    data = draco.encode(
        made.numbers(attributes["POSITION"], "<f4"),
        made.numbers(primitive["indices"], "<u4").reshape(-1, 3),
        quantization_bits=20,
        preserve_order=True,
        generic_attributes={
            1: made.numbers(attributes["JOINTS_0"], "<u2").astype(np.uint16),
            2: made.numbers(attributes["WEIGHTS_0"], "<f4"),
        },
    )
    made.array(np.frombuffer(data, np.uint8), "SCALAR", 5121)
    view = len(made.tree["bufferViews"]) - 1
    for accessor in (*attributes.values(), primitive["indices"]):
        del made.tree["accessors"][accessor]["bufferView"]
    named = {"JOINTS_0": 1, "WEIGHTS_0": 2, "POSITION": 3}
    primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": view, "attributes": named}}
    made.tree["extensionsUsed"] = made.tree["extensionsRequired"] = ["KHR_draco_mesh_compression"]


def test_a_compressed_mesh_is_read(tmp_path: Path, draco: Any) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    plain = characters.load(made.path)
    packed(made, draco)
    hero = characters.load(made.save(tmp_path / "packed.glb"))
    assert not hero.notices
    assert np.abs(hero.points.places - plain.points.places).max() < 1e-5
    moved, other = characters.put(WALK, hero), characters.put(WALK, plain)
    assert np.abs(moved.positions - other.positions).max() < 1e-3
    # what is written holds the packed mesh as it was
    characters.save(WALK, hero, tmp_path / "out.glb")
    assert Viewer(tmp_path / "out.glb").blob.startswith(made.blob)


def test_a_compressed_mesh_that_is_damaged(tmp_path: Path, draco: Any) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    packed(made, draco)
    accessor = made.tree["accessors"][made.tree["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    accessor["count"] += 1
    with pytest.raises(FormatError, match="its Draco compression is damaged: it holds no POSITION for"):
        characters.load(made.save())
    accessor["count"] -= 1
    made.blob = made.blob[:-200] + bytes(200)
    with pytest.raises(FormatError, match="its Draco compression is damaged"):
        characters.load(made.save())


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


def test_a_vertex_may_name_any_joint_that_it_does_not_follow(tmp_path: Path) -> None:
    """Some tools leave a number there that is no joint's."""
    made = rigs.make(tmp_path / "hero.glb")
    attributes = made.tree["meshes"][0]["primitives"][0]["attributes"]
    joints, weights = made.numbers(attributes["JOINTS_0"], "<u2").copy(), made.numbers(attributes["WEIGHTS_0"], "<f4")
    plain = characters.load(made.path)
    joints[weights == 0] = 60_000
    attributes["JOINTS_0"] = made.array(joints, "VEC4", 5123)
    hero = characters.load(made.save())
    assert np.array_equal(hero.points.places, plain.points.places)


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
