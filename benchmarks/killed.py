"""A build that is killed at any moment and started again gives the graph that an undisturbed one gives.

    python benchmarks/killed.py --clips FOLDER [--frames 60] [--times 20] [--seed 1]

Builds the graph of CMU's subject 16 (``acclaim/16``) at 60 Hz with mirror in a process of its own, kills it (SIGKILL) at a random moment,
starts the same command again, and compares the digests. Says how many pairs of clips each second run found done. With ``--frames`` the
clips are so many thousand frames of FOLDER at 30 Hz, drawn at random, and always the same: a large library, which several processes read.
With ``--by progress`` a build is killed when its draft holds a part of all pairs, evenly spread: each kill meets a build that compares.
"""

from __future__ import annotations

import argparse
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from scale import drawn

from kinegraph.graph.store.files import check, digest, load


def command(folder: Path, frames: float | None, output: Path) -> list[str]:
    if frames:
        clips, more = drawn(folder, 1000 * frames), []
    else:
        clips, more = sorted((folder / "acclaim" / "16").glob("*.amc")), ["--fps", "60", "--mirror"]
    return [sys.executable, "-m", "kinegraph", "build", *map(str, clips), "-o", str(output), *more]


def run(words: list[str], kill_after: float | None = None, kill_if: Callable[[], bool] | None = None) -> float:
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while kill_if and process.poll() is None and not kill_if():
            time.sleep(0.02)
        process.wait(0.0 if kill_if and process.poll() is None else kill_after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return time.perf_counter() - start


def pairs_done(output: Path) -> int:
    draft = Path(f"{output}.part")
    if not draft.exists():
        return 0
    with closing(sqlite3.connect(f"file:{draft}?mode=ro", uri=True)) as connection:
        try:
            # four bytes for each
            return int(connection.execute("SELECT coalesce(sum(length(a)), 0) / 4 FROM part").fetchone()[0])
        except sqlite3.Error:
            return 0


def drafted(output: Path) -> int:
    """Bytes of a build's draft or of its log, whichever has more: in the end the log is folded into the draft."""
    found = 0
    for one in (Path(f"{output}.part"), Path(f"{output}.part-wal")):
        with suppress(FileNotFoundError):
            found = max(found, one.stat().st_size)
    return found


def grown(output: Path, bytes_: float) -> bool:
    """Whether a build's draft holds so much."""
    return drafted(output) >= bytes_


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    parser.add_argument("--frames", type=float, help="thousands of frames, drawn from all clips")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--by", choices=["clock", "progress"], default="clock", help="what decides when it is killed")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    moments = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole.mog"
        sizes = [0]
        took = run(command(given.clips, given.frames, whole), kill_if=lambda: sizes.append(drafted(whole)) or False)
        size = max(sizes)
        wanted = digest(load(whole))
        print(f"undisturbed: {took:.1f} s, digest {wanted[:16]}…")
        equal = 0
        for number in range(given.times):
            output = Path(place) / f"{number}.mog"
            moment = moments.uniform(0, took)
            words = command(given.clips, given.frames, output)
            if given.by == "progress":
                share = (number + 0.5) / given.times
                moment = run(words, kill_if=partial(grown, output, share * size))
            else:
                run(words, moment)
            finished, done = output.exists(), pairs_done(output)
            run(words)
            same = digest(load(output)) == wanted and not check(output) and not Path(f"{output}.part").exists()
            equal += same
            state = "was finished" if finished else f"{done} pairs were done"
            print(f"  killed at {moment:5.2f} s, {state}; then: {'identical' if same else 'DIFFERENT'}")
            output.unlink()
        print(f"{equal} of {given.times} identical")
        sys.exit(equal != given.times)


if __name__ == "__main__":
    main()
