"""A rigged mesh from the front and from the side, with the roles that its joints were given."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from kinegraph.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from kinegraph.characters import Sketch

# Vertices that are drawn at most: a silhouette needs no more.
_MOST = 8000
# Bodies' sizes within which skin is drawn.
_FAR = 5.0
_COLOURS = {"by hand": canvas.ACCENT, "VRM": "#1b7f5c", "names": "#1565c0", "shape": "#e07b00"}
_LEFT, _RIGHT = "left", "right"


def save(sketch: Sketch, path: str | PathLike[str]) -> None:
    """Draw joints, bones and roles. A role's colour says how it was found: by hand, from a VRM, by names or by shape.

    >>> import pathlib, tempfile
    >>> import kinegraph as kg
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> kg.save(kg.samples.make("stand").motion, folder / "hero.glb")
    >>> save(kg.characters.sketch(folder / "hero.glb"), folder / "roles.png")
    """
    figure = canvas.new_figure(12.0, 8.0)
    wide, narrow = figure.subplots(1, 2, sharey=True, width_ratios=[2.2, 1.0])
    _view(wide, sketch, 0, named=True)
    _view(narrow, sketch, 2, named=False)
    wide.set_title(
        f"{canvas.shown(sketch.name)}: {len(sketch.roles.joints)} of 21 roles", fontsize=canvas.TITLE, color=canvas.INK
    )
    used = dict.fromkeys(sketch.roles.how.values())
    for how in used:
        wide.scatter([], [], s=30, color=_COLOURS[how], label=how)
    wide.scatter([], [], s=8, color=canvas.PALE, label="no role")
    wide.legend(fontsize=canvas.SMALL, frameon=False, loc="upper right")
    missing = ", ".join(sketch.roles.missing)
    wide.set_xlabel(f"not found: {missing}" if missing else "front", fontsize=canvas.SMALL, color=canvas.INK, wrap=True)
    narrow.set_xlabel("side", fontsize=canvas.SMALL, color=canvas.INK)
    canvas.write(figure, path)


def _view(axes: Axes, sketch: Sketch, across: int, *, named: bool) -> None:
    # seen from the front, the left of the body is on the right
    places = sketch.places
    # skin that a damaged file has far away would make the body a dot
    size = max(float(np.ptp(places, axis=0).max()), 1e-9)
    mesh = sketch.mesh[(np.abs(sketch.mesh - places.mean(axis=0)) < _FAR * size).all(axis=1)]
    step = max(1, len(mesh) // _MOST)
    axes.scatter(mesh[::step, across], mesh[::step, 1], s=1.5, color=canvas.FRAME, linewidths=0)
    for joint, parent in enumerate(sketch.parents):
        if parent >= 0:
            ends = places[[parent, joint]]
            axes.plot(ends[:, across], ends[:, 1], color=canvas.PALE, linewidth=0.8, zorder=2)
    taken = set(sketch.roles.joints.values())
    others = [joint for joint in range(len(places)) if joint not in taken]
    axes.scatter(places[others, across], places[others, 1], s=6, color=canvas.PALE, zorder=3)
    for role, joint in sketch.roles.joints.items():
        colour = _COLOURS[sketch.roles.how[role]]
        axes.scatter([places[joint, across]], [places[joint, 1]], s=26, color=colour, zorder=4)
    if named:
        _names(axes, sketch)
    axes.set_aspect("equal")
    canvas.quiet(axes)


def _names(axes: Axes, sketch: Sketch) -> None:
    """The roles in two columns beside the body, each with a line to its joint and the joint's own name."""
    places = sketch.places
    tall = max(float(np.ptp(places[:, 1])), 1e-9)
    edge = 1.15 * max(float(np.abs(places[:, 0]).max()), 0.35 * tall)
    columns: dict[str, list[tuple[str, int]]] = {_LEFT: [], _RIGHT: []}
    for role, joint in sketch.roles.joints.items():
        side = role.partition("_")[0]
        columns[side if side in columns else (_RIGHT if len(columns[_RIGHT]) < len(columns[_LEFT]) else _LEFT)].append(
            (role, joint)
        )
    for side, found in columns.items():
        found.sort(key=lambda one: -float(places[one[1], 1]))
        heights = np.linspace(1.02, -0.02, max(len(found), 2)) * float(places[:, 1].max())
        where = edge if side == _LEFT else -edge
        for (role, joint), height in zip(found, heights, strict=False):
            axes.annotate(
                f"{role.removeprefix(side + '_')}: {canvas.shown(sketch.names[joint], 24)}",
                xy=(places[joint, 0], places[joint, 1]),
                xytext=(where, height),
                fontsize=canvas.SMALL,
                color=_COLOURS[sketch.roles.how[role]],
                ha="left" if side == _LEFT else "right",
                va="center",
                arrowprops={"arrowstyle": "-", "color": canvas.FRAME, "linewidth": 0.6},
            )
    axes.set_xlim(-2.2 * edge, 2.2 * edge)
