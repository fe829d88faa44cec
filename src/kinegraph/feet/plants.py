"""Plants: where and for how long a heel or a ball stands still.

The first step of Kovar, Schreiner and Gleicher, "Footskate Cleanup for Motion Capture Editing" (SCA 2002): contacts become spans in
which a point of the foot stays at one place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import MotionError
from kinegraph.feet.contacts import velocity
from kinegraph.feet.sole import Sole, soles, underfoot
from kinegraph.feet.standing import SHORTEST, middle, place, standing
from kinegraph.motion import rotation
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion

# A floor that differs from the clip's by less than this, in leg lengths (5 cm), is the clip's floor, badly measured.
_SAME_FLOOR = 0.06
# Leg lengths (2.5 cm): a heel that is so much higher over its rest than the ball beside it does not stand, and the other way round.
_HELD_UP = 0.03
# Seconds within which weight passes from one end of a foot to the other without the foot leaving the floor.
_HANDOVER = 0.025
# Seconds over which the speed of a point is measured.
_SPAN = 0.05
# A ball is peeled off the floor for so many seconds at most, as long as it is slower than so many m/s and lower than so many leg lengths.
_PEELED, _SLOW, _LOW = 0.2, 0.3, 0.03
# What comes down stands so many seconds earlier at most, as soon as it is as near as so many leg lengths (1 cm) to where it will stand.
_LANDED, _THERE = 0.07, 0.012


@dataclass(frozen=True, eq=False)
class Plant:
    """One point of a foot standing still in frames ``first`` … ``last``−1."""

    side: str
    """Either "left" or "right"."""
    part: str
    """Either "heel" or "ball"."""
    first: int
    last: int
    place: Array
    """``(3,)``: where it stands, in metres."""

    @property
    def column(self) -> int:
        """Its column of the contacts ``(F, 4)``."""
        return 2 * SIDES.index(self.side) + (self.part == "ball")


@dataclass(frozen=True)
class Footing:
    """What `footing` found."""

    soles: tuple[Sole, Sole]
    """Left and right."""
    plants: tuple[Plant, ...]
    """In order of their first frames."""
    released: tuple[tuple[int, int, int], ...]
    """Spans (column, first, last) where the contacts were wrong: the point went too far or too fast, or was above the foot's other end."""


def plants(motion: Motion, contacts: Bools) -> list[Plant]:
    """The plants of a motion with known ``contacts (F, 4)``, in order of their first frames.

    The place of a plant is the mean position of its point, in which steady frames count most, at the height at which it rests in this
    motion. Heel and ball that stand together are kept exactly one foot's length apart.
    """
    return list(footing(motion, contacts).plants)


def footing(motion: Motion, contacts: Bools, feet: tuple[Sole, Sole] | None = None) -> Footing:
    """Soles, plants and released spans of a motion with known ``contacts (F, 4)``; feet: its soles, if they are known too."""
    down = checked(motion, contacts)
    if feet is not None:
        return _footing(motion, down, feet)
    rough = _footing(motion, down, soles(motion, down))
    # what stands tells more exactly than the contacts did how the foot stands
    return _footing(motion, down, soles(motion, as_contacts(rough.plants, len(motion)))) if rough.plants else rough


def as_contacts(stood: Iterable[Plant], frames: int) -> Bools:
    """Contacts ``(F, 4)`` of plants."""
    down = np.zeros((frames, 4), np.bool_)
    for plant in stood:
        down[plant.first : plant.last, plant.column] = True
    return down


def peeled(motion: Motion, feet: Footing, calm: Bools) -> Footing:
    """Where feet stand, with each ball held until it is seen to leave.

    It is peeled off the floor slowly, and who watches takes it to stand as long as it is low and slow. calm: ``(F,)``, when it may be held
    for longer than it stands.
    """
    located = underfoot(motion, feet.soles)[:, :, 1]
    speed = rotation.length(velocity(located, motion.fps, _SPAN))
    near, longest = _LOW * motion.skeleton.leg_length, round(_PEELED * motion.fps)
    held: list[Plant] = []
    for plant in feet.plants:
        side, last = SIDES.index(plant.side), plant.last
        if plant.part == "ball":
            # once either end of the foot stands anew, the ball would be held where that no longer lets it be
            again = [other.first for other in feet.plants if other.side == plant.side and other.first >= plant.last]
            until = min([plant.last + longest, len(motion), *again])
            # a capture's feet may float: low is what is hardly higher than it stood
            highest = located[plant.last - 1, side, 1] + near
            while last < until and calm[last] and speed[last, side] < _SLOW and located[last, side, 1] < highest:
                last += 1
        held.append(replace(plant, last=last))
    return replace(feet, plants=tuple(held))


