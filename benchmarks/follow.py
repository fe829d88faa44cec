"""From graph to motion: what a walk along a path costs, how closely it keeps to it, and how good the motion is, beside the bars set for it.

    python benchmarks/follow.py --clips FOLDER [--only search warp feet smooth latency exact labels random] [--plot DIR]

FOLDER holds CMU clips (``acclaim/16/…``). Graphs of subject 16's walks and of its runs, mirrored copies included, 30 Hz, automatic
threshold; for labels and random walks one of all its clips. CPU seconds are of the search alone, in a process that has run it before, the
best of several. Deviations are of the root without the sway of its steps. With --plot, a picture for each graph and path.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np

import kinegraph as kg
from kinegraph.blending import BLENDS, play
from kinegraph.evaluation.quality.figures import Quality, evaluate
from kinegraph.evaluation.usual import beside_transitions, usual_of_graph, velocity_jumps
from kinegraph.graph import load, save
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.paths import read
from kinegraph.paths.moving import track_of
from kinegraph.walks.following import follow, follow_on
from kinegraph.walks.performing import Finished, perform
from kinegraph.walks.request import Request, parse_sections
from kinegraph.walks.setting import Setting
from kinegraph.walks.wandering import wander

WALKS = (*range(11, 33), 47, 58)
RUNS = (*range(35, 47), *range(48, 57))
PATHS = ("line:8", "circle:3", "eight:3", "square:6", "wave:12,1.5", "drawn:60")
# mean and largest deviation in cm, and transitions in 10 s; runs have no bar on the square and the drawn curve
ALONE = {
    "walks": {name: (6.0, 22.0, np.inf) if name.startswith("square") else (3.0, 12.0, 12.0) for name in PATHS},
    "runs": {name: (5.0, 15.0, 25.0) for name in PATHS if not name.startswith(("square", "drawn"))},
}
CPU = 0.02
ROUNDS = 3
SECTIONS = ("0-5:walk,5-12:run,12-:walk", "0-10:walk,10-20:run,20-:walk", "0-10:run,10-20:walk,20-:stand")
LABELLED = ("line:30", "circle:5", "drawn:30")
EXACT_PATHS, EXACT_HORIZON = 20, 4.0


T = TypeVar("T")


@dataclass
class Bars:
    """Figures beside their bars, and how many are missed."""

    met: int = 0
    missed: list[str] = field(default_factory=list)

    def told(self, what: str, value: float, bar: float, form: str = ".2f") -> str:
        """``value ≤ bar`` with a mark where it is not."""
        if bar == np.inf:
            return f"{value:{form}}"
        if value <= bar:
            self.met += 1
            return f"{value:{form}} (≤ {bar:g})"
        self.missed.append(f"{what}: {value:{form}}, bar {bar:g}")
        return f"{value:{form}} (≤ {bar:g} NOT met)"

    def holds(self, what: str, true: bool) -> str:
        if true:
            self.met += 1
            return "met"
        self.missed.append(what)
        return "NOT met"


@dataclass(frozen=True, eq=False)
class Followed:
    """A path followed on a graph, and CPU seconds of the search, its start included."""

    name: str
    graph: MotionGraph
    path: kg.paths.Path
    walk: Walk
    cpu: float

    @cached_property
    def finished(self) -> Finished:
        return perform(self.walk, onto=self.path)

    @cached_property
    def quality(self) -> Quality:
        return evaluate(self.finished.motion, path=self.path, finished=self.finished)


class Bench:
    """Graphs and walks that several parts need, made once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bars = Bars()
        self._walks: dict[tuple[str, str], Followed] = {}

    def _build(self, numbers: tuple[int, ...] | None) -> MotionGraph:
        taken = self.folder / "acclaim" / "16"
        files = sorted(taken.glob("*.amc")) if numbers is None else [taken / f"16_{n:02}.amc" for n in numbers]
        return build([kg.load(file) for file in files], Parameters(mirror=True))

    @cached_property
    def graphs(self) -> dict[str, MotionGraph]:
        return {"walks": self._build(WALKS), "runs": self._build(RUNS)}

    @cached_property
    def everything(self) -> MotionGraph:
        return self._build(None)

    def followed(self) -> Iterator[tuple[str, str, Followed]]:
        """Every path on every graph."""
        for which, graph in self.graphs.items():
            for name in PATHS:
                if (which, name) not in self._walks:
                    self._walks[which, name] = timed(graph, name)
                yield which, name, self._walks[which, name]


