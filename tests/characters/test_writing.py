"""The file that comes out: everything that was in the character's own, byte for byte, and one more animation, which any reader plays."""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import characters
from kinegraph.errors import FormatError
from kinegraph.formats import gltf
from kinegraph.motion import rotation
from tests.characters import rigs
from tests.characters.viewer import Viewer
from tests.cli.inprocess import call
from tests.formats.gltf.test_validator import modules_with, validated

WALK = kg.samples.make("walk").motion
KEPT = ("asset", "scene", "scenes", "skins", "meshes", "materials", "extensions", "extensionsUsed")


def test_all_that_was_there_is_there(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.vrm", vrm=1, names="VRoid", twists=True)
    characters.save(WALK, made.path, tmp_path / "out.vrm")
    before, after = Viewer(made.path), Viewer(tmp_path / "out.vrm")
    for part in KEPT:
        assert after.tree[part] == before.tree[part]
    assert after.tree["nodes"] == before.tree["nodes"]
    for part in ("bufferViews", "accessors"):
        assert after.tree[part][: len(before.tree[part])] == before.tree[part]
    assert after.blob.startswith(before.blob[: before.tree["buffers"][0]["byteLength"]])
    assert [animation["name"] for animation in after.tree["animations"]] == ["walk"]


def test_animations_pile_up(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    characters.save(WALK, made.path, tmp_path / "one.glb")
    characters.save_all([WALK, kg.samples.make("run").motion], tmp_path / "one.glb", tmp_path / "two.glb")
    names = [animation["name"] for animation in Viewer(tmp_path / "two.glb").tree["animations"]]
    assert names == ["walk", "walk_2", "run"]
    one, two = Viewer(tmp_path / "one.glb"), Viewer(tmp_path / "two.glb")
    assert two.blob.startswith(one.blob[: one.tree["buffers"][0]["byteLength"]])


@pytest.mark.parametrize(
    "rig", [{}, {"up": "z", "unit": 0.01, "facing": 70, "root": True, "posed": True}], ids=["plain", "odd"]
)
def test_round_trip(rig: dict[str, object], tmp_path: Path) -> None:
    """What we read of the file is where the character's joints were put."""
    made = rigs.make(tmp_path / "hero.glb", **rig)  # type: ignore[arg-type]
    moved = characters.put(WALK, characters.load(made.path))
    characters.write(moved, tmp_path / "out.glb")
    (back,) = gltf.read_all(tmp_path / "out.glb")
    assert (len(back), back.fps, back.name) == (len(WALK), WALK.fps, "walk")
    names = list(moved.character.skeleton.names)
    for joint, name in enumerate(back.skeleton.names):
        assert np.abs(back.positions[:, joint] - moved.positions[:, names.index(name)]).max() < 1e-4


def test_the_validator_has_nothing_to_say(tmp_path: Path) -> None:
    modules_with("gltf-validator")
    files = []
    for number, rig in enumerate(({"unit": 0.01}, {"up": "z", "twists": True, "root": True})):
        made = rigs.make(tmp_path / f"{number}.glb", **rig)  # type: ignore[arg-type]
        characters.save(WALK, made.path, tmp_path / f"out{number}.glb")
        files.append(tmp_path / f"out{number}.glb")
    validated(*files)


def test_joints_that_stand_by_a_matrix_are_moved_too(tmp_path: Path) -> None:
    """glTF allows no animation of a node with a matrix; the viewer refuses it as well."""
    made = rigs.make(tmp_path / "hero.glb")
    plain = characters.put(WALK, characters.load(made.path))
    for node in made.tree["nodes"][: len(made.tree["skins"][0]["joints"])]:
        turn = np.roll(node.pop("rotation"), 1)
        matrix = np.eye(4)
        matrix[:3, :3] = kg.motion.rotation.to_matrix(turn)
        matrix[:3, 3] = node.pop("translation")
        node["matrix"] = matrix.T.ravel().tolist()
    made.save()
    characters.save(WALK, made.path, tmp_path / "out.glb")
    viewer = Viewer(tmp_path / "out.glb")
    worlds = viewer.moved("walk")[1]
    for joint in range(len(plain.character.skeleton)):
        assert np.abs(worlds[joint][:, :3, 3] - plain.positions[:, joint]).max() < 1e-4


def test_a_gltf_with_files_beside_it_becomes_one_file(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    picture = bytes(range(200))
    (tmp_path / "skin.png").write_bytes(picture)
    (tmp_path / "hero.bin").write_bytes(made.blob)
    tree = made.tree | {"buffers": [{"byteLength": len(made.blob), "uri": "hero.bin"}], "images": [{"uri": "skin.png"}]}
    (tmp_path / "hero.gltf").write_text(json.dumps(tree))
    characters.save(WALK, tmp_path / "hero.gltf", tmp_path / "out.glb")
    out = Viewer(tmp_path / "out.glb")
    assert out.blob.startswith(made.blob)
    (image,) = out.tree["images"]
    view = out.tree["bufferViews"][image["bufferView"]]
    assert out.blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] == picture
    characters.save(WALK, tmp_path / "hero.gltf", tmp_path / "text.gltf")
    text = json.loads((tmp_path / "text.gltf").read_text())
    assert base64.b64decode(text["buffers"][0]["uri"].partition(",")[2]).startswith(made.blob)


def test_in_place_and_at_another_rate(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb", root=True)
    characters.save(WALK, made.path, tmp_path / "out.glb", in_place=True, fps=30)
    viewer = Viewer(tmp_path / "out.glb")
    times, worlds = viewer.moved("walk")
    hips = worlds[[node.get("name") for node in viewer.tree["nodes"]].index(made.roles["hips"])][:, :3, 3]
    assert np.diff(times) == pytest.approx(1 / 30, abs=1e-6)
    assert np.abs(hips[:, [0, 2]] - hips[0, [0, 2]]).max() < 1e-5
    assert np.ptp(hips[:, 1]) > 0.01


def test_it_is_not_written_over_itself_nor_to_other_formats(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    with pytest.raises(FormatError, match="this is the character itself"):
        characters.save(WALK, made.path, made.path)
    with pytest.raises(FormatError, match=r"a character is written to \.glb, \.gltf, \.vrm"):
        characters.save(WALK, made.path, tmp_path / "out.bvh")


# -- the ways to ask for it -------------------------------------------------------------------------------------------


def test_convert(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    kg.save(WALK, tmp_path / "walk.npz")
    done = call("convert", "walk.npz", "--character", "hero.glb", "-o", "out.glb", "--json", folder=tmp_path)
    assert json.loads(done.out)["joints"] == len(made.tree["skins"][0]["joints"])
    characters.save(kg.load(tmp_path / "walk.npz"), made.path, tmp_path / "same.glb")
    assert (tmp_path / "out.glb").read_bytes() == (tmp_path / "same.glb").read_bytes()


def test_convert_a_folder(tmp_path: Path) -> None:
    rigs.make(tmp_path / "hero.glb")
    (tmp_path / "clips").mkdir()
    for name in ("run", "walk"):
        kg.save(kg.samples.make(name).motion, tmp_path / "clips" / f"{name}.npz")
    call("convert", "clips", "all.glb", "--character", "hero.glb", folder=tmp_path)
    assert [one["name"] for one in Viewer(tmp_path / "all.glb").tree["animations"]] == ["run", "walk"]
    call("convert", "clips", "each", "--to", "glb", "--character", "hero.glb", folder=tmp_path)
    assert [one["name"] for one in Viewer(tmp_path / "each" / "run.glb").tree["animations"]] == ["run"]


def test_what_was_made_is_saved_on_a_character(tmp_path: Path) -> None:
    made = rigs.make(tmp_path / "hero.glb")
    bent = kg.repath(WALK, "circle:2", cycle=True)
    bent.save(tmp_path / "round.glb", character=made.path)
    kg.save(WALK, tmp_path / "walk.npz")
    call("repath", "walk.npz", "circle:2", "--cycle", "-o", "told.glb", "--character", "hero.glb", folder=tmp_path)
    one, two = Viewer(tmp_path / "round.glb"), Viewer(tmp_path / "told.glb")
    assert (one.tree["animations"][0]["name"], two.tree["animations"][0]["name"]) == ("round", "told")
    assert len(one.blob) == len(two.blob)


@pytest.mark.parametrize(
    "command", ["walk", "follow", "direct", "repath", "live", "clean", "convert", "space reach", "space join"]
)
def test_every_command_that_writes_motion_takes_a_character(command: str, tmp_path: Path) -> None:
    assert "--character" in call(*command.split(), "--help", folder=tmp_path).out


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    rigs.make(tmp_path / "hero.glb")
    kg.save(WALK, tmp_path / "walk.npz")
    for words, told in (
        (("convert", "walk.npz", "o.glb", "--role", "left_foot=x"), "say --character too"),
        (
            ("convert", "walk.npz", "o.glb", "--character", "hero.glb", "--role", "left_foot"),
            "expected a role and a node",
        ),
        (("convert", "walk.npz", "o.glb", "--character", "hero.glb", "--onto", "walk.npz"), "say one of them"),
        (("convert", "walk.npz", "o.glb", "--character", "hero.glb", "--no-mesh"), "--no-mesh is not for a character"),
        (("convert", "walk.npz", "o.bvh", "--character", "hero.glb"), "a character is written to .glb"),
        (("convert", "walk.npz", "o.glb", "-o", "o.glb"), "say once where to write"),
        (("convert", "walk.npz", "o.glb", "--character", "walk.npz"), "a character is read from .glb"),
        (("repath", "walk.npz", "line:4", "--character", "hero.glb"), "say -o too"),
        (("repath", "walk.npz", "line:4", "-o", "o.glb", "--character", "nobody.glb"), "there is no such character"),
    ):
        done = call(*words, folder=tmp_path)
        assert done.code == 2, words
        assert told in done.err, done.err


def test_the_command_that_shows_roles(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    made = rigs.make(tmp_path / "hero.glb", names="Unreal")
    done = call("character", "hero.glb", "--plot", "roles.png", "--json", "--role", "left_hand=hand_l", folder=tmp_path)
    told = json.loads(done.out)
    assert {role: one["node"] for role, one in told["roles"].items()} == made.roles
    assert told["roles"]["left_wrist"]["how"] == "by hand"
    assert (tmp_path / "roles.png").read_bytes().startswith(b"\x89PNG")
    assert "left_knee" in call("character", "hero.glb", folder=tmp_path).out


def test_root_motion_is_on_the_joint_above_the_hips_and_the_body_where_it_was(tmp_path: Path) -> None:
    walk = kg.repath(kg.samples.make("walk").motion, "circle:2", end="stop", cycle=True).motion
    hero = characters.load(rigs.make(tmp_path / "hero.glb", root=True, up="z", unit=0.01).save())
    plain = characters.put(walk, hero)
    led = plain.on_root()
    hips = hero.roles.joints["hips"]
    assert np.abs(led.positions[:, 0, [0, 2]] - plain.positions[:, hips][:, [0, 2]]).max() < 1e-9
    assert np.ptp(led.positions[:, 0, 1]) == 0
    # half of the circle later it faces the other way
    turned = np.degrees(rotation.angle_between(led.orientations[0, 0], led.orientations[:, 0]))
    assert turned.max() > 170.0
    characters.write(led, tmp_path / "led.glb")
    back = kg.load(tmp_path / "led.glb", units="m")
    for joint, name in enumerate(hero.skeleton.names[1:], start=1):
        assert np.abs(back.positions[:, back.skeleton.names.index(name)] - plain.positions[:, joint]).max() < 1e-4
    with pytest.raises(FormatError, match="no joint above its hips"):
        characters.save(walk, rigs.make(tmp_path / "own.glb").save(), tmp_path / "out.glb", root_motion="root")


def test_events_are_in_the_file_and_beside_it(tmp_path: Path) -> None:
    hero = rigs.make(tmp_path / "hero.glb").save()
    walk = kg.samples.make("walk").motion
    characters.save(walk, hero, tmp_path / "out.glb", fps=30, marks={60: "hit"}, events=tmp_path / "events.json")
    told = json.loads((tmp_path / "events.json").read_text())
    assert told["events"] == Viewer(tmp_path / "out.glb").tree["animations"][-1]["extras"]["events"]
    steps = [event["name"] for event in told["events"] if event["name"] != "hit"]
    # left and right in turn, and none for feet that stand when it begins
    assert len(steps) >= 5
    assert all(one != other for one, other in pairwise(steps))
    assert {"name": "hit", "frame": 30, "time": 1.0} in told["events"]
