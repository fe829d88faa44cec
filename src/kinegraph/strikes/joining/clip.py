"""A strike as a clip of a motion graph: on the graph's body, at its rate, and with its first and last pose held for a while."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Bools
from kinegraph.errors import GraphError
from kinegraph.feet.cleanup import clean
from kinegraph.feet.sole import soles
from kinegraph.formats.intake import digest
from kinegraph.graph.model import Clip, ClipSource, LabelSpan, MotionGraph
from kinegraph.motion import rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.retargeting import retarget
from kinegraph.strikes.solve import BEYOND, Bounds, Method
from kinegraph.strikes.space import Reach, Space
from kinegraph.strikes.strike import end_role

# No transition touches this part of the way to the hit and of the way back, nor what is less than so many seconds from the hit.
_UNTOUCHED, _UNTOUCHED_SECONDS = 0.5, 0.25
# Seconds in which a body that holds the ready pose comes to the speed at which the strike begins.
_SETTLE = 0.1
# Metres: as near as a strike on another body is brought to its target, and the most trials for that.
_NEAR, _TRIALS = 1e-5, 12


def aimed(
    space: Space, target: ArrayLike, graph: MotionGraph, *, method: Method = "auto", bounds: Bounds = BEYOND
) -> Reach:
    """The strike at ``target``, at the rate of ``graph`` and on its skeleton.

    If the graph's body is not the space's, the strike is retargeted. The space's performer is then asked for the strike that hits
    ``target`` after retargeting; `Reach.miss` says by how much it still misses. Weights, inside and reliability are those of the strike
    that the space's performer throws.
    """
    reach = space.reach(target, method=method, bounds=bounds, fps=graph.fps)
    if graph.skeleton == space.examples.skeleton:
        return reach
    goal, wish, name = reach.target, reach.target, reach.motion.name
    joint = graph.skeleton.joint(end_role(space.examples.kind, space.examples.side))
    best: Reach | None = None
    for _ in range(_TRIALS):
        # on legs of another length feet stand elsewhere
        moved = clean(
            _levelled(retarget(reach.motion, graph.skeleton), reach.contacts, graph), reach.contacts, stretch=0.0
        )
        hit = moved.motion.positions[reach.hit_frame, joint]
        off = hit[: len(goal)] - goal
        miss = float(np.linalg.norm(off))
        if best is None or miss < best.miss:
            best = replace(
                reach, motion=moved.motion, contacts=moved.contacts, target=goal, hit=hit, miss=miss, finish=None
            )
        if miss < _NEAR:
            break
        wish = wish - off
        reach = space.reach(wish, method=method, bounds=bounds, fps=graph.fps)
    assert best is not None  # tried at least once
    return replace(best, motion=best.motion.renamed(name))


def _levelled(motion: Motion, contacts: Bools, graph: MotionGraph) -> Motion:
    """The motion raised or lowered as a whole, so that its feet stand as high as those of the graph's clips."""
    floor = np.median([_rest(clip.motion, clip.contacts) for clip in graph.clips])
    rise = float(floor - _rest(motion, contacts))
    return replace(motion, root=motion.root + np.array([0.0, rise, 0.0]))


def _rest(motion: Motion, contacts: Bools) -> float:
    """Mean height of heels and balls that stand."""
    return float(np.mean([sole.rest[: len(sole.parts)] for sole in soles(motion, contacts)]))


@dataclass(frozen=True, eq=False)
class StrikeClip:
    """A strike as a clip of a graph, between held poses."""

    clip: Clip
    held: int
    """For how many frames the ready pose is held before, and the last pose after the strike."""
    hit: int
    """The frame of the hit."""
    end: int
    """The joint that strikes."""
    latest: int
    """The last frame at which it may be entered."""
    earliest: int
    """The first frame at which it may be left."""

    @staticmethod
    def of(reach: Reach, space: Space, graph: MotionGraph) -> StrikeClip:
        """The clip of a strike that was `aimed` at a target on the graph's body."""
        if reach.motion.name in graph.clip_index:
            raise GraphError(f"the graph has a clip called {reach.motion.name!r} already: give the space another name")
        window = max(2, round(graph.record.parameters.window * graph.fps))
        least = round(_UNTOUCHED_SECONDS * graph.fps)
        held = 2 * window + least  # room for a bridge before what is left untouched
        clip = as_clip(reach, space, graph, held, window)
        way, back = reach.hit_frame, len(reach.motion) - 1 - reach.hit_frame
        hit = held + reach.hit_frame
        return StrikeClip(
            clip,
            held,
            hit,
            graph.skeleton.joint(end_role(space.examples.kind, space.examples.side)),
            hit - max(least, round(_UNTOUCHED * way)),
            hit + 1 + max(least, round(_UNTOUCHED * back)),
        )


def as_clip(reach: Reach, space: Space, graph: MotionGraph, held: int, window: int) -> Clip:
    """A strike on the graph's body as a clip for it, its first and its last pose held for so many frames."""
    motion = rested(reach.motion, held)
    return Clip(
        motion,
        window,
        np.pad(reach.contacts, ((held, held), (0, 0)), mode="edge"),
        (LabelSpan(space.examples.kind, 0, len(motion), "name"),),
        ClipSource("", digest(motion), graph.fps, len(motion), False, graph.skeleton != space.examples.skeleton),
        np.ones(len(motion), bool),
    )


def rested(motion: Motion, frames: int) -> Motion:
    """The motion with its first pose held for so many frames before it, and its last as long after it.

    Out of rest it comes to the speed that it begins with, and back to rest from that it ends with.
    """
    seconds = np.arange(1, frames + 1) / motion.fps
    drift = (_SETTLE * motion.fps * (1.0 - np.exp(-seconds / _SETTLE)))[:, None]
    ends = []
    for edge, beside in ((0, 1), (-1, -2)):
        root = motion.root[edge] + drift * (motion.root[edge] - motion.root[beside])
        turn = rotation.multiply(rotation.inverse(motion.rotations[beside]), motion.rotations[edge])
        rotations = rotation.multiply(motion.rotations[edge], rotation.exp(drift[..., None] * rotation.log(turn)))
        ends.append(replace(motion, root=root, rotations=rotations))
    before = replace(ends[0], root=ends[0].root[::-1], rotations=ends[0].rotations[::-1])
    return concatenate([before, motion, ends[1]])
