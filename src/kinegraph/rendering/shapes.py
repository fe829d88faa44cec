"""From a skeleton to a body: rounded cones that follow joints, as thick as the parts of a person.

A rounded cone is the hull of two spheres. Their centres are weighted sums of joint and tip positions, so that a pose costs one
small matrix product. Measures are shares of the body's height, after common artists' and ergonomic proportions.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import Motion, Skeleton, body, rotation

# What a cone is painted with; see `palette`.
TORSO, HEAD, LEFT, RIGHT, PLAIN = range(5)
_PAINT_OF_SIDE = {"left": LEFT, "right": RIGHT}

# Hip to ankle, and hips to head joint, as shares of the body's height.
_LEG_SHARE = 0.49
_LEG_AND_SPINE_SHARE = 0.85


@dataclass(frozen=True)
class Cones:
    """Rounded cones in space: ends ``(N, 2, 3)`` and radii ``(N, 2)`` in metres, paints ``(N,)``."""

    ends: Array
    radii: Array
    paints: Array


@dataclass
class _Plan:
    """The cones so far: weights of points for both ends, radii and paint."""

    weights: list[tuple[Array, Array]] = field(default_factory=list)
    radii: list[tuple[float, float]] = field(default_factory=list)
    paints: list[int] = field(default_factory=list)

    def add(self, paint: int, *stations: tuple[Array, float]) -> None:
        """Add a row of cones through stations; each station is a point's weights ``(P,)`` and its radius."""
        for (a, ra), (b, rb) in pairwise(stations):
            self.weights.append((a, b))
            self.radii.append((ra, rb))
            self.paints.append(paint)


class Mannequin:
    """The body of a motion, to be posed frame by frame."""

    def __init__(self, motion: Motion):
        self.motion = motion
        skeleton = motion.rigid().skeleton
        self.stature, known = _stature(motion, skeleton)
        self._gaze = _gaze(motion) if known else None
        plan = _Plan()
        shown = _add_person(plan, skeleton, self.stature) if known else set()
        _add_bones(plan, skeleton, self.stature, shown, known)
        self._weights = np.array(plan.weights)
        self.radii = np.array(plan.radii)
        self.paints = np.array(plan.paints)

    def of(self, motion: Motion) -> Mannequin:
        """The same body in another motion of its skeleton."""
        other = copy(self)
        other.motion = motion
        return other

    def pose(self, frame: int) -> Cones:
        """The cones of one frame."""
        motion = self.motion
        ahead = np.zeros((1, 3))
        if self._gaze is not None:
            head = motion.skeleton.joint("head")
            ahead = self.stature * rotation.rotate(motion.orientations[frame, head], self._gaze)[None]
        points = np.concatenate([motion.positions[frame], motion.tips[frame], ahead])
        return Cones(self._weights @ points, self.radii, self.paints)


def _stature(motion: Motion, skeleton: Skeleton) -> tuple[float, bool]:
    """The body's height in metres, and whether it is known to be a person's."""
    if skeleton.has_roles("left_hip", "right_hip", "left_ankle", "right_ankle"):
        legs = _reach(skeleton, "left_hip", "left_ankle"), _reach(skeleton, "right_hip", "right_ankle")
        leg = 0.5 * sum(legs)
        spine = _reach(skeleton, "hips", "head") if skeleton.has_roles("hips", "head") else 0.0
        height = (leg + spine) / _LEG_AND_SPINE_SHARE if spine > 0.3 * leg else leg / _LEG_SHARE
        if min(legs) > 0:
            return height, True
    first = np.concatenate([motion.positions[0], motion.tips[0]])
    size = float(np.ptp(first, axis=0).max())
    return (size, False) if size > 0 else (1.0, False)


def _reach(skeleton: Skeleton, top: str, bottom: str) -> float:
    """Summed bone length between two roles, 0 where one does not hang below the other."""
    joint, last = skeleton.joint(bottom), skeleton.joint(top)
    length = 0.0
    while joint > last:
        length += float(np.linalg.norm(skeleton.offsets[joint]))
        joint = int(skeleton.parents[joint])
    return length if joint == last else 0.0


