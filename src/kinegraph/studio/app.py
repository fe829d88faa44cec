"""`create_app`: the studio's server for one workspace, put together from its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import asdict

from fastapi import FastAPI

from kinegraph.studio import exporting, problems
from kinegraph.studio.bodies import Bodies
from kinegraph.studio.cache import Cache
from kinegraph.studio.clip_infos import ClipInfos
from kinegraph.studio.events import Events
from kinegraph.studio.facts import Described
from kinegraph.studio.guard import Guard
from kinegraph.studio.jobs import Jobs
from kinegraph.studio.labels import LabelBook
from kinegraph.studio.motions import ClipPacks
from kinegraph.studio.pool import Pool
from kinegraph.studio.results import ResultStore
from kinegraph.studio.routes import (
    clips,
    export,
    graphs,
    grounds,
    jobs,
    matrix,
    paths,
    repath,
    results,
    samples,
    sketches,
    spaces,
    state,
    static,
    walks,
)
from kinegraph.studio.routes import events as events_route
from kinegraph.studio.uploads import tidy
from kinegraph.studio.workspace import HIDDEN, Workspace
from kinegraph.version import __version__

_ROUTES = (
    state, clips, samples, jobs, sketches, events_route, paths, grounds, graphs, matrix, walks, results, repath, spaces, export, static,
)  # fmt: skip
"""In the order in which their routes are tried."""

# bytes of thumbnails that are held in memory
_THUMBNAILS = 20_000_000


def create_app(
    workspace: Workspace, *, hosts: Collection[str], token: str | None = None, opened: str | None = None
) -> FastAPI:
    """The server of a workspace.

    hosts: what a request's Host may be, such as ``127.0.0.1:8700``. token: what a request must show, where one is needed. opened: the id of
    the file that the page is to begin with.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        workspace.trash.tidy()
        tidy(workspace.root / HIDDEN / clips.INCOMING)
        exporting.tidy(workspace)
        yield
        app.state.events.publish(None)
        # first, so that searches end while the job that is under way is waited for
        app.state.pool.close()
        app.state.thorough.close()
        app.state.reading.close()
        app.state.jobs.close()
        app.state.infos.close()

    app = Described(
        title="kinegraph studio",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    events = Events()
    app.state.workspace = workspace
    app.state.events = events
    app.state.jobs = Jobs(
        workspace.root, lambda job: events.publish({"type": "job", "job": asdict(job)}), events.changed
    )
    app.state.pool = Pool(2, "work")
    # exact searches may take long, and nothing else is to wait for them
    app.state.thorough = Pool(1, "thorough")
    # what only reads must not wait for searches that are under way
    app.state.reading = Pool(2, "reading")
    app.state.labels = LabelBook(workspace.root)
    app.state.infos = ClipInfos(
        workspace, app.state.labels, lambda clip: events.publish({"type": "clip", "clip": clip})
    )
    app.state.packs = ClipPacks(workspace)
    app.state.bodies = Bodies()
    app.state.thumbnails = Cache[str](_THUMBNAILS, len)
    app.state.results = ResultStore(workspace, lambda: exporting.awaited(app.state.jobs.list()))
    app.state.open = opened
    problems.handle(app)
    app.add_middleware(Guard, hosts=hosts, token=token)
    for module in _ROUTES:
        app.include_router(module.router)
        if hasattr(module, "register"):
            module.register(app)
    return app
