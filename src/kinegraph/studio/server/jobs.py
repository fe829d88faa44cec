"""`Jobs`: long work, one after the other in a thread of its own, with progress; kept in a file, so that it outlives the server.

A job that was under way when the server ended is *interrupted*, and can be resumed: it is run again with the same request, and takes up
what its runner left half-done.
"""

from __future__ import annotations

import json
import logging
import queue
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any, Literal, NamedTuple

from kinegraph.crew import begin
from kinegraph.errors import KinegraphError
from kinegraph.formats.atomic import replacing
from kinegraph.memory import NONE_LEFT, need
from kinegraph.studio.server.problems import Conflict, Missing, sentence_of
from kinegraph.studio.workspace.files import inside
from kinegraph.watch import Stopped, Watch

State = Literal["queued", "running", "done", "failed", "cancelled", "interrupted"]

_log = logging.getLogger("kinegraph.studio")

# finished jobs that are kept
_KEPT = 50
# seconds between two messages about a job's progress
_PAUSE = 0.1
_ENDED = ("done", "failed", "cancelled", "interrupted")
_RESUMABLE = ("failed", "cancelled", "interrupted")


@dataclass(frozen=True)
class Job:
    """What is known of a job. done of total: how far its stage is; eta_s: how long the stage will take yet, where that can be told.

    revision: greater with every change. Threads and requests tell of a job, each in its own time: of two tellings the greater is the newer.
    """

    id: str
    kind: str
    title: str
    request: dict[str, Any]
    state: State
    stage: str
    done: int
    total: int
    eta_s: float | None
    started: str | None
    ended: str | None
    message: str | None
    result: dict[str, Any] | None
    revision: int

    @classmethod
    def queued(cls, id: str, kind: str, title: str, request: dict[str, Any]) -> Job:
        """A job that has yet to begin."""
        return cls(id, kind, title, request, "queued", "", 0, 0, None, None, None, None, None, 0)


class JobWatch(Watch):
    """How a runner tells how far it is, and is stopped. A runner lets `Stopped` pass."""

    def __init__(self, tell: Callable[[str, int, int, float | None], None], stopped: Callable[[], bool]):
        self._tell = tell
        self._stopped = stopped
        self._stage = ""
        self._since = (0.0, 0)
        self._last = 0.0

    def tell(self, stage: str, done: int, total: int | None) -> None:
        """``done`` of ``total`` pieces of a stage; a total that nobody knows is told as 0."""
        self.check()
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._since = stage, (now, done)
        elif (total is None or done < total) and now - self._last < _PAUSE:
            return
        self._last = now
        left = None if total is None else self._left(done, total, now)
        self._tell(stage, done, total or 0, left)

    def check(self) -> None:
        """Stop where the job is to stop."""
        if self._stopped():
            raise Stopped("cancelled")

    def _left(self, done: int, total: int, now: float) -> float | None:
        """Seconds that the rest of the stage takes at the rate so far."""
        begun, at = self._since
        if done >= total:
            return 0.0
        if done <= at or now - begun < 0.5:
            return None
        return round((total - done) * (now - begun) / (done - at), 1)


Runner = Callable[[dict[str, Any], Watch], dict[str, Any]]
Forget = Callable[[Job], None]


class _Kind(NamedTuple):
    run: Runner
    changes: str | None
    forget: Forget


