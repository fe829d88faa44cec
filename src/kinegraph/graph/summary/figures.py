"""A graph in figures: what `inspect` and `build` report, by the names that scripts may rely on.

Distances are in centimetres here, as people are shown them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Bools
from kinegraph.graph.model import GUESS, Clip, EdgeKind, MotionGraph, label_frames
from kinegraph.graph.store.rows import Step
from kinegraph.graph.styles import styles

# A label of which less than this is left is worth a warning, if it has so many seconds.
_MOST, _BRIEF = 0.5, 1.0


def summary(graph: MotionGraph, steps: Iterable[Step] = ()) -> dict[str, Any]:
    """The figures of a graph as plain values, ready for JSON.

    steps: what was done to make it (`store.steps`). ``transitions`` counts all blends, ``bridges`` those of them that are bridges.
    ``pairs`` are all pairs of windows of the graph's clips; ``seconds`` is how long comparing took, over all steps, and
    ``pairs_per_second`` how fast it went. ``kept_share`` is of the attainable frames, which are those that all that was found would keep;
    ``kept_of_all`` is of all frames but the first and last window of each clip, whatever was found. ``dropped_seconds`` is all
    motion that the graph does not play; ``end_seconds`` of it lie in the first and last window of a clip, which no graph keeps.
    ``labels``: for each the ``seconds`` that clips bear it, ``kept_seconds`` of them in the graph, and
    ``component_seconds`` in the part in which a walk can keep
    to it for ever, which would be ``attainable_seconds`` with an unlimited threshold; ``warnings`` tell which lose more than half.
    ``styles``: labels that words in the clips' names give, and to how many clips.
    """
    report, edges = graph.record.report, graph.edges
    done = tuple(steps)
    seconds = sum(step.seconds for step in done)
    blends = edges.kind != EdgeKind.ORIGINAL
    kept = kept_frames(graph)
    lost = np.concatenate([~frames for frames in kept])
    choices = np.bincount(graph.node_clip, minlength=len(graph.clips))
    ends = np.concatenate([_ends(clip) for clip in graph.clips])
    return {
        "clips": len(graph.clips),
        "frames": report.frames,
        "fps": graph.fps,
        "pairs": report.pairs,
        "seconds": round(seconds, 6),
        "pairs_per_second": round(sum(step.pairs for step in done) / seconds) if seconds > 0 else 0,
        "threshold_cm": _cm(report.threshold),
        "transitions": int(np.count_nonzero(blends)),
        "nodes": len(graph),
        "edges": len(edges),
        "kept_share": round(report.kept / report.attainable, 6) if report.attainable else 0.0,
        "kept_of_all": round(int(np.count_nonzero(~lost & ~ends)) / max(int(np.count_nonzero(~ends)), 1), 6),
        "components": report.components,
        "bridges": int(np.count_nonzero(edges.kind == EdgeKind.BRIDGE)),
        "attainable": report.attainable,
        "kept": report.kept,
        "candidates": report.candidates,
        "cost_cm": _costs(graph, blends),
        "dropped_nodes": report.dropped_nodes,
        "dropped_seconds": round(np.count_nonzero(lost) / graph.fps, 6),
        "end_seconds": round(np.count_nonzero(lost & ends) / graph.fps, 6),
        "dropped_clips": [graph.clips[number].name for number in np.flatnonzero(choices == 0)],
        "groups": [{"clips": list(group.clips), "threshold_cm": _cm(group.threshold)} for group in report.groups],
        "meetings": [
            {
                # counted from 1, as they are shown
                "groups": [number + 1 for number in meeting.groups],
                "threshold_cm": _cm(meeting.threshold),
                "bridges": meeting.bridges,
            }
            for meeting in report.meetings
        ],
        "bridge_list": _bridges(graph),
        "losses": [
            {
                "clip": loss.clip,
                "frames": loss.frames,
                "of": loss.of,
                "needs_cm": None if loss.needs is None else _cm(loss.needs),
            }
            for loss in report.losses
        ],
        "labels": (labels := _labels(graph, np.concatenate(kept))),
        "styles": (named := styles(graph.clips)),
        "warnings": list(_warnings(labels, named)),
        "curve": [
            {
                "threshold_cm": _cm(point.threshold),
                "transitions": point.transitions,
                "frames": point.frames,
                "components": point.components,
            }
            for point in report.curve
        ],
        "connectivity": connectivity(graph, kept),
        "history": [
            {"step": step.step, "seconds": round(step.seconds, 6), "pairs": step.pairs, "version": step.version}
            for step in done
        ],
        "notices": list(report.notices),
    }


def kept_frames(graph: MotionGraph) -> list[Bools]:
    """For each clip ``(F,)``: the frames that some stretch of original motion in the graph plays."""
    starts = np.concatenate([[0], np.cumsum([len(clip) for clip in graph.clips])])
    original = graph.edges.kind == EdgeKind.ORIGINAL
    source = graph.edges.source[original]
    first = starts[graph.node_clip[source]] + graph.node_frame[source]
    # +1 where a stretch begins, −1 where it ends: their running sum counts the stretches that play a frame
    change = np.zeros(starts[-1] + 1, np.int64)
    np.add.at(change, first, 1)
    np.add.at(change, first + graph.edges.length[original], -1)
    played = np.cumsum(change[:-1]) > 0
    return np.split(played, starts[1:-1])


def connectivity(graph: MotionGraph, kept: list[Bools] | None = None) -> list[dict[str, Any]]:
    """For each clip: how much of it is kept, and its transitions to other clips and within itself.

    kept: from `kept_frames`, if it is at hand. ``leaving`` counts transitions into other clips, ``to_clips`` how many those are,
    ``from_clips`` from how many clips transitions come in, ``within`` transitions back into the clip itself; ``best_cm`` is the
    cheapest that leaves, None where none does.
    """
    kept = kept_frames(graph) if kept is None else kept
    edges, count = graph.edges, len(graph.clips)
    blends = np.flatnonzero(edges.kind != EdgeKind.ORIGINAL)
    out_of, into = graph.node_clip[edges.source[blends]], graph.node_clip[edges.target[blends]]
    between = np.zeros((count, count), np.int64)
    np.add.at(between, (out_of, into), 1)
    best = np.full((count, count), np.inf)
    np.minimum.at(best, (out_of, into), edges.cost[blends])
    within = np.diagonal(between).copy()
    np.fill_diagonal(between, 0)
    np.fill_diagonal(best, np.inf)
    rows = []
    for number, (clip, frames) in enumerate(zip(graph.clips, kept, strict=True)):
        cheapest = float(best[number].min())
        rows.append(
            {
                "clip": clip.name,
                "seconds": round(len(clip) / graph.fps, 6),
                "kept_seconds": round(np.count_nonzero(frames) / graph.fps, 6),
                "window": clip.window,
                "leaving": int(between[number].sum()),
                "to_clips": int(np.count_nonzero(between[number])),
                "from_clips": int(np.count_nonzero(between[:, number])),
                "within": int(within[number]),
                "best_cm": _cm(cheapest) if np.isfinite(cheapest) else None,
                "labels": list(dict.fromkeys(span.label for span in clip.spans)),
                "guesses": _guesses(clip),
            }
        )
    return rows


def transitions_between(graph: MotionGraph, a: str | None = None, b: str | None = None) -> list[dict[str, Any]]:
    """Every transition between clips a and b in either direction; of a and any clip without b; all without either. Cheapest first.

    Each leaves clip ``from`` at ``frame`` (``second``), blends for ``length`` frames with what begins at ``entry`` of clip ``to``, and
    goes on there at ``to_frame``.
    """
    edges = graph.edges
    blends = np.flatnonzero(edges.kind != EdgeKind.ORIGINAL)
    out_of, into = graph.node_clip[edges.source[blends]], graph.node_clip[edges.target[blends]]
    for name in filter(None, (a, b)):
        graph.clip(name)
    numbers = [graph.clip_index[name] for name in (a, b) if name is not None]
    if len(numbers) == 2:
        one, two = numbers
        wanted = ((out_of == one) & (into == two)) | ((out_of == two) & (into == one))
    elif numbers:
        wanted = (out_of == numbers[0]) | (into == numbers[0])
    else:
        wanted = np.ones(len(blends), bool)
    return _listed(graph, blends[wanted])


def _listed(graph: MotionGraph, chosen: NDArray[np.intp]) -> list[dict[str, Any]]:
    """The edges ``chosen`` ``(n,)`` as rows of `transitions_between`, cheapest first."""
    edges = graph.edges
    rows = []
    for edge in chosen[np.argsort(edges.cost[chosen], kind="stable")].tolist():
        source, target = int(edges.source[edge]), int(edges.target[edge])
        frame, to_frame, length = (
            int(value) for value in (graph.node_frame[source], graph.node_frame[target], edges.length[edge])
        )
        rows.append(
            {
                "from": graph.clips[graph.node_clip[source]].name,
                "frame": frame,
                "second": round(frame / graph.fps, 6),
                "to": graph.clips[graph.node_clip[target]].name,
                "entry": to_frame - length,
                "to_frame": to_frame,
                "to_second": round(to_frame / graph.fps, 6),
                "length": length,
                "cost_cm": _cm(float(edges.cost[edge])),
                "kind": EdgeKind(edges.kind[edge]).name.lower(),
            }
        )
    return rows


def _cm(metres: float) -> float:
    return round(100 * metres, 4)


def _ends(clip: Clip) -> Bools:
    """``(F,)``: frames of the clip's first and last window."""
    place = np.arange(len(clip))
    ends: Bools = (place < clip.window) | (place > len(clip) - clip.window)
    return ends


