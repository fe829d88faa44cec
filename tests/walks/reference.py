"""What a walk along a path costs, said slowly: one frame at a time, with nothing compiled."""

from __future__ import annotations

import numpy as np

from kinegraph.arrays import Array
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.walk import Walk
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.path import Path
from kinegraph.walks.course import HASTY
from kinegraph.walks.lay import walkable
from kinegraph.walks.request import Request
from kinegraph.walks.tables import smooth_track


def track(walk: Walk) -> Array:
    """The smoothed root's places on the floor ``(F, 2)``, edge by edge."""
    graph = walk.graph
    edges = graph.edges
    places = []
    for edge, placement in zip(walk.edges.tolist(), walk.placements, strict=True):
        own = smooth_track(_floor(graph, int(graph.node_clip[edges.source[edge]])), graph.fps)
        first, length = int(graph.node_frame[edges.source[edge]]), int(edges.length[edge])
        points = own[first : first + length]
        if edges.kind[edge]:
            target = edges.target[edge]
            other = smooth_track(_floor(graph, int(graph.node_clip[target])), graph.fps)
            last = int(graph.node_frame[target])
            incoming = _laid(edges.alignment(edge), other[last - length : last])
            weight = (np.arange(length)[:, None] + 1) / (length + 1)
            points = (1 - weight) * points + weight * incoming
        places.append(_laid(placement, points))
    return _bent(np.concatenate(places)[: walk.frames], walk)


def _bent(points: Array, walk: Walk) -> Array:
    """Points turned frame by frame as the walk says, each about the one before."""
    if walk.turns is None:
        return points
    bent, angle = [points[0]], 0.0
    for frame in range(1, len(points)):
        angle += float(walk.turns[frame - 1])
        (x, z), c, s = points[frame] - points[frame - 1], np.cos(angle), np.sin(angle)
        bent.append(bent[-1] + [c * x + s * z, c * z - s * x])
    return np.array(bent)


def error(walk: Walk, request: Request, frames: int | None = None) -> tuple[float, float]:
    """What the first ``frames`` of a walk that is not bent cost, and how far along the path they lead; prices of blends that
    begin in them included.
    """
    assert request.bend == 0.0
    assert request.facing == "any"
    graph, fps = walk.graph, walk.graph.fps
    guide: Path = walkable(request.path, 0.6 * graph.skeleton.leg_length)
    frames = walk.frames if frames is None else min(frames, walk.frames)
    points = track(walk)
    along, total, free = 0.0, 0.0, 0
    for edge, begin, end in zip(walk.edges.tolist(), walk.begins[:-1], walk.begins[1:], strict=True):
        if begin >= frames:
            break
        total += request.price * float(graph.edges.cost[edge]) ** 2
        if graph.edges.kind[edge]:
            # one that comes too soon after another costs more
            total += HASTY if begin < free else 0.0
            free = end + round(request.gap * fps)
        for frame in range(begin, min(end, frames)):
            tangent = guide.at(along + 1e-3) - guide.at(along - 1e-3)
            ahead = float((points[frame] - guide.at(along)) @ tangent / np.linalg.norm(tangent))
            along = min(along + max(ahead, request.least / fps), guide.length)
            total += 30 / fps * float(((points[frame] - guide.at(along)) ** 2).sum())
    return total, along / guide.length


def _floor(graph: MotionGraph, clip: int) -> Array:
    return graph.clips[clip].motion.root[:, [0, 2]]


def _laid(transform: FloorTransform, points: Array) -> Array:
    return transform.apply(np.stack([points[:, 0], np.zeros(len(points)), points[:, 1]], axis=-1))[:, [0, 2]]
