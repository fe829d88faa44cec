from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.bspline import Spline
from kinegraph.paths.editing.course import course_of, residuals
from kinegraph.paths.editing.fit import fit_of
from kinegraph.paths.shapes import shape
from kinegraph.plots.course import course_figure, course_picture, path_figure, path_picture

WALK = samples.make("walk_left_medium").motion
DEGREES = [2, 5]


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_pictures_are_written_the_same_each_time(tmp_path: Path, suffix: str) -> None:
    for draw in (
        lambda file: course_picture(WALK, DEGREES, file, title="a $walk$"),
        lambda file: path_picture(shape("eight:2"), file, title="eight"),
    ):
        files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
        for file in files:
            draw(file)
        assert files[0].read_bytes() == files[1].read_bytes()
        assert files[0].stat().st_size > 5000


def test_an_unknown_suffix_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"unknown suffix '\.gif'"):
        course_picture(None, [2], tmp_path / "a.gif")  # type: ignore[arg-type]
    with pytest.raises(FormatError, match=r"unknown suffix '\.gif'"):
        path_picture(None, tmp_path / "a.gif")  # type: ignore[arg-type]


def test_a_column_for_each_degree_and_the_spline() -> None:
    figure = course_figure(WALK, DEGREES, title="walk")
    above, below = figure.axes[0::2], figure.axes[1::2]
    assert [axes.get_title() for axes in above] == ["degree 2", "degree 5", "spline by stride"]
    root = WALK.root[:, [0, 2]]
    for axes, strip, degree in zip(above, below, [*DEGREES, None], strict=True):
        assert axes.get_aspect() == 1
        drawn = {line.get_label(): line.get_xydata() for line in axes.lines}
        assert np.sort(drawn["root"], axis=None) == pytest.approx(np.sort(root, axis=None))
        course = course_of(WALK, degree)
        ends = course.curve.at([0.0, course.curve.length])
        assert np.sort(drawn["its path"][[0, -1]], axis=None) == pytest.approx(np.sort(ends, axis=None))
        fit = fit_of(WALK, course)
        assert strip.get_title() == f"RMS {fit.rms_cm:.1f} cm, max {fit.max_cm:.1f} cm"
        shown = {line.get_label(): line.get_ydata() for line in strip.lines}
        left, _, ahead = 100 * residuals(WALK, course).translation.T
        assert shown["left of it"] == pytest.approx(left)
        assert shown["ahead of it"] == pytest.approx(ahead)


def test_all_strips_have_one_scale_that_holds_every_residual() -> None:
    figure = course_figure(WALK, [1, 13])
    strips = figure.axes[1::2]
    (limits,) = {strip.get_ylim() for strip in strips}
    (floors,) = {axes.get_xlim() + axes.get_ylim() for axes in figure.axes[0::2]}
    assert len(floors) == 4
    for strip in strips:
        for line in strip.lines:
            assert limits[0] < np.min(line.get_ydata())
            assert np.max(line.get_ydata()) < limits[1]


@pytest.mark.parametrize("turn", [0.0, np.pi / 2])
def test_the_longer_side_stands_upright_and_left_is_left(turn: float) -> None:
    motion = samples.make("walk").motion.place(FloorTransform(turn))
    axes = course_figure(motion, [1]).axes[0]
    z_upwards = turn == 0
    assert axes.get_ylabel() == ("z, m" if z_upwards else "x, m")
    low, high = axes.get_xlim()
    # +Z upwards has +X to the left; +X upwards has +Z to the right
    assert (low > high) == z_upwards
    assert axes.get_ylim()[1] > axes.get_ylim()[0]


def test_a_path_with_its_tightest_bend() -> None:
    figure = path_figure(shape("circle:2"))
    above, strip = figure.axes
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert any(label.startswith("tightest: radius 2.00 m") for label in labels)
    assert strip.lines[0].get_ydata() == pytest.approx(0.5, rel=0.02)
    assert above.get_aspect() == 1


def test_a_line_has_no_tightest_bend_and_a_hill_has_an_altitude() -> None:
    straight = path_figure(shape("line:5"))
    assert len(straight.axes) == 2
    assert not any("tightest" in text.get_text() for text in straight.legends[0].get_texts())
    hill = path_figure(Spline([[0, 0, 0], [0, 0, 4], [3, 1, 6], [6, 2, 3], [8, 2, 8]]))
    altitude = hill.axes[2]
    assert altitude.get_ylabel() == "altitude, m"
    assert altitude.lines[0].get_ydata()[[0, -1]] == pytest.approx([0, 2])
