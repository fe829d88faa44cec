"""Inverse kinematics of a strike: what a blend still misses is spread over limb, spine and pelvis.

It only looks at the hit, and finds the smallest change of all joints between pelvis and striking end that brings the end to
its target, by Gauss-Newton with a stiffness for each joint. No joint turns further than a limit, elbow and knee only bend,
and none of these joints leaves the human range; the legs that stand are bent afterwards, to keep the feet where they are.
Over time, the change comes and goes smoothly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import rotation
from kinegraph.motion.angles import HUMAN_LIMITS, anatomical_angles
from kinegraph.motion.clip import Motion
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.kinds import ARM, KINDS, LEG
from kinegraph.strikes.strike import standing_sides

LARGEST = float(np.radians(45.0))
"""The most that any joint is turned, in radians: beyond, it is another strike, whatever the body could do."""
_CLOSE = 1e-6  # metres
_STEPS = 30
# How many metres the pelvis is shifted where a joint turns by a radian, and how far it turns: it carries the whole body
# along.
_PELVIS_SHIFT = {ARM: 0.25, LEG: 0.35}
_PELVIS_TURN = 0.5
# Radians: as straight as an elbow or knee is made that was not straighter before, and as bent as it may become.
_STRAIGHTEST, _MOST_BENT = float(np.radians(4.0)), float(np.radians(150.0))
# Radians beyond what people can do that may be added to a pose which the capture itself has there.
_TOLERANCE = float(np.radians(1.0))
# How many times the way is halved where limits forbid to go all of it.
_HALVINGS = 7


@dataclass(frozen=True, eq=False)
class PoseChange:
    """What is added to a pose."""

    chain: tuple[int, ...]
    """The joints that turn."""
    shift: Array
    """``(3,)``: of the root."""
    turns: Array
    """``(C, 3)``: of these joints, about their own axes."""
    left: float
    """What is still missed, in metres."""

    @property
    def largest(self) -> float:
        """The largest turn of any joint, in radians."""
        return float(rotation.length(self.turns).max(initial=0.0))

    def bent(self, share: Array, joints: int) -> float:
        """What ``share (F,)`` of it turns a body of so many joints, in radians: root mean square over joints and frames."""
        return float(np.sqrt(np.sum(self.turns**2) / joints * np.mean(share**2)))


def change(examples: Examples, root: Array, rotations: Array, target: Array, *, pelvis: float = 1.0) -> PoseChange:
    """The smallest change of one pose, root ``(3,)`` and rotations ``(J, 4)``, that brings the striking end to ``target``,
    ``(2,)`` or ``(3,)``, or as near as the limits allow.

    pelvis: how freely the pelvis moves along; 0 is not at all.
    """
    limb = _Limb.of(examples, rotations, pelvis)
    whole = limb.toward(root, rotations, target)
    if _allowed(examples, root, rotations, whole):
        return whole
    hit = limb.places(root, rotations)[0][-1, : len(target)]
    gap = target - hit
    length = float(np.linalg.norm(gap))
    low, high = 0.0, 1.0
    best = PoseChange(limb.chain, np.zeros(3), np.zeros((len(limb.chain), 3)), length)
    for _ in range(_HALVINGS):
        share = 0.5 * (low + high)
        tried = limb.toward(root, rotations, hit + share * gap)
        if _allowed(examples, root, rotations, tried):
            low, best = share, replace(tried, left=(1.0 - share) * length)
        else:
            high = share
    return best


def applied(root: Array, rotations: Array, made: PoseChange, share: Array) -> tuple[Array, Array]:
    """Root ``(F, 3)`` and rotations ``(F, J, 4)`` with ``share (F,)`` of a change."""
    chain = list(made.chain)
    out = rotations.copy()
    out[:, chain] = rotation.multiply(rotations[:, chain], rotation.exp(share[:, None, None] * made.turns))
    return root + share[:, None] * made.shift, out


def bump(frames: int, first: int, top: int, last: int) -> Array:
    """``(frames,)``: 0 up to frame ``first``, rising smoothly to 1 at ``top``, and falling smoothly to 0 at ``last``.

    >>> bump(5, 0, 2, 4).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    at = np.arange(frames, dtype=np.float64)
    part = np.clip(np.minimum((at - first) / max(top - first, 1), (last - at) / max(last - top, 1)), 0.0, 1.0)
    shape: Array = part**3 * (10.0 - 15.0 * part + 6.0 * part**2)
    return shape


