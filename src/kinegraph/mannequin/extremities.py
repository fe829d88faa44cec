"""Hands and feet."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.mannequin import proportions as p
from kinegraph.mannequin.loft import Shell, loft, smooth_table, squared
from kinegraph.mannequin.sculpture import Line, Sculpture

# Fingers that are drawn one by one: as many as this, each of at least two bones.
_FEWEST_FINGERS = 4
# By how much the line from the ankle to the ball goes down in a foot that stands, in radians: at most, and mostly.
_STEEPEST, _USUAL_DIP = 0.75, 0.45


def add_hand(body: Sculpture, side: str, joint: int) -> None:
    """Palm, fingers and thumb. Fingers are separate if the skeleton has them, otherwise they are held together."""
    stance, size, skeleton = body.stance, body.size, body.stance.skeleton
    wrist = stance.positions[joint]
    chains = _chains(body, joint)
    thumbs = [chain for chain in chains if "thumb" in skeleton.names[chain[0]].lower()]
    fingers = [chain for chain in chains if chain not in thumbs]
    along = _hand_direction(body, side, joint, fingers)
    towards_thumb = _thumb_side(body, thumbs, wrist, along)
    # right hands are left hands in a mirror: the palm is on the other side
    palm = np.cross(along, towards_thumb) * (1.0 if side == "left" else -1.0)
    drawn = [chain for chain in (*fingers, *thumbs) if len(chain) > 1]
    if len(drawn) >= _FEWEST_FINGERS:
        _add_palm(body, side, joint, along, towards_thumb, fingers)
        for chain in drawn:
            _add_finger(body, side, chain, towards_thumb)
        return
    length = p.HAND_LENGTH * size
    rings = p.HAND_RINGS
    # fingers at ease are a little bent
    bend = p.CURL * length * np.maximum(rings - 0.35, 0.0)[:, None] ** 1.5 * palm
    centres = wrist + length * rings[:, None] * along + bend
    tangents = np.gradient(centres, axis=0)
    tangents /= np.linalg.norm(tangents, axis=-1, keepdims=True)
    shell = loft(
        length * rings,
        centres,
        tangents,
        towards_thumb,
        size * smooth_table(p.HAND[:, 0], p.HAND[:, 1:], rings),
        segments=12,
        caps=(p.HAND_CAPS[0] * size, p.HAND_CAPS[1] * size),
        square=(2.4, 2.4),
    )
    main = max(fingers, key=len, default=[])
    line = Line(np.stack([wrist, wrist + length * along]))
    body.add(f"{side} hand", shell, body.chained(shell, line, [joint, *main], {}, 0.02 * size))
    root = wrist + length * (0.14 * along + 0.10 * towards_thumb)
    out = 0.72 * along + 0.62 * towards_thumb + 0.25 * palm
    thumb_line = Line(np.stack([root, root + p.THUMB_LENGTH * size * out / np.linalg.norm(out)]))
    thumb = _tapered(thumb_line, size * p.THUMB_RADII[0], size * p.THUMB_RADII[1], palm, 4)
    body.add(f"{side} hand", thumb, body.rigid(thumb, thumbs[0][0] if thumbs else joint))


def add_foot(body: Sculpture, side: str) -> None:
    """A foot with a flat sole, from the heel to the toes, that bends at the ball."""
    stance, size, skeleton = body.stance, body.size, body.stance.skeleton
    ankle = skeleton.joint(f"{side}_ankle")
    toe = skeleton.roles.get(f"{side}_toe")
    place = stance.positions[ankle]
    points = body.points_below(ankle)
    forward, up = _foot_axes(body, side, points)
    reaches = np.array([(point - place) @ forward for point in points] or [0.0])
    sole = max(p.ANKLE_HEIGHT * size, *((place - point) @ up for point in points)) if points else p.ANKLE_HEIGHT * size
    sole = min(sole, 0.07 * size)
    ball = float((stance.positions[toe] - place) @ forward) if toe is not None else 0.0
    ball = ball if ball > 0.03 * size else p.BALL_AHEAD * size
    tip = max(float(reaches.max()), ball + 0.6 * p.TOE_LENGTH * size)
    tip = min(tip, ball + 1.6 * p.TOE_LENGTH * size)
    heel = float(
        np.clip(-reaches.min() if reaches.min() < -0.01 * size else p.HEEL_BACK * size, 0.02 * size, 0.05 * size)
    )
    rings = p.FOOT_RINGS
    at = np.interp(rings, [-1.0, 0.0, 1.0, 2.0], [-heel, 0.0, ball, tip])
    widths, tops, soles = (size * smooth_table(p.FOOT[:, 0], p.FOOT[:, 1:], rings)).T
    tops = tops * sole / (p.ANKLE_HEIGHT * size)
    # an oval's middle lies low: the sole is flat and the instep round
    middles = soles + 0.4 * (tops - soles)
    centres = place + at[:, None] * forward + (middles - sole)[:, None] * up
    shell = loft(
        at,
        centres,
        np.tile(forward, (len(rings), 1)),
        up,
        np.stack([widths, tops - middles, middles - soles], axis=-1),
        segments=12,
        caps=(p.FOOT_CAPS[0] * size, p.FOOT_CAPS[1] * size),
        square=p.FOOT_SQUARE,
    )
    line = Line(np.stack([place, place + tip * forward]))
    joints = [ankle] if toe is None or toe not in skeleton.below(ankle) else skeleton.chain(ankle, toe)
    body.add(f"{side} foot", shell, body.chained(shell, line, joints, {}, p.BALL_REACH * size))


def _chains(body: Sculpture, top: int) -> list[list[int]]:
    """Rows of joints below a joint, each from a child as far down as it goes without parting."""
    skeleton = body.stance.skeleton
    rows = []
    for child in skeleton.children[top]:
        row = [child]
        while len(skeleton.children[row[-1]]) == 1:
            row.append(skeleton.children[row[-1]][0])
        rows.append(row)
    return rows


def _end(body: Sculpture, chain: list[int]) -> Array:
    """The far end ``(3,)`` of a row of joints: its last joint's tip, where it has one."""
    tips = body.stance.skeleton.tips_of[chain[-1]]
    end: Array = body.stance.tips[tips[0]] if tips else body.stance.positions[chain[-1]]
    return end


