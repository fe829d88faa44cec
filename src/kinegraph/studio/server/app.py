"""`create_app`: the studio's server for one workspace, put together from its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from fastapi import FastAPI

from kinegraph.studio.characters import routes as characters
from kinegraph.studio.results import routes as results
from kinegraph.studio.rooms import rooms
from kinegraph.studio.server import problems, routes, state, static
from kinegraph.studio.server.facts import Described
from kinegraph.studio.server.guard import Guard
from kinegraph.studio.server.studio import Studio
from kinegraph.studio.workspace.workspace import Workspace
from kinegraph.version import __version__


def create_app(
    workspace: Workspace,
    *,
    hosts: Collection[str],
    token: str | None = None,
    ticket: str | None = None,
    opened: str | None = None,
) -> FastAPI:
    """The server of a workspace.

    hosts: what a request's Host may be, such as ``127.0.0.1:8700``. token: what a request must show, where one is needed; ticket: lets a
    browser in once. opened: the id of the file that the page is to begin with.
    """
    studio = Studio(workspace, opened)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        for start in studio.at_start:
            start()
        yield
        studio.close()

    app = Described(
        title="kinegraph studio",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state = studio
    problems.handle(app)
    app.add_middleware(Guard, hosts=hosts, token=token, ticket=ticket)
    for room in rooms():
        for router in room.routers:
            app.include_router(router)
        room.register(app, studio)
    for router in (state.router, routes.router, results.router, characters.router, static.router):
        app.include_router(router)
    characters.register(studio)
    state.register(studio)
    # what is at no other address
    static.register(app, [room.name for room in rooms()])
    return app
