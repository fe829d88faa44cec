"""How well scenes are met: random scenes of 10 to 60 s with 3 to 12 keys that a person of some clips could do, seeds fixed.

A scene is drawn as a smooth course over the floor: labels one after another, each at a speed that its clips have, turning no
faster than they do. Keys are places and headings on it. The course itself is not given to the solver.

    python benchmarks/scenes.py --samples
    python benchmarks/scenes.py --clips FOLDER
    python benchmarks/scenes.py --graph G.mog --scenes 20
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.errors import KinegraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.shapes import shape
from kinegraph.scenes.finish import Directed, perform_scene
from kinegraph.scenes.loop import perform_loop
from kinegraph.scenes.plan import make_plan
from kinegraph.scenes.scene import Along, Key, Label, Scene, Wait
from kinegraph.scenes.solver import DRAFT, solve
from kinegraph.scenes.stretch import FADE, again
from kinegraph.scenes.trying import perform_best
from kinegraph.walks.choice import edge_frames, endless, labelled
from kinegraph.walks.parts import STAND, frames_bearing
from kinegraph.walks.tables import tables

PLACE, HEADING, BORDER = 0.02, np.radians(5.0), 0.3
"""Metres, radians and seconds within which a key is met, and about a border in which labels may change."""
RESTING = 2.5
"""Seconds that it takes to come to rest, and to get going."""
STEADY = 0.6
"""Of a gait, how many times as fast as most the slow are at least."""
SURE = 0.9
"""How one-sided facing is, from 0 to 1, where a gait has a side."""
EDITED, LOOPS = 20, 6
"""Scenes of which three seconds are made anew, and loops."""
SAMPLES = (
    "stand", "start", "walk", "walk_left_gentle", "walk_left_medium", "walk_left_tight", "walk_right_gentle",
    "walk_right_medium", "walk_right_tight", "run", "stop",
)  # fmt: skip


@dataclass(frozen=True)
class Gait:
    """How people go who bear a label."""

    label: str
    speeds: tuple[float, float]
    """m/s: slower and faster than most."""
    turning: float
    """rad/s of nearly all."""
    facing: float | None
    """Radians from the way to where they face, in eighths of a turn: half a turn for who goes backward; None where that varies."""


def gaits(graph: MotionGraph) -> list[Gait]:
    """The labels of a graph that get somewhere and can be borne for ever."""
    held, fps = tables(graph), graph.fps
    half = max(1, round(0.5 * fps))
    found = []
    for label in graph.labels:
        if endless(graph, label) is None or label.startswith("turn"):
            continue
        frames = labelled(graph, label)
        speeds, turning, facing = [], [], []
        begin = 0
        for clip in graph.clips:
            own = frames[begin : begin + len(clip)]
            heading = clip.motion.heading()
            track = held.track[begin : begin + len(clip), :2]
            begin += len(clip)
            if len(track) <= 2 * half:
                continue
            ahead = track[half:] - track[:-half]
            way = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1]))
            both = own[half:] & own[:-half]
            speeds.append(np.hypot(*ahead.T)[both] * fps / half)
            facing.append((heading[half // 2 : half // 2 + len(way)] - way)[both])
            turning.append(np.abs(way[half:] - way[:-half])[both[half:] & both[:-half]] * fps / half)
        speed, turn = np.concatenate(speeds or [np.zeros(0)]), np.concatenate(turning or [np.zeros(0)])
        if len(speed) <= 3 * fps or np.median(speed) <= 0.5:
            continue
        aside = np.exp(1j * np.concatenate(facing)).mean()
        eighth = np.pi / 4
        faces = round(float(np.angle(aside)) / eighth) * eighth if abs(aside) > SURE else None
        low, high = np.percentile(speed, [25, 75])
        # who starts or stops has no gait
        if low > STEADY * high:
            nearly = float(np.percentile(turn, 75)) if len(turn) else 0.3
            found.append(Gait(label, (float(low), float(high)), nearly, faces))
    return found


@lru_cache(maxsize=64)
def change(graph: MotionGraph, one: str, two: str) -> float:
    """Seconds without either label that a change from one to the other takes at least, from where the one can be kept up for ever to
    where the other can: by Dijkstra over edges, without clock or floor.
    """
    if one == two:
        return 0.0
    edges = graph.edges
    left, right = edge_frames(graph)
    lengths = edges.length.astype(int)
    edge = np.repeat(np.arange(len(lengths)), lengths)
    step = np.arange(len(edge)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    old, new = (
        labelled(graph, name)[left[edge] + step] & labelled(graph, name)[right[edge] + step] for name in (one, two)
    )
    # of each edge, how many of its first frames bear the one label, and how many of its last the other
    begins = np.full(len(lengths), np.iinfo(int).max)
    np.minimum.at(begins, edge[~old], step[~old])
    ends = np.full(len(lengths), -1)
    np.maximum.at(ends, edge[~new], step[~new])
    begins, ends = np.minimum(begins, lengths), lengths - 1 - ends
    nodes = len(graph.node_clip)
    allowed = np.zeros((2, nodes), bool)
    for number, name in enumerate((one, two)):
        held = endless(graph, name)
        assert held is not None
        allowed[number, held.nodes] = True
    leaves, arrives = allowed[0][edges.source], allowed[1][edges.target]
    at_once = leaves & arrives
    best = float(np.maximum(lengths - begins - ends, 0.0)[at_once].min(initial=np.inf))
    # a node in the middle, before all of them and behind all of them
    source, target = edges.source.astype(int), edges.target.astype(int)
    tails = np.concatenate([source, np.full(int(leaves.sum()), nodes), source[arrives]])
    heads = np.concatenate([target, target[leaves], np.full(int(arrives.sum()), nodes + 1)])
    # nothing is no edge to a sparse matrix
    costs = np.maximum(np.concatenate([lengths, (lengths - begins)[leaves], (lengths - ends)[arrives]]), 1e-6)
    order = np.lexsort((costs, heads, tails))
    _, unique = np.unique(tails[order] * (nodes + 2) + heads[order], return_index=True)
    kept = order[unique]
    web = csr_matrix((costs[kept], (tails[kept], heads[kept])), shape=(nodes + 2, nodes + 2))
    return min(best, float(dijkstra(web, indices=nodes)[nodes + 1])) / graph.fps


def follows(graph: MotionGraph, one: str, two: str) -> bool:
    """Whether the clips change from a label to another within what is allowed about a border."""
    return change(graph, one, two) <= 2 * BORDER


def draw(graph: MotionGraph, seed: int) -> tuple[Scene, Array, list[tuple[float, float, str]]]:
    """A scene, the course ``(T + 1, 2)`` that it was drawn from, and its labels by metres along that course.

    Speeds and turns are those of the clips that bear its labels, and labels follow each other that the clips can change in time.
    Nothing of the solver is asked.
    """
    return _drawn(graph, np.random.default_rng(1000 + seed), seed)


def _drawn(
    graph: MotionGraph, rng: np.random.Generator, seed: int
) -> tuple[Scene, Array, list[tuple[float, float, str]]]:
    fps = graph.fps
    known = gaits(graph)
    frames = round(rng.uniform(10, 60) * fps)
    stands = frames_bearing(graph, STAND).sum() > 2 * fps and STAND in graph.labels
    speed, most, facing = np.empty(frames + 1), np.empty(frames + 1), np.zeros(frames + 1)
    labels: list[Label] = []
    waits: list[Wait] = []
    at = 0
    while at <= frames:
        able = [one for one in known if not labels or follows(graph, labels[-1].name, one.label)]
        gait = able[rng.integers(len(able))]
        lasting = round(rng.uniform(4, 12) * fps)
        end = min(at + lasting, frames)
        if frames - end < 4 * fps:
            end = frames
        speed[at : end + 1], most[at : end + 1] = rng.uniform(*gait.speeds), gait.turning
        facing[at:] = np.nan if gait.facing is None else gait.facing
        last = end / fps
        if labels and labels[-1].name == gait.label and labels[-1].last == at / fps:
            labels[-1] = Label(gait.label, labels[-1].first, last)
        else:
            labels.append(Label(gait.label, at / fps, last))
        at = end
        if at < frames - 12 * fps and stands and rng.random() < 0.25:
            # to come to rest and to get going takes a while
            begin = at + round(RESTING * fps)
            end = begin + round(rng.uniform(1, 3) * fps)
            until = end + round(RESTING * fps)
            waits.append(Wait(begin / fps, end / fps))
            speed[at:begin] = np.linspace(speed[at], 0.0, begin - at)
            speed[begin:end] = 0.0
            speed[end : until + 1] = np.linspace(0.0, 1.0, until - end + 1)
            most[at : until + 1] = 0.2
            at = until
        if at >= frames:
            break
    # nobody changes speed at once
    width = round(0.8 * fps)
    window = np.hanning(width + 2)[1:-1]
    speed = np.convolve(np.pad(speed, width, mode="edge"), window / window.sum(), mode="same")[width:-width]
    swaying = np.convolve(rng.standard_normal(frames + 1 + 8 * width), np.hanning(4 * width), mode="same")[
        4 * width : -4 * width
    ]
    turning = most * np.clip(swaying / swaying.std() * 0.6, -1, 1) * np.minimum(speed / 0.5, 1.0)
    heading = rng.uniform(-np.pi, np.pi) + np.concatenate([[0.0], np.cumsum(turning[:-1]) / fps])
    steps = speed[:, None] * np.stack([np.sin(heading), np.cos(heading)], axis=-1) / fps
    course = np.concatenate([np.zeros((1, 2)), np.cumsum(steps[:-1], axis=0)])
    count = int(rng.integers(3, 13))
    apart = 1.5
    count = max(2, min(count, int(frames / fps / apart / 1.3)))
    while True:
        moments = np.sort(rng.choice(np.arange(frames + 1), count, replace=False))
        if np.diff(moments).min() >= apart * fps:
            break
    # where somebody stands he faces as he came; where he is about to change, the heading is anybody's
    keys = [
        Key(
            float(m) / fps,
            (float(course[m, 0]), float(course[m, 1])),
            float(heading[m] + facing[m]) if rng.random() < 0.7 and np.isfinite(facing[m]) else None,
        )
        for m in moments.tolist()
    ]
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(course, axis=0).T))])
    sections = [(float(gone[round(one.first * fps)]), float(gone[round(one.last * fps)]), one.name) for one in labels]
    return Scene(frames / fps, tuple(labels), tuple(keys), tuple(waits), name=f"scene {seed}"), course, sections


def label_share(scene: Scene, done: Directed) -> tuple[int, int]:
    """Of the frames that a label is asked for, farther from its ends than the border: how many bear it, and how many there are."""
    performance = done.finished.performance
    borne = performance.labels([one.name for one in scene.labels])
    when = np.arange(len(done.finished.motion)) / done.finished.motion.fps
    given = asked = 0
    for one in scene.labels:
        first = one.first + (BORDER if one.first > 0 else 0.0)
        last = one.last - (BORDER if one.last < scene.seconds else 0.0)
        inside = (when >= first) & (when <= last)
        own = borne.get(one.name)
        asked += int(inside.sum())
        given += 0 if own is None else int(own[inside].sum())
    return given, asked


def without_clock(
    graph: MotionGraph, scene: Scene, course: Array, sections: list[tuple[float, float, str]]
) -> list[float]:
    """By how many metres the search along a path, with sections and without a clock, misses each key at its time."""
    path = kg.Path(course)
    joined: list[list[Any]] = []
    for first, last, name in sections:
        if joined and joined[-1][2] == name:
            joined[-1][1] = last
        elif last - first > 0.5:
            joined.append([joined[-1][1] if joined else 0.0, last, name])
    joined[-1][1] = path.length
    text = ",".join(f"{first:.3f}-{last:.3f}:{name}" for first, last, name in joined)
    made = kg.follow(graph, path, sections=text, warp=True)
    frames = [min(round(key.time * graph.fps), len(made.motion) - 1) for key in scene.keys]  # type: ignore[operator]
    return [
        float(np.hypot(made.motion.root[n, 0] - key.at[0], made.motion.root[n, 2] - key.at[1]))
        for n, key in zip(frames, scene.keys, strict=True)
    ]


def jumps(places: Array) -> Array:
    """Of each frame but two, by how many metres a frame the velocity of the joint that jumps most changes."""
    return np.asarray(np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1).max(axis=1))


@lru_cache(maxsize=4)
def usual_jump(graph: MotionGraph) -> float:
    """The 99th percentile of that in the clips."""
    return float(
        np.percentile(np.concatenate([jumps(clip.motion.positions) for clip in graph.clips if len(clip) > 2]), 99)
    )


def edited(graph: MotionGraph, done: Directed, seed: int) -> dict[str, Any] | str:
    """Three seconds of a scene anew: whether the rest stays, and how smooth it is there."""
    scene, fps = done.plan.scene, graph.fps
    first = np.random.default_rng(seed).uniform(2.0, scene.seconds - 5.0)
    begun = time.thread_time()
    try:
        other = again(done, make_plan(graph, scene, seed=seed + 1), first, first + 3.0)
    except KinegraphError as error:
        return str(error)
    spent = time.thread_time() - begun
    before, after = done.finished.motion, other.finished.motion
    f0, f1 = round(first * fps), round((first + 3.0) * fps)
    rest = np.r_[0 : f0 + 1, f1 : len(before)]
    still = np.array_equal(before.root[rest], after.root[rest])
    same = still and np.array_equal(before.rotations[rest], after.rotations[rest])
    # a motion keeps its quaternions continuous, and q and -q are the same rotation
    turned = still and np.array_equal(np.abs(before.rotations[rest]), np.abs(after.rotations[rest]))
    seen, fade = jumps(after.positions) / usual_jump(graph), round(FADE * fps)
    joins = max(seen[max(f0 - 3, 0) : f0 + fade + 3].max(), seen[f1 - fade - 3 : f1 + 3].max())
    return {
        "same": bool(same), "same_but_sign": bool(turned), "jump": float(joins),
        "moved": float(np.linalg.norm(before.positions - after.positions, axis=-1).max()), "cpu": spent,
    }  # fmt: skip


def looped(graph: MotionGraph, seed: int) -> dict[str, float] | str:
    """A loop through some keys of a random scene's first seconds: how far its end is from its beginning, and how smooth the seam is."""
    rng = np.random.default_rng(5000 + seed)
    gait = gaits(graph)[int(rng.integers(len(gaits(graph))))]
    seconds, speed = rng.uniform(10, 20), float(np.mean(gait.speeds))
    radius = seconds * speed / (2 * np.pi) * 0.9
    angles = np.sort(rng.uniform(0.3, 2 * np.pi - 0.3, 2))
    keys = tuple(
        Key(float(seconds * a / (2 * np.pi)), (float(radius * (1 - np.cos(a))), float(radius * np.sin(a))))
        for a in angles
    )
    keys = keys if keys[1].time - keys[0].time > 2.0 else keys[:1]  # type: ignore[operator]
    try:
        done = perform_loop(make_plan(graph, Scene(seconds, (Label(gait.label, 0, seconds),), keys, loop=True)))
    except KinegraphError as error:
        return str(error)
    places = done.finished.motion.positions
    seam = jumps(np.concatenate([places[-8:-1], places[:8]])).max() / usual_jump(graph)
    return {"gap_mm": 1000 * float(np.abs(places[0] - places[-1]).max()), "jump": float(seam)}


