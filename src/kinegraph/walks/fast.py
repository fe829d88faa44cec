"""The fast search: a beam that slides along the path, settling the motion bit by bit as its walks agree with the best
one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.motion.floor import FloorTransform
from kinegraph.walks.beam import AHEAD_COST, AT_HORIZON, PARENT, STAYED, Beam, ancestor, grow, make_beam, prune, seed
from kinegraph.walks.begin import start_nodes
from kinegraph.walks.setting import Followed, Setting
from kinegraph.walks.tables import AHEAD
from kinegraph.watch import Watch, Watcher

# walks kept at one node at one moment: more would be copies of each other
_PER_NODE = 2
# so many times more walks than are kept may wait for a moment; more than two, lest the first to come crowd out better
# ones
_CROWD = 3
# radians to both sides of the path's own direction in which a walk may begin
_TURNED = (0.0, -0.2, 0.2)


def fast(setting: Setting, watch: Watcher = None) -> Iterator[Followed]:
    """Walks along the path, each going on from the one before, the last one to the end.

    watch: asked before each bit that is settled whether to go on.
    """
    watch = Watch.of(watch)
    held = setting.tables
    nodes, angles, places = starts(setting)
    moments = int(held.length.max()) + 2
    width = setting.request.width
    past = width * (setting.horizon + setting.keep + moments + 2)
    beam = make_beam(len(held.row), moments, _CROWD * width, past, setting.course.length)
    seed(held, setting.course, setting.prices, beam, nodes, places)
    # at first walks keep to the clip they begin in; where those differ, by what each of them may at least
    margin = float(setting.margins[held.clip[nodes]].min())
    edges: list[int] = []
    begun: FloorTransform | None = None
    root, settled, moment = -1, 0, 0
    while True:
        watch.check()
        end = min(settled + setting.horizon, setting.limit)
        grow(
            held, setting.course, setting.prices, beam, moment, end, end, width, _PER_NODE, setting.kind, margin,
            settled + setting.keep, setting.limit,
        )  # fmt: skip
        moment = end
        value, walk = _best_pending(beam, margin)
        if beam.finish[0] >= 0 and (beam.best[0] <= value or end == setting.limit):
            more, first = _way(beam, int(beam.finish[0]), root)
            if begun is None:
                begun = FloorTransform(float(angles[first]), *places[first, 2:].tolist())
            edges += [*more, int(beam.finish[1])]
            yield setting.whole(edges, begun, int(beam.numbers[1]), float(beam.best[1]))
            return
        if walk < 0 or end == setting.limit:
            raise setting.stuck(settled / setting.graph.fps)
        settled += setting.keep
        kept = int(ancestor(beam, walk, settled))
        if kept < 0 or kept == root:
            continue  # an edge longer than what is kept
        more, first = _way(beam, kept, root)
        if begun is None:
            begun = FloorTransform(float(angles[first]), *places[first, 2:].tolist())
        edges += more
        root = kept
        clip = int(held.clip[held.target[edges[-1]] if edges else nodes[first]])
        margin = float(setting.margins[clip])
        prune(held, beam, settled, root, setting.kind, clip, settled + setting.keep, margin)
        if edges:
            yield setting.so_far(edges, begun)


def starts(setting: Setting) -> tuple[Longs, Array, Array]:
    """Where walks may begin: nodes ``(n,)``, by how much their clips are turned ``(n,)``, and where they then lie ``(n,
    4)``: cosine, sine, x, z.
    """
    request, graph, held, path = setting.request, setting.graph, setting.tables, setting.request.path
    nodes = _start_nodes(setting)
    row = held.row[nodes]
    # where each would go by itself, against where the path goes
    ahead = np.minimum(row + round(AHEAD * graph.fps), held.end[nodes] - 1)
    gone = held.track[ahead, :2] - held.track[row, :2]
    distance = np.linalg.norm(gone, axis=1)
    going = np.where(distance > 0.1, np.arctan2(gone[:, 0], gone[:, 1]), held.heading[row])
    chord = path.at(np.maximum(distance, 0.3)) - path.at(0.0)
    angles = np.concatenate([np.arctan2(chord[:, 0], chord[:, 1]) - going + turned for turned in _TURNED])
    nodes = np.tile(nodes, len(_TURNED))
    if request.heading is not None:
        nodes = nodes[: len(row)]
        angles = request.heading - held.heading[row]
    cosine, sine = np.cos(angles), np.sin(angles)
    x, z, _ = held.track[held.row[nodes]].T
    begin = setting.course.line[0]
    places = np.stack([cosine, sine, begin[0] - cosine * x - sine * z, begin[1] - cosine * z + sine * x], axis=1)
    return nodes, angles, places


def _start_nodes(setting: Setting) -> Longs:
    request, graph, margins = setting.request, setting.graph, setting.margins
    able = np.ones(len(graph), bool)
    section = int(setting.course.section[0])
    if section >= 0:
        # only where some edge that leaves bears the label
        able[:] = False
        able[graph.edges.source[setting.course.strays[section] == 0]] = True
    if request.start is not None:
        return start_nodes(graph, request.start, within=able).astype(np.int64)
    if margins.any():
        liked = able & (margins[graph.node_clip] == margins.max())
        able = liked if liked.any() else able
    return np.flatnonzero(able).astype(np.int64)


def _best_pending(beam: Beam, margin: float) -> tuple[float, int]:
    """What the best walk that goes on beyond the horizon costs up to there and would by just carrying on from its end,
    and the kept walk it grows from; −1 where there is none.
    """
    best, walk = np.inf, -1
    for slot in np.flatnonzero(beam.waiting):
        count = beam.waiting[slot]
        floats = beam.floats[slot, :count]
        values = floats[:, AT_HORIZON] - margin * beam.ints[slot, :count, STAYED] + floats[:, AHEAD_COST]
        k = int(np.argmin(values))
        if values[k] < best:
            best, walk = float(values[k]), int(beam.ints[slot, k, PARENT])
    return best, walk


def _way(beam: Beam, walk: int, root: int) -> tuple[list[int], int]:
    """The edges that lead from ``root`` to ``walk``, and, where there is no root yet, the number of the start."""
    edges: list[int] = []
    while walk >= 0 and walk != root:
        parent, edge, _ = beam.past[walk % len(beam.past)].tolist()
        if edge >= 0:
            edges.append(edge)
        walk = parent
    return edges[::-1], -1 - walk if walk < 0 else -1
