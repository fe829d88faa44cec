"""How well a space strikes: how far it misses, what finishing costs, how long an answer takes.

Misses are always given together with the bounds of the weights: with wide enough bounds any target can be hit, but by a
strike that nobody would throw.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.evaluation.strikes.finish import FinishFigures, finished
from kinegraph.strikes.blend import poses, timed
from kinegraph.strikes.finish import finish
from kinegraph.strikes.partial import partial
from kinegraph.strikes.solve import BEYOND, WITHIN, Bounds
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import Side

PAPER: Mapping[str, tuple[int, float, float, float]] = MappingProxyType(
    {
        "straight punch": (7, 3.55, 0.85, 3.80),
        "hook punch": (9, 3.61, 0.51, 3.69),
        "straight kick": (8, 2.29, 5.62, 6.42),
        "side kick": (8, 2.51, 12.01, 12.95),
    }
)
"""Chen 2007, table 1: the strikes of each set, and the mean horizontal, vertical and total distance of the hit from its target, in
centimetres for an actor of 1.70 m, over twenty targets."""

# How often as many targets as are wanted are drawn from the box, to find that many outside the region.
_DRAWS = 100
_TIMED = 60
_WARM = 5
_REPEATS = 5
# A second at 60 frames a second.
_FRAMES = 60


@dataclass(frozen=True)
class Miss:
    """How far hits are from their targets, in centimetres."""

    count: int
    """Of targets."""
    bounds: Bounds
    """Of the weights."""
    mean: float
    max: float
    horizontal: float
    """The mean across."""
    vertical: float
    """The mean in height."""


@dataclass(frozen=True)
class Times:
    """How long a request takes: the median of many after the first, for the weights, the blend and the finish.

    The time for the weights does not depend on how long a strike lasts; the rest grows with it.
    """

    weights_ms: float
    blend_ms: float
    finish_ms: float
    seconds: float
    """How long the strikes would last on average at 60 frames a second."""

    @property
    def blended(self) -> float:
        """Milliseconds for a strike of one second, without the finish."""
        return self.weights_ms + self.blend_ms / self.seconds

    @property
    def finished(self) -> float:
        """Milliseconds for a strike of one second, with the finish."""
        return self.blended + self.finish_ms / self.seconds

    @property
    def share_blended(self) -> float:
        """The time of a request as a share of the time that its strike plays, without the finish."""
        return (self.weights_ms + self.blend_ms) / (1000 * self.seconds)

    @property
    def share_finished(self) -> float:
        """The time of a request as a share of the time that its strike plays, with the finish."""
        return (self.weights_ms + self.blend_ms + self.finish_ms) / (1000 * self.seconds)


@dataclass(frozen=True)
class StrikeFigures:
    """The figures of a space."""

    name: str
    kind: str
    side: Side
    strikes: int
    targets: int
    seed: int
    inside: Miss
    """Targets all over the region."""
    box: Miss
    """Targets all over the box around it."""
    paper: Miss | None
    """Targets in the box but outside the region, by the paper's partial blending; None if the region fills the box."""
    corrected: Miss | None
    """The same, with targets corrected by what was missed."""
    sheet: Miss
    """Targets in three dimensions, all over what blends reach."""
    finished_inside: FinishFigures
    """What the finish does inside the region."""
    finished_outside: FinishFigures | None
    """What it does outside."""
    times: Times
    """How long a request takes."""


def evaluate(space: Space, targets: int = 200, seed: int = 0) -> StrikeFigures:
    """The figures of a space, each over so many random ``targets``. Apart from the times, the same seed gives the same figures."""
    space.prepare()
    rng = np.random.default_rng(seed)
    inside = inside_region(space, targets, rng)
    box = in_box(space, targets, rng)
    outside = outside_region(space, targets, rng)
    sheet = on_sheet(space, targets, rng)
    return StrikeFigures(
        name=space.name,
        kind=space.examples.kind,
        side=space.examples.side,
        strikes=len(space.examples),
        targets=targets,
        seed=seed,
        inside=_solved(space, inside, WITHIN),
        box=_solved(space, box, BEYOND),
        paper=_partial(space, outside, 0),
        corrected=_partial(space, outside, None),
        sheet=_solved(space, sheet, BEYOND),
        finished_inside=finished(space, inside),
        finished_outside=finished(space, outside) if len(outside) else None,
        times=request_times(space, box),
    )


def inside_region(space: Space, count: int, rng: np.random.Generator) -> Array:
    """Random targets ``(count, 2)``, evenly over the region."""
    corners = space.region.corners
    first, one, other = corners[0], corners[1:-1] - corners[0], corners[2:] - corners[0]
    areas = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
    which = rng.choice(len(areas), count, p=areas / areas.sum())
    shares = rng.random((count, 2))
    # the far half of the parallelogram folded back onto the triangle
    shares = np.where(shares.sum(axis=1, keepdims=True) > 1.0, 1.0 - shares, shares)
    targets: Array = first + shares[:, :1] * one[which] + shares[:, 1:] * other[which]
    return targets


