"""The floor seen from above: what pictures of walks and of edited paths have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.plots import canvas
from kinegraph.plots.shoes import LENGTH, Footprint, outlines
from kinegraph.rendering.palette import PAINTS
from kinegraph.rendering.shapes import LEFT, RIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOES = {"left": tuple(PAINTS[LEFT].tolist()), "right": tuple(PAINTS[RIGHT].tolist())}
"""Colours of the feet, as in films."""

# Metres of floor that are shown at least, and about the walk.
_SMALLEST, _MARGIN = 2.0, 0.45
# Inches that a shoe is long at least: on a long path its true size would be a dot.
_SHOE = 0.14
_START = "#2e7d4f"


class Plan:
    """The floor on paper: points (x, z), drawn with +Z to the right and +X up, or with +Z up and +X to the left."""

    def __init__(self, axes: Axes, across: bool) -> None:
        self.axes, self.across = axes, across

    def on(self, points: Array) -> Array:
        """Floor points ``(..., 2)`` in the coordinates of the axes."""
        return points[..., ::-1] if self.across else points

    def line(self, points: Array, **style: Any) -> None:
        """A line through floor points ``(N, 2)``."""
        self.axes.plot(*self.on(points).T, **style)

    def draw(self, lowest: Array, highest: Array) -> None:
        """The axes in metres, with equal scales, over that part of the floor."""
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


def extent(tracks: Sequence[Array]) -> tuple[Array, Array]:
    """Lowest and highest (x, z) to show."""
    points = np.concatenate(tracks)
    lowest, highest = points.min(axis=0), points.max(axis=0)
    wider = np.maximum(_SMALLEST - (highest - lowest), 0) / 2 + _MARGIN
    return lowest - wider, highest + wider


def draw_shoes(plan: Plan, prints: list[Footprint], stature: float, scale: float) -> None:
    """Footprints of a body of that height, on a floor where a metre is ``scale`` inches long."""
    polygons = canvas.matplotlib_part("collections").PolyCollection
    size = max(stature, _SHOE / (LENGTH * scale))
    for side, colour in SHOES.items():
        of_side = [one for one in prints if one.side == side]
        if of_side:
            soles = plan.on(outlines(of_side, size))
            style = {"facecolor": colour, "edgecolor": "white", "linewidth": 0.5, "alpha": 0.9, "zorder": 4}
            plan.axes.add_collection(polygons(soles, label=f"{side} foot", **style))


def draw_ends(plan: Plan, track: Array) -> None:
    """Where the walk begins, and where it ends."""
    style: dict[str, Any] = {"linestyle": "none", "zorder": 7}
    # a ring, which a closed path's end does not hide
    ring = {"markerfacecolor": "none", "markeredgecolor": _START, "markeredgewidth": 2.4}
    plan.line(track[:1], marker="o", markersize=13, label="start", **ring, **style)
    plan.line(track[-1:], marker="s", markersize=7, color=canvas.INK, markeredgecolor="white", label="end", **style)


def legend(axes: Axes) -> None:
    """The legend, in one row above the axes."""
    handles, labels = axes.get_legend_handles_labels()
    style: dict[str, Any] = {"fontsize": canvas.SMALL, "labelcolor": canvas.INK, "frameon": False, "handlelength": 1.6}
    # above the floor, below the title
    axes.legend(
        handles, labels, ncols=len(handles), loc="lower center", bbox_to_anchor=(0.5, 1.0), borderaxespad=0.3, **style
    )
