"""A crowd, frame by frame: avoidance sees where bodies really are, and bodies get the answer as their sticks."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.crowds.aside import draw_aside
from kinegraph.crowds.avoidance import Care, Movers, avoid
from kinegraph.crowds.builds import LEGS
from kinegraph.crowds.casting import Cast, cast
from kinegraph.crowds.discs import HURRY
from kinegraph.crowds.facing import Facing
from kinegraph.crowds.field import Field
from kinegraph.crowds.grid import grid_of
from kinegraph.crowds.manoeuvres import IN_LINE, Taste, decide
from kinegraph.crowds.press import pressing
from kinegraph.crowds.reading import scenario_of
from kinegraph.crowds.response import gaits, leaning, measured
from kinegraph.crowds.result import Crowd
from kinegraph.crowds.scenario import CrowdError, Scenario
from kinegraph.crowds.sight import Sight
from kinegraph.crowds.verdict import missing
from kinegraph.crowds.walkers import Walkers
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import load
from kinegraph.paths.ground import ground
from kinegraph.people.steered import People
from kinegraph.watch import Watch, Watcher

RADIUS = 0.3
"""Metres: the disc that avoidance takes a body for, which is more than its trunk and less than its arms."""
# against somebody who walks, how readily who stands gives way
_STANDING = 0.3
# frames from one decision of a person to the next
_EVERY = 3
# bytes of poses up to which they are kept in memory, and beyond which in a file that nobody sees
_IN_MEMORY = 1 << 30
# seconds that a crowd may last, and frames after which it is told how far it has come
_LONGEST, _TELL = 3600.0, 15
# by what share of the speed that they would like people are faster or slower on average before it is told
_OFF = 0.15
# m/s of the calmest frame of a graph above which nobody can stand in it
_STANDS = 0.3


class Simulation:
    """People of a scenario on a graph. `run` takes them on frame by frame; `crowd` is what there is so far, at any time.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> graph = kg.build([kg.samples.make(name).motion for name in names])
    >>> simulation = Simulation(graph, "hallway:6", seconds=20)
    >>> for frame in simulation.run():
    ...     if frame == 30:    # look at it, show it, or stop
    ...         break
    >>> simulation.crowd
    Crowd('hallway': 6 people, 30 frames, 0 arrived)
    """

    def __init__(
        self,
        graph: MotionGraph,
        scenario: Scenario | Cast | str | PathLike[str],
        *,
        seconds: float = 60.0,
        feet: bool = True,
    ) -> None:
        """scenario: as in `crowd`. seconds: how long it lasts at most. feet: whether they are held where they stand."""
        if not 0.0 < seconds <= _LONGEST:
            raise CrowdError(f"seconds: expected a length above 0 and up to {_LONGEST:,.0f} s, got {seconds:g}")
        self.cast: Cast = scenario if isinstance(scenario, Cast) else cast(scenario_of(scenario))
        count, self.fps = len(self.cast), graph.fps
        self.frames = round(seconds * self.fps)
        """How many frames there are at most, beside the first."""
        self.frame = 0
        """The last frame that there is."""
        self._kept: dict[str, Any] = _room(self.frames + 1, count, len(graph.skeleton))
        size = self.cast.build[:, LEGS]
        land = self.cast.scenario.ground
        self.people = People(
            graph,
            count,
            feet=feet,
            seed=self.cast.scenario.seed,
            ground=ground(land) if land else None,
            sizes=size,
            prefer=self.cast.prefer if any(self.cast.prefer) else None,
        )
        if self.people.calmest > _STANDS:
            # who cannot stand would walk on into others
            self.cast = replace(self.cast, leaves=np.ones(count, np.bool_))
        self.walkers = Walkers(self.cast)
        toward = self.cast.toward(self.walkers.goal, self.cast.start)
        # everybody lives in units of their own, in which their legs are as long as those of the clips: the world is larger for who is
        # small, and feet that are held there are held here
        self._size = size
        self.people.set_down(self.cast.start / size[:, None], np.arctan2(toward[:, 0], toward[:, 1]))
        self._sight = Sight(self.people, size)
        self._stick, self._waited = np.zeros((count, 2)), np.zeros(count)
        self._facing = Facing(count, self.fps)
        self._gaits = gaits(graph)
        self._response, self._care = measured(graph), Care(apart=0.1)
        self._more = leaning(graph)
        self._taste = Taste()
        floor = self.cast.floor
        self._field = (
            Field(0.0, 0.0, 1.0, np.zeros((0, 0)))
            if floor is None
            else Field(floor.x, floor.z, floor.cell, floor.clear)
        )
        self._labels = list(self.cast.labels) if any(self.cast.labels) else ""
        self._keep()

    def run(self) -> Iterator[int]:
        """Take everybody on until all have arrived or the time is over; gives the number of every frame as it is there."""
        while self.frame < self.frames and not (self.walkers.done.all() and self._is_calm()):
            self.step()
            yield self.frame

    def step(self) -> None:
        """The next frame."""
        own = self._sight
        liked = self.walkers.liked(own.place, self.frame / self.fps, self._waited)
        present = self.walkers.present
        who = np.flatnonzero(present)
        self._stick[~present] = 0.0
        if len(who):
            self._decide(who, liked)
        # who waits looks where they would like to go
        waits = np.abs(self._stick).max(axis=1) < 1e-6
        way = np.where(waits[:, None], liked, self._stick) * present[:, None]
        turns = self._facing.holds(own, self._stick)
        self.people.turn(self._facing.turned(own, way))
        self.people.step(self._asked() * ~turns[:, None], label=self._labels)
        own.look()
        waits = (waits | turns) & (np.abs(liked).max(axis=1) > 0.0)
        self._waited = np.where(waits, self._waited + 1.0 / self.fps, 0.0)
        self.frame += 1
        self._keep()

    def _decide(self, who: Longs, liked: Array) -> None:
        """New sticks for those of ``who`` whose turn it is; and those who are about to touch are drawn aside."""
        own = self._sight
        stands = np.abs(self._stick[who]).max(axis=1) < 1e-6
        movers = Movers(
            own.place[who],
            own.velocity[who],
            RADIUS * self.cast.stature[who],
            HURRY * self.cast.speed[who],
            np.where(stands, _STANDING, 1.0),
        )
        answer = np.zeros_like(liked)
        answer[who] = avoid(movers, liked[who], self.cast.walls, self._care)
        grid = grid_of(movers.place, 0.5 * self._taste.reach)
        draw_aside(
            self.people.cursors, own.place, own.velocity, self._size, grid, who, self._field, self._more, self.fps
        )
        decide(
            who[(who + self.frame) % _EVERY == 0],
            own.place,
            own.velocity,
            own.heading,
            self._stick,
            self._waited,
            liked,
            answer,
            grid,
            who,
            self._field,
            pressing(movers.place, self._stick[who]),
            self._response,
            self._taste,
            IN_LINE,
        )

    def _asked(self) -> Array:
        """``(N, 2)``: sticks in units of everybody's own, at speeds that make them as fast as they wish to be."""
        stick = self._stick / self._size[:, None]
        speed = np.hypot(*stick.T)
        goes = speed > 1e-6
        stick[goes] *= (self._gaits.for_speed(speed[goes]) / speed[goes])[:, None]
        return stick

    def _is_calm(self) -> bool:
        """Whether everybody who is still there has come to a stand."""
        there = self.walkers.present
        return not there.any() or float(np.abs(self._sight.velocity[there]).max()) < 0.1

    def _keep(self) -> None:
        now, people, own = self.frame, self.people, self._sight
        kept = self._kept
        kept["root"][now], kept["rotations"][now] = people.root * self._size[:, None], people.rotations
        kept["place"][now], kept["velocity"][now], kept["heading"][now] = own.place, own.velocity, own.heading
        kept["stick"][now], kept["edges"][now], kept["held"][now] = self._stick, people.edges, people.stands
        kept["present"][now] = self.walkers.present

    @property
    def crowd(self) -> Crowd:
        """All that was shown so far. Its arrays are views: what is there does not change any more."""
        notices = []
        if self.frame == self.frames and not self.cast.loops.all():
            notices += missing(self.walkers.done | self.cast.loops, self.frames / self.fps)
        wished = float(self.cast.speed.mean())
        reached = float((self._size * self._gaits.reached(self.cast.speed / self._size)).mean())
        if abs(reached - wished) > _OFF * wished:
            notices.append(
                f"people would like to go at {wished:.1f} m/s on average, and the clips of this graph take them at {reached:.1f} m/s: say "
                "another speed, or build it with clips in which somebody walks so fast"
            )
        if self.people.calmest > _STANDS:
            notices.append(
                f"nobody stands in this graph: who has to wait goes on at {self.people.calmest:.1f} m/s, and who has "
                "arrived leaves; build it with a clip in which somebody stands"
            )
        shown = {name: array[: self.frame + 1] for name, array in self._kept.items()}
        return Crowd(
            self.cast,
            self.people.graph,
            **shown,
            arrived=self.walkers.arrived.copy(),
            notices=tuple(notices),
        )


