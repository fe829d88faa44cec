"""Hands against the trunk: a character that is stouter than who moved would reach into itself; its arms are bent so that it does not.

The trunk is a few convex shapes, one for each of hips, spine and chest, and a hand is its outermost points. How deep the source's own
hands are in its own trunk, as the mannequin has it, is not held against anybody: who folds their arms touches themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.characters.character import Character
from kinegraph.characters.core import Core
from kinegraph.characters.following import trunk_over_hips
from kinegraph.mannequin.body import mannequin
from kinegraph.motion import Motion, Skeleton, filters, kinematics, limb, rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.spans import spans

Numbers = NDArray[np.floating[Any]]

_PARTS = ("hips", "spine", "chest")
# Directions in which a shape is bounded, and in which a hand's outermost points are looked for.
_SIDES, _HAND = 42, 8
# Metres of a body of 1.75 m: how much deeper than the source's a hand may be before it is moved, and how deep it is left.
_BEGIN, _LEFT = 0.005, 0.002
_STATURE = 1.75
# Seconds over which a hand is moved aside, and how often it is looked whether it is far enough.
_EASE, _TRIES = 0.12, 3
# How often an arm is bent, and then held off.
_TURNS = 2
# Radians by which an arm is tried to stand off sideways.
_ANGLES = np.deg2rad(np.arange(0.0, 91.0, 5.0))
# Of the forearm: no hand is longer.
_LONGEST = 0.8
# Of the height: by how much a part of the trunk reaches beyond its joints.
_SLACK = 0.03
# A shape with fewer points than this says nothing.
_FEWEST = 8


@dataclass(frozen=True, eq=False)
class Shapes:
    """The trunk and the hands of a body, each fixed to a joint of a skeleton, in its frame when nothing is turned."""

    trunk: tuple[tuple[int, Array], ...]
    """Joint, and how far ``(K,)`` the shape reaches in each direction."""
    hands: Mapping[str, tuple[int, Array]]
    """Side → the wrist, and points ``(N, 3)`` of the hand."""

    def deep(self, positions: Array, orientations: Array, side: str) -> tuple[Array, Array]:
        """How deep ``(F,)`` a hand is in the trunk, negative where it is not; and the way out ``(F, 3)``, a unit vector. Joints are at
        ``positions (F, J, 3)``, turned by ``orientations (F, J, 4)``.
        """
        wrist, points = self.hands[side]
        turns = rotation.to_matrix(orientations[:, wrist])
        middle = points.mean(axis=0)
        wide = float(rotation.length(points - middle).max())
        depth, out = np.full(len(positions), -np.inf), np.zeros((len(positions), 3))
        ways = _ways(_SIDES)
        for joint, reach in self.trunk:
            # from the hand's own frame into that of the part
            back = rotation.to_matrix(rotation.inverse(orientations[:, joint]))
            moved = np.einsum("fij,fj->fi", back, positions[:, wrist] - positions[:, joint])
            turned = np.matmul(back, turns)
            # no point of a hand is deeper than its middle by more than the hand is wide: most of the time that is enough to know
            about = _room(reach, ways, moved + turned @ middle).min(axis=0) + wide
            near = np.flatnonzero(about > np.maximum(depth, 0.0))
            if not len(near):
                continue
            inside = moved[near, None] + np.matmul(points, turned[near].transpose(0, 2, 1))
            # half the digits are plenty here, and take half the time; directions come first, since the least of rows is found faster
            room = _room(*(part.astype(np.float32) for part in (reach, ways, inside.reshape(-1, 3))))
            deep = room.min(axis=0).reshape(len(near), -1)
            rows, point = np.arange(len(near)), deep.argmax(axis=1)
            deeper = deep[rows, point] > depth[near]
            near, rows, point = near[deeper], rows[deeper], point[deeper]
            depth[near] = deep[rows, point]
            nearest = room[:, rows * len(points) + point].argmin(axis=0)
            out[near] = rotation.rotate(orientations[near, joint], ways[nearest])
        return depth, out


def _room(reach: Numbers, ways: Numbers, points: Numbers) -> Numbers:
    """How far ``(K, N)`` points ``(N, 3)`` are from where a shape ends that reaches ``reach (K,)`` along ``ways (K, 3)``."""
    # no product of matrices: threads would share it, and spend more than they save
    room: Numbers = np.repeat(reach[:, None], len(points), axis=1)
    for axis, along in enumerate(np.ascontiguousarray(points.T)):
        room -= ways[:, axis, None] * along
    return room


@lru_cache(maxsize=4)
def of_character(character: Character, core: Core) -> Shapes:
    """The shapes of a character, on the joints of its core."""
    points = character.points
    owner = owners(character, core)
    follows = owner[points.joints]
    places = core.skeleton.rest + core.skeleton.offsets[0]
    index = {name: number for number, name in enumerate(core.skeleton.names)}

    def of(roles: Sequence[str]) -> Array:
        """The vertices that follow what belongs to some roles."""
        mine = [index[role] for role in roles if role in index]
        found: Array = points.places[(points.weights * np.isin(follows, mine)).sum(axis=1) > 0.5]
        return found

    def hand(side: str) -> Array:
        """The vertices of a hand, without what it holds: no hand is as long as that."""
        found, wrist = of([f"{side}_wrist"]), index.get(f"{side}_wrist")
        if wrist is None:
            return found
        return found[rotation.length(found - places[wrist]) < _LONGEST * rotation.length(core.skeleton.offsets[wrist])]

    def part(role: str, *over: str) -> Array:
        """The vertices of a part of the trunk at its own height: capes and coats hang on it, and reach further down."""
        found = of([role])
        if role not in index:
            return found
        lowest = (role, "left_hip", "right_hip") if role == "hips" else (role,)
        low = min(float(places[index[one], 1]) for one in lowest)
        high = next((float(places[index[one], 1]) for one in over if one in index), np.inf)
        slack = _SLACK * character.height
        return found[(found[:, 1] > low - slack) & (found[:, 1] < high + slack)]

    trunk = {
        "hips": part("hips", "spine", "chest", "neck", "head"),
        "spine": part("spine", "chest", "neck", "head"),
        "chest": part("chest", "neck", "head"),
    }
    return _shapes(index, places, trunk, {side: hand(side) for side in SIDES})


def of_source(motion: Motion) -> Shapes:
    """The shapes of who moved: those of the mannequin on the same skeleton."""
    skeleton = motion.skeleton
    mesh = mannequin(skeleton, motion)
    places, turns = kinematics.forward(skeleton, skeleton.offsets[0], mesh.bind)
    back = rotation.inverse(turns)
    owner = _nearest(skeleton, dict(skeleton.roles))
    heaviest = owner[np.take_along_axis(mesh.joints, mesh.weights.argmax(axis=1)[:, None], axis=1)[:, 0]]

    def of(role: str) -> Array:
        joint = skeleton.roles.get(role, -1)
        mine = mesh.vertices[heaviest == joint]
        return rotation.rotate(back[joint], mine - places[joint]) if len(mine) else np.zeros((0, 3))

    index = dict(skeleton.roles)
    origin = np.zeros((len(skeleton), 3))
    return _shapes(index, origin, {role: of(role) for role in _PARTS}, {side: of(f"{side}_wrist") for side in SIDES})


def _shapes(index: Mapping[str, int], places: Array, trunk: Mapping[str, Array], hands: Mapping[str, Array]) -> Shapes:
    ways = _ways(_SIDES)
    parts = [
        (index[role], ((found - places[index[role]]) @ ways.T).max(axis=0))
        for role, found in trunk.items()
        if role in index and len(found) >= _FEWEST
    ]
    ends = {
        side: (index[f"{side}_wrist"], _outermost(found - places[index[f"{side}_wrist"]]))
        for side, found in hands.items()
        if f"{side}_wrist" in index and len(found)
    }
    return Shapes(tuple(parts), ends)


def owners(character: Character, core: Core) -> Indices:
    """For each joint of a character the joint of the core that it goes with."""
    owner = _nearest(character.skeleton, dict(core.joints))
    index = {name: number for number, name in enumerate(core.skeleton.names)}
    of_joint = {joint: index[role] for role, joint in core.joints.items()}
    found = np.array([of_joint.get(int(joint), -1) for joint in owner], np.intp)
    found[trunk_over_hips(character, core)] = index["hips"]
    return found


def _nearest(skeleton: Skeleton, roles: Mapping[str, int]) -> Indices:
    """For each joint the nearest with a role, itself or above it; −1 where there is none."""
    known = set(roles.values())
    out = np.full(len(skeleton), -1, np.intp)
    for joint, parent in enumerate(skeleton.parents):
        out[joint] = joint if joint in known else out[parent] if parent >= 0 else -1
    return out


def _ways(count: int) -> Array:
    """Unit vectors ``(count, 3)``, spread evenly over a sphere."""
    number = np.arange(count)
    high = 1.0 - 2.0 * (number + 0.5) / count
    around = number * np.pi * (3.0 - np.sqrt(5.0))
    flat = np.sqrt(1.0 - high**2)
    return np.stack([flat * np.cos(around), high, flat * np.sin(around)], axis=1)


def _outermost(points: Array) -> Array:
    chosen: Array = points[np.unique(np.argmax(points @ _ways(_HAND).T, axis=0))]
    return chosen


def kept_out(moved: Motion, shapes: Shapes, source: Motion) -> Motion:
    """The motion of a core with hands that are no deeper in the trunk than the source's were in its own."""
    size = moved.skeleton.stature / _STATURE
    own: Shapes | None = None
    for side in shapes.hands:
        if not moved.skeleton.has_roles(f"{side}_shoulder", f"{side}_elbow"):
            continue
        depth, _ = shapes.deep(moved.positions, moved.orientations, side)
        if not (depth > _BEGIN * size).any():
            continue
        own = of_source(source) if own is None else own
        allowed = np.zeros(len(moved))
        if side in own.hands:
            factor = moved.skeleton.stature / max(source.skeleton.stature, 1e-9)
            allowed = factor * np.maximum(own.deep(source.positions, source.orientations, side)[0], 0.0)
        # where it is enough, an arm that is held off swings as it did, and one that is bent wavers
        moved = _spread(moved, shapes, side, allowed, size, wholly=True)
        # an arm that has been held off can be bent where it could not before
        for _ in range(_TURNS):
            moved = _moved_out(moved, shapes, side, allowed, size)
            moved = _spread(moved, shapes, side, allowed, size)
    return moved


