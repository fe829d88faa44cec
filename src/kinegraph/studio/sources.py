"""What can be exported: a clip or a result, with how it came about."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from kinegraph.errors import KinegraphError
from kinegraph.feet.sole import has_legs
from kinegraph.formats.intake import digest as motion_digest
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.digests import digest as graph_digest
from kinegraph.motion import Motion
from kinegraph.paths.reading import write
from kinegraph.strikes.space import Space
from kinegraph.strikes.store.rows import packed
from kinegraph.studio import commands
from kinegraph.studio.commands import Making, Recipe
from kinegraph.studio.exporting import Options, rigid
from kinegraph.studio.pathmodel import PathModel
from kinegraph.studio.printable import printable
from kinegraph.studio.problems import Conflict, Missing
from kinegraph.studio.workspace import Workspace

Origin = MotionGraph | Motion | Space
"""What a result is made from: a graph, a clip or a space of strikes."""

_DIGESTS: WeakKeyDictionary[Origin, str] = WeakKeyDictionary()


def digest(origin: Origin) -> str:
    """What is another whenever the content is; worked out once for each that is held, since a hand that drags asks again and again."""
    known = _DIGESTS.get(origin)
    if known is None:
        if isinstance(origin, MotionGraph):
            known = graph_digest(origin)
        else:
            known = motion_digest(origin) if isinstance(origin, Motion) else packed(origin).digest()
        _DIGESTS[origin] = known
    return known


@dataclass(frozen=True, eq=False)
class Exportable:
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


def of_clip(workspace: Workspace, id: str) -> Exportable:
    """A clip of the workspace."""
    path = workspace.find("clip", id)
    file = path.relative_to(workspace.root).as_posix()
    made = {"made": {"room": "library"}, "source": {"clip": printable(file)}}
    # a name that is no text can be read, but stands in no command
    making = commands.clip(file) if printable(file) == file else None
    return Exportable(workspace.read(path), printable(path.stem), made, making)


def of_result(workspace: Workspace, motion: Motion, facts: Mapping[str, Any]) -> Exportable:
    """A result, by the facts that its pack tells; a path that was drawn for it is kept among the sketches, for the recipe to name it."""
    files = _files(workspace, facts)
    making = _making(workspace, motion, facts, files) if files else None
    made = {"made": {"room": facts["room"], "request": facts["request"]}, "source": files}
    return Exportable(motion, str(facts["title"]), made, making)


def needed(source: Exportable) -> Exportable:
    """The source, if it can be made again."""
    if source.making is None:
        raise Conflict(
            "what this was made from is no longer in the workspace, no longer what it was, or has a name that is no text: "
            "it cannot be made again"
        )
    return source


def _files(workspace: Workspace, facts: Mapping[str, Any]) -> dict[str, str]:
    """The files that a result was made from; none where one is gone, holds something else by now, cannot be named, or nobody knows."""
    # results that earlier versions have kept know only where it lay
    made_from = facts.get("source_digest")
    found: dict[str, Path] = {}
    try:
        for kind, id in facts["source"].items():
            found[kind] = workspace.find("clip" if kind == "clip" else "mog", id)
            if made_from is not None and digest(_origin(workspace, kind, id, facts["request"])) != made_from:
                return {}
    except Missing:
        return {}
    except KinegraphError:  # another file under the same name, which cannot be read
        if made_from is not None:
            return {}
        raise
    files = {kind: path.relative_to(workspace.root).as_posix() for kind, path in found.items()}
    return files if all(printable(file) == file for file in files.values()) else {}


def _origin(workspace: Workspace, kind: str, id: str, request: Mapping[str, Any]) -> Origin:
    """What the file of a result's source holds now."""
    if kind == "clip":
        return workspace.motion(id)
    return workspace.graph(id) if kind == "graph" else workspace.space(id, request.get("space"))


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
