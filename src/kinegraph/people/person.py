"""`Person`: somebody who is steered, frame by frame, and all that was shown of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.blending.playing import play
from kinegraph.feet import knees
from kinegraph.feet.cleanup import CleaningReport, figures
from kinegraph.feet.giving import Eased
from kinegraph.feet.plants import Plant
from kinegraph.feet.sole import Sole, has_legs, underfoot
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import load
from kinegraph.graph.walk import Walk
from kinegraph.motion.body import SIDES
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.paths.ground import Ground
from kinegraph.paths.ground import ground as read_ground
from kinegraph.people.body import soles_of
from kinegraph.people.record import LiveRecord
from kinegraph.people.spaces import Given
from kinegraph.people.steered import People
from kinegraph.people.striking import LiveStrike
from kinegraph.walks.performing import Finished


def live(
    graph: MotionGraph | str | PathLike[str],
    *,
    feet: bool = True,
    ground: Ground | str | PathLike[str] | None = None,
    spaces: Given | None = None,
    label: str | None = None,
) -> Person:
    """Somebody to steer on a graph, or on the graph in a file. feet: whether they are held where they stand. ground: level unless told.
    label: what they must be able to do, of a large graph, of which some minutes are at hand.

    spaces: what to strike from, as spaces or files; by default those in the graph's own file.

    >>> import kinegraph as kg
    >>> person = kg.live(kg.graph.build([kg.samples.make(name).motion for name in ("stand", "start", "walk", "stop")]))
    >>> pose = person.step(velocity=(0, 1.2))
    >>> pose.rotations.shape
    (24, 4)
    """
    given = read_ground(ground) if isinstance(ground, str | PathLike) else ground
    if isinstance(graph, MotionGraph):
        return Person(graph, feet=feet, ground=given, spaces=spaces, label=label)
    return Person(load(graph), feet=feet, ground=given, spaces=graph if spaces is None else spaces, label=label)


@dataclass(frozen=True, eq=False)
class LivePose:
    """What is shown at a frame."""

    root: Array
    """``(3,)``: metres."""
    rotations: Array
    """``(J, 4)``: w x y z, local to the parent."""


class Person:
    """Somebody on a graph who does what is wished, frame by frame.

    >>> import kinegraph as kg
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> person = Person(kg.graph.build([kg.samples.make(name).motion for name in names]))
    >>> for frame in range(150):
    ...     pose = person.step(velocity=(1.2, 0.0))    # to the left
    >>> bool(pose.root[0] > 3)
    True
    """

    def __init__(
        self,
        graph: MotionGraph,
        *,
        feet: bool = True,
        ground: Ground | None = None,
        spaces: Given | None = None,
        label: str | None = None,
    ) -> None:
        """feet: whether they are held where they stand. ground: level unless told. spaces: what to strike from, or files with some.
        label: what they must be able to do, see `People`.
        """
        self.people = People(graph, feet=feet, ground=ground, spaces=spaces, label=label)
        self.strikes: list[LiveStrike] = []
        """All strikes that were asked for, with what came of them."""
        self._record = LiveRecord(self.people.graph, self.people.cursors)
        self._roots: list[Array] = []
        self._rotations: list[Array] = []
        self._held: list[Bools] = []
        self._let_go: list[Bools] = []
        self._drop: list[float] = []
        self._keep()

    @property
    def graph(self) -> MotionGraph:
        """The graph that the person lives on."""
        return self.people.graph

    @property
    def acting(self) -> str:
        """The action that is asked for or being done; nothing once it is done."""
        return self.people.acting[0]

    @property
    def notices(self) -> list[str]:
        """Why strikes that were asked for were not done: a sentence each."""
        return [strike.why for strike in self.strikes if strike.state == "failed"]

    def __len__(self) -> int:
        return len(self._roots)

    def step(
        self,
        velocity: tuple[float, float] = (0.0, 0.0),
        facing: float | None = None,
        label: str = "",
        action: str = "",
        target: Sequence[float] | None = None,
    ) -> LivePose:
        """The next frame, for a wished velocity along x and z in m/s.

        facing: where to face, as a heading in radians; by default where one goes. label: what the person should be doing all the
        while. action: what it should do once. target: at what to strike, x, y and z in metres in the world; the action is then the
        name of a space. What becomes of it is told by `strikes`.
        """
        phase = float(self.people.cursors.phase[0])
        self.people.step(velocity, None if facing is None else [facing], label, action, target)
        strike, shown = self.people.strikes[0], self.people.track(0)
        if strike is not None and (not self.strikes or self.strikes[-1] is not strike):
            self.strikes.append(strike)
        if shown is None:
            self._record.stepped(phase)
        else:
            self._record.struck(*shown)
        self._keep()
        if strike is not None and strike.hit is not None and strike.hit_frame is None:
            strike.hit_frame = len(self) - 1
        return LivePose(self._roots[-1], self._rotations[-1])

    def _keep(self) -> None:
        self._roots.append(self.people.root[0].copy())
        self._rotations.append(self.people.rotations[0].copy())
        self._held.append(self.people.stands[0])
        self._let_go.append(self.people.let_go[0])
        self._drop.append(float(self.people.drop[0]))

    @property
    def motion(self) -> Motion:
        """All that was shown."""
        return Motion(
            self.graph.skeleton, np.array(self._roots), np.array(self._rotations), self.graph.fps, name="live"
        )

    @property
    def walk(self) -> Walk:
        """The way through the graph that was taken; where there were strikes, through the graph with these as more clips."""
        return self._record.walk()

    def finished(self) -> Finished:
        """The same as what comes of a walk that was planned: as it was shown, with where every frame came from."""
        played, motion, held = play(self.walk), self.motion, np.array(self._held)
        legs = self.people.feet and has_legs(motion.skeleton)
        report = (
            _told(played.motion, motion, soles_of(self.graph), held, np.array(self._let_go), max(self._drop))
            if legs
            else None
        )
        return Finished(motion, held if legs else played.contacts, replace(played, motion=motion), None, report)


def _told(
    before: Motion, after: Motion, feet: tuple[Sole, Sole], held: Bools, let_go: Bools, lowered: float
) -> CleaningReport:
    """What holding feet did to a motion. held ``(F, 4)``, let_go ``(F, 2)``: which parts were held, and which feet could not be."""
    points = underfoot(after, feet)
    plants = tuple(
        Plant(side, part, first, last, np.median(points[first:last, foot, number], axis=0))
        for foot, side in enumerate(SIDES)
        for number, part in enumerate(feet[foot].parts)
        for first, last in spans(held[:, 2 * foot + number])
    )
    plants = tuple(sorted(plants, key=lambda plant: (plant.first, plant.column)))
    eased = tuple(
        Eased(side, first, last, "let go") for foot, side in enumerate(SIDES) for first, last in spans(let_go[:, foot])
    )
    return CleaningReport(
        plants,
        (),
        tuple(sorted(eased, key=lambda one: (one.first, one.side))),
        figures(before, plants, feet),
        figures(after, plants, feet),
        knees.usual(before),
        float(np.linalg.norm(after.positions - before.positions, axis=-1).max()),
        lowered,
        0.0,
        0.0,
    )
