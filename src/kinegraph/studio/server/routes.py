"""Jobs: watched, stopped, taken up again, forgotten; and what changes, told to the page as it happens."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Annotated

import anyio
from fastapi import Path, WebSocket, WebSocketDisconnect
from fastapi.responses import Response

from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.studio import Here, reading, routes

router = routes("jobs")

JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$")]

# the code of a server that will be back, so that the page tries again
_AGAIN = 1012


@router.get("/jobs")
@reading
def jobs(studio: Here) -> list[Job]:
    """All jobs, the newest first."""
    return studio.jobs.list()


@router.post("/jobs/{id}/cancel")
@reading
def cancel(id: JobId, studio: Here) -> Job:
    """Stop a job."""
    return studio.jobs.cancel(id)


@router.post("/jobs/{id}/resume")
@reading
def resume(id: JobId, studio: Here) -> Job:
    """Run a job once more that failed, was cancelled, or was interrupted."""
    return studio.jobs.resume(id)


@router.delete("/jobs/{id}", status_code=204, response_class=Response)
@reading
def forget(id: JobId, studio: Here) -> Response:
    """Take a job that has ended off the list."""
    studio.jobs.remove(id)
    return Response(status_code=204)


@router.websocket("/events")
async def events(socket: WebSocket) -> None:
    """Send every event until the page, or the server, ends it. What the page sends is not listened to."""
    await socket.accept()
    with socket.app.state.events.listening() as messages:
        async with anyio.create_task_group() as both:

            async def listen() -> None:
                while (await socket.receive())["type"] != "websocket.disconnect":
                    pass
                both.cancel_scope.cancel()

            both.start_soon(listen)
            with suppress(WebSocketDisconnect, RuntimeError):  # it went away while it was told something
                while (message := await messages.get()) is not None:
                    # escaped, so that no name of a file can be one that a socket does not take
                    await socket.send_text(json.dumps(message, separators=(",", ":")))
                await socket.close(_AGAIN)
            both.cancel_scope.cancel()
