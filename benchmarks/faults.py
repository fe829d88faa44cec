"""Disks that are full or broken, and memory that ends, at every write of a build and of a studio's job.

    python benchmarks/faults.py [--work build job] [--kinds ENOSPC EIO EINTR ENOMEM memory] [--every 1]

After each fault the file is right or absent, and after the next, undisturbed run it is right and nothing else is left. ENOSPC and EIO come
once, and to stay; EINTR once; ENOMEM: from that write on there is no more memory than there was (RLIMIT_AS); memory: so much from the
beginning, in 24 steps from 0.25 MB. Exit 1 where something is wrong. Needs a C compiler, and Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", nargs="+", default=["build", "job"], choices=["build", "job"])
    parser.add_argument("--kinds", nargs="+", default=["ENOSPC", "EIO", "EINTR", "ENOMEM", "memory"])
    parser.add_argument("--every", type=int, default=1, help="only each Nth write")
    given = parser.parse_args()
    bites = 0
    with tempfile.TemporaryDirectory() as place:
        library = Path(place) / "shim.so"
        source = ROOT / "tests" / "hostile" / "shim.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        for work in given.work:
            for kind in given.kinds:
                words = [str(library), place, work, str(given.every), kind]
                process = subprocess.Popen(
                    [sys.executable, "-W", "ignore", "-m", "tests.hostile.faults", *words],
                    cwd=ROOT,
                    env=os.environ | {"LD_PRELOAD": str(library)},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                )
                assert process.stdout is not None
                lines = [json.loads(line) for line in process.stdout]
                code = process.wait()
                trials = [line for line in lines if "fault" in line]
                told = Counter(one["told"].split(":")[0] for one in trials)
                wrong = [one for one in trials if one["wrong"]]
                bites += len(wrong) + (code != 0 or not trials)
                writes = lines[0]["writes"] if lines else "?"
                print(
                    f"{work}, {kind}: {writes} writes, {len(trials)} faults, {dict(told)}; {len(wrong)} wrong, exit {code}"
                )
                for one in wrong:
                    print(f"  {one['fault']}: {'; '.join(one['wrong'])[:600]}", flush=True)
    sys.exit(1 if bites else 0)


if __name__ == "__main__":
    main()
