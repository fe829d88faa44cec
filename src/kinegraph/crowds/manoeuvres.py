"""Which stick somebody holds, compiled: of the few that a body can follow, the one that gets on best without running into anybody.

Avoidance answers with a velocity, as if bodies were discs. A body turns quickly, but needs a second or more to stop and to start, and has
no steps below some speed. So each person compares a fan of directions at two speeds, avoidance's answer, the stick it holds, and
standing: where would it be, given how bodies respond, and where would the others be, who have sticks of their own? People decide one
after another and not in the same frame, so that nobody dances with somebody who decides alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.compiled import njit
from kinegraph.crowds.facing import AHEAD, SPIN, STILL
from kinegraph.crowds.field import Field, clearing
from kinegraph.crowds.grid import Cells, rows_of, run_of
from kinegraph.crowds.outlook import Response, nearest_on, outlook, part_at, turned_outlook
from kinegraph.crowds.press import Press, pressed

# candidates: directions off the way on, in degrees; each at two speeds
_FAN = np.radians(
    [0.0, 12.0, -12.0, 25.0, -25.0, 40.0, -40.0, 58.0, -58.0, 78.0, -78.0, 100.0, -100.0, 135.0, -135.0, 180.0]
)
# others whom one looks at
_MOST = 12
# seconds before which nothing can be helped, and after which those who touch should be apart
_SOON, _LATER = 0.3, 1.2
# m/s below which somebody stands
_STOOD = 0.5
# cosines of the angles within which somebody is ahead, and goes the same way
_AHEAD, _ALIKE = 0.6, 0.5
# m/s below which somebody ahead hardly gets on
_SLOW = 0.9
# moments in seconds at which one's way is compared with walls
_LOOKS = np.array([0.25, 0.5, 0.8, 1.2, 1.7])


class Taste(NamedTuple):
    """What choices cost."""

    horizon: float = 3.5
    """Seconds that are looked ahead."""
    reach: float = 6.0
    """Metres within which others are seen."""
    apart: float = 0.75
    """Metres between two people that nobody likes to go below."""
    touch: float = 0.46
    """Metres between two people that nobody goes below if it can be helped."""
    crowd: float = 20.0
    """Cost of coming nearer than ``apart``, at once and all the way."""
    hit: float = 400.0
    """Cost of coming nearer than ``touch``."""
    wall: float = 0.28
    """Metres from walls that nobody likes to go below."""
    calm: float = 0.5
    """Cost of a stick that is 1 m/s off the one held."""
    press: float = 0.5
    """Cost of one more person on a square metre, where one will be."""
    dense: float = 0.3
    """People on a square metre that nobody minds."""
    side: float = 0.3
    """Cosine of the angle off the way on from which on it counts as going back."""
    back: float = 1.5
    """Cost of going back."""
    rest: float = 0.4
    """What standing is dearer to people than half as good a way, until they have lost their patience."""
    patience: float = 5.0
    """Seconds of waiting until then."""
    weary: float = 0.1
    """Cost of each second of standing after that: who cannot get on goes around in the end."""
    line: float = 1.5
    """Metres within which somebody ahead who has the same way and is slow makes a line."""
    leave: float = 0.0
    """Cost of going off the way on, at right angles."""
    stays: float = 1.0
    """What it counts that somebody comes near to who stands and goes on standing."""


# Who is in a line stands closer, keeps their patience for longer, does not look for emptier places, is loath to leave, and trusts that
# who walks does not run into who stands.
IN_LINE = Taste(apart=0.65, press=0.0, rest=0.0, patience=12.0, weary=0.0, leave=4.0, stays=0.5)
"""The taste of who is in a line."""


@njit(cache=True, nogil=True)
def _near(apart: float, when: float, taste: Taste) -> float:
    """What it costs to be so far ``apart`` from somebody in so many seconds."""
    if apart >= taste.apart:
        return 0.0
    depth = (taste.apart - apart) / taste.apart
    cost = taste.crowd * depth * depth
    if apart < taste.touch:
        cost += taste.hit * (taste.touch - apart) / taste.touch
    return cost / (1.0 + when)


@njit(cache=True, nogil=True)
def _meets(x: float, z: float, plan: Array, other: Array, taste: Taste) -> float:
    """What it costs to come as near as one does to somebody at ``x, z``. Plans: as of `outlook`.

    What happens at once cannot be helped. Two who are too near already get apart by what is so a second later.
    """
    cost, now, late = 0.0, 0.0, 0.0
    for _ in range(7):
        until = _SOON if now < _SOON else (_LATER if now < _LATER else taste.horizon)
        first, second = part_at(plan, now), part_at(other, now)
        if first < 6:
            until = min(until, plan[first + 2])
        if second < 6:
            until = min(until, other[second + 2])
        v_x, v_z = other[second] - plan[first], other[second + 1] - plan[first + 1]
        if now >= _SOON:
            near, when = nearest_on(x, z, v_x, v_z, until - now)
            if near < taste.apart * taste.apart:
                cost = max(cost, _near(np.sqrt(near), when + now, taste))
        x, z = x + v_x * (until - now), z + v_z * (until - now)
        if until == _LATER:
            late = _near(np.hypot(x, z), 0.0, taste)
        now = until
        if now >= taste.horizon:
            break
    return cost + 0.5 * late


@njit(cache=True, nogil=True)
def _walled(field: Field, x: float, z: float, plan: Array, taste: Taste) -> float:
    """What it costs to come as near to walls as one does."""
    cost = 0.0
    here = clearing(field, x, z)
    for look in _LOOKS:
        first, second = min(look, plan[2]), max(min(look, plan[5]) - plan[2], 0.0)
        p_x = x + plan[0] * first + plan[3] * second + plan[6] * (look - first - second)
        p_z = z + plan[1] * first + plan[4] * second + plan[7] * (look - first - second)
        clear = clearing(field, p_x, p_z)
        if clear < taste.wall and clear < here + 0.02:
            cost = max(cost, taste.hit * (taste.wall - clear) / taste.wall / (1.0 + look))
    return cost


@njit(cache=True, nogil=True)
def _lines(x: float, z: float, v_x: float, v_z: float, own: Array, other: Array, taste: Taste) -> bool:
    """Whether somebody at ``x, z`` who goes at ``v`` is ahead, would like to go the same way as oneself, and hardly gets on."""
    apart, mine, theirs = np.hypot(x, z), np.hypot(own[0], own[1]), np.hypot(other[0], other[1])
    if apart > taste.line or theirs < 1e-6:
        return False
    ahead = x * own[0] + z * own[1] > _AHEAD * apart * mine
    alike = own[0] * other[0] + own[1] * other[1] > _ALIKE * mine * theirs
    return bool(ahead and alike and v_x * own[0] + v_z * own[1] < _SLOW * mine)


@njit(cache=True, nogil=True)
def decide(
    who: Longs,
    place: Array,
    velocity: Array,
    heading: Array,
    stick: Array,
    waited: Array,
    liked: Array,
    answer: Array,
    grid: Cells,
    there: Longs,
    field: Field,
    press: Press,
    response: Response,
    usual: Taste,
    in_line: Taste,
) -> None:
    """People ``who`` choose anew: changes ``stick (N, 2)``.

    there: which person each point of the grid is. usual, in_line: their tastes, and those of who is in a line.
    """
    near, far = np.empty(_MOST, np.int64), np.empty(_MOST)
    plans, plan = np.empty((_MOST, 8)), np.empty(8)
    for person in who:
        x, z = place[person]
        wished = np.hypot(liked[person, 0], liked[person, 1])
        if wished < 1e-6:
            stick[person] = 0.0
            continue
        seen, limit = 0, usual.reach * usual.reach
        low, high = rows_of(grid, z, usual.reach)
        for row in range(low, high):
            begin, end = run_of(grid, x, usual.reach, row)
            for k in range(begin, end):
                other = there[grid.order[k]]
                d_x, d_z = place[other, 0] - x, place[other, 1] - z
                apart = d_x * d_x + d_z * d_z
                if apart >= limit or other == person:
                    continue
                at = seen if seen < _MOST else seen - 1
                while at > 0 and far[at - 1] > apart:
                    far[at], near[at] = far[at - 1], near[at - 1]
                    at -= 1
                far[at], near[at] = apart, other
                seen = min(seen + 1, _MOST)
                if seen == _MOST:
                    limit = far[seen - 1]
        for k in range(seen):
            other = near[k]
            outlook(
                velocity[other, 0],
                velocity[other, 1],
                stick[other, 0],
                stick[other, 1],
                heading[other],
                response,
                plans[k],
            )
        lines = False
        for k in range(seen):
            other = near[k]
            d_x, d_z = place[other, 0] - x, place[other, 1] - z
            lines = lines or _lines(
                d_x, d_z, velocity[other, 0], velocity[other, 1], liked[person], liked[other], usual
            )
        taste = in_line if lines else usual
        ahead = np.arctan2(liked[person, 0], liked[person, 1])
        least = min(response.least, wished)
        patience = max(1.0 - waited[person] / taste.patience, 0.0)
        stood = np.hypot(velocity[person, 0], velocity[person, 1]) < _STOOD
        # who stands sets out where they face; who cannot get on there, and is in no line, turns on their feet first
        still = np.hypot(velocity[person, 0], velocity[person, 1]) < STILL
        longer = max(waited[person] - taste.patience, 0.0)
        face_x, face_z = np.sin(heading[person]), np.cos(heading[person])
        best, best_x, best_z = np.inf, 0.0, 0.0
        for number in range(2 * len(_FAN) + 3):
            if number < 2 * len(_FAN):
                speed = wished if number % 2 == 0 else least
                angle = ahead + _FAN[number // 2]
                c_x, c_z = speed * np.sin(angle), speed * np.cos(angle)
            elif number == 2 * len(_FAN):
                c_x, c_z = 0.0, 0.0
            elif number == 2 * len(_FAN) + 1:
                c_x, c_z = stick[person]
            else:
                c_x, c_z = answer[person]
                speed = np.hypot(c_x, c_z)
                if speed < 0.5 * least:
                    continue
                if speed < least:
                    c_x, c_z = c_x * least / speed, c_z * least / speed
            away = still and c_x * face_x + c_z * face_z < AHEAD * np.hypot(c_x, c_z)
            if away and (lines or longer == 0.0):
                continue
            cost = np.hypot(c_x - liked[person, 0], c_z - liked[person, 1])
            cost += patience * taste.calm * np.hypot(c_x - stick[person, 0], c_z - stick[person, 1])
            if c_x == 0.0 and c_z == 0.0:
                cost += taste.weary * longer - patience * taste.rest
            else:
                way = (c_x * liked[person, 0] + c_z * liked[person, 1]) / (np.hypot(c_x, c_z) * wished)
                cost += taste.back * max(taste.side - way, 0.0)
                cost += taste.leave * (1.0 - way)
            if taste.press > 0.0:
                more = pressed(press, x, z, stick[person, 0], stick[person, 1], c_x, c_z, taste.dense)
                cost += taste.press * more
            if cost >= best:
                continue
            if away:
                angle = np.arctan2(face_z * c_x - face_x * c_z, face_x * c_x + face_z * c_z)
                turned_outlook(c_x, c_z, abs(angle) / SPIN, response, plan)
            else:
                outlook(velocity[person, 0], velocity[person, 1], c_x, c_z, heading[person], response, plan)
            if field.clear.size:
                cost += _walled(field, x, z, plan, taste)
            # who walks sees to it that they do not run into who stands
            share = taste.stays if stood and c_x == 0.0 and c_z == 0.0 else 1.0
            for k in range(seen):
                if cost >= best:
                    break
                d_x, d_z = place[near[k], 0] - x, place[near[k], 1] - z
                cost += share * _meets(d_x, d_z, plan, plans[k], taste)
            if cost < best:
                best, best_x, best_z = cost, c_x, c_z
        stick[person, 0], stick[person, 1] = best_x, best_z