TRAPS = (("wave:24,1.5", "0-10:walk,10-:run"), ("circle:3", "0-6:walk,6-:run"), ("circle:3", "0-6:run,6-:walk"))
"""Paths, and labels by metres along them."""


def traps(graph: MotionGraph) -> None:
    """Paths whose labels change where that is hard: by the search without a clock, and as scenes, or what is said beforehand."""
    known = {one.label: one for one in gaits(graph)}
    for name, sections in TRAPS:
        path = shape(name)
        (first, one), (_, two) = (part.split(":") for part in sections.split(","))
        if one not in known or two not in known:
            continue
        border = float(first.split("-")[1])
        try:
            made = kg.follow(graph, name, sections=sections)
            off = 100 * path.track(made.motion.root[:, [0, 2]])[0]
            print(f"trap {name} {sections}: without a clock {off.mean():.1f} cm off on average, {off.max():.0f} at most, "
                  f"{'at the end' if made.reached else made.short}")  # fmt: skip
        except KinegraphError as error:
            print(f"trap {name} {sections}: without a clock: {error}")
        paces = [float(np.mean(known[label].speeds)) for label in (one, two)]
        times = border / paces[0], (path.length - border) / paces[1]
        cuts = [path.at(np.linspace(a, b, 400)) for a, b in ((0.0, border), (border, path.length))]
        whole = times[0] + times[1]
        scene = Scene(
            whole, (Label(one, 0, times[0]), Label(two, times[0], whole)),
            paths=(Along(kg.Path(cuts[0]), 0.0, times[0]), Along(kg.Path(cuts[1]), times[0], whole)),
        )  # fmt: skip
        try:
            plan = make_plan(graph, scene)
            done = perform_scene(plan, solve(plan))
            off = 100 * path.track(done.finished.motion.root[:, [0, 2]])[0]
            given, asked = label_share(scene, done)
            end = 100 * np.hypot(*(done.finished.motion.root[-1, [0, 2]] - path.points[-1]))
            print(f"trap {name} {sections}: as a scene {off.mean():.1f} cm off on average, {off.max():.0f} at most, "
                  f"{end:.0f} cm from its end, labels {100 * given / asked:.0f} %")  # fmt: skip
        except KinegraphError as error:
            print(f"trap {name} {sections}: as a scene: {error}")


