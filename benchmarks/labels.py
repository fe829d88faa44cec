"""Automatic labels against CMU's own descriptions, over the whole database: precision, recall, confusion and cost.

    python benchmarks/labels.py --clips FOLDER --index INDEX [--half tuned|held|both] [--cache DIR] [--wrong]

FOLDER holds CMU's clips as ``SSS/SS_NN.bvh`` (as ``data`` in una-dinosauria/cmu-mocap); INDEX is the list of their descriptions, one line
a clip: its number, a tab, what it shows. Reading takes far longer than labelling, so what was read is kept in DIR, at 30 frames/s.
A clip that is neither there nor kept is left out and counted.

What a description names. It is cut into words (``CasualQuickWalk`` too) and searched for those of `WORDS`. It counts if it names one kind.
``backward`` and ``sideways`` are ways of walking: with ``walk`` they are one kind, with ``forward`` they are several. Stairs and ladders
are climbed, so who walks up stairs does two things. Acrobatics are a kind too, which no label is for: they only make "flip backward" two
kinds. Of two people in one description it is not said who does what. Several subjects are the same recordings under another number
(`AGAIN`), found by comparing how the hips move: they count once. Nothing was left out for what it turned out to show.

What a clip is found to be. The label that it bears for the longest; ``stand`` counts only where there is nothing else. Who goes backward or
sideways does not walk. Jumps, kicks and punches are done in a moment, and what leads up to them takes longer: each of their
frames counts for four. A dance is right where it is ``other``.

Subjects with even numbers are held out, and so are those that the other benchmarks hold out; the tuned half has the odd ones and those
whose clips had been looked at before. The per-clip list of mistakes (``--wrong``) is for the tuned half alone.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph.errors import KinegraphError
from kinegraph.feet.contacts import contacts
from kinegraph.formats.npz import arrays_of
from kinegraph.graph.making.annotate import annotate
from kinegraph.graph.model import GUESS, LabelSpan
from kinegraph.motion.clip import Motion

RATE = 30.0
WORDS = {
    "walk": r"walk\w*|strid\w*",
    "run": r"run|runs|running|jog|jogs|jogging",
    "jump": r"jump\w*|hop|hops|hopping|leap\w*",
    "sit": r"sit|sits|sitting|seated",
    "crawl": r"crawl\w*",
    "climb": r"climb\w*|stairs?|ladder",
    "punch": r"punch\w*|boxing",
    "kick": r"kick|kicks|kicking",
    "backward": r"backwards?|bkwd|bwk",
    "sideways": r"sideways?|sidesteps?",
    "dance": r"danc\w*|breakdance|salsa|charleston|lindy|macarena|ballet|ballerina",
    "acrobatics": r"flips?|s[ou]mm?ersaults?|summersult|cartwheels?|hand ?stands?|hand ?springs?|backflips?",
}
KINDS = tuple(kind for kind in WORDS if kind != "acrobatics")
BARS = dict.fromkeys(("walk", "run", "jump"), 0.9) | dict.fromkeys(("sit", "crawl", "climb", "backward"), 0.8)
BARS |= dict.fromkeys(("punch", "kick"), 0.7)
# what a label is called in the descriptions
CALLED = {"other": "dance"}
# how much a frame of it counts
WEIGHTS = dict.fromkeys(("jump", "kick", "punch"), 4.0)
TURNS = ("turn_left", "turn_right")
# subjects that hold the recordings of another one again
AGAIN = {105: 91, 122: 83, 121: 90, 139: 77, 106: 141, 63: 64, 102: 78, 84: 74, 117: 85, 123: 70, 73: 70, 103: 93}
# subjects whose clips were looked at while labels and walks were made; 144, with which the finder of strikes was made, is held out here
SEEN = {2, 7, 8, 9, 16, 17, 35, 49, 69, 86, 91, 104, 111, 127, 135, 143}
# subjects of odd number that other benchmarks hold out; and 61, who dances with 60
UNSEEN = {39, 45, 61, 113, 137}
HALVES = ("tuned", "held")


@dataclass(frozen=True)
class Judged:
    """A clip: what it is said to show, what was found, and what finding it took."""

    name: str
    said: str
    found: str
    seconds: float
    took: float
    confidence: float


def half_of(subject: int) -> str:
    """The half to which a subject belongs."""
    held = subject in UNSEEN or (subject % 2 == 0 and subject not in SEEN)
    return "held" if held else "tuned"


def kinds_in(description: str) -> set[str]:
    """The kinds that a description names.

    >>> kinds_in("CasualQuickWalk"), kinds_in("Walk Backwards Crouched"), sorted(kinds_in("Run Jump Over"))
    ({'walk'}, {'backward'}, ['jump', 'run'])
    """
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", description)
    text = re.sub(r"side[ -]step", "sidestep", re.sub(r"[_\d]+", " ", text).lower())
    found = {kind for kind, words in WORDS.items() if re.search(rf"\b(?:{words})\b", text)}
    going = found & {"backward", "sideways"}
    if going and re.search(r"\bforward", text):
        return found | {"walk"}
    return found - {"walk"} if len(going) == 1 else found


def said_by(index: Path) -> tuple[dict[str, str], Counter[str]]:
    """Clip → the one kind that its description names; and how many descriptions do not count, by reason."""
    said: dict[str, str] = {}
    passed: Counter[str] = Counter()
    for line in index.read_text(encoding="utf-8").splitlines():
        if not (row := re.fullmatch(r"(\d+)_(\d+)\t(.*)", line.rstrip())):
            continue
        subject, description = int(row[1]), row[3]
        kinds = kinds_in(description)
        if subject in AGAIN:
            passed["the same recordings again"] += 1
        elif not kinds:
            passed["names none of the kinds"] += 1
        elif len(kinds) > 1 or kinds == {"acrobatics"}:
            passed["names several kinds, or acrobatics"] += 1
        elif re.search(r"subject [AB]\b", description):
            passed["two people"] += 1
        else:
            said[f"{row[1]}_{row[2]}"] = kinds.pop()
    return said, passed


def read(name: str, clips: Path | None, cache: Path | None) -> Motion | None:
    """A clip at `RATE`, from the cache or else from its file; None where there is neither."""
    kept = cache / f"{name}.npz" if cache else None
    if kept and kept.exists():
        return kg.load(kept)
    subject = int(name.split("_")[0])
    file = clips / f"{subject:03}" / f"{name}.bvh" if clips else None
    if file is None or not file.exists():
        return None
    try:
        motion = kg.load(file).resample(RATE)
    except KinegraphError as error:
        print(f"{name} cannot be read: {error}")
        return None
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez(kept, **arrays_of(motion))
    return motion


def shares(spans: Iterable[LabelSpan], frames: int) -> dict[str, float]:
    """Kind → for how much of the clip it was found, by the rule above."""
    held: dict[str, np.ndarray] = {}
    for span in spans:
        if span.label not in TURNS:
            held.setdefault(span.label, np.zeros(frames, bool))[span.first : span.last] = True
    ways = np.any([held[way] for way in ("backward", "sideways") if way in held] or [np.zeros(frames, bool)], axis=0)
    for gait in ("walk", "run"):
        if gait in held:
            held[gait] = held[gait] & ~ways
    return {CALLED.get(k, k): float(v.sum()) * WEIGHTS.get(k, 1.0) / frames for k, v in held.items() if v.any()}


def judge(name: str, said: str, motion: Motion) -> Judged:
    """What is found in a clip, and the time that takes beyond what building a graph computes anyway: poses and contacts."""
    down = contacts(motion)
    begun = time.process_time()
    spans = annotate(motion, down)
    took = time.process_time() - begun
    seen = shares(spans, len(motion))
    doing = {kind: share for kind, share in seen.items() if kind != "stand"}
    found = max(doing, key=lambda kind: doing[kind]) if doing else "stand"
    borne = [(span.last - span.first, span.confidence) for span in spans if CALLED.get(span.label, span.label) == found]
    confidence = sum(frames * sure for frames, sure in borne) / sum(frames for frames, _ in borne)
    return Judged(name, said, found, motion.seconds, took, confidence)


def rates(judged: Sequence[Judged], kind: str) -> tuple[float, float]:
    """Precision and recall of a kind; not a number where there is nothing to divide by."""
    right = sum(one.said == one.found == kind for one in judged)
    found, said = sum(one.found == kind for one in judged), sum(one.said == kind for one in judged)
    return right / found if found else float("nan"), right / said if said else float("nan")


def tables(half: str, judged: Sequence[Judged]) -> str:
    """Precision, recall and confusion as Markdown."""
    columns = [*KINDS, *sorted({one.found for one in judged} - set(KINDS))]
    counts = Counter((one.said, one.found) for one in judged)
    lines = [f"{half} half: {len(judged)} clips, {sum(one.seconds for one in judged) / 60:.0f} minutes", ""]
    lines += ["| said | clips | precision | recall | bar | " + " | ".join(f"→ {c}" for c in columns) + " |"]
    lines += ["|" + "---|" * (5 + len(columns))]
    for kind in KINDS:
        clips = sum(one.said == kind for one in judged)
        if not clips:
            continue
        precision, recall = rates(judged, kind)
        bar = f"{BARS[kind]:g}" if kind in BARS else ""
        cells = [str(counts[kind, column] or "") for column in columns]
        cells = [
            f"**{cell}**" if cell and column == kind else cell for cell, column in zip(cells, columns, strict=True)
        ]
        lines.append(f"| {kind} | {clips} | {precision:.2f} | {recall:.2f} | {bar} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Judge the clips and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clips", type=Path, help="folder with SSS/SS_NN.bvh")
    parser.add_argument("--index", type=Path, required=True, help="the list of descriptions")
    parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
    parser.add_argument("--cache", type=Path, help="folder that keeps what was read")
    parser.add_argument("--wrong", action="store_true", help="list what is wrong in the tuned half")
    given = parser.parse_args()
    said, passed = said_by(given.index)
    print(f"{len(said)} descriptions name one kind; left out: " + ", ".join(f"{n} {why}" for why, n in passed.items()))
    for half in HALVES if given.half == "both" else (given.half,):
        names = [name for name in said if half_of(int(name.split("_")[0])) == half]
        judged, absent = [], 0
        for name in names:
            if (motion := read(name, given.clips, given.cache)) is None:
                absent += 1
            else:
                judged.append(judge(name, said[name], motion))
        print(f"\n{tables(half, judged)}\n")
        cost = 1000 * sum(one.took for one in judged) / max(sum(one.seconds for one in judged), 1e-9)
        print(
            f"{absent} clips are absent. {cost:.2f} ms of processor time a second of motion, beyond poses and contacts."
        )
        for which, some in (
            ("sure", [one for one in judged if one.confidence >= GUESS]),
            ("guessed", [one for one in judged if one.confidence < GUESS]),
        ):
            right = sum(one.said == one.found for one in some)
            print(f"Of {len(some)} clips whose kind is {which}, {100 * right / max(len(some), 1):.0f} % are right.")
        if given.wrong and half == "tuned":
            for one in judged:
                if one.said != one.found:
                    print(f"  {one.name}: {one.said} found as {one.found}")


if __name__ == "__main__":
    main()
