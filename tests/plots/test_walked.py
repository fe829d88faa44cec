from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import FormatError
from kinegraph.motion import Motion
from kinegraph.motion.floor import FloorTransform
from kinegraph.paths.moving import track_of
from kinegraph.paths.path import Path as FloorPath
from kinegraph.plots.plan import SHOES
from kinegraph.plots.shoes import Footprint, footprints, outlines
from kinegraph.plots.walked import LabelsAlong, walked_figure, walked_picture
from kinegraph.rendering.palette import PAINTS
from kinegraph.rendering.shapes import LEFT, RIGHT
from kinegraph.walks.request import Box, Disc, Pause

WALK = samples.make("walk")
LINE = FloorPath([[0, 0], [0, 6]])


def polygons(figure, side: str) -> list[np.ndarray]:
    (found,) = (drawn for drawn in figure.axes[0].collections if drawn.get_label() == f"{side} foot")
    return [path.vertices for path in found.get_paths()]


# -- footprints --------------------------------------------------------------------------------------------------------


def test_a_walk_leaves_prints_by_turns_to_both_sides_of_its_way() -> None:
    prints = footprints(WALK.motion, WALK.contacts)
    assert len(prints) >= 7
    sides = [one.side for one in prints]
    # both feet stand at first, one of them from the step before
    assert all(one != two for one, two in pairwise(sides[2:]))
    middle = np.mean([one.place[0] for one in prints])
    # +X is to the left of who walks along +Z
    assert all((one.place[0] > middle) == (one.side == "left") for one in prints)
    assert max(abs(one.heading) for one in prints) < np.radians(25)


def test_prints_turn_with_the_walker() -> None:
    turned = footprints(WALK.motion.place(FloorTransform(np.pi / 2, 1.0, 2.0)), WALK.contacts)
    for one, two in zip(footprints(WALK.motion, WALK.contacts), turned, strict=True):
        assert two.heading - one.heading == pytest.approx(np.pi / 2)
        assert two.place == pytest.approx([one.place[1] + 1.0, 2.0 - one.place[0]])


def test_a_foot_without_toes_points_where_the_body_faces_and_one_without_a_name_leaves_none() -> None:
    names = list(WALK.motion.skeleton.names)
    for hidden, count in (("left_toe", True), ("left_ankle", False)):
        nameless = tuple("q" if name == hidden else name for name in names)
        motion = replace(WALK.motion, skeleton=replace(WALK.motion.skeleton, names=nameless))
        left = [one for one in footprints(motion, WALK.contacts) if one.side == "left"]
        assert bool(left) == count
        assert all(abs(one.heading) < np.radians(30) for one in left)


def test_a_sole_lies_ahead_of_the_heel_and_bulges_outwards() -> None:
    ahead, left = (Footprint("left", 0, 1, np.array([1.0, 2.0]), heading) for heading in (0.0, np.pi / 2))
    one, two = outlines([ahead, left], 1.75)
    length = np.ptp(one[:, 1])
    assert length == pytest.approx(0.28)
    # most of the shoe is in front of the ankle, and its tip more towards the middle
    assert one[:, 1].max() - 2.0 == pytest.approx(0.75 * length)
    assert np.ptp(one[:, 0]) == pytest.approx(np.ptp(two[:, 1]))
    assert two[:, 0].max() - 1.0 == pytest.approx(0.75 * length)
    right = outlines([replace(ahead, side="right")], 1.75)[0]
    assert right[:, 0] - 1.0 == pytest.approx(1.0 - one[:, 0])
    assert len(outlines([], 1.75)) == 0


# -- the picture -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_picture_is_written_the_same_each_time(tmp_path: Path, suffix: str) -> None:
    files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    for file in files:
        walked_picture(WALK.motion, WALK.contacts, file, path=LINE, transitions=[(30, 50)], title="a $walk$")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size > 5000


def test_shoes_have_the_colours_of_films_and_their_true_size() -> None:
    figure = walked_figure(WALK.motion, WALK.contacts, path=LINE)
    assert SHOES["left"] == pytest.approx(PAINTS[LEFT])
    assert SHOES["right"] == pytest.approx(PAINTS[RIGHT])
    (first, *_) = polygons(figure, "left")
    assert np.linalg.norm(np.ptp(first, axis=0)) == pytest.approx(0.16 * WALK.motion.skeleton.stature, rel=0.15)


