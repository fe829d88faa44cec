"""Strikes from real takes: how many takes of boxing, punches and kicks make a space as they are, and how good these spaces are.

    python benchmarks/strike_takes.py --clips FOLDER [--index FILE] [--half tuned|held|both] [--targets 50]

FOLDER holds CMU clips as BVH, in folders or not (``13_17.bvh``, ``013/13_17.bvh``); the index, ``index.txt`` there unless told, has a line
for each: number and description. Every take whose description says boxing, punch or kick is built as that kind, without options. The
takes are split by subject: on one half things may be tuned, and of the other half only totals are printed.

A take is *told* if it makes a space, or if the error says which strikes there are and why others, or movements like them, are none, and
how many a space takes. Every strike that the finder knows of, with either hand or foot, must be in the space or among those that it names
as left out. Within the region, finished strikes must hit. And when each strike is left out in turn, the space must not be further from it
than the nearest strike bent onto the target, beyond noise: worse is a space whose mean errors, in angle or in path, exceed those in 95 %
of a thousand draws of its strikes with replacement.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph.errors import FewStrikesError, KinegraphError
from kinegraph.evaluation.strikes import left_out
from kinegraph.evaluation.strikes.figures import inside_region
from kinegraph.evaluation.strikes.left_out import BASELINE, OWN, WAYS
from kinegraph.motion.clip import Motion
from kinegraph.strikes.builder import build
from kinegraph.strikes.finder import find
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import SIDES

TUNED = frozenset({2, 10, 13, 17, 56, 80, 85, 87, 88, 111, 143, 144})
"""Subjects on which things may be tuned; all others are held out."""
KINDS = {"punch": re.compile(r"boxing|punch", re.IGNORECASE), "kick": re.compile(r"kick", re.IGNORECASE)}
LINE = re.compile(r"(\d+)_(\d+)\s+(.+)")
DRAWS = 1000


@dataclass(frozen=True)
class Take:
    """A take, and what its description says it holds."""

    name: str
    kind: str
    path: Path


@dataclass(frozen=True)
class Outcome:
    """What came of a take."""

    take: Take
    what: str
    """space, too few, none or failed."""
    says: str = ""
    unnamed: int = 0
    """Strikes that are neither in the space nor named as left out."""
    strikes: int = 0
    way: str = ""
    miss_cm: float = 0.0
    """Within the region, at most."""
    worse: tuple[float, float] | None = None
    """By what share the space is further from strikes left out than the nearest one bent onto the target, in angle and path."""
    beyond_noise: bool = False


def takes(folder: Path, index: Path, half: str) -> tuple[list[Take], int]:
    """The takes of a half that are there, and how many are not."""
    files = {path.stem: path for path in sorted(folder.rglob("*.bvh"))}
    found, missing = [], 0
    for line in index.read_text(encoding="utf-8", errors="replace").splitlines():
        parts = LINE.match(line)
        if parts is None or (half != "both" and (int(parts[1]) in TUNED) != (half == "tuned")):
            continue
        for kind, words in KINDS.items():
            if words.search(parts[3]):
                name = f"{parts[1]}_{parts[2]}"
                if name in files:
                    found.append(Take(name, kind, files[name]))
                else:
                    missing += 1
    return found, missing


def judged(take: Take, targets: int) -> Outcome:
    """What comes of a take."""
    motion = kg.load(take.path)
    try:
        space = build(motion, take.kind)
    except FewStrikesError as error:
        says = str(error)
        named = re.search(r"frame \d+", says) is not None and "takes at least" in says
        some = "no space" in says or "one line" in says or "no whole" in says
        return Outcome(take, ("too few" if some else "none") if named else "failed", says)
    except KinegraphError as error:
        return Outcome(take, "failed", str(error))
    goals = inside_region(space, targets, np.random.default_rng(0))
    miss = 100 * max(space.reach(goal).miss for goal in goals)
    left = left_out.leave_one_out(space, ways={way: WAYS[way] for way in (OWN, BASELINE)})
    worse, beyond = None, False
    if left is not None:
        own, other = left.errors[OWN], left.errors[BASELINE]
        worse, beyond = compared(own, other)
    return Outcome(
        take,
        "space",
        "; ".join(space.notices),
        unnamed(motion, take.kind, space),
        len(space.examples),
        space.choice.way,
        miss,
        worse,
        beyond,
    )


def compared(own: np.ndarray, other: np.ndarray) -> tuple[tuple[float, float], bool]:
    """By what share errors ``own (K, 2)`` exceed ``other (K, 2)`` on average, and whether that is more than noise."""
    drawn = np.random.default_rng(0).integers(0, len(own), (DRAWS, len(own)))
    shares = own[drawn].mean(axis=1) / other[drawn].mean(axis=1) - 1.0
    angle, path = (own.mean(axis=0) / other.mean(axis=0) - 1.0).tolist()
    return (angle, path), bool((np.quantile(shares, 0.05, axis=0) > 1e-9).any())


def unnamed(motion: Motion, kind: str, space: Space) -> int:
    """How many strikes of the take the space neither holds nor names."""
    known = {(space.examples.side, strike.hit) for strike in space.examples.strikes}
    known |= {(one.side, one.hit) for one in space.unused}
    return sum(1 for each in known_strikes(motion, kind) if each not in known)


def known_strikes(motion: Motion, kind: str) -> Iterator[tuple[str, int]]:
    """Every strike that the finder sees in a take, usable or not, by side and frame of the hit."""
    for side in SIDES:
        try:
            found = find(motion, kind, side)
        except FewStrikesError:
            continue
        yield from ((side, strike.hit) for strike in found.strikes)
        yield from ((one.side, one.hit) for one in found.unused)


def tell(outcomes: list[Outcome]) -> None:
    for one in outcomes:
        figures = ""
        if one.what == "space":
            angle, path = one.worse or (np.nan, np.nan)
            figures = (
                f"{one.strikes} strikes by {one.way}, miss {one.miss_cm:.4f} cm, "
                f"against nearest + IK {100 * angle:+.1f} % {100 * path:+.1f} %"
                + (" WORSE" if one.beyond_noise else "")
            )
        print(f"  {one.take.name:<8}{one.take.kind:<6} {one.what:<8} {figures or one.says[:200]}")


def totals(half: str, outcomes: list[Outcome], missing: int) -> list[str]:
    """Print a half in figures; what is beyond a bar."""
    counts = Counter(one.what for one in outcomes)
    spaces = [one for one in outcomes if one.what == "space"]
    compared_ones = [one for one in spaces if one.worse is not None]
    told = sum(counts[what] for what in ("space", "too few", "none")) / len(outcomes)
    some = (counts["space"] + counts["too few"]) / len(outcomes)
    print(
        f"{half}: {len({one.take.name for one in outcomes})} takes, {len(outcomes)} builds ({missing} not in the folder): "
        f"{counts['space']} spaces, {counts['too few']} too few and named, {counts['none']} without a strike, "
        f"what comes near named, {counts['failed']} failed"
    )
    unnamed_ones = sum(one.unnamed for one in spaces)
    most = max((one.miss_cm for one in spaces), default=0.0)
    worse = sum(one.beyond_noise for one in compared_ones)
    print(
        f"  told {told:.0%} (bar 80 %; {some:.0%} with a strike in them); strikes neither used nor named: {unnamed_ones} (bar 0)"
    )
    print(f"  within the region missed by at most {most:.4f} cm (bar 0.1)")
    ways = Counter(one.way for one in spaces)
    print(
        f"  left out in turn: {len(compared_ones)} spaces, {worse} further off than nearest + IK beyond noise (bar 0); "
        f"{ways['blend']} blend, {ways['nearest']} bend the nearest"
    )
    faults = [
        ("told", told < 0.8),
        ("named", unnamed_ones > 0),
        ("within the region", most > 0.1),
        ("left out", worse > 0),
    ]
    return [f"{half}: {what}" for what, missed in faults if missed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips as BVH")
    parser.add_argument("--index", type=Path, help="list of clips with descriptions; FOLDER/index.txt unless told")
    parser.add_argument("--half", choices=("tuned", "held", "both"), default="both")
    parser.add_argument("--targets", type=int, default=50, help="random targets within each region")
    given = parser.parse_args()
    begun = time.perf_counter()
    missed: list[str] = []
    for half in ("tuned", "held") if given.half == "both" else (given.half,):
        found, missing = takes(given.clips, given.index or given.clips / "index.txt", half)
        outcomes = [judged(take, given.targets) for take in found]
        if half == "tuned":
            tell(outcomes)
        missed += totals(half, outcomes, missing)
    print(
        f"{len(missed)} bars missed{': ' + '; '.join(missed) if missed else ''}, in {time.perf_counter() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
