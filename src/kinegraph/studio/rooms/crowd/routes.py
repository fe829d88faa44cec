"""Crowds: run over a socket, a few frames at a time as they are computed; scenarios that are kept, and runs that are written."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import anyio
from fastapi import FastAPI, Path, WebSocket, WebSocketDisconnect

from kinegraph.crowds.simulation import crowd as compute
from kinegraph.errors import KinegraphError
from kinegraph.studio.rooms.crowd import scenarios, writing
from kinegraph.studio.rooms.crowd.models import (
    CrowdExportAsked,
    DrawingFacts,
    KeepAsked,
    RunSaid,
    ScenarioModel,
    SceneFacts,
    heard,
    said,
)
from kinegraph.studio.rooms.crowd.runs import Run, Runs
from kinegraph.studio.server.jobs import Job
from kinegraph.studio.server.pool import Pool
from kinegraph.studio.server.problems import Conflict, Missing, sentence_of
from kinegraph.studio.server.studio import Here, Studio, reading, routes, working
from kinegraph.studio.workspace.entries import FileEntry
from kinegraph.studio.workspace.names import safe
from kinegraph.watch import Watch

router = routes("crowd")

RunId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", description="A run, as its pack says")]

# seconds between two looks at what has been computed meanwhile
_LOOK = 0.05
_REFUSED, _FULL = 1008, 1013


class Crowds:
    """What the room holds."""

    def __init__(self) -> None:
        self.runs = Runs()
        self.pool = Pool(2, "crowds")

    def close(self) -> None:
        """Stop all that is under way."""
        self.runs.close()
        self.pool.close()


@router.post("/crowd/scene")
@working
def shown_scene(asked: ScenarioModel, studio: Here) -> SceneFacts:
    """What a scenario looks like on the floor."""
    return scenarios.scene(scenarios.scenario(studio.workspace, asked, 0))


@router.post("/crowd/drawing")
@working
def drawn_scenario(asked: ScenarioModel, studio: Here) -> DrawingFacts:
    """A scenario as the tools draw it, to be changed."""
    return scenarios.drawing(scenarios.scenario(studio.workspace, asked, 0))


@router.get("/crowd/scenarios")
@reading
def kept_scenarios(studio: Here) -> list[FileEntry]:
    """The scenarios that were kept."""
    return scenarios.listed(studio.workspace)


@router.post("/crowd/scenarios")
@working
def keep_scenario(asked: KeepAsked, studio: Here) -> FileEntry:
    """Keep a scenario as TOML."""
    return scenarios.keep(studio.workspace, safe(asked.name), asked.scenario, asked.seed)


@router.post("/crowd/{run}/export", status_code=202)
@working
def export(run: RunId, asked: CrowdExportAsked, studio: Here) -> Job:
    """Write a run into the folder of exports: a job."""
    writing.check(asked.format)
    made: Run = studio.crowds.runs.needed(run)
    if not made.over:
        raise Conflict("this run is not done: wait for it, or stop it")
    request = {
        "run": run,
        "graph": made.graph_id,
        "asked": {**made.asked.model_dump(), "seconds": made.seconds},
        "name": safe(asked.name),
        "format": asked.format,
    }
    return studio.jobs.submit("crowd", f"{asked.name}{asked.format}", request)


@router.websocket("/crowd")
async def crowd(socket: WebSocket) -> None:
    """Run a scenario on the graph that the address names: ``/api/crowd?graph=ID``."""
    studio: Studio = socket.app.state
    await socket.accept()
    with suppress(WebSocketDisconnect, RuntimeError):  # it went away while it was told something
        try:
            await CrowdVisit(studio, socket).run(socket.query_params.get("graph", ""))
        except KinegraphError as error:
            await socket.send_text(said("refused", error=sentence_of(error, studio.workspace.root)))
            await socket.close(_FULL if isinstance(error, Conflict) else _REFUSED)


class CrowdVisit:
    """A page that looks at a crowd: it is listened to, the crowd is computed, and it is sent, each at its own pace."""

    def __init__(self, studio: Studio, socket: WebSocket):
        self._studio, self._socket = studio, socket
        self._crowds: Crowds = studio.crowds

    async def run(self, graph: str) -> None:
        """Until the page goes."""
        if not graph:
            raise Missing("say which graph they live on: /api/crowd?graph=ID")
        asked = heard(await self._socket.receive_text())
        if not isinstance(asked, RunSaid):
            raise Missing("there is no run to be stopped")
        with self._crowds.runs.turn():
            await self._socket.send_text(said("preparing", stage="read"))
            # both by the room's own workers, since nobody else is to wait for them
            read = await self._crowds.pool.run(self._studio.workspace.graph, graph)
            await self._socket.send_text(said("preparing", stage="people"))
            run = await self._crowds.pool.run(Run, self._studio.workspace, graph, read, asked)
            self._crowds.runs.hold(run)
            await self._play(run)
        # the page may still say something: it is gone when it closes
        while (await self._socket.receive())["type"] != "websocket.disconnect":
            pass

    async def _play(self, run: Run) -> None:
        failed: Exception | None = None
        try:
            async with anyio.create_task_group() as group:

                async def until_stopped() -> None:
                    while True:
                        message = await self._socket.receive()
                        run.stop()
                        if message["type"] == "websocket.disconnect":
                            group.cancel_scope.cancel()
                            return

                group.start_soon(until_stopped)
                computing = asyncio.ensure_future(self._crowds.pool.run(run.compute))
                try:
                    await self._send(run, computing)
                except (KinegraphError, WebSocketDisconnect, RuntimeError) as error:
                    failed = error  # raised below, lest the group makes a group of it
                group.cancel_scope.cancel()
        finally:
            run.stop()
        if failed is not None:
            raise failed

    async def _send(self, run: Run, computing: asyncio.Future[None]) -> None:
        """All frames as they come, and then how it went."""
        await self._socket.send_bytes(await self._studio.reading.run(run.introduction))
        sent = 0
        while True:
            done = computing.done()
            while sent < run.there:
                data, count = await self._studio.reading.run(run.chunk, sent)
                await self._socket.send_bytes(data)
                sent += count
            if done:
                break
            await asyncio.wait({computing}, timeout=_LOOK)
        await computing
        await self._socket.send_text(said("computed", frames=sent))
        report = await self._crowds.pool.run(run.report)
        await self._socket.send_text(said("done", report=report.model_dump()))


def register(app: FastAPI, studio: Studio) -> None:
    """Have room for crowds, and let jobs know how they are written."""
    studio.crowds = Crowds()
    studio.at_end.append(studio.crowds.close)
    studio.jobs.register("crowd", partial(_write, studio), changes="exports")


def _write(studio: Studio, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    """Write a run that is held; one that is gone, as after a new start of the server, is computed again to the same."""
    asked = RunSaid(**request["asked"])
    workspace = studio.workspace
    held = studio.crowds.runs.get(request["run"])
    played = (
        held.crowd
        if held is not None
        else compute(
            workspace.graph(request["graph"]),
            scenarios.scenario(workspace, asked.scenario, asked.seed),
            seconds=asked.seconds,
            watch=watch,
        )
    )
    graph = workspace.find("mog", request["graph"]).relative_to(workspace.root).as_posix()
    words = ["kinegraph", "crowd", graph, scenarios.said(workspace, asked.scenario)]
    words += ["--seconds", f"{asked.seconds:g}", "--seed", f"{asked.seed}"]
    made = {"made": {"room": "crowd", "request": request["asked"]}, "source": {"graph": graph}}
    entry = writing.write(workspace, played, request["name"], request["format"], made, words, watch)
    return {"export": entry.told()}
