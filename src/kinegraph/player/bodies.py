"""Body packs: the mannequin of a skeleton, made once and shown with any of its motions."""

from __future__ import annotations

import hashlib

import numpy as np

from kinegraph.mannequin.body import mannequin
from kinegraph.motion import Motion, Skeleton
from kinegraph.player.packs import pack

# Joints beyond which a byte no longer tells them apart.
_MOST_JOINTS = 256


def body_id(skeleton: Skeleton) -> str:
    """What a skeleton's body is called: skeletons that are equal have the same, in every process."""
    digest = hashlib.blake2s(repr((skeleton.names, sorted(skeleton.roles.items()))).encode(), digest_size=8)
    # the root's own offset too: vertices are told with it
    for array in (skeleton.parents, skeleton.offsets + 0.0, skeleton.tip_parents, skeleton.tip_offsets + 0.0):
        digest.update(array.tobytes())
    return digest.hexdigest()


def body_pack(skeleton: Skeleton, motion: Motion | None = None) -> bytes:
    """The pack of a skeleton's mannequin; motion: one of its motions, in which somebody stands where the rest pose does not."""
    mesh = mannequin(skeleton, motion)
    # bodies of more joints than a byte tells apart are shown as sticks: there is no surface then
    known = len(skeleton) <= _MOST_JOINTS
    faces = mesh.faces if known else mesh.faces[:0]
    parts = [
        {
            "name": part.name,
            "colour": [round(value, 5) for value in part.colour],
            "first": part.first,
            "last": part.last,
        }
        for part in mesh.parts
    ]
    return pack(
        {"kind": "body", "id": body_id(skeleton), "parts": parts if known else []},
        {
            "vertices": mesh.vertices.astype(np.float32),
            "normals": mesh.normals.astype(np.float32),
            "faces": faces.astype(np.uint32),
            "joints": np.minimum(mesh.joints, _MOST_JOINTS - 1).astype(np.uint8),
            "weights": mesh.weights.astype(np.float32),
            "bind": mesh.bind.astype(np.float32),
        },
    )
