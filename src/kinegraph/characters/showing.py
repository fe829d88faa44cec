"""Characters in a browser: their file as one GLB, their poses as a pack, and a page that plays both."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.characters import core as core_of
from kinegraph.characters import writing
from kinegraph.characters.character import Character
from kinegraph.characters.moving import Moved
from kinegraph.formats.atomic import replacing
from kinegraph.formats.gltf import container
from kinegraph.motion import Motion
from kinegraph.player import document, pack

# The int16 that stands for 1 in a quaternion: one step of it is less than a hundredth of a degree.
_FULL = 32767


def shape(character: Character) -> bytes:
    """The character's file as one GLB, whatever lay beside it: as it is, where it is one already and no bone of it is stretched."""
    if character.path.suffix.lower() != ".gltf" and not writing.stretched(character):
        return character.path.read_bytes()
    tree = writing.of_its_own(character.document.root.fields)
    data = writing.in_one_buffer(tree, character)
    writing.plain_nodes(tree["nodes"], character)
    writing.even_nodes(tree["nodes"], character)
    return container.glb(tree, data, tree.pop("buffers")[1:])


def poses(moved: Moved, motion: Motion) -> bytes:
    """What a browser needs to pose the nodes of the character's file as in `motion`, of which ``moved`` was made.

    ``size`` is how many times as large the character has to be shown to have the legs of whoever did the motion: then it stands where
    they stood, and paths, targets and footprints fit.
    """
    places, turns = writing.local(moved)
    moving = writing.moving_joints(moved.character, places)
    size = motion.rigid().skeleton.leg_length / core_of.of(moved.character).skeleton.leg_length
    facts = {
        "kind": "moved",
        "fps": moved.fps,
        "frames": len(moved),
        "nodes": list(moved.character.bones.nodes),
        "moving": moving,
        "size": round(float(size), 6),
        "notices": list(dict.fromkeys((*moved.character.notices, *moved.notices))),
    }
    arrays: dict[str, NDArray[Any]] = {
        "rotations": np.rint(turns * _FULL).astype(np.int16),
        "translations": places[:, moving].astype(np.float32),
    }
    return pack(facts, arrays, {"rotations": 1.0 / _FULL})


def write_page(moved: Moved, motion: Motion, path: str | PathLike[str], **options: Any) -> None:
    """Write a page that plays the character; options as for `kinegraph.player.document`."""
    text = document(motion, hero=(shape(moved.character), poses(moved, motion)), **options)
    with replacing(Path(path)) as temporary:
        temporary.write_text(text, encoding="utf-8")
