"""A strike as frames to show: the transition into it with the strike itself, and the transition back into the graph.

Both are transitions like all others: one clip blends into another that lies beside it. Only how they lie is not what suits the clips best,
but what brings the strike onto its target; so the feet step over, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinegraph.arrays import Array, Bools
from kinegraph.blending.playing import mixed
from kinegraph.feet.sole import Sole
from kinegraph.feet.stepping import Side, stepped
from kinegraph.graph.model import Clip, EdgeKind, Edges, MotionGraph
from kinegraph.motion import kinematics, rotation
from kinegraph.motion.clip import Motion, concatenate
from kinegraph.motion.floor import FloorTransform
from kinegraph.people.openings import laid, leaves
from kinegraph.people.stances import Stance
from kinegraph.strikes.finish import bring
from kinegraph.strikes.joining.clip import as_clip
from kinegraph.strikes.joining.ways import Way
from kinegraph.strikes.space import Reach, Space

# From a walk to raised fists arms have a long way: a blend that begins and ends without a kink.
_BLEND = "cubic"
# Metres by which the hit may be off before it is aimed anew, and how often.
_NEAR, _TRIALS = 5e-4, 4

Foreseen = Callable[[Motion, Bools], Motion]
"""What will be seen of a motion with contacts ``(F, 4)`` that is shown from now on, once feet are held."""


@dataclass(frozen=True, eq=False)
class Source:
    """What somebody shows just before a transition."""

    clip: Clip
    frame: int
    """Of the clip, that would come next."""
    places: Sequence[FloorTransform]
    """Where the clip lies for that frame and for those after it; as the last from there on."""
    shown: Motion
    """The frame that is shown, or after which ``phase`` of the way to the next has passed."""
    phase: float

    def row(self, step: int) -> FloorTransform:
        """Where the clip lies so many frames on."""
        return self.places[min(step, len(self.places) - 1)]


@dataclass(frozen=True, eq=False)
class StrikeTrack:
    """Frames that are shown one after another."""

    motion: Motion
    contacts: Bools
    """``(F, 4)``"""
    moments: Array
    """``(F,)``: which frame of the walk each is, or what lies between; the one that was shown before is 0."""
    rows: int
    """By how many frames the walk goes on."""
    way: Way
    """The transition that it begins with."""
    clip: Clip
    """The strike as a clip."""
    place: FloorTransform
    """Where the clip at which it arrives lies."""
    hit: int = -1
    """The frame of the hit."""

    def __len__(self) -> int:
        return len(self.motion)

    @property
    def last(self) -> int:
        """The frame after the last one that is shown, of the clip at which it arrives."""
        return self.rows - self.way.length + self.way.arrival


def into(
    graph: MotionGraph,
    space: Space,
    source: Source,
    stance: Stance,
    frames: int,
    name: str,
    soles: tuple[Sole, Sole] | None,
    foreseen: Foreseen,
) -> StrikeTrack:
    """From what is shown into the strike from a ``stance``, until it can be left. frames: of the transition. name: of the strike.

    Holding feet may lower the body; so it is foreseen where the hit will be, and the strike is aimed until it is on target.
    """
    reach = space.reach(stance.target, fps=graph.fps)
    goal = np.array(stance.target)
    aim, best, off = goal.copy(), None, np.inf
    for _ in range(_TRIALS):
        track = _struck(graph, space, replace(reach, motion=reach.motion.renamed(name)), source, stance, frames, soles)
        seen = foreseen(track.motion[: track.hit + 1], track.contacts[: track.hit + 1])
        end = seen.root[-1] + kinematics.from_root(graph.skeleton, space.examples.end, seen.rotations[-1])
        gap = stance.place.inverse().apply(end) - goal
        if np.linalg.norm(gap) < off:
            best, off = track, float(np.linalg.norm(gap))
        if off < _NEAR:
            break
        aim = aim - gap
        reach = replace(reach, motion=bring(space.examples, reach.motion, reach.hit_frame, aim))
    assert best is not None  # tried at least once
    return best


def _struck(
    graph: MotionGraph,
    space: Space,
    reach: Reach,
    source: Source,
    stance: Stance,
    frames: int,
    soles: tuple[Sole, Sole] | None,
) -> StrikeTrack:
    strike = as_clip(reach, space, graph, frames, source.clip.window)
    cost, _ = laid(source.clip.motion[source.frame : source.frame + frames], strike.motion[:frames])
    way = Way(
        source.clip.name,
        source.frame,
        strike.name,
        frames,
        frames,
        cost,
        True,
        source.places[-1].inverse() @ stance.place,
    )
    blend, down = _mixed(graph, source.clip, strike, way)
    places = [source.row(step) for step in range(frames)]
    last = frames + leaves(reach, frames)
    motion = concatenate([_laid(blend, places), strike.motion[frames:last].place(stance.place)])
    contacts = np.concatenate([down, strike.contacts[frames:last]])
    if soles is not None:
        outgoing = Side(
            _laid(source.clip.motion[source.frame : source.frame + frames], places),
            source.clip.contacts[source.frame : source.frame + frames],
        )
        incoming = Side(strike.motion[:frames].place(stance.place), strike.contacts[:frames])
        motion, contacts = stepped(motion, contacts, 0, outgoing, incoming, soles)
    # what is shown may lie between two frames; by the end of the transition it does no more
    shown = max(1, round(frames - source.phase))
    paced = source.phase + (frames - source.phase) / shown * np.arange(1.0, shown + 1)
    moments = np.concatenate([paced, np.arange(frames + 1.0, last + 1)])
    whole = concatenate([source.shown, motion])
    near = np.maximum(np.rint(moments).astype(np.intp) - 1, 0)
    return StrikeTrack(
        whole.sample(moments / graph.fps),
        contacts[near],
        moments,
        last,
        way,
        strike,
        stance.place,
        shown + reach.hit_frame,
    )


def back(
    graph: MotionGraph, track: StrikeTrack, node: int, soles: tuple[Sole, Sole] | None, frames: int
) -> StrikeTrack:
    """From the end of a strike's ``track`` to a node of the graph, in so many frames."""
    clip = graph.clips[graph.node_clip[node]]
    arrival = int(graph.node_frame[node])
    strike = track.clip
    first = track.last
    ending, beginning = strike.motion[first : first + frames], clip.motion[arrival - frames : arrival]
    cost, lies = laid(ending, beginning)
    way = Way(strike.name, first, clip.name, arrival, frames, cost, True, lies)
    motion, contacts = _mixed(graph, strike, clip, way)
    motion, place = motion.place(track.place), track.place @ lies
    if soles is not None:
        outgoing = Side(ending.place(track.place), strike.contacts[first : first + frames])
        incoming = Side(beginning.place(place), clip.contacts[arrival - frames : arrival])
        motion, contacts = stepped(motion, contacts, 0, outgoing, incoming, soles)
    return StrikeTrack(motion, contacts, np.arange(1.0, frames + 1), frames, way, strike, place)


def _mixed(graph: MotionGraph, leaving: Clip, coming: Clip, way: Way) -> tuple[Motion, Bools]:
    """The frames of a transition and their contacts; the clip that it leaves lies as it was captured."""
    one = np.ones(1)
    edge = Edges(
        np.array([0]),
        np.array([1]),
        np.array([EdgeKind.TRANSITION]),
        np.array([way.length]),
        way.cost * one,
        way.alignment.angle * one,
        way.alignment.x * one,
        way.alignment.z * one,
    )
    pair = MotionGraph((leaving, coming), np.array([0, 1]), np.array([way.frame, way.arrival]), edge, {})
    (lot,) = mixed(pair, np.array([0]), _BLEND)
    return Motion(graph.skeleton, lot.root[0], lot.rotations[0], graph.fps, name="live"), lot.contacts[0]


def _laid(motion: Motion, places: Sequence[FloorTransform]) -> Motion:
    """The motion, each frame in its own place on the floor."""
    root, rotations = motion.root.copy(), motion.rotations.copy()
    for frame, place in enumerate(places):
        root[frame] = place.apply(root[frame])
        rotations[frame, 0] = rotation.multiply(place.rotation, rotations[frame, 0])
    return replace(motion, root=root, rotations=rotations)