def crowd(
    graph: MotionGraph | str | PathLike[str],
    scenario: Scenario | str | PathLike[str],
    *,
    seconds: float = 60.0,
    seed: int | None = None,
    feet: bool = True,
    watch: Watcher = None,
) -> Crowd:
    """Many people on a graph, each of whom goes their way and walks into nobody.

    scenario: a `Scenario`, a TOML file, or a built-in one with the number of people, such as ``circle:100`` (also hallway, crossing,
    bottleneck, square, street). seconds: how long at most; it ends when all have arrived. seed: instead of the scenario's own.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> graph = kg.build([kg.samples.make(name).motion for name in names])
    >>> crowd(graph, "hallway:6", seconds=1)
    Crowd('hallway': 6 people, 30 frames, 0 arrived)
    """
    watch = Watch.of(watch)
    played = scenario_of(scenario, seed)
    watch.tell("prepare", 0, 1)
    simulation = Simulation(
        graph if isinstance(graph, MotionGraph) else load(graph), played, seconds=seconds, feet=feet
    )
    watch.tell("prepare", 1, 1)
    for frame in simulation.run():
        if frame % _TELL == 0:
            watch.tell("walk", frame, simulation.frames)
    watch.tell("walk", simulation.frames, simulation.frames)
    return simulation.crowd


