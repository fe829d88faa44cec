"""Walks through a graph in the studio: along a path while it is drawn, at random, and in an order."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from kinegraph.blending.named import blend
from kinegraph.errors import GraphError, KinegraphError
from kinegraph.evaluation.quality.figures import evaluate
from kinegraph.feet.plants import Plant, footing
from kinegraph.feet.slide import Slides, slides
from kinegraph.feet.sole import has_legs
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.paths.shapes import line
from kinegraph.studio.footprints import plants_told, slide_mm
from kinegraph.studio.made import Made
from kinegraph.studio.pathmodel import sampled
from kinegraph.studio.problems import Conflict, unsatisfied
from kinegraph.walks import arrival
from kinegraph.walks.begin import read_start
from kinegraph.walks.choice import component, resolve
from kinegraph.walks.following import follow as search
from kinegraph.walks.ordering import sequence
from kinegraph.walks.performing import NO_LEGS, Finished, perform
from kinegraph.walks.request import Disc, Request, Section
from kinegraph.walks.setting import check_names
from kinegraph.walks.tables import tables
from kinegraph.walks.wandering import wander
from kinegraph.watch import Watch, Watcher

# seconds that a search may take while somebody waits: an exact one may take hours
_PATIENCE = 30.0


@dataclass(frozen=True)
class Following:
    """How a path is to be followed; see `Request`. sections: (first, last, label), a last of None is the path's end."""

    label: str | None = None
    sections: Sequence[tuple[float, float | None, str]] = ()
    prefer: Mapping[str, float] = field(default_factory=dict)
    search: str = "fast"
    start: str | None = None
    heading_deg: float | None = None
    speed: float | None = None
    horizon: float | None = None
    width: int | None = None
    obstacles: Sequence[tuple[float, float, float]] = ()


@dataclass(frozen=True)
class Making:
    """What becomes of a walk that was found."""

    blend: str = "anticipation"
    warp: bool = False
    clean: bool = True


def follow(graph: MotionGraph, path: Path, wish: Following, making: Making, watch: Watcher = None) -> Made:
    """The motion that follows a path. A `Conflict` where the search cannot satisfy what it understood, or takes too long."""
    blend(making.blend)
    watch, request = Watch.of(watch), asked(graph, path, wish)
    begun = time.thread_time()
    try:
        found = search(graph, request, watch=_Patience(watch, _slow(wish)))
    except GraphError as error:
        raise unsatisfied(error) from error
    return finish(found.walk, making, time.thread_time() - begun, path, watch)


class _Patience(Watch):
    """Stops a search that nobody wants any more, or that takes longer than anybody waits."""

    def __init__(self, watch: Watch, too_slow: str):
        self._watch, self._too_slow = watch, too_slow
        self._until = time.monotonic() + _PATIENCE

    def check(self) -> None:
        self._watch.check()
        if time.monotonic() > self._until:
            raise Conflict(self._too_slow)


def asked(graph: MotionGraph, path: Path, wish: Following) -> Request:
    """The request of a search, checked: names that the graph has not are refused before it begins."""
    given: dict[str, Any] = {
        "horizon": wish.horizon,
        "width": wish.width,
        "speed": wish.speed,
        "heading": None if wish.heading_deg is None else math.radians(wish.heading_deg),
    }
    request = Request(
        path,
        search=wish.search,
        label=wish.label,
        sections=[Section(first, path.length if last is None else last, name) for first, last, name in wish.sections],
        prefer=dict(wish.prefer),
        obstacles=[Disc(*place) for place in wish.obstacles],
        start=read_start(graph, wish.start),
        **{name: value for name, value in given.items() if value is not None},
    )
    check_names(graph, request)
    return request


def at_random(
    graph: MotionGraph,
    seconds: float,
    making: Making,
    *,
    seed: int = 0,
    label: str | None = None,
    pool: float | None = None,
    start: str | None = None,
) -> Made:
    """A random walk of so many seconds."""
    blend(making.blend)
    if label is not None:
        component(graph, label)
    begun = time.thread_time()
    walk = wander(graph, seconds, seed=seed, label=label, pool=pool, start=read_start(graph, start))
    return finish(walk, making, time.thread_time() - begun)


