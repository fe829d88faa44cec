"""From a way through the graph to the motion of a scene: bent and timed to meet its keys, feet cleaned, misses measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.blending.performance import Performance
from kinegraph.blending.playing import play
from kinegraph.blending.stretch import Blend
from kinegraph.feet import knees
from kinegraph.feet.cleanup import STRETCH
from kinegraph.graph.walk import Walk
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.moving import SWAY, MovingFrame, bent, carried
from kinegraph.paths.smoothing import smoothed
from kinegraph.scenes.aims import SOFT, Aims
from kinegraph.scenes.asked import BORDER
from kinegraph.scenes.hills import ground_of, on_hills
from kinegraph.scenes.landing import StrikeMiss, hits_shown, land, stepping
from kinegraph.scenes.meeting import BareWay, MetKeys, Timing, meet
from kinegraph.scenes.misses import KeyMiss, misses
from kinegraph.scenes.plan import ScenePlan
from kinegraph.scenes.solver import SolvedScene
from kinegraph.walks.performing import Finished, finished
from kinegraph.watch import Watch, Watcher

# what is left after bending and timing is shifted away, by at most so many metres a second
_SLIP = 0.10
# and turned away within so many seconds before and after a key, by at most so many radians
_AROUND, _MOST_TURN = 0.8, np.radians(15.0)
# seconds over which hips swing
_SWING = 0.2
# metres a second that standing counts as walking where shifts are spread over the way
_STANDING = 0.02
# times that what cleaning has moved is made up for
_ROUNDS = 2
# frames that a change of label is kept within its border, and seconds by which it may be late to be looked for
_SPARE, _LATE = 2.0, 1.5
# how much it matters that a hit is seen when it was asked for against other times
_STRUCK = 2.25


@dataclass(frozen=True, eq=False)
class Directed:
    """The motion of a scene."""

    finished: Finished
    plan: ScenePlan
    solved: SolvedScene
    misses: tuple[KeyMiss, ...]
    rates: Array
    """``(N − 1,)``: how fast each frame is played against how it was captured."""
    shifted: float
    """Metres a second by which somebody was shifted at most, beside what was bent and timed."""
    strikes: tuple[StrikeMiss, ...] = ()
    """By how much strikes miss."""
    hilly: Finished | None = None
    """What was finished, on the scene's ground, where that is not flat."""

    @property
    def shown(self) -> Finished:
        """What people get to see."""
        return self.finished if self.hilly is None else self.hilly


@dataclass(frozen=True, eq=False)
class TimedWay:
    """A way of F frames through the graph, how it is bent and timed, and the N moments of which a motion is made."""

    edges: Longs
    start: FloorTransform
    turns: Array
    """``(F,)``"""
    rates: Array
    """``(F,)``"""
    seen: Array
    """``(N,)``: moments, in frames, from where it begins."""


def perform_scene(
    plan: ScenePlan,
    solved: SolvedScene,
    *,
    blend: Blend | str = "anticipation",
    feet: bool = True,
    stretch: float = STRETCH,
    watch: Watcher = None,
) -> Directed:
    """The finished motion of a scene whose way was found."""
    way = TimedWay(solved.edges, solved.start, solved.turns, solved.rates, np.arange(plan.frames + 1.0))
    done, moments, shifted = perform_way(plan, way, Aims.of(plan), blend=blend, feet=feet, stretch=stretch, watch=watch)
    struck: tuple[StrikeMiss, ...] = ()
    if plan.strikes:
        landed, struck = land(done, plan)
        done = replace(done, motion=landed)
    ground = plan.scene.ground
    hilly = None if ground is None else on_hills(done, ground_of(ground), stretch=stretch)
    return Directed(done, plan, solved, misses(done.motion, plan), np.diff(moments), shifted, struck, hilly)


