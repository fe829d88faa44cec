"""Targets: where each foot should be at every frame, before any leg has to reach there.

If heel and ball are planted, the foot is fixed. If only one of them is, the foot turns about it as it does in the motion.
Between plants, the correction at one plant changes smoothly to the correction at the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools, Indices
from kinegraph.feet.bridge import Bridges
from kinegraph.feet.plants import Plant
from kinegraph.feet.sole import Sole, underfoot
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion

Floor = Callable[[Array], Array]
"""Height ``(F, …)`` of the floor in metres under points ``(F, …, 2)`` (x, z), frame by frame."""

# Metres: how deep a sole that is not planted may sink before anything is done about it, and at most.
_SHALLOW, _DEEPEST = 0.002, 0.0035
# Metres to all sides within which the floor's tilt is taken: half a foot's width.
_SIDEWAYS = 0.05
# Metres that toes which hang backwards must be lifted by to be turned to the front in full.
_HANGING = 0.02
# Metres: nobody sees a foot lifted by less.
_UNSEEN = 2e-5
PITCH = 0.2
"""Radians: the most by which a foot pitches about its ball so that its ankle stays where the leg has it."""
# Seconds from flat within which it comes to do so in full.
_GIVING = 0.12


@dataclass(frozen=True, eq=False)
class Target:
    """Where one foot should be."""

    ankle: Array
    """``(F, 3)``."""
    turn: Array
    """``(F, 4)``: the rotation to add to the foot, in the world."""
    toes: Array
    """``(F, 4)``: the rotation to add to its toes, which stay on the floor while the heel rises."""
    planted: Bools
    """``(F,)``: whether any part stands."""


Led = Sequence[tuple[Sole, Target]]
"""Soles, each with where its foot should be."""


def feet(
    motion: Motion, soles: Sequence[Sole], plants: Iterable[Plant], floor: Floor | None = None, pitch: float = PITCH
) -> tuple[tuple[Sole, Target], ...]:
    """The soles of a motion, each with its foot's target, from the plants of all feet.

    floor: what feet must not sink into; by default y = 0. pitch: as `PITCH`, in radians.

    All S feet are computed at once, in arrays ``(F, S, …)``,
    because for a short clip most of the time goes into the number of calls.
    """
    ankle, points = motion.positions.take([sole.ankle for sole in soles], axis=1), underfoot(motion, soles)
    stands, places = _stood(len(motion), soles, plants)
    flat, planted = stands[..., 0] & stands[..., 1], stands[..., 0] | stands[..., 1]
    known = np.zeros(ankle.shape)
    laid = rotation.between(_along(points[flat]), _along(places[flat]))
    if floor is not None:
        laid = rotation.multiply(_rolled(laid, _along(places[flat]), _normals(places[..., 1, :], floor)[flat]), laid)
    known[flat] = rotation.log(laid)
    toes = rotation.exp(Bridges(flat, motion.fps).over(known))
    bridges = Bridges(planted, motion.fps)
    turn = _pitched(toes, ankle, points, stands, places, bridges, pitch)
    arms = _arms(ankle, points, turn, toes)
    # the ball bears wherever it stands
    asked = np.where(stands[..., 1:], places[..., 1, :] - arms[..., 1, :], places[..., 0, :] - arms[..., 0, :])
    place = ankle + bridges.over(asked - ankle)
    rest = _rest(place, arms, soles, floor)
    place, turn, arms = _lifted(place, turn, arms, stands, rest[..., :2], soles)
    toes = _curled(toes, place[..., 1] + arms[..., 1, 1], arms, rest[..., 2], soles)
    parts = zip(*(part.swapaxes(0, 1) for part in (place, turn, toes, planted)), strict=True)
    return tuple((sole, Target(*part)) for sole, part in zip(soles, parts, strict=True))


def yielding(led: Led, motion: Motion, share: Array) -> Led:
    """Targets by whose ``share (F, 2)`` the left and the right foot are led off where they are in a motion; what is led by less than all
    does not stand.
    """
    return [
        (
            sole,
            Target(
                _partly(motion.positions[:, sole.ankle], target.ankle, part),
                rotation.exp(part[:, None] * rotation.log(target.turn)),
                rotation.exp(part[:, None] * rotation.log(target.toes)),
                target.planted & (part == 1.0),
            ),
        )
        for (sole, target), part in zip(led, share.T, strict=True)
    ]


def _partly(here: Array, there: Array, part: Array) -> Array:
    """Points ``(F, 3)`` by ``part (F,)`` on their way; exact at both ends."""
    way: Array = here + part[:, None] * (there - here)
    return np.where(part[:, None] == 1.0, there, way)


def seen_from(feet: Led, steps: Motion, body: Motion) -> tuple[tuple[Sole, Target], ...]:
    """Targets made for the feet of ``steps``, converted for those of ``body``, another motion of the same skeleton."""

    def turned(turn: Array, joint: int) -> Array:
        back = rotation.inverse(body.orientations[:, joint])
        return rotation.multiply(turn, rotation.multiply(steps.orientations[:, joint], back))

    return tuple(
        (
            sole,
            replace(
                target,
                turn=turned(target.turn, sole.ankle),
                toes=target.toes if sole.toe is None else turned(target.toes, sole.toe),
            ),
        )
        for sole, target in feet
    )


def _stood(frames: int, soles: Sequence[Sole], plants: Iterable[Plant]) -> tuple[Bools, Array]:
    """Whether heel and ball of each foot stand, ``(F, S, 2)``, and where they do, ``(F, S, 2, 3)``."""
    stands = np.zeros((frames, len(soles), 2), np.bool_)
    places = np.zeros((frames, len(soles), 2, 3))
    feet = {sole.side: foot for foot, sole in enumerate(soles)}
    for plant in plants:
        here = slice(plant.first, plant.last), feet[plant.side], plant.column % 2
        stands[here] = True
        places[here] = plant.place
    return stands, places


def _arms(ankle: Array, points: Array, turn: Array, toes: Array) -> Array:
    """From the ankle to heel and ball of a foot that is turned, and from its ball to the tip of its toes: ``(F, S, 3,
    3)``.
    """
    arms, turns = points.copy(), np.empty((*points.shape[:-1], 4))
    arms[..., :2, :] -= ankle[..., None, :]
    arms[..., 2, :] -= points[..., 1, :]
    turns[..., :2, :] = turn[..., None, :]
    turns[..., 2, :] = toes
    return rotation.rotate(turns, arms)


def _pitched(
    turn: Array, ankle: Array, points: Array, stands: Bools, places: Array, bridges: Bridges, pitch: float
) -> Array:
    """Turns ``(F, S, 4)`` in which a raised heel gives way by turning about the ball, so that the leg need not follow the ball.

    The foot only pitches and does not tilt sideways. The heel begins to give way when it comes off the floor.
    """
    heel, ball = stands[..., 0], stands[..., 1]
    pushing = np.nonzero(ball & ~heel)
    if len(pushing[0]) == 0:
        return turn
    ankle, points = ankle[pushing], points[pushing]
    wish = ankle - places[pushing][:, 1]
    # from the ball to the ankle, and from the heel to the ball
    sides = np.stack([ankle - points[:, 1], _along(points)], axis=1)
    arm, forth = rotation.rotate(np.repeat(turn[pushing][:, None], 2, axis=1), sides).swapaxes(0, 1)
    across = forth[:, ::-1] * [1.0, 0.0, -1.0]
    across /= np.maximum(rotation.length(across)[:, None], 1e-9)
    wish -= np.einsum("ni,ni->n", wish - arm, across)[:, None] * across
    asked = rotation.log(rotation.between(arm, wish))
    size = np.maximum(rotation.length(asked), 1e-9)
    known = np.zeros((*turn.shape[:-1], 3))
    part = _since(heel & ball, bridges.fps)[pushing]
    known[pushing] = asked * (pitch * np.tanh(size / pitch) / size * part)[:, None]
    return rotation.multiply(rotation.exp(bridges.over(known)), turn)


def _since(flat: Bools, fps: float) -> Array:
    """From 0 at frames in which a foot stands ``flat (F, S)`` to 1 at a little while from any, smoothly."""
    now = np.arange(len(flat))[:, None]
    before = np.maximum.accumulate(np.where(flat, now, -np.inf))
    after = np.minimum.accumulate(np.where(flat, now, np.inf)[::-1])[::-1]
    part = np.minimum(np.minimum(now - before, after - now) / (_GIVING * fps), 1.0)
    smooth: Array = part * part * (3.0 - 2.0 * part)
    return smooth


def _along(points: Array) -> Array:
    """From heel to ball, ``(…, 3)`` of ``(…, 2, 3)``."""
    along: Array = points[..., 1, :] - points[..., 0, :]
    return along


def _rest(ankle: Array, arms: Array, soles: Sequence[Sole], floor: Floor | None) -> Array:
    """How high ``(F, S, 3)`` heel, ball and tip of the toes are when they rest on the floor that is under them."""
    rest = np.array([sole.rest for sole in soles])
    if floor is None:
        return np.broadcast_to(rest, (len(ankle), *rest.shape))
    points = ankle[..., None, :] + arms
    points[..., 2, :] += arms[..., 1, :]
    return rest + floor(points[..., [0, 2]])


def _normals(places: Array, floor: Floor) -> Array:
    """Unit vectors ``(F, S, 3)`` that stand on the floor at ``places (F, S, 3)``."""
    around = _SIDEWAYS * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    height = floor(places[..., None, [0, 2]] + around)
    up = np.full(places.shape, 2.0 * _SIDEWAYS)
    up[..., 0], up[..., 2] = height[..., 1] - height[..., 0], height[..., 3] - height[..., 2]
    unit: Array = up / rotation.length(up)[..., None]
    return unit


def _rolled(laid: Array, along: Array, normal: Array) -> Array:
    """Turns ``(N, 4)`` about the foot ``along (N, 3)`` that bring its upper side, after ``laid (N, 4)``, over the ``normal (N, 3)``."""
    axis = along / np.maximum(rotation.length(along), 1e-9)[:, None]
    up = rotation.rotate(laid, np.broadcast_to([0.0, 1.0, 0.0], axis.shape))
    sine = np.einsum("ni,ni->n", rotation.cross(up, normal), axis)
    across = np.einsum("ni,ni->n", up, axis) * np.einsum("ni,ni->n", normal, axis)
    return rotation.from_axis_angle(axis, np.arctan2(sine, np.einsum("ni,ni->n", up, normal) - across))


def _lifted(
    ankle: Array, turn: Array, arms: Array, stands: Bools, rest: Array, soles: Sequence[Sole]
) -> tuple[Array, Array, Array]:
    """Ankle, turn and `_arms` with heel and ball kept from sinking below their ``rest (F, S, 2)`` where they do not
    stand.
    """
    lift = np.where(stands, 0.0, _lift(ankle[..., 1:2] + arms[..., :2, 1] - rest))
    moved = _sunk(lift)
    feet = moved[1]
    if len(feet) == 0:
        return ankle, turn, arms
    place, turned, reach, bears, lift = ankle[moved], turn[moved], arms[moved][:, :2], stands[moved], lift[moved]
    stiff, rest = np.array([sole.toe is None for sole in soles])[feet], rest[moved]
    # what stands stays, and with nothing standing the middle is where it should be
    share = np.where(bears.any(axis=1, keepdims=True), bears, 0.5)
    share /= share.sum(axis=1, keepdims=True)
    # a lifted foot keeps its length, so its other end sinks a little: the next time sets that right
    for _ in range(5):
        raised = place[:, None] + reach
        raised[..., 1] += lift
        tilt = rotation.between(_along(reach), _along(raised))
        tilt[stiff] = rotation.IDENTITY
        reach = rotation.rotate(np.repeat(tilt[:, None], 2, axis=1), reach)
        place, turned = np.einsum("np,npi->ni", share, raised - reach), rotation.multiply(tilt, turned)
        lift = np.where(bears, 0.0, _lift(place[:, 1:2] + reach[..., 1] - rest))
        lift *= _visible(lift, feet)[:, None]
        if not lift.any():
            break
    ankle, turn, arms = ankle.copy(), turn.copy(), arms.copy()
    ankle[moved], turn[moved], arms[(*moved, slice(2))] = place, turned, reach
    return ankle, turn, arms


def _lift(height: Array) -> Array:
    """By how much points at some height over their rest are raised: smoothly, so that a foot which dips still moves
    without a jerk.
    """
    below = np.minimum(height + _SHALLOW, 0.0)
    room = _DEEPEST - _SHALLOW
    lift: Array = room * np.tanh(below / room) - below
    return lift


def _sunk(lift: Array) -> tuple[Indices, Indices]:
    """Frames and feet at which ``lift (F, S, P)`` raises a point, of the feet for which it is worth it."""
    frames, feet = np.nonzero(lift.any(axis=2))
    seen = _visible(lift[frames, feet], feet)
    return frames[seen], feet[seen]


def _visible(lift: Array, feet: Indices) -> Bools:
    """Of ``feet (N,)`` by which points are raised, ``lift (N, P)``: whether anybody sees it of that foot at any time."""
    most = np.zeros(feet.max(initial=0) + 1)
    np.maximum.at(most, feet, lift.max(axis=1))
    return (most >= _UNSEEN)[feet]


def _curled(toes: Array, ball: Array, arms: Array, rest: Array, soles: Sequence[Sole]) -> Array:
    """Turns of the toes ``(F, S, 4)`` of feet with `_arms` and balls ``ball (F, S)`` high, curled up where they would sink below their
    ``rest (F, S)``.
    """
    tips = arms[..., 2, :]
    lift = _lift(ball + tips[..., 1] - rest) * [sole.tip is not None for sole in soles]
    curled = _sunk(lift[..., None])
    if len(curled[0]) == 0:
        return toes
    straight, lift = tips[curled], lift[curled]
    ahead = _along(arms[curled][:, :2]) * [1.0, 0.0, 1.0]
    ahead /= np.maximum(rotation.length(ahead), 1e-9)[:, None]
    across = np.stack([ahead[:, 2], np.zeros(len(ahead)), -ahead[:, 0]], axis=-1)
    # toes turn about the ball, across the foot: what they gain in height they lose or gain along it, always ahead
    forth = np.einsum("ni,ni->n", straight, ahead)
    length = np.maximum(np.hypot(forth, straight[:, 1]), 1e-6)
    below, facing, raised = (
        np.arctan2(straight[:, 1], forth),
        np.arcsin(np.clip(straight[:, 1] / length, -1.0, 1.0)),
        np.arcsin(np.clip((straight[:, 1] + lift) / length, -1.0, 1.0)),
    )
    # toes that hang backwards come to the front by and by
    turn = raised - facing + np.minimum(lift / _HANGING, 1.0) * np.maximum(facing - below, 0.0)
    toes = toes.copy()
    toes[curled] = rotation.multiply(rotation.from_axis_angle(across, -turn), toes[curled])
    return toes
