"""From a walk to a finished motion: blended, bent onto its path where that is wished, feet cleaned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.blending.performance import Performance
from kinegraph.blending.playing import play
from kinegraph.blending.stretch import Blend
from kinegraph.feet import knees
from kinegraph.feet.cleanup import STRETCH, CleaningReport, clean
from kinegraph.feet.plants import Footing, footing, landed, peeled
from kinegraph.frozen import Frozen
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.ranges import ranges_of_walk
from kinegraph.graph.sampling import some_clips
from kinegraph.graph.walk import Walk
from kinegraph.motion.clip import Motion
from kinegraph.paths.editing.steps import moved, pivoting
from kinegraph.paths.moving import carrying
from kinegraph.paths.path import Path
from kinegraph.paths.warp import WarpReport, warp
from kinegraph.watch import Watch, Watcher

NO_LEGS = "the feet are left as they are: this graph does not know which joints are its hips, knees and ankles"
"""What to say where feet should be cleaned and cannot be, since the skeleton has no legs that are known."""


# radians by which feet at most pitch about their balls: balls are held for long here, and ankles should do what they do in
# the clips
_PITCH = 0.1
# rad/s by which a bend may turn a body whose feet are held until they are seen to leave
_CALM = 1.0


@dataclass(frozen=True, eq=False)
class Finished(Frozen):
    """A walk as motion that can be shown."""

    motion: Motion
    contacts: Bools
    """``(F, 4)``: when left heel, left ball, right heel and right ball stand."""
    performance: Performance
    """The walk as it was blended, before anything else."""
    warp: WarpReport | None
    """What bending onto the path did, where that was asked for."""
    feet: CleaningReport | None
    """What cleaning the feet did, where that was asked for."""
    onto: Path | None = None
    """What it was bent onto, where that was asked for."""


def perform(
    walk: Walk,
    *,
    blend: Blend | str = "anticipation",
    onto: Path | None = None,
    feet: bool = True,
    stretch: float = STRETCH,
    watch: Watcher = None,
) -> Finished:
    """The finished motion of a walk.

    blend: how its transitions are mixed. onto: a path onto which the root is gently bent. feet: whether they are kept
    from sliding; stretch: by which share of their length legs may change for it. watch: asked after each of these whether to go on.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> made = kg.walks.perform(kg.walks.wander(graph, 5, seed=1))
    >>> made.motion, made.feet.after.slides.overall[1] < 1e-6
    (Motion('walk', 150 frames at 30/s, 24 joints), True)
    """
    watch = Watch.of(watch)
    performance = play(walk, blend)
    motion = performance.motion
    bent = None
    watch.check()
    if onto is not None:
        warped = warp(motion, onto)
        motion, bent = warped.motion, warped.report
        watch.check()
    done = replace(finished(performance, motion, feet=feet, stretch=stretch), warp=bent, onto=onto)
    watch.check()
    return done


def finished(
    performance: Performance, motion: Motion, *, feet: bool = True, stretch: float = STRETCH, knees_turn: float = 0.0
) -> Finished:
    """The finished motion of a walk that was carried over the floor from its performance to ``motion``; wishes as in `perform`.

    knees_turn: rad/s at which knees may turn, where that is more than they usually do in the graph's clips.
    """
    if not feet:
        return Finished(motion, performance.contacts, performance, None, None)
    graph = performance.walk.graph
    cleaned = clean(
        motion,
        feet=stood(performance, motion),
        stretch=stretch,
        knee_limit=max(_usual_knees(graph), knees_turn),
        pitch=_PITCH,
        ranges=ranges_of_walk(performance.walk),
    )
    return Finished(cleaned.motion, cleaned.contacts, performance, None, cleaned.report)


def stood(performance: Performance, motion: Motion) -> Footing:
    """Where the feet of a walk stand that was bent from its performance to ``motion``.

    Each footstep is that of the clips, moved as a whole: feet found in the bent motion would be those that the bend has
    dragged along.
    """
    unbent = performance.unbent
    found = landed(unbent, footing(unbent, performance.contacts))
    source, target = carrying(unbent, motion)
    turn = np.unwrap(target.heading)
    # where the body turns a lot, a foot that is held for long would twist its leg
    found = peeled(unbent, found, np.abs(np.gradient(turn)) * motion.fps < _CALM if len(turn) > 1 else np.ones(1, bool))
    if motion is unbent:
        return found
    return replace(found, plants=pivoting(moved(found.plants, source, target, turn), turn))


@lru_cache(maxsize=4)
def _usual_knees(graph: MotionGraph) -> float:
    """The 99.9th percentile of the knees' speed in the graph's clips, rad/s."""
    speeds = [knees.speed(graph.clips[number].motion).ravel() for number in some_clips(graph)]
    return float(np.percentile(np.concatenate(speeds), 99.9))
