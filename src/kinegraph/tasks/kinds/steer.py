"""`Steer`: a person who does what a recorded stick says."""

from __future__ import annotations

import time
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.errors import GraphError
from kinegraph.feet.sole import has_legs
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.ground import ground as read_ground
from kinegraph.tasks.made import Made
from kinegraph.tasks.task import register, shortened
from kinegraph.tasks.walking import Walked, as_graph
from kinegraph.walks.performing import NO_LEGS
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.people.person import Person

NEVER_STANDS = "nobody stands in this graph: whoever is left alone goes on at {:.1f} m/s; build it with a clip in which somebody stands"
"""What to say where a person cannot stand still."""
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
        "A recorded stick: CSV or JSON with t, x, z and optionally facing, label, action.",
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
    clean: bool = wish("Keep feet that stand from sliding.", default=True)

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
        person = Person(graph, feet=self.clean, ground=ground)
        watch.tell("prepare", 1, 1)
        begun = time.thread_time()
        wished = list(stick.played(graph.fps))
        for number, one in enumerate(wished):
            if number % _TELL == 0:
                watch.tell("steer", number, len(wished))
            person.step(one.velocity, one.facing, one.label, one.action)
        watch.tell("steer", len(wished), len(wished))
        title = "by a stick" if isinstance(self.stick, Stick) else f"by {shortened(str(self.stick))}"
        return self.kept(person, f"{title} of {stick.seconds:g} s", time.thread_time() - begun)

    def echo(self) -> dict[str, Any]:
        """The ground by its name."""
        return {**super().echo(), "ground": None if self.ground is None else str(self.ground)}

    def kept(self, person: Person, title: str, cpu: float) -> Made:
        """All that was shown of a person who was steered."""
        notices = [NO_LEGS] if self.clean and not has_legs(person.graph.skeleton) else []
        if person.people.calmest > _STANDS:
            notices.append(NEVER_STANDS.format(person.people.calmest))
        return self.made(person.finished(), title, cpu, notices=notices)