def known(value: T | None) -> T:
    """A figure that every finished walk has."""
    assert value is not None
    return value


def timed(graph: MotionGraph, name: str) -> Followed:
    """A path followed several times, with the best of the times."""
    path = read(name)
    follow(graph, path)  # compiled, and its tables made
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        walk = follow(graph, path).walk
        times.append(time.process_time() - begun)
    return Followed(name, graph, path, walk, min(times))


def search(bench: Bench) -> None:
    print(
        "\nsearch alone: CPU s per s of motion (the start included), deviation mean and max in cm, transitions in 10 s"
    )
    for which, name, made in bench.followed():
        bars, here = bench.bars, f"{which} {name}"
        distance = 100 * made.path.track(track_of(play(made.walk).motion))[0]
        often = 10 * made.walk.transitions / made.walk.seconds
        mean, most, dense = ALONE[which].get(name, (np.inf, np.inf, np.inf))
        print(
            f"  {here:<18} {made.walk.seconds:5.1f} s  "
            f"CPU {bars.told(f'{here} CPU', made.cpu / made.walk.seconds, CPU, '.4f')}  "
            f"mean {bars.told(f'{here} mean cm', distance.mean(), mean)}  "
            f"max {bars.told(f'{here} max cm', distance.max(), most, '.1f')}  "
            f"transitions {bars.told(f'{here} transitions', often, dense, '.1f')}"
        )


def warped(bench: Bench) -> None:
    print(
        "\nwith the warp, feet cleaned: deviation in cm, what was added of bend (°/m) and slip (cm/s), share held back;"
    )
    print(
        "  the largest deviation where going on past an end of the path does not count, and how far the walk's ends are from the path's"
    )
    for which, name, made in bench.followed():
        bars, here, quality = bench.bars, f"{which} {name}, warped", made.quality
        ends, off, warp = known(quality.ends_cm), known(quality.deviation_cm), known(quality.warp)
        mean, most = (3.0, np.inf) if name.startswith("square") else (1.0, 5.0)
        print(
            f"  {which + ' ' + name:<18} {warp.before_cm.mean:5.2f} (max {warp.before_cm.max:4.1f}) → "
            f"mean {bars.told(f'{here} mean cm', off.mean, mean)}  max {bars.told(f'{here} max cm', off.max, most, '.1f')}  "
            f"bend {bars.told(f'{here} bend', warp.added_bend, 5.0, '.1f')}  "
            f"slip {bars.told(f'{here} slip', warp.added_slip, 10.0, '.1f')}  "
            f"held back {warp.held_back:.0%}  beside the line {warp.after_cm.max:.1f}  ends {ends.start:.1f}, {ends.end:.1f}"
        )


def feet(bench: Bench) -> None:
    print(
        "\nfeet after cleaning (before): slide mm, penetration mm, knee rad/s, leg change; slide by contacts found anew"
    )
    for which, name, made in bench.followed():
        bars, here, quality = bench.bars, f"{which} {name} feet", made.quality
        slide, before, cleaning = known(quality.held_slide_mm), known(quality.before), known(quality.cleaning)
        knee, deep, anew = known(quality.knee_speed), known(quality.penetration_mm), known(quality.slide_mm)
        print(
            f"  {which + ' ' + name:<18} mean {bars.told(f'{here} mean slide', slide.mean, 1.0)}  "
            f"max {bars.told(f'{here} max slide', slide.max, 5.0)}  "
            f"(before {before.slide_mm.mean:.1f}, {before.slide_mm.max:.1f})  "
            f"deep {bars.told(f'{here} penetration', deep, 5.0, '.1f')} (before {before.penetration_mm:.1f})  "
            f"knee {bars.told(f'{here} knee', knee.worst, round(known(knee.source_p999), 2))}  "
            f"leg {bars.told(f'{here} leg', 100 * cleaning.leg_change, 2.0)} %  "
            f"anew {anew.mean:.1f}, {anew.max:.1f}"
        )


