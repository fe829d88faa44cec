"""The picture of a space: where its examples hit, what blends of them reach, and how reliable what lies between and around them is.

Across and height are seen from behind the performer, so that left is left on paper too. Beside it are the same hits seen from the
performer's right and from above, with the body at a hit: what blends reach is a sheet, as far out as the limb goes.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion import Motion
from kinegraph.plots import canvas
from kinegraph.plots.bones import draw_bones
from kinegraph.strikes.kinds import KINDS
from kinegraph.strikes.space import Space
from kinegraph.strikes.strike import limb_name
from kinegraph.strikes.telling import reliabilities

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches: of the map, of each view beside it, and of a line of the key.
_MAP, _VIEW, _LINE = (5.8, 6.8), (4.4, 3.25), 0.17
_KEY_COLUMNS = 6
# Of the size of the box, or of the body: what is shown around them.
_AROUND, _LITTLE = 0.3, 0.08
# Points: across an example's number, smaller where there are many.
_LARGEST, _LEAST = 13.0, 10.5
# Cells of the map of reliability along its longer side.
_CELLS = 90
# Pale where little is known; dots and lines stay readable on all of it.
_COLOURS = ("#f7f7f4", "#d9ead9", "#9ccfb8", "#4fa69a")
_HULL, _BOX, _SAMPLE = canvas.ACCENT, canvas.INK, "#1d3557"


def space_picture(space: Space, path: str | PathLike[str]) -> None:
    """Draw a space to a PNG, SVG or PDF file.

    The map of across and height shows the reliability as colour, the region of the examples, the box around it, blends as dots, and the
    examples by number. The key below gives the clip and hit frame of each, so that it can be found in its take.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> takes = [kg.samples.make(name).motion for name in kg.samples.names() if name.startswith("punch")]
    >>> file = pathlib.Path(tempfile.mkdtemp(), "space.svg")
    >>> kg.plots.space_picture(kg.strikes.build(takes, "punch"), file)
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(path)
    canvas.write(space_figure(space), target)


def space_figure(space: Space) -> Figure:
    """The figure of `space_picture`, to show or to add to."""
    lines = -(-len(space.examples) // _KEY_COLUMNS)
    key = _LINE * lines + 0.1
    figure = canvas.new_figure(_MAP[0] + _VIEW[0] + 1.9, _MAP[1] + key + 1.5)
    grid = figure.add_gridspec(
        3, 2, height_ratios=[_MAP[1] / 2, _MAP[1] / 2, key], width_ratios=[_MAP[0] + 0.6, _VIEW[0]]
    )
    axes = figure.add_subplot(grid[:2, 0])
    _draw_map(axes, space)
    _draw_side(figure.add_subplot(grid[0, 1]), space)
    _draw_above(figure.add_subplot(grid[1, 1]), space)
    _draw_key(figure.add_subplot(grid[2, :]), space)
    style: dict[str, Any] = {"fontsize": canvas.SMALL, "labelcolor": canvas.INK, "frameon": False}
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5, **style)
    figure.suptitle(_title(space), fontsize=canvas.TITLE, color=canvas.INK)
    return figure


def _draw_map(axes: Axes, space: Space) -> None:
    """Across and height, seen from behind."""
    region = space.region
    low, high = _window(region.low, region.high, _MAP[0] / _MAP[1], _AROUND)
    colours = canvas.matplotlib_part("colors").LinearSegmentedColormap.from_list("trust", _COLOURS)
    image = axes.imshow(
        _reliability(space, low, high),
        cmap=colours,
        vmin=0.0,
        vmax=1.0,
        origin="lower",
        extent=(low[0], high[0], low[1], high[1]),
        interpolation="bilinear",
        aspect="equal",
    )
    _dots(axes, space, 0, 1, f"{len(space.samples.hits):,} blends")
    corners = np.concatenate([region.corners, region.corners[:1]])
    axes.plot(*corners.T, color=_HULL, linewidth=1.8, zorder=4, label="region of the examples")
    box = np.array(
        [region.low, (region.low[0], region.high[1]), region.high, (region.high[0], region.low[1]), region.low]
    )
    axes.plot(*box.T, color=_BOX, linewidth=1.1, linestyle=(0, (5, 3)), zorder=3, label="box around it")
    _numbers(axes, space, float(high[1] - low[1]) / (72 * _MAP[1]))
    axes.set_xlim(high[0], low[0])  # X to the left
    axes.set_ylim(low[1], high[1])
    _words(axes, "from behind", "← left     X across, m     right →", "Y height, m")
    bar = axes.figure.colorbar(image, cax=axes.inset_axes((1.02, 0.0, 0.03, 1.0)))
    bar.set_label("reliability: 1 as sure as at the examples", fontsize=canvas.LABEL, color=canvas.INK)
    bar.outline.set_edgecolor(canvas.FRAME)
    canvas.quiet(bar.ax)


def _draw_side(axes: Axes, space: Space) -> None:
    """Ahead and height, seen from the performer's right, with the body at the hit in the middle."""
    _view(axes, space, 2, 1)
    axes.axhline(0.0, color=canvas.FRAME, linewidth=1.0, zorder=0)
    _words(axes, "from the right", "Z ahead, m →", "Y height, m")


def _draw_above(axes: Axes, space: Space) -> None:
    """Across and ahead, seen from above."""
    _view(axes, space, 0, 2)
    axes.invert_xaxis()
    _words(axes, "from above", "← left     X across, m     right →", "Z ahead, m →")