def in_box(space: Space, count: int, rng: np.random.Generator) -> Array:
    """Random targets ``(count, 2)``, evenly over the box around the region."""
    low, high = space.region.low, space.region.high
    targets: Array = low + rng.random((count, 2)) * (high - low)
    return targets


def outside_region(space: Space, count: int, rng: np.random.Generator) -> Array:
    """Random targets ``(count, 2)``, evenly over the part of the box that is outside the region; none, ``(0, 2)``, if the
    region fills it.
    """
    found = np.zeros((0, 2))
    for _ in range(_DRAWS):
        some = in_box(space, count, rng)
        found = np.concatenate([found, some[np.logical_not(space.region.inside(some))]])
        if len(found) >= count:
            break
    return found[:count]


def on_sheet(space: Space, count: int, rng: np.random.Generator) -> Array:
    """Random targets ``(count, 3)`` that blends of neighbouring examples hit, with any weights that are within bounds and sum to 1.

    Neighbours are the corners of the triangles between the examples' hits.
    """
    from scipy.spatial import Delaunay

    triangles = Delaunay(space.examples.hits[:, :2]).simplices
    low, high = BEYOND
    weights = np.zeros((count, len(space.examples)))
    for row in weights:
        share = np.full(3, np.inf)
        while not low <= share[2] <= high:
            share[:2] = rng.uniform(low, high, 2)
            share[2] = 1.0 - share[0] - share[1]
        row[triangles[rng.integers(len(triangles))]] = share
    return space.pose.at(weights)


def _solved(space: Space, targets: Array, bounds: Bounds) -> Miss:
    hits = np.array([space.solve(target, bounds).hit for target in targets])
    return _miss(hits, targets, bounds)


def _partial(space: Space, targets: Array, corrections: int | None) -> Miss | None:
    """Partial blending, which corrects itself so often (by default as often as `partial` does); None without targets."""
    if not len(targets):
        return None
    told = {} if corrections is None else {"corrections": corrections}
    # where it hits is all that is asked here
    examples = space.examples.ready_and_hit

    def weigh(at: Array) -> Array:
        return space.solve(at, BEYOND).weights

    hits = [partial(examples, space.region, target, weigh, **told).hit for target in targets]
    return _miss(np.array(hits), targets, BEYOND)


def _miss(hits: Array, targets: Array, bounds: Bounds) -> Miss:
    gap = 100 * np.abs(hits[:, : targets.shape[1]] - targets)
    whole = np.linalg.norm(gap, axis=1)
    across, height = gap[:, :2].mean(axis=0).tolist()
    return Miss(len(targets), bounds, float(whole.mean()), float(whole.max()), across, height)


def request_times(space: Space, targets: Array) -> Times:
    """How long requests at ``targets (K, D)`` take, at a rate at which the strike has 60 frames, as a second has at 60 Hz.

    The first requests, which set things up, do not count. Each of the others is made several times, and the quickest counts,
    since other programs share the machine.
    """
    examples = space.examples
    took: list[Sequence[float]] = []
    frames = []
    for number, target in enumerate(targets[: _TIMED + _WARM]):
        again = []
        for _ in range(_REPEATS):
            begun = time.perf_counter()
            weights = space.solve(target).weights
            weighed = time.perf_counter()
            made = poses(examples, weights)
            strike = timed(examples, made, weights, (_FRAMES - 1) / float(np.ptp(made.times)))
            blended = time.perf_counter()
            finish(examples, strike, target)
            done = time.perf_counter()
            again.append((weighed - begun, blended - weighed, done - blended))
        if number >= _WARM or len(targets) <= _WARM:
            took.append(np.min(again, axis=0).tolist())
            frames.append(len(strike.motion))
    weighing, blending, finishing = (1000 * np.median(took, axis=0)).tolist()
    return Times(weighing, blending, finishing, float(np.mean(frames)) / _FRAMES)


def text(figures: StrikeFigures) -> str:
    """The figures as tables for people."""
    from kinegraph.evaluation.strikes.text import lines

    return "\n".join(lines(figures))


def as_json(figures: StrikeFigures) -> dict[str, Any]:
    """All figures by name, rounded, ready for JSON; None for what is not known."""
    told = asdict(figures)
    times = figures.times
    told["times"] |= {name: getattr(times, name) for name in ("blended", "finished", "share_blended", "share_finished")}
    plain: dict[str, Any] = _rounded(told)
    return plain


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(held) for name, held in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(held) for held in value]
    return round(value, 5) if isinstance(value, float) else value
