"""Motion graphs in the studio: built from clips of the workspace, chosen anew, and told to the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.formats.intake import Take
from kinegraph.graph.labels import Labels
from kinegraph.graph.making.builder import build as build_graph
from kinegraph.graph.making.builder import rechoose as choose_anew
from kinegraph.graph.making.parameters import AUTO, Parameters
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import Step, save, steps
from kinegraph.graph.summary.figures import kept_frames, summary
from kinegraph.motion.spans import spans
from kinegraph.player import motion_pack, pack
from kinegraph.studio.workspace import Workspace
from kinegraph.version import __version__
from kinegraph.walks.choice import all_labels
from kinegraph.watch import Watch, Watcher

FOLDER = "graphs"


def threshold(centimetres: float | None) -> float | str:
    """A threshold as `Parameters` take it: in metres, or found by itself."""
    return AUTO if centimetres is None else centimetres / 100


def build(
    files: Iterable[Path],
    target: Path,
    parameters: Parameters,
    *,
    read: Callable[[Path], Any],
    labels: Labels | None = None,
    watch: Watcher = None,
) -> MotionGraph:
    """The graph of motion files, saved at ``target``; a build that was stopped goes on from its draft.

    read: gives a file's motion. watch: as for `graph.build`.
    """
    files, watch = list(files), Watch.of(watch)
    takes = []
    for number, path in enumerate(files):
        takes.append(Take.of(read(path), path))
        watch.tell("read", number + 1, len(files))
    return build_graph(takes, parameters, path=target, labels=labels, watch=watch)


def rechoose(
    graph: MotionGraph, source: Path, target: Path, threshold_cm: float | None, bridges: bool, watch: Watch
) -> MotionGraph:
    """The graph of ``source`` with another threshold, saved at ``target`` with the spaces beside it; nothing is compared again."""
    watch.tell("choose", 0, 1)
    chosen = choose_anew(graph, replace(graph.record.parameters, threshold=threshold(threshold_cm), bridges=bridges))
    watch.tell("choose", 1, 1)
    watch.tell("save", 0, 1)
    save(chosen, target, [*steps(source), Step("rechoose", 0.0, 0, __version__)], keep=source)
    return chosen


def told(graph: MotionGraph, path: Path) -> dict[str, Any]:
    """What the page shows of a graph, beside its file: its figures, and each clip with its labels and what is kept of it."""
    group = {name: number for number, one in enumerate(graph.record.report.groups) for name in one.clips}
    clips = [
        {
            "name": clip.name,
            "frames": len(clip),
            "mirrored": clip.source.mirrored,
            "group": group.get(clip.name),
            "spans": [{"label": span.label, "first": span.first, "last": span.last} for span in clip.spans],
            "kept": [list(span) for span in spans(kept)],
        }
        for clip, kept in zip(graph.clips, kept_frames(graph), strict=True)
    ]
    return {
        "summary": summary(graph, steps(path)),
        "fps": graph.fps,
        "clips": clips,
        "parameters": graph.record.parameters.to_dict(),
        # those that a walk can keep to first: the others only mark frames
        "labels": [*graph.labels, *(label for label in all_labels(graph) if label not in graph.labels)],
    }


def edges_pack(graph: MotionGraph) -> bytes:
    """All edges: where they leave and where they arrive, frames that they play, their kind, and what they cost."""
    edges = graph.edges
    arrays: dict[str, NDArray[Any]] = {
        "source_clip": graph.node_clip[edges.source],
        "source_frame": graph.node_frame[edges.source],
        "target_clip": graph.node_clip[edges.target],
        "target_frame": graph.node_frame[edges.target],
        "length": edges.length,
        "kind": edges.kind,
        "cost_cm": (100 * edges.cost).astype(np.float32),
    }
    return pack({"kind": "edges", "edges": len(edges), "clips": len(graph.clips), "fps": graph.fps}, arrays)


def clip_pack(graph: MotionGraph, index: int) -> bytes:
    """A clip as the graph holds it, as a motion pack."""
    clip = graph.clips[index]
    return motion_pack(clip.motion, contacts=clip.contacts)


def graph_file(workspace: Workspace, path: Path) -> dict[str, Any]:
    """A graph's file as the state lists it."""
    entry = workspace.entry(path)
    content = workspace.content(entry)
    return {**asdict(entry), "clips": content.clips, "error": content.error}
