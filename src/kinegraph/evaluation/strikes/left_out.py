"""Strikes that a space has not seen: how near it comes to what the performer really did (Chen 2007, section 5.3).

A strike is taken out, its target is asked for, and the answer is compared with it moment by moment. The baseline is what one would do
without a space: take the strike that hits nearest, and bring it onto the target by inverse kinematics. A space that finds its own strikes
too few or too unlike does the same: what it answers here was chosen without the strike that was left out. Other ways from a target to
weights are compared too, each brought onto the target like a blend: so the choice of the default is based on measurements.

All are compared at the same moments of the action. Strikes are aligned in time before any is taken out, so that no way gains by its
timing, and all begin from the feet of the same ready pose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.errors import SpaceError
from kinegraph.strikes.blend import Poses, poses
from kinegraph.strikes.choice import brought, error, nearest_to
from kinegraph.strikes.examples import Examples
from kinegraph.strikes.partial import partial
from kinegraph.strikes.solve import solve
from kinegraph.strikes.space import Space

OWN, BLEND, BASELINE, PARTIAL = "the space", "blend", "nearest + IK", "partial blending"

Way = Callable[[Space, Array], Poses | None]
"""From a space and a target, ``(2,)`` or ``(3,)``, to a strike; None if the way does not apply."""


@dataclass(frozen=True)
class Away:
    """How far answers are from real strikes: angles of joints, and path of the striking joint; over ``count`` strikes."""

    angle_deg: float
    path_cm: float
    count: int


@dataclass(frozen=True, eq=False)
class LeftOut:
    """K answers compared with the strikes that were left out."""

    how: str
    """How strikes were left out, in words."""
    dims: int
    """Coordinates of the targets."""
    which: tuple[int, ...]
    """``(K,)``: the example that each answer is compared with."""
    outside: Bools
    """``(K,)``: whether its target is outside the region of the remaining strikes."""
    errors: Mapping[str, Array]
    """For each way ``(K, 2)``, degrees and centimetres; NaN where the way does not apply."""

    def __len__(self) -> int:
        return len(self.which)

    def mean(self, way: str, among: Bools | None = None) -> Away | None:
        """The mean errors of one way, over all strikes or some of them, ``(K,)``; None if it applies to none."""
        errors = self.errors[way] if among is None else self.errors[way][among]
        known = errors[np.isfinite(errors).all(axis=1)]
        return Away(float(known[:, 0].mean()), float(known[:, 1].mean()), len(known)) if len(known) else None

    def lower(self, way: str = BLEND, than: str = BASELINE) -> tuple[float, float] | None:
        """How much smaller one way's errors are than another's, in angle and in path, as shares; over the strikes both apply to."""
        both: Bools = np.isfinite(np.concatenate([self.errors[way], self.errors[than]], axis=1)).all(axis=1)
        one, other = self.mean(way, both), self.mean(than, both)
        if one is None or other is None:
            return None
        return 1.0 - one.angle_deg / other.angle_deg, 1.0 - one.path_cm / other.path_cm


def leave_one_out(space: Space, dims: int = 2, ways: Mapping[str, Way] | None = None) -> LeftOut | None:
    """Every strike predicted by a space of all the others; None if these are too few to make a space.

    dims: 2 for targets across and up, 3 with the distance. ways: by default `WAYS`.
    """
    examples = space.examples
    pairs = ((lesser, index) for index in range(len(examples)) if (lesser := _space(examples.without(index))))
    return _compared("leave one out", examples, pairs, dims, ways)


def across_takes(space: Space, dims: int = 2, ways: Mapping[str, Way] | None = None) -> LeftOut | None:
    """The strikes of all other takes predicted by a space of a single take, for every take that makes a space; None if none does."""
    examples = space.examples
    return _compared("one take asked for the others'", examples, _take_by_take(examples), dims, ways)


def _take_by_take(examples: Examples) -> Iterator[tuple[Space, int]]:
    clips = [strike.clip for strike in examples.strikes]
    for clip in sorted(set(clips)):
        own = [index for index, name in enumerate(clips) if name == clip]
        lesser = None if len(own) == len(examples) else _space(examples.only(own))
        if lesser is not None:
            yield from ((lesser, index) for index in range(len(examples)) if clips[index] != clip)


def _space(examples: Examples) -> Space | None:
    try:
        return Space("left", examples)
    except SpaceError:  # too few, or on one line
        return None


def _compared(
    how: str, examples: Examples, pairs: Iterable[tuple[Space, int]], dims: int, ways: Mapping[str, Way] | None
) -> LeftOut | None:
    tried = WAYS if ways is None else ways
    which, outside = [], []
    errors: dict[str, list[tuple[float, float]]] = {name: [] for name in tried}
    for lesser, index in pairs:
        goal = examples.hits[index, :dims]
        which.append(index)
        outside.append(not lesser.region.inside(goal[:2]))
        for name, way in tried.items():
            made = way(lesser, goal)
            errors[name].append((np.nan, np.nan) if made is None else error(examples, index, made))
    if not which:
        return None
    return LeftOut(
        how,
        dims,
        tuple(which),
        np.array(outside, np.bool_),
        MappingProxyType({name: np.array(rows) for name, rows in errors.items()}),
    )


def own(space: Space, goal: Array) -> Poses:
    """The space's own answer: a blend, or the nearest example, whichever its own strikes speak for."""
    return blended(space, goal) if space.choice.way == "blend" else nearest_with_ik(space, goal)


