from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kinegraph import crew


def test_results_come_in_order_and_few_pieces_are_taken_ahead() -> None:
    taken = 0

    def pieces() -> Iterator[int]:
        nonlocal taken
        for piece in range(50):
            taken += 1
            yield piece

    def slow(piece: int) -> int:
        time.sleep(0.002 * (piece % 3))
        return piece

    with ThreadPoolExecutor(3) as pool:
        for done, result in enumerate(crew.in_order(pool, slow, pieces(), 3)):
            assert result == done
            assert taken <= done + 8


def test_an_error_ends_the_work() -> None:
    begun = threading.Event()

    def fails(piece: int) -> int:
        begun.set()
        raise ValueError(piece)

    with ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="0"):
        list(crew.in_order(pool, fails, range(1000)))
    assert begun.is_set()


@pytest.mark.parametrize("copies", [False, True])
def test_processes_do_what_this_one_does(monkeypatch: pytest.MonkeyPatch, copies: bool) -> None:
    if not copies:
        monkeypatch.setattr(crew, "forks", lambda: False)
    with crew.processes(2) as workers:
        assert workers is not None
        assert list(crew.in_order(workers, abs, [-3, 2, -1])) == [3, 2, 1]
    with crew.processes(1) as workers:
        assert workers is None


def test_a_process_is_copied_only_while_it_has_no_other_thread() -> None:
    seen = []
    thread = threading.Thread(target=lambda: seen.append(crew.forks()))
    thread.start()
    thread.join()
    assert seen == [False]


def test_a_worker_that_the_system_ends_is_a_lack_of_memory() -> None:
    def lose_one() -> None:
        with crew.processes(2) as workers:
            assert workers is not None
            workers.submit(os._exit, 1).result()

    with pytest.raises(MemoryError, match="not enough memory"):
        lose_one()


def _dawdle(done: Path) -> None:
    time.sleep(5)
    done.touch()


@pytest.mark.parametrize("copies", [False, True])
def test_nobody_waits_for_workers_when_the_work_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copies: bool
) -> None:
    if not copies:
        monkeypatch.setattr(crew, "forks", lambda: False)

    def give_up() -> None:
        with crew.processes(2) as workers:
            assert workers is not None
            workers.submit(_dawdle, tmp_path / "done")
            time.sleep(0.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert not (tmp_path / "done").exists()


_WORKS = """
import os, time
from kinegraph import crew
if __name__ == "__main__":
    with crew.processes(2) as workers:
        print(workers.submit(os.getpid).result(), flush=True)
        time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "works.py"
    script.write_text(_WORKS)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.wait()
        for _ in range(300):
            if not _runs(worker):
                return
            time.sleep(0.1)
        raise AssertionError("the worker lives on")


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
        # one that has ended and that nobody has asked about is still listed
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
