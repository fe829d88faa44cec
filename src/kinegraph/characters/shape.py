"""Which joint is what, by shape alone: two limbs that are alike and reach the floor are legs, two further up are arms.

What is asked is the tree of joints, where they stand in the bind pose, and which way is up. Left and right are told by where feet point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Bools, Indices

# Of two limbs that are alike: the lengths and the heights may differ by this share, of the limb and of the body.
_ALIKE_LENGTH, _ALIKE_HEIGHT = 0.2, 0.08
# Legs end below this share of the body's height, and are as long as this at least; arms are as long as that.
_LOW, _LEG, _ARM = 0.25, 0.2, 0.12
# Joints this near to the middle, in heights of the body, may be of the trunk.
_MIDDLE = 0.06
# The last joint over the chest that carries this share of what the heaviest there does is the head; what comes after it is its crown.
_HEAD = 0.2
# What it costs to take a joint between for a helper.
_SKIPPED = 0.15
# What it costs to take for one bone what is longer than straight, for each time its length.
_BENT = 3.0
# Limbs that end below this share of the height, as far from the legs as that, are those of an animal.
_PAW, _AWAY = 0.15, 0.3
# A joint within this share of the limb of another stands at the same place.
_SAME = 0.02


class Tree(NamedTuple):
    """Joints, parents before children; places ``(J, 3)`` with Y up, on the floor at 0; weight ``(J,)``: how much of the mesh follows each;
    moves ``(J,)``: whether any of it follows it or what hangs on it; tips: for each joint, the points ``(…, 3)`` of its end nodes.
    """

    parents: Indices
    places: Array
    weight: Array
    moves: Bools
    tips: Sequence[Sequence[Array]]
    feet: Array
    """``(3,)``: the middle of what of the mesh is near the floor."""

    @property
    def height(self) -> float:
        """Of the whole body."""
        return max(float(self.places[:, 1].max()), 1e-9)

    def children(self, joint: int) -> list[int]:
        """The joints that hang on one, without handles."""
        return [int(child) for child in np.flatnonzero(self.parents == joint) if self.moves[child]]

    def below(self, joint: int) -> list[int]:
        """It and all that hangs below it."""
        found, waiting = [], [joint]
        while waiting:
            found.append(waiting.pop())
            waiting += self.children(found[-1])
        return found

    def path(self, top: int, bottom: int) -> list[int]:
        """The joints from one down to another."""
        path = [bottom]
        while path[-1] != top:
            path.append(int(self.parents[path[-1]]))
        return path[::-1]

    def length(self, path: Sequence[int]) -> float:
        """The length of the bones along a path."""
        return float(np.linalg.norm(np.diff(self.places[list(path)], axis=0), axis=-1).sum())


def moving(parents: Indices, weight: Array) -> Bools:
    """Which ``(J,)`` joints move any of the mesh, by themselves or by what hangs on them; all where it is not known what does."""
    found: Bools = weight > 0
    if not found.any():
        return ~found
    for joint in range(len(found) - 1, 0, -1):
        found[parents[joint]] |= found[joint]
    return found


def find(tree: Tree) -> tuple[dict[str, int], str]:
    """Role → joint, as far as the shape tells; and, where there are no legs, what was found instead."""
    legs = _pair(tree, _lowest, _LEG, lambda path: _end(tree, path) < _LOW * tree.height)
    if legs is None:
        return {}, "no two limbs are alike and reach the floor"
    pelvis, (one, other) = legs
    if _has_paws(tree, pelvis):
        return {}, "two pairs of limbs reach the floor, one far before the other: this seems to be a quadruped"
    roles = {"hips": pelvis}
    left, right = _sided(tree, one, other)
    across = tree.places[left[0]] - tree.places[right[0]]
    if np.hypot(across[0], across[2]) < 1e-6 * tree.height:
        return {}, "the legs hang on one point"
    for side, path in (("left", left), ("right", right)):
        roles |= {f"{side}_{part}": joint for part, joint in _leg(tree, path).items()}
    _both(roles, ("hip", "knee", "ankle", "toe"))
    trunk, arms = _trunk(tree, pelvis, across, {*tree.below(left[0]), *tree.below(right[0])})
    roles |= trunk
    for side, path in zip(("left", "right"), arms, strict=False):
        roles |= {f"{side}_{part}": joint for part, joint in _arm(tree, path).items()}
    _both(roles, ("collar", "shoulder", "elbow", "wrist"))
    return roles, ""


def _both(roles: dict[str, int], parts: Sequence[str]) -> None:
    """Forget what only one side has."""
    for part in parts:
        if not {f"left_{part}", f"right_{part}"} <= roles.keys():
            for side in ("left", "right"):
                roles.pop(f"{side}_{part}", None)


def _has_paws(tree: Tree, pelvis: int) -> bool:
    """Whether another pair of limbs stands on the floor, far from the legs."""
    low = _PAW * tree.height

    def away(joint: int) -> bool:
        gap = tree.places[joint] - tree.places[pelvis]
        return float(np.hypot(gap[0], gap[2])) > _AWAY * tree.height

    others = [joint for joint in range(len(tree.parents)) if away(joint)]
    return _pair(tree, _lowest, _LEG, lambda path: len(path) > 2 and _end(tree, path) < low, others) is not None


def _end(tree: Tree, path: Sequence[int]) -> float:
    """How high a path ends, end nodes included."""
    last = path[-1]
    return min(float(tree.places[last, 1]), *(float(tip[1]) for tip in tree.tips[last]), np.inf)


def _lowest(tree: Tree, top: int) -> list[int]:
    """The path from a joint to the lowest below it; of those that are as low, to the furthest."""
    ends = tree.below(top)
    low = min(float(tree.places[end, 1]) for end in ends)
    near = [end for end in ends if tree.places[end, 1] < low + 0.03 * tree.height]
    return max((tree.path(top, end) for end in near), key=tree.length)


def _longest(tree: Tree, top: int) -> list[int]:
    """The path from a joint to where the limb is longest."""
    return max((tree.path(top, end) for end in tree.below(top)), key=tree.length)


def _pair(
    tree: Tree,
    follow: Callable[[Tree, int], list[int]],
    shortest: float,
    fits: Callable[[Sequence[int]], bool],
    within: Sequence[int] | None = None,
) -> tuple[int, tuple[list[int], list[int]]] | None:
    """The joint on which two limbs hang that are alike and fit, and their paths; the longest, or None."""
    best: tuple[int, tuple[list[int], list[int]]] | None = None
    most = shortest * tree.height
    for joint in range(len(tree.parents)) if within is None else within:
        paths = [follow(tree, child) for child in tree.children(joint)]
        for one, other in combinations([path for path in paths if fits(path)], 2):
            # one hand may have fingers where the other has none
            common = min(len(one), len(other))
            lengths = [tree.length([joint, *path[:common]]) for path in (one, other)]
            apart = tree.places[one[0]] - tree.places[other[0]]
            if (
                min(lengths) > most
                and abs(lengths[0] - lengths[1]) < _ALIKE_LENGTH * max(lengths)
                and abs(apart[1]) < _ALIKE_HEIGHT * tree.height
                and np.hypot(apart[0], apart[2]) > _SAME * min(lengths)
            ):
                best, most = (joint, (one, other)), min(lengths)
    return best


def _sided(tree: Tree, one: Sequence[int], other: Sequence[int]) -> tuple[list[int], list[int]]:
    """Two legs as left and right, by where the feet point."""
    ahead = np.zeros(3)
    for path in (one, other):
        # most of a foot, of its mesh and of its joints, lies before the leg, wherever an ankle may be
        leg = tree.places[[path[0], *list(_leg(tree, path).values())[1:3]]].mean(axis=0)
        ahead += tree.feet - leg + tree.places[path[-1]] - leg
    across = tree.places[one[0]] - tree.places[other[0]]
    # left × up is ahead
    left_first = np.cross(across, [0.0, 1.0, 0.0]) @ ahead >= 0
    return (list(one), list(other)) if left_first else (list(other), list(one))


def _leg(tree: Tree, path: Sequence[int]) -> dict[str, int]:
    """Hip, knee, ankle and toe along a leg: thigh and shin are about as long as each other, and go down."""
    places = tree.places[list(path)]
    if len(path) < 3:
        return dict(zip(("hip", "knee"), path, strict=False))
    best, score = (0, 1, 2), -np.inf
    floor = min(_end(tree, path), float(places[:, 1].min()))
    for hip, knee, ankle in combinations(range(len(path)), 3):
        thigh, shin = places[knee] - places[hip], places[ankle] - places[knee]
        a, b = np.linalg.norm(thigh), np.linalg.norm(shin)
        if min(a, b) < 1e-6:
            continue
        down = -thigh[1] / a - shin[1] / b
        covered = (places[hip, 1] - places[ankle, 1]) / max(places[0, 1] - floor, 1e-9)
        value = down + 2.0 * covered - abs(np.log(a / b))
        # an ankle stands a little over the floor, and something of the foot comes after it
        value -= 0.6 * (ankle == len(path) - 1 and len(path) > 3)
        # what bends between is no bone: toes are not the end of a shin
        value -= _BENT * (tree.length(path[hip : ankle + 1]) / (a + b) - 1.0)
        if value > score:
            best, score = (hip, knee, ankle), value
    hip, knee, ankle = best
    found = {"hip": path[hip], "knee": path[knee], "ankle": path[ankle]}
    shin = np.linalg.norm(places[ankle] - places[knee])
    beyond = [at for at in range(ankle + 1, len(path)) if np.linalg.norm(places[at] - places[ankle]) > 0.1 * shin]
    if beyond:
        found["toe"] = path[beyond[0]]
    return found


def _arm(tree: Tree, path: Sequence[int]) -> dict[str, int]:
    """Collar, shoulder, elbow and wrist along an arm: upper arm and forearm are about as long, and fingers come after the wrist."""
    places = tree.places[list(path)]
    if len(path) < 3:
        return dict(zip(("shoulder", "elbow"), path, strict=False))
    best, score = (0, 1, 2), -np.inf
    whole = max(tree.length(path), 1e-9)
    for shoulder, elbow, wrist in combinations(range(len(path)), 3):
        a, b = (float(np.linalg.norm(places[j] - places[i])) for i, j in ((shoulder, elbow), (elbow, wrist)))
        if min(a, b) < 1e-6:
            continue
        branches = len(tree.children(path[wrist]))
        value = (a + b) / whole - abs(np.log(a / b)) + 0.3 * (branches >= 3) - 0.3 * (shoulder > 1)
        value -= _SKIPPED * (wrist - shoulder - 2)
        # fingers are shorter than the hand is away from the elbow
        value -= 0.2 * (wrist == len(path) - 1 and len(path) > 4)
        if value > score:
            best, score = (shoulder, elbow, wrist), value
    shoulder, elbow, wrist = best
    found = {"shoulder": path[shoulder], "elbow": path[elbow], "wrist": path[wrist]}
    # a hand whose fingers hang on the forearm, each by itself, has no wrist that turns it
    if sum(bool(tree.children(child)) for child in tree.children(path[elbow])) >= 3:
        del found["wrist"]
    if shoulder:
        found["collar"] = path[shoulder - 1]
    return found


def _trunk(
    tree: Tree, pelvis: int, across: Array, legs: set[int]
) -> tuple[dict[str, int], tuple[list[int], list[int]] | tuple[()]]:
    """Spine, chest, neck and head, and the left and the right arm."""
    sideways = across / max(float(np.linalg.norm(across)), 1e-9)
    middle = tree.places[[joint for joint in tree.children(pelvis) if joint in legs]].mean(axis=0)
    aside = np.abs((tree.places - middle) @ sideways)
    inner = [joint for joint in tree.below(pelvis) if joint not in legs]
    central = [joint for joint in inner if aside[joint] < _MIDDLE * tree.height]
    top = max(central, key=lambda joint: float(tree.places[joint, 1]), default=pelvis)
    line = tree.path(pelvis, top)
    arms = _pair(
        tree,
        _longest,
        _ARM,
        lambda path: not legs & set(path) and not set(line) & set(path) and aside[path].max() > 0.1 * tree.height,
        line,
    )
    if arms is None:
        return ({"head": top} if top != pelvis else {}), ()
    chest, (one, other) = arms
    left_first = (tree.places[one[0]] - tree.places[other[0]]) @ sideways > 0
    roles = {}
    if chest != pelvis:
        roles["chest"] = chest
    between = line[1 : line.index(chest)] if chest in line[1:] else []
    if between:
        roles["spine"] = between[0]
    over = line[line.index(chest) + 1 :]
    if over:
        heaviest = max(float(tree.weight[joint]) for joint in over)
        head = [joint for joint in over if tree.weight[joint] >= _HEAD * heaviest][-1]
        roles["head"] = head
        if head != over[0]:
            roles["neck"] = over[0]
    return roles, ((list(one), list(other)) if left_first else (list(other), list(one)))
