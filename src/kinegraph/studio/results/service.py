"""`Service`: a task that the studio does while somebody waits, from its request to the pack that answers it.

A room names the task and says what it alone can tell of the result; all else follows from the task.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from fastapi import FastAPI, Request
from pydantic import ValidationError

from kinegraph.errors import KinegraphError, MotionError
from kinegraph.paths.describing import sampled
from kinegraph.studio.results.origins import digest, ground_of, origin_of
from kinegraph.studio.server import problems
from kinegraph.studio.server.models import Id
from kinegraph.studio.server.pack import PACKED, PackResponse
from kinegraph.studio.server.pool import Pool
from kinegraph.studio.server.problems import Invalid
from kinegraph.studio.server.studio import Here, Studio, taking
from kinegraph.tasks.answers import Arrays, Facts, per_frame, told
from kinegraph.tasks.made import Made
from kinegraph.tasks.models import RequestModel, request_model, task_of
from kinegraph.tasks.task import TASKS, Task
from kinegraph.watch import Watch


class Service:
    """Tasks of one room, asked for at one address."""

    room: ClassVar[str]
    address: ClassVar[str]
    """Where it is asked for; ``{id}`` is the file that it is done to."""
    asked: ClassVar[str]
    """What a request is called in the description."""
    asks: ClassVar[tuple[str, ...]]
    """The names of the tasks of which a request means one."""
    usage: ClassVar[str] = ""
    """What to say where it means none of several."""
    defaults: ClassVar[Mapping[str, Any]] = {}
    """Of requests, over the tasks' own."""
    extra: ClassVar[Mapping[str, Any]] = {}
    """What a request may hold that is no wish, as for `pydantic.create_model`."""
    source: ClassVar[str]
    """What the file holds: a graph, a clip or a space."""
    said: ClassVar[Mapping[str, Any]] = {"exclude_none": True}
    """What of a request is kept with its result."""

    def __init__(self) -> None:
        # when the server is made, so that it knows all tasks and blends that there are by then
        self.tasks = tuple(TASKS[name] for name in self.asks)
        self.model = request_model(self.asked, *self.tasks, usage=self.usage, defaults=self.defaults, more=self.extra)

    def pool(self, studio: Studio, asked: Any) -> Pool:
        """Whose workers do it."""
        return studio.pool

    def check(self, task: Any) -> None:
        """Refuse what nobody can wait for."""

    def prepared(self, studio: Studio, task: Any, id: str) -> Any:
        """The task with what else it needs of the file that it is done to."""
        return task

    def others(self, asked: Any) -> Mapping[str, str]:
        """Ids of other files that it is made from, by their kinds."""
        return {}

    def named(self, studio: Studio, task: Any) -> Any:
        """The task with the files of the workspace that its request has named by ids."""
        return task

    def run(self, studio: Studio, task: Any, origin: Any, watch: Watch) -> Made:
        """Do it."""
        made: Made = task.run(origin, watch)
        return made

    def drawn(self, path: Any) -> list[list[float]]:
        """A path as the page draws it."""
        return sampled(path)

    def more(self, made: Made, origin: Any) -> tuple[Facts, Arrays]:
        """Facts and arrays that this room tells beside what all rooms tell, or otherwise."""
        return {}, {}

    # -- the same for all ---------------------------------------------------------------------------------------------

    def task(self, asked: RequestModel) -> Task:
        """The task that a request means."""
        try:
            return task_of(asked, *self.tasks)
        except MotionError as error:  # of a path that is none
            raise Invalid(str(error)) from error

    def again(self, studio: Studio, request: Mapping[str, Any]) -> Task | None:
        """The task of a request that was kept, without names that nobody knows any more; None where it cannot be asked for again."""
        known = {name: value for name, value in request.items() if name in self.model.model_fields}
        try:
            return self.named(studio, self.task(self.model(**known)))  # type: ignore[no-any-return]
        except (ValidationError, KinegraphError):
            return None

    def answer(self, studio: Studio, id: str, asked: RequestModel, watch: Watch) -> bytes:
        """Do what is asked, hold the result for whoever wants to keep or export it, and pack it."""
        watch.check()
        task = self.task(asked)
        self.check(task)
        sent = asked.model_dump(**self.said)
        origin = origin_of(studio.workspace, self.source, id, sent)
        made = self.run(studio, self.prepared(studio, task, id), origin, watch)
        own, more = self.more(made, origin)
        others, ground = self.others(asked), ground_of(studio.workspace, sent)
        facts = {
            "room": self.room,
            "request": sent,
            "source": {self.source: id, **others},
            "source_digest": digest(origin),
            "source_digests": {
                **{kind: digest(origin_of(studio.workspace, kind, one, sent)) for kind, one in others.items()},
                **({} if ground is None else {"ground": digest(ground)}),
            },
            "path": None if made.path is None else self.drawn(made.path),
            **told(made),
            **own,
        }
        held = studio.results.put(made.motion, made.contacts, facts, {**per_frame(made), **more})
        return studio.results.get(held).packed(held)

    def serve(self, app: FastAPI, studio: Studio) -> None:
        """Answer requests, and let recipes know how results of the room are made again."""
        studio.services[self.room] = self

        # The studio is that of the request: FastAPI remembers routes for as long as the process lives, and all that they hold with them.
        async def ask(id: Id, asked: Any, request: Request, here: Here) -> PackResponse:
            work = partial(self.answer, here, id, asked)
            return PackResponse(await self.pool(here, asked).run_for(request, work))

        app.add_api_route(
            f"/api{self.address}",
            taking(self.model, ask),
            methods=["POST"],
            name=self.room,
            summary=self.tasks[0].summary,
            description="Answers with a result pack.",
            tags=[self.room],
            response_class=PackResponse,
            responses={**problems.DOCUMENTED, **PACKED["responses"]},
        )
