"""The core of a character: the joints that have roles, and the soles that its skin has.

Motions are put on the core. All other joints follow it: twist bones, further joints of the spine, fingers, helpers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Array
from kinegraph.characters.character import BELOW, Character
from kinegraph.feet.sole import Sole
from kinegraph.motion import Skeleton, body

# What each role hangs on: the first of these that the character has.
_HANGS_ON = {
    "spine": ("hips",),
    "chest": ("spine", "hips"),
    "neck": ("chest", "spine", "hips"),
    "head": ("neck", "chest", "spine", "hips"),
    "collar": ("chest", "spine", "hips"),
    "shoulder": ("*collar", "chest", "spine", "hips"),
    "elbow": ("*shoulder",),
    "wrist": ("*elbow",),
    "hip": ("hips",),
    "knee": ("*hip",),
    "ankle": ("*knee",),
    "toe": ("*ankle",),
}
# Where the ball of a foot is whose joints do not tell: from the ankle to the front of the sole, and how high, in heights of the ankle.
_BALL, _BALL_HIGH = 0.7, 0.3
# A joint that lies less far to the front, in the same measure, is no ball.
_LEAST_BALL = 0.4
# Vertices that make toes.
_FEWEST = 4
# SkinPoints of a foot that are this near to the height of the ankle's below it, as a share of that, belong to the sole.
_SOLE = 0.25
# What a foot without any skin has before and behind its ankle, in heights of the body.
_BEFORE, _BEHIND = 0.1, 0.04
_TIPTOE = "tiptoe"


@dataclass(frozen=True, eq=False)
class Core:
    """The joints with roles as a skeleton of their own."""

    skeleton: Skeleton
    joints: Mapping[str, int]
    """Role → joint of the character."""
    soles: tuple[Sole, Sole]
    """Left and right, as the skin has them; joints are those of the core."""
    rigid: tuple[bool, bool]
    """Whether a foot has no toes of its own, so that it rolls over its front edge."""


@lru_cache(maxsize=4)
def of(character: Character) -> Core:
    """The core of a character."""
    roles, places = dict(character.roles.joints), character.places
    feet = {side: _foot(character, side) for side in body.SIDES}
    names = [role for role in body.ROLES if role in roles and not (role.endswith("_toe") and feet[role[:-4]].rigid)]
    at = {role: places[roles[role]] for role in names}
    for side, foot in feet.items():
        if foot.rigid:
            names.append(f"{side}_toe")
            at[f"{side}_toe"] = foot.ball
    order = [*sorted(names, key=_depth), *(f"{side}_{_TIPTOE}" for side in body.SIDES)]
    at |= {f"{side}_{_TIPTOE}": foot.front for side, foot in feet.items()}
    index = {role: number for number, role in enumerate(order)}
    parents = [-1, *(index[_parent(role, index)] for role in order[1:])]
    offsets = np.array(
        [at[role] - (at[order[parent]] if parent >= 0 else 0.0) for role, parent in zip(order, parents, strict=True)]
    )
    skeleton = Skeleton(
        names=tuple(order),
        parents=np.array(parents, np.intp),
        offsets=offsets,
        overrides={role: index[role] for role in names},
    )
    left, right = (_sole(side, feet[side], at, index) for side in body.SIDES)
    known = {role: roles[role] for role in names if role in roles and at[role] is not None and not _is_made(role, feet)}
    return Core(skeleton, known, (left, right), (feet["left"].rigid, feet["right"].rigid))


def _is_made(role: str, feet: Mapping[str, _Foot]) -> bool:
    return role.endswith("_toe") and feet[role.removesuffix("_toe")].rigid


def _depth(role: str) -> int:
    part = role.split("_")[-1]
    order = (
        "hips",
        "spine",
        "chest",
        "neck",
        "head",
        "collar",
        "shoulder",
        "elbow",
        "wrist",
        "hip",
        "knee",
        "ankle",
        "toe",
    )
    return order.index(part)


def _parent(role: str, index: Mapping[str, int]) -> str:
    side, _, part = role.rpartition("_")
    if part == _TIPTOE:
        return f"{side}_ankle"
    options = (option.replace("*", f"{side}_") for option in _HANGS_ON[part])
    return next(option for option in options if option in index)


@dataclass(frozen=True, eq=False)
class _Foot:
    """A foot of the bind pose: its ball, the points of its sole furthest back and furthest ahead, and whether it has no toes."""

    ball: Array
    heel: Array
    front: Array
    floor: float
    rigid: bool


def _foot(character: Character, side: str) -> _Foot:
    roles, places = character.roles.joints, character.places
    ankle = places[roles[f"{side}_ankle"]]
    below = foot_joints(character, side)
    held = character.points.places[character.points.shares(below) > 0.5] if len(character.points) else np.zeros((0, 3))
    toe = places[roles[f"{side}_toe"]] if f"{side}_toe" in roles else None
    if len(held) < 3:
        tall = character.height
        # of a mesh that is compressed it is known where it ends, though not what of it is a foot
        floor = 0.0 if len(character.corners) else ankle[1] - BELOW * tall
        ahead = (
            _flat(toe - ankle)
            if toe is not None and np.linalg.norm(_flat(toe - ankle)) > 0.02 * tall
            else np.array([0.0, 0.0, 1.0])
        )
        ahead /= np.linalg.norm(ahead)
        heel, front = (ankle + far * tall * ahead - [0.0, ankle[1] - floor, 0.0] for far in (-_BEHIND, _BEFORE))
    else:
        floor = float(held[:, 1].min())
        low = held[held[:, 1] < floor + _SOLE * max(ankle[1] - floor, 0.02 * character.height)]
        ahead = np.array([0.0, 0.0, 1.0])
        spread = low - low.mean(axis=0)
        along = np.linalg.svd(spread[:, [0, 2]], full_matrices=False)[2][0] if len(low) > 3 else np.array([0.0, 1.0])
        along = along * (np.sign(along[1]) or 1.0)
        # a foot that is as wide as it is long has no direction of its own
        if np.degrees(np.arccos(min(along[1], 1.0))) < 45.0:
            ahead = np.array([along[0], 0.0, along[1]])
        far = (low - ankle) @ ahead
        heel, front = (_edge(low, far, end) for end in (-1.0, 1.0))
    reach = float((front - ankle) @ ahead)
    rigid = toe is None or float((toe - ankle) @ ahead) < _LEAST_BALL * reach or not _has_toes(character, side)
    ball = (
        toe
        if not rigid and toe is not None
        else ankle + _BALL * reach * ahead - [0.0, (1.0 - _BALL_HIGH) * (ankle[1] - floor), 0.0]
    )
    return _Foot(np.asarray(ball), heel, front, floor, rigid)


def foot_joints(character: Character, side: str) -> list[int]:
    """The joints that a foot's skin follows: ankle and toes; where they carry none, as handles of an IK rig do, the shin."""
    roles, points = character.roles.joints, character.points
    ankle = roles[f"{side}_ankle"]
    below = [ankle, *character.skeleton.below(ankle)]
    if len(points) and not (points.shares(below) > 0.5).any():
        return [roles[f"{side}_knee"], *below]
    return below


