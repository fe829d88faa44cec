"""`Builds`: the jobs that build graphs and choose their transitions anew, and where those are saved."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from kinegraph.studio.rooms.follow.warmer import Warmer
from kinegraph.studio.rooms.graph import graphs
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.problems import Conflict
from kinegraph.studio.server.studio import Studio
from kinegraph.studio.workspace.files import printable
from kinegraph.studio.workspace.names import safe
from kinegraph.tasks.models import RequestModel, task_of
from kinegraph.tasks.task import TASKS
from kinegraph.watch import Watch

FOLDER = "graphs"

# what SQLite lays beside a draft, and the draft itself, in the order in which they are moved or removed: a draft without
# the log that it has yet to take in is not what was written, and a log without its draft is taken for the next one's
_LOGS = ("-wal", "-journal", "-shm", "")


class Builds:
    """What makes graphs of a workspace. model: of a request for one."""

    def __init__(self, studio: Studio, model: type[RequestModel], warmer: Warmer):
        self._studio, self._workspace = studio, studio.workspace
        self._model, self._warmer = model, warmer

    def warm(self, id: str) -> None:
        """Get a graph ready for being followed, in the background: whoever has opened it will draw a path next."""
        self._warmer.start(lambda: self._workspace.graph(id))

    def submit(self, asked: Any) -> Job:
        """Queue a build whose graph has a name that is free, also of what other builds will make."""
        self._check(asked.clips)
        with self._workspace.lock:
            free = self._free(safe(asked.name)).stem
            return self._studio.jobs.submit("build", f"Build {free}", {**asked.model_dump(), "name": free})

    def submit_add(self, graph: str, clips: list[str]) -> Job:
        """Queue the adding of clips to a graph."""
        name = self._workspace.find("mog", graph).stem
        self._check(clips)
        return self._studio.jobs.submit("add", f"Add to {name}", {"graph": graph, "clips": clips})

    def _check(self, clips: list[str]) -> None:
        for clip in clips:
            path = self._workspace.find("clip", clip)
            if printable(path.stem) != path.stem:
                raise Conflict(
                    f"{printable(path.name)} has a name that is no text, which no graph can hold: rename it first"
                )

    def add(self, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        """Add clips to a graph, in its own file."""
        source, graph = self._workspace.find("mog", request["graph"]), self._workspace.graph(request["graph"])
        files = [self._workspace.find("clip", clip) for clip in request["clips"]]
        with self._workspace.promised(lambda: source) as target:
            graphs.add(graph, target, files, self._workspace.read, self._studio.labels.read(), watch)
            return self._made(target)

    def build(self, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        """Build a graph."""
        asked: Any = self._model(**request)
        watch.tell("read", 0, len(asked.clips))
        files = [self._workspace.find("clip", clip) for clip in asked.clips]
        labels = self._studio.labels.read()
        with self._workspace.promised(lambda: self._place(safe(asked.name))) as target:
            self._workspace.inside(target.with_name(f"{target.name}.part"))
            task = task_of(asked, TASKS["build"], path=target, labels=labels)
            graphs.build(task, files, self._workspace.read, watch)
            return self._made(target)

    def rechoose(self, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        """Choose a graph's transitions anew."""
        source, graph = self._workspace.find("mog", request["graph"]), self._workspace.graph(request["graph"])
        name = request["name"]
        with self._workspace.promised(lambda: source if name is None else self._free(name)) as target:
            graphs.rechoose(graph, source, target, request["threshold_cm"], request["bridges"], watch)
            return self._made(target)

    def forget(self, job: Job) -> None:
        """Remove what a build that is forgotten has compared so far, since nobody can take it up again."""
        if job.state == "done":  # it has none any more: one of that name is another build's
            return
        folder = self._workspace.root / FOLDER
        draft = self._workspace.inside(folder / f"{safe(job.request['name'])}.mog.part")
        for log in _LOGS:
            Path(f"{draft}{log}").unlink(missing_ok=True)

    def _free(self, name: str) -> Path:
        """A place for a graph that is free, also of what builds will make that have not ended well yet: those may be resumed."""
        jobs = self._studio.jobs.list()
        pending = {job.request.get("name") for job in jobs if job.kind == "build" and job.state != "done"}
        free = self._workspace.new(FOLDER, name, ".mog")
        number = 2
        while free.stem in pending:
            free = self._workspace.new(FOLDER, f"{name} {number}", ".mog")
            number += 1
        return free

    def _place(self, name: str) -> Path:
        """Where a build saves: under the name it was queued with, or, where something has that by now, another; its draft goes along."""
        place = self._workspace.new(FOLDER, name, ".mog")
        if place.stem == name:
            return place
        place = self._free(name)
        draft = place.with_name(f"{name}.mog.part")
        if not os.path.lexists(f"{place}.part"):
            for log in _LOGS:
                with suppress(FileNotFoundError):
                    Path(f"{draft}{log}").rename(f"{place}.part{log}")
        return place

    def _made(self, path: Path) -> dict[str, Any]:
        """What a job tells of the graph that it has saved."""
        entry = self._workspace.entry(path)
        content = self._workspace.content(entry)
        self.warm(entry.id)
        return {"graph": {**entry.told(), "clips": content.clips, "error": content.error}}
