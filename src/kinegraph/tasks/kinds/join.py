"""`Join`: a strike between two random walks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.errors import SpaceError
from kinegraph.feet.cleanup import STRETCH
from kinegraph.feet.sole import has_legs
from kinegraph.graph.model import MotionGraph
from kinegraph.strikes import told
from kinegraph.tasks.kinds.strike import as_space
from kinegraph.tasks.made import Made
from kinegraph.tasks.task import Rows, register
from kinegraph.tasks.walking import Walking, as_graph, blend_wish, searching
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.strikes.joining.join import Joined
    from kinegraph.strikes.joining.ways import Way
    from kinegraph.strikes.space import Space
    from kinegraph.walks.performing import Finished


@register
@dataclass(frozen=True)
class Join(Walking):
    """Put the strike that hits a target between two random walks through a graph.

    The strike is entered and left by ordinary transitions, or by bridges where the walks hold no pose like its ready pose. On another
    body than the space's the strike is aimed anew, so that it hits the same target.

    >>> import kinegraph as kg
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> graph = kg.build([kg.samples.make(name).motion for name in ("walk", "start", "stop")])
    >>> kg.join(kg.strikes.build(takes, "punch"), (0.1, 1.4), graph, before=1, after=1)
    Made(join 'right punch at 0.10,1.40': 4.0 s, 14 plants, 3 transitions)
    """

    name = "join"
    command = "space join"
    source = "space"
    summary = "Put the strike that hits a target between two random walks through a graph."
    examples = (
        "kinegraph space join punches.mog 0.1,1.3 graph.mog --label walk -o punch.bvh",
        "kinegraph space join punches.mog -0.2,1.3 walks.mog --before 5 --after 0 --seed 3 -o punch.bvh",
    )
    echoed = ("blend", "seed")

    target: Sequence[float] = wish(
        "Where to strike, in metres from below the ready pose: to the left (negative: right), up, and ahead.",
        unit="m",
        form="target",
        metavar="X,Y[,Z]",
    )
    graph: Any = wish("The graph, as `kinegraph build` makes it.", form="file", metavar="G.mog")
    space: str | None = wish(
        "Which space of the file; need not be said where it holds one.", default=None, option="name", metavar="NAME"
    )
    before: float = wish("Seconds of the walk before the strike.", default=3.0, unit="s", least=0.0)
    after: float = wish("Seconds of the walk after it.", default=3.0, unit="s", least=0.0)
    seed: int = wish("Another seed, other walks.", default=0, least=0)
    limit: float | None = wish(
        "What a transition to or from the strike may cost, in cm.",
        default=None,
        unit="cm",
        form="centimetres",
        metavar="CM",
        usual="the graph's ceiling",
    )
    label: str | None = wish(
        "Walk only through clips that bear this label; several are said walk+happy, walk|run, !run.",
        default=None,
        metavar="LABEL",
    )
    blend: str = blend_wish("cubic")
    stretch: float = wish("By which part of their length legs may change; 0: not at all.", default=STRETCH)

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", tuple(float(value) for value in self.target))
        check(self, SpaceError)
        if self.limit is not None and not 0 < self.limit < math.inf:
            raise SpaceError(f"limit: expected centimetres, above 0, got {100 * self.limit:g}")

    def run(self, source: Space | str | PathLike[str], watch: Watcher = None) -> Made:
        """A walk, the strike of a space at the target, and another walk."""
        from kinegraph.strikes.joining.join import bearing, joined

        Watch.of(watch).tell("strike", 0, None)
        space, graph = as_space(source, self.space), as_graph(self.graph)
        if self.label is not None:
            graph = bearing(graph, self.label)
        feet = self.clean and has_legs(graph.skeleton)
        with searching():
            found = joined(
                space,
                self.target,
                graph,
                before=self.before,
                after=self.after,
                seed=self.seed,
                blend=self.blend,
                limit=self.limit,
                feet=feet,
                stretch=self.stretch,
            )
        title = f"{space.name} at {told.point(self.target)}"
        made = self.made(found.finished, title, 0.0, notices=_notices(found, graph.record.report.threshold))
        reached = found.reach.reached
        missed = (
            f"{told.point(self.target)} cannot be reached: the nearest strike misses it by {100 * found.miss:.1f} cm"
        )
        details = JoinDetails(found, space, graph)
        short = "" if reached else missed
        return replace(made, reached=reached, short=short, marks={found.hit_frame: "hit"}, details=details)

    def echo(self) -> dict[str, Any]:
        """The graph's file too."""
        return {"graph": None if isinstance(self.graph, MotionGraph) else str(self.graph), **super().echo()}

    @staticmethod
    def finished(made: Made) -> Finished:
        """The walk with the strike in it."""
        details = made.details
        return details.joined.finished if isinstance(details, JoinDetails) else details

    def judge(self, made: Made) -> Mapping[str, Any]:
        """Where it hits, how it is entered and left, and the figures of the walk."""
        return {**_facts(made.details.joined, self.target), **super().judge(made)}

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same as sentences."""
        return [("strike", _rows(made.details.joined)), *super().tell(made)]

    def unstretched(self, made: Made) -> Made:
        """The same with legs of one length."""
        details: JoinDetails = made.details
        again = replace(self, stretch=0.0, graph=details.graph, label=None).run(details.space)
        # it is still what was asked for, by the names that it was asked by
        return replace(again, task=self)


@dataclass(frozen=True, eq=False)
class JoinDetails:
    """The walk with the strike in it, and what it was made of."""

    joined: Joined
    space: Space
    graph: MotionGraph


def _facts(found: Joined, target: Sequence[float]) -> dict[str, Any]:
    place = found.placement
    return {
        "target": list(target),
        "target_world": told.numbers(found.target),
        "hit": told.numbers(place.inverse().apply(found.hit)),
        "hit_world": told.numbers(found.hit),
        "hit_frame": found.hit_frame,
        "miss_cm": round(100 * found.miss, 4),
        "placement": {
            "degrees": round(math.degrees(place.angle), 3),
            "x": round(place.x, 5),
            "z": round(place.z, 5),
        },
        "untouched": list(found.untouched),
        "entered": _way_facts(found.entered),
        "left": _way_facts(found.left),
    }


def _way_facts(way: Way) -> dict[str, Any]:
    return {
        "from": way.source,
        "from_frame": way.frame,
        "to": way.target,
        "to_frame": way.arrival,
        "frames": way.length,
        "cost_cm": round(100 * way.cost, 2),
        "bridge": way.bridge,
    }


def _rows(found: Joined) -> Rows:
    into, out = found.entered, found.left
    return [
        ("hit", f"at frame {found.hit_frame}, {1000 * found.miss:.1f} mm off; in the world {told.point(found.hit)}"),
        ("entered", f"from {into.source}, frame {into.frame}, for {100 * into.cost:.1f} cm over {into.length} frames"),
        ("left", f"to {out.target}, frame {out.arrival}, for {100 * out.cost:.1f} cm over {out.length} frames"),
    ]


def _notices(found: Joined, threshold: float) -> list[str]:
    """What the user should know: that the walks hold no pose like the strike's."""
    dearest = max((way for way in (found.entered, found.left)), key=lambda way: way.cost)
    if not dearest.bridge:
        return []
    return [
        f"the strike is joined by bridges of up to {100 * dearest.cost:.1f} cm, above the graph's threshold of {100 * threshold:.1f} cm: "
        "clips in which the body takes up its ready pose would make better ones"
    ]
