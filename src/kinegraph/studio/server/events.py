"""`Events`: what changed, told to every page that is open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

Message = Mapping[str, Any]

# Messages that a page may be behind before it is let go: it comes back, and then asks for the whole state.
_MOST_BEHIND = 1000


class Events:
    """Messages from any thread to every listener. A message is plain JSON with a ``type``."""

    def __init__(self) -> None:
        self._listeners: dict[asyncio.Queue[Message | None], asyncio.AbstractEventLoop] = {}
        self._lock = Lock()

    @contextmanager
    def listening(self) -> Iterator[asyncio.Queue[Message | None]]:
        """A queue of the messages from now on; None where the listener has fallen too far behind, or the server ends."""
        queue: asyncio.Queue[Message | None] = asyncio.Queue()
        with self._lock:
            self._listeners[queue] = asyncio.get_running_loop()
        try:
            yield queue
        finally:
            with self._lock:
                self._listeners.pop(queue, None)

    def publish(self, message: Message | None) -> None:
        """Tell everybody; None ends their listening."""
        with self._lock:
            listeners = list(self._listeners.items())
        for queue, loop in listeners:
            try:
                loop.call_soon_threadsafe(_put, queue, message)
            except RuntimeError:
                continue  # its loop has ended

    def changed(self, what: str) -> None:
        """Tell that clips, graphs, spaces, sketches, results, exports or characters are no longer as they were."""
        self.publish({"type": "changed", "what": what})


def _put(queue: asyncio.Queue[Message | None], message: Message | None) -> None:
    if queue.qsize() == _MOST_BEHIND:
        queue.put_nowait(None)
    elif queue.qsize() < _MOST_BEHIND:
        queue.put_nowait(message)