def _costs(graph: MotionGraph, blends: Bools) -> Mapping[str, float | None]:
    costs = graph.edges.cost[blends]
    if not len(costs):
        return {"median": None, "max": None}
    return {"median": _cm(float(np.median(costs))), "max": _cm(float(costs.max()))}


def _bridges(graph: MotionGraph) -> list[dict[str, Any]]:
    """The bridges by the clips they join, cheapest first, with the numbers of the clips' groups."""
    group = {name: number for number, one in enumerate(graph.record.report.groups, start=1) for name in one.clips}
    joined: dict[tuple[str, str], list[float]] = {}
    for row in _listed(graph, np.flatnonzero(graph.edges.kind == EdgeKind.BRIDGE)):
        joined.setdefault((row["from"], row["to"]), []).append(row["cost_cm"])
    return [
        {"from": a, "to": b, "groups": [group.get(a), group.get(b)], "bridges": len(costs), "best_cm": min(costs)}
        for (a, b), costs in joined.items()
    ]


def _guesses(clip: Clip) -> list[str]:
    """The labels that are only guessed wherever a clip bears them."""
    surest: dict[str, float] = {}
    for span in clip.spans:
        surest[span.label] = max(surest.get(span.label, 0.0), span.confidence)
    return [label for label, confidence in surest.items() if confidence < GUESS]


