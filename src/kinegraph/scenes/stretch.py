"""One stretch of a scene anew: all frames before and after it stay as they are, to the last bit.

What was found keeps its way up to a node a little behind the beginning of the stretch and from a node a little before its end. Between
the two another way is searched, from where the body is at the one to where it is at the other. It is performed with some of the old way
before and behind it, where old and new show the same frames of the same clips and can be faded into each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.sampling import some_clips
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.moving import SWAY
from kinegraph.paths.smoothing import smoothed
from kinegraph.scenes.aims import Aim, Aims
from kinegraph.scenes.clock import M_DUE
from kinegraph.scenes.finish import Directed, TimedWay, perform_way
from kinegraph.scenes.hills import ground_of, on_hills
from kinegraph.scenes.meeting import Timing
from kinegraph.scenes.misses import misses
from kinegraph.scenes.plan import ScenePlan, end_row, key_row, with_foresight
from kinegraph.scenes.solver import FINAL, SolvedScene, Starts, replayed, search
from kinegraph.scenes.splicing import far_apart, mixed_in, some_frames, with_piece
from kinegraph.walks.performing import Finished
from kinegraph.watch import Watch, Watcher

FADE = 0.33
"""Seconds over which old and new are faded into each other, within the stretch."""
APART = 0.25
"""Metres by which a joint of the one may be away from that of the other where they are faded: more would be dragged over the floor."""
# seconds of the old way that are performed before and behind the stretch, and the least that is left to search
_PAD, _LEAST = 0.8, 0.5
# moments, and the share of its time, by which a way may be early or late at its end, since the finish makes up for it; by how much more it
# may seem so for clips that are played as captured; and what the square of a moment costs
_SLACK, _MADE_UP, _ROOM, _LATE = 3, 0.06, 0.13, 0.1
# metres a second by which the finish moves somebody, and metres at most
_SHIFT, _MOST_SHIFT = 0.03, 0.1
# how much it matters that the old way is seen when it was
_EXACT = 30.0
# leaving nodes, and arriving ones, of which a way between is tried, seconds by which they differ, and by which part of a fade they may lie
# within it; how many times wider is searched at last
_TRIED, _OTHER, _SOONER, _WIDER = 5, 0.06, 0.6, 4
# by how many times the usual the velocity of a joint may change where old and new meet, for nothing else to be tried
_SMOOTH = 1.4
# seconds by which a stretch that can be made anew begins sooner and ends later than one that cannot
_ELSEWHERE = ((0.0, 0.5), (0.5, 0.0), (0.5, 0.5), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (2.0, 2.0))
# metres of the guide that are looked at to find where somebody is on it
_AROUND = 3.0


@dataclass(frozen=True, eq=False)
class Trace:
    """Where a motion is at any moment, as a search takes it."""

    motion: Motion

    def place(self, moment: float) -> tuple[float, float, float]:
        """x and z without the sway of steps, and where the body faces."""
        frames = np.arange(len(self.motion))
        points = smoothed(self.motion.root[:, [0, 2]], SWAY * self.motion.fps)
        facing = np.unwrap(self.motion.heading())
        x, z, way = (float(np.interp(moment, frames, one)) for one in (points[:, 0], points[:, 1], facing))
        return x, z, way


def laid_at(plan: ScenePlan, node: int, x: float, z: float, facing: float) -> FloorTransform:
    """Where a node's clip lies so that its body is at a place and faces a way."""
    held = plan.graph_tables
    row = int(held.row[node])
    angle = facing - float(held.heading[row])
    cosine, sine = np.cos(angle), np.sin(angle)
    a, b = held.track[row, :2]
    return FloorTransform(float(angle), float(x - cosine * a - sine * b), float(z - cosine * b + sine * a))


def start_at(plan: ScenePlan, node: int, place: FloorTransform, x: float, z: float, time: float, rate: float) -> Starts:
    """A walk that begins at a node, whose clip lies at a place, when the body is at x, z."""
    clock = plan.clock
    due = float(np.interp(time, np.arange(len(clock.moments)), clock.moments[:, M_DUE]))
    arcs = np.arange(len(clock.line)) * clock.step
    near = np.flatnonzero(np.abs(arcs - due) <= _AROUND)
    nearest = near[np.argmin(np.hypot(clock.line[near, 0] - x, clock.line[near, 1] - z))] if len(near) else 0
    along = min(float(arcs[nearest]), clock.length)
    cosine, sine = np.cos(place.angle), np.sin(place.angle)
    key = int(np.searchsorted(clock.keys[:, 0], time + 0.5, side="right")) if len(clock.keys) else 0
    return Starts(
        np.array([node]), np.array([place.angle]), np.array([[cosine, sine, place.x, place.z]]), np.array([along]),
        time, rate, key,
    )  # fmt: skip


