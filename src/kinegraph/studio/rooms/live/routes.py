"""Live people: one for each socket, stepped in real time for as long as it is open."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import anyio
from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response

from kinegraph.errors import KinegraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion import Motion
from kinegraph.people.steered import People
from kinegraph.player import motion_pack
from kinegraph.strikes.space import Space
from kinegraph.studio.rooms.live import wire
from kinegraph.studio.rooms.live.steering import Able, Kind, Known, SteeredPerson, able, striking, work_out
from kinegraph.studio.rooms.live.takes import Takes, take
from kinegraph.studio.server.cache import stamp
from kinegraph.studio.server.models import Id
from kinegraph.studio.server.pack import PACKED, unless_known
from kinegraph.studio.server.pool import Pool
from kinegraph.studio.server.problems import Conflict, Missing, sentence_of
from kinegraph.studio.server.studio import Here, Studio, routes
from kinegraph.tasks.kinds.steer import shortcomings

router = routes("live")

MOST = 16
"""People who are steered at once."""
AHEAD = 6
"""Poses that a page may not have seen before the next is held back, and then replaced by what is newer."""

# seconds behind its time beyond which a person goes on from now instead of hurrying after
_LATE = 0.1
# answers that wait for a page that does not read
_ANSWERS = 32
# codes of a socket that is closed for good, and of one that may be opened again later
_REFUSED, _FULL = 1008, 1013


class LiveCrowd:
    """All who are steered now."""

    def __init__(self) -> None:
        self.people = 0
        self.known = Known()
        # whoever is let in steps on the event loop, so what takes long must be done before, elsewhere
        self.preparing = Pool(1, "preparing")

    @contextmanager
    def joined(self) -> Iterator[None]:
        """One more, for as long as the block lasts."""
        if self.people >= MOST:
            raise Conflict(
                f"{MOST} people are steered here already, and no more can be: close another page that steers one"
            )
        self.people += 1
        try:
            yield
        finally:
            self.people -= 1


@router.get("/graphs/{id}/body", **PACKED)
async def body(id: Id, request: Request, studio: Here) -> Response:
    """The body of a graph's skeleton as a body pack."""

    def made() -> bytes:
        return studio.body(studio.workspace.graph(id).clips[0].motion)

    key = ("body", *stamp(studio.workspace.find("mog", id)))
    return await unless_known(request, studio.reading, key, made)


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Steer somebody on the graph that the address names: ``/api/live?graph=ID``."""
    studio: Studio = socket.app.state
    crowd: LiveCrowd = studio.crowd
    await socket.accept()
    with suppress(WebSocketDisconnect, RuntimeError):  # it went away while it was told something
        try:
            with crowd.joined():
                await LiveVisit(studio, socket, socket.query_params.get("graph", "")).run()
        except KinegraphError as error:
            await socket.send_text(wire.said("refused", error=sentence_of(error, studio.workspace.root)))
            await socket.close(_FULL if isinstance(error, Conflict) else _REFUSED)


class LiveVisit:
    """A page that steers somebody: it is listened to, the person is stepped, and it is told, each at its own pace."""

    def __init__(self, studio: Studio, socket: WebSocket, graph: str):
        self._studio, self._socket, self._id = studio, socket, graph
        self._crowd: LiveCrowd = studio.crowd
        self._answers: deque[str] = deque(maxlen=_ANSWERS)
        self._pose: wire.Shown | None = None
        self._unseen: deque[int] = deque()
        self._due = 0.0
        self._news = asyncio.Event()
        self._wished = asyncio.Event()

    async def run(self) -> None:
        """Until the page goes."""
        graph, spaces, can = await self._prepared()
        self._person = SteeredPerson(graph, self._crowd.known.of(graph), spaces)
        await self._socket.send_bytes(_introduction(self._person, can))
        async with anyio.create_task_group() as group:
            self._group = group

            async def until_gone() -> None:
                await self._listen()
                group.cancel_scope.cancel()

            group.start_soon(until_gone)
            group.start_soon(self._step)
            group.start_soon(self._tell)

    async def _prepared(self) -> tuple[MotionGraph, dict[str, Space], Able]:
        """The graph, what people strike from, and what they can do on it; the page is told how far that is."""
        if not self._id:
            raise Missing("say which graph to live on: /api/live?graph=ID")
        run = self._crowd.preparing.run
        await self._preparing("read", 0)
        graph = await run(self._studio.workspace.graph, self._id)
        await self._preparing("ways", 1)
        spaces = await run(striking, graph, self._studio.workspace.find("mog", self._id))
        can = await run(able, graph, spaces)
        await self._preparing("values", 2)
        await run(_first_step, graph)
        return graph, spaces, can

    async def _preparing(self, stage: str, done: int) -> None:
        await self._socket.send_text(wire.said("preparing", stage=stage, done=done, total=3))

    # -- the page is listened to --------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                self._hear(wire.heard(message.get("text") or ""))
            except KinegraphError as error:
                self._problem(error)

    def _hear(self, said: wire.Said) -> None:
        if isinstance(said, wire.WishSaid):
            missing = self._person.wish(said)
            self._wished.set()
            if missing:
                self._group.start_soon(self._work_out, said, missing)
        elif isinstance(said, wire.SeenSaid):
            while self._unseen and self._unseen[0] <= said.frame:
                self._unseen.popleft()
            self._news.set()
        elif isinstance(said, wire.AgainSaid):
            self._person.again()
            self._answer(wire.said("again"))
        else:
            self._group.start_soon(self._take)

    async def _work_out(self, wish: wire.WishSaid, missing: list[Kind]) -> None:
        graph = self._person.graph
        known = self._crowd.known.of(graph)
        for kind in missing:
            self._answer(wire.said("learning", label=kind[0]))
            try:
                if kind not in known:
                    await self._crowd.preparing.run(work_out, graph, wish, kind)
                    known.add(kind)
            except KinegraphError as error:
                self._person.cannot(kind)
                self._problem(error)
        self._answer(wire.said("learnt"))

    async def _take(self) -> None:
        person, studio = self._person, self._studio
        try:
            work = partial(take, studio, self._id, person.stick(), is_all=person.is_all)
            self._answer(wire.said("taken", result=await studio.pool.run(work)))
        except KinegraphError as error:
            self._problem(error)

    # -- the person is stepped ----------------------------------------------------------------------------------------

    async def _step(self) -> None:
        """Frame by frame in real time.

        A frame has its slot. It is stepped at the slot's end, or as soon as a wish comes within it, and shown in full at the end of the
        next slot in either case: a hand is answered at once, and nobody goes faster for it.
        """
        clock, every = asyncio.get_running_loop().time, 1.0 / self._person.graph.fps
        begin = clock()
        while True:
            begin = max(begin, clock() - _LATE)
            due = begin + every
            await asyncio.sleep(max(begin - clock(), 0.0))
            with anyio.move_on_after(max(due - clock(), 0.0)):
                await self._wished.wait()
            self._wished.clear()
            # no worker: it takes less time than finding one, since whatever takes long was worked out before
            self._pose, self._due = self._person.step(), due + every
            if why := self._person.failed():
                self._answer(wire.said("problem", error=why))
            self._news.set()
            begin = due

    # -- the page is told ---------------------------------------------------------------------------------------------

    async def _tell(self) -> None:
        """Answers in their order; of poses that could not be sent in time, the newest."""
        clock = asyncio.get_running_loop().time
        while True:
            await self._news.wait()
            self._news.clear()
            while self._answers:
                await self._socket.send_text(self._answers.popleft())
            if self._pose is not None and len(self._unseen) < AHEAD:
                pose, self._pose = self._pose, None
                self._unseen.append(pose.frame)
                await self._socket.send_bytes(pose.sent(max(self._due - clock(), 0.0)))

    def _answer(self, text: str) -> None:
        self._answers.append(text)
        self._news.set()

    def _problem(self, error: KinegraphError) -> None:
        self._answer(wire.said("problem", error=sentence_of(error, self._studio.workspace.root)))


def _first_step(graph: MotionGraph) -> None:
    """Load or compile all that a step runs, and work out what is the same for everybody."""
    People(graph).step((0.0, 1.0))


def _introduction(person: SteeredPerson, can: Able) -> bytes:
    """The skeleton, in the pose that the person sets out in, what it can do and what it cannot."""
    people, graph = person.people, person.graph
    motion = Motion(graph.skeleton, people.root, people.rotations, graph.fps, name="live")
    return motion_pack(motion, facts={"live": {"ahead": AHEAD, **vars(can), "notices": shortcomings(people)}})


def register(app: FastAPI, studio: Studio) -> None:
    """Have room for people, and let recipes know how what they did is made again."""
    studio.crowd = LiveCrowd()
    studio.at_end.append(studio.crowd.preparing.close)
    studio.services["live"] = Takes(studio)
