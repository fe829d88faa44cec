"""Work that is cut into pieces, done by whoever there is: this process alone, threads, further processes, or machines.

A piece is a function of its arguments and nothing else, so that it may be done anywhere, and again where its worker was lost. Whatever has
``submit`` as `concurrent.futures` has it is a crew.

>>> with Threads(2) as pool:
...     list(in_order(pool, abs, [-1, -2, -3]))
[1, 2, 3]
>>> list(in_order(None, abs, [-1, -2]))
[1, 2]
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TypeVar, runtime_checkable

from kinegraph.memory import NONE_LEFT, need

Piece = TypeVar("Piece")
Done = TypeVar("Done")
_P = ParamSpec("_P")

# pieces that wait for each worker: none of them idles, and little is held
_AHEAD = 2


class Crew(Protocol):
    """Whoever can be given work."""

    def submit(self, function: Callable[..., Any], /, *given: Any) -> Any:
        """A future of what the function gives."""


@runtime_checkable
class FarCrew(Crew, Protocol):
    """One that works elsewhere."""

    ahead: int
    """Pieces that should be under way at a time."""

    def lend(self, value: Any) -> Any:
        """Send a value there; what is returned may be given to `submit` in its place, any number of times."""


class Threads(ThreadPoolExecutor):
    """Threads; where there is no memory for them, that is a `MemoryError`."""

    def submit(self, fn: Callable[_P, Done], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[Done]:
        """A future of what the function gives."""
        with _room():
            return super().submit(fn, *args, **kwargs)


def begin(thread: threading.Thread) -> None:
    """Start a thread; a `MemoryError` where there is no memory for it."""
    with _room():
        thread.start()


@contextmanager
def _room() -> Iterator[None]:
    """Python waits for ever for a thread that finds no memory at its beginning, and of one that cannot be made it does not say why."""
    need()
    try:
        yield
    except RuntimeError as error:
        if "start new thread" not in str(error):
            raise
        raise MemoryError(NONE_LEFT) from error


def lend(crew: Crew, value: Any) -> Any:
    """What stands for the value where work is submitted: a crew that works elsewhere is sent it once, any other is given it each time."""
    return crew.lend(value) if isinstance(crew, FarCrew) else value


def in_order(
    crew: Crew | None, function: Callable[[Piece], Done], pieces: Iterable[Piece], workers: int = 2
) -> Iterator[Done]:
    """What the function makes of each piece, in their order; few pieces are under way at a time. Without a crew, here and now."""
    if crew is None:
        yield from map(function, pieces)
        return
    waiting: deque[Any] = deque()
    try:
        for piece in pieces:
            waiting.append(crew.submit(function, piece))
            if len(waiting) > _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def forks() -> bool:
    """Whether further processes begin as copies of this one, at once, instead of importing everything anew, which takes a second.

    Only Linux copies with safety, and only a process without further threads: what these hold would be held for ever in the copy.
    """
    return sys.platform == "linux" and threading.active_count() == 1


@contextmanager
def processes(count: int) -> Iterator[Crew | None]:
    """So many further processes; none where one is enough. Whoever asks for them must be able to be imported again (``__main__``)."""
    if count < 2:
        yield None
        return
    kind = multiprocessing.get_context("fork" if forks() else "spawn")
    others = set(multiprocessing.active_children())
    try:
        with ProcessPoolExecutor(count, kind, _begin_as_worker) as pool:
            try:
                with warnings.catch_warnings():
                    # Python counts the threads of libraries too, which are prepared for this
                    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
                    pool.submit(int).result()
                yield pool
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                # nobody waits for what they are at
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()
                raise
    except BrokenProcessPool as error:
        # the system ends processes where memory runs out
        raise MemoryError(NONE_LEFT) from error
    except OSError as error:
        if error.errno not in (errno.ENOMEM, errno.EAGAIN):
            raise
        raise MemoryError(NONE_LEFT) from error


def _begin_as_worker() -> None:
    """In a worker: leave Ctrl-C to the process that started it, and end when that has ended, even if it was killed and could not say so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
