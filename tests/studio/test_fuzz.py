"""Requests made up from the studio's own description of itself: none may fail inside, and none may touch anything beside the workspace.

Some hundred by default; ``KINEGRAPH_FUZZ=10000 pytest tests/studio/test_fuzz.py`` makes ten thousand, others each time
(``KINEGRAPH_FUZZ_SEED`` repeats a run), and says which took longest.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kinegraph import graph, samples, save
from kinegraph import strikes as spaces
from kinegraph.studio.server.app import create_app
from kinegraph.studio.workspace.workspace import Workspace

COUNT = int(os.environ.get("KINEGRAPH_FUZZ", "300"))
SEED = int(os.environ.get("KINEGRAPH_FUZZ_SEED", "0" if COUNT < 1000 else str(time.time_ns() % 10**9)))
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
# how many of the made-up requests are given ids, names and shapes that exist
REAL = 0.7


class Watch:
    """Every file that this process writes, or opens, while it watches."""

    def __init__(self, root: Path):
        self.root, self.beside = root, root.parent
        self.on = False
        self.strays: set[str] = set()
        sys.addaudithook(self._heard)

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        # who asks does so in the main thread, and keeps files of its own
        if not self.on or threading.current_thread() is threading.main_thread():
            return
        if event == "open":
            path, _, flags = args
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            self._judge(event, path, -1, bool(writes))
        elif event in _CHANGING:
            paths, folders = _CHANGING[event]
            for path, folder in zip(args[:paths], args[folders:] or [-1] * paths, strict=False):
                self._judge(event, path, folder, True)

    def _judge(self, event: str, path: object, folder: int, writes: bool) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        # a name may be relative to a folder that was opened before
        try:
            base = os.readlink(f"/proc/self/fd/{folder}") if folder >= 0 else ""  # noqa: PTH115
        except OSError:  # not on this system
            return
        text = os.path.abspath(os.path.join(base, os.fsdecode(path)))  # noqa: PTH100, PTH118
        if Path(text).is_relative_to(self.root):
            return
        beside = Path(text).is_relative_to(self.beside)
        if beside or (writes and not text.endswith(_CACHES) and not text.startswith("/dev/")):
            self.strays.add(f"{event} {text}")


# events that change something: how many paths they name, and where the folders stand that those are relative to
_CHANGING = {
    "os.rename": (2, 2),
    "os.link": (2, 2),
    "os.symlink": (2, 3),
    "os.remove": (1, 1),
    "os.rmdir": (1, 1),
    "os.mkdir": (1, 2),
    "os.chmod": (1, 2),
    "os.truncate": (1, 2),
}
# compiled code, which is kept beside its source
_CACHES = (".nbi", ".nbc", ".pyc", "__pycache__")


class Studio:
    """A studio in a thread of its own, on a workspace that does not run out of things to ask about."""

    def __init__(self, root: Path):
        self.root = root
        self.kept = root.parent / "kept"
        _fill(self.kept)
        self.refill()
        self.app = create_app(Workspace(root), hosts=self._hosts())
        config = uvicorn.Config(self.app, log_level="critical", ws="websockets-sansio")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        self.slowest: list[tuple[float, str]] = []
        self.statuses: Counter[int] = Counter()

    def _hosts(self) -> set[str]:
        import socket

        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        return {self.url.removeprefix("http://")}

    def refill(self) -> None:
        """Put back what requests have deleted or renamed, and take away what they have heaped up."""
        for file in self.kept.rglob("*"):
            target = self.root / file.relative_to(self.kept)
            if file.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, target)
        for folder in ("exports", "clips", "graphs", "results", "sketches", "spaces"):
            here = self.root / folder
            if here.is_dir() and len(list(here.iterdir())) > 40:
                for file in list(here.iterdir())[:30]:
                    file.unlink(missing_ok=True)

    def known(self) -> dict[str, list[str]]:
        """Ids by what they are of, and names that requests may use."""
        state = requests.get(f"{self.url}/api/state", timeout=60).json()
        found = {what: [entry["id"] for entry in state[what]] for what in _IDS.values()}
        results = list(self.app.state.results._held)
        found["results"] += results[-4:]
        return {what: ids or ["0" * 12] for what, ids in found.items()}

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        self.socket.close()


_IDS = {
    "clips": "clips",
    "graphs": "graphs",
    "spaces": "spaces",
    "sketches": "sketches",
    "results": "results",
    "exports": "exports",
    "jobs": "jobs",
}


def _fill(folder: Path) -> None:
    """A small workspace with something of everything."""
    (folder / "graphs").mkdir(parents=True)
    (folder / "spaces").mkdir()
    motions = [samples.make(name).motion.resample(30) for name in ("walk", "walk_left_medium", "stand")]
    for motion in motions:
        save(motion, folder / f"{motion.name}.bvh")
    (folder / "broken.bvh").write_text("HIERARCHY\n")
    graph.save(graph.build(motions), folder / "graphs" / "g.mog")
    punches = [samples.make(name).motion for name in samples.names() if name.startswith("punch")][:5]
    spaces.save(spaces.build(punches, "punch"), folder / "spaces" / "s.mog")
    (folder / "torn.mog").write_bytes(b"SQLite format 3\0" + bytes(100))


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    (tmp_path / "secret.bvh").write_text("HIERARCHY")
    root = tmp_path / "workspace"
    root.mkdir()
    studio = Studio(root)
    yield studio
    studio.stop()


def _made_real(case: Any, known: dict[str, list[str]], pick: Any) -> None:
    """Put ids that exist, and values that lead somewhere, into a request."""
    kind = case.operation.path.split("/")[2]
    if isinstance(case.path_parameters, dict) and "id" in case.path_parameters:
        case.path_parameters["id"] = pick(known.get(kind, ["0" * 12]))
    if isinstance(case.path_parameters, dict) and "index" in case.path_parameters:
        case.path_parameters["index"] = pick([0, 1, 2, 999])
    if isinstance(case.query, dict):
        for name in ("a", "b"):
            if name in case.query:
                case.query[name] = pick(known["clips"])
        for name in ("i", "j"):
            if name in case.query:
                case.query[name] = pick([0, 1, 30, 10**6])
    body = case.body
    if not isinstance(body, dict):
        return
    if "clips" in body:
        body["clips"] = [pick(known["clips"]) for _ in range(pick([1, 2, 3]))]
    for name in ("a", "b"):
        if name in body:
            body[name] = pick(known["clips"])
    if "path" in body:
        body["path"] = pick(_PATHS)
    if "source" in body:
        kind = pick(["clip", "result"])
        body["source"] = {"kind": kind, "id": pick(known[f"{kind}s"])}
    if "target" in body:
        body["target"] = pick([[0.1, 1.4], [0.0, 1.2, 0.6], [9.0, 9.0], [-1e3, 0.0, 1e3]])
    if "name" in body:
        body["name"] = pick(["made", "..", "../x", "a/b", "con", "é" * 90, "x\0", "made 2"])


_PATHS: list[dict[str, Any]] = [
    {"shape": "line:2"},
    {"shape": "circle:1"},
    {"points": [[0, 0], [0, 2], [1, 3]]},
    {"degree": 3, "controls": [[0, 0], [0, 1], [1, 2], [1, 3]]},
    {"controls": [[0, 0, 0], [0, 0.2, 1], [1, 0.1, 2], [1, 0, 3]]},
    {"shape": "zigzag:1"},
    {"points": [[0, 0], [0, 1e-7]]},
    {"points": [[9000, 9000], [-9000, 9000]]},
]


def _strategy(operation: Any) -> st.SearchStrategy[Any]:
    """Requests that the description allows, and some that it does not."""
    allowed = operation.as_strategy(GenerationMode.POSITIVE)
    try:
        others = operation.as_strategy(GenerationMode.NEGATIVE)
        others.validate()
    except Exception:  # of some routes every request is allowed
        return allowed
    return st.one_of(allowed, allowed, others)


def _fuzz(studio: Studio, operation: Any, count: int) -> None:
    """Ask one route ``count`` times."""
    session = requests.Session()

    @seed(SEED)
    @settings(
        max_examples=count,
        derandomize=False,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=_strategy(operation), choose=st.randoms(use_true_random=False), asked=st.floats(0, 1))
    def ask(case: Any, choose: Any, asked: float) -> None:
        if asked < REAL:
            _made_real(case, studio.real, choose.choice)
        began = time.perf_counter()
        response = case.call(base_url=studio.url, session=session, timeout=120)
        studio.slowest.append((time.perf_counter() - began, f"{operation.label} {str(case.body)[:150]}"))
        studio.statuses[response.status_code] += 1
        case.validate_response(response, checks=CHECKS)

    try:
        ask()
    except Unsatisfiable:
        pass
    finally:
        session.close()


@pytest.mark.filterwarnings("ignore")
def test_no_request_fails_inside_or_leaves_the_workspace(studio: Studio) -> None:
    watch = Watch(studio.root)
    schema = schemathesis.openapi.from_url(f"{studio.url}/api/openapi.json")
    operations = [operation.ok() for operation in schema.get_all_operations()]
    assert len(operations) > 35
    beside = sorted(path.name for path in studio.root.parent.iterdir())
    failed: list[str] = []
    rounds = max(1, COUNT // 2000)
    each = -(-COUNT // (rounds * len(operations)))
    for number in range(rounds):
        for operation in operations:
            watch.on = False
            studio.refill()
            studio.real = studio.known()
            watch.on = True
            try:
                _fuzz(studio, operation, each)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                failed.append(f"round {number}: {operation.label}: {_said(error)}")
            finally:
                watch.on = False
    asked = sum(studio.statuses.values())
    print(f"\n{asked} requests, seed {SEED}: {dict(sorted(studio.statuses.items()))}")
    for seconds, what in sorted(studio.slowest, reverse=True)[:8]:
        print(f"{seconds:8.2f} s  {what}")
    assert not failed, f"seed {SEED}\n" + "\n\n".join(failed)
    assert not watch.strays, "\n".join(sorted(watch.strays))
    assert sorted(path.name for path in studio.root.parent.iterdir()) == beside
    assert (studio.root.parent / "secret.bvh").read_text() == "HIERARCHY"
    assert asked >= 0.8 * COUNT
    # many of them led somewhere
    assert studio.statuses[200] > 0.15 * asked


def test_every_export_stays_in_the_workspace(studio: Studio) -> None:
    """Not left to chance: films and pictures go through other programs and libraries, each with ways of its own."""
    state = requests.get(f"{studio.url}/api/state", timeout=60).json()
    id = next(clip["id"] for clip in state["clips"] if clip["name"] == "stand")
    formats = [entry["suffix"] for entry in state["formats"]["write"] if entry["available"]]
    assert {".bvh", ".glb", ".csv"} <= set(formats)
    watch = Watch(studio.root)
    watch.on = True
    for suffix in formats:
        asked = {"source": {"kind": "clip", "id": id}, "format": suffix, "name": f"out{suffix[1:]}", "options": {}}
        answer = requests.post(f"{studio.url}/api/export", json=asked, timeout=120)
        assert answer.status_code in (200, 202), f"{suffix}: {answer.text}"
    until = time.monotonic() + 120
    while any(job["state"] in ("queued", "running") for job in _jobs(studio)):
        assert time.monotonic() < until
        time.sleep(0.05)
    watch.on = False
    assert [job["message"] for job in _jobs(studio) if job["state"] != "done"] == []
    written = {path.suffix for path in (studio.root / "exports").iterdir()}
    assert set(formats) <= written
    assert not watch.strays, "\n".join(sorted(watch.strays))


def _jobs(studio: Studio) -> list[dict[str, Any]]:
    return list(requests.get(f"{studio.url}/api/jobs", timeout=60).json())


def test_the_watch_sees_what_strays(tmp_path: Path) -> None:
    """Whoever finds nothing must be known to look."""
    root = tmp_path / "workspace"
    root.mkdir()
    watch = Watch(root)

    def stray() -> None:
        (root / "inside").write_text("allowed")
        (tmp_path / "beside").write_text("not allowed")
        (root / "inside").rename(tmp_path / "outside")

    watch.on = True
    thread = threading.Thread(target=stray)
    thread.start()
    thread.join()
    watch.on = False
    assert watch.strays == {f"open {tmp_path / 'beside'}", f"os.rename {tmp_path / 'outside'}"}


def _said(error: BaseException) -> str:
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(_said(one) for one in error.exceptions)
    return f"{type(error).__name__}: {error}"[:1500]
