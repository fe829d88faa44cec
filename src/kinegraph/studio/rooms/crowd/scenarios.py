"""Scenarios between the page, the library and TOML files."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields

import numpy as np

from kinegraph.arrays import Array
from kinegraph.crowds.named import named
from kinegraph.crowds.reading import scenario_of
from kinegraph.crowds.scenario import Party, Roam, Route, Scenario, Spots
from kinegraph.crowds.shapes import Rectangle, Region, Round, Wall
from kinegraph.paths.ground import ground
from kinegraph.studio.rooms.crowd.models import (
    BoxModel,
    DrawingFacts,
    GroupModel,
    ScenarioModel,
    SceneFacts,
    SceneGround,
    SceneGroup,
)
from kinegraph.studio.server.problems import Missing
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.workspace import Workspace

FOLDER = "scenarios"

# metres about points that a box around them takes in
_EDGE = 0.5
# metres of ground that is shown about a scenario, from one height to the next at least, and heights along a side at most
_AROUND, _STEP, _MOST = 6.0, 0.25, 160
# people of a built-in scenario unless told
_USUAL = 50


def scenario(workspace: Workspace, asked: ScenarioModel, seed: int) -> Scenario:
    """The scenario that is asked for."""
    if asked.named is not None:
        return scenario_of(named(f"{asked.named}:{asked.count or _USUAL}"), seed)
    if asked.kept is not None:
        return scenario_of(workspace.root / _kept(workspace, asked.kept).file, seed)
    groups = tuple(
        Party(group.count, _rectangle(group.start), _rectangle(group.goal), name=group.name) for group in asked.groups
    )
    return Scenario("drawn", groups, tuple(Wall(tuple(points)) for points in asked.walls), seed)


def scene(scenario: Scenario) -> SceneFacts:
    """What is to be drawn of it on the floor."""
    walls = [
        np.array(one.points) if isinstance(one, Wall) else np.concatenate([one.outline, one.outline[:1]])
        for one in scenario.obstacles
    ]
    groups = [
        SceneGroup(
            name=group.name or f"group {number}",
            count=group.count,
            start=_places(_outline(group.start)),
            goal=_places(_outline(group.goal)),
        )
        for number, group in enumerate(scenario.groups, 1)
    ]
    return SceneFacts(
        name=scenario.name,
        people=scenario.count,
        groups=groups,
        walls=[_places(points) for points in walls],
        ground=_ground(scenario, [*(np.array(one.start + one.goal) for one in groups), *walls]),
    )


def drawing(scenario: Scenario) -> DrawingFacts:
    """A scenario as the tools of the room draw it: walls through points, and groups that go from box to box."""
    usual, notices, groups = Party(1, Rectangle(0, 0, 1, 1), Rectangle(0, 0, 1, 1)), [], []
    for number, group in enumerate(scenario.groups, 1):
        name = group.name or f"group {number}"
        start, goal = (_box(shape) for shape in (group.start, group.goal))
        groups.append(GroupModel(count=group.count, start=start, goal=goal, name=group.name))
        other = [
            told for told, shape in (("from", group.start), ("to", group.goal)) if not isinstance(shape, Rectangle)
        ]
        if other:
            notices.append(f"{name}: {' and '.join(other)} became a box: the tools draw no other shapes")
        own = [field.name for field in fields(Party) if getattr(group, field.name) != getattr(usual, field.name)]
        more = [field for field in own if field not in ("count", "start", "goal", "name")]
        if more:
            notices.append(f"{name}: {', '.join(more)} {'is' if len(more) == 1 else 'are'} as usual in a drawing")
    if any(not isinstance(one, Wall) for one in scenario.obstacles):
        notices.append("obstacles became walls around them")
    if scenario.ground:
        notices.append(f"the ground {scenario.ground} is level in a drawing")
    return DrawingFacts(groups=groups, walls=scene(scenario).walls, notices=notices)


def _box(shape: Region | Spots | Route | Roam) -> BoxModel:
    """The box that holds a shape, with room for who stands at its edge."""
    if isinstance(shape, Rectangle):
        return BoxModel(x=shape.x, z=shape.z, width=shape.width, depth=shape.depth)
    points = _outline(shape)
    low, high = points.min(axis=0), points.max(axis=0)
    if isinstance(shape, (Spots, Route)):
        low, high = low - _EDGE, high + _EDGE
    (x, z), (width, depth) = 0.5 * (low + high), high - low
    return BoxModel(x=float(x), z=float(z), width=float(width), depth=float(depth))


def _ground(scenario: Scenario, shown: list[Array]) -> SceneGround | None:
    """The ground about all that is shown."""
    if not scenario.ground:
        return None
    every = np.concatenate([points.reshape(-1, 2) for points in shown])
    low, high = every.min(axis=0) - _AROUND, every.max(axis=0) + _AROUND
    step = max(_STEP, float((high - low).max()) / _MOST)
    columns, rows = (int(np.ceil(size / step)) + 1 for size in high - low)
    x, z = np.meshgrid(low[0] + step * np.arange(columns), low[1] + step * np.arange(rows))
    heights = ground(scenario.ground)(np.stack([x, z], axis=-1))
    return SceneGround(
        x0=float(low[0]),
        z0=float(low[1]),
        step=step,
        rows=rows,
        columns=columns,
        heights=np.round(heights, 4).ravel().tolist(),
    )


def listed(workspace: Workspace) -> list[FileEntry]:
    """The scenarios that were kept, or put there."""
    folder = workspace.root / FOLDER
    if not folder.is_dir() or not folder.resolve().is_relative_to(workspace.root):
        return []
    files = (path for path in sorted(folder.glob("*.toml")) if path.resolve().is_relative_to(workspace.root))
    return [workspace.entry(path) for path in files if path.is_file()]


def keep(workspace: Workspace, name: str, asked: ScenarioModel, seed: int) -> FileEntry:
    """Write a scenario that was drawn, or is built in, as TOML."""
    text = toml(scenario(workspace, asked, seed), name)
    with workspace.lock:
        file = workspace.new(FOLDER, name, ".toml")
        file.write_text(text, "utf-8")
    return workspace.entry(file)


def said(workspace: Workspace, asked: ScenarioModel) -> str:
    """As a command says it; what was drawn is written to a file for that."""
    if asked.named is not None:
        return f"{asked.named}:{asked.count or _USUAL}"
    if asked.kept is not None:
        return _kept(workspace, asked.kept).file
    text = toml(scenario(workspace, asked, 0), "drawn")
    digest = hashlib.blake2s(text.encode(), digest_size=4).hexdigest()
    with workspace.lock:
        file = workspace.new(FOLDER, f"drawn {digest}", ".toml", replace=True)
        if not file.exists():
            file.write_text(text, "utf-8")
    return file.relative_to(workspace.root).as_posix()


def toml(scenario: Scenario, name: str) -> str:
    """A scenario as a TOML file has it, see `kinegraph.crowds.reading`."""
    lines = [f"name = {json.dumps(name)}", f"seed = {scenario.seed}"]
    lines += [f"ground = {json.dumps(scenario.ground)}"] if scenario.ground else []
    for group in scenario.groups:
        lines += ["", "[[group]]"]
        lines += [f"name = {json.dumps(group.name)}"] if group.name else []
        lines += [f"count = {group.count}", f"from = {_written(group.start)}", f"to = {_written(group.goal)}"]
        lines += [f"speed = {group.speed:g}", f"spread = {group.spread:g}", f"arrived = {json.dumps(group.arrived)}"]
        lines += [f"label = {json.dumps(group.label)}"] if group.label else []
        lines += [f"stature = [{group.stature[0]:g}, {group.stature[1]:g}]", f"proportions = {group.proportions:g}"]
        lines += [f"prefer = {json.dumps(list(group.prefer))}"] if group.prefer else []
    for obstacle in scenario.obstacles:
        if isinstance(obstacle, Wall):
            lines += ["", "[[wall]]", f"points = {_points(obstacle.points)}"]
        else:
            lines += ["", "[[obstacle]]", _shape(obstacle)]
    return "\n".join(lines) + "\n"


def _kept(workspace: Workspace, id: str) -> FileEntry:
    for entry in listed(workspace):
        if entry.id == id:
            return entry
    raise Missing("there is no such scenario in the workspace; it may have been renamed or deleted")


def _rectangle(box: BoxModel) -> Rectangle:
    return Rectangle(box.x, box.z, box.width, box.depth)


def _outline(shape: Region | Spots | Route | Roam) -> Array:
    if isinstance(shape, (Spots, Route)):
        return np.array(shape.points, np.float64)
    return shape.region.outline if isinstance(shape, Roam) else shape.outline


def _places(points: Array) -> list[tuple[float, float]]:
    return [(round(float(x), 4), round(float(z), 4)) for x, z in points]


def _written(shape: Region | Spots | Route | Roam) -> str:
    if isinstance(shape, Spots):
        return _points(shape.points)
    if isinstance(shape, Route):
        return f"{{ path = {_points(shape.points)}, loop = {str(shape.loop).lower()} }}"
    if isinstance(shape, Roam):
        return f"{{ roam = {{ {_shape(shape.region)} }}, visits = {shape.visits} }}"
    return f"{{ {_shape(shape)} }}"


def _shape(shape: Region) -> str:
    if isinstance(shape, Rectangle):
        return f"box = [{shape.x:.6g}, {shape.z:.6g}, {shape.width:.6g}, {shape.depth:.6g}]"
    if isinstance(shape, Round):
        return f"disc = [{shape.x:.6g}, {shape.z:.6g}, {shape.radius:.6g}]"
    return f"polygon = {_points(shape.corners)}"


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return f"[{', '.join(f'[{x:.6g}, {z:.6g}]' for x, z in points)}]"
