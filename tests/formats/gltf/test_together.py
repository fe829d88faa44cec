"""Many people in one glTF file: read back, judged by the validator and played by three.js."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinegraph import Motion, load, samples
from kinegraph.errors import FormatError
from kinegraph.formats import gltf
from kinegraph.motion import rotation
from tests.formats.gltf.test_validator import modules_with, played, validated

RED, GREEN = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def people(count: int, frames: int = 40) -> list[Motion]:
    """Walkers side by side, every third one a head taller."""
    walk = samples.make("walk").motion
    found = []
    for number in range(count):
        part = walk[number : number + frames]
        size = 1.15 if number % 3 == 2 else 1.0
        placed = replace(part, skeleton=part.skeleton.scaled(size), root=size * part.root + [1.0 * number, 0.0, 0.0])
        found.append(placed.renamed(f"person {number + 1}"))
    return found


def tree(path: Path) -> Any:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])


def test_each_is_read_back_as_they_were(tmp_path: Path) -> None:
    motions = people(4)
    gltf.write_together(motions, tmp_path / "crowd.glb")
    for motion in motions:
        back = load(tmp_path / "crowd.glb", skin=motion.name)
        assert np.abs(back.root - motion.root).max() < 1e-5
        assert back.skeleton.names == motion.skeleton.names
        assert np.abs(back.positions - motion.positions).max() < 5e-4
        assert np.degrees(rotation.angle_between(back.rotations, motion.rotations)).max() < 0.01


def test_bodies_alike_share_mesh_and_bind_pose(tmp_path: Path) -> None:
    gltf.write_together(people(9), tmp_path / "crowd.glb", colours=[RED, GREEN, RED] * 3)
    found = tree(tmp_path / "crowd.glb")
    assert len(found["skins"]) == 9
    assert len({skin["inverseBindMatrices"] for skin in found["skins"]}) == 2, "two statures"
    assert len(found["meshes"]) == 3, "small red, small green, tall red"
    places = {primitive["attributes"]["POSITION"] for mesh in found["meshes"] for primitive in mesh["primitives"]}
    assert len(places) == 2 * len(found["meshes"][0]["primitives"])
    assert len({skin["name"] for skin in found["skins"]}) == 9
    assert len(found["animations"]) == 1


def test_one_more_person_costs_their_keys_only(tmp_path: Path) -> None:
    motions = people(1, 120) * 2
    for count in (1, 2):
        gltf.write_together(motions[:count], tmp_path / f"{count}.glb")
    one, two = ((tmp_path / f"{count}.glb").stat().st_size for count in (1, 2))
    frames, joints = len(motions[0]), len(motions[0].skeleton)
    assert two - one < frames * (joints * 8 + 12) + 400 * joints


def test_the_validator_has_nothing_to_say(tmp_path: Path) -> None:
    modules_with("gltf-validator")
    gltf.write_together(people(5), tmp_path / "crowd.glb", colours=[RED] * 5)
    gltf.write_together(people(2), tmp_path / "bones.gltf", mesh=False)
    validated(tmp_path / "crowd.glb", tmp_path / "bones.gltf")


def test_three_plays_all_of_them(tmp_path: Path) -> None:
    modules_with("three")
    motions = people(3)
    gltf.write_together(motions, tmp_path / "crowd.glb")
    frames = np.array([0, 13, 39])
    shown = played(tmp_path / "crowd.glb", frames)
    positions = np.array([frame["positions"] for frame in shown["frames"]])
    expected = np.concatenate([motion.positions[frames] for motion in motions], axis=1)
    assert np.abs(positions - expected).max() < 1e-3


def test_people_of_different_lengths_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    first, second = people(2)
    with pytest.raises(FormatError, match=r"person 2 has 20 frames at 60/s, person 1 40 .*cut or resample"):
        gltf.write_together([first, second[:20]], tmp_path / "crowd.glb")
    with pytest.raises(FormatError, match="nobody to write"):
        gltf.write_together([], tmp_path / "crowd.glb")
    assert not list(tmp_path.iterdir())


def test_people_are_taken_one_at_a_time(tmp_path: Path) -> None:
    """An iterator will do, so that many people need never be held at once."""

    def one_by_one() -> Iterator[Motion]:
        yield from people(3)

    gltf.write_together(one_by_one(), tmp_path / "crowd.glb")
    assert len(tree(tmp_path / "crowd.glb")["skins"]) == 3


def test_people_come_and_go(tmp_path: Path) -> None:
    """Who begins later stands at their first place, without size, until then; and so after their last frame."""
    first, second, third = (motion[:30] for motion in people(3))
    gltf.write_together([first, second[:20], third], tmp_path / "crowd.glb", starts=[0, 15, 30])
    found = tree(tmp_path / "crowd.glb")
    (animation,) = found["animations"]
    scaled = {channel["target"]["node"] for channel in animation["channels"] if channel["target"]["path"] == "scale"}
    assert scaled == {skin["joints"][0] for skin in found["skins"]}
    ends = [found["accessors"][sampler["input"]]["max"][0] for sampler in animation["samplers"]]
    assert max(ends) == pytest.approx(59 / first.fps)
    modules_with("gltf-validator")
    validated(tmp_path / "crowd.glb")
    shown = played(tmp_path / "crowd.glb", np.array([10, 20, 40]))
    positions = np.array([frame["positions"] for frame in shown["frames"]])
    joints = len(first.skeleton)
    assert np.abs(positions[0, :joints] - first.positions[10]).max() < 1e-3
    assert np.ptp(positions[0, joints : 2 * joints], axis=0).max() < 1e-6, "not there yet"
    assert np.abs(positions[1, joints : 2 * joints] - second.positions[5]).max() < 1e-3
    assert np.ptp(positions[2, :joints], axis=0).max() < 1e-6, "gone"
    assert np.abs(positions[2, 2 * joints :] - third.positions[10]).max() < 1e-3
