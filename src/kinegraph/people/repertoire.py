"""What somebody who is steered has at hand: of hours of capture some minutes, chosen so that they hang together.

Ways out lead from every tenth of a second to what is most alike, and what is best next is worked out for each beforehand: both grow with
the square of the motion. So of a large graph clips are chosen one by one, each of the kind that is lacking most, and among these the one
with the most transitions to those that are chosen already, for each second that it takes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from kinegraph.arrays import Array, Longs
from kinegraph.errors import GraphError
from kinegraph.graph.making.confined import confined_to
from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.walks.choice import labelled
from kinegraph.walks.within import cut_out

# frames of a graph from which on some are chosen, and how many
_LARGE, _SOME = 30_000, 10_000
# the shares of what everybody does; of a label that is asked for; and of the rest, together
_SHARES = {"stand": 0.2, "walk": 0.4, "run": 0.2}
_ASKED, _REST = 0.5, 0.2
# the share that one clip may have
_ONE = 0.08


@lru_cache(maxsize=8)
def repertoire(graph: MotionGraph, label: str | None = None) -> MotionGraph:
    """The part of a graph that people live on: all of a small one, else some minutes; remembered for the next call.

    label: what must be among them, as a label or several; half of a large graph's minutes bear it.
    """
    asked = None if label is None else labelled(graph, label)
    lengths = np.array([len(clip) for clip in graph.clips])
    if lengths.sum() < _LARGE:
        return graph
    starts = np.concatenate([[0], np.cumsum(lengths)])
    kinds, shares = _kinds(graph)
    if asked is not None:
        bears = np.add.reduceat(asked, starts[:-1]) > 0.5 * lengths
        if not bears.any():
            bears = np.add.reduceat(asked, starts[:-1]) > 0
        kinds = np.where(bears, len(shares), kinds)
        shares = np.append(shares * (1.0 - _ASKED), _ASKED)
    chosen = np.zeros(len(lengths), bool)
    chosen[_chosen(_meetings(graph), lengths, kinds, shares)] = True
    inside = confined_to(graph, np.repeat(chosen, lengths))
    if inside is None:
        raise GraphError(
            "nobody can live on this graph: among the clips that were chosen, no way leads back to its beginning"
        )
    return cut_out(graph, inside, {})


def _kinds(graph: MotionGraph) -> tuple[Longs, Array]:
    """``(C,)``: the number of the kind that each clip is of, by what it mostly bears; and the share that each kind is to have."""
    names = list(_SHARES)
    frames = np.zeros((len(graph.clips), len(names)))
    for number, clip in enumerate(graph.clips):
        for span in clip.spans:
            if span.label in _SHARES:
                frames[number, names.index(span.label)] += span.last - span.first
    half = 0.5 * np.array([len(clip) for clip in graph.clips])
    kinds = np.where(frames.max(axis=1) > half, frames.argmax(axis=1), len(names))
    return kinds.astype(np.int64), np.array([*_SHARES.values(), _REST])


def _meetings(graph: MotionGraph) -> Any:
    """``(C, C)``, sparse: how many transitions lead from clip to clip."""
    from scipy.sparse import csr_array

    edges = graph.edges
    ways = np.flatnonzero(edges.kind != EdgeKind.ORIGINAL)
    ends = graph.node_clip[edges.source[ways]], graph.node_clip[edges.target[ways]]
    return csr_array((np.ones(len(ways)), ends), shape=(len(graph.clips),) * 2)


def _chosen(meetings: Any, lengths: Longs, kinds: Longs, shares: Array) -> list[int]:
    """Clips until they have enough frames."""
    able = lengths <= _ONE * _SOME
    back, wanted, have = meetings.T.tocsr(), shares * _SOME, np.zeros(len(shares))
    # the first is the one that meets the most of its own kind, of which there are to be the most
    own = (kinds == np.argmax(shares)).astype(float)
    to, fro = own * (back @ own), own * (meetings @ own)
    found: list[int] = []
    while have.sum() < _SOME:
        # who cannot get there, or not away again, has nothing of it
        score = np.where(able, np.minimum(to, fro) / lengths, 0.0)
        kinds_left = [kind for kind in np.argsort(have / wanted).tolist() if (score * (kinds == kind)).any()]
        if not kinds_left:
            break
        best = int(np.argmax(score * (kinds == kinds_left[0])))
        to, fro = (to, fro) if found else (0.0 * to, 0.0 * fro)
        found.append(best)
        able[best] = False
        have[kinds[best]] += lengths[best]
        to += np.asarray(meetings[[best]].todense()).ravel()
        fro += np.asarray(back[[best]].todense()).ravel()
    return found
