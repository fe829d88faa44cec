"""Scenarios from text: a TOML file, or the name of a built-in one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from kinegraph.crowds.named import named
from kinegraph.crowds.scenario import CrowdError, Party, Roam, Route, Scenario, Spots
from kinegraph.crowds.shapes import Obstacle, Polygon, Rectangle, Region, Round, Wall
from kinegraph.formats import trees

_NUMBERS = {"disc": ("x", "z", "radius"), "box": ("x", "z", "width", "depth")}
_GROUP = ("count", "from", "to", "speed", "spread", "label", "arrived", "name", "stature", "proportions", "prefer")


def scenario_of(given: Scenario | str | PathLike[str], seed: int | None = None) -> Scenario:
    """The scenario that is given, in a TOML file, or built in; with another seed if one is given.

    >>> scenario_of("circle:12", seed=3).seed
    3
    """
    if isinstance(given, Scenario):
        scenario = given
    elif str(given).endswith(".toml"):
        scenario = read(given)
    else:
        scenario = named(str(given))
    return scenario if seed is None else replace(scenario, seed=seed)


def read(file: str | PathLike[str]) -> Scenario:
    """The scenario in a TOML file; what is wrong with it is a `CrowdError` that says where."""
    path = Path(file)
    try:
        table = trees.toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CrowdError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CrowdError(f"{path}: is not TOML: {error}") from error
    where = str(path)
    _only(table, ("name", "seed", "ground", "group", "wall", "obstacle"), where)
    groups = _tables(table, "group", where)
    obstacles: list[Obstacle] = []
    for number, one in enumerate(_tables(table, "wall", where), 1):
        _only(one, ("points",), f"{where}: wall {number}")
        obstacles.append(Wall(_points(one.get("points"), f"{where}: wall {number}: points")))
    for number, one in enumerate(_tables(table, "obstacle", where), 1):
        obstacles.append(_region(one, f"{where}: obstacle {number}"))
    return Scenario(
        str(table.get("name", path.stem)),
        tuple(_group(one, f"{where}: group {number}") for number, one in enumerate(groups, 1)),
        tuple(obstacles),
        _whole(table, "seed", 0, where),
        _word(table, "ground", "", where),
    )


def _group(table: Mapping[str, Any], where: str) -> Party:
    _only(table, _GROUP, where)
    for name in ("count", "from", "to"):
        if name not in table:
            raise CrowdError(f"{where}: {name} is missing")
    start, goal = table["from"], table["to"]
    begin: Region | Spots = (
        Spots(_points(start, f"{where}: from")) if isinstance(start, list) else _region(start, f"{where}: from")
    )
    to: Region | Spots | Route | Roam
    if isinstance(goal, Mapping) and "path" in goal:
        _only(goal, ("path", "loop"), f"{where}: to")
        to = Route(_points(goal["path"], f"{where}: to: path"), bool(goal.get("loop", False)))
    elif isinstance(goal, Mapping) and "roam" in goal:
        _only(goal, ("roam", "visits"), f"{where}: to")
        to = Roam(_region(goal["roam"], f"{where}: to: roam"), _whole(goal, "visits", 3, f"{where}: to"))
    elif isinstance(goal, list):
        to = Spots(_points(goal, f"{where}: to"))
    else:
        to = _region(goal, f"{where}: to")
    usual = Party(1, begin, to)
    return Party(
        _whole(table, "count", 0, where),
        begin,
        to,
        _number(table.get("speed", usual.speed), f"{where}: speed"),
        _number(table.get("spread", usual.spread), f"{where}: spread"),
        _word(table, "label", usual.label, where),
        _word(table, "arrived", usual.arrived, where),
        _word(table, "name", usual.name, where),
        _pair(table.get("stature", list(usual.stature)), f"{where}: stature"),
        _number(table.get("proportions", usual.proportions), f"{where}: proportions"),
        _words(table.get("prefer", []), f"{where}: prefer"),
    )


def _region(value: Any, where: str) -> Region:
    """A region or an obstacle: ``{disc = [x, z, radius]}``, ``{box = [x, z, width, depth]}`` or ``{polygon = [[x, z], …]}``."""
    if isinstance(value, Mapping) and len(value) == 1:
        (kind, numbers), *_ = value.items()
        if kind == "polygon":
            return Polygon(_points(numbers, f"{where}: polygon"))
        if kind in _NUMBERS:
            wanted = _NUMBERS[kind]
            if not isinstance(numbers, list) or len(numbers) != len(wanted):
                raise CrowdError(f"{where}: {kind}: expected [{', '.join(wanted)}] in metres, got {numbers!r}")
            found = [_number(number, f"{where}: {kind}") for number in numbers]
            return Round(*found) if kind == "disc" else Rectangle(*found)
    raise CrowdError(f"{where}: expected one of disc, box and polygon, or a list of points, got {value!r}")


def _points(value: Any, where: str) -> tuple[tuple[float, float], ...]:
    if not isinstance(value, list) or not all(isinstance(point, list) and len(point) == 2 for point in value):
        raise CrowdError(f"{where}: expected a list of points [x, z], got {value!r}")
    return tuple((_number(x, where), _number(z, where)) for x, z in value)


def _pair(value: Any, where: str) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise CrowdError(f"{where}: expected [mean, spread], got {value!r}")
    return _number(value[0], where), _number(value[1], where)


def _tables(table: Mapping[str, Any], name: str, where: str) -> list[Mapping[str, Any]]:
    found = table.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise CrowdError(f"{where}: {name}: expected [[{name}]] tables")
    return found


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CrowdError(f"{where}: expected a number, got {value!r}")
    return float(value)


def _whole(table: Mapping[str, Any], name: str, default: int, where: str) -> int:
    value = table.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise CrowdError(f"{where}: {name}: expected a whole number, got {value!r}")
    return value


def _word(table: Mapping[str, Any], name: str, default: str, where: str) -> str:
    value = table.get(name, default)
    if not isinstance(value, str):
        raise CrowdError(f"{where}: {name}: expected a word, got {value!r}")
    return value


def _words(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise CrowdError(f"{where}: expected a list of names, got {value!r}")
    return tuple(value)


def _only(table: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
    for name in table:
        if name not in names:
            raise CrowdError(f"{where}: {name!r} is none of {', '.join(names)}")
