"""Ctrl-C at any moment of any command: one line, exit 130, nothing half-written.

    python benchmarks/stopped.py [--times 40] [--seed 1] [--only build]

Runs each command undisturbed, then again and again with an interrupt at a random moment, imports and the very end included. Whoever is
interrupted before Python listens to signals, or after all is done, ends without a word, as the system ends programs; while Python itself
starts, and finds the package, the words are Python's (`early`: some hundredths of a second, more on a busy machine). After a build that
was interrupted its draft may be there (`G.mog.part`), which the next one takes up; after that, and after builds that were killed, nothing
else is.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import kinegraph as kg

LINE = re.compile(r"error: stopped; nothing half-written was left\n?")
COMMANDS = {
    "info": "info walk.bvh",
    "convert": "convert walk.bvh out.glb",
    "build": "build walk.bvh stand.bvh run.bvh -o out.mog",
    "add": "add good.mog run.bvh -o out.mog",
    "walk": "walk good.mog --seconds 5 -o out.npz",
    "follow": "follow good.mog circle:2 -o out.npz --plot out.png",
    "crowd": "crowd good.mog circle:3 --seconds 2 -o out.npz",
    "space": "space build punches --kind punch -o out.mog",
    "render": "render walk.bvh -o out.gif --width 160 --height 120",
    "studio": "studio . --no-browser --port 0 --no-token",
}
_OUTPUTS = ("out.npz", "out.glb", "out.mog", "out.png", "out.gif")


def lay(folder: Path) -> None:
    for name in ("walk", "stand", "run"):
        kg.save(kg.samples.make(name).motion, folder / f"{name}.bvh")
    (folder / "punches").mkdir()
    for name in [name for name in kg.samples.names() if name.startswith("punch")]:
        kg.save(kg.samples.make(name).motion, folder / "punches" / f"{name}.bvh")
    kg.graph.build([kg.samples.make(name).motion for name in ("walk", "stand")], path=folder / "good.mog")


def run(words: str, folder: Path, after: float | None = None, how: int = signal.SIGINT) -> tuple[int, str, float]:
    """Its exit, what it said to the terminal, and seconds; after: when it is sent a signal."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "kinegraph", *words.split()],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # also where whoever runs this has switched Ctrl-C off
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        _, said = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.send_signal(how)
        _, said = process.communicate()
    return process.returncode, said, time.monotonic() - begun


def is_early(said: str) -> bool:
    """Whether it came before the first line of the command: nothing of kinegraph was there to hear it."""
    return said.endswith("KeyboardInterrupt\n") and "Traceback" in said and "in main\n" not in said


def wrong_with(code: int, said: str) -> str:
    """What is not as it should be; nothing where it was done before the interrupt."""
    last = said.rstrip("\n").rsplit("\n")[-1]
    if is_early(said):
        return ""
    if "Traceback" in said or "Error" in said:
        return said[-2000:]
    # Python itself ends by the signal where it was interrupted in the midst of code made of text: a shell tells that as 130, too
    if (code == -signal.SIGINT and not said) or code == 0:
        return ""
    if code not in (130, -signal.SIGINT):
        return f"exit {code}: {said[-300:]}"
    return "" if LINE.fullmatch(last) and len(LINE.findall(said)) == 1 else f"130, and said {said[-300:]!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=40, help="of all commands together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=list(COMMANDS), choices=list(COMMANDS))
    given = parser.parse_args()
    moments, bites, early = random.Random(given.seed), 0, 0
    with tempfile.TemporaryDirectory() as place:
        fresh = Path(place) / "fresh"
        fresh.mkdir()
        lay(fresh)
        for number, name in enumerate(given.only):
            words, codes = COMMANDS[name], Counter[int]()
            folder = Path(place) / name
            shutil.copytree(fresh, folder)
            before = {path.name for path in folder.rglob("*")}
            took = 4.0 if name == "studio" else run(words, folder)[2]
            for _ in range(given.times // len(given.only) + (number < given.times % len(given.only))):
                for output in _OUTPUTS:
                    (folder / output).unlink(missing_ok=True)
                moment = moments.uniform(0, 1.05 * took)
                code, said, _ = run(words, folder, moment)
                codes[code] += 1
                early += is_early(said)
                left = {path.name for path in folder.rglob("*")} - before - {*_OUTPUTS, "out.mog.part"}
                wrong = wrong_with(code, said)
                if left and name != "studio":
                    wrong += f" left: {sorted(left)}"
                if wrong:
                    bites += 1
                    print(f"  {name} at {moment:.2f} s: {wrong}", flush=True)
            if name in ("build", "add"):
                run(words, folder, moments.uniform(0.5, 1.0) * took, signal.SIGKILL)
                run(words, folder)
                left = {path.name for path in folder.rglob("*")} - before - set(_OUTPUTS)
                if left:
                    bites += 1
                    print(f"  {name}: the next one has left {sorted(left)}", flush=True)
            print(f"{name}: {took:.1f} s undisturbed; exits {dict(codes)}", flush=True)
    print(f"{bites} bite; {early} came while Python started")
    sys.exit(1 if bites else 0)


if __name__ == "__main__":
    main()