def _moved_out(moved: Motion, shapes: Shapes, side: str, allowed: Array, size: float) -> Motion:
    joint = moved.skeleton.joint
    shoulder, elbow, wrist = joints = joint(f"{side}_shoulder"), joint(f"{side}_elbow"), joint(f"{side}_wrist")
    reach = min(max(round(_EASE * moved.fps), 1), len(moved))
    positions, orientations = moved.positions, moved.orientations
    bones = (
        rotation.length(positions[:, elbow] - positions[:, shoulder]),
        rotation.length(positions[:, wrist] - positions[:, elbow]),
    )
    placed = positions.copy()
    aside = np.zeros((len(moved), 3))
    for _ in range(_TRIES):
        depth, way = shapes.deep(placed, orientations, side)
        lack = np.where(depth - allowed > _BEGIN * size, depth - allowed - _LEFT * size, 0.0)
        if not lack.any():
            break
        # early enough, and long enough: the most that is needed about each moment, along the way that is meant there
        wide = filters.smoothed(filters.highest(lack, reach), 0.4 * reach, reach)
        meant = filters.smoothed(lack[:, None] * way, 0.6 * reach, 2 * reach)
        length = np.linalg.norm(meant, axis=-1, keepdims=True)
        aside += wide[:, None] * np.where(length > 1e-9, meant / np.maximum(length, 1e-9), 0.0)
        placed[:, wrist] = limb.reachable(positions[:, shoulder], positions[:, wrist] + aside, bones)
    if not aside.any():
        return moved
    hinge = limb.hinges(
        positions[:, elbow] - positions[:, shoulder],
        positions[:, wrist] - positions[:, elbow],
        orientations[:, shoulder],
        moved.fps,
    )
    rotations = limb.reach(
        moved.skeleton, moved.root, moved.rotations, joints, placed[:, wrist], orientations[:, wrist],
        hinge if rotation.length(hinge).max() > 1e-9 else None, (positions, orientations),
    )  # fmt: skip
    # which way is out may change within a frame: the arm takes its time
    bent = [shoulder, elbow]
    change = rotation.log(rotation.multiply(rotation.inverse(moved.rotations[:, bent]), rotations[:, bent]))
    rotations[:, bent] = rotation.multiply(
        moved.rotations[:, bent], rotation.exp(filters.smoothed(change, 0.4 * reach, reach))
    )
    gentle = replace(moved, rotations=rotations)
    rotations[:, wrist] = rotation.multiply(
        rotation.inverse(gentle.orientations[:, moved.skeleton.parents[wrist]]), orientations[:, wrist]
    )
    return replace(moved, rotations=rotations)


