"""Jobs: watched, stopped, taken up again, forgotten."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from kinegraph.studio import problems
from kinegraph.studio.models import JobModel

router = APIRouter(prefix="/api", tags=["jobs"], responses=problems.DOCUMENTED)

JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]


@router.get("/jobs", response_model=list[JobModel])
async def jobs(request: Request) -> list[dict[str, Any]]:
    """All jobs, the newest first."""
    return [asdict(job) for job in request.app.state.jobs.list()]


@router.post("/jobs/{id}/cancel", response_model=JobModel)
async def cancel(id: JobId, request: Request) -> dict[str, Any]:
    """Stop a job."""
    return asdict(await request.app.state.reading.run(request.app.state.jobs.cancel, id))


@router.post("/jobs/{id}/resume", response_model=JobModel)
async def resume(id: JobId, request: Request) -> dict[str, Any]:
    """Run a job once more that failed, was cancelled, or was interrupted."""
    return asdict(await request.app.state.reading.run(request.app.state.jobs.resume, id))


@router.delete("/jobs/{id}", status_code=204, response_class=Response)
async def forget(id: JobId, request: Request) -> Response:
    """Take a job that has ended off the list."""
    await request.app.state.reading.run(request.app.state.jobs.remove, id)
    return Response(status_code=204)
