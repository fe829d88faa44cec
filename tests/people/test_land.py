"""People who are steered over hills: feet stand on the ground that is under them, and nothing is in it."""

from __future__ import annotations

import numpy as np
import pytest

import kinegraph as kg
from kinegraph.arrays import Array
from kinegraph.feet.sole import underfoot
from kinegraph.graph.model import MotionGraph
from kinegraph.paths.ground import ground as read_ground
from kinegraph.people import Person
from kinegraph.people.body import soles_of
from kinegraph.people.land import height, land_of

GROUNDS = ("slope:15%", "slope:-15%", "waves:0.4,5", "hill:1,6", "ramp:-0.5,1,5")


def walked(graph: MotionGraph, ground: str | None) -> Person:
    """Somebody who walks ahead, aside, runs, and stands."""
    person = kg.live(graph, ground=ground)
    for seconds, velocity in ((4.0, (0.0, 1.3)), (3.0, (1.3, 0.3)), (2.0, (-2.5, 0.0)), (2.0, (0.0, 0.0))):
        for _ in range(round(seconds * graph.fps)):
            person.step(velocity)
    return person


def clearance(person: Person, ground: str) -> Array:
    """Metres ``(F, 2, 3)`` by which heels, balls and tips are higher than they rest on the ground."""
    feet = soles_of(person.graph)
    points = underfoot(person.motion, feet)
    above: Array = points[..., 1] - read_ground(ground)(points[..., [0, 2]]) - np.array([sole.rest for sole in feet])
    return above


@pytest.mark.parametrize("ground", GROUNDS)
def test_nothing_is_in_the_ground_and_what_is_held_is_on_it(library: MotionGraph, ground: str) -> None:
    person = walked(library, ground)
    above = clearance(person, ground)
    assert above.min() > -0.005
    held = np.array(person._held).reshape(-1, 2, 2)
    assert held.any(axis=2).mean() > 0.3
    # what is held is where it rests; on a slope a foot is as steep as the ground
    assert np.abs(above[:, :, :2][held]).max() < 0.005


def test_bodies_follow_the_ground(library: MotionGraph) -> None:
    level, uphill = walked(library, None).motion, walked(library, "slope:15%").motion
    rise = uphill.root[:, 1] - 0.15 * uphill.root[:, 2]
    assert np.abs(rise - level.root[:, 1].mean()).max() < 0.25
    assert uphill.root[:, 1].max() > level.root[:, 1].max() + 0.5


def test_level_ground_is_what_there_was_before(library: MotionGraph) -> None:
    none, level = walked(library, None).motion, walked(library, "slope:0%").motion
    np.testing.assert_allclose(level.root, none.root, atol=1e-6)
    np.testing.assert_allclose(level.positions, none.positions, atol=1e-4)


def test_without_feet_the_body_still_follows(library: MotionGraph) -> None:
    person = kg.live(library, feet=False, ground="slope:10%")
    for _ in range(150):
        person.step((0.0, 1.3))
    assert person.motion.root[-1, 1] - 0.1 * person.motion.root[-1, 2] == pytest.approx(
        person.motion.root[0, 1], abs=0.1
    )


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_land_is_as_high_as_its_ground(ground: str) -> None:
    given = read_ground(ground)
    land = land_of(given)
    places = np.random.default_rng(1).uniform(-20, 20, (200, 2))
    found = [height(land, x, z) for x, z in places.tolist()]
    np.testing.assert_allclose(found, given(places), atol=2e-3)


def test_beyond_its_edge_it_stays_as_high(library: MotionGraph) -> None:
    land = land_of(read_ground("slope:10%"))
    assert height(land, 0.0, 500.0) == pytest.approx(height(land, 0.0, 59.99), abs=0.01)
