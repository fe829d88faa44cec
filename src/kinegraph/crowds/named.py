"""Scenarios that are built in, as the field's suites have them, for any number of people: ``circle:100``."""

from __future__ import annotations

import math
from collections.abc import Callable

from kinegraph.crowds.scenario import CrowdError, Party, Roam, Scenario, Spots, check_count
from kinegraph.crowds.shapes import Obstacle, Rectangle, Round, Wall

# m² for each person where a group waits at first
_ROOM = 2.4


def circle(count: int, seed: int = 0) -> Scenario:
    """People all around a circle, each of whom goes to the other side."""
    radius = max(4.0, count / (2.0 * math.pi))
    angles = [2.0 * math.pi * person / count for person in range(count)]
    points = tuple((radius * math.sin(angle), radius * math.cos(angle)) for angle in angles)
    across = tuple((-x, -z) for x, z in points)
    return Scenario("circle", (Party(count, Spots(points), Spots(across), arrived="stand"),), seed=seed)


def hallway(count: int, seed: int = 0) -> Scenario:
    """Two groups in a hallway who pass through each other."""
    width = max(4.0, 0.6 * math.sqrt(count))
    half = (count + 1) // 2, count // 2
    length = max(6.0, _ROOM * half[0] / (width - 1.0))
    middle = 4.0 + 0.5 * length
    end = 4.0 + length + 1.5
    walls = tuple(Wall(((side * 0.5 * width, -end - 2.0), (side * 0.5 * width, end + 2.0))) for side in (-1.0, 1.0))
    groups = [
        Party(
            number,
            Rectangle(0.0, side * -middle, width - 1.0, length),
            Rectangle(0.0, side * end, width, 3.0),
            name=name,
        )
        for number, side, name in zip(half, (1.0, -1.0), ("there", "back"), strict=True)
        if number
    ]
    return Scenario("hallway", tuple(groups), walls, seed)


def crossing(count: int, seed: int = 0) -> Scenario:
    """Four groups who meet where two hallways cross."""
    width = max(4.0, 0.6 * math.sqrt(count))
    each = [(count + 3 - side) // 4 for side in range(4)]
    length = max(4.0, _ROOM * max(each) / (width - 1.0))
    reach = 0.5 * width + 1.0 + length
    block = reach + 4.0 - 0.5 * width
    far = 0.5 * width + 0.5 * block
    blocks: tuple[Obstacle, ...] = tuple(
        Rectangle(x * far, z * far, block, block) for x in (-1.0, 1.0) for z in (-1.0, 1.0)
    )
    away, goal = reach - 0.5 * length, reach + 1.5
    groups = []
    for number, (x, z, name) in zip(
        each, ((0.0, 1.0, "north"), (0.0, -1.0, "south"), (1.0, 0.0, "left"), (-1.0, 0.0, "right")), strict=True
    ):
        across, along = (width - 1.0, length) if x == 0.0 else (length, width - 1.0)
        wide, deep = (width, 3.0) if x == 0.0 else (3.0, width)
        if number:
            start = Rectangle(-x * away, -z * away, across, along)
            groups.append(Party(number, start, Rectangle(x * goal, z * goal, wide, deep), name=name))
    return Scenario("crossing", tuple(groups), blocks, seed)


def bottleneck(count: int, seed: int = 0) -> Scenario:
    """A room whose people all leave by one door."""
    side = max(5.0, math.sqrt(_ROOM * count))
    door = 1.0 + 0.01 * min(count, 200)
    wall = 0.5 * side + 1.0
    room = (
        Wall(
            (
                (0.5 * door, 0.0),
                (wall, 0.0),
                (wall, -side - 3.0),
                (-wall, -side - 3.0),
                (-wall, 0.0),
                (-0.5 * door, 0.0),
            )
        ),
    )
    group = Party(count, Rectangle(0.0, -2.0 - 0.5 * side, side, side), Rectangle(0.0, 6.0, 8.0, 3.0), name="room")
    return Scenario("bottleneck", (group,), room, seed)


def square(count: int, seed: int = 0) -> Scenario:
    """People who roam a square with a fountain, each to three places."""
    side = max(8.0, math.sqrt(5.0 * count))
    fountain = Round(0.0, 0.0, 0.08 * side)
    group = Party(
        count, Rectangle(0.0, 0.0, side, side), Roam(Rectangle(0.0, 0.0, side - 2.0, side - 2.0), 3), name="square"
    )
    edge = 0.5 * side + 2.0
    around = Wall(((-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge), (-edge, -edge)))
    return Scenario("square", (group,), (fountain, around), seed)


def street(count: int, seed: int = 0) -> Scenario:
    """Two pavements on which people go both ways, and a crossing between them that some take."""
    wide, road, gap = 4.0, 7.0, 5.0
    across = count // 5
    along = [(count - 2 * across + 3 - number) // 4 for number in range(4)]
    length = max(6.0, _ROOM * (max(along) + across) / (wide - 1.0))
    start, end = 3.0 + 0.5 * length, 3.0 + length + 2.0
    x = 0.5 * (road + wide)
    kerb = end + 3.0 - 0.5 * gap
    kerbs: tuple[Obstacle, ...] = tuple(Rectangle(0.0, side * 0.5 * (gap + kerb), road, kerb) for side in (-1.0, 1.0))
    fronts = tuple(
        Wall(((side * (0.5 * road + wide), -end - 3.0), (side * (0.5 * road + wide), end + 3.0)))
        for side in (-1.0, 1.0)
    )
    groups = []
    for number, pavement, way in zip(along, (1.0, 1.0, -1.0, -1.0), (1.0, -1.0, 1.0, -1.0), strict=True):
        groups.append(
            (
                number,
                Rectangle(pavement * x, -way * start, wide - 1.0, length),
                Rectangle(pavement * x, way * (end + 1.0), wide, 3.0),
                "along",
            )
        )
    for side in (1.0, -1.0):
        groups.append(
            (
                across,
                Rectangle(side * x, -side * start, wide - 1.0, length),
                Rectangle(-side * x, side * (end + 1.0), wide, 3.0),
                "across",
            )
        )
    return Scenario(
        "street",
        tuple(
            Party(number, begin, goal, name=f"{name} {k}")
            for k, (number, begin, goal, name) in enumerate(groups, 1)
            if number
        ),
        (*kerbs, *fronts),
        seed,
    )


NAMED: dict[str, Callable[[int, int], Scenario]] = {
    "circle": circle,
    "hallway": hallway,
    "crossing": crossing,
    "bottleneck": bottleneck,
    "square": square,
    "street": street,
}
"""Built-in scenarios by name: each takes a number of people and a seed."""


def named(text: str, seed: int = 0) -> Scenario:
    """The built-in scenario that a text such as ``circle:100`` says.

    >>> named("hallway:30").count
    30
    """
    name, colon, number = text.partition(":")
    if name not in NAMED:
        raise CrowdError(f"{text!r} is no scenario: a TOML file, or one of {', '.join(f'{one}:100' for one in NAMED)}")
    try:
        count = int(number) if colon else 100
    except ValueError:
        count = 0
    if count < 1:
        raise CrowdError(f"{text!r}: expected a number of people after the colon, such as {name}:100")
    check_count(count, name)
    return NAMED[name](count, seed)
