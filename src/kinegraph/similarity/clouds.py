"""Point clouds: the body as weighted points, prepared so that a plain sum of squares is the distance.

A frame's cloud is a set of points p with weights w that sum to 1. Points on bones are blends of joint positions, so
the weighted sum of squares over all points is a quadratic form in the joints alone: Σ w |p − p'|² = |R (j − j')|²,
with a matrix R that has at most as many rows as there are distinct joints. A comparison therefore costs the same however
many points lie on the bones. Joints that are always at the same place (such as hip joints at the root) count as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, frozen_array
from kinegraph.errors import MotionError
from kinegraph.motion.body import SIDES, check_role
from kinegraph.motion.clip import Motion
from kinegraph.motion.leaps import sound_frames
from kinegraph.motion.skeleton import Skeleton
from kinegraph.shelf import OnShelf, Shelf, laid_aside

# Parts of the body's mass and where along the segment their centre lies (de Leva 1996, mean of women and men): each
# segment's mass is shared between the joints at its two ends accordingly.
_TRUNK = {"hips": 0.118, "spine": 0.156, "chest": 0.079, "head": 0.068}
_SHOULDERS = 0.079
_SEGMENTS = (
    ("shoulder", "elbow", 0.0263, 0.576),
    ("elbow", "wrist", 0.0150, 0.457),
    ("wrist", "wrist", 0.0059, 0.0),
    ("hip", "knee", 0.1447, 0.385),
    ("knee", "ankle", 0.0457, 0.442),
    ("ankle", "toe", 0.0133, 0.421),
)
# who takes the mass of a joint that a skeleton lacks
_INSTEAD = {
    "spine": "hips",
    "chest": "spine",
    "head": "neck",
    "neck": "chest",
    "shoulder": "chest",
    "elbow": "shoulder",
    "wrist": "elbow",
    "hip": "hips",
    "knee": "hip",
    "ankle": "knee",
    "toe": "ankle",
}

_SAME_PLACE = 1e-9  # metres
_NO_WEIGHT = 1e-12  # of the largest


@dataclass(frozen=True, eq=False)
class Cloud:
    """The points of a clip, scaled by the square roots of their weights."""

    points: Array
    """``(F, 3, K)``: x, y, z of K points."""
    base: Array
    """``(K,)``: what a shift of the whole body by one metre adds to a coordinate of each point; the squares sum to 1."""
    sound: NDArray[np.bool_]
    """``(F,)``: False where the capture lost a joint. No window may contain such a frame."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen_array(self.points))
        object.__setattr__(self, "base", frozen_array(self.base))
        object.__setattr__(self, "sound", frozen_array(self.sound, np.bool_))

    def __len__(self) -> int:
        return len(self.points)


class KeptCloud(OnShelf, Cloud):
    """A cloud whose points lie on a shelf."""

    _plain = Cloud

    @classmethod
    def of(cls, cloud: Cloud, shelf: Shelf) -> KeptCloud:
        """The cloud, of which from now on only the shelf holds the points."""
        made: KeptCloud = laid_aside(cls, cloud, shelf, ("points",))
        return made


class PosedCloud(OnShelf, Cloud):
    """A cloud whose points are worked out whenever they are asked for, and not held: where few are needed, or one at a time."""

    _plain = Cloud

    @classmethod
    def of(cls, motion: Motion, matrix: Array, sound: NDArray[np.bool_]) -> PosedCloud:
        """As `cloud`."""
        made: PosedCloud = object.__new__(cls)
        shape = (len(motion), 3, len(matrix))
        place = _Posed(motion, matrix, shape)
        vars(made).update(base=frozen_array(matrix.sum(axis=1)), sound=sound, _shelf=_POSES, _places={"points": place})
        return made


@dataclass(frozen=True, eq=False)
class _Posed:
    """What the points of a cloud are worked out from."""

    motion: Motion
    matrix: Array
    shape: tuple[int, ...]


class _Poses:
    """Stands where clouds that are laid aside have their shelf."""

    def get(self, place: _Posed) -> Array:
        return _points(place.motion, place.matrix)


_POSES = _Poses()


def mass_weights(skeleton: Skeleton, overrides: Mapping[str, float] | None = None) -> Array:
    """``(J,)`` weights from body mass, which sum to 1. ``overrides``: role → its weight before the sum is made 1.

    A segment's mass is put on the joints at its two ends; joints without a role (fingers, further joints of the spine) weigh
    nothing. If no joint of a skeleton has a role, all joints weigh the same.
    """
    roles = skeleton.roles
    weights = np.zeros(len(skeleton))
    for role, mass in _masses().items():
        joint = _holder(role, roles)
        if joint is not None:
            weights[joint] += mass
    if not weights.any():
        weights[:] = 1.0
    for role, weight in (overrides or {}).items():
        if not 0 <= weight < np.inf:
            raise MotionError(f"the weight of {role} must be 0 or positive, got {weight}")
        weights[skeleton.joint(check_role(role))] = weight
    if not weights.sum() > 0:
        raise MotionError("all joints weigh nothing: give at least one of them a weight")
    return np.asarray(weights / weights.sum())


