"""More ways out: a graph for somebody who cannot wait for the best moment.

A motion graph has transitions where two clips are most alike, and a search over a whole walk gets to them in time. Somebody who is
steered has to turn now. So from every tenth of a second of every clip ways lead on to the places of other clips that are most alike just
then, good or bad; what a bad one costs is weighed against what waiting costs (McCann and Pollard 2007: occasional poor transitions are
crucial to on-line quality).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools, Indices, Longs, Singles
from kinegraph.graph.model import EdgeKind, Edges, MotionGraph
from kinegraph.motion.clip import Motion, pose_together
from kinegraph.people.rows import jumps
from kinegraph.similarity.clouds import cloud, cloud_matrix, mass_weights
from kinegraph.similarity.exact import alignments

# seconds from one place with ways out to the next
_EVERY = 0.1
# ways out of each place, no more than so many to one clip; and how far apart motions may be, in metres
_MANY, _TO_ONE, _FURTHEST = 10, 2, 0.12
# beside them, ways to where one is faster or slower by so many m/s, and how many of each: what is most alike to a stand are other stands
_FASTER, _OTHERWISE = (0.4, 0.8), 6
# m/s² that nobody exceeds; and seconds that such a way takes if motions are as far apart as they may be: if it is shorter they are nearer
_STRONGEST, _LONG = 5.0, 0.4
# seconds over which speeds are averaged for it
_AVERAGED = 0.4
# m/s below which somebody stands; from stand to stand one gets in a part of the time, since meanwhile nobody answers
_STANDS, _SOON = 0.2, 0.4
# places that are looked at for each of them before it is known exactly how far they are
_LOOKS = 6
# seconds: a clip's own frames so near are what would come anyway
_ANYWAY = 0.5

# ways that are looked at in one go
_AT_ONCE = 20000

# graphs that have them already
_GROWN: WeakSet[MotionGraph] = WeakSet()


@lru_cache(maxsize=4)
def with_ways(graph: MotionGraph) -> MotionGraph:
    """The graph with more ways out; remembered for the next call.

    >>> import kinegraph as kg
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("stand", "start", "walk", "stop")])
    >>> len(with_ways(graph).edges) > 2 * len(graph.edges)
    True
    """
    if graph in _GROWN:
        return graph
    grown = _grown(graph)
    _GROWN.add(grown)
    return grown


def _grown(graph: MotionGraph) -> MotionGraph:
    clips, edges = graph.clips, graph.edges
    lengths = np.array([len(clip) for clip in clips])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    pose_together([clip.motion for clip in clips])
    matrix = cloud_matrix(graph.skeleton, mass_weights(graph.skeleton))
    clouds = [cloud(clip.motion, matrix, clip.sound) for clip in clips]
    old = starts[graph.node_clip] + graph.node_frame
    grid = _grid(graph, starts)
    window = np.array([clip.window for clip in clips])
    sound = np.concatenate([[0], np.cumsum(np.concatenate([clip.sound for clip in clips]))])
    heading = [clip.motion.heading() for clip in clips]
    points = _seen([one.points for one in clouds], heading, clouds[0].base)
    clip_of = np.repeat(np.arange(len(clips)), lengths)
    speed = np.concatenate([_speed(clip.motion) for clip in clips])
    source, target, length = _nearest(points, speed, grid, clip_of, starts, window, sound, graph.fps)
    stands = (speed[source] < _STANDS) & (speed[target] < _STANDS)
    needs = _needs(graph, heading, source, target, length)
    # a joint that has a long way takes its time, and where there is none, the way is not taken
    length = np.where(stands, np.minimum(np.maximum(np.round(_SOON * length), needs), length), length).astype(np.int64)
    gentle = needs <= length
    source, target, length = source[gentle], target[gentle], length[gentle]
    cost, angle, x, z = alignments(
        clouds,
        clip_of[source],
        source - starts[clip_of[source]],
        clip_of[target],
        target - length - starts[clip_of[target]],
        length,
    )
    otherwise = np.abs(speed[target] - speed[source]) > _FASTER[0]
    near = cost < _FURTHEST * np.where(otherwise, np.minimum(length / (_LONG * graph.fps), 1.0), 1.0)
    source, target, length = source[near], target[near], length[near]
    nodes = np.unique(np.concatenate([old, source, target]))
    clip = clip_of[nodes]
    tails = np.flatnonzero(clip[1:] == clip[:-1])
    blends = np.flatnonzero(edges.kind != EdgeKind.ORIGINAL)
    # what the graph has already stays as it is
    known = np.unique(old[edges.source[blends]] * starts[-1] + old[edges.target[blends]])
    new = ~np.isin(source * starts[-1] + target, known)
    columns: dict[str, list[NDArray[Any]]] = {
        "source": [tails, np.searchsorted(nodes, old[edges.source[blends]]), np.searchsorted(nodes, source[new])],
        "target": [tails + 1, np.searchsorted(nodes, old[edges.target[blends]]), np.searchsorted(nodes, target[new])],
        "kind": [np.zeros(len(tails)), edges.kind[blends], np.full(np.count_nonzero(new), EdgeKind.TRANSITION)],
        "length": [nodes[tails + 1] - nodes[tails], edges.length[blends], length[new]],
        "cost": [np.zeros(len(tails)), edges.cost[blends], cost[near][new]],
        "angle": [np.zeros(len(tails)), edges.angle[blends], angle[near][new]],
        "x": [np.zeros(len(tails)), edges.x[blends], x[near][new]],
        "z": [np.zeros(len(tails)), edges.z[blends], z[near][new]],
    }
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    order = np.lexsort((joined["length"], joined["target"], joined["kind"], joined["source"]))
    more = Edges(**{name: values[order] for name, values in joined.items()})
    return replace(graph, node_clip=clip, node_frame=nodes - starts[clip], edges=more, labels={}, making=None)


def _grid(graph: MotionGraph, starts: Longs) -> Indices:
    """Frames of all clips in a row, a tenth of a second apart, between the first and the last node of each clip."""
    stride = max(1, round(_EVERY * graph.fps))
    found = [
        starts[clip] + np.arange(graph.node_frame[own].min(), graph.node_frame[own].max() + 1, stride)
        for clip in np.unique(graph.node_clip).tolist()
        for own in (graph.node_clip == clip,)
    ]
    return np.concatenate(found)


def _seen(points: list[Array], headings: list[Array], base: Array) -> Singles:
    """The clouds of all frames ``(T, 3, K)``, from where each body faces; with where they are on the floor still in them, turned."""
    seen = []
    for cloud_points, heading in zip(points, headings, strict=True):
        cosine, sine = np.cos(heading)[:, None], np.sin(heading)[:, None]
        x, z = cloud_points[:, 0], cloud_points[:, 2]
        centre_x, centre_z = (x @ base)[:, None] * base, (z @ base)[:, None] * base
        x, z = x - centre_x, z - centre_z
        seen.append(np.stack([cosine * x - sine * z, cloud_points[:, 1], cosine * z + sine * x], axis=1))
    return np.concatenate(seen).astype(np.float32)


def _needs(graph: MotionGraph, heading: list[Array], source: Longs, target: Longs, length: Longs) -> Longs:
    """How many frames each way needs so that no joint changes its velocity more than joints of the clips do.

    Over L frames a smooth blend changes the velocity of a joint that has to get D away by 6 D / L² a frame.
    """
    seen = []
    for clip, angle in zip(graph.clips, heading, strict=True):
        cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
        x, z = (clip.motion.positions[..., axis] - clip.motion.root[:, None, axis] for axis in (0, 2))
        seen.append(np.stack([cosine * x - sine * z, clip.motion.positions[..., 1], cosine * z + sine * x], axis=-1))
    joints = np.concatenate(seen).astype(np.float32)
    away = np.zeros(len(source))
    for first in range(0, len(source), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        for old, new in ((source, target - length), (source + length - 1, target - 1)):
            apart = np.linalg.norm(joints[new[some]] - joints[old[some]], axis=-1).max(axis=1)
            away[some] = np.maximum(away[some], apart)
    usual = np.percentile(jumps(graph), 99)
    return np.ceil(np.sqrt(6.0 * away / max(float(usual), 1e-6)) - 1.0).astype(np.int64)


def _speed(motion: Motion) -> Array:
    """m/s ``(F,)`` of the body along the floor, on average about each frame."""
    half = max(1, round(0.5 * _AVERAGED * motion.fps))
    floor = motion.root[:, [0, 2]]
    frames = np.arange(len(floor))
    before, after = np.maximum(frames - half, 0), np.minimum(frames + half, len(floor) - 1)
    speed: Array = np.hypot(*(floor[after] - floor[before]).T) * motion.fps / np.maximum(after - before, 1)
    return speed


def _nearest(
    points: Singles,
    speed: Array,
    grid: Indices,
    clip_of: Indices,
    starts: Longs,
    window: Indices,
    sound: Longs,
    fps: float,
) -> tuple[Longs, Longs, Longs]:
    """Ways out: the frames that they leave and at which they arrive, and how long they are."""
    found: list[tuple[Longs, Longs, Longs]] = []
    sizes = np.unique(window).tolist()
    for size in sizes:
        leaving = grid[window[clip_of[grid]] == size]
        near, places, spans = [], [], []
        for other in sizes:
            length = min(size, other)
            arriving = grid[window[clip_of[grid]] == other]
            arriving = arriving[_whole(arriving - length, length, clip_of, starts, sound)]
            here = leaving[_whole(leaving, length, clip_of, starts, sound)]
            near.append(np.full((len(leaving), len(arriving)), np.inf, np.float32))
            near[-1][np.isin(leaving, here)] = _apart(points, here, arriving - length, length)
            places.append(arriving)
            spans.append(np.full(len(arriving), length))
        every, arrives, lasts = np.concatenate(near, axis=1), np.concatenate(places), np.concatenate(spans)
        if not every.size:
            continue
        own = clip_of[leaving][:, None] == clip_of[arrives]
        soon = np.abs(arrives - lasts - leaving[:, None]) < round(_ANYWAY * fps)
        every[own & soon] = np.inf
        gained = speed[arrives] - speed[leaving][:, None]
        every[np.abs(gained) * fps > np.maximum(_STRONGEST * lasts, _FASTER[0] * fps)] = np.inf
        row, column = _chosen(every, clip_of[arrives], _MANY)
        found.append((leaving[row], arrives[column], lasts[column]))
        for faster in _FASTER:
            for other in (gained > faster, gained < -faster):
                row, column = _chosen(np.where(other, every, np.inf), clip_of[arrives], _OTHERWISE)
                found.append((leaving[row], arrives[column], lasts[column]))
    ways = np.unique(np.concatenate([np.stack(part, axis=1) for part in found]), axis=0)
    return ways[:, 0], ways[:, 1], ways[:, 2]


def _whole(first: Indices, length: int, clip_of: Indices, starts: Longs, sound: Longs) -> Bools:
    """Which windows of a length that begin at ``first (n,)`` lie within one clip and have lost no joint."""
    held = np.maximum(first, 0)
    last = np.minimum(held + length, len(clip_of))
    inside = (first >= 0) & (first + length <= starts[clip_of[np.minimum(held, len(clip_of) - 1)] + 1])
    inside &= first >= starts[clip_of[np.minimum(first + length, len(clip_of) - 1)]]
    whole: Bools = inside & (sound[last] - sound[held] == length)
    return whole


def _apart(points: Singles, first: Indices, second: Indices, length: int) -> Singles:
    """About how far apart ``(n, m)`` windows are, in metres, by their first, middle and last frames."""
    looks = np.array([0, length // 2, length - 1])
    a, b = (
        points[at[:, None] + looks].reshape(len(at), -1) / np.sqrt(np.float32(len(looks))) for at in (first, second)
    )
    squares = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1) - 2.0 * (a @ b.T)
    apart: Singles = np.sqrt(np.maximum(squares, 0.0))
    return apart


def _chosen(apart: Singles, clip: Indices, many: int) -> tuple[Indices, Indices]:
    """Rows and columns of the ways that are taken: the ``many`` nearest of each row, no more than a few to one clip."""
    some = min(2 * _LOOKS * many, apart.shape[1])
    best = np.argpartition(apart, some - 1, axis=1)[:, :some]
    best = np.take_along_axis(best, np.argsort(np.take_along_axis(apart, best, axis=1), axis=1), axis=1)
    rows, columns = [], []
    for row in range(len(best)):
        taken: dict[int, int] = {}
        count = 0
        for column in best[row].tolist():
            if count == many or not apart[row, column] < 2.0 * _FURTHEST:
                break
            to = int(clip[column])
            if taken.get(to, 0) < _TO_ONE:
                taken[to] = taken.get(to, 0) + 1
                rows.append(row)
                columns.append(column)
                count += 1
    return np.array(rows, np.intp), np.array(columns, np.intp)
