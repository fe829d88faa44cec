"""Path editing: what must stay the same stays, feet stand, knees do not snap, seams are not seen, and it is quick enough to drag.

    python benchmarks/repath.py --clips FOLDER [--only identity speed …] [--gallery docs/gallery]

FOLDER holds CMU clips (``bvh/16_15.bvh``, ``bvh/16_35.bvh``, ``bvh/143_04.bvh``, ``bvh/143_38.bvh``). One line for each bar, marked where
it is not met. With --gallery, a page with pictures of every case is written there. Times are the median of fifteen after a first that
does not count, beside that of posing the same frames (forward kinematics), which is measured in turn with them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from repath_cases import CASES, CLIPS, DEGREES, LOST, SIMPLE, Bent, Page, bend, own_slide, shrunk, step_lengths

import kinegraph as kg
from kinegraph.evaluation.usual import velocity_jumps
from kinegraph.feet import knees
from kinegraph.feet.cleanup import clean
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.editor import PathEditor, repath
from kinegraph.paths.editing.fit import Fit, residual_table
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.reading import read_curve, write
from kinegraph.paths.shapes import circle, eight, line

ROUNDS = 15
# of 16_15: the three seconds from 0.5 s on, after the camera found its walker
THREE_SECONDS = slice(60, 420)


@dataclass
class Bench:
    """Clips, what several parts need of them, and how many bars are met."""

    folder: Path
    met: int = 0
    missed: list[str] = field(default_factory=list)

    @cached_property
    def clips(self) -> dict[str, Motion]:
        return {name: kg.load(self.folder / "bvh" / f"{name}.bvh", fps=fps) for name, fps in CLIPS.items()}

    @cached_property
    def editors(self) -> dict[str, PathEditor]:
        return {name: PathEditor(motion) for name, motion in self.clips.items()}

    @cached_property
    def takes(self) -> dict[str, Motion]:
        """What the cases are made of."""
        return {**self.clips, SIMPLE: self.clips[SIMPLE][LOST:]}

    @cached_property
    def bent(self) -> list[Bent]:
        editors = {name: PathEditor(motion) for name, motion in self.takes.items()}
        return [bend(case, self.takes[case.clip], editors[case.clip]) for case in CASES]

    @cached_property
    def fits(self) -> dict[str, list[Fit]]:
        return {name: residual_table(self.clips[name], DEGREES) for name in ("143_04", "143_38")}

    def bar(self, what: str, value: float, most: float, unit: str = "", form: str = ".3f") -> str:
        """``value ≤ most`` with a mark where it is not."""
        good = value <= most
        self.met += good
        if not good:
            self.missed.append(f"{what}: {value:{form}} {unit}, bar ≤ {most:g}")
        return f"{value:{form}} {unit}".strip() + f" (≤ {most:g}{'' if good else ' NOT met'})"


def identity(bench: Bench) -> None:
    print("\nidentity: the clip on its own path, furthest joint (bar 0.1 mm)")
    with tempfile.TemporaryDirectory() as name:
        for clip, motion in bench.clips.items():
            editor = bench.editors[clip]
            own = editor.course.curve
            assert isinstance(own, Spline)
            file = Path(name) / f"{clip}.json"
            write(own, file)
            again = read_curve(file)
            laid = {
                "its own path": editor.lay(own, feet=False),
                "written and read back": editor.lay(again, feet=False),
                "degree 4": _on_own(PathEditor(motion, degree=4)),
            }
            told = [
                f"{what} {bench.bar(f'identity {clip}, {what}', _apart(made.motion, motion), 0.1, 'mm', '.2g')}"
                for what, made in laid.items()
            ]
            same = bench.bar(f"identity {clip}, feet on", _apart(editor.lay(own).motion, motion), 0.1, "mm", ".2g")
            elsewhere = FloorTransform(1.0, 2.0, 3.0)
            moved = editor.lay(own, start=elsewhere)
            cleaned = clean(motion, knee_limit=moved.knee_limit).motion
            off, changed = _apart(moved.motion, cleaned.place(elsewhere)), _apart(cleaned, motion)
            print(f"  {clip:<7} {'; '.join(told)}; with feet on {same}")
            print(
                f"          the same path elsewhere, feet held: at most {off:.2g} mm from the clip with cleaned feet "
                f"(cleaning moves joints by up to {changed:.0f} mm)"
            )


def _on_own(editor: PathEditor) -> Repathed:
    return editor.lay(editor.course.curve, feet=False)


def _apart(one: Motion, other: Motion) -> float:
    """Millimetres between the same joints of two motions at most."""
    if len(one) != len(other):
        return np.inf
    return float(1000 * np.linalg.norm(one.positions - other.positions, axis=-1).max())


def speed(bench: Bench) -> None:
    print("\nspeed: metres along the path from frame to frame against the clip's own, at the worst frame of each case")
    worst = max((bent for bent in bench.bent if not bent.case.natural), key=lambda bent: bent.speed)
    told = bench.bar("speed at the worst frame", 100 * worst.speed, 1.0, "%", ".4f")
    count = sum(not bent.case.natural for bent in bench.bent)
    print(f"  at worst of {count} cases {told}, in {worst.case.title}")
    print(
        "  with keep=time: mean speed by the clip's, against the length of the path by the clip's own (figures 5.2, 5.3)"
    )
    for clip in ("16_15", "143_38"):
        editor = bench.editors[clip]
        own = editor.course.curve.length
        for factor in (1.3, 0.7):
            made = editor.lay(line(factor * own), keep="time")
            share = _mean_speed(made) / (own * made.motion.fps / (len(made.motion) - 1))
            body = float(np.ptp(made.motion.root[:, 2])) / own
            same = bench.bar(f"keep=time {clip} × {factor}", 100 * abs(share / factor - 1), 1.0, "%", ".4f")
            held = made.slides.overall[1]
            print(
                f"    {clip:<7} path × {factor}: speed × {share:.4f}, off by {same}; the body covers × {body:.2f}; "
                f"slide at most {1000 * held:.2f} mm; knee {made.knee_speed / made.knee_limit:.2f}; {_told(made)}"
            )


def _told(made: Repathed) -> str:
    return f"{made.let_go:.0%} let go" if made.let_go else "no foot let go"


def _mean_speed(made: Repathed) -> float:
    lengths = step_lengths(made.frame.points)
    return float(lengths.mean()) * made.motion.fps


def residuals(bench: Bench) -> None:
    print("\nresiduals by degree: RMS and max in cm and degrees; off the polyline of its frames between them, cm")
    for clip, fits in bench.fits.items():
        for row in fit_rows(fits):
            print(f"  {clip:<7} {row}")
        by_degree = [fit for fit in fits if fit.degree is not None]
        rising = sum(b.rms_cm > a.rms_cm for a, b in pairwise(by_degree))
        print(f"  {clip:<7} degrees at which the RMS does not fall: {bench.bar(f'{clip} rising', rising, 0, '', 'd')}")
        last = by_degree[-1]
        between = bench.bar(f"{clip} degree {last.degree} between frames", last.between_cm, 0.1, "cm")
        print(f"  {clip:<7} degree {last.degree} between frames: {between}")


def fit_rows(fits: list[Fit]) -> list[str]:
    return [
        f"{'stride spline' if fit.degree is None else f'degree {fit.degree}':<14} "
        f"{fit.rms_cm:7.2f} max {fit.max_cm:7.2f} cm   {fit.rms_degrees:5.1f} max {fit.max_degrees:6.1f}°   "
        f"between {fit.between_cm:.4f} cm   length {fit.length:.2f} m"
        for fit in fits
    ]


def cases(bench: Bench) -> None:
    print(
        """
