"""A character that follows somebody pose by pose: near to what the whole motion gives it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph import characters
from kinegraph.arrays import Array
from kinegraph.characters.fitting import BodyFit, fit
from kinegraph.motion import Motion, rotation
from tests.characters import rigs


def followed(found: BodyFit, motion: Motion) -> Array:
    """Where the character's joints are: what `HeroFit` of the page does with every pose."""
    hero = found.character
    parents, offsets = hero.bones.parents, hero.skeleton.offsets
    places = np.zeros((len(motion), len(parents), 3))
    world = np.zeros((len(motion), len(parents), 4))
    axes = hero.bones.over[:3, :3] / np.cbrt(np.linalg.det(hero.bones.over[:3, :3]))
    for joint, lead in enumerate(found.leads):
        parent = parents[joint]
        above = rotation.from_matrix(axes) if parent < 0 else world[:, parent]
        first = above if lead < 0 else motion.orientations[:, lead]
        world[:, joint] = rotation.multiply(first, np.broadcast_to(found.turns[joint], (len(motion), 4)))
        if joint in found.tied:
            places[:, joint] = motion.positions[:, lead] / found.size + found.ties[found.tied.index(joint)]
        elif parent >= 0:
            turned = rotation.multiply(world[:, parent], rotation.inverse(hero.turns[parent]))
            places[:, joint] = places[:, parent] + rotation.rotate(turned, np.tile(offsets[joint], (len(motion), 1)))
        else:
            places[:, joint] = offsets[joint]
    return places


def test_poses_as_they_come_are_near_to_those_of_the_whole_motion(tmp_path: Path) -> None:
    walk, run = (kg.samples.make(name).motion for name in ("walk", "run"))
    hero = characters.load(
        rigs.make(tmp_path / "hero.glb", up="z", unit=0.01, size=0.7, lowered=45.0, twists=True, root=True).save()
    )
    found = fit(walk, hero)
    # learnt from a walk, shown in a run
    exact = characters.put(run, hero).positions
    apart = np.linalg.norm(followed(found, run) - exact, axis=-1)[:, list(hero.roles.joints.values())]
    assert np.quantile(apart, 0.95) < 0.03
    assert apart.max() < 0.08