def _spread(moved: Motion, shapes: Shapes, side: str, allowed: Array, size: float, wholly: bool = False) -> Motion:
    """The motion with an arm that is held off the trunk, from the shoulder, as far as its hand needs: arms that are short for a trunk
    cannot be bent around it. wholly: only as long as that brings it out.
    """
    over = shapes.deep(moved.positions, moved.orientations, side)[0] - allowed
    inside = over > _BEGIN * size
    if not inside.any():
        return moved
    shoulder = moved.skeleton.joint(f"{side}_shoulder")
    top = moved.skeleton.parents[shoulder]
    reach = min(max(round(_EASE * moved.fps), 1), len(moved))
    turn = np.zeros((len(moved), 3))
    axes, needed = _axes(side), []
    for axis in axes:
        needed.append(_needed(moved, shapes, side, inside, allowed + _LEFT * size, axis))
        if not needed[-1][1].any():
            break
    chosen = np.full(len(moved), -1)
    for first, last in spans(inside):
        # one way for as long as the hand is inside, so that the arm does not waver: the one that leaves least, and of these the shortest
        left, _, one = min(
            (over[first:last].max(initial=_BEGIN * size), angle[first:last].max(), one)
            for one, (angle, over) in enumerate(needed)
        )
        if not wholly or left <= _BEGIN * size:
            chosen[first:last] = one
    if (chosen < 0).all():
        return moved
    for number, (axis, (angle, _)) in enumerate(zip(axes, needed, strict=False)):
        wanted = np.where(chosen == number, angle, 0.0)
        if wanted.any():
            turn += filters.smoothed(filters.highest(wanted, reach), 0.4 * reach, reach)[:, None] * axis
    rotations = moved.rotations.copy()
    rotations[:, shoulder] = rotation.multiply(rotation.exp(turn), _against(moved, top, shoulder))
    spread = replace(moved, rotations=rotations)
    left = shapes.deep(spread.positions, spread.orientations, side)[0] - allowed
    return spread if np.maximum(left, 0.0).sum() < np.maximum(over, 0.0).sum() else moved


