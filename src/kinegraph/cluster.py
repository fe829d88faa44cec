"""`Cluster`: the workers of a Dask scheduler as a crew (extra ``cluster``).

Pieces of work are functions of their arguments, so a worker that is lost costs what it was doing: the scheduler gives that to another. What
is lent travels with the scheduler's plan of the work, and is sent again to whoever takes the place of a worker that had it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kinegraph.errors import GraphError

# seconds for a scheduler to answer, and for the first worker to come
_ANSWER, _WORKERS = 10.0, 30.0
# pieces under way for each thread of the cluster, and at least
_EACH, _LEAST = 3, 8


@contextmanager
def cluster(address: str) -> Iterator[Cluster]:
    """The workers of the scheduler at an address such as ``tcp://host:8786``."""
    try:
        import distributed
    except ImportError as error:
        raise GraphError("a cluster needs Dask: pip install 'kinegraph[cluster]'") from error
    try:
        connect: Any = distributed.Client
        client = connect(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise GraphError(
            f"no scheduler answers at {address}: {_said(error)}; start one with 'dask scheduler' and give the address that it prints"
        ) from error
    try:
        yield Cluster(client)
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            client.close(timeout=_ANSWER)


class Cluster:
    """A crew (`kinegraph.crew.FarCrew`) of the workers that a Dask client sees; all must have this very kinegraph."""

    def __init__(self, client: Any):
        self._client = client
        self._about = about()
        try:
            client.wait_for_workers(1, timeout=_WORKERS)
        except TimeoutError as error:
            raise GraphError(
                f"the scheduler at {client.scheduler.address} has no workers: start some with 'dask worker {client.scheduler.address}'"
            ) from error
        for where, found in client.run(_asked, on_error="return").items():
            if found != self._about:
                raise GraphError(_other(where, found, self._about))
        threads = sum(client.nthreads().values())
        self.ahead = max(_LEAST, _EACH * threads)
        """Pieces that should be under way at a time."""

    def submit(self, function: Callable[..., Any], /, *given: Any) -> _Future:
        """A future of what the function gives there."""
        with warnings.catch_warnings():
            # that clips are large is known
            warnings.simplefilter("ignore", UserWarning)
            return _Future(self._client.submit(_done, self._about, function, *given, pure=False))

    def lend(self, value: Any) -> Any:
        """Send a value there, to be given to `submit` in its place."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return self._client.submit(_itself, value, pure=False)


class _Future:
    """A future of Dask's whose failures say what to do."""

    def __init__(self, future: Any):
        self._future = future

    def result(self) -> Any:
        from concurrent.futures import CancelledError as Cancelled

        from distributed import CancelledError, KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            return self._future.result()
        except KilledWorker as error:
            raise GraphError(
                "one piece of work has ended several workers: they may lack memory; what was compared is kept"
            ) from error
        except (CancelledError, Cancelled, CommClosedError, OSError) as error:
            raise GraphError(
                f"the scheduler was lost: {_said(error)}; what was compared is kept, and the same command goes on from there"
            ) from error

    def cancel(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._future.cancel()


def about() -> tuple[str, str]:
    """Which kinegraph this is, as far as results depend on it."""
    from kinegraph.similarity.minima import METHOD
    from kinegraph.version import __version__

    return __version__, METHOD


def _asked() -> tuple[str, str]:
    """On a worker: which kinegraph it has."""
    return about()


def _done(wanted: tuple[str, str], function: Callable[..., Any], *given: Any) -> Any:
    """On a worker: the work, unless this is another kinegraph, which may have come later than the first."""
    if about() != wanted:
        from distributed import get_worker

        raise GraphError(_other(get_worker().address, about(), wanted))
    return function(*given)


def _itself(value: Any) -> Any:
    return value


def _other(where: str, found: Any, wanted: tuple[str, str]) -> str:
    if isinstance(found, ImportError | AttributeError):
        return f"the worker {where} has no kinegraph, or an old one ({_said(found)}): install {wanted[0]} there"
    if isinstance(found, BaseException):
        return f"the worker {where} cannot be asked for its version: {_said(found)}"
    return f"the worker {where} has kinegraph {' '.join(found)}, this is {' '.join(wanted)}: install the same on both"


def _said(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
