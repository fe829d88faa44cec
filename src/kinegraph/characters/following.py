"""All joints of a character as they follow its core: further joints of the spine bend along, twist bones share the twist, others stay put.

A wrist that turns by itself wrings the skin of the forearm. So its twist is spread over the twist bones that lie along the forearm; where
there are none the forearm itself takes its share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array
from kinegraph.characters.character import Character
from kinegraph.characters.core import Core
from kinegraph.motion import body, rotation

# How much of the wrist's twist a forearm without twist bones takes.
_FOREARM = 0.5
# A helper belongs along a bone if it lies between these shares of it, and no further from it than that share.
_FIRST, _LAST, _ASIDE = -0.05, 1.05, 0.2
# Bones that helpers may lie along: from one role to the next, and whether twist comes from the far end (as in the forearm) or from the
# near one (as in the upper arm, whose skin at the shoulder should not turn with the elbow).
_BONES = (("shoulder", "elbow", False), ("elbow", "wrist", True), ("hip", "knee", False))


@dataclass(frozen=True)
class _Twisted:
    """A joint that turns about a bone by a share of the twist of ``by``: of the joint at the far end, or of that at the near end."""

    joint: int
    top: str
    by: str
    share: float
    axis: tuple[float, float, float]


@dataclass(frozen=True)
class Following:
    """What every joint of a character follows, worked out once."""

    roles: Mapping[int, str]
    """Joint → role, of the core."""
    bent: tuple[tuple[int, int, int, float], ...]
    """Joints of the spine and the neck between two with roles: joint, the two, and how far between."""
    twisted: tuple[_Twisted, ...]
    forearms: tuple[tuple[str, tuple[float, float, float]], ...]
    """Sides whose forearm itself takes a share of the twist, with the bone's direction."""
    still: frozenset[int]
    """Joints over the hips, and what hangs on them alone: they stay where they are."""
    tied: frozenset[int]
    """Joints that hang on nothing which moves, but carry skin: they go with the hips."""
    placed: tuple[tuple[int, str], ...]
    """Joints whose place the core tells: the hips, feet that do not hang on their legs, and whatever does not hang on the hips."""
    own: tuple[int, ...]
    """Joints that have a turn of their own, those above first."""
    turned_by: tuple[int, ...]
    """For each joint, which of these it turns with: itself, or one above it."""


def follow(character: Character, core: Core, positions: Array, orientations: Array) -> tuple[Array, Array]:
    """Places ``(F, J, 3)`` and orientations ``(F, J, 4)`` of all joints, from those of the core's."""
    plan = _plan(character, core)
    index = {name: number for number, name in enumerate(core.skeleton.names)}
    turns = {role: orientations[:, index[role]] for role in core.joints}
    frames = len(positions)
    twist = _twists(plan, turns)
    for side, axis in plan.forearms:
        share = _FOREARM * twist[f"{side}_wrist"]
        turns[f"{side}_elbow"] = rotation.multiply(
            turns[f"{side}_elbow"], rotation.from_axis_angle(np.array(axis), share)
        )
    helpers = {one.joint: one for one in plan.twisted}
    bent = {joint: (top, bottom, part) for joint, top, bottom, part in plan.bent}
    # fingers turn as their hand does: few joints have a turn of their own
    own = np.empty((len(plan.own), frames, 4))
    for number, joint in enumerate(plan.own):
        if joint in plan.roles:
            own[number] = turns[plan.roles[joint]]
        elif joint in bent:
            top, bottom, part = bent[joint]
            own[number] = rotation.slerp(turns[plan.roles[top]], turns[plan.roles[bottom]], np.full(frames, part))
        elif joint in helpers:
            one = helpers[joint]
            about = rotation.from_axis_angle(np.array(one.axis), one.share * twist[one.by])
            own[number] = rotation.multiply(turns[one.top], about)
        else:
            own[number] = rotation.IDENTITY
    return _places(character, plan, positions, index, own), own.transpose(1, 0, 2)[:, list(plan.turned_by)]


def _places(character: Character, plan: Following, positions: Array, index: Mapping[str, int], own: Array) -> Array:
    """Places ``(F, J, 3)``: bones hang together, but for what the core places and what stays still. own: ``(O, F, 4)``."""
    rest, parents = character.places, character.skeleton.parents
    told = dict(plan.placed)
    out = np.empty((own.shape[1], len(rest), 3))
    out[:] = rest
    for joint, role in told.items():
        out[:, joint] = positions[:, index[role]]
    free = np.array(
        [parent >= 0 and joint not in told and joint not in plan.still for joint, parent in enumerate(parents)]
    )
    above = np.array(plan.turned_by)[
        np.where([joint in plan.tied for joint in range(len(parents))], range(len(parents)), parents)
    ]
    # those above come first, so what hangs on them is placed by then
    for number, joint in enumerate(plan.own):
        hanging = np.flatnonzero(free & (above == number))
        if len(hanging):
            away = np.matmul(rest[hanging] - rest[joint], rotation.to_matrix(own[number]).transpose(0, 2, 1))
            out[:, hanging] = out[:, joint, None] + away
    return out


def _twists(plan: Following, turns: Mapping[str, Array]) -> dict[str, Array]:
    """Angles ``(F,)`` by which joints are twisted against the one before them, by role; without leaps."""
    wanted = {one.by: one.axis for one in plan.twisted} | {f"{side}_wrist": axis for side, axis in plan.forearms}
    found = {}
    for role, axis in wanted.items():
        side, _, part = role.rpartition("_")
        before = {"wrist": f"{side}_elbow", "shoulder": f"{side}_collar", "hip": "hips"}[part]
        above = turns.get(before)
        if above is None:
            above = turns.get("chest", turns["hips"])
        local = rotation.multiply(rotation.inverse(above), turns[role])
        part_of = rotation.twist(local, np.array(axis))
        angle = np.unwrap(2.0 * np.arctan2(part_of[:, 1:] @ np.array(axis), part_of[:, 0]))
        found[role] = angle - 2.0 * np.pi * np.round(np.median(angle) / (2.0 * np.pi))
    return found


