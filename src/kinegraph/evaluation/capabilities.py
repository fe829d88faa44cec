"""What a graph can do: how well it reaches points in all directions, and how tightly it can turn round.

After Reitsma and Pollard, "Evaluating motion graphs for character animation" (ACM Transactions on Graphics 26, 2007): a graph is judged by
what walks through it can do from wherever they are, not by how many edges it has. They unroll the graph over the floor. Here the path
search, which is what the graph is used with, is asked to follow the shortest way that a body with a given turning circle could take.
Clips are not bent for it: what is told is what was captured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Ints
from kinegraph.blending.playing import play
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.walks.choice import component
from kinegraph.walks.following import follow
from kinegraph.watch import Watch, Watcher

# Leg lengths: how far off the goals lie, and how near to a goal is there (30 cm of a grown-up).
DISTANCE, NEAR = 4.5, 0.34
# Leg lengths: radii on which a walk is tried that turns towards a goal. The first is the ideal; who cannot may take the second.
_TURNING = (1.0, 2.0)
# By how much more than the ideal way may be walked.
DETOUR = 1.15
# Degrees to the left at which goals lie.
DIRECTIONS = (0, 45, 90, 135, 180, -135, -90, -45)
# Metres: radii of half circles, tightest first; how closely on average one is to be kept to; and what is walked straight before and after.
RADII = (0.3, 0.45, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
CLOSELY = 0.05
_STRAIGHT = 1.5
# Radians by which what was half a turn may fall short of it or exceed it: the hips of a walker swing.
_ABOUT = np.pi / 4
# Metres between the points of an arc.
_FINE = 0.02
# Walks that the search keeps on the way to a goal: there are many goals, and what takes more to find is nothing a graph does readily.
_WIDTH = 100


@dataclass(frozen=True)
class Turn:
    """The tightest half circle on which a walk turns about.

    The walk keeps closely to a straight line, the half circle and the line back, goes to the end of it, and faces the other way then. All
    figures are of that walk.
    """

    radius_m: float
    deviation_cm: float
    """The mean deviation of the walk from the lines and the half circle."""
    seconds: float
    """How long the walk is on the half circle."""
    across_m: float
    """How much floor it needs, sideways."""


@dataclass(frozen=True)
class Capability:
    """What a graph can do.

    Walks were tried from several places in the graph, from each to goals in all directions. The ideal way to a goal turns towards it on a
    circle with the radius of a leg's length, and then goes straight.
    """

    label: str | None
    starts: int
    """How many places in the graph walks were tried from."""
    distance_m: float
    """How far away the goals are."""
    near_m: float
    """How near counts as near."""
    near: float
    """The share of walks that end near their goal."""
    reached: float
    """The share of walks that do so by a way no more than 15 % longer than the ideal one."""
    directions: Mapping[int, float]
    """Degrees to the left → the share of goals in that direction that were reached."""
    miss_cm: float | None
    """How far from its goal a walk ends on average."""
    detour: float | None
    """Metres walked for each metre of the ideal way, over the walks that end near their goal."""
    left: Turn | None
    """How tightly it turns about to the left; None if it could not even do so on the widest half circle."""
    right: Turn | None
    """The same to the right."""

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, rounded, ready for JSON."""
        return {
            "label": self.label,
            "starts": self.starts,
            "distance_m": round(self.distance_m, 3),
            "near_m": round(self.near_m, 3),
            "near": round(self.near, 4),
            "reached": round(self.reached, 4),
            "directions": {str(degrees): round(share, 4) for degrees, share in self.directions.items()},
            "miss_cm": None if self.miss_cm is None else round(self.miss_cm, 2),
            "detour": None if self.detour is None else round(self.detour, 4),
            "turn_about": {"left": _turn_dict(self.left), "right": _turn_dict(self.right)},
        }