def in_order(
    graph: MotionGraph, names: Sequence[str], making: Making, *, stay: float | Sequence[float], start: str | None = None
) -> Made:
    """The cheapest walk that visits clips or labels in order."""
    blend(making.blend)
    for name in names:
        resolve(graph, name)
    if not isinstance(stay, int | float) and len(stay) != len(names):
        raise GraphError(f"{len(names)} steps, but {len(stay)} stays: give one for all, or one for each")
    first = read_start(graph, start)
    begun = time.thread_time()
    try:
        walk = sequence(graph, names, stay=stay, start=first)
    except GraphError as error:
        raise unsatisfied(error) from error
    return finish(walk, making, time.thread_time() - begun)


def finish(walk: Walk, making: Making, cpu: float, path: Path | None = None, watch: Watcher = None) -> Made:
    """A walk as motion, with all that is told of it.

    cpu: seconds that finding it took. path: what it was to follow. watch: as in `perform`.
    """
    legs = has_legs(walk.graph.skeleton)
    onto = path if making.warp else None
    finished = perform(walk, blend=making.blend, onto=onto, feet=making.clean and legs, watch=watch)
    motion, played = finished.motion, finished.performance
    off = None if path is None else arrival.short_of(motion, path)
    used, clip = np.unique(played.clip, return_inverse=True)
    borne = {name: frames for name, frames in played.labels().items() if frames.any()}
    stood, slid = _feet(finished, legs)
    track = track_of(motion)
    facts = {
        "quality": plain(evaluate(motion, path=path, finished=finished, cpu=cpu).to_dict()),
        "notices": [NO_LEGS] if making.clean and not legs else [],
        "reached": off is None,
        "short": None if off is None else arrival.told(off),
        "path": None if path is None else sampled(path),
        "transitions": _transitions(finished),
        "clips": [walk.graph.clips[number].name for number in used.tolist()],
        "labels": list(borne),
        "plants": plants_told(motion, stood),
        "cpu_s": round(cpu, 6),
    }
    arrays: dict[str, NDArray[Any]] = {
        "track": track.astype(np.float32),
        "slide_mm": np.zeros(len(motion), np.float32) if slid is None else slide_mm(slid),
        "clip": clip.astype(np.int32),
        "frame": played.frame.astype(np.int32),
        "labelled": np.array(list(borne.values()), np.uint8).reshape(len(borne), len(motion)).T,
    }
    if path is not None:
        arrays["deviation_cm"] = (100 * path.track(track)[0]).astype(np.float32)
    return Made(motion, finished.contacts if legs else None, facts, arrays)


def plain(value: Any) -> Any:
    """Figures as JSON takes them: what is not a finite number is null."""
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def warm(graph: MotionGraph) -> None:
    """Get ready for walks through a graph: load or compile what they run, and work out what is the same for all of them."""
    tables(graph)
    making = Making(warp=True)
    with suppress(KinegraphError):
        follow(graph, line(3.0), Following(), making)
    with suppress(KinegraphError):
        in_order(graph, [graph.clips[int(graph.node_clip[0])].name], making, stay=0.0)


class Warmer:
    """Gets graphs ready in the background, each once."""

    def __init__(self) -> None:
        self._known: WeakSet[MotionGraph] = WeakSet()
        self._lock = Lock()

    def start(self, get: Callable[[], MotionGraph]) -> Thread:
        """Begin with the graph that ``get`` gives; the thread does not keep the process from ending."""
        thread = Thread(target=self._warm, args=(get,), name="kinegraph-warming", daemon=True)
        thread.start()
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


def _feet(finished: Finished, legs: bool) -> tuple[tuple[Plant, ...], Slides | None]:
    """Where feet stand, and how far they slide there: what cleaning has found, else as the contacts tell it."""
    if finished.feet is not None:
        return finished.feet.plants, finished.feet.after.slides
    if not legs:
        return (), None
    found = footing(finished.motion, finished.contacts)
    return found.plants, slides(finished.motion, found.plants, found.soles)


def _transitions(finished: Finished) -> list[dict[str, Any]]:
    graph = finished.performance.walk.graph
    clips = [
        [graph.clips[graph.node_clip[end[one.edge]]].name for end in (graph.edges.source, graph.edges.target)]
        for one in finished.performance.transitions
    ]
    return [
        {"first": one.first, "length": one.length, "cost_cm": round(100 * one.cost, 4), "from": begin, "to": end}
        for one, (begin, end) in zip(finished.performance.transitions, clips, strict=True)
    ]


def _slow(wish: Following) -> str:
    instead = "search fast instead of exactly" if wish.search == "exact" else "keep fewer walks at a time"
    return f"this search has taken more than {_PATIENCE:g} s and was stopped: {instead}, look less far ahead, or draw a shorter path"
