"""`Pool`: a few threads for what answers a request but takes longer than a moment, so that the event loop stays free.

`Shared`: one piece of work for all who ask for the same at the same time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Generic, ParamSpec, Protocol, TypeVar

from kinegraph.crew import Threads
from kinegraph.studio.server.problems import Conflict
from kinegraph.watch import Watch

_P = ParamSpec("_P")
_T = TypeVar("_T")


GIVEN_UP = "nobody waits for this search any more"
CLOSING = "the studio is being closed: ask again once it is back"

# seconds between two looks whether somebody still waits
_LOOK = 0.01


class Asker(Protocol):
    """Whoever waits for an answer: a request."""

    async def is_disconnected(self) -> bool:
        """Whether they have gone."""


class Waited(Watch):
    """Stops work for which nobody waits any more."""

    def __init__(self, given_up: Callable[[], bool]):
        self._given_up = given_up

    def check(self) -> None:
        """A `Conflict` where whoever asked has gone."""
        if self._given_up():
            raise Conflict(GIVEN_UP)


class Pool:
    """``threads`` workers; whoever comes later waits in turn."""

    def __init__(self, threads: int = 2, name: str = "pool"):
        self._executor = Threads(threads, thread_name_prefix=f"kinegraph-{name}")
        self._closed = Event()

    async def run(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """What the function returns, computed by a worker; a `Conflict` where the pool is closed before one could begin."""
        if self._closed.is_set():
            raise Conflict(CLOSING)
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._executor, partial(function, *args, **kwargs))
        try:
            return await work
        except asyncio.CancelledError:
            if self._closed.is_set() and work.cancelled():
                raise Conflict(CLOSING) from None
            raise

    async def run_for(self, asker: Asker, function: Callable[[Watch], _T]) -> _T:
        """As `run`, for work that nobody wants any more once its asker has gone: the watch it is given stops it then.

        Who drags a point asks for something new before the last answer is there, and what was given up must not keep the new from a worker.
        """
        gone = Event()
        work = asyncio.ensure_future(self.run(function, Waited(lambda: gone.is_set() or self._closed.is_set())))
        # what comes of it after its asker was answered is nobody's any more
        work.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            while not (await asyncio.wait({work}, timeout=_LOOK))[0]:
                if self._closed.is_set():
                    raise Conflict(CLOSING)
                if not gone.is_set() and await asker.is_disconnected():
                    gone.set()
            return work.result()
        finally:
            # who is taken off while waiting, as at the end of the server, has gone as well
            gone.set()
            work.cancel()

    def close(self) -> None:
        """Take no further work and do not wait for what is under way; what was to be told when nobody wants it any more is told so.

        The process itself waits for every worker before it ends.
        """
        self._closed.set()
        self._executor.shutdown(wait=False, cancel_futures=True)


class Shared(Generic[_T]):
    """What a function returns, made once for all who wait for it: after a change every open page asks for the same.

    Who asks while it is being made waits for the next time: what they get was begun after they asked.
    """

    def __init__(self, pool: Pool, function: Callable[[], _T]):
        self._pool, self._function = pool, function
        self._running: asyncio.Task[_T] | None = None
        self._next: asyncio.Task[_T] | None = None

    async def get(self) -> _T:
        """The value, begun to be made no earlier than now."""
        if self._next is None:
            self._next = asyncio.ensure_future(self._make(self._running))
        # whoever goes away must not take it from the others
        return await asyncio.shield(self._next)

    async def _make(self, before: asyncio.Task[_T] | None) -> _T:
        if before is not None:
            await asyncio.wait([before])
        self._running, self._next = self._next, None
        return await self._pool.run(self._function)
