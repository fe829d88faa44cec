"""What can be exported: a clip or a result, with how it came about."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kinegraph.errors import KinegraphError
from kinegraph.feet.sole import has_legs
from kinegraph.motion import Motion
from kinegraph.paths.read import write
from kinegraph.studio import commands
from kinegraph.studio.commands import Making, Recipe
from kinegraph.studio.exporting import Options, rigid
from kinegraph.studio.pathmodel import PathModel
from kinegraph.studio.problems import Conflict, Missing
from kinegraph.studio.workspace import Workspace


@dataclass(frozen=True, eq=False)
class Source:
    """A motion to be written. made: what its sidecar tells of it. making: how it came about; None where that cannot be had again."""

    motion: Motion
    name: str
    made: dict[str, Any]
    making: Making | None

    def recipe(self, target: str, suffix: str, options: Options) -> Recipe:
        """How to make the motion and write it to ``target``; empty where it cannot be made again."""
        if self.making is None:
            return Recipe("", "")
        writing = commands.Writing(**vars(options), rigid=rigid(self.motion, suffix))
        return commands.recipe(self.making, target, writing)


def of_clip(workspace: Workspace, id: str) -> Source:
    """A clip of the workspace."""
    path = workspace.find("clip", id)
    file = path.relative_to(workspace.root).as_posix()
    motion = workspace.read(path)
    return Source(motion, path.stem, {"made": {"room": "library"}, "source": {"clip": file}}, commands.clip(file))


def of_result(workspace: Workspace, motion: Motion, facts: Mapping[str, Any]) -> Source:
    """A result, by the facts that its pack tells; a path that was drawn for it is kept among the sketches, for the recipe to name it."""
    files = _files(workspace, facts["source"])
    making = _making(workspace, motion, facts, files) if files else None
    made = {"made": {"room": facts["room"], "request": facts["request"]}, "source": files}
    return Source(motion, str(facts["title"]), made, making)


def needed(source: Source) -> Source:
    """The source, if it can be made again."""
    if source.making is None:
        raise Conflict("what this was made from is no longer in the workspace: it cannot be made again")
    return source


def _files(workspace: Workspace, source: Mapping[str, str]) -> dict[str, str]:
    """The files that a result was made from; none where one of them is gone, or nobody knows."""
    try:
        found = {kind: workspace.find("clip" if kind == "clip" else "mog", id) for kind, id in source.items()}
    except Missing:
        return {}
    return {kind: path.relative_to(workspace.root).as_posix() for kind, path in found.items()}


def _making(workspace: Workspace, motion: Motion, facts: Mapping[str, Any], files: Mapping[str, str]) -> Making:
    request, legs = facts["request"], has_legs(motion.skeleton)
    room = facts["room"]
    if room == "follow":
        return commands.follow(files["graph"], _path(workspace, request["path"]), request, legs=legs)
    if room == "walk":
        return commands.walk(files["graph"], request, legs=legs)
    if room == "repath":
        return commands.repath(files["clip"], _path(workspace, request["path"]), request, legs=legs)
    if room == "strike":
        return commands.reach(files["space"], request.get("space"), request)
    raise KinegraphError(f"nothing is known of how results of the room {room!r} are made")


def _path(workspace: Workspace, asked: Mapping[str, Any]) -> str:
    """A path as the command line takes it: a shape by name; else a sketch's file, which is written if it is not there."""
    if asked.get("shape"):
        return str(asked["shape"])
    digest = hashlib.blake2s(json.dumps(asked, sort_keys=True).encode(), digest_size=4).hexdigest()
    with workspace.lock:
        file = workspace.new("sketches", f"drawn {digest}", ".json", replace=True)
        if not file.exists():
            write(PathModel(**asked).curve(), file)
    return file.relative_to(workspace.root).as_posix()
