"""The studio as its user waits for it, measured in Chromium: first paint, a long motion, drawing while work goes on.

    python benchmarks/studio_page.py [--strokes 6] [--direct]

Starts `kinegraph studio` on a workspace of the built-in clips, their graph, and a motion of five minutes at 30 Hz, and opens it in headless
Chromium with software WebGL, which is slower than any graphics card. Times are the page's own clock. The baseline is an empty page of the
same server.
Input is timed from the event's own timestamp to its handler, before any of ours. A result is timed from the moment at which the pen is
lifted: to its being there, as a draft, to the first picture that shows it, and to that of what the whole search finds after it; likewise
of a scene of 30 s, from the moment at which a key that was dragged is let go.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import kinegraph as kg
from kinegraph import samples

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.studio.page import PATIENCE, Studio, missing, opened

PAINT_BAR, PLAY_BAR, INPUT_BAR, RESULT_BAR = 1000.0, 500.0, 50.0, 300.0
LONG_SECONDS, LONG_RATE = 300, 30
# metres of the strokes, and of an eight (sin t, sin t cos t)
STROKES, EIGHT = (8.0, 20.0), 6.097

# the pen's moves are those that a stroke is made of; others wait for the picture, as the browser wants it
_WATCH = """() => {
    window.delays = [];
    const note = event => delays.push(performance.now() - event.timeStamp);
    for (const kind of ['pointerrawupdate', 'pointerdown', 'pointerup']) addEventListener(kind, note, {capture: true, passive: true});
    window.results = [];
    addEventListener('pointerup', event => { window.lifted = event.timeStamp; }, {capture: true, passive: true});
    kinegraph.store.result.subscribe(pack => {
        const now = pack?.facts.result;
        if (!now) return;
        const path = JSON.stringify(now.request.path ?? now.request.scene);
        results.push({path, made: performance.now(), pictures: kinegraph.stage.pictures});
    });
    const look = () => {
        for (const one of results) if (!one.shown && kinegraph.stage.pictures > one.pictures) one.shown = performance.now();
        requestAnimationFrame(look);
    };
    look();
}"""
# where places on the floor are in the window, with the camera so high above them
_SEEN = """([way, height]) => {
    const {stage} = kinegraph;
    stage.camera.follow(null);
    stage.camera.show({position: [0, height, 0.01], target: [0, 0, 0]}, false);
    stage.renderNow();
    return way.map(place => stage.screen(place));
}"""
# milliseconds after the pen was lifted: when the first result of the whole stroke was there, when a picture showed it, and when one showed
# the last
_SHOWN = """async () => {
    while (!results.at(-1).shown) await new Promise(requestAnimationFrame);
    const whole = results.filter(one => one.path === results.at(-1).path && one.made > lifted);
    return [whole[0].made - lifted, whole[0].shown - lifted, whole.at(-1).shown - lifted];
}"""


@dataclass
class Bars:
    """Figures beside their bars."""

    missed: list[str] = field(default_factory=list)

    def line(self, what: str, value: float, bar: float, more: str = "") -> None:
        mark = "" if value <= bar else " NOT met"
        if mark:
            self.missed.append(what)
        print(f"  {what:<58} {value:8.1f} ms (≤ {bar:.0f}{mark})  {more}")


def workspace(folder: Path) -> None:
    motions = [samples.make(name).motion for name in samples.names()]
    for motion in motions:
        kg.save(motion, folder / f"{motion.name}.bvh")
    kg.graph.build(motions, kg.graph.Parameters(mirror=True), path=folder / "samples.mog")
    walk = samples.make("walk").motion.resample(LONG_RATE)
    kg.save(kg.paths.repath(walk, "eight:4", cycle=True, seconds=LONG_SECONDS).motion, folder / "long.npz")


def first_paint(studio: Studio, bars: Bars) -> None:
    """From asking for the page to the clips on it."""
    page = studio.page
    page.goto(f"{studio.server.url}api/jobs")
    empty = _since_navigation(page)
    # a bare answer has no icon of its own, and the browser asks for one
    page.wait_for_timeout(500)
    studio.complaints[:] = [
        told for told in studio.complaints if "favicon" not in told and "Failed to load" not in told
    ]
    tries = []
    for _ in range(5):
        page.goto(studio.server.url)
        page.wait_for_selector("html[data-ready=true]", timeout=30_000)
        tries.append(page.evaluate("() => performance.getEntriesByName('kinegraph-data')[0].startTime"))
    bars.line(
        "first paint with data",
        median(tries),
        PAINT_BAR,
        f"of {min(tries):.0f} to {max(tries):.0f}; baseline {empty:.0f} ms",
    )


def _since_navigation(page: Any) -> float:
    return float(page.evaluate("() => performance.getEntriesByType('navigation')[0].loadEventEnd"))


def long_motion(studio: Studio, bars: Bars) -> None:
    """From a click on five minutes of motion to the first frame that differs."""
    page = studio.page
    tries = []
    for _ in range(3):
        page.reload()
        page.wait_for_selector("html[data-ready=true]", timeout=30_000)
        studio.go("Library")
        page.get_by_role("option", name="jump", exact=True).click()
        page.wait_for_function("() => kinegraph.playback.duration.value > 1 && kinegraph.playback.duration.value < 10")
        page.get_by_role("option", name="long", exact=True).scroll_into_view_if_needed()
        page.evaluate(
            """() => {
                window.clicked = 0; window.played = 0;
                addEventListener('click', event => { clicked ||= event.timeStamp; }, {capture: true, once: true});
                const watch = () => {
                    const {duration, time, playing} = kinegraph.playback;
                    if (clicked && duration.value > 100 && playing.value && time.value > 0) played = performance.now();
                    else requestAnimationFrame(watch);
                };
                requestAnimationFrame(watch);
            }"""
        )
        page.get_by_role("option", name="long", exact=True).dblclick()
        page.wait_for_function("() => window.played > 0", timeout=PATIENCE)
        tries.append(page.evaluate("() => played - clicked"))
    bars.line(
        f"{LONG_SECONDS} s at {LONG_RATE} Hz play after a double click",
        median(tries),
        PLAY_BAR,
        f"of {min(tries):.0f} to {max(tries):.0f}",
    )


def _stroke(studio: Studio, metres: float, turn: float, steps: int = 60) -> None:
    """An eight drawn with the mouse, so many metres long, turned a little, seen from above."""
    page = studio.page
    size = metres / EIGHT
    way = []
    for n in range(steps + 1):
        at = 2 * math.pi * n / steps
        x, z = size * math.sin(at), size * math.sin(at) * math.cos(at)
        c, s = math.cos(turn), math.sin(turn)
        way.append([c * x - s * z, 0.0, s * x + c * z])
    for n, place in enumerate(page.evaluate(_SEEN, [way, 3 * size])):
        page.mouse.move(place["x"], place["y"])
        if n == 0:
            page.mouse.down()
    page.mouse.up()


def drawing(studio: Studio, bars: Bars, strokes: int) -> None:
    """Delay of input and of the result, at rest and while a graph is being built."""
    page = studio.page
    studio.go("Follow")
    page.keyboard.press("t")
    page.get_by_role("button", name="Draw").first.click()
    page.evaluate(_WATCH)
    _stroke(studio, STROKES[0], 0.0)
    last = studio.await_result()["id"]
    for work in ("at rest", "while a graph is built"):
        page.evaluate("() => { delays.length = 0; }")
        shown: dict[float, list[list[float]]] = {metres: [] for metres in STROKES}
        for number in range(strokes):
            if work != "at rest":
                _build(studio, f"again {number}")
            for metres, times in shown.items():
                _stroke(studio, metres, 0.2 + 0.1 * number)
                last = studio.await_result(last)["id"]
                times.append(page.evaluate(_SHOWN))
        delays = np.array(page.evaluate("() => delays"))
        told = f"p99 {np.percentile(delays, 99):.0f}, most {delays.max():.0f} of {len(delays)} events"
        bars.line(f"input to handler {work}, 95 %", float(np.percentile(delays, 95)), INPUT_BAR, told)
        for metres, times in shown.items():
            made, seen, whole = zip(*times, strict=True)
            stroke = f"end of a stroke of {metres:.0f} m"
            bars.line(
                f"{stroke} to its result, {work}", median(made), RESULT_BAR, f"of {min(made):.0f} to {max(made):.0f}"
            )
            more = f"of {min(seen):.0f} to {max(seen):.0f}; of the whole search's result {median(whole):.0f}"
            bars.line(f"{stroke} to its picture, {work}", median(seen), RESULT_BAR, more)


def directing(studio: Studio, bars: Bars, drags: int) -> None:
    """Delay of the result of a scene of 30 s with 8 keys, one of which is dragged on the floor."""
    page = studio.page
    keys = [{"time": 1 + 4 * n, "at": [round(1.5 * math.sin(n), 2), 4.2 * n]} for n in range(8)]
    scene = {"seconds": 30, "label": [{"name": "walk"}], "key": keys}
    studio.go("Direct")
    last = studio.await_result()["id"]
    file = {"name": "scene.json", "mimeType": "application/json", "buffer": json.dumps(scene).encode()}
    page.get_by_label("Scene file").set_input_files(file)
    last = studio.await_result(last)["id"]
    studio.seek(0.0)
    studio.rest()
    page.evaluate(_WATCH)
    times = []
    for number in range(drags):
        x, z = studio.result()["request"]["scene"]["key"][4]["at"]
        way = [(x, z), (x + (-0.3 if number % 2 else 0.3), z)]
        here, there = (page.evaluate("([x, z]) => kinegraph.stage.screen([x, 0, z])", place) for place in way)
        page.mouse.move(here["x"], here["y"])
        page.mouse.down()
        page.mouse.move(there["x"], there["y"], steps=8)
        page.mouse.up()
        last = studio.await_result(last)["id"]
        times.append(page.evaluate(_SHOWN))
    made, seen, whole = zip(*times, strict=True)
    drag = "end of a drag in a scene of 30 s"
    bars.line(f"{drag} to its draft", median(made), RESULT_BAR, f"of {min(made):.0f} to {max(made):.0f}")
    more = f"of {min(seen):.0f} to {max(seen):.0f}; of the whole search's result {median(whole):.0f}"
    bars.line(f"{drag} to its picture", median(seen), RESULT_BAR, more)


def _build(studio: Studio, name: str) -> None:
    clips = [clip["id"] for clip in studio.state()["clips"] if clip["name"] != "long"]
    studio.server.client.post("/api/graphs", json={"name": name, "clips": clips}).raise_for_status()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strokes", type=int, default=6)
    parser.add_argument("--direct", action="store_true", help="scenes alone")
    asked = parser.parse_args()
    reason = missing()
    if reason is not None:
        sys.exit(reason)
    bars = Bars()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        workspace(folder)
        with opened(folder) as studio:
            if not asked.direct:
                first_paint(studio, bars)
                long_motion(studio, bars)
                drawing(studio, bars, asked.strokes)
            directing(studio, bars, asked.strokes)
            print(f"\n{'NOT met: ' + '; '.join(bars.missed) if bars.missed else 'all bars met'}")
            print(f"complaints of the console: {studio.complaints or 'none'}")


if __name__ == "__main__":
    main()
