"""A build on a local Dask cluster of one worker and of two: the same graph, and how much faster.

    python benchmarks/cluster.py --clips FOLDER [--frames 60]

Workers are processes of one thread each on this machine. The clock of a machine that others use says little, so besides it stands the time
of the processor that the busiest worker took: what the clock would say of comparing if every worker had a processor to itself.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from distributed import Client, LocalCluster
from scale import drawn

from kinegraph.graph.making.builder import build
from kinegraph.graph.store.digests import digest


def timed(clips: list[Path], **options: str) -> tuple[str, float]:
    """The digest of a build, and the seconds on the clock that comparing took."""
    begun: dict[str, float] = {}
    graph = build(clips, watch=lambda stage, *_: begun.setdefault(stage, time.perf_counter()), **options)
    return digest(graph), begun["choose"] - begun["prepare"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of clips")
    parser.add_argument("--frames", type=float, default=60, help="thousands of frames")
    given = parser.parse_args()
    clips = drawn(given.clips, 1000 * given.frames)
    wanted, clock = timed(clips)
    print(f"{len(clips)} clips; without a cluster: {clock:.1f} s from prepared to compared, digest {wanted[:16]}…")
    first = None
    for workers in (1, 2):
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as local,
            Client(local, set_as_default=False) as client,
        ):
            # compiled code is loaded
            build(clips[:2], scheduler=local.scheduler_address)
            before = client.run(time.process_time)
            found, clock = timed(clips, scheduler=local.scheduler_address)
            spent = [after - before[one] for one, after in client.run(time.process_time).items()]
        first = first or max(spent)
        print(
            f"  {workers} worker(s): {clock:.1f} s, busiest worker {max(spent):.1f} CPU s ({first / max(spent):.2f} times less than one), "
            f"all {sum(spent):.1f}; {'identical' if found == wanted else 'DIFFERENT'}"
        )


if __name__ == "__main__":
    main()
