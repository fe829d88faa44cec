"""How well people on tracks are where their tracks are, in time: public tracks, at walking speed and at all speeds.

    python benchmarks/dumping.py --graph G.mog FILE ...

FILE: anything that `kinegraph dump` reads, or ETH's and UCY's obsmat.txt (frame, id, x, z, y, velocities), given as FPS:FILE.
At walking speed means: over every second of the track at least 0.6 m/s, never faster than the clips, and no change of speed that is
beyond anybody (5 m/s²), as where somebody was annotated late and caught up with in the next frame; how many have one is told.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import kinegraph as kg
from kinegraph.crowds.dumping import HARDEST, dump, fastest_of
from kinegraph.crowds.tracks import Trajectory, read_tracks
from kinegraph.evaluation import evaluate

SLOWEST = 0.6
MEAN, MOST = 0.10, 0.40


def tracks_of(given: str) -> list[Trajectory]:
    """The tracks of a file."""
    fps, _, name = given.rpartition(":")
    if not Path(name).name.endswith((".obsmat", "obsmat.txt")):
        return list(read_tracks(name, fps=float(fps) if fps else None).people)
    rows = np.loadtxt(name)
    found = []
    for person in np.unique(rows[:, 1]):
        own = rows[rows[:, 1] == person]
        own = own[np.unique(own[:, 0], return_index=True)[1]]
        if len(own) > 2:
            found.append(Trajectory(f"{person:g}", own[:, 0] / float(fps), own[:, [2, 4]] * [1, -1]))
    return found


def slowest(track: Trajectory) -> float:
    """m/s over the slowest second."""
    times = np.arange(track.times[0], track.times[-1], 0.25)
    if len(times) < 5:
        return 0.0
    places = track.at(times)
    return float(np.hypot(*(places[4:] - places[:-4]).T).min())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--graph", required=True)
    given = parser.parse_args()
    graph = kg.graph.load(given.graph)
    fastest = 1.15 * fastest_of(graph)
    print(
        f"{'tracks':34} {'people':>6} {'mean cm':>8} {'p95 cm':>7} {'max cm':>7} {'> 40 cm':>8} {'slide mm':>9} {'us/frame':>9}"
    )
    walking: list[np.ndarray] = []
    left_out = 0
    for name in given.files:
        tracks = tracks_of(name)
        steady = [track for track in tracks if slowest(track) >= SLOWEST and track.fastest <= fastest]
        left_out += sum(track.hardest[0] > HARDEST for track in steady)
        steady = [track for track in steady if track.hardest[0] <= HARDEST]
        for kind, some in (("walking", steady), ("all", tracks)):
            if not some:
                continue
            begun = time.process_time()
            made = dump(graph, some)
            cost = time.process_time() - begun
            every = np.concatenate(made.misses)
            worst = np.array([miss.max() for miss in made.misses])
            found = [evaluate(motion).slide_mm for motion in made.motions[:: max(1, len(made.motions) // 8)]]
            slide = max(mm.mean for mm in found if mm is not None)
            print(
                f"{Path(name).stem[-25:] + ' ' + kind:34} {len(some):6d} {100 * every.mean():8.1f} {100 * np.percentile(every, 95):7.1f} "
                f"{100 * worst.max():7.0f} {np.sum(worst > MOST):8d} {slide:9.2f} {1e6 * cost / len(every):9.1f}"
            )
            if kind == "walking":
                walking += made.misses
    every, worst = np.concatenate(walking), np.array([miss.max() for miss in walking])
    print(
        f"at walking speed, {len(walking)} people: mean {100 * every.mean():.1f} cm (bar {100 * MEAN:.0f}), "
        f"max {100 * worst.max():.0f} cm (bar {100 * MOST:.0f}), {np.sum(worst > MOST)} above it; "
        f"{left_out} were left out for a jolt"
    )


if __name__ == "__main__":
    main()
