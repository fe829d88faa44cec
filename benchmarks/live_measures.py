"""Sticks for `live.py`, what people do who are steered by them, and what is measured of it.

*Velocity* is that of the root on the floor, averaged over 0.2 s about the frame: from where it was 0.1 s before to where it is 0.1 s
after. Figures are of the motion as it is shown, feet held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from lookahead import Ahead
from motion_matching import Matched
from numpy.typing import NDArray

from kinegraph.evaluation.skating import Skating, examine, summary
from kinegraph.evaluation.usual import usual_of_graph, velocity_jumps
from kinegraph.feet import knees
from kinegraph.feet.slide import penetration
from kinegraph.feet.sole import Sole, soles
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.graph.ranges import ranges_of_graph
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.people.steered import People

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Crowd = People | Matched | Ahead

# seconds over which velocities are averaged; and for which one must stay as wished; degrees and share within which it is
AVERAGED, STAYS, NEAR, SHARE = 0.2, 0.3, 20.0, 0.3
# seconds that a transition takes
MIXED = 1 / 3
# metres by which a joint must be elsewhere for a frame to be another
CHANGED = 1e-3


def pilots(graph: MotionGraph) -> dict[str, Callable[..., Crowd]]:
    """Ways to lead a crowd, by name; the first is the one that is judged."""
    return {
        "policy": lambda count, seed=0: People(graph, count, seed=seed),
        "matching": lambda count, seed=0: Matched(graph, count, seed=seed),
        "matching, bent": lambda count, seed=0: Matched(graph, count, seed=seed, bends=True),
        "lookahead": lambda count, seed=0: Ahead(graph, count, seed=seed),
    }


def alike(crowd: Crowd, groups: int) -> None:
    """Let everybody of a group begin as its first does: people are in as many ``groups``, one after another."""
    size = crowd.count // groups
    arrays = [*crowd.cursors, *crowd._feet, crowd.root, crowd.rotations, crowd.contacts]
    if isinstance(crowd, Matched):
        arrays += [crowd._since, *crowd._offsets, *(part for shown in crowd._shown for part in shown)]
    for array in arrays:
        for group in range(groups):
            array[group * size : (group + 1) * size] = array[group * size]


@dataclass(frozen=True, eq=False)
class Trail:
    """What N people did for F frames."""

    graph: MotionGraph
    root: Array
    """``(F, N, 3)``"""
    rotations: Array
    """``(F, N, J, 4)``"""
    held: NDArray[np.int8]
    """``(F, N, 2)``: by which part each foot was held, 1 heel, 2 ball."""
    down: Bools
    """``(F, N, 4)``"""
    began: Bools
    """``(F, N)``: whether a transition began."""
    mixes: Bools
    """``(F, N)``: whether one is under way; of motion matching, for as long after it as the policy's take."""
    distances: Array
    """Of all transitions that began, in metres: in the order of `began`, frame by frame."""

    def motion(self, person: int) -> Motion:
        return Motion(self.graph.skeleton, self.root[:, person], self.rotations[:, person], self.graph.fps, name="live")

    @cached_property
    def velocity(self) -> Array:
        """``(F, N, 2)``"""
        half = round(0.5 * AVERAGED * self.graph.fps)
        floor = np.pad(self.root[..., [0, 2]], ((half, half), (0, 0), (0, 0)), mode="edge")
        moved: Array = (floor[2 * half :] - floor[: -2 * half]) / (2 * half / self.graph.fps)
        return moved


