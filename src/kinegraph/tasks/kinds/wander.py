"""`Wander`: a random walk through a graph."""

from __future__ import annotations

import time
from dataclasses import dataclass
from os import PathLike

from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.tasks.made import Made
from kinegraph.tasks.task import register
from kinegraph.tasks.walking import Walking, as_graph
from kinegraph.walks.begin import Start, start_nodes
from kinegraph.walks.choice import component
from kinegraph.walks.wandering import GAP, staying, wander
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import check, wish

# seconds that a walk may last: beyond, its frames would not fit into memory
_LONGEST = 4 * 3600.0

STAYED = "{} of {} transitions stay within a clip: nothing else leads on there, or to what had not been seen"
"""What to say where transitions within a clip were not wished for and had to be taken."""


@register
@dataclass(frozen=True)
class Wander(Walking):
    """Walk through a graph at random, exactly as long as is asked, and see all of it evenly.

    >>> import kinegraph as kg
    >>> graph = kg.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    >>> Wander(seconds=5, seed=3).run(graph).motion.seconds
    5.0
    """

    name = "wander"
    command = "walk"
    summary = "Walk through a graph at random, or through clips and labels in a given order."
    examples = ("kinegraph walk g.mog --seconds 20 -o walk.bvh",)
    aside = "random walks"
    echoed = ("blend", "seed")

    seconds: float = wish("A random walk of this length, to the frame.", unit="s", above=0.0, served=(None, 600.0))
    seed: int = wish("Random: another seed, another walk.", default=0, least=0, served=(0, 2**53))
    label: str | None = wish("Random: keep to this label; several are said walk+happy, walk|run, !run.", default=None)
    pool: float | None = wish(
        "Random: only the best share of the transitions that a clip has ahead, such as 0.05.",
        default=None,
        metavar="SHARE",
        above=0.0,
        most=1.0,
    )
    gap: float = wish(
        "Random: seconds of untouched motion between transitions.", default=GAP, unit="s", served=(0.0, 60.0)
    )
    within: bool = wish("Random: take transitions within a clip like any others.", default=False)
    start: Start | None = wish(
        "Clip or label to begin with; CLIP@FRAME for a frame of a clip.", default=None, metavar="NAME", usual="anywhere"
    )

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= _LONGEST:
            raise GraphError(f"seconds: expected a length above 0 and up to {_LONGEST:,.0f} s, got {self.seconds:g}")
        check(self, GraphError)

    @property
    def asked_labels(self) -> tuple[str, ...]:
        """The label that the walk keeps to."""
        return () if self.label is None else (self.label,)

    def run(self, source: MotionGraph | str | PathLike[str], watch: Watcher = None) -> Made:
        """The motion of a random walk through a graph."""
        graph = as_graph(source)
        if self.label is not None:
            component(graph, self.label)
        if self.start is not None:
            start_nodes(graph, self.start)
        begun = time.thread_time()
        walk = wander(
            graph,
            self.seconds,
            seed=self.seed,
            start=self.start,
            label=self.label,
            pool=self.pool,
            gap=self.gap,
            within=self.within,
            watch=watch,
        )
        made = self.finish(walk, f"at random for {self.seconds:g} s", time.thread_time() - begun, watch=Watch.of(watch))
        stayed = 0 if self.within else staying(walk)
        return made.noting(STAYED.format(stayed, walk.transitions)) if stayed else made
