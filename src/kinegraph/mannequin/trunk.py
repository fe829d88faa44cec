"""Pelvis, chest and neck as one smooth shell along the spine, and the head on top of it."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import MotionError
from kinegraph.mannequin import proportions as p
from kinegraph.mannequin.loft import Shell, loft, smooth_table, squared
from kinegraph.mannequin.sculpture import Line, Sculpture
from kinegraph.motion import Skeleton
from kinegraph.motion.body import SIDES


def add_trunk(body: Sculpture) -> None:
    """The trunk, whose width follows from the distance between hips and between shoulders."""
    stance, size, skeleton = body.stance, body.size, body.stance.skeleton
    hips = [stance.place(f"{side}_hip") for side in SIDES]
    pelvis = 0.5 * (hips[0] + hips[1])
    top, shoulders = _top(body)
    neck = stance.place("head") if skeleton.has_roles("head") else top + 0.08 * size * stance.up
    points = [pelvis]
    for point, least in ((top, 0.1), (neck, 0.03)):
        gap = float(np.linalg.norm(point - points[-1]))
        # joints that coincide, or a head below the shoulders, would turn the trunk inside out
        sound = gap > least * size and float((point - points[-1]) @ stance.up) > 0.5 * gap
        points.append(point if sound else points[-1] + (least + 0.05) * size * stance.up)
    line = Line(np.array(points))
    rings = p.TRUNK_RINGS
    at = line.places(rings)
    radii = size * smooth_table(p.TRUNK[:, 0], p.TRUNK[:, 1:], rings)
    half_hips = 0.5 * float(np.linalg.norm(hips[0] - hips[1]))
    for half, usual, share in (
        (half_hips, p.HALF_HIPS, p.HIPS_SHARE),
        (shoulders, p.HALF_SHOULDERS, p.SHOULDERS_SHARE),
    ):
        wider = np.clip(half - usual * size, -0.03 * size, 0.05 * size)
        radii[:, 0] += wider * np.interp(rings, share[:, 0], share[:, 1])
    shell = loft(
        at,
        line.at(at),
        line.tangents(at, 0.03 * size),
        stance.ahead,
        radii,
        segments=20,
        caps=(p.TRUNK_CAPS[0] * size, p.TRUNK_CAPS[1] * size),
        rounds=(5, 1),
        square=p.TRUNK_SQUARE,
    )
    joints = _spine(skeleton)
    weights = body.chained(shell, line, joints, {}, p.SPINE_REACH * size)
    body.add("torso", shell, _with_limbs(body, shell, line, weights))


def add_head(body: Sculpture) -> None:
    """A head with chin, brow and nose, so that it is clear which way it looks."""
    stance, skeleton = body.stance, body.stance.skeleton
    joint = skeleton.joint("head")
    height = p.HEAD_HEIGHT * body.size
    up = _head_axis(body, joint)
    ahead = squared(stance.ahead, up[None])[0]
    reach = max([float((point - stance.positions[joint]) @ up) for point in body.points_below(joint)], default=0.0)
    crown = float(np.clip(reach, p.CROWN * body.size, p.HIGHEST_CROWN * body.size))
    chin = stance.positions[joint] + (crown - height) * up
    rings = p.HEAD_RINGS
    shell = loft(
        rings,
        chin + height * rings[:, None] * up,
        np.tile(up, (len(rings), 1)),
        ahead,
        height * smooth_table(p.HEAD[:, 0], p.HEAD[:, 1:], rings),
        segments=20,
        caps=(p.HEAD_CAPS[0] * height, p.HEAD_CAPS[1] * height),
        rounds=(1, 5),
    )
    places = (shell.vertices - chin) / height
    aside, forward = places @ np.cross(up, ahead), places @ ahead
    bump = np.interp(places @ up, p.NOSE[:, 0], p.NOSE[:, 1])
    out = np.where(forward > 0, bump * np.exp(-((aside / p.NOSE_WIDTH) ** 2)), 0.0)
    shell = Shell(shell.vertices + height * out[:, None] * ahead, shell.faces, shell.along)
    body.add("head", shell, body.rigid(shell, joint))


def _top(body: Sculpture) -> tuple[Array, float]:
    """The point between the shoulders ``(3,)`` and half their distance; from the neck or the head where there are no arms."""
    stance, size, roles = body.stance, body.size, body.stance.skeleton.roles
    if all(f"{side}_shoulder" in roles for side in SIDES):
        left, right = (stance.place(f"{side}_shoulder") for side in SIDES)
        return 0.5 * (left + right), 0.5 * float(np.linalg.norm(left - right))
    known = next((role for role in ("neck", "head", "chest") if role in roles), None)
    pelvis: Array = 0.5 * (stance.place("left_hip") + stance.place("right_hip"))
    if known is None:
        return pelvis + 0.29 * size * stance.up, p.HALF_SHOULDERS * size
    return stance.place(known) - (0.07 * size if known == "head" else 0.0) * stance.up, p.HALF_SHOULDERS * size


def _spine(skeleton: Skeleton) -> list[int]:
    """The joints from the hips up to the head, or as far as they are known."""
    hips = skeleton.joint("hips")
    for role in ("head", "neck", "chest", "spine"):
        if role in skeleton.roles:
            try:
                return skeleton.chain(hips, skeleton.joint(role))
            except MotionError:
                continue
    return [hips]


def _with_limbs(body: Sculpture, shell: Shell, line: Line, weights: Array) -> Array:
    """The trunk's weights ``(V, J)`` with a share for the collars at the shoulders and for the thighs at the seat."""
    stance, skeleton = body.stance, body.stance.skeleton
    pelvis, top = line.starts[0], line.starts[1]
    height = (shell.along - pelvis) / (top - pelvis)
    aside = (shell.vertices - line.points[0]) @ stance.left
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        if skeleton.has_roles(f"{side}_shoulder"):
            shoulder = skeleton.joint(f"{side}_shoulder")
            half = max(0.02 * body.size, float((stance.positions[shoulder] - line.points[0]) @ stance.left) * sign)
            outward = _ramp(sign * aside / half, 0.25, 0.8)
            raised = _ramp(height, 0.68, 0.95) * (1 - _ramp(height, 1.1, 1.3))
            weights = _shifted(weights, int(skeleton.parents[shoulder]), 0.85 * outward * raised)
            weights = _shifted(weights, shoulder, 0.2 * _ramp(sign * aside / half, 0.55, 0.9) * raised)
        hip = skeleton.joint(f"{side}_hip")
        half = max(0.02 * body.size, float((stance.positions[hip] - line.points[0]) @ stance.left) * sign)
        weights = _shifted(weights, hip, 0.3 * _ramp(sign * aside / half, 0.2, 1.2) * (1 - _ramp(height, -0.08, 0.12)))
    return weights


def _shifted(weights: Array, joint: int, share: Array) -> Array:
    """Weights ``(V, J)`` of which a joint takes a share ``(V,)`` from all others."""
    weights = weights * (1 - share[:, None])
    weights[:, joint] += share
    return weights


def _ramp(x: Array, low: float, high: float) -> Array:
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    ramp: Array = t * t * (3 - 2 * t)
    return ramp


def _head_axis(body: Sculpture, joint: int) -> Array:
    """Which way is up for the head ``(3,)``: as for the body, unless it is clearly bent.

    The crown's own direction is no good guide otherwise: many skeletons have it well in front of the head's joint.
    """
    up = body.stance.up
    for point in body.points_below(joint):
        away = point - body.stance.positions[joint]
        size = float(np.linalg.norm(away))
        if size > 0.04 * body.size and 0.3 * size < float(away @ up) < 0.87 * size:
            axis: Array = away / size
            return axis
    return up
