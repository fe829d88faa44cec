"""`Visit`: the cheapest walk through a graph that visits clips and labels in order."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.tasks.made import Made
from kinegraph.tasks.task import Rows, register
from kinegraph.tasks.walking import Walking, as_graph, searching
from kinegraph.walks.begin import Start, start_nodes
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.walks.ordering import Visited


@register
@dataclass(frozen=True)
class Visit(Walking):
    """Walk through clips and labels in a given order, by the cheapest transitions there are.

    >>> import kinegraph as kg
    >>> graph = kg.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    >>> Visit(steps=["walk_left_medium", "walk_right_medium"]).run(graph).title
    'walk_left_medium → walk_right_medium'
    """

    name = "visit"
    command = "walk"
    summary = "Walk through a graph at random, or through clips and labels in a given order."
    examples = ("kinegraph walk g.mog --sequence walk,run,jump --stay 2 -o show.bvh",)
    aside = "walks in order"
    echoed = ("blend",)

    steps: Sequence[str] = wish(
        "The cheapest walk that visits these clips or labels in order.",
        form="names",
        metavar="A,B,C",
        option="sequence",
        key="sequence",
    )
    stay: float | Sequence[float] = wish(
        "Sequence: seconds on end in each; 2,0.5,1 gives one for each.",
        default=1.0,
        unit="s",
        form="stays",
        metavar="S",
        served=(0.0, 120.0),
    )
    either_side: bool = wish(
        "Sequence: let mirrored copies count, which show the other side.", default=False, option="either-side"
    )
    start: Start | None = wish(
        "Clip or label to begin with; CLIP@FRAME for a frame of a clip.", default=None, metavar="NAME", usual="anywhere"
    )

    def __post_init__(self) -> None:
        check(self, GraphError)

    def run(self, source: MotionGraph | str | PathLike[str], watch: Watcher = None) -> Made:
        """The motion of the walk through a graph that visits the steps."""
        from kinegraph.walks.choice import resolve
        from kinegraph.walks.ordering import sequence

        watch = Watch.of(watch)
        graph, steps = as_graph(source), list(self.steps)
        for name in steps:
            resolve(graph, name)
        if not isinstance(self.stay, int | float) and len(self.stay) != len(steps):
            raise GraphError(f"{len(steps)} steps, but {len(self.stay)} stays: give one for all, or one for each")
        if self.start is not None:
            start_nodes(graph, self.start)
        watch.tell("search", 0, None)
        begun = time.thread_time()
        with searching():
            walk = sequence(graph, steps, stay=self.stay, start=self.start, either_side=self.either_side)
        watch.check()
        return self.finish(walk, " → ".join(steps), time.thread_time() - begun, watch=watch)

    def visited(self, made: Made) -> tuple[Visited, ...]:
        """When, where and for how long the walk is in each step."""
        from kinegraph.walks.ordering import visited

        walk = self.finished(made).performance.walk
        return visited(walk, list(self.steps), stay=self.stay, either_side=self.either_side)

    def judge(self, made: Made) -> Mapping[str, Any]:
        """The figures, and when each step is reached."""
        fps = made.motion.fps
        items = [
            {
                "name": one.name,
                "frame": one.first,
                "seconds": round(one.first / fps, 3),
                "stayed_s": round((one.last - one.first) / fps, 3),
                "clip": one.clip,
                "clip_frame": one.clip_frame,
            }
            for one in self.visited(made)
        ]
        return {**super().judge(made), "items": items}

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same for people."""
        fps = made.motion.fps
        reached = [
            (
                f"step {number}",
                f"{one.name} at {one.first / fps:.2f} s for {(one.last - one.first) / fps:.2f} s, "
                f"from frame {one.clip_frame} of {one.clip} on",
            )
            for number, one in enumerate(self.visited(made), start=1)
        ]
        (heading, rows), *more = super().tell(made)
        return [(heading, [*rows, *reached]), *more]

    def echo(self) -> dict[str, Any]:
        """The steps too."""
        return {"sequence": list(self.steps), **super().echo()}
