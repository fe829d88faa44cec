"""The built-in clips, so that an empty workspace need not stay so."""

from __future__ import annotations

from typing import Any

from kinegraph.formats.registry import save
from kinegraph.studio.server.events import Events
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.studio import Here, reading, routes
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.watch import Watch

router = routes("samples")


@router.post("/samples")
@reading
def samples(studio: Here) -> Job:
    """Write the built-in clips into the workspace: a job."""
    return studio.jobs.submit("samples", "Built-in clips", {})


def write_samples(workspace: Workspace, events: Events, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """Write those that are not there."""
    from kinegraph import samples as performer  # takes a moment, and few ask for it

    wanted = performer.names()
    there = {entry.name for entry in workspace.clips()}
    for number, name in enumerate(wanted):
        watch.tell("write", number, len(wanted))
        if name not in there:
            with workspace.lock:
                place = workspace.new("clips", name, ".bvh")
                save(performer.make(name).motion, place)
                workspace.origins.note(place, "the built-in performer")
            events.changed("clips")
    watch.tell("write", len(wanted), len(wanted))
    made = [entry.id for entry in workspace.clips() if entry.name in wanted]
    return {"clips": made, "written": len(set(wanted) - there)}
