"""Hostile files, thousands: whatever is done with one ends in a result or in a sentence, soon, and in bounded memory.

    python benchmarks/hostile.py [mog glb texts] [--every 1] [--first 0] [--only PATTERN] [--seconds 10] [--megabytes 1000]

Each is a good one with one thing changed (`tests/hostile/mogs.py`, `glbs.py`, `texts.py`), and goes through every command that takes such a
file and every route of the studio that takes or serves it (`commands.py`, `routes.py`); what is said of a graph or a space in Python is in
`trials.py`. They are tried in a process of its own, which is replaced where it hangs or dies. Exit 1 where one bites.
"""

from __future__ import annotations

import argparse
import gc
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
from tests.hostile.commands import Commands
from tests.hostile.goods import good
from tests.hostile.routes import Routes

# by how much a machine that is busy with other things may take longer, and how many things are done with a file
_BUSY, _THINGS = 6, 10
# bytes of addresses that a worker may have
_ROOM = 8_000_000_000

# what makes the files of a family
MAKES: dict[str, Callable[[], Iterator[Any]]] = {"mog": mogs.cases, "glb": glbs.cases, "texts": texts.cases}
GOOD = {"mog": ("both.mog",), "glb": ("hero.glb",), "texts": texts.FILES}


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


def timed(answers: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str, float]]:
    """The same, with seconds of the processor that each took."""
    begun = time.process_time()
    for name, answer in answers:
        yield name, answer, time.process_time() - begun
        begun = time.process_time()


def work(family: str) -> None:
    """Answer numbers on standard input."""
    # whatever a file asks for, the machine is not to run out of it
    resource.setrlimit(resource.RLIMIT_AS, (_ROOM, _ROOM))
    cases = list(MAKES[family]())
    with tempfile.TemporaryDirectory() as name:
        commands = Commands(Path(name))
        routes = Routes(commands)

        def answers(path: Path) -> Iterator[tuple[str, str, float]]:
            yield from timed(commands.answers(path))
            yield from timed(routes.answers(path))
            if family == "mog":
                yield from timed(trials.answers(path))

        # what is compiled on first use is no file's fault
        for file in GOOD[family]:
            (commands.given / file).write_bytes(good(file))
            list(answers(commands.given / file))
        for line in sys.stdin:
            told = list(answers(cases[int(line)].write(commands.given)))
            gc.collect()
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(json.dumps({"told": told, "megabytes": peak}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    # without any, argparse would look for the whole list of defaults among the choices
    parser.add_argument("families", nargs="*", metavar="|".join(MAKES))
    parser.add_argument("--every", type=int, default=1, help="only each Nth")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="", help="only those whose name matches")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of the processor that a command or a route may take"
    )
    parser.add_argument("--megabytes", type=float, default=1000.0, help="that a process may hold")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.families = given.families or list(MAKES)
    for family in set(given.families).difference(MAKES):
        parser.error(f"no family of files is called {family!r}: {', '.join(MAKES)}")
    if given.worker:
        work(given.families[0])
        return
    bites = sum([tried(family, given) for family in given.families])
    sys.exit(1 if bites else 0)


def tried(family: str, given: argparse.Namespace) -> int:
    """Try a family; how many bit."""
    cases: list[Any] = list(MAKES[family]())
    chosen = [n for n in range(given.first, len(cases), given.every) if re.search(given.only, cases[n].name)]
    kinds: Counter[str] = Counter()
    bites, slowest, largest, things = 0, 0.0, 0.0, 0
    worker, fresh = Worker(family), True
    for number in chosen:
        case = cases[number].name
        # the first one waits for what is imported and compiled
        told = worker.ask(number, _BUSY * _THINGS * given.seconds + (900 if fresh else 0))
        fresh = False
        if told is None:
            bites += 1
            print(f"HANGS  {case}", flush=True)
            worker.end()
            worker, fresh = Worker(family), True
            continue
        largest, things = max(largest, told["megabytes"]), max(things, len(told["told"]))
        for name, answer, seconds in told["told"]:
            kinds[answer.split(":")[0]] += 1
            slowest = max(slowest, seconds)
            if answer.startswith("fault") or seconds > given.seconds:
                bites += 1
                print(
                    f"{'FAULT' if seconds <= given.seconds else 'SLOW'}  {case}  {name}: {seconds:.1f} s, {answer[:200]}",
                    flush=True,
                )
        if told["megabytes"] > given.megabytes:
            bites += 1
            print(f"LARGE  {case}  {told['megabytes']:.0f} MB", flush=True)
            worker.end()
            worker, fresh = Worker(family), True
    worker.end()
    print(
        f"{family}: {len(chosen)} files of {len(cases)}, up to {things} things done with each; {dict(kinds)}; "
        f"slowest {slowest:.2f} s, most {largest:.0f} MB; {bites} bite",
        flush=True,
    )
    return bites


if __name__ == "__main__":
    main()
