"""The built-in clips, so that an empty workspace need not stay so."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, FastAPI, Request

from kinegraph.formats.registry import save
from kinegraph.studio import problems
from kinegraph.studio.models import JobModel
from kinegraph.studio.workspace import Workspace
from kinegraph.watch import Watch

router = APIRouter(prefix="/api", tags=["samples"], responses=problems.DOCUMENTED)


@router.post("/samples", response_model=JobModel)
async def samples(request: Request) -> dict[str, Any]:
    """Write the built-in clips into the workspace: a job."""
    return asdict(await request.app.state.reading.run(request.app.state.jobs.submit, "samples", "Built-in clips", {}))


def register(app: FastAPI) -> None:
    """Let the app's jobs know how samples are made."""
    workspace: Workspace = app.state.workspace

    def run(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        from kinegraph import samples as performer  # takes a moment, and few ask for it

        wanted = performer.names()
        there = {entry.name for entry in workspace.clips()}
        written = 0
        for number, name in enumerate(wanted):
            watch.tell("write", number, len(wanted))
            if name in there:
                continue
            with workspace.lock:
                save(performer.make(name).motion, workspace.new("clips", name, ".bvh"))
            written += 1
            app.state.events.changed("clips")
        watch.tell("write", len(wanted), len(wanted))
        made = [entry.id for entry in workspace.clips() if entry.name in wanted]
        return {"clips": made, "written": written}

    app.state.jobs.register("samples", run, changes="clips")
