"""Clips as tracks: which row each has, which parts of it the graph keeps, and which label each moment has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinegraph.graph.model import Clip, MotionGraph
from kinegraph.graph.summary.figures import kept_frames
from kinegraph.motion.spans import spans

# Labels that are often met keep their colour from picture to picture; they differ in lightness as well as in hue.
_KNOWN = {
    "stand": "#a8a29a",
    "walk": "#5b9bd5",
    "run": "#e08e45",
    "jump": "#8c6bb1",
    "turn_left": "#8cc084",
    "turn_right": "#3f8f6b",
    "sit": "#c9b458",
    "climb": "#b56576",
    "punch": "#c0504d",
    "kick": "#d9853b",
}
_UNKNOWN = ("#d9a6a0", "#c9b458", "#7f9bb3", "#b56576", "#6b705c", "#9fd0cb")
OTHER = "#8f98a3"

# Rows between two groups.
_GAP = 0.8


@dataclass(frozen=True)
class TrackRows:
    """Which clip is in which row, counted downwards."""

    of: NDArray[np.float64]
    """``(C,)``: the row of each clip."""
    groups: tuple[tuple[float, float], ...]
    """The first and the last row of each group."""

    @property
    def height(self) -> float:
        """How many rows there are, gaps included."""
        return float(self.of.max()) + 1


def rows_of(graph: MotionGraph) -> TrackRows:
    """Rows for one group after another, clips in the order of the graph; clips that belong to no group come last."""
    index = graph.clip_index
    groups = [sorted(index[name] for name in group.clips if name in index) for group in graph.record.report.groups]
    grouped = {clip for group in groups for clip in group}
    of = np.zeros(len(graph.clips))
    bounds = []
    row = 0.0
    for group in [*groups, sorted(set(range(len(graph.clips))) - grouped)]:
        of[group] = row + np.arange(len(group))
        bounds.append((row, row + len(group) - 1))
        row += len(group) + _GAP if group else 0
    return TrackRows(of, tuple(bounds[:-1]))


def labels_by_frame(clip: Clip) -> list[tuple[str, int, int]]:
    """Stretches of the clip as (label, first, last + 1); the label is empty where there is none.

    Where there are several labels, the one with the shortest span is shown, since it says more about the moment.
    """
    shown = np.full(len(clip), -1)
    ordered = sorted(clip.spans, key=lambda span: span.first - span.last)
    for number, span in enumerate(ordered):
        shown[span.first : span.last] = number
    stretches = []
    for number in np.unique(shown).tolist():
        label = ordered[number].label if number >= 0 else ""
        stretches += [(label, first, last) for first, last in spans(shown == number)]
    return stretches


def kept_stretches(graph: MotionGraph) -> list[list[tuple[str, int, int]]]:
    """For each clip the stretches of `labels_by_frame` that the graph keeps."""
    return [
        [
            (label, first + start, first + stop)
            for label, first, last in labels_by_frame(clip)
            for start, stop in spans(kept[first:last])
        ]
        for clip, kept in zip(graph.clips, kept_frames(graph), strict=True)
    ]


def label_colours(stretches: list[list[tuple[str, int, int]]]) -> dict[str, str]:
    """Label → colour for the labels that last longest in `kept_stretches`, longest first; all others, and no label, are `OTHER`."""
    frames: Counter[str] = Counter()
    for of_clip in stretches:
        for label, first, last in of_clip:
            frames[label] += last - first
    often = sorted(frames, key=lambda label: (-frames[label], label))
    free = iter(_UNKNOWN)
    colours: dict[str, str] = {}
    for label in filter(None, often):
        colour = _KNOWN.get(label) or next(free, "")
        if colour:
            colours[label] = colour
    if len(colours) < len(frames):
        colours["other"] = OTHER
    return colours