def _masses() -> dict[str, float]:
    masses = dict(_TRUNK)
    for side in SIDES:
        masses[f"{side}_shoulder"] = _SHOULDERS / 2
        for near, far, mass, centre in _SEGMENTS:
            for part, share in ((near, 1 - centre), (far, centre)):
                masses[f"{side}_{part}"] = masses.get(f"{side}_{part}", 0.0) + mass * share
    return masses


def _holder(role: str, roles: Mapping[str, int]) -> int | None:
    side, _, part = role.rpartition("_")
    while True:
        found = roles.get(f"{side}_{part}") if side else None
        if found is None:
            found = roles.get(part)
        if found is not None or part not in _INSTEAD:
            return found
        part = _INSTEAD[part]


def cloud_matrix(skeleton: Skeleton, weights: Array, along: int = 0) -> Array:
    """``(K, J)``: the matrix R that turns joint positions into points whose plain sum of squares is the weighted one.

    weights: ``(J,)``; their sum is made 1. along: how many points lie on each bone between its two joints. A joint then
    shares its weight with the points next to it.
    """
    joints = len(skeleton)
    distinct = _representatives(skeleton)
    rows, row_weights = [np.eye(joints)], [np.asarray(weights, np.float64)]
    bones = [(int(parent), joint) for joint, parent in enumerate(skeleton.parents) if parent >= 0]
    ends = np.bincount(np.array(bones, np.int64).ravel(), minlength=joints) if bones else np.zeros(joints)
    for fraction in (np.arange(along) + 1) / (along + 1):
        for parent, joint in bones:
            row = np.zeros(joints)
            row[parent] += 1 - fraction
            row[joint] += fraction
            rows.append(row[None])
            shared = weights[parent] * (1 - fraction) / ends[parent] + weights[joint] * fraction / ends[joint]
            row_weights.append(np.array([shared]))
    points, shares = np.concatenate(rows), np.concatenate(row_weights)
    merged = np.zeros_like(points)
    np.add.at(merged.T, distinct, points.T)
    shares = shares / shares.sum()
    if along == 0:
        total = np.bincount(distinct, weights=shares, minlength=joints)
        kept = np.flatnonzero(total > _NO_WEIGHT * total.max())
        matrix = np.zeros((len(kept), joints))
        matrix[np.arange(len(kept)), kept] = np.sqrt(total[kept])
        return matrix
    values, vectors = np.linalg.eigh(merged.T @ (shares[:, None] * merged))
    kept = np.flatnonzero(values > _NO_WEIGHT * values.max())
    return np.asarray(np.sqrt(values[kept])[:, None] * vectors[:, kept].T)


def cloud(motion: Motion, matrix: Array, sound: NDArray[np.bool_] | None = None) -> Cloud:
    """The `Cloud` of a rigid clip, by the matrix of its skeleton from `cloud_matrix`.

    sound: ``(F,)``; by default `sound_frames` of the motion, which only finds leaps in clips at their captured rate.
    """
    points = _points(motion, matrix)
    return Cloud(points, matrix.sum(axis=1), sound_frames(motion) if sound is None else sound)


def _points(motion: Motion, matrix: Array) -> Array:
    """``(F, 3, K)``: the points of a clip."""
    from kinegraph.similarity.posing import places  # here: compiled code takes its time to import

    if motion.translations is not None:
        motion = motion.rigid()
    positions = places(motion)
    if not np.isfinite(positions).all():
        frame = int(np.argwhere(~np.isfinite(positions))[0][0])
        raise MotionError(
            f"{motion.name or 'clip'}: joint positions are not finite at frame {frame}: offsets or root are out of range"
        )
    single = np.count_nonzero(matrix, axis=1) == 1
    if single.all():
        # each point is a joint, as nearly always: no sums
        joint = np.argmax(matrix != 0, axis=1)
        points = positions[:, joint] * matrix[np.arange(len(joint)), joint][:, None]
    else:
        points = np.matmul(matrix, positions)
    return np.ascontiguousarray(points.transpose(0, 2, 1))


def _representatives(skeleton: Skeleton) -> NDArray[np.int64]:
    """``(J,)``: for each joint the first one that is always at the same place."""
    first = np.arange(len(skeleton))
    at: dict[tuple[int, tuple[float, ...]], int] = {}
    for joint, parent in enumerate(skeleton.parents):
        if parent < 0:
            continue
        offset = skeleton.offsets[joint]
        if np.linalg.norm(offset) < _SAME_PLACE:
            first[joint] = first[parent]
            continue
        key = (int(parent), tuple(np.round(offset, 9).tolist()))
        first[joint] = at.setdefault(key, joint)
    return first
