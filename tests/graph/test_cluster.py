"""A build on a Dask cluster: the graph of one machine, whatever happens to its workers."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kinegraph import samples
from kinegraph.cluster import Cluster, cluster
from kinegraph.errors import GraphError
from kinegraph.graph import build, digest
from kinegraph.similarity import compare

distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
# Dask's own, of sockets and loops that end with their workers
pytestmark = pytest.mark.filterwarnings("ignore")

_NAMES = ("walk", "walk_left_medium", "run", "sneak", "stop")
_OTHER = r"worker tcp://127\.0\.0\.1:\d+ has kinegraph .* this is 99\.0 minima-9: install the same"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    """A cluster of two worker processes on this machine."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as local:
        yield local


@pytest.fixture
def small_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand for every clip or two, so that there are many pieces of work."""
    monkeypatch.setattr(compare, "_AWAY", 200)


@pytest.mark.usefixtures("small_hands")
def test_a_worker_that_is_killed_loses_nothing(scheduler: Any, tmp_path: Path) -> None:
    motions = [samples.make(name).motion for name in _NAMES]
    wanted = digest(build(motions))
    assert digest(build(motions, scheduler=scheduler.scheduler_address)) == wanted
    killed: list[int] = []

    def kills(stage: str, done: int, total: int | None) -> None:
        """One of the two, when a piece of work is done and others are under way."""
        if stage == "compare" and not killed:
            assert total is not None
            assert done < total
            killed.append(next(iter(scheduler.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    path = tmp_path / "g.mog"
    assert digest(build(motions, path=path, watch=kills, scheduler=scheduler.scheduler_address)) == wanted
    assert killed
    assert [entry.name for entry in tmp_path.iterdir()] == ["g.mog"]


def test_a_worker_with_another_kinegraph_is_refused(scheduler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster(scheduler.scheduler_address) as crew:
        monkeypatch.setattr(crew, "_about", ("99.0", "minima-9"))
        with pytest.raises(GraphError, match=_OTHER):
            crew.submit(abs, -1).result()
    monkeypatch.setattr("kinegraph.cluster.about", lambda: ("99.0", "minima-9"))
    with pytest.raises(GraphError, match=_OTHER):
        build(samples.make("walk").motion, scheduler=scheduler.scheduler_address)


def test_no_scheduler_and_no_workers_are_told_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("kinegraph.cluster._ANSWER", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(GraphError, match=f"no scheduler answers at {address}.*dask scheduler"):
            build(tmp_path / "nothing.bvh", scheduler=address)
    monkeypatch.setattr("kinegraph.cluster._WORKERS", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1") as idle,
        pytest.raises(GraphError, match="has no workers: start some with 'dask worker tcp"),
    ):
        build(tmp_path / "nothing.bvh", scheduler=idle.scheduler_address)


def test_work_that_is_lost_with_its_scheduler_is_told(scheduler: Any) -> None:
    with distributed.Client(scheduler, set_as_default=False) as client:
        future = Cluster(client).submit(abs, -1)
        client.cancel([future._future], force=True)
        with pytest.raises(GraphError, match="what was compared is kept"):
            future.result()
