"""Small motion graphs, put together by hand from built-in clips: no similarity is computed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from kinegraph import samples
from kinegraph.graph.making.parameters import Parameters
from kinegraph.graph.making.record import Record
from kinegraph.graph.making.report import BuildReport, CurvePoint, Group, Loss, Meeting
from kinegraph.graph.model import Clip, ClipSource, Component, EdgeKind, Edges, LabelSpan, MotionGraph
from kinegraph.graph.rounding import rounded
from kinegraph.motion.floor import FloorTransform
from kinegraph.similarity.minima import Minima

FPS = 30.0
WINDOW = 10
_STRIDE = 7  # frames between choice points


def made_clip(name: str, frames: int | None = None) -> Clip:
    """A built-in clip at 30 frames/s, its first ``frames``, labelled throughout with what the performer does."""
    sample = samples.make(name)
    motion = rounded(sample.motion.resample(FPS)[:frames])
    contacts = sample.contacts[np.minimum(2 * np.arange(len(motion)), len(sample.contacts) - 1)]
    source = ClipSource(f"{name}.bvh", hashlib.sha256(name.encode()).hexdigest(), 60.0, len(sample.motion))
    return Clip(
        motion, WINDOW, contacts, (LabelSpan(sample.label, 0, len(motion), "name"),), source, np.ones(len(motion), bool)
    )


def aligned(a: Clip, i: int, b: Clip, j: int) -> FloorTransform:
    """The transform that puts b's body at frame j where a's is at frame i."""
    (x, _, z), (u, _, w) = a.motion.root[i], b.motion.root[j]
    angle = float(a.motion.heading()[i] - b.motion.heading()[j])
    return FloorTransform(0.0, x, z) @ FloorTransform(angle) @ FloorTransform(0.0, -u, -w)


def made_graph(names: Sequence[str] = ("run", "stand", "walk"), frames: int | None = None) -> MotionGraph:
    """A sound graph: every clip is a loop of its own, and from each clip's end one goes on to the next clip; the last leads to the first.

    Each clip has choice points every few frames; its last leads back to its first and on to the next clip's first by a transition, which
    is a bridge where the labels differ. Each label's component is the loop of its first clip.
    """
    clips = tuple(made_clip(name, frames) for name in sorted(names))
    nodes = [(c, f) for c, clip in enumerate(clips) for f in range(WINDOW, len(clip) - WINDOW + 1, _STRIDE)]
    number = {node: index for index, node in enumerate(nodes)}
    ends = [[f for c, f in nodes if c == index] for index in range(len(clips))]
    rows = [
        (number[p], number[q], EdgeKind.ORIGINAL, q[1] - p[1], 0.0, 0.0, 0.0, 0.0)
        for p, q in pairwise(nodes)
        if p[0] == q[0]
    ]
    candidates: dict[tuple[str, str], Minima] = {}
    for a, b in dict.fromkeys((c, d) for c in range(len(clips)) for d in (c, (c + 1) % len(clips))):
        last, first = ends[a][-1], ends[b][0]
        cost = 0.01 + 0.001 * len(candidates) + 0.1 / 3
        kind = EdgeKind.TRANSITION if _label(clips[a]) == _label(clips[b]) else EdgeKind.BRIDGE
        lay = aligned(clips[a], last, clips[b], first - WINDOW)
        rows.append((number[a, last], number[b, first], kind, WINDOW, cost, lay.angle, lay.x, lay.z))
        place = (last, first - WINDOW) if a <= b else (first - WINDOW, last)
        low, high = sorted((clips[a].name, clips[b].name))
        candidates[low, high] = Minima(
            np.array([0, place[0]]), np.array([0, place[1]]), np.array([cost, 2 * cost]), WINDOW
        )
    edges = Edges(*(np.array(column) for column in zip(*sorted(rows), strict=True)))
    labels = {label: _component(clips, nodes, edges, label) for label in sorted({_label(clip) for clip in clips})}
    return MotionGraph(
        clips=clips,
        node_clip=np.array([c for c, _ in nodes]),
        node_frame=np.array([f for _, f in nodes]),
        edges=edges,
        labels=labels,
        making=Record(
            Parameters(threshold=0.05, weights={"left_toe": 2.0, "hips": 0.5}),
            _report(clips, len(nodes), candidates),
            candidates,
        ),
    )


def recorded(graph: MotionGraph, **changes: Any) -> MotionGraph:
    """The graph with another record of how it was made."""
    return replace(graph, making=replace(graph.record, **changes))


def _label(clip: Clip) -> str:
    return clip.spans[0].label


def _component(clips: Sequence[Clip], nodes: Sequence[tuple[int, int]], edges: Edges, label: str) -> Component:
    """The nodes of the first clip of that label, and the edges between them: its loop."""
    owner = next(index for index, clip in enumerate(clips) if _label(clip) == label)
    inside = np.array([c == owner for c, _ in nodes])
    return Component(np.flatnonzero(inside), np.flatnonzero(inside[edges.source] & inside[edges.target]))


def _report(clips: Sequence[Clip], nodes: int, candidates: dict[tuple[str, str], Minima]) -> BuildReport:
    frames = sum(map(len, clips))
    return BuildReport(
        frames=frames,
        attainable=frames - 2 * WINDOW * len(clips),
        kept=frames - 2 * WINDOW * len(clips) - 3,
        candidates=sum(map(len, candidates.values())),
        components=1,
        dropped_nodes=0,
        pairs=frames**2 // 2,
        threshold=0.05,
        curve=(CurvePoint(0.04, 2, 30, 3), CurvePoint(0.1 / 3, nodes, 60, 1)),
        groups=tuple(Group((clip.name,), 0.05) for clip in clips),
        meetings=(Meeting((0, len(clips) - 1), 0.12, 1),),
        losses=(Loss(clips[0].name, 3, len(clips[0])), Loss(clips[-1].name, len(clips[-1]), len(clips[-1]), 0.3)),
        notices=("a ‘notice’ of more than ASCII",),
    )