def _hand_direction(body: Sculpture, side: str, joint: int, fingers: list[list[int]]) -> Array:
    """Unit vector ``(3,)`` down the middle of the hand; the forearm's where the skeleton shows no fingers."""
    wrist = body.stance.positions[joint]
    ends = [_end(body, chain) - wrist for chain in fingers]
    for away in (np.mean(ends, axis=0) if ends else np.zeros(3), wrist - body.stance.place(f"{side}_elbow")):
        size = float(np.linalg.norm(away))
        if size > 0.015 * body.size:
            direction: Array = away / size
            return direction
    return body.stance.left if side == "left" else -body.stance.left


def _thumb_side(body: Sculpture, thumbs: list[list[int]], wrist: Array, along: Array) -> Array:
    """Unit vector ``(3,)`` square to the hand on which its thumb is: ahead where the skeleton has none, as of arms spread or hanging."""
    if thumbs:
        away = _end(body, thumbs[0]) - wrist
        flat = away - (away @ along) * along
        if np.linalg.norm(flat) > 0.006 * body.size:
            unit: Array = flat / np.linalg.norm(flat)
            return unit
    square: Array = squared(body.stance.ahead, along[None])[0]
    return square


def _add_palm(
    body: Sculpture, side: str, joint: int, along: Array, towards_thumb: Array, fingers: list[list[int]]
) -> None:
    """The hand from the wrist to the knuckles."""
    size, wrist = body.size, body.stance.positions[joint]
    knuckles = body.stance.positions[[chain[0] for chain in fingers]] - wrist
    length = float(np.clip(np.mean(knuckles @ along), 0.03 * size, 0.07 * size))
    outer = float(np.clip((knuckles @ towards_thumb).max(), 0.010 * size, 0.025 * size)) + 0.006 * size
    inner = float(np.clip(-(knuckles @ towards_thumb).min(), 0.010 * size, 0.025 * size)) + 0.006 * size
    rings = np.array([0.0, 0.25, 0.5, 0.75, 0.95])
    grow = np.array([0.0, 0.45, 0.8, 1.0, 0.95])[:, None]
    start = size * p.HAND[0, 1:]
    radii = start + grow * (np.array([0.0110 * size, outer, inner]) - start)
    shell = loft(
        length * rings,
        wrist + length * rings[:, None] * along,
        np.tile(along, (len(rings), 1)),
        towards_thumb,
        radii,
        segments=12,
        caps=(p.HAND_CAPS[0] * size, 0.008 * size),
        square=(2.6, 2.6),
    )
    body.add(f"{side} hand", shell, body.rigid(shell, joint))