def perform_way(
    plan: ScenePlan,
    way: TimedWay,
    aims: Aims,
    *,
    since: float = 0.0,
    timing: Timing | None = None,
    blend: Blend | str = "anticipation",
    feet: bool = True,
    stretch: float = STRETCH,
    watch: Watcher = None,
) -> tuple[Finished, Array, float]:
    """The finished motion of a way, which of its frames are seen ``(N,)``, and by how many metres a second it was shifted at most.

    since: the moment of the scene at which the way begins. timing: what is to be seen when, besides changes of labels.
    """
    watch = Watch.of(watch)
    played = play(Walk(plan.graph, way.edges.astype(np.int32), way.start, len(way.turns)), blend)
    if plan.strikes and feet:
        played = stepping(played, plan)
    watch.check()
    meeting = _met(plan, way, aims, played, since, timing)
    timed = _timed(played, meeting)
    watch.check()
    motion, shifted = _shifted(timed.motion, timed.motion, aims, plan)
    # of a few strikes among many clips the knees would not count, and kicks be dulled
    kicks = max((float(knees.speed(one.clip.clip.motion).max()) for one in plan.strikes), default=0.0)
    done = finished(timed, motion, feet=feet, stretch=stretch, knees_turn=kicks)
    for _ in range(_ROUNDS if feet else 0):
        left = aims.missed(done.motion, plan)[aims.hard]
        if float(np.hypot(*left.T).max(initial=0.0)) < 0.005:
            break
        # cleaning feet moves the hips a little
        motion, shifted = _shifted(motion, done.motion, aims, plan)
        done = finished(timed, motion, feet=feet, stretch=stretch, knees_turn=kicks)
        watch.check()
    return done, meeting.moments, shifted


def _met(
    plan: ScenePlan, way: TimedWay, aims: Aims, played: Performance, since: float, timing: Timing | None
) -> MetKeys:
    straight = played.unbent
    root = straight.root[:, [0, 2]]
    facing = smoothed(straight.heading()[:, None], _SWING * straight.fps)[:, 0]
    bare = BareWay(smoothed(root, SWAY * straight.fps), root, facing, way.turns, way.rates, straight.fps)
    shown, beside = hits_shown(plan, aims.strikes, played)
    hits = np.flatnonzero(shown >= 0)
    # a body that strikes turns so fast that what it faces without the swing of its hips is another thing
    headings = aims.headings + np.where(shown >= 0, (facing - straight.heading())[shown], 0.0)
    weights = np.where((aims.strikes >= 0) & (shown < 0), SOFT, aims.weights)
    moments = way.seen[aims.frames]
    struck = Timing(shown[hits], moments[hits], moments[hits], _STRUCK * weights[hits])
    parts = [_changes(plan, way.rates, played, since), struck, *([] if timing is None else [timing])]
    whole = Timing(*(np.concatenate(each) for each in zip(*map(_parts, parts), strict=True)))
    return meet(bare, way.seen, moments, aims.places, headings, weights, whole, shown, beside)


def _parts(one: Timing) -> tuple[Any, ...]:
    return one.frames, one.low, one.high, one.weights


def _changes(plan: ScenePlan, rates: Array, played: Performance, since: float) -> Timing:
    """When what comes before a label and what comes after it is to be seen: outside of it, or about its border."""
    fps = plan.graph.fps
    times = since + np.concatenate([[0.0], np.cumsum(1.0 / rates)[:-1]])
    borne = played.labels([one.asked for one in plan.scene.demands])
    found = []
    for one in plan.scene.demands:
        lacking = ~borne.get(one.asked, np.ones(len(times), bool))
        first, last, room = one.first * fps, one.last * fps, (BORDER * fps) - _SPARE
        middle = 0.5 * (first + last)
        before = np.flatnonzero(lacking & (times < min(first + _LATE * fps, middle)))
        if times[0] < first and len(before):
            found.append((int(before[-1]), -np.inf, first + room))
        after = np.flatnonzero(lacking & (times > max(last - _LATE * fps, middle)))
        if one.last < plan.scene.seconds and len(after):
            found.append((int(after[0]), last - room, np.inf))
    frames, low, high = zip(*found, strict=True) if found else ((), (), ())
    return Timing(
        np.array(frames, np.int64),
        np.array(low, np.float64) - since,
        np.array(high, np.float64) - since,
        np.ones(len(frames)),
    )