def ending_at(plan: ScenePlan, node: int, time: float, since: float, end: tuple[float, float, float]) -> ScenePlan:
    """The plan of walks that begin at ``since`` and end at a node at a time, where the body is to be at the place and to face the way
    ``end``. The finish makes up for what they are early or late.
    """
    clock = plan.clock
    room = max(_SLACK, int(_ROOM * (time - since)))
    last = int(time) + room
    if last >= len(clock.moments):
        more = last + 1 - len(clock.moments)
        clock = clock._replace(
            moments=_longer(clock.moments, more), need=_longer(clock.need, more), low=_longer(clock.low, more),
            high=_longer(clock.high, more),
        )  # fmt: skip
    moments = clock.moments[: last + 1]
    off = np.arange(last + 1) + 0.5 - time
    price = _LATE * off**2 * min(60.0 / (time - since), 1.0)
    # a walk that is played faster or slower is foreseen to be early or late by all of that, and is not in the end
    foreseeable = np.where(np.abs(off) <= room + 0.5, 0.0, np.inf)
    closing = np.where(np.abs(off) <= max(_SLACK, _MADE_UP * (time - since)) + 0.5, price, np.inf)
    # what is due afterwards draws on; nobody is late for it
    beyond = key_row(last + 1.0, end[:2], None, float(moments[-1, M_DUE]), weight=0.0)
    keys = np.vstack([clock.keys[clock.keys[:, 0] < time - _SLACK], beyond])
    place = laid_at(plan, node, *end)
    clock = clock._replace(
        moments=moments, need=clock.need[: last + 1], keys=keys, goal=node, closing=closing,
        high=np.append(clock.high, clock.high[-1]), low=np.append(clock.low, clock.low[-1]),
        end=end_row(end[0], end[1], place.angle, min(_SHIFT * (time - since) / plan.graph.fps, _MOST_SHIFT)),
    )  # fmt: skip
    return replace(plan, clock=with_foresight(plan.graph, clock, int(since), foreseeable))


def _longer(values: Any, more: int) -> Any:
    return np.concatenate([values, np.repeat(values[-1:], more, axis=0)])


def again(
    done: Directed,
    plan: ScenePlan,
    first: float,
    last: float,
    *,
    width: int = FINAL,
    near: bool = True,
    watch: Watcher = None,
    **how: Any,
) -> Directed:
    """A scene with the stretch from ``first`` to ``last`` seconds made anew.

    done: what was made of the scene. plan: what is asked of the stretch: the same scene with another seed, or one that differs
    there. near: whether it is told, where there is no other way, for which stretch about it there is one. The rest as in
    `kinegraph.scenes.finish.perform_scene`.
    """
    fps = plan.graph.fps
    f0, f1, fade = round(first * fps), round(last * fps), round(FADE * fps)
    count = len(done.finished.motion)
    walk = done.finished.performance.walk
    if plan.frames + 1 != count:
        raise GraphError(
            f"a stretch is made anew of a scene as long as it was: this one has {plan.frames / fps:g} s, and it had "
            f"{(count - 1) / fps:g} s"
        )
    if plan.scene.ground != done.plan.scene.ground:
        raise GraphError("a stretch is made anew on the ground that the scene had: leave the ground as it was")
    moments = walk.moments
    times = np.interp(walk.begins, moments, np.arange(count))
    inside = np.flatnonzero((times >= f0 + fade) & (times <= f1 - fade))
    if not (0 <= f0 < f1 <= count - 1) or len(inside) < 2 or times[inside[-1]] - times[inside[0]] < _LEAST * fps:
        least = 2 * FADE + _LEAST + 0.5
        raise GraphError(
            f"the stretch from {first:g} to {last:g} s cannot be made anew: it must lie within the {(count - 1) / fps:g} s of "
            f"the scene, and last {least:.1f} s or more"
        )
    for number, strike in enumerate(done.plan.strikes, 1):
        if f0 - fade <= strike.moment <= f1 + fade:
            raise GraphError(
                f"the stretch from {first:g} to {last:g} s cannot be made anew: strike {number} (at {strike.asked.time:g} s) lies in "
                "it; take one before or after it"
            )
    best: tuple[float, Directed] | None = None
    refused: Unsatisfied | None = None
    for i0, i1, wider in [(int(inside[0]), int(inside[-1]), 1), *_cuts(times, f0, f1, fade, fps)]:
        try:
            made = _between(done, plan, first, last, (i0, i1), times, width=wider * width, watch=watch, **how)
        except Unsatisfied as error:
            refused = refused or error
            continue
        rough = _roughness(made, f0, f1, fade)
        if best is None or rough < best[0]:
            best = rough, made
        if rough <= _SMOOTH:
            break
    if best is not None:
        return best[1]
    assert refused is not None
    for before, after in _ELSEWHERE if near else ():
        a, b = max(first - before, 0.0), min(last + after, (count - 1) / fps)
        try:
            again(done, plan, a, b, width=width, near=False, watch=watch, **how)
        except (GraphError, Unsatisfied):
            continue
        raise Unsatisfied(f"{refused}; from {a:g} to {b:g} s there is one")
    raise refused


