"""The distance picture: how similar two clips are at every pair of moments, with the local minima marked."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinegraph.plots import canvas
from kinegraph.similarity.minima import Minima

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Even steps of lightness, and readable with every common kind of colour blindness. Reversed: light is near.
_COLOURS = "viridis_r"
# Clips more unlike in length than this are drawn with axes of different scales.
_MOST_UNEQUAL = 3.0
# Inches: of the map's longer side, of its least height or width, and of what stands around it.
_LONG, _SHORT = 7.8, 3.2
_MARGIN_X, _MARGIN_Y, _LEAST_WIDTH = 2.4, 1.6, 9.0
# Area of a mark in points²: of one, and what all of them may cover together.
_MARK, _MARKS = 42.0, 6000.0


def distance_picture(
    matrix_cm: NDArray[np.floating],
    minima: Minima,
    *,
    names: tuple[str, str],
    fps: float,
    threshold_cm: float | None = None,
    path: str | PathLike[str],
) -> None:
    """Draw the distances of all windows of clip A (upwards) and clip B (to the right) as a map, to a PNG, SVG or PDF file.

    matrix_cm: ``(n_a, n_b)``, distances in centimetres by the windows' first frames; what is not finite stays blank. minima: their local
    minima, with costs in metres. names: of A and of B. fps: frames per second of both. threshold_cm: minima up to this are marked by full
    dots and the others by rings; without it, all dots are full.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> clips = [kg.samples.make(name).motion.resample(30) for name in ("walk", "run")]
    >>> made = kg.similarity.distance_map(clips, window=10)
    >>> file = pathlib.Path(tempfile.mkdtemp(), "distance.svg")
    >>> kg.plots.distance_picture(made.centimetres, made.minima, names=("walk", "run"), fps=30, path=file)
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(path)
    canvas.write(distance_figure(matrix_cm, minima, names=names, fps=fps, threshold_cm=threshold_cm), target)


def distance_figure(
    matrix_cm: NDArray[np.floating],
    minima: Minima,
    *,
    names: tuple[str, str],
    fps: float,
    threshold_cm: float | None = None,
) -> Figure:
    """The figure of `distance_picture`, to show or to add to."""
    rows, columns = matrix_cm.shape
    width, height, aspect = _size(rows, columns)
    figure = canvas.new_figure(width, height)
    axes = figure.add_subplot()
    axes.set_facecolor("#f1f2f4")
    image = axes.imshow(
        np.ma.masked_invalid(matrix_cm),
        cmap=_COLOURS,
        origin="lower",
        aspect=aspect,
        extent=(-0.5, columns - 0.5, -0.5, rows - 0.5),
    )
    _scales(axes, names, fps)
    bar = figure.colorbar(image, ax=axes, pad=0.02, fraction=0.06, aspect=28)
    bar.set_label("distance of the windows, cm (lighter = more alike)", fontsize=canvas.LABEL, color=canvas.INK)
    bar.ax.tick_params(labelsize=canvas.SMALL, color=canvas.FRAME, labelcolor=canvas.INK)
    bar.outline.set_edgecolor(canvas.FRAME)
    low, high = image.get_clim()
    if threshold_cm is not None and (low or 0) <= threshold_cm <= (high or 0):
        bar.ax.axhline(threshold_cm, color=canvas.ACCENT, linewidth=2)
    if len(minima):
        _marks(axes, minima, threshold_cm)
        style: dict[str, Any] = {"fontsize": canvas.SMALL, "labelcolor": canvas.INK, "frameon": False}
        figure.legend(loc="outside lower center", ncols=2, **style)
    axes.set_title(_title(minima, names), fontsize=canvas.TITLE, color=canvas.INK, pad=10)
    return figure


def _size(rows: int, columns: int) -> tuple[float, float, Literal["auto", "equal"]]:
    """Width and height of the figure in inches, and whether frames of A and of B are drawn equally long."""
    ratio = rows / columns
    if not 1 / _MOST_UNEQUAL <= ratio <= _MOST_UNEQUAL:
        tall = ratio > 1
        across, up = (5.5, _LONG) if tall else (_LONG, _SHORT)
        return max(across + _MARGIN_X, _LEAST_WIDTH), up + _MARGIN_Y, "auto"
    across = min(_LONG, _LONG / ratio)
    return max(across + _MARGIN_X, _LEAST_WIDTH), across * ratio + _MARGIN_Y, "equal"


def _scales(axes: Axes, names: tuple[str, str], fps: float) -> None:
    """Frames at the left and below, seconds at the right and above."""

    def seconds(frames: ArrayLike) -> ArrayLike:
        return np.asarray(frames) / fps

    def frames(times: ArrayLike) -> ArrayLike:
        return np.asarray(times) * fps

    canvas.quiet(axes)
    a, b = map(canvas.shown, names)
    style: dict[str, Any] = {"fontsize": canvas.LABEL, "color": canvas.INK}
    axes.set_ylabel(f"{a}: first frame of the window", **style)
    axes.set_xlabel(f"{b}: first frame of the window", **style)
    above = axes.secondary_xaxis("top", functions=(seconds, frames))
    beside = axes.secondary_yaxis("right", functions=(seconds, frames))
    above.set_xlabel("seconds", **style)
    beside.set_ylabel("seconds", **style)
    for axis in (above, beside):
        axis.tick_params(labelsize=canvas.SMALL, color=canvas.FRAME, labelcolor=canvas.INK)


def _marks(axes: Axes, minima: Minima, threshold_cm: float | None) -> None:
    """Dots on the minima up to the threshold, rings on the others; smaller where there are many."""
    near = np.ones(len(minima), bool) if threshold_cm is None else 100 * minima.cost <= threshold_cm
    area = float(np.clip(_MARKS / len(minima), 5.0, _MARK))
    count = int(near.sum())
    label = f"{count:,} local {'minimum' if count == 1 else 'minima'}"
    label += "" if threshold_cm is None else f" up to {threshold_cm:g} cm"
    x, y = minima.second[near], minima.first[near]
    # a minimum on the border shows whole
    style: dict[str, Any] = {"s": area, "clip_on": False}
    axes.scatter(x, y, color=canvas.ACCENT, edgecolors="white", linewidths=0.8, zorder=4, label=label, **style)
    if count < len(minima):
        x, y = minima.second[~near], minima.first[~near]
        # a white rim keeps the rings visible on dark and on light ground
        axes.scatter(x, y, facecolors="none", edgecolors="white", linewidths=2.6, zorder=2, **style)
        ring = axes.scatter(x, y, facecolors="none", edgecolors=canvas.ACCENT, linewidths=1.3, zorder=3, **style)
        ring.set_label(f"{len(minima) - count:,} above {threshold_cm:g} cm")


def _title(minima: Minima, names: tuple[str, str]) -> str:
    a, b = map(canvas.shown, names)
    if not len(minima):
        return f"{a} × {b}: no minima"
    best = int(np.argmin(minima.cost))
    place = f"({minima.first[best]}, {minima.second[best]})"
    count = f"{len(minima):,} minima, smallest" if len(minima) > 1 else "1 minimum,"
    return f"{a} × {b}: {count} {100 * minima.cost[best]:.1f} cm at {place}"
