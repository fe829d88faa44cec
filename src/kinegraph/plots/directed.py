"""The picture of a scene: its keys on the floor, the way that was walked through them, and labels by time, asked and given."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Bools
from kinegraph.motion.clip import Motion
from kinegraph.paths.moving import track_of
from kinegraph.plots import canvas
from kinegraph.plots.plan import Plan, draw_ends, draw_shoes, extent, legend
from kinegraph.plots.shoes import footprints
from kinegraph.plots.walked import LabelsAlong, corners, draw_labels, draw_obstacles, draw_ticks
from kinegraph.walks.request import Box, Disc

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kinegraph.scenes.scene import Key, StrikeAt

# Inches: width of the picture, what titles and scales take of it, the strip below, and between which heights the floor stays.
_WIDTH, _BESIDE, _STRIP = 11.0, 1.1, 1.3
_LOWEST, _TALLEST = 1.6, 8.5
# metres: how long the arrow of a heading is
_ARROW = 0.6


def directed_picture(
    motion: Motion,
    contacts: Bools,
    keys: Sequence[Key],
    file: str | PathLike[str],
    *,
    labels: LabelsAlong | None = None,
    transitions: Sequence[tuple[int, int]] = (),
    obstacles: Sequence[Disc | Box] = (),
    strikes: Sequence[StrikeAt] = (),
    title: str = "",
) -> None:
    """Draw a scene and the motion that was made for it to a PNG, SVG or PDF file.

    contacts: ``(F, 4)``. labels: by seconds. transitions: frames (first, past the last) of each.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> walk = kg.samples.make("walk")
    >>> file = pathlib.Path(tempfile.mkdtemp(), "scene.svg")
    >>> kg.plots.directed_picture(walk.motion, walk.contacts, [kg.scenes.Key(1.0, (0.0, 1.2), 0.0)], file)
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(file)
    canvas.write(_figure(motion, contacts, keys, labels, transitions, obstacles, strikes, title), target)


def _figure(
    motion: Motion,
    contacts: Bools,
    keys: Sequence[Key],
    labels: LabelsAlong | None,
    transitions: Sequence[tuple[int, int]],
    obstacles: Sequence[Disc | Box],
    strikes: Sequence[StrikeAt],
    title: str,
) -> Figure:
    track = track_of(motion)
    places = np.array([key.at for key in keys]).reshape(-1, 2)
    targets = np.array([[one.target[0], one.target[2]] for one in strikes]).reshape(-1, 2)
    prints = footprints(motion, contacts)
    lowest, highest = extent([track, places, targets, *map(corners, obstacles)])
    across = bool(highest[1] - lowest[1] >= highest[0] - lowest[0])
    size = (highest - lowest)[::-1] if across else highest - lowest
    height = float(np.clip((_WIDTH - _BESIDE) * size[1] / size[0], _LOWEST, _TALLEST))
    heights = [height] if labels is None else [height, _STRIP]
    figure = canvas.new_figure(_WIDTH, sum(heights) + 1.2)
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    floor = figure.add_subplot(grid[0])
    plan = Plan(floor, across)
    plan.draw(lowest, highest)
    draw_obstacles(plan, obstacles)
    draw_shoes(plan, prints, motion.skeleton.stature, min((_WIDTH - _BESIDE) / size[0], height / size[1]))
    plan.line(track, color=canvas.INK, linewidth=1.4, zorder=5, label="walked")
    draw_ticks(plan, track, transitions)
    draw_ends(plan, track)
    _draw_keys(plan, keys, places)
    _draw_strikes(plan, strikes, targets)
    if title:
        floor.set_title(canvas.shown(title, 110), fontsize=canvas.TITLE, color=canvas.INK, pad=26)
    legend(floor)
    if labels is not None:
        seconds = np.arange(len(motion)) / motion.fps
        draw_labels(figure.add_subplot(grid[1]), labels, seconds, float(seconds[-1]), "seconds")
    return figure


def _draw_keys(plan: Plan, keys: Sequence[Key], places: Any) -> None:
    """A diamond at each key, with its time and an arrow where it is to face."""
    if not len(keys):
        return
    style: dict[str, Any] = {"linestyle": "none", "zorder": 8}
    plan.line(places, marker="D", markersize=8, color=canvas.ACCENT, markeredgecolor="white", label="key", **style)
    for key, place in zip(keys, places, strict=True):
        x, y = plan.on(place)
        when = "" if key.time is None else f"  {key.time:.4g} s"
        plan.axes.annotate(when, (x, y), fontsize=canvas.SMALL, color=canvas.ACCENT, va="bottom", zorder=9)
        if key.heading is None:
            continue
        end = plan.on(place + _ARROW * np.array([np.sin(key.heading), np.cos(key.heading)]))
        arrow = {"arrowstyle": "-|>", "color": canvas.ACCENT, "linewidth": 1.6}
        plan.axes.annotate("", tuple(end), (x, y), arrowprops=arrow, zorder=8)


def _draw_strikes(plan: Plan, strikes: Sequence[StrikeAt], targets: Any) -> None:
    """A star at each target, with its time and height."""
    if not len(strikes):
        return
    style: dict[str, Any] = {"linestyle": "none", "zorder": 8}
    plan.line(targets, marker="*", markersize=14, color=canvas.ACCENT, markeredgecolor="white", label="target", **style)
    for number, (one, place) in enumerate(zip(strikes, targets, strict=True)):
        # targets of a chain lie close together
        offset = (8, 4 - 11 * (number % 3))
        text = f"{one.time:.4g} s, {one.target[1]:.2f} m high"
        plan.axes.annotate(
            text,
            tuple(plan.on(place)),
            offset,
            textcoords="offset points",
            fontsize=canvas.SMALL,
            color=canvas.ACCENT,
            zorder=9,
        )
