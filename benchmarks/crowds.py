"""Crowds of bodies beside the same crowds of discs: who arrives, who walks into whom, how it looks, and what it costs.

    python benchmarks/crowds.py --clips FOLDER [--graph FILE] [--only scenarios cost] [--people N] [--seeds N] [--pedpy PYTHON]

FOLDER holds clips of one subject (CMU's subject 16 is what the bars were set for), as BVH or as ASF/AMC; one graph of all of them, mirrored
copies included. With --graph, the graph is kept in a file, and read from there the next time.

The six built-in scenarios with N people (100), bodies beside plain discs of 0.25 m that do whatever avoidance says. Trunks are capsules
from hips to neck with a radius of 9 % of the stature. Every
line has its bar. Run with NUMBA_NUM_THREADS=1; times are CPU seconds of one thread. Where the Python that --pedpy names (this one unless
said) has PedPy, its flow over the line z = 0 and its density in the square of 4 m before it are printed beside our own counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from follow import Bars

import kinegraph as kg
from kinegraph.crowds.avoidance import Care, Movers, avoid
from kinegraph.crowds.casting import cast
from kinegraph.crowds.discs import discs
from kinegraph.crowds.named import NAMED
from kinegraph.crowds.reading import scenario_of
from kinegraph.crowds.result import Crowd
from kinegraph.crowds.simulation import Simulation
from kinegraph.graph import load, save
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph

LONGEST = 180.0
LATER, DEEPEST, DEEP_SHARE = 1.3, 10.0, 0.1
SLIDE, TRANSITIONS, SPOT, CHANGES = 1.0, 2.0, 3.0, 1.0
ORCA, ALL, GROWTH = 3.5, 66.0, 1.5
DENSITY = 0.5
PEDPY = sys.executable
# metres from the line over which flow is counted to the middle of the square in which density is
BOX = 2.5


def scenarios(graph: MotionGraph, people: int, seeds: int, bars: Bars) -> None:
    for name in NAMED:
        for seed in range(seeds):
            scenario(graph, f"{name}:{people}", seed, bars)


def scenario(graph: MotionGraph, name: str, seed: int, bars: Bars) -> None:
    what = f"{name}, seed {seed}"
    people = cast(scenario_of(name, seed))
    plain = discs(people, LONGEST, graph.fps)
    simulation = Simulation(graph, people, seconds=LONGEST)
    begun = time.thread_time()
    for _ in simulation.run():
        pass
    cost = 1e6 * (time.thread_time() - begun) / simulation.frame / len(people)
    crowd = simulation.crowd
    report = crowd.report
    here, there = crowd.arrived, plain.arrived
    deep = plain.depth[plain.present]
    missing = int((~np.isfinite(here)).sum())
    print(f"\n{what}")
    print(
        f"  arrive       missing {bars.told(f'{what}: missing', missing, 0, '.0f')}; "
        f"mean {np.nanmean(here):.1f} s, the last {np.nanmax(here):.1f} s; "
        f"discs {np.nanmean(there):.1f} s ({np.isfinite(there).sum()} of {len(people)}): "
        f"{bars.told(f'{what}: mean time by the discs', float(np.nanmean(here) / np.nanmean(there)), LATER)} times"
    )
    frame, one, other = report.worst
    print(
        f"  trunks       deepest {bars.told(f'{what}: deepest, cm', 100 * report.deepest, DEEPEST, '.1f')} cm "
        f"(frame {frame}, people {one} and {other}); "
        f"above 2 cm {bars.told(f'{what}: above 2 cm, %', 100 * report.deeper(0.02), DEEP_SHARE, '.3f')} % of person-frames; "
        f"near misses {report.near_misses}"
    )
    print(
        f"  whole bodies deepest {100 * report.body[crowd.present].max():.1f} cm, "
        f"above 2 cm {100 * report.deeper(0.02, whole=True):.2f} %; "
        f"discs deepest {100 * deep.max():.1f} cm, above 2 cm {100 * (deep > 0.02).mean():.2f} %"
    )
    print(
        f"  looks        feet {bars.told(f'{what}: slide, mm', 1000 * report.slides.max(), SLIDE)} mm; "
        f"transitions {bars.told(f'{what}: transitions', report.transitions, TRANSITIONS)}/s; "
        f"on the spot {bars.told(f'{what}: turning on the spot', report.turning.max(), SPOT, '.1f')} s; "
        f"heading changes {report.changes.mean():.2f}/s, "
        f"worst person {bars.told(f'{what}: heading changes', report.changes.max(), CHANGES)}/s"
    )
    print(
        f"  ways         efficiency {np.nanmean(report.efficiency):.2f}, "
        f"waited {report.waited.mean():.1f} s (most {report.waited.max():.1f}), "
        f"milled about {report.milled.mean():.2f} m (most {report.milled.max():.1f}), "
        f"density {np.nanmean(report.density):.2f}/m² (most {np.nanmax(report.density):.2f}), flow {report.flow:.2f}/s"
    )
    print(f"  line, square {counted(crowd)}; PedPy: {by_pedpy(crowd)}")
    print(f"  cost         {bars.told(f'{what}: all in, µs', cost, ALL, '.1f')} µs a person and frame")


def counted(crowd: Crowd) -> str:
    """Flow over the line z = 0, by who crosses it for the first time, and density in the square of 4 m before it."""
    z, there = crowd.place[..., 1], crowd.present
    crossed = (np.sign(z[1:]) != np.sign(z[:-1])) & there[1:] & there[:-1]
    first = np.where(crossed.any(axis=0), crossed.argmax(axis=0), -1)
    times = np.sort(first[first >= 0]) / crowd.fps
    inside = (np.abs(crowd.place[..., 0]) < 2.0) & (np.abs(z + BOX) < 2.0) & there
    density = inside.sum(axis=1) / 16.0
    return told(density.mean(), density.max(), len(times), (len(times) - 1) / (times[-1] - times[0]))


def by_pedpy(crowd: Crowd) -> str:
    """The same by PedPy, which looks north along y where we look south along z: the line is where it was, and before it is below it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tracks.txt"
        frames, people = np.nonzero(crowd.present)
        x, z = crowd.place[frames, people].T
        order = np.lexsort((frames, people))
        table = np.stack([people, frames, -x, z], axis=-1)[order]
        np.savetxt(file, table, fmt=("%d", "%d", "%.4f", "%.4f"), header=f"framerate: {crowd.fps:g}\nid frame x/m y/m")
        script = Path(__file__).with_name("pedpy_figures.py")
        run = [PEDPY, str(script), str(file), "-60", "60", "0", str(BOX)]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return f"skipped ({lines[-1] if lines else 'no answer'})"
    found = json.loads(done.stdout)
    return told(found["density"], found["most"], found["crossed"], found["flow"])


