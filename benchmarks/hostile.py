"""Hostile files, thousands: whatever is done with one ends in a result or in a sentence, soon, and in bounded memory.

    python benchmarks/hostile.py [mog | glb | texts] [--every 1] [--first 0] [--only PATTERN] [--seconds 10] [--megabytes 1000]

Every `.mog` is a good one with one value changed and its digest made right again (`tests/hostile/mogs.py`); what is done with each is in
`tests/hostile/trials.py`. Of GLB files both are in `tests/hostile/glbs.py`; of BVH, NPZ, SVG, TOML and JSON files in
`tests/hostile/texts.py`, where every command that takes one and the studio's routes are tried. They are tried
in a process of its own, which is replaced where it hangs or dies. Exit 1 where one bites.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import select
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.hostile import glbs, mogs, texts, trials

# by how much a machine that is busy with other things may take longer
_BUSY = 6


# what makes the files of a family
MAKES: dict[str, Callable[[], Iterator[Any]]] = {"mog": mogs.cases, "glb": glbs.cases, "texts": texts.cases}


class Worker:
    """A process that tries one file after the other, by number."""

    def __init__(self, family: str) -> None:
        command = [sys.executable, "-W", "ignore", __file__, family, "--worker"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, number: int, seconds: float) -> dict[str, Any] | None:
        """What became of it; None where it took too long, or took the process with it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def work(family: str) -> None:
    """Answer numbers on standard input."""
    cases = list(MAKES[family]())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / f"hostile.{family}"
        answers: Callable[[Path], Iterator[tuple[str, str]]]
        # what is compiled on first use is no file's fault
        if family == "texts":
            answers = texts.Trials(folder).answers
            for file in texts.FILES:
                (folder / file).write_bytes(texts.good(file))
                list(answers(folder / file))
        else:
            answers = glbs.answers if family == "glb" else trials.answers
            path.write_bytes(glbs.good() if family == "glb" else mogs.good())
            list(answers(path))
        for line in sys.stdin:
            case = cases[int(line)]
            written = case.write(folder) if family == "texts" else case.write(path) or path
            start = time.process_time()
            told = list(answers(written))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(json.dumps({"told": told, "seconds": time.process_time() - start, "megabytes": peak}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", nargs="?", default="mog", choices=list(MAKES))
    parser.add_argument("--every", type=int, default=1, help="only each Nth")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="", help="only those whose name matches")
    parser.add_argument("--seconds", type=float, default=10.0, help="of the processor that a file may take")
    parser.add_argument("--megabytes", type=float, default=1000.0, help="that a process may hold")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        work(given.family)
        return
    cases: list[Any] = list(MAKES[given.family]())
    chosen = [n for n in range(given.first, len(cases), given.every) if re.search(given.only, cases[n].name)]
    kinds: Counter[str] = Counter()
    bites, slowest, largest = 0, 0.0, 0.0
    worker, fresh = Worker(given.family), True
    for number in chosen:
        # the first one waits for what is imported and compiled
        told = worker.ask(number, _BUSY * given.seconds + (600 if fresh else 0))
        fresh = False
        if told is None:
            bites += 1
            print(f"HANGS  {cases[number].name}")
            worker.end()
            worker, fresh = Worker(given.family), True
            continue
        kinds.update(answer.split(":")[0] for _, answer in told["told"])
        slowest, largest = max(slowest, told["seconds"]), max(largest, told["megabytes"])
        for name, answer in told["told"]:
            if answer.startswith("fault"):
                bites += 1
                print(f"FAULT  {cases[number].name}  {name}: {answer[:200]}", flush=True)
        if told["seconds"] > given.seconds or told["megabytes"] > given.megabytes:
            bites += 1
            print(f"LARGE  {cases[number].name}  {told['seconds']:.1f} s, {told['megabytes']:.0f} MB", flush=True)
            worker.end()
            worker, fresh = Worker(given.family), True
    worker.end()
    print(
        f"{len(chosen)} files of {len(cases)}; {dict(kinds)}; slowest {slowest:.2f} s, most {largest:.0f} MB; {bites} bite"
    )
    sys.exit(1 if bites else 0)


if __name__ == "__main__":
    main()
