"""People who are steered: how soon they answer the stick, how calmly, how fast, on which feet and at what cost, beside three other pilots.

    python benchmarks/live.py --clips FOLDER [--only response first …] [--pilots policy matching …] [--minutes N] [--quick]
        [--graph FILE]

FOLDER holds all clips of CMU's subject 16, as BVH or as ASF/AMC. One graph of all of them, mirrored copies included, 30 Hz. On the same
graph, with the same feet, four ways to choose what comes next: the *policy* of `kinegraph.people`, which is what the bars are for; plain
motion *matching* (`motion_matching.py`); *matching, bent*, which turns and paces people as the policy does; and a *lookahead* over
transitions (`lookahead.py`). Every line has the bar and whether the policy meets it. What needs a page or a socket is tested elsewhere.

Velocity is that of the root on the floor, averaged over 0.2 s centred on the frame. Response is the time until it stays within 20° and
30 % of the wish for 0.3 s. With --quick, one hour of random stick becomes a minute. With --graph, the graph is kept in a file.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np
from follow import Bars
from live_measures import (
    Array,
    Bools,
    Crowd,
    Judge,
    Trail,
    alike,
    apexes,
    first_changes,
    going,
    pilots,
    random_stick,
    responses,
    skating,
    steered,
)

import kinegraph as kg
from kinegraph.graph import load, save
from kinegraph.graph.making.builder import build
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.model import MotionGraph
from kinegraph.people import steered as stages
from kinegraph.people.steered import People

TURNS = np.radians([45.0, -45.0, 90.0, -90.0, 135.0, -135.0, 180.0])
DEGREES = (45, 90, 135, 180)
MOMENTS, STARTS = 8, 4
# wished speed → seconds of a stride, bars of the median in the order of DEGREES, bar of transitions in a second
GAITS = {1.3: (1.1, (0.4, 0.65, 0.9, 1.1), 1.5), 3.0: (0.72, (0.3, 0.6, 0.85, 1.0), 2.5)}
WORST, FIRST, JUMP, KEPT = 1.5, 0.1, 1.5, 0.1
SPEEDS = (0.0, 0.8, 1.3, 1.8, 2.5, 3.5)
# m/s below which somebody stands
STANDS = 0.05
SEEDS = range(20)


class Bench:
    """The graph, and what several parts need."""

    def __init__(self, graph: MotionGraph, chosen: list[str], minutes: int) -> None:
        self.graph, self.minutes, self.bars = graph, minutes, Bars()
        every = pilots(graph)
        self.pilots = {name: every[name] for name in chosen}
        self.judge = Judge(graph)
        self._turned: dict[tuple[str, float], Turned] = {}

    def told(self, pilot: str, what: str, value: float, bar: float, form: str = ".2f") -> str:
        """A figure; beside its bar if it is the policy's."""
        return self.bars.told(what, value, bar, form) if pilot == "policy" else f"{value:{form}}"

    def turned(self, pilot: str, speed: float) -> Turned:
        if (pilot, speed) not in self._turned:
            self._turned[pilot, speed] = Turned(self.pilots[pilot], speed, self.graph.fps)
        return self._turned[pilot, speed]


class Turned:
    """People who go straight on for six seconds; then the stick is turned, by every angle at every moment of a stride."""

    def __init__(self, pilot: Callable[..., Crowd], speed: float, fps: float) -> None:
        each = len(TURNS) + 1
        groups = STARTS
        # the last of each moment goes on straight
        turns = np.tile(np.tile([*TURNS, 0.0], MOMENTS), groups)
        stride = GAITS[speed][0]
        moment = (6.0 + np.arange(MOMENTS) * stride / MOMENTS) * fps
        when = np.tile(np.repeat(moment, each), groups).round().astype(np.int64)
        crowd = pilot(len(turns), seed=1)
        alike(crowd, groups)
        frames = round(11.0 * fps)
        self.speed, self.turns, self.when = speed, turns, when
        self.like = np.arange(len(turns)) // each * each + each - 1
        self.trail: Trail = steered(crowd, going(speed, np.where(np.arange(frames)[:, None] < when, 0.0, turns)))

    @cached_property
    def seconds(self) -> Array:
        return responses(self.trail, going(self.speed, self.turns), self.when)

    @cached_property
    def apex(self) -> Array:
        return apexes(self.trail, self.turns, self.when)

    def by(self, degrees: int) -> Bools:
        return np.round(np.abs(np.degrees(self.turns))) == degrees