def _timed(played: Performance, meeting: MetKeys) -> Performance:
    """What was played, bent and timed."""
    straight, walk = played.unbent, played.walk
    points = smoothed(straight.root[:, [0, 2]], SWAY * straight.fps)
    # turned about where it begins, then moved
    x, z = points[0]
    place = (
        FloorTransform(0.0, x + meeting.shift[0], z + meeting.shift[1])
        @ FloorTransform(meeting.turn)
        @ FloorTransform(0.0, -x, -z)
    )
    straight = straight.place(place)
    count = min(int(np.ceil(meeting.moments[-1])) + 1, walk.frames)
    ends = np.cumsum(walk.graph.edges.length[walk.edges])
    edges = walk.edges[: int(np.searchsorted(ends, count)) + 1]
    laid = Walk(walk.graph, edges, place @ walk.start, count, meeting.turns[:count], None, meeting.moments)
    straight = straight[:count]
    names = ("contacts", "clip", "frame", "other_clip", "other_frame", "edge", "weight")
    cut = {name: getattr(played, name)[:count] for name in names}
    return replace(played, motion=bent(straight, meeting.turns[:count]), unbent=straight, walk=laid, **cut).timed()


def _shifted(motion: Motion, seen: Motion, aims: Aims, plan: ScenePlan) -> tuple[Motion, float]:
    """The motion shifted and turned by what is missed of hard aims as it is ``seen``, little by little along the way; and how
    many metres a second that is at most.
    """
    if not aims.hard.any():
        return motion, 0.0
    fps, frames = motion.fps, np.arange(len(motion))
    moments = aims.frames[aims.hard]
    headings = np.where(aims.strikes >= 0, np.nan, aims.headings)[aims.hard]
    missed = aims.missed(seen, plan)[aims.hard]
    track = smoothed(motion.root[:, [0, 2]], SWAY * fps)
    steps = np.hypot(*np.diff(track, axis=0, prepend=track[:1]).T) + _STANDING / fps
    along = np.cumsum(steps)
    missed = _slowly(missed, moments / fps)
    shift = np.stack([_eased(along, along[moments], missed[:, axis]) for axis in (0, 1)], axis=-1)
    turn = np.zeros(len(motion))
    facing = seen.heading()
    for wanted, moment in zip(headings.tolist(), moments.tolist(), strict=True):
        if np.isnan(wanted):
            continue
        left = float((wanted - facing[moment] + np.pi) % (2 * np.pi) - np.pi)
        near = np.clip(1.0 - np.abs(frames - moment) / (_AROUND * fps), 0.0, 1.0)
        turn += np.clip(left, -_MOST_TURN, _MOST_TURN) * near * near * (3.0 - 2.0 * near)
    still = np.zeros(len(motion))
    course = MovingFrame(motion.root[:, [0, 2]], still, still)
    speed = float(np.hypot(*np.diff(shift, axis=0).T).max(initial=0.0)) * fps
    return carried(motion, course, motion.root[:, [0, 2]] + shift, turn), speed


def _slowly(missed: Array, times: Array) -> Array:
    """Shifts ``(K, 2)`` at ``times (K,)``, of which none needs more metres a second to the next than is allowed."""
    found = missed.copy()
    for number in range(1, len(found)):
        # an eased way is half as fast again in its middle
        most = _SLIP / 1.5 * (times[number] - times[number - 1])
        change = found[number] - found[number - 1]
        length = float(np.hypot(*change))
        if length > most:
            found[number] = found[number - 1] + change * (most / length)
    return found


def _eased(along: Array, knots: Array, values: Array) -> Array:
    """Values ``(F,)`` at ``along (F,)`` metres that go smoothly from one of ``values (K,)`` at ``knots (K,)`` to the next."""
    if len(knots) == 1:
        return np.full(len(along), values[0])
    number = np.clip(np.searchsorted(knots, along, side="right") - 1, 0, len(knots) - 2)
    part = np.clip((along - knots[number]) / np.maximum(knots[number + 1] - knots[number], 1e-9), 0.0, 1.0)
    part = part * part * (3.0 - 2.0 * part)
    found: Array = values[number] + part * (values[number + 1] - values[number])
    return found