@dataclass(frozen=True, eq=False)
class _Limb:
    """The joints from the pelvis to the striking end, and how freely each moves."""

    chain: tuple[int, ...]
    """Joint indices, without the end."""
    offsets: Array
    """``(C, 3)``: from each to the next."""
    ease: Array
    """``(C,)``: how far each turns where others turn by 1."""
    shift: float
    """How far the pelvis moves for such a turn, in metres."""
    hinge: int
    """The place of elbow or knee in the chain."""
    axis: Array
    """``(3,)``: the axis about which it bends, in its own frame."""
    bent: float
    """How far it is bent, in radians."""

    @classmethod
    def of(cls, examples: Examples, rotations: Array, pelvis: float) -> _Limb:
        skeleton, limb = examples.skeleton, KINDS[examples.kind].limb
        chain = tuple(skeleton.chain(0, examples.end)[:-1])
        offsets = skeleton.offsets[[*chain[1:], examples.end]]
        ease = np.ones(len(chain))
        ease[0] = _PELVIS_TURN * pelvis
        joint = skeleton.joint(f"{examples.side}_{limb.hinge}")
        hinge = chain.index(joint)
        upper = rotation.rotate(rotation.inverse(rotations[joint]), skeleton.offsets[joint])
        axis = np.cross(upper, offsets[hinge])
        size = float(np.linalg.norm(axis))
        bent = float(np.arctan2(size, upper @ offsets[hinge]))
        # a limb that is quite straight has no plane to bend in: then it stays so
        return cls(chain, offsets, ease, _PELVIS_SHIFT[limb] * pelvis, hinge, axis / max(size, 1e-9), bent)

    def places(self, root: Array, rotations: Array) -> tuple[Array, Array]:
        """Positions ``(C + 1, 3)`` of the chain and its end, and orientations ``(C, 4)`` of the chain, in one pose."""
        places, orientations = [root], [rotations[0]]
        for number, offset in enumerate(self.offsets):
            if number:
                orientations.append(rotation.multiply(orientations[-1], rotations[self.chain[number]]))
            places.append(places[-1] + rotation.rotate(orientations[-1], offset))
        return np.array(places), np.array(orientations)

    def toward(self, root: Array, rotations: Array, target: Array) -> PoseChange:
        """The smallest change that brings the end to ``target``, without limits."""
        chain, dims = list(self.chain), len(target)
        pose, shift, bent, left = rotations.copy(), np.zeros(3), self.bent, np.inf
        least, most = min(self.bent, _STRAIGHTEST), max(self.bent, _MOST_BENT)
        stiff = False  # elbow or knee at its stop: the rest has to do without
        for _ in range(_STEPS):
            places, orientations = self.places(root + shift, pose)
            gap = target - places[-1, :dims]
            left = float(np.linalg.norm(gap))
            if left < _CLOSE:
                break
            # one row a degree of freedom: joints about their own axes, the hinge about its one, the root along the
            # world's
            arms = places[-1] - places[:-1]
            axes = rotation.to_matrix(orientations).transpose(0, 2, 1) * self.ease[:, None, None]
            axes[self.hinge] = 0.0
            if not stiff:
                axes[self.hinge, 0] = rotation.rotate(orientations[self.hinge], self.axis)
            rows = np.concatenate([rotation.cross(axes, arms[:, None]).reshape(-1, 3), self.shift * np.eye(3)])[
                :, :dims
            ]
            step = rows @ np.linalg.solve(rows.T @ rows + 1e-9 * np.eye(dims), gap)
            turns = step[:-3].reshape(-1, 3) * self.ease[:, None]
            shift = shift + self.shift * step[-3:]
            wished = bent + float(step[3 * self.hinge])
            bend = min(max(wished, least), most) - bent
            stiff = stiff or bend != wished - bent
            turns[self.hinge] = bend * self.axis
            bent += bend
            pose[chain] = rotation.multiply(pose[chain], rotation.exp(turns))
        turned = rotation.log(rotation.multiply(rotation.inverse(rotations[chain]), pose[chain]))
        return PoseChange(self.chain, shift, turned, left)


def _allowed(examples: Examples, root: Array, rotations: Array, made: PoseChange) -> bool:
    """Whether a change arrives, stays within its largest turn, and leaves no joint further out of human range than it
    was.
    """
    if made.left > 1e-4 or made.largest > LARGEST:
        return False
    # no angle of the body changes by more than all joints together turn
    if rotation.length(made.turns).sum() < _TOLERANCE:
        return True
    moved = applied(root[None], rotations[None], made, np.ones(1))
    both = Motion(examples.skeleton, np.stack([root, moved[0][0]]), np.stack([rotations, moved[1][0]]), 1.0)
    standing = tuple(
        f"{side}_{joint}_"
        for side in standing_sides(examples.kind, examples.side)
        for joint in ("hip", "knee", "ankle")
    )
    for name, (before, after) in anatomical_angles(both).items():
        low, high = HUMAN_LIMITS[name]
        if name.startswith(standing):
            continue
        if max(low - after, after - high) > max(0.0, low - before, before - high) + _TOLERANCE:
            return False
    return True