class Jobs:
    """The jobs of a workspace. tell: called with a job whenever it has changed; changed: with what a finished job has changed."""

    def __init__(
        self,
        root: Path,
        tell: Callable[[Job], None] = lambda job: None,
        changed: Callable[[str], None] = lambda what: None,
    ):
        self._root = root
        self._file = root / ".kinegraph" / "jobs.json"
        self._tell, self._changed = tell, changed
        self._runners: dict[str, _Kind] = {}
        self._lock = RLock()
        self._jobs = {job.id: job for job in _read(self._file)}
        self._revision = max((job.revision for job in self._jobs.values()), default=0)
        self._stop: dict[str, Event] = {}
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ending = Event()
        self._worker: Thread | None = None
        for job in list(self._jobs.values()):
            self._set(job)  # what was interrupted is news to a page that has seen it run

    def register(
        self, kind: str, runner: Runner, *, changes: str | None = None, forget: Forget = lambda job: None
    ) -> None:
        """Name what runs jobs of a kind.

        changes: what of the workspace is another once one is done ("graphs" …). forget: removes what a job has left half-done, once it
        cannot be resumed any more.
        """
        self._runners[kind] = _Kind(runner, changes, forget)

    def list(self) -> list[Job]:
        """All jobs, the newest first."""
        with self._lock:
            return list(self._jobs.values())[::-1]

    def get(self, id: str) -> Job:
        """The job of an id."""
        with self._lock:
            return self._known(id)

    def submit(self, kind: str, title: str, request: dict[str, Any]) -> Job:
        """Queue a new job."""
        if kind not in self._runners:
            raise ValueError(f"no runner for jobs of kind {kind!r}")
        return self._enqueue(Job.queued(secrets.token_hex(6), kind, title, json.loads(json.dumps(request))))

    def resume(self, id: str) -> Job:
        """Run a job that failed, was cancelled or interrupted once more."""
        job = self.get(id)
        if job.state not in _RESUMABLE:
            raise Conflict(f"this job is {job.state}: there is nothing to resume")
        if job.kind not in self._runners:
            raise Conflict("this studio does not know this kind of job")
        return self._enqueue(Job.queued(id, job.kind, job.title, job.request))

    def cancel(self, id: str) -> Job:
        """Stop a job: at once where it has not begun, else when its runner next tells how far it is."""
        with self._lock:
            job = self._known(id)
            if job.state in _ENDED:
                raise Conflict(f"this job is {job.state} already")
            self._stop[id].set()
            if job.state != "queued":
                return job
            return self._put(replace(job, state="cancelled", ended=_now(), message="cancelled"), keep=True)

    def remove(self, id: str) -> None:
        """Forget a job that has ended."""
        with self._lock:
            job = self._known(id)
            if job.state not in _ENDED:
                raise Conflict("this job has not ended: cancel it first")
            del self._jobs[id]
        self._save()
        self._tidied([job])

    def close(self, wait: float = 5.0) -> None:
        """Stop working; what is under way is interrupted."""
        self._ending.set()
        self._queue.put(None)
        if self._worker is not None:
            self._worker.join(wait)

    # -- at work ------------------------------------------------------------------------------------------------------

    def _enqueue(self, job: Job) -> Job:
        with self._lock:
            self._begin()
            before = self._jobs
            if job.id in before and before[job.id].state not in _RESUMABLE:
                raise Conflict("this job is resumed already")
            self._jobs = {id: one for id, one in before.items() if id != job.id}
            job = self._set(job)
            ended = [one for one in self._jobs.values() if one.state in _ENDED]
            dropped = ended[: max(0, len(ended) - _KEPT)]
            for old in dropped:
                del self._jobs[old.id]
            try:
                self._write()
            except (OSError, KinegraphError) as error:
                self._jobs = before  # a job that cannot be begun is as it was, and can still be resumed
                raise KinegraphError(f"nothing can be written into the workspace: {error}") from error
            self._stop[job.id] = Event()
        self._tell(job)  # before anybody can begin with it
        self._queue.put(job.id)
        self._tidied(dropped)
        return job

    def _begin(self) -> None:
        """Have somebody who works."""
        if self._worker is None:
            worker = Thread(target=self._work, name="kinegraph-jobs", daemon=True)
            begin(worker)
            self._worker = worker

    def _work(self) -> None:
        while (id := self._queue.get()) is not None and not self._ending.is_set():
            try:
                with self._lock:
                    job = self._jobs.get(id)
                    if job is None or job.state != "queued":
                        continue
                    job = self._put(replace(job, state="running", started=_now()), keep=True)
                self._run(job)
            except MemoryError:  # what is told of a job needs some, too; the next one has its turn all the same
                with self._lock:
                    job = self._jobs.get(id)
                    if job is not None and job.state not in _ENDED:
                        self._set(replace(job, state="failed", eta_s=None, ended=_now(), message=NONE_LEFT))

    def _run(self, job: Job) -> None:
        kind = self._runners[job.kind]
        stop = self._stop[job.id]

        def tell(stage: str, done: int, total: int, left: float | None) -> None:
            nonlocal job
            job = self._put(replace(job, stage=stage, done=done, total=total, eta_s=left))

        watch = JobWatch(tell, lambda: stop.is_set() or self._ending.is_set())
        state: State = "done"
        message, result = None, None
        try:
            need()
            result = kind.run(job.request, watch)
        except Stopped:
            state = "interrupted" if self._ending.is_set() and not stop.is_set() else "cancelled"
            message = "the studio was closed" if state == "interrupted" else "cancelled"
        except KinegraphError as error:
            state, message = "failed", sentence_of(error, self._root)
        except MemoryError:
            state, message = "failed", NONE_LEFT
        except Exception as error:  # a fault of ours must not end the worker
            _log.exception("job %s failed", job.kind)
            state, message = "failed", f"something went wrong inside kinegraph: {type(error).__name__}: {error}"
        ended = replace(job, state=state, eta_s=None, ended=_now(), message=message, result=result)
        self._put(ended, keep=True)
        if kind.changes is not None and state == "done":
            self._changed(kind.changes)

    def _put(self, job: Job, *, keep: bool = False) -> Job:
        with self._lock:
            job = self._set(job)
        if keep:
            self._save()
        self._tell(job)
        return job

    def _known(self, id: str) -> Job:
        if id not in self._jobs:
            raise Missing("there is no such job")
        return self._jobs[id]

    def _set(self, job: Job) -> Job:
        """Hold a job as it is now, as the newest that is known; the lock is held by the caller."""
        # By the clock, since a page that has seen a server killed and another one begin has seen more than was written down.
        self._revision = max(self._revision + 1, time.time_ns() // 1_000_000)
        job = replace(job, revision=self._revision)
        self._jobs[job.id] = job
        return job

    def _save(self) -> None:
        """Write the list; where that fails, the jobs themselves go on."""
        with self._lock:
            try:
                self._write()
            except (OSError, KinegraphError, MemoryError) as error:
                _log.warning("jobs cannot be kept: %s", error)

    def _write(self) -> None:
        """Write the list; the lock is held by the caller."""
        text = json.dumps([asdict(job) for job in self._jobs.values()], indent=1)
        self._file.parent.mkdir(exist_ok=True)
        with replacing(inside(self._root, self._file)) as temporary:
            temporary.write_text(text, encoding="utf-8")

    def _tidied(self, forgotten: Iterable[Job]) -> None:
        """Have what forgotten jobs left half-done removed."""
        for job in forgotten:
            self._stop.pop(job.id, None)
            try:
                if job.kind in self._runners:
                    self._runners[job.kind].forget(job)
            except (OSError, KinegraphError) as error:
                _log.warning("what %s left cannot be removed: %s", job.title, error)


def _read(file: Path) -> list[Job]:
    """The jobs of a file; what had not ended when it was written is interrupted. A file that is damaged holds none."""
    names = {field.name for field in fields(Job)}
    jobs = []
    try:
        for entry in json.loads(file.read_text(encoding="utf-8")):
            # earlier versions knew of no revisions
            job = Job(**{name: entry[name] for name in names - {"revision"}}, revision=int(entry.get("revision", 0)))
            if job.state not in _ENDED:
                job = replace(
                    job, state="interrupted", eta_s=None, ended=_now(), message="the studio ended before it was done"
                )
            jobs.append(job)
    except (OSError, ValueError, TypeError, KeyError):
        return jobs
    return jobs


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
