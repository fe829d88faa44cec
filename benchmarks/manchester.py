"""The motion graph of the Manchester dissertation of 2019 (ch. 4.3 to 4.6, 5.1.2), with its own metric: its figures beside ours.

    python benchmarks/manchester.py --clips FOLDER

FOLDER holds CMU clips: the labelled clips in ``labeled/`` and the skeleton ``acclaim/16/16.asf``, on which all of them are played; and
for the two pairs of its section 5.1.1 the subjects 127 and 05 in ``acclaim/``, each on its own skeleton.

Its metric is not ours. A cloud holds the points of every bone, the root's place on the floor is left out and its turn is kept: nothing is
aligned. Two poses differ by the sum of the *fourth* powers of their points' distances, two moments by the sum over the 81 frames around
them. A vertex is a clip, and each local minimum of two clips' distances makes two edges, one a direction.
"""

from __future__ import annotations

import argparse
import time
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.formats import asf
from kinegraph.formats.acclaim import AcclaimSkeleton
from kinegraph.motion import rotation

CLIPS = (
    "run_stop_16_08",
    "walk_16_15",
    "duck_slow_127_31",
    "sneak_17_03",
    "jump_up_down_49_03",
    "jump_one_leg_49_03",
)
# Its metres per unit: 0.0254 / 0.45, cut short. Costs grow with the fourth power: one digit more, and the largest would be 20744.14.
SCALE = 0.056444
POINTS_PER_UNIT = 3
COPIES = 4  # of every point in its clouds
REACH = 40  # frames before and after a moment that belong to its window
ROUNDS = 3

# Costs nearer than this are a tie in its float32, and both of them minima.
TIE = float(np.finfo(np.float32).eps)

THEIRS = {
    "vertices": "6",
    "frames": "2,623",
    "edges": "380",
    "smallest cost": "18.92",
    "largest cost": "20743.55",
    "mean cost": "1834.15",
    "seconds": "336",
}

# Pairs of section 5.1.1: how many minima it tells of, its smallest cost and where that is, as far as it says.
PAIRS = (("127_13", "127_14", "1 minimum, 70.15"), ("05_01", "05_11", "2444.85 at (319, 277)"))


def bone_points(clip: Path, skeleton: AcclaimSkeleton, asf_file: Path) -> Array:
    """The cloud ``(F, P, 3)`` of every pose, over the origin of the floor.

    Each bone carries ``int(3 · length)`` points, from its near end on, the far end left out.
    """
    motion = kg.load(clip, skeleton=asf_file, units=SCALE, trim_tpose=False)
    near = motion.positions - motion.root[:, None] * [1.0, 0.0, 1.0]
    pieces = []
    for joint, bone in enumerate(skeleton.bones[1:], start=1):
        count = int(POINTS_PER_UNIT * bone.length)
        along = rotation.rotate(motion.orientations[:, joint], bone.end * SCALE)
        fractions = np.arange(count)[:, None] / max(count, 1)
        pieces.append(near[:, joint, None] + along[:, None] * fractions)
    return np.concatenate(pieces, axis=1)


def pose_distances(a: Array, b: Array) -> Array:
    """Sums of ``|a − b|⁴`` over the points of clouds ``(n_a, P, 3)`` and ``(n_b, P, 3)``, for every pair of frames ``(n_a, n_b)``.

    With α = |a|² and β = |b|², ``|a − b|⁴ = (α + β − 2 a·b)² = α² + β² + 2αβ + 4 (a·b)² − 4 α (a·b) − 4 β (a·b)``, and
    ``(a·b)² = (a aᵀ) : (b bᵀ)``: every term is a function of a times a function of b, so the whole is a matrix product.
    """
    alpha, beta = (np.square(cloud).sum(axis=-1, keepdims=True) for cloud in (a, b))
    left = np.concatenate([2 * alpha, 4 * squares(a), -4 * alpha * a, -4 * a], axis=-1)
    right = np.concatenate([beta, squares(b, 2.0), b, beta * b], axis=-1)
    mixed: Array = left.reshape(len(a), -1) @ right.reshape(len(b), -1).T
    total: Array = mixed + np.square(alpha).sum(axis=(1, 2))[:, None] + np.square(beta).sum(axis=(1, 2))
    return total