def smooth(bench: Bench) -> None:
    print("\nsmoothness: largest change of a joint's velocity in and beside transitions by the clips' 99th percentile")
    print("  (blend alone; 99th percentile in transitions of the blend alone; finished with warp and clean feet)")
    for which, name, made in bench.followed():
        told = []
        own = known(usual_of_graph(made.graph).velocity_jump)
        for blend in BLENDS:
            finished = perform(made.walk, blend=blend, onto=made.path)
            near = beside_transitions(finished.performance)
            if not near.any():
                continue
            alone = velocity_jumps(finished.performance.motion)[near] / own
            all_done = velocity_jumps(finished.motion)[near] / own
            worst = bench.bars.told(f"{which} {name} {blend} velocity jump", float(alone.max()), 1.5)
            after = bench.bars.told(f"{which} {name} {blend} velocity jump, finished", float(all_done.max()), 1.5)
            told.append(f"{blend} {worst}; {np.percentile(alone, 99):.2f}; {after}")
        print(f"  {which + ' ' + name:<18} " + "  |  ".join(told))


def latency(bench: Bench) -> None:
    print("\nlatency on a loaded graph: seconds until the first part of a walk is settled and blended")
    with tempfile.TemporaryDirectory() as folder:
        for which, graph in bench.graphs.items():
            save(graph, Path(folder) / f"{which}.mog")
            for name in PATHS:
                loaded = load(Path(folder) / f"{which}.mog")
                times = []
                for _ in range(3):
                    begun = time.perf_counter()
                    play(next(iter(follow_on(loaded, read(name)))).walk)
                    times.append(time.perf_counter() - begun)
                told = bench.bars.told(f"{which} {name} latency", times[0], 0.2, ".3f")
                print(f"  {which + ' ' + name:<18} first request {told}, the next ones {min(times[1:]):.3f}")


def exact(bench: Bench) -> None:
    print(f"\nfast against exact, horizon {EXACT_HORIZON:g} s, {EXACT_PATHS} random paths drawn:15,SEED on each graph")
    for which, graph in bench.graphs.items():
        follow(graph, read("line:3"), search="exact", horizon=1.0)
        errors, cpu = np.zeros((2, EXACT_PATHS)), np.zeros(2)
        for seed in range(EXACT_PATHS):
            path = read(f"drawn:15,{seed}")
            for row, how in enumerate(("fast", "exact")):
                begun = time.process_time()
                errors[row, seed] = follow(graph, path, search=how, horizon=EXACT_HORIZON).error
                cpu[row] += time.process_time() - begun
        total = errors.sum(axis=1)
        print(
            f"  {which:<6} error fast {total[0]:.3f}, exact {total[1]:.3f}: ratio "
            f"{bench.bars.told(f'{which} fast/exact error', total[0] / total[1], 1.1, '.3f')}, worst single path "
            f"{(errors[0] / errors[1]).max():.2f}; CPU fast {cpu[0]:.2f} s, exact {cpu[1]:.2f} s: ratio "
            f"{bench.bars.told(f'{which} fast/exact CPU', cpu[0] / cpu[1], 0.5, '.3f')}"
        )


def labels(bench: Bench) -> None:
    print(
        "\nlabels: metres that lack the label of their section, against what the clips need to change over, on a graph of all clips"
    )
    graph = bench.everything
    for name in LABELLED:
        path = read(name)
        for text in SECTIONS:
            try:
                sections = parse_sections(text, path.length)
                begun = time.process_time()
                found = follow(graph, path, sections=sections)
            except kg.errors.KinegraphError as error:
                print(f"  {name} {text}: {bench.bars.holds(f'labels {name} {text}', False)}: {error}")
                continue
            cpu = time.process_time() - begun
            made = play(found.walk)
            distance, along = path.track(track_of(made.motion))
            gained = np.diff(along, prepend=along[:1])
            lacking = 0.0
            for section in sections:
                if section.label == "stand":
                    continue  # it gets nowhere: on its metres people walk from stand to stand
                inside = (along >= section.first) & (along <= section.last)
                borne = made.labels().get(section.label, np.zeros(len(made), bool))
                lacking += float(gained[inside & ~borne].sum())
            needed = float(Setting.of(graph, Request(path, sections=sections)).course.change[:, 0].sum())
            print(
                f"  {name:<9} {text:<30} {lacking:.1f} m of {path.length:.1f} lack their label, {needed:.1f} at least: "
                f"{bench.bars.told(f'labels {name} {text}', lacking / needed, 1.5, '.2f')}; deviation "
                f"{100 * distance.mean():.1f} (max {100 * distance.max():.1f}) cm, CPU {cpu / found.walk.seconds:.4f} per s"
            )