gallery: slide in mm, mean and max, before → after (bars 1 and 5); fastest knee by the source's 99.9th percentile (bar 1); planted feet
  off the slope in mm (bar 10). Beside them, without bars: slide with contacts found anew in the result, and the share of these that is
  held; deepest foot, mm; planted time let go; the most by which an ankle steps further in a frame than it was carried, mm, and when;
  fastest toes by the source's"""
    )
    for name, motion in bench.takes.items():
        mean, most = (1000 * value for value in own_slide(motion))
        print(f"  {name} as captured: slide {mean:.2f}, {most:.1f}")
    for bent in bench.bent:
        made, name = bent.made, bent.case.title
        before, after = ([1000 * value for value in of.overall] for of in (made.slides_before, made.slides))
        print(
            f"  {name:<36} slide {before[0]:4.1f}, {before[1]:4.1f} → {bench.bar(f'{name}: mean slide', after[0], 1.0)}, "
            f"{bench.bar(f'{name}: max slide', after[1], 5.0, '', '.2f')}  knee {bench.bar(f'{name}: knee', bent.knee, 1.0)}  "
            f"slope {bench.bar(f'{name}: feet off the slope', 1000 * bent.off_ground, 10.0, '', '.1f')}"
        )
        anew = ""
        if bent.anew is not None and bent.held is not None:
            anew = f"anew {1000 * bent.anew[0]:.2f}, {1000 * bent.anew[1]:.1f}, of which {bent.held:.0%} held; "
        pop, when = bent.pop
        print(
            f"  {'':<36} {anew}sunk {1000 * made.sunk:.1f}; let go {made.let_go:.0%}; ankle {1000 * pop:.1f} at {when:.2f} s; "
            f"toes {bent.toes:.2f}"
        )