def response(bench: Bench) -> None:
    print(
        "\nresponse: seconds until the velocity stays as wished; median, p95, worst; from the stick's apex to the path's"
    )
    for speed, (_, limits, _) in GAITS.items():
        for name in bench.pilots:
            turned = bench.turned(name, speed)
            print(f"  {speed:g} m/s, {name}")
            for degrees, bar in zip(DEGREES, limits, strict=True):
                own = turned.seconds[turned.by(degrees)]
                what = f"response {speed:g} m/s {degrees}°"
                late = np.percentile(own, 95, method="higher")
                print(
                    f"    ±{degrees:<3}°  median {bench.told(name, f'{what}, median', np.median(own), bar)}  p95 {late:.2f}  "
                    f"worst {bench.told(name, f'{what}, worst', own.max(), WORST)}  apex {np.median(turned.apex[turned.by(degrees)]):.2f}"
                )


def first(bench: Bench) -> None:
    print(
        "\nfirst change: ms from the stick to the first frame in which a joint is elsewhere by 1 mm; median, p95, worst"
    )
    for name in bench.pilots:
        both = [bench.turned(name, speed) for speed in GAITS]
        changes = [first_changes(one.trail, one.like, one.when)[one.turns != 0.0] for one in both]
        every = 1000 * np.concatenate(changes)
        late = float(np.percentile(every, 95, method="higher"))
        print(
            f"  turned, {name:<15} {np.median(every):.0f}, "
            f"{bench.told(name, 'first change, p95 ms', late, 1000 * FIRST, '.0f')}, {every.max():.0f}"
        )
        for what, before, after in (("from standing to 1.3 m/s", 0.0, 1.3), ("from 1.3 m/s to standing", 1.3, 0.0)):
            told = started(bench, name, before, after)
            print(f"  {what}, {name:<15} {told}")


def started(bench: Bench, name: str, before: float, after: float) -> str:
    """First changes, and seconds until the speed is there, of somebody who starts or stops."""
    fps, count = bench.graph.fps, 32
    crowd = bench.pilots[name](2 * count, seed=3)
    alike(crowd, count)
    frames = round(12.0 * fps)
    when = np.repeat(round(6.0 * fps) + np.arange(count), 2)
    changes = np.arange(2 * count) % 2 == 0
    late = (np.arange(frames)[:, None] >= when) & changes
    trail = steered(crowd, going(np.where(late, after, before), np.zeros(late.shape)))
    like = np.arange(2 * count) // 2 * 2 + 1
    changed = 1000 * first_changes(trail, like, when)[changes]
    speed = np.hypot(*np.moveaxis(trail.velocity, -1, 0))
    there = np.abs(speed - after) <= (0.2 if after == 0.0 else 0.3 * after)
    need = round(0.3 * fps)
    stays = np.lib.stride_tricks.sliding_window_view(there, need, axis=0).all(axis=-1)
    took = np.array(
        [np.argmax(stays[when[n] :, n]) / fps if stays[when[n] :, n].any() else np.inf for n in np.flatnonzero(changes)]
    )
    return (
        f"{np.median(changed):.0f}, {np.percentile(changed, 95, method='higher'):.0f}, {changed.max():.0f}; "
        f"s until there: {np.median(took):.2f}, {np.percentile(took, 95, method='higher'):.2f}, {took.max():.2f}"
    )


