"""`digest`: one number for all that a motion graph holds.

It is taken of the SHA-256 of each of its parts, so that of a graph that was read, and of one to which a clip was added, only what is new is
looked at.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from kinegraph.errors import GraphError
from kinegraph.graph.model import LabelSpan, MotionGraph
from kinegraph.graph.store.parts import DERIVED, arrays_of, rotations_sha
from kinegraph.graph.store.stored import sha_of

# What older files may lack, with what stands for it there: so they have the digest that they were saved with.
LATER: Mapping[str, Any] = {"labels": {}, "styles": True, "looked": None}
# graphs cannot be changed, so that what was worked out or read once holds
_known: WeakKeyDictionary[MotionGraph, str] = WeakKeyDictionary()


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
    dictionary, notices of the clips' reader, the sign of a zero. Of a graph that was loaded it is the one that was saved with it.

    >>> import kinegraph as kg
    >>> walk, left = (kg.samples.make(name).motion for name in ("walk", "walk_left_medium"))
    >>> grown = kg.graph.add(kg.graph.build(walk), left)
    >>> kg.graph.digest(grown) == kg.graph.digest(kg.graph.build([walk, left]))
    True
    """
    known = _known.get(graph)
    if known is None:
        known = worked_out(graph)
        know(graph, known)
    return known


def know(graph: MotionGraph, known: str) -> None:
    """The digest of a graph, where it is known already."""
    _known[graph] = known


def worked_out(graph: MotionGraph) -> str:
    """`digest`, from what the graph holds."""
    clips = [rotations_sha(clip.motion) for clip in graph.clips]
    return combined(graph, clips, {name: sha_of(data) for name, data in arrays_of(graph)})


def combined(graph: MotionGraph, clips: Sequence[str], arrays: Mapping[str, str]) -> str:
    """The digest of a graph whose clips' rotations and whose arrays have these SHA-256."""
    skeleton = graph.skeleton
    words = {
        "joints": [skeleton.names, skeleton.parents.tolist(), skeleton.tip_parents.tolist(), dict(skeleton.overrides)],
        # a zero has no sign in SQLite
        "bones": [(skeleton.offsets + 0.0).tolist(), (skeleton.tip_offsets + 0.0).tolist()],
        "clips": [
            evened(
                [clip.name, len(clip), clip.motion.fps, clip.window, vars(clip.source), [*map(span_words, clip.spans)]]
            )
            for clip in graph.clips
        ],
        "rotations": clips,
        "arrays": {name: sha for name, sha in arrays.items() if name not in DERIVED},
        "labels": {
            label: [sha_of(numbers.astype("<i4")) for numbers in (part.nodes, part.edges)]
            for label, part in graph.labels.items()
        },
        "parameters": evened(without(graph.record.parameters.to_dict(), LATER)),
        "report": evened(without({**graph.record.report.to_dict(), "notices": ()}, LATER)),
    }
    # lone surrogates, which no file can hold, are the store's to refuse
    text = "kinegraph motion graph 2\n" + json_text(words, "the graph")
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def span_words(span: LabelSpan) -> dict[str, Any]:
    """A label's fields but for its confidence, so that files without one and those who read only such files agree on the digest."""
    return {name: value for name, value in vars(span).items() if name != "confidence"}


def evened(value: Any) -> Any:
    """``value`` with 30 and 30.0, True and 1, a tuple and a list made alike, as Python's own == has the first two."""
    if isinstance(value, str):
        return value  # the most by far
    if isinstance(value, (tuple, list)):
        return [evened(one) for one in value]
    if isinstance(value, Mapping):
        return {key: evened(one) for key, one in value.items()}
    if isinstance(value, (int, float, np.number, np.bool_)):
        return float(value)
    return value


def without(values: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` but for those of ``later`` that are as they are there."""
    return {name: value for name, value in values.items() if name not in later or later[name] != value}


def _plain(value: Any) -> Any:
    """A NumPy number as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no plain value")
