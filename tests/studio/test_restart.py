"""A studio that is killed in the midst of its work, and started again."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from kinegraph import graph, samples, save
from kinegraph.graph import Parameters
from kinegraph.strikes.store.files import check
from tests.studio.running import Running, running

RATE = 90.0


def job_of(studio: Running, id: str) -> dict[str, Any]:
    return next(job for job in studio.client.get("/api/jobs").json() if job["id"] == id)


def until(studio: Running, id: str, *states: str, stage: str | None = None, seconds: float = 120.0) -> dict[str, Any]:
    """A job, once it is in one of the states, and where a stage is given, in the midst of that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        job = job_of(studio, id)
        if job["state"] in states and (
            stage is None or job["state"] != "running" or (job["stage"] == stage and job["done"])
        ):
            return job
        time.sleep(0.002)
    raise AssertionError(f"it did not come to that: {job}")


def test_a_build_that_is_killed_goes_on(tmp_path: Path) -> None:
    names = samples.names()
    for name in names:
        save(samples.make(name).motion, tmp_path / f"{name}.npz")
    with running(tmp_path) as studio:
        ids = [clip["id"] for clip in studio.client.get("/api/state").json()["clips"]]
        # at a rate at which it takes long enough to be killed in its midst
        asked = {"name": "all", "clips": ids, "mirror": True, "fps": RATE}
        id = studio.client.post("/api/graphs", json=asked).raise_for_status().json()["id"]
        killed = until(studio, id, "running", "done", "failed", stage="compare")
        studio.kill()
    assert killed["state"] == "running", "it was done before it could be killed"
    # nothing that claims to be a graph, and the job is known to have been under way
    assert list(tmp_path.rglob("*.mog")) == []
    kept = json.loads((tmp_path / ".kinegraph" / "jobs.json").read_text())
    assert [job["state"] for job in kept] == ["running"]
    with running(tmp_path) as studio:
        assert [job["state"] for job in studio.client.get("/api/state").json()["jobs"]] == ["interrupted"]
        assert studio.client.get("/api/state").json()["graphs"] == []
        studio.client.post(f"/api/jobs/{id}/resume").raise_for_status()
        done = until(studio, id, "done", "failed", "cancelled")
        assert done["state"] == "done", done
        made = studio.client.get("/api/state").json()["graphs"]
        assert [(entry["file"], entry["clips"]) for entry in made] == [("graphs/all.mog", 2 * len(names))]
        assert studio.client.get(f"/api/graphs/{made[0]['id']}").status_code == 200
    file = tmp_path / "graphs" / "all.mog"
    assert check(file) == []
    assert list((tmp_path / "graphs").iterdir()) == [file]
    # the very graph that an undisturbed build gives
    whole = graph.build(sorted(tmp_path.glob("*.npz")), Parameters(mirror=True, fps=RATE))
    assert graph.digest(graph.load(file)) == graph.digest(whole)


def test_a_studio_that_is_ended_offers_its_job_again(tmp_path: Path) -> None:
    for name in samples.names()[:16]:
        save(samples.make(name).motion, tmp_path / f"{name}.npz")
    with running(tmp_path) as studio:
        ids = [clip["id"] for clip in studio.client.get("/api/state").json()["clips"]]
        id = studio.client.post("/api/graphs", json={"name": "g", "clips": ids}).raise_for_status().json()["id"]
        until(studio, id, "running")
        studio.process.terminate()
        studio.process.wait(20)
    kept = json.loads((tmp_path / ".kinegraph" / "jobs.json").read_text())
    assert kept[0]["state"] in ("interrupted", "running", "done")
    with running(tmp_path) as studio:
        job = job_of(studio, id)
        if job["state"] != "done":
            assert job["state"] == "interrupted"
            studio.client.post(f"/api/jobs/{id}/resume").raise_for_status()
            assert until(studio, id, "done", "failed")["state"] == "done"
    assert check(tmp_path / "graphs" / "g.mog") == []