def restless(bench: Bench) -> None:
    print(
        "\nrestlessness: transitions in a second and mean cm at them, stick held for 20 s; velocity jumps, times the clips' p99, "
        "in and beside transitions, and anywhere"
    )
    apart: dict[float, float] = {}
    ordered = sorted(bench.pilots, key=lambda name: name == "policy")
    for speed, (_, _, often) in GAITS.items():
        for name in ordered:
            trail = held(bench, name, [speed] * 8, 26.0)
            late = round(6.0 * bench.graph.fps)
            rate = trail.began[late:].sum() / 20.0 / 8
            early = int(trail.began[:late].sum())
            mean = 100 * float(trail.distances[early:].mean()) if len(trail.distances) > early else 0.0
            turned = bench.turned(name, speed).trail
            turning = 100 * float(turned.distances.mean())
            if name == "matching":
                apart[speed] = mean
            jumps = [worst_jumps(bench, one) for one in (trail, turned)]
            what = f"restlessness {speed:g} m/s"
            print(
                f"  {speed:g} m/s, {name:<15} {bench.told(name, f'{what}, transitions a second', rate, often)} a second, "
                f"{bench.told(name, f'{what}, cm', mean, apart.get(speed, np.inf), '.1f')} cm (while turning {turning:.1f}); "
                f"jumps {bench.told(name, f'{what}, jump', jumps[0][0], JUMP)}, "
                f"while turning {bench.told(name, f'{what}, jump while turning', jumps[1][0], JUMP)}; "
                f"anywhere {jumps[0][1]:.2f}, {jumps[1][1]:.2f}"
            )


def worst_jumps(bench: Bench, trail: Trail) -> tuple[float, float]:
    """Of all people: in and beside transitions, and anywhere."""
    found = np.array([bench.judge.jumped(trail, person) for person in range(trail.root.shape[1])]).max(axis=0)
    return float(found[0]), float(found[1])


def held(bench: Bench, name: str, speeds: list[float], seconds: float) -> Trail:
    crowd = bench.pilots[name](len(speeds), seed=1)
    frames = round(seconds * bench.graph.fps)
    return steered(crowd, going(np.tile(speeds, (frames, 1)), np.zeros((frames, len(speeds)))))


def speeds(bench: Bench) -> None:
    reach = max(_fastest(clip.motion) for clip in bench.graph.clips)
    print(
        f"\nspeeds: m/s over 5 s along the wish, the furthest off of 8 people in 15 s; the clips reach {reach:.2f} for a second"
    )
    for name in bench.pilots:
        told = []
        for wished in SPEEDS:
            trail = held(bench, name, [wished] * 8, 21.0)
            fps = bench.graph.fps
            floor, window = trail.root[round(6 * fps) :][..., [0, 2]], round(5 * fps)
            moved = (floor[window:] - floor[:-window]) / 5.0
            # who stands should go nowhere
            kept = np.hypot(moved[..., 0], moved[..., 1]) if wished == 0.0 else moved[..., 1]
            worst = float(kept.flat[np.abs(kept - wished).argmax()])
            if wished == 0.0:
                told.append(f"0: {bench.told(name, 'speed 0', worst, STANDS, '.3f')}")
            else:
                off = abs(worst - wished) / wished
                told.append(f"{wished:g}: {worst:.2f}, off by {bench.told(name, f'speed {wished:g}, off', off, KEPT)}")
        print(f"  {name:<15} {'; '.join(told)}")


def _fastest(motion: kg.Motion) -> float:
    """The fastest second of a clip, or all of it if it is shorter."""
    frames = min(round(motion.fps), len(motion) - 1)
    floor = motion.root[:, [0, 2]]
    return float(np.hypot(*(floor[frames:] - floor[:-frames]).T).max() * motion.fps / frames)


def feet(bench: Bench) -> None:
    print("\nfeet: 20 people on a random stick for a minute")
    clips, judge = bench.judge.feet, bench.judge
    print(
        f"  {'the clips':<15} slide by contacts found anew {1000 * clips.slide[0]:.2f} mm (max {1000 * clips.slide[1]:.0f}), "
        f"skating {100 * clips.speed:.1f} cm/s, low feet moved in {100 * clips.ratio:.1f} % of the frames; "
        f"knees' p99.9 {judge.knee:.1f} rad/s"
    )
    stick = random_stick(60.0, SEEDS, bench.graph.fps)
    for name, pilot in bench.pilots.items():
        trail = steered(pilot(len(SEEDS), seed=2), stick)
        people = range(len(SEEDS))
        moved = max(judge.moved(trail, person)[0] for person in people)
        knee = judge.knee * max(judge.worst(trail.motion(person))["knee"][0] for person in people)
        own = skating(trail)
        standing = trail.down.reshape(*trail.down.shape[:2], 2, 2).any(axis=-1)
        share = (trail.held > 0)[standing].mean()
        print(
            f"  {name:<15} while held moved {bench.told(name, 'feet: while held, mm', moved, 1.0)} mm "
            f"(held in {100 * share:.0f} % of the time in which the clips have them down); "
            f"slide {bench.told(name, 'feet: slide mm', 1000 * own.slide[0], 1000 * clips.slide[0])} mm, at most "
            f"{bench.told(name, 'feet: largest slide mm', 1000 * own.slide[1], 1000 * clips.slide[1], '.0f')}, "
            f"skating {bench.told(name, 'feet: skating cm/s', 100 * own.speed, 100 * clips.speed, '.1f')} cm/s, "
            f"low feet moved in {100 * own.ratio:.1f} % of the frames, swinging ones too; "
            f"knees {bench.told(name, 'feet: knees rad/s', knee, judge.knee, '.1f')} rad/s"
        )


