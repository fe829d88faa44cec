"""The picture of an edited path, from above: the captured clip, the new path, the body's way along it and its footprints.

On hills, the same way is also drawn from the side. The clip is drawn from where the new path begins, heading the same way, so that the two
can be compared.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Array, Indices
from kinegraph.motion.clip import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.hills import Terrain
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.ends import Laps, Onward
from kinegraph.plots import canvas
from kinegraph.plots.plan import SHOES, Plan, draw_ends, draw_shoes, extent, legend
from kinegraph.plots.shoes import footprints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches: width of the picture, what titles and scales take of it, and between which heights the floor and the side view stay.
_WIDTH, _BESIDE = 9.0, 1.1
_LOWEST, _TALLEST = 1.2, 6.0
_SIDE_LOWEST, _SIDE_TALLEST = 1.4, 3.0
_CAPTURED = "#b4bac3"
_ASKED = "#4f6d8f"
_GROUND = "#ece7df"
_SOIL = "#a89b86"
# Metres along the path between the points that are drawn of it, and about the side view.
_STEP, _MARGIN = 0.05, 0.3
# Poses in the side view: at most so many, and no nearer together than so many metres.
_POSES, _APART = 14, 0.45


def repath_picture(
    source: Motion, made: Repathed, file: str | PathLike[str], *, asked: Curve | None = None, title: str = ""
) -> None:
    """Draw a clip on its new path to a PNG, SVG or PDF file. asked: the path before its corners were rounded.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> walk = kg.samples.make("walk").motion
    >>> file = pathlib.Path(tempfile.mkdtemp(), "repath.svg")
    >>> kg.plots.repath_picture(walk, kg.paths.repath(walk, "circle:2"), file)
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(file)
    canvas.write(repath_figure(source, made, asked=asked, title=title), target)


def repath_figure(source: Motion, made: Repathed, *, asked: Curve | None = None, title: str = "") -> Figure:
    """The figure of `repath_picture`, to show or to add to."""
    own, captured = _as_captured(source, made)
    path = _line(made.curve if asked is None else asked)
    track = made.motion.root[:, [0, 2]]
    contacts = made.contacts
    prints = [] if contacts is None else footprints(made.motion, contacts)
    lowest, highest = extent([captured, path, track, *(one.place[None] for one in prints)])
    across = bool(highest[1] - lowest[1] >= highest[0] - lowest[0])  # +Z to the right of the picture, else upwards
    size = (highest - lowest)[::-1] if across else highest - lowest
    height = float(np.clip((_WIDTH - _BESIDE) * size[1] / size[0], _LOWEST, _TALLEST))
    scale = min((_WIDTH - _BESIDE) / size[0], height / size[1])  # inches a metre
    heights = [height, *([] if made.terrain is None else [_side_height(made, made.terrain)])]
    figure = canvas.new_figure(_WIDTH, sum(heights) + 0.6 + 0.6 * len(heights))
    grid = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    floor = figure.add_subplot(grid[0])
    plan = Plan(floor, across)
    plan.draw(lowest, highest)
    plan.line(captured, color=_CAPTURED, linewidth=1.2, zorder=2, label="captured")
    plan.line(own, color=_CAPTURED, linewidth=1.2, linestyle=(0, (5, 3)), zorder=2, label="its path")
    plan.line(path, color=_ASKED, linewidth=1.0, zorder=3, label="new path")
    draw_shoes(plan, prints, made.motion.skeleton.stature, scale)
    plan.line(track, color=canvas.INK, linewidth=1.4, zorder=5, label="body")
    draw_ends(plan, track)
    if title:
        figure.suptitle(canvas.shown(title, 100), fontsize=canvas.TITLE, color=canvas.INK)
    legend(floor)
    if made.terrain is not None:
        _draw_side(figure.add_subplot(grid[1]), made, made.terrain)
    return figure


def _as_captured(source: Motion, made: Repathed) -> tuple[Array, Array]:
    """Path ``(N, 2)`` and root ``(F, 2)`` of the clip, brought to where the new path begins."""
    frames = None if made.loop is None else made.loop.last
    begin, end = made.source, made.frame
    to_origin = FloorTransform(-float(begin.heading[0])) @ FloorTransform(0.0, *(-begin.points[0]).tolist())
    there = FloorTransform(float(end.heading[0]), *end.points[0].tolist()) @ to_origin
    own, root = made.source.points[:frames], source.root[:, [0, 2]]
    both = np.concatenate([own, root])
    moved = there.apply(np.insert(both, 1, 0.0, axis=1))[:, [0, 2]]
    return moved[: len(own)], moved[len(own) :]


def _line(curve: Curve) -> Array:
    """Points ``(N, 2)`` along a curve."""
    return curve.at(np.linspace(0.0, curve.length, max(2, int(np.ceil(curve.length / _STEP)) + 1)))


# -- from the side -------------------------------------------------------------------------------------------------------