def _add_finger(body: Sculpture, side: str, chain: list[int], front: Array) -> None:
    points = [body.stance.positions[joint] for joint in chain] + [_end(body, chain)]
    kept, joints = points[:1], [chain[0]]
    for joint, point in zip([*chain[1:], chain[-1]], points[1:], strict=True):
        if np.linalg.norm(point - kept[-1]) > 0.004 * body.size:
            kept.append(point)
            joints.append(joint)
    if len(kept) < 2:
        return
    line = Line(np.array(kept))
    thick, thin = p.FINGER_RADII
    shell = _tapered(line, thick * body.size, thin * body.size, front, len(kept) + 1)
    body.add(f"{side} hand", shell, body.chained(shell, line, chain, {}, 0.006 * body.size))


def _tapered(line: Line, thick: float, thin: float, front: Array, rings: int) -> Shell:
    """A thin rounded tube along a line."""
    last = float(line.starts[-1])
    at = np.linspace(0.0, max(last - thin, 0.5 * last), rings)
    radius = np.linspace(thick, thin, rings)
    return loft(
        at,
        line.at(at),
        line.tangents(at, 0.5 * thick),
        front,
        np.repeat(radius[:, None], 3, axis=1),
        segments=6,
        caps=(thick, thin),
        rounds=(1, 1),
    )


def _foot_axes(body: Sculpture, side: str, points: list[Array]) -> tuple[Array, Array]:
    """Unit vectors ``(3,)`` along the sole and up from it.

    A leg that is spread in the rest pose takes its foot along: the sole is as much aslant as the shin.
    """
    stance, skeleton = body.stance, body.stance.skeleton
    ankle = stance.place(f"{side}_ankle")
    shin = stance.place(f"{side}_knee") - ankle
    toe = stance.place(f"{side}_toe") if skeleton.has_roles(f"{side}_toe") else None
    away = (toe if toe is not None else max(points, key=lambda q: np.linalg.norm(q - ankle), default=ankle)) - ankle
    if np.linalg.norm(away) < 0.02 * body.size:
        away = stance.ahead
    across = np.cross(shin, away)
    if np.linalg.norm(across) < 0.1 * np.linalg.norm(shin) * np.linalg.norm(away):
        # the foot goes on as the shin does: toes that are pointed
        across = np.cross(shin, stance.ahead)
    if across @ stance.left <= 0:
        across = stance.left
    across = across / np.linalg.norm(across)
    up = stance.up - (stance.up @ across) * across
    up /= np.linalg.norm(up)
    forward = np.cross(across, up)
    dip = float(np.arctan2(-away @ up, away @ forward))
    if not 0.0 <= dip <= _STEEPEST:
        # the heel is off the floor, or the toes are: the sole goes along
        turn = dip - _USUAL_DIP
        forward, up = np.cos(turn) * forward - np.sin(turn) * up, np.cos(turn) * up + np.sin(turn) * forward
    return forward, up
