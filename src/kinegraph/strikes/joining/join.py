"""A strike between two walks: it is entered from a motion graph and left to it again, by transitions like all others.

The strike becomes one more clip of the graph, in memory. Its windows are compared with those of all clips by the graph's own distance, and
the best few ways in and out become transitions, or bridges if they cost more than the graph's threshold. They blend only what is well
before or well after the hit, never the hit itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, Bools
from kinegraph.blending.performance import Performance
from kinegraph.blending.playing import play
from kinegraph.blending.stretch import Blend
from kinegraph.errors import GraphError
from kinegraph.feet.cleanup import STRETCH, clean
from kinegraph.graph.making.builder import remove
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.strikes.joining.clip import StrikeClip, aimed
from kinegraph.strikes.joining.feet import with_steps
from kinegraph.strikes.joining.splice import going_on, laid, led, spliced
from kinegraph.strikes.joining.ways import Way, ways
from kinegraph.strikes.solve import BEYOND, Bounds, Method
from kinegraph.strikes.space import Reach, Space
from kinegraph.walks.choice import all_labels, understood
from kinegraph.walks.performing import Finished

# Seconds at either end of the strike's own frames within which what the cleanup of the feet did fades away.
_FADE = 0.15


@dataclass(frozen=True, eq=False)
class Joined:
    """A walk, a strike and another walk."""

    motion: Motion
    """All three."""
    contacts: Bools
    """``(F, 4)``: of all three."""
    hit_frame: int
    hit: Array
    """``(3,)``: where the striking joint is at the hit, in the world."""
    target: Array
    """``(3,)``: where it should be."""
    placement: FloorTransform
    """From the space's frame to the world."""
    entered: Way
    """The transition to the strike."""
    left: Way
    """The transition from the strike."""
    untouched: tuple[int, int]
    """Frames ``first`` … ``last``−1 around the hit, which are the strike's own."""
    reach: Reach
    """The strike on the graph's body, at its rate."""
    finished: Finished
    """How it was made; its walk is through the given graph with the strike as one more clip."""

    @property
    def miss(self) -> float:
        """Metres between hit and target."""
        return float(np.linalg.norm(self.hit - self.target))


def joined(
    space: Space,
    target: ArrayLike,
    graph: MotionGraph,
    *,
    before: float = 3.0,
    after: float = 3.0,
    seed: int = 0,
    blend: Blend | str = "cubic",
    limit: float | None = None,
    label: str | None = None,
    method: Method = "auto",
    bounds: Bounds = BEYOND,
    feet: bool = True,
    stretch: float = STRETCH,
) -> Joined:
    """A random walk through ``graph``, the strike at ``target``, and another random walk. It begins at the origin, facing +Z.

    - target, method, bounds: as in `Space.reach`, on the graph's body, see `aimed`
    - before, after: seconds of the two walks, 0 or more, without the transitions
    - seed: decides the walks, and which of the best few transitions to and from the strike are taken
    - blend, feet: as in `perform`; stretch: as in `feet.clean`
    - limit: metres that a transition to or from the strike may cost, by default as much as the graph's own bridges
      (`Parameters.limit`); if all cost more, a `GraphError` says what the cheapest would cost
    - label: walk only through clips that have this label somewhere, as if the graph contained no others; several are said
      as everywhere (``walk+happy``), ``!run`` being clips that run nowhere

    Neither the graph nor its file is changed. The same space, graph, seed and options give the same motion.

    >>> import kinegraph as kg
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> space = kg.strikes.build(takes, "punch")
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "start", "stop")])
    >>> made = kg.strikes.joined(space, (0.1, 1.4), graph, before=1, after=1)
    >>> f"{made.motion.seconds:.1f} s, {100 * made.miss:.1f} cm off its target"
    '4.0 s, 0.0 cm off its target'
    """
    for what, seconds in (("before", before), ("after", after)):
        if not 0 <= seconds < math.inf:
            raise GraphError(f"the walk {what} a strike lasts 0 seconds or more, got {seconds}")
    if limit is not None and not 0 < limit < math.inf:
        raise GraphError(f"what a transition may cost must be a positive number of metres, got {limit}")
    if label is not None:
        graph = bearing(graph, label)
    reach = aimed(space, target, graph, method=method, bounds=bounds)
    strike = StrikeClip.of(reach, space, graph)
    into, out = ways(graph, strike, graph.record.parameters.limit if limit is None else limit)
    rng = np.random.default_rng(seed)
    first, last = into[rng.integers(len(into))], out[rng.integers(len(out))]
    start, earlier = led(graph, first, round(before * graph.fps), rng)
    frames = round(after * graph.fps)
    later = going_on(graph, last, frames, int(rng.integers(2**32)))
    made = spliced(graph, strike.clip, [*into, *out], start)
    walk = laid(made, start, [*earlier, first, last], later, frames)
    return _told(play(walk, blend), stretch if feet else None, reach, strike, first, last)


