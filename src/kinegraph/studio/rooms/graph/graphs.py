"""Motion graphs in the studio: built from clips of the workspace, chosen anew, and told to the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.evaluation.capabilities import tightest
from kinegraph.formats.intake import Take
from kinegraph.graph.labels import WORDS, Labels
from kinegraph.graph.making.builder import add as add_clips
from kinegraph.graph.making.builder import rechoose as choose_anew
from kinegraph.graph.making.parameters import AUTO
from kinegraph.graph.model import MotionGraph
from kinegraph.graph.store.files import Step, save, steps
from kinegraph.graph.summary.figures import kept_frames, summary
from kinegraph.motion import Motion
from kinegraph.motion.spans import spans
from kinegraph.notes import folded
from kinegraph.player import pack
from kinegraph.tasks.task import Task
from kinegraph.version import __version__
from kinegraph.walks.choice import all_labels, labelled
from kinegraph.walks.tables import tables
from kinegraph.watch import Watch

# m/s below which somebody stays in place
_STANDS = 0.2


def build(task: Task, files: Sequence[Path], read: Callable[[Path], Motion], watch: Watch) -> None:
    """Build the graph of motion files. read: gives a file's motion."""
    task.run(_takes(files, read, watch), watch)


def add(
    graph: MotionGraph,
    file: Path,
    files: Sequence[Path],
    read: Callable[[Path], Motion],
    labels: Labels | None,
    watch: Watch,
) -> None:
    """Add motion files to the graph of a file, which keeps its spaces. read: as for `build`."""
    add_clips(graph, _takes(files, read, watch), path=file, labels=labels, history=steps(file), keep=file, watch=watch)


def _takes(files: Sequence[Path], read: Callable[[Path], Motion], watch: Watch) -> list[Take]:
    takes = []
    for number, path in enumerate(files):
        takes.append(Take.of(read(path), path))
        watch.tell("read", number + 1, len(files))
    return takes


def rechoose(
    graph: MotionGraph, source: Path, target: Path, threshold_cm: float | None, bridges: bool, watch: Watch
) -> MotionGraph:
    """The graph of ``source`` with another threshold, saved at ``target`` with the spaces beside it; nothing is compared again."""
    watch.tell("choose", 0, 1)
    threshold = AUTO if threshold_cm is None else threshold_cm / 100
    chosen = choose_anew(graph, replace(graph.record.parameters, threshold=threshold, bridges=bridges))
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
            "spans": [vars(span) for span in clip.spans],
            "kept": [list(span) for span in spans(kept)],
        }
        for clip, kept in zip(graph.clips, kept_frames(graph), strict=True)
    ]
    figures = summary(graph, steps(path))
    return {
        "summary": {**figures, "notices": folded(figures["notices"])},
        "fps": graph.fps,
        "clips": clips,
        "parameters": graph.record.parameters.to_dict(),
        # those that a walk can keep to first: the others only mark frames
        "labels": [*graph.labels, *(label for label in all_labels(graph) if label not in graph.labels)],
        "speeds": _speeds(graph),
    }


def _speeds(graph: MotionGraph) -> dict[str, float]:
    """Metres a second that people usually make under each label that says what they do, the slowest first; none for who stays in place."""
    steps = tables(graph).track[:, 2] * graph.fps
    usual = {}
    for label in all_labels(graph):
        frames = labelled(graph, label)
        if label in WORDS:
            usual[label] = round(float(np.median(steps[: len(frames)][frames])), 2)
    going = {label: speed for label, speed in usual.items() if speed > _STANDS}
    return dict(sorted(going.items(), key=lambda one: one[1]))


@lru_cache(maxsize=4)
def turns(graph: MotionGraph) -> tuple[float | None, float | None]:
    """Metres of radius on which people turn about at the tightest, to the left and to the right, as `inspect --capability` finds them."""
    left, right = tightest(graph, 1.0), tightest(graph, -1.0)
    return None if left is None else left.radius_m, None if right is None else right.radius_m


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