def landed(motion: Motion, feet: Footing) -> Footing:
    """Where feet stand, with each heel and ball held as soon as it has all but come to where it stands.

    What is still on its way there would be carried on by whatever else moves the body, and slide to its place along the floor.
    """
    located = underfoot(motion, feet.soles)[:, :, :2]
    near, earliest = _THERE * motion.skeleton.leg_length, round(_LANDED * motion.fps)
    held: list[Plant] = []
    for plant in feet.plants:
        side, part = SIDES.index(plant.side), plant.column % 2
        before = [other.last for other in feet.plants if other.column == plant.column and other.last <= plant.first]
        first, until = plant.first, max([plant.first - earliest, 0, *before])
        while first > until and np.linalg.norm(located[first - 1, side, part] - plant.place) < near:
            first -= 1
        held.append(replace(plant, first=first))
    return replace(feet, plants=tuple(sorted(held, key=lambda plant: (plant.first, plant.column))))


def _footing(motion: Motion, down: Bools, both: tuple[Sole, Sole]) -> Footing:
    """As `footing`, with the soles given."""
    found: list[Plant] = []
    released: list[tuple[int, int, int]] = []
    located = underfoot(motion, both)[:, :, :2]
    moving = velocity(located, motion.fps, _SPAN)
    alone = down & (down.sum(axis=1, keepdims=True) == 1)
    for side, sole in enumerate(both):
        points, velocities = located[:, side], moving[:, side]
        speed = rotation.length(velocities)
        stood: list[Plant] = []
        for part, name in enumerate(sole.parts):
            column = 2 * side + part
            kept, loose = standing(points[:, part], velocities[:, part], down[:, column], alone[:, column], motion)
            released += [(column, *span) for span in loose]
            for first, last in kept:
                at = place(points[first:last, part], speed[first:last, part])
                stood.append(Plant(sole.side, name, first, last, at))
        stood = _handed_over(stood, motion.fps, len(motion))
        stood, aloft = _level(stood, sole, alone, motion)
        released += [(plant.column, plant.first, plant.last) for plant in aloft]
        found += rigid(stood, points)
    return Footing(both, tuple(sorted(found, key=lambda plant: (plant.first, plant.column))), tuple(sorted(released)))


def _handed_over(stood: Sequence[Plant], fps: float, frames: int) -> list[Plant]:
    """The plants of one foot with those that follow at once on the other end of it made to overlap.

    Weight that passes from heel to ball passes over a flat foot, be it for a moment: only then do both places agree on where the foot is.
    """
    together = max(round(_HANDOVER * fps), 1)
    out: list[Plant] = []
    for plant in sorted(stood, key=lambda plant: plant.first):
        before = max((other for other in out if other.part != plant.part), key=lambda other: other.last, default=None)
        if before is not None and 0 <= plant.first - before.last <= together:
            last = min(plant.first + together, frames)
            out[out.index(before)] = replace(before, last=last)
            plant = replace(plant, first=max(last - 2 * together, before.first, 0))
        out.append(plant)
    return out


def checked(motion: Motion, contacts: Bools) -> Bools:
    """``contacts`` as an array of booleans; a `MotionError` if they are not ``(F, 4)``."""
    down = np.asarray(contacts)
    if down.shape != (len(motion), 4):
        raise MotionError(
            f"contacts of {len(motion)} frames must be ({len(motion)}, 4): left heel, left ball, right heel, right ball; got {down.shape}"
        )
    return down.astype(np.bool_)


