"""How fast files become motions, against the plain loop ``[float(x) for x in line.split()]`` over the same file.

    python benchmarks/reading.py [--clips FOLDER]

With a folder of real clips (``bvh/144_06.bvh`` and ``acclaim/135/135_11.amc`` below it) those are repeated to at least 13,000
frames; without, a built-in walk is. Both contenders run in turn, and the best of several rounds counts, because machines are noisy.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kinegraph import formats, samples

FRAMES = 13_000
ROUNDS = 7


def plain_loop(path: Path) -> int:
    """Every number of the motion part as a Python float; returns the count so that nothing is optimised away."""
    names = 1 if path.suffix == ".amc" else 0  # the bone's name, before its numbers
    count = 0
    with path.open() as lines:
        for line in lines:
            if line.startswith((":DEGREES", "Frame Time")):
                break
        for line in lines:
            count += len([float(x) for x in line.split()[names:]])
    return count


def seconds(work: Callable[[Path], object], path: Path) -> float:
    start = time.perf_counter()
    work(path)
    return time.perf_counter() - start


def long_bvh(source: Path, target: Path) -> int:
    text = source.read_bytes()
    header = re.search(rb"Frames:\s*(\d+)\s*Frame Time:[^\n]*\n", text)
    assert header is not None
    body = text[header.end() :]
    times = -(-FRAMES // int(header[1]))
    frames = times * int(header[1])
    target.write_bytes(text[: header.start()] + b"Frames: %d\nFrame Time: .0083333\n" % frames + body * times)
    return frames


def long_amc(source: Path, target: Path) -> int:
    text = source.read_bytes()
    start = re.search(rb"^1\r?\n", text, re.MULTILINE)
    assert start is not None
    body = text[start.start() :]
    count = len(re.findall(rb"^\d+\r?$", body, re.MULTILINE))
    times = -(-FRAMES // count)
    target.write_bytes(text[: start.start()] + body * times)
    skeleton = next(source.parent.glob("*.asf"))
    target.with_suffix(".asf").write_bytes(skeleton.read_bytes())
    return times * count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, help="folder of CMU clips")
    clips = parser.parse_args().clips
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if clips:
            bvh, amc = clips / "bvh" / "144_06.bvh", clips / "acclaim" / "135" / "135_11.amc"
        else:
            bvh, amc = folder / "walk.bvh", folder / "walk.amc"
            for path in (bvh, amc):
                formats.save(samples.make("walk").motion, path)
        print(
            f"{'file':<8}{'frames':>8}{'joints':>8}{'plain frames/s':>18}{'kinegraph frames/s':>22}{'ratio':>8}{'bar':>6}"
        )
        for kind, source, lengthen, bar in (("BVH", bvh, long_bvh, 3), ("AMC", amc, long_amc, 4)):
            long = folder / f"long{source.suffix}"
            frames = lengthen(source, long)
            joints = len(formats.load(long).skeleton)
            rounds = [(seconds(plain_loop, long), seconds(formats.load, long)) for _ in range(ROUNDS)]
            plain, ours = (min(times) for times in zip(*rounds, strict=True))
            row = f"{kind:<8}{frames:>8}{joints:>8}{frames / plain:>18,.0f}{frames / ours:>22,.0f}"
            print(f"{row}{plain / ours:>8.1f}{bar:>5}×")


if __name__ == "__main__":
    main()
