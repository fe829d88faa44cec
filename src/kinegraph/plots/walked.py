"""The picture of a walk: the path that was asked for, the way that was walked, where the feet stood, and how far path and way are apart.

The floor is drawn so that a turn to the left is also one to the left on paper. The longer side is horizontal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinegraph.arrays import Array, Bools
from kinegraph.motion.clip import Motion
from kinegraph.motion.spans import spans
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path
from kinegraph.plots import canvas
from kinegraph.plots.plan import Plan, draw_ends, draw_shoes, extent, legend
from kinegraph.plots.shoes import footprints
from kinegraph.plots.tracks import OTHER, label_colours
from kinegraph.walks.request import Box, Disc, Pause

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches: width of the picture, what titles and scales take of it, the strips below, and between which heights the floor stays.
_WIDTH, _BESIDE, _STRIP, _LABELS = 11.0, 1.1, 1.9, 1.2
_LOWEST, _TALLEST = 1.4, 8.5
# Metres: half the length of a transition's tick.
_TICK = 0.11
_DRAWN = "#cfd5dd"
_BLOCKED = "#e8e4df"


@dataclass(frozen=True)
class LabelsAlong:
    """Labels along a path, as they were asked for and as they came."""

    asked: Sequence[tuple[str, float, float]]
    """Label, and from where to where, in metres."""
    given: Mapping[str, Bools]
    """Label → the frames ``(F,)`` that bear it."""
    pauses: Sequence[Pause] = ()


def walked_picture(
    motion: Motion,
    contacts: NDArray[np.bool_],
    file: str | PathLike[str],
    *,
    path: Path | None = None,
    transitions: Sequence[tuple[int, int]] = (),
    obstacles: Sequence[Disc | Box] = (),
    labels: LabelsAlong | None = None,
    title: str = "",
) -> None:
    """Draw where a motion went to a PNG, SVG or PDF file.

    contacts: ``(F, 4)``, when heels and balls stand. path: the one that was asked for; the deviation from it is drawn below. transitions:
    frames (first, past the last) of each. labels: along the path, asked and given; a strip shows both.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> walk = kg.samples.make("walk")
    >>> file = pathlib.Path(tempfile.mkdtemp(), "walk.svg")
    >>> kg.plots.walked_picture(walk.motion, walk.contacts, file, path=kg.paths.read("line:6"))
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(file)
    figure = walked_figure(
        motion, contacts, path=path, transitions=transitions, obstacles=obstacles, labels=labels, title=title
    )
    canvas.write(figure, target)


def walked_figure(
    motion: Motion,
    contacts: NDArray[np.bool_],
    *,
    path: Path | None = None,
    transitions: Sequence[tuple[int, int]] = (),
    obstacles: Sequence[Disc | Box] = (),
    labels: LabelsAlong | None = None,
    title: str = "",
) -> Figure:
    """The figure of `walked_picture`, to show or to add to."""
    track = track_of(motion)
    prints = footprints(motion, contacts)
    shown = [track, *([] if path is None else [path.points]), *map(corners, obstacles)]
    lowest, highest = extent([*shown, *(one.place[None] for one in prints)])
    across = bool(highest[1] - lowest[1] >= highest[0] - lowest[0])  # +Z to the right of the picture, else upwards
    size = (highest - lowest)[::-1] if across else highest - lowest
    height = float(np.clip((_WIDTH - _BESIDE) * size[1] / size[0], _LOWEST, _TALLEST))
    scale = min((_WIDTH - _BESIDE) / size[0], height / size[1])  # inches a metre
    heights = [height]
    if path is not None:
        heights += [_STRIP] if labels is None else [_STRIP, _LABELS]
    figure = canvas.new_figure(_WIDTH, sum(heights) + 1.2)
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    floor = figure.add_subplot(grid[0])
    plan = Plan(floor, across)
    plan.draw(lowest, highest)
    draw_obstacles(plan, obstacles)
    if path is not None:
        plan.line(path.points, color=_DRAWN, linewidth=6, zorder=2, label="drawn", solid_capstyle="round")
    draw_shoes(plan, prints, motion.skeleton.stature, scale)
    plan.line(track, color=canvas.INK, linewidth=1.4, zorder=5, label="walked")
    draw_ticks(plan, track, transitions)
    draw_ends(plan, track)
    if title:
        floor.set_title(canvas.shown(title, 110), fontsize=canvas.TITLE, color=canvas.INK, pad=26)
    legend(floor)
    if path is not None:
        off, along = path.track(track)
        _draw_strip(figure.add_subplot(grid[1]), 100 * off, motion.fps, transitions)
        if labels is not None:
            draw_labels(figure.add_subplot(grid[2]), labels, along, path.length)
    return figure


def corners(thing: Disc | Box) -> Array:
    """Lowest and highest (x, z) of an obstacle."""
    if isinstance(thing, Disc):
        return np.array(
            [[thing.x - thing.radius, thing.z - thing.radius], [thing.x + thing.radius, thing.z + thing.radius]]
        )
    return np.array([[thing.x, thing.z], [thing.x + thing.width, thing.z + thing.depth]])


def draw_ticks(plan: Plan, track: Array, transitions: Sequence[tuple[int, int]]) -> None:
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


def draw_obstacles(plan: Plan, obstacles: Sequence[Disc | Box]) -> None:
    """Where nobody can go."""
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


def draw_labels(
    axes: Axes, labels: LabelsAlong, along: Array, length: float, scale: str = "metres along the path"
) -> None:
    """Labels by metres along the path, or by another scale: above as they were asked for, below as the frames bear them, ``along (F,)``."""
    canvas.quiet(axes)
    axes.spines[["top", "right"]].set_visible(False)
    names = list(dict.fromkeys(label for label, _, _ in labels.asked))
    colours = label_colours([[(name, 0, len(names) - number) for number, name in enumerate(names)]])
    given = [
        (name, float(along[first]), float(along[last - 1]))
        for name, borne in labels.given.items()
        for first, last in spans(borne)
    ]
    for row, stretches in ((1.0, labels.asked), (0.0, given)):
        for name, first, last in stretches:
            wide = max(last - first, 0.004 * length)
            axes.barh(row, wide, left=first, height=0.7, color=colours.get(name, OTHER), linewidth=0)
            if wide > 0.05 * length:
                axes.text(first + wide / 2, row, name, ha="center", va="center", fontsize=canvas.SMALL, color="white")
    for pause in labels.pauses:
        axes.axvline(pause.at, color=canvas.ACCENT, linewidth=1.2)
        axes.text(
            pause.at, 1.45, f" {pause.seconds:g} s", fontsize=canvas.SMALL, color=canvas.ACCENT, va="bottom", ha="left"
        )
    axes.set_xlim(0, length)
    axes.set_ylim(-0.5, 1.5)
    axes.set_yticks([1, 0], ["asked", "given"])
    axes.set_xlabel(scale, fontsize=canvas.LABEL, color=canvas.INK)
