"""Charts that several experiments draw: curves over a number, tracks on the floor, and pictures below one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kinegraph.arrays import Array, Longs
from kinegraph.plots import canvas
from kinegraph.rendering.extras import pillow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from PIL.Image import Image

COLOURS = ("#1f6f8b", "#c2185b", "#b07d2b", "#2e7d4f", "#6a4c93", "#8a93a0", "#d1495b", "#3d5a80", "#7f7f2a")


def axes_of(figure: Figure, rows: int = 1, columns: int = 1) -> list[Axes]:
    """Quiet axes in a grid, row by row."""
    found = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for axes in found:
        canvas.quiet(axes)
        axes.grid(color="#eef0f3", linewidth=0.8)
        axes.set_axisbelow(True)
    return found


def label(axes: Axes, x: str, y: str, title: str = "") -> None:
    """Names of the axes."""
    style: dict[str, Any] = {"fontsize": canvas.LABEL, "color": canvas.INK}
    axes.set_xlabel(x, **style)
    axes.set_ylabel(y, **style)
    if title:
        axes.set_title(title, **style)


def legend(axes: Axes) -> None:
    """A legend without a frame."""
    axes.legend(fontsize=canvas.SMALL, frameon=False, labelcolor=canvas.INK)


def curves(
    file: Path, x: ArrayLike, lines: Mapping[str, ArrayLike], *, across: str, up: str, marked: bool = True
) -> None:
    """Lines over one number, to a picture."""
    figure = canvas.new_figure(6.4, 3.6)
    (axes,) = axes_of(figure)
    for (name, values), colour in zip(lines.items(), COLOURS, strict=False):
        axes.plot(x, values, color=colour, marker="o" if marked else "", markersize=4, linewidth=1.6, label=name)
    label(axes, across, up)
    axes.set_ylim(bottom=min(0.0, *(float(np.min(np.asarray(values))) for values in lines.values())))
    if len(lines) > 1:
        legend(axes)
    canvas.write(figure, file)


def tracks(file: Path, lines: Mapping[str, Array], *, thick: str = "") -> None:
    """Tracks ``(F, 2)`` on the floor seen from above. thick: the one that all others are to follow."""
    figure = canvas.new_figure(8.0, 3.6)
    (axes,) = axes_of(figure)
    floor(axes, lines, thick=thick)
    figure.legend(loc="outside right upper", fontsize=canvas.SMALL, frameon=False, labelcolor=canvas.INK)
    canvas.write(figure, file)


def panels(file: Path, plans: Mapping[str, Mapping[str, Array]], *, thick: str = "") -> None:
    """Several floors beside one another, each with a title."""
    figure = canvas.new_figure(3.2 * len(plans), 3.6)
    found = axes_of(figure, 1, len(plans))
    for axes, (title, lines) in zip(found, plans.items(), strict=True):
        floor(axes, lines, thick=thick)
        axes.set_title(title, fontsize=canvas.LABEL, color=canvas.INK)
    handles, labels = found[0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=4,
        fontsize=canvas.SMALL,
        frameon=False,
        labelcolor=canvas.INK,
    )
    canvas.write(figure, file)


def floor(axes: Axes, lines: Mapping[str, Array], *, thick: str = "") -> None:
    """Tracks seen from above, the longer side across: left is left of who walks."""
    every = np.concatenate(list(lines.values()))
    along_z = np.ptp(every[:, 1]) >= np.ptp(every[:, 0])
    colours = iter(COLOURS)
    for name, points in lines.items():
        style: dict[str, Any] = (
            {"color": "#f0b429", "linewidth": 5, "alpha": 0.6}
            if name == thick
            else {"color": next(colours), "linewidth": 1.4}
        )
        # +X is to the left of who faces +Z: upwards where he goes to the right on paper
        axes.plot(*(points[:, ::-1] if along_z else points).T, label=name, **style)
    if not along_z:
        axes.invert_xaxis()
    axes.set_aspect("equal", adjustable="datalim")
    label(axes, *(("z, m", "x, m") if along_z else ("x, m", "z, m")))


def matrix(axes: Axes, costs: Array, minima: Array | Longs, *, most: float | None = None) -> None:
    """A distance matrix as the papers draw it: light is near; what costs more than ``most`` is black; green dots are minima."""
    axes.grid(visible=False)
    shown = costs if most is None else np.minimum(costs, most)
    axes.imshow(-shown, cmap=greys(), origin="lower", aspect="auto")
    axes.plot(minima[:, 1], minima[:, 0], ".", color="#2ecc40", markersize=4)


def greys() -> Any:
    """Few shades of grey: colours beside them stay what they are when a picture is kept in few colours."""
    return canvas.matplotlib_part("").colormaps["gray"].resampled(24)


def stacked(file: Path, strips: Sequence[tuple[str, Image]]) -> None:
    """Strips of poses below one another, each with a line of text above it."""
    image = pillow("strips of poses below one another")
    from PIL import ImageDraw, ImageFont

    line = 20
    width = max(strip.width for _, strip in strips)
    whole = image.new("RGB", (width, sum(strip.height + line for _, strip in strips)), "white")
    pen, font, top = ImageDraw.Draw(whole), ImageFont.load_default(13), 0
    for said, strip in strips:
        pen.text((6, top + 2), said, fill=canvas.INK, font=font)
        whole.paste(strip.convert("RGB"), (0, top + line))
        top += strip.height + line
    whole.save(file)
