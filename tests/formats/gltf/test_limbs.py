"""Rigs whose feet are targets beside the legs: what is read of them is a body all the same."""

from pathlib import Path

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.formats import gltf
from kinegraph.motion import Motion, rotation

from .handmade import Handmade


def beside(folder: Path, walk: Motion, poles: bool = True) -> Path:
    """A walk as an IK rig has it: ankles, and poles that the knees point at, hang on a joint at the origin, and so do the hips."""
    skeleton = walk.skeleton
    made = Handmade()
    root = made.node(name="Bone")
    moved = {skeleton.joint(f"{side}_ankle") for side in ("left", "right")}
    nodes = {}
    for joint, name in enumerate(skeleton.names):
        nodes[joint] = made.node(
            root if joint == 0 or joint in moved else nodes[int(skeleton.parents[joint])],
            name=name,
            translation=(np.zeros(3) if joint == 0 else skeleton.offsets[joint]).tolist(),
        )
    joints = [root, *nodes.values()]
    if poles:
        joints += [made.node(root, name=f"Pole.{side}", translation=[0.0, 0.5, 1.0]) for side in "LR"]
    made.skin(*joints)
    times = np.arange(len(walk)) / walk.fps
    made.animation("walk")
    for joint, node in nodes.items():
        beside_all = joint == 0 or joint in moved
        turns = walk.orientations[:, joint] if beside_all else walk.rotations[:, joint]
        made.track(node, "rotation", times, np.roll(turns, -1, axis=1))
        if beside_all:
            made.track(node, "translation", times, walk.positions[:, joint])
    return made.save(folder)


@pytest.mark.parametrize("poles", [True, False])
def test_feet_beside_the_legs_are_put_on_them_and_stay_where_they_are(tmp_path: Path, poles: bool) -> None:
    walk = kg.samples.make("walk").motion
    found = gltf.read_all(beside(tmp_path, walk, poles))[0]
    assert found.skeleton.names[0] == walk.skeleton.names[0]
    assert len(found.skeleton) == len(walk.skeleton)
    assert found.translations is None
    for joint, name in enumerate(walk.skeleton.names):
        back = found.skeleton.index(name)
        assert np.abs(found.positions[:, back] - walk.positions[:, joint]).max() < 1e-5
        apart = rotation.angle_between(found.orientations[:, back], walk.orientations[:, joint])
        assert apart.max() < 1e-3
    for side in ("left", "right"):
        assert found.skeleton.joint(f"{side}_ankle") in found.skeleton.below(found.skeleton.joint(f"{side}_knee"))
    assert found.skeleton.leg_length == pytest.approx(walk.skeleton.leg_length, rel=1e-4)
    (note,) = [note for note in found.notices if "beside the limbs" in note]
    assert ("Pole.L, Pole.R" in note) == poles


def test_a_graph_is_built_of_a_clip_whose_feet_are_targets(tmp_path: Path) -> None:
    assert kg.build([kg.load(beside(tmp_path, kg.samples.make("walk").motion))]).clips
