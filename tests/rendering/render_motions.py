"""Motions to draw: a person and a creature."""

import numpy as np

from kinegraph.motion import Motion, Skeleton, rotation

# A person of about 1.7 m in a few joints, facing +Z, left at +X: name, parent, offset.
_PERSON = [
    ("hips", None, (0, 0.93, 0)),
    ("spine", "hips", (0, 0.10, 0)),
    ("chest", "spine", (0, 0.20, 0)),
    ("neck", "chest", (0, 0.20, 0)),
    ("head", "neck", (0, 0.10, 0)),
    *(
        joint
        for side, sign in (("left", 1), ("right", -1))
        for joint in (
            (f"{side}_shoulder", "chest", (sign * 0.18, 0.16, 0)),
            (f"{side}_elbow", f"{side}_shoulder", (sign * 0.28, 0, 0)),
            (f"{side}_wrist", f"{side}_elbow", (sign * 0.25, 0, 0)),
            (f"{side}_hip", "hips", (sign * 0.09, -0.05, 0)),
            (f"{side}_knee", f"{side}_hip", (0, -0.42, 0)),
            (f"{side}_ankle", f"{side}_knee", (0, -0.40, 0)),
            (f"{side}_toe", f"{side}_ankle", (0, -0.04, 0.14)),
        )
    ),
]
_TIPS = [("head", (0, 0.18, 0)), ("left_wrist", (0.17, 0, 0)), ("right_wrist", (-0.17, 0, 0))]
_TIPS += [("left_toe", (0, 0, 0.06)), ("right_toe", (0, 0, 0.06))]


def make_person(frames=24, speed=1.2, fps=24.0, size=1.0):
    """A T-posed body that swings its legs and glides along +Z."""
    names = [name for name, _, _ in _PERSON]
    skeleton = Skeleton(
        names,
        [-1 if parent is None else names.index(parent) for _, parent, _ in _PERSON],
        np.array([offset for _, _, offset in _PERSON]) * size,
        [names.index(name) for name, _ in _TIPS],
        np.array([offset for _, offset in _TIPS]) * size,
    )
    rotations = rotation.identity(frames, len(names)).copy()
    swing = 0.5 * np.sin(np.arange(frames) * 2 * np.pi / 24)
    rotations[:, names.index("left_hip")] = rotation.from_axis_angle([1.0, 0, 0], swing)
    rotations[:, names.index("right_hip")] = rotation.from_axis_angle([1.0, 0, 0], -swing)
    root = np.zeros((frames, 3))
    root[:, 1] = 0.93 * size
    root[:, 2] = np.arange(frames) * speed * size / fps
    return Motion(skeleton, root, rotations, fps, name="person")


def make_creature():
    """Five joints that no naming table knows."""
    skeleton = Skeleton(
        ["a", "b", "c", "d", "e"],
        [-1, 0, 1, 0, 3],
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [-1, 0, 0.5], [-1, 1, 0]],
        [2],
        [[0, 1, 0]],
    )
    return Motion(skeleton, np.tile([0, 1.0, 0], (6, 1)), rotation.identity(6, 5), 30.0, name="creature")
