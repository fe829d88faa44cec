"""What a large graph costs whoever uses it: opening, following, walking at random, living on it, adding a clip; and the list of the studio.

    python benchmarks/scale.py --graph WHOLE.mog --clips FOLDER --only online [add] [page]

Each runs in a process of its own, so that the first use is a first use. Times are those of processors, since machines are shared; adding
is timed by the clock as well.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

BARS = {"open": 2.0, "first": 3.0, "next": 0.1, "frame": 0.3, "add": 10.0, "search": 100.0, "paint": 1500.0}
# clips that are added, each to the same graph, and how they are drawn
_ADDED, _SEED = 4, 5


def alone(work: Callable[..., None], *given: Any) -> None:
    """Do it in a process of its own, which prints what it finds."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=given)
    process.start()
    process.join()


def online(graph: Path) -> None:
    """Everything but what changes the graph."""
    print(f"a graph of {graph.stat().st_size / 1e6:.0f} MB; seconds of processors")
    for work in (_opening, _following, _wandering, _living):
        alone(work, graph)


def add(graph: Path, clips: Path) -> None:
    """One clip more, by the command that people give: from its start to the file that is saved. Some clips, since none is like another."""
    import kinegraph as kg

    files = sorted(clips.rglob("*.bvh"))
    for number, clip in enumerate([files[0], *random.Random(_SEED).sample(files, _ADDED - 1)]):
        with tempfile.TemporaryDirectory(dir=graph.parent) as folder:
            grown, more = Path(folder) / "grown.mog", Path(folder) / f"more_{number}.bvh"
            shutil.copy(graph, grown)
            # its first frames are left out: the graph has all of it already
            kg.save(kg.load(clip)[10:], more)
            command = [sys.executable, "-m", "kinegraph", "add", str(grown), str(more)]
            begun = time.perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            said = process.stderr.read() if process.stderr else b""
            _, status, used = os.wait4(process.pid, 0)
            took = time.perf_counter() - begun
            if status:
                raise SystemExit(said.decode())
        spent, held = used.ru_utime + used.ru_stime, used.ru_maxrss / (1 << 20)
        _line(f"add {clip.stem}, by the clock", took, BARS["add"], "s", f"{spent:.1f} CPU s, {held:.2f} GB at most")


def _line(what: str, value: float, bar: float, unit: str, more: str = "") -> None:
    print(f"  {what:<44} {value:8.3f} {unit} (≤ {bar:g}{'' if value <= bar else ' NOT met'})  {more}", flush=True)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def _peak() -> str:
    scale = 1 << 20 if sys.platform != "darwin" else 1 << 30
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale:.2f} GB at most"


def _opening(path: Path) -> None:
    import kinegraph as kg

    kg.graph.load  # noqa: B018 - imported
    took, graph = _timed(lambda: kg.graph.load(path))
    _line("opened", took, BARS["open"], "s", f"{graph}, {_peak()}")


def _following(path: Path) -> None:
    import kinegraph as kg

    graph = kg.graph.load(path)
    took, made = _timed(lambda: kg.follow(graph, "eight:3", label="walk"))
    off = made.quality["deviation_cm"]
    _line(
        "first follow --label walk eight:3",
        took,
        BARS["first"],
        "s",
        f"{off['mean']:.2f} cm off, {off['max']:.2f} at most",
    )
    for way in ("eight:3", "circle:2.5", "line:10", "square:4"):
        took, made = _timed(lambda: kg.follow(graph, way, label="walk"))  # noqa: B023 - called at once
        off = made.quality["deviation_cm"]
        more = f"{took:.2f} s for {made.motion.seconds:.1f} s, {off['mean']:.2f} cm off, {off['max']:.2f} at most"
        _line(f"next: {way}, a second of motion", took / made.motion.seconds, BARS["next"], "s", more)
    print(f"  {_peak()}")


def _wandering(path: Path) -> None:
    import kinegraph as kg

    graph = kg.graph.load(path)
    for label in ("walk", None):
        first, _ = _timed(lambda: kg.wander(graph, seconds=20, label=label))  # noqa: B023 - called at once
        took, made = _timed(lambda: kg.wander(graph, seconds=20, seed=1, label=label))  # noqa: B023 - called at once
        print(
            f"  walk at random, {label or 'any label'}: first {first:.2f} s, then {took / made.motion.seconds:.3f} s a second"
        )


def _living(path: Path) -> None:
    import kinegraph as kg

    graph = kg.graph.load(path)
    took, person = _timed(lambda: kg.live(graph))
    spent, missed = [], []
    for frame in range(3600):
        turn, speed = 2 * np.pi * frame / 450, (0.0, 1.3, 1.3, 0.8, 2.8)[frame // 180 % 5]
        wish = np.array([speed * np.sin(turn), speed * np.cos(turn)])
        before = person.people.root[0, [0, 2]].copy()
        spent.append(_timed(lambda: person.step(velocity=tuple(wish)))[0])  # noqa: B023 - called at once
        missed.append(float(np.linalg.norm((person.people.root[0, [0, 2]] - before) * graph.fps - wish)))
    own = person.graph
    more = (
        f"{1000 * np.percentile(spent, 99):.2f} of 99 in 100; begun in {took:.1f} s, {len(own.clips)} clips at hand, "
    )
    _line(
        "live, a frame",
        1000 * float(np.mean(spent)),
        BARS["frame"],
        "ms",
        f"{more}{np.mean(missed):.2f} m/s off what is wished",
    )


def page(clips: Path) -> None:
    """The studio on a folder of many clips; the page's own thread is timed by what it gets of a processor."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.studio.page import opened

    with tempfile.TemporaryDirectory(dir=clips.parent) as folder:
        files = sorted(clips.rglob("*.bvh"))
        for file in files:
            try:
                os.link(file, Path(folder) / file.name)
            except OSError:
                shutil.copy(file, folder)
        with opened(Path(folder)) as studio:
            _page(studio, len(files))


_TYPED = """async text => {
    const input = document.querySelector('.shelf input[type=search]');
    input.value = text;
    input.dispatchEvent(new Event('input', {bubbles: true}));
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    return document.querySelectorAll('.card').length;
}"""
_SCROLLED = """async () => {
    const box = document.querySelector('.cards');
    for (let k = 0; k < 100; k++) {
        box.scrollTop += 700;
        await new Promise(requestAnimationFrame);
    }
    return document.querySelectorAll('.card').length;
}"""


def _page(studio: Any, count: int) -> None:
    page = studio.page
    asked = page.context.new_cdp_session(page)
    asked.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        told = {one["name"]: one["value"] for one in asked.send("Performance.getMetrics")["metrics"]}
        return 1000 * float(told["TaskDuration"])

    print(f"  the studio with {count:,} clips; milliseconds that the page's thread works")
    before = busy()
    page.reload()
    page.wait_for_selector(".card", timeout=120_000)
    clock = page.evaluate("() => performance.getEntriesByName('kinegraph-data')[0]?.startTime ?? performance.now()")
    _line(
        "first paint with clips",
        busy() - before,
        BARS["paint"],
        "ms",
        f"{clock:.0f} by the clock, on a machine that is shared",
    )
    for text in ("1", "16", "16_1", "walk", ""):
        before = busy()
        cards = page.evaluate(_TYPED, text)
        _line(f"search {text!r}", busy() - before, BARS["search"], "ms", f"{cards} cards are made")
    before = busy()
    cards = page.evaluate(_SCROLLED)
    _line("scrolled by 700 pixels", (busy() - before) / 100, 16.7, "ms", f"{cards} cards are made")
