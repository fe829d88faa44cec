from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.errors import FormatError, SpaceError
from kinegraph.motion import euler
from kinegraph.plots import strike_curves
from kinegraph.strikes.builder import build
from kinegraph.strikes.space import Space


def made(kind: str) -> Space:
    return build([samples.make(name).motion for name in samples.names() if name.startswith(kind)], kind)


@pytest.fixture(scope="module")
def kicks() -> Space:
    return made("kick")


@pytest.fixture(scope="module")
def punches() -> Space:
    return made("punch")


def lines(axes) -> dict[str, np.ndarray]:
    return {
        line.get_label(): np.asarray(line.get_ydata()) for line in axes.lines if not line.get_label().startswith("_")
    }


def test_a_picture_is_written_the_same_each_time(kicks: Space, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.png" for name in "ab"]
    for file in files:
        strike_curves.save(kicks, file)
    assert files[0].read_bytes() == files[1].read_bytes()
    with pytest.raises(FormatError, match="suffix"):
        strike_curves.save(kicks, tmp_path / "a.txt")


def test_the_captured_curve_is_the_strike_s_own(kicks: Space) -> None:
    figure = strike_curves.figure(kicks, 3)
    assert len(figure.axes) == 3
    examples = kicks.examples
    hip = examples.skeleton.joint("right_hip")
    own = np.degrees(np.unwrap(euler.from_quaternion(examples.rotations[3, :, hip], "zyx"), axis=0))
    for axes, angles in zip(figure.axes, own.T[::-1], strict=True):
        assert lines(axes)["as captured"] == pytest.approx(angles, abs=1e-6)
        assert axes.lines[0].get_xdata() == pytest.approx(examples.times[3])


def test_the_blend_of_all_is_nearer_than_the_one_without(kicks: Space) -> None:
    drawn = [lines(axes) for axes in strike_curves.figure(kicks).axes]
    labels = list(drawn[0])
    assert [label.split(":")[0] for label in labels] == [
        "as captured",
        "blend of all 8",
        "blend of the other 7",
        "partial blending of the other 7",
    ]
    off = [sum(float(np.abs(curves[label] - curves["as captured"]).mean()) for curves in drawn) for label in labels]
    assert off[0] == 0.0 < off[1] < off[2]


def test_punches_show_chest_and_collar_and_no_parts_inside_the_region(punches: Space) -> None:
    middle = int(np.argmin(np.linalg.norm(punches.examples.hits - punches.examples.hits.mean(axis=0), axis=1)))
    figure = strike_curves.figure(punches, middle)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:6] == [f"{joint}, {axis}" for joint in ("chest", "right collar") for axis in "xyz"]
    assert not any("partial" in label for label in lines(figure.axes[0]))


def test_the_default_is_the_strike_furthest_out(kicks: Space) -> None:
    index = strike_curves.furthest_out(kicks)
    assert not Space("left", kicks.examples.without(index)).region.inside(kicks.examples.hits[index, :2])
    assert str(kicks.examples.strikes[index].hit) in strike_curves.figure(kicks).get_suptitle()


def test_angles_are_continuous() -> None:
    turn = np.linspace(0.0, 1.9 * np.pi, 50)
    angles = strike_curves.joint_angles(euler.to_quaternion(np.stack([0 * turn, 0 * turn, turn], axis=1), "zyx"))
    assert angles[:, 0] == pytest.approx(np.degrees(turn), abs=1e-6)


def test_a_strike_that_is_not_there_is_refused(kicks: Space) -> None:
    with pytest.raises(SpaceError, match="no strike 8 in a space of 8"):
        strike_curves.figure(kicks, 8)
