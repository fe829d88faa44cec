from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from kinegraph.errors import KinegraphError
from kinegraph.studio.server import jobs as jobs_module
from kinegraph.studio.server.jobs import Job, Jobs
from kinegraph.studio.server.problems import Conflict, Missing
from kinegraph.watch import Watch


def until(check: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.005)


class Steps:
    """A runner that goes on by a step each time it is let."""

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)

    def __call__(self, request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        for number in range(request["steps"]):
            watch.tell("steps", number, request["steps"])
            self.go.acquire(timeout=10)
        watch.tell("steps", request["steps"], request["steps"])
        return {"made": request["steps"]}


def test_a_job_is_done_and_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[Job] = []
    changed: list[str] = []
    jobs = Jobs(tmp_path, told.append, changed.append)
    jobs.register(
        "steps", lambda request, watch: [watch.tell("s", n, 4) for n in range(5)] and {"ok": 1}, changes="graphs"
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
    def refuse(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        raise KinegraphError(f"{tmp_path}/x.bvh: no such clip")

    def stumble(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
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
    later.register("steps", lambda request, watch: {"made": request["steps"]})
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
    jobs.register("x", lambda request, watch: {})
    job = jobs.submit("x", "", {})
    until(lambda: jobs.get(job.id).state == "done")
    jobs.close()
    assert len(json.loads((tmp_path / ".kinegraph" / "jobs.json").read_text())) == 1


def test_the_list_does_not_grow_for_ever(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    jobs.register("x", lambda request, watch: {})
    for _ in range(70):
        jobs.submit("x", "", {})
        until(lambda: jobs.list()[0].state == "done")
    assert len(jobs.list()) <= 51
    jobs.close()


def test_a_job_that_cannot_be_resumed_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk while somebody resumes a job must not lose it."""
    jobs = Jobs(tmp_path)

    def refuse(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        raise KinegraphError("not today")

    jobs.register("x", refuse)
    first, second = jobs.submit("x", "first", {}), jobs.submit("x", "second", {})
    until(lambda: jobs.get(second.id).state == "failed")
    before = jobs.list()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(jobs_module, "replacing", full)
        with pytest.raises(KinegraphError, match="nothing can be written"):
            jobs.resume(first.id)
        with pytest.raises(KinegraphError, match="nothing can be written"):
            jobs.submit("x", "third", {})
    assert jobs.list() == before
    assert jobs.resume(first.id).state == "queued"
    until(lambda: jobs.get(first.id).state == "failed")
    jobs.close()


def test_the_newest_news_have_the_greatest_revision(tmp_path: Path) -> None:
    told: list[Job] = []
    jobs, steps = Jobs(tmp_path, told.append), Steps()
    jobs.register("steps", steps)
    job = jobs.submit("steps", "a", {"steps": 1})
    until(lambda: jobs.get(job.id).state == "running")
    steps.go.release()
    until(lambda: told[-1].state == "done")
    assert told[0] == job
    assert [one.revision for one in told] == sorted({one.revision for one in told})
    assert told[-1] == jobs.get(job.id)
    jobs.close()
    # as a page sees it that has outlived the server: even what was never written down is older than what the next one tells
    listed = tmp_path / ".kinegraph" / "jobs.json"
    kept = json.loads(listed.read_text())
    kept[0] |= {"state": "running", "revision": told[1].revision}
    listed.write_text(json.dumps(kept))
    later = Jobs(tmp_path)
    assert later.get(job.id).state == "interrupted"
    assert later.get(job.id).revision > told[-1].revision


def test_jobs_of_earlier_versions_have_no_revision(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path)
    jobs.register("x", lambda request, watch: {})
    job = jobs.submit("x", "old", {})
    until(lambda: jobs.get(job.id).state == "done")
    jobs.close()
    listed = tmp_path / ".kinegraph" / "jobs.json"
    kept = json.loads(listed.read_text())
    del kept[0]["revision"]
    listed.write_text(json.dumps(kept))
    assert Jobs(tmp_path).get(job.id).title == "old"


def test_queued_is_told_before_anybody_begins(tmp_path: Path) -> None:
    told: list[str] = []

    def slowly(job: Job) -> None:
        if job.state == "queued":
            time.sleep(0.05)  # whoever is as slow as this to tell it must not be overtaken
        told.append(job.state)

    jobs = Jobs(tmp_path, slowly)
    jobs.register("x", lambda request, watch: {})
    jobs.submit("x", "", {})
    until(lambda: "done" in told)
    assert told == ["queued", "running", "done"]
    jobs.close()


def test_revisions_are_told_wherever_jobs_are(client: TestClient, app: FastAPI) -> None:
    app.state.jobs.register("x", lambda request, watch: {})
    with client.websocket_connect("/api/events") as events:
        job = app.state.jobs.submit("x", "", {})
        until(lambda: app.state.jobs.get(job.id).state == "done")
        news: list[Any] = []
        while not news or news[-1]["state"] != "done":
            message = events.receive_json()
            if message["type"] == "job":
                news.append(message["job"])
    newest = app.state.jobs.get(job.id).revision
    assert news[-1]["revision"] == newest
    assert client.get("/api/jobs").json()[0]["revision"] == newest
    assert client.get("/api/state").json()["jobs"][0]["revision"] == newest
    described = client.get("/api/openapi.json").json()["components"]["schemas"]["Job"]
    assert described["properties"]["revision"]["type"] == "integer"
    assert "revision" in described["required"]


def test_the_list_is_not_written_through_a_link(client: TestClient, app: FastAPI, folder: Path) -> None:
    outside = folder.parent / "precious.json"
    outside.write_text("[]")
    (folder / ".kinegraph").mkdir(exist_ok=True)
    (folder / ".kinegraph" / "jobs.json").symlink_to(outside)
    app.state.jobs.register("x", lambda request, watch: {})
    with pytest.raises(KinegraphError, match="leads out of the folder"):
        app.state.jobs.submit("x", "", {})
    assert outside.read_text() == "[]"
    assert client.get("/api/jobs").json() == []


def test_the_draft_of_a_build_goes_with_its_job(client: TestClient, app: FastAPI, folder: Path) -> None:
    def left(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
        if request["name"] == "done":
            return {}
        raise KinegraphError("stopped")

    app.state.jobs.register("build", left, forget=app.state.builds.forget)
    (folder / "graphs").mkdir()
    for name, kept in (("half", False), ("done", True)):
        job = app.state.jobs.submit("build", name, {"name": name})
        until(lambda job=job: app.state.jobs.get(job.id).state in ("done", "failed"))
        # the draft of one that is done is another build's of that name
        drafts = [folder / "graphs" / f"{name}.mog.part{log}" for log in ("", "-wal")]
        for draft in drafts:
            draft.write_bytes(b"pairs")
        assert client.delete(f"/api/jobs/{job.id}").status_code == 204
        assert [draft.exists() for draft in drafts] == [kept, kept]
