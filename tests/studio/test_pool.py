from __future__ import annotations

import asyncio
from threading import Event

import pytest

from kinegraph import graph, samples
from kinegraph.paths.shapes import line
from kinegraph.studio.following import GIVEN_UP, Following, Making, follow
from kinegraph.studio.pool import Pool
from kinegraph.studio.problems import Conflict


class Asker:
    """Somebody who waits, until told to go."""

    def __init__(self) -> None:
        self.gone = False

    async def is_disconnected(self) -> bool:
        return self.gone


def test_work_is_done_for_who_waits() -> None:
    pool = Pool(1)
    assert asyncio.run(pool.run_for(Asker(), lambda given_up: given_up())) is False
    pool.close()


def test_work_is_told_when_its_asker_goes() -> None:
    pool, asker, begun = Pool(1), Asker(), Event()

    def work(given_up: object) -> str:
        begun.set()
        until = 1000
        while not given_up() and until:  # type: ignore[operator]
            until -= 1
            Event().wait(0.01)
        return "given up" if until else "never told"

    async def leave() -> str:
        waiting = asyncio.ensure_future(pool.run_for(asker, work))
        await asyncio.to_thread(begun.wait, 10)
        asker.gone = True
        return await waiting

    assert asyncio.run(leave()) == "given up"
    pool.close()


def test_what_fails_is_told_to_who_waits() -> None:
    pool = Pool(1)

    def work(given_up: object) -> None:
        raise Conflict("it cannot be done")

    with pytest.raises(Conflict, match="cannot be done"):
        asyncio.run(pool.run_for(Asker(), work))
    pool.close()


def test_a_search_that_nobody_waits_for_ends_at_its_next_step() -> None:
    made = graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    asked = []

    def given_up() -> bool:
        asked.append(True)
        return len(asked) > 2

    with pytest.raises(Conflict, match=GIVEN_UP):
        follow(made, line(30.0), Following(), Making(), given_up)
    assert len(asked) == 3
