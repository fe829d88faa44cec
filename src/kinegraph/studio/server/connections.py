"""Connections to the studio: who opens one and says nothing is not waited for, and there are never more than the system can hold."""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
import time
from typing import Any

from h11 import IDLE
from uvicorn.protocols.http.h11_impl import H11Protocol

_log = logging.getLogger("kinegraph.studio")

PATIENCE = 15.0
"""Seconds within which the head of a request must have come."""
MOST = 1500
"""Connections at a time."""
# descriptors that are left for files, beside connections, and those that are asked of the system
_SPARE, _WANTED = 200, 4096
# seconds between two lines that say the same
_AGAIN = 60.0


class Connection(H11Protocol):
    """Uvicorn's, which has no patience for those who never ask."""

    _waiting: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many; then one that has said nothing for longest goes instead."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > _most():
            silent = [one for one in self.connections if isinstance(one, Connection) and one._waiting is not None]
            min(silent, key=lambda one: one._since, default=self)._give_up()

    def data_received(self, data: bytes) -> None:
        """Take what came; the next head has its time from its first byte on."""
        super().data_received(data)
        if self.conn.their_state is not IDLE:
            self._wait_no_more()
        elif self._waiting is None and not self.transport.is_closing() and self.conn.trailing_data[0]:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._wait_no_more()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """From here on somebody else looks after it."""
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        self._since = time.monotonic()
        self._waiting = self.loop.call_later(PATIENCE, self._give_up)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._wait_no_more()
        # at once: who sends nothing reads nothing
        self.transport.abort()


def widen() -> None:
    """Ask the system for more descriptors, where it gives them."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _most() -> int:
    """How many connections there may be: fewer where the system gives few descriptors."""
    if sys.platform == "win32":
        return MOST
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (
        MOST if soft == resource.RLIM_INFINITY else max(8, min(MOST, soft - _SPARE if soft > 2 * _SPARE else soft // 2))
    )


def quietly(loop: asyncio.AbstractEventLoop) -> None:
    """Have a loop say in one line, now and then, that the system has no more descriptors: by itself it prints a traceback for each try."""
    told = -_AGAIN

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in (
            errno.EMFILE,
            errno.ENFILE,
            errno.ENOBUFS,
            errno.ENOMEM,
        ):
            loop.default_exception_handler(context)
        elif time.monotonic() - told > _AGAIN:
            told = time.monotonic()
            _log.warning("no further connection can be taken for now: %s", error.strerror)

    loop.set_exception_handler(handle)
