"""`digest`: one number for all that a motion graph holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from kinegraph.errors import GraphError
from kinegraph.graph.model import LabelSpan, MotionGraph
from kinegraph.graph.rounding import packed_root, packed_rotations
from kinegraph.similarity.candidates import Named

# What files of the same schema may lack, with what stands for it there: so they have the digest that they were saved with.
_LATER: Mapping[str, Any] = {"labels": {}, "styles": True, "looked": None}
# pairs of clips that are written as text at once
_TOGETHER = 10_000


def json_text(values: Any, what: str) -> str:
    """``values`` as JSON that any language reads, names in alphabetical order; ``what`` names them where that cannot be."""
    try:
        return json.dumps(
            values, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
        )
    except (TypeError, ValueError) as error:
        raise GraphError(f"{what} cannot be written as JSON: {error}") from error


def digest(graph: MotionGraph) -> str:
    """SHA-256 over the content: skeleton, clips, spans, candidates, nodes, edges, components, parameters and report.

    Blind to what is no content: how long the build took, notices of the build, how sure a label is, the layout of a file, the order of a
    dictionary, notices of the clips' reader, the sign of a zero.

    >>> import kinegraph as kg
    >>> walk, left = (kg.samples.make(name).motion for name in ("walk", "walk_left_medium"))
    >>> grown = kg.graph.add(kg.graph.build(walk), left)
    >>> kg.graph.digest(grown) == kg.graph.digest(kg.graph.build([walk, left]))
    True
    """
    sha = hashlib.sha256(b"kinegraph motion graph 1\n")
    skeleton, edges = graph.skeleton, graph.edges
    labels = sorted(graph.labels.items())
    named = Named.of(graph.record.candidates)
    found = named.columns
    words = {
        "joints": [skeleton.names, skeleton.parents.tolist(), skeleton.tip_parents.tolist(), dict(skeleton.overrides)],
        "clips": [
            _evened([clip.name, len(clip), clip.motion.fps, clip.window, vars(clip.source), [*map(_span, clip.spans)]])
            for clip in graph.clips
        ],
        "nodes": len(graph),
        "edges": len(edges),
        "labels": [[label, len(part.nodes), len(part.edges)] for label, part in labels],
        "parameters": _evened(_without(graph.record.parameters.to_dict(), _LATER)),
        "report": _evened(_without({**graph.record.report.to_dict(), "notices": ()}, _LATER)),
    }
    # lone surrogates, which no file can hold, are the store's to refuse
    text = json_text(words, "the graph")
    # what comes first in it is far the longest, and is never held as a whole
    for part in ("{", '"candidates":[', *_pairs(named), "],", text[1:]):
        sha.update(part.encode("utf-8", "surrogatepass"))
    # a zero has no sign in SQLite
    _feed(sha, "<f8", (skeleton.offsets + 0.0, skeleton.tip_offsets + 0.0))
    for clip in graph.clips:
        sha.update(packed_root(clip.motion.root).tobytes())
        sha.update(packed_rotations(clip.motion.rotations).tobytes())
        sha.update(clip.contacts.tobytes())
        sha.update(clip.sound.tobytes())
    _feed(sha, "<i4", (found.first,))
    _feed(sha, "<i4", (found.second,))
    _feed(sha, "<f8", (found.cost,))
    _feed(sha, "<i4", (graph.node_clip, graph.node_frame, edges.source, edges.target, edges.kind, edges.length))
    _feed(sha, "<f8", (edges.cost + 0.0, edges.angle + 0.0, edges.x + 0.0, edges.z + 0.0))
    _feed(sha, "<i4", (numbers for _, part in labels for numbers in (part.nodes, part.edges)))
    return sha.hexdigest()


def _pairs(named: Named) -> Iterator[str]:
    """The pairs of clips as JSON: both names, the window, how many minima; some thousands at a time."""
    found = named.columns
    names = [json_text(name, "a name") for name in named.names]
    for start in range(0, found.pairs, _TOGETHER):
        part = slice(start, start + _TOGETHER)
        columns = (found.a[part], found.b[part], found.window[part], found.counts[part])
        rows = (
            f"[{names[a]},{names[b]},{window},{count}]"
            for a, b, window, count in zip(*(column.tolist() for column in columns), strict=True)
        )
        yield ("," if start else "") + ",".join(rows)


def _span(span: LabelSpan) -> dict[str, Any]:
    """A label's fields but for its confidence, so that files without one and those who read only such files agree on the digest."""
    return {name: value for name, value in vars(span).items() if name != "confidence"}


def _feed(sha: Any, dtype: str, arrays: Iterable[Any]) -> None:
    """Add many small arrays at once: their lengths are among the words already."""
    parts = [np.ravel(array) for array in arrays]
    if parts:
        sha.update(np.concatenate(parts).astype(dtype).tobytes())


def _evened(value: Any) -> Any:
    """``value`` with 30 and 30.0, True and 1, a tuple and a list made alike, as Python's own == has the first two."""
    if isinstance(value, Mapping):
        return {key: _evened(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_evened(one) for one in value]
    if isinstance(value, (int, float, np.number, np.bool_)):
        return float(value)
    return value


def _without(values: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` but for those of ``later`` that are as they are there."""
    return {name: value for name, value in values.items() if name not in later or later[name] != value}


def _plain(value: Any) -> Any:
    """A NumPy number as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no plain value")
