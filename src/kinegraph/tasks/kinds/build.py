"""`Build`: the motion graph of clips."""

from __future__ import annotations

from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from kinegraph.errors import GraphError
from kinegraph.formats.options import PLAIN, ReadOptions
from kinegraph.graph.making.parameters import Parameters
from kinegraph.motion.skeleton import Skeleton
from kinegraph.tasks.task import Task, register
from kinegraph.watch import Watcher
from kinegraph.wishes import check, wish

if TYPE_CHECKING:
    from kinegraph.graph.model import MotionGraph


@register
@dataclass(frozen=True)
class Build(Parameters, Task):
    """Compare every moment of every clip with every other, and choose where one can go over into another.

    >>> import kinegraph as kg
    >>> Build(mirror=True).run([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    MotionGraph(4 clips, 282 nodes, 753 edges)
    """

    name = command = "build"
    source = "clips"
    summary = "Compare every moment of every clip with every other, choose where one can go over into another, and save the graph."

    path: FilePath | None = wish(
        "File to write; a build that was stopped goes on where it was.", default=None, form="file"
    )
    labels: Any = wish(
        "Labels of clips and of spans in them, as a TOML file; docs/labels.md has the format.",
        default=None,
        form="file",
        metavar="F.toml",
    )
    onto: Any = wish(
        "Move all clips to the skeleton of this file (.asf or any motion).", default=None, form="file", metavar="BODY"
    )
    threads: int | None = wish("Threads that compare.", default=None, least=1, most=1024, usual="as many as processors")
    memory: float | None = wish(
        "How much memory a build may hold, such as 2G: what is compared is held in parts then.",
        default=None,
        form="bytes",
        metavar="SIZE",
        above=0.0,
        usual="as much as it takes",
    )
    scheduler: str | None = wish(
        "Have the workers of this Dask scheduler compare (tcp://HOST:8786; docs/cluster.md).",
        default=None,
        metavar="ADDRESS",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self, GraphError)

    def run(  # type: ignore[override]
        self, source: Any, watch: Watcher = None, reading: ReadOptions = PLAIN, strict: bool = True, processes: int = 1
    ) -> MotionGraph:
        """The graph of clips: motions, files, or folders of them. reading, strict, processes: as `kinegraph.graph.build` takes them."""
        from kinegraph.graph.labels import Labels
        from kinegraph.graph.labels import read as read_labels
        from kinegraph.graph.making.builder import build

        return build(
            source,
            self.parameters,
            path=self.path,
            labels=self.labels if self.labels is None or isinstance(self.labels, Labels) else read_labels(self.labels),
            skeleton=as_body(self.onto),
            watch=watch,
            threads=self.threads,
            memory=self.memory,
            scheduler=self.scheduler,
            reading=reading,
            strict=strict,
            processes=processes,
        )

    @property
    def parameters(self) -> Parameters:
        """What decides which graph it is."""
        return Parameters(**{one.name: getattr(self, one.name) for one in fields(Parameters)})


def as_body(given: Skeleton | str | PathLike[str] | None) -> Skeleton | None:
    """A body as people have it in hand: a skeleton, or a file that holds one (.asf or any motion)."""
    if given is None or isinstance(given, Skeleton):
        return given
    from kinegraph.formats.bodies import read_body

    return read_body(given)[0]
