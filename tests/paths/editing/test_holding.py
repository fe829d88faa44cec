from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet import knees
from kinegraph.feet.plants import Plant, footing
from kinegraph.paths.editing.course import course_of
from kinegraph.paths.editing.holding import hold, released
from kinegraph.paths.editing.steps import moved
from kinegraph.paths.moving import MovingFrame, carried


def test_feet_that_stand_are_held_whole() -> None:
    sample = samples.make("walk")
    feet = footing(sample.motion, sample.contacts)
    done = hold(sample.motion, feet, knees.usual(sample.motion), stretch=0.02, floor=None, steps=None)
    assert done.let_go == 0.0
    assert done.feet.plants == feet.plants
    np.testing.assert_allclose(done.motion.positions, sample.motion.positions, atol=0.001)


@pytest.mark.parametrize("stretched", [1.5, 2.0, 3.0])
def test_the_further_legs_must_reach_the_more_is_let_go(stretched: float) -> None:
    sample = samples.make("walk")
    frame = course_of(sample.motion).frame
    further = MovingFrame(stretched * frame.points, frame.heading, frame.walked)
    body = carried(sample.motion, frame, further.points, further.heading)
    feet = footing(sample.motion, sample.contacts)
    feet = type(feet)(feet.soles, moved(feet.plants, frame, further), ())
    limit = knees.usual(sample.motion)
    done = hold(body, feet, limit, stretch=0.02, floor=None, steps=None)
    assert (done.let_go > 0.0) == (stretched > 1.5)
    assert done.let_go < 0.3 * stretched
    assert knees.speed(done.motion).max() <= limit
    assert done.reached.missed.max() <= 0.001


def test_what_is_out_of_reach_is_let_go() -> None:
    place = np.zeros(3)
    plants = (
        Plant("left", "ball", 0, 60, place),
        Plant("right", "ball", 0, 60, place),
        Plant("left", "heel", 70, 80, place),
    )
    out = np.zeros((100, 2), bool)
    out[20:25, 0] = True
    out[72:80, 0] = True
    kept = released(plants, out, 100.0)
    assert [(plant.side, plant.first, plant.last) for plant in kept] == [("left", 25, 60), ("right", 0, 60)]
    assert kept[1] is plants[1]
