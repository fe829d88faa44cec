"""A scenario filled with people: where each stands at first, how fast each likes to walk, and the goals that each has in turn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kinegraph.arrays import Array, Bools, Indices, Longs, Singles
from kinegraph.crowds.builds import built
from kinegraph.crowds.routes import Floor, looked_up
from kinegraph.crowds.scenario import CrowdError, Party, Roam, Route, Scenario, Spots
from kinegraph.crowds.shapes import Obstacle, Region, Round, clearance, segments, solid

NEAR = 1.0
"""Metres from a spot within which one has arrived there."""
APART = 0.7
"""Metres between two people at first, at least."""
# metres within which two people at first would be in one another
_TOUCH = 0.45
# throws for a place within a region, for each person, before there seems to be no room
_THROWS = 200
# m/s below and above which nobody likes to walk, whatever chance says
_SLOWEST = 0.6
# places of a region to roam at most
_PLACES = 64
# metres from walls at least of a place that is chosen by chance
_CLEAR = 0.6
# metres about a spot within which it is gone to straight
_STRAIGHT = 1.5


@dataclass(frozen=True, eq=False)
class Cast:
    """N people of a scenario, and G goals."""

    scenario: Scenario
    start: Array
    """``(N, 2)``: where each stands at first."""
    speed: Array
    """``(N,)``: m/s that each likes to walk."""
    stature: Array
    """``(N,)``: how tall each is, against the body of the graph."""
    build: Array
    """``(N, 3)``: how long legs, trunk and arms of each are, against the body of the graph; see `builds`."""
    group: Indices
    """``(N,)``"""
    legs: Longs
    """``(N, L)``: goals in the order in which each has them; −1 where there are no more."""
    loops: Bools
    """``(N,)``: who begins anew after the last."""
    leaves: Bools
    """``(N,)``: who leaves when they have arrived; the others stand."""
    labels: tuple[str, ...]
    """What each should be doing all the while."""
    prefer: tuple[tuple[str, ...], ...]
    """Clips that each likes better than others."""
    goals: tuple[Region, ...]
    middle: Array
    """``(G, 2)``: the middle of each goal."""
    size: Array
    """``(G,)``: metres from it that belong to the goal; 0 for a region, which is asked itself."""
    walls: Array
    """``(W, 4)``"""
    floor: Floor | None
    """Where there are walls: the grid, with the ways to each goal."""
    ways: Singles
    """``(G, H, W, 2)``; as in `routes.looked_up`."""
    far: Array
    """``(N,)``: metres of each one's way from start to end, around walls."""

    def __len__(self) -> int:
        return len(self.start)

    def toward(self, goal: Indices, place: Array) -> Array:
        """``(n, 2)``: which way people at ``place (n, 2)`` go to their ``goal (n,)``."""
        straight = self.middle[goal] - place
        length = np.hypot(straight[:, 0], straight[:, 1])
        straight /= np.maximum(length, 1e-9)[:, None]
        if self.floor is None:
            return straight
        found = looked_up(self.ways, self.floor.x, self.floor.z, self.floor.cell, goal, place)
        near = (length < _STRAIGHT) & (self.size[goal] > 0)
        found[near] = straight[near]
        return found

    def reached(self, goal: Indices, place: Array) -> Bools:
        """Which of people at ``place (n, 2)`` have reached their ``goal (n,)``."""
        apart = np.hypot(*(self.middle[goal] - place).T)
        there: Bools = apart <= self.size[goal]
        for number in np.unique(goal[self.size[goal] == 0]):
            own = goal == number
            there[own] = self.goals[number].holds(place[own])
        return there