def _gaze(motion: Motion) -> Array | None:
    """The direction ``(3,)`` in the head's own axes that is the front of the face.

    Joint axes are the file's own affair, so it is measured: over a clip, the face looks where the body faces.
    """
    if not motion.skeleton.has_roles("head", "left_hip", "right_hip"):
        return None
    head = motion.orientations[:, motion.skeleton.joint("head")]
    mean = rotation.rotate(rotation.inverse(head), motion.facing()).mean(axis=0)
    length = np.linalg.norm(mean)
    return mean / length if length > 0.1 else None


def _add_person(plan: _Plan, skeleton: Skeleton, stature: float) -> set[int]:
    """Limbs, torso and head, as far as the roles are known; gives the joints whose bone to the parent needs no other shape."""
    count = len(skeleton) + len(skeleton.tip_parents)
    unit = np.eye(count + 1)
    roles = {role: unit[index] for role, index in skeleton.roles.items()}
    shown: set[int] = set()
    for side in body.SIDES:
        paint = _PAINT_OF_SIDE[side]
        part = {name: roles.get(f"{side}_{name}") for name in (*body.ARM_ROLES, *body.LEG_ROLES)}
        _add_leg(plan, skeleton, stature, side, part, paint, unit)
        _add_arm(plan, skeleton, stature, side, part, paint, unit)
        shown.update(_heel_tips(skeleton, side, stature))
        for upper, lower in (
            ("hip", "knee"),
            ("knee", "ankle"),
            ("ankle", "toe"),
            ("shoulder", "elbow"),
            ("elbow", "wrist"),
        ):
            if skeleton.has_roles(f"{side}_{upper}", f"{side}_{lower}"):
                shown.update(_between(skeleton, skeleton.joint(f"{side}_{upper}"), skeleton.joint(f"{side}_{lower}")))
    if _add_torso(plan, roles, stature):
        ends = ("left_hip", "right_hip", "left_shoulder", "right_shoulder", "head")
        for end in (end for end in ends if end in roles):
            shown.update(_between(skeleton, 0, skeleton.joint(end)))
    if "head" in roles:
        shown.update(_add_head(plan, skeleton, roles, stature, unit))
    return shown


def _add_leg(
    plan: _Plan, skeleton: Skeleton, size: float, side: str, part: dict[str, Array | None], paint: int, unit: Array
) -> None:
    hip, knee, ankle, toe = (part[name] for name in ("hip", "knee", "ankle", "toe"))
    if hip is not None and knee is not None:
        middle = hip + 0.45 * (knee - hip)
        plan.add(paint, (hip, 0.050 * size), (middle, 0.044 * size), (knee, 0.031 * size))
    if knee is not None and ankle is not None:
        calf = knee + 0.28 * (ankle - knee)
        plan.add(paint, (knee, 0.031 * size), (calf, 0.033 * size), (ankle, 0.020 * size))
    if ankle is None:
        return
    end, length = _farthest(skeleton, skeleton.joint(f"{side}_ankle"))
    tip = unit[end] if length > 0.02 * size else toe
    ball = toe if toe is not None else tip
    if ball is None or tip is None:
        return
    marked = _heel_tips(skeleton, side, size)
    if marked:
        # a marked heel is on the skin: the middle of the round shape lies inside
        heel = unit[marked[0]] + 0.22 * (ankle - unit[marked[0]])
    else:
        # it lies below the ankle, along the shin, and a little behind
        shin = ankle - knee if knee is not None else np.zeros_like(ankle)
        heel = ankle + 0.085 * shin - 0.16 * (ball - ankle)
    plan.add(paint, (ankle, 0.021 * size), (ball, 0.016 * size), (tip, 0.0125 * size))
    plan.add(paint, (ankle, 0.020 * size), (heel, 0.019 * size), (ball, 0.016 * size))


