"""Disks and memory that fail: the n-th write of a build, or of a studio's job, is refused, and what is left on the disk is looked at.

Every trial is a fork of a process in which all is imported and compiled, so that thousands take minutes. `shim.c` refuses the write.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kinegraph as kg
from kinegraph.errors import KinegraphError
from kinegraph.graph.store.files import check, digest, load

CLIPS = ("walk", "walk_left_medium", "stand")
ERRORS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EINTR": errno.EINTR, "ENOMEM": errno.ENOMEM}
SOURCE = Path(__file__).with_name("shim.c")
# seconds after which a trial hangs, on a machine that is busy with other things
PATIENCE = 120
# what writers and drafts lay beside a file until it is whole
_DEBRIS = re.compile(r"\..+-[a-z0-9_]{8}(\.\w+)?|.+\.part(-wal|-shm|-journal)?|export-.+")


@dataclass(frozen=True)
class Fault:
    """What goes wrong. at: which write, from 0 on; lasting: and all that follow. room: bytes of memory that are left instead."""

    error: str = ""
    at: int = -1
    lasting: bool = False
    room: int | None = None

    def __str__(self) -> str:
        if self.room is not None:
            return f"{self.room / 1e6:.1f} MB left"
        return f"{self.error} at write {self.at}{' and on' if self.lasting else ''}"


Work = Callable[[Path], str]


def build(folder: Path) -> str:
    """A graph of some clips, as `kinegraph build` makes it."""
    kg.graph.build([kg.samples.make(name).motion for name in CLIPS], path=folder / "g.mog")
    return "done"


def job(folder: Path) -> str:
    """The same by a studio that is started, asked, and closed; one that failed before is resumed."""
    from starlette.testclient import TestClient

    from kinegraph.studio.server.app import create_app
    from kinegraph.studio.workspace.workspace import Workspace

    app = create_app(Workspace(folder), hosts={"testserver"})
    with TestClient(app, raise_server_exceptions=False) as client:
        asked = client.get("/api/state")
        if asked.status_code < 400:
            jobs, clips = asked.json()["jobs"], [clip["id"] for clip in asked.json()["clips"]]
            if not jobs:
                asked = client.post("/api/graphs", json={"name": "g", "clips": clips, "mirror": False})
            elif jobs[0]["state"] == "done":
                return "done"
            else:
                asked = client.post(f"/api/jobs/{jobs[0]['id']}/resume")
        if asked.status_code >= 400:
            kind = "fault" if asked.status_code >= 500 else "refused"
            return f"{kind}: {asked.status_code} {asked.text}"
        # not by a request, which may be refused for want of memory
        told = app.state.jobs.get(asked.json()["id"])
        until = time.monotonic() + PATIENCE / 2
        while told.state in ("queued", "running"):
            if time.monotonic() > until:
                return f"fault: the job is {told.state} still"
            time.sleep(0.02)
            told = app.state.jobs.get(told.id)
        inside = "inside kinegraph" in (told.message or "")
        return "done" if told.state == "done" else f"{'fault' if inside else 'refused'}: {told.message}"


def lay(work: Work, folder: Path) -> None:
    """What a trial begins with."""
    folder.mkdir()
    if work is job:
        for name in CLIPS:
            kg.save(kg.samples.make(name).motion, folder / f"{name}.bvh")


def made(work: Work, folder: Path) -> Path:
    """Where the graph is to be."""
    return folder / "g.mog" if work is build else folder / "graphs" / "g.mog"


class Shim:
    """The library that refuses writes; this process must have been started with it in LD_PRELOAD."""

    def __init__(self, library: str):
        self._library = ctypes.CDLL(library)
        self._library.shim_seen.restype = ctypes.c_long

    def run(self, work: Work, folder: Path, fault: Fault) -> tuple[str, int]:
        """What becomes of the work in a process of its own, and how many writes it made."""
        get, put = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(get)
            signal.alarm(PATIENCE)
            told = self._tried(work, folder, fault)
            os.write(put, json.dumps([told[:2000], self._library.shim_seen()]).encode())
            os._exit(0)
        os.close(put)
        with os.fdopen(get, "rb") as pipe:
            text = pipe.read()
        _, status = os.waitpid(pid, 0)
        if not text:
            return f"killed: {os.waitstatus_to_exitcode(status)}", 0
        said, seen = json.loads(text)
        return said, seen

    def _tried(self, work: Work, folder: Path, fault: Fault) -> str:
        number = ERRORS.get(fault.error, 0)
        self._library.shim_arm(os.fsencode(folder), ctypes.c_long(fault.at), number, int(fault.lasting))
        if fault.room is not None:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            limit = pages * resource.getpagesize() + fault.room
            resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        try:
            return work(folder)
        except KinegraphError as error:
            return f"refused: {error}"
        except MemoryError:
            return "refused: no memory"
        except BaseException:
            _room_again()
            return f"fault: {traceback.format_exc(limit=-4)}"
        finally:
            _room_again()


def _room_again() -> None:
    """What is told of a trial needs memory, too."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def trial(shim: Shim, work: Work, fault: Fault, folder: Path, wanted: str) -> dict[str, Any]:
    """One fault, then the same work once more undisturbed: what was told, and all that is wrong with what is on the disk."""
    lay(work, folder)
    target, wrong = made(work, folder), []
    told, _ = shim.run(work, folder, fault)
    if told.startswith(("fault", "killed")):
        wrong.append(told)
    if target.exists():
        wrong += [f"after the fault: {one}" for one in _wrong(target, wanted)]
    elif told == "done":
        wrong.append("it says that all is done, and nothing is there")
    again, _ = shim.run(work, folder, Fault())
    if again != "done":
        wrong.append(f"the next run: {again}")
    wrong += [f"after the next run: {one}" for one in _wrong(target, wanted)]
    wrong += [f"left: {path.relative_to(folder)}" for path in folder.rglob("*") if _DEBRIS.fullmatch(path.name)]
    shutil.rmtree(folder)
    return {"fault": str(fault), "told": told, "wrong": wrong}


def _wrong(target: Path, wanted: str) -> Iterator[str]:
    try:
        yield from check(target)
        if digest(load(target)) != wanted:
            yield "another graph"
    except KinegraphError as error:
        yield str(error)


def main() -> None:
    """As a process with the shim: faults of one kind of work, told as lines of JSON. Arguments: library, folder, work, every, kinds."""
    library, place, name, every, *kinds = sys.argv[1:]
    shim, work = Shim(library), {"build": build, "job": job}[name]
    folder = Path(place) / "trial"
    lay(work, folder)
    work(folder)  # imports, compiles, and shows what is wanted
    wanted = digest(load(made(work, folder)))
    shutil.rmtree(folder)
    lay(work, folder)
    told, writes = shim.run(work, folder, Fault())
    shutil.rmtree(folder)
    print(json.dumps({"writes": writes, "told": told}), flush=True)
    for kind in kinds:
        if kind == "memory":
            faults = [Fault(room=int(250_000 * 1.35**step)) for step in range(0, 24, int(every))]
        else:
            stays = (False,) if kind in ("EINTR", "ENOMEM") else (False, True)
            faults = [Fault(kind, at, lasting) for at in range(0, writes, int(every)) for lasting in stays]
        for fault in faults:
            print(json.dumps(trial(shim, work, fault, folder, wanted)), flush=True)


if __name__ == "__main__":
    main()
