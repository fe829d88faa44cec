"""How well strikes of scenes hit: random scenes with 1 to 4 targets in the world, seeds fixed, on the move and in chains.

A target lies where somebody who walked on for a while, and turned, would have it in the middle of what a space reaches; or, in a chain,
anywhere in what it reaches from where the last one was struck. The stances themselves are not given to the solver.

    python benchmarks/scene_strikes.py --samples
    python benchmarks/scene_strikes.py --clips FOLDER --takes FILE … --kind punch
    python benchmarks/scene_strikes.py --graph G.mog
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.errors import KinegraphError
from kinegraph.evaluation.skating import examine
from kinegraph.feet.slide import slides
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.spaces import Spaces
from kinegraph.people.stances import before
from kinegraph.scenes.finish import Directed
from kinegraph.scenes.scene import Key, Scene, StrikeAt
from kinegraph.scenes.trying import perform_best
from kinegraph.strikes.space import Space
from kinegraph.walks.parts import pace

HIT, FEET = 0.01, 0.001
"""Metres within which a target is hit, and by which feet that stand may slide."""
SAMPLES = (
    "stand", "start", "walk", "walk_left_gentle", "walk_left_medium", "walk_left_tight", "walk_right_gentle",
    "walk_right_medium", "walk_right_tight", "run", "stop",
)  # fmt: skip


def draw(graph: MotionGraph, spaces: list[Space], seed: int) -> Scene:
    """A scene."""
    rng = np.random.default_rng(2000 + seed)
    speed = pace(graph, "walk")
    fps = graph.fps
    count = 1 + seed % 4
    now, x, z, faces = 1.0, 0.0, 0.0, float(rng.uniform(-np.pi, np.pi))
    keys = [Key(now, (0.0, 0.0), faces)]
    strikes: list[StrikeAt] = []
    last: Space | None = None
    for _ in range(count):
        space = spaces[rng.integers(len(spaces))]
        if last is not None and rng.random() < 0.4:
            # from where the last was struck
            space = last
            low, high = space.region.low, space.region.high
            across, up = low + (0.5 + 0.6 * (rng.random(2) - 0.5)) * (high - low)
            ahead = space.samples.hits[space.samples.nearest(np.array([across, up]))[0], 2]
            now += float(rng.uniform(1.2, 2.0))
            target = placed(space, x, z, faces).apply([across, up, ahead])
        else:
            metres, turn = float(rng.uniform(1.5, 5.0)), float(rng.uniform(-1.6, 1.6))
            faces += turn
            x, z = x + metres * np.sin(faces), z + metres * np.cos(faces)
            # to turn, to stop, and to get going again
            now += metres / speed + abs(turn) / 1.5 + (1.2 if last is None else 2.6)
            middle = np.array(before(space, x, z, faces))
            rise = 0.3 * (rng.random() - 0.5) * (space.region.high[1] - space.region.low[1])
            target = middle + np.array([0.0, rise, 0.0])
        a, b, c = target.tolist()
        strikes.append(StrikeAt(round(now * fps) / fps, (a, b, c), space.name))
        last = space
    return Scene(now + 3.0, keys=tuple(keys), strikes=tuple(strikes), name=f"strikes {seed}")


def placed(space: Space, x: float, z: float, faces: float) -> FloorTransform:
    """Where a space lies for somebody who faces a way."""
    from kinegraph.strikes import told

    return FloorTransform(faces - float(np.radians(told.facing_degrees(space))), x, z)


def jolt(done: Directed, graph: MotionGraph) -> tuple[float, int]:
    """The largest change of a joint's velocity about entering and leaving strikes, against what 99.9 % of the clips' and strikes' own
    frames have, and at which frame.
    """
    motion, played = done.finished.motion, done.finished.performance
    usual = np.percentile(
        np.concatenate([_changes(clip.motion.positions, graph.fps).max(axis=1) for clip in done.plan.graph.clips]), 99.9
    )
    change = _changes(motion.positions, graph.fps).max(axis=1)
    names = [played.walk.graph.clip_index[one.clip.clip.name] for one in done.plan.strikes]
    near = np.isin(played.clip, names) | np.isin(played.other_clip, names)
    change = np.where(near[1:-1], change, 0.0)
    worst = int(np.argmax(change))
    return float(change[worst] / usual), worst + 1


def seen(motion: Motion) -> Array:
    """How far each foot slides while it is seen to stand, contacts found anew ``(P,)``, in metres."""
    found = examine(motion)
    return np.zeros(0) if found is None else found.slides.furthest


def summed(slid: Array) -> str:
    """The slides of many plants in a line."""
    worst, late, mean = 1000 * slid.max(initial=0.0), 1000 * np.percentile(slid, 95), 1000 * slid.mean()
    return f"mean {mean:.2f}, 95 % {late:.1f}, worst {worst:.1f} mm; {100 * np.mean(slid > FEET):.0f} % of {len(slid)} above 1 mm"


def _changes(positions: Array, fps: float) -> Array:
    changes: Array = np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1) * fps
    return changes


def run(graph: MotionGraph, spaces: list[Space], scenes: Sequence[int], keep: Path | None) -> dict[str, Any]:
    """Draw scenes, direct them, and print what comes of it."""
    known = Spaces(spaces)
    rows, refused, missed = [], [], []
    every: list[Array] = []
    for seed in scenes:
        scene = draw(graph, spaces, seed)
        begun = time.thread_time()
        try:
            done = perform_best(graph, scene, spaces=known)
        except KinegraphError as error:
            refused.append(f"scene {seed}: {error}")
            print(refused[-1], flush=True)
            continue
        cpu = time.thread_time() - begun
        report = done.finished.feet
        assert report is not None
        slid = slides(done.finished.motion, report.plants).overall[1]
        every.append(seen(done.finished.motion))
        worst, frame = jolt(done, graph)
        for number, one in enumerate(done.strikes, 1):
            if one.miss > HIT:
                missed.append(
                    f"scene {seed}, strike {number}: {100 * one.miss:.1f} cm{'' if one.struck else ', not struck at all'}"
                )
        rows.append(
            {
                "seed": seed, "strikes": len(scene.strikes), "chained": sum(one.linked for one in done.plan.strikes),
                "miss": max(one.miss for one in done.strikes), "brought": max(one.brought for one in done.strikes),
                "key": done.misses[0].place, "feet": slid, "seen": float(every[-1].max(initial=0.0)),
                "jolt": worst, "jolt_frame": frame, "cpu": cpu / scene.seconds,
                "hits": [one.miss <= HIT for one in done.strikes], "shifted": done.shifted,
                "rates": [float(done.rates.min()), float(done.rates.max())],
            }
        )  # fmt: skip
        row = rows[-1]
        print(
            f"{seed:3d} {scene.seconds:5.1f} s, {row['strikes']} strikes, {row['chained']} chained: miss {100 * row['miss']:6.3f} cm, "
            f"brought {100 * row['brought']:5.2f} cm, key {100 * row['key']:.2f} cm, feet held "
            f"{1000 * row['feet']:.3f}, seen {1000 * row['seen']:.1f} mm, jolt {worst:.2f} at {frame}, "
            f"rates {row['rates'][0]:.2f}–{row['rates'][1]:.2f}, {row['cpu']:.3f} CPU s/s",
            flush=True,
        )
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            kg.save(done.finished.motion, keep / f"{seed:02d}.bvh")
    hits = [hit for row in rows for hit in row["hits"]]
    told = {
        "scenes": len(scenes), "refused": refused, "strikes": len(hits), "hit": float(np.mean(hits)) if hits else None, "missed": missed,
        "miss_cm": round(100 * max(row["miss"] for row in rows), 3), "brought_cm": round(100 * max(row["brought"] for row in rows), 2),
        "feet_mm": round(1000 * max(row["feet"] for row in rows), 3), "chained": sum(row["chained"] for row in rows),
        "jolt": round(max(row["jolt"] for row in rows), 2), "cpu_s_per_s": round(float(np.median([row["cpu"] for row in rows])), 3),
    }  # fmt: skip
    told["seen"] = summed(np.concatenate(every))
    own = [clip.motion for clip in graph.clips if not clip.source.mirrored]
    middles = [space.reach(space.region.corners.mean(axis=0)).motion for space in spaces]
    for name, motions in (("seen_in_clips", own), ("seen_in_strikes", middles)):
        told[name] = summed(np.concatenate([seen(motion) for motion in motions]))
    print(json.dumps(told, indent=1))
    return told


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--clips", type=Path, nargs="+", help="clips to build a graph of, at 30 frames a second")
    source.add_argument("--graph", type=Path, help="a graph; with its spaces, unless takes are given")
    source.add_argument("--samples", action="store_true", help="the built-in clips and strikes")
    parser.add_argument("--takes", type=Path, nargs="+", help="takes to find strikes in")
    parser.add_argument("--kind", default="punch", help="what is found in them")
    parser.add_argument("--scenes", type=int, default=30)
    parser.add_argument("--only", type=int, nargs="+", help="the seeds of scenes, instead of all")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--keep", type=Path, help="a folder for the motions")
    chosen = parser.parse_args()
    if chosen.samples:
        graph = kg.build([kg.samples.make(name).motion for name in SAMPLES], fps=30, mirror=True)
        spaces = [
            kg.strikes.build(
                [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith(kind)], kind
            )
            for kind in ("punch", "kick")
        ]
    else:
        graph = kg.graph.load(chosen.graph) if chosen.graph else kg.build(chosen.clips, fps=30, mirror=True)
        if chosen.takes:
            spaces = [kg.strikes.build([kg.load(file) for file in chosen.takes], chosen.kind)]
        else:
            spaces = [kg.strikes.load(chosen.graph, name) for name in kg.strikes.names(chosen.graph)]
    told = run(graph, [space.prepare() for space in spaces], chosen.only or range(chosen.scenes), chosen.keep)
    if chosen.json:
        chosen.json.write_text(json.dumps(told, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
