"""`Steer`: a person who does what a recorded stick says."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.errors import GraphError
from kinegraph.feet.sole import has_legs
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.ground import ground as read_ground
from kinegraph.strikes import told
from kinegraph.tasks.made import Made
from kinegraph.tasks.task import Rows, register, shortened
from kinegraph.tasks.walking import Walked, as_graph
from kinegraph.walks.performing import NO_LEGS, Finished
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.people.person import Person
    from kinegraph.people.steered import People
    from kinegraph.people.striking import LiveStrike

NEVER_STANDS = "nobody stands in this graph: whoever is left alone goes on at {:.1f} m/s; build it with a clip in which somebody stands"
"""What to say where a person cannot stand still."""
UNFINISHED = "the stick ended before {0.space.name!r} had hit its target"
"""What to say of a strike that was still on its way."""
# m/s below which somebody stands
_STANDS = 0.3
# frames after which it is told how far it has come
_TELL = 150


@register
@dataclass(frozen=True)
class Steer(Walked):
    """Steer a person through a graph by a recorded stick, frame by frame, as if the stick were held just then.

    >>> import kinegraph as kg
    >>> from kinegraph.people import Stick
    >>> names = ("stand", "start", "walk", "walk_left_medium", "walk_right_medium", "stop")
    >>> graph = kg.build([kg.samples.make(name).motion for name in names])
    >>> kg.steer(graph, stick=Stick.of([(0.0, (0.0, 1.3)), (4.0, (0.0, 0.0)), (6.0,)]))
    Made(steer 'by a stick of 6 s': 6.0 s, 21 plants, 4 transitions)
    """

    name = "steer"
    command = "live"
    summary = "Steer a person by keys, mouse or gamepad in the studio, or by a recorded stick."
    examples = ("kinegraph live g.mog", "kinegraph live g.mog --stick track.csv -o out.bvh")
    echoed = ("stick", "ground")

    stick: Any = wish(
        "A recorded stick: CSV or JSON with t, x, z and optionally facing, label, action, and tx, ty, tz to strike at.",
        default=None,
        form="file",
        metavar="TRACK.csv",
    )
    ground: Any = wish(
        "slope:10%, hill:1,6, waves:0.3,6, ramp:1,2,6, or a height field: .npz, .npy, .csv.",
        default=None,
        form="ground",
        metavar="SPEC",
    )
    spaces: Any = wish(
        "What the stick strikes from: a .mog with spaces.",
        default=None,
        form="file",
        metavar="S.mog",
        usual="those in the graph's own file",
    )
    clean: bool = wish("Keep feet that stand from sliding.", default=True)
    label: str | None = wish(
        "What the person must be able to do, such as jump: of hours of capture only some minutes are at hand.",
        default=None,
        metavar="LABEL",
    )

    def __post_init__(self) -> None:
        if self.stick is None:
            raise GraphError("stick: say by which one to steer, a file or a kg.people.Stick")
        check(self, GraphError)

    def run(self, source: MotionGraph | str | PathLike[str], watch: Watcher = None) -> Made:
        """The motion of a person who is steered by the stick."""
        from kinegraph.people.person import Person
        from kinegraph.people.stick import Stick, read

        ground = read_ground(self.ground) if isinstance(self.ground, str) else self.ground
        graph, watch = as_graph(source), Watch.of(watch)
        stick = self.stick if isinstance(self.stick, Stick) else read(str(self.stick))
        watch.tell("prepare", 0, 1)
        spaces = source if self.spaces is None and not isinstance(source, MotionGraph) else self.spaces
        person = Person(graph, feet=self.clean, ground=ground, spaces=spaces, label=self.label)
        watch.tell("prepare", 1, 1)
        begun = time.thread_time()
        wished = list(stick.played(graph.fps))
        for number, one in enumerate(wished):
            if number % _TELL == 0:
                watch.tell("steer", number, len(wished))
            person.step(one.velocity, one.facing, one.label, one.action, one.target)
        watch.tell("steer", len(wished), len(wished))
        title = "by a stick" if isinstance(self.stick, Stick) else f"by {shortened(str(self.stick))}"
        return self.kept(person, f"{title} of {stick.seconds:g} s", time.thread_time() - begun)

    def echo(self) -> dict[str, Any]:
        """The ground by its name."""
        return {**super().echo(), "ground": None if self.ground is None else str(self.ground)}

    def kept(self, person: Person, title: str, cpu: float) -> Made:
        """All that was shown of a person who was steered."""
        notices = shortcomings(person.people)
        notices += [strike.why or UNFINISHED.format(strike) for strike in person.strikes if strike.hit is None]
        marks = {strike.hit_frame: "hit" for strike in person.strikes if strike.hit_frame is not None}
        made = self.made(person.finished(), title, cpu, notices=notices)
        return replace(made, marks=marks, details=SteerDetails(made.details, tuple(person.strikes)))

    @staticmethod
    def finished(made: Made) -> Finished:
        """The walk with the strikes in it."""
        details = made.details
        return details.finished if isinstance(details, SteerDetails) else details

    def judge(self, made: Made) -> Mapping[str, Any]:
        """What became of the strikes, and the figures of the walk."""
        strikes = {"strikes": [_facts(strike) for strike in made.details.strikes]} if made.details.strikes else {}
        return {**strikes, **super().judge(made)}

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same as sentences."""
        hits = [
            (
                strike.space.name,
                f"hits {told.point(strike.target)} at frame {strike.hit_frame}, {1000 * strike.miss:.1f} mm off",
            )
            for strike in made.details.strikes
            if strike.miss is not None
        ]
        return [*([("strikes", hits)] if hits else []), *super().tell(made)]


def shortcomings(people: People) -> list[str]:
    """What people on a graph cannot do that everybody expects of them, in sentences."""
    found = [NO_LEGS] if people.feet and not has_legs(people.graph.skeleton) else []
    if people.calmest > _STANDS:
        found.append(NEVER_STANDS.format(people.calmest))
    return found


@dataclass(frozen=True, eq=False)
class SteerDetails:
    """What somebody did who was steered."""

    finished: Finished
    strikes: tuple[LiveStrike, ...]


def _facts(strike: LiveStrike) -> dict[str, Any]:
    return {
        "space": strike.space.name,
        "target": told.numbers(strike.target),
        "state": strike.state,
        "hit_frame": strike.hit_frame,
        "hit": None if strike.hit is None else told.numbers(strike.hit),
        "miss_cm": None if strike.miss is None else round(100 * strike.miss, 4),
    }