def blended(space: Space, goal: Array) -> Poses:
    """A blend of all examples."""
    return poses(space.examples, space.solve(goal).weights)


def nearest(space: Space, goal: Array) -> Poses:
    """The example that hits nearest, as it is."""
    examples, index = space.examples, nearest_to(space.examples, goal)
    return Poses(examples.root[index], examples.rotations[index], examples.times[index])


def nearest_with_ik(space: Space, goal: Array) -> Poses:
    """The example that hits nearest, brought onto the target by the finish's inverse kinematics."""
    return brought(space.examples, nearest_to(space.examples, goal), goal)


def by_samples(space: Space, goal: Array) -> Poses:
    """The weights of the nearest samples, in which near ones count more (the paper's way)."""
    return _brought(space, goal, space.samples.guess(goal))


def by_kriging(space: Space, goal: Array) -> Poses:
    """Weights by kriging alone."""
    return _brought(space, goal, space.trust(len(goal)).kriging.weights(goal))


def by_regression(space: Space, goal: Array) -> Poses:
    """Weights by local regression alone."""
    return _brought(space, goal, space.trust(len(goal)).local.weights(goal))


def by_parts(space: Space, goal: Array) -> Poses | None:
    """The paper's partial blending, for targets outside the region; it does not use the distance ahead."""
    if len(goal) != 2 or space.region.inside(goal):
        return None
    return partial(space.examples, space.region, goal, lambda at: space.solve(at).weights).poses


def _brought(space: Space, goal: Array, wished: Array) -> Poses:
    return poses(space.examples, solve(space.pose, goal, wished).weights)


WAYS: Mapping[str, Way] = MappingProxyType(
    {
        OWN: own,
        BLEND: blended,
        BASELINE: nearest_with_ik,
        "nearest alone": nearest,
        "nearest samples": by_samples,
        "kriging": by_kriging,
        "local regression": by_regression,
        PARTIAL: by_parts,
    }
)


def text(left: LeftOut) -> list[str]:
    """The errors of every way as a table for people, the space's own first."""
    count = len(left)
    width = max(len(way) for way in left.errors)
    lines = [
        f"{left.how}: {count} strikes in {left.dims}D, {int(left.outside.sum())} of them outside the region of those left",
        f"  {'':<{width}}  joints °  path cm   below {BASELINE}: joints, path",
    ]
    for way in left.errors:
        mean, lower = left.mean(way), left.lower(way)
        if mean is None or lower is None:
            continue
        some = f"   (the {mean.count} outside)" if mean.count < count else ""
        lines.append(
            f"  {way:<{width}}  {mean.angle_deg:8.2f}  {mean.path_cm:7.2f}   {100 * lower[0]:+5.1f} %, {100 * lower[1]:+5.1f} %{some}"
        )
    return lines


def as_json(left: LeftOut) -> dict[str, Any]:
    """The same by name, ready for JSON; ``lower_than_baseline`` as shares."""
    ways: dict[str, Any] = {}
    for way in left.errors:
        mean, lower = left.mean(way), left.lower(way)
        if mean is not None and lower is not None:
            ways[way] = {
                "angle_deg": round(mean.angle_deg, 3),
                "path_cm": round(mean.path_cm, 3),
                "strikes": mean.count,
                "lower_than_baseline": {"angle": round(lower[0], 4), "path": round(lower[1], 4)},
            }
    return {
        "how": left.how,
        "dims": left.dims,
        "strikes": len(left),
        "outside": int(left.outside.sum()),
        "baseline": BASELINE,
        "ways": ways,
    }
