"""What can be exported: a clip or a result, with how it came about."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.errors import KinegraphError
from kinegraph.motion import Motion
from kinegraph.paths.reading import write
from kinegraph.studio.results.origins import digest, ground_of, origin_of
from kinegraph.studio.rooms.direct.files import named as scene_file
from kinegraph.studio.rooms.export.writable import Options, formats, is_rigid
from kinegraph.studio.server.problems import Conflict, Missing
from kinegraph.studio.server.studio import Studio
from kinegraph.studio.workspace.files import printable
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.tasks.models import PathModel
from kinegraph.tasks.recipes import Recipe, Writing, recipe
from kinegraph.tasks.task import Task


@dataclass(frozen=True, eq=False)
class Exportable:
    """A motion to be written. made: what its sidecar tells of it. marks: frames that a strip shows in any case, each with a word for it.
    contacts: when feet stand, as far as whoever made it knows.

    task, file: what makes it again, of that file; no task where the file holds it. The file is empty where it cannot be had again.
    """

    motion: Motion
    name: str
    made: dict[str, Any]
    task: Task | None = None
    file: str = ""
    marks: Mapping[int, str] = field(default_factory=dict)
    contacts: NDArray[np.bool_] | None = None

    def shown(self, suffix: str) -> Mapping[int, str]:
        """Its marks, where the format shows them."""
        return self.marks if "marks" in formats()[suffix].options else {}

    def recipe(self, target: str, options: Options, character: str | None = None) -> Recipe:
        """How to make the motion and write it to ``target``, on a character's file; empty where it cannot be made again."""
        if not self.file:
            return Recipe("", "")
        suffix = PurePosixPath(target).suffix
        given = options.given | {"character": character}
        rigid = character is None and is_rigid(self.motion, suffix)
        writing = Writing(**given, rigid=rigid, marks=self.shown(suffix))
        return recipe(self.task, self.file, target, writing)

    def needed(self) -> Exportable:
        """The same, if it can be made again."""
        if not self.file:
            raise Conflict(
                "what this was made from is no longer in the workspace, no longer what it was, or has a name that is no text: "
                "it cannot be made again"
            )
        return self


def source(studio: Studio, kind: str, id: str) -> Exportable:
    """A clip or a result, by its id."""
    return _clip(studio.workspace, id) if kind == "clip" else _result(studio, id)


def _clip(workspace: Workspace, id: str) -> Exportable:
    path = workspace.find("clip", id)
    file = path.relative_to(workspace.root).as_posix()
    made = {"made": {"room": "library"}, "source": {"clip": printable(file)}}
    # a name that is no text can be read, but stands in no command
    named = file if printable(file) == file else ""
    return Exportable(workspace.read(path), printable(path.stem), made, file=named)


def _result(studio: Studio, id: str) -> Exportable:
    """By the facts that its pack tells; a path that was drawn for it is kept among the sketches, for the recipe to name it."""
    held = studio.results.get(id)
    facts = held.facts
    room, request, title = facts["room"], facts["request"], str(facts["title"])
    files = _files(studio.workspace, facts)
    made = {"made": {"room": room, "request": request}, "source": files}
    marks = {int(frame): word for frame, word in facts.get("marks", {}).items()}
    task = studio.services[room].again(studio, request) if files and room in studio.services else None
    if task is None:
        return Exportable(held.motion, title, made, marks=marks)
    task = _named(studio.workspace, task, request.get("path"))
    if "scene" in request:
        task = replace(task, scene=scene_file(studio.workspace, request["scene"]))
    return Exportable(held.motion, title, made, task, next(iter(files.values())), marks, held.contacts)


def _files(workspace: Workspace, facts: Mapping[str, Any]) -> dict[str, str]:
    """The file that a result was made from, by its kind; none where it is gone, holds something else, cannot be named, or is not known."""
    # results that earlier versions have kept know only where it lay
    digests = facts.get("source_digests", {})
    files = {}
    try:
        for kind, id in facts["source"].items():
            path = workspace.find("clip" if kind == "clip" else "mog", id)
            files[kind] = path.relative_to(workspace.root).as_posix()
            made_from = digests.get(kind, facts.get("source_digest"))
            if made_from is not None and digest(origin_of(workspace, kind, id, facts["request"])) != made_from:
                return {}
        ground = ground_of(workspace, facts["request"])
        if ground is not None and digest(ground) != digests.get("ground", digest(ground)):
            return {}
    except Missing:
        return {}
    except KinegraphError:  # another file under the same name, which cannot be read
        if facts.get("source_digest") is not None:
            return {}
        raise
    return files if all(printable(file) == file for file in files.values()) else {}


def _named(workspace: Workspace, task: Any, asked: Mapping[str, Any] | None) -> Any:
    """The task with a path that a command can name: a shape, or else a sketch's file, which is written if it is not there."""
    if asked is None or asked.get("shape"):
        return task
    digest = hashlib.blake2s(json.dumps(asked, sort_keys=True).encode(), digest_size=4).hexdigest()
    with workspace.lock:
        file = workspace.new("sketches", f"drawn {digest}", ".json", replace=True)
        if not file.exists():
            write(PathModel(**asked).curve(), file)
    return replace(task, path=replace(task.path, name=file.relative_to(workspace.root).as_posix()))
