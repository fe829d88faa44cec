"""The figures of a motion on another path, and a path that is begun again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet import knees
from kinegraph.feet.slide import slides
from kinegraph.paths.editing.editor import PathEditor
from kinegraph.paths.editing.repathed import Repathed, begun_again
from kinegraph.paths.shapes import shape


def laid(path: str, grade: float = 0.0) -> Repathed:
    sample = samples.make("walk")
    editor = PathEditor(sample.motion, contacts=sample.contacts)
    return editor.lay(shape(path), ground=(lambda points: grade * points[..., 1]) if grade else None)


def raised(made: Repathed, by: float) -> Repathed:
    """The same with a body that is so much higher over the ground."""
    return replace(made, motion=replace(made.motion, root=made.motion.root + np.array([0.0, by, 0.0])))


@pytest.mark.parametrize("rounds", [1.3, 2.0, 3.7])
def test_begun_again_everything_is_as_in_the_first_round(rounds: float) -> None:
    once = laid("line:2")
    count = len(once.motion)
    frames = round(rounds * count)
    made = begun_again(once, frames)
    again = np.arange(frames) % count
    assert len(made.motion) == len(made.carried) == frames
    np.testing.assert_allclose(made.motion.positions, once.motion.positions[again], atol=1e-9)
    np.testing.assert_allclose(made.carried.positions, once.carried.positions[again], atol=1e-9)
    np.testing.assert_array_equal(made.s, once.s[again])
    for whole, part in ((made.source, once.source), (made.frame, once.frame)):
        np.testing.assert_array_equal(whole.points, part.points[again])
        np.testing.assert_array_equal(whole.heading, part.heading[again])
        np.testing.assert_array_equal(whole.walked, part.walked[again])
    assert made.contacts is not None
    assert once.contacts is not None
    np.testing.assert_array_equal(made.contacts, once.contacts[again])
    assert made.cuts == tuple(range(count, frames, count))
    assert f"{int(np.ceil(frames / count))} times in all" in made.notices[-1]


def test_where_it_begins_anew_no_knee_is_said_to_snap() -> None:
    once = laid("line:2")
    count = len(once.motion)
    made = begun_again(once, 2 * count)
    assert knees.speed(made.motion)[count - 1].max() > made.knee_speed
    assert made.knee_speed == pytest.approx(once.knee_speed)
    assert replace(made, cuts=()).knee_speed > made.knee_speed


@pytest.mark.parametrize("grade", [0.0, 0.2])
def test_what_floats_and_what_sinks_is_measured_from_the_ground(grade: float) -> None:
    made = laid("line:9", grade)
    assert made.off_ground.max() < 0.001
    # a foot on a slope stands across it, and is measured straight up
    for by in (0.03, -0.03):
        np.testing.assert_allclose(raised(made, by).off_ground, 0.03, atol=0.002)
    assert raised(made, -0.03).sunk == pytest.approx(made.sunk + 0.03, abs=0.004)
    assert raised(made, 0.03).sunk == 0.0


def test_slides_are_those_of_the_motion_and_before_those_of_what_was_carried() -> None:
    made = laid("circle:1.5")
    assert made.feet is not None
    for found, motion in ((made.slides, made.motion), (made.slides_before, made.carried)):
        np.testing.assert_array_equal(found.furthest, slides(motion, made.feet.plants, made.feet.soles).furthest)
    assert made.slides_before.overall[0] > 10 * made.slides.overall[0]


def test_without_feet_there_is_nothing_to_measure() -> None:
    made = PathEditor(samples.make("walk").motion).lay(shape("circle:2"), feet=False)
    assert made.contacts is None
    assert len(made.off_ground) == len(made.slides.mean) == 0
    assert made.sunk == 0.0
    again = begun_again(made, 2 * len(made.motion))
    assert again.feet is None