def cast(scenario: Scenario) -> Cast:
    """The people of a scenario: same scenario, same people. What cannot be is a `CrowdError` that says why."""
    chance = np.random.default_rng(scenario.seed)
    walls = segments(scenario.obstacles)
    goals: list[Region] = []
    legs = [_legs(group, goals, scenario.obstacles, chance) for group in scenario.groups]
    holds = np.concatenate([_extent(group) for group in scenario.groups] + [goal.outline for goal in goals])
    floor = Floor.of(scenario.obstacles, holds) if len(walls) else None
    placed = _Placed(floor)
    start = np.concatenate([_starts(scenario, number, placed, chance) for number in range(len(scenario.groups))])
    longest = max(len(own) for group in legs for own in group)
    table = np.array([own + [-1] * (longest - len(own)) for group in legs for own in group], np.int64)
    group = np.repeat(np.arange(len(scenario.groups)), [one.count for one in scenario.groups])
    speed = np.array([one.speed for one in scenario.groups])[group]
    spread = np.array([one.spread for one in scenario.groups])[group]
    speed = np.maximum(speed + spread * np.clip(chance.standard_normal(len(speed)), -2.0, 2.0), _SLOWEST)
    stature = _statures(scenario, group, chance)
    build = built(stature, np.array([one.proportions for one in scenario.groups])[group], chance)
    ways, far = _ways(scenario, floor, goals, start, table, group)
    spots = np.array([isinstance(goal, Round) and goal.radius == NEAR for goal in goals])
    return Cast(
        scenario,
        start,
        speed,
        stature,
        build,
        group,
        table,
        np.array([isinstance(one.goal, Route) and one.goal.loop for one in scenario.groups])[group],
        np.array([one.arrived == "leave" for one in scenario.groups])[group],
        tuple(scenario.groups[number].label for number in group),
        tuple(scenario.groups[number].prefer for number in group),
        tuple(goals),
        np.array([goal.outline.mean(axis=0) for goal in goals]),
        np.where(spots, NEAR, 0.0),
        walls,
        floor,
        ways,
        far,
    )


def _statures(scenario: Scenario, group: Indices, chance: np.random.Generator) -> Array:
    """How tall each is, to a hundredth."""
    mean, spread = np.array([one.stature for one in scenario.groups])[group].T
    tall: Array = np.round(mean + spread * np.clip(chance.standard_normal(len(group)), -2.0, 2.0), 2)
    return tall


def _spot(point: tuple[float, float]) -> Round:
    return Round(point[0], point[1], NEAR)