def _level(stood: Sequence[Plant], sole: Sole, alone: Bools, motion: Motion) -> tuple[list[Plant], list[Plant]]:
    """The plants of one foot at the height at which heel and ball rest, and those that do not stand: a heel held up over a planted ball.

    Heel and ball on a platform stay on it. What bears the body ``alone (F, 4)`` for a while is not held up: it floats.
    """
    leg = motion.skeleton.leg_length
    kept: list[Plant] = []
    loose: list[Plant] = []
    for together in overlapping(stood):
        rest = [float(sole.rest[plant.column % 2]) for plant in together]
        over = [float(plant.place[1]) - height for plant, height in zip(together, rest, strict=True)]
        highest = min(over) + _HELD_UP * leg
        floor = fmean(rise for rise in over if rise <= highest)
        platform = floor if floor > _SAME_FLOOR * leg else 0.0
        for plant, height, rise in zip(together, rest, over, strict=True):
            x, _, z = plant.place
            level = replace(plant, place=np.array([x, height + platform, z]))
            bears = alone[plant.first : plant.last, plant.column].sum() >= SHORTEST * motion.fps
            (kept if bears or rise < highest else loose).append(level)
    return kept, loose


def footsteps(stood: Iterable[Plant]) -> list[list[Plant]]:
    """The plants of both feet grouped by footsteps: everything, heel and ball, from setting a foot down to lifting it off."""
    stood = tuple(stood)
    return [step for side in SIDES for step in overlapping([plant for plant in stood if plant.side == side])]


def overlapping(stood: Sequence[Plant]) -> list[list[Plant]]:
    """Plants of one foot grouped by overlap: those that share frames, directly or through others, belong together."""
    groups: list[list[Plant]] = []
    past = -1
    for plant in sorted(stood, key=lambda plant: plant.first):
        if plant.first < past:
            groups[-1].append(plant)
        else:
            groups.append([plant])
        past = max(past, plant.last)
    return groups


def rigid(stood: Sequence[Plant], points: Array) -> list[Plant]:
    """The plants of one foot with heel and ball as far apart as the foot is long, points ``(F, 2, 3)``, wherever both stand.

    Each pair is moved apart or together along the floor; the one that stands longer moves less. A heel may stand together with several
    balls in turn, and the other way round: then they are corrected in turns until all agree.
    """
    # in plain numbers: there are only a few, but they may be set right many times
    x, y, z = ([float(plant.place[axis]) for plant in stood] for axis in range(3))
    frames = [plant.last - plant.first for plant in stood]
    pairs = _together(stood)
    wanted = [
        float(middle(rotation.length(points[first:last, 1] - points[first:last, 0]))) for _, _, first, last in pairs
    ]
    for _ in range(200):
        worst = 0.0
        for (i, j, _, _), length in zip(pairs, wanted, strict=True):
            along_x, along_z = x[j] - x[i], z[j] - z[i]
            distance = max(math.hypot(along_x, along_z), 1e-9)
            missing = math.sqrt(max(length**2 - (y[j] - y[i]) ** 2, 0.0)) - distance
            worst = max(worst, abs(missing))
            share = frames[j] / (frames[i] + frames[j])
            for at, along in ((x, along_x), (z, along_z)):
                at[i] -= share * missing * along / distance
                at[j] += (1 - share) * missing * along / distance
        if worst < 1e-9:
            break
    return [replace(plant, place=np.array(xyz)) for plant, *xyz in zip(stood, x, y, z, strict=True)]


def _together(stood: Sequence[Plant]) -> list[tuple[int, int, int, int]]:
    """Indices of a heel and a ball that have frames in common, and those frames: first, last; in order of time."""
    order = sorted(range(len(stood)), key=lambda index: stood[index].first)
    heels, balls = ([index for index in order if stood[index].part == part] for part in ("heel", "ball"))
    pairs: list[tuple[int, int, int, int]] = []
    while heels and balls:
        heel, ball = stood[heels[0]], stood[balls[0]]
        first, last = max(heel.first, ball.first), min(heel.last, ball.last)
        if first < last:
            pairs.append((heels[0], balls[0], first, last))
        (heels if heel.last < ball.last else balls).pop(0)
    return pairs
