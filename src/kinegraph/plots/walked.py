"""The picture of a walk: the path that was drawn, the way that was walked, where the feet stood, and how far the two lie apart.

The floor is seen from above, so that a turn to the left is one to the left on paper too. The longer side lies across.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.motion.clip import Motion
from kinegraph.motion.rotation import Array
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.plots import canvas
from kinegraph.plots.shoes import LENGTH, Footprint, footprints, outlines
from kinegraph.render.palette import PAINTS
from kinegraph.render.shapes import LEFT, RIGHT
from kinegraph.walks.request import Box, Disc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHOES = {"left": tuple(PAINTS[LEFT].tolist()), "right": tuple(PAINTS[RIGHT].tolist())}
"""Colours of the feet, as in films."""

# Inches: width of the picture, what titles and scales take of it, the strip below, and between which heights the floor stays.
_WIDTH, _BESIDE, _STRIP = 11.0, 1.1, 1.9
_LOWEST, _TALLEST = 1.4, 8.5
# Metres of floor that are shown at least, and about the walk; and half the length of a transition's tick.
_SMALLEST, _MARGIN, _TICK = 2.0, 0.45, 0.11
# Inches that a shoe is long at least: on a long path its true size would be a dot.
_SHOE = 0.14
_DRAWN = "#cfd5dd"
_BLOCKED = "#e8e4df"
_START = "#2e7d4f"


def walked_picture(
    motion: Motion,
    contacts: NDArray[np.bool_],
    file: str | PathLike[str],
    *,
    path: Path | None = None,
    transitions: Sequence[tuple[int, int]] = (),
    obstacles: Sequence[Disc | Box] = (),
    title: str = "",
) -> None:
    """Draw where a motion went to a PNG, SVG or PDF file.

    contacts: ``(F, 4)``, when heels and balls stand. path: the one that was drawn, with the deviation from it below. transitions: frames
    (first, past the last) of each.
    """
    target = canvas.check_target(file)
    figure = walked_figure(motion, contacts, path=path, transitions=transitions, obstacles=obstacles, title=title)
    canvas.write(figure, target)


def walked_figure(
    motion: Motion,
    contacts: NDArray[np.bool_],
    *,
    path: Path | None = None,
    transitions: Sequence[tuple[int, int]] = (),
    obstacles: Sequence[Disc | Box] = (),
    title: str = "",
) -> Figure:
    """The figure of `walked_picture`, for those who want to add to it."""
    track = track_of(motion)
    prints = footprints(motion, contacts)
    shown = [track, *([] if path is None else [path.points]), *map(_corners, obstacles)]
    lowest, highest = _extent([*shown, *(one.place[None] for one in prints)])
    across = bool(highest[1] - lowest[1] >= highest[0] - lowest[0])  # +Z to the right of the picture, else upwards
    size = (highest - lowest)[::-1] if across else highest - lowest
    height = float(np.clip((_WIDTH - _BESIDE) * size[1] / size[0], _LOWEST, _TALLEST))
    scale = min((_WIDTH - _BESIDE) / size[0], height / size[1])  # inches a metre
    heights = [height, *([_STRIP] if path is not None else [])]
    figure = canvas.new_figure(_WIDTH, sum(heights) + 1.2)
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    floor = figure.add_subplot(grid[0])
    plan = _Plan(floor, across)
    plan.draw(lowest, highest)
    _draw_obstacles(plan, obstacles)
    if path is not None:
        plan.line(path.points, color=_DRAWN, linewidth=6, zorder=2, label="drawn", solid_capstyle="round")
    _draw_shoes(plan, prints, motion.skeleton.stature, scale)
    plan.line(track, color=canvas.INK, linewidth=1.4, zorder=5, label="walked")
    _draw_ticks(plan, track, transitions)
    _draw_ends(plan, track)
    if title:
        floor.set_title(canvas.shown(title, 110), fontsize=canvas.TITLE, color=canvas.INK, pad=26)
    _legend(floor)
    if path is not None:
        _draw_strip(figure.add_subplot(grid[1]), 100 * path.track(track)[0], motion.fps, transitions)
    return figure


class _Plan:
    """The floor on paper: points (x, z), drawn with +Z to the right and +X upwards, or with +Z upwards and +X to the left."""

    def __init__(self, axes: Axes, across: bool) -> None:
        self.axes, self.across = axes, across

    def on(self, points: Array) -> Array:
        """Floor points ``(..., 2)`` as the axes count them."""
        return points[..., ::-1] if self.across else points

    def line(self, points: Array, **style: Any) -> None:
        self.axes.plot(*self.on(points).T, **style)

    def draw(self, lowest: Array, highest: Array) -> None:
        """Even scales in metres over that part of the floor."""
        (left, bottom), (right, top) = self.on(lowest), self.on(highest)
        # +X is to the left of who faces +Z, and we look down on both
        self.axes.set_xlim(*((left, right) if self.across else (right, left)))
        self.axes.set_ylim(bottom, top)
        self.axes.set_aspect("equal")
        canvas.quiet(self.axes)
        self.axes.grid(color="#eef0f3", linewidth=0.8)
        self.axes.set_axisbelow(True)
        names = ("z, m", "x, m") if self.across else ("x, m", "z, m")
        self.axes.set_xlabel(names[0], fontsize=canvas.LABEL, color=canvas.INK)
        self.axes.set_ylabel(names[1], fontsize=canvas.LABEL, color=canvas.INK)


def _extent(tracks: Sequence[Array]) -> tuple[Array, Array]:
    """Lowest and highest (x, z) to show."""
    points = np.concatenate(tracks)
    lowest, highest = points.min(axis=0), points.max(axis=0)
    wider = np.maximum(_SMALLEST - (highest - lowest), 0) / 2 + _MARGIN
    return lowest - wider, highest + wider


def _corners(thing: Disc | Box) -> Array:
    """Lowest and highest (x, z) of an obstacle."""
    if isinstance(thing, Disc):
        return np.array(
            [[thing.x - thing.radius, thing.z - thing.radius], [thing.x + thing.radius, thing.z + thing.radius]]
        )
    return np.array([[thing.x, thing.z], [thing.x + thing.width, thing.z + thing.depth]])


def _draw_shoes(plan: _Plan, prints: list[Footprint], stature: float, scale: float) -> None:
    polygons = canvas.matplotlib_part("collections").PolyCollection
    size = max(stature, _SHOE / (LENGTH * scale))
    for side, colour in SHOES.items():
        of_side = [one for one in prints if one.side == side]
        if of_side:
            soles = plan.on(outlines(of_side, size))
            style = {"facecolor": colour, "edgecolor": "white", "linewidth": 0.5, "alpha": 0.9, "zorder": 4}
            plan.axes.add_collection(polygons(soles, label=f"{side} foot", **style))


def _draw_ticks(plan: _Plan, track: Array, transitions: Sequence[tuple[int, int]]) -> None:
    """A tick across the way at the middle of each transition."""
    if not transitions:
        return
    middle = np.array([(first + last - 1) // 2 for first, last in transitions])
    way = np.gradient(track, axis=0)[middle] if len(track) > 1 else np.zeros((len(middle), 2))
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    ahead = np.where(length > 0, way / np.where(length > 0, length, 1.0), [0.0, 1.0])
    aside = _TICK * np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)
    lines = canvas.matplotlib_part("collections").LineCollection
    ticks = plan.on(np.stack([track[middle] - aside, track[middle] + aside], axis=1))
    plan.axes.add_collection(lines(ticks, colors=canvas.ACCENT, linewidths=1.6, zorder=6, label="transition"))


def _draw_ends(plan: _Plan, track: Array) -> None:
    """Where the walk begins, and where it ends."""
    style: dict[str, Any] = {"linestyle": "none", "zorder": 7}
    # a ring, which a closed path's end does not hide
    ring = {"markerfacecolor": "none", "markeredgecolor": _START, "markeredgewidth": 2.4}
    plan.line(track[:1], marker="o", markersize=13, label="start", **ring, **style)
    plan.line(track[-1:], marker="s", markersize=7, color=canvas.INK, markeredgecolor="white", label="end", **style)


def _draw_obstacles(plan: _Plan, obstacles: Sequence[Disc | Box]) -> None:
    patches = canvas.matplotlib_part("patches")
    style: dict[str, Any] = {
        "facecolor": _BLOCKED,
        "edgecolor": canvas.PALE,
        "hatch": "////",
        "linewidth": 1,
        "zorder": 1,
    }
    for thing in obstacles:
        corner = plan.on(np.array([thing.x, thing.z]))
        if isinstance(thing, Disc):
            plan.axes.add_patch(patches.Circle(corner, thing.radius, **style))
        else:
            plan.axes.add_patch(patches.Rectangle(corner, *plan.on(np.array([thing.width, thing.depth])), **style))


def _legend(axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    style: dict[str, Any] = {"fontsize": canvas.SMALL, "labelcolor": canvas.INK, "frameon": False, "handlelength": 1.6}
    # above the floor, below the title
    axes.legend(
        handles, labels, ncols=len(handles), loc="lower center", bbox_to_anchor=(0.5, 1.0), borderaxespad=0.3, **style
    )


def _draw_strip(axes: Axes, cm: Array, fps: float, transitions: Sequence[tuple[int, int]]) -> None:
    """How far the walk lies from the path at each moment, with transitions as pale bands."""
    seconds = np.arange(len(cm)) / fps
    canvas.quiet(axes)
    axes.spines[["top", "right"]].set_visible(False)
    for first, last in transitions:
        axes.axvspan(first / fps, last / fps, color=canvas.ACCENT, alpha=0.13, linewidth=0)
    axes.fill_between(seconds, cm, color=_DRAWN, linewidth=0)
    axes.plot(seconds, cm, color=canvas.INK, linewidth=1.2)
    axes.axhline(cm.mean(), color=canvas.PALE, linewidth=1, linestyle=(0, (4, 3)))
    said = f"mean {cm.mean():.1f} cm, max {cm.max():.1f} cm"
    axes.set_title(said, fontsize=canvas.SMALL, color=canvas.INK, loc="right", pad=3)
    axes.set_xlim(0, max(float(seconds[-1]), 1 / fps))
    axes.set_ylim(0, max(1.15 * float(cm.max()), 1.0))
    axes.set_xlabel("seconds", fontsize=canvas.LABEL, color=canvas.INK)
    axes.set_ylabel("off the path, cm", fontsize=canvas.LABEL, color=canvas.INK)