@lru_cache(maxsize=4)
def _plan(character: Character, core: Core) -> Following:
    skeleton, places = character.skeleton, character.places
    roles = {joint: role for role, joint in core.joints.items()}
    hips = core.joints["hips"]
    carried = {hips, *skeleton.below(hips)}
    placed = [(hips, "hips")]
    for side in body.SIDES:
        ankle = core.joints[f"{side}_ankle"]
        if ankle not in skeleton.below(core.joints[f"{side}_knee"]):
            placed.append((ankle, f"{side}_ankle"))
            carried |= {ankle, *skeleton.below(ankle)}
    # some rigs hold trunk, head and arms beside the hips, and tie them by constraints that a file does not tell
    for role, joint in core.joints.items():
        if joint not in carried:
            placed.append((joint, role))
            carried |= {joint, *skeleton.below(joint)}
    bearing = set(character.points.joints[character.points.weights > 0].tolist())
    over = set(trunk_over_hips(character, core))
    tied = frozenset(joint for joint in bearing - carried if joint in over or hips not in skeleton.below(joint))
    still = frozenset(range(len(skeleton))) - carried - tied
    bent = bending(character, core)
    twisted: list[_Twisted] = []
    forearms = []
    for side in body.SIDES:
        for start, end, from_far in _BONES:
            if not {f"{side}_{start}", f"{side}_{end}"} <= core.joints.keys():
                continue
            found = _along(character, core, side, start, end, from_far)
            twisted += found
            if from_far and not found:
                axis = places[core.joints[f"{side}_{end}"]] - places[core.joints[f"{side}_{start}"]]
                forearms.append((side, _tuple(axis / max(float(np.linalg.norm(axis)), 1e-12))))
    own = sorted({0, *roles, *still, *(one.joint for one in twisted), *(one[0] for one in bent)})
    turned_by: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        one = hips if joint in tied else joint
        turned_by.append(own.index(one) if one in own else turned_by[parent])
    return Following(
        roles, tuple(bent), tuple(twisted), tuple(forearms), still, tied, tuple(placed), tuple(own), tuple(turned_by)
    )


def trunk_over_hips(character: Character, core: Core) -> list[int]:
    """Joints that the hips hang on though they carry skin, as rigs have them whose trunk carries all; the topmost one is a handle."""
    above = character.skeleton.chain(0, core.joints["hips"])[1:-1]
    return [joint for joint in above if (character.points.shares([joint]) > 0.5).any()]


def bending(character: Character, core: Core) -> list[tuple[int, int, int, float]]:
    """Joints of the trunk without roles, between two that have them: joint, the two, and how far between."""
    skeleton = character.skeleton
    return [
        found
        for top, bottom in _spine(core)
        if bottom in skeleton.below(top)
        for found in _between(skeleton.chain(top, bottom), character.places)
    ]


def _spine(core: Core) -> list[tuple[int, int]]:
    """Pairs of joints of the trunk, each the next above the other."""
    line = [core.joints[role] for role in body.CENTRAL_ROLES if role in core.joints]
    return list(pairwise(line))


def _between(chain: Sequence[int], places: Array) -> list[tuple[int, int, int, float]]:
    """The joints of a chain between its ends, and how far along it each is."""
    steps = np.linalg.norm(np.diff(places[list(chain)], axis=0), axis=-1)
    far = np.concatenate([[0.0], np.cumsum(steps)]) / max(float(steps.sum()), 1e-12)
    return [(joint, chain[0], chain[-1], float(part)) for joint, part in list(zip(chain, far, strict=True))[1:-1]]


def _along(character: Character, core: Core, side: str, start: str, end: str, from_far: bool) -> list[_Twisted]:
    """Joints without a role that lie along a bone: in its chain, or hanging on its first joint with nothing but skin on them."""
    skeleton, places = character.skeleton, character.places
    top, bottom = core.joints[f"{side}_{start}"], core.joints[f"{side}_{end}"]
    axis = places[bottom] - places[top]
    length = max(float(np.linalg.norm(axis)), 1e-12)
    chain = skeleton.chain(top, bottom)[1:-1] if bottom in skeleton.below(top) else []
    known = set(core.joints.values())
    helpers = [
        child
        for joint in (top, *chain)
        for child in skeleton.children[joint]
        if child not in known and child not in chain
    ]
    bearing = set(character.points.joints[character.points.weights > 0].tolist())
    found = []
    for joint in (*chain, *helpers):
        away = places[joint] - places[top]
        part = float(away @ axis) / length**2
        aside = float(np.linalg.norm(away - part * axis)) / length
        loose = joint in helpers and (skeleton.children[joint] or joint not in bearing)
        if loose or not _FIRST <= part <= _LAST or aside > _ASIDE:
            continue
        part = min(max(part, 0.0), 1.0)
        by, share = (f"{side}_{end}", part) if from_far else (f"{side}_{start}", part - 1.0)
        found.append(_Twisted(joint, f"{side}_{start}", by, share, _tuple(axis / length)))
    return found


def _tuple(v: Array) -> tuple[float, float, float]:
    x, y, z = v.tolist()
    return x, y, z
