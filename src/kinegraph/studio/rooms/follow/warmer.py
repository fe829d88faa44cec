"""`Warmer`: gets graphs ready for being walked through, before anybody asks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from weakref import WeakSet

from kinegraph.crew import begin
from kinegraph.errors import KinegraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.shapes import line
from kinegraph.tasks.kinds.follow import Follow
from kinegraph.tasks.kinds.visit import Visit
from kinegraph.walks.tables import tables


def warm(graph: MotionGraph) -> None:
    """Load or compile what walks run, and work out what is the same for all of them."""
    tables(graph)
    first = graph.clips[int(graph.node_clip[0])].name
    for task in (Follow(line(3.0), warp=True), Visit([first], stay=0.0)):
        with suppress(KinegraphError):
            task.run(graph)


class Warmer:
    """Gets graphs ready in the background, each once."""

    def __init__(self) -> None:
        self._known: WeakSet[MotionGraph] = WeakSet()
        self._lock = Lock()

    def start(self, get: Callable[[], MotionGraph]) -> Thread:
        """Begin with the graph that ``get`` gives; the thread does not keep the process from ending."""
        thread = Thread(target=self._warm, args=(get,), name="kinegraph-warming", daemon=True)
        with suppress(MemoryError):  # then the first walk takes longer
            begin(thread)
        return thread

    def _warm(self, get: Callable[[], MotionGraph]) -> None:
        try:
            graph = get()
        except KinegraphError:
            return  # deleted since, or no graph: whoever asks for it is told
        with self._lock:
            if graph in self._known:
                return
            self._known.add(graph)
        warm(graph)