def _cuts(times: Array, f0: int, f1: int, fade: int, fps: float) -> list[tuple[int, int, int]]:
    """Edges of a walk, which begin at ``times``, behind which it is left and before which it is met again, and how many times wider than
    usual is searched between: where old and new have just been faded into each other first, then others a little before and after.
    """
    near = [
        np.flatnonzero((times >= at - _SOONER * fade) & (times <= at + fade)) if later else
        np.flatnonzero((times >= at - fade) & (times <= at + _SOONER * fade))
        for at, later in ((f0 + fade, True), (f1 - fade, False))
    ]  # fmt: skip
    off = [np.abs(times[rows] - at) for rows, at in zip(near, (f0 + fade, f1 - fade), strict=True)]
    few = [_apart(rows[np.argsort(far, kind="stable")], times, fps) for rows, far in zip(near, off, strict=True)]
    pairs = [(a, b) for a in few[0] for b in few[1] if times[b] - times[a] >= _LEAST * fps]
    pairs.sort(key=lambda one: abs(float(times[one[0]]) - f0 - fade) + abs(float(times[one[1]]) - f1 + fade))
    return [(a, b, 1) for a, b in pairs] + [(a, b, _WIDER) for a, b in pairs[:2]]


def _apart(rows: Longs, times: Array, fps: float) -> list[int]:
    """Of edges in order of preference, those that do not begin at nearly the same time as one before them."""
    kept: list[int] = []
    for row in rows.tolist():
        if len(kept) < _TRIED and all(abs(times[row] - times[other]) >= _OTHER * fps for other in kept):
            kept.append(row)
    return kept


@lru_cache(maxsize=4)
def _usual(graph: MotionGraph) -> float:
    """Metres a frame by which the velocity of the joint that jumps most changes in the clips, of 99 % of the frames at most."""
    clips = (graph.clips[number].motion.positions for number in some_clips(graph))
    return float(np.percentile(np.concatenate([_jumps(one) for one in clips if len(one) > 2]), 99))


def _jumps(places: Array) -> Array:
    return np.asarray(np.linalg.norm(np.diff(places, n=2, axis=0), axis=-1).max(axis=1))


def _roughness(made: Directed, f0: int, f1: int, fade: int) -> float:
    """By how many times the usual the velocity of a joint changes at most where old and new are faded into each other."""
    places = made.finished.motion.positions
    near = [places[max(f - 3, 0) : f + fade + 4] for f in (f0, f1 - fade)]
    return max(float(_jumps(one).max()) for one in near) / max(_usual(made.plan.graph), 1e-9)


