"""The distance written out, slow on purpose: explicit points, Kovar's closed form, a search of eight neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.motion import FloorTransform, Motion
from kinegraph.similarity.clouds import Cloud, cloud, cloud_matrix, mass_weights
from kinegraph.similarity.windows import taper

Place = tuple[int, int]


def cloud_of(motion: Motion, along: int = 0) -> Cloud:
    """The cloud of a clip with weights from body mass."""
    return cloud(motion, cloud_matrix(motion.skeleton, mass_weights(motion.skeleton), along))


def explicit_points(motion: Motion, along: int = 0) -> tuple[Array, Array]:
    """Points ``(F, P, 3)`` and their weights ``(P,)``: all joints, and ``along`` points on every bone.

    A joint's weight is shared among itself and the points on its bones, in proportion to how near they are to it.

    """
    positions, skeleton = motion.positions, motion.skeleton
    weights = mass_weights(skeleton)
    points, shares = [positions[:, joint] for joint in range(len(skeleton))], weights.tolist()
    bones = [(int(parent), joint) for joint, parent in enumerate(skeleton.parents) if parent >= 0]
    for parent, joint in bones:
        for step in range(1, along + 1):
            t = step / (along + 1)
            points.append((1 - t) * positions[:, parent] + t * positions[:, joint])
            share = 0.0
            for end, near in ((parent, 1 - t), (joint, t)):
                share += near * weights[end] / sum(end in bone for bone in bones)
            shares.append(share)
    return np.stack(points, axis=1), np.array(shares) / sum(shares)


def apart(a: Array, b: Array, weights: Array, transform: FloorTransform) -> float:
    """Weighted root mean square distance of points ``(n, 3)`` from those of ``b`` after the transform."""
    gaps = a - transform.apply(b)
    return float(np.sqrt(np.sum(weights * np.sum(gaps * gaps, axis=-1)) / np.sum(weights)))


def kovar(a: Array, b: Array, weights: Array) -> tuple[float, FloorTransform]:
    """The least distance of points ``(n, 3)`` under turns and shifts of ``b`` on the floor (Kovar 2002), and what attains it."""
    total = weights.sum()
    # about the first point, where the sums lose no digits; undone at the end
    shift_a, shift_b = a[0] * [1, 0, 1], b[0] * [1, 0, 1]
    x, _, z = (a - shift_a).T
    u, _, w = (b - shift_b).T
    sx, sz, su, sw = (float(np.sum(weights * v)) for v in (x, z, u, w))
    above = np.sum(weights * (x * w - u * z)) - (sx * sw - su * sz) / total
    below = np.sum(weights * (x * u + z * w)) - (sx * su + sz * sw) / total
    angle = float(np.arctan2(above, below))
    cosine, sine = np.cos(angle), np.sin(angle)
    inner = FloorTransform(angle, (sx - su * cosine - sw * sine) / total, (sz + su * sine - sw * cosine) / total)
    to_a = FloorTransform(0.0, float(shift_a[0]), float(shift_a[2]))
    from_b = FloorTransform(0.0, -float(shift_b[0]), -float(shift_b[2]))
    return apart(a - shift_a, b - shift_b, weights, inner), to_a @ inner @ from_b


def window_points(points: Array, shares: Array, start: int, window: int) -> tuple[Array, Array]:
    """All points ``(n, 3)`` of a window with what each of them weighs ``(n,)``."""
    weights = taper(window)[:, None] * shares
    return points[start : start + window].reshape(-1, 3), weights.ravel()


def direct(a: Motion, i: int, b: Motion, j: int, window: int, along: int = 0) -> tuple[float, FloorTransform]:
    """Kovar's distance of two windows, and the transform that lays B's on A's."""
    points_a, shares = explicit_points(a, along)
    points_b, _ = explicit_points(b, along)
    first, weights = window_points(points_a, shares, i, window)
    second, _ = window_points(points_b, shares, j, window)
    return kovar(first, second, weights)


@dataclass(frozen=True)
class Found:
    """Minima by brute force: those that surely are, and those that rounding may decide either way."""

    sure: set[Place]
    perhaps: set[Place]


def present(cloud: Cloud, window: int) -> NDArray[np.bool_]:
    """``(n,)``: which windows hold sound frames only."""
    return np.array([cloud.sound[n : n + window].all() for n in range(len(cloud) - window + 1)], bool)


def brute_force(distance: Array, limit: float, window: int, *, same: bool = False, noise: float = 1e-12) -> Found:
    """The places of ``distance`` (infinite where there is no window) with no lower neighbour, not above the limit.

    noise: of a squared distance; places that are so near to equal are decided by the rule for ties (`by_rule`), or by rounding.
    """
    rows, columns = distance.shape
    squares = np.full((rows + 2, columns + 2), np.inf)
    squares[1:-1, 1:-1] = distance**2
    here = squares[1:-1, 1:-1]
    maybe = np.isfinite(here) & (here <= limit * limit + noise)
    surely = np.isfinite(here) & (here <= limit * limit - noise)
    with np.errstate(invalid="ignore"):
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if di or dj:
                    near = squares[1 + di : 1 + di + rows, 1 + dj : 1 + dj + columns]
                    maybe &= ~(near < here - noise)
                    surely &= ~(near <= here + noise)
    if same:
        late = np.subtract.outer(-np.arange(rows), -np.arange(columns)) >= window
        maybe &= late
        surely &= late
    sure = {(int(i), int(j)) for i, j in np.argwhere(surely)}
    return Found(sure, {(int(i), int(j)) for i, j in np.argwhere(maybe)} - sure)


def by_rule(distance: Array, limit: float, window: int, *, same: bool = False) -> set[Place]:
    """The minima of ``distance`` with its ties decided, place by place.

    Squares are rounded to steps of 2⁻⁴⁰ m², so that what is equal in truth is equal in numbers. Of equal neighbours the first in A, then in
    B, counts; but every half window of A, a place counts again though the one before it along the diagonal is its equal.
    """
    squares = np.rint(distance**2 * 2.0**40)
    rows, columns = squares.shape
    found = set()
    for i, j in np.argwhere(distance <= limit).tolist():
        if same and j - i < window:
            continue
        for m in range(max(i - 1, 0), min(i + 2, rows)):
            for n in range(max(j - 1, 0), min(j + 2, columns)):
                again = i % max(1, window // 2) == 0 and (m, n) == (i - 1, j - 1)
                earlier = (m, n) < (i, j) and not again
                if squares[m, n] < squares[i, j] or (earlier and squares[m, n] == squares[i, j]):
                    break
            else:
                continue
            break
        else:
            found.add((i, j))
    return found