def _axes(side: str) -> Array:
    """About what ``(A, 3)`` an arm may be turned away from the trunk, along the trunk's axes: sideways, ahead, back, and between."""
    out = 1.0 if side == "left" else -1.0
    around = np.deg2rad([0.0, 45.0, 90.0, -45.0])
    return np.stack([-np.sin(around), np.zeros(4), out * np.cos(around)], axis=1)


def _needed(
    moved: Motion, shapes: Shapes, side: str, inside: Bools, allowed: Array, axis: Array
) -> tuple[Array, Array]:
    """Radians ``(F,)`` by which an arm must be turned about an axis of the trunk for its hand to be no deeper than is ``allowed (F,)``, or
    by which it is least deep where no turn is enough; and how much deeper ``(F,)`` it is then.
    """
    wrist, shoulder = shapes.hands[side][0], moved.skeleton.joint(f"{side}_shoulder")
    about = rotation.rotate(moved.orientations[:, moved.skeleton.parents[shoulder]], np.tile(axis, (len(moved), 1)))
    angle, over = np.zeros(len(moved)), np.where(inside, np.inf, 0.0)
    left = np.flatnonzero(inside)
    for step in _ANGLES:
        turn = rotation.from_axis_angle(about[left], step)
        placed, turned = moved.positions[left], moved.orientations[left]
        placed[:, wrist] = placed[:, shoulder] + rotation.rotate(turn, placed[:, wrist] - placed[:, shoulder])
        turned[:, wrist] = rotation.multiply(turn, turned[:, wrist])
        still = np.maximum(shapes.deep(placed, turned, side)[0] - allowed[left], 0.0)
        less = still < over[left]
        angle[left[less]], over[left[less]] = step, still[less]
        left = left[still > 0.0]
        if not len(left):
            break
    return angle, over


def _against(moved: Motion, top: int, joint: int) -> Array:
    """How ``(F, 4)`` a joint is turned against one above it."""
    return rotation.multiply(rotation.inverse(moved.orientations[:, top]), moved.orientations[:, joint])
