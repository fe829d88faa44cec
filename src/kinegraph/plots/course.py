"""Paths seen from above: the path of a motion at several degrees, with the residuals; and any curve, with its bends.

The floor is drawn so that a turn to the left is also one to the left on paper. The longer side is vertical.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from kinegraph.arrays import Array
from kinegraph.motion.clip import Motion
from kinegraph.paths.curve import Curve
from kinegraph.paths.editing.course import Course, course_of, residuals
from kinegraph.paths.editing.fit import fit_of
from kinegraph.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROOT = "#8a93a0"
_LEFT, _AHEAD = "#1f6f8b", "#b07d2b"
_START = "#2e7d4f"
# Inches: of a column and of all, of the floor at its least and most, of the strip of residuals, and of what stands about them.
_COLUMN, _NARROWEST, _LOWEST, _TALLEST, _STRIP, _ABOUT = 2.9, 7.0, 2.4, 6.5, 2.5, 1.5
# Metres of floor about the track, and the least share of its length that is shown across it.
_MARGIN, _ACROSS = 0.25, 0.3
# Centimetres: residuals below this have an even scale, those above one by powers of ten, so that degree 2 and degree 45 can be compared.
_EVEN = 3.0
_TICKS = (-100, -10, -3, 0, 3, 10, 100)
_PLACES = 2000
# Radians per metre below which a curve is called straight, and what its strip shows at least.
_STRAIGHT, _LEAST_BEND = 1e-3, 0.2
_LEGEND: dict[str, Any] = {
    "loc": "outside lower center",
    "fontsize": canvas.SMALL,
    "frameon": False,
    "labelcolor": canvas.INK,
}


def course_picture(motion: Motion, degrees: Sequence[int], file: str | PathLike[str], *, title: str = "") -> None:
    """Draw a motion's root with its path at each degree, and the residuals of each, to a PNG, SVG or PDF file.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "course.svg")
    >>> kg.plots.course_picture(kg.samples.make("walk_left_medium").motion, [3], file)
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(file)
    canvas.write(course_figure(motion, degrees, title=title), target)


def course_figure(motion: Motion, degrees: Sequence[int], *, title: str = "") -> Figure:
    """The figure of `course_picture`: a column for each degree and one for the spline that follows the stride."""
    chosen = (*degrees, None)
    courses = [course_of(motion, degree) for degree in chosen]
    root = motion.root[:, [0, 2]]
    paths = [_drawn(course.curve) for course in courses]
    plan = _Plan(np.concatenate([root, *paths]))
    width = max(_COLUMN * len(chosen), _NARROWEST)
    floor = float(np.clip(width / len(chosen) * plan.steepness, _LOWEST, _TALLEST))
    figure = canvas.new_figure(width, floor + _STRIP + _ABOUT)
    grid = figure.add_gridspec(2, len(chosen), height_ratios=[floor, _STRIP])
    seconds = np.arange(len(motion)) / motion.fps
    first: Axes | None = None
    for column, (degree, course, path) in enumerate(zip(chosen, courses, paths, strict=True)):
        above = figure.add_subplot(grid[0, column])
        plan.draw(above, named=column == 0)
        plan.line(above, root, color=_ROOT, linewidth=1.6, label="root")
        plan.line(above, path, color=canvas.ACCENT, linewidth=1.6, label="its path")
        _draw_ends(plan, above, path)
        name = "spline by stride" if degree is None else f"degree {degree}"
        above.set_title(name, fontsize=canvas.LABEL, color=canvas.INK)
        strip = figure.add_subplot(grid[1, column], sharex=first, sharey=first)
        _draw_residuals(strip, seconds, motion, course)
        if first is None:
            first = strip
            strip.set_ylabel("residual, cm", fontsize=canvas.LABEL, color=canvas.INK)
            (handles, labels), (more, others) = (drawn.get_legend_handles_labels() for drawn in (above, strip))
            figure.legend(handles + more, labels + others, ncols=6, **_LEGEND)
        else:
            strip.tick_params(labelleft=False)
    if first is not None:
        _scale(first, courses, motion)
    if title:
        figure.suptitle(canvas.shown(title, 110), fontsize=canvas.TITLE, color=canvas.INK)
    return figure