def squares(points: Array, twice: float = 1.0) -> Array:
    """The six different products ``(…, 6)`` of the coordinates of points ``(…, 3)``, the mixed ones, which occur twice, times ``twice``."""
    x, y, z = np.moveaxis(points, -1, 0)
    products: Array = np.stack([x * x, y * y, z * z, twice * x * y, twice * y * z, twice * z * x], axis=-1)
    return products


def window_sums(poses: Array, length: int) -> Array:
    """Sums of ``length`` neighbours along the diagonals of ``poses (n_a, n_b)``: ``(n_a − length + 1, n_b − length + 1)``."""
    n_a, n_b = poses.shape
    summed = np.zeros((n_a + 1, n_b + 1))
    for row in range(n_a):
        np.add(summed[row, :-1], poses[row], out=summed[row + 1, 1:])
    return summed[length:, length:] - summed[:-length, :-length]


def local_minima(costs: Array, tie: float) -> NDArray[np.bool_]:
    """Which entries have eight neighbours, none of them smaller by more than the share ``tie``."""
    least = np.zeros(costs.shape, bool)
    inner = costs[1:-1, 1:-1]
    rows, columns = inner.shape
    neighbours = np.full(inner.shape, np.inf)
    for down in range(3):
        for right in range(3):
            np.minimum(neighbours, costs[down : down + rows, right : right + columns], out=neighbours)
    least[1:-1, 1:-1] = inner * (1 - tie) <= neighbours
    return least


def edge_costs(clouds: list[Array]) -> tuple[Array, Array]:
    """Costs of all edges: those of exact minima, and those that pass for minima in float32."""
    exact, tied = [], []
    for a, b in combinations(clouds, 2):
        costs = COPIES * window_sums(pose_distances(a, b), 2 * REACH + 1)
        exact += 2 * [costs[local_minima(costs, 0.0)]]
        tied += 2 * [costs[local_minima(costs, TIE)]]
    return np.concatenate(exact), np.concatenate(tied)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=Path, required=True, help="folder of CMU clips")
    folder = parser.parse_args().clips
    asf_file = folder / "acclaim" / "16" / "16.asf"
    skeleton = asf.read(asf_file)
    clouds = [bone_points(folder / "labeled" / f"{name}.amc", skeleton, asf_file) for name in CLIPS]
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = edge_costs(clouds)
        times.append(time.perf_counter() - start)
    pairs = sum(len(a) * len(b) for a, b in combinations(clouds, 2))
    print(f"Manchester 2019, its metric: six clips at 120 Hz, window {2 * REACH + 1} frames, {pairs:,} pairs of frames")
    print(f"{'':<16}{'theirs':>12}{'ours, float64':>16}{'ties as in float32':>22}")
    columns = [table(clouds, costs, min(times)) for costs in found]
    for what, theirs in THEIRS.items():
        print(f"{what:<16}{theirs:>12}{columns[0][what]:>16}{columns[1][what]:>22}")
    print("\nPairs of section 5.1.1, smallest cost")
    for a, b, theirs in PAIRS:
        print(f"{f'{a} × {b}':<18}theirs: {theirs:<24}ours: {pair(folder, a, b)}")


def pair(folder: Path, *names: str) -> str:
    """Minima of two clips of one subject, the smallest and its frames at the middle of the window, counted from 0."""
    subject = folder / "acclaim" / names[0].partition("_")[0]
    asf_file = subject / f"{subject.name}.asf"
    skeleton = asf.read(asf_file)
    a, b = (bone_points(subject / f"{name}.amc", skeleton, asf_file) for name in names)
    costs = COPIES * window_sums(pose_distances(a, b), 2 * REACH + 1)
    least = local_minima(costs, 0.0)
    best = np.argwhere(least)[np.argmin(costs[least])]
    i, j = (best + REACH).tolist()
    return f"{least.sum()} {'minimum' if least.sum() == 1 else 'minima'}, {costs[least].min():.2f} at ({i}, {j})"


def table(clouds: list[Array], costs: Array, seconds: float) -> dict[str, str]:
    return {
        "vertices": f"{len(clouds)}",
        "frames": f"{sum(map(len, clouds)):,}",
        "edges": f"{len(costs)}",
        "smallest cost": f"{costs.min():.2f}",
        "largest cost": f"{costs.max():.2f}",
        "mean cost": f"{costs.mean():.2f}",
        "seconds": f"{seconds:.2f}",
    }


if __name__ == "__main__":
    main()
