"""What a scene asks of every frame of time: which labels, standing, a pose. And how fast people are who do so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Longs
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.graph.model import MotionGraph
from kinegraph.scenes.hills import ground_of
from kinegraph.scenes.scene import Scene
from kinegraph.scenes.striking import StruckGraph
from kinegraph.walks.avoiding import meant
from kinegraph.walks.choice import all_labels, edge_frames, frame_starts, labelled, understood, unknown
from kinegraph.walks.parts import STAND, frames_bearing
from kinegraph.walks.tables import tables

SLOWER, FASTER = 1.0 / 1.15, 1.15
"""How much slower and faster than it was captured a motion may be played."""
BORDER = 0.3
"""Seconds about the ends of a label's interval in which it may change."""
# of these, what the search leaves to the finish, which changes times a little
_LEFT = 0.07
# what a frame of 1/30 s without its label costs, in square metres off its place; the share of it about borders; and how
# much more a pose matters
_TOLL, _EDGE, _POSE = 1.5, 0.05, 4.0
# and what that costs, where nothing is asked, which nobody has called for
_UNCALLED = 0.2
# doings that nobody expects who has not asked for them
_DEEDS = ("jump", "sit", "lie", "crouch", "crawl", "climb", "punch", "kick", "reach", "wave")
# frames by which a pose may be missed before it is none at all, and frames before and after it for which it is asked
_NEAR, _SPREAD = 8, 1
# seconds over which speeds are taken, and m/s below which somebody stands
_STEADY, _STANDS = 0.5, 0.25
# shares of the frames of a label that are slower than the slow and than the fast ones
_SLOW, _FAST = 5, 98


@dataclass(frozen=True, eq=False)
class Speeds:
    """Metres a second of who does what is asked."""

    low: float
    usual: float
    high: float


@dataclass(frozen=True, eq=False)
class Demand:
    """What is asked of each of the frames 0 … T of time. S different things are asked for, the first of which is nothing."""

    need: Longs
    """``(T + 1,)``: which of them."""
    toll: Array
    """``(T + 1,)``: what it costs not to give it."""
    lack: NDArray[np.float32]
    """``(S, R)``: by how much each row of the tables (frames of clips, then of blends) is not as asked, 0 for not at all."""
    speeds: tuple[Speeds, ...]
    """``(S,)``"""
    barred: Bools
    """``(E,)``: edges that may not be played."""


def check_names(graph: MotionGraph, scene: Scene) -> None:
    """Refuse a scene that names labels, clips or frames which the graph has not."""
    for number, label in enumerate(scene.labels, 1):
        try:
            labelled(graph, label.asked)
        except Unsatisfied:
            raise
        except GraphError as error:
            raise GraphError(f"label {number}: {error}") from None
    for name in scene.without:
        if ">" in name:
            meant(graph, name, "without")
        elif name not in graph.clip_index:
            raise GraphError(f"without: {unknown('clip', name, graph.clip_index)}")
    for number, pin in enumerate(scene.pins, 1):
        if pin.clip not in graph.clip_index:
            raise GraphError(f"clip {number}: {unknown('clip', pin.clip, graph.clip_index)}")
        if pin.clip in scene.without:
            raise GraphError(f"clip {number} ({pin.clip!r}) is asked for, and not to be used: leave one out")
    for number, pose in enumerate(scene.poses, 1):
        if pose.clip not in graph.clip_index:
            raise GraphError(f"pose {number}: {unknown('clip', pose.clip, graph.clip_index)}")
        frames = len(graph.clip(pose.clip))
        if not 0 <= pose.frame < frames:
            raise GraphError(
                f"pose {number}: clip {pose.clip!r} has no frame {pose.frame}: it has frames 0 to {frames - 1}"
            )
        if pose.clip in scene.without:
            raise GraphError(f"pose {number} is of {pose.clip!r}, which is not to be used: leave one out")
    if scene.ground is not None:
        ground_of(scene.ground)
    if scene.waits and not frames_bearing(graph, STAND).any():
        raise Unsatisfied(
            "nobody stands in this graph, so nobody can wait: build it with a clip in which somebody stands"
        )