def at_random(bench: Bench) -> None:
    print("\nrandom: 20 walks of 10 minutes from the graph of all clips, feet cleaned")
    graph = bench.everything
    heights = np.concatenate([clip.motion.root[:, 1] for clip in graph.clips])
    lowest, highest, deep, floating, full, finite, slid = np.inf, -np.inf, 0.0, 0.0, 0, 0, 0.0
    begun = time.process_time()
    for seed in range(20):
        made = perform(wander(graph, 600.0, seed=seed))
        full += len(made.motion) == round(600 * graph.fps)
        finite += bool(np.isfinite(made.motion.positions).all())
        root = made.motion.root[:, 1]
        lowest, highest = min(lowest, float(root.min())), max(highest, float(root.max()))
        after = known(made.feet).after
        deep, slid = max(deep, after.penetration), max(slid, after.slides.overall[1])
        # how far the lower foot is from the floor while a foot should stand
        toes = np.stack([made.motion.position(f"{side}_toe")[:, 1] for side in ("left", "right")], axis=1)
        stands = made.contacts[:, [1, 3]]
        floating = max(floating, float(np.where(stands, toes, 0.0).max()))
    bars = bench.bars
    print(
        f"  of the full length {full} of 20: {bars.holds('random: full length', full == 20)}; finite {finite} of 20: "
        f"{bars.holds('random: finite', finite == 20)}; {(time.process_time() - begun) / 12000:.5f} CPU s per s"
    )
    print(
        f"  penetration {bars.told('random: penetration mm', 1000 * deep, 5.0, '.1f')} mm; largest slide {1000 * slid:.1f} mm; "
        f"a planted ball is {1000 * floating:.0f} mm high at most; root from {lowest:.2f} to {highest:.2f} m, "
        f"in the clips from {heights.min():.2f} to {heights.max():.2f} m: "
        f"{bars.holds('random: root height', lowest > heights.min() - 0.05 and highest < heights.max() + 0.05)}"
    )


def plot(bench: Bench, folder: Path) -> None:
    from kinegraph.plots.walked import walked_picture

    folder.mkdir(parents=True, exist_ok=True)
    for which, name, made in bench.followed():
        off = known(made.quality.deviation_cm)
        file = folder / f"{which}_{name.replace(':', '_').replace(',', '_')}.png"
        done = made.finished
        walked_picture(
            done.motion,
            done.contacts,
            file,
            path=made.path,
            transitions=[(told.first, told.first + told.length) for told in done.performance.transitions],
            title=f"{which}, {name}: deviation {off.mean:.1f} cm, at most {off.max:.1f} cm; {made.walk.transitions} transitions",
        )
        print(f"  {file}")


PARTS: dict[str, Callable[[Bench], None]] = {
    "search": search,
    "warp": warped,
    "feet": feet,
    "smooth": smooth,
    "latency": latency,
    "exact": exact,
    "labels": labels,
    "random": at_random,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to run; all unless told")
    parser.add_argument("--plot", type=Path, help="folder for a picture of each path")
    given = parser.parse_args()
    bench = Bench(given.clips)
    begun = time.perf_counter()
    for name in given.only:
        PARTS[name](bench)
    if given.plot:
        print("\npictures")
        plot(bench, given.plot)
    bars = bench.bars
    print(f"\n{bars.met} bars met, {len(bars.missed)} NOT met, in {time.perf_counter() - begun:.0f} s")
    for missed in bars.missed:
        print(f"  {missed}")


if __name__ == "__main__":
    main()