def told(density: float, most: float, crossed: int, flow: float) -> str:
    return f"density {density:.2f}/m² (most {most:.2f}), {crossed} crossed, {flow:.2f}/s"


def cost(graph: MotionGraph, people: int, seeds: int, bars: Bars) -> None:
    print(f"\ncost: ORCA at {DENSITY:g} people/m², µs an agent and step; best of five")
    for count in (100, 1000, 5000):
        print(f"  {count:>5} people {bars.told(f'ORCA, {count} people', orca(count), ORCA)}")
    print("cost: all in, µs a person and frame, in a hallway for 6 s")
    spent = {count: all_in(graph, count) for count in (100, 500, 5000)}
    for count, value in spent.items():
        print(f"  {count:>5} people {bars.told(f'all in, {count} people', value, ALL, '.1f')}")
    print(f"  from 100 to 5,000: {bars.told('growth of cost', spent[5000] / spent[100], GROWTH)} times")


def orca(count: int) -> float:
    """µs an agent and step, of discs that have got used to one another."""
    chance = np.random.default_rng(0)
    side = np.sqrt(count / DENSITY)
    place, wished = chance.uniform(0, side, (count, 2)), chance.normal(0, 1, (count, 2))
    radius, fastest, yields = np.full(count, 0.25), np.full(count, 1.6), np.ones(count)
    velocity, care, walls = wished.copy(), Care(apart=1 / 30), np.zeros((0, 4))
    for _ in range(150):
        velocity = avoid(Movers(place, velocity, radius, fastest, yields), wished, walls, care)
        place = (place + velocity / 30) % side
    best = np.inf
    for _ in range(5):
        begun = time.thread_time()
        for _ in range(20):
            avoid(Movers(place, velocity, radius, fastest, yields), wished, walls, care)
        best = min(best, (time.thread_time() - begun) / 20 / count)
    return 1e6 * best


def all_in(graph: MotionGraph, count: int) -> float:
    """µs a person and frame, best of three for few."""
    best = np.inf
    for _ in range(3 if count <= 500 else 1):
        simulation = Simulation(graph, f"hallway:{count}", seconds=6)
        simulation.step()
        begun = time.thread_time()
        for _ in simulation.run():
            pass
        best = min(best, (time.thread_time() - begun) / (simulation.frame - 1) / count)
    return 1e6 * best


PARTS: dict[str, Callable[[MotionGraph, int, int, Bars], None]] = {"scenarios": scenarios, "cost": cost}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clips", type=Path)
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--pedpy", default=sys.executable)
    given = parser.parse_args()
    global PEDPY
    PEDPY = given.pedpy
    if given.graph is not None and given.graph.is_file():
        graph = load(given.graph)
    elif given.clips is None:
        parser.error("say where the clips are: --clips FOLDER, or --graph FILE of a graph that was kept")
    else:
        files = sorted(file for kind in ("*.amc", "*.bvh") for file in given.clips.glob(kind))
        graph = build([kg.load(file) for file in files], Parameters(mirror=True))
        if given.graph is not None:
            save(graph, given.graph)
    # what is compiled is compiled before the clock runs
    for _ in Simulation(graph, "hallway:4", seconds=0.2).run():
        pass
    bars = Bars()
    for name in given.only:
        PARTS[name](graph, given.people, given.seeds, bars)
    print(f"\n{bars.met} bars met, {len(bars.missed)} missed")
    for missed in bars.missed:
        print(f"  {missed}")


if __name__ == "__main__":
    main()
