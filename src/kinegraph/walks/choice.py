"""What a name asks for: the frames, edges and nodes of a graph that bear a label or belong to a clip.

A name is a label or a clip's name. Where both bear it, the label is meant, which mostly holds the clip as well;
``clip:NAME`` means the clip whatever labels there are. Wherever a label may be named, several may be, with what is asked
of them together (`kinegraph.graph.expressions`); each must be one that some frame bears, also behind a ``!``, since what
nobody bears was hardly meant.

Mirrored copies show the other side: a right punch becomes a left one. Where the side matters, a clip's name means that clip
and not its copy, and a label means originals; a label that names a side itself (turn_left) means that side in copies too,
since theirs are exchanged; and so do several that all do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache

import numpy as np

from kinegraph.arrays import Bools, Longs, frozen_array
from kinegraph.errors import GraphError, Unsatisfied
from kinegraph.graph.expressions import Expression, is_expression
from kinegraph.graph.labels import mirrored_label
from kinegraph.graph.making.confined import confined_to
from kinegraph.graph.model import Component, EdgeKind, MotionGraph
from kinegraph.graph.walk import Walk

CLIP = "clip:"
_SHOWN = 8  # names listed where none is near


@dataclass(frozen=True, eq=False)
class NamedFrames:
    """The frames for which a name stands."""

    name: str
    clip: bool
    """Whether the name is a clip's; else it is a label."""
    frames: Bools
    """``(F,)``: which frames, over all clips laid in a row."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "frames", frozen_array(self.frames, np.bool_))


def resolve(graph: MotionGraph, name: str, *, either_side: bool = True) -> NamedFrames:
    """What a name asks for, or a `GraphError` that names the near ones.

    either_side: whether mirrored copies count as what they were made from.
    """
    labels = all_labels(graph)
    if name in labels:
        return NamedFrames(name, False, labelled(graph, name, either_side=either_side))
    wanted = name.removeprefix(CLIP) if name not in graph.clip_index else name
    if wanted not in graph.clip_index:
        if is_expression(name):
            return NamedFrames(name, False, labelled(graph, name, either_side=either_side))
        raise GraphError(unknown("clip or label", name, [*labels, *graph.clip_index]))
    source = graph.clip(wanted).source
    copy = replace(source, mirrored=True)
    chosen = [
        clip.name == wanted or (either_side and not source.mirrored and clip.source == copy) for clip in graph.clips
    ]
    return NamedFrames(wanted, True, np.repeat(chosen, [len(clip) for clip in graph.clips]))


def all_labels(graph: MotionGraph) -> list[str]:
    """Every label that some frame bears, in order."""
    return sorted({span.label for clip in graph.clips for span in clip.spans})


def labelled(graph: MotionGraph, asked: str, *, either_side: bool = True) -> Bools:
    """``(F,)`` over all clips laid in a row: which frames bear a label, or several as ``asked``.

    either_side: as in `resolve`. A `GraphError` says which label there is not, or that no frame is as asked.
    """
    said = understood(graph, asked)
    found = said.frames(lambda label: np.concatenate([clip.labelled(label) for clip in graph.clips]))
    if not found.any():
        raise Unsatisfied(f"no frame of this graph is {asked!r}: {_borne(graph, said.labels)}")
    if not (either_side or all(mirrored_label(label) != label for label in said.labels)):
        found = found & np.repeat(
            [not clip.source.mirrored for clip in graph.clips], [len(clip) for clip in graph.clips]
        )
    return found


def understood(graph: MotionGraph, asked: str) -> Expression:
    """What a text asks of the labels of a graph; a `GraphError` says which of them there is not, and which there are."""
    known = all_labels(graph)
    said = Expression(asked, (asked,)) if asked in known else Expression.of(asked)
    for label in said.labels:
        if label not in known:
            within = "" if label == asked.strip() else f"{asked!r}: "
            raise GraphError(within + unknown("label", label, known))
    return said


def _borne(graph: MotionGraph, labels: Iterable[str]) -> str:
    """For how long clips bear some labels."""
    frames = {label: sum(int(clip.labelled(label).sum()) for clip in graph.clips) for label in labels}
    whole = sum(len(clip) for clip in graph.clips)
    listed = ", ".join(f"{label} {count / graph.fps:.1f} s" for label, count in frames.items())
    return f"of {whole / graph.fps:.1f} s in all its clips bear {listed}"


@lru_cache(maxsize=64)
def endless(graph: MotionGraph, asked: str) -> Component | None:
    """The part of the graph in which a walk confined to a label, or to several as ``asked``, never ends; None where it has
    none.
    """
    if asked in graph.labels or asked in all_labels(graph) or not is_expression(asked):
        return graph.labels.get(asked)
    return confined_to(graph, labelled(graph, asked))


def component(graph: MotionGraph, asked: str) -> Component:
    """As `endless`, or a `GraphError` that says why there is none."""
    found = endless(graph, asked)
    if found is not None:
        return found
    if asked in all_labels(graph) or is_expression(asked):
        able = ", ".join(graph.labels) or "none"
        raise GraphError(
            f"no walk can keep to {asked!r}: its frames hold no way that leads back to its beginning; labels that do: {able}"
        )
    raise GraphError(unknown("label", asked, graph.labels))


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The sentence that says that there is no such name and which are near, or, where none is, which there are."""
    names = list(dict.fromkeys(known))
    near = get_close_matches(name.casefold(), [one.casefold() for one in names], n=3, cutoff=0.6)
    if near:
        meant = " or ".join(repr(one) for one in names if one.casefold() in near)
        return f"no {what} {name!r} in this graph; did you mean {meant}?"
    if not names:
        return f"no {what} {name!r} in this graph: it has none"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"no {what} {name!r} in this graph; it has {', '.join(names[:_SHOWN])}{more}"


def frame_starts(graph: MotionGraph) -> Longs:
    """``(C + 1,)``: where each clip begins if all are laid in a row, and where the last ends."""
    return np.concatenate([[0], np.cumsum([len(clip) for clip in graph.clips])]).astype(np.int64)


def edge_frames(graph: MotionGraph) -> tuple[Longs, Longs]:
    """``(E,)`` each: the first frame that an edge plays of its source's clip and of its target's, in the row of all
    clips.

    Both are the same for original motion; a transition blends as many frames, its length, of either.
    """
    edges = graph.edges
    nodes = frame_starts(graph)[graph.node_clip] + graph.node_frame
    left = nodes[edges.source]
    right = np.where(edges.kind != EdgeKind.ORIGINAL, nodes[edges.target] - edges.length, left)
    return left, right


def edges_within(graph: MotionGraph, frames: Bools) -> Bools:
    """``(E,)``: edges all of whose frames are among ``frames (F,)``, over all clips laid in a row."""
    count = np.concatenate([[0], np.cumsum(frames)])
    length = graph.edges.length
    left, right = edge_frames(graph)
    whole: Bools = (count[left + length] - count[left] == length) & (count[right + length] - count[right] == length)
    return whole


def played(walk: Walk) -> tuple[Longs, Longs]:
    """``(frames,)`` each: what every frame of a walk plays, in the row of all clips; where it blends, from which and
    into which frame.
    """
    counts = np.diff(walk.begins)
    within = np.arange(walk.frames) - np.repeat(walk.begins[:-1], counts)
    left, right = edge_frames(walk.graph)
    return np.repeat(left[walk.edges], counts) + within, np.repeat(right[walk.edges], counts) + within
