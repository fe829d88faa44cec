from __future__ import annotations

import asyncio
import threading

from kinegraph.studio.pool import Pool, Shared


def test_work_is_done_beside_the_event_loop() -> None:
    async def ask() -> list[str]:
        pool = Pool(2, "test")
        try:
            return await asyncio.gather(*(pool.run(lambda: threading.current_thread().name) for _ in range(4)))
        finally:
            pool.close()

    assert all(name.startswith("kinegraph-test") for name in asyncio.run(ask()))


def test_those_who_ask_at_once_share_and_none_gets_what_is_older_than_the_question() -> None:
    begun: list[int] = []
    go = threading.Semaphore(0)

    def work() -> int:
        begun.append(len(begun))
        assert go.acquire(timeout=10)
        return begun[-1]

    async def ask() -> None:
        pool = Pool(2)
        shared = Shared(pool, work)
        first = [asyncio.ensure_future(shared.get()) for _ in range(5)]
        while not begun:
            await asyncio.sleep(0.001)
        later = [asyncio.ensure_future(shared.get()) for _ in range(5)]
        await asyncio.sleep(0.02)
        assert begun == [0]
        # one who leaves does not take it from the others
        later[0].cancel()
        go.release(2)
        assert await asyncio.gather(*first) == [0] * 5
        assert await asyncio.gather(*later[1:]) == [1] * 4
        assert begun == [0, 1]
        pool.close()

    asyncio.run(ask())


def test_a_failure_is_everybody_s_and_not_the_next_one_s() -> None:
    answers = iter([ValueError("no"), 7])

    def work() -> int:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def ask() -> None:
        pool = Pool(1)
        shared = Shared(pool, work)
        for one in await asyncio.gather(shared.get(), shared.get(), return_exceptions=True):
            assert isinstance(one, ValueError)
        assert await shared.get() == 7
        pool.close()

    asyncio.run(ask())
