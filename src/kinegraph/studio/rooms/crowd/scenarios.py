"""Scenarios between the page, the library and TOML files."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from kinegraph.arrays import Array
from kinegraph.crowds.named import named
from kinegraph.crowds.reading import scenario_of
from kinegraph.crowds.scenario import Party, Roam, Route, Scenario, Spots
from kinegraph.crowds.shapes import Rectangle, Region, Round, Wall
from kinegraph.studio.rooms.crowd.models import BoxModel, ScenarioModel, SceneFacts, SceneGroup
from kinegraph.studio.server.problems import Missing
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.workspace import Workspace

FOLDER = "scenarios"

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
        name=scenario.name, people=scenario.count, groups=groups, walls=[_places(points) for points in walls]
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
    for group in scenario.groups:
        lines += ["", "[[group]]"]
        lines += [f"name = {json.dumps(group.name)}"] if group.name else []
        lines += [f"count = {group.count}", f"from = {_written(group.start)}", f"to = {_written(group.goal)}"]
        lines += [f"speed = {group.speed:g}", f"spread = {group.spread:g}", f"arrived = {json.dumps(group.arrived)}"]
        lines += [f"label = {json.dumps(group.label)}"] if group.label else []
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
