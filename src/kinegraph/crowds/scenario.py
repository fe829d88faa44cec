"""What a crowd is to do: groups of people with where they are from and where to, walls, and chance, as one value."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kinegraph.crowds.shapes import Obstacle, Polygon, Rectangle, Region, Round, Wall
from kinegraph.errors import KinegraphError

ARRIVED = ("stand", "leave")
"""What who has arrived does."""
MOST = 20_000
"""People that one run takes at most."""
STATURES = 0.5, 1.5
"""How tall people may be on average, against the body of the graph."""
_SPEEDS = 0.3, 4.0
_PROPORTIONS = 0.1


class CrowdError(KinegraphError):
    """A scenario that makes no sense, or that cannot be played."""


@dataclass(frozen=True)
class Spots:
    """Single places: as many as people, or fewer that are shared in turn."""

    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Route:
    """Places to pass in order; with a loop again and again."""

    points: tuple[tuple[float, float], ...]
    loop: bool = False


@dataclass(frozen=True)
class Roam:
    """So many places within a region, chosen by chance, one after another."""

    region: Region
    visits: int = 3


@dataclass(frozen=True)
class Party:
    """People who have their way in common."""

    count: int
    start: Region | Spots
    goal: Region | Spots | Route | Roam
    speed: float = 1.3
    """m/s that they like to walk, on average."""
    spread: float = 0.1
    """Standard deviation of that, m/s."""
    label: str = ""
    """What they should be doing all the while."""
    arrived: str = "leave"
    """What who has arrived does: ``stand`` there, or ``leave`` the scene."""
    name: str = ""
    stature: tuple[float, float] = (1.0, 0.04)
    """How tall they are against the body of the graph, on average, and the standard deviation of that."""
    proportions: float = 0.03
    """By what share of their length legs, trunk and arms differ, standard deviation; who has longer legs has a shorter trunk."""
    prefer: tuple[str, ...] = ()
    """Clips that they like better than others, by name or with ``*``."""


@dataclass(frozen=True)
class Scenario:
    """Groups, what stands in their way, and chance.

    >>> walls = Wall(((0, 1), (0, 5))), Wall(((0, -1), (0, -5)))
    >>> door = Scenario("door", (Party(20, Rectangle(-5, 0, 6, 6), Rectangle(6, 0, 2, 6)),), walls)
    >>> door.count
    20
    """

    name: str
    groups: tuple[Party, ...]
    obstacles: tuple[Obstacle, ...] = ()
    seed: int = 0
    ground: str = ""
    """Ground that is not level, as ``--ground`` of other commands takes it, such as ``hill:1,6``."""

    def __post_init__(self) -> None:
        if not self.groups:
            raise CrowdError(f"{self.name}: there is no group: say who goes where")
        for number, group in enumerate(self.groups, 1):
            _check_group(group, f"{self.name}: group {group.name or number}")
        for number, obstacle in enumerate(self.obstacles, 1):
            _check_shape(obstacle, f"{self.name}: obstacle {number}")
        check_count(self.count, self.name)
        if self.ground:
            _check_ground(self.ground, self.name)
        if self.seed < 0:
            raise CrowdError(f"{self.name}: seed: expected a whole number from 0 on, got {self.seed}")

    @property
    def count(self) -> int:
        """How many people there are."""
        return sum(group.count for group in self.groups)


def _check_ground(spelled: str, where: str) -> None:
    from kinegraph.paths.ground import ground

    try:
        ground(spelled)
    except KinegraphError as error:
        raise CrowdError(f"{where}: ground: {error}") from error


def check_count(count: int, where: str) -> None:
    """Refuse more people than one run takes, and say what they would take."""
    if count > MOST:
        raise CrowdError(
            f"{where}: {count:,} people are more than the {MOST:,} that one run takes; a minute of them would need about "
            f"{count * 0.9e-3:,.0f} GB of poses and {count * 1800 * 6e-5 / 3600:,.1f} hours on one core: take fewer"
        )


def _check_group(group: Party, where: str) -> None:
    if group.count < 1:
        raise CrowdError(f"{where}: count: at least one person, got {group.count}")
    slowest, fastest = _SPEEDS
    if not slowest <= group.speed <= fastest:
        raise CrowdError(f"{where}: speed: people go at {slowest:g} to {fastest:g} m/s, got {group.speed:g}")
    if not 0.0 <= group.spread <= 0.5 * group.speed:
        raise CrowdError(f"{where}: spread: from 0 to half the speed, got {group.spread:g}")
    mean, differ = group.stature
    low, high = STATURES
    if not (low <= mean <= high and 0.0 <= differ <= 0.2 * mean):
        raise CrowdError(
            f"{where}: stature: people are {low:g} to {high:g} times as tall as the body of the graph on average, and differ by up to a "
            f"fifth of that, got {mean:g} and {differ:g}"
        )
    if not 0.0 <= group.proportions <= _PROPORTIONS:
        raise CrowdError(
            f"{where}: proportions: limbs differ by a share from 0 to {_PROPORTIONS:g}, got {group.proportions:g}"
        )
    if group.arrived not in ARRIVED:
        raise CrowdError(f"{where}: arrived: {' or '.join(ARRIVED)}, got {group.arrived!r}")
    for name, shape in (("from", group.start), ("to", group.goal)):
        if isinstance(shape, Roam):
            if shape.visits < 1:
                raise CrowdError(f"{where}: {name}: at least one visit, got {shape.visits}")
            shape = shape.region
        if isinstance(shape, (Spots, Route)):
            if not shape.points:
                raise CrowdError(f"{where}: {name}: there is no point")
            _check_numbers([value for point in shape.points for value in point], f"{where}: {name}")
        else:
            _check_shape(shape, f"{where}: {name}")
    if isinstance(group.start, Spots) and len(group.start.points) < group.count:
        raise CrowdError(
            f"{where}: from: {group.count} people need as many points to start from, got {len(group.start.points)}"
        )


def _check_shape(shape: Obstacle, where: str) -> None:
    if isinstance(shape, Round):
        _check_numbers([shape.x, shape.z, shape.radius], where)
        if shape.radius <= 0:
            raise CrowdError(f"{where}: the radius of a disc is above 0, got {shape.radius:g}")
    elif isinstance(shape, Rectangle):
        _check_numbers([shape.x, shape.z, shape.width, shape.depth], where)
        if min(shape.width, shape.depth) <= 0:
            raise CrowdError(f"{where}: the sides of a box are above 0, got {shape.width:g} and {shape.depth:g}")
    else:
        points, least = (shape.corners, 3) if isinstance(shape, Polygon) else (shape.points, 2)
        if len(points) < least:
            what = "a polygon has at least three corners" if isinstance(shape, Polygon) else "a wall has two ends"
            raise CrowdError(f"{where}: {what}, got {len(points)}")
        _check_numbers([value for point in points for value in point], where)
        if isinstance(shape, Wall) and len(set(points)) < 2:
            raise CrowdError(f"{where}: a wall has two ends that differ")


def _check_numbers(values: list[float], where: str) -> None:
    for value in values:
        if not math.isfinite(value) or abs(value) > 1e4:
            raise CrowdError(f"{where}: expected metres within 10 km, got {value:g}")
