"""Body packs: the mannequin of a skeleton, made once and used for all of its motions."""

from __future__ import annotations

import hashlib

import numpy as np

from kinegraph.mannequin.body import mannequin
from kinegraph.motion import Motion, Skeleton
from kinegraph.player.packs import pack

# Joints beyond which a byte no longer tells them apart.
_MOST_JOINTS = 256


def body_id(skeleton: Skeleton) -> str:
    """An identifier for a skeleton's body: equal skeletons have the same one, in every process.

    >>> import kinegraph as kg
    >>> walk, run = (kg.samples.make(name).motion for name in ("walk", "run"))
    >>> kg.player.body_id(walk.skeleton) == kg.player.body_id(run.skeleton)
    True
    """
    digest = hashlib.blake2s(repr((skeleton.names, sorted(skeleton.roles.items()))).encode(), digest_size=8)
    # the root's own offset too: vertices are told with it
    for array in (skeleton.parents, skeleton.offsets + 0.0, skeleton.tip_parents, skeleton.tip_offsets + 0.0):
        digest.update(array.tobytes())
    return digest.hexdigest()


def body_pack(skeleton: Skeleton, motion: Motion | None = None) -> bytes:
    """The pack of a skeleton's mannequin. motion: one of its motions, to find a standing pose in if the rest pose is none.

    >>> import kinegraph as kg
    >>> facts, arrays, scales = kg.player.unpack(kg.player.body_pack(kg.samples.skeleton()))
    >>> facts["kind"], facts["parts"][0]["name"], arrays["vertices"].shape
    ('body', 'torso', (2844, 3))
    """
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
