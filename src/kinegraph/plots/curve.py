"""The threshold curve: what every threshold would keep, and which one was chosen."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from kinegraph.graph.making.report import BuildReport
from kinegraph.plots import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KEPT = "#1f6f8b"
TRANSITIONS = "#b07d2b"


def curve_picture(report: BuildReport, path: str | PathLike[str], *, share: float | None = None) -> None:
    """Draw the threshold curve of a build to a PNG, SVG or PDF file; ``share`` as in `draw_curve`.

    >>> import kinegraph as kg
    >>> import pathlib, tempfile
    >>> graph = kg.graph.build([kg.samples.make(name).motion for name in ("walk", "walk_left_medium")])
    >>> file = pathlib.Path(tempfile.mkdtemp(), "threshold.svg")
    >>> kg.plots.curve_picture(graph.record.report, file)
    >>> file.read_bytes()[:5]
    b'<?xml'
    """
    target = canvas.check_target(path)
    canvas.write(curve_figure(report, share=share), target)


def curve_figure(report: BuildReport, *, share: float | None = None) -> Figure:
    """The figure of `curve_picture`, to show or to add to."""
    figure = canvas.new_figure(9.5, 4.2)
    draw_curve(figure.add_subplot(), report, share=share)
    return figure


def draw_curve(axes: Axes, report: BuildReport, *, share: float | None = None) -> None:
    """Draw on ``axes`` the share of the attainable frames that each threshold would keep, and on a second scale its transitions.

    The chosen threshold is a vertical line. Each group's own threshold is a triangle with the group's number, and ``share`` (what "auto"
    must keep, 0 to 1) is a dotted line. If a report has no curve, a sentence says so.
    """
    canvas.quiet(axes)
    style: dict[str, Any] = {"fontsize": canvas.LABEL}
    own = " (▲ each group's own)" if report.groups else ""
    axes.set_xlabel(f"threshold, cm{own}", color=canvas.INK, **style)
    if not report.curve:
        axes.set_axis_off()
        said: dict[str, Any] = {"ha": "center", "va": "center", "color": canvas.PALE}
        axes.text(0.5, 0.5, "this graph keeps no threshold curve", transform=axes.transAxes, **said, **style)
        return
    thresholds = [100 * point.threshold for point in report.curve]
    # a component may hold frames at the clips' ends, which do not count as attainable
    kept = [100 * min(point.frames / max(report.attainable, 1), 1.0) for point in report.curve]
    other = axes.twinx()
    canvas.quiet(other)
    other.plot(thresholds, [point.transitions for point in report.curve], color=TRANSITIONS, linewidth=1.5)
    other.set_ylabel("transitions", color=TRANSITIONS, **style)
    other.set_ylim(bottom=0)
    other.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_zorder(other.get_zorder() + 1)  # the frames kept are what the choice is made by: on top
    axes.patch.set_visible(False)
    axes.plot(thresholds, kept, color=KEPT, linewidth=2)
    axes.set_ylabel("attainable frames kept, %", color=KEPT, **style)
    axes.set_ylim(0, 105)
    axes.set_xlim(min(*thresholds, 0.0), max(*thresholds, 100 * report.threshold) * 1.02)
    if share is not None:
        axes.axhline(100 * share, color=canvas.PALE, linewidth=1, linestyle=":")
    _mark_thresholds(axes, report)


def _mark_thresholds(axes: Axes, report: BuildReport) -> None:
    """The graph's threshold as a line with its value above, and the groups' as triangles under their numbers."""
    chosen = 100 * report.threshold
    axes.axvline(chosen, color=canvas.ACCENT, linewidth=1.5)
    right = chosen > sum(axes.get_xlim()) / 2
    axes.annotate(
        f"{'chosen' if len(report.groups) < 2 else 'highest of the groups'}: {chosen:.1f} cm",
        (chosen, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(-4 if right else 4, 3),
        textcoords="offset points",
        ha="right" if right else "left",
        fontsize=canvas.SMALL,
        color=canvas.ACCENT,
    )
    left, end = axes.get_xlim()
    for place, numbers in _near_each_other(report, (end - left) / 40):
        axes.annotate(
            numbers,
            (place, 0.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=canvas.SMALL,
            color=canvas.INK,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85},
        )
    marks = [100 * group.threshold for group in report.groups]
    axes.plot(
        marks,
        [0.0] * len(marks),
        "^",
        color=canvas.INK,
        markersize=6,
        transform=axes.get_xaxis_transform(),
        clip_on=False,
    )


def _near_each_other(report: BuildReport, gap: float) -> list[tuple[float, str]]:
    """The groups' thresholds in centimetres with the groups' numbers; those nearer than ``gap`` share a label, which names two at most."""
    places: list[tuple[float, list[int]]] = []
    for threshold, number in sorted((100 * group.threshold, i) for i, group in enumerate(report.groups, start=1)):
        if places and threshold - places[-1][0] < gap:
            places[-1][1].append(number)
        else:
            places.append((threshold, [number]))
    return [
        (place, f"{min(numbers)} …" if len(numbers) > 2 else ", ".join(map(str, sorted(numbers))))
        for place, numbers in places
    ]
