"""The graph picture: clips as tracks, transitions as arcs, groups and bridges, and the threshold curve below."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.graph.model import EdgeKind, MotionGraph
from kinegraph.plots import canvas
from kinegraph.plots.arcs import arcs, chosen
from kinegraph.plots.curve import draw_curve
from kinegraph.plots.large import MOST_TRACKS, large_figure
from kinegraph.plots.tracks import OTHER, TrackRows, kept_stretches, label_colours, rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

# Arcs beyond this many only blacken the picture and fill an SVG.
MOST_ARCS = 4000
# Inches.
_WIDTH, _CURVE, _LEGEND, _BAR = 12.0, 2.5, 0.35, 5.0
_TALLEST = 15.0
_ROW, _LEAST_ROW = 0.5, 0.14
_DROPPED = "#e1e4e8"
_BRIDGE = canvas.ACCENT
_DASHES = (0, (4, 2))


def graph_picture(graph: MotionGraph, path: str | PathLike[str]) -> None:
    """Draw a motion graph to a PNG, SVG or PDF file.

    Each clip is a track in seconds: kept frames in the colour of their label, dropped ones pale. Transitions are arcs coloured by cost (if
    there are more than 4,000, an even selection), and bridges are dashed. Brackets on the left join the clips of a group and give its
    threshold. Below is the threshold curve of `draw_curve`. Of a graph with more than 150 clips, sums are drawn instead: labels and
    where they change, folders and how they meet.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> file = pathlib.Path(tempfile.mkdtemp(), "graph.svg")
    >>> kg.plots.graph_picture(graph, file)
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(path)
    canvas.write(graph_figure(graph), target)


def graph_figure(graph: MotionGraph) -> Figure:
    """The figure of `graph_picture`, to show or to add to."""
    if len(graph.clips) > MOST_TRACKS:
        return large_figure(graph, _title(graph, drawn=False))
    rows = rows_of(graph)
    roomy = float(np.clip(rows.height * _ROW, 2.0, 7.5))
    body = min(max(roomy, rows.height * _LEAST_ROW), _TALLEST)
    points_per_row = 72 * body / rows.height
    heights = [body + 0.6, _LEGEND, *([_CURVE] if graph.record.report.curve else [])]
    figure = canvas.new_figure(_WIDTH, sum(heights) + 0.7)
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights, width_ratios=[1, 16])
    axes = figure.add_subplot(grid[0, 1])
    part = min(_BAR / body, 1.0)
    _draw_arcs(axes, graph, rows, axes.inset_axes((1.01, 1 - part, 0.012, part)))
    colours = _draw_tracks(axes, graph, rows, points_per_row)
    _draw_brackets(figure.add_subplot(grid[0, 0], sharey=axes), graph, rows, points_per_row)
    _draw_legend(figure.add_subplot(grid[1, :]), graph, colours)
    if graph.record.report.curve:
        draw_curve(figure.add_subplot(grid[2, :]), graph.record.report, share=graph.record.parameters.share)
    axes.set_title(_title(graph), fontsize=canvas.TITLE, color=canvas.INK, pad=8)
    return figure


def _draw_tracks(axes: Axes, graph: MotionGraph, rows: TrackRows, points_per_row: float) -> dict[str, str]:
    """Draw the clips; returns the colours of their labels."""
    kept = kept_stretches(graph)
    colours = label_colours(kept)
    by_colour: dict[str, list[tuple[float, int, int]]] = {}
    for row, stretches in zip(rows.of.tolist(), kept, strict=True):
        for label, first, last in stretches:
            by_colour.setdefault(colours.get(label, OTHER), []).append((row, first, last))
    thickness = float(np.clip(0.3 * points_per_row, 3.0, 9.0))
    lengths = np.array([len(clip) for clip in graph.clips])
    axes.hlines(rows.of, 0, lengths / graph.fps, colors=_DROPPED, linewidth=thickness, zorder=4)
    for colour, tracks in by_colour.items():
        row, first, last = np.array(tracks).T
        axes.hlines(row, first / graph.fps, last / graph.fps, colors=colour, linewidth=thickness, zorder=5)
    _say_what_is_left_out(axes, graph, rows)
    canvas.quiet(axes)
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.set_xlabel("seconds", fontsize=canvas.LABEL, color=canvas.INK)
    axes.set_xlim(0, 1.01 * lengths.max() / graph.fps)
    axes.set_ylim(rows.height - 0.4, -0.9)
    # names in rows lower than a line of text would lie on each other: then only some are written
    step = int(np.ceil(1.1 * canvas.SMALL / points_per_row))
    order = np.argsort(rows.of)[::step]
    axes.set_yticks(rows.of[order], [canvas.shown(graph.clips[clip].name, 26) for clip in order.tolist()])
    axes.tick_params(axis="y", length=0)
    return colours


