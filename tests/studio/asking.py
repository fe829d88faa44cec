"""What many tests of the studio ask for."""

from __future__ import annotations

import time
from typing import Any

from starlette.testclient import TestClient


def clip_id(client: TestClient, name: str) -> str:
    """The id of the clip of that name."""
    return next(clip["id"] for clip in client.get("/api/state").json()["clips"] if clip["name"] == name)


def names(client: TestClient) -> list[str]:
    """The names of all clips."""
    return [clip["name"] for clip in client.get("/api/state").json()["clips"]]


def ended(client: TestClient, id: str, seconds: float = 60.0) -> dict[str, Any]:
    """A job, once it has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        job = next(job for job in client.get("/api/jobs").json() if job["id"] == id)
        if job["state"] not in ("queued", "running"):
            return dict(job)
        time.sleep(0.02)
    raise AssertionError(f"the job has not ended: {job}")


def known(client: TestClient, seconds: float = 30.0) -> dict[str, Any]:
    """The state, once every clip's info is known."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        state = client.get("/api/state").json()
        if all(clip["info"] is not None for clip in state["clips"]):
            return dict(state)
        time.sleep(0.02)
    raise AssertionError("some clips have not been read")