def cost(bench: Bench) -> None:
    print("\ncost: CPU time, on one core")
    fps = bench.graph.fps
    stick = random_stick(60.0, range(1), fps)[:, 0]
    person = kg.live(bench.graph)
    rounds = []
    for _ in range(3):
        times = []
        for x, z in stick.tolist():
            begun = time.process_time()
            person.step(velocity=(x, z))
            times.append(time.process_time() - begun)
        rounds.append(1e3 * np.array(times))
    best = min(rounds[1:], key=lambda own: float(own.mean()))
    print(
        f"  one person, all in and kept: {bench.bars.told('cost: one person, ms', float(best.mean()), 0.2, '.3f')} ms a frame, median "
        f"{np.median(best):.3f}, p99 {np.percentile(best, 99):.3f}, worst {best.max():.2f}; in its first minute, transitions being mixed "
        f"when they are first taken, {rounds[0].mean():.3f}, worst {rounds[0].max():.1f}"
    )
    for name, pilot in bench.pilots.items():
        # the others take their time
        crowd = 1000 if name == "policy" else 100
        stick = random_stick(20.0, range(crowd), fps)
        people = pilot(crowd, seed=4)
        spent: dict[str, float] = {}
        undo = _watched(spent)
        try:
            times = []
            for frame in range(len(stick)):
                if frame == len(stick) // 2:
                    spent.clear()
                begun = time.process_time()
                people.step(stick[frame])
                times.append(time.process_time() - begun)
        finally:
            undo()
        late = 1e6 * np.array(times[len(stick) // 2 :]) / crowd
        parts = ", ".join(f"{stage} {1e6 * seconds / len(late) / crowd:.1f}" for stage, seconds in spent.items())
        size = sum(array.nbytes for array in _arrays(people)) / crowd
        told = bench.told(name, "cost: µs each of 1,000", float(late.mean()), 33.0, ".1f")
        print(
            f"  {crowd:,} people, {name:<15} {told} µs each a frame, the slowest frame {late.max():.1f}"
            f"{f' ({parts})' if isinstance(people, People) else ''}; "
            f"{bench.told(name, 'cost: bytes a person', size, 8192, '.0f')} bytes a person"
        )


def _watched(spent: dict[str, float]) -> Callable[[], None]:
    """Sum up seconds by stage; what is returned ends that."""
    names = ("steer", "go", "pose", "lock")
    own = {name: getattr(stages, name) for name in names}

    def timed(name: str) -> Callable[..., None]:
        def call(*given: object) -> None:
            begun = time.process_time()
            own[name](*given)
            spent[name] = spent.get(name, 0.0) + time.process_time() - begun

        return call

    for name in names:
        setattr(stages, name, timed(name))

    def undo() -> None:
        for name in names:
            setattr(stages, name, own[name])

    return undo


def _arrays(people: Crowd) -> list[Array]:
    own = [*people.cursors, *people._feet, people.root, people.rotations, people.contacts]
    if not isinstance(people, People):
        own += [*people._offsets, *(part for shown in people._shown for part in shown)]
    return own


def whole(bench: Bench) -> None:
    minutes = bench.minutes
    print(
        f"\nwhole: {minutes} minutes of random stick, {len(SEEDS)} seeds; at most, with the seed and the second where it is"
    )
    judge, fps = bench.judge, bench.graph.fps
    stick = random_stick(60.0 * minutes, SEEDS, fps)
    # the others are slow, and are looked at for a minute only
    names = [name for name in bench.pilots if name == "policy" or minutes == 1]
    for name in names:
        crowd, again = (bench.pilots[name](len(SEEDS), seed=5) for _ in range(2))
        worst: dict[str, tuple[float, int, float]] = {}
        finite, broken, seconds, same = True, 0, 0, True
        for minute in range(minutes):
            part = stick[round(60 * minute * fps) : round(60 * (minute + 1) * fps)]
            trail = steered(crowd, part)
            finite &= bool(np.isfinite(trail.root).all() and np.isfinite(trail.rotations).all())
            if minute < 5:
                same &= _digest(trail) == _digest(steered(again, part))
            for person in SEEDS:
                found = judge.worst(trail.motion(person))
                found["moved"] = judge.moved(trail, person)
                found["mixed"] = judge.jumped(trail, person)[0], found["jump"][1]
                seconds += 60
                broken += found["beyond"][0] > 15.0
                for what, (value, frame) in found.items():
                    if value > worst.get(what, (-1.0, 0, 0.0))[0]:
                        worst[what] = value, person, 60 * minute + frame / fps
        at = {what: f"(seed {person}, {second:.1f} s)" for what, (_, person, second) in worst.items()}
        value = {what: own[0] for what, own in worst.items()}
        bars = bench.bars if name == "policy" else Bars()
        print(
            f"  {name}: finite {bars.holds('whole: finite', finite)}; same stick, same bytes {bars.holds('whole: same bytes', same)}"
        )
        print(
            f"    below the floor: soles {bars.told('whole: soles below the floor, mm', value['sunk'], 5.0, '.1f')} mm {at['sunk']}, "
            f"any joint {bars.told('whole: joints below the floor, mm', value['below'], 5.0, '.1f')} mm {at['below']}"
        )
        print(
            f"    joint beyond its range {bars.told('whole: joint beyond, degrees', value['beyond'], 15.0, '.1f')}° {at['beyond']}, "
            f"in {broken} of {seconds // 60} minutes; "
            f"knee {bars.told('whole: knee', value['knee'], 1.01)} times the clips' p99.9 {at['knee']}; "
            f"jump {bars.told('whole: jump', value['mixed'], JUMP)} times the clips' p99 in and beside transitions {at['mixed']}, "
            f"{value['jump']:.2f} anywhere {at['jump']}; "
            f"while held moved {bars.told('whole: while held, mm', value['moved'], 1.0)} mm {at['moved']}"
        )


def _digest(trail: Trail) -> bytes:
    return hashlib.sha256(trail.root.tobytes() + trail.rotations.tobytes()).digest()


PARTS: dict[str, Callable[[Bench], None]] = {
    "response": response,
    "first": first,
    "restless": restless,
    "speeds": speeds,
    "feet": feet,
    "cost": cost,
    "whole": whole,
}
PILOTS = ("policy", "matching", "matching, bent", "lookahead")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of all clips of CMU's subject 16")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to run; all unless told")
    parser.add_argument("--pilots", nargs="+", choices=PILOTS, default=list(PILOTS), help="all unless told")
    parser.add_argument("--minutes", type=int, default=60, help="how long the random stick is")
    parser.add_argument("--quick", action="store_true", help="the same as --minutes 1")
    parser.add_argument("--graph", type=Path, help="file to keep the graph in")
    given = parser.parse_args()
    begun = time.perf_counter()
    if given.graph and given.graph.exists():
        graph = load(given.graph)
    else:
        files = sorted(file for ending in ("bvh", "amc") for file in given.clips.glob(f"*.{ending}"))
        if not files:
            raise SystemExit(
                f"no clips in {given.clips}: it should hold those of CMU's subject 16, as BVH or as ASF and AMC"
            )
        graph = build([kg.load(file) for file in files], Parameters(mirror=True))
        if given.graph:
            save(graph, given.graph)
    clips = graph.clips
    print(
        f"{len(clips)} clips, {sum(len(clip) for clip in clips) / graph.fps:.0f} s at {graph.fps:g} Hz, "
        f"ready in {time.perf_counter() - begun:.0f} s"
    )
    bench = Bench(graph, given.pilots, 1 if given.quick else given.minutes)
    for name in given.only:
        PARTS[name](bench)
    bars = bench.bars
    print(f"\n{bars.met} bars met, {len(bars.missed)} NOT met, in {time.perf_counter() - begun:.0f} s")
    for missed in bars.missed:
        print(f"  {missed}")


if __name__ == "__main__":
    main()