def path_picture(curve: Curve, file: str | PathLike[str], *, title: str = "") -> None:
    """Draw a curve over the floor, with its curvature and where it is tightest, to a PNG, SVG or PDF file.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "wave.svg")
    >>> kg.plots.path_picture(kg.paths.read("wave:12,1.5"), file, title="A wave")
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(file)
    canvas.write(path_figure(curve, title=title), target)


def path_figure(curve: Curve, *, title: str = "") -> Figure:
    """The figure of `path_picture`, with a strip for the altitude if the curve has one."""
    path = _drawn(curve)
    s = np.linspace(0.0, curve.length, _PLACES)
    bend, height = curve.curvature(s), curve.height(s)
    plan = _Plan(path, upright=False)
    hilly = bool(np.ptp(height) > 0)
    floor = float(np.clip(10.0 * plan.steepness, _LOWEST, _TALLEST))
    rows = [floor, _STRIP / 1.3, *([_STRIP / 1.6] if hilly else [])]
    figure = canvas.new_figure(11.0, sum(rows) + _ABOUT)
    grid = figure.add_gridspec(len(rows), 1, height_ratios=rows)
    above = figure.add_subplot(grid[0])
    plan.draw(above, named=True)
    plan.line(above, path, color=canvas.ACCENT, linewidth=2.0, label="path")
    _draw_ends(plan, above, path)
    strip = figure.add_subplot(grid[1])
    _strip(strip, s, "curvature, 1/m")
    strip.fill_between(s, bend, color=canvas.ACCENT, alpha=0.15, linewidth=0)
    strip.plot(s, bend, color=canvas.ACCENT, linewidth=1.3)
    strip.axhline(0.0, color=canvas.PALE, linewidth=0.8)
    widest = max(float(np.abs(bend).max()), _LEAST_BEND)
    strip.set_ylim(-1.15 * widest, 1.15 * widest)
    tightest = int(np.argmax(np.abs(bend) > (1 - 1e-3) * np.abs(bend).max()))
    if abs(bend[tightest]) > _STRAIGHT:
        dot: dict[str, Any] = {"marker": "D", "markersize": 6, "color": canvas.INK, "linestyle": "none", "zorder": 6}
        said = f"tightest: radius {1 / abs(bend[tightest]):.2f} m, {s[tightest]:.1f} m along"
        plan.line(above, curve.at(s[[tightest]]), label=said, **dot)
        strip.plot(s[[tightest]], bend[[tightest]], **dot)
    strip.set_title("left is above, right below", fontsize=canvas.SMALL, color=canvas.PALE, loc="right", pad=3)
    last = strip
    if hilly:
        last = figure.add_subplot(grid[2], sharex=strip)
        _strip(last, s, "altitude, m")
        last.fill_between(s, height, min(float(height.min()), 0.0), color=_AHEAD, alpha=0.2, linewidth=0)
        last.plot(s, height, color=_AHEAD, linewidth=1.3)
    last.set_xlabel("metres along the path", fontsize=canvas.LABEL, color=canvas.INK)
    handles, labels = above.get_legend_handles_labels()
    figure.legend(handles, labels, ncols=len(handles), **_LEGEND)
    if title:
        figure.suptitle(canvas.shown(title, 110), fontsize=canvas.TITLE, color=canvas.INK)
    return figure


class _Plan:
    """The floor on paper: +Z up and +X to the left, or +X up and +Z to the right. The longer side is vertical, or else horizontal."""

    def __init__(self, points: Array, upright: bool = True) -> None:
        lowest, highest = points.min(axis=0), points.max(axis=0)
        size = highest - lowest
        wider = np.maximum(_ACROSS * size.max() - size, 0.0) / 2 + _MARGIN
        self.lowest, self.highest = lowest - wider, highest + wider
        self.z_upwards = bool((size[1] >= size[0]) == upright)
        across, up = self._on(self.highest - self.lowest)
        self.steepness = float(up / across)

    def _on(self, points: Array) -> Array:
        return points if self.z_upwards else points[..., ::-1]

    def draw(self, axes: Axes, named: bool) -> None:
        """The axes in metres, with equal scales, over the part of the floor that is shown."""
        (left, bottom), (right, top) = self._on(self.lowest), self._on(self.highest)
        # +X is to the left of who faces +Z, and we look down on both
        axes.set_xlim(*((right, left) if self.z_upwards else (left, right)))
        axes.set_ylim(bottom, top)
        axes.set_aspect("equal")
        canvas.quiet(axes)
        axes.grid(color="#eef0f3", linewidth=0.8)
        axes.set_axisbelow(True)
        names = ("x, m", "z, m") if self.z_upwards else ("z, m", "x, m")
        axes.set_xlabel(names[0], fontsize=canvas.LABEL, color=canvas.INK)
        if named:
            axes.set_ylabel(names[1], fontsize=canvas.LABEL, color=canvas.INK)
        else:
            axes.tick_params(labelleft=False)

    def line(self, axes: Axes, points: Array, **style: Any) -> None:
        """A line through floor points ``(N, 2)``."""
        axes.plot(*self._on(points).T, **style)


def _drawn(curve: Curve) -> Array:
    return curve.at(np.linspace(0.0, curve.length, _PLACES))


def _draw_ends(plan: _Plan, axes: Axes, path: Array) -> None:
    """Where the path begins, and where it ends."""
    style: dict[str, Any] = {"linestyle": "none", "zorder": 5}
    # a ring, which a closed path's end does not hide
    ring = {"markerfacecolor": "none", "markeredgecolor": _START, "markeredgewidth": 2.0}
    plan.line(axes, path[:1], marker="o", markersize=10, label="start", **ring, **style)
    plan.line(
        axes, path[-1:], marker="s", markersize=6, color=canvas.INK, markeredgecolor="white", label="end", **style
    )


def _draw_residuals(axes: Axes, seconds: Array, motion: Motion, course: Course) -> None:
    """Where the root is, left of and ahead of its path, over time."""
    left, _, ahead = 100 * residuals(motion, course).translation.T
    canvas.quiet(axes)
    axes.set_yscale("symlog", linthresh=_EVEN)
    axes.grid(color="#eef0f3", linewidth=0.8)
    axes.axhline(0.0, color=canvas.PALE, linewidth=0.8)
    axes.plot(seconds, left, color=_LEFT, linewidth=1.2, label="left of it")
    axes.plot(seconds, ahead, color=_AHEAD, linewidth=1.2, label="ahead of it")
    fit = fit_of(motion, course)
    said = f"RMS {fit.rms_cm:.1f} cm, max {fit.max_cm:.1f} cm"
    axes.set_title(said, fontsize=canvas.SMALL, color=canvas.INK, pad=3)
    axes.set_xlim(0, max(float(seconds[-1]), 1 / motion.fps))
    axes.set_xlabel("seconds", fontsize=canvas.LABEL, color=canvas.INK)


def _scale(axes: Axes, courses: Sequence[Course], motion: Motion) -> None:
    """The same scale for all strips, which share it: as far to both sides as any residual goes."""
    most = max(float(np.abs(residuals(motion, course).translation[:, [0, 2]]).max()) for course in courses)
    limit = max(130 * most, 1.5 * _EVEN)
    ticks = [value for value in _TICKS if abs(value) < limit]
    axes.set_yticks(ticks, [f"{value}" for value in ticks])
    axes.minorticks_off()
    axes.set_ylim(-limit, limit)


def _strip(axes: Axes, s: Array, what: str) -> None:
    canvas.quiet(axes)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#eef0f3", linewidth=0.8)
    axes.set_xlim(0, float(s[-1]))
    axes.set_ylabel(what, fontsize=canvas.LABEL, color=canvas.INK)
