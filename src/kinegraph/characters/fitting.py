"""How a character follows a body joint by joint, for poses that are shown as they come: nothing of them is known before or after.

`put` knows a whole motion, and sets every sole on the ground. What is learnt here from one motion is how each joint of the character lies
to the joint that leads it; a pose then takes no more than that. Feet are off by some centimetres.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array
from kinegraph.characters import core as core_of
from kinegraph.characters import writing
from kinegraph.characters.character import Character
from kinegraph.characters.moving import put
from kinegraph.motion import Motion, rotation
from kinegraph.player import pack

# Seconds of a motion that are learnt from.
_ENOUGH = 10.0


@dataclass(frozen=True, eq=False)
class BodyFit:
    """How the J joints of a character follow those of a body.

    leads: the body's joint that each follows, −1 where it keeps to its own parent. turns: ``(J, 4)``, how it lies to its leader, or to its
    parent. tied: joints that go with their leader's place, and ``ties (T, 3)`` by how far, in the character's metres; size: as for
    `kinegraph.characters.showing.poses`.
    """

    character: Character
    leads: list[int]
    turns: Array
    tied: list[int]
    ties: Array
    size: float


def fit(motion: Motion, character: Character) -> BodyFit:
    """How a character follows the body of a motion."""
    source = motion.rigid()[: max(int(_ENOUGH * motion.fps), 2)]
    moved = put(source, character)
    core, parents = core_of.of(character), character.bones.parents
    size = float(source.skeleton.leg_length / core.skeleton.leg_length)
    known = source.skeleton.roles
    leaders = {joint: known[role] for role, joint in core.joints.items() if role in known}
    leads = [leaders.get(joint, -1) for joint in range(len(parents))]
    world = rotation.multiply(moved.orientations, np.broadcast_to(character.turns, moved.orientations.shape))
    places, local = writing.local(moved)
    turns = np.empty((len(parents), 4))
    for joint, leader in enumerate(leads):
        own = local[:, joint]
        if leader >= 0:
            own = rotation.multiply(rotation.inverse(source.orientations[:, leader]), world[:, joint])
        turns[joint] = _mean(own)
    tied = [joint for joint in writing.moving_joints(character, places) if leads[joint] >= 0]
    ties = [
        np.mean(moved.positions[:, joint] - source.positions[:, leads[joint]] / size, axis=0) * [0.0, 1.0, 0.0]
        for joint in tied
    ]
    return BodyFit(character, leads, turns, tied, np.array(ties).reshape(-1, 3), size)


def _mean(turns: Array) -> Array:
    """The mean of rotations ``(F, 4)`` that are near to one another."""
    signed = turns * np.where(turns @ turns[0] < 0.0, -1.0, 1.0)[:, None]
    mean: Array = rotation.normalize(signed.mean(axis=0))
    return mean


def fit_pack(found: BodyFit) -> bytes:
    """The same for a browser."""
    bones = found.character.bones
    axes = bones.over[:3, :3] / np.cbrt(np.linalg.det(bones.over[:3, :3]))
    facts = {
        "kind": "fit",
        "nodes": list(bones.nodes),
        "parents": [int(parent) for parent in bones.parents],
        "leads": found.leads,
        "tied": found.tied,
        "ties": np.round(found.ties, 6).tolist(),
        "over": np.round(rotation.from_matrix(axes), 7).tolist(),
        "size": round(found.size, 6),
        "notices": list(found.character.notices),
    }
    return pack(facts, {"turns": found.turns.astype(np.float32)})