def _heel_tips(skeleton: Skeleton, side: str, size: float) -> list[int]:
    """Point indices of short tips on the ankle of a foot whose toe is known: where the file marks the heel."""
    if not skeleton.has_roles(f"{side}_ankle", f"{side}_toe"):
        return []
    length = np.linalg.norm(skeleton.tip_offsets, axis=-1)
    heels = (skeleton.tip_parents == skeleton.joint(f"{side}_ankle")) & (length > 0) & (length < 0.09 * size)
    return [len(skeleton) + int(tip) for tip in np.flatnonzero(heels)]


def _add_arm(
    plan: _Plan, skeleton: Skeleton, size: float, side: str, part: dict[str, Array | None], paint: int, unit: Array
) -> None:
    shoulder, elbow, wrist = (part[name] for name in ("shoulder", "elbow", "wrist"))
    if shoulder is not None and elbow is not None:
        middle = shoulder + 0.5 * (elbow - shoulder)
        plan.add(paint, (shoulder, 0.032 * size), (middle, 0.026 * size), (elbow, 0.021 * size))
    if elbow is not None and wrist is not None:
        middle = elbow + 0.28 * (wrist - elbow)
        plan.add(paint, (elbow, 0.021 * size), (middle, 0.0235 * size), (wrist, 0.0145 * size))
    if wrist is None:
        return
    end, length = _farthest(skeleton, skeleton.joint(f"{side}_wrist"))
    if length > 0.03 * size:
        knuckles = wrist + min(1.0, 0.055 * size / length) * (unit[end] - wrist)
        fingers = wrist + min(1.0, 0.10 * size / length) * (unit[end] - wrist)
    elif elbow is not None:
        knuckles, fingers = wrist + 0.35 * (wrist - elbow), wrist + 0.6 * (wrist - elbow)
    else:
        return
    plan.add(paint, (wrist, 0.0145 * size), (knuckles, 0.0185 * size), (fingers, 0.011 * size))


def _add_torso(plan: _Plan, roles: dict[str, Array], size: float) -> bool:
    """Wide at shoulders and hips, narrower at the waist: rows of cones side by side. Gives whether it is a whole torso."""
    corners = [roles.get(name) for name in ("left_hip", "right_hip", "left_shoulder", "right_shoulder")]
    left_hip, right_hip, left_shoulder, right_shoulder = corners
    if left_hip is None or right_hip is None:
        return False
    pelvis = 0.5 * (left_hip + right_hip)
    if left_shoulder is None or right_shoulder is None:
        plan.add(TORSO, (left_hip, 0.052 * size), (right_hip, 0.052 * size))
        return False
    top = 0.5 * (left_shoulder + right_shoulder)
    rows = []
    for hip, shoulder in ((left_hip, left_shoulder), (right_hip, right_shoulder)):
        rows.append(
            (
                (pelvis + 0.05 * (top - pelvis) + 0.66 * (hip - pelvis), 0.057 * size),
                (pelvis + 0.42 * (top - pelvis) + 0.40 * (hip - pelvis), 0.055 * size),
                (pelvis + 0.76 * (top - pelvis) + 0.34 * (shoulder - top), 0.0595 * size),
                (top + 0.74 * (shoulder - top), 0.037 * size),
            )
        )
        plan.add(TORSO, *rows[-1])
    for left, right in (ends := list(zip(*rows, strict=True)))[0], ends[-1]:
        plan.add(TORSO, left, right)
    # a middle row fills the valley between the two
    middle = [(0.5 * (left + right), thick) for (left, thick), (right, _) in zip(*rows, strict=True)]
    plan.add(TORSO, *middle)
    neck = roles.get("head", roles.get("neck"))
    if neck is not None:
        base = top + 0.1 * (neck - top)
        plan.add(TORSO, (base, 0.036 * size), (top + 0.55 * (neck - top), 0.028 * size), (neck, 0.027 * size))
        for row in rows:
            plan.add(TORSO, (top + 0.45 * (neck - top), 0.027 * size), (row[-1][0], 0.033 * size))
    return True


