"""Several people on several characters, in one file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph import characters
from kinegraph.characters.together import write_together
from kinegraph.errors import FormatError
from kinegraph.motion.floor import FloorTransform
from tests.characters import rigs
from tests.characters.viewer import Viewer
from tests.formats.gltf.test_validator import modules_with, validated


def test_people_share_meshes_and_stand_where_they_were_made_for(tmp_path: Path) -> None:
    walk = kg.samples.make("walk").motion.resample(30)
    small = characters.load(rigs.make(tmp_path / "small.glb", size=0.6, up="z", unit=0.01).save())
    plain = characters.load(rigs.make(tmp_path / "plain.glb", names="Unreal", root=True).save())
    left, right = (FloorTransform(0.0, x, 0.0) for x in (2.0, -2.0))
    people = [walk.renamed("ada"), walk[:80].place(left).renamed("ben"), walk.place(right).renamed("cay")]
    told = write_together(people, [small, plain], tmp_path / "all.glb")
    assert told == ()
    viewer = Viewer(tmp_path / "all.glb")
    tree = viewer.tree
    assert len(tree["meshes"]) == sum(len(Viewer(one.path).tree["meshes"]) for one in (small, plain))
    named = {node.get("name"): number for number, node in enumerate(tree["nodes"])}
    assert {"ada", "ben", "cay"} <= named.keys()
    assert len(tree["skins"]) == 3
    worlds = viewer.moved("all")[1]
    for motion, hero in zip(people, (small, plain, small), strict=True):
        top = named[motion.name]
        hips = worlds[top + 1 + hero.bones.nodes[hero.roles.joints["hips"]]][: len(motion) - 1, :3, 3]
        assert np.abs(hips[:, [0, 2]] - motion.position("hips")[: len(motion) - 1, [0, 2]]).max() < 0.05
        ankle = hero.roles.joints["left_ankle"]
        nodes = [top + 1 + hero.bones.nodes[one] for one in (ankle, *hero.skeleton.below(ankle))]
        assert abs(viewer.vertices(worlds, nodes)[: len(motion) - 1, :, 1].min()) < 0.003
    # who has gone is not seen
    gone = named["ben"] + 1 + plain.bones.nodes[plain.roles.joints["head"]]
    assert np.abs(worlds[gone][-1, :3, :3]).max() < 1e-6


def test_a_file_of_several_people_is_valid(tmp_path: Path) -> None:
    modules_with("gltf-validator")
    heroes = [characters.load(rigs.make(tmp_path / f"{name}.glb", up="z", unit=0.01).save()) for name in "ab"]
    walk = kg.samples.make("walk").motion[:30]
    write_together([walk[: 20 + 5 * number] for number in range(3)], heroes, tmp_path / "all.glb")
    validated(tmp_path / "all.glb")


def test_what_does_not_hold_characters_is_refused(tmp_path: Path) -> None:
    hero = characters.load(rigs.make(tmp_path / "hero.glb").save())
    with pytest.raises(FormatError, match=r"people on characters are written to \.glb or \.gltf"):
        write_together([kg.samples.make("walk").motion], [hero], tmp_path / "out.usda")
