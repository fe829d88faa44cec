from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Event

import numpy as np
import pytest

from kinegraph import graph, samples
from kinegraph.paths.shapes import line
from kinegraph.studio.server.pool import GIVEN_UP, Pool, Waited
from kinegraph.studio.server.problems import Conflict
from kinegraph.tasks import Follow
from kinegraph.walks import branch
from kinegraph.watch import Watch


class Asker:
    """Somebody who waits, until told to go."""

    def __init__(self) -> None:
        self.gone = False

    async def is_disconnected(self) -> bool:
        return self.gone


class Work:
    """Goes on until it is told that nobody wants it any more, or ten seconds."""

    def __init__(self) -> None:
        self.begun, self.told = Event(), Event()

    def __call__(self, watch: Watch) -> None:
        self.begun.set()
        for _ in range(1000):
            try:
                watch.check()
            except Conflict:
                self.told.set()
                return
            Event().wait(0.01)


def test_work_is_done_for_who_waits() -> None:
    pool = Pool(1)
    assert asyncio.run(pool.run_for(Asker(), lambda watch: watch.check() or 3)) == 3
    pool.close()


def test_work_is_told_when_its_asker_goes() -> None:
    pool, asker, work = Pool(1), Asker(), Work()

    async def leave() -> None:
        waiting = asyncio.ensure_future(pool.run_for(asker, work))
        await asyncio.to_thread(work.begun.wait, 10)
        asker.gone = True
        await waiting

    asyncio.run(leave())
    assert work.told.is_set()
    pool.close()


def test_what_fails_is_told_to_who_waits() -> None:
    pool = Pool(1)

    def work(watch: Watch) -> None:
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
        Follow(line(30.0)).run(made, Waited(given_up))
    assert len(asked) == 3


def test_who_is_taken_off_while_waiting_has_gone() -> None:
    pool, work = Pool(1), Work()

    async def cancelled() -> None:
        waiting = asyncio.ensure_future(pool.run_for(Asker(), work))
        await asyncio.to_thread(work.begun.wait, 10)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(cancelled())
    assert work.told.wait(5)
    pool.close()


def test_to_close_a_pool_tells_what_is_under_way() -> None:
    pool, work = Pool(1), Work()

    async def closed() -> None:
        waiting = asyncio.ensure_future(pool.run_for(Asker(), work))
        await asyncio.to_thread(work.begun.wait, 10)
        pool.close()
        # whoever waits is told, unless the work was quicker
        with suppress(Conflict):
            await waiting

    asyncio.run(closed())
    assert work.told.wait(10)


def test_an_exact_search_is_asked_in_the_midst_of_a_step() -> None:
    """One that would take hours over its first step alone."""
    made = graph.build([samples.make(name).motion for name in samples.names()[:12]])
    asked = []

    def given_up() -> bool:
        asked.append(True)
        return len(asked) > 3

    with pytest.raises(Conflict, match=GIVEN_UP):
        Follow(line(30.0), search="exact", horizon=20.0).run(made, Waited(given_up))
    assert len(asked) == 4


def test_an_exact_search_is_the_same_however_often_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    made = graph.build([samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    once = Follow(line(5.0), search="exact").run(made)
    monkeypatch.setattr(branch, "_BUDGET", 7)
    asked = []
    often = Follow(line(5.0), search="exact").run(made, Waited(lambda: bool(asked.append(True))))
    assert len(asked) > 50
    np.testing.assert_array_equal(often.motion.root, once.motion.root)
    np.testing.assert_array_equal(often.motion.rotations, once.motion.rotations)
