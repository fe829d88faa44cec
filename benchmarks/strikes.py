"""Strikes: how far spaces of punches and kicks miss, how near they come to strikes they were not shown, and what a request takes.

    python benchmarks/strikes.py --clips FOLDER [--sets 02_05 …] [--only hits finish time left growth] [--targets 200] [--plot DIR]

FOLDER holds CMU clips (``bvh/02_05.bvh``, ``bvh/144_05.bvh``, …). Five spaces: 02_05 (punches), 144_20 and 144_21 (punches), 144_05 and
144_06 (kicks), and the built-in punches and kicks; two more, 144_13 and 144_14 (punches) and 144_09 (kicks), have no bars: what is chosen
by figures can be chosen on these. Bounds of the weights stand beside every miss. Times are the median of many requests after the first,
each the best of five, for a strike of the 60 frames of a second at 60 Hz, and their ratio to how long it plays. With --plot, curves of a
strike that was left out for each space.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph import samples
from kinegraph.evaluation.strikes import left_out
from kinegraph.evaluation.strikes.figures import PAPER, Miss, StrikeFigures, evaluate
from kinegraph.evaluation.strikes.finish import FinishFigures
from kinegraph.evaluation.strikes.left_out import LeftOut
from kinegraph.motion.clip import Motion
from kinegraph.strikes.builder import build
from kinegraph.strikes.space import Space

CLIPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "02_05": ("punch", ("02_05",)),
    "144_20+21": ("punch", ("144_20", "144_21")),
    "144_05+06": ("kick", ("144_05", "144_06")),
    "144_13+14": ("punch", ("144_13", "144_14")),
    "144_09": ("kick", ("144_09",)),
    "sample punches": ("punch", tuple(name for name in samples.names() if name.startswith("punch"))),
    "sample kicks": ("kick", tuple(name for name in samples.names() if name.startswith("kick"))),
}
# shares by which joints and path must be nearer than the nearest example with inverse kinematics: one strike left out, and one take
LEFT_OUT = {"02_05": (0.15, 0.10), "144_20+21": (0.20, 0.20), "144_05+06": (0.20, 0.20)}
ACROSS = {"144_20+21": (0.12, 0.15), "144_05+06": (0.12, 0.15)}
PARTIAL = {"punch": 1.0, "kick": 2.5}


@dataclass
class Bars:
    """Figures beside their bars, and how many are missed."""

    met: int = 0
    missed: list[str] = field(default_factory=list)

    def told(self, what: str, value: float, bar: float, form: str = ".2f") -> str:
        """``value ≤ bar`` with a mark where it is not."""
        return self._judged(what, value, bar, form, value <= bar, "≤")

    def at_least(self, what: str, value: float, bar: float, form: str = ".1f") -> str:
        """``value ≥ bar`` with a mark where it is not."""
        return self._judged(what, value, bar, form, value >= bar, "≥")

    def _judged(self, what: str, value: float, bar: float, form: str, good: bool, sign: str) -> str:
        if good:
            self.met += 1
            return f"{value:{form}} ({sign} {bar:g})"
        self.missed.append(f"{what}: {value:{form}}, bar {sign} {bar:g}")
        return f"{value:{form}} ({sign} {bar:g} NOT met)"


@dataclass(eq=False)
class Set:
    """A named set of takes, and what several parts need of its space, made once."""

    name: str
    kind: str
    takes: list[Motion]
    targets: int
    built_in: float = 0.0

    @cached_property
    def space(self) -> Space:
        begun = time.perf_counter()
        space = build(self.takes, self.kind).prepare()
        self.built_in = time.perf_counter() - begun
        return space

    @cached_property
    def figures(self) -> StrikeFigures:
        return evaluate(self.space, self.targets)


# these have bars for what they miss; the others only show what left-out strikes say of ways to choose
JUDGED = ("02_05", "144_20+21", "144_05+06", "sample punches", "sample kicks")


def hits(bench: list[Set], bars: Bars) -> None:
    print("\nmiss in cm without a finish, mean and max, by the bounds of the weights")
    for one in bench:
        figures = one.figures
        print(f"  {one.name}: {figures.strikes} strikes, built in {one.built_in:.2f} s")
        _missed(bars, one.name, "inside the region, 2D", figures.inside, 0.1, 0.5)
        _missed(bars, one.name, "extended box, 2D", figures.box, 0.1, 0.5)
        _missed(bars, one.name, "reach sheet, 3D", figures.sheet, 0.1, 0.5)
    print("\npartial blending in the box outside the region, without a finish, as in table 1 of Chen 2007 (cm)")
    print(f"  {'motion set':<46} strikes  horizontal  vertical  average")
    for name, (count, across, height, whole) in PAPER.items():
        print(f"  {'Chen 2007, ' + name:<46} {count:7d}  {across:10.2f}  {height:8.2f}  {whole:7.2f}")
    for one in bench:
        figures = one.figures
        if figures.paper is None or figures.corrected is None:
            print(f"  {one.name}: the region fills its box, nothing lies outside")
            continue
        for what, miss in (("as in the paper", figures.paper), ("asked again by the miss", figures.corrected)):
            row = (
                f"  {one.name + ', ' + what:<46} {figures.strikes:7d}  {miss.horizontal:10.2f}  {miss.vertical:8.2f}  "
            )
            if miss is figures.paper:
                print(f"{row}{miss.mean:7.2f}  max {miss.max:.2f}  ({_bounds(miss)})")
            else:
                here = f"{one.name} partial blending"
                mean = bars.told(f"{here} mean cm", miss.mean, PARTIAL[one.kind])
                print(f"{row}{mean}  max {bars.told(f'{here} max cm', miss.max, 8.0)}  ({_bounds(miss)})")


def _missed(bars: Bars, name: str, what: str, miss: Miss, mean: float, most: float) -> None:
    print(
        f"    {what:<24} {_bounds(miss):<19} mean {bars.told(f'{name} {what} mean cm', miss.mean, mean, '.4f')}  "
        f"max {bars.told(f'{name} {what} max cm', miss.max, most, '.4f')}"
    )


def _bounds(miss: Miss) -> str:
    return f"weights {miss.bounds[0]:g} … {miss.bounds[1]:g}"


def finish(bench: list[Set], bars: Bars) -> None:
    print(
        "\nfinished strikes: residual cm, largest change of a joint in degrees at the hit (over all frames; standing legs),"
    )
    print(
        "  degrees beyond human limits and the examples, velocity jump / the examples' 99th percentile (unfinished; the examples' worst),"
    )
    print(
        "  slide of the standing foot in mm while it is held (by contacts found anew; share of frames held; its ball, held or not)"
    )
    for one in bench:
        _finished(bars, f"{one.name} inside", one.figures.finished_inside, 1.0)
        if one.figures.finished_outside is not None:
            _finished(bars, f"{one.name} outside", one.figures.finished_outside, 4.0)


def _finished(bars: Bars, here: str, done: FinishFigures, turned: float) -> None:
    limits = f" {done.beyond_limits_angle}" if done.beyond_limits_angle else ""
    print(f"  {here}")
    print(
        f"    residual max {bars.told(f'{here} residual cm', done.residual_cm.max, 0.1, '.4f')}  "
        f"change mean {bars.told(f'{here} joint change mean °', done.change_at_hit_deg.mean, turned)}  "
        f"max {bars.told(f'{here} joint change max °', done.change_at_hit_deg.max, 15.0)}  "
        f"(over all frames {done.change_deg.mean:.2f}, {done.change_deg.max:.2f}; legs {done.legs_deg.mean:.1f}, {done.legs_deg.max:.1f})"
    )
    print(
        f"    limits {bars.told(f'{here} beyond limits °', done.beyond_limits_deg, 0.5, '.1f')}{limits}  "
        f"jump {bars.told(f'{here} velocity jump', done.jump.max, 1.5)} (mean {done.jump.mean:.2f}; "
        f"unfinished {done.jump_unfinished.max:.2f}; examples {done.jump_examples:.2f})  "
        f"slide {bars.told(f'{here} slide mm', done.slide_mm.max, 1.0)} (anew {done.slide_anew_mm.max:.2f}; "
        f"held {done.stands:.0%}; ball over all frames {done.ball_mm.max:.0f}, examples {done.ball_examples_mm:.0f})"
    )


def times(bench: list[Set], bars: Bars) -> None:
    print("\ntime per request in ms, for a strike of 1 s at 60 Hz; ratio to the strike's own play time")
    for one in bench:
        took = one.figures.times
        print(
            f"  {one.name:<15} weights and blend {bars.told(f'{one.name} ms, blend', took.blended, 5.0)}  "
            f"with the finish {bars.told(f'{one.name} ms, finished', took.finished, 10.0)}  "
            f"ratio {took.share_blended:.4f}, {took.share_finished:.4f}  (as measured, {took.seconds:.2f} s: "
            f"weights {took.weights_ms:.2f}, blend {took.blend_ms:.2f}, finish {took.finish_ms:.2f})"
        )


def left(bench: list[Set], bars: Bars) -> None:
    print("\nstrikes that were left out, against the nearest example brought onto the target by inverse kinematics")
    for one in bench:
        for found, wanted in (
            (left_out.leave_one_out(one.space), LEFT_OUT.get(one.name)),
            (left_out.across_takes(one.space), ACROSS.get(one.name)),
        ):
            if found is not None:
                _left(bars, one.name, found, wanted)


def _left(bars: Bars, name: str, found: LeftOut, wanted: tuple[float, float] | None) -> None:
    head, *rows = left_out.text(found)
    print(f"  {name}, {head}")
    for row in rows:
        print(f"  {row}")
    lower = found.lower()
    if wanted and lower:
        here = f"{name}, {found.how}"
        told = [
            bars.at_least(f"{here}: {what} lower by %", 100 * value, 100 * bar)
            for what, value, bar in zip(("joints", "path"), lower, wanted, strict=True)
        ]
        print(f"    the blend's joints are lower by {told[0]} %, its path by {told[1]} %")


def growth(bench: list[Set], bars: Bars) -> None:
    print(
        "\nbuilding by the number of strikes: seconds to lay them on one another, and until the first request can be answered"
    )
    for one in bench:
        strikes = one.space.examples.strikes
        if len(strikes) < 12:
            continue
        side = one.space.examples.side
        told, counts = [], []
        for share in (0.25, 0.5, 1.0):
            some = strikes[:: round(1 / share)]
            begun = time.perf_counter()
            space = build(one.takes, one.kind, side, strikes=some)
            laid = time.perf_counter()
            space.prepare()
            told.append((laid - begun, time.perf_counter() - laid))
            counts.append(len(some))
        power = np.log(sum(told[-1]) / sum(told[0])) / np.log(counts[-1] / counts[0])
        steps = "; ".join(f"{count}: {a:.2f} + {b:.2f}" for count, (a, b) in zip(counts, told, strict=True))
        print(f"  {one.name:<15} {steps}: as the strikes to the power of {power:.1f}")


PARTS: dict[str, Callable[[list[Set], Bars], None]] = {
    "hits": hits,
    "finish": finish,
    "time": times,
    "left": left,
    "growth": growth,
}


def plot(bench: list[Set], folder: Path) -> None:
    from kinegraph.plots import strike_curves

    folder.mkdir(parents=True, exist_ok=True)
    for one in bench:
        file = folder / f"{one.name.replace(' ', '_')}.png"
        strike_curves.save(one.space, file)
        print(f"  {file}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    parser.add_argument(
        "--sets", nargs="+", choices=CLIPS, default=list(CLIPS), help="spaces to judge; all unless told"
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to run; all unless told")
    parser.add_argument("--targets", type=int, default=200, help="random targets for each figure")
    parser.add_argument("--plot", type=Path, help="folder for the curves of a strike that was left out")
    given = parser.parse_args()
    begun = time.perf_counter()
    bench = []
    for name in given.sets:
        kind, clips = CLIPS[name]
        takes = [
            samples.make(clip).motion if name.startswith("sample") else kg.load(given.clips / "bvh" / f"{clip}.bvh")
            for clip in clips
        ]
        bench.append(Set(name, kind, takes, given.targets))
    bars = Bars()
    for part in given.only:
        PARTS[part](bench if part == "left" else [one for one in bench if one.name in JUDGED], bars)
    if given.plot:
        print("\npictures")
        plot(bench, given.plot)
    print(f"\n{bars.met} bars met, {len(bars.missed)} NOT met, in {time.perf_counter() - begun:.0f} s")
    for missed in bars.missed:
        print(f"  {missed}")


if __name__ == "__main__":
    main()
