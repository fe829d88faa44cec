"""What can be wrong with a motion graph, as sentences; none means that it is sound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Bools, Ints
from kinegraph.graph.model import Component, EdgeKind, MotionGraph
from kinegraph.graph.store.bounds import bound_faults
from kinegraph.graph.store.stored import StoredCandidates
from kinegraph.similarity.candidates import Candidates, Named


def structure_faults(graph: MotionGraph) -> list[str]:
    """Faults that would make arrays point beyond each other or numbers lie: quick, for every reading and writing.

    Candidates that still wait in a file are not looked at: they are when they are read.
    """
    clips = list(_clip_faults(graph))
    if clips:
        return clips
    # each part relies on the parts before it
    parts = [_node_faults, _edge_shape_faults, _edge_faults, bound_faults, _component_faults]
    if graph.making and not isinstance(graph.making.candidates, StoredCandidates):
        parts.append(_candidate_faults)
    for part in parts:
        found = list(part(graph))
        if found:
            return found
    return []


def faults(graph: MotionGraph) -> list[str]:
    """All faults, those of connection included: whether motion never ends, in the whole and within each label."""
    return structure_faults(graph) or list(_connection_faults(graph))


def _clip_faults(graph: MotionGraph) -> Iterator[str]:
    if not graph.clips:
        yield "the graph has no clips"
        return
    if len(graph.clip_index) < len(graph.clips):
        yield "two clips bear the same name"
    for clip in graph.clips:
        motion, frames = clip.motion, len(clip)
        if motion.skeleton is not graph.skeleton and motion.skeleton != graph.skeleton:
            yield f"clip {clip.name!r} has another skeleton than {graph.clips[0].name!r}"
        if motion.fps != graph.fps:
            yield f"clip {clip.name!r} has {motion.fps:g} frames/s, {graph.clips[0].name!r} has {graph.fps:g}"
        if motion.translations is not None:
            yield f"clip {clip.name!r} has bones that change length: make it rigid first"
        if clip.contacts.shape != (frames, 4):
            yield f"clip {clip.name!r} has {frames} frames, but contacts of shape {clip.contacts.shape}"
        if clip.sound.shape != (frames,):
            yield f"clip {clip.name!r} has {frames} frames, but marks of sound ones of shape {clip.sound.shape}"
        if clip.window < 1:
            yield f"clip {clip.name!r} has a window of {clip.window} frames"
        for span in clip.spans:
            if not 0 <= span.first < span.last <= frames:
                yield (
                    f"clip {clip.name!r}: label {span.label!r} is on frames {span.first} to {span.last}, but there are {frames}"
                )
            if not 0.0 < span.confidence <= 1.0:
                yield f"clip {clip.name!r}: label {span.label!r} has a confidence of {span.confidence}, not between 0 and 1"


def _node_faults(graph: MotionGraph) -> Iterator[str]:
    clip, frame = graph.node_clip, graph.node_frame
    if clip.shape != frame.shape or clip.ndim != 1:
        yield f"nodes have clips of shape {clip.shape}, but frames of shape {frame.shape}"
        return
    yield from _where((clip < 0) | (clip >= len(graph.clips)), "node {} lies in clip {}, which does not exist", clip)
    known = np.clip(clip, 0, len(graph.clips) - 1)
    beyond = (frame < 0) | (frame >= _lengths(graph)[known])
    yield from _where(beyond, "node {} is at frame {}, beyond its clip", frame)
    ordered = (clip[1:] > clip[:-1]) | ((clip[1:] == clip[:-1]) & (frame[1:] > frame[:-1]))
    yield from _where(~ordered, "nodes are not ordered by clip and frame after node {}")


def _edge_shape_faults(graph: MotionGraph) -> Iterator[str]:
    edges, nodes = graph.edges, len(graph)
    for name, values in vars(edges).items():
        if values.shape != (len(edges),):
            yield f"edges have {len(edges)} sources, but {name} of shape {values.shape}"
            return
    for name, ends in (("leaves", edges.source), ("enters", edges.target)):
        yield from _where((ends < 0) | (ends >= nodes), f"edge {{}} {name} node {{}}, which does not exist", ends)
    yield from _where(np.diff(edges.source) < 0, "edges are not ordered by source after edge {}")
    yield from _where(edges.kind > max(EdgeKind), "edge {} is of kind {}, which does not exist", edges.kind)
    yield from _where(edges.length < 1, "edge {} plays {} frames", edges.length)
    # written so that a value that is no number is at fault as well
    yield from _where(~((edges.cost >= 0) & (edges.cost < np.inf)), "edge {} costs {}", edges.cost)
    for name in ("angle", "x", "z"):
        values = getattr(edges, name)
        yield from _where(~np.isfinite(values), f"edge {{}} has an alignment whose {name} is {{}}", values)


def _edge_faults(graph: MotionGraph) -> Iterator[str]:
    edges, source, target = graph.edges, graph.edges.source, graph.edges.target
    original = edges.kind == EdgeKind.ORIGINAL
    same_clip = graph.node_clip[source] == graph.node_clip[target]
    follows = (target == source + 1) & same_clip
    yield from _where(original & ~follows, "edge {} is original motion, but does not lead to its clip's next node")
    span = graph.node_frame[target] - graph.node_frame[source]
    yield from _where(
        original & follows & (edges.length != span), "edge {} does not play the {} frames between its nodes", span
    )
    placed = (edges.cost != 0) | (edges.angle != 0) | (edges.x != 0) | (edges.z != 0)
    yield from _where(original & placed, "edge {} is original motion, but has a cost or an alignment")
    late = graph.node_frame[source] + edges.length > _lengths(graph)[graph.node_clip[source]]
    yield from _where(~original & late, "edge {} blends {} frames, more than its source clip has left", edges.length)
    early = graph.node_frame[target] < edges.length
    yield from _where(~original & early, "edge {} blends {} frames, more than lie before its target", edges.length)


def _component_faults(graph: MotionGraph) -> Iterator[str]:
    for label, part in graph.labels.items():
        for name, numbers, count in (("node", part.nodes, len(graph)), ("edge", part.edges, len(graph.edges))):
            if numbers.ndim != 1 or not _ascending(numbers, count):
                yield f"label {label!r}: its {name}s are not ascending numbers of {name}s that exist"
                return
        inside = _members(part.nodes, len(graph))
        ends = inside[graph.edges.source[part.edges]] & inside[graph.edges.target[part.edges]]
        yield from _where(~ends, f"label {label!r}: its edge number {{}} leads out of it")


def _candidate_faults(graph: MotionGraph) -> Iterator[str]:
    candidates = graph.making.candidates if graph.making else {}
    if not isinstance(candidates, Named):
        for names, one in sorted(candidates.items()):
            if not one.first.shape == one.second.shape == one.cost.shape == (len(one),):
                yield f"candidates of {names[0]!r} and {names[1]!r} are arrays that do not fit each other"
                return
        candidates = Named.of(candidates)
    lengths = {clip.name: len(clip) for clip in graph.clips}
    yield from candidate_faults(lengths, candidates.names, candidates.columns)


def candidate_faults(lengths: Mapping[str, int], called: Sequence[str], found: Candidates) -> Iterator[str]:
    """What is wrong with candidates between the clips that are ``called`` so, whose ``lengths`` are those of the graph's clips.

    All pairs at once: there are far more pairs than it would be quick to look at one by one.
    """
    place_of = {name: number for number, name in enumerate(lengths)}
    number = np.array([place_of.get(name, -1) for name in called], np.int64)
    frames = np.array([*lengths.values()], np.int64)
    a, b = number[found.a], number[found.b]
    pair = np.minimum(a, b) * len(lengths) + np.maximum(a, b)
    # mostly in order already
    order = np.argsort(pair, kind="stable") if (pair[1:] <= pair[:-1]).any() else np.arange(found.pairs)
    twice = np.zeros(found.pairs, bool)
    twice[order[1:]] = pair[order[1:]] == pair[order[:-1]]
    owner = found.owner
    for wrong, what in (
        ((a < 0) | (b < 0), ": the graph has no such clip"),
        (twice, " stand there twice"),
        (found.window < 1, " are arrays that do not fit each other"),
    ):
        if wrong.any():
            place = int(np.argmax(wrong))
            yield f"candidates of {called[found.a[place]]!r} and {called[found.b[place]]!r}{what}"
            return
    first, second, cost = found.first, found.second, found.cost
    last_a, last_b = frames[a] - found.window, frames[b] - found.window
    beyond = (first < 0) | (first > last_a[owner]) | (second < 0) | (second > last_b[owner])
    ordered = (
        (owner[1:] > owner[:-1]) | (first[1:] > first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] > second[:-1]))
    )
    for wrong, what in (
        (beyond, "lie beyond a clip"),
        (~((cost >= 0) & (cost < np.inf)), "have a cost that is no distance"),
        (~ordered, "are not in order"),
    ):
        if wrong.any():
            place = owner[int(np.argmax(wrong))]
            yield f"candidates of {called[found.a[place]]!r} and {called[found.b[place]]!r} {what}"


def _connection_faults(graph: MotionGraph) -> Iterator[str]:
    everything = Component(np.arange(len(graph), dtype=np.int32), np.arange(len(graph.edges), dtype=np.int32))
    count = _components(graph, everything)
    if count != 1:
        yield f"not every node can be reached from every other: the graph falls into {count} components"
    for label, part in graph.labels.items():
        count = _components(graph, part)
        if count != 1:
            yield f"label {label!r}: a walk within it may end, since it falls into {count} components"
        bears = np.zeros(len(part.nodes), bool)
        for index in np.unique(graph.node_clip[part.nodes]):
            here = graph.node_clip[part.nodes] == index
            bears[here] = graph.clips[index].labelled(label)[graph.node_frame[part.nodes[here]]]
        yield from _where(~bears, f"label {label!r}: node {{1}} does not bear it", part.nodes)


def _components(graph: MotionGraph, part: Component) -> int:
    """Strongly connected components of a part; a lone node without an edge to itself is none."""
    # here, since SciPy takes a while to import and reading a graph does not need it
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    place = np.zeros(len(graph), np.int32)
    place[part.nodes] = np.arange(len(part.nodes))
    ends = place[graph.edges.source[part.edges]], place[graph.edges.target[part.edges]]
    matrix = csr_array((np.ones(len(part.edges)), ends), shape=(len(part.nodes),) * 2)
    count: int = connected_components(matrix, connection="strong")[0] if len(part.edges) else 0
    return count


def _lengths(graph: MotionGraph) -> NDArray[np.int64]:
    return np.array([len(clip) for clip in graph.clips], np.int64)


def _members(numbers: Ints, count: int) -> Bools:
    mask = np.zeros(count, bool)
    mask[numbers] = True
    return mask


def _ascending(numbers: Ints, count: int) -> bool:
    return bool(len(numbers) == 0 or (numbers[0] >= 0 and numbers[-1] < count and np.all(np.diff(numbers) > 0)))


def _where(wrong: Bools, what: str, values: NDArray[Any] | None = None) -> Iterator[str]:
    """A sentence for the first place at fault, and how many there are: ``what`` is given its number and its value."""
    if wrong.any():
        place = int(np.argmax(wrong))
        more = int(wrong.sum()) - 1
        yield what.format(place, *(() if values is None else (values[place],))) + (
            f" (and {more} more)" if more else ""
        )
