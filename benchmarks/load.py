"""The studio with everybody at once: connections that ask, others that say half a request, uploads, builds and walks.

    python benchmarks/load.py [--minutes 30] [--connections 200] [--half-open 400] [--beside upload build follow]

Starts `kinegraph studio` on a free port of this machine, and ends by itself. Every connection asks for the state again and again,
four seconds after its last answer; half-open ones are opened anew when the server ends them. Beside them somebody uploads and deletes,
somebody builds graphs, and two have paths followed. Told are errors, how soon the state is there (bar: 99 of 100 within 0.5 s), and
the memory of the server, whose most in the last fifth of the time may be a tenth above its most in the second fifth. Exit 1 where a bar
is missed. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import numpy as np

import kinegraph as kg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.studio.running import Running, running

CLIPS = ("walk", "walk_left_medium", "walk_right_medium", "stand", "run")
# seconds from one question of a connection to its next, and that an answer may take at all
EACH, PATIENCE = 4.0, 60.0
BESIDE = ("upload", "build", "follow")
# seconds for the state, and by what share memory may grow
STATE_BAR, GROWTH_BAR = 0.5, 0.1


@dataclass
class Load:
    """What is put on a studio, until a moment, and what came of it."""

    studio: Running
    until: float
    waited: list[float] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    held: list[tuple[float, float]] = field(default_factory=list)

    @property
    def on(self) -> bool:
        return time.monotonic() < self.until

    async def repeated(self, what: str, act: Callable[[], Awaitable[None]], pause: float) -> None:
        """Do it again and again; what goes wrong is counted."""
        while self.on:
            try:
                await act()
                self.done[what] += 1
            except Exception as error:
                self.errors[f"{what}: {type(error).__name__}: {str(error)[:120]}"] += 1
            await asyncio.sleep(pause)

    async def connection(self, number: int) -> None:
        """One that stays open and asks for the state."""
        await asyncio.sleep(EACH * number / 200)
        asked = f"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\n\r\n".encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.studio.port)

        async def ask() -> None:
            nonlocal reader, writer
            begun = time.monotonic()
            try:
                head = await self._head(reader, writer, asked)
            except (ConnectionError, asyncio.IncompleteReadError):
                # one that has idled is closed at any moment: as browsers do, another one is opened
                self.done["opened again"] += 1
                writer.close()
                reader, writer = await asyncio.open_connection("127.0.0.1", self.studio.port)
                head = await self._head(reader, writer, asked)
            size = int(head.split("content-length:")[1].split("\r\n")[0])
            body = await asyncio.wait_for(reader.readexactly(size), PATIENCE)
            self.waited.append(time.monotonic() - begun)
            assert " 200 " in head.split("\r\n")[0], head.split("\r\n")[0]
            assert body.startswith(b"{")

        await self.repeated("state", ask, EACH)
        writer.close()

    async def _head(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: bytes) -> str:
        if writer.is_closing() or reader.at_eof():
            raise ConnectionError
        writer.write(asked)
        return (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode().lower()

    async def half_open(self) -> None:
        """One that says half a request and waits until it is ended."""

        async def hang() -> None:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.studio.port)
            writer.write(b"GET /api/state HTTP/1.1\r\nHost: ")
            left = max(self.until - time.monotonic(), 0.1)
            try:
                await asyncio.wait_for(reader.read(), left)
            except (TimeoutError, ConnectionError):
                pass
            finally:
                writer.close()

        await self.repeated("half a request", hang, 0.5)

    async def memory(self) -> None:
        begun = time.monotonic()
        while self.on:
            self.held.append((time.monotonic() - begun, self.studio.resident / 1e6))
            await asyncio.sleep(2.0)


async def work(load: Load, client: httpx2.AsyncClient, folder: Path, beside: Sequence[str]) -> None:
    """Uploads, builds and walks, one after the other each, as far as they are wanted."""
    data = (folder / "walk.bvh").read_bytes()
    state = (await client.get("/api/state")).json()
    ids = [clip["id"] for clip in state["clips"]]
    graph = state["graphs"][0]["id"]

    async def upload() -> None:
        taken = (await client.post("/api/clips", files={"files": ("taken.bvh", data)})).raise_for_status().json()
        for clip in taken["clips"]:
            (await client.delete(f"/api/clips/{clip['id']}")).raise_for_status()

    async def build() -> None:
        job = (await client.post("/api/graphs", json={"name": "built", "clips": ids[:3]})).raise_for_status().json()
        while job["state"] in ("queued", "running"):
            await asyncio.sleep(0.3)
            job = next(one for one in (await client.get("/api/jobs")).json() if one["id"] == job["id"])
        assert job["state"] == "done", job
        built = [one for one in (await client.get("/api/state")).json()["graphs"] if one["name"].startswith("built")]
        for one in built:
            (await client.delete(f"/api/graphs/{one['id']}")).raise_for_status()

    async def follow(shape: str) -> None:
        asked = {"path": {"shape": shape}}
        (await client.post(f"/api/graphs/{graph}/follow", json=asked)).raise_for_status()

    acts = {"upload": [upload], "build": [build], "follow": [lambda: follow("line:4"), lambda: follow("circle:2")]}
    await asyncio.gather(*(load.repeated(what, act, 1.0) for what in beside for act in acts[what]))


async def everything(load: Load, connections: int, half_open: int, folder: Path, beside: Sequence[str]) -> None:
    async with httpx2.AsyncClient(base_url=load.studio.url, timeout=300) as client:
        await asyncio.gather(
            load.memory(),
            work(load, client, folder, beside),
            *(load.connection(number) for number in range(connections)),
            *(load.half_open() for _ in range(half_open)),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--half-open", type=int, default=400)
    parser.add_argument("--beside", nargs="*", default=BESIDE, choices=BESIDE, help="what else is asked of it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        motions = [kg.samples.make(one).motion for one in CLIPS]
        for motion in motions:
            kg.save(motion, folder / f"{motion.name}.bvh")
        kg.graph.build(motions[:3], path=folder / "walks.mog")
        with running(folder) as studio:
            load = Load(studio, time.monotonic() + 60 * given.minutes)
            asyncio.run(everything(load, given.connections, given.half_open, folder, given.beside))
    seconds, held = np.array(load.held).T
    second, last = (
        held[(seconds >= share * seconds[-1]) & (seconds <= (share + 0.2) * seconds[-1])] for share in (0.2, 0.8)
    )
    growth = float(last.max() / second.max() - 1)
    p50, p99 = np.percentile(load.waited, [50, 99])
    print(json.dumps(dict(load.done)))
    print(
        f"state: half within {p50:.3f} s, 99 of 100 within {p99:.3f} s (bar {STATE_BAR}), most {max(load.waited):.3f} s"
    )
    print(
        f"memory: {second.max():.0f} MB, then {last.max():.0f} MB, {100 * growth:+.1f} % (bar {100 * GROWTH_BAR:.0f} %)"
    )
    print(f"errors: {sum(load.errors.values())} (bar 0)")
    for error, count in load.errors.most_common(10):
        print(f"  {count} × {error}")
    sys.exit(1 if load.errors or p99 > STATE_BAR or growth > GROWTH_BAR else 0)


if __name__ == "__main__":
    main()
