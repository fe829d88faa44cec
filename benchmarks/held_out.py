"""Many small graphs of public clips, ten paths on each: how many of the motions are good, on clips that were looked at and on others.

    python benchmarks/held_out.py --clips FOLDER [--half tuned|held|both] [--graphs NAME …] [--paths PATH …] [--cache DIR]

FOLDER holds ``cmu/SSS/SS_NN.bvh`` (CMU's clips as BVH, as in una-dinosauria/cmu-mocap) and ``bandai/1/*.bvh``, ``bandai/2/*.bvh`` (the
Bandai-Namco-Research-Motiondataset). Whoever changes the methods may look at the clips of the tuned half. Those of the held-out half were
chosen by their titles alone, and are only for judging. A file that is absent is left out with a notice; clips beyond three minutes of a
graph are left out too.

Every graph has mirrored copies. Every path is followed with the warp and otherwise as anybody follows it who sets no option, and every
graph is walked at random for ten minutes. Most figures are measured here, on the finished motion, by simple rules of their own: the
methods do not judge themselves. Deviation, knees, jumps and the range of joints are the report's own figures. Beside the range stands how
far each joint is from the nearest pose that it has in the sources: that counts poses between two styles, and toes that are curled up
because the capture lets them sink into the floor, as strange.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kinegraph as kg
from kinegraph.errors import KinegraphError, Unsatisfied
from kinegraph.graph import load, save
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import track_of
from kinegraph.walks.performing import Finished

Array = NDArray[np.float64]

# seconds of clips in a graph: its build should take less than a minute
MOST = 180.0
# metres from the path's end within which a walk has come there, and the share of the path that it must have passed
THERE, PASSED = 0.5, 0.95
# a toe stands: metres above its own 5th percentile, m/s, seconds
LOW, SLOW, LONG = 0.03, 0.3, 0.1
# frames of the sources that a pose is compared with
POSES = 6000
WANDER, SEED = 600.0, 1


def cmu(subject: str, *numbers: int) -> list[str]:
    """Clips of a subject of CMU."""
    return [f"cmu/{int(subject):03}/{subject}_{number:02}.bvh" for number in numbers]


def bandai(styles: Iterable[str]) -> list[str]:
    """Walks and runs of some styles in the first data set of Bandai."""
    kinds = ("walk", "walk-left", "walk-right", "run")
    return [f"bandai/1/dataset-1_{kind}_{style}_*.bvh" for style in styles for kind in kinds]


def second(style: str, *kinds: str) -> list[str]:
    """Five clips of each of some kinds, of one style in the second data set of Bandai."""
    return [f"bandai/2/dataset-2_{kind}_{style}_00[1-5].bvh" for kind in kinds]


TUNED: dict[str, list[str]] = {
    "straight35": cmu("35", *range(1, 5)),
    "walks07_08": [*cmu("07", *range(1, 13)), *cmu("08", *range(1, 12))],
    "one07": cmu("07", 1),
    "turns69": cmu("69", *range(1, 6), *range(16, 21), 6, 12),
    "subject91": cmu("91", 1, 2, 4, 5, 10, 17, 22, 29, 62),
    "styles104": cmu("104", 2, 19, 22, 27, 30, 32, 35, 36, 41, 42, 44, 45),
    "mixed143": cmu("143", *range(1, 11), *range(14, 17), 29, 32, 38, 39, 41, 42),
    "bandai_styles": bandai(("old", "childish", "proud")),
    # held out once, and since then looked at
    "walks39": cmu("39", *range(1, 11)),
    "walks12": cmu("12", 1, 2, 3),
    "one45": cmu("45", 1),
    "walk38": cmu("38", 1, 2, 4),
    "styles105": cmu("105", 3, 1, 2, 10, 17, 29, 22, 62, 13, 33, 31),
    "mixed113": cmu("113", 25, 6, 5, 7, 9, 10, 26, 1),
    "styles132": cmu("132", 1, 14, 15, 17, 18, 29, 30, 35, 37, 40, 42, 45, 46, 54),
    "crouch136": cmu("136", 20, 21, 22, 23, 24, 9, 10, 27, 28, 13),
    "styles137": cmu("137", 29, 4, 8, 12, 16, 20, 24, 33, 38, 42),
    "bandai_other": bandai(("angry", "giant", "sad")),
    "bandai_elderly": second("elderly", "walk", "walk-turn-left", "walk-turn-right"),
}
# by what the lists of the two collections say of the clips, and nothing else
HELD: dict[str, list[str]] = {
    "one05": cmu("05", 1),
    "one06": cmu("06", 1),
    "one10": cmu("10", 4),
    "one29": cmu("29", 1),
    "walks32": cmu("32", 1, 2),
    "slow37": cmu("37", 1),
    "one46": cmu("46", 1),
    "about47": cmu("47", 1),
    "leaps49": cmu("49", 1, 4, 5),
    "wander15": cmu("15", 1, 9, 14),
    "careful77": cmu("77", *range(10, 14), *range(25, 33)),
    "court78": cmu("78", 1, 2, 3, 35, 6, 7, 8, 9, 10, 12, 18, 19),
    "walks81": cmu("81", 1, 2, 3, 4, 17, 18),
    "moods82": cmu("82", *range(8, 16)),
    "casual103": cmu("103", 7),
    "walks114": cmu("114", 13, 14, 15),
    "mickey120": cmu("120", 17, 18, 19, 20, *range(8, 13)),
    "starts131": cmu("131", 1, 2, *range(9, 15)),
    "turns133": cmu("133", *range(11, 25)),
    "wounded139": cmu("139", 28, 30, 10, 12, 13, 19, 20, 29, 31, 11),
    "random141": cmu("141", 19, 25, 29, 30, 1, 2, 31),
    "walking144": cmu("144", 33, 34),
    "bandai_moods": bandai(("tired", "happy", "not-confident")),
    "bandai_ways": bandai(("chimpira", "feminine", "musical")),
    "bandai_active": second("active", "walk", "walk-turn-left", "walk-turn-right", "run"),
    "bandai_exhausted": second("exhausted", "walk", "walk-turn-left", "walk-turn-right"),
}
HALVES = {"tuned": TUNED, "held": HELD}

PATHS = {
    **{name: name for name in ("line:8", "circle:3", "eight:3", "square:5", "wave:12,1.5", "spiral:4", "zigzag:3")},
    "drawn:20,7": "drawn:20,7",
    "s": "0,0 0.3,1 1,1.75 2,2 3,2.25 3.7,3 4,4 3.7,5 3,5.75 2,6 1,6.25 0.3,7 0,8",
    "back": "0,0 0,6 0,0",
}

Figures = dict[str, Any]


@dataclass(frozen=True)
class Bar:
    """What a run must meet, and which share of the runs must meet it."""

    key: str
    says: str
    meets: Callable[[Figures], bool | None]
    """None where a run has no such figure: it does not count."""
    share: float


def at_most(key: str, most: float | str) -> Callable[[Figures], bool | None]:
    """Whether a figure is no larger than a number, or than another figure of the run."""

    def meets(run: Figures) -> bool | None:
        value, limit = run.get(key), run.get(most) if isinstance(most, str) else most
        return None if value is None or limit is None else bool(value <= limit)

    return meets


BARS = (
    Bar("ends", f"ends within {THERE:g} m of the path's end, the path behind it", lambda run: run["ends"], 0.95),
    Bar("warp", "mean deviation with the warp ≤ 3 cm", at_most("warped_cm", 3.0), 0.95),
    Bar("alone", "mean deviation by the search alone ≤ 8 cm", at_most("alone_cm", 8.0), 0.95),
    Bar(
        "joint",
        "no joint out of its range in the sources by more than 15°, toes aside",
        at_most("beyond_deg", 15.0),
        0.98,
    ),
    Bar("jump", "velocity jump ≤ 1.5 times the source's p99", at_most("jump", 1.5), 0.98),
    Bar("knees", "knees ≤ the source's p99.9", at_most("knee", "knee_source"), 0.98),
    Bar("slide", "slide by contacts found anew ≤ the source's", at_most("slide_mm", "slide_source_mm"), 0.95),
    Bar("told", "a jump, a knee or a joint beyond that is in the warnings", lambda run: run.get("told"), 1.0),
    Bar("cpu", "search ≤ 0.02 s of CPU per s of motion", at_most("cpu", 0.02), 0.95),
)
WANDERED = (
    Bar("visited", "random walk: visits every clip", lambda found: found["visited"] >= 1.0, 0.95),
    Bar("crowded", "random walk: the commonest clip ≤ 3 times its share", at_most("over", 3.0), 0.95),
)


# -- measures of their own ---------------------------------------------------------------------------------------------


def toe_slides(motion: Motion) -> Array:
    """How far a toe strays from the middle of its contact at most ``(N,)``, in mm, for every contact: low and slow for long enough."""
    slid = []
    for side in ("left", "right"):
        role = f"{side}_toe" if motion.skeleton.has_roles(f"{side}_toe") else f"{side}_ankle"
        place = motion.position(role)
        speed = np.linalg.norm(np.gradient(place, axis=0), axis=1) * motion.fps
        stands = (place[:, 1] < np.percentile(place[:, 1], 5.0) + LOW) & (speed < SLOW)
        for first, last in spans(stands):
            if (last - first) / motion.fps >= LONG:
                floor = place[first:last][:, [0, 2]]
                slid.append(1000.0 * np.hypot(*(floor - np.median(floor, axis=0)).T).max())
    return np.array(slid)


def spans(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First frame and the frame past the last one of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def ups(motion: Motion) -> Array:
    """Which way is up, seen from the root ``(F, 3)``: how the body leans, whichever way it faces."""
    w, x, y, z = motion.rotations[:, 0].T
    return np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1)


@dataclass(frozen=True, eq=False)
class Source:
    """What is usual in a graph's clips."""

    rotations: NDArray[np.float32]
    """``(J, P, 4)``: some of the local rotations of every joint."""
    up: NDArray[np.float32]
    """``(P, 3)``: how the root leans at the same frames."""
    slide: float | None
    """Mean slide of a contact in mm; None where no toe stands."""

    @classmethod
    def of(cls, graph: MotionGraph) -> Source:
        step = max(1, sum(len(clip) for clip in graph.clips) // POSES)
        turned = np.concatenate([clip.motion.rotations[::step] for clip in graph.clips])
        lean = np.concatenate([ups(clip.motion)[::step] for clip in graph.clips])
        slid = [toe_slides(clip.motion) for clip in graph.clips if not clip.source.mirrored]
        every = np.concatenate(slid) if slid else np.zeros(0)
        return cls(
            np.ascontiguousarray(turned.swapaxes(0, 1), np.float32),
            lean.astype(np.float32),
            float(every.mean()) if len(every) else None,
        )

    def beyond(self, motion: Motion) -> tuple[float, str, int, float]:
        """How many degrees a joint is from the nearest pose that it has in the sources, at most; which, and at which frame.

        Last the same of the joints with a body role alone: fingers are captured badly, and nobody looks at them.
        """
        turned = motion.rotations.swapaxes(0, 1).astype(np.float32)
        away = np.empty(turned.shape[:2])
        away[0] = np.arccos(np.clip((ups(motion).astype(np.float32) @ self.up.T).max(axis=1), -1.0, 1.0))
        for joint in range(1, len(turned)):
            nearest = np.abs(turned[joint] @ self.rotations[joint].T).max(axis=1)
            away[joint] = 2.0 * np.arccos(np.clip(nearest, 0.0, 1.0))
        joint, frame = np.unravel_index(away.argmax(), away.shape)
        body = away[sorted(set(motion.skeleton.roles.values()))].max()
        return float(np.degrees(away.max())), motion.skeleton.names[joint], int(frame), float(np.degrees(body))


def facing_off(motion: Motion, path: kg.Path, along: Array) -> float:
    """The share of the frames at which the hips face more than 45° away from where the path goes."""
    across = (motion.position("left_hip") - motion.position("right_hip"))[:, [0, 2]]
    heading = np.arctan2(-across[:, 1], across[:, 0])
    away = np.mod(heading - path.heading(along) + np.pi, 2 * np.pi) - np.pi
    return float((np.abs(away) > np.pi / 4).mean())


# -- runs --------------------------------------------------------------------------------------------------------------


def follow(graph: MotionGraph, source: Source, name: str, plot: Path | None) -> Figures:
    """A path followed on a graph, in figures; or what was said instead."""
    begun = time.perf_counter()
    path = kg.paths.read(PATHS.get(name, name))
    try:
        made = kg.follow(graph, path, warp=True)
    except KinegraphError as error:
        how = "refused" if isinstance(error, Unsatisfied) else "failed"
        return {"path": name, how: str(error), "ends": False, "wall_s": round(time.perf_counter() - begun, 2)}
    finished: Finished = made.details
    quality = made.quality
    distance, along = path.track(track_of(made.motion))
    gap = float(np.hypot(*(made.motion.root[-1, [0, 2]] - path.points[-1])))
    slid = toe_slides(made.motion)
    away, joint, frame, body = source.beyond(made.motion)
    jump, knee = quality["velocity_jump"], quality["knee_speed"]
    if plot is not None:
        made.plot(plot)
    found = {
        "path": name,
        "ends": gap <= THERE and bool(along[-1] >= PASSED * path.length),
        "end_gap_m": gap,
        "passed": float(along[-1] / path.length),
        "warped_cm": float(100 * distance.mean()),
        "warped_max_cm": float(100 * distance.max()),
        "alone_cm": float(100 * path.track(track_of(finished.performance.motion))[0].mean()),
        "beyond": quality["beyond"],
        "beyond_deg": quality["beyond"]["degrees"] if quality["beyond"] else 0.0,
        "joint_deg": away,
        "joint": joint,
        "joint_frame": frame,
        "body_deg": body,
        "jump": None if jump is None else jump["ratio"],
        "knee": None if knee is None else knee["worst"],
        "knee_source": None if knee is None else knee["source_p999"],
        "slide_mm": float(slid.mean()) if len(slid) else 0.0,
        "slide_source_mm": source.slide,
        "contacts": len(slid),
        "facing_off": facing_off(made.motion, path, along),
        "cpu": quality["cpu_per_second"],
        "seconds": quality["seconds"],
        "transitions": quality["transitions"],
        "transition_cost_cm": quality["transition_cost_cm"],
        "reached": made.reached,
        "warnings": list(made.warnings),
        "notices": list(made.notices),
        "wall_s": round(time.perf_counter() - begun, 2),
    }
    worse = [bar for bar in BARS if bar.key in ("joint", "jump", "knees") and bar.meets(found) is False]
    if worse:
        found["told"] = len(made.warnings) >= len(worse)
    return found


def wander(graph: MotionGraph) -> Figures:
    """Ten minutes at random: how many of the clips that have nodes are visited, and whether one crowds out the others."""
    walk = kg.walks.wander(graph, WANDER, seed=SEED)
    played = kg.blending.play(walk)
    own = graph.edges.kind == EdgeKind.ORIGINAL
    clip_of = graph.node_clip[graph.edges.source[own]]
    frames = np.bincount(clip_of, weights=graph.edges.length[own], minlength=len(graph.clips))
    counts = np.bincount(played.clip, minlength=len(graph.clips))
    part = np.unique(graph.node_clip)
    most = int(counts.argmax())
    share, usual = counts[most] / counts.sum(), frames[most] / frames.sum()
    return {
        "clips": len(part),
        "visited": float((counts[part] > 0).mean()),
        "most": graph.clips[most].name,
        "most_share": float(share),
        "most_share_of_frames": float(usual),
        "over": float(share / usual) if usual else np.inf,
    }


def found(folder: Path, patterns: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The files of a graph, and notices of those that are left out."""
    files: list[Path] = []
    notices = []
    total = 0.0
    for pattern in patterns:
        here = sorted(folder.glob(pattern))
        if not here:
            notices.append(f"{pattern} is not there")
        for file in here:
            total += seconds(file)
            if total <= MOST:
                files.append(file)
            else:
                total -= seconds(file)
                notices.append(f"{file.name} left out: beyond {MOST:g} s")
    return files, notices


def seconds(file: Path) -> float:
    """How long a BVH plays, by its head."""
    frames = 0
    with file.open() as lines:
        for line in lines:
            if line.startswith("Frames:"):
                frames = int(line.split()[1])
            elif line.startswith("Frame Time:"):
                return frames * float(line.split()[2])
    return 0.0


def graph_of(name: str, files: Sequence[Path], cache: Path | None, rebuild: bool) -> MotionGraph:
    """The graph of some files, built or as it was kept."""
    key = zlib.crc32("\n".join(file.name for file in files).encode())
    kept = None if cache is None else cache / f"{name}-{kg.__version__}-{key:08x}.mog"
    if kept is not None and kept.exists() and not rebuild:
        return load(kept)
    graph = kg.build(list(files), mirror=True, threads=1)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        save(graph, kept)
    return graph


def judge(name: str, patterns: Sequence[str], given: argparse.Namespace) -> Figures:
    """All figures of a graph: of its paths and of its random walk."""
    begun = time.perf_counter()
    files, notices = found(given.clips, patterns)
    told: Figures = {"name": name, "files": [file.name for file in files], "notices": notices, "runs": []}
    if not files:
        return told
    try:
        graph = graph_of(name, files, given.cache, given.rebuild)
    except KinegraphError as error:
        return {**told, "runs": [{"path": path, "failed": str(error), "ends": False} for path in given.paths]}
    told |= {"seconds": sum(map(seconds, files)), "build_s": round(time.perf_counter() - begun, 1)}
    told |= {"nodes": len(graph), "edges": len(graph.edges), "lost": lost(graph)}
    source = Source.of(graph)
    for path in given.paths:
        picture = None
        if given.plot:
            given.plot.mkdir(parents=True, exist_ok=True)
            picture = given.plot / f"{name}_{path.replace(':', '_').replace(',', '_').replace(' ', '_')}.png"
        told["runs"].append(follow(graph, source, path, picture))
    told["wander"] = wander(graph)
    told["wall_s"] = round(time.perf_counter() - begun, 1)
    return told


def lost(graph: MotionGraph) -> list[str]:
    """Clips of which pruning left nothing, without the mirrored copies."""
    kept = set(np.unique(graph.node_clip).tolist())
    return [c.name for number, c in enumerate(graph.clips) if number not in kept and not c.source.mirrored]


# -- what is printed ---------------------------------------------------------------------------------------------------


def tell(told: Figures) -> None:
    """A graph in a few lines."""
    print(f"\n{told['name']}: {len(told['files'])} clips, {told.get('seconds', 0.0):.0f} s")
    for notice in told["notices"]:
        print(f"  left out: {notice}")
    runs = told["runs"]
    if not runs:
        return
    made = [run for run in runs if "warped_cm" in run]
    for run in runs:
        for how in ("refused", "failed"):
            if how in run:
                print(f"  {how} {run['path']}: {run[how]}")
    print("  met: " + "  ".join(f"{bar.key} {count(bar, runs)}" for bar in BARS))
    if made:
        keys = (
            ("end_gap_m", "end {:.2f} m"),
            ("warped_cm", "warp {:.1f} cm"),
            ("alone_cm", "alone {:.1f} cm"),
            ("beyond_deg", "beyond {:.0f}°"),
            ("body_deg", "from the nearest pose {:.0f}°"),
            ("jump", "jump {:.2f}"),
            ("knee", "knee {:.1f}"),
            ("slide_mm", "slide {:.1f} mm"),
            ("facing_off", "off by 45° {:.0%}"),
            ("cpu", "CPU {:.3f}"),
        )
        own = (("knee_source", "source's knee {:.1f}"), ("slide_source_mm", "source's slide {:.1f} mm"))
        medians = [form.format(np.median(known)) for key, form in (*keys, *own) if (known := values(made, key))]
        print(f"  medians: {'  '.join(medians)}")
        worst = max(made, key=lambda run: run["warped_cm"])
        bent = max(made, key=lambda run: run["beyond_deg"])
        print(
            f"  worst: {worst['path']} {worst['warped_cm']:.0f} cm off, ends {worst['end_gap_m']:.1f} m away; "
            f"{bent['path']} {bent['beyond']['joint'] if bent['beyond'] else 'no joint'} {bent['beyond_deg']:.0f}° beyond"
        )
    if "wander" in told:
        walk = told["wander"]
        print(
            f"  random: {walk['visited']:.0%} of {walk['clips']} clips visited; most {walk['most']} {walk['most_share']:.0%}, "
            f"of the frames {walk['most_share_of_frames']:.0%}" + (f"; pruned {told['lost']}" if told["lost"] else "")
        )


def values(runs: Sequence[Figures], key: str) -> list[float]:
    """A figure of all runs that have it."""
    return [run[key] for run in runs if run.get(key) is not None]


def count(bar: Bar, runs: Sequence[Figures]) -> str:
    """How many of the runs meet a bar, of those that have its figure."""
    known = [met for run in runs if (met := bar.meets(run)) is not None]
    return f"{sum(known)}/{len(known)}"


def table(half: str, graphs: Sequence[Figures]) -> Mapping[str, Figures]:
    """The bars of a half, printed and as figures."""
    runs = [run for told in graphs for run in told["runs"]]
    refused = [run for run in runs if "refused" in run]
    made = [run for run in runs if "refused" not in run]
    kept: dict[str, Figures] = {}
    print(f"\n{half}: {len(graphs)} graphs, {len(runs)} runs, {len(refused)} of them refused beforehand")

    def row(key: str, says: str, met: list[bool], share: float) -> None:
        if met:
            good = float(np.mean(met))
            kept[key] = {"met": sum(met), "of": len(met), "share": good, "bar": share}
            mark = "met" if good >= share else "NOT met"
            print(f"  {says:<62} {sum(met):4} of {len(met):4}  {good:6.1%}  (≥ {share:.0%} {mark})")

    for bar in BARS:
        row(bar.key, bar.says, [met for run in runs if (met := bar.meets(run)) is not None], bar.share)
        if bar.key == "ends" and refused:
            row("ends_of_made", "  the same of those that were not refused", [run["ends"] for run in made], bar.share)
    walks = [told["wander"] for told in graphs if "wander" in told]
    for bar in WANDERED:
        row(bar.key, bar.says, [bool(bar.meets(walk)) for walk in walks], bar.share)
    off = values(runs, "facing_off")
    if off:
        print(
            f"  frames that face more than 45° off the path: {np.mean(off):.1%} on average, {np.max(off):.0%} at worst"
        )
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder with cmu/SSS/*.bvh and bandai/N/*.bvh")
    parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
    parser.add_argument("--graphs", nargs="+", choices=[*TUNED, *HELD], help="graphs to judge; all unless told")
    parser.add_argument("--paths", nargs="+", default=list(PATHS), help="paths to follow; ten unless told")
    parser.add_argument("--cache", type=Path, help="folder that keeps the graphs that were built")
    parser.add_argument("--rebuild", action="store_true", help="build graphs anew that are kept")
    parser.add_argument("--plot", type=Path, help="folder for a picture of each run")
    parser.add_argument("--json", type=Path, help="file for all figures")
    parser.add_argument("--jobs", type=int, default=1, help="graphs to judge at a time")
    given = parser.parse_args()
    begun = time.perf_counter()
    kept: dict[str, Any] = {}
    for half in HALVES if given.half == "both" else (given.half,):
        chosen = {name: files for name, files in HALVES[half].items() if not given.graphs or name in given.graphs}
        if not chosen:
            continue
        work = partial(judge, given=given)
        told = []
        if given.jobs > 1:
            with ProcessPoolExecutor(given.jobs) as pool:
                results: Iterable[Figures] = pool.map(work, chosen, chosen.values())
                for one in results:
                    tell(one)
                    told.append(one)
        else:
            for name, files in chosen.items():
                told.append(work(name, files))
                tell(told[-1])
        kept[half] = {"bars": table(half, told), "graphs": told}
        print(flush=True)
    if given.json:
        given.json.write_text(json.dumps(kept, indent=1))
    print(f"in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
