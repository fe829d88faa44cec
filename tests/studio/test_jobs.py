from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kinegraph.errors import KinegraphError
from kinegraph.studio.jobs import Job, Jobs, Progress
from kinegraph.studio.problems import Conflict, Missing


def until(check: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.005)


class Steps:
    """A runner that goes on by a step each time it is let."""

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)

    def __call__(self, request: dict[str, Any], progress: Progress) -> dict[str, Any]:
        for number in range(request["steps"]):
            progress("steps", number, request["steps"])
            self.go.acquire(timeout=10)
        progress("steps", request["steps"], request["steps"])
        return {"made": request["steps"]}


def test_a_job_is_done_and_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[Job] = []
    changed: list[str] = []
    jobs = Jobs(tmp_path, told.append, changed.append)
    jobs.register(
        "steps", lambda request, progress: [progress("s", n, 4) for n in range(5)] and {"ok": 1}, changes="graphs"
    )
    job = jobs.submit("steps", "Steps", {"a": [1, 2]})
    until(lambda: jobs.get(job.id).state == "done")
    assert [one.state for one in told] == ["queued", "running", *["running"] * (len(told) - 3), "done"]
    assert told[-2].done == told[-2].total == 4
    assert jobs.get(job.id).result == {"ok": 1}
    assert jobs.get(job.id).request == {"a": [1, 2]}
    until(lambda: changed == ["graphs"])
    jobs.close()


def test_one_after_the_other(tmp_path: Path) -> None:
    jobs, steps = Jobs(tmp_path), Steps()
    jobs.register("steps", steps)
    first, second = (jobs.submit("steps", name, {"steps": 1}) for name in ("a", "b"))
    until(lambda: jobs.get(first.id).state == "running")
    time.sleep(0.05)
    assert jobs.get(second.id).state == "queued"
    steps.go.release()
    until(lambda: jobs.get(second.id).state == "running")
    assert jobs.get(first.id).state == "done"
    assert [job.title for job in jobs.list()] == ["b", "a"]
    steps.go.release()
    jobs.close()


def test_cancelling(tmp_path: Path) -> None:
    jobs, steps = Jobs(tmp_path), Steps()
    jobs.register("steps", steps)
    first, second = (jobs.submit("steps", name, {"steps": 3}) for name in ("a", "b"))
    until(lambda: jobs.get(first.id).state == "running")
    assert jobs.cancel(second.id).state == "cancelled"
    jobs.cancel(first.id)
    steps.go.release()
    until(lambda: jobs.get(first.id).state == "cancelled")
    with pytest.raises(Conflict):
        jobs.cancel(first.id)
    # and taken up again, under the same id
    assert jobs.resume(first.id).state == "queued"
    for _ in range(3):
        steps.go.release()
    until(lambda: jobs.get(first.id).state == "done")
    with pytest.raises(Conflict):
        jobs.resume(first.id)
    jobs.close()


def test_failures_are_told_and_do_not_stop_the_next(tmp_path: Path) -> None:
    def refuse(request: dict[str, Any], progress: Progress) -> dict[str, Any]:
        raise KinegraphError(f"{tmp_path}/x.bvh: no such clip")

    def stumble(request: dict[str, Any], progress: Progress) -> dict[str, Any]:
        raise ZeroDivisionError("by nothing")

    jobs = Jobs(tmp_path)
    jobs.register("refuse", refuse)
    jobs.register("stumble", stumble)
    first, second = jobs.submit("refuse", "", {}), jobs.submit("stumble", "", {})
    until(lambda: jobs.get(second.id).state == "failed")
    assert jobs.get(first.id).message == "x.bvh: no such clip"
    assert "ZeroDivisionError" in str(jobs.get(second.id).message)
    jobs.remove(first.id)
    with pytest.raises(Missing):
        jobs.get(first.id)
    jobs.close()


def test_what_was_under_way_is_interrupted_and_can_be_resumed(tmp_path: Path) -> None:
    jobs, steps = Jobs(tmp_path), Steps()
    jobs.register("steps", steps)
    running, queued = (jobs.submit("steps", name, {"steps": 2}) for name in ("a", "b"))
    until(lambda: jobs.get(running.id).state == "running")
    # as another server finds it after this one was killed
    later = Jobs(tmp_path)
    assert [later.get(job.id).state for job in (running, queued)] == ["interrupted", "interrupted"]
    later.register("steps", lambda request, progress: {"made": request["steps"]})
    later.resume(running.id)
    until(lambda: later.get(running.id).state == "done")
    assert later.get(running.id).result == {"made": 2}
    later.close()
    jobs._ending.set()
    steps.go.release(4)
    jobs.close()


def test_closing_interrupts(tmp_path: Path) -> None:
    jobs, steps = Jobs(tmp_path), Steps()
    jobs.register("steps", steps)
    job = jobs.submit("steps", "a", {"steps": 2})
    until(lambda: jobs.get(job.id).state == "running")
    threading.Timer(0.05, steps.go.release).start()
    jobs.close()
    assert jobs.get(job.id).state == "interrupted"
    assert Jobs(tmp_path).get(job.id).state == "interrupted"


@pytest.mark.parametrize("damage", ["", "{", "[1]", '{"a": 1}', '[{"id": "x"}]'])
def test_a_damaged_list_is_no_end(tmp_path: Path, damage: str) -> None:
    (tmp_path / ".kinegraph").mkdir()
    (tmp_path / ".kinegraph" / "jobs.json").write_text(damage)
    jobs = Jobs(tmp_path)
    assert jobs.list() == []
    jobs.register("x", lambda request, progress: {})
    job = jobs.submit("x", "", {})
    until(lambda: jobs.get(job.id).state == "done")
    jobs.close()
    assert len(json.loads((tmp_path / ".kinegraph" / "jobs.json").read_text())) == 1


def test_the_list_does_not_grow_for_ever(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    jobs.register("x", lambda request, progress: {})
    for _ in range(70):
        jobs.submit("x", "", {})
        until(lambda: jobs.list()[0].state == "done")
    assert len(jobs.list()) <= 51
    jobs.close()