def capability(
    graph: MotionGraph,
    *,
    label: str | None = None,
    samples: int = 8,
    seed: int = 0,
    watch: Watcher = None,
) -> Capability:
    """What walks through a graph can do, or only those walks that keep to a label.

    samples: how many nodes to start from, chosen at random with ``seed``; all nodes if there are fewer. watch: told, as the stage "try",
    how many of all walks were tried.

    >>> import kinegraph as kg
    >>> names = ("walk", "walk_left_medium", "walk_right_medium")
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in names])
    >>> kg.evaluation.capability(graph, samples=1).left.radius_m    # as tight as the captured turn
    2.0
    """
    watch = Watch.of(watch)
    if samples < 1:
        raise GraphError(f"capability is measured from at least one start, got {samples}")
    nodes = np.arange(len(graph)) if label is None else component(graph, label).nodes
    chosen = np.sort(np.random.default_rng(seed).choice(nodes, min(samples, len(nodes)), replace=False))
    total = len(chosen) * len(DIRECTIONS) + 2 * len(RADII)
    done = 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        watch.tell("try", done, total)

    leg = graph.skeleton.leg_length
    tries = _tries(graph, chosen, label, tick)
    turns = []
    for side in (1.0, -1.0):
        turns.append(tightest(graph, side, label))
        tick(len(RADII))
    came_near = [one for one in tries if one.miss <= NEAR * leg]
    there = [one.reached(NEAR * leg) for one in tries]
    ended = [one.miss for one in tries if np.isfinite(one.miss)]
    return Capability(
        label=label,
        starts=len(chosen),
        distance_m=DISTANCE * leg,
        near_m=NEAR * leg,
        near=len(came_near) / len(tries),
        reached=float(np.mean(there)),
        directions={
            degrees: float(np.mean([hit for one, hit in zip(tries, there, strict=True) if one.degrees == degrees]))
            for degrees in DIRECTIONS
        },
        miss_cm=100 * float(np.mean(ended)) if ended else None,
        detour=float(np.mean([one.walked / one.ideal for one in came_near])) if came_near else None,
        left=turns[0],
        right=turns[1],
    )


def text(made: Capability) -> list[str]:
    """Lines for people: what is reached, in which directions, and how tightly it turns about; and how that was found."""
    detour = "" if made.detour is None else f", walking {made.detour:.2f} times the ideal way"
    there = ", ".join(f"{degrees}° {100 * share:.0f} %" for degrees, share in sorted(made.directions.items()))
    return [
        f"comes near {100 * made.near:.0f} % of the points {made.distance_m:.1f} m away from {made.starts} starts{detour}",
        f"reaches {100 * made.reached:.0f} % of them without a detour; by direction to the left: {there}",
        f"turns about to the left {_turn_text(made.left)}",
        f"turns about to the right {_turn_text(made.right)}",
        f"(of {len(RADII)} half circles the tightest on which a walk stays within {100 * CLOSELY:g} cm on average, comes to the end and "
        "faces back; time and floor are that walk's)",
    ]


@dataclass(frozen=True)
class _Try:
    """A walk to a goal."""

    degrees: int
    """The direction of the goal."""
    miss: float
    """How far from it the walk ended."""
    walked: float
    """Metres walked; infinite if there was no walk."""
    ideal: float
    """Metres of the ideal way."""

    def reached(self, near: float) -> bool:
        """Whether it ended within ``near`` metres of its goal without a long detour."""
        return self.miss <= near and self.walked <= DETOUR * self.ideal


def _tries(graph: MotionGraph, nodes: Ints, label: str | None, tick: Callable[[int], None]) -> list[_Try]:
    leg = graph.skeleton.leg_length
    found = []
    for node in nodes.tolist():
        start = graph.clips[graph.node_clip[node]].name, int(graph.node_frame[node])
        for degrees in DIRECTIONS:
            ways = [to_goal(np.radians(degrees), DISTANCE * leg, radius * leg) for radius in _TURNING]
            best = _Try(degrees, np.inf, np.inf, ways[0].length)
            for way in ways:
                walk = _walked(graph, way, label=label, start=start, heading=0.0, width=_WIDTH)
                if walk is not None:
                    track = _track(walk)
                    miss, walked = float(np.hypot(*(track[-1] - way.points[-1]))), _length(track)
                    best = min(best, _Try(degrees, miss, walked, ways[0].length), key=lambda one: one.miss)
                if best.reached(NEAR * leg):
                    break
            found.append(best)
            tick(1)
    return found


