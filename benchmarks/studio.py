"""The studio's server under load: how soon the page has its state and a long motion, and what a walk costs while many others play.

    python benchmarks/studio.py [--clients 50] [--follows 10] [--rounds 3]

Starts `kinegraph studio` on a free port, on a workspace of 100 clips, a graph of the built-in walks and a motion of five minutes at 30 Hz.
Each time stands beside a baseline of the same run: an answer of a few bytes from the same server, or the same work done alone.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from queue import Empty
from typing import Any

import httpx2
import numpy as np
from websockets.asyncio.client import connect

import kinegraph as kg

CLIPS = 100
LONG_SECONDS, LONG_RATE = 300, 30
# seconds for the state of 100 clips and for a long motion, and how many times as long as ten alone a walk may take under load
STATE_BAR, MOTION_BAR, LOAD_BAR = 0.1, 0.5, 3.0
REPEATED = 15


@dataclass
class Bars:
    """Figures beside their bars, and how many are missed."""

    met: int = 0
    missed: list[str] = field(default_factory=list)

    def told(self, what: str, value: float, bar: float, unit: str = "ms") -> str:
        """``value ≤ bar`` with a mark where it is not."""
        if value <= bar:
            self.met += 1
            return f"{value:.1f} {unit} (≤ {bar:.0f} {unit})"
        self.missed.append(f"{what}: {value:.1f} {unit}, bar {bar:.0f} {unit}")
        return f"{value:.1f} {unit} (≤ {bar:.0f} {unit} NOT met)"


@dataclass
class Studio:
    """A studio that runs."""

    process: subprocess.Popen[str]
    url: str
    client: httpx2.Client

    @property
    def resident(self) -> float:
        """Megabytes of memory that it holds; 0 where the system does not tell."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        except OSError:
            return 0.0
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0