def _add_head(plan: _Plan, skeleton: Skeleton, roles: dict[str, Array], size: float, unit: Array) -> set[int]:
    """Skull and jaw; gives the joints that lie inside them."""
    index = skeleton.joint("head")
    head, ahead = roles["head"], unit[-1]
    end, length = _farthest(skeleton, index)
    if length > 0.02 * size:
        up = (unit[end] - head) * (size / length)
    else:
        parent = int(skeleton.parents[index])
        below = float(np.linalg.norm(skeleton.offsets[index]))
        up = (head - unit[parent]) * (size / below) if parent >= 0 and below > 0 else np.zeros_like(head)
    skull = head + 0.066 * up - 0.004 * ahead
    jaw = head + 0.022 * up + 0.017 * ahead
    plan.add(HEAD, (skull, 0.0525 * size), (jaw, 0.030 * size))
    inside = {j for j in skeleton.below(index) if _distance(skeleton, index, j) < 0.17 * size}
    tips = {len(skeleton) + t for t, p in enumerate(skeleton.tip_parents) if p == index or int(p) in inside}
    return inside | tips


def _add_bones(plan: _Plan, skeleton: Skeleton, size: float, shown: set[int], known: bool) -> None:
    """A thin bone for every segment that no body part shows: fingers, spines, tails, and whole creatures without roles."""
    count = len(skeleton)
    unit = np.eye(count + len(skeleton.tip_parents) + 1)
    parents = [*map(int, skeleton.parents), *map(int, skeleton.tip_parents)]
    lengths = np.linalg.norm(np.concatenate([skeleton.offsets, skeleton.tip_offsets]), axis=-1)
    paints = _paints(skeleton) if known else [PLAIN] * count
    for index, parent in enumerate(parents):
        if parent < 0 and not shown:
            plan.add(paints[0], (unit[0], 0.012 * size), (unit[0], 0.012 * size))
        elif parent >= 0 and index not in shown:
            paint = paints[index] if index < count else paints[parent]
            thick = 0.009 * size if known else float(np.clip(0.11 * lengths[index], 0.010 * size, 0.026 * size))
            plan.add(paint, (unit[parent], thick), (unit[index], (0.8 if known else 0.5) * thick))


def _paints(skeleton: Skeleton) -> list[int]:
    """The paint of every joint: that of the limb it hangs on."""
    own = {
        index: _PAINT_OF_SIDE[role.split("_")[0]]
        for role, index in skeleton.roles.items()
        if "_" in role and role.split("_")[1] != "collar"
    }
    paints: list[int] = []
    for index, parent in enumerate(skeleton.parents):
        paints.append(own.get(index, paints[parent] if parent >= 0 else TORSO))
    return paints


def _between(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Joints from below ``top`` down to ``bottom``; none where they are not on one chain."""
    found = []
    while bottom > top:
        found.append(bottom)
        bottom = int(skeleton.parents[bottom])
    return found if bottom == top else []


def _distance(skeleton: Skeleton, top: int, joint: int) -> float:
    """Distance in the rest pose, in metres."""
    return float(np.linalg.norm(skeleton.rest[joint] - skeleton.rest[top]))


def _farthest(skeleton: Skeleton, top: int) -> tuple[int, float]:
    """The joint or tip below ``top`` that reaches farthest in the rest pose: its point index and distance in metres."""
    joints = skeleton.below(top)
    best, length = top, 0.0
    for joint in joints:
        if (distance := _distance(skeleton, top, joint)) > length:
            best, length = joint, distance
    for tip, parent in enumerate(skeleton.tip_parents):
        if int(parent) == top or int(parent) in joints:
            end = skeleton.rest[parent] + skeleton.tip_offsets[tip]
            if (distance := float(np.linalg.norm(end - skeleton.rest[top]))) > length:
                best, length = len(skeleton) + tip, distance
    return best, length