def bearing(graph: MotionGraph, label: str) -> MotionGraph:
    """The graph of only those clips that have ``label`` somewhere; or several as it says, ``!run`` being clips that run nowhere."""
    said = understood(graph, label)
    chosen = said.frames(lambda name: np.array([clip.labelled(name).any() for clip in graph.clips]))
    others = [clip.name for clip, own in zip(graph.clips, chosen, strict=True) if not own]
    if len(others) == len(graph.clips):
        raise GraphError(f"no clip of this graph is {label!r}; its labels are {', '.join(all_labels(graph))}")
    return remove(graph, others) if others else graph


def _told(
    performance: Performance, stretch: float | None, reach: Reach, strike: StrikeClip, first: Way, last: Way
) -> Joined:
    """The walk finished, and what became of the strike in it. stretch: of the legs; None leaves the feet as they are."""
    walk = performance.walk
    graph = walk.graph
    inside = graph.node_clip[graph.edges.source[walk.edges]] == graph.clip_index[strike.clip.name]
    index = int(np.argmax(inside & (graph.edges.kind[walk.edges] == EdgeKind.ORIGINAL)))
    place = walk.placements[index]
    began = int(walk.begins[index])
    own = began, began + last.frame - first.arrival
    finished = Finished(performance.motion, performance.contacts, performance, None, None)
    if stretch is not None:
        finished = _with_feet(performance, own, strike.clip.name, stretch)
    finished = replace(finished, motion=finished.motion.renamed(strike.clip.name))
    hit_frame = began + strike.hit - first.arrival
    goal = reach.hit.copy()
    goal[: len(reach.target)] = reach.target
    return Joined(
        motion=finished.motion,
        contacts=finished.contacts,
        hit_frame=hit_frame,
        hit=finished.motion.positions[hit_frame, strike.end],
        target=place.apply(goal),
        placement=place,
        entered=replace(first, arrival=first.arrival - strike.held),
        left=replace(last, frame=last.frame - strike.held),
        untouched=(own[0] + _fade(graph.fps), own[1] - _fade(graph.fps)),
        reach=reach,
        finished=finished,
    )


def _with_feet(performance: Performance, own: tuple[int, int], strike: str, stretch: float) -> Finished:
    """The performance with feet that step into the strike and out of it, and slide nowhere; the strike's ``own`` frames as they were."""
    motion, contacts = with_steps(performance, [strike])
    cleaned = clean(motion, contacts, stretch=stretch)
    return Finished(_kept(cleaned.motion, performance.motion, own), cleaned.contacts, performance, None, cleaned.report)


def _kept(changed: Motion, motion: Motion, own: tuple[int, int]) -> Motion:
    """``changed``, but with frames ``own`` from ``motion``; at both ends of these, one changes into the other for a short while."""
    fade = _fade(motion.fps)
    now = np.arange(len(motion))
    t = np.clip(np.minimum(now - own[0] + 1, own[1] - now) / (fade + 1), 0.0, 1.0)[:, None]
    share = t * t * (3.0 - 2.0 * t)
    translations = changed.translations
    if translations is not None:
        translations = translations + share[..., None] * (motion.skeleton.offsets - translations)
    return replace(
        changed,
        root=changed.root + share * (motion.root - changed.root),
        rotations=rotation.slerp(changed.rotations, motion.rotations, share),
        translations=translations,
    )


def _fade(fps: float) -> int:
    return max(1, round(_FADE * fps))