def steered(crowd: Crowd, velocity: Array) -> Trail:
    """Steer people by ``velocity (F, N, 2)``."""
    frames, count = velocity.shape[:2]
    root, rotations = np.empty((frames, count, 3)), np.empty((frames, *crowd.rotations.shape))
    held, down = np.empty((frames, count, 2), np.int8), np.empty((frames, count, 4), np.bool_)
    began, mixes = np.zeros((2, frames, count), np.bool_)
    since, played = np.full(count, 1000), np.full(count, -1)
    pairs: list[Any] = []
    graph = crowd.graph
    for frame in range(frames):
        crowd.step(velocity[frame])
        root[frame], rotations[frame], held[frame], down[frame] = (
            crowd.root,
            crowd.rotations,
            crowd._feet.held,
            crowd.contacts,
        )
        if isinstance(crowd, Matched):
            began[frame] = crowd.switched
            since = np.where(crowd.switched, 0, since + 1)
            mixes[frame] = since < round(MIXED * graph.fps)
            pairs.append(crowd.pairs[crowd.switched].copy())
        else:
            edge = crowd.cursors.edge[:, 0]
            mixes[frame] = graph.edges.kind[edge] != EdgeKind.ORIGINAL
            began[frame] = mixes[frame] & (edge != played)
            played = edge.copy()
            pairs.append(edge[began[frame]].copy())
    joined = np.concatenate(pairs)
    distances = (
        (crowd.distances(joined) if len(joined) else np.zeros(0))
        if isinstance(crowd, Matched)
        else graph.edges.cost[joined]
    )
    return Trail(graph, root, rotations, held, down, began, mixes, np.asarray(distances))


def going(speed: Array | float, angle: Array) -> Array:
    """Velocities ``(…, 2)`` at speeds and angles."""
    return np.stack([speed * np.sin(angle), speed * np.cos(angle)], axis=-1)


def random_stick(seconds: float, seeds: range, fps: float) -> Array:
    """A stick a seed, ``(F, N, 2)``: every 0.2 to 3 s at a speed from standing to running, anywhere; now and then it circles."""
    frames = round(seconds * fps)
    out = np.zeros((frames, len(seeds), 2))
    for column, seed in enumerate(seeds):
        rng, frame = np.random.default_rng(seed), 0
        while frame < frames:
            last = min(frame + max(1, round(float(rng.uniform(0.2, 3.0)) * fps)), frames)
            kind = rng.choice(4, p=[0.15, 0.45, 0.25, 0.15])
            speed = (0.0, rng.uniform(0.5, 2.0), rng.uniform(2.0, 3.5), rng.uniform(0.8, 3.0))[kind]
            spin = rng.uniform(-3.0, 3.0) if kind == 3 else 0.0
            angle = rng.uniform(-np.pi, np.pi) + spin * np.arange(last - frame) / fps
            out[frame:last, column] = going(speed, angle)
            frame = last
    return out


# -- response ----------------------------------------------------------------------------------------------------------


def responses(trail: Trail, wish: Array, when: NDArray[np.int64]) -> Array:
    """Seconds ``(N,)`` from ``when (N,)`` until velocities stay as wished ``(N, 2)`` for long enough; infinite where they never do."""
    fps, velocity = trail.graph.fps, trail.velocity
    need = round(STAYS * fps)
    size = np.hypot(*wish.T)
    off = np.degrees(np.arccos(np.clip(_cosine(velocity, wish), -1.0, 1.0)))
    good = (off <= NEAR) & (np.abs(np.hypot(velocity[..., 0], velocity[..., 1]) - size) <= SHARE * size)
    stays = np.lib.stride_tricks.sliding_window_view(good, need + 1, axis=0).all(axis=-1)
    out = np.full(len(when), np.inf)
    for person, first in enumerate(when.tolist()):
        found = np.flatnonzero(stays[first:, person])
        if len(found):
            out[person] = found[0] / fps
    return out


def _cosine(velocity: Array, wish: Array) -> Array:
    size = np.hypot(velocity[..., 0], velocity[..., 1]) * np.hypot(*wish.T)
    return np.asarray((velocity * wish).sum(axis=-1) / np.maximum(size, 1e-9))


def apexes(trail: Trail, turns: Array, when: NDArray[np.int64]) -> Array:
    """Seconds ``(N,)`` from the stick's apex, when it is turned by ``turns (N,)`` at once, to the path's: where the path lies furthest
    out in the bend, which is where half of the turn is done.
    """
    fps = trail.graph.fps
    out = np.full(len(when), np.inf)
    for person, first in enumerate(when.tolist()):
        outward = 0.5 * turns[person] - np.sign(turns[person]) * 0.5 * np.pi
        reach = trail.root[first:, person][:, [0, 2]] @ np.array([np.sin(outward), np.cos(outward)])
        out[person] = reach.argmax() / fps
    return out