def run(graph: MotionGraph, scenes: int, old: int) -> dict[str, Any]:
    """Draw scenes, direct them, and print what comes of it."""
    rows, worst = [], []
    hits: list[bool] = []
    places: list[float] = []
    headings: list[float] = []
    unclocked: list[float] = []
    refused = []
    edits: list[dict[str, Any] | str] = []
    warm = Scene(5.0)
    perform_best(graph, warm)
    for seed in range(scenes):
        scene, course, sections = draw(graph, seed)
        try:
            begun = time.thread_time()
            plan = make_plan(graph, scene)
            planned = time.thread_time()
            solve(plan, (DRAFT,))
            drafted = time.thread_time()
            # all that a user waits for: planned, drafted, searched and finished, again where labels are lacking
            done = perform_best(graph, scene)
            ended = time.thread_time()
        except KinegraphError as error:
            refused.append(f"scene {seed}: {error}")
            hits += [False] * len(scene.keys)
            continue
        given, asked = label_share(scene, done)
        for number, miss in enumerate(done.misses):
            good = (
                miss.place <= PLACE
                and (miss.heading is None or miss.heading <= HEADING)
                and miss.late <= 1.0 / graph.fps + 1e-9
            )
            hits.append(good)
            places.append(miss.place)
            if miss.heading is not None:
                headings.append(miss.heading)
            if not good:
                worst.append((seed, number + 1, miss.to_dict()))
        feet = done.finished.feet
        rows.append(
            {
                "seed": seed, "seconds": scene.seconds, "keys": len(scene.keys), "labels": given / max(asked, 1),
                "cost": done.solved.cost, "gap": done.solved.gap, "draft_cpu": drafted - begun, "plan_s": (planned - begun) / scene.seconds,
                "draft_s": (drafted - begun) / scene.seconds, "final_s": (ended - drafted) / scene.seconds,
                "slowest": float(done.rates.min()), "fastest": float(done.rates.max()), "shifted": done.shifted,
                "change": float(np.abs(np.diff(done.rates)).max()),
                "missed": sum(1 for one in worst if one[0] == seed),
                "feet": 0.0 if feet is None else float(feet.after.slides.overall[1]),
            }
        )  # fmt: skip
        row = rows[-1]
        print(
            f"{seed:3d} {scene.seconds:5.1f} s {len(scene.keys):2d} keys, missed {row['missed']}, labels {100 * row['labels']:5.1f} %, "
            f"cost {row['cost']:6.2f}, draft {row['draft_s']:.4f} final {row['final_s']:.4f} CPU s/s, "
            f"rates {row['slowest']:.2f}–{row['fastest']:.2f}, shift {100 * row['shifted']:.1f} cm/s, feet {1000 * row['feet']:.2f} mm",
            flush=True,
        )
        if seed < EDITED and scene.seconds > 8:
            edits.append(edited(graph, done, seed))
        if seed < old:
            try:
                unclocked += without_clock(graph, scene, course, sections)
            except KinegraphError as error:
                print(f"    without a clock: {error}")
    labels = np.array([row["labels"] for row in rows])
    loops = [looped(graph, seed) for seed in range(LOOPS)]
    anew = [one for one in edits if isinstance(one, dict)]
    closed = [one for one in loops if isinstance(one, dict)]
    traps(graph)
    told = {
        "scenes": scenes, "keys": len(hits), "met": float(np.mean(hits)), "refused": refused,
        "place_cm": [round(100 * float(np.percentile(places, q)), 3) for q in (50, 95, 100)],
        "heading_deg": [round(float(np.degrees(np.percentile(headings or [0], q))), 2) for q in (50, 95, 100)],
        "labels_kept": float((labels > 0.999).mean()), "labels_mean": float(labels.mean()), "labels_least": float(labels.min()),
        "draft_cpu_s_per_s": float(np.median([row["draft_s"] for row in rows])),
        "final_cpu_s_per_s": float(np.median([row["final_s"] for row in rows])),
        "draft_cpu_worst": float(max(row["draft_s"] for row in rows)), "final_cpu_worst": float(max(row["final_s"] for row in rows)),
        "draft_30s_cpu": float(max(30 * row["draft_s"] for row in rows)),
        "gap_median": float(np.median([row["gap"] for row in rows])),
        "rates": [min(row["slowest"] for row in rows), max(row["fastest"] for row in rows)],
        "rate_change": max(row["change"] for row in rows),
        "labels_not_kept": [row["seed"] for row in rows if row["labels"] < 0.9999],
        "edits": {
            "tried": len(edits), "same": sum(one["same"] for one in anew), "same_but_sign": sum(one["same_but_sign"] for one in anew),
            "jump": max((one["jump"] for one in anew), default=0.0),
            "moved_m": float(np.median([one["moved"] for one in anew] or [0])), "cpu": max((one["cpu"] for one in anew), default=0.0),
            "refused": [one for one in edits if isinstance(one, str)],
        },
        "loops": {
            "tried": len(loops), "gap_mm": max((one["gap_mm"] for one in closed), default=0.0),
            "jump": max((one["jump"] for one in closed), default=0.0), "refused": [one for one in loops if isinstance(one, str)],
        },
        "feet_mm": 1000 * max(row["feet"] for row in rows),
        "without_clock": {
            "keys": len(unclocked), "met": float(np.mean(np.array(unclocked) <= PLACE)) if unclocked else None,
            "place_cm_median": round(100 * float(np.median(unclocked)), 1) if unclocked else None,
        },
    }  # fmt: skip
    print(json.dumps(told, indent=1))
    for seed, number, miss in worst:
        print(f"missed: scene {seed}, key {number}: {miss}")
    return told


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--clips", type=Path, help="clips to build a graph of, at 30 frames a second")
    source.add_argument("--graph", type=Path, help="a graph")
    source.add_argument("--samples", action="store_true", help="the built-in clips")
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--old", type=int, default=15, help="how many are also followed without a clock")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    chosen = parser.parse_args()
    if chosen.graph:
        graph = kg.graph.load(chosen.graph)
    elif chosen.clips:
        graph = kg.build([chosen.clips], fps=30)
    else:
        graph = kg.build([kg.samples.make(name).motion for name in SAMPLES], fps=30, mirror=True)
    told = run(graph, chosen.scenes, chosen.old)
    if chosen.json:
        chosen.json.write_text(json.dumps(told, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