def _say_what_is_left_out(axes: Axes, graph: MotionGraph, rows: TrackRows) -> None:
    """On the track of a clip that is dropped whole, the threshold that would connect it."""
    for loss in graph.record.report.losses:
        clip = graph.clip_index.get(loss.clip)
        if loss.needs is not None and clip is not None:
            axes.text(
                0.5 * len(graph.clips[clip]) / graph.fps,
                rows.of[clip],
                f"needs {100 * loss.needs:.1f} cm",
                ha="center",
                va="center",
                fontsize=canvas.SMALL,
                color=canvas.INK,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
                zorder=6,
            )


def _draw_legend(axes: Axes, graph: MotionGraph, colours: dict[str, str]) -> None:
    axes.set_axis_off()
    patch, line = canvas.matplotlib_part("patches").Patch, canvas.matplotlib_part("lines").Line2D
    entries = {**colours, "dropped": _DROPPED}
    handles = [patch(color=colour, label=canvas.shown(label, 20)) for label, colour in entries.items()]
    if np.any(graph.edges.kind == EdgeKind.BRIDGE):
        handles.append(line([], [], color=_BRIDGE, linewidth=1.8, linestyle=_DASHES, label="bridge between groups"))
    style = {"fontsize": canvas.SMALL, "labelcolor": canvas.INK, "frameon": False}
    axes.legend(handles=handles, loc="center", ncols=min(len(handles), 8), borderpad=0, borderaxespad=0, **style)


def _draw_arcs(axes: Axes, graph: MotionGraph, rows: TrackRows, beside: Axes) -> None:
    """Draw transitions and bridges, and on ``beside`` what a transition's colour means."""
    lines = canvas.matplotlib_part("collections").LineCollection
    which = chosen(graph, EdgeKind.TRANSITION, MOST_ARCS)
    if len(which):
        opacity = float(np.clip(9 / np.sqrt(len(which)), 0.2, 0.75))
        drawn = lines(arcs(graph, rows, which), cmap=_cost_colours(), linewidths=0.9, alpha=opacity, zorder=2)
        drawn.set_array(100 * graph.edges.cost[which])
        axes.add_collection(drawn)
        # the bar shows the colours full: faint as the arcs are they could not be told apart
        scale = canvas.matplotlib_part("cm").ScalarMappable(drawn.norm, drawn.cmap)
        bar = axes.figure.colorbar(scale, cax=beside)
        bar.set_label("cost of a transition, cm", fontsize=canvas.LABEL, color=canvas.INK)
        canvas.quiet(bar.ax)
    else:
        beside.set_axis_off()
    bridges = chosen(graph, EdgeKind.BRIDGE, MOST_ARCS)
    if len(bridges):
        width = float(np.clip(8 / np.sqrt(len(bridges)), 0.9, 1.8))
        strong = {"colors": _BRIDGE, "linewidths": width, "linestyles": [_DASHES], "alpha": 0.9, "zorder": 3}
        axes.add_collection(lines(arcs(graph, rows, bridges), **strong))


def _cost_colours() -> Colormap:
    """Dark is cheap; the light end is left out, which would vanish on white."""
    colors = canvas.matplotlib_part("colors")
    viridis = canvas.matplotlib_part("cm").ScalarMappable(cmap="viridis").get_cmap()
    cut: Colormap = colors.LinearSegmentedColormap.from_list("cost", viridis(np.linspace(0.0, 0.85, 64)))
    return cut


def _draw_brackets(axes: Axes, graph: MotionGraph, rows: TrackRows, points_per_row: float) -> None:
    """One bracket a group, open towards its clips, with the group's number and threshold where there is room for them."""
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    line = 1.3 * canvas.SMALL / points_per_row  # height of a line of text, in rows
    free = -np.inf
    for number, (group, (first, last)) in enumerate(zip(graph.record.report.groups, rows.groups, strict=True), start=1):
        top, bottom = first - 0.3, last + 0.3
        axes.plot([1.0, 0.8, 0.8, 1.0], [top, top, bottom, bottom], color=canvas.INK, linewidth=1.2)
        middle = (top + bottom) / 2
        tall = bottom - top > 2 * line
        half = line if tall else line / 2
        if middle - half >= free:
            free = middle + half
            words = f"group {number}{chr(10) if tall else ': '}{100 * group.threshold:.1f} cm"
            style: dict[str, Any] = {"fontsize": canvas.SMALL, "color": canvas.INK}
            axes.text(0.7, middle, words, ha="right", va="center", **style)


def _title(graph: MotionGraph, *, drawn: bool = True) -> str:
    kinds = np.bincount(graph.edges.kind, minlength=3)
    some = f" ({MOST_ARCS:,} drawn)" if drawn and kinds[EdgeKind.TRANSITION] > MOST_ARCS else ""
    parts = [
        f"{len(graph.clips):,} clips",
        f"{kinds[EdgeKind.TRANSITION] + kinds[EdgeKind.BRIDGE]:,} transitions{some}",
    ]
    if kinds[EdgeKind.BRIDGE]:
        parts.append(f"{kinds[EdgeKind.BRIDGE]:,} of them bridges")
    share = graph.record.report.kept / max(graph.record.report.attainable, 1)
    return ", ".join(parts) + f"; {100 * share:.0f} % of the attainable frames kept"
