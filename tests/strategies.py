"""Hypothesis strategies: unit quaternions, skeletons (any tree, or one whose sides mirror each other) and motions."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from kinegraph.arrays import Array
from kinegraph.motion import FloorTransform, Motion, Skeleton
from kinegraph.motion.rotation import exp

# How tools mark the two sides of a joint: (left, right), with * for the rest of the name.
SIDE_MARKS = (
    ("l*", "r*"),
    ("L*", "R*"),
    ("Left*", "Right*"),
    ("*_L", "*_R"),
    ("*.l", "*.r"),
    ("Bip01 L *", "Bip01 R *"),
    ("mixamorig:Left*", "mixamorig:Right*"),
    ("left_*", "right_*"),
)
_SIDED_WORDS = ("Femur", "HipJoint", "Thumb", "Arm", "Toes", "Radius", "Finger", "UpLeg")
_CENTRAL_WORDS = ("LowerBack", "Spine", "root", "thorax", "Rib", "Tail", "lowerneck")


def generators() -> st.SearchStrategy[np.random.Generator]:
    """A source of random arrays: one number to shrink instead of hundreds."""
    return st.integers(0, 2**32 - 1).map(np.random.default_rng)


def random_quaternions(random: np.random.Generator, *shape: int) -> Array:
    """Unit quaternions ``(*shape, 4)`` spread evenly over all rotations, of either sign."""
    q = random.normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


@st.composite
def rotation_vectors(draw: st.DrawFn) -> Array:
    """Rotation vectors ``(3,)``, often of an angle where formulas break: 0, almost 0, π, almost π."""
    axis = draw(st.tuples(*[st.floats(-1, 1, allow_subnormal=False)] * 3).filter(lambda v: np.hypot.reduce(v) > 1e-2))
    small = st.sampled_from((0.0, 1e-300, 1e-12, 1e-8, 9e-7, 2e-6, 1e-3))
    angle = draw(st.one_of(st.floats(0, np.pi), small, small.map(lambda x: np.pi - x)))
    return np.asarray(axis) / np.linalg.norm(axis) * angle


@st.composite
def unit_quaternions(draw: st.DrawFn) -> Array:
    """Unit quaternions ``(4,)`` of either sign, hard cases included."""
    sign = draw(st.sampled_from((1.0, -1.0)))
    return sign * exp(draw(rotation_vectors()))


@st.composite
def skeletons(draw: st.DrawFn, most: int = 12) -> Skeleton:
    """Any tree of joints without sides, with tips anywhere."""
    count = draw(st.integers(1, most))
    parents = [-1, *(draw(st.integers(0, joint - 1)) for joint in range(1, count))]
    tips = draw(st.lists(st.integers(0, count - 1), max_size=4))
    random = draw(generators())
    return Skeleton(
        tuple(f"joint {index}" for index in range(count)),
        parents,
        random.normal(size=(count, 3)),
        tips,
        random.normal(size=(len(tips), 3)),
    )


@st.composite
def symmetric_skeletons(draw: st.DrawFn) -> Skeleton:
    """A tree whose left branches mirror its right ones, named in one of the usual ways, children in any order."""
    left, right = draw(st.sampled_from(SIDE_MARKS))
    random = draw(generators())
    names, parents, offsets, tip_parents = ["hips"], [-1], [np.zeros(3)], list[int]()
    tip_offsets: list[Array] = []
    flip = np.array([-1.0, 1.0, 1.0])

    def add(name: str, parent: int, offset: Array) -> int:
        names.append(name)
        parents.append(parent)
        offsets.append(offset)
        return len(names) - 1

    centre = [0]
    for word in draw(st.lists(st.sampled_from(_CENTRAL_WORDS), max_size=3, unique=True)):
        centre.append(add(word, draw(st.sampled_from(centre)), random.normal(size=3) * [0, 1, 1]))
    pairs: list[tuple[int, int]] = []
    for word in draw(st.lists(st.sampled_from(_SIDED_WORDS), min_size=1, max_size=5, unique=True)):
        offset = random.normal(size=3)
        above = draw(st.sampled_from([*((joint, joint) for joint in centre), *pairs]))
        sides = [(left.replace("*", word), above[0], offset), (right.replace("*", word), above[1], offset * flip)]
        if draw(st.booleans()):
            pairs.append((add(*sides[0]), add(*sides[1])))
        else:
            pairs.append((add(*sides[1]), add(*sides[0]))[::-1])
        if draw(st.booleans()):
            tip = random.normal(size=3)
            tip_parents += pairs[-1]
            tip_offsets += [tip, tip * flip]
    return Skeleton(tuple(names), parents, offsets, tip_parents, np.reshape(tip_offsets, (-1, 3)))


@st.composite
def motions(
    draw: st.DrawFn,
    skeleton: st.SearchStrategy[Skeleton] | None = None,
    stretching: bool = True,
    least: int = 1,
    most: int = 6,
) -> Motion:
    """Motions of a few unrelated frames; where ``stretching``, some have bones that change length."""
    body = draw(skeletons() if skeleton is None else skeleton)
    frames = draw(st.integers(least, most))
    random = draw(generators())
    translations = random.normal(size=(frames, len(body), 3)) if stretching and draw(st.booleans()) else None
    return Motion(
        body,
        random.normal(size=(frames, 3)),
        random_quaternions(random, frames, len(body)),
        draw(st.sampled_from((24.0, 30.0, 59.94, 120.0))),
        translations,
    )


def floor_transforms() -> st.SearchStrategy[FloorTransform]:
    """Turns and shifts of the size of a stage."""
    shift = st.floats(-10, 10, allow_subnormal=False)
    return st.builds(FloorTransform, st.floats(-7, 7, allow_subnormal=False), shift, shift)