@contextmanager
def serving(folder: Path) -> Iterator[Studio]:
    command = [sys.executable, "-m", "kinegraph", "studio", str(folder), "--port", "0", "--no-browser", "--no-token"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        address = next(found[1] for line in process.stderr if (found := re.search(r"open at (http://\S+)", line)))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        with httpx2.Client(base_url=address, timeout=120) as client:
            yield Studio(process, address, client)
    finally:
        process.terminate()
        process.wait(20)


def filled(folder: Path) -> None:
    """Many clips, a long one, and a graph."""
    (folder / "clips").mkdir()
    (folder / "graphs").mkdir()
    names = kg.samples.names()
    made = {name: kg.samples.make(name).motion for name in names}
    for number in range(CLIPS - 1):
        name = names[number % len(names)]
        kg.save(made[name], folder / "clips" / f"{name} {number // len(names) + 1}.bvh")
    walk = made["walk"].resample(LONG_RATE)
    long = kg.concatenate([walk] * (LONG_SECONDS * LONG_RATE // len(walk) + 1))[: LONG_SECONDS * LONG_RATE]
    kg.save(long.renamed("long"), folder / "long.bvh")
    walks = [motion for name, motion in made.items() if name.startswith(("walk", "stand", "start", "stop"))]
    kg.graph.build(walks, kg.graph.Parameters(mirror=True), path=folder / "graphs" / "walks.mog")


def spent(ask: Callable[[], Any], times: int = REPEATED) -> float:
    """Milliseconds that a request takes, the median of several."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        ask()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def got(studio: Studio, path: str) -> httpx2.Response:
    return studio.client.get(path).raise_for_status()


def state(studio: Studio, bars: Bars) -> None:
    print(f"state of a workspace with {CLIPS} clips")
    first = spent(lambda: got(studio, "/api/state"), 1)
    print(f"  first, no clip read yet     {bars.told('state, first', first, 1000 * STATE_BAR)}")
    while any(clip["info"] is None for clip in got(studio, "/api/state").json()["clips"]):
        time.sleep(0.2)
    least = spent(lambda: got(studio, "/api/jobs"))
    later = spent(lambda: got(studio, "/api/state"))
    size = len(got(studio, "/api/state").content) / 1000
    print(
        f"  with what all clips hold    {bars.told('state', later, 1000 * STATE_BAR)}, {size:.0f} kB; "
        f"{later / least:.1f} × an answer of two bytes ({least:.1f} ms)"
    )


def motion(studio: Studio, folder: Path, bars: Bars) -> None:
    print(f"motion of {LONG_SECONDS} s at {LONG_RATE} Hz")
    id = next(clip["id"] for clip in got(studio, "/api/state").json()["clips"] if clip["name"] == "long")
    reading = spent(lambda: kg.load(folder / "long.bvh"), 3)
    first = spent(lambda: got(studio, f"/api/clips/{id}/motion"), 1)
    again = spent(lambda: got(studio, f"/api/clips/{id}/motion"))
    answer = got(studio, f"/api/clips/{id}/motion")
    tag = {"If-None-Match": answer.headers["etag"]}
    known = spent(lambda: studio.client.get(f"/api/clips/{id}/motion", headers=tag))
    text = (folder / "long.bvh").stat().st_size
    print(
        f"  first                       {bars.told('motion, first', first, 1000 * MOTION_BAR)}; {first / reading:.1f} × reading the file "
        f"alone ({reading:.0f} ms)\n"
        f"  again                       {again:.1f} ms, {len(answer.content) / 1e6:.2f} MB, {len(answer.content) / text:.2f} of the file; "
        f"{known:.1f} ms where the browser has it"
    )
    body = spent(lambda: got(studio, f"/api/clips/{id}/body"), 1)
    print(f"  its body, first             {body:.1f} ms")


# -- load -----------------------------------------------------------------------------------------------------------------


async def _play(url: str, ids: list[str], pace: float, end: Event, told: list[str], counts: list[int]) -> None:
    """One page: its events, its state, and now and then another motion."""
    chance = random.Random(counts[0])
    try:
        async with (
            httpx2.AsyncClient(base_url=url, timeout=120) as client,
            connect(f"{url.replace('http', 'ws', 1)}api/events", open_timeout=60) as events,
        ):
            listening = asyncio.ensure_future(_listen(events))
            await asyncio.sleep(chance.random() * pace)
            while not end.is_set():
                (await client.get("/api/state")).raise_for_status()
                (await client.get(f"/api/clips/{chance.choice(ids)}/motion")).raise_for_status()
                counts[0] += 2
                await asyncio.sleep(pace)
            listening.cancel()
    except Exception as error:
        told.append(f"{type(error).__name__}: {error}")


async def _listen(events: Any) -> None:
    async for _ in events:
        pass


def playing(url: str, ids: list[str], clients: int, pace: float, end: Event, queue: Any) -> None:
    """Many pages, in a process of their own."""

    async def all_of_them() -> None:
        told: list[str] = []
        counts = [0]
        queue.put("begun")
        await asyncio.gather(*(_play(url, ids, pace, end, told, counts) for _ in range(clients)))
        queue.put((counts[0], told))

    asyncio.run(all_of_them())


def load(studio: Studio, bars: Bars, clients: int, follows: int, rounds: int) -> None:
    print(f"load: {clients} pages that play, {follows} walks asked for at once")
    found = got(studio, "/api/state").json()
    graph = found["graphs"][0]["id"]
    ids = [clip["id"] for clip in found["clips"]]

    def follow(seed: int) -> float:
        began = time.perf_counter()
        asked = {"path": {"shape": f"drawn:20,{seed}"}, "label": "walk"}
        studio.client.post(f"/api/graphs/{graph}/follow", json=asked).raise_for_status()
        return 1000 * (time.perf_counter() - began)

    for seed in range(3):
        follow(1000 + seed)
    alone = [follow(seed) for seed in range(2 * follows)]
    one = float(np.percentile(alone, 95))
    print(f"  a walk of 20 m alone        {statistics.median(alone):.0f} ms, p95 {one:.0f} ms")

    context = get_context("spawn")
    end, queue = context.Event(), context.Queue()
    pages = context.Process(target=playing, args=(studio.url, ids, clients, 1.0, end, queue))
    pages.start()
    queue.get(timeout=60)
    time.sleep(3.0)
    taken: list[float] = []
    failed: list[str] = []
    states: list[float] = []
    with ThreadPoolExecutor(follows) as many:
        for number in range(rounds):
            asked = [many.submit(follow, 100 + number * follows + each) for each in range(follows)]
            while not all(one_of.done() for one_of in asked):
                states.append(spent(lambda: got(studio, "/api/state"), 1))
                time.sleep(0.05)
            for one_of in asked:
                try:
                    taken.append(one_of.result())
                except httpx2.HTTPError as error:
                    failed.append(str(error))
    end.set()
    try:
        requests, told = queue.get(timeout=120)
    except Empty:
        requests, told = 0, ["the pages did not end"]
    pages.join(30)
    bar = LOAD_BAR * one * follows
    print(
        f"  {follows} at once{'':<20}{bars.told('load: p95', float(np.percentile(taken, 95)), bar)}, "
        f"{np.percentile(taken, 95) / (one * follows):.2f} × {follows} alone; median {statistics.median(taken):.0f} ms\n"
        f"  state meanwhile             median {statistics.median(states):.0f} ms, p95 {np.percentile(states, 95):.0f} ms\n"
        f"  errors                      {bars.told('load: errors', len(failed) + len(told), 0, 'of')} "
        f"{len(taken) + len(failed) + requests} requests"
    )
    for sentence in (failed + told)[:5]:
        print(f"    {sentence}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50, help="pages that play")
    parser.add_argument("--follows", type=int, default=10, help="walks asked for at once")
    parser.add_argument("--rounds", type=int, default=3, help="how often they are asked for")
    given = parser.parse_args()
    bars = Bars()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        filled(folder)
        began = time.perf_counter()
        with serving(folder) as studio:
            print(f"the server answers after {time.perf_counter() - began:.2f} s, and holds {studio.resident:.0f} MB")
            state(studio, bars)
            motion(studio, folder, bars)
            load(studio, bars, given.clients, given.follows, given.rounds)
            print(f"memory at the end             {studio.resident:.0f} MB")
    print(f"\n{bars.met} bars met, {len(bars.missed)} NOT met")
    for missed in bars.missed:
        print(f"  {missed}")


if __name__ == "__main__":
    main()
