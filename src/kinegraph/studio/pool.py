"""`Pool`: a few threads for what answers a request but takes longer than a moment, so that the event loop stays free."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Pool:
    """``threads`` workers; whoever comes later waits in turn."""

    def __init__(self, threads: int = 2, name: str = "pool"):
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"kinegraph-{name}")

    async def run(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """What the function returns, computed by a worker."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(function, *args, **kwargs))

    def close(self) -> None:
        """Take no further work and do not wait for what is under way."""
        self._executor.shutdown(wait=False, cancel_futures=True)
