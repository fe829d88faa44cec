"""Throw damaged files at the readers: each must give a motion or a `KinegraphError`, soon and in little memory.

    python -m tests.fuzz.fuzz_readers bvh 100000 --seed 1 --keep faults

The same seed gives the same files. Whatever faults is saved, with what was raised.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import kinegraph
from kinegraph import KinegraphError
from kinegraph.motion import Motion, Skeleton
from tests.fuzz import mutate

CORPUS = Path(__file__).with_name("corpus")
KINDS = ("bvh", "acclaim", "npz")
SLOW_SECONDS = 2.0
LEAP_MEGABYTES = 256.0

# files of one input, by name; the last is the one to load
Files = dict[str, bytes]


@dataclass
class Report:
    """What became of the inputs."""

    loaded: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0
    messages: Counter[str] = field(default_factory=Counter)

    @property
    def inputs(self) -> int:
        return self.loaded + self.refused + len(self.faults)


def inputs(kind: str, count: int, seed: int) -> Iterator[Files]:
    """``count`` inputs of a kind: four damaged ones of the corpus for every one made up from the grammar."""
    draw = random.Random(f"{kind} {seed}")
    make = {"bvh": _bvh_inputs, "acclaim": _acclaim_inputs, "npz": _npz_inputs}[kind](draw)
    for _ in range(count):
        yield next(make)


def _bvh_inputs(draw: random.Random) -> Iterator[Files]:
    seeds = [path.read_bytes() for path in sorted(CORPUS.glob("*.bvh"))]
    while True:
        data = mutate.made_up_bvh(draw) if draw.random() < 0.2 else mutate.damaged(draw.choice(seeds), seeds, draw)
        yield {"x.bvh": data}


def _acclaim_inputs(draw: random.Random) -> Iterator[Files]:
    clips = sorted(CORPUS.glob("*.amc.txt"))
    seeds = [(path.with_name(path.name.replace(".amc", ".asf")).read_bytes(), path.read_bytes()) for path in clips]
    skeletons, motions = [seed[0] for seed in seeds], [seed[1] for seed in seeds]
    while True:
        skeleton, motion = mutate.made_up_acclaim(draw) if draw.random() < 0.2 else draw.choice(seeds)
        which = draw.random()
        if which < 0.5:
            motion = mutate.damaged(motion, motions, draw)
        elif which < 0.95:
            skeleton = mutate.damaged(skeleton, skeletons, draw)
        yield {"x.asf": skeleton, "x.amc": motion}


def _npz_inputs(draw: random.Random) -> Iterator[Files]:
    body = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.ones((3, 3)), np.array([2]), np.ones((1, 3)))
    motion = Motion(body, np.zeros((4, 3)), np.tile([1.0, 0, 0, 0], (4, 3, 1)), 30.0)
    with tempfile.TemporaryDirectory() as folder:
        kinegraph.save(motion, Path(folder) / "a.npz")
        plain = (Path(folder) / "a.npz").read_bytes()
    with np.load(io.BytesIO(plain)) as archive:
        arrays = dict(archive)
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)
    seeds = [plain, packed.getvalue()]
    odd = [
        np.zeros(0),
        np.array(3),
        np.array("x"),
        np.full((4, 3), np.nan),
        np.ones((4, 3, 4)) / 2,
        np.zeros((4, 3), "M8[s]"),
    ]
    odd += [
        np.array([-1, 5, 1]),
        np.array([255, 0, 0], np.uint8),
        np.full((4, 3), 1e300),
        np.ones((3, 3), complex),
        np.array('{"hips": 9}'),
        np.array("[1"),
    ]
    while True:
        if draw.random() < 0.6:
            yield {"x.npz": mutate.damaged(draw.choice(seeds), seeds, draw)}
            continue
        changed = dict(arrays)
        for name in draw.sample(sorted(changed), draw.randint(1, 2)):
            what = draw.random()
            if what < 0.1:
                del changed[name]
            elif what < 0.5:
                changed[name] = draw.choice([*odd, *arrays.values()])
            elif changed[name].dtype.kind == "f":
                changed[name] = _poked(changed[name], draw)
        members = {name: io.BytesIO() for name in changed}
        for name, stream in members.items():
            np.save(stream, changed[name])
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive_out:
            for name, stream in members.items():
                data = stream.getvalue()
                data = mutate.damaged(data, [data], draw) if draw.random() < 0.2 else data
                archive_out.writestr(f"{name}.npy", data)
        yield {"x.npz": out.getvalue()}


def _poked(array: np.ndarray, draw: random.Random) -> np.ndarray:
    """The array with one value, or its type, changed."""
    if draw.random() < 0.3:
        return array.astype(draw.choice((np.float32, np.float16, np.int32, ">f8")))
    out = array.copy()
    out.reshape(-1)[draw.randrange(out.size)] = draw.choice(
        (0.0, -0.0, 1.0, 1.001, -3.5, 1e-320, 1e9, 1e300, np.inf, np.nan)
    )
    return out


def run(kind: str, count: int, seed: int, keep: Path | None = None) -> Report:
    """Load ``count`` inputs; the faults are in the report, and their files under ``keep``."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, files in enumerate(inputs(kind, count, seed)):
            fault = _try(files, Path(folder), report)
            if fault:
                report.faults.append(f"{kind} input {number} of seed {seed}: {fault}")
                if keep is not None:
                    _save(files, fault, keep / f"{kind}-{seed}-{number}")
    return report


def _try(files: Files, folder: Path, report: Report) -> str:
    """Load one input; returns what is wrong with how it went, or nothing."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    before, begin = _peak_megabytes(), time.perf_counter()
    fault, outcome = "", "loaded"
    try:
        motion = kinegraph.load(folder / list(files)[-1])
        if not np.isfinite(motion.positions).all():
            fault = "loaded, but some positions are not finite"
    except KinegraphError as error:
        outcome = "refused"
        report.messages[type(error).__name__ + ": " + str(error).rpartition(folder.name)[2][:60]] += 1
    except Exception:
        fault = traceback.format_exc()
    seconds, leap = time.perf_counter() - begin, _peak_megabytes() - before
    report.slowest = max(report.slowest, seconds)
    if not fault and seconds > SLOW_SECONDS:
        fault = f"took {seconds:.1f} s"
    if not fault and leap > LEAP_MEGABYTES:
        fault = f"took {leap:.0f} MB"
    if not fault:
        setattr(report, outcome, getattr(report, outcome) + 1)
    return fault


def _peak_megabytes() -> float:
    # kilobytes on Linux, bytes on macOS
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _save(files: Files, fault: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "fault.txt").write_text(fault)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="folder for inputs that fault")
    arguments = parser.parse_args()
    begin, before = time.perf_counter(), _peak_megabytes()
    report = run(arguments.kind, arguments.count, arguments.seed, arguments.keep)
    seconds, growth = time.perf_counter() - begin, _peak_megabytes() - before
    print(
        f"{arguments.kind}: {report.inputs} inputs in {seconds:.0f} s, {report.loaded} loaded, {report.refused} refused, "
        f"{len(report.faults)} faults; slowest {report.slowest:.2f} s, memory grew by {growth:.0f} MB"
    )
    last_lines = Counter(fault.strip().splitlines()[-1][:150] for fault in report.faults)
    for line, times in last_lines.most_common(20):
        print(f"{times:6} × {line}")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
