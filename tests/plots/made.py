"""Motion graphs made up for pictures: any number of clips and transitions, nothing compared."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from kinegraph import samples
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.record import Record
from kinegraph.graph.making.report import BuildReport, CurvePoint, Group, Loss, Meeting
from kinegraph.graph.model import Clip, ClipSource, EdgeKind, Edges, LabelSpan, MotionGraph
from kinegraph.motion.clip import Motion, concatenate

FPS = 30.0
WINDOW = 10
LABELS = ("walk", "run", "stand", "jump")


@cache  # a graph is frozen, and making many clips takes its time
def made_graph(clips: int = 5, transitions: int = 60, groups: int = 2, bridges: int = 3, seed: int = 1) -> MotionGraph:
    """A graph of ``clips`` clips in ``groups`` groups, the last clip of all left out by the pruning."""
    rng = np.random.default_rng(seed)
    walk = samples.make("walk").motion.resample(FPS)
    long = concatenate([walk, walk, walk])
    all_clips = tuple(_clip(long, number, rng) for number in range(clips))
    in_group = np.sort(np.arange(clips) % groups)
    node_clip, node_frame = _nodes(all_clips, rng)
    edges = _edges(node_clip, node_frame, in_group, transitions, bridges, rng)
    return MotionGraph(
        clips=all_clips,
        node_clip=node_clip,
        node_frame=node_frame,
        edges=edges,
        labels={},
        making=Record(Parameters(), _report(all_clips, in_group, groups, transitions), {}),
    )


def _clip(long: Motion, number: int, rng: np.random.Generator) -> Clip:
    frames = int(rng.integers(60, len(long)))
    motion = replace(
        long[:frames], name=f"{16 + number // 40:02d}_{number % 40 + 1:02d}{'_mirrored' if number % 2 else ''}"
    )
    label = LABELS[number % len(LABELS)]
    turn = LabelSpan("turn_left", frames // 3, frames // 2)
    spans = (LabelSpan(label, 0, frames, "name"), *([turn] if number % 3 == 0 else []))
    source = ClipSource(f"{motion.name}.amc", "0" * 64, 120.0, 4 * frames)
    return Clip(motion, WINDOW, np.zeros((frames, 4), bool), spans, source, np.ones(frames, bool))


def _nodes(clips: tuple[Clip, ...], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Choice points in all clips but the last, away from the first and the last window."""
    where = [
        (number, frame)
        for number, clip in enumerate(clips[:-1])
        for frame in sorted(set(rng.integers(WINDOW, len(clip) - WINDOW, 40).tolist()))
    ]
    node_clip, node_frame = np.array(where).T
    return node_clip, node_frame


def _edges(
    node_clip: np.ndarray,
    node_frame: np.ndarray,
    in_group: np.ndarray,
    transitions: int,
    bridges: int,
    rng: np.random.Generator,
) -> Edges:
    here = np.flatnonzero(node_clip[:-1] == node_clip[1:])
    rows = [(n, n + 1, EdgeKind.ORIGINAL, node_frame[n + 1] - node_frame[n], 0.0) for n in here.tolist()]
    group = in_group[node_clip]
    several = len(set(group.tolist())) > 1
    wanted = {EdgeKind.TRANSITION: transitions, EdgeKind.BRIDGE: bridges if several else 0}
    while any(wanted.values()):
        a, b = rng.integers(0, len(node_clip), 2).tolist()
        kind = EdgeKind.TRANSITION if group[a] == group[b] else EdgeKind.BRIDGE
        if wanted[kind]:
            wanted[kind] -= 1
            rows.append((a, b, kind, WINDOW, rng.gamma(6, 0.006) if kind == EdgeKind.TRANSITION else 0.13))
    rows.sort()
    source, target, kind, length, cost = zip(*rows, strict=True)
    zero = np.zeros(len(rows))
    return Edges(*map(np.array, (source, target, kind, length, cost)), zero, zero, zero)


def _report(clips: tuple[Clip, ...], in_group: np.ndarray, groups: int, transitions: int) -> BuildReport:
    frames = sum(map(len, clips))
    curve = tuple(
        CurvePoint(t, int(transitions * (t / 0.08) ** 2), int(frames * 0.9 * t**4 / (t**4 + 0.035**4)), 3)
        for t in np.linspace(0.005, 0.20, 40).tolist()
    )
    return BuildReport(
        frames=frames,
        attainable=int(frames * 0.9),
        kept=int(frames * 0.8),
        candidates=4 * transitions,
        components=3,
        dropped_nodes=7,
        pairs=frames**2,
        threshold=0.062,
        curve=curve,
        groups=tuple(
            Group(
                tuple(clip.name for clip, group in zip(clips[:-1], in_group, strict=False) if group == number),
                0.062 - 0.013 * (number % 4),
            )
            for number in range(groups)
        ),
        meetings=tuple(Meeting((number, number + 1), 0.13, 3) for number in range(groups - 1)),
        losses=(Loss(clips[-1].name, len(clips[-1]), len(clips[-1]), 0.17),),
    )
