"""Where a walk begins: at which node of the graph, and where that lies on the floor."""

from __future__ import annotations

import re

import numpy as np

from kinegraph.arrays import Bools, Ints
from kinegraph.errors import GraphError
from kinegraph.graph.model import MotionGraph
from kinegraph.motion.floor import FloorTransform
from kinegraph.walks.choice import CLIP, endless, frame_starts, resolve, unknown

Start = str | tuple[str, int]


def framed(graph: MotionGraph, start: Start) -> Start:
    """A start that people write as ``CLIP@FRAME``, as a clip and a frame, unless a clip is called so."""
    framed = re.fullmatch(r"(.+)@([0-9]{1,9})", start) if isinstance(start, str) else None
    if framed is None or start in graph.clip_index:
        return start
    return framed[1].removeprefix(CLIP), int(framed[2])


def start_nodes(graph: MotionGraph, start: Start, *, within: Bools | None = None) -> Ints:
    """The nodes at which a walk that asks for ``start`` may begin, at least one.

    start: a clip's name, its first node; a clip's name and a frame (also as ``CLIP@FRAME``), the nearest node at or after
    it (the clip's last
    where none is); a label, every node at which a frame of it comes next, those of its endless part where it has one.
    within: ``(N,)``, nodes that come into question; all unless given. A `GraphError` says what there is instead.
    """
    start = framed(graph, start)
    able = np.ones(len(graph), bool) if within is None else within
    named = start if isinstance(start, str) else start[0]
    where = "in this graph" if within is None else "in the part that this walk keeps to"
    if isinstance(start, str):
        asked = resolve(graph, start)
        if not asked.clip:
            chosen = asked.frames[frame_starts(graph)[graph.node_clip] + graph.node_frame] & able
            lasting = np.zeros(len(graph), bool)
            if (part := endless(graph, start)) is not None:
                lasting[part.nodes] = True
            nodes = np.flatnonzero(chosen & lasting if (chosen & lasting).any() else chosen)
            if not len(nodes):
                raise GraphError(f"no walk can begin with {start!r}: no choice point of it is {where}")
            return nodes.astype(np.int32)
        named, frame = asked.name, 0
    else:
        frame = int(start[1])
        if named not in graph.clip_index:
            raise GraphError(unknown("clip", named, graph.clip_index))
    frames = len(graph.clip(named))
    if not 0 <= frame < frames:
        raise GraphError(f"clip {named!r} has no frame {frame}: it has frames 0 to {frames - 1}")
    nodes = np.flatnonzero((graph.node_clip == graph.clip_index[named]) & able)
    if not len(nodes):
        raise GraphError(f"no walk can begin with clip {named!r}: no choice point of it is {where}")
    after = nodes[graph.node_frame[nodes] >= frame]
    return (after[:1] if len(after) else nodes[-1:]).astype(np.int32)


def over_origin(graph: MotionGraph, node: int) -> FloorTransform:
    """Where a node's clip must lie so that its next frame has the root over the origin and faces +Z."""
    frame = int(graph.node_frame[node])
    pose = graph.clips[graph.node_clip[node]].motion[frame : frame + 1]
    x, _, z = pose.root[0].tolist()
    return FloorTransform(-float(pose.heading()[0])) @ FloorTransform(0.0, -x, -z)