def _has_toes(character: Character, side: str) -> bool:
    """Whether any of the skin follows a foot's toes; of a mesh that tells nothing, it does."""
    if not len(character.points):
        return True
    toe = character.roles.joints[f"{side}_toe"]
    held = character.points.shares([toe, *character.skeleton.below(toe)])
    return bool((held > 0.5).sum() >= _FEWEST)


def _edge(low: Array, far: Array, end: float) -> Array:
    """The point in the middle of a sole's rear (−1) or front (1) edge, as low as what is there."""
    near = low[end * far >= (end * far).max() - 0.2 * np.ptp(far)]  # of a sole without length, all of it
    lowest = near[near[:, 1] < near[:, 1].min() + 0.3 * max(float(np.ptp(low[:, 1])), 1e-9)]
    edge = lowest[np.argmax(end * lowest[:, 2])] if len(lowest) else near[0]
    return np.array([float(near[:, 0].mean()), float(near[:, 1].min()), float(edge[2])])


def _flat(v: Array) -> Array:
    flat: Array = v * [1.0, 0.0, 1.0]
    return flat


def _sole(side: str, foot: _Foot, at: Mapping[str, Array], index: Mapping[str, int]) -> Sole:
    ankle, toe = at[f"{side}_ankle"], at[f"{side}_toe"]
    bearing = f"{side}_{_TIPTOE}" if foot.rigid else f"{side}_toe"
    heights = np.array([foot.heel[1], at[bearing][1], foot.front[1]]) - foot.floor
    return Sole(
        side=side,
        hip=index[f"{side}_hip"],
        knee=index[f"{side}_knee"],
        ankle=index[f"{side}_ankle"],
        toe=index[bearing],
        heel=foot.heel - ankle,
        tip=None if foot.rigid else foot.front - toe,
        rest=heights,
    )
