"""The exact search: every horizon searched through by branch and bound, its first part kept (Dirican 2014, 4.2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kinegraph.walks.branch import best_walk
from kinegraph.walks.course import HASTY, laid, play
from kinegraph.walks.fast import fast
from kinegraph.walks.setting import Followed, Setting
from kinegraph.watch import Watch, Watcher


def exact(setting: Setting, watch: Watcher = None) -> Iterator[Followed]:
    """Walks along the path, each going on from the one before, the last one to the end. They begin where the fast
    search would.

    watch: asked now and then whether to go on, also in the midst of a horizon, which may take hours.
    """
    watch = Watch.of(watch)
    held = setting.tables
    begun = next(fast(replace(setting, request=replace(setting.request, search="fast")), watch))
    start, node = begun.walk.start, int(setting.graph.edges.source[begun.walk.edges[0]])
    place = [np.cos(start.angle), np.sin(start.angle), start.x, start.z]
    degree = int(np.diff(held.first).max())
    edges: list[int] = []
    along, error, free, frames = 0.0, 0.0, 0, 0
    while True:
        watch.check()
        horizon = min(setting.horizon, setting.limit - frames)
        if horizon < 1:
            raise setting.stuck(frames / setting.graph.fps)
        margin = float(setting.margins[held.clip[node]])
        found, _, ended, _ = best_walk(
            held, setting.course, setting.prices, node, np.array(place), along, free, horizon, setting.kind, margin,
            setting.keep, setting.limit - frames, degree, watch,
        )  # fmt: skip
        if not len(found):
            raise setting.stuck(frames / setting.graph.fps)
        begins = np.concatenate([[0], np.cumsum(held.length[found])])
        kept = len(found) if ended else max(1, int(np.searchsorted(begins, setting.keep, side="right")) - 1)
        for edge in found[:kept].tolist():
            error += HASTY if held.blended[edge] and free > 0 else 0.0
            cosine, sine, x, z = place
            along, error, _, played, *place = play(
                held, setting.course, setting.prices, edge, cosine, sine, x, z, along, error, 0, np.inf, np.empty(0)
            )
            free = setting.prices.gap if held.blended[edge] else max(0, free - played)
            if held.blended[edge]:
                cosine, sine, x, z = place
                place = [*laid(cosine, sine, x, z, held.turn, edge)]
            edges.append(edge)
        if ended:
            yield setting.whole(edges, start, frames + ended, error)
            return
        node = int(held.target[edges[-1]])
        frames = int(held.length[edges].sum())
        yield setting.so_far(edges, start)