def _between(
    done: Directed,
    plan: ScenePlan,
    first: float,
    last: float,
    cut: tuple[int, int],
    times: Array,
    *,
    width: int,
    watch: Watcher,
    **how: Any,
) -> Directed:
    """The same with another way between two edges of its walk, ``cut``, which begin at ``times``."""
    fps = plan.graph.fps
    f0, f1, fade = round(first * fps), round(last * fps), round(FADE * fps)
    old, count = done.finished.motion, len(done.finished.motion)
    walk = done.finished.performance.walk
    moments = walk.moments
    i0, i1 = cut
    own = plan.graph.edges
    node, goal = int(own.source[walk.edges[i0]]), int(own.source[walk.edges[i1]])
    trace, t0, t1 = Trace(old), float(times[i0]), float(times[i1])
    pace = np.interp(
        np.interp(np.arange(walk.frames), moments, np.arange(count)), np.arange(count), np.gradient(moments)
    )
    x, z, facing = trace.place(t0)
    place = laid_at(plan, node, x, z, facing)
    ending = ending_at(plan, goal, t1, t0, trace.place(t1))
    starts = start_at(ending, node, place, x, z, t0, float(np.clip(pace[walk.begins[i0]], 0.9, 1.1)))
    found = search(ending, starts, width, Watch.of(watch))
    if found is None:
        raise Unsatisfied(
            f"no other way was found from {first:g} to {last:g} s that ends as the scene goes on: make the stretch longer"
        )
    edges = np.array(found[0], np.int64)
    trail = replayed(ending, edges, place, float(starts.along[0]), t0, starts.rate, starts.key)
    ia = max(int(np.searchsorted(times[:-1], f0 - _PAD * fps, side="right")) - 1, 0)
    ib = min(int(np.searchsorted(times, f1 + _PAD * fps)), len(walk.edges))
    begins = walk.begins
    old_turns = np.zeros(walk.frames) if walk.turns is None else walk.turns
    local = np.concatenate([walk.edges[ia:i0], edges, walk.edges[i1:ib]]).astype(np.int64)

    def joined(before: Array, between: Array, first: int, last: int) -> Array:
        return np.concatenate([before[first : begins[i0]], between, before[begins[i1] : last]])

    ta = float(times[ia])
    start = laid_at(plan, int(own.source[walk.edges[ia]]), *trace.place(ta))
    seen = np.arange(int(np.ceil(ta)), min(int(times[ib]), count - 1) + 1)
    way = TimedWay(
        local,
        start,
        joined(old_turns, trail[:, 0], begins[ia], begins[ib]),
        joined(pace, trail[:, 1], begins[ia], begins[ib]),
        np.asarray(seen - ta, np.float64),
    )
    lead, body = int(begins[i0] - begins[ia]), len(trail)
    marks = np.array([0, lead, lead + body, len(way.turns) - 1])
    due = np.array([ta, t0, t1, float(np.interp(begins[ib] - 1, moments, np.arange(count)))]) - ta
    timing = Timing(marks, due, due, np.full(len(marks), _EXACT))
    aims = _aims(plan, old, seen, f0, f1, fade)
    piece, shown, shifted = perform_way(plan, way, aims, since=ta, timing=timing, watch=watch, **how)
    for first_frame in (f0, f1 - fade):
        near = np.arange(first_frame, first_frame + fade + 1)
        apart = far_apart(old, near, piece.motion, near - int(seen[0]))
        if apart > APART:
            raise Unsatisfied(
                f"the new way from {first:g} to {last:g} s does not meet the old one: they are {apart:.1f} m apart where one should "
                "go over into the other; make the stretch longer, or ask for less in it"
            )
    share = np.interp(seen, [f0, f0 + fade, f1 - fade, f1], [0.0, 1.0, 1.0, 0.0])
    share = share * share * (3.0 - 2.0 * share)
    later = int(begins[i0]) + body - int(begins[i1])
    frames = moments.copy()
    frames[np.arange(count) > (f0 + f1) / 2] += later
    new = share > 0.5
    frames[seen[new]] = shown[new] + begins[ia]
    laid = replace(
        walk,
        edges=np.concatenate([walk.edges[:i0], edges, walk.edges[i1:]]),
        frames=walk.frames + later,
        turns=joined(old_turns, trail[:, 0], 0, walk.frames),
        pace=None,
        moments_seen=np.maximum.accumulate(frames),
    )
    finished = with_piece(done.finished, piece, seen, share, laid)
    solved = SolvedScene(
        laid.edges.astype(np.int64), done.solved.start, np.asarray(laid.turns), joined(pace, trail[:, 1], 0, walk.frames),
        found[2], float(ending.clock.foresight[int(t0), node]), width,
    )  # fmt: skip
    return Directed(
        finished, plan, solved, misses(finished.motion, plan), np.diff(frames), max(shifted, done.shifted), done.strikes,
        _on_hills(done, finished, seen, share),
    )  # fmt: skip


def _on_hills(done: Directed, flat: Finished, seen: Longs, share: Array) -> Finished | None:
    """The new motion on the scene's ground, and the old one where it stays."""
    ground = done.plan.scene.ground
    if done.hilly is None or ground is None:
        return None
    laid = on_hills(flat, ground_of(ground))
    pieces = replace(laid, motion=some_frames(laid.motion, seen), contacts=laid.contacts[seen])
    motion, contacts, _ = mixed_in(done.hilly, pieces, seen, share)
    return replace(laid, motion=motion, contacts=contacts)


def _aims(plan: ScenePlan, old: Motion, seen: Longs, f0: int, f1: int, fade: int) -> Aims:
    """Keys of the stretch, and the places of the old motion where it is faded into the new."""
    facing = old.heading()
    held = np.unique([seen[0], f0, f0 + fade // 2, f0 + fade, f1 - fade, f1 - fade // 2, f1, seen[-1]]).tolist()
    rows = [
        Aim(f, float(old.root[f, 0]), float(old.root[f, 2]), float(facing[f]) if f in (f0 + fade, f1 - fade) else None)
        for f in held
    ]
    rows += [one for one in Aims.of(plan).each() if f0 + fade < one.frame < f1 - fade]
    return Aims.rows([one._replace(frame=one.frame - int(seen[0])) for one in rows])