def make_asked(graph: MotionGraph, scene: Scene, struck: StruckGraph | None = None) -> Demand:
    """What a scene asks of every frame. struck: its strikes, in ``graph``; while one is struck, no label is asked for."""
    fps, frames = graph.fps, round(scene.seconds * graph.fps)
    held, starts = tables(graph), frame_starts(graph)
    time = np.arange(frames + 1) / fps
    toll = np.full(frames + 1, _TOLL * 30.0 / fps)
    # one column for each wish, whether it is asked for at each moment
    wishes: list[NDArray[np.float32]] = []
    active: list[Bools] = []
    exempt = np.zeros(int(starts[-1]), bool) if struck is None else struck.frames()
    for label in scene.demands:
        wishes.append(label.weight * _spread(graph, ~(labelled(graph, label.asked) | exempt)))
        active.append(_within(time, label.first, label.last, scene.seconds))
        for border in (label.first, label.last):
            if 0 < border < scene.seconds:
                toll[np.abs(time - border) < BORDER - _LEFT] = _EDGE * _TOLL * 30.0 / fps
    for pin in scene.pins:
        number = graph.clip_index[pin.clip]
        others = np.ones(starts[-1], bool)
        others[starts[number] : starts[number + 1]] = False
        wishes.append(pin.weight * _spread(graph, others))
        active.append(_within(time, pin.first, pin.last, scene.seconds))
        for border in (pin.first, pin.last):
            if 0 < border < scene.seconds:
                toll[np.abs(time - border) < BORDER - _LEFT] = _EDGE * _TOLL * 30.0 / fps
    for wait in scene.waits:
        wishes.append(wait.weight * _spread(graph, ~(frames_bearing(graph, STAND) | exempt)))
        active.append(_within(time, wait.first, wait.last, scene.seconds))
    for pose in scene.poses:
        row = int(starts[graph.clip_index[pose.clip]]) + pose.frame
        moment = round(pose.time * fps)
        for shift in range(-_SPREAD, _SPREAD + 1):
            if 0 <= moment + shift <= frames:
                away = np.minimum(np.abs(np.arange(starts[-1]) - row - shift) / _NEAR, 1.0)
                wishes.append(_POSE * pose.weight * _spread(graph, away))
                active.append(np.arange(frames + 1) == moment + shift)
    timely, never = ([], []) if struck is None else struck.wishes(frames)
    loud = len(wishes) + len(timely)
    for away, moments in (*timely, *never):
        wishes.append(_spread(graph, away))
        active.append(moments)
    together = np.stack(active, axis=1) if active else np.zeros((frames + 1, 0), bool)
    kinds, need = np.unique(np.vstack([np.zeros((1, together.shape[1]), bool), together]), axis=0, return_inverse=True)
    lack = np.zeros((len(kinds), len(held.track)), np.float32)
    for number, kind in enumerate(kinds):
        for wish in np.flatnonzero(kind):
            lack[number] += wishes[wish]
    uncalled = _spread(graph, _uncalled_for(graph, scene) & ~exempt)
    lack[~kinds[:, :loud].any(axis=1)] += _UNCALLED * uncalled
    speeds = tuple(
        _speeds(graph, lack[number, : starts[-1]] == 0.0, scene, bool(kind[:loud].any()))
        for number, kind in enumerate(kinds)
    )
    contradiction = [number for number, one in enumerate(speeds) if one.high < 0]
    if contradiction:
        when = float(time[np.argmax(need[1:].ravel() == contradiction[0])])
        names = [f"{one.asked!r}" for one in scene.demands if one.first <= when < one.last]
        names += ["a wait" for one in scene.waits if one.first <= when < one.last]
        names += [f"clip {one.clip!r}" for one in scene.pins if one.first <= when < one.last]
        posed = any(abs(one.time - when) < 0.1 for one in scene.poses)
        if not posed:
            raise Unsatisfied(
                f"at {when:g} s the scene asks for {' and '.join(names)} at once, and no frame of this graph is so "
                f"(it has {', '.join(all_labels(graph))}): end one before the other begins"
            )
    usual = speeds[0]
    speeds = tuple(usual if one.high < 0 else one for one in speeds)
    barred = _barred(graph, scene)
    return Demand(need.ravel()[1:].astype(np.int64), toll, lack, speeds, barred)


