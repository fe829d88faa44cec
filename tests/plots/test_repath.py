from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.paths.editing.repathed import Repathed
from kinegraph.paths.ground import ground
from kinegraph.paths.shapes import circle, eight, line
from kinegraph.plots.repath import repath_figure, repath_picture

WALK = samples.make("walk").motion
EDITOR = PathEditor(WALK)


@pytest.fixture(scope="module")
def round_walk() -> Repathed:
    return EDITOR.lay(circle(2.0))


@pytest.fixture(scope="module")
def uphill() -> Repathed:
    return EDITOR.lay(line(5.0), ground=ground("slope:20%"))


def drawn(figure, label: str, axes: int = 0) -> np.ndarray:
    """The line of that label, as the axes count it."""
    (found,) = (one for one in figure.axes[axes].lines if one.get_label() == label)
    return np.stack([found.get_xdata(), found.get_ydata()], axis=-1)


def test_the_body_and_both_paths_are_where_they_are(round_walk: Repathed) -> None:
    figure = repath_figure(WALK, round_walk)
    (axes,) = figure.axes
    # the longer side lies across: here +Z
    assert axes.get_xlabel() == "z, m"
    assert drawn(figure, "body")[:, ::-1] == pytest.approx(round_walk.motion.root[:, [0, 2]])
    assert np.hypot(*(drawn(figure, "new path")[:, ::-1] - [2.0, 0.0]).T) == pytest.approx(2.0, abs=1e-3)
    labels = {text.get_text() for text in axes.get_legend().get_texts()}
    assert labels == {"captured", "its path", "new path", "left foot", "right foot", "body", "start", "end"}


def test_the_clip_is_brought_to_where_the_path_begins(round_walk: Repathed) -> None:
    figure = repath_figure(WALK, round_walk)
    captured, own = drawn(figure, "captured")[:, ::-1], drawn(figure, "its path")[:, ::-1]
    assert own[0] == pytest.approx(round_walk.frame.points[0])
    # this walk goes straight ahead, and the circle begins heading +Z
    assert np.abs(captured[:, 0]).max() < 0.1
    lengths = [np.hypot(*np.diff(track, axis=0).T).sum() for track in (captured, WALK.root[:, [0, 2]])]
    assert lengths[0] == pytest.approx(lengths[1])


def test_a_path_whose_corners_were_rounded_is_shown_as_asked() -> None:
    asked = line(3.0)
    made = EDITOR.lay(circle(2.0))
    figure = repath_figure(WALK, made, asked=asked)
    assert np.abs(drawn(figure, "new path")[:, 1]).max() == 0


def test_every_step_leaves_a_print_and_none_without_feet(round_walk: Repathed) -> None:
    figure = repath_figure(WALK, round_walk)
    soles = {drawn.get_label(): len(drawn.get_paths()) for drawn in figure.axes[0].collections}
    assert soles["left foot"] >= 3
    assert abs(soles["left foot"] - soles["right foot"]) <= 1
    loose = repath_figure(WALK, EDITOR.lay(circle(2.0), feet=False))
    assert not loose.axes[0].collections


def test_hills_are_seen_from_the_side(uphill: Repathed) -> None:
    figure = repath_figure(WALK, uphill)
    side = figure.axes[1]
    assert side.get_aspect() == 1
    metres, heights = drawn(figure, "ground", 1).T
    # straight on before the beginning too, where a foot may stand
    assert metres[0] < -0.3
    assert heights == pytest.approx(0.2 * metres, abs=1e-9)
    pelvis = drawn(figure, "pelvis", 1)
    assert pelvis[:, 1] == pytest.approx(uphill.motion.root[:, 1])
    for foot in ("left ankle", "right ankle"):
        ahead, height = drawn(figure, foot, 1).T
        clear = height - 0.2 * ahead
        assert 0.02 < clear.min() < 0.15
    # bones of the trunk, and of each leg
    assert len(side.collections) == 4


def test_poses_stand_on_the_slope(uphill: Repathed) -> None:
    figure = repath_figure(WALK, uphill)
    bones = np.concatenate([np.array(one.get_segments()) for one in figure.axes[1].collections[1:]])
    over = bones[..., 1] - 0.2 * bones[..., 0]
    assert -0.01 < over.min() < 0.05
    assert 1.5 < over.max() < 2.0


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_picture_is_written_the_same_each_time(uphill: Repathed, tmp_path: Path, suffix: str) -> None:
    files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for file in files:
        repath_picture(WALK, uphill, file, title="a $walk$, uphill")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size > 5000


def test_what_is_no_picture_is_refused(round_walk: Repathed, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"unknown suffix '\.gif'"):
        repath_picture(WALK, round_walk, tmp_path / "way.gif")


def test_laps_and_cycles_can_be_drawn() -> None:
    laps = EDITOR.lay(eight(1.5), cycle=True, seconds=20, end="restart", ground=ground("hill:0.3,2"))
    figure = repath_figure(WALK, laps)
    # ground over all that was walked, lap after lap
    metres, heights = drawn(figure, "ground", 1).T
    assert metres[-1] > laps.s[-1] > laps.curve.length
    assert heights.max() == pytest.approx(laps.terrain.along(laps.s).max(), abs=0.02)
    # of the clip only what is repeated
    assert len(drawn(figure, "its path")) == laps.loop.last
    figure.draw_without_rendering()


def test_a_skeleton_without_toes_can_be_drawn(uphill: Repathed) -> None:
    names = tuple(name if "toe" not in name else f"q{index}" for index, name in enumerate(WALK.skeleton.names))
    bare = replace(uphill.motion.skeleton, names=names)
    made = replace(uphill, motion=replace(uphill.motion, skeleton=bare))
    repath_figure(WALK, made).draw_without_rendering()
