"""A scene and a graph together: all that the search needs, and what can be told before it begins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from kinegraph.arrays import Array
from kinegraph.errors import Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.people.spaces import Given, Spaces
from kinegraph.scenes.asked import FASTER, SLOWER, Demand, check_names, make_asked
from kinegraph.scenes.clock import (
    M_CURVE,
    M_DUE,
    M_NEAR,
    M_OFF_CURVE,
    M_OFF_PACE,
    M_PACE,
    M_TIMELY,
    M_TOLL,
    WAITS,
    Clock,
)
from kinegraph.scenes.foresight import Exits, exits, foresee, runs
from kinegraph.scenes.guide import STEP, Anchor, Guide, Hit, Pacing, closing, make_guide
from kinegraph.scenes.lesson import FIRST, Lesson
from kinegraph.scenes.scene import Key, Scene
from kinegraph.scenes.striking import Avoided, PlannedStrike, StrikeKey, spaces_of, strikes_in
from kinegraph.walks.course import Prices
from kinegraph.walks.request import Box, Disc
from kinegraph.walks.tables import (
    AHEAD_X,
    AHEAD_Z,
    MOST,
    REACH,
    STEADY_X,
    STEADY_Z,
    Tables,
    look_stride,
    spell,
    tables,
)

# share of the room to be slower or faster that the search uses; the rest is left to the finish
_ROOM = 0.85
# what a square metre off the guide costs a frame of 1/30 s: between keys, and before the first and after the last
_NEAR, _LOOSE = 0.35, 0.03
# what a square metre behind or ahead of time costs such a frame
_TIMELY = 0.012
# what a square metre and a square radian cost by which a key is missed, in square metres off the guide for a frame
_PLACE, _TURN = 30.0, 8.0
# times that a miss matters more where somebody is to strike from: a stance is not bent
_STANCE = 2.0
# metres a second by which the finish moves somebody, and metres that it moves him at most for nothing
_SHIFT, _MOST_SHIFT = 0.06, 0.5
# seconds ahead by which a walker wants to be in time
_AHEAD = 1.2
# of the walks' own search: what a square metre of a transition's cost costs, seconds between transitions, what a radian a second
# costs by which clips are bent, and what it costs to face away
_BLEND, _GAP, _BEND, _FACING = 45.0, 0.2, 0.05, 0.1
# what the square of the share costs by which a frame of 1/30 s goes at another speed than is due; m/s below which somebody stands;
# and seconds that a stretch must last to have a speed
_OFF_PACE, _SLOW, _BRIEF = 0.15, 0.4, 0.5
# radians a second beyond which nobody is taken to turn, seconds for which the guide turns evenly, and steps of that
_WHIRL, _EVEN, _STEP = 3.0, 0.2, 0.15
# metres to spare where a key is too far for anybody
_SPARE = 0.25


@dataclass(frozen=True, eq=False)
class ScenePlan:
    """A scene as it is searched."""

    graph: MotionGraph
    scene: Scene
    frames: int
    """The last moment: the motion has one frame more."""
    keys: tuple[Key, ...]
    """In order of time, all with a time; those of strikes among them."""
    anchors: tuple[Anchor, ...]
    """What the guide goes through: keys, ends of paths, and where a loop closes."""
    asked: Demand
    guide: Guide
    clock: Clock
    prices: Prices
    strikes: tuple[PlannedStrike, ...] = ()

    @property
    def graph_tables(self) -> Tables:
        """What a search reads of the graph."""
        return tables(self.graph)

    @property
    def moments(self) -> list[int]:
        """The frame of each key."""
        return [round(_time(key) * self.graph.fps) for key in self.keys]

    @property
    def least(self) -> float:
        """What labels, speeds, bends and transitions cost at least, whoever begins wherever."""
        return float(self.clock.foresight[0].min())


def make_plan(
    graph: MotionGraph,
    scene: Scene,
    seed: int = 0,
    spaces: Given | Spaces | None = None,
    avoided: Avoided = (),
    lesson: Lesson = FIRST,
) -> ScenePlan:
    """The plan of a scene, which is checked against the graph. seed: another than 0 gives another walk, nearly as good.
    spaces: of which strikes are made; avoided: stances for them that did not do. lesson: what an earlier try has taught.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make("walk").motion])
    >>> kg.scenes.make_plan(graph, kg.scenes.Scene(10, keys=(kg.scenes.Key(1, (0, 0)), kg.scenes.Key(2, (9, 0)))))
    Traceback (most recent call last):
    kinegraph.errors.Unsatisfied: key 2 (at 2 s) is 9.0 m from key 1 (at 1 s): that needs 9.0 m/s, and the clips run ...
    """
    check_names(graph, scene)
    fps, frames = graph.fps, round(scene.seconds * graph.fps)
    struck = None
    if scene.strikes:
        fastest = make_asked(graph, replace(scene, labels=(), waits=(), poses=(), strikes=())).speeds[0].high
        struck = strikes_in(graph, scene, spaces_of(scene, spaces), fastest, avoided)
        graph = struck.graph
    asked = make_asked(graph, scene, struck)
    if lesson.urgent is not None:
        # where a label was lacking it is asked for about borders too
        asked = replace(asked, toll=np.where(lesson.urgent > 1.0, lesson.urgent * asked.toll.max(), asked.toll))
    pacing = _pacing(asked, fps)
    keys = _timed(scene, pacing, fps)
    if struck is not None:
        keys = tuple(sorted((*keys, *struck.keys()), key=_time))
    _check_reach(keys, pacing, asked, fps)
    discs, boxes = _kept_clear(scene, lesson.spare)
    anchors, given = _anchors(scene, keys, pacing, discs, boxes, fps)
    guide = make_guide(anchors, pacing, discs, boxes, given)
    moments = _moments(asked, guide, [one.frame for one in anchors], fps)
    own = own_motion(graph)
    jitter = _jitter(graph, seed)
    anywhere = np.full(frames + 1, np.inf)
    ahead = np.diff(guide.points, axis=0, append=guide.points[-1:])
    ahead[-1] = ahead[-2]
    clock = Clock(
        line=np.column_stack([guide.points, ahead / guide.step, np.full(len(ahead), FASTER)]),
        halt=np.full(len(ahead), -1.0),
        step=guide.step,
        length=(len(ahead) - 2) * guide.step,
        moments=moments,
        low=pacing.low,
        high=pacing.high,
        need=asked.need,
        lack=asked.lack,
        own=own,
        barred=asked.barred,
        keys=_columns(anchors, guide),
        discs=discs,
        boxes=boxes,
        facing=_FACING * 30.0 / fps,
        slowest=1.0 + _ROOM * (SLOWER - 1.0),
        fastest=1.0 + _ROOM * (FASTER - 1.0),
        ahead=_AHEAD * fps,
        reach=float(spell(fps)),
        foresight=np.zeros((0, 0), np.float32),
        later=np.zeros((0, 0, WAITS), np.uint8),
        jitter=jitter,
        goal=-1,
        closing=anywhere,
        end=np.zeros(7),
    )
    clock = with_foresight(graph, clock, haste=False)
    planned = () if struck is None else struck.strikes
    return ScenePlan(graph, scene, frames, keys, tuple(anchors), asked, guide, clock, _prices(graph), planned)


def _jitter(graph: MotionGraph, seed: int) -> Array:
    """What each edge costs besides ``(E,)``, so that another seed finds another walk."""
    count = len(graph.edges)
    return np.zeros(count) if seed == 0 else np.random.default_rng(seed).exponential(0.05, count)


def varied(plan: ScenePlan, seed: int) -> ScenePlan:
    """The same plan, of which another seed finds another walk."""
    return replace(
        plan, clock=with_foresight(plan.graph, plan.clock._replace(jitter=_jitter(plan.graph, seed)), haste=False)
    )


def sharper(plan: ScenePlan) -> ScenePlan:
    """The same plan, whose clock foresees haste too. That takes half as long again, which a draft does not wait for."""
    return replace(plan, clock=with_foresight(plan.graph, plan.clock))


def with_foresight(
    graph: MotionGraph, clock: Clock, since: int = 0, closing: Array | None = None, haste: bool = True
) -> Clock:
    """A clock that knows what is paid at least from the moment ``since`` on. closing: what it costs to end at each moment, if that is
    foreseen to be another than it is. haste: whether it counts transitions that follow one another too soon.
    """
    edges = _exits(graph)
    price = np.where(clock.barred, np.inf, _BLEND * tables(graph).cost ** 2 + clock.jitter)[edges.order]
    foresight, later = foresee(
        edges, price.astype(np.float32), clock.need, runs(clock.need, clock.moments), clock.moments, clock.lack, clock.own, clock.goal,
        clock.closing if closing is None else closing, (0,) * (_gap(graph.fps) + 1 if haste else 1), since,
    )  # fmt: skip
    return clock._replace(foresight=foresight, later=later)


def _gap(fps: float) -> int:
    """Frames from one transition to the next."""
    return round(_GAP * fps)


@lru_cache(maxsize=4)
def _exits(graph: MotionGraph) -> Exits:
    held = tables(graph)
    clips = np.cumsum([0, *(len(clip) for clip in graph.clips)])[:-1]
    starts = np.concatenate([clips, np.sort(held.begin[held.blended])]).astype(np.int64)
    return exits(held.first, held.target, held.length, held.begin, held.blended, starts)


@lru_cache(maxsize=4)
def own_motion(graph: MotionGraph) -> Array:
    """Metres and radians a second ``(R, 2)`` that each row of the tables goes and turns by itself."""
    held = tables(graph)
    steer = held.steer
    chord = steer[:, AHEAD_X : AHEAD_Z + 1] - steer[:, STEADY_X : STEADY_Z + 1]
    way = np.arctan2(chord[:, 0], chord[:, 1])
    turned = np.remainder(np.diff(way, append=way[-1:]) + np.pi, 2 * np.pi) - np.pi
    # the last row of a clip or of a blend turns as the one before
    blends = np.flatnonzero(held.blended)
    lasts = (
        np.concatenate([np.cumsum([len(clip) for clip in graph.clips]), held.begin[blends] + held.length[blends]]) - 1
    )
    turned[lasts] = turned[np.maximum(lasts - 1, 0)]
    rate = np.clip(turned * graph.fps, -_WHIRL, _WHIRL)
    return np.column_stack([steer[:, REACH] * graph.fps / spell(graph.fps), np.where(steer[:, MOST] > 0.0, rate, 0.0)])


def _moments(asked: Demand, guide: Guide, keys: Sequence[int], fps: float) -> Array:
    """What is due at every moment ``(T + 1, 8)``, as `Clock` has it."""
    frames = len(asked.need)
    times = np.arange(frames)
    within = (times >= keys[0]) & (times <= keys[-1]) if keys else np.zeros(frames, bool)
    found = np.zeros((frames, 8))
    found[:, M_DUE] = guide.due
    found[:, M_NEAR] = np.where(within, _NEAR, _LOOSE)
    found[:, M_TIMELY] = np.where(within, _TIMELY, 0.0) * 30.0 / fps
    found[:, M_TOLL] = asked.toll
    # between keys, and between changes of what is asked, an even speed is due
    cuts = np.flatnonzero(np.diff(asked.need)) + 1
    begins = np.unique([0, *cuts.tolist(), *(one for one in keys if 0 < one < frames - 1)]).astype(np.int64)
    ends = np.append(begins[1:], frames - 1)
    for first, last in zip(begins.tolist(), ends.tolist(), strict=True):
        part = slice(first, last if last < frames - 1 else frames)
        # before the first key and after the last anybody may be as fast as he likes
        if last - first < _BRIEF * fps or not within[first] or not within[last]:
            continue
        pace = float(guide.due[last] - guide.due[first]) * fps / (last - first)
        found[part, M_PACE] = pace
        found[part, M_OFF_PACE] = _OFF_PACE * 30.0 / fps / max(pace, _SLOW) ** 2
    found[:, M_CURVE] = _turning(guide, fps)
    found[:, M_OFF_CURVE] = _BEND * 30.0 / fps
    return found


def _turning(guide: Guide, fps: float) -> Array:
    """Radians a second ``(T + 1,)`` by which somebody in time turns along the guide, even for a few frames each."""
    pace = np.gradient(guide.due) * fps
    ahead = np.minimum(
        guide.due + np.maximum(spell(fps) / fps * pace, 2 * guide.step), (len(guide.points) - 1) * guide.step
    )
    here, there = (
        np.stack(
            [np.interp(one, np.arange(len(guide.points)) * guide.step, guide.points[:, k]) for k in (0, 1)], axis=-1
        )
        for one in (guide.due, ahead)
    )
    chord = there - here
    way = np.unwrap(np.arctan2(chord[:, 0], chord[:, 1]))
    block = max(1, round(_EVEN * fps))
    ends = np.append(np.arange(0, len(way) - 1, block), len(way) - 1)
    rate = np.diff(way[ends]) / np.diff(ends) * fps
    rate = np.clip(np.round(rate / _STEP) * _STEP, -_WHIRL, _WHIRL)
    return np.append(np.repeat(rate, np.diff(ends)), rate[-1:])[: len(way)]


def _called(keys: Sequence[Key], number: int) -> str:
    """What a key is called, for people."""
    key = keys[number]
    if isinstance(key, StrikeKey):
        return f"strike {key.number + 1}"
    return f"key {sum(not isinstance(one, StrikeKey) for one in keys[: number + 1])}"


def _time(key: Key) -> float:
    assert key.time is not None
    return key.time


def _prices(graph: MotionGraph) -> Prices:
    fps = graph.fps
    return Prices(
        frame=30.0 / fps, blend=_BLEND, least=0.0, creep=0.0, looked=0.0, amble=0.0, gap=_gap(fps),
        stride=look_stride(fps), arc=False, speed=0.0, haste=0.0, arrival=0.0, bend=_BEND * 30.0 * fps, bending=1.0,
    )  # fmt: skip


def _anchors(
    scene: Scene, keys: Sequence[Key], pacing: Pacing, discs: Array, boxes: Array, fps: float
) -> tuple[list[Anchor], dict[int, Array]]:
    """What the guide goes through: keys, paths, and where a loop closes; and the points between some of them and the next."""
    found = []
    for number, key in enumerate(keys):
        since = _time(key) - (_time(keys[number - 1]) if number else 0.0)
        free = min(_SHIFT * since, _MOST_SHIFT) if key.hard else 0.0
        frame = round(_time(key) * fps)
        if isinstance(key, StrikeKey):
            hit = Hit(*key.at, key.heading, key.left, key.ahead)
            found.append(Anchor(frame, *key.root, key.towards, free / _STANCE, key.weight * _STANCE, hit))
        else:
            found.append(Anchor(frame, *key.at, key.heading, free, key.weight))
    lines: dict[int, Array] = {}
    for one in scene.paths:
        first, last = round(one.first * fps), round(one.last * fps)
        most = float(pacing.high[last] - pacing.high[first])
        if one.path.length > most + _SPARE:
            raise Unsatisfied(
                f"the path from {one.first:g} to {one.last:g} s is {one.path.length:.1f} m long, and the clips get {most:.1f} m "
                f"in that time at most: give it more time"
            )
        points = one.path.at(np.linspace(0.0, one.path.length, max(2, int(one.path.length / STEP))))
        lines[first] = points
        for frame, point, ahead in (
            (first, points[0], points[1] - points[0]),
            (last, points[-1], points[-1] - points[-2]),
        ):
            # a path that goes on from where the last one ends
            if all(other.frame != frame for other in found):
                found.append(Anchor(frame, float(point[0]), float(point[1]), math.atan2(ahead[0], ahead[1])))
    found.sort(key=lambda one: one.frame)
    if scene.loop:
        seam = closing(found, pacing, discs, boxes)
        end = len(pacing.usual) - 1
        found = [seam, *(one for one in found if 0 < one.frame < end), replace(seam, frame=end)]
    return found, {number: lines[one.frame] for number, one in enumerate(found[:-1]) if one.frame in lines}


def _pacing(asked: Demand, fps: float) -> Pacing:
    def gone(speeds: Sequence[float]) -> Array:
        steps = np.asarray(speeds)[asked.need] / fps
        return np.concatenate([[0.0], np.cumsum(steps[:-1])])

    low, usual, high = (gone([getattr(one, name) for one in asked.speeds]) for name in ("low", "usual", "high"))
    return Pacing(low, usual, high)


def _timed(scene: Scene, pacing: Pacing, fps: float) -> tuple[Key, ...]:
    """The keys in order of time; those that may be met whenever it suits get the moment at which somebody who goes evenly would."""
    keys = list(scene.keys)
    for number, key in enumerate(keys):
        if key.time is not None:
            continue
        before = keys[number - 1] if number else None
        after = [(k, one) for k, one in enumerate(keys[number + 1 :], number + 1) if one.time is not None][:1]
        start = 0.0 if before is None else _time(before)
        if after:
            chain = [*([] if before is None else [before]), *keys[number : after[0][0] + 1]]
            apart = [math.dist(one.at, two.at) for one, two in pairwise(chain)]
            share = apart[0] / max(sum(apart), 1e-6) if before is not None else 0.0
            time = start + share * (_time(after[0][1]) - start)
        else:
            metres = 0.0 if before is None else math.dist(before.at, key.at)
            speed = max(float(pacing.usual[-1]) / max(scene.seconds, 1e-6), 0.3)
            time = start + metres / speed
        low, high = key.window or (0.0, scene.seconds)
        low = max(low, start + (0.0 if before is None else 2.0 / fps))
        keys[number] = replace(key, time=round(min(max(time, low), high) * fps) / fps)
    return tuple(keys)


def _check_reach(keys: Sequence[Key], pacing: Pacing, asked: Demand, fps: float) -> None:
    """Refuse keys that nobody reaches in time."""
    for number, (one, two) in enumerate(pairwise(keys), 1):
        first, last = round(_time(one) * fps), round(_time(two) * fps)
        places = [key.root if isinstance(key, StrikeKey) else key.at for key in (one, two)]
        apart, most = math.dist(*places), float(pacing.high[last] - pacing.high[first])
        if apart <= most + _SPARE:
            continue
        seconds = max((last - first) / fps, 1e-3)
        raise Unsatisfied(
            f"{_called(keys, number)} (at {_time(two):g} s) is {apart:.1f} m from {_called(keys, number - 1)} (at {_time(one):g} s): "
            f"that needs {apart / seconds:.1f} m/s, and the clips {'that bear what is asked ' if len(asked.speeds) > 1 else ''}run "
            f"{most / seconds:.1f} at most: give it {_needed(pacing, first, apart, fps)}, or put it nearer"
        )


def _needed(pacing: Pacing, first: int, apart: float, fps: float) -> str:
    gone = pacing.high - pacing.high[first]
    late = int(np.searchsorted(gone, apart))
    return f"till {late / fps:.1f} s" if late < len(gone) else "more time"


def _kept_clear(scene: Scene, spare: float) -> tuple[Array, Array]:
    c = scene.clearance + spare
    discs = [(t.x, t.z, t.radius + c) for t in scene.obstacles if isinstance(t, Disc)]
    boxes = [(t.x - c, t.z - c, t.x + t.width + c, t.z + t.depth + c) for t in scene.obstacles if isinstance(t, Box)]
    return np.array(discs, float).reshape(-1, 3), np.array(boxes, float).reshape(-1, 4)


def _columns(anchors: Sequence[Anchor], guide: Guide) -> Array:
    """Keys and the like ``(K, 10)`` as the search takes them."""
    rows = []
    for one, along in zip(anchors, guide.arcs, strict=False):
        x, z, heading, *beside = one.hit or (one.x, one.z, one.heading, 0.0, 0.0)
        rows.append(key_row(one.frame, (x, z), heading, float(along), one.free, one.weight, (beside[0], beside[1])))
    return np.array(rows, np.float64).reshape(-1, 10)


def end_row(x: float, z: float, angle: float, free: float) -> Array:
    """Where a walk is to end, as the search takes it."""
    return np.array([x, z, math.cos(angle), math.sin(angle), _PLACE, _TURN, free])


def key_row(
    moment: float,
    at: tuple[float, float],
    heading: float | None,
    along: float,
    free: float = 0.0,
    weight: float = 1.0,
    beside: tuple[float, float] = (0.0, 0.0),
) -> list[float]:
    """A key as the search takes it. beside: metres to the left of the root and ahead of it at which the point lies that is to be there."""
    facing, turn = (0.0, 0.0) if heading is None else (heading, _TURN * weight)
    return [moment, *at, facing, _PLACE * weight, turn, along, free, *beside]
