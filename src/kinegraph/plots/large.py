"""The picture of a graph with many clips: not each of them, but what bodies do, how that hangs together, and which folders meet.

Arcs between thousands of tracks blacken each other. What they would tell is told of sums: of labels, from which to which a walk can change
and in how many ways; of folders (or groups, where clips lie in none), how many transitions join each two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array
from kinegraph.graph.model import EdgeKind, MotionGraph, label_frames
from kinegraph.graph.summary.figures import kept_frames
from kinegraph.plots import canvas
from kinegraph.plots.curve import draw_curve
from kinegraph.plots.tracks import OTHER, kept_stretches, label_colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Clips beyond which tracks are too low to be told apart.
MOST_TRACKS = 150
# Labels, and rows of the table of folders, that can be read.
_MOST_LABELS, _MOST_ROWS = 16, 60
_ALONE, _REST = "groups of few clips", "all others"
_FEW = 3
# The thickest line between two labels, in points, and the share of a label's ways below which a line is left out.
_THICKEST, _LEAST = 14.0, 0.01


@dataclass(frozen=True, eq=False)
class Bundles:
    """Clips in bundles: folders, or groups."""

    names: list[str]
    of: NDArray[np.intp]
    """``(C,)``: the bundle of each clip."""
    what: str
    """What a bundle is."""


def bundles(graph: MotionGraph, most: int = _MOST_ROWS) -> Bundles:
    """The folders of the clips; where there are none, the groups of the build. Those beyond ``most``, by their frames, are one."""
    names = [clip.name for clip in graph.clips]
    folders = [name.split("/")[0] if "/" in name else "" for name in names]
    what = "folder"
    if len(set(folders)) < 2:
        what, folders = "group", [""] * len(names)
        for number, group in enumerate(graph.record.report.groups, start=1):
            for name in group.clips:
                if name in graph.clip_index:
                    folders[graph.clip_index[name]] = f"group {number}" if len(group.clips) >= _FEW else _ALONE
    frames: dict[str, int] = {}
    for folder, clip in zip(folders, graph.clips, strict=True):
        frames[folder] = frames.get(folder, 0) + len(clip)
    if len(frames) > most:
        large = sorted(frames, key=lambda one: -frames[one])[: most - 1]
        folders = [one if one in large else _REST for one in folders]
    kept = [one for one in frames if one in folders] + ([_REST] if _REST in folders else [])
    order = {one: n for n, one in enumerate(dict.fromkeys(kept))}
    return Bundles([one or f"no {what}" for one in order], np.array([order[one] for one in folders]), what)


def large_figure(graph: MotionGraph, title: str) -> Figure:
    """The figure of a large graph, to show or to add to."""
    some = bundles(graph)
    stretches = kept_stretches(graph)
    colours = label_colours(stretches)
    curve = bool(graph.record.report.curve)
    rows = 0.17 * len(some.names)
    heights = [6.0, max(rows, 3.0) + 1.2, *([2.5] if curve else [])]
    figure = canvas.new_figure(13.0, sum(heights) + 0.9)
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights, width_ratios=[3, 2])
    names, of, seconds = _labels(graph, stretches)
    table = between(of, graph, len(names))
    _draw_labels(figure.add_subplot(grid[0, 0]), names, seconds, table, colours)
    _draw_seconds(figure.add_subplot(grid[0, 1]), graph, names, colours)
    _draw_bundles(figure.add_subplot(grid[1, 0]), graph, some)
    _draw_shares(figure.add_subplot(grid[1, 1]), graph, some, stretches, names, colours)
    if curve:
        draw_curve(figure.add_subplot(grid[2, :]), graph.record.report, share=graph.record.parameters.share)
    figure.suptitle(title, fontsize=canvas.TITLE, color=canvas.INK)
    return figure


def between(of: NDArray[np.intp], graph: MotionGraph, count: int) -> Array:
    """``(count, count)``: how many transitions lead from what to what. of ``(N,)``: what each node is; -1 for none of them."""
    edges = graph.edges
    jumps = np.flatnonzero(edges.kind != EdgeKind.ORIGINAL)
    one, two = of[edges.source[jumps]], of[edges.target[jumps]]
    known = (one >= 0) & (two >= 0)
    table = np.bincount(one[known] * count + two[known], minlength=count * count)
    return table.reshape(count, count).astype(np.float64)


def _labels(
    graph: MotionGraph, stretches: list[list[tuple[str, int, int]]]
) -> tuple[list[str], NDArray[np.intp], list[float]]:
    """The labels that last longest, the label of each node, and the seconds of each label that the graph keeps."""
    frames: dict[str, int] = {}
    for label, first, last in (one for of_clip in stretches for one in of_clip):
        if label:
            frames[label] = frames.get(label, 0) + last - first
    names = sorted(frames, key=lambda label: (-frames[label], label))[:_MOST_LABELS]
    number = {name: n for n, name in enumerate(names)}
    starts = np.concatenate([[0], np.cumsum([len(clip) for clip in graph.clips])])
    row = np.full(int(starts[-1]), -1, np.intp)
    for start, of_clip in zip(starts[:-1].tolist(), stretches, strict=True):
        for label, first, last in of_clip:
            row[start + first : start + last] = number.get(label, -1)
    of = row[np.minimum(starts[graph.node_clip] + graph.node_frame, starts[-1] - 1)]
    return names, of, [frames[name] / graph.fps for name in names]


def _draw_labels(axes: Axes, names: list[str], seconds: list[float], table: Array, colours: dict[str, str]) -> None:
    """Labels on a circle, as large as they last, and lines between them as thick as there are ways to change."""
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_title("what bodies do, and where it can change", fontsize=canvas.LABEL, color=canvas.INK)
    if not names:
        return
    angles = np.pi / 2 - 2 * np.pi * np.arange(len(names)) / len(names)
    places = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    both = table + table.T
    np.fill_diagonal(both, 0.0)
    most = max(both.max(), 1.0)
    ways = both.sum(axis=1)
    patch, path = canvas.matplotlib_part("patches"), canvas.matplotlib_part("path").Path
    for one, two in zip(*np.nonzero(np.triu(both)), strict=True):
        if both[one, two] < _LEAST * max(ways[one], ways[two]) and both[one, two] < 0.1 * min(ways[one], ways[two]):
            continue
        a, b = places[one], places[two]
        curve = path([a, 0.25 * (a + b), b], [path.MOVETO, path.CURVE3, path.CURVE3])
        width = max(0.4, _THICKEST * np.sqrt(both[one, two] / most))
        rarer = names[max(one, two)]
        shade = colours.get(rarer, OTHER)
        axes.add_patch(patch.PathPatch(curve, fill=False, linewidth=width, edgecolor=shade, alpha=0.55, zorder=2))
    radii = 0.03 + 0.13 * np.sqrt(np.array(seconds) / max(seconds))
    for name, (x, y), radius, angle in zip(names, places, radii, angles, strict=True):
        axes.add_patch(patch.Circle((x, y), radius, facecolor=colours.get(name, OTHER), edgecolor="white", zorder=3))
        out = 1.06 + radius
        axes.text(
            out * np.cos(angle),
            out * np.sin(angle),
            canvas.shown(name, 16),
            ha="left" if np.cos(angle) > 0.15 else "right" if np.cos(angle) < -0.15 else "center",
            va="center" if abs(np.sin(angle)) < 0.9 else "bottom" if np.sin(angle) > 0 else "top",
            fontsize=canvas.SMALL,
            color=canvas.INK,
            zorder=4,
        )
    axes.set_xlim(-1.75, 1.75)
    axes.set_ylim(-1.3, 1.3)


def _draw_seconds(axes: Axes, graph: MotionGraph, names: list[str], colours: dict[str, str]) -> None:
    """Of each label how long the graph has it, and how much of that a walk has that keeps to it."""
    own = graph.edges
    usable = []
    frames, kept = label_frames(graph.clips), np.concatenate([np.empty(0, bool), *kept_frames(graph)])
    seconds = [np.count_nonzero(frames[name] & kept) / graph.fps for name in names]
    for name in names:
        part = graph.labels.get(name)
        edges = part.edges if part is not None else np.empty(0, np.int32)
        usable.append(float(own.length[edges[own.kind[edges] == EdgeKind.ORIGINAL]].sum()) / graph.fps)
    rows = np.arange(len(names))
    axes.barh(rows, np.array(seconds) / 60, color=[colours.get(name, OTHER) for name in names], alpha=0.35)
    axes.barh(rows, np.array(usable) / 60, color=[colours.get(name, OTHER) for name in names], height=0.4)
    axes.set_yticks(rows, [canvas.shown(name, 16) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xscale("symlog", linthresh=1)
    axes.xaxis.set_major_formatter(canvas.matplotlib_part("ticker").StrMethodFormatter("{x:g}"))
    axes.set_xlabel("minutes in the graph; dark: what a walk has that keeps to it", fontsize=canvas.LABEL)
    canvas.quiet(axes)


def _draw_bundles(axes: Axes, graph: MotionGraph, some: Bundles) -> None:
    """How many transitions lead from one bundle to another, as a table of shades."""
    table = between(some.of[graph.node_clip], graph, len(some.names))
    colors = canvas.matplotlib_part("colors")
    shown = np.ma.masked_equal(table, 0)
    image = axes.imshow(shown, cmap="viridis_r", norm=colors.LogNorm(1, max(table.max(), 2)), aspect="auto")
    ticks = np.arange(len(some.names))
    axes.set_yticks(ticks, [canvas.shown(name, 18) for name in some.names])
    step = max(1, len(ticks) // 30)
    axes.set_xticks(ticks[::step], [canvas.shown(name, 12) for name in some.names[::step]], rotation=90)
    axes.set_xlabel(f"transitions from a {some.what} (row) to another (column); white: none", fontsize=canvas.LABEL)
    canvas.quiet(axes)
    axes.tick_params(labelsize=canvas.SMALL - 2)
    bar = axes.figure.colorbar(image, ax=axes, fraction=0.03, pad=0.01)
    canvas.quiet(bar.ax)


def _draw_shares(
    axes: Axes, graph: MotionGraph, some: Bundles, stretches: list[list[tuple[str, int, int]]], names: list[str],
    colours: dict[str, str],
) -> None:  # fmt: skip
    """What the graph keeps of each bundle, by label, beside what it drops."""
    minutes = {name: np.zeros(len(some.names)) for name in [*names, ""]}
    for bundle, of_clip in zip(some.of.tolist(), stretches, strict=True):
        for label, first, last in of_clip:
            minutes[label if label in minutes else ""][bundle] += (last - first) / graph.fps / 60
    rows, left = np.arange(len(some.names)), np.zeros(len(some.names))
    for name, part in minutes.items():
        axes.barh(rows, part, left=left, color=colours.get(name, OTHER), height=0.8)
        left += part
    lengths = np.array([len(clip) for clip in graph.clips]) / graph.fps / 60
    whole = np.bincount(some.of, lengths, len(some.names))
    axes.barh(rows, np.maximum(whole - left, 0), left=left, color="#e1e4e8", height=0.8)
    axes.set_yticks([])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(f"minutes of each {some.what}, by label; pale: dropped", fontsize=canvas.LABEL)
    canvas.quiet(axes)