def test_on_a_long_path_shoes_are_drawn_larger() -> None:
    far = walked_figure(WALK.motion, WALK.contacts, path=FloorPath([[0, 0], [0, 100]]))
    near = walked_figure(WALK.motion, WALK.contacts, path=LINE)
    sizes = [np.ptp(polygons(figure, "left")[0], axis=0).max() for figure in (far, near)]
    assert sizes[0] > 3 * sizes[1]


@pytest.mark.parametrize(("end", "across"), [([0, 6], True), ([9, 1], False)])
def test_a_turn_to_the_left_is_one_on_paper_and_the_longer_side_lies_across(end: list[float], across: bool) -> None:
    axes = walked_figure(WALK.motion, WALK.contacts, path=FloorPath([[0, 0], end])).axes[0]
    assert axes.get_aspect() == 1
    assert axes.get_xlabel() == ("z, m" if across else "x, m")
    rightwards, upwards = axes.get_xlim()[1] > axes.get_xlim()[0], axes.get_ylim()[1] > axes.get_ylim()[0]
    # +Z to the right has +X upwards; +Z upwards has +X to the left
    assert (rightwards, upwards) == ((True, True) if across else (False, True))


def test_the_strip_tells_the_deviation_in_centimetres() -> None:
    aside = walked_figure(WALK.motion.place(FloorTransform(0.0, 0.05, 0.0)), WALK.contacts, path=LINE)
    strip = aside.axes[1]
    cm = strip.lines[0].get_ydata()
    assert len(cm) == len(WALK.motion)
    assert np.median(cm) == pytest.approx(5, abs=1)
    assert strip.get_title(loc="right") == f"mean {cm.mean():.1f} cm, max {cm.max():.1f} cm"
    assert strip.lines[0].get_xdata()[-1] == pytest.approx((len(WALK.motion) - 1) / WALK.motion.fps)


def test_without_a_path_there_is_no_strip_and_with_transitions_there_are_ticks() -> None:
    figure = walked_figure(WALK.motion, WALK.contacts, transitions=[(20, 40), (100, 120)])
    (axes,) = figure.axes
    (ticks,) = (drawn for drawn in axes.collections if drawn.get_label() == "transition")
    assert len(ticks.get_segments()) == 2
    # across the way
    for segment in ticks.get_segments():
        assert abs(segment[1, 0] - segment[0, 0]) < 0.1 * abs(segment[1, 1] - segment[0, 1])
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert {"walked", "left foot", "right foot", "transition", "start", "end"} == set(labels)


def test_obstacles_are_in_the_picture() -> None:
    figure = walked_figure(WALK.motion, WALK.contacts, obstacles=[Disc(2.0, 3.0, 0.5), Box(-3.0, 1.0, 1.0, 2.0)])
    axes = figure.axes[0]
    assert len(axes.patches) == 2
    for thing in axes.patches:
        assert axes.get_window_extent().contains(*thing.get_extents().min)
        assert axes.get_window_extent().contains(*thing.get_extents().max)


@pytest.mark.parametrize("frames", [1, 2, 40])
def test_short_motions_and_no_contacts_can_be_drawn(frames: int) -> None:
    motion: Motion = WALK.motion[:frames]
    none = np.zeros((frames, 4), bool)
    walked_figure(motion, none, path=LINE, transitions=[(0, 1)]).draw_without_rendering()


def test_an_unknown_suffix_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"unknown suffix '\.gif'"):
        walked_picture(None, None, tmp_path / "a.gif")  # type: ignore[arg-type]


def test_labels_along_the_path_are_drawn_as_asked_and_as_given() -> None:
    half = np.arange(len(WALK.motion)) < len(WALK.motion) // 2
    labels = LabelsAlong([("walk", 0.0, 4.0), ("run", 4.0, 6.0)], {"walk": half}, [Pause(3.0, 2.0)])
    figure = walked_figure(WALK.motion, WALK.contacts, path=LINE, labels=labels)
    strip = figure.axes[2]
    bars = [(bar.get_y() + bar.get_height() / 2, bar.get_x(), bar.get_width()) for bar in strip.patches]
    assert [tick.get_text() for tick in strip.get_yticklabels()] == ["asked", "given"]
    assert bars[:2] == [(1.0, 0.0, 4.0), (1.0, 4.0, 2.0)]
    row, first, wide = bars[2]
    assert (row, first) == (0.0, pytest.approx(0.0, abs=0.1))
    assert wide == pytest.approx(LINE.track(track_of(WALK.motion))[1][half][-1], abs=0.1)
    assert " 2 s" in [text.get_text() for text in strip.texts]
    assert len(walked_figure(WALK.motion, WALK.contacts, path=LINE).axes) == 2
