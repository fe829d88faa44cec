"""Skeletons of several kinds, and what is asked of a surface."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import Motion, Skeleton, rotation

_FINGERS = {"Thumb": (0.036, -0.021, 0.030), "Index": (0.123, 0.002, 0.029), "Middle": (0.128, 0.001, 0.008)} | {
    "Ring": (0.122, 0.0, -0.014),
    "Pinky": (0.109, -0.002, -0.034),
}


def mixamo() -> Skeleton:
    """A T-pose along X as Mixamo's characters have it, with all fingers."""
    rows: list[tuple[str, str, tuple[float, float, float]]] = [
        ("Hips", "", (0.0, 1.0, 0.0)),
        ("Spine", "Hips", (0.0, 0.100, -0.012)),
        ("Spine1", "Spine", (0.0, 0.117, 0.0)),
        ("Spine2", "Spine1", (0.0, 0.134, 0.0)),
        ("Neck", "Spine2", (0.0, 0.150, 0.009)),
        ("Head", "Neck", (0.0, 0.103, 0.031)),
        ("HeadTop_End", "Head", (0.0, 0.185, 0.066)),
    ]
    for side, x in (("Left", 1.0), ("Right", -1.0)):
        rows += [
            (f"{side}Shoulder", "Spine2", (0.061 * x, 0.091, 0.008)),
            (f"{side}Arm", f"{side}Shoulder", (0.129 * x, 0.0, 0.0)),
            (f"{side}ForeArm", f"{side}Arm", (0.274 * x, 0.0, 0.0)),
            (f"{side}Hand", f"{side}ForeArm", (0.276 * x, 0.0, 0.0)),
        ]
        for finger, (along, up, ahead) in _FINGERS.items():
            rows.append((f"{side}Hand{finger}1", f"{side}Hand", (along * x, up, ahead)))
            bone = (0.024 * x, -0.010, 0.018) if finger == "Thumb" else (0.032 * x, 0.0, 0.0)
            rows += [(f"{side}Hand{finger}{i}", f"{side}Hand{finger}{i - 1}", bone) for i in (2, 3, 4)]
        rows += [
            (f"{side}UpLeg", "Hips", (0.091 * x, -0.055, 0.0)),
            (f"{side}Leg", f"{side}UpLeg", (0.0, -0.406, 0.0)),
            (f"{side}Foot", f"{side}Leg", (0.0, -0.421, -0.020)),
            (f"{side}ToeBase", f"{side}Foot", (0.0, -0.084, 0.140)),
            (f"{side}Toe_End", f"{side}ToeBase", (0.0, 0.0, 0.070)),
        ]
    names = [name for name, _, _ in rows]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in rows]
    return Skeleton(
        tuple(f"mixamorig:{name}" for name in names), np.array(parents), np.array([row[2] for row in rows]) + 0.0
    )


def creature() -> Skeleton:
    """Some joints nobody knows, one of them in the place of its parent."""
    offsets = np.random.default_rng(0).normal(0.0, 0.3, (8, 3))
    offsets[5] = 0.0
    return Skeleton(
        tuple("abcdefgh"),
        np.array([-1, 0, 1, 2, 1, 4, 0, 6]),
        offsets,
        np.array([3, 7]),
        np.array([[0, 0.2, 0], [0, 0, 0]]),
    )


def with_other_rest(motion: Motion, seed: int) -> Motion:
    """The same motion on joints whose axes lie anyhow, so that the rest pose is a tangle."""
    skeleton = motion.skeleton
    axes = rotation.normalize(np.random.default_rng(seed).normal(size=(len(skeleton), 4)))
    parents = skeleton.parents[1:]
    offsets = skeleton.offsets.copy()
    offsets[1:] = rotation.rotate(rotation.inverse(axes[parents]), offsets[1:])
    tips = rotation.rotate(rotation.inverse(axes[skeleton.tip_parents]), skeleton.tip_offsets)
    rotations = motion.rotations.copy()
    rotations[:, 1:] = rotation.multiply(rotation.inverse(axes[parents]), rotations[:, 1:])
    tangled = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.tip_parents, tips)
    return Motion(tangled, motion.root, rotation.multiply(rotations, axes), motion.fps)


def is_closed(faces: Array) -> bool:
    """Whether every edge belongs to two faces that go along it in opposite directions."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there = {tuple(edge) for edge in edges.tolist()}
    return len(there) == len(edges) and all((b, a) in there for a, b in there)


def volume(vertices: Array, faces: Array) -> float:
    """What a closed surface holds, in cubic metres; negative where it is inside out."""
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    return float(np.einsum("ti,ti->t", a, np.cross(b, c)).sum() / 6)


def areas(vertices: Array, faces: Array) -> Array:
    """Areas ``(T,)`` of faces."""
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    sizes: Array = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=-1)
    return sizes
