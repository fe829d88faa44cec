"""Arms and legs: one smooth tube from the trunk to the wrist or the ankle, with a ball inside each knee and elbow."""

from __future__ import annotations

import numpy as np

from kinegraph.mannequin import proportions as p
from kinegraph.mannequin.loft import ball, loft, smooth_table
from kinegraph.mannequin.sculpture import Line, Sculpture


def add_leg(body: Sculpture, side: str) -> None:
    """Thigh and shin, from the hip to the ankle."""
    skeleton = body.stance.skeleton
    joints = [skeleton.joint(f"{side}_{part}") for part in ("hip", "knee", "ankle")]
    _add_tube(body, f"{side} leg", joints, p.LEG)


def add_arm(body: Sculpture, side: str, hand: int) -> None:
    """Upper arm and forearm, from the shoulder to the joint where the hand begins."""
    skeleton = body.stance.skeleton
    joints = [skeleton.joint(f"{side}_shoulder"), skeleton.joint(f"{side}_elbow"), hand]
    _add_tube(body, f"{side} arm", joints, p.ARM)


def hand_joint(body: Sculpture, side: str) -> int:
    """The joint where the hand begins: usually the wrist.

    In Acclaim files the joint called wrist is half-way down the forearm, where it twists; there the hand begins where fingers and thumb
    separate.
    """
    skeleton = body.stance.skeleton
    wrist = skeleton.joint(f"{side}_wrist")
    children = skeleton.children[wrist]
    if len(children) < 2:
        return wrist
    offsets = skeleton.offsets[list(children)]
    together = np.abs(offsets - offsets[0]).max() < 1e-3 * body.size
    far = float(np.linalg.norm(offsets[0]))
    upper, lower = (
        float(np.linalg.norm(body.stance.place(f"{side}_{a}") - body.stance.place(f"{side}_{b}")))
        for a, b in (("shoulder", "elbow"), ("elbow", "wrist"))
    )
    if not together or far < 0.03 * body.size or lower + far > 1.2 * upper:
        return wrist
    return max(children, key=lambda joint: len(skeleton.below(joint)))


def _add_tube(body: Sculpture, part: str, joints: list[int], limb: p.Limb) -> None:
    """The tube through three joints: the limb's top, its hinge and its end."""
    skeleton, size = body.stance.skeleton, body.size
    top, hinge, end = joints
    line = Line(body.stance.positions[joints])
    at = line.places(limb.rings)
    shell = loft(
        at,
        line.at(at),
        line.tangents(at, 0.02 * size),
        body.stance.ahead,
        size * smooth_table(limb.table[:, 0], limb.table[:, 1:], limb.rings),
        segments=limb.segments,
        caps=(size * limb.caps[0], size * limb.caps[1]),
        rounds=(4, 2),
    )
    weights = body.chained(shell, line, skeleton.chain(top, end)[:-1], {hinge: limb.reach * size}, p.TWIST_REACH * size)
    above = int(skeleton.parents[top])
    if above >= 0:
        t = np.clip(0.5 + 0.5 * (shell.along - p.SOCKET * size) / (p.SOCKET_REACH * size), 0.0, 1.0)
        share = t * t * (3 - 2 * t)
        weights *= share[:, None]
        weights[:, above] += 1.0 - share
    body.add(part, shell, weights)
    # a bent tube grows thin at the bend: the ball keeps the knee or elbow full
    thinnest = float(smooth_table(limb.table[:, 0], limb.table[:, 1:], np.ones(1)).min())
    inside = ball(body.stance.positions[hinge], 0.985 * size * thinnest, segments=12)
    body.add(part, inside, body.rigid(inside, hinge))