def _legs(
    group: Party, goals: list[Region], obstacles: tuple[Obstacle, ...], chance: np.random.Generator
) -> list[list[int]]:
    """The goals of each person of a group, by number; adds to the goals what is new."""
    goal, first = group.goal, len(goals)
    if isinstance(goal, Spots):
        goals += [_spot(point) for point in goal.points]
        return [[first + person % len(goal.points)] for person in range(group.count)]
    if isinstance(goal, Route):
        goals += [_spot(point) for point in goal.points]
        return [list(range(first, len(goals))) for _ in range(group.count)]
    if isinstance(goal, Roam):
        # a few places that are shared: each needs a map of the ways to it
        few = max(2 * goal.visits, min(max(group.count // 8, 12), _PLACES))
        low, high = goal.region.outline.min(axis=0), goal.region.outline.max(axis=0)
        thrown = chance.uniform(low, high, (50 * few, 2))
        clear = ~solid(thrown, obstacles) & (clearance(thrown, segments(obstacles)) > _CLEAR)
        thrown = thrown[goal.region.holds(thrown) & clear]
        if len(thrown) < few:
            raise CrowdError(f"{group.name or 'group'}: to: there is hardly room in the region to roam")
        goals += [_spot((float(x), float(z))) for x, z in thrown[:few]]
        return [(first + chance.permutation(few)[: goal.visits]).tolist() for _ in range(group.count)]
    goals.append(goal)
    return [[first]] * group.count


def _extent(group: Party) -> Array:
    return np.array(group.start.points) if isinstance(group.start, Spots) else group.start.outline


class _Placed:
    """Who stands where already, in cells that hold one person each at most."""

    def __init__(self, floor: Floor | None) -> None:
        self.floor = floor
        self._cells: dict[tuple[int, int], list[tuple[float, float, int]]] = {}
        self.count = 0

    def near(self, x: float, z: float, apart: float) -> int | None:
        """Somebody who stands nearer than ``apart``."""
        column, row = math.floor(x / APART), math.floor(z / APART)
        for i in range(column - 1, column + 2):
            for j in range(row - 1, row + 2):
                for o_x, o_z, who in self._cells.get((i, j), ()):
                    if math.hypot(o_x - x, o_z - z) < apart:
                        return who
        return None

    def fits(self, x: float, z: float) -> bool:
        return self.floor is None or bool(self.floor.fits(np.array([x, z])))

    def add(self, x: float, z: float) -> None:
        key = math.floor(x / APART), math.floor(z / APART)
        self._cells.setdefault(key, []).append((x, z, self.count))
        self.count += 1


def _starts(scenario: Scenario, number: int, placed: _Placed, chance: np.random.Generator) -> Array:
    group = scenario.groups[number]
    where = f"{scenario.name}: group {group.name or number + 1}"
    found = []
    if isinstance(group.start, Spots):
        for x, z in group.start.points[: group.count]:
            other = placed.near(x, z, _TOUCH)
            if other is not None:
                raise CrowdError(f"{where}: persons {other} and {placed.count} start in one another, at {x:g}, {z:g}")
            if not placed.fits(x, z):
                raise CrowdError(f"{where}: person {placed.count} starts in a wall, at {x:g}, {z:g}")
            placed.add(x, z)
            found.append((x, z))
        return np.array(found)
    low, high = group.start.outline.min(axis=0), group.start.outline.max(axis=0)
    throws = 0
    while len(found) < group.count:
        throws += 1
        if throws > _THROWS * group.count:
            raise CrowdError(
                f"{where}: {len(found)} of its {group.count} people fit where they start, {APART:g} m apart, beside others and walls: "
                "make the region larger, or the group smaller"
            )
        x, z = chance.uniform(low, high).tolist()
        inside = bool(group.start.holds(np.array([x, z])))
        if inside and placed.near(x, z, APART) is None and placed.fits(x, z):
            placed.add(x, z)
            found.append((x, z))
    return np.array(found)


def _ways(
    scenario: Scenario, floor: Floor | None, goals: list[Region], start: Array, legs: Longs, group: Indices
) -> tuple[Singles, Array]:
    """The ways to each goal, and how far each person has to go; refuses goals that nobody can reach."""
    middle = np.array([goal.outline.mean(axis=0) for goal in goals])
    far, last = np.zeros(len(start)), start.copy()
    fields, ways = [], []
    for goal in goals if floor is not None else ():
        assert floor is not None
        x, z = goal.outline.mean(axis=0)
        distance = floor.distances(goal)
        spot = isinstance(goal, Round) and goal.radius == NEAR
        if not np.isfinite(distance).any() or (spot and not floor.fits(np.array([x, z]))):
            raise CrowdError(f"{scenario.name}: the goal at {x:.1f}, {z:.1f} is inside of a wall: move one of them")
        fields.append(distance)
        ways.append(floor.directions(distance))
    for leg in range(legs.shape[1]):
        who = np.flatnonzero(legs[:, leg] >= 0)
        to = legs[who, leg]
        if floor is None:
            far[who] += np.hypot(*(middle[to] - last[who]).T)
        else:
            row, column = floor.cells(last[who])
            legs_far = np.array([fields[goal][r, c] for goal, r, c in zip(to, row, column, strict=True)])
            if not np.isfinite(legs_far).all():
                lost = int(np.flatnonzero(~np.isfinite(legs_far))[0])
                x, z = middle[to[lost]]
                where = f"{scenario.name}: group {scenario.groups[group[who[lost]]].name or group[who[lost]] + 1}"
                if floor.has_sliver(goals[to[lost]], last[who[lost]]):
                    raise CrowdError(
                        f"{where}: a wall cuts through the goal at {x:.1f}, {z:.1f}, and what is left of it on this side is so narrow that "
                        "nobody can stand there: move the goal, or open the wall"
                    )
                raise CrowdError(
                    f"{where}: there is no way from {last[who[lost], 0]:.1f}, {last[who[lost], 1]:.1f} to {x:.1f}, {z:.1f}: walls leave "
                    "less than half a metre; open them, or move the goal"
                )
            far[who] += legs_far
        last[who] = middle[to]
    return (np.stack(ways) if ways else np.zeros((0, 1, 1, 2), np.float32)), far