def _labels(graph: MotionGraph, kept: Bools) -> dict[str, dict[str, Any]]:
    """Label → seconds that bear it in the clips and in the graph, how many of them are guessed, and what a walk confined to it has.

    That is: nodes, transitions, seconds of original motion, and how many these would be at most. kept: ``(F,)``, frames of the graph.
    """
    found = {}
    for label, frames in label_frames(graph.clips).items():
        part = graph.labels.get(label)
        unsure = [
            span for clip in graph.clips for span in clip.spans if span.label == label and span.confidence < GUESS
        ]
        guessed = sum(span.last - span.first for span in unsure)
        inside = part.edges if part is not None else np.empty(0, np.int32)
        original = inside[graph.edges.kind[inside] == EdgeKind.ORIGINAL]
        attainable = graph.record.report.labels.get(label)
        found[label] = {
            "seconds": round(int(np.count_nonzero(frames)) / graph.fps, 6),
            "kept_seconds": round(int(np.count_nonzero(frames & kept)) / graph.fps, 6),
            "guessed_seconds": round(guessed / graph.fps, 6),
            "component_seconds": round(int(graph.edges.length[original].sum()) / graph.fps, 6),
            "attainable_seconds": None if attainable is None else round(attainable / graph.fps, 6),
            "nodes": len(part.nodes) if part is not None else 0,
            "transitions": len(inside) - len(original),
        }
    return found


def _warnings(labels: Mapping[str, Mapping[str, Any]], named: Container[str]) -> Iterator[str]:
    """What to say of labels that lose more than half. named: those that only tell clips apart by their names, which may be as
    unlike as a low punch and a low kick: nobody expects to keep to them.
    """
    for label, held in labels.items():
        seconds, kept, able = held["seconds"], held["kept_seconds"], held["attainable_seconds"] or 0.0
        if seconds < _BRIEF:
            continue
        if kept < _MOST * seconds:
            yield f"of {seconds:.1f} s of {label} only {kept:.1f} s are in the graph: its clips hardly meet the others"
        elif label not in named and able >= _MOST * seconds and held["component_seconds"] < _MOST * able:
            yield (
                f"of {seconds:.1f} s of {label} a walk that keeps to it can use {held['component_seconds']:.1f} s, and {able:.1f} s "
                "with a higher threshold"
            )