def _room(frames: int, count: int, joints: int) -> dict[str, Any]:
    """Arrays for all frames. Pages that nobody writes to take no memory; what is too large for it is kept in a file that nobody sees."""
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        "root": ((frames, count, 3), np.float32),
        "rotations": ((frames, count, joints, 4), np.float32),
        "place": ((frames, count, 2), np.float32),
        "velocity": ((frames, count, 2), np.float32),
        "heading": ((frames, count), np.float32),
        "stick": ((frames, count, 2), np.float32),
        "edges": ((frames, count), np.int32),
        "held": ((frames, count, 4), np.bool_),
        "present": ((frames, count), np.bool_),
    }
    size = sum(int(np.prod(shape)) * np.dtype(kind).itemsize for shape, kind in shapes.values())
    if size <= _IN_MEMORY:
        return {name: np.zeros(shape, kind) for name, (shape, kind) in shapes.items()}
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if size > 0.9 * free:
        raise CrowdError(
            f"{count:,} people for {frames:,} frames take {size / 1e9:,.1f} GB of poses, and {tempfile.gettempdir()} has "
            f"{free / 1e9:,.1f} GB left: take fewer people or fewer seconds"
        )
    with tempfile.TemporaryFile() as file:
        whole = np.memmap(file, np.uint8, "w+", shape=(size,))
    arrays: dict[str, Any] = {}
    first = 0
    for name, (shape, kind) in shapes.items():
        length = int(np.prod(shape)) * np.dtype(kind).itemsize
        arrays[name] = whole[first : first + length].view(kind).reshape(shape)
        first += length
    return arrays