def _draw_side(axes: Axes, made: Repathed, terrain: Terrain) -> None:
    """Heights over the metres along the path: ground, pelvis, ankles, and some poses; both to one scale."""
    canvas.quiet(axes)
    axes.spines[["top", "right"]].set_visible(False)
    (left, right), (bottom, top) = _side_extent(made, terrain)
    s = np.linspace(left, right, max(2, int(np.ceil((right - left) / _STEP)) + 1))
    # feet stand a little before the beginning of the path and past its end: straight on
    way = made.curve if isinstance(made.curve, Laps) else Onward(made.curve)
    ground = terrain.under(way.at(s), s)
    axes.fill_between(s, ground, bottom, color=_GROUND, linewidth=0, zorder=1)
    axes.plot(s, ground, color=_SOIL, linewidth=1.2, zorder=2, label="ground")
    _draw_poses(axes, made)
    axes.plot(made.s, made.motion.root[:, 1], color=canvas.INK, linewidth=1.2, zorder=5, label="pelvis")
    for side, colour in SHOES.items():
        if made.motion.skeleton.has_roles(f"{side}_ankle"):
            ankle = made.motion.position(f"{side}_ankle")
            ahead = _ahead(made, ankle[:, None])[:, 0]
            axes.plot(ahead, ankle[:, 1], color=colour, linewidth=1.0, zorder=4, label=f"{side} ankle")
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_aspect("equal")
    axes.set_xlabel("metres along the path", fontsize=canvas.LABEL, color=canvas.INK)
    axes.set_ylabel("height, m", fontsize=canvas.LABEL, color=canvas.INK)
    legend(axes)


def _side_extent(made: Repathed, terrain: Terrain) -> tuple[tuple[float, float], tuple[float, float]]:
    """From where to where the side view reaches along the path, and in height."""
    ground = terrain.along(made.s)
    head = float(made.motion.positions[..., 1].max())
    return (
        (float(made.s.min()) - 2 * _MARGIN, float(made.s.max()) + 2 * _MARGIN),
        (float(ground.min()) - _MARGIN, head + _MARGIN),
    )


def _side_height(made: Repathed, terrain: Terrain) -> float:
    """Inches that the side view takes."""
    (left, right), (bottom, top) = _side_extent(made, terrain)
    return float(np.clip((_WIDTH - _BESIDE) * (top - bottom) / (right - left), _SIDE_LOWEST, _SIDE_TALLEST))


def _ahead(made: Repathed, points: Array) -> Array:
    """Metres along the path ``(F, …)`` of ``points (F, …, 3)``: where the body is, and how far ahead of it they are."""
    heading = made.frame.heading
    way = np.stack([np.sin(heading), np.cos(heading)], axis=-1)[:, None]
    apart = points[..., [0, 2]] - made.frame.points[:, None]
    metres: Array = made.s[:, None] + np.sum(apart * way, axis=-1)
    return metres


def _draw_poses(axes: Axes, made: Repathed) -> None:
    """The body at moments that are evenly spaced along the path, its left leg and right leg in their colours."""
    lines = canvas.matplotlib_part("collections").LineCollection
    motion, skeleton = made.motion, made.motion.skeleton
    count = int(np.clip((made.s[-1] - made.s[0]) / _APART, 1, _POSES))
    frames = np.unique(np.searchsorted(made.s, np.linspace(made.s[0], made.s[-1], count + 1)[:-1] + 0.02))
    frames = np.minimum(frames, len(motion) - 1)
    parents = np.array(skeleton.parents)
    joints = np.flatnonzero(parents >= 0)
    places = np.stack([_ahead(made, motion.positions), motion.positions[..., 1]], axis=-1)[frames]
    tips = np.stack([_ahead(made, motion.tips), motion.tips[..., 1]], axis=-1)[frames]
    begins = places[:, np.concatenate([parents[joints], skeleton.tip_parents])]
    bones = np.stack([begins, np.concatenate([places[:, joints], tips], axis=1)], axis=2)
    owner = np.concatenate([joints, skeleton.tip_parents])
    style: dict[str, Any] = {"linewidths": 1.5, "capstyle": "round", "zorder": 3}
    legs = {side: _below(parents, skeleton.roles.get(f"{side}_knee")) for side in SHOES}
    rest = ~np.isin(owner, [joint for leg in legs.values() for joint in leg])
    axes.add_collection(lines(bones[:, rest].reshape(-1, 2, 2), colors=_CAPTURED, **style))
    for side, leg in legs.items():
        of_leg = bones[:, np.isin(owner, leg)].reshape(-1, 2, 2)
        axes.add_collection(lines(of_leg, colors=[SHOES[side]], **style))


def _below(parents: Indices, joint: int | None) -> list[int]:
    """A joint and all that hang from it."""
    if joint is None:
        return []
    found = [joint]
    for child in range(joint + 1, len(parents)):
        if parents[child] in found:
            found.append(child)
    return found