def first_changes(trail: Trail, like: NDArray[np.int64], when: NDArray[np.int64]) -> Array:
    """Seconds ``(N,)`` from ``when (N,)`` to the first frame at which a person is elsewhere than ``like (N,)``, who was not steered
    otherwise. A frame that is shown at the end of the tick in which the stick was read counts as one frame.
    """
    fps = trail.graph.fps
    places = {person: trail.motion(person).positions for person in np.unique(like).tolist()}
    out = np.full(len(when), np.inf)
    for person, first in enumerate(when.tolist()):
        if like[person] == person:
            continue
        own = trail.motion(person).positions
        apart = np.linalg.norm(own[first:] - places[int(like[person])][first:], axis=-1).max(axis=1)
        found = np.flatnonzero(apart > CHANGED)
        if len(found):
            out[person] = (found[0] + 1) / fps
    return out


# -- the motion --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Judge:
    """What motions on a graph are compared with: what its clips do."""

    graph: MotionGraph

    @cached_property
    def soles(self) -> tuple[Sole, Sole]:
        clips = self.graph.clips
        return soles(concatenate([clip.motion for clip in clips]), np.concatenate([clip.contacts for clip in clips]))

    @cached_property
    def jump(self) -> float:
        return usual_of_graph(self.graph).velocity_jump or np.nan

    @cached_property
    def knee(self) -> float:
        return usual_of_graph(self.graph).knee_speed or np.nan

    @cached_property
    def feet(self) -> Skating:
        """How feet skate in the captured clips."""
        seen = [(examine(clip.motion), clip.sound) for clip in self.graph.clips]
        found = summary(
            [feet for feet, _ in seen if feet is not None], [sound for feet, sound in seen if feet is not None]
        )
        assert found is not None
        return found

    def worst(self, motion: Motion) -> dict[str, tuple[float, int]]:
        """The worst of a motion, each with its frame: jump (times the clips' p99), knee (times their p99.9), joint beyond its range
        (degrees), penetration and the lowest joint below the floor (mm).
        """
        jumps = velocity_jumps(motion) / self.jump
        speed = knees.speed(motion).max(axis=1) / self.knee
        beyond = ranges_of_graph(self.graph).beyond(motion).max(axis=1)
        sunk = 1000 * penetration(motion, self.soles).max(axis=(1, 2))
        below = 1000 * np.maximum(-motion.positions[..., 1].min(axis=1), 0.0)
        found = {"jump": (jumps, 1), "knee": (speed, 1), "beyond": (beyond, 0), "sunk": (sunk, 0), "below": (below, 0)}
        return {name: (float(values.max()), int(values.argmax()) + first) for name, (values, first) in found.items()}

    def jumped(self, trail: Trail, person: int) -> tuple[float, float]:
        """The worst velocity jump, times the clips' p99: in and beside transitions, as elsewhere in this project, and anywhere. Some
        captured frames have their own.
        """
        jumps = velocity_jumps(trail.motion(person)) / self.jump
        mixes = trail.mixes[:, person]
        near = mixes[1:-1] | mixes[2:] | mixes[:-2]
        return float(jumps[near].max(initial=0.0)), float(jumps.max())

    def moved(self, trail: Trail, person: int) -> tuple[float, int]:
        """How far a point of a foot moves along the floor while it is held, in mm, at most; and the frame."""
        motion, most, at = trail.motion(person), 0.0, 0
        for side, sole in enumerate(self.soles):
            points = sole.points(motion)[:, :2][..., [0, 2]]
            for first, last, part in holds(trail.held[:, person, side]):
                own = points[first:last, part - 1]
                away = 1000 * np.hypot(*(own - own[0]).T)
                if away.max() > most:
                    most, at = float(away.max()), first + int(away.argmax())
        return most, at


def holds(held: NDArray[np.int8]) -> Iterator[tuple[int, int, int]]:
    """First frame, frame past the last, and the part by which a foot is held, of every stretch in which it is held by one."""
    edges = np.flatnonzero(np.diff(held)) + 1
    for first, last in zip([0, *edges.tolist()], [*edges.tolist(), len(held)], strict=True):
        if held[first] > 0:
            yield first, last, int(held[first])


def skating(trail: Trail) -> Skating:
    """How feet skate, by contacts that are found anew."""
    seen = [examine(trail.motion(person)) for person in range(trail.root.shape[1])]
    found = summary([feet for feet in seen if feet is not None])
    assert found is not None
    return found
