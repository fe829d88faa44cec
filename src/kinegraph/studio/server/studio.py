"""`Studio`: what a server holds for all of its rooms, and how routes get hold of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, Request
from pydantic import BaseModel
from starlette.datastructures import State

from kinegraph.motion import Motion
from kinegraph.player import body_id, body_pack
from kinegraph.studio.results.store import ResultStore
from kinegraph.studio.server import problems
from kinegraph.studio.server.cache import Cache
from kinegraph.studio.server.events import Events
from kinegraph.studio.server.jobs import Job, Jobs
from kinegraph.studio.server.models import Trashed
from kinegraph.studio.server.pool import Pool
from kinegraph.studio.workspace.labels import LabelBook
from kinegraph.studio.workspace.workspace import Workspace

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])

# bytes of bodies that are held in memory
_BODIES = 50_000_000


class Studio(State):
    """The parts of a server that all rooms share; a room adds what it alone holds.

    opened: the id of the file that the page is to begin with.
    """

    def __init__(self, workspace: Workspace, opened: str | None):
        super().__init__()
        self.workspace = workspace
        self.open = opened
        self.events = Events()
        self.jobs = Jobs(workspace.root, self._tell_job, self.events.changed)
        self.pool = Pool(2, "work")
        # exact searches may take long, and nothing else is to wait for them
        self.thorough = Pool(1, "thorough")
        # what only reads must not wait for searches that are under way
        self.reading = Pool(2, "reading")
        # every page begins with the state, and asks for it at every change: it waits for nobody
        self.telling = Pool(1, "telling")
        self.labels = LabelBook(workspace.root)
        self.results = ResultStore(workspace, lambda: _awaited(self.jobs.list()))
        self.services: dict[str, Any] = {}
        self.at_start: list[Callable[[], None]] = [workspace.trash.tidy]
        self.at_end: list[Callable[[], None]] = []
        self._bodies = Cache[bytes](_BODIES, len)

    def body(self, motion: Motion) -> bytes:
        """The mannequin of a motion's skeleton as a pack, made once for all motions that have it."""
        return self._bodies.get(body_id(motion.skeleton), lambda: body_pack(motion.skeleton, motion))

    def trashed(self, token: str, *changes: str) -> Trashed:
        """The answer where something was put into the trash. changes: what of the workspace is another by that."""
        for what in changes:
            self.events.changed(what)
        return Trashed(token)

    def leave(self) -> None:
        """Tell whoever waits for a search that the studio is being closed, and end the searches."""
        for pool in (self.pool, self.thorough, self.reading, self.telling):
            pool.close()

    def close(self) -> None:
        """End all that is under way."""
        self.events.publish(None)
        # first, so that searches end while the job that is under way is waited for
        self.leave()
        self.jobs.close()
        for end in self.at_end:
            end()

    def _tell_job(self, job: Job) -> None:
        self.events.publish({"type": "job", "job": asdict(job)})


@dataclass(frozen=True)
class Room:
    """A room of the page, as the server knows it."""

    name: str
    """What the page calls it."""
    routers: Sequence[APIRouter]
    """The addresses that it answers at."""
    register: Callable[[FastAPI, Studio], None]
    """Adds what else it needs: jobs, services, things that it holds."""


async def studio_of(request: Request) -> Studio:
    """The studio that a request is for."""
    studio: Studio = request.app.state
    return studio


Here = Annotated[Studio, Depends(studio_of)]
"""What a route takes as ``studio``."""


def routes(tag: str) -> APIRouter:
    """A router for addresses of the API."""
    return APIRouter(prefix="/api", tags=[tag], responses=problems.DOCUMENTED)


def reading(function: Callable[..., _T]) -> Callable[..., Coroutine[Any, Any, _T]]:
    """A route whose function is done by the workers that read, so that the event loop stays free. It takes a ``studio``."""
    return _by_workers("reading", function)


def working(function: Callable[..., _T]) -> Callable[..., Coroutine[Any, Any, _T]]:
    """Likewise, for what takes longer."""
    return _by_workers("pool", function)


def taking(model: type[BaseModel], function: _F) -> _F:
    """A route whose function takes as ``asked`` a request of a model that was made when the server was."""
    function.__annotations__["asked"] = model
    return function


def _by_workers(pool: str, function: Callable[..., _T]) -> Callable[..., Coroutine[Any, Any, _T]]:
    async def run(**given: Any) -> _T:
        workers: Pool = getattr(given["studio"], pool)
        return await workers.run(function, **given)

    run.__signature__ = inspect.signature(function, eval_str=True)  # type: ignore[attr-defined]
    run.__name__, run.__doc__, run.__module__ = function.__name__, function.__doc__, function.__module__
    return run


def _awaited(jobs: Iterable[Job]) -> set[str]:
    """The ids of the results that jobs are still to work on."""
    under_way = (job.request.get("source") for job in jobs if job.state in ("queued", "running"))
    return {source["id"] for source in under_way if source and source.get("kind") == "result"}