def _uncalled_for(graph: MotionGraph, scene: Scene) -> Bools:
    """``(F,)`` over all clips laid in a row: where somebody does what the scene neither names nor shows; nowhere if that is everywhere."""
    shown = {pin.clip for pin in scene.pins} | {pose.clip for pose in scene.poses}
    named = {label for one in scene.labels for label in understood(graph, one.asked).labels}
    deeds = [one for one in all_labels(graph) if one in _DEEDS and one not in named]
    found = np.zeros(int(frame_starts(graph)[-1]), bool)
    for deed in deeds:
        found |= labelled(graph, deed)
    found &= np.repeat([clip.name not in shown for clip in graph.clips], [len(clip) for clip in graph.clips])
    return found & ~found.all()


def _within(time: Array, first: float, last: float, seconds: float) -> Bools:
    """The moments of an interval; what lasts to the end of the scene has its last moment too."""
    return np.asarray((time >= first - 1e-6) & ((time < last - 1e-6) | (last >= seconds)))


def _spread(graph: MotionGraph, frames: Bools | Array) -> NDArray[np.float32]:
    """Of what the frames ``(F,)`` of clips lack, what rows of the tables do: a blend lacks what either of its clips does."""
    held = tables(graph)
    values = frames.astype(np.float32)
    blends = np.flatnonzero(held.blended)
    left, right = edge_frames(graph)
    lengths = held.length[blends]
    step = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    old, new = (values[np.repeat(one[blends], lengths) + step] for one in (left, right))
    found = np.empty(len(held.track), np.float32)
    found[: len(values)] = values
    rows = np.repeat(held.begin[blends], lengths) + step
    found[rows] = np.maximum(old, new)
    return found


def _speeds(graph: MotionGraph, frames: Bools, scene: Scene, asked: bool) -> Speeds:
    """How fast people are on ``frames (F,)`` of the clips; a high of −1 where there are none."""
    fps = graph.fps
    if not frames.any():
        return Speeds(0.0, 0.0, -1.0)
    steps = tables(graph).track[: len(frames), 2] * fps
    width = max(1, round(_STEADY * fps))
    steady = np.convolve(steps, np.ones(width) / width, mode="same")[frames]
    low, high = float(np.percentile(steady, _SLOW)), float(np.percentile(steady, _FAST))
    if asked:
        usual = float(np.median(steady))
    else:
        going = steady[steady > _STANDS]
        usual = float(np.median(going)) if len(going) else 0.0
        if "walk" in all_labels(graph):
            usual = float(np.median(tables(graph).track[: len(frames), 2][labelled(graph, "walk")]) * fps)
        usual = scene.speed or usual
        low = 0.0 if np.mean(steady < _STANDS) > 0.02 else low
    if asked and scene.speed is not None and usual > _STANDS:
        usual = float(np.clip(scene.speed, low, high))
    return Speeds(float(low) * SLOWER if low > _STANDS else 0.0, usual, float(high) * FASTER)


def _barred(graph: MotionGraph, scene: Scene) -> Bools:
    clips = np.zeros(len(graph.clips), bool)
    clips[[graph.clip_index[name] for name in scene.without if ">" not in name]] = True
    edges = graph.edges
    barred: Bools = clips[graph.node_clip[edges.source]] | clips[graph.node_clip[edges.target]]
    for name in scene.without:
        if ">" in name:
            barred[meant(graph, name, "without")] = True
    if barred.all():
        raise Unsatisfied("without: nothing is left of the graph when these clips are not used")
    return barred
