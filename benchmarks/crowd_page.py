"""A crowd as who looks at it sees it, measured in Chromium: pictures a second, and how long a hand waits until the page hears it.

    python benchmarks/crowd_page.py [--graph G.mog] [--people 300] [--seconds 20] [--scenario square]

Starts `kinegraph studio` on a graph (one of the built-in clips unless told) and opens the crowd room in headless Chromium with software
WebGL, where the processor draws. A crowd is run; while it is computed, and again once all of it is there, it is played and looked at whole:
pictures are those that the stage has drawn. Meanwhile keys and the pointer are pressed, at random moments; a hand waits from the event's
own timestamp until the page's first listener hears it, since until then the page was busy with something else.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import kinegraph as kg
from kinegraph import samples

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.studio.page import PATIENCE, Studio, missing, opened

PICTURES, INPUT = 5.0, 50.0
CLIPS = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "run", "stop")

_WATCH = """() => {
    window.waits = [];
    const note = event => waits.push(performance.now() - event.timeStamp);
    // other moves wait for the picture, as the browser wants it
    for (const kind of ['keydown', 'pointerrawupdate', 'pointerdown', 'pointerup'])
        addEventListener(kind, note, {capture: true, passive: true});
}"""


def looked_at(studio: Studio, seconds: float, chance: random.Random) -> tuple[float, list[float]]:
    """Pictures a second while it plays, and milliseconds that hands waited."""
    page = studio.page
    page.evaluate("() => { waits.length = 0; kinegraph.playback.play(); }")
    before, begun = page.evaluate("() => kinegraph.stage.pictures"), time.monotonic()
    box = page.locator("canvas").first.bounding_box()
    while time.monotonic() - begun < seconds:
        page.wait_for_timeout(chance.uniform(80, 250))
        page.keyboard.press("g")
        page.keyboard.press("g")
        x, y = (box[at] + chance.uniform(0.2, 0.8) * box[size] for at, size in (("x", "width"), ("y", "height")))
        page.mouse.move(x, y)
        page.mouse.down(button="right")
        page.mouse.up(button="right")
    drawn = page.evaluate("() => kinegraph.stage.pictures") - before
    return drawn / (time.monotonic() - begun), list(page.evaluate("() => waits"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--scenario", default="square")
    asked = parser.parse_args()
    reason = missing()
    if reason is not None:
        sys.exit(reason)
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "people.mog"
        if asked.graph is None:
            kg.graph.build([samples.make(name).motion for name in CLIPS], kg.graph.Parameters(mirror=True), path=file)
        else:
            shutil.copy(asked.graph, file)
        with opened(Path(folder)) as studio:
            page: Any = studio.page
            page.evaluate(_WATCH)
            studio.go("Crowd")
            page.get_by_label("Scenario", exact=True).select_option(asked.scenario)
            page.get_by_role("spinbutton", name="People").fill(str(asked.people))
            page.keyboard.press("Enter")
            page.get_by_role("spinbutton", name="Seconds at most").fill("60")
            page.keyboard.press("Enter")
            page.locator("body").click(position={"x": 5, "y": 5})
            studio.button("Run", exact=True).click()
            page.wait_for_function("() => kinegraph.playback.duration.value > 1", timeout=PATIENCE)
            chance = random.Random(1)
            print(f"{asked.people} people, 1280 x 720, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            _told("while it is computed", *looked_at(studio, 0.25 * asked.seconds, chance), missed=None)
            page.wait_for_selector("[data-arrived]", timeout=PATIENCE)
            _told("once it is there", *looked_at(studio, asked.seconds, chance), missed=missed)
            if studio.complaints:
                missed.append(f"complaints: {studio.complaints}")
    if missed:
        sys.exit(f"not met: {', '.join(missed)}")


def _told(what: str, pictures: float, waits: list[float], missed: list[str] | None) -> None:
    p50, p95, most = np.percentile(waits, [50, 95, 100])
    print(f"{what}, load {os.getloadavg()[0]:.1f}")
    for name, value, bar, met in (
        ("pictures/s", pictures, f"≥ {PICTURES:g}", pictures >= PICTURES),
        ("input, p95 ms", p95, f"≤ {INPUT:g}", p95 <= INPUT),
    ):
        barred = "" if missed is None else f" ({bar}{'' if met else ' NOT met'})"
        print(f"  {name:<16} {value:7.1f}{barred}", flush=True)
        if missed is not None and not met:
            missed.append(name)
    print(f"  input p50 {p50:.1f}, most {most:.1f} ms, of {len(waits)}")


if __name__ == "__main__":
    main()
