"""What is in the files we write, and what is refused."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinegraph import Motion, Skeleton, __version__, concatenate, load, samples
from kinegraph.errors import FormatError
from kinegraph.formats import gltf
from kinegraph.formats.gltf.sticks import sticks
from kinegraph.graph.model import LabelSpan
from kinegraph.mannequin.body import mannequin
from kinegraph.motion import kinematics, rotation
from tests.formats.gltf.handmade import taken


class File:
    """A GLB, its arrays read in the plainest way."""

    def __init__(self, path: Path):
        self.tree, self.blob = taken(path.read_bytes())

    def array(self, index: int) -> np.ndarray:
        accessor = self.tree["accessors"][index]
        begin = self.tree["bufferViews"][accessor["bufferView"]]["byteOffset"] + accessor["byteOffset"]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        dtype = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
        return np.frombuffer(self.blob, dtype, accessor["count"] * width, begin).reshape(-1, width)

    def tracks(self, animation: int = 0) -> dict[tuple[int, str], tuple[np.ndarray, np.ndarray]]:
        made = self.tree["animations"][animation]
        return {
            (channel["target"]["node"], channel["target"]["path"]): (
                self.array(made["samplers"][channel["sampler"]]["input"])[:, 0],
                self.array(made["samplers"][channel["sampler"]]["output"]),
            )
            for channel in made["channels"]
        }

    def skinned(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
        """Positions, joints, weights and indices of each primitive."""
        return [
            (
                *(self.array(part["attributes"][name]) for name in ("POSITION", "JOINTS_0", "WEIGHTS_0")),
                self.array(part["indices"])[:, 0],
            )
            for part in self.tree["meshes"][0]["primitives"]
        ]


@pytest.fixture
def walk() -> Motion:
    return samples.make("walk").motion


def test_tracks_are_the_motion(tmp_path: Path, walk: Motion) -> None:
    gltf.write(walk, tmp_path / "x.glb")
    file = File(tmp_path / "x.glb")
    tracks = file.tracks()
    assert set(tracks) == {(0, "translation"), *((joint, "rotation") for joint in range(len(walk.skeleton)))}
    times, root = tracks[0, "translation"]
    np.testing.assert_array_equal(times, (np.arange(len(walk)) / 60.0).astype(np.float32))
    np.testing.assert_array_equal(root, walk.root.astype(np.float32))
    for joint in range(len(walk.skeleton)):
        times, turns = tracks[joint, "rotation"]
        told = np.roll(walk.rotations[:, joint], -1, axis=-1).astype(np.float32)
        np.testing.assert_array_equal(turns, told[[0, -1]] if len(times) == 2 else told)
    (animation,) = file.tree["animations"]
    assert {sampler["interpolation"] for sampler in animation["samplers"]} == {"LINEAR"}


def test_a_joint_that_never_turns_has_two_keys(tmp_path: Path, walk: Motion) -> None:
    rotations = walk.rotations.copy()
    rotations[:, 4] = rotations[7, 4]
    gltf.write(replace(walk, rotations=rotations), tmp_path / "x.glb")
    times, turns = File(tmp_path / "x.glb").tracks()[4, "rotation"]
    np.testing.assert_array_equal(times, np.float32([0, (len(walk) - 1) / 60]))
    np.testing.assert_array_equal(turns, np.roll(rotations[[7, 7], 4], -1, axis=-1).astype(np.float32))


def test_bones_that_stretch_have_tracks_of_their_own(tmp_path: Path, walk: Motion) -> None:
    translations = np.tile(walk.skeleton.offsets, (len(walk), 1, 1))
    translations[:, 5] *= np.linspace(1, 1.2, len(walk))[:, None]
    translations[:, 6] *= 1.1
    gltf.write(replace(walk, translations=translations), tmp_path / "x.glb")
    moved = {joint: len(keys[0]) for (joint, path), keys in File(tmp_path / "x.glb").tracks().items() if path[0] == "t"}
    assert moved == {0: len(walk), 5: len(walk), 6: 2}


@pytest.mark.parametrize("mesh", [True, False])
def test_the_mesh_follows_the_joints(tmp_path: Path, walk: Motion, mesh: bool) -> None:
    """Skinned by the file's own matrices and frame 100's pose, the mesh lies as it does by hand."""
    gltf.write(walk, tmp_path / "x.glb", mesh=mesh)
    file = File(tmp_path / "x.glb")
    inverse = file.array(file.tree["skins"][0]["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    world = np.tile(np.eye(4), (len(walk.skeleton), 1, 1))
    world[:, :3, :3] = rotation.to_matrix(walk.orientations[100])
    world[:, :3, 3] = walk.positions[100]
    body = mannequin(walk.skeleton, walk) if mesh else sticks(walk.skeleton)
    bound, turned = kinematics.forward(walk.skeleton, walk.skeleton.offsets[0], body.bind)
    corners = 0
    for points, joints, weights, indices in file.skinned():
        assert np.abs(weights.astype(np.float64).sum(axis=1) - 1).max() < 1e-6
        assert indices.max() == len(points) - 1
        moved = np.einsum("vk,vkij,vj->vi", weights, (world @ inverse)[joints], np.c_[points, np.ones(len(points))])
        corners += len(indices)
        # each point keeps its distance to a joint that alone holds it
        alone = weights[:, 0] == 1
        far = np.linalg.norm(moved[alone, :3] - walk.positions[100, joints[alone, 0]], axis=-1)
        local = np.einsum("vij,vj->vi", inverse[joints[alone, 0]], np.c_[points, np.ones(len(points))][alone])
        np.testing.assert_allclose(far, np.linalg.norm(local[:, :3], axis=-1), atol=1e-5)
    assert corners == 3 * len(body.faces)
    # by hand: out of the bind pose and into the frame
    into = rotation.rotate(rotation.inverse(turned)[body.joints], body.vertices[:, None] - bound[body.joints])
    by_hand = rotation.rotate(walk.orientations[100][body.joints], into) + walk.positions[100][body.joints]
    by_hand = np.einsum("vk,vki->vi", body.weights, by_hand)
    all_moved = np.concatenate(
        [
            np.einsum("vk,vkij,vj->vi", w, (world @ inverse)[j], np.c_[p, np.ones(len(p))])[i, :3]
            for p, j, w, i in file.skinned()
        ]
    )
    expected = by_hand[body.faces.ravel()]
    for axis in range(3):
        np.testing.assert_allclose(np.sort(all_moved[:, axis]), np.sort(expected[:, axis]), atol=2e-5)


def test_the_body_rests_on_the_floor_where_it_was_bound(tmp_path: Path, walk: Motion) -> None:
    gltf.write(walk, tmp_path / "x.glb")
    file = File(tmp_path / "x.glb")
    heights = np.concatenate([points[:, 1] for points, *_ in file.skinned()])
    assert heights.min() == pytest.approx(0, abs=1e-6)
    assert 1.5 < heights.max() < 2.1
    # nodes stand as the matrices say: the pose at rest is the one the mesh was bound in
    nodes = file.tree["nodes"]
    offsets = np.array([node["translation"] for node in nodes[:-1]])
    bind = np.roll([node["rotation"] for node in nodes[:-1]], 1, axis=-1)
    positions, _ = kinematics.forward(replace(walk.skeleton, offsets=offsets), offsets[0], bind)
    inverse = file.array(file.tree["skins"][0]["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    np.testing.assert_allclose(np.linalg.inv(inverse)[:, :3, 3], positions, atol=1e-6)


def test_in_place(tmp_path: Path, walk: Motion) -> None:
    gltf.write(walk, tmp_path / "x.glb", in_place=True)
    (back,) = gltf.read_all(tmp_path / "x.glb")
    np.testing.assert_allclose(back.root[:, 1], walk.root[:, 1], atol=1e-6)
    np.testing.assert_allclose(back.root[:, [0, 2]], np.tile(walk.root[0, [0, 2]], (len(walk), 1)), atol=1e-6)
    assert np.ptp(walk.root[:, 2]) > 1


def test_extras(tmp_path: Path, walk: Motion) -> None:
    held = np.zeros((len(walk), 4), bool)
    held[3:9, 0] = held[20:, 3] = held[:2, 3] = True
    noted = walk.noting("units guessed")
    gltf.write(noted, tmp_path / "x.glb", contacts=held, labels=[LabelSpan("walk", 0, 40), LabelSpan("turn", 30, 50)])
    tree = File(tmp_path / "x.glb").tree
    assert tree["animations"][0]["extras"] == {
        "fps": 60.0,
        "frames": len(walk),
        "contacts": {"left_heel": [[3, 9]], "left_ball": [], "right_heel": [], "right_ball": [[0, 2], [20, len(walk)]]},
        "labels": [{"label": "walk", "first": 0, "last": 40}, {"label": "turn", "first": 30, "last": 50}],
        "provenance": {"name": "walk", "notices": ["units guessed"], "made_by": f"kinegraph {__version__}"},
    }
    assert tree["asset"] == {"version": "2.0", "generator": f"kinegraph {__version__}"}
    with pytest.raises(FormatError, match="contacts must be"):
        gltf.write(walk, tmp_path / "y.glb", contacts=held[:-1])
    assert not (tmp_path / "y.glb").exists()


def test_names_of_clips(tmp_path: Path, walk: Motion) -> None:
    few = walk[:3]
    given = ["a", "a", "", "a_2", "", "a"]
    gltf.write_all([few.renamed(name) for name in given], tmp_path / "x.glb")
    names = [animation["name"] for animation in File(tmp_path / "x.glb").tree["animations"]]
    assert names == ["a", "a_3", "motion", "a_2", "motion_2", "a_4"]
    gltf.write(few.renamed(""), tmp_path / "my clip.glb")
    assert File(tmp_path / "my clip.glb").tree["animations"][0]["name"] == "my clip"


def test_views_are_aligned_and_have_targets(tmp_path: Path, walk: Motion) -> None:
    gltf.write(walk, tmp_path / "x.glb")
    tree = File(tmp_path / "x.glb").tree
    targets = {view.get("target") for view in tree["bufferViews"]}
    assert targets == {None, 34962, 34963}
    assert all(view["byteOffset"] % 4 == 0 for view in tree["bufferViews"])
    assert all(accessor["byteOffset"] % 4 == 0 for accessor in tree["accessors"])
    for part in tree["meshes"][0]["primitives"]:
        assert len(tree["accessors"][part["attributes"]["POSITION"]]["min"]) == 3
    used = {part["material"] for part in tree["meshes"][0]["primitives"]}
    assert used == set(range(len(tree["materials"])))


@pytest.mark.parametrize(
    ("options", "what"),
    [({"units": "cm"}, "glTF is in metres"), ({"units": 0.01}, "glTF is in metres"), ({"up": "z"}, "glTF has Y up")],
)
def test_other_units_and_axes_are_refused(tmp_path: Path, walk: Motion, options: dict[str, Any], what: str) -> None:
    with pytest.raises(FormatError, match=what):
        gltf.write(walk, tmp_path / "x.glb", **options)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_one_file_is_refused(tmp_path: Path, walk: Motion) -> None:
    path = tmp_path / "x.glb"
    path.write_text("old")
    other = replace(walk, skeleton=walk.skeleton.scaled(1.1), name="giant")
    with pytest.raises(FormatError, match=r"giant has another skeleton than walk"):
        gltf.write_all([walk, other], path)
    with pytest.raises(FormatError, match="no motion"):
        gltf.write_all([], path)
    with pytest.raises(FormatError, match="2 motions need as many"):
        gltf.write_all([walk, walk], path, contacts=[None])
    with pytest.raises(FormatError, match="no folder"):
        gltf.write(walk, tmp_path / "absent" / "x.glb")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["x.glb"]


@pytest.mark.parametrize("joints", [1, 255, 300])
def test_skeletons_of_any_size(tmp_path: Path, joints: int) -> None:
    body = Skeleton(tuple(f"j{k}" for k in range(joints)), np.arange(joints) - 1, np.tile([0, 0.01, 0], (joints, 1)))
    motion = Motion(body, np.zeros((2, 3)), np.tile([1.0, 0, 0, 0], (2, joints, 1)), 30.0)
    gltf.write(motion, tmp_path / "x.glb", mesh=False)
    held = [joints for _, joints, *_ in File(tmp_path / "x.glb").skinned()]
    assert held[0].dtype == (np.uint8 if joints < 256 else np.uint16)
    assert held[0].max() == max(joints - 2, 0)


def test_sticks_point_outwards() -> None:
    walk = samples.make("walk").motion
    mesh = sticks(walk.skeleton)
    corners = mesh.vertices[mesh.faces]
    facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    bones = corners.reshape(-1, 24, 3)
    outwards = corners.mean(axis=1) - bones.mean(axis=1).repeat(8, axis=0)
    assert np.all(np.einsum("ti,ti->t", facing, outwards) > 0)
    assert np.all(np.einsum("ti,ti->t", facing, mesh.normals[mesh.faces[:, 0]]) > 0)


def test_the_same_motion_gives_the_same_bytes(tmp_path: Path, walk: Motion) -> None:
    for name in ("a.glb", "b.glb"):
        gltf.write(walk, tmp_path / name)
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


def test_size_and_speed_of_a_minute(cmu: Path, tmp_path: Path) -> None:
    path = cmu / "acclaim" / "16" / "16_15.amc"
    if not path.exists():
        pytest.skip(f"no {path}")
    clip = load(path).resample(30)
    minute = concatenate([clip] * (1800 // len(clip) + 1))[:1800]
    gltf.write(minute, tmp_path / "x.glb")
    started = time.perf_counter()
    gltf.write(minute, tmp_path / "x.glb")
    assert time.perf_counter() - started < 0.5
    assert (tmp_path / "x.glb").stat().st_size < 1.5e6