def cycling(bench: Bench) -> None:
    print("\ncycling: 0.5 to 3.5 s of 16_15 walked for 2 minutes; velocity jump by the source's 99th percentile")
    short = bench.clips["16_15"][THREE_SECONDS]
    usual = float(np.percentile(velocity_jumps(short), 99))
    for what, path, end in (("one eight of 11 m", eight(11.0), "stop"), ("laps of eight:3", eight(3.0), "restart")):
        begun = time.perf_counter()
        made = repath(short, path, cycle=True, seconds=120.0, end=end)  # type: ignore[arg-type]
        took = time.perf_counter() - begun
        assert made.loop is not None
        jumps = velocity_jumps(made.motion) / usual
        seams = np.arange(made.loop.last, len(made.motion), len(made.loop))
        near = np.zeros(len(made.motion), np.bool_)
        half = made.loop.window // 2 + 2
        for seam in seams:
            near[max(seam - half, 0) : seam + half] = True
        near = near[1:-1]
        slid = [1000 * value for value in made.slides.overall]
        print(
            f"  {what:<18} {made.motion.seconds:.0f} s, {len(seams)} seams of {made.loop.window} frames, loop "
            f"{made.loop.first / short.fps:.2f} to {made.loop.last / short.fps:.2f} s, ends {100 * made.loop.distance:.1f} cm apart: "
            f"at seams {bench.bar(f'cycling, {what}', float(jumps[near].max()), 1.5)}, elsewhere {jumps[~near].max():.3f}; slide "
            f"{bench.bar(f'cycling, {what}: mean slide', slid[0], 1.0)}, {bench.bar(f'cycling, {what}: max slide', slid[1], 5.0)} mm; "
            f"knee {bench.bar(f'cycling, {what}: knee', made.knee_speed / knees.usual(short), 1.0)}; made in {took:.2f} s"
        )


def times(bench: Bench) -> None:
    motion = bench.clips["143_38"][:1000]
    print(
        f"\ntime: 1,000 frames of 143_38, {motion.seconds:.1f} s, on eight:2 (dragging: on circles, each another); median of {ROUNDS} "
        "after the first, ratio to play time"
    )
    path = eight(2.0)
    editor = PathEditor(motion)
    dragged = iter(np.linspace(1.9, 2.1, 1000).tolist())
    works: dict[str, tuple[Callable[[], object], float | None]] = {
        "posing them (baseline)": (lambda: replace(motion).positions, None),
        "repath, no feet": (lambda: repath(replace(motion), path, feet=False), 20.0),
        "repath, feet held": (lambda: repath(replace(motion), path), 100.0),
        "dragging, no feet": (lambda: editor.lay(circle(next(dragged)), feet=False), 20.0),
        "dragging, feet held": (lambda: editor.lay(circle(next(dragged))), 100.0),
    }
    took: dict[str, list[float]] = {name: [] for name in works}
    for number in range(ROUNDS + 1):
        for name, (work, _) in works.items():
            begun = time.perf_counter()
            work()
            if number:
                took[name].append(1000 * (time.perf_counter() - begun))
    base = float(np.median(took["posing them (baseline)"]))
    for name, (_, most) in works.items():
        middle = float(np.median(took[name]))
        told = f"{middle:.2f} ms" if most is None else bench.bar(f"time, {name}", middle, most, "ms", ".1f")
        print(
            f"  {name:<24} {told:<24} best {min(took[name]):.1f}, {middle / base:.1f} × the baseline, "
            f"{middle / 1000 / motion.seconds:.5f} of play time"
        )


PARTS: dict[str, Callable[[Bench], None]] = {
    "identity": identity,
    "speed": speed,
    "residuals": residuals,
    "cases": cases,
    "cycling": cycling,
    "time": times,
}


def gallery(bench: Bench, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = Page(folder)
    for bent in bench.bent:
        page.show(bent)
        shrunk(folder / f"{bent.case.name}.png")
    page.residuals(
        {name: bench.clips[name] for name in bench.fits},
        lambda name: ["", *(f"    {row}" for row in fit_rows(bench.fits[name]))],
    )
    page.write()
    files = sorted(folder.glob("*.png"))
    size = sum(file.stat().st_size for file in files)
    largest = max(files, key=lambda file: file.stat().st_size)
    print(f"\n{folder / 'repath.md'}: {len(files)} pictures, {size / 1e6:.2f} MB, the largest {largest.name} with "
          f"{largest.stat().st_size / 1e3:.0f} kB")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), help="parts to run; all unless told")
    parser.add_argument("--gallery", type=Path, help="folder for the page and its pictures")
    given = parser.parse_args()
    begun = time.perf_counter()
    bench = Bench(given.clips)
    for part in given.only:
        PARTS[part](bench)
    if given.gallery:
        gallery(bench, given.gallery)
    print(f"\n{bench.met} bars met, {len(bench.missed)} NOT met, in {time.perf_counter() - begun:.0f} s")
    for missed in bench.missed:
        print(f"  {missed}")


if __name__ == "__main__":
    main()