def _view(axes: Axes, space: Space, across: int, up: int) -> None:
    pose = _middle_pose(space)
    draw_bones(axes, pose, across, up, strong=space.examples.skeleton.chain(0, space.examples.end))
    _dots(axes, space, across, up)
    _examples(axes, space, across, up)
    shown = np.concatenate([pose.positions[0], pose.tips[0], space.samples.hits])[:, [across, up]]
    low, high = _window(shown.min(axis=0), shown.max(axis=0), _VIEW[0] / _VIEW[1], _LITTLE)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")


def _middle_pose(space: Space) -> Motion:
    """The example whose hit is the most central, at its hit: a motion of one frame."""
    examples = space.examples
    index = int(np.argmin(np.linalg.norm(examples.hits - examples.hits.mean(axis=0), axis=1)))
    at = slice(examples.hit, examples.hit + 1)
    return Motion(examples.skeleton, examples.root[index, at], examples.rotations[index, at], examples.fps)


def _dots(axes: Axes, space: Space, across: int, up: int, label: str = "") -> None:
    hits = space.samples.hits[len(space.examples) :]
    axes.scatter(
        hits[:, across], hits[:, up], s=6.0, color=_SAMPLE, alpha=0.55, linewidths=0, zorder=2, label=label or None
    )


def _examples(axes: Axes, space: Space, across: int, up: int) -> None:
    hits = space.examples.hits
    axes.scatter(hits[:, across], hits[:, up], s=16.0, color="white", edgecolors=canvas.INK, linewidths=0.8, zorder=5)


def _numbers(axes: Axes, space: Space, metres: float) -> None:
    """The examples' numbers; one that would lie on another is moved aside, tied to its place. metres: that a point of the paper is long."""
    hits = space.examples.hits[:, :2]
    across = float(np.clip(_LARGEST - 0.1 * (len(hits) - 12), _LEAST, _LARGEST))
    places = apart(hits, 1.12 * across * metres)
    lines = canvas.matplotlib_part("collections").LineCollection
    axes.add_collection(lines(np.stack([hits, places], axis=1), colors=canvas.INK, linewidths=0.8, zorder=5))
    axes.scatter(hits[:, 0], hits[:, 1], s=7.0, color=canvas.INK, linewidths=0, zorder=5)
    style: dict[str, Any] = {"color": "white", "edgecolors": canvas.INK, "linewidths": 1.0}
    axes.scatter(places[:, 0], places[:, 1], s=across**2, zorder=6, label=f"{len(hits)} examples", **style)
    for number, (x, y) in enumerate(places.tolist(), start=1):
        words: dict[str, Any] = {
            "ha": "center",
            "va": "center_baseline",
            "fontsize": 0.55 * across,
            "color": canvas.INK,
        }
        axes.text(x, y, str(number), zorder=7, **words)


def apart(points: Array, least: float) -> Array:
    """Places ``(N, 2)`` near ``points (N, 2)``, pushed apart so that no two are nearer to each other than ``least``, where possible."""
    places = np.array(points, np.float64)
    # points that coincide have no direction in which to part: each gets its own
    turns = 2.4 * np.arange(len(places))
    places += 1e-3 * least * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    for _ in range(200):
        gap = places[:, None] - places[None]
        far = np.linalg.norm(gap, axis=-1)
        np.fill_diagonal(far, np.inf)
        short = np.maximum(least - far, 0.0)
        if not short.any():
            break
        places += 0.5 * np.sum((short / far)[..., None] * gap, axis=1)
    return places


def _draw_key(axes: Axes, space: Space) -> None:
    """Number, clip and hit frame of every example, column by column."""
    axes.set_axis_off()
    strikes = space.examples.strikes
    lines = -(-len(strikes) // _KEY_COLUMNS)
    for index, strike in enumerate(strikes):
        column, line = divmod(index, lines)
        x, y = (column + 0.02) / _KEY_COLUMNS, 1.0 - (line + 0.5) / lines
        words: dict[str, Any] = {"fontsize": canvas.SMALL, "color": canvas.INK, "va": "center"}
        axes.text(x + 0.018, y, f"{index + 1}", ha="right", fontweight="bold", **words)
        axes.text(x + 0.026, y, f"{canvas.shown(strike.clip, 20)}:{strike.hit}", **words)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)


def _reliability(space: Space, low: Array, high: Array) -> Array:
    """Reliability ``(rows, columns)`` of targets across and up, at the centres of cells from ``low`` to ``high``."""
    columns, rows = np.maximum(np.rint(_CELLS * (high - low) / (high - low).max()).astype(int), 2).tolist()
    x = low[0] + (np.arange(columns) + 0.5) / columns * (high[0] - low[0])
    y = low[1] + (np.arange(rows) + 0.5) / rows * (high[1] - low[1])
    return reliabilities(space, x, y)


def _window(low: Array, high: Array, ratio: float, around: float) -> tuple[Array, Array]:
    """A window on what lies between two corners, with a share of room around it, as wide as ``ratio`` of its height."""
    middle, half = (low + high) / 2, (high - low) * (0.5 + around)
    half = np.array([max(half[0], half[1] * ratio), max(half[1], half[0] / ratio)])
    return middle - half, middle + half


def _words(axes: Axes, title: str, across: str, up: str) -> None:
    canvas.quiet(axes)
    style: dict[str, Any] = {"fontsize": canvas.LABEL, "color": canvas.INK}
    axes.set_title(title, **style)
    axes.set_xlabel(across, **style)
    axes.set_ylabel(up, **style)


def _title(space: Space) -> str:
    examples = space.examples
    clips = len({strike.clip for strike in examples.strikes})
    limb = limb_name(examples.kind, examples.side)
    strikes = f"{len(examples)} {KINDS[examples.kind].plural} with the {limb}"
    return f"{canvas.shown(space.name, 40)}: {strikes}, of {clips} clip{'' if clips == 1 else 's'}"
