"""`Follow`: a walk through a graph along a path."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.moving import track_of
from kinegraph.paths.shapes import line
from kinegraph.tasks.made import Made
from kinegraph.tasks.task import Rows, register, shortened
from kinegraph.tasks.walking import Walking, as_graph, searching
from kinegraph.walks.request import Request
from kinegraph.watch import Watch, Watcher
from kinegraph.wishes import wish

if TYPE_CHECKING:
    from kinegraph.plots.walked import LabelsAlong
    from kinegraph.walks.given import PauseGiven, SectionGiven

# metres beyond which a path is likelier to be in another unit than to be meant
_LONG = 300.0
_loaded: set[str] = set()


@register
@dataclass(frozen=True)
class Follow(Walking, Request):
    """Find the walk through a graph that follows a path, blend it, and clean its feet.

    >>> import kinegraph as kg
    >>> graph = kg.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium", "walk_right_medium")])
    >>> made = Follow("line:4", warp=True).run(graph)
    >>> made.reached, made.quality["deviation_cm"]["mean"] < 5
    (True, True)
    """

    name = command = "follow"
    summary = "Find the walk through a graph that follows a path, blend it, clean its feet, and say how well it does."
    examples = (
        "kinegraph follow g.mog eight:3 -o eight.bvh --plot eight.png",
        "kinegraph follow g.mog '0,0 0,4 3,6' --label walk --warp -o way.bvh",
        "kinegraph follow g.mog way.svg --sections 0-5:walk,5-:run -o way.bvh",
        "kinegraph follow g.mog line:12 --pause 5:2 -o waits.bvh",
    )
    echoed = ("blend", "search")

    warp: bool = wish("Bend the result gently onto the path, as far as feet can take it.", default=False)

    def run(self, source: MotionGraph | str | PathLike[str], watch: Watcher = None) -> Made:
        """The motion that follows the path through a graph."""
        from kinegraph.walks.begin import start_nodes
        from kinegraph.walks.following import follow_on
        from kinegraph.walks.given import told
        from kinegraph.walks.lay import guide
        from kinegraph.walks.missed import missed
        from kinegraph.walks.parts import goes
        from kinegraph.walks.sections import edge_metres
        from kinegraph.walks.setting import check_names
        from kinegraph.walks.within import within

        watch = Watch.of(watch)
        graph = as_graph(source)
        check_names(graph, self)
        if self.start is not None:
            start_nodes(graph, self.start)
        _load(graph, self)
        part, whole = within(graph, self), math.ceil(self.path.length)
        metres = edge_metres(part.graph)
        begun = time.thread_time()
        with searching():
            for found in follow_on(graph, self, watch=watch):
                if math.isnan(found.error):
                    watch.tell("search", min(int(metres[part.lowered(found.walk)].sum()), whole), whole)
        cpu = time.thread_time() - begun
        # around obstacles, which the path itself may go through
        onto = guide(graph, self) if self.warp else None
        made = self.finish(found.walk, self.title, cpu, path=self.path, onto=onto, watch=watch)
        lost = missed(self, made.motion)
        halting = frozenset(one.label for one in self.sections if not goes(graph, one.label))
        given = told(*self.given(made), halting)
        wishes = (*(one.sentence for one in lost if not one.must), *given)
        short = "; ".join([*([made.short] if made.short else []), *(one.sentence for one in lost if one.must)])
        return replace(made, notices=(*self.doubts(), *made.notices, *wishes), reached=not short, short=short)

    @property
    def asked_labels(self) -> tuple[str, ...]:
        """That of the whole path, or those of its sections."""
        whole = [] if self.label is None else [self.label]
        return tuple(dict.fromkeys([*whole, *(one.label for one in self.sections)]))

    def given(self, made: Made) -> tuple[tuple[SectionGiven, ...], tuple[PauseGiven, ...]]:
        """What a result gives of the sections and of the pauses."""
        from kinegraph.walks.given import pauses_given, sections_given

        labels = {} if made.provenance is None else made.provenance.labels
        return sections_given(self, made.motion, labels), pauses_given(self, made.motion)

    def warn(self, made: Made) -> tuple[str, ...]:
        """As for any walk. Who goes around obstacles is off the path on purpose: what counts is the way around them."""
        if not self.obstacles:
            return super().warn(made)
        from kinegraph.evaluation.quality.figures import Spread
        from kinegraph.evaluation.quality.warnings import warnings
        from kinegraph.walks.lay import guide

        way = guide(self.finished(made).performance.walk.graph, self)
        away = 100 * way.track(track_of(made.motion))[0]
        figures = replace(self.figures(made), deviation_cm=Spread(float(away.mean()), float(away.max())))
        return (*warnings(figures), *self.unlabelled(made))

    def judge(self, made: Made) -> Mapping[str, Any]:
        """The figures of any walk, and what it gives of its sections and pauses."""
        sections, pauses = self.given(made)
        return {
            **super().judge(made),
            "sections": [one.to_dict() for one in sections],
            "pauses": [one.to_dict() for one in pauses],
        }

    def tell(self, made: Made) -> Sequence[tuple[str, Rows]]:
        """The same as sentences."""
        ((title, rows),) = super().tell(made)
        sections, pauses = self.given(made)
        more = [("sections", "; ".join(map(str, sections))), ("pauses", "; ".join(map(str, pauses)))]
        return [(title, [*rows, *(row for row in more if row[1])])]

    def labels_along(self, made: Made) -> LabelsAlong | None:
        """The sections and pauses as they were asked for, and where the motion bears their labels."""
        if not self.sections and not self.pause:
            return None
        from kinegraph.plots.walked import LabelsAlong

        labels = {} if made.provenance is None else made.provenance.labels
        names = dict.fromkeys(one.label for one in self.sections)
        asked = [(one.label, one.first, one.last) for one in self.sections]
        return LabelsAlong(asked, {name: labels[name] for name in names if name in labels}, self.pause)

    def doubts(self) -> tuple[str, ...]:
        """A path that is longer than anybody draws one."""
        if self.path.length <= _LONG:
            return ()
        return (f"the path is {self.path.length:,.0f} m long; in a file, one unit is one metre",)

    def echo(self) -> dict[str, Any]:
        """The path by its name, and how it was followed."""
        return {"path": self.path.name, "limit_s": self.limit, **super().echo()}

    @property
    def title(self) -> str:
        """The path and its length."""
        return f"{shortened(self.path.name or 'a drawn path')}, {self.path.length:.1f} m"


def _load(graph: MotionGraph, asked: Request) -> None:
    """Have what was compiled loaded: that is no part of what a search costs."""
    from kinegraph.walks.following import follow_on
    from kinegraph.walks.within import within

    if asked.search not in _loaded:
        _loaded.add(asked.search)
        with suppress(GraphError):
            # from a single place: a large graph has many
            part = within(graph, asked).graph
            begin = part.clips[part.node_clip[0]].name, int(part.node_frame[0])
            for _ in follow_on(part, Request(line(1.0), search=asked.search, label=asked.label, start=begin)):
                pass
