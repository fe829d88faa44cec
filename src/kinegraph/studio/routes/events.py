"""What changes, told to the page as it happens."""

from __future__ import annotations

import json
from contextlib import suppress

import anyio
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

router = APIRouter(prefix="/api", tags=["events"])

# the code of a server that will be back, so that the page tries again
_AGAIN = 1012


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