def tightest(graph: MotionGraph, side: float, label: str | None = None) -> Turn | None:
    """The first half circle, of those that get wider, on which some walk turns about; ``side`` is 1 to the left and −1 to the right."""
    for radius in RADII:
        walk = _walked(graph, about(radius, side), label=label)
        turn = None if walk is None else turned(play(walk, "linear").motion, radius, side)
        if turn is not None:
            return turn
    return None


def turned(motion: Motion, radius: float, side: float) -> Turn | None:
    """How a motion turns about on the half circle of `about`; None if it does not.

    To stand still at the beginning is to keep closely to any way, so it must come to the end, and through the half circle. To go there and
    come back in steps backwards is to keep to it too, so it must face the other way then.
    """
    way = about(radius, side)
    track = track_of(motion)
    distance, along = way.track(track)
    near = NEAR * motion.skeleton.leg_length
    if distance.mean() >= CLOSELY or np.hypot(*(track[-1] - way.points[-1])) > near:
        return None
    before, after = along < _STRAIGHT, along > way.length - _STRAIGHT
    turning = ~before & ~after
    if not (before.any() and turning.any() and after.any()):
        return None
    facing = motion.facing()[:, [0, 2]]
    there, back = facing[before].sum(axis=0), facing[after].sum(axis=0)
    if np.arccos(np.clip(there @ back / (np.hypot(*there) * np.hypot(*back)), -1.0, 1.0)) < np.pi - _ABOUT:
        return None
    across = float(track[:, 0].max() - track[:, 0].min())
    return Turn(radius, 100 * float(distance.mean()), float(np.count_nonzero(turning)) / motion.fps, across)


def to_goal(angle: float, distance: float, radius: float) -> Path:
    """From the origin, facing +Z, to the point that is ``distance`` metres away at ``angle`` radians to the left.

    This is the shortest way for a body that turns on circles of ``radius`` metres: Dubins' turn and straight line.
    """
    side = 1.0 if angle >= 0 else -1.0
    goal = distance * np.array([np.sin(angle), np.cos(angle)])
    centre = np.array([side * radius, 0.0])
    apart = goal - centre
    off = float(np.hypot(*apart))
    if off <= radius:
        raise GraphError(f"a goal {distance:g} m away cannot be reached on circles of {radius:g} m: it lies inside one")
    # where the tangent through the goal touches the circle, as the angle walked round it
    turned = side * np.arctan2(apart[0], apart[1]) + np.arcsin(radius / off)
    turned = float(np.mod(turned, 2 * np.pi))
    if 2 * np.pi - turned < 1e-9:
        turned = 0.0
    return Path(np.concatenate([_arc(radius, side, turned), goal[None]]))


def about(radius: float, side: float) -> Path:
    """A straight line along +Z, half a circle to the left (``side`` 1) or right (−1), and a straight line back."""
    arc = _arc(radius, side, np.pi) + np.array([0.0, _STRAIGHT])
    return Path(np.concatenate([[[0.0, 0.0]], arc, [[2 * side * radius, 0.0]]]))


def _arc(radius: float, side: float, angle: float) -> Array:
    """Points ``(N, 2)`` of an arc from the origin that sets out along +Z."""
    turned = np.linspace(0.0, angle, max(2, int(np.ceil(radius * angle / _FINE)) + 1))
    return np.stack([side * radius * (1 - np.cos(turned)), radius * np.sin(turned)], axis=-1)


def _walked(graph: MotionGraph, way: Path, **wishes: Any) -> Walk | None:
    """The walk along a way through clips as they were captured, or None where there is none."""
    try:
        return follow(graph, way, bend=0.0, **wishes).walk
    except GraphError:
        return None


def _track(walk: Walk) -> Array:
    """Where a walk goes ``(F, 2)``, without the sway of its steps."""
    return track_of(play(walk, "linear").motion)


def _length(track: Array) -> float:
    """Metres along points ``(F, 2)``."""
    return float(np.hypot(*np.diff(track, axis=0).T).sum())


def _turn_dict(turn: Turn | None) -> dict[str, float] | None:
    if turn is None:
        return None
    return {name: round(value, 3) for name, value in vars(turn).items()}


def _turn_text(turn: Turn | None) -> str:
    if turn is None:
        return f"not even on a circle of {RADII[-1]:g} m"
    return f"on a circle of {turn.radius_m:g} m, in {turn.seconds:.1f} s and {turn.across_m:.1f} m across"
