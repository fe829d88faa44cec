from __future__ import annotations

import numpy as np
import pytest

from kinegraph import samples
from kinegraph.feet.plants import as_contacts, footing
from kinegraph.paths.editing.course import course_of
from kinegraph.paths.editing.take import Footage


@pytest.fixture
def take() -> Footage:
    sample = samples.make("walk")
    return Footage(sample.motion, course_of(sample.motion).frame, footing(sample.motion, sample.contacts))


def test_the_first_frames_of_a_take(take: Footage) -> None:
    short = take.upto(100)
    assert len(short) == len(short.frame.walked) == 100
    assert take.feet is not None
    assert short.feet is not None
    np.testing.assert_array_equal(as_contacts(short.feet.plants, 100), as_contacts(take.feet.plants, len(take))[:100])
    assert take.upto(len(take)) is take


def test_at_its_own_moments_a_take_is_itself(take: Footage) -> None:
    same = take.timed(np.arange(len(take), dtype=float))
    np.testing.assert_allclose(same.motion.positions, take.motion.positions, atol=1e-9)
    np.testing.assert_allclose(same.frame.heading, take.frame.heading)
    assert take.feet is not None
    assert same.feet is not None
    np.testing.assert_array_equal(as_contacts(same.feet.plants, len(take)), as_contacts(take.feet.plants, len(take)))


def test_half_as_fast_stands_twice_as_long(take: Footage) -> None:
    slow = take.timed(np.arange(2 * len(take) - 1) / 2)
    assert take.feet is not None
    assert slow.feet is not None
    for plant, longer in zip(take.feet.plants, slow.feet.plants, strict=True):
        assert longer.first == 2 * plant.first
        assert longer.last == min(2 * plant.last, len(slow))
    np.testing.assert_allclose(slow.frame.walked[::2], take.frame.walked)


def test_a_plant_between_two_moments_is_gone(take: Footage) -> None:
    moments = np.array([0.0, 250.0])
    made = take.timed(moments)
    assert made.feet is not None
    assert all(plant.last > plant.first for plant in made.feet.plants)
