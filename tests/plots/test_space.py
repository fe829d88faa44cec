from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.plots.bones import draw_bones
from kinegraph.plots.canvas import new_figure
from kinegraph.plots.space import apart, space_figure, space_picture
from kinegraph.strikes.builder import build
from kinegraph.strikes.space import Space

PLACES = ("high_centre", "high_right", "low_left", "low_right", "middle_centre")


@cache  # a space is frozen
def made(kind: str) -> Space:
    return build([samples.make(f"{kind}_{place}").motion for place in PLACES], kind)


def test_a_picture_is_written(tmp_path: Path) -> None:
    space_picture(made("punch"), tmp_path / "space.png")
    content = (tmp_path / "space.png").read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 30_000
    with pytest.raises(FormatError, match="unknown suffix"):
        space_picture(made("punch"), tmp_path / "space.txt")


@pytest.mark.parametrize("kind", ["punch", "kick"])
def test_the_map_holds_examples_region_box_and_reliability(kind: str) -> None:
    space = made(kind)
    figure = space_figure(space)
    axes = figure.axes[0]
    hull, box = (line.get_xydata() for line in axes.get_lines())
    assert np.allclose(hull[:-1], space.region.corners)
    assert np.allclose(box.min(axis=0), space.region.low)
    assert np.allclose(box.max(axis=0), space.region.high)
    left, right = axes.get_xlim()
    assert left > right  # X goes to the left, as the performer's left does, seen from behind
    assert left > space.region.high[0]
    assert right < space.region.low[0]
    (image,) = axes.get_images()
    shown = image.get_array()
    x0, x1, y0, y1 = image.get_extent()
    rows, columns = shown.shape
    row, column = rows // 5, columns // 3
    target = np.array([x0 + (column + 0.5) / columns * (x1 - x0), y0 + (row + 0.5) / rows * (y1 - y0)])
    assert shown[row, column] == pytest.approx(space.plane.reliability(target))
    assert [text.get_text() for text in axes.texts] == ["1", "2", "3", "4", "5"]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[1:] == ["region of the examples", "box around it", "5 examples"]
    assert labels[0].endswith(" blends")


def test_titles_axes_and_key_say_what_is_seen() -> None:
    figure = space_figure(made("kick"))
    assert figure.get_suptitle() == "right kick: 5 kicks with the right foot, of 5 clips"
    assert [axes.get_title() for axes in figure.axes[:3]] == ["from behind", "from the right", "from above"]
    front, side, above = figure.axes[:3]
    assert front.get_xlabel().startswith("← left")
    assert above.get_xlabel().startswith("← left")
    assert above.get_xlim()[0] > above.get_xlim()[1]
    assert side.get_xlim()[0] < side.get_xlim()[1]
    key = [text.get_text() for text in figure.axes[3].texts]
    assert key[::2] == ["1", "2", "3", "4", "5"]
    assert key[1] == f"kick_high_centre:{made('kick').examples.strikes[0].hit}"


def test_the_views_show_all_of_the_body_and_the_hits() -> None:
    space = made("punch")
    figure = space_figure(space)
    for axes, (across, up) in zip(figure.axes[1:3], ((2, 1), (0, 2)), strict=True):
        x, y = sorted(axes.get_xlim()), sorted(axes.get_ylim())
        assert x[0] < space.examples.hits[:, across].min()
        assert space.examples.hits[:, across].max() < x[1]
        assert y[0] < space.examples.hits[:, up].min()
        assert space.examples.hits[:, up].max() < y[1]
    assert figure.axes[1].get_ylim()[1] > 1.5


def test_drawing_needs_no_warning_and_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        space_picture(made("kick"), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_numbers_are_moved_apart_and_no_further_than_need_be() -> None:
    lone = np.array([[5.0, 5.0]])
    crowd = np.concatenate([np.zeros((3, 2)), np.array([[0.4, 0.0], [0.0, 0.3]]), lone])
    places = apart(crowd, 1.0)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=-1)[np.triu_indices(6, 1)]
    assert gaps.min() > 0.97
    assert np.linalg.norm(places - crowd, axis=1).max() < 2.0
    assert places[5] == pytest.approx(lone[0], abs=0.01)


def test_bones_are_drawn_and_the_strong_ones_apart() -> None:
    motion = made("punch").reach((0.05, 1.4), finished=False).motion
    skeleton = motion.skeleton
    axes = new_figure(3, 3).add_subplot()
    arm = skeleton.chain(skeleton.joint("right_shoulder"), skeleton.joint("right_wrist"))
    draw_bones(axes, motion, 2, 1, arm)
    pale, dark = (lines.get_segments() for lines in axes.collections)
    assert len(dark) == len(arm) - 1
    assert len(pale) + len(dark) == len(skeleton) - 1 + len(skeleton.tip_parents)
    assert dark[-1][1] == pytest.approx(motion.position("right_wrist")[0, [2, 1]])
